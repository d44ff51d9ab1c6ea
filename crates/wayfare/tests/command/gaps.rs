//! `wayfare gaps`.

use crate::scratch::{Scratch, has_keys, shared_scene};

const KEYS: [&str; 8] = [
    "components_before",
    "components_after",
    "boundary_edges",
    "cycles",
    "gaps_found",
    "gaps_kept",
    "gap_area",
    "seconds",
];

#[test]
fn platforms_become_one_piece_of_ground_in_every_form() {
    let scratch = Scratch::new();
    for file in ["p.ply", "p.obj", "p.glb", "p.svg"] {
        let gaps = ["gaps", "generated:platforms", "--max-gap", "0.3", "-o", file, "--json"];
        let report = scratch.run(&gaps).is(0).json();
        has_keys(&report, &KEYS);
        assert_eq!(report["components_after"], 1, "{report}");
        assert!(report["components_before"].as_u64() >= Some(16), "{report}");
    }
    // What was written can be read.
    scratch.run(&["info", "p.ply", "--up", "z"]).is(0);
    scratch.run(&["info", "p.glb"]).is(0);
    // Steps of 0.2 m need a step of 0.2 m.
    let low = ["gaps", "generated:platforms", "--step", "0.15", "--json"];
    assert!(scratch.run(&low).is(0).json()["components_after"].as_u64() > Some(1));
}

#[test]
fn where_nothing_can_be_walked_on_there_are_no_gaps() {
    let scratch = Scratch::new();
    scratch.write("wall.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
    let report = scratch.run(&["gaps", "wall.obj", "--json"]).is(1).json();
    has_keys(&report, &KEYS[..7]);
    assert!(report["reason"].as_str().is_some_and(|reason| reason.contains("flat enough")), "{report}");
    assert_eq!((&report["gaps_kept"], report.get("cells")), (&0.into(), None), "{report}");
}

#[test]
fn a_reach_of_half_the_head_room_is_refused() {
    let scratch = Scratch::new();
    let refused = scratch.run(&["gaps", "generated:platforms", "--max-gap", "0.85"]).is(2);
    assert!(refused.err.contains("half the height"), "{}", refused.err);
    scratch.run(&["gaps", "generated:platforms", "-o", "p.way"]).is(2);
}

/// A floor, ten treads with risers of 0.18 m and a floor on top, as boxes in an OBJ file, z up.
fn stair() -> String {
    use std::fmt::Write as _;
    let mut boxes = vec![([-3.0, 0.0], 0.0), ([3.0, 6.0], 1.98)];
    boxes.extend((0..10).map(|k| ([0.3 * f64::from(k), 0.3 * f64::from(k + 1)], 0.18 * f64::from(k + 1))));
    let mut out = String::new();
    for (number, (x, top)) in boxes.into_iter().enumerate() {
        for k in 0..8 {
            let y = [0.0, 2.0][k >> 1 & 1];
            let _ = writeln!(out, "v {} {y} {}", x[k & 1], [-0.5, top][k >> 2]);
        }
        for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
            let [a, b, c, d] = face.map(|k| 8 * number + k + 1);
            let _ = writeln!(out, "f {a} {b} {c} {d}");
        }
    }
    out
}

#[test]
fn stairs_are_climbed_or_refused_by_their_risers() {
    let scratch = Scratch::new();
    scratch.write("stair.obj", stair());
    let bake = ["bake", "stair.obj", "--up", "z", "--method", "exact", "-o", "stair.way", "--json"];
    let info = scratch.run(&bake).is(0).json();
    assert_eq!((&info["risers"], &info["gaps"], &info["components"]), (&11.into(), &0.into(), &1.into()));
    scratch.run(&["check", "stair.way"]).is(0);
    let ask = |verb: &str, step: &str| {
        let options = [verb, "stair.way", "--from=-2,1,0", "--to=5,1.3,1.98", "--step", step, "--json"];
        scratch.run(&options)
    };
    let path = ask("path", "0.2").is(0).json();
    let segments = path["segments"].as_array().unwrap();
    for pair in segments.windows(2) {
        let [end, start] = [&pair[0]["to"], &pair[1]["from"]].map(|p| p.as_array().unwrap().clone());
        let off: f64 =
            end.iter().zip(&start).map(|(a, b)| (a.as_f64().unwrap() - b.as_f64().unwrap()).abs()).sum();
        assert!(off < 1e-6, "{pair:?}");
    }
    let steps: Vec<_> = segments.iter().filter(|segment| segment["kind"] == "gap").collect();
    assert_eq!(steps.len(), 11);
    for step in steps {
        assert!((step["rise"].as_f64().unwrap() - 0.18).abs() < 1e-6 && step["width"] == 0.0, "{step}");
    }
    // What is walked is level: the slope that stands for a step in the mesh is none of it.
    for line in segments.iter().filter(|segment| segment["kind"] == "line") {
        let [from, to] = [&line["from"][2], &line["to"][2]].map(|z| z.as_f64().unwrap());
        assert!((from - to).abs() < 3e-3, "{line}");
    }
    let no = ask("explain", "0.15").is(1).json();
    assert_eq!((&no["reason"], &no["available"]), (&"step-too-high".into(), &0.15.into()));
    // Up and down, the pieces hang together, and each step is as long as it is high.
    for ends in [["--from=-2,1,0", "--to=5,1,1.98"], ["--to=-2,1,0", "--from=5,1,1.98"]] {
        let path =
            scratch.run(&["path", "stair.way", ends[0], ends[1], "--step", "0.2", "--json"]).is(0).json();
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        let place = |p: &serde_json::Value| [0, 1, 2].map(|k| number(&p[k]));
        let far = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
        let segments = path["segments"].as_array().unwrap();
        for pair in segments.windows(2) {
            assert!(far(place(&pair[0]["to"]), place(&pair[1]["from"])) < 1e-6, "{pair:?}");
        }
        let walked: f64 = segments.iter().map(|piece| far(place(&piece["from"]), place(&piece["to"]))).sum();
        let points: Vec<_> = path["points"].as_array().unwrap().iter().map(place).collect();
        let drawn: f64 = points.windows(2).map(|pair| far(pair[0], pair[1])).sum();
        for length in [number(&path["length"]), walked, drawn] {
            assert!((length - (7.0 + 11.0 * 0.18)).abs() < 1e-5, "{length}: {:?}", path["points"]);
        }
        // One line on each tread, before the flight and behind it.
        assert_eq!(segments.len(), 11 + 12);
        assert_eq!(points.len(), 2 + 2 * 11);
    }
    assert!((no["needed"].as_f64().unwrap() - 0.18).abs() < 1e-6, "{no}");
    // Baked with that step.
    let low = ["bake", "stair.obj", "--up", "z", "--method", "exact", "--step", "0.15", "-o", "stair.way"];
    scratch.run(&low).is(0);
    for step in ["0.15", "0.4"] {
        let no = ask("explain", step).is(1).json();
        assert_eq!((&no["reason"], &no["available"]), (&"step-too-high".into(), &0.15.into()), "{no}");
        assert!((no["needed"].as_f64().unwrap() - 0.18).abs() < 1e-6, "{no}");
    }
    scratch.run(&["bake", "stair.obj", "--up", "z", "--max-gap", "0.3", "-o", "x.way"]).is(2);
}

