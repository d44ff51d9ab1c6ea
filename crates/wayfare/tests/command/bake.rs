//! `bake`: inputs, outputs, settings, reports.

use crate::scratch::{ROOM, Scratch, TWO_ROOMS, has_keys};
use std::io::Write as _;

pub const INFO_KEYS: [&str; 15] = [
    "kind",
    "cells",
    "portals",
    "vertices",
    "components",
    "storeys",
    "seams",
    "drops",
    "heights_error",
    "area",
    "largest_component_area",
    "notches",
    "holes",
    "lower_bound",
    "tags",
];

#[test]
fn a_room_becomes_a_mesh_with_its_area_and_a_full_report() {
    let scratch = Scratch::new();
    scratch.write("room.wkt", ROOM);
    let report = scratch.run(&["bake", "room.wkt", "-o", "room.way", "--json"]).is(0).json();
    has_keys(&report, &INFO_KEYS);
    has_keys(&report, &["seconds", "peak_memory_mb", "repair"]);
    has_keys(
        &report["seconds"],
        &["read", "plan", "decompose", "search_tables", "clearance", "write", "total"],
    );
    assert_eq!(report["kind"], "navmesh");
    assert_eq!(report["area"], 52.0);
    assert_eq!((&report["holes"], &report["notches"]), (&1.into(), &4.into()));
    assert_eq!((&report["components"], &report["storeys"]), (&1.into(), &1.into()));
    assert!(report["cells"].as_u64() >= report["lower_bound"].as_u64());
    assert!(report["repair"].as_array().is_some());
    assert_eq!(scratch.names(), ["room.way", "room.wkt"]);
    assert!(scratch.run(&["bake", "room.wkt", "-o", "again.way"]).is(0).out.contains("wrote again.way"));
    assert_eq!(scratch.read("room.way"), scratch.read("again.way"));
}

#[test]
fn info_says_what_bake_said() {
    let scratch = Scratch::with_room();
    let baked = scratch.run(&["bake", "room.wkt", "-o", "room.way", "--json"]).is(0).json();
    let info = scratch.run(&["info", "room.way", "--json"]).is(0).json();
    for (key, value) in info.as_object().expect("an object") {
        assert_eq!(&baked[key], value, "{key}");
    }
    has_keys(&info, &INFO_KEYS);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let scratch = Scratch::new();
    scratch.run(&["demo", "-o", "demo"]).is(0);
    let plan = "demo/office.wkt";
    for threads in ["1", "2", "7"] {
        let target = format!("t{threads}.way");
        scratch.run(&["bake", plan, "-o", &target, "--threads", threads]).is(0);
        assert_eq!(scratch.read(&target), scratch.read("t1.way"), "{threads} threads");
    }
}

#[test]
fn the_way_over_a_floor_plan_gives_the_same_mesh() {
    let scratch = Scratch::with_room();
    let plan = scratch.run(&["bake", "room.wkt", "-o", "room.wayplan", "--json"]).is(0).json();
    assert_eq!((&plan["kind"], &plan["area"]), (&"floorplan".into(), &52.0.into()));
    scratch.run(&["bake", "room.wayplan", "-o", "second.way"]).is(0);
    assert_eq!(scratch.read("room.way"), scratch.read("second.way"));
    assert_eq!(scratch.run(&["check", "room.wayplan", "--json"]).is(0).json()["ok"], true);
}

#[test]
fn every_plan_format_is_read_also_gzipped() {
    let scratch = Scratch::new();
    let geojson = r#"{"type":"Polygon","coordinates":[[[0,0],[100,0],[100,60],[0,60],[0,0]]]}"#;
    let mesh = "mesh\n2\n4 1\n0 0 2 0 -1\n100 0 2 0 -1\n100 60 2 0 -1\n0 60 2 0 -1\n4 0 1 2 3 -1 -1 -1 -1\n";
    let yaml = "image: hall.pgm\nresolution: 10\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.2\n";
    let pgm = format!("P2\n10 6\n255\n{}", "255 ".repeat(60));
    let map =
        format!("type octile\nheight 60\nwidth 100\nmap\n{}", format!("{}\n", ".".repeat(100)).repeat(60));
    scratch.write("hall.pgm", &pgm);
    let files = [
        ("hall.wkt", "POLYGON ((0 0, 100 0, 100 60, 0 60, 0 0))"),
        ("hall.geojson", geojson),
        ("hall.json", geojson),
        ("hall.map", &map),
        ("hall.yaml", yaml),
        ("hall.mesh", mesh),
    ];
    for (name, content) in files {
        scratch.write(name, content);
        let packed = format!("{name}.gz");
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content.as_bytes()).expect("packing in memory");
        scratch.write(&packed, encoder.finish().expect("packing in memory"));
        for file in [name, &packed] {
            let report = scratch.run(&["bake", file, "-o", "hall.way", "--json"]).is(0).json();
            assert_eq!((&report["area"], &report["cells"]), (&6000.0.into(), &1.into()), "{file}");
        }
    }
    // An image alone has pixels of 5 cm.
    scratch.write("alone.pgm", &pgm);
    let report = scratch.run(&["bake", "alone.pgm", "-o", "x.way", "--json", "--scale", "20"]).is(0).json();
    assert!((report["area"].as_f64().unwrap_or_default() - 60.0).abs() < 1e-9, "{report}");
}

