//! Bodies with a radius: `path --radius`, `explain`, the clearance of `locate`, pictures of what a body sweeps.

use crate::scratch::{Scratch, has_keys};
use serde_json::Value;

/// Round the pillar of the room from (1, 3) to (9, 3): two lines to its corners, two arcs, and two metres along it.
fn length_round_the_pillar(radius: f64) -> f64 {
    let turn = 2f64.atan2(3.0) + (radius / 13f64.sqrt()).asin();
    2.0 * ((13.0 - radius * radius).sqrt() + radius * turn) + 2.0
}

#[test]
fn a_body_keeps_its_radius_from_the_pillar_and_walks_arcs_round_its_corners() {
    let scratch = Scratch::with_room();
    for radius in ["0.05", "0.4", "0.5"] {
        let arguments = ["path", "room.way", "--from", "1,3", "--to", "9,3", "--radius", radius, "--json"];
        let path = scratch.run(&arguments).is(0).json();
        let radius: f64 = radius.parse().expect("a number");
        let length = path["length"].as_f64().expect("a length");
        assert!((length - length_round_the_pillar(radius)).abs() < 1e-9, "{length} at {radius}");
        assert_eq!((&path["radius"], &path["clearance"]), (&radius.into(), &radius.into()));
        let segments = path["segments"].as_array().expect("segments");
        let kinds: Vec<&str> = segments.iter().filter_map(|s| s["kind"].as_str()).collect();
        assert_eq!(kinds, ["line", "arc", "line", "arc", "line"]);
        for (k, segment) in segments.iter().enumerate().filter(|(k, _)| k % 2 == 1) {
            has_keys(segment, &["centre", "radius", "turn"]);
            assert_eq!(segment["from"], segments[k - 1]["to"]);
        }
        // Clearance along the path: never less than the radius, all along it.
        let profile = path["profile"].as_array().expect("a profile");
        let number = |place: &Value, k: usize| place[k].as_f64().expect("a number");
        assert_eq!(number(&profile[0], 1), 1.0);
        assert!(profile.iter().all(|place| number(place, 1) >= radius), "{profile:?}");
        let end = number(profile.last().expect("a place"), 0);
        assert!((end - length).abs() < 1e-9, "the profile ends where the path does: {end}");
        assert!(profile.is_sorted_by(|a, b| number(a, 0) <= number(b, 0)));
        // Chords of arcs are within a millimetre of them.
        let points = path["points"].as_array().expect("points");
        let corners = [[4.0, 1.0], [4.0, 5.0], [6.0, 1.0], [6.0, 5.0]];
        for point in points {
            let [x, y] = [0, 1].map(|k| point[k].as_f64().expect("a number"));
            let nearest = corners.iter().map(|c| (x - c[0]).hypot(y - c[1])).fold(f64::INFINITY, f64::min);
            assert!(nearest >= radius - 1e-9, "{point}");
        }
    }
    let words =
        scratch.run(&["path", "room.way", "--from", "1,3", "--to", "9,3", "--radius", "0.4"]).is(0).out;
    assert!(words.contains("2 turns") && words.contains("0.4000 m clear"), "{words}");
    assert!(words.contains("round 4, "), "{words}");
}

#[test]
fn what_is_too_narrow_is_said_with_the_place_and_the_width() {
    let scratch = Scratch::with_room();
    let arguments = ["path", "room.way", "--from", "1,3", "--to", "9,3", "--radius", "0.6", "--json"];
    let no = scratch.run(&arguments).is(1).json();
    assert_eq!(
        (&no["found"], &no["reason"], &no["length"]),
        (&false.into(), &"too-narrow".into(), &Value::Null)
    );
    assert_eq!(no["needed"], 0.6);
    assert!((no["available"].as_f64().expect("a radius") - 0.5).abs() < 1e-9);
    let y = no["at"][1].as_f64().expect("a number");
    assert!((y - 0.5).abs() < 1e-9 || (y - 5.5).abs() < 1e-9, "{no}");
    let words =
        scratch.run(&["explain", "room.way", "--from", "1,3", "--to", "9,3", "--radius", "0.6"]).is(1);
    assert!(words.out.contains("1.000 m wide, this body needs 1.200 m"), "{}", words.out);
    assert!(words.out.contains("0.200 m more width"), "{}", words.out);

    let arguments =
        ["explain", "room.way", "--from", "1,3", "--to", "9,3", "--radius", "0.6", "-o", "why.svg"];
    scratch.run(&arguments).is(1);
    let picture = String::from_utf8(scratch.read("why.svg")).expect("text");
    assert!(picture.contains("stroke-dasharray=\"5 4\""), "the body's circle is drawn");
    scratch.refused(&["explain", "room.way", "--from", "1,3", "--to", "9,3", "-o", "why.png"]);
    scratch.run(&["explain", "room.way", "--from", "1,3", "--to", "9,3", "--radius", "0.4"]).is(0);
}

#[test]
fn a_start_too_near_to_a_wall_is_moved_only_if_asked() {
    let scratch = Scratch::with_room();
    let arguments = ["path", "room.way", "--from", "0.1,3", "--to", "9,5.8", "--radius", "0.3", "--json"];
    let no = scratch.run(&arguments).is(1).json();
    assert_eq!(no["reason"], "start-too-tight");
    assert!((no["available"].as_f64().expect("a distance") - 0.1).abs() < 1e-12);
    assert_eq!(no["nearest"][0], 0.3);
    let from_goal = ["path", "room.way", "--from", "1,3", "--to", "9,5.8", "--radius", "0.3", "--json"];
    assert_eq!(scratch.run(&from_goal).is(1).json()["reason"], "goal-too-tight");
    let moved = scratch.run(&[&arguments[..], &["--snap-clear"]].concat()).is(0).json();
    assert!((moved["snapped"]["start"].as_f64().expect("a distance") - 0.2).abs() < 1e-9);
    assert!((moved["snapped"]["goal"].as_f64().expect("a distance") - 0.1).abs() < 1e-9);
}

