//! What is said beside an answer is true: what would help, what has no effect, what to ask oneself.

use crate::scratch::Scratch;
use serde_json::Value;
use std::{fmt::Write as _, io::Write as _, process::Stdio};

/// Boxes from the depth of 3 m up to a height, as an OBJ file with z up: ranges of x and y, and the tops.
fn boxes(boxes: &[([f64; 2], [f64; 2], f64)]) -> String {
    let mut out = String::new();
    for (number, (x, y, top)) in boxes.iter().enumerate() {
        for k in 0..8 {
            let _ = writeln!(out, "v {} {} {}", x[k & 1], y[k >> 1 & 1], [-3.0, *top][k >> 2]);
        }
        for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
            let [a, b, c, d] = face.map(|k| 8 * number + k + 1);
            let _ = writeln!(out, "f {a} {b} {c} {d}");
        }
    }
    out
}

fn hint(answer: &Value) -> &str {
    answer["hint"].as_str().expect("a hint")
}

#[test]
fn every_door_that_is_too_narrow_is_named() {
    let scratch = Scratch::new();
    // Rooms of 2 m in a row, with doors of these widths between them.
    let doors = [0.9, 1.4, 0.8, 1.0, 0.7, 2.0];
    let walls = doors.iter().enumerate().map(|(k, width)| {
        let (x, end) = (2.0 * (k + 1) as f64, 2.0 * (k + 1) as f64 + 0.1);
        format!("({x} {width}, {end} {width}, {end} 3, {x} 3, {x} {width})")
    });
    let walls: Vec<String> = walls.collect();
    scratch.write("rooms.wkt", format!("POLYGON ((0 0, 14 0, 14 3, 0 3, 0 0), {})", walls.join(", ")));
    scratch.run(&["bake", "rooms.wkt", "-o", "rooms.way"]).is(0);
    for radius in [0.34, 0.36, 0.42, 0.46, 0.55] {
        let wide = radius.to_string();
        let ask = ["path", "rooms.way", "--from", "1,1.5", "--to", "13,1.5", "--radius", &wide, "--json"];
        let narrow: Vec<f64> = doors.iter().copied().filter(|width| *width < 2.0 * radius).collect();
        if narrow.is_empty() {
            scratch.run(&ask).is(0);
            continue;
        }
        let no = scratch.run(&ask).is(1).json();
        assert_eq!((&no["reason"], &no["available"]), (&"too-narrow".into(), &0.35.into()), "{no}");
        let also: Vec<f64> = no["also"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|place| 2.0 * place["available"].as_f64().expect("a radius"))
            .collect();
        // In the order of the way, without the narrowest.
        let expected: Vec<f64> = narrow.iter().copied().filter(|&width| width != 0.7).collect();
        assert_eq!(also.len(), expected.len(), "{no}");
        assert!(also.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9), "{no}");
        let is_enough = hint(&no).contains("m more width there, or a body of radius 0.350 m, would do");
        assert_eq!(is_enough, expected.is_empty(), "{no}");
        // What is said to do does.
        assert!(hint(&no).contains("a body of radius 0.350 m"), "{no}");
        let mut ask = ask;
        ask[7] = "0.35";
        scratch.run(&ask).is(0);
    }
    let ask = ["path", "rooms.way", "--from", "1,1.5", "--to", "13,1.5", "--radius", "0.55"];
    let words = scratch.run(&ask).is(1).out;
    assert!(words.contains("3 further places on the widest way are too narrow as well: (2."), "{words}");
}

#[test]
fn a_narrower_body_that_meets_a_closed_door_is_not_said_to_get_there() {
    let scratch = Scratch::with_room();
    let ask = ["path", "room.way", "--from", "1,3", "--to", "9,3", "--radius", "0.6", "--json"];
    let open = scratch.run(&ask).is(1).json();
    assert!(hint(&open).contains("would do"), "{open}");
    let close = ["--block-at", "5,0.5", "--block-at", "5,5.5"];
    let closed = scratch.run(&[&ask[..], &close].concat()).is(1).json();
    assert!(!hint(&closed).contains("would do;") && !hint(&closed).contains(", would do"), "{closed}");
}

