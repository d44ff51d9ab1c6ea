//! What is measured: flows across lines, densities in areas, contacts.

use super::zone::Zone;
use crate::field::clipped;
use std::collections::BTreeSet;
use wayfare_core::DVec2;
use wayfare_navmesh::{CellId, NavMesh};

/// A line at which a flow is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its line in the file.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// Its two ends.
    pub ends: [DVec2; 2],
    /// The heights of the ground that counts, lowest and highest [m].
    pub heights: [f64; 2],
}

impl Line {
    /// Its length [m].
    pub fn length(&self) -> f64 {
        self.ends[0].distance(self.ends[1])
    }
    /// The storeys that have ground along it, at the heights that count; within a millimetre of it, so that walls are no matter of rounding.
    pub fn storeys(&self, mesh: &NavMesh) -> BTreeSet<u32> {
        let [a, b] = self.ends;
        let aside = (b - a).normalize_or_zero().perp() * 0.001;
        let ring = [a - aside, b - aside, b + aside, a + aside];
        let is_along = |cell: &CellId| {
            let mut left: Vec<DVec2> = mesh.cell_points(*cell).collect();
            for (&p, &q) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                left = clipped(&left, |at| (q - p).perp_dot(at - p));
            }
            let middle = left.iter().sum::<DVec2>() / left.len().max(1) as f64;
            !left.is_empty() && (self.heights[0]..=self.heights[1]).contains(&mesh.height(*cell, middle))
        };
        mesh.cells().filter(is_along).map(|cell| mesh.storey(cell)).collect()
    }
    /// Whether somebody who moved from one point to another crossed it. Who ends on it has crossed it, who begins has not.
    pub(crate) fn is_crossed(&self, from: DVec2, to: DVec2, z: f64) -> bool {
        let [a, b] = self.ends;
        let side = |p: DVec2| (b - a).perp_dot(p - a) >= 0.0;
        // A rounded sign will do: a crossing is counted in this step or in the next one.
        if !(self.heights[0]..=self.heights[1]).contains(&z) || side(from) == side(to) {
            return false;
        }
        let way = to - from;
        let turn = way.perp_dot(b - a);
        (0.0..=1.0).contains(&((from - a).perp_dot(way) / -turn))
    }
}

/// When agents crossed a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passages(pub Vec<f64>);

impl Passages {
    /// Persons per metre and second over the middle 80 % of the passages; nothing where they are too few.
    pub fn flow(&self, width: f64) -> Option<f64> {
        let times = &self.0;
        let skip = times.len() / 10;
        let (from, to) = (skip, times.len().checked_sub(1 + skip)?);
        let seconds = times.get(to)? - times.get(from)?;
        (to > from && seconds > 0.0).then(|| (to - from) as f64 / seconds / width)
    }
}

/// The mean number of agents in an area.
#[derive(Clone, Debug)]
pub(crate) struct Density {
    pub name: String,
    pub zone: Zone,
    pub sum: f64,
    pub looks: usize,
}

/// What came out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Agents that came into being.
    pub agents: usize,
    /// Agents that reached the end of their journey.
    pub arrived: usize,
    /// Steps.
    pub steps: usize,
    /// Simulated time [s].
    pub simulated_seconds: f64,
    /// Agents times steps.
    pub agent_steps: u64,
    /// For each line its name, the number of passages, and persons per metre and second over the middle 80 % of them.
    pub flow: Vec<(String, usize, Option<f64>)>,
    /// For each area its name and the mean density [1/m²].
    pub density: Vec<(String, f64)>,
    /// For each exit, and each goal that agents may leave at, its name and how many left there.
    pub exits: Vec<(String, usize)>,
    /// Pairs of agents with a gap of less than 1 mm, a step.
    pub agent_contacts_per_tick: f64,
    /// Agents with a gap of less than 1 mm to a wall, a step.
    pub wall_contacts_per_tick: f64,
    /// The largest overlap at any step [m].
    pub max_overlap: f64,
    /// Agents that would have left the ground, all steps together.
    pub off_mesh: usize,
    /// Agents that have no way, or did not move 0.5 m in the last 10 s though they wanted to and stand in no queue whose head moves or waits.
    pub stuck: usize,
    /// Agents for which there was no room.
    pub not_placed: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn a_line_is_crossed_between_its_ends_once_and_on_its_storey() {
        let line =
            Line { line: 0, name: String::new(), ends: [dvec2(0., 0.), dvec2(0., 2.)], heights: [-1.0, 1.0] };
        let crossed = |a: (f64, f64), b: (f64, f64), z| line.is_crossed(dvec2(a.0, a.1), dvec2(b.0, b.1), z);
        assert!(crossed((-1., 1.), (1., 1.), 0.0) && crossed((1., 1.), (-1., 1.), 0.0));
        assert!(!crossed((-1., 3.), (1., 3.), 0.0) && !crossed((-1., 1.), (1., 1.), 3.0));
        assert!(!crossed((-2., 1.), (-1., 1.), 0.0));
        // In two steps that meet on the line it is crossed once.
        let twice = [((-1., 1.), (0., 1.)), ((0., 1.), (1., 1.))].map(|(a, b)| crossed(a, b, 0.0));
        assert_eq!(twice.iter().filter(|&&is| is).count(), 1);
    }

    #[test]
    fn a_flow_leaves_out_the_first_and_the_last_tenth() {
        let times = (0..100).map(|k| if k < 10 { 0.0 } else { f64::from(k) * 0.5 }).collect();
        assert_eq!(Passages(times).flow(2.0), Some(1.0));
        assert_eq!(Passages(vec![1.0]).flow(1.0), None);
        assert_eq!(Passages::default().flow(1.0), None);
    }
}
