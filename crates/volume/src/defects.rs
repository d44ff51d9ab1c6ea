//! Collects what is wrong, all at once but never without end.

use std::fmt::Display;
use wayfare_core::Defect;

/// More than anybody reads; hostile data must not turn into gigabytes of sentences.
const MOST: usize = 10_000;

/// Defects in the order in which they were found. The first [`MOST`] are kept, the others counted.
#[derive(Default)]
pub(crate) struct Defects {
    list: Vec<Defect>,
    more: usize,
}

impl Defects {
    pub(crate) fn add(
        &mut self,
        invariant: &'static str,
        element: impl Display,
        message: impl FnOnce() -> String,
    ) {
        if self.list.len() < MOST {
            self.list.push(Defect { invariant, element: element.to_string(), message: message() });
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn into_vec(mut self) -> Vec<Defect> {
        if self.more > 0 {
            let message = format!("{} more defects are not listed", self.more);
            self.list.push(Defect { invariant: "V0", element: "mesh".into(), message });
        }
        self.list
    }
}
