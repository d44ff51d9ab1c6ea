//! `cargo xtask pictures`: redraws `docs/pictures` from generated plans and scenes, never from the data of others.

use crate::{
    repository,
    run::{no_arguments, run as start},
};
use anyhow::{Context as _, Result};
use std::fs;

pub fn run(rest: &[String]) -> Result<()> {
    no_arguments("pictures", rest)?;
    let root = repository::root();
    let scratch = root.join("target/pictures");
    let folder = scratch.to_string_lossy().into_owned();
    start(
        "cargo",
        &[
            "run",
            "--release",
            "--quiet",
            "--package",
            "wayfare",
            "--bin",
            "wayfare",
            "--",
            "demo",
            "-o",
            &folder,
        ],
    )?;
    let target = root.join("docs/pictures");
    fs::create_dir_all(&target).context("cannot make docs/pictures")?;
    let names = [
        "storey-0",
        "storey-1",
        "storey-2",
        "office",
        "bodies",
        "relaxed",
        "evacuation",
        "air",
        "gaps",
        "platforms",
    ];
    for picture in names.map(|name| format!("{name}.svg")) {
        fs::copy(scratch.join(&picture), target.join(&picture))
            .with_context(|| format!("cannot copy {picture}"))?;
    }
    let trajectories = target.join("trajectories.svg").to_string_lossy().into_owned();
    let bench = ["--package", "wayfare-testkit", "--features", "bench", "--bin", "portals"];
    let draw =
        ["run", "--release", "--quiet"].into_iter().chain(bench).chain(["--", "--picture", &trajectories]);
    start("cargo", &draw.collect::<Vec<_>>())?;
    Ok(())
}
