//! RiMEA and IMO: the tests, run in full size, as a table.

use crate::{Extent, support::rooms};
use anyhow::{Context as _, Result, ensure};
use std::process::{Command, Stdio};
use wayfare_crowd::scenario::{Scenario, Simulation};

/// A hundred persons leave a room of 8 × 5 m through 1 m: persons per second over the whole time.
fn imo_4(cap: &str) -> Result<f64> {
    let text = format!(
        "duration = 200\n[[exit]]\nname = 'door'\nrectangle = [9, 0, 14, 5]\n{cap}\n[[spawn]]\nrectangle = [0.2, 0.2, 7.8, 4.8]\nnumber = 100"
    );
    let ground = rooms(&[[0.0, 0.0, 8.0, 5.0], [8.0, 2.0, 8.2, 3.0], [8.2, 0.0, 14.0, 5.0]]);
    let mut simulation = Simulation::new(Scenario::parse(&text)?, ground)?;
    while simulation.step(|_| ())? {}
    ensure!(simulation.summary().arrived == 100, "somebody is still there");
    Ok(100.0 / simulation.crowd().time())
}

pub fn table(extent: Extent) -> Result<()> {
    println!("## RiMEA and IMO\n");
    let size = if extent == Extent::Full { "those in full size too" } else { "without the two in full size" };
    println!(
        "Tests with the acceptance numbers of the standards (`crates/crowd/tests`), as `cargo test` builds them (crowds are optimised there as in release mode), \
         {size}. Not covered: lifts.\n"
    );
    let ignored: &[&str] = if extent == Extent::Full { &["--include-ignored"] } else { &[] };
    let root = crate::python::here().join("../..");
    let output = Command::new("cargo")
        .args(["test", "--quiet", "-p", "wayfare-crowd", "--features", "scenario", "--test", "scenario"])
        .args(["--", "--format", "pretty", "--test-threads", "2", "rimea", "imo"])
        .args(ignored)
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    println!("| test | |\n|---|---|");
    let text = String::from_utf8(output.stdout)?;
    let mut rows: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("test ")?.split_once(" ... "))
        .map(|(name, result)| (name.rsplit("::").next().unwrap_or(name), result))
        .collect();
    rows.sort();
    rows.retain(|(_, result)| !result.starts_with("ignored"));
    for (name, result) in rows {
        let name = name.split(" - ").next().unwrap_or(name).replace('_', " ");
        println!("| {} | {} |", name.replace("rimea", "RiMEA").replace("imo", "IMO"), result.trim());
    }
    println!(
        "\nIMO 4, a hundred persons through 1 m: {:.2} persons per second with a cap of 1.33 as the standard wants it, {:.2} without.\n",
        imo_4("cap = 1.33")?,
        imo_4("")?
    );
    Ok(())
}