#[test]
fn what_the_bake_left_out_is_baked_again() {
    let scratch = Scratch::new();
    scratch.write("slot.obj", boxes(&[([0., 4.], [0., 2.], 0.), ([4.5, 9.], [0., 2.], 0.)]));
    let bake = |more: &[&str]| {
        let bake = ["bake", "slot.obj", "--up", "z", "--method", "exact", "-o", "slot.way"];
        scratch.run(&[&bake[..], more].concat()).is(0);
    };
    let ask = |more: &[&str]| {
        let ask = ["path", "slot.way", "--from", "1,1,0", "--to", "8,1,0", "--json"];
        scratch.run(&[&ask[..], more].concat())
    };
    bake(&["--max-gap", "0.3"]);
    let no = ask(&["--max-gap", "0.6"]).is(1).json();
    assert_eq!(no["reason"], "gap-too-wide");
    assert!(hint(&no).contains("bake again with --max-gap 0.5;"), "{no}");
    let no = ask(&[]).is(1).json();
    assert!(hint(&no).contains("bake again with --max-gap 0.5, and ask with --max-gap 0.5;"), "{no}");
    // As it says.
    bake(&["--max-gap", "0.5"]);
    ask(&["--max-gap", "0.5"]).is(0);
    let no = ask(&[]).is(1).json();
    assert!(hint(&no).contains("a body with --max-gap 0.5 would get there"), "{no}");
    // A step of 0.3 m, then one of 0.5 m: both count.
    scratch.write(
        "steps.obj",
        boxes(&[([0., 4.], [0., 2.], 0.), ([4., 8.], [0., 2.], 0.3), ([8., 12.], [0., 2.], 0.8)]),
    );
    let bake = |step: &str| {
        let bake = ["bake", "steps.obj", "--up", "z", "--method", "exact", "--step", step, "-o", "steps.way"];
        scratch.run(&bake).is(0);
    };
    let ask = |more: &[&str]| {
        let ask = ["explain", "steps.way", "--from", "1,1,0", "--to", "11,1,0.8", "--json"];
        scratch.run(&[&ask[..], more].concat())
    };
    bake("0.2");
    let no = ask(&["--step", "0.2"]).is(1).json();
    assert!(hint(&no).ends_with("bake again with --step 0.5, and ask with --step 0.5"), "{no}");
    bake("0.5");
    let no = ask(&["--step", "0.2"]).is(1).json();
    assert!(hint(&no).ends_with("a body with --step 0.5 would get there"), "{no}");
    ask(&["--step", "0.5"]).is(0);
}

#[test]
fn a_picture_answers_as_a_path_does_and_counts_no_gap_as_ground() {
    let scratch = Scratch::new();
    scratch.write("slot.obj", boxes(&[([0., 4.], [0., 2.], 0.), ([4.5, 9.], [0., 2.], 0.)]));
    let bake = ["bake", "slot.obj", "--up", "z", "--method", "exact", "--max-gap", "0.5", "-o", "slot.way"];
    scratch.run(&bake).is(0);
    let ends = ["--from", "1,1,0", "--to", "8,1,0"];
    for more in [
        &[][..],
        &["--max-gap", "0.5"],
        &["--max-gap", "0.5", "--step", "0"],
        &["--max-gap", "0.5", "--radius", "0.4"],
        &["--partial"],
        &["--max-gap", "0.5", "--block-at", "2,1,0"],
        &["--max-gap", "0.5", "--from", "0.1,1,0", "--radius", "0.4", "--snap-clear"],
    ] {
        let ends = if more.contains(&"--from") { &ends[2..] } else { &ends[..] };
        let path = scratch.run(&[&["path", "slot.way"], ends, more].concat());
        let draw = scratch.run(&[&["draw", "slot.way", "-o", "slot.svg"], ends, more].concat());
        assert_eq!(path.code, draw.code, "{more:?}: {path:?}, {draw:?}");
        if path.code == Some(1) {
            let why = path.out.split(';').next().expect("a clause");
            assert!(draw.err.contains(why), "{more:?}: {path:?}, {draw:?}");
        }
    }
    let picture = String::from_utf8(scratch.read("slot.svg")).expect("text");
    assert!(picture.contains("17.0 m²") || picture.contains("17 m²"), "{picture}");
    let info = scratch.run(&["info", "slot.way", "--json"]).is(0).json();
    assert!((info["area"].as_f64().expect("an area") - 17.0).abs() < 1e-6, "{info}");
    scratch.refused(&["draw", "slot.way", "-o", "slot.svg", "--ledge-clearance", "0"]);
    scratch.refused(&["draw", "slot.way", "-o", "slot.svg", "--max-gap", "0.5"]);
}

