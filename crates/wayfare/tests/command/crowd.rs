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
    for picture in ["t.svg", "d.svg"] {
        // Colours that every program knows.
        assert!(!String::from_utf8_lossy(&scratch.read(picture)).contains("hsl("), "{picture}");
    }
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
    let refused = |more: &[&str]| scratch.refused(&[&["crowd", "room.way", "s.toml"], more].concat());
    // One name for two outputs, however it is written; the other endings.
    for more in [
        ["--trajectories", "same.svg", "--density", "same.svg"],
        ["--trajectories", "same.svg", "--density", "./same.svg"],
    ] {
        assert!(refused(&more).contains("named twice"));
    }
    assert!(refused(&["--save", "x.dat"]).contains(".waycrowd"));
    let save_over = ["-o", "same.txt", "--save", "same.txt"];
    refused(&save_over);
    assert!(!scratch.names().iter().any(|name| name.starts_with("same") || name.starts_with("x.")));
}

#[test]
fn scenarios_may_be_packed_and_a_frame_rate_that_is_none_is_remarked() {
    let scratch = Scratch::with_room();
    scratch.write("s.toml", format!("frame_rate = 7\n{SCENARIO}"));
    let ran = scratch.run(&["crowd", "room.way", "s.toml"]).is(0);
    assert!(ran.err.contains("6.6667 frames per second, not 7"), "{}", ran.err);
    scratch.write("t.toml", SCENARIO);
    assert_eq!(scratch.run(&["crowd", "room.way", "t.toml"]).is(0).err, "");
    scratch.write("u.toml", crate::scenes::gzipped(SCENARIO.as_bytes()));
    let [plain, packed] =
        ["t.toml", "u.toml"].map(|name| scratch.run(&["crowd", "room.way", name, "--json"]).is(0).json());
    assert_eq!(plain["steps"], packed["steps"]);
}

#[test]
fn who_comes_after_the_end_is_remarked() {
    let scratch = Scratch::with_room();
    let late =
        SCENARIO.replace("duration = 60", "duration = 10").replace("number = 12", "number = 2\nfrom = 20");
    scratch.write("late.toml", late);
    let ran = scratch.run(&["crowd", "room.way", "late.toml"]).is(0);
    assert!(ran.err.contains("line 6 comes: it begins at 20 s, and the run ends at 10 s"), "{}", ran.err);
    let ran = scratch.run(&["crowd", "room.way", "late.toml", "--until", "60"]).is(0);
    assert!(!ran.err.contains("begins at"), "{}", ran.err);
}