#[test]
fn an_image_is_read_with_the_yaml_beside_it_by_every_verb() {
    let scratch = Scratch::new();
    scratch.write("hall.pgm", format!("P2\n10 6\n255\n{}", "255 ".repeat(60)));
    scratch.write("hall.yaml", "image: hall.pgm\nresolution: 10\norigin: [5, 0, 0]\n");
    let report = scratch.run(&["bake", "hall.pgm", "-o", "hall.way", "--json"]).is(0).json();
    assert_eq!((&report["area"], &report["notes"]), (&6000.0.into(), &serde_json::json!([])));
    let info = scratch.run(&["info", "hall.pgm", "--json"]).is(0).json();
    assert_eq!(
        (&info["bounds"], &info["notes"]),
        (&serde_json::json!([[5.0, 0.0], [105.0, 60.0]]), &report["notes"])
    );
    for form in ["json", "wkt"] {
        for input in ["hall.pgm", "hall.yaml"] {
            scratch.run(&["export", input, "-o", &format!("{input}.{form}")]).is(0);
        }
        assert_eq!(scratch.read(&format!("hall.pgm.{form}")), scratch.read(&format!("hall.yaml.{form}")));
    }
    scratch.run(&["draw", "hall.pgm", "-o", "x.svg"]).is(0);
    assert!(String::from_utf8_lossy(&scratch.read("x.svg")).contains("6000.0 m²"));
    // A YAML that cannot be used is named.
    scratch.write("hall.yaml", "image: ''\nresolution: 10\n");
    assert!(scratch.refused(&["bake", "hall.yaml", "-o", "x.way"]).contains("names no image"));
    scratch.write("hall.yaml", "image: hall.pgm\nresolution: none\n");
    assert!(scratch.refused(&["bake", "hall.pgm", "-o", "x.way"]).contains("hall.yaml"));
}

#[test]
fn plans_are_scaled_and_taken_as_planar_by_every_verb_that_builds_them() {
    let scratch = Scratch::new();
    scratch.write(
        "degrees.geojson",
        r#"{"type":"Polygon","coordinates":[[[13.5,52.5],[14.25,52.5],[14.25,53],[13.5,52.5]]]}"#,
    );
    for (verb, target) in [("bake", "x.way"), ("draw", "x.svg"), ("export", "x.wkt")] {
        let message = scratch.refused(&[verb, "degrees.geojson", "-o", target]);
        assert!(message.contains("--planar"), "{message}");
        scratch.run(&[verb, "degrees.geojson", "-o", target, "--planar"]).is(0);
        scratch.run(&[verb, "degrees.geojson", "-o", target, "--scale", "1000", "--threads", "2"]).is(0);
        let message = scratch.refused(&[verb, "degrees.geojson", "-o", target, "--scale", "1e300"]);
        assert!(message.contains("scale") && message.len() < 100, "{message}");
    }
    assert!(String::from_utf8_lossy(&scratch.read("x.wkt")).contains("13500 52500"));
    scratch.run(&["bake", "degrees.geojson", "-o", "x.way", "--planar"]).is(0);
    for verb in ["draw", "export"] {
        let target = if verb == "draw" { "y.svg" } else { "y.json" };
        assert!(scratch.refused(&[verb, "x.way", "-o", target, "--planar"]).contains("plan files"));
    }
}