#[test]
fn steps_and_gaps_on_a_mesh_that_knows_none_are_said_to_have_no_effect() {
    let scratch = Scratch::with_room();
    scratch.write("q.csv", "1,3,9,3\n");
    let ends = ["--from", "1,3", "--to", "9,3"];
    let asks: [&[&str]; 6] = [
        &["path", "room.way", ends[0], ends[1], ends[2], ends[3]],
        &["explain", "room.way", ends[0], ends[1], ends[2], ends[3]],
        &["raycast", "room.way", ends[0], ends[1], ends[2], ends[3]],
        &["random", "room.way"],
        &["path", "room.way", "--queries", "q.csv"],
        &["draw", "room.way", "-o", "x.svg", ends[0], ends[1], ends[2], ends[3]],
    ];
    for ask in asks {
        let given = [ask, &["--step", "0.2", "--max-gap", "0.1"]].concat();
        let words = scratch.run(&given).is(0).err;
        assert_eq!(words.matches("has no effect").count(), 2, "{ask:?}: {words}");
        assert!(words.contains("note: --step has no effect"), "{words}");
        let json = scratch.run(&[&given[..], &["--json"]].concat()).is(0).json();
        assert_eq!(json["notes"].as_array().map(Vec::len), Some(2), "{json}");
        let plain = scratch.run(ask).is(0);
        assert!(!plain.err.contains("has no effect"), "{}", plain.err);
    }
}

#[test]
fn what_has_no_effect_changes_no_answer() {
    let scratch = Scratch::new();
    scratch.run(&["bake", "generated:platforms", "-o", "p.way"]).is(0);
    let ask = ["path", "p.way", "--from", "1,1,0", "--to", "5.5,5,1.8", "--json"];
    let plain = scratch.run(&ask).is(1).json();
    let mut limited = scratch.run(&[&ask[..], &["--step", "0.1", "--max-gap", "0.1"]].concat()).is(1).json();
    let notes = limited.as_object_mut().expect("an object").remove("notes");
    assert_eq!(notes.and_then(|notes| notes.as_array().map(Vec::len)), Some(2));
    assert_eq!(limited, plain);
}

