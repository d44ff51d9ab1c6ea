//! What a crowd promises, looked at by itself: C1 to C3 of [`Crowd`].

use crate::{
    agents::Body,
    contact,
    crowd::Crowd,
    standing::Standing,
    walls::{Kept, Scratch},
};
use wayfare_core::Defect;
use wayfare_geom::segment::nearest_on_segment;

/// An overlap that is no defect [m].
const MOST: f64 = 0.001;

impl Crowd {
    /// Everything that is not as it should be: bodies that overlap (C1), bodies in walls (C2), agents that are not in their
    /// cell (C3).
    pub fn check(&self) -> Vec<Defect> {
        let bodies = &self.agents.bodies;
        let mut standing = Standing::default();
        standing.renew(bodies);
        let mut defects = Vec::new();
        let mut scratch = Scratch::default();
        for body in bodies {
            let mut add = |invariant, message| {
                defects.push(Defect { invariant, element: format!("agent {}", body.id), message });
            };
            let overlap = |other: &Body| body.radius + other.radius - body.at.distance(other.at);
            let is_in_the_way = |other: &Body| {
                let squared = body.at.distance_squared(other.at);
                other.id > body.id
                    && overlap(other) > MOST
                    && contact::is_same_storey(body.z, squared, other.z)
            };
            if let Some(other) = standing.find(bodies, body.at, body.radius, is_in_the_way) {
                add("C1", format!("overlaps agent {other}"));
            }
            let mut room = f64::INFINITY;
            let mut kept = Kept::default();
            self.walls.near(&self.mesh, body.stand(), body.radius, &mut kept, &mut scratch, |corner| {
                let [a, b] = self.walls.edge(corner);
                room = room.min(nearest_on_segment(body.at, a, b).distance(body.at));
            });
            if room < body.radius - MOST {
                add("C2", format!("has a radius of {} m and a wall {room:.4} m away", body.radius));
            }
            if !self.mesh.contains(body.cell, body.at) {
                add("C3", format!("is not in its cell {}", body.cell.0));
            }
        }
        defects
    }
}
