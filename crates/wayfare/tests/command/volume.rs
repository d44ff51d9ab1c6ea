//! `volume`, and what the other verbs do with free space.

use crate::scratch::{Scratch, has_keys};

/// A sheet at x = 2 with a window from y, z = 1 to 3, as an OBJ file with z up.
const WINDOW: &str = "v 2 0 0\nv 2 4 0\nv 2 4 4\nv 2 0 4\nv 2 1 1\nv 2 3 1\nv 2 3 3\nv 2 1 3\n\
                      f 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn with_window() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("window.obj", WINDOW);
    let made = scratch
        .run(&["volume", "window.obj", "-o", "w.wayvol", "--up", "z", "--bounds", "0,0,0,4,4,4", "--json"])
        .is(0)
        .json();
    has_keys(&made, &["regions", "portals", "faces", "volume", "free_volume", "coverage", "components"]);
    has_keys(&made, &["seconds", "peak_memory_mb", "winding", "repair"]);
    assert_eq!((made["regions"].as_u64(), made["portals"].as_u64()), (Some(2), Some(1)));
    scratch
}

#[test]
fn free_space_is_described_checked_exported_and_drawn() {
    let scratch = with_window();
    let info = scratch.run(&["info", "w.wayvol", "--json"]).is(0).json();
    has_keys(
        &info,
        &["kind", "regions", "portals", "faces", "volume", "free_volume", "coverage", "components"],
    );
    assert_eq!((info["kind"].as_str(), info["coverage"].as_f64()), (Some("volume"), Some(1.0)));
    assert!(scratch.run(&["info", "w.wayvol"]).is(0).out.contains("2 regions"));
    scratch.run(&["check", "w.wayvol", "--scene", "window.obj", "--up", "z"]).is(0);
    scratch.write("inside.obj", "v 0.5 1 1\nv 1 3 1\nv 1 1 3\nf 1 2 3\n");
    let inside = ["check", "w.wayvol", "--scene", "inside.obj", "--up", "z", "--json"];
    let report = scratch.run(&inside).is(1).json();
    assert_eq!(report["defects"][0]["invariant"], "V3");
    scratch.run(&["export", "w.wayvol", "-o", "w.json"]).is(0);
    scratch.run(&["export", "w.wayvol", "-o", "w.obj"]).is(0);
    assert!(scratch.run(&["export", "w.wayvol", "-o", "w.glb"]).is(2).err.contains(".json or .obj"));
    scratch.run(&["draw", "w.wayvol", "-o", "w.svg", "--at-height", "2"]).is(0);
    let refused =
        |more: [&str; 2]| scratch.run(&[&["draw", "w.wayvol", "-o", "x.svg"], &more[..]].concat()).is(2).err;
    assert!(refused(["--at-height", "50"]).contains("the free space reaches from"));
    assert!(refused(["--storey", "1"]).contains("--at-height"));
    assert!(String::from_utf8_lossy(&scratch.read("w.svg")).contains("region 1"));
    assert!(scratch.run(&["bake", "w.wayvol", "-o", "w.way"]).is(2).err.contains("volume mesh"));
}

#[test]
fn paths_fly_through_the_window_or_say_why_not() {
    let scratch = with_window();
    let ends = ["--from", "0.5,0.5,2", "--to", "3.5,0.5,2"];
    let path = |more: &[&str]| scratch.run(&[&["path", "w.wayvol"], &ends[..], more, &["--json"]].concat());
    let found = path(&[]).is(0).json();
    has_keys(
        &found,
        &["found", "length", "plan_length", "points", "segments", "cell_ids", "radius", "clearance"],
    );
    has_keys(&found, &["expanded", "micros", "snapped"]);
    assert_eq!(found["segments"][0]["kind"], "fly");
    assert!((found["length"].as_f64().unwrap_or(0.0) - 10f64.sqrt()).abs() < 1e-6, "{found}");
    let ball = path(&["--radius", "0.3"]).is(0).json();
    assert!(ball["clearance"].as_f64() >= Some(0.3 - 1e-9), "{ball}");
    let tight = path(&["--radius", "0.6"]).is(1).json();
    has_keys(&tight, &["found", "length", "reason", "at", "needed", "available", "hint"]);
    assert_eq!(tight["reason"], "start-too-tight");
    scratch.write("q.csv", "fromx,fromy,fromz,tox,toy,toz\n0.5,0.5,2,3.5,0.5,2\n0.5,0.5,2,9,9,9\n");
    let rows = scratch.run(&["path", "w.wayvol", "--queries", "q.csv"]).is(0).out;
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!((rows.len(), rows[0]), (3, "found,length,micros"));
    assert!(rows[1].starts_with("true,3.16") && rows[2].starts_with("false,,"), "{rows:?}");
    assert!(path(&["--prefer", "1"]).is(2).err.contains("--prefer"));
}

