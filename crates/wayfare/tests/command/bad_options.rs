//! Wrong options: exit code 2, one line that says what to try. Help and version: exit code 0.

use crate::scratch::Scratch;

#[test]
fn wrong_options_are_one_line_with_a_hint() {
    let scratch = Scratch::with_room();
    let cases: [(&[&str], &str); 32] = [
        (&[], "wayfare demo"),
        (&["bakee", "room.wkt", "-o", "x.way"], "bake"),
        (&["bake"], "INPUT"),
        (&["bake", "room.wkt"], "--output"),
        (&["bake", "room.wkt", "-o", "x.way", "--rounded"], "--rounded"),
        (&["bake", "room.wkt", "-o", "x.way", "--decomposition", "worst"], "thesis"),
        (&["bake", "room.wkt", "-o", "x.way", "--convex-distance", "-1"], "convex"),
        (&["bake", "room.wkt", "-o", "x.way", "--convex-distance", "nan"], "convex"),
        (&["bake", "room.wkt", "-o", "x.way", "--convex-distance=-0.5"], "convex"),
        (&["bake", "room.wkt", "-o", "x.way", "--shape", "2"], "shape"),
        (&["bake", "room.wkt", "-o", "x.way", "--scale", "0"], "scale"),
        (&["bake", "room.wkt", "-o", "x.way", "--threads", "0"], "threads"),
        (&["bake", "room.wkt", "-o", "x.way", "--threads", "many"], "threads"),
        (&["bake", "room.wkt", "-o", "x.way", "--height", "1.8"], "--height"),
        (&["info"], "FILE"),
        (&["locate", "room.way"], "--at"),
        (&["locate", "room.way", "--at", "1"], "x,y,z"),
        (&["locate", "room.way", "--at", "1,nan"], "nan"),
        (&["locate", "room.way", "--at", "1,2,3e9"], "limit"),
        (&["locate", "room.way", "--at", "1,1", "--snap", "-1"], "snap"),
        (&["path", "room.way"], "--from"),
        (&["path", "room.way", "--from", "1,1"], "--to"),
        (&["path", "room.way", "--from", "1,1", "--to", "2,2", "--radius", "-1"], "radius"),
        (&["path", "room.way", "--from", "1,1", "--to", "2,2", "--queries", "q.csv"], "--queries"),
        (&["draw", "room.way", "-o", "x.svg", "--width", "7"], "px"),
        (&["path", "room.way", "--from", "1,1", "--to", "2,2", "--threads", "2"], "--queries"),
        (&["path", "room.way", "--from", "1,1", "--to", "x,2"], "see `wayfare path --help`"),
        (
            &["path", "room.way", "--from", "1,1", "--to", "2,2", "--snap", "nan"],
            "'nan' is not a finite number",
        ),
        (
            &["path", "room.way", "--form", "1,1"],
            "found; a similar argument exists: '--from'; see `wayfare path",
        ),
        (
            &["draw", "room.wkt", "-o", "x.svg", "--from", "1,1", "--to", "2,2"],
            "wayfare bake room.wkt -o room.way",
        ),
        (&["info", "room.way", "--planar"], "see `wayfare info --help`"),
        (&["draw", "room.wkt", "-o", "x.svg", "--from", "1,1", "--to", "2,2"], "bake"),
    ];
    for (arguments, word) in cases {
        let message = scratch.refused(arguments);
        assert!(message.contains(word), "{arguments:?}: {message}");
    }
}

#[test]
fn help_and_version_are_no_failures() {
    let scratch = Scratch::new();
    let help = scratch.run(&["--help"]).is(0);
    for verb in
        ["bake", "info", "check", "export", "locate", "path", "explain", "raycast", "random", "draw", "demo"]
    {
        assert!(help.out.contains(verb));
        let run = scratch.run(&[verb, "--help"]).is(0);
        assert!(run.out.contains("Usage: wayfare") && run.err.is_empty(), "{verb}");
        // What all verbs have comes after what is the verb's own, but for what has a heading of its own.
        let options = run.out.split("\nOptions:\n").nth(1).unwrap_or_default();
        let headings = ["\nReading files:\n", "\nWhere it may not go:\n"];
        let options =
            headings.iter().fold(options, |rest, heading| rest.split(heading).next().unwrap_or_default());
        let names = options
            .lines()
            .filter_map(|line| line.trim_start().split(' ').find(|word| word.starts_with("--")));
        let names: Vec<&str> = names.collect();
        let common = names.iter().position(|&name| name == "--json");
        assert_eq!(names[common.unwrap_or_default()..].len(), 4, "{verb}: {names:?}");
    }
    let version = scratch.run(&["--version"]).is(0);
    assert_eq!(version.out.trim(), concat!("wayfare ", env!("CARGO_PKG_VERSION")));
}
