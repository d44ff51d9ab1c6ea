//! Paths that prefer clearance: `path --prefer`, with rows of queries, and `draw --prefer`.

use crate::scratch::Scratch;

const ENDS: [&str; 6] = ["path", "room.way", "--from", "1,3", "--to", "9,3"];

#[test]
fn a_body_that_prefers_clearance_keeps_away_from_the_pillar_and_says_what_that_costs() {
    let scratch = Scratch::with_room();
    let ask = |more: &[&str]| scratch.run(&[&ENDS, more, &["--json"]].concat()).is(0).json();
    let number = |path: &serde_json::Value, key: &str| path[key].as_f64().expect("a number");
    let shortest = ask(&["--radius", "0.1"]);
    assert!(shortest.get("cost").is_none());
    let path = ask(&["--radius", "0.1", "--prefer", "0.5"]);
    // The passages beside the pillar are a metre wide: all of the way along it can be half a metre off.
    let (length, cost) = (number(&path, "plan_length"), number(&path, "cost"));
    let most = number(&shortest, "plan_length") * 1.8;
    assert!(cost >= length && length > number(&shortest, "plan_length"), "{length} {cost}");
    assert!(cost < most && number(&path, "clearance") >= 0.1, "{cost} {most}");
    // The more it costs to be near, the further away; what is no more than the radius changes nothing.
    let far = ask(&["--radius", "0.1", "--prefer", "0.5", "--prefer-weight", "20"]);
    assert!(number(&far, "plan_length") > length);
    assert!(number(&far, "clearance") > number(&path, "clearance"));
    let same = ask(&["--radius", "0.1", "--prefer", "0.05"]);
    assert_eq!(number(&same, "plan_length"), number(&shortest, "plan_length"));
    assert_eq!(number(&same, "cost"), number(&same, "plan_length"));

    let words = scratch.run(&[&ENDS[..], &["--prefer", "0.5"]].concat()).is(0).out;
    assert!(words.contains(", cost ") && words.contains(" m clear"), "{words}");
}

#[test]
fn rows_and_pictures_prefer_clearance_too() {
    let scratch = Scratch::with_room();
    scratch.write("rows.csv", "1,3,9,3\n");
    let length = |more: &[&str]| {
        let out = scratch.run(&[&["path", "room.way", "--queries", "rows.csv"], more].concat()).is(0).out;
        let row = out.lines().nth(1).expect("a row").to_owned();
        row.split(',').nth(1).expect("a length").parse::<f64>().expect("a number")
    };
    assert!(length(&["--prefer", "0.5"]) > length(&[]));
    let arguments =
        ["draw", "room.way", "--from", "1,3", "--to", "9,3", "--prefer", "0.5", "-o", "prefer.svg"];
    scratch.run(&arguments).is(0);
    let picture = String::from_utf8(scratch.read("prefer.svg")).expect("text");
    assert!(picture.contains("stroke-dasharray=\"6 5\""), "the shortest path is dashed");
}

#[test]
fn a_weight_without_a_preference_is_refused() {
    let scratch = Scratch::with_room();
    for more in
        [&["--prefer-weight", "3"][..], &["--prefer", "-1"], &["--prefer", "0.5", "--prefer-weight", "x"]]
    {
        scratch.refused(&[&ENDS[..], more].concat());
    }
}
