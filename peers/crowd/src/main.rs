//! Crowds measured: doors, counter-flow, the paper's experiments, fundamental diagram, time of a step; beside jupedsim and dodgy_2d.
//!
//! Without arguments all of it, as Markdown. With the name of a part that part, and numbers of the default model by their names,
//! to try what they do: `door radius=0.3 door=1 agents=400 seconds=60 seed=2 headway=0.4`, `counter density=1 seconds=300`.
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

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let Some(part) = words.next() else { return all() };
    let given = Given::parse(words)?;
    match part.as_str() {
        "door" => doors::one(&given),
        "counter" => counter::one(&given),
        "file" => file::one(&given),
        "files" => file::table(),
        "corner" => corner::one(&given),
        "ring" => rings::one(&given),
        "hall" => times::one(&given),
        "doors" => doors::table(),
        "corners" => corner::table(),
        "counters" => counter::table(),
        "times" => times::table(),
        "others" => others::table(),
        "jam" => diagram::one(&given),
        "jams" => diagram::jams(&given),
        "diagram" => diagram::table(),
        "rings" => rings::table(),
        "cross" => paper::one(&given),
        "crosses" => paper::table(),
        "standards" => standards::table(),
        other => bail!("there is no part '{other}'"),
    }
}

fn all() -> Result<()> {
    println!("# Crowds: what was measured\n");
    println!(
        "Seconds are of the processor. 60 steps per second; radius 0.2 m and wish speed 1.34 m/s where nothing else is said. \
         ± is the half of a 95 % confidence interval of the mean over ten seeds.\n"
    );
    doors::table()?;
    counter::table()?;
    corner::table()?;
    file::table()?;
    diagram::table()?;
    rings::table()?;
    paper::table()?;
    times::table()?;
    others::table()?;
    standards::table()
}
