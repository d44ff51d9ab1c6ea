//! Where ledges end: no step over the ground beside an end is higher than a body takes.
//!
//! Idea: pixels know to a pixel where a ledge becomes low enough to be stepped over, and one into which a sliver of a lower tread comes
//!   counts as such. The triangles know it better: ways straight across the ledge are tried, from its end on, until one can be walked.

use super::lines::Finder;
use wayfare_core::DVec2;
use wayfare_geom::Aabb2;

/// Ends of ledges move so far at most [pixels].
const FARTHEST_END: f64 = 12.0;

/// Ways across are so far from each other, and so are places on them [pixels].
const FINE: f64 = 1.0 / 8.0;

/// Heights are rounded by less [m].
const ROUNDED: f64 = 1e-3;

impl Finder<'_> {
    /// How far on a ledge ends that lies between two places on its sides, with the heights of the ground there [m]; its end goes on in a
    /// direction of length 1 [pixels]; and the heights there. `None` if nowhere near.
    pub fn end_of_ledge(&self, sides: [(DVec2, f64); 2], on: DVec2) -> Option<(f64, [f64; 2])> {
        let Finder { lattice, obstacles, .. } = self;
        let is_first_high = sides[0].1 > sides[1].1;
        let [high, low] = if is_first_high { sides } else { [sides[1], sides[0]] };
        let (way, rise) = (low.0 - high.0, obstacles.rise * FINE);
        let corners = [high.0, low.0, high.0 + on * FARTHEST_END, low.0 + on * FARTHEST_END];
        let plan = Aabb2::of_points(corners.map(|p| lattice.place(p)));
        let floors = obstacles.floors_near(plan, [low.1, high.1]);
        let pieces = (way.length() / FINE).ceil().max(1.0);
        let mut top = high.1;
        (0..=(FARTHEST_END / FINE) as u32).map(|k| f64::from(k) * FINE).find_map(|far| {
            let start = high.0 + on * far;
            top = floors.floor_height(lattice.place(start), top).unwrap_or(top);
            // Down from the higher side: what lies under something else is never met.
            let mut z = top;
            let is_way = (0..=pieces as u32).all(|k| {
                let place = lattice.place(start + way * (f64::from(k) / pieces));
                let next = floors.highest_below(place, z + rise).unwrap_or(z);
                let fall = z - next;
                z = next;
                fall <= obstacles.step() + rise + ROUNDED
            });
            is_way.then_some((far, if is_first_high { [top, z] } else { [z, top] }))
        })
    }
}
