//! Places that a path which keeps away from obstacles may go through, made feature by feature as the search comes by.
//!
//! Idea: all points whose nearest obstacle is one feature make a strip, and what a path costs depends on the height over the
//!   feature alone. From strip to strip a path goes over an arc of the Voronoi diagram. Where the ground is narrow, it runs
//!   along arcs: they are valleys of the cost. Elsewhere it keeps at the preferred height, or takes a corner as close as it may.
//!   So places are put on arcs (*ridge*), at the preferred height (*shelf*) and round corners at the radius (*hug*).
//! Steps: 1. the parts of each arc where the body fits  2. parameters along them, as far apart as the strip is high
//!   3. ridge, shelf and hug at each
//! Invariants: an arc's ridge belongs to the feature with the smaller number, and is in the strips of both; a strip is sorted by
//!   parameter, then height. Every place is as high as it should be, in its cell.
//! Cost: a few places per arc, [`MOST_PER_ARC`] at most.

use crate::{
    clearance::{Clearances, Feature, FeatureId},
    mesh::CellId,
};
use std::{f64::consts::FRAC_PI_6, ops::Range};
use wayfare_core::{DVec2, Id as _, ops};

/// Most parameters that are looked at along one arc.
const MOST_PER_ARC: f64 = 6.0;

/// No place.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// A place that a path may go through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub at: DVec2,
    pub cell: CellId,
    /// The features in whose strips it is, twice the same where there is one.
    pub features: [FeatureId; 2],
    /// Cost of the best path to it so far.
    pub cost: f64,
    /// Where that comes from.
    pub parent: u32,
    pub is_done: bool,
}

/// The places in the strip of a feature.
#[derive(Clone, Debug, Default)]
struct Strip {
    /// Those that the feature made itself.
    own: Range<u32>,
    is_own_made: bool,
    /// All, by parameter, then height.
    places: Option<Vec<u32>>,
}

/// All places that were looked at so far.
pub(crate) struct Strips<'a> {
    clearances: Clearances<'a>,
    prefer: f64,
    radius: f64,
    pub places: Vec<Place>,
    strips: Vec<Strip>,
    /// Places that a query adds: its ends and what lies straight over them.
    extra: Vec<u32>,
}

impl<'a> Strips<'a> {
    pub fn new(clearances: Clearances<'a>, prefer: f64, radius: f64) -> Self {
        let strips = vec![Strip::default(); clearances.features().len()];
        Self { clearances, prefer, radius, places: Vec::new(), strips, extra: Vec::new() }
    }

    /// Adds an end of a query with what lies straight over it; its number, if there is a boundary at all. To be
    /// called before any strip is asked for.
    pub fn add_end(&mut self, cell: CellId, at: DVec2) -> Option<u32> {
        let (id, parameter) = self.clearances.nearest(cell, at)?;
        let number = self.places.len() as u32;
        let mut extra = |place: Place| {
            self.extra.push(self.places.len() as u32);
            self.places.push(place);
        };
        extra(Place::new(at, cell, [id; 2]));
        let feature = self.clearances.features().get(id);
        let height = feature.foot(parameter).distance(at);
        if let Some((reach, partner)) = reach(&self.clearances, id, parameter) {
            for (height, features) in [reach, self.prefer]
                .into_iter()
                .zip([[id, partner], [id; 2]])
                .filter(|&(over, _)| over > height && over <= reach)
            {
                let over = feature.point(parameter, height);
                if let Some(cell) = cell_at(&self.clearances, (cell, at), over, height) {
                    extra(Place::new(over, cell, features));
                }
            }
        }
        Some(number)
    }

    /// The places of a strip, by parameter.
    pub fn strip(&mut self, id: FeatureId) -> &[u32] {
        if self.strips[id.index()].places.is_none() {
            let places = self.gather(id);
            self.strips[id.index()].places = Some(places);
        }
        self.strips[id.index()].places.as_deref().unwrap_or_default()
    }

    fn gather(&mut self, id: FeatureId) -> Vec<u32> {
        self.make_own(id);
        let mut partners: Vec<FeatureId> = self
            .clearances
            .data()
            .arcs(id)
            .iter()
            .filter_map(|arc| arc.partner)
            .filter(|&p| p < id)
            .collect();
        partners.sort_unstable();
        partners.dedup();
        let mut found: Vec<u32> = self.strips[id.index()].own.clone().collect();
        for partner in partners {
            self.make_own(partner);
            found.extend(
                self.strips[partner.index()]
                    .own
                    .clone()
                    .filter(|&k| self.places[k as usize].features[1] == id),
            );
        }
        found.extend(self.extra.iter().filter(|&&k| self.places[k as usize].features.contains(&id)));
        let feature = self.clearances.features().get(id);
        let key = |k: u32| {
            let at = self.places[k as usize].at;
            (feature.parameter(at), feature.distance(at))
        };
        found.sort_unstable_by(|&a, &b| {
            let (one, two) = (key(a), key(b));
            one.0.total_cmp(&two.0).then(one.1.total_cmp(&two.1)).then(a.cmp(&b))
        });
        found
    }

