//! Edges that a disc does not fit through, and how deep it is looked behind them.

use crate::clearance::FREE_SLACK;
use wayfare_core::DVec2;
use wayfare_geom::segment::distance_squared_to_segment;

/// An edge that the disc does not fit through.
///
/// Both of its ends are corners of obstacles, so its centre does not cross it. But the corner that it touches at an end of a
/// straight piece may lie behind: as deep as the edge, a chord of the disc, cuts a cap off it.
#[derive(Clone, Copy)]
pub(super) struct Slit {
    ends: [DVec2; 2],
    depth: f64,
    /// Edges that were crossed behind it.
    pub steps: u32,
}

impl Slit {
    pub fn of(ends: [DVec2; 2], radius: f64) -> Option<Self> {
        let half = ends[0].distance(ends[1]) / 2.0;
        let least = radius - FREE_SLACK;
        if half >= least {
            return None;
        }
        let depth = radius - (least * least - half * half).sqrt() + FREE_SLACK;
        Some(Self { ends, depth, steps: 0 })
    }

    /// The same seen from behind one edge more.
    pub fn one_edge_on(self) -> Self {
        Self { steps: self.steps + 1, ..self }
    }

    pub fn is_near(&self, p: DVec2) -> bool {
        distance_to_line(p, self.ends) <= self.depth
    }

    /// Whether a part of an edge may be near.
    pub fn may_reach(&self, edge: [DVec2; 2]) -> bool {
        let [a, b] = self.ends;
        let between = [
            distance_to_line(a, edge),
            distance_to_line(b, edge),
            distance_to_line(edge[0], self.ends),
            distance_to_line(edge[1], self.ends),
        ];
        between.into_iter().fold(f64::INFINITY, f64::min) <= self.depth
    }
}

/// Behind a slit sight goes on at once, but for so many edges; beyond, it waits its turn like all others.
pub(super) const MOST_STEPS: u32 = 64;

/// The distance from a point to a segment.
pub(super) fn distance_to_line(p: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    distance_squared_to_segment(p, a, b).sqrt()
}
