//! `cargo xtask test [--full]`: runs every check and every test. They need Rust and nothing else; what later tests
//! need beside it is to be installed here.

use crate::{
    check,
    run::{run as start, works},
};
use anyhow::{Result, bail};

pub fn run(rest: &[String]) -> Result<()> {
    let mut full = false;
    for argument in rest {
        match argument.as_str() {
            "--full" => full = true,
            other => bail!("`cargo xtask test` takes no argument '{other}', only --full"),
        }
    }
    check::all()?;
    for example in ["first_path", "plan_from_file", "many_queries"] {
        start("cargo", &["run", "--quiet", "--package", "wayfare", "--example", example])?;
    }
    if full {
        everything_else_compiles()?;
    }
    // The two runners come last so that their closing lines do.
    start("cargo", &["test", "--workspace", "--doc", "--quiet"])?;
    tests(full)
}

/// All tests, by nextest where it is there. It is not installed: compiling it takes longer on two cores than all
/// tests together, and `cargo test` needs nothing.
fn tests(full: bool) -> Result<()> {
    if works("cargo", &["nextest", "--version"]) {
        let mut arguments = vec!["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "slow"];
        if full {
            arguments.extend(["--run-ignored", "all"]);
        }
        start("cargo", &arguments)
    } else {
        let mut arguments = vec!["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"];
        if full {
            arguments.extend(["--", "--include-ignored"]);
        }
        start("cargo", &arguments)
    }
}

/// What lies outside of the workspace: the fuzz targets and the comparisons with other programs.
fn everything_else_compiles() -> Result<()> {
    let root = crate::repository::root();
    if root.join("fuzz/Cargo.toml").exists() {
        start("cargo", &["check", "--manifest-path", "fuzz/Cargo.toml"])?;
    }
    for peer in crate::bench::peers()? {
        start("cargo", &["check", "--manifest-path", &format!("peers/{peer}/Cargo.toml")])?;
    }
    Ok(())
}