#[test]
fn voxel_maps_become_boxes() {
    let scratch = Scratch::new();
    scratch.write("m.3dmap", "voxel 4 4 4\n1 1 1\n1 1 2\n");
    assert_eq!(scratch.run(&["info", "m.3dmap", "--json"]).is(0).json()["free"], 62);
    let made = scratch.run(&["volume", "m.3dmap", "-o", "m.wayvol", "--json"]).is(0).json();
    assert_eq!(made["volume"].as_f64(), Some(62.0));
    scratch.run(&["check", "m.wayvol"]).is(0);
    let path = ["path", "m.wayvol", "--from", "0.5,0.5,0.5", "--to", "3.5,3.5,3.5", "--json"];
    assert_eq!(scratch.run(&path).is(0).json()["found"], true);
    scratch.write("bad.3dmap", "voxel 4 4 4\n9 1 1\n");
    assert!(scratch.run(&["volume", "bad.3dmap", "-o", "b.wayvol"]).is(2).err.contains("line 2"));
    assert!(!scratch.path("b.wayvol").exists());
}

#[test]
fn points_of_free_space_are_located_and_why_not_is_explained() {
    let scratch = with_window();
    let locate = |at: &str| scratch.run(&["locate", "w.wayvol", "--at", at, "--json"]);
    let place = locate("1,2,2").is(0).json();
    has_keys(
        &place,
        &["found", "region", "neighbours", "component", "point", "distance", "clearance", "standing"],
    );
    assert_eq!(place["neighbours"].as_array().map(Vec::len), Some(1));
    assert!((place["clearance"].as_f64().unwrap_or(0.0) - 1.0).abs() < 1e-9, "{place}");
    assert_eq!(locate("-0.2,2,2").is(0).json()["distance"], 0.2);
    assert_eq!(locate("-9,2,2").is(1).json()["reason"], "off-mesh");
    let ends = ["--from", "1,2,2", "--to", "3,2,2"];
    let explain = |more: &[&str]| scratch.run(&[&["explain", "w.wayvol"], &ends[..], more].concat());
    explain(&[]).is(0);
    assert!(explain(&["--radius", "1.5"]).is(1).out.contains("start-too-tight"));
    assert!(explain(&["-o", "x.svg"]).is(2).err.contains("--at-height"));
}

#[test]
fn regions_grow_too() {
    let scratch = Scratch::new();
    scratch.write("p.obj", PLATFORMS);
    let grow = ["volume", "p.obj", "--up", "z", "--bounds", "-1,-1,-2,11,5,5", "-o", "g.wayvol"];
    let made = |more: &[&str]| scratch.run(&[&grow[..], more, &["--json"]].concat());
    for more in [&["--seed-size", "1"][..], &["--no-gravity"], &["--boxes"]] {
        let grown = made(&[&["--method", "growth"], more].concat()).is(0).json();
        assert_eq!(grown["method"], "growth");
        assert!(grown["coverage"].as_f64() > Some(0.99), "{grown}");
        scratch.run(&["check", "g.wayvol", "--scene", "p.obj", "--up", "z"]).is(0);
    }
    assert!(made(&["--seed-size", "1"]).is(2).err.contains("--method growth"));
    assert!(made(&["--method", "growth", "--seed-size", "0"]).is(2).err.contains("seed_size"));
}

