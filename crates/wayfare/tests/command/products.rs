//! `info`, `check`, `export`, `locate`, `draw` on good products.

use crate::scratch::{ROOM, Scratch, TWO_ROOMS, has_keys};
use serde_json::Value;

#[test]
fn info_knows_every_kind_of_file() {
    let scratch = Scratch::with_room();
    scratch.run(&["bake", "room.wkt", "-o", "room.wayplan"]).is(0);
    for (file, kind) in [("room.way", "navmesh"), ("room.wayplan", "floorplan"), ("room.wkt", "plan")] {
        let info = scratch.run(&["info", file, "--json"]).is(0).json();
        assert_eq!(info["kind"], kind);
        assert!(info["vertices"].as_u64() >= Some(8), "{info}");
        assert!(!scratch.run(&["info", file]).is(0).out.is_empty());
        has_keys(&info, &crate::bake::INFO_KEYS);
        for (key, value) in [
            ("components", 1.into()),
            ("storeys", 1.into()),
            ("seams", 0.into()),
            ("drops", 0.into()),
            ("heights_error", 0.0.into()),
            ("notches", 4.into()),
            ("holes", 1.into()),
            ("lower_bound", 2.into()),
            ("area", 52.0.into()),
        ] as [(&str, Value); 9]
        {
            assert_eq!(info[key], value, "{file}: {key}");
        }
    }
    scratch.write("nothing.wkt", "POLYGON EMPTY");
    assert_eq!(scratch.run(&["info", "nothing.wkt", "--json"]).is(0).json()["area"], Value::Null);
    // The kind is found by content, not by name.
    std::fs::rename(scratch.path("room.way"), scratch.path("room.dat")).expect("a scratch file");
    assert_eq!(scratch.run(&["info", "room.dat", "--json"]).is(0).json()["kind"], "navmesh");
}

#[test]
fn check_is_content_with_what_bake_makes() {
    let scratch = Scratch::with_room();
    let report = scratch.run(&["check", "room.way", "--json"]).is(0).json();
    assert_eq!(report, serde_json::json!({"ok": true, "defects": []}));
    assert!(scratch.run(&["check", "room.way"]).is(0).out.starts_with("ok"));
}

#[test]
fn exports_are_written_in_every_form() {
    let scratch = Scratch::with_room();
    for form in ["json", "obj", "glb"] {
        let target = format!("x.{form}");
        let report = scratch.run(&["export", "room.way", "-o", &target, "--json"]).is(0).json();
        assert_eq!(report["bytes"].as_u64(), Some(scratch.read(&target).len() as u64));
    }
    let json: Value = serde_json::from_slice(&scratch.read("x.json")).expect("valid JSON");
    has_keys(
        &json,
        &["kind", "vertices", "cells", "portals", "components", "heights", "notches", "tag_names"],
    );
    assert!(scratch.read("x.glb").starts_with(b"glTF\x02\0\0\0"));
    // A plan that went out as WKT comes back as the same mesh.
    scratch.run(&["export", "room.wkt", "-o", "copy.wkt"]).is(0);
    scratch.run(&["bake", "copy.wkt", "-o", "copy.way"]).is(0);
    assert_eq!(scratch.read("copy.way"), scratch.read("room.way"));
}

#[test]
fn locate_finds_snaps_and_says_no() {
    let scratch = Scratch::with_room();
    let keys = ["found", "cell", "component", "storey", "point", "distance", "clearance"];
    let locate = |at: &str, snap: &str| {
        let run = scratch.run(&["locate", "room.way", "--at", at, "--snap", snap, "--json"]);
        let json = run.json();
        has_keys(&json, &keys);
        (run.code, json)
    };
    let (code, on) = locate("1,1,0", "0.5");
    assert_eq!(
        (code, &on["found"], &on["point"]),
        (Some(0), &true.into(), &serde_json::json!([1.0, 1.0, 0.0]))
    );
    let (code, near) = locate("-0.3,3", "0.5");
    assert_eq!((code, &near["point"]), (Some(0), &serde_json::json!([0.0, 3.0, 0.0])));
    assert!((near["distance"].as_f64().unwrap_or_default() - 0.3).abs() < 1e-12);
    let (code, off) = locate("5,3", "0.5");
    assert_eq!((code, &off["found"], &off["cell"]), (Some(1), &false.into(), &Value::Null));
    assert!(scratch.run(&["locate", "room.way", "--at", "5,3"]).is(1).out.contains("off-mesh"));
}

