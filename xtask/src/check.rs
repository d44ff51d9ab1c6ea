//! `cargo xtask check`: all that can be said about the tree without running its tests.

use crate::{
    architecture, deny_list, repository,
    run::{no_arguments, run as start, run_with},
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
    run_with("cargo", &["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "-D warnings")])
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
