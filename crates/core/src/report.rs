//! What checks and repairs found: data first, sentences second.

use std::fmt;

/// One broken invariant of a product, with the element that breaks it.
#[derive(Clone, Debug, PartialEq)]
pub struct Defect {
    /// The invariant's number in the design, as `N1`.
    pub invariant: &'static str,
    /// The element, as `cell 12`.
    pub element: String,
    /// What is wrong, with numbers.
    pub message: String,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.invariant, self.element, self.message)
    }
}

/// One kind of repair, how often it was made and where first.
#[derive(Clone, Debug, PartialEq)]
pub struct Repair {
    /// What was mended, as `self-crossing`; stable, used as a key in JSON.
    pub kind: &'static str,
    /// How often.
    pub count: usize,
    /// The place of the first one, in the words of the input (`ring 3, vertex 7 at (1, 2)`).
    pub first: String,
}

/// Everything that was repaired or set aside on the way from the input to a product.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RepairReport {
    /// The repairs, in the order in which their kinds were first met.
    pub repairs: Vec<Repair>,
}

impl RepairReport {
    /// Counts one repair of a kind; the place is written down only the first time.
    pub fn note(&mut self, kind: &'static str, place: impl FnOnce() -> String) {
        match self.repairs.iter_mut().find(|repair| repair.kind == kind) {
            Some(repair) => repair.count += 1,
            None => self.repairs.push(Repair { kind, count: 1, first: place() }),
        }
    }
    /// Whether the input was used as it was.
    pub fn is_empty(&self) -> bool {
        self.repairs.is_empty()
    }
    /// How often a kind of repair was made.
    pub fn count(&self, kind: &str) -> usize {
        self.repairs.iter().find(|repair| repair.kind == kind).map_or(0, |repair| repair.count)
    }
    /// Adds the repairs of a later stage.
    pub fn merge(&mut self, other: RepairReport) {
        for repair in other.repairs {
            match self.repairs.iter_mut().find(|mine| mine.kind == repair.kind) {
                Some(mine) => mine.count += repair.count,
                None => self.repairs.push(repair),
            }
        }
    }
}

impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, repair) in self.repairs.iter().enumerate() {
            let comma = if k > 0 { "; " } else { "" };
            write!(f, "{comma}{} × {} (first: {})", repair.count, repair.kind, repair.first)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_keeps_the_first_place_and_counts_the_rest() {
        let mut report = RepairReport::default();
        report.note("duplicate-vertex", || "ring 0, vertex 3".into());
        report.note("duplicate-vertex", || unreachable!("only the first place is asked for"));
        let mut later = RepairReport::default();
        later.note("duplicate-vertex", || "elsewhere".into());
        report.merge(later);
        assert_eq!(report.to_string(), "3 × duplicate-vertex (first: ring 0, vertex 3)");
    }
}
