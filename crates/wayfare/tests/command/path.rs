//! `path`: one query, many queries, and the ways to have none.

use crate::scratch::{Scratch, TWO_ROOMS, has_keys};
use serde_json::{Value, json};

#[test]
fn the_path_round_the_pillar_is_the_shortest_one() {
    let scratch = Scratch::with_room();
    let path = scratch.run(&["path", "room.way", "--from", "1,3,0", "--to", "9,3", "--json"]).is(0).json();
    has_keys(
        &path,
        &["found", "length", "plan_length", "points", "segments", "cell_ids", "radius", "clearance"],
    );
    has_keys(&path, &["expanded", "micros", "snapped"]);
    let length = path["length"].as_f64().expect("a length");
    assert!((length - 2.0 * 13f64.sqrt() - 2.0).abs() < 1e-12, "{length}");
    assert_eq!(path["plan_length"], path["length"]);
    let points = path["points"].as_array().expect("points");
    assert_eq!((points.len(), &points[0], &points[3]), (4, &json!([1.0, 3.0, 0.0]), &json!([9.0, 3.0, 0.0])));
    let segments = path["segments"].as_array().expect("segments");
    for (k, segment) in segments.iter().enumerate() {
        assert_eq!(
            (&segment["kind"], &segment["from"], &segment["to"]),
            (&"line".into(), &points[k], &points[k + 1])
        );
    }
    assert!(path["cell_ids"].as_array().is_some_and(|cells| cells.len() > 1));
    assert!(path["micros"].as_f64() > Some(0.0));
    let words = scratch.run(&["path", "room.way", "--from", "1,3", "--to", "9,3"]).is(0).out;
    assert!(words.starts_with("length 9.2111 m"), "{words}");
}

#[test]
fn the_answer_can_go_to_a_file_too() {
    let scratch = Scratch::with_room();
    let arguments = ["path", "room.way", "--from", "1,1", "--to", "2,2", "-o", "path.json"];
    assert!(scratch.run(&arguments).is(0).out.contains("\nwrote path.json ("));
    for target in ["path.csv", "path", "room.wkt"] {
        let message = scratch.refused(&["path", "room.way", "--from", "1,1", "--to", "2,2", "-o", target]);
        assert!(message.contains(".json"), "{message}");
    }
    scratch.write("q.csv", "1,1,2,2\n");
    let message = scratch.refused(&["path", "room.way", "--queries", "q.csv", "-o", "answers.txt"]);
    assert!(message.contains(".csv or .json"), "{message}");
    let path: Value = serde_json::from_slice(&scratch.read("path.json")).expect("valid JSON");
    assert_eq!(path["found"], true);
    scratch.refused(&["path", "room.way", "--from", "1,1", "--to", "2,2", "-o", "no/such/path.json"]);
}

#[test]
fn no_path_is_a_no_with_the_reason_the_place_and_a_hint() {
    let scratch = Scratch::new();
    scratch.write("two.wkt", TWO_ROOMS);
    scratch.run(&["bake", "two.wkt", "-o", "two.way"]).is(0);
    let no = |from: &str, to: &str| {
        let run = scratch.run(&["path", "two.way", "--from", from, "--to", to, "--json"]).is(1);
        let json = run.json();
        has_keys(&json, &["found", "length", "reason", "at", "needed", "available", "hint"]);
        assert_eq!((&json["found"], &json["length"]), (&false.into(), &Value::Null));
        assert_eq!(scratch.run(&["path", "two.way", "--from", from, "--to", to]).is(1).err, "");
        json
    };
    let apart = no("1,1", "8,1");
    assert_eq!(apart["reason"], "disconnected");
    assert_eq!((&apart["closest"]["horizontal"], &apart["closest"]["vertical"]), (&2.0.into(), &0.0.into()));
    let off = no("1,1", "5,1");
    assert_eq!((&off["reason"], &off["at"]), (&"off-mesh".into(), &json!([5.0, 1.0, 0.0])));
    assert_eq!((&off["needed"], &off["available"]), (&1.0.into(), &0.5.into()));
    assert!(
        scratch
            .run(&["path", "two.way", "--from", "1,1", "--to", "5,1", "--snap", "1.5"])
            .is(0)
            .err
            .is_empty()
    );
}

#[test]
fn snapped_ends_are_reported() {
    let scratch = Scratch::with_room();
    let path = scratch.run(&["path", "room.way", "--from", "-0.25,3", "--to", "1,3", "--json"]).is(0).json();
    assert_eq!(path["snapped"], json!({"start": 0.25, "goal": 0.0}));
    assert_eq!(path["length"], 1.0);
    scratch.run(&["path", "room.way", "--from", "-0.25,3", "--to", "1,3", "--snap", "0.1"]).is(1);
}

#[test]
fn many_queries_are_answered_in_order_by_any_number_of_threads() {
    let scratch = Scratch::with_room();
    let mut rows = String::from("fromx,fromy,fromz,tox,toy,toz\n");
    for k in 0..40 {
        rows += &format!("1,{},0,9,{},0\n", 0.1 * f64::from(k), 5.9 - 0.1 * f64::from(k));
    }
    rows += "1,1,0,5,3,0\n";
    scratch.write("q.csv", rows);
    let run =
        |more: &[&str]| scratch.run(&[&["path", "room.way", "--queries", "q.csv"], more].concat()).is(0);
    let csv = run(&[]).out;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0]), (42, "found,length,micros"));
    assert!(lines[1].starts_with("true,") && lines[41].starts_with("false,,"), "{csv}");
    let json = run(&["--json"]).json();
    let results = json["results"].as_array().expect("results");
    assert_eq!((results.len(), &results[40]["length"]), (41, &Value::Null));
    let lengths = |json: &Value| -> Vec<Value> {
        json["results"].as_array().into_iter().flatten().map(|row| row["length"].clone()).collect()
    };
    assert_eq!(lengths(&run(&["--json", "--threads", "3"]).json()), lengths(&json));
    for (row, line) in results.iter().zip(&lines[1..]) {
        let length = line.split(',').nth(1).and_then(|field| field.parse::<f64>().ok());
        assert_eq!(row["length"].as_f64(), length);
    }
    run(&["-o", "answers.csv"]);
    assert_eq!(String::from_utf8_lossy(&scratch.read("answers.csv")).lines().count(), 42);
    run(&["-o", "answers.json"]);
    let file: Value = serde_json::from_slice(&scratch.read("answers.json")).expect("valid JSON");
    assert_eq!(lengths(&file), lengths(&json));
}

#[test]
fn a_bad_row_is_refused_with_its_line() {
    let scratch = Scratch::with_room();
    for (content, word) in [
        ("1,2,3,4\n1,2,x,4\n", "line 2"),
        ("fromx,fromy,tox,toy\n1,2,3,4\n1,2,3\n", "line 3"),
        ("1,2,3,nan\n", "line 1"),
        ("", "no query"),
        ("1;1;5;5\n", "not by ';'"),
        ("fromx,fromy,tox,toy\n", "no query"),
    ] {
        scratch.write("q.csv", content);
        let message = scratch.refused(&["path", "room.way", "--queries", "q.csv", "-o", "answers.csv"]);
        assert!(message.contains(word) && message.contains("q.csv"), "{message}");
    }
    scratch.write("q.csv", b"\xff\xfe1,2,3,4");
    scratch.refused(&["path", "room.way", "--queries", "q.csv"]);
    scratch.refused(&["path", "room.way", "--queries", "missing.csv"]);
}