#[test]
fn no_segment_over_a_gap_is_longer_than_what_is_asked_for() {
    let scratch = Scratch::new();
    scratch.run(&["bake", "generated:platforms", "--method", "exact", "-o", "p.way"]).is(0);
    for file in ["p.svg", "p.json", "p.glb"] {
        let verb = if file == "p.svg" { "draw" } else { "export" };
        scratch.run(&[verb, "p.way", "-o", file]).is(0);
    }
    let exported: serde_json::Value = serde_json::from_slice(&scratch.read("p.json")).unwrap();
    assert!(
        !exported["gaps"].as_array().unwrap().is_empty() && !exported["steps"].as_array().unwrap().is_empty()
    );
    let path = |max_gap: &str| {
        let options =
            ["path", "p.way", "--from", "1,1,0", "--to", "5.5,5,1.8", "--max-gap", max_gap, "--json"];
        scratch.run(&options)
    };
    let found = path("0.15").is(0).json();
    let gaps = found["segments"].as_array().unwrap().iter().filter(|segment| segment["kind"] == "gap");
    for gap in gaps {
        let [from, to] = [&gap["from"], &gap["to"]].map(|p| [0, 1].map(|k| p[k].as_f64().unwrap()));
        assert!((from[0] - to[0]).hypot(from[1] - to[1]) <= 0.15 + 1e-9, "{gap}");
    }
    assert_eq!(path("0.05").is(1).json()["reason"], "gap-too-wide");
}

#[test]
fn real_scenes_bake_exactly_into_meshes_that_hold_with_their_steps() {
    // Walls without thickness, gaps beside gaps, ground that meets itself at different heights.
    let scenes = [
        ("bridge.obj", "y"),
        ("nav_test.obj.gz", "y"),
        ("house.obj.gz", "y"),
        ("cpr_office.obj.gz", "z"),
        ("aws_small_house.obj.gz", "z"),
        ("collision-world.glb", "y"),
        ("cpr_obstacle_world.stl", "z"),
        ("mountain_landscape.glb", "y"),
        ("village_inn.glb.gz", "y"),
        ("space_ship_hallway.glb.gz", "y"),
    ];
    for (name, up) in scenes {
        let Some(file) = shared_scene(name) else { continue };
        let scratch = Scratch::new();
        let baked =
            scratch.run(&["bake", &file, "--up", up, "--method", "exact", "-o", "scene.way", "--json"]).is(0);
        assert!(!baked.err.contains("even ground"), "{name}: {}", baked.err);
        assert!(!baked.err.contains("clearance is left out"), "{name}: {}", baked.err);
        assert!(baked.json()["gaps"].as_u64() > Some(0) || name == "bridge.obj", "{name}: {}", baked.err);
        scratch.run(&["check", "scene.way"]).is(0);
    }
}

#[test]
fn an_exact_floor_plan_is_the_one_that_the_mesh_is_made_of() {
    // On the finest grid its mesh has no clearance.
    let Some(file) = shared_scene("nav_test.obj.gz") else { return };
    let scratch = Scratch::new();
    scratch.run(&["bake", &file, "--method", "exact", "-o", "direct.way"]).is(0);
    scratch.run(&["bake", &file, "--method", "exact", "-o", "ground.wayplan"]).is(0);
    scratch.run(&["bake", "ground.wayplan", "-o", "by-plan.way"]).is(0);
    assert!(scratch.read("direct.way") == scratch.read("by-plan.way"), "not the same bytes");
}

#[test]
fn ground_that_meets_itself_within_a_micrometre_makes_a_mesh_that_holds() {
    let Some(file) = shared_scene("tower_big.glb") else { return };
    let scratch = Scratch::new();
    let baked = scratch.run(&["bake", &file, "--method", "exact", "-o", "tower.way"]).is(0);
    assert!(baked.err.contains("note: places are rounded to "), "{}", baked.err);
    assert!(!baked.err.contains("clearance is left out"), "{}", baked.err);
    scratch.run(&["check", "tower.way"]).is(0);
}
