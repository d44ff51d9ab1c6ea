//! Collects what is wrong, all at once but never without end.

use crate::Defect;
use std::fmt::Display;

/// More than anybody reads; hostile data must not turn into gigabytes of sentences.
pub const MOST: usize = 10_000;

/// Defects in the order in which they were found. The first [`MOST`] are kept, the others counted.
#[derive(Debug, Default)]
pub struct Defects {
    list: Vec<Defect>,
    more: usize,
}

impl Defects {
    /// Adds one; the words are made only if it is kept.
    pub fn add(&mut self, invariant: &'static str, element: impl Display, message: impl FnOnce() -> String) {
        if self.list.len() < MOST {
            self.list.push(Defect { invariant, element: element.to_string(), message: message() });
        } else {
            self.more += 1;
        }
    }

    /// Number of defects so far, with those that are only counted.
    pub fn count(&self) -> usize {
        self.list.len() + self.more
    }

    /// Whether further defects would only be counted: time for a costly check to stop.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All that are kept; the last, of an invariant with this name, counts the others.
    pub fn into_vec(mut self, others: &'static str) -> Vec<Defect> {
        if self.more > 0 {
            let message = format!("{} more defects are not listed", self.more);
            self.list.push(Defect { invariant: others, element: "mesh".into(), message });
        }
        self.list
    }
}

/// The first defect and how many there are.
pub fn summary(defects: &[Defect]) -> String {
    match defects {
        [] => "no defects".into(),
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_listed_is_counted() {
        let mut defects = Defects::default();
        for k in 0..MOST + 7 {
            defects.add("N1", k, String::new);
        }
        assert_eq!(defects.count(), MOST + 7);
        let list = defects.into_vec("N0");
        assert_eq!(list.len(), MOST + 1);
        assert_eq!(list[MOST].message, "7 more defects are not listed");
    }
}
