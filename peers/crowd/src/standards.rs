//! RiMEA and IMO: the tests, run in full size, as a table.

use anyhow::{Context as _, Result};
use std::process::{Command, Stdio};

pub fn table() -> Result<()> {
    println!("## RiMEA and IMO\n");
    println!(
        "Tests with the acceptance numbers of the standards (`crates/crowd/tests`), as `cargo test` builds them (crowds are optimised there as in release mode), \
         those in full size too. Not covered: lifts.\n"
    );
    let root = crate::python::here().join("../..");
    let output = Command::new("cargo")
        .args(["test", "--quiet", "-p", "wayfare-crowd", "--features", "scenario", "--test", "scenario"])
        .args(["--", "--include-ignored", "--format", "pretty", "--test-threads", "2", "rimea", "imo"])
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
    for (name, result) in rows {
        let name = name.split(" - ").next().unwrap_or(name).replace('_', " ");
        println!("| {} | {} |", name.replace("rimea", "RiMEA").replace("imo", "IMO"), result.trim());
    }
    println!();
    Ok(())
}
