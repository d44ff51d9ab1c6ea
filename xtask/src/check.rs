//! `cargo xtask check`: all that can be said about the tree without running its tests.

use crate::{
    architecture, deny_list, repository,
    run::{error_output, no_arguments, run as start},
};
use anyhow::{Result, bail};

pub fn run(rest: &[String]) -> Result<()> {
    no_arguments("check", rest)?;
    all()
}

/// Cheap checks first.
pub fn all() -> Result<()> {
    eprintln!("> deny list, architecture, documents");
    deny_list::check()?;
    architecture::check()?;
    every_crate_has_a_readme()?;
    start("cargo", &["fmt", "--all", "--check"])?;
    start("cargo", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    documentation_has_no_warnings()
}

/// Units of the documentation, as in `Height [m]`: rustdoc takes them for links that lead nowhere.
const UNITS: [&str; 13] = ["m", "m²", "m³", "px", "s", "ms", "µs", "rad", "deg", "bytes", "m/s", "1", "µm"];

/// Builds the documentation; every warning but those about units is a fault.
fn documentation_has_no_warnings() -> Result<()> {
    let arguments = ["doc", "--workspace", "--no-deps", "--message-format", "short"];
    eprintln!("\n> cargo {}", arguments.join(" "));
    let messages = error_output("cargo", &arguments)?;
    let is_unit = |line: &str| {
        let named = line.split("unresolved link to `").nth(1).and_then(|rest| rest.split('`').next());
        named.is_some_and(|name| UNITS.contains(&name))
    };
    let is_fault = |line: &&str| {
        (line.contains("warning: ") || line.contains("error"))
            && !line.contains("generated")
            && !is_unit(line)
    };
    let faults: Vec<&str> = messages.lines().filter(is_fault).collect();
    if !faults.is_empty() {
        bail!("the documentation has faults:\n{}", faults.join("\n"));
    }
    Ok(())
}

/// A crate's README is its crate documentation, so it is there and says something.
fn every_crate_has_a_readme() -> Result<()> {
    let mut missing = Vec::new();
    for name in architecture::crate_folders()? {
        let readme = repository::root().join("crates").join(&name).join("README.md");
        let text = std::fs::read_to_string(readme).unwrap_or_default();
        if text.lines().filter(|line| !line.trim().is_empty()).count() < 3 {
            missing.push(format!("crates/{name}/README.md"));
        }
    }
    if !missing.is_empty() {
        bail!("missing or without content: {}", missing.join(", "));
    }
    Ok(())
}