/// Two platforms with a gap of 2 m between them.
const PLATFORMS: &str = "\
v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 6 0 0\nv 10 0 0\nv 10 4 0\nv 6 4 0\n\
f 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\n";

#[test]
fn floor_and_air_are_linked_walked_and_flown() {
    let scratch = Scratch::new();
    scratch.write("p.obj", PLATFORMS);
    scratch.run(&["bake", "p.obj", "--up", "z", "-o", "p.way"]).is(0);
    let bounds = ["--bounds", "-1,-1,-2,11,5,5"];
    scratch.run(&[&["volume", "p.obj", "--up", "z", "-o", "p.wayvol"], &bounds[..]].concat()).is(0);
    let linked = scratch.run(&["link", "p.way", "p.wayvol", "-o", "linked.way", "--json"]).is(0).json();
    assert!(linked["places"].as_u64() >= Some(2), "{linked}");
    scratch.run(&["check", "linked.way"]).is(0);
    let told = |mesh: &str| scratch.run(&["info", mesh, "--json"]).is(0).json()["hand_overs"].clone();
    assert_eq!((&told("linked.way"), told("p.way").is_null()), (&linked["places"], true));
    let ends = ["--from", "0.5,2,0", "--to", "9.5,2,0"];
    let path = |mesh: &str, more: &[&str]| scratch.run(&[&["path", mesh], &ends[..], more].concat());
    path("linked.way", &[]).is(1);
    for radius in ["0", "0.3"] {
        let more = ["--volume", "p.wayvol", "--radius", radius, "--json"];
        let found = path("linked.way", &more).is(0).json();
        has_keys(
            &found,
            &[
                "found",
                "length",
                "points",
                "segments",
                "cell_ids",
                "region_ids",
                "walked",
                "flown",
                "profile",
            ],
        );
        let profile: Vec<[f64; 2]> = serde_json::from_value(found["profile"].clone()).unwrap();
        assert!(profile.windows(2).all(|pair| pair[0][0] <= pair[1][0] + 1e-9), "{profile:?}");
        assert!((profile.last().unwrap()[0] - found["length"].as_f64().unwrap()).abs() < 1e-6, "{found}");
        let kinds: Vec<&str> =
            found["segments"].as_array().unwrap().iter().filter_map(|s| s["kind"].as_str()).collect();
        assert!(kinds.first() == Some(&"line") && kinds.last() == Some(&"line"), "{kinds:?}");
        assert!(kinds.contains(&"fly"), "{kinds:?}");
    }
    let draw = |mesh: &str, more: &[&str]| {
        scratch.run(&[&["draw", mesh, "-o", "x.svg", "--volume", "p.wayvol"], &ends[..], more].concat())
    };
    draw("linked.way", &["--radius", "0.3"]).is(0);
    let picture = String::from_utf8(scratch.read("x.svg")).unwrap();
    assert!(picture.contains("<title>flown</title>") && picture.contains("class=\"goal\""), "{picture}");
    draw("linked.way", &["--fly-cost", "0"]).is(2);
    assert!(draw("p.way", &[]).is(2).err.contains("wayfare link"));
    assert!(draw("p.wayvol", &[]).is(2).err.contains("linked"));
    let far = ["--from", "0.5,2,0", "--to", "99,99,99"];
    let none = scratch
        .run(&[&["draw", "linked.way", "-o", "y.svg", "--volume", "p.wayvol"], &far[..]].concat())
        .is(1);
    assert!(none.err.contains("no path"), "{none:?}");
    assert!(path("p.way", &["--volume", "p.wayvol"]).is(2).err.contains("wayfare link"));
    let stand =
        ["path", "p.wayvol", "--from", "1,2,3", "--to", "9,2,4", "--stand", "--radius", "0.3", "--json"];
    let found = scratch.run(&stand).is(0).json();
    assert_eq!(found["standing"]["point"][2], 0.0, "{found}");
    let profile: Vec<[f64; 2]> = serde_json::from_value(found["profile"].clone()).unwrap();
    assert!((profile.last().unwrap()[0] - found["length"].as_f64().unwrap()).abs() < 1e-9, "{found}");
    assert!((profile.last().unwrap()[1] - 0.3).abs() < 1e-6, "it ends standing: {found}");
    assert!(scratch.run(&["link", "p.wayvol", "p.wayvol", "-o", "x.way"]).is(2).err.contains("volume mesh"));
}