#[test]
fn a_line_is_drawn_on_the_storey_that_it_is_on() {
    let scratch = Scratch::new();
    scratch.run(&["demo", "-o", "d"]).is(0);
    let dashes = |z: &str| {
        let text = String::from_utf8(scratch.read("d/evacuation.toml")).unwrap();
        scratch.write(
            "s.toml",
            format!("duration = 1\n{}", text.replace("duration = 180", "").replace("to = [0, 9]\nz = 0", z)),
        );
        scratch.run(&["crowd", "d/building.way", "s.toml", "--trajectories", "t.svg"]);
        String::from_utf8(scratch.read("t.svg")).unwrap().matches("stroke-dasharray").count()
    };
    assert_eq!(dashes("to = [4, 9]\nz = 0"), 1);
    assert!(dashes("to = [4, 9]") >= 3);
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

#[test]
fn a_door_cuts_the_mesh_and_its_end_is_known_to_every_command() {
    let scratch = Scratch::with_room();
    // Below the pillar the way is shut, as soon as nobody stands there.
    let door = "[[door]]\nname = 'low'\nfrom = [5, 0, 0]\nto = [5, 1.9, 0]\nclose_at = [1]\n";
    scratch.write("s.toml", SCENARIO.replace("duration = 60", "duration = 4") + door);
    let run = ["crowd", "room.way", "s.toml", "--json", "--save", "end.waycrowd", "-o", "run.sqlite"];
    let ran = scratch.run(&run).is(0).json();
    assert_eq!((&ran["agents"], &ran["exits"]["right"]), (&12.into(), &0.into()));
    let info = scratch.run(&["info", "end.waycrowd", "--json"]).is(0).json();
    has_keys(&info, &["kind", "agents", "simulated_seconds", "smallest_radius", "largest_radius", "cells"]);
    assert_eq!((&info["kind"], &info["agents"]), (&"crowd".into(), &12.into()));
    assert!(scratch.run(&["info", "end.waycrowd"]).is(0).out.starts_with("crowd: 12 agents after 4.00 s"));
    scratch.run(&["check", "end.waycrowd"]).is(0);
    scratch.run(&["draw", "end.waycrowd", "-o", "end.svg"]).is(0);
    let drawn = String::from_utf8(scratch.read("end.svg")).expect("UTF-8");
    let drawn = roxmltree::Document::parse(&drawn).expect("sound XML");
    assert_eq!(drawn.descendants().filter(|node| node.has_tag_name("circle")).count(), 12);
    scratch.run(&["export", "end.waycrowd", "-o", "end.json"]).is(0);
    let exported: serde_json::Value = serde_json::from_slice(&scratch.read("end.json")).expect("JSON");
    assert_eq!(exported["agents"].as_array().map(Vec::len), Some(12));
    scratch.refused(&["export", "end.waycrowd", "-o", "end.glb"]);
    scratch.refused(&["bake", "end.waycrowd", "-o", "again.way"]);
    let mut bytes = scratch.read("end.waycrowd");
    bytes[300] ^= 1;
    scratch.write("bad.waycrowd", bytes);
    scratch.refused(&["info", "bad.waycrowd"]);
    // Played in the viewer, where this command has its page.
    let page = |crowd: &str| scratch.run(&["view", "room.way", "--crowd", crowd, "--export", "p.html"]);
    if page("run.sqlite").code == Some(0) {
        scratch.run(&["crowd", "room.way", "s.toml", "-o", "run.txt"]).is(0);
        page("run.txt").is(0);
        page("end.waycrowd").is(0);
        page("s.toml").is(2);
        page("nothing.sqlite").is(2);
        scratch.write("bad.txt", "# framerate: 10\n1 0 x y\n");
        assert!(page("bad.txt").is(2).err.contains("line 2"));
        scratch.run(&["view", "end.waycrowd", "--export", "q.html"]).is(0);
    }
}

#[test]
fn a_saved_run_goes_on_to_the_same_end() {
    let scratch = Scratch::with_room();
    scratch.write("s.toml", SCENARIO.replace("number = 12", "number = 12\nrate = 1.5"));
    let lines = |name: &str| -> Vec<String> {
        String::from_utf8(scratch.read(name))
            .unwrap()
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(str::to_owned)
            .collect()
    };
    scratch.run(&["crowd", "room.way", "s.toml", "-o", "whole.txt", "--save", "whole.waycrowd"]).is(0);
    let half = ["-o", "first.txt", "--save", "half.waycrowd", "--until", "6"];
    scratch.run(&[&["crowd", "room.way", "s.toml"][..], &half].concat()).is(0);
    scratch
        .run(&["crowd", "half.waycrowd", "--until", "60", "-o", "rest.txt", "--save", "end.waycrowd"])
        .is(0);
    assert!(scratch.read("end.waycrowd") == scratch.read("whole.waycrowd"));
    let (first, rest) = (lines("first.txt"), lines("rest.txt"));
    assert!(first.len() > 50 && rest.len() > 50);
    assert_eq!([first, rest].concat(), lines("whole.txt"));
    // Without --until the scenario says when it ends.
    scratch.run(&["crowd", "half.waycrowd", "--save", "other.waycrowd"]).is(0);
    assert!(scratch.read("other.waycrowd") == scratch.read("whole.waycrowd"));
    assert!(scratch.refused(&["crowd", "half.waycrowd", "--until", "5"]).contains("--until 5 is outside 6"));
    assert!(scratch.refused(&["crowd", "half.waycrowd", "s.toml"]).contains("leave the other out"));
    assert!(scratch.refused(&["crowd", "room.way"]).contains("a scenario is missing"));
}
