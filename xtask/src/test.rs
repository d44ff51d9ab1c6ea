//! `cargo xtask test [--full]`: installs what the tests need, then runs every check and every test.

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

/// All tests by nextest, which is installed when it is missing; by cargo alone where that cannot be done.
fn tests(full: bool) -> Result<()> {
    let nextest = || works("cargo", &["nextest", "--version"]);
    if !nextest() {
        eprintln!("\ncargo-nextest is not there: installing it");
        if let Err(error) = start("cargo", &["install", "--locked", "cargo-nextest"]) {
            eprintln!("{error}; going on with `cargo test`");
        }
    }
    if nextest() {
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