#[test]
fn boxes_without_a_scene_and_bodies_that_fit_nowhere_are_told() {
    let scratch = Scratch::new();
    scratch.write("p.obj", PLATFORMS);
    let volume = |more: &[&str]| {
        scratch.run(&[&["volume", "p.obj", "--up", "z", "-o", "p.wayvol", "--json"], more].concat())
    };
    let far = volume(&["--bounds", "100,100,100,110,110,110"]).is(0).json();
    assert_eq!(far["standing_area"], 0.0, "{far}");
    assert!(far["notes"][0].as_str().unwrap().contains("nothing of the scene"), "{far}");
    let stand = ["path", "p.wayvol", "--from", "105,105,105", "--to", "102,105,105", "--stand", "--json"];
    assert_eq!(scratch.run(&stand).is(1).json()["reason"], "no-floor");
    std::fs::remove_file(scratch.path("p.wayvol")).unwrap();
    for radius in ["3.1", "5"] {
        let wide = volume(&["--bounds", "-1,-1,-2,11,5,5", "--radius", radius]).is(1).json();
        let reason = wide["reason"].as_str().unwrap();
        assert!(reason.contains("fits nowhere") && reason.contains("at most 6.000 m wide"), "{wide}");
        assert!(!scratch.path("p.wayvol").exists(), "nothing is written, as by bake");
    }
    let near = volume(&["--bounds", "-1,-1,-2,11,5,5", "--radius", "2.4"]).is(0).json();
    assert_eq!((near["notes"].as_array().map(Vec::len), &near["standing_area"]), (Some(0), &32.0.into()));
}

#[test]
fn flyers_are_told_what_is_too_narrow_where_and_which_options_are_not_theirs() {
    let scratch = with_window();
    let ends = ["--from", "0.9,2,2", "--to", "3.3,3.3,2.9"];
    let ask = |verb: &str, more: &[&str]| scratch.run(&[&[verb, "w.wayvol"], &ends[..], more].concat());
    for (given, said) in [(["--step", "1"], "--step is for"), (["--max-gap", "1"], "--max-gap is for")] {
        assert!(ask("path", &given).is(2).err.contains(said));
    }
    assert!(ask("path", &["--block-cells", "1"]).is(2).err.contains("closing cells"));
    // Nothing but the box is below.
    assert!(ask("explain", &["--stand"]).is(1).out.contains("no-floor"));
    // More room before the window than it has.
    scratch.run(&["volume", "window.obj", "-o", "h.wayvol", "--up", "z", "--bounds", "-1,0,0,5,4,4"]).is(0);
    let no = scratch
        .run(&["path", "h.wayvol", "--from", "0.5,2,2", "--to", "3.5,2,2", "--radius", "1.2", "--json"])
        .is(1)
        .json();
    let hint = no["hint"].as_str().unwrap();
    assert!(
        hint.contains("0.2") && hint.contains("a body of radius 0.99") && hint.contains(" at 2, "),
        "{no}"
    );
}

/// A folder with two platforms as a scene, their ground, their air, and the ground linked to the air.
fn with_linked_platforms() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("p.obj", PLATFORMS);
    scratch.run(&["bake", "p.obj", "--up", "z", "-o", "p.way"]).is(0);
    let bounds = ["--bounds", "-1,-1,-2,11,5,5"];
    scratch.run(&[&["volume", "p.obj", "--up", "z", "-o", "p.wayvol"], &bounds[..]].concat()).is(0);
    scratch.run(&["link", "p.way", "p.wayvol", "-o", "linked.way"]).is(0);
    scratch
}

