//! `cargo xtask demo`: builds the command in release mode and runs its demo.

use crate::{page, run::run as start};
use anyhow::Result;

/// Further arguments go to `wayfare demo`.
pub fn run(rest: &[String]) -> Result<()> {
    page::build_if_possible()?;
    let mut arguments =
        vec!["run", "--release", "--quiet", "--package", "wayfare", "--bin", "wayfare", "--", "demo"];
    arguments.extend(rest.iter().map(String::as_str));
    start("cargo", &arguments)
}
