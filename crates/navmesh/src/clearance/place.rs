//! The distance from a point to the boundary, and which place of it is nearest.

use super::{Clearances, feature::FeatureId};
use crate::mesh::CellId;
use wayfare_core::DVec2;

/// How much room there is at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaceClearance {
    /// Distance to the boundary in plan [m]: the radius of the largest disc that fits.
    pub distance: f64,
    /// The nearest place of the boundary.
    pub nearest: DVec2,
    /// The feature that it lies on.
    pub feature: FeatureId,
}

impl Clearances<'_> {
    /// How much room there is at a point of a cell; nothing where there is no boundary at all.
    pub fn at(&self, cell: CellId, p: DVec2) -> Option<PlaceClearance> {
        let (feature, parameter) = self.nearest(cell, p)?;
        let nearest = self.data.features.get(feature).foot(parameter);
        Some(PlaceClearance { distance: p.distance(nearest), nearest, feature })
    }

    /// The feature that is nearest to a point of a cell, and the parameter of the ray on which the point lies.
    ///
    /// A point lies on a ray of its nearest feature. So edges are asked in front of them only, where their distance
    /// is that of a line; beyond their ends the corners there are nearer, or the next edges.
    #[inline]
    pub(crate) fn nearest(&self, cell: CellId, p: DVec2) -> Option<(FeatureId, f64)> {
        let hair = self.data.hair;
        // The square of the distance, the place in the list, the parameter.
        let mut best: Option<(f64, usize, f64)> = None;
        self.for_each_near(cell, [p; 2], |k| {
            let reach =
                |best: Option<(f64, usize, f64)>| best.map_or(f64::INFINITY, |(least, ..)| least.sqrt());
            let (id, low, high) = self.data.listed(k);
            let feature = self.data.features.get(id);
            let arm = p - feature.at;
            let (squared, parameter) = if feature.is_edge() {
                let (along, ahead) = (arm.dot(feature.axis), arm.dot(feature.normal()));
                if along < low - hair || along > high + hair || ahead < -hair {
                    return reach(best);
                }
                (ahead * ahead, along.clamp(feature.low, feature.high))
            } else {
                (arm.length_squared(), f64::NAN)
            };
            // Of several that are as near, the first of the list.
            if best.is_none_or(|(least, first, _)| squared < least || squared == least && k < first) {
                best = Some((squared, k, parameter));
            }
            reach(best)
        });
        let best = best.map(|(squared, k, parameter)| (squared, self.data.listed(k).0, parameter));
        let (_, id, parameter) = best.or_else(|| self.nearest_end(cell, p))?;
        Some(if parameter.is_nan() { self.on_corner(cell, id, p) } else { (id, parameter) })
    }

    /// Which of the parts of a corner has a point on its rays, and on which.
    fn on_corner(&self, cell: CellId, id: FeatureId, p: DVec2) -> (FeatureId, f64) {
        let features = &self.data.features;
        let parts = features.parts(id);
        let list = self.data.list(cell);
        let candidates = parts.map(FeatureId).filter(|part| list.contains(part)).map(|part| {
            let feature = features.get(part);
            let parameter = feature.parameter(p);
            let inside = parameter.clamp(feature.low, feature.high);
            ((parameter - inside).abs(), part, inside)
        });
        let best = candidates.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        best.map_or((id, features.get(id).low), |(_, part, inside)| (part, inside))
    }

    /// For a point on no ray of a list, which rounding alone can cause: the nearest end of an edge.
    #[cold]
    fn nearest_end(&self, cell: CellId, p: DVec2) -> Option<(f64, FeatureId, f64)> {
        let ends = self.data.list_with_ranges(cell).map(|(id, low, high)| {
            let feature = self.data.features.get(id);
            let parameter = feature.parameter(p).clamp(low, high);
            (feature.foot(parameter).distance_squared(p), id, parameter)
        });
        ends.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
    }
}
