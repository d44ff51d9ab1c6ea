//! Closed cells and portals, allowed and forbidden tags: `path` and `explain` respect them and say what closes the way.

use crate::scratch::Scratch;
use serde_json::Value;

/// A strip of floor of 9 m × 3 m whose middle third is grass, but for a metre of floor along its upper side.
const LAWN: &str = "\
v 0 0 0\nv 3 0 0\nv 6 0 0\nv 9 0 0\nv 0 2 0\nv 3 2 0\nv 6 2 0\nv 9 2 0\nv 0 3 0\nv 3 3 0\nv 6 3 0\nv 9 3 0
usemtl floor\nf 1 2 6 5\nf 3 4 8 7\nf 5 6 10 9\nf 6 7 11 10\nf 7 8 12 11\nusemtl grass\nf 2 3 7 6\n";

fn place(no: &Value) -> [f64; 2] {
    [0, 1].map(|k| no["at"][k].as_f64().expect("a place"))
}

#[test]
fn a_closed_door_is_gone_round_or_named() {
    let scratch = Scratch::with_room();
    let path = ["path", "room.way", "--from", "1,3", "--to", "9,3", "--json"];
    let length = |more: &[&str]| {
        let answer = scratch.run(&[&path, more].concat()).is(0).json();
        answer["length"].as_f64().expect("a length")
    };
    // Both ways round the pillar are equally long; one closed, the other is left.
    let open = length(&[]);
    assert!((length(&["--block-at", "5,0.5"]) - open).abs() < 1e-9);
    assert!(
        (length(&["--block-at", "5,5.5", "--radius", "0.4"]) - length(&["--radius", "0.4"])).abs() < 1e-9
    );
    let no = scratch.run(&[&path[..], &["--block-at", "5,0.5", "--block-at", "5,5.5"]].concat()).is(1).json();
    assert_eq!((&no["reason"], &no["length"]), (&"blocked".into(), &Value::Null));
    let [x, y] = place(&no);
    assert!((3.9..6.1).contains(&x) && !(1.001..4.999).contains(&y), "{no}");
    assert!(no["hint"].as_str().expect("a hint").contains("is closed; open it"), "{no}");
    // By number, and with a picture of the place.
    let cell = scratch.run(&["locate", "room.way", "--at", "9,3", "--json"]).is(0).json()["cell"].to_string();
    let explain =
        ["explain", "room.way", "--from", "1,3", "--to", "9,3", "--block-cells", &cell, "-o", "why.svg"];
    let words = scratch.run(&explain).is(1).out;
    assert!(words.contains(&format!("cell {cell} is closed")), "{words}");
    assert!(String::from_utf8_lossy(&scratch.read("why.svg")).contains("<title>closed</title>"));
    // Rows of a batch, too.
    scratch.write("queries.csv", "1,3,9,3\n1,3,2,3\n");
    let rows =
        scratch.run(&["path", "room.way", "--queries", "queries.csv", "--block-cells", &cell, "--json"]);
    let rows = rows.is(0).json();
    assert_eq!((&rows["results"][0]["found"], &rows["results"][1]["found"]), (&false.into(), &true.into()));
}

#[test]
fn forbidden_ground_is_gone_round_or_named() {
    let scratch = Scratch::new();
    scratch.write("lawn.obj", LAWN);
    scratch.run(&["bake", "lawn.obj", "--up", "z", "-o", "lawn.way"]).is(0);
    let ends = ["lawn.way", "--from", "1,1", "--to", "8,1", "--json"];
    let ask = |more: &[&str]| scratch.run(&[&["path"][..], &ends, more].concat());
    let length = |more: &[&str]| ask(more).is(0).json()["length"].as_f64().expect("a length");
    assert!((length(&[]) - 7.0).abs() < 1e-6);
    // Round the two corners of the grass; its border is where the pixels are, within two of them.
    let round = length(&["--forbid-tags", "grass"]);
    assert!((round - (2.0 * 5f64.sqrt() + 3.0)).abs() < 0.2, "{round}");
    assert_eq!(length(&["--allow-tags", "floor"]), round);
    assert_eq!(length(&["--allow-tags", "floor,grass"]), length(&[]));
    // A body fits through the metre that is left, or not.
    assert!(length(&["--forbid-tags", "grass", "--radius", "0.35"]) > round);
    let no = ask(&["--forbid-tags", "grass", "--radius", "0.6"]).is(1).json();
    assert_eq!(no["reason"], "tag-forbidden", "{no}");
    assert!(no["hint"].as_str().expect("a hint").contains("'grass'"), "{no}");
    let no = ask(&["--forbid-tags", "floor"]).is(1).json();
    assert_eq!((&no["reason"], place(&no)), (&"tag-forbidden".into(), [1.0, 1.0]));
}

#[test]
fn limits_that_are_not_there_are_refused() {
    let scratch = Scratch::with_room();
    for (option, value, word) in [
        ("--forbid-tags", "grass", "no area tags"),
        ("--block-cells", "999", "no cell 999"),
        ("--block-portals", "999", "no portal 999"),
        ("--block-at", "50,50", "no portal to close"),
        ("--block-cells", "x", "invalid"),
    ] {
        let arguments = ["path", "room.way", "--from", "1,3", "--to", "9,3", option, value];
        let message = scratch.refused(&arguments);
        assert!(message.contains(word), "{message}");
    }
}
