//! Crowds measured: doors, counter-flow, the paper's experiments, fundamental diagram, time of a step; beside jupedsim and dodgy_2d.
//!
//! Without arguments all of it, as Markdown. With the name of a section (`sections` lists them) that section, with `--full` in full;
//! with the name of one run and numbers of the default model by their names that run, to try what they do:
//! `door radius=0.3 door=1 agents=400 seconds=60 seed=2 headway=0.4`, `counter density=1 seconds=300`.
//! Times are of the processor, not of the clock, in turns within one run: the machine may be busy. The Python packages
//! come from PyPI into `target/venv`.

mod corner;
mod counter;
mod diagram;
mod doors;
mod file;
mod given;
mod others;
mod paper;
mod python;
mod rings;
mod standards;
mod table;
mod times;

#[path = "../../../crates/crowd/tests/crowd/support/mod.rs"]
mod support;

use anyhow::{Result, bail};
use given::Given;

/// How much is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// What fits into some minutes on two cores.
    Usual,
    /// Doors until all have left, the donut with simple portals at every number of persons, 50,000 persons until doors have their flow, standards in their full size.
    Full,
}

type Section = (&'static str, fn(Extent) -> Result<()>);

/// The parts of the table, in its order.
const SECTIONS: [Section; 12] = [
    ("doors", doors::table),
    ("narrow", |_| doors::narrow()),
    ("counters", |_| counter::table()),
    ("corners", |_| corner::table()),
    ("files", |_| file::table()),
    ("diagram", |_| diagram::table()),
    ("rings", rings::table),
    ("portals", |_| rings::ill_conditioned()),
    ("crosses", |_| paper::table()),
    ("times", times::table),
    ("others", |_| others::table()),
    ("standards", standards::table),
];

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1).peekable();
    let extent = |word: Option<&String>| match word.map(String::as_str) {
        None => Ok(Extent::Usual),
        Some("--full") => Ok(Extent::Full),
        Some(other) => bail!("a section takes --full and not '{other}'"),
    };
    let Some(part) = words.next_if(|word| word != "--full") else {
        let extent = extent(words.peek())?;
        head();
        return SECTIONS.iter().try_for_each(|(_, table)| table(extent));
    };
    if let Some((_, table)) = SECTIONS.iter().find(|(name, _)| *name == part) {
        return table(extent(words.peek())?);
    }
    let given = Given::parse(words)?;
    match part.as_str() {
        "sections" => SECTIONS.iter().for_each(|(name, _)| println!("{name}")),
        "head" => head(),
        "door" => doors::one(&given)?,
        "counter" => counter::one(&given)?,
        "file" => file::one(&given)?,
        "corner" => corner::one(&given)?,
        "ring" => rings::one(&given)?,
        "hall" => times::one(&given)?,
        "jam" => diagram::one(&given)?,
        "jams" => diagram::jams(&given)?,
        "joined" => diagram::joined(&given)?,
        "cross" => paper::one(&given)?,
        other => bail!("there is no part '{other}'"),
    }
    Ok(())
}

fn head() {
    println!("# Crowds: what was measured\n");
    println!(
        "Seconds are of the processor. 60 steps per second; radius 0.2 m and wish speed 1.34 m/s where nothing else is said. \
         ± is the half of a 95 % confidence interval of the mean over ten seeds. Each section ends with what it was measured on.\n"
    );
}