    /// Makes the places that belong to a feature.
    fn make_own(&mut self, id: FeatureId) {
        if self.strips[id.index()].is_own_made {
            return;
        }
        let first = self.places.len() as u32;
        let data = self.clearances.data();
        let (arcs, start) = (data.arcs(id), data.arc_range(id).start);
        let feature = data.features().get(id);
        for k in 0..arcs.len().saturating_sub(1) {
            let Some(partner) = arcs[k].partner else { continue };
            let height = |parameter: f64| data.height(feature, start + k, parameter);
            // 1.
            let [low, high] = [arcs[k].from, arcs[k + 1].from];
            let turning = feature.lowest_tie(data.features().get(partner)).filter(|&t| low < t && t < high);
            let ranges = match turning {
                Some(turning) if height(turning) < self.radius => {
                    [self.passable(height, [low, turning]), self.passable(height, [turning, high])]
                }
                _ => [self.passable(height, [low, high]), None],
            };
            let node = &data.nodes()[arcs[k].node as usize];
            for [low, high] in ranges.into_iter().flatten() {
                self.along_arc(id, partner, (node.cell, node.at), height, [low, high]);
            }
        }
        let own = first..self.places.len() as u32;
        let strip = &mut self.strips[id.index()];
        (strip.own, strip.is_own_made) = (own, true);
    }

    /// The part of a range in which a height that rises or falls all along is at least the radius.
    fn passable(&self, height: impl Fn(f64) -> f64, [low, high]: [f64; 2]) -> Option<[f64; 2]> {
        let fits = |parameter: f64| height(parameter) >= self.radius;
        match (fits(low), fits(high)) {
            (true, true) => Some([low, high]),
            (false, false) => None,
            (low_fits, _) => {
                let (mut good, mut bad) = if low_fits { (low, high) } else { (high, low) };
                for _ in 0..40 {
                    let middle = (good + bad) / 2.0;
                    if fits(middle) { good = middle } else { bad = middle }
                }
                Some(if low_fits { [low, good] } else { [good, high] })
            }
        }
    }

    /// 2, 3: places along a part of an arc, which begins somewhere near `from`.
    fn along_arc(
        &mut self,
        id: FeatureId,
        partner: FeatureId,
        from: (CellId, DVec2),
        height: impl Fn(f64) -> f64,
        [low, high]: [f64; 2],
    ) {
        let feature = self.clearances.features().get(id);
        let ends = [low, high].map(|t| feature.point(t, height(t)));
        let middle = height((low + high) / 2.0);
        let apart = 0.7 * middle.max(self.prefer);
        let mut count = (ends[0].distance(ends[1]) / apart).ceil();
        if !feature.is_edge() {
            count = count.max((angle(feature, low, high) / FRAC_PI_6).ceil());
        }
        let count = count.clamp(1.0, MOST_PER_ARC);
        // Chords from hug to hug stay outside the circle.
        let hug = self.radius.max(1e-3 * self.prefer) / 0.966;
        for k in 0..count as u32 {
            let share = (f64::from(k) + 0.5) / count;
            let parameter = feature.parameter(ends[0].lerp(ends[1], share)).clamp(low, high);
            let reach = height(parameter);
            let ridge = feature.point(parameter, reach);
            let Some(cell) = cell_at(&self.clearances, from, ridge, reach) else { continue };
            if id < partner {
                self.places.push(Place::new(ridge, cell, [id, partner]));
            }
            let lower = [(self.prefer, true), (hug, !feature.is_edge())];
            for (height, _) in lower.into_iter().filter(|&(height, wanted)| wanted && reach > 1.2 * height) {
                let at = feature.point(parameter, height);
                if let Some(cell) = cell_at(&self.clearances, (cell, ridge), at, height) {
                    self.places.push(Place::new(at, cell, [id; 2]));
                }
            }
        }
    }
}

impl Place {
    fn new(at: DVec2, cell: CellId, features: [FeatureId; 2]) -> Self {
        Self { at, cell, features, cost: f64::INFINITY, parent: NOWHERE, is_done: false }
    }
}

/// The angle between the rays of a corner at two parameters, which are tangents of half angles [rad].
fn angle(feature: &Feature, low: f64, high: f64) -> f64 {
    let (from, to) = (feature.ray(low), feature.ray(high));
    ops::atan2(from.perp_dot(to).abs(), from.dot(to))
}

/// How high a feature's reach is at a parameter, and with whom it ties there.
fn reach(clearances: &Clearances<'_>, id: FeatureId, parameter: f64) -> Option<(f64, FeatureId)> {
    let data = clearances.data();
    let arcs = data.arcs(id);
    let after = arcs[1..arcs.len() - 1].partition_point(|arc| arc.from <= parameter);
    let height = data.height(data.features().get(id), data.arc_range(id).start + after, parameter);
    Some((height, arcs[after].partner?)).filter(|(height, _)| height.is_finite())
}

/// The cell of a place that one comes to straight from another. Rounding may lead into another cell, or the start may lie beside
/// its own; nothing, if then the place is not as far from the boundary as it should be.
fn cell_at(
    clearances: &Clearances<'_>,
    (cell, from): (CellId, DVec2),
    at: DVec2,
    height: f64,
) -> Option<CellId> {
    /// More than rounding, less than what matters to a search [m].
    const SAME: f64 = 1e-6;
    if !at.is_finite() {
        return None;
    }
    let mesh = clearances.mesh;
    let ahead = clearances.cell_ahead(cell, from, at);
    let beside = mesh.corners(ahead).filter_map(|corner| mesh.neighbour(corner));
    let cell = std::iter::once(ahead).chain(beside).find(|&cell| mesh.contains(cell, at))?;
    let room = clearances.at(cell, at)?.distance;
    ((room - height).abs() <= SAME).then_some(cell)
}
