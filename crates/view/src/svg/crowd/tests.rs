use super::*;
use roxmltree::{Document, Node};
use wayfare_core::{dvec2, dvec3};
use wayfare_navmesh::RawNavMesh;

/// Three storeys, each one square: 10 m wide, 4 m wide above it, 2 m wide on top.
fn tower() -> NavMesh {
    let square =
        |side: f64, z: f64| [dvec3(0., 0., z), dvec3(side, 0., z), dvec3(side, side, z), dvec3(0., side, z)];
    let points = [square(10.0, 0.0), square(4.0, 3.0), square(2.0, 6.0)].concat();
    let mut raw =
        RawNavMesh::from_polygons(&points, &[&[0, 1, 2, 3], &[4, 5, 6, 7], &[8, 9, 10, 11]]).unwrap();
    raw.storeys = vec![0, 1, 2];
    raw.validate().expect("a sound mesh")
}

fn drawn(crowd: &CrowdPicture, lines: &[DrawnLine]) -> String {
    draw_crowd(&tower(), crowd, lines, &DrawConfig::default()).expect("a picture")
}

/// Elements of the picture itself, not of clips.
fn elements<'a>(document: &'a Document<'_>, tag: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_tag_name(tag)).collect()
}

fn words(document: &Document<'_>) -> Vec<String> {
    elements(document, "text").iter().filter_map(|node| node.text().map(str::to_owned)).collect()
}

fn number_of(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).and_then(|text| text.parse().ok()).expect("a number")
}

#[test]
fn storeys_have_one_scale_and_those_without_anybody_are_left_out() {
    let body = |storey, x, radius| DrawnBody { storey, at: dvec2(x, 1.0), radius };
    let svg =
        drawn(&CrowdPicture::Bodies(vec![body(0, 5.0, 0.2), body(1, 1.0, 0.2), body(1, 3.0, 0.4)]), &[]);
    let document = Document::parse(&svg).expect("sound XML");
    let circles = elements(&document, "circle");
    assert_eq!(circles.len(), 3);
    let scale = (number_of(&circles[2], "cx") - number_of(&circles[1], "cx")) / 2.0;
    assert!((number_of(&circles[0], "r") - 0.2 * scale).abs() < 0.01);
    assert!((number_of(&circles[2], "r") - 0.4 * scale).abs() < 0.01);
    // The second storey stands below the first, and the third is not drawn.
    assert!(number_of(&circles[1], "cy") > number_of(&circles[0], "cy"));
    let words = words(&document);
    assert!(words.contains(&"storey 0".into()) && words.contains(&"storey 1".into()), "{words:?}");
    assert!(!words.contains(&"storey 2".into()), "{words:?}");
    assert!(
        words.iter().any(|text| text.ends_with("0.20")) && words.iter().any(|text| text == "0.40 m"),
        "{words:?}"
    );
    assert_ne!(circles[1].attribute("fill"), circles[2].attribute("fill"));
}

#[test]
fn one_storey_may_be_asked_for_and_one_that_is_not_there_is_told() {
    let crowd = CrowdPicture::Bodies(vec![DrawnBody { storey: 0, at: dvec2(1., 1.), radius: 0.2 }]);
    let of = |storey| {
        draw_crowd(&tower(), &crowd, &[], &DrawConfig { storey: Some(storey), ..DrawConfig::default() })
    };
    assert!(!of(1).expect("an empty storey").contains("<circle"));
    assert!(matches!(of(7), Err(DrawError::NoStorey { asked: 7, known }) if known == [0, 1, 2]));
    // Nobody anywhere: all that could be walked on.
    let svg = drawn(&CrowdPicture::Bodies(Vec::new()), &[]);
    assert_eq!(svg.matches("class=\"ground\"").count(), 3);
}

#[test]
fn tracks_and_lines_lie_where_they_are() {
    let track = DrawnTrack { storey: 1, radius: 0.3, points: vec![dvec2(0., 0.), dvec2(4., 4.)] };
    let svg = drawn(&CrowdPicture::Tracks(vec![track]), &[(1, [dvec2(0., 2.), dvec2(4., 2.)])]);
    let document = Document::parse(&svg).expect("sound XML");
    let paths = elements(&document, "path");
    let of =
        |name: &str| paths.iter().find(|node| node.has_attribute(name)).and_then(|node| node.attribute("d"));
    let (track, line) = (of("stroke-opacity").expect("a track"), of("stroke-dasharray").expect("a line"));
    // The only storey that is drawn is 4 m wide: it fills the 1,152 px beside the margins.
    assert!(track.ends_with("l1152-1152"), "{track}");
    assert!(line.starts_with("M24 ") && line.ends_with("h1152"), "{line}");
}

#[test]
fn squares_of_density_are_cut_off_at_walls_and_coloured_by_amount() {
    let square = |x, density| DrawnDensity { storey: 2, corner: dvec2(x, 1.5), density };
    let squares = vec![square(0.0, 1.0), square(1.5, 2.0)];
    let svg = drawn(&CrowdPicture::Density { side: 1.0, squares }, &[]);
    let document = Document::parse(&svg).expect("sound XML");
    let clipped = elements(&document, "g");
    assert_eq!(clipped.len(), 1);
    assert_eq!(clipped[0].attribute("clip-path"), Some("url(#ground2)"));
    let squares: Vec<Node<'_, '_>> = clipped[0].children().filter(Node::is_element).collect();
    let apart = number_of(&squares[1], "x") - number_of(&squares[0], "x");
    assert!((apart - 1.5 * 1152.0 / 2.0).abs() < 0.01);
    assert_eq!(squares[1].attribute("fill"), Some("#680e34"));
    assert!(words(&document).contains(&"2.00 persons per m²".into()));
}
