//! Surfaces and regions in a show, read as `docs/viewer.md` specifies it.

use serde_json::Value;
use wayfare_core::{DVec3, dvec3};
use wayfare_view::{Show, ShownField, ShownRegions, ShownSurface, colour_neighbours};

/// The bytes of an array, in fours, and what the show says about itself.
fn array(file: &[u8], name: &str) -> (Vec<[u8; 4]>, Value) {
    let length = u32::from_le_bytes(file[8..12].try_into().expect("four bytes")) as usize;
    let about: Value = serde_json::from_slice(&file[12..12 + length]).expect("JSON");
    let number = |key: &str| about["arrays"][name][key].as_u64().expect(name) as usize;
    let size = if about["arrays"][name]["type"] == "u8" { 1 } else { 4 };
    let bytes = &file[12 + length + number("at")..][..size * number("count")];
    let fours = bytes.chunks(size).map(|part| std::array::from_fn(|k| part.get(k).copied().unwrap_or(0)));
    (fours.collect(), about)
}

fn floats(file: &[u8], name: &str) -> Vec<f32> {
    array(file, name).0.into_iter().map(f32::from_le_bytes).collect()
}

fn numbers(file: &[u8], name: &str) -> Vec<u32> {
    array(file, name).0.into_iter().map(u32::from_le_bytes).collect()
}

#[test]
fn a_surface_has_its_fields_and_its_vertices_are_not_shared_between_charts() {
    let positions = [dvec3(0.0, 0.0, 0.0), dvec3(2.0, 0.0, 0.0), dvec3(2.0, 2.0, 1.0), dvec3(0.0, 2.0, 0.0)];
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let fields = [
        ShownField { name: "distance", unit: "m", values: &[0.0, 2.0, 3.0, f64::INFINITY] },
        ShownField { name: "error", unit: "", values: &[0.5; 4] },
    ];
    let surface = ShownSurface {
        positions: &positions,
        triangles: &triangles,
        fields: &fields,
        charts: &[4, 7],
        paths: &[vec![positions[0], positions[1], positions[2]]],
    };
    let mut show = Show::new("a surface", [DVec3::ONE; 2]);
    show.add_surface(&surface);
    let file = show.to_bytes();
    let (places, corners) = (floats(&file, "surface.positions"), numbers(&file, "surface.triangles"));
    let (charts, values) = (numbers(&file, "surface.chart"), floats(&file, "surface.field.0"));
    assert_eq!((places.len(), charts.len(), values.len()), (18, 6, 6), "two vertices are there twice");
    for (corner, &vertex) in corners.iter().zip(triangles.as_flattened()) {
        let at = *corner as usize;
        let p = positions[vertex as usize] - DVec3::ONE;
        assert_eq!(places[3 * at..3 * at + 3], p.to_array().map(|x| x as f32));
        assert_eq!(values[at], fields[0].values[vertex as usize] as f32);
    }
    assert_eq!(corners.iter().map(|&corner| charts[corner as usize]).collect::<Vec<_>>(), [4, 4, 4, 7, 7, 7]);
    let colours = numbers(&file, "surface.colour");
    assert_ne!(colours[corners[0] as usize], colours[corners[3] as usize], "charts beside each other");
    assert_eq!(floats(&file, "surface.paths").len(), 12);
    assert_eq!(array(&file, "surface.chart").1["surface"]["fields"][0]["name"], "distance");
    // Without charts vertices are shared.
    let mut show = Show::new("a surface", [DVec3::ZERO; 2]);
    show.add_surface(&ShownSurface { charts: &[], ..surface });
    assert_eq!(floats(&show.to_bytes(), "surface.positions").len(), 12);
}

/// The faces of an upright box.
fn cuboid(low: DVec3, high: DVec3) -> Vec<Vec<DVec3>> {
    let corner = |k: usize| {
        let pick = |axis: usize| if k >> axis & 1 == 1 { high[axis] } else { low[axis] };
        dvec3(pick(0), pick(1), pick(2))
    };
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    faces.iter().map(|face| face.iter().map(|&k| corner(k)).collect()).collect()
}

#[test]
fn regions_are_closed_and_neighbours_differ_in_colour() {
    let boxes = [
        cuboid(DVec3::ZERO, dvec3(2.0, 1.0, 1.0)),
        cuboid(dvec3(2.0, 0.0, 0.0), dvec3(3.0, 1.0, 2.0)),
        cuboid(dvec3(0.0, 0.0, 1.0), dvec3(2.0, 1.0, 2.0)),
    ];
    let mut show = Show::new("regions", [DVec3::ZERO; 2]);
    show.add_regions(&ShownRegions {
        faces: &boxes,
        neighbours: &[[0, 1], [0, 2], [1, 2]],
        portals: &[boxes[1][4].clone()],
        kinds: &[1, 1, 0],
        kind_names: &["air", "a body can stand in it"],
    });
    let file = show.to_bytes();
    let (places, owners) = (floats(&file, "regions.positions"), numbers(&file, "regions.region"));
    let point = |k: u32| {
        dvec3(0.0, 0.0, 0.0) + DVec3::from_array([0, 1, 2].map(|a| f64::from(places[3 * k as usize + a])))
    };
    let mut volumes = [0.0; 3];
    for corners in numbers(&file, "regions.triangles").chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|k| point(corners[k]));
        volumes[owners[corners[0] as usize] as usize] += a.dot(b.cross(c)) / 6.0;
    }
    assert!(
        volumes.iter().zip([2.0, 2.0, 2.0]).all(|(own, expected): (&f64, f64)| (own - expected).abs() < 1e-9)
    );
    assert_eq!(floats(&file, "regions.edges").len(), 3 * 12 * 6, "each edge once");
    assert_eq!(floats(&file, "regions.portals").len(), 4 * 6);
    let colours = numbers(&file, "region.colour");
    assert!(colours[0] != colours[1] && colours[0] != colours[2] && colours[1] != colours[2]);
    assert_eq!(numbers(&file, "region.kind"), [1, 1, 0]);
    assert_eq!(array(&file, "region.kind").1["regions"]["kinds"][0], "air");
}

#[test]
fn a_line_of_many_neighbours_needs_few_colours() {
    let pairs: Vec<[u32; 2]> = (0..9).map(|k| [k, k + 1]).chain([[3, 3]]).collect();
    let colours = colour_neighbours(10, &pairs);
    assert!(pairs.iter().all(|&[a, b]| a == b || colours[a as usize] != colours[b as usize]));
}
