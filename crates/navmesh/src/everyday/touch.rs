//! When a disc that moves straight touches a feature of the boundary.
//!
//! In front of an edge the distance changes linearly; from a corner it is that of a point to a line. Both are convex, so a
//! disc that comes too near does so once, and one that goes away never does.
//!
//! A disc may be nearer than its radius by a slack. It *hits* a feature where it comes nearer than half of that, and stands
//! then where it touched the feature first: so it can slide along a wall without hitting it again and again by rounding.
//! Source: own; distances of features as in `clearance/line.rs`.

use crate::clearance::Feature;
use wayfare_core::DVec2;

/// A disc that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    pub radius: f64,
    /// How much nearer it may be [m].
    pub slack: f64,
    pub from: DVec2,
    /// Of length 1.
    pub direction: DVec2,
}

/// When a disc hits a feature, as distances from its start [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    /// Where it touches: its distance is the radius, or at the start less by the slack.
    pub touches: f64,
    /// Where it is too near.
    pub stops: f64,
}

impl Disc {
    /// Where on a part of its way the disc hits a feature of which the rays from `low` to `high` count.
    pub fn hit(
        &self,
        feature: &Feature,
        [low, high]: [f64; 2],
        hair: f64,
        [from, to]: [f64; 2],
    ) -> Option<Hit> {
        let arm = self.from - feature.at;
        let least = self.radius - self.slack / 2.0;
        // What is nearer from the start on must come nearer still, by more than rounding.
        let limit = |first: f64| least.min(first - self.slack / 1024.0);
        if feature.is_edge() {
            let (ahead, slope) = (arm.dot(feature.normal()), self.direction.dot(feature.normal()));
            if slope >= 0.0 {
                return None;
            }
            // In front of the edge, and of the part that counts.
            let (along, change) = (arm.dot(feature.axis), self.direction.dot(feature.axis));
            let (mut first, mut last) = (from, to);
            for (start, slope) in [(along - low + hair, change), (high - along + hair, -change)] {
                if slope > 0.0 {
                    first = first.max(-start / slope);
                } else if slope < 0.0 {
                    last = last.min(-start / slope);
                } else if start < 0.0 {
                    return None;
                }
            }
            let at = |distance: f64| ahead + slope * distance;
            // A NaN is no hit.
            let is_hit = first <= last && at(first) >= -hair && at(last) < limit(at(first));
            is_hit.then(|| Hit {
                touches: ((self.radius - ahead) / slope).max(0.0),
                stops: ((least - ahead) / slope).max(first),
            })
        } else {
            let (beside, nearest) = (arm.perp_dot(self.direction).abs(), -arm.dot(self.direction));
            if beside >= least || nearest <= from {
                return None;
            }
            let at = |distance: f64| beside.hypot(nearest - distance);
            let before = |radius: f64| nearest - ((radius - beside) * (radius + beside)).sqrt();
            (at(to.min(nearest)) < limit(at(from)))
                .then(|| Hit { touches: before(self.radius).max(0.0), stops: before(least).max(from) })
        }
    }
}
