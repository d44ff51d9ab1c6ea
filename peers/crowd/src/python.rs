//! The Python side: packages, and one program that is called by its commands.

use anyhow::{Context as _, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
};

pub fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where files for the other side lie.
pub fn exchange() -> Result<PathBuf> {
    let folder = here().join("target/exchange");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Held while packages are installed: several threads may ask for the first time at once.
static INSTALLED: Mutex<bool> = Mutex::new(false);

/// A Python with the packages; installed on the first run.
fn python() -> Result<PathBuf> {
    let mut is_installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = here().join("target/venv");
    let python = folder.join("bin/python");
    if *is_installed {
        return Ok(python);
    }
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    let is_there =
        Command::new(&python).args(["-c", "import jupedsim, pedpy"]).stderr(Stdio::null()).status();
    if !is_there.is_ok_and(|status| status.success()) {
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "-r"])
            .arg(here().join("requirements.txt")))?;
    }
    *is_installed = true;
    Ok(python)
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.stdout(Stdio::null()).status().with_context(|| format!("cannot run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}

/// What `worker.py` answers to a command: numbers.
pub fn ask(words: &[&str]) -> Result<Vec<f64>> {
    let output = Command::new(python()?)
        .arg(here().join("worker.py"))
        .args(words)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start Python")?;
    if !output.status.success() {
        bail!("worker.py {} failed", words.join(" "));
    }
    let text = String::from_utf8(output.stdout)?;
    Ok(text.split_whitespace().filter_map(|word| word.parse().ok()).collect())
}
