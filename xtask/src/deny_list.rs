//! Words that no file of the repository may hold: unfinished work, debug output, places of one machine.

use crate::repository;
use anyhow::{Result, bail};

/// What is refused and why. The words are put together here so that this file does not hold them.
fn denied() -> Vec<(String, &'static str)> {
    let joined = |parts: &[&str]| parts.concat();
    vec![
        (joined(&["to", "do!("]), "unfinished code"),
        (joined(&["unimple", "mented!("]), "unfinished code"),
        (joined(&["FIX", "ME"]), "unfinished work"),
        (joined(&["X", "XX"]), "unfinished work"),
        (joined(&["d", "bg!("]), "debug output"),
        (joined(&["/wo", "rk/"]), "a path of one machine"),
        (joined(&["/ho", "me/"]), "a path of one machine"),
        (joined(&["/ro", "ot/"]), "a path of one machine"),
        (joined(&["/Us", "ers/"]), "a path of one machine"),
        (joined(&[":\\Us", "ers\\"]), "a path of one machine"),
        (joined(&["replace-", "with"]), "a package registry of one machine"),
        (joined(&["index-", "url"]), "a package registry of one machine"),
    ]
}

/// Looks through every text file of the repository; reports every find at once.
pub fn check() -> Result<()> {
    let denied = denied();
    let mut finds = Vec::new();
    for file in repository::files()? {
        let Some(text) = repository::text(&file)? else { continue };
        let is_lock = file.file_name().is_some_and(|name| name == "Cargo.lock");
        for (number, line) in text.lines().enumerate() {
            for (word, why) in &denied {
                if line.contains(word.as_str()) {
                    finds.push(format!("{}:{}: '{word}': {why}", file.display(), number + 1));
                }
            }
            if is_lock && line.starts_with("source = ") && !line.contains("/crates.io-index\"") {
                finds.push(format!(
                    "{}:{}: a package that is not from crates.io",
                    file.display(),
                    number + 1
                ));
            }
        }
    }
    if !finds.is_empty() {
        bail!("{} lines hold what no file may hold:\n{}", finds.len(), finds.join("\n"));
    }
    Ok(())
}
