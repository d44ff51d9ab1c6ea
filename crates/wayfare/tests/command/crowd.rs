//! `wayfare crowd`: scenario files through the command.

use crate::scratch::{Scratch, has_keys};

/// From the left of the room, round its pillar, to the right.
const SCENARIO: &str = "
duration = 60
[[exit]]
name = 'right'
rectangle = [9, 0, 10, 6]
[[spawn]]
rectangle = [0, 0, 3, 6]
number = 12
radius = { uniform = [0.15, 0.3] }
[[line]]
name = 'below'
from = [5, 0]
to = [5, 1]
[[line]]
name = 'above'
from = [5, 5]
to = [5, 6]
[[area]]
name = 'left'
rectangle = [0, 0, 4, 6]
";

#[test]
fn a_scenario_gives_its_numbers_and_its_files() {
    let scratch = Scratch::with_room();
    scratch.write("s.toml", SCENARIO);
    let run = |more: &[&str]| {
        scratch.run(&[&["crowd", "room.way", "s.toml", "--json"], more].concat()).is(0).json()
    };
    let files =
        ["-o", "run.sqlite", "--trajectories", "t.svg", "--density", "d.svg", "--save", "end.waycrowd"];
    let ran = run(&files);
    has_keys(
        &ran,
        &[
            "agents",
            "arrived",
            "steps",
            "simulated_seconds",
            "seconds",
            "us_per_agent_step",
            "flow",
            "density",
            "agent_contacts_per_tick",
            "wall_contacts_per_tick",
            "max_overlap",
            "off_mesh",
            "stuck",
        ],
    );
    assert_eq!((&ran["agents"], &ran["arrived"], &ran["stuck"]), (&12.into(), &12.into(), &0.into()));
    assert!(ran["max_overlap"].as_f64().expect("a number") <= 0.001);
    let passages = ["below", "above"].map(|name| ran["passages"][name].as_u64().expect("a number"));
    assert_eq!(passages[0] + passages[1], 12);
    assert!(ran["flow"].get("below").is_some() && ran["density"]["left"].as_f64().expect("a number") > 0.0);
    assert!(scratch.read("run.sqlite").starts_with(b"SQLite format 3\0"));
    for picture in ["t.svg", "d.svg"] {
        let text = String::from_utf8(scratch.read(picture)).expect("UTF-8");
        roxmltree::Document::parse(&text).expect("sound XML");
    }
    assert!(scratch.read("end.waycrowd").starts_with(b"WAYFARE\0CRWD"));
    // The same for any number of threads, also as text.
    let text = |threads: &str| {
        run(&["-o", "run.txt", "--threads", threads]);
        scratch.read("run.txt")
    };
    assert!(text("1") == text("3"));
    let words = scratch.run(&["crowd", "room.way", "s.toml"]).is(0).out;
    assert!(words.contains("12 agents, 12 arrived, 0 stuck"), "{words}");
}

#[test]
fn bad_scenarios_and_targets_are_refused_with_their_line() {
    let scratch = Scratch::with_room();
    scratch.write("s.toml", SCENARIO);
    scratch.write("bad.toml", SCENARIO.replace("number = 12", "number = -1"));
    let message = scratch.refused(&["crowd", "room.way", "bad.toml", "-o", "run.txt"]);
    assert!(message.contains("bad.toml: line 8"), "{message}");
    scratch.write("far.toml", SCENARIO.replace("[9, 0, 10, 6]", "[90, 0, 91, 6]"));
    assert!(scratch.refused(&["crowd", "room.way", "far.toml"]).contains("not on the mesh"));
    scratch.refused(&["crowd", "room.way", "nothing.toml"]);
    scratch.refused(&["crowd", "room.way", "s.toml", "-o", "run.csv"]);
    scratch.refused(&["crowd", "room.way", "s.toml", "-o", "no/run.txt"]);
    scratch.refused(&["crowd", "room.way", "s.toml", "--density", "d.png"]);
    scratch.refused(&["crowd", "room.wkt", "s.toml"]);
}

#[test]
fn agents_without_a_way_are_counted_as_stuck() {
    let scratch = Scratch::new();
    scratch.write("two.wkt", crate::scratch::TWO_ROOMS);
    scratch.run(&["bake", "two.wkt", "-o", "two.way"]).is(0);
    let scenario =
        "duration = 2\n[[exit]]\nname = 'x'\nrectangle = [8, 0, 10, 4]\n[[spawn]]\npoints = [[1, 1, 0]]\n";
    scratch.write("s.toml", scenario);
    let ran = scratch.run(&["crowd", "two.way", "s.toml", "--json"]).is(1).json();
    assert_eq!((&ran["arrived"], &ran["stuck"]), (&0.into(), &1.into()));
}
