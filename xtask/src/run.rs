//! Running other programs, each announced on standard error.

use crate::repository;
use anyhow::{Context as _, Result, bail};
use std::process::{Command, Stdio};

/// Runs a program in the repository's root and fails when it fails.
pub fn run(program: &str, arguments: &[&str]) -> Result<()> {
    run_with(program, arguments, &[])
}

/// Like [`run`], with more environment variables.
pub fn run_with(program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<()> {
    eprintln!("\n> {program} {}", arguments.join(" "));
    let status = command(program, arguments)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    if !status.success() {
        bail!("`{program} {}` failed ({status})", arguments.join(" "));
    }
    Ok(())
}

/// Runs a program and returns what it wrote to standard output.
pub fn output(program: &str, arguments: &[&str]) -> Result<String> {
    output_with(program, arguments, &[])
}

/// Like [`output`], with more environment variables.
pub fn output_with(program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<String> {
    let output = command(program, arguments)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {program}"))?;
    if !output.status.success() {
        bail!("`{program} {}` failed ({})", arguments.join(" "), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program and returns what it wrote to standard error, whether it ended well or not.
pub fn error_output(program: &str, arguments: &[&str]) -> Result<String> {
    let output = command(program, arguments)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {program}"))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Whether a program can be started and ends well; it says nothing.
pub fn works(program: &str, arguments: &[&str]) -> bool {
    command(program, arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(repository::root());
    // Cargo tells xtask about xtask's own package; the programs it starts have nothing to do with it.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Fails on arguments that a command does not know.
pub fn no_arguments(command: &str, rest: &[String]) -> Result<()> {
    match rest.first() {
        Some(argument) => bail!("`cargo xtask {command}` takes no argument '{argument}'"),
        None => Ok(()),
    }
}
