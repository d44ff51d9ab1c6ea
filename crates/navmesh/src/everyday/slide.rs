//! A step that slides along what is in the way.
//!
//! Idea: go straight until something is touched, take the part out of the rest of the step that leads into it, go on. A
//! body that touches two things, each of which leads it into the other, stands in a corner and stops; so does
//! one that would have to go back.
//! Source: the clipping of velocities in Quake's `SV_FlyMove`. We differ: contacts are exact, so that nothing needs to be
//!   bounced off, and a body in contact is put to exactly its radius, so that rounding does not add up.
//! Invariants: the body stays on the ground and no nearer to obstacles than its radius less the slack, and never goes
//!   farther than the step is long.
//! Cost: [`MOST_CONTACTS`] straight lines at most; nothing is allocated unless something is closed.

use super::{Contact, Stand, Touch, Walker};
use crate::{
    Body, End, FREE_SLACK, LocateConfig, NoPath, PathFinder,
    mesh::{CellId, NavMesh},
};
use std::ops::Deref;
use wayfare_core::{DVec2, DVec3};

/// So many obstacles are slid along in one step; what is left of it then is not gone. A round pillar of a hundred edges can
/// be passed in one step.
const MOST_CONTACTS: usize = 64;
/// Two contacts belong to one place if they are not farther apart than this [m]: a thousand times the slack.
const ONE_PLACE: f64 = 1e-6;
/// Obstacles of one place that are remembered; in the plane two are enough to hold a body.
const MOST_WALLS: usize = 4;
/// How far from an edge that it cannot cross a centre is put [m], so that it can go along the edge: as near as a body may be
/// to what it must not touch.
const OFF_EDGES: f64 = FREE_SLACK;

/// Where a step led.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// Where the body is, on the ground.
    pub point: DVec3,
    /// A cell that this is in.
    pub cell: CellId,
    /// Whether it went straight to the goal.
    pub arrived: bool,
    /// The last obstacle that it slid along, or that stopped it.
    pub contact: Option<Contact>,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// Takes a body a step from one point towards another; it slides along obstacles, and stops in corners.
    ///
    /// Only the plan of `to` counts. Fails if the start is off the mesh or too tight.
    pub fn move_along(
        &self,
        body: &Body,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
    ) -> Result<Moved, NoPath> {
        let to = to.truncate();
        if !to.is_finite() {
            return Err(NoPath::OffMesh { which: End::Goal, at: to.extend(0.0) });
        }
        let walker = &self.walker(body)?;
        let mut stand = self.stand(walker, from, to, config)?;
        let wanted = to - stand.at;
        let mut rest = wanted;
        let (mut arrived, mut last) = (false, None);
        let mut walls = [DVec2::ZERO; MOST_WALLS];
        let mut count = 0;
        for k in 0..MOST_CONTACTS {
            let goal = if k == 0 { to } else { stand.at + rest };
            let reached = self.go_straight(walker, stand, goal, |_| {});
            if !self.fits(walker, reached.stand) {
                break;
            }
            stand = reached.stand;
            let Some(touch) = reached.touch else {
                arrived = k == 0;
                break;
            };
            last = Some(touch);
            stand = self.off(walker, stand, &touch);
            if reached.distance > ONE_PLACE {
                count = 0;
            }
            rest *= 1.0 - reached.distance / reached.length;
            rest -= touch.normal * rest.dot(touch.normal).min(0.0);
            // Into an obstacle of this place, but for rounding; or back.
            let is_held = |wall: &DVec2| wall.dot(rest) < -1e-12 * rest.length();
            if count == MOST_WALLS || walls[..count].iter().any(is_held) || rest.dot(wanted) <= 0.0 {
                break;
            }
            walls[count] = touch.normal;
            count += 1;
        }
        let (point, cell) = self.on_ground(stand);
        Ok(Moved { point, cell, arrived, contact: last.map(|touch| self.contact(touch)) })
    }

    /// A body at a contact, put to where it just touches.
    fn off(&self, walker: &Walker<'_>, stand: Stand, touch: &Touch) -> Stand {
        let by = match walker.radius {
            Some(radius) => radius - stand.at.distance(touch.point),
            None => OFF_EDGES,
        };
        if by <= 0.0 || by > 2.0 * walker.slack {
            return stand;
        }
        let off = self.go_straight(&walker.as_point(), stand, stand.at + touch.normal * by, |_| {});
        if off.touch.is_none() && self.fits(walker, off.stand) { off.stand } else { stand }
    }
}
