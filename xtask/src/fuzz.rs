//! `cargo xtask fuzz [TARGET] [--seconds N]`: one fuzz target, or each in turn.

use crate::run::{output, run as start, works};
use anyhow::{Context as _, Result, bail};

pub fn run(rest: &[String]) -> Result<()> {
    let (mut target, mut seconds) = (None, 60u32);
    let mut arguments = rest.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => {
                let value = arguments.next().context("--seconds needs a number")?;
                seconds =
                    value.parse().with_context(|| format!("--seconds: '{value}' is not a whole number"))?;
            }
            other if other.starts_with('-') => bail!("`cargo xtask fuzz` takes no option '{other}'"),
            other if target.is_none() => target = Some(other.to_owned()),
            other => bail!("one target at a time, not '{other}' too; leave it out to run each in turn"),
        }
    }
    if !works("cargo", &["+nightly", "--version"]) {
        bail!("fuzzing needs the nightly toolchain: `rustup toolchain install nightly`");
    }
    if !works("cargo", &["fuzz", "--version"]) {
        eprintln!("cargo-fuzz is not there: installing it");
        start("cargo", &["install", "--locked", "cargo-fuzz"])?;
    }
    let listed = output("cargo", &["+nightly", "fuzz", "list"])?;
    let known: Vec<&str> = listed.split_whitespace().collect();
    let chosen: Vec<&str> = match &target {
        None => known,
        Some(name) if known.contains(&name.as_str()) => vec![name],
        Some(name) => bail!("there is no fuzz target '{name}'; there are: {}", known.join(", ")),
    };
    let limit = format!("-max_total_time={seconds}");
    for target in chosen {
        start(
            "cargo",
            &["+nightly", "fuzz", "run", target, "--", &limit, "-timeout=20", "-rss_limit_mb=4096"],
        )?;
    }
    Ok(())
}
