//! Who stands where between two steps, so that newcomers find out fast whether a place is free.
//!
//! Idea: a grid of everybody, and a list of those who came since it was made, which is looked through one by one; when the list
//!   grows too long the grid is made again, so that adding n agents costs O(n log n) in all. A step makes it worthless.

use crate::{agents::Body, grid::Grid};
use wayfare_core::DVec2;

/// So many newcomers are looked through one by one, and a quarter of those in the grid.
const NEWCOMERS: usize = 64;

/// Who stands where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    grid: Grid,
    /// How many are in the grid; the others are newcomers.
    in_grid: usize,
    largest: f64,
    is_fresh: bool,
}

impl Standing {
    /// Somebody moved.
    pub fn forget(&mut self) {
        self.is_fresh = false;
    }

    /// Makes sure that [`Standing::is_taken`] is right and fast.
    pub fn renew(&mut self, bodies: &[Body]) {
        if self.is_fresh && bodies.len() - self.in_grid <= NEWCOMERS + self.in_grid / 4 {
            return;
        }
        self.grid.fill(bodies.len(), |k| bodies[k].seen(k, DVec2::ZERO));
        self.in_grid = bodies.len();
        self.largest = bodies.iter().map(|body| body.radius).fold(0.0, f64::max);
        self.is_fresh = true;
    }

    /// The first body near a point for which something holds.
    pub fn find(&self, bodies: &[Body], p: DVec2, reach: f64, is_it: impl Fn(&Body) -> bool) -> Option<u32> {
        let mut found: Option<u32> = None;
        let mut look = |body: &Body| {
            if is_it(body) && found.is_none_or(|other| body.id < other) {
                found = Some(body.id);
            }
        };
        if self.is_fresh {
            self.grid.for_each_near(p, reach + self.largest, |seen| look(&bodies[seen.agent as usize]));
            bodies[self.in_grid..].iter().for_each(look);
        } else {
            bodies.iter().for_each(look);
        }
        found
    }
}