#[test]
fn locate_tells_the_clearance_and_the_way_to_the_ground() {
    let scratch = Scratch::with_room();
    let place = scratch.run(&["locate", "room.way", "--at", "3,3", "--json"]).is(0).json();
    assert_eq!(place["clearance"], 1.0);
    let off = scratch.run(&["locate", "room.way", "--at", "13,3", "--json"]).is(1).json();
    has_keys(&off, &["reason", "at", "needed", "available", "nearest", "hint"]);
    assert_eq!((&off["reason"], &off["needed"]), (&"off-mesh".into(), &3.0.into()));
}

#[test]
fn many_queries_and_pictures_take_a_radius() {
    let scratch = Scratch::with_room();
    scratch.write("q.csv", "1,3,9,3\n1,3,2,3\n");
    let rows =
        scratch.run(&["path", "room.way", "--queries", "q.csv", "--radius", "0.6", "--json"]).is(0).json();
    assert_eq!((&rows["results"][0]["found"], &rows["results"][1]["found"]), (&false.into(), &true.into()));
    let arguments = ["draw", "room.way", "-o", "p.svg", "--from", "1,3", "--to", "9,3", "--radius", "0.4"];
    scratch.run(&arguments).is(0);
    let picture = String::from_utf8(scratch.read("p.svg")).expect("text");
    assert!(picture.contains("stroke-opacity=\".25\""), "what the body sweeps is drawn");
}

#[test]
fn a_mesh_without_clearance_is_still_good_for_points() {
    let scratch = Scratch::new();
    // Micrometres in a room of a thousand kilometres, which coordinates do not resolve.
    let square = |x: f64, y: f64, width: f64, height: f64| {
        let (right, top) = (x + width, y + height);
        format!("({x} {y}, {right} {y}, {right} {top}, {x} {top}, {x} {y})")
    };
    let holes = [(1.0, 1.0, 1e-6, 1e-6), (1.0 + 3e-6, 1.0, 1e-6, 2e-6), (10.0, 10.0, 4e5, 4e5)];
    let holes = holes.map(|(x, y, width, height)| square(x, y, width, height)).join(", ");
    scratch.write("sample.wkt", format!("POLYGON ({}, {holes})", square(0.0, 0.0, 1e6, 1e6)));
    let baked = scratch.run(&["bake", "sample.wkt", "-o", "sample.way"]).is(0);
    // One plain sentence: where, but not what differs by how little.
    let note = baked.err.lines().find(|line| line.contains("clearance is left out")).expect("a note");
    assert!(note.contains("could not be settled") && note.len() < 120, "{note}");
    let words = scratch.run(&["info", "sample.way"]).is(0).out;
    assert!(words.contains("no clearance is stored"), "{words}");
    let place = scratch.run(&["locate", "sample.way", "--at", "5,5", "--json"]).is(0).json();
    assert_eq!((&place["found"], &place["clearance"]), (&true.into(), &Value::Null));
    scratch.run(&["path", "sample.way", "--from", "5,5", "--to", "2,2"]).is(0);
    let message = scratch.refused(&["path", "sample.way", "--from", "5,5", "--to", "2,2", "--radius", "0.2"]);
    assert!(message.contains("radius 0 only") && !message.contains("voxel"), "{message}");
}

#[test]
fn a_body_in_a_corner_is_moved_to_the_nearest_place_where_it_fits() {
    let scratch = Scratch::new();
    scratch.write("square.wkt", "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))");
    scratch.run(&["bake", "square.wkt", "-o", "square.way"]).is(0);
    let ask = ["path", "square.way", "--from", "0.05,0.05", "--to", "5,5", "--radius", "0.3", "--json"];
    let no = scratch.run(&ask).is(1).json();
    assert_eq!(no["reason"], "start-too-tight");
    for k in 0..2 {
        assert!((no["nearest"][k].as_f64().expect("a place") - 0.3).abs() < 1e-6, "{no}");
    }
    let moved = scratch.run(&[&ask[..], &["--snap-clear"]].concat()).is(0).json();
    let snapped = moved["snapped"]["start"].as_f64().expect("a distance");
    assert!((snapped - 0.25 * 2f64.sqrt()).abs() < 1e-6, "{snapped}");
}

#[test]
fn a_body_is_moved_within_its_room_and_not_through_a_wall() {
    let scratch = Scratch::new();
    // A thin wall between two rooms, with a door far away; on the other side there is room at once, on this side a
    // pillar leaves some farther off.
    let rooms = "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (4.9 0.001, 5 0.001, 5 8, 4.9 8, 4.9 0.001), \
                 (5.5 0.001, 6 0.001, 6 4, 5.5 4, 5.5 0.001))";
    scratch.write("rooms.wkt", rooms);
    scratch.run(&["bake", "rooms.wkt", "-o", "rooms.way"]).is(0);
    let ask = [
        "path",
        "rooms.way",
        "--from",
        "5.2,3.5",
        "--to",
        "9,9",
        "--radius",
        "0.4",
        "--snap-clear",
        "--json",
    ];
    let path = scratch.run(&ask).is(0).json();
    let start = path["points"][0].as_array().expect("a point");
    assert!(start[0].as_f64().expect("x") > 5.0 && start[1].as_f64().expect("y") > 4.0, "{start:?}");
}
