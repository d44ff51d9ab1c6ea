//! How large a body may be that turns round a corner.
//!
//! A disc that touches a corner while it turns from one direction to another has its centre on the corner's rays between
//! them, at the height of its radius. It is free as long as the corner is its nearest obstacle: as long as the
//! corner's reach is not lower.

use super::{Clearances, feature::FeatureId};
use wayfare_core::DVec2;

impl Clearances<'_> {
    /// The largest radius [m] of a disc that can turn about a corner with its centre going from one direction to
    /// another, both seen from the corner, of any length, in either order. Directions beyond the corner's rays
    /// count as its first or last ray: beyond them lie its edges.
    pub fn turn(&self, corner: FeatureId, from: DVec2, to: DVec2) -> f64 {
        let feature = self.data.features.get(corner);
        let [a, b] = [from, to].map(|to| feature.parameter_towards(to).clamp(feature.low, feature.high));
        self.reach_between(corner, a.min(b), a.max(b))
    }

    /// The reach of a feature at one of its parameters [m].
    pub(crate) fn reach_at(&self, feature: FeatureId, parameter: f64) -> f64 {
        let (arcs, first) = (self.data.arcs(feature), self.data.arc_range(feature).start);
        let arc = arcs[1..arcs.len() - 1].partition_point(|arc| arc.from <= parameter);
        self.data.height(self.data.features.get(feature), first + arc, parameter)
    }

    /// The lowest reach of a feature between two of its parameters [m].
    pub fn reach_between(&self, feature: FeatureId, low: f64, high: f64) -> f64 {
        let (arcs, first) = (self.data.arcs(feature), self.data.arc_range(feature).start);
        let feature = self.data.features.get(feature);
        let begin = arcs[1..arcs.len() - 1].partition_point(|arc| arc.from <= low);
        let mut least = f64::INFINITY;
        for k in begin..arcs.len() - 1 {
            if arcs[k].from > high {
                break;
            }
            let span = [arcs[k].from.max(low), arcs[k + 1].from.min(high)];
            least = least.min(self.data.lowest(feature, first + k, [span[0], span[1].max(span[0])]).1);
        }
        least
    }

    /// The lowest reach of a feature [m]: any disc that is smaller can turn all round it.
    pub(crate) fn lowest_reach(&self, feature: FeatureId) -> f64 {
        let all = self.data.features.get(feature);
        self.reach_between(feature, all.low, all.high)
    }

    /// The highest reach of a feature [m]: no disc that is larger touches it.
    pub(crate) fn highest_reach(&self, feature: FeatureId) -> f64 {
        // Between its ends an arc has a lowest place at most.
        let nodes = self.data.nodes();
        self.data.arcs(feature).iter().map(|arc| nodes[arc.node as usize].clearance).fold(0.0, f64::max)
    }
}