#[test]
fn pictures_are_well_formed_for_meshes_plans_and_paths() {
    let scratch = Scratch::with_room();
    scratch.run(&["bake", "room.wkt", "-o", "room.wayplan"]).is(0);
    let draw = |file: &str, more: &[&str], code: i32| {
        scratch.run(&[&["draw", file, "-o", "x.svg"], more].concat()).is(code);
        let svg = String::from_utf8(scratch.read("x.svg")).expect("UTF-8");
        let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
        let classes: Vec<String> =
            document.descendants().filter_map(|node| node.attribute("class")).map(str::to_owned).collect();
        classes
    };
    let has = |classes: &[String], class: &str| classes.iter().any(|other| other == class);
    assert!(has(&draw("room.way", &[], 0), "portal"));
    assert!(has(&draw("room.wayplan", &["--theme", "dark"], 0), "wall"));
    assert!(has(&draw("room.wkt", &["--no-scale", "--no-caption", "--width", "300"], 0), "ground"));
    assert!(!has(&draw("room.way", &["--no-portals", "--no-cells", "--labels"], 0), "portal"));
    let classes = draw("room.way", &["--from", "1,3", "--to", "9,3"], 0);
    assert!(has(&classes, "path") && has(&classes, "start") && has(&classes, "goal"));
    // No path: the picture shows the two places and the answer is no.
    let classes = draw("room.way", &["--from", "1,3", "--to", "5,3"], 1);
    assert!(!has(&classes, "path") && has(&classes, "start") && has(&classes, "goal"));
}

#[test]
fn one_storey_or_layer_is_drawn_alone() {
    let scratch = Scratch::with_room();
    scratch.run(&["bake", "room.wkt", "-o", "room.wayplan"]).is(0);
    for (file, option) in [("room.way", "--storey"), ("room.wayplan", "--layer")] {
        scratch.run(&["draw", file, "-o", "all.svg", "--no-caption"]).is(0);
        scratch.run(&["draw", file, "-o", "one.svg", "--no-caption", option, "0"]).is(0);
        assert_eq!(scratch.read("all.svg"), scratch.read("one.svg"));
        let error = scratch.refused(&["draw", file, "-o", "x.svg", option, "3"]);
        let words = format!("there is no {} 3; there are: 0", option.trim_start_matches('-'));
        assert!(error.contains(&words), "{error}");
    }
}

#[test]
fn a_tiny_plan_is_not_rounded_to_nothing() {
    let scratch = Scratch::new();
    scratch.write("tiny.wkt", "POLYGON ((0 0, 3e-6 0, 3e-6 1e-6, 0 1e-6, 0 0))");
    let run = scratch.run(&["bake", "tiny.wkt", "-o", "tiny.way"]).is(0);
    assert!(run.out.contains("area 3e-12 m²") && run.out.contains("1 cell,"), "{}", run.out);
    // It might be degrees.
    assert!(run.err.starts_with("note: the coordinates look like degrees"), "{}", run.err);
    assert_eq!(scratch.run(&["bake", "tiny.wkt", "-o", "tiny.way", "--planar"]).is(0).err, "");
    let path = scratch.run(&["path", "tiny.way", "--from", "0,0", "--to", "3e-6,0"]).is(0).out;
    assert!(path.starts_with("length 0.000003 m, 0 turns, through 1 cell;"), "{path}");
    std::fs::rename(scratch.path("tiny.wkt"), scratch.path("tiny.v2.wkt")).expect("a scratch file");
    scratch.run(&["draw", "tiny.v2.wkt", "-o", "x.svg"]).is(0);
    let picture = String::from_utf8(scratch.read("x.svg")).expect("UTF-8");
    assert!(picture.contains("500 nm") && picture.contains("tiny.v2 · 4 vertices · 3e-12 m²"), "{picture}");
}

#[test]
fn quiet_runs_say_nothing_on_standard_error() {
    let scratch = Scratch::new();
    scratch.write("two.wkt", TWO_ROOMS);
    scratch.write("room.wkt", ROOM);
    for arguments in [
        &["bake", "two.wkt", "-o", "two.way", "--quiet"] as &[&str],
        &["bake", "room.wkt", "-o", "room.way", "--quiet", "--json"],
        &["--quiet", "--json", "info", "two.way"],
    ] {
        assert_eq!(scratch.run(arguments).is(0).err, "");
    }
}