#[test]
fn many_ways_that_walk_and_fly_are_answered_as_each_of_them() {
    let scratch = with_linked_platforms();
    let with = |mesh: &str, more: &[&str]| {
        scratch.run(&[&["path", mesh, "--volume", "p.wayvol", "--radius", "0.3"], more].concat())
    };
    scratch.write("q.csv", "0.5,2,0,9.5,2,0\n0.5,2,0,99,99,99\n3,1,0,1,3,0\n");
    let json = with("linked.way", &["--queries", "q.csv", "--threads", "2", "--json"]).is(0).json();
    for (k, (from, to)) in
        [("0.5,2,0", "9.5,2,0"), ("0.5,2,0", "99,99,99"), ("3,1,0", "1,3,0")].into_iter().enumerate()
    {
        let one = with("linked.way", &["--from", from, "--to", to, "--json"]);
        let (row, one) = (&json["results"][k], one.is(i32::from(k == 1)).json());
        let same = ["found", "length", "reason"];
        assert!(same.iter().all(|&key| row.get(key) == one.get(key) || one[key].is_null()), "{row} {one}");
    }
    let rows = with("linked.way", &["--queries", "q.csv"]).is(0).out;
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!((rows.len(), rows[0]), (4, "found,length,micros"));
    assert!(rows[1].starts_with("true,") && rows[2].starts_with("false,,"), "{rows:?}");
    with("linked.way", &["--queries", "q.csv", "-o", "a.csv"]).is(0);
    assert!(scratch.names().iter().any(|name| name == "a.csv"));
    assert!(with("p.way", &["--queries", "q.csv"]).is(2).err.contains("wayfare link"));
    assert!(with("linked.way", &["--queries", "q.csv", "--partial"]).is(2).err.contains("--partial"));
    let over = with("linked.way", &["--queries", "q.csv", "-o", "p.wayvol"]).is(2);
    assert!(!over.err.is_empty() && scratch.run(&["check", "p.wayvol"]).code == Some(0), "{}", over.err);
}

#[test]
fn what_is_walked_is_told_by_its_turns_and_what_is_flown_from_where_it_begins() {
    let scratch = with_linked_platforms();
    let path = |more: &[&str]| {
        let ends = ["--from", "0.5,2,0", "--to", "9.5,2,0"];
        scratch.run(&[&["path", "linked.way", "--volume", "p.wayvol"], &ends[..], more].concat())
    };
    assert!(path(&["--fly-cost", "0"]).is(2).err.contains("--fly-cost is above 0"));
    assert!(path(&["--step", "0.1"]).is(2).err.contains("--step does not go"));
    let found = path(&["--fly-cost", "0.1", "--radius", "0.3", "--json"]).is(0).json();
    assert_eq!(found["points"][0], serde_json::json!([0.5, 2.0, 0.0]), "{found}");
    assert_eq!(found["snapped"]["start"], 0.0, "{found}");
    let words = path(&[]).is(0).out;
    let lines: Vec<&str> = words.lines().collect();
    // The length; two ends of each of three legs, and its kind.
    assert_eq!((lines.len(), lines[1], lines[4], lines[7]), (10, "  walk", "  fly", "  walk"), "{words}");
}

#[test]
fn where_nothing_is_free_the_answer_is_no() {
    let scratch = Scratch::new();
    // All voxels of the map are filled.
    let voxels: String = (0..8).map(|k| format!("{} {} {}\n", k / 4, k / 2 % 2, k % 2)).collect();
    scratch.write("full.3dmap", format!("voxel 2 2 2\n{voxels}"));
    let answer = scratch.run(&["volume", "full.3dmap", "-o", "f.wayvol", "--json"]).is(1).json();
    assert_eq!(answer["regions"], 0);
    assert!(answer["reason"].as_str().unwrap().contains("no free space"), "{answer}");
    assert!(!scratch.names().iter().any(|name| name == "f.wayvol"));
    let refused = scratch.run(&["volume", "full.3dmap", "-o", "f.wayvol", "--slope", "91"]).is(2);
    assert!(refused.err.contains("slope = 91 is outside 0 .. 90 degrees"), "{}", refused.err);
}
