//! How a verb ends when it did not fail.

/// The exit code of a verb that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Done: exit code 0.
    Yes,
    /// Done, but the answer is no: exit code 1.
    No,
}

impl From<bool> for Answer {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// An error with its causes as one line. Errors that name their cause themselves do not say it twice.
pub fn sentence(error: &anyhow::Error) -> String {
    let mut out = String::new();
    for cause in error.chain() {
        let cause = one_line(&cause.to_string());
        if !out.contains(&cause) {
            out += if out.is_empty() { "" } else { ": " };
            out += &cause;
        }
    }
    out
}

/// A message as one line: every line break and what is blank around it becomes one blank.
pub fn one_line(message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::{Context as _, anyhow};

    #[test]
    fn a_cause_is_said_once_and_all_is_one_line() {
        let error =
            Err::<(), _>(anyhow!("no such\n  file")).context("cannot read x: no such file").context("bake");
        assert_eq!(sentence(&error.unwrap_err()), "bake: cannot read x: no such file");
    }
}