#[test]
fn the_bound_of_a_relaxed_mesh_is_that_of_strictly_convex_cells() {
    let scratch = Scratch::new();
    scratch.run(&["demo", "-q"]).is(0);
    let info = |mesh: &str| scratch.run(&["info", &format!("wayfare-demo/{mesh}.way")]).is(0).out;
    assert!(info("relaxed").contains("no strictly convex decomposition has fewer"), "{}", info("relaxed"));
    assert!(info("office").contains("no decomposition has fewer"), "{}", info("office"));
}

#[test]
fn settings_come_from_a_file_and_options_win() {
    let scratch = Scratch::with_room();
    scratch.write("settings.toml", "convex_distance = 0.25\ndecomposition = \"thesis\"\nscale = 2.0\n");
    let bake = |more: &[&str]| {
        let arguments =
            [&["bake", "room.wkt", "-o", "x.way", "--json", "--config", "settings.toml"], more].concat();
        scratch.run(&arguments).is(0).json()
    };
    assert_eq!((&bake(&[])["convex_distance"], &bake(&[])["area"]), (&0.25.into(), &208.0.into()));
    assert_eq!(bake(&["--scale", "1", "--convex-distance", "0.5"])["convex_distance"], 0.5);
    for (content, word) in [
        ("convex_distance = \"far\"\n", "line 1"),
        ("shape = 0.5\nspeed = 3\n", "speed"),
        ("decomposition = \"worst\"\n", "worst"),
        ("shape = \n", "line 1"),
        ("shape = 7.0\n", "shape"),
    ] {
        scratch.write("settings.toml", content);
        let message = scratch.refused(&["bake", "room.wkt", "-o", "y.way", "--config", "settings.toml"]);
        assert!(message.contains(word) && message.contains("settings.toml"), "{message}");
    }
    scratch.refused(&["bake", "room.wkt", "-o", "y.way", "--config", "missing.toml"]);
    // What an option says is not blamed on the file.
    scratch.write("settings.toml", "shape = 0.5\n");
    let options = ["bake", "room.wkt", "-o", "y.way", "--config", "settings.toml", "--shape", "7"];
    let message = scratch.refused(&options);
    assert!(message.contains("shape = 7") && !message.contains("settings.toml"), "{message}");
}

#[test]
fn nothing_walkable_is_a_no_with_the_reason_and_no_file() {
    let scratch = Scratch::new();
    for (name, content) in [
        ("empty.wkt", "POLYGON EMPTY"),
        ("collection.wkt", "GEOMETRYCOLLECTION EMPTY"),
        ("flat.wkt", "POLYGON ((0 0, 5 0, 10 0, 0 0))"),
        ("point.wkt", "POLYGON ((1 1, 1 1, 1 1, 1 1))"),
        ("blocked.map", "type octile\nheight 2\nwidth 2\nmap\n@@\n@T\n"),
        ("features.geojson", r#"{"type":"FeatureCollection","features":[]}"#),
    ] {
        scratch.write(name, content);
        let run = scratch.run(&["bake", name, "-o", "x.way"]).is(1);
        assert_eq!((run.out.as_str(), run.err.lines().count()), ("", 1), "{name}: {}", run.err);
        assert!(run.err.contains("nothing is walkable"), "{name}: {}", run.err);
        let json = scratch.run(&["bake", name, "-o", "x.way", "--json"]).is(1).json();
        assert!(json["reason"].as_str().is_some_and(|reason| reason.len() > 10), "{name}: {json}");
        scratch.run(&["draw", name, "-o", "x.svg"]).is(1);
        scratch.run(&["export", name, "-o", "x.wkt"]).is(1);
        for left in ["x.way", "x.svg", "x.wkt"] {
            assert!(!scratch.path(left).exists(), "{name} left {left}");
        }
    }
}

#[test]
fn broken_but_usable_plans_are_repaired_and_the_report_says_so() {
    let scratch = Scratch::new();
    // A bow tie: the lines cross in (2, 2).
    scratch.write("bow.wkt", "POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))");
    let report = scratch.run(&["bake", "bow.wkt", "-o", "bow.way", "--json"]).is(0).json();
    assert_eq!(report["area"], 8.0);
    let repair = report["repair"].as_array().expect("an array");
    assert!(!repair.is_empty());
    has_keys(&repair[0], &["kind", "count", "first"]);
    scratch.write("two.wkt", TWO_ROOMS);
    let report = scratch.run(&["bake", "two.wkt", "-o", "two.way", "--json"]).is(0).json();
    assert_eq!((&report["components"], &report["repair"]), (&2.into(), &serde_json::json!([])));
}
