//! What happened in a step.

use crate::{
    agents::Body,
    contact::{CHUNK, Near},
    goal::JourneyId,
    walls::Walls,
};
use wayfare_core::DVec3;
use wayfare_geom::segment::distance_squared_to_segment;

/// Bodies whose gap is less touch [m].
pub const TOUCHING: f64 = 0.001;

/// An agent that left the crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Left {
    /// Its number.
    pub id: u32,
    /// Where it was.
    pub at: DVec3,
    /// Its journey.
    pub journey: JourneyId,
}

/// What happened in the last step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Agents that reached the end of their journey.
    pub arrived: usize,
    /// Those of them that left the crowd, and where they were.
    pub left: Vec<Left>,
    /// Pairs of agents whose gap is less than 1 mm.
    pub agent_contacts: usize,
    /// Agents whose gap to a wall is less than 1 mm.
    pub wall_contacts: usize,
    /// The largest overlap of two bodies or of a body and a wall [m]; 0 or more.
    pub max_overlap: f64,
    /// Agents that would have left the ground and were held back.
    pub off_mesh: usize,
}

impl StepReport {
    /// A new step.
    pub(crate) fn begin(&mut self) {
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        *self = Self { left, ..Self::default() };
    }

    /// Looks at all gaps.
    pub(crate) fn measure(&mut self, bodies: &[Body], near: &[Near], walls: &Walls) {
        (self.agent_contacts, self.wall_contacts) = (0, 0);
        let mut overlap = |gap: f64| self.max_overlap = self.max_overlap.max(-gap);
        for (chunk, near) in near.iter().enumerate() {
            for (k, me) in (chunk * CHUNK..bodies.len().min((chunk + 1) * CHUNK)).enumerate() {
                let body = &bodies[me];
                for &other in near.others(k) {
                    // Each pair once.
                    if (other as usize) < me {
                        continue;
                    }
                    let other = &bodies[other as usize];
                    let sum = body.radius + other.radius;
                    let squared = body.at.distance_squared(other.at);
                    if squared < (sum + TOUCHING) * (sum + TOUCHING) {
                        self.agent_contacts += 1;
                        overlap(squared.sqrt() - sum);
                    }
                }
                let mut touches = false;
                for &wall in near.walls(k) {
                    let [a, b] = walls.edge(wall);
                    let squared = distance_squared_to_segment(body.at, a, b);
                    let touching = body.radius + TOUCHING;
                    if squared < touching * touching {
                        touches = true;
                        overlap(squared.sqrt() - body.radius);
                    }
                }
                self.wall_contacts += usize::from(touches);
            }
        }
    }
}
