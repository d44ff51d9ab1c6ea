//! This program once more, in a process of its own.

use serde_json::Value;
use std::process::{Command, Stdio};

/// Runs the program with these arguments; what it printed, or why it failed.
pub fn run(arguments: &[&str]) -> Result<Value, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let first =
            errors.lines().filter(|line| !line.trim().is_empty()).take(2).collect::<Vec<_>>().join(" ");
        return Err(format!("{}: {first}", output.status));
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// Mebibytes of a number of bytes.
pub fn mebibytes(bytes: Option<u64>) -> Option<f64> {
    bytes.map(|bytes| bytes as f64 / f64::from(1 << 20))
}
