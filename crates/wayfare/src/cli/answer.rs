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

/// A message as one line: every line break and what is blank around it becomes one blank.
pub fn one_line(message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}
