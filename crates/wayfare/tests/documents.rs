//! The commands in the documents are run and must print what the documents say.
//!
//! In every block of the kind `console`, a line `$ wayfare …` is run in a scratch folder that all blocks of one
//! document share, and the lines below it must be what it prints; `[exit code N]` ends them where N is not 0.
//! Times and memory are not compared. After `--json` the values are compared, not the layout.
//! `cargo xtask bless` writes what the commands print into the documents.

use serde_json::Value;
use std::{fs, path::Path, process::Command};

#[test]
fn the_page_about_the_command_line_shows_what_the_commands_print() {
    check_document("docs/cli.md");
}

#[test]
fn the_readme_shows_what_the_commands_print() {
    check_document("README.md");
}

fn check_document(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let mut written = String::new();
    let mut faults = Vec::new();
    let mut lines = text.lines().peekable();
    let mut in_console = false;
    let mut commands = 0;
    while let Some(line) = lines.next() {
        written.push_str(line);
        written.push('\n');
        if line.starts_with("```") {
            in_console = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ wayfare ").filter(|_| in_console) else { continue };
        let mut expected = Vec::new();
        while let Some(next) = lines.next_if(|next| !next.starts_with("$ ") && !next.starts_with("```")) {
            expected.push(next);
        }
        commands += 1;
        let printed = run(command, scratch.path());
        if !same(&printed, &expected, command) {
            faults.push(format!(
                "$ wayfare {command}\nsays:\n{}\nnot:\n{}\n",
                printed.join("\n"),
                expected.join("\n")
            ));
        }
        written.extend(printed.iter().flat_map(|line| [line.as_str(), "\n"]));
    }
    assert!(commands > 0, "{name} shows no command");
    if std::env::var_os("WAYFARE_BLESS").is_some() {
        // The documents show the whole command; one built alone says that its pages are missing, and that must not get in.
        assert!(
            !written.contains("without the viewer's page"),
            "{name}: `cargo xtask page` first, or `cargo xtask bless`"
        );
        fs::write(&path, written).unwrap_or_else(|error| panic!("{name}: {error}"));
    } else {
        assert!(
            faults.is_empty(),
            "{name} is out of date; `cargo xtask bless` renews it:\n{}",
            faults.join("\n")
        );
    }
}

/// What a command prints, standard error first, with its exit code where that is not 0.
fn run(command: &str, folder: &Path) -> Vec<String> {
    let arguments: Vec<&str> = command.split_whitespace().collect();
    let output = Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .args(&arguments)
        .current_dir(folder)
        .output()
        .expect("the command can be started");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines: Vec<String> = String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect();
    let out = if command.contains("--json") { one_key_per_line(&out) } else { out };
    lines.extend(out.lines().map(str::to_owned));
    if output.status.code() != Some(0) {
        lines.push(format!("[exit code {}]", output.status.code().unwrap_or(-1)));
    }
    lines
}

/// A JSON object with a line break after each key of the outermost level: it reads well and is still JSON.
fn one_key_per_line(json: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for letter in json.chars() {
        out.push(letter);
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 1 => out.push_str("\n "),
            _ => {}
        }
    }
    out
}

fn same(printed: &[String], expected: &[&str], command: &str) -> bool {
    let (ours, theirs) = (printed.join("\n"), expected.join("\n"));
    if command.contains("--json") {
        let parse = |text: &str| {
            let object = text.split("\n[exit code").next().unwrap_or_default();
            serde_json::from_str::<Value>(object).map(without_times).ok()
        };
        let code = |text: &str| text.split_once("[exit code").map(|(_, code)| code.to_owned());
        return parse(&ours).is_some() && parse(&ours) == parse(&theirs) && code(&ours) == code(&theirs);
    }
    let plain = |text: &str| text.lines().map(hide_times).collect::<Vec<_>>();
    plain(&ours) == plain(&theirs)
}

/// The object without what differs from run to run.
fn without_times(mut value: Value) -> Value {
    if let Value::Object(object) = &mut value {
        for key in ["micros", "seconds", "peak_memory_mb", "bake_seconds"] {
            object.remove(key);
        }
    }
    value
}

/// The line with `#` for every number in front of a unit of time or memory; all numbers of a line about stages.
fn hide_times(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_unit =
        |word: &str| ["s", "ms", "µs", "MB"].contains(&word.trim_end_matches([':', ',', ';', '.', ')']));
    let is_about_stages = line.contains(" s: read ");
    let is_number = |word: &str| word.trim_matches(['(', ',', ';']).parse::<f64>().is_ok();
    let hidden = words.iter().enumerate().map(|(k, word)| {
        let before_unit = words.get(k + 1).is_some_and(|next| is_unit(next));
        if is_number(word) && (before_unit || is_about_stages) { "#" } else { word }
    });
    hidden.collect::<Vec<_>>().join(" ")
}
