//! `cargo xtask bench crowd [SECTION…] [--full]`: a table of results that is measured in parts.
//!
//! The bench's program lists its sections. Each that is run replaces its own text in the file at once, under the commit, the day
//! and the seconds it took; the others stay as they were, so that a part can be measured again without the rest, and
//! a run that breaks off loses nothing.

use super::{machine, manifest, output, run_peer, start};
use crate::repository;
use anyhow::{Context as _, Result, bail};
use std::{fmt::Write as _, fs, time::Instant};

/// What stands before the text of a section in the file.
const BEGIN: &str = "<!-- section: ";
const END: &str = " -->\n";

/// Runs the sections that are named, or all, and writes them into the table of a bench.
pub fn run(name: &str, words: &[String]) -> Result<()> {
    let (options, asked): (Vec<&String>, Vec<&String>) = words.iter().partition(|word| word.starts_with('-'));
    if let Some(other) = options.iter().find(|word| word.as_str() != "--full") {
        bail!("`cargo xtask bench {name}` takes no option '{other}'");
    }
    let manifest = manifest(name);
    let program = [&run_peer(&manifest)[..], &["--"]].concat();
    let mut build = run_peer(&manifest);
    build[0] = "build";
    // Built apart, so that no compiler runs beside the measurement.
    start("cargo", &build)?;
    let listed = output("cargo", &[&program[..], &["sections"]].concat())?;
    let known: Vec<&str> = listed.split_whitespace().collect();
    if let Some(other) = asked.iter().find(|word| !known.contains(&word.as_str())) {
        bail!("the bench {name} has no section '{other}'; it has: {}", known.join(", "));
    }
    let file = repository::root().join(format!("docs/results/{name}.md"));
    // Asked before the first section is written: then the tree is no longer that of the commit.
    let commit = word("git", &["describe", "--always", "--dirty", "--abbrev=10"]);
    let mut failed = Vec::new();
    for &section in known.iter().filter(|known| asked.is_empty() || asked.iter().any(|word| word == *known)) {
        let full = if options.is_empty() { &[][..] } else { &["--full"] };
        let arguments = [&program[..], &[section], full].concat();
        eprintln!("\n> cargo {}", arguments.join(" "));
        let clock = Instant::now();
        let Ok(table) = output("cargo", &arguments) else {
            failed.push(section);
            continue;
        };
        let command = [&["cargo xtask bench", name, section], full].concat().join(" ");
        let text = format!("{}\n\n{}", table.trim(), origin(&command, &commit, clock.elapsed().as_secs()));
        let old = fs::read_to_string(&file).unwrap_or_default();
        let head = output("cargo", &[&program[..], &["head"]].concat())?;
        let head =
            format!("<!-- Written by `cargo xtask bench {name}`; do not edit. -->\n\n{}\n", head.trim());
        fs::write(&file, assembled(&head, &known, &old, (section, &text)))
            .with_context(|| format!("cannot write {}", file.display()))?;
        eprintln!("wrote {section} into docs/results/{name}.md");
    }
    if failed.is_empty() {
        Ok(())
    } else {
        bail!("these sections failed and are as they were: {}", failed.join(", "))
    }
}

/// What a section was measured on, as its last line.
fn origin(command: &str, commit: &str, seconds: u64) -> String {
    let day = word("date", &["-u", "+%F"]);
    format!("*`{command}`: {seconds} s on {day}, commit {commit}, {}.*\n", machine())
}

/// What a program says, if it does.
fn word(program: &str, arguments: &[&str]) -> String {
    output(program, arguments).unwrap_or_default().trim().to_owned()
}

/// The file anew: one section replaced, the others as they are in the old file, in the order of the program.
fn assembled(head: &str, known: &[&str], old: &str, (new, text): (&str, &str)) -> String {
    let mut file = head.to_owned();
    for &section in known {
        let text = if section == new { Some(text) } else { text_of(old, section) };
        if let Some(text) = text {
            let _ = write!(file, "\n{BEGIN}{section}{END}{}\n", text.trim());
        }
    }
    file
}

/// The text of a section of a file, if it has one.
fn text_of<'a>(file: &'a str, section: &str) -> Option<&'a str> {
    let (_, rest) = file.split_once(&format!("{BEGIN}{section}{END}"))?;
    Some(rest.split_once(BEGIN).map_or(rest, |(text, _)| text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_and_the_others_stay() {
        let known = ["doors", "rings", "times"];
        let one =
            assembled("# Head\n", &known, "an old file without sections", ("times", "## Times\n\n1 s\n"));
        let two = assembled("# Head\n", &known, &one, ("doors", "## Doors\n\n1.6"));
        assert_eq!(
            two,
            "# Head\n\n<!-- section: doors -->\n## Doors\n\n1.6\n\n<!-- section: times -->\n## Times\n\n1 s\n"
        );
        let three = assembled("# Head\n", &known, &two, ("doors", "## Doors\n\n1.7"));
        assert_eq!(three, two.replace("1.6", "1.7"));
        assert_eq!(text_of(&three, "rings"), None);
    }
}
