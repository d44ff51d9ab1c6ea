//! `cargo xtask test [--full]`: runs every check and every test. They need Rust, Node and npm; Chromium, in which the viewer's
//! page is tested, is installed where that can be done.

use crate::{
    check, page, repository,
    run::{run as start, run_with, works},
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
    // First, as the page is part of what is compiled.
    page::build_if_old()?;
    check::all()?;
    // All at once: what is built for one package alone has other features, and is built again for the next.
    start("cargo", &["test", "--workspace", "--no-run", "--quiet"])?;
    for example in ["first_path", "plan_from_file", "scene_to_mesh", "many_queries"] {
        start(&repository::built("debug", &format!("examples/{example}")), &[])?;
    }
    if full {
        everything_else_compiles()?;
        beside_an_engine()?;
    }
    page::test(full)?;
    // The two runners come last so that their closing lines do.
    start("cargo", &["test", "--workspace", "--doc", "--quiet"])?;
    tests(full)
}

/// The property tests try the same cases in every run, so that a change is judged by what it changes and not by
/// luck. `--full` tries new ones, and so does `cargo test` by itself.
const SAME_CASES: [(&str, &str); 1] = [("PROPTEST_RNG_SEED", "20170819")];

/// All tests, by nextest where it is there. It is not installed: compiling it takes longer on two cores than all
/// tests together, and `cargo test` needs nothing.
fn tests(full: bool) -> Result<()> {
    let environment: &[_] = if full { &[] } else { &SAME_CASES };
    if works("cargo", &["nextest", "--version"]) {
        let mut arguments = vec!["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "slow"];
        if full {
            arguments.extend(["--run-ignored", "all"]);
        }
        run_with("cargo", &arguments, environment)
    } else {
        let mut arguments = vec!["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"];
        if full {
            arguments.extend(["--", "--include-ignored"]);
        }
        run_with("cargo", &arguments, environment)
    }
}

/// Contacts of crowds beside those of a physics engine, which takes some minutes to compile.
fn beside_an_engine() -> Result<()> {
    start("cargo", &["test", "--package", "wayfare-crowd", "--features", "rapier", "--test", "rapier"])
}

/// What lies outside of the workspace: the fuzz targets and the comparisons with other programs.
fn everything_else_compiles() -> Result<()> {
    let root = repository::root();
    if root.join("fuzz/Cargo.toml").exists() {
        start("cargo", &["check", "--manifest-path", "fuzz/Cargo.toml"])?;
    }
    for peer in crate::bench::peers()? {
        start("cargo", &["check", "--manifest-path", &format!("peers/{peer}/Cargo.toml")])?;
    }
    Ok(())
}