#[test]
fn rows_tell_partial_paths_from_whole_ones_and_come_from_standard_input_too() {
    let scratch = Scratch::new();
    scratch.write("two.wkt", crate::scratch::TWO_ROOMS);
    scratch.run(&["bake", "two.wkt", "-o", "two.way"]).is(0);
    let rows = "tox,toy,fromx,fromy\n3,3,1,1\n9,3,1,1\n1,1,50,50\n";
    scratch.write("q.csv", rows);
    let ask = ["path", "two.way", "--queries", "q.csv", "--partial"];
    let table = scratch.run(&ask).is(0).out;
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "found,length,micros,partial");
    let kinds: Vec<String> = lines[1..]
        .iter()
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            format!("{} {}", fields[0], fields[3])
        })
        .collect();
    assert_eq!(kinds, ["true false", "true true", "false false"]);
    let mut child = scratch
        .command(&["path", "two.way", "--queries", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(rows.as_bytes()).expect("it reads");
    let out = String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("text");
    let found: Vec<&str> = out.lines().map(|line| line.split(',').next().unwrap_or_default()).collect();
    assert_eq!(found, ["found", "true", "false", "false"]);
    scratch.write("q.csv", "x,y,u,v\n1,1,3,3\n");
    let message = scratch.refused(&["path", "two.way", "--queries", "q.csv"]);
    assert!(message.contains("line 1: the header 'x,y,u,v'"), "{message}");
}

#[test]
fn a_scene_that_is_vast_or_tiny_is_asked_for_its_scale() {
    let scratch = Scratch::new();
    let note = "if its file is not in metres, say so with --scale";
    let floor = |side: f64| boxes(&[([0., side], [0., side], 0.)]);
    for (side, is_odd) in [(3e4, true), (1.0, true), (30.0, false)] {
        scratch.write("floor.obj", floor(side));
        // The box goes 3 m down: not all of the small one is small.
        let words = scratch.run(&["info", "floor.obj", "--up", "z"]).is(0).out;
        assert_eq!(words.contains(note), is_odd && side > 2.0, "{side}: {words}");
    }
    scratch.write("tile.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    // A room of 10 m by 8 m in millimetres; it is said before the work, and once.
    scratch.write("room.obj", "v 0 0 0\nv 10000 0 0\nv 10000 8000 0\nv 0 8000 0\nf 1 2 3 4\n");
    let coarse = ["bake", "room.obj", "--up", "z", "--resolution", "10", "--reach-from", "-9,-9,0"];
    let baked = scratch.run(&[&coarse[..], &["-o", "room.way"]].concat()).is(1);
    assert_eq!(baked.err.matches(note).count(), 1, "{}", baked.err);
    assert!(baked.err.find(note) < baked.err.find("--reach-from"), "{}", baked.err);
    let baked = scratch.run(&["bake", "tile.obj", "--up", "z", "-o", "tile.way"]).is(0);
    assert!(baked.err.contains(note) && baked.err.contains("1.00 m by 1.00 m"), "{}", baked.err);
    let said = scratch.run(&["bake", "tile.obj", "--up", "z", "--scale", "1", "-o", "tile.way"]).is(0);
    assert!(!said.err.contains(note), "{}", said.err);
}

#[test]
fn places_in_the_air_are_told_how_far_the_ground_is() {
    let scratch = Scratch::new();
    scratch.write("floor.obj", "v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nf 1 2 3 4\n");
    for method in ["voxel", "exact"] {
        let bake = [
            &["bake", "floor.obj", "--up", "z", "--method", method, "-o", "floor.way"][..],
            &["--reach-from", "4,4,0", "--reach-from", "4,5,30", "--reach-from", "14,4,0"],
        ]
        .concat();
        let words = scratch.run(&bake).is(1).err;
        assert!(words.contains("--reach-from (4, 5, 30) is 30.0"), "{words}");
        assert!(words.contains("--reach-from (14, 4, 0) is 5.0"), "{words}");
        assert_eq!(words.matches("from the nearest ground").count(), 2, "{words}");
        let is_true =
            words.contains("there is no ground at (4, 5, 30)") && !words.contains("nothing is walkable");
        assert!(is_true, "{words}");
    }
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let scratch = Scratch::with_room();
    scratch.write("floor.obj", boxes(&[([0., 4.], [0., 4.], 0.)]));
    let exact = ["bake", "floor.obj", "-o", "floor.way", "--method", "exact"];
    let plan = ["bake", "room.wkt", "-o", "room.wayplan"];
    let path = ["path", "room.way", "--from", "1,3", "--to", "9,3"];
    let refusals: [(&[&str], &[&str], &str); 6] = [
        (&exact, &["--resolution", "0.1"], "--resolution is for --method voxel"),
        (&exact, &["--simplify", "0.1"], "--simplify is for --method voxel"),
        (&plan, &["--convex-distance", "0.2"], "a floor plan has no cells"),
        (&plan, &["--no-clearance"], "--no-clearance is for navigation meshes"),
        (&plan, &["--no-search-tables"], "--no-search-tables is for navigation meshes"),
        (&path, &["--fly-cost", "2"], "--volume"),
    ];
    for (verb, more, words) in refusals {
        let message = scratch.refused(&[verb, more].concat());
        assert!(message.contains(words), "{message}");
        scratch.run(verb).is(0);
        let left = scratch.names();
        for name in left.iter().filter(|name| ["floor.way", "room.wayplan"].contains(&name.as_str())) {
            std::fs::remove_file(scratch.path(name)).expect("it was just written");
        }
    }
}

/// The command in a message, in words.
fn told(message: &str) -> Vec<String> {
    let command = message.split('`').nth(1).expect("a command");
    command.split(' ').skip(1).map(str::to_owned).collect()
}

#[test]
fn what_to_do_with_other_products_works() {
    let scratch = Scratch::new();
    scratch.write("cube.obj", boxes(&[([0., 4.], [0., 4.], 3.)]));
    scratch.run(&["segment", "cube.obj", "-o", "cube.waysurf"]).is(0);
    let message = scratch.refused(&["path", "cube.waysurf", "--from", "1,1", "--to", "2,2"]);
    let words = told(&message);
    scratch.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).is(0);
    scratch.run(&["volume", "generated:building-1", "-o", "air.wayvol"]).is(0);
    let message = scratch.refused(&["raycast", "air.wayvol", "--from", "1,1,1", "--to", "2,2,1"]);
    assert_eq!(told(&message)[..2], ["path", "air.wayvol"]);
    // What is joined must be of one scene.
    scratch.write("far.obj", "v 900 0 0\nv 909 0 0\nv 909 9 0\nv 900 9 0\nf 1 2 3 4\n");
    scratch.run(&["bake", "far.obj", "--up", "z", "-o", "far.way"]).is(0);
    let linked = scratch.run(&["link", "far.way", "air.wayvol", "-o", "linked.way"]);
    assert!(linked.err.contains("they are not of one scene"), "{linked:?}");
    // Near, but over the roof: nothing joins them, and that is said.
    scratch.write("over.obj", "v 0 0 40\nv 9 0 40\nv 9 9 40\nv 0 9 40\nf 1 2 3 4\n");
    scratch.write("hall.obj", boxes(&[([0., 9.], [0., 9.], 1.)]));
    scratch.run(&["bake", "over.obj", "--up", "z", "-o", "over.way"]).is(0);
    scratch.run(&["volume", "hall.obj", "--up", "z", "--bounds", "0,0,0,9,9,50", "-o", "hall.wayvol"]).is(0);
    let linked = scratch.run(&["link", "over.way", "hall.wayvol", "-o", "linked.way", "--json"]).is(1);
    assert!(
        linked.json()["notes"][0].as_str().is_some_and(|note| note.contains("no place joins")),
        "{linked:?}"
    );
    scratch.run(&["bake", "generated:building-1", "-o", "near.way"]).is(0);
    let linked = scratch.run(&["link", "near.way", "air.wayvol", "-o", "linked.way"]).is(0);
    assert!(!linked.err.contains("not of one scene"), "{linked:?}");
    assert!(linked.out.contains(" places to take off and land, on "), "{linked:?}");
    scratch.run(&["check", "air.wayvol", "--threads", "1"]).is(0);
}

#[test]
fn a_path_lists_the_steps_and_gaps_that_it_crosses() {
    let scratch = Scratch::new();
    let ground = [([0., 4.], 0.), ([4.2, 8.], 0.), ([8., 12.], 0.3), ([12.2, 16.], 0.1)];
    scratch.write("ground.obj", boxes(&ground.map(|(x, top)| (x, [0., 2.], top))));
    scratch.run(&["bake", "ground.obj", "--up", "z", "--method", "exact", "-o", "ground.way"]).is(0);
    for radius in ["0", "0.3"] {
        let ask = ["path", "ground.way", "--from", "1,1,0", "--to", "15,1,0.1", "--radius", radius];
        let words = scratch.run(&ask).is(0).out;
        let list: Vec<&str> = words.lines().skip_while(|line| !line.starts_with("over ")).collect();
        assert_eq!(list[0], "over 1 step and 2 gaps:", "{words}");
        let ends: Vec<&str> = list[1..].iter().filter_map(|line| Some(line.split_once(": ")?.1)).collect();
        assert_eq!(ends, ["0.2000 m across", "0.3000 m up", "0.2000 m across, 0.2000 m down"], "{words}");
        let back = ["path", "ground.way", "--from", "7,1,0", "--to", "5,1,0", "--radius", radius];
        assert!(!scratch.run(&back).is(0).out.contains("over "));
    }
}

#[test]
fn hairs_blanks_and_numbers_are_said_as_people_would() {
    let scratch = Scratch::with_room();
    let hair = ["path", "room.way", "--from", "1,3,1e-9", "--to", "2,3", "--json"];
    assert!(scratch.run(&hair).is(0).json()["snapped"]["start"].as_f64() > Some(0.0));
    let words = scratch.run(&hair[..6]).is(0).out;
    assert!(!words.contains("moved"), "{words}");
    // A message that has nothing to say is none.
    scratch.write("cube.obj", boxes(&[([0., 4.], [0., 4.], 3.)]));
    assert_eq!(scratch.run(&["segment", "cube.obj", "-o", "cube.waysurf"]).is(0).err, "");
    assert_eq!(scratch.run(&["geodesic", "cube.obj", "--source", "0"]).is(0).err, "");
    // As the file counts: its second face names its fifth vertex twice.
    scratch.write("bad.obj", "v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nv 5 5 1\nf 1 2 3 4\nf 5 5 1\n");
    let words = scratch.run(&["info", "bad.obj"]).is(0).out;
    assert!(words.contains("face 2: repeats vertex 5"), "{words}");
    scratch.write("bad.obj", "v 0 0 0\nv 9 0 x\nv 9 9 0\nf 1 2 3\n");
    assert!(scratch.refused(&["info", "bad.obj"]).contains("vertex 2"));
    scratch.write("x.txt", "hello");
    let message = scratch.refused(&["info", "x.txt"]);
    for format in ["WKT", "OBJ", ".3dmap", ".mesh", ".wayvol", ".waysurf", ".waycrowd"] {
        assert!(message.contains(format), "{format}: {message}");
    }
}

#[test]
fn a_place_to_move_to_is_written_so_that_a_body_fits_there() {
    let scratch = Scratch::new();
    // Walls at odd angles, so that no digits are exact.
    scratch
        .write("room.wkt", "POLYGON ((0 0, 10.1234567 0.3333333, 9.7654321 7.1, 0.7777777 6.6543211, 0 0))");
    scratch.run(&["bake", "room.wkt", "-o", "room.way"]).is(0);
    for (at, radius) in [("0.2,0.3", "1"), ("9.5,6.5", "0.8"), ("5,0.2", "0.7123"), ("1,6.2", "2.0001")] {
        let ask = |from: &str| {
            scratch.run(&["path", "room.way", "--from", from, "--to", "5,3.5", "--radius", radius, "--json"])
        };
        let no = ask(at).is(1).json();
        let words = hint(&no).to_owned();
        let place = words.split_once(" to (").and_then(|(_, rest)| rest.split_once(')')).expect("a place").0;
        ask(&place.replace(' ', "")).is(0);
    }
}

#[test]
fn more_width_that_is_said_to_do_does() {
    let scratch = Scratch::new();
    let rooms = |width: f64| {
        format!(
            "POLYGON ((0 0, 4.1 0, 4.1 3, 0 3, 0 0), (2 {width:?}, 2.1 {width:?}, 2.1 3, 2 3, 2 {width:?}))"
        )
    };
    for (width, radius) in [(0.79375, "0.399"), (0.7, "0.3504"), (0.8, "0.4000001")] {
        scratch.write("two.wkt", rooms(width));
        scratch.run(&["bake", "two.wkt", "-o", "two.way"]).is(0);
        let ask = ["path", "two.way", "--from", "1,1.5", "--to", "3,1.5", "--radius", radius, "--json"];
        let no = scratch.run(&ask).is(1).json();
        let more: f64 = hint(&no).split(' ').next().and_then(|word| word.parse().ok()).expect("a width");
        scratch.write("two.wkt", rooms(width + more));
        scratch.run(&["bake", "two.wkt", "-o", "two.way"]).is(0);
        scratch.run(&ask).is(0);
    }
}

#[test]
fn ends_that_are_moved_out_of_sight_are_named() {
    let scratch = Scratch::new();
    // A closet of 1 m in the wall between two halls; its door leads to the left.
    scratch.write(
        "halls.wkt",
        "POLYGON ((0 0, 13 0, 13 9, 0 9, 0 0), (6 3, 7.2 3, 7.2 9, 6 9, 6 5.2, 6.2 5.2, 6.2 6, 7 6, 7 5, 6.2 5, 6.2 5.1, 6 5.1, 6 3))",
    );
    scratch.run(&["bake", "halls.wkt", "-o", "halls.way"]).is(0);
    let ask = ["path", "halls.way", "--from", "6.9,5.9", "--to", "10,5", "--radius", "1", "--snap-clear"];
    let moved = scratch.run(&ask).is(0);
    assert!(moved.out.contains("to where the body fits, out of its sight"), "{}", moved.out);
    let moved = scratch.run(&[&ask[..], &["--json"]].concat()).is(0).json();
    assert_eq!(moved["snapped"]["out_of_sight"], serde_json::json!(["start"]), "{moved}");
    let no = scratch.run(&[&ask[..8], &["--json"]].concat()).is(1).json();
    assert!(hint(&no).contains("which is not in sight"), "{no}");
    let near =
        ["path", "halls.way", "--from", "5.9,1", "--to", "10,1", "--radius", "1.2", "--snap-clear", "--json"];
    let moved = scratch.run(&near).is(0).json();
    assert!(moved["snapped"].get("out_of_sight").is_none(), "{moved}");
}

#[test]
fn query_files_may_have_quotes_and_comments() {
    let scratch = Scratch::new();
    scratch.write("room.wkt", "POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0))");
    scratch.run(&["bake", "room.wkt", "-o", "room.way"]).is(0);
    scratch.write(
        "q.csv",
        "# written by a table\n\"fromx\",\"fromy\",\"tox\",\"toy\"\n\"1\",\"1\",\"4\",\"1\"\n# the end\n",
    );
    let out = scratch.run(&["path", "room.way", "--queries", "q.csv"]).is(0).out;
    assert!(out.lines().nth(1).is_some_and(|row| row.starts_with("true,3")), "{out}");
}
