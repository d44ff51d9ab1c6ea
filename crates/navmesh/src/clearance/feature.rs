//! What a body can bump into: the edges and the corners of the boundary, each with coordinates of its own.
//!
//! A feature sends straight rays into the ground: an edge at right angles, one from each of its points; a corner in all
//! directions between the rays of the two edges that meet there. Every point of the ground has its nearest obstacle at
//! the foot of such a ray. So a feature's *parameter* and the *height* on the ray are coordinates of the points that
//! are nearest to it:
//!
//! * edge: parameter = metres along the edge, the ground on the left;
//! * corner: parameter = tan(angle / 2) clockwise from the middle of its directions, at most ±1. No trigonometry is
//!   needed to have it, and curves that are conics in plan are quotients of quadratics in it.
//!
//! Both grow in the direction of the boundary, so that along a chain edge, corner, edge … follow each other without a
//! gap. Corners at which the ground spans less than 180° have no rays and are no features. Ground that winds round a
//! corner by more than 360° gives it several features of at most 180° each.
//!
//! Two features tie where they are equally far. On the ray of a feature at a parameter there is one such height at
//! most, because along the ray its own distance grows fastest ([`Feature::tie`]).

use crate::{
    check::sectors::goes_round_too_far,
    mesh::{CornerId, NONE, NavMesh, VertexId},
};
use std::f64::consts::{PI, TAU};
use wayfare_core::{DVec2, Id as _, IdVec, id_type, ops};
use wayfare_geom::predicates::orient;

id_type!(
    /// An edge or a corner of the boundary that bodies keep away from.
    FeatureId
);

/// What a feature is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureKind {
    /// An edge of the boundary.
    Edge,
    /// A corner of the boundary with more than 180° of ground, or a part of one that the ground winds round.
    Corner,
}

/// An edge or a corner of the boundary with its own coordinates; see the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature {
    /// What it is.
    pub kind: FeatureKind,
    /// The boundary edge that it is, or that starts at it.
    pub corner: CornerId,
    /// Start of the edge, or the corner itself.
    pub at: DVec2,
    /// Unit vector along the edge, or to the middle of the corner's directions.
    pub axis: DVec2,
    /// Smallest parameter.
    pub low: f64,
    /// Largest parameter.
    pub high: f64,
}

impl Feature {
    fn edge(corner: CornerId, a: DVec2, b: DVec2) -> Self {
        let axis = (b - a).normalize_or_zero();
        // As the parameter of `b` is computed, so that nothing lies between the two.
        Self { kind: FeatureKind::Edge, corner, at: a, axis, low: 0.0, high: (b - a).dot(axis) }
    }

    /// The corner whose rays turn clockwise from `first` to `last`, `axis` halfway between.
    fn turning(corner: CornerId, at: DVec2, axis: DVec2, first: DVec2, last: DVec2) -> Self {
        let mut feature = Self { kind: FeatureKind::Corner, corner, at, axis, low: 0.0, high: 0.0 };
        let (low, high) = (feature.parameter_towards(first), feature.parameter_towards(last));
        // The directions of a corner that hardly turns may come in the wrong order by rounding.
        (feature.low, feature.high) = (low.min(high), high.max(low));
        feature
    }

    /// Whether it is an edge.
    #[inline]
    pub fn is_edge(&self) -> bool {
        self.kind == FeatureKind::Edge
    }

    /// Direction of an edge's rays; of a corner its axis turned left.
    #[inline]
    pub fn normal(&self) -> DVec2 {
        self.axis.perp()
    }

    /// Direction of the ray at a parameter.
    #[inline]
    pub fn ray(&self, parameter: f64) -> DVec2 {
        if self.is_edge() {
            return self.normal();
        }
        let m = parameter;
        (self.axis * (1.0 - m * m) - self.normal() * (2.0 * m)) / (1.0 + m * m)
    }

    /// The point at a parameter and a height.
    #[inline]
    pub fn point(&self, parameter: f64, height: f64) -> DVec2 {
        let foot = if self.is_edge() { self.at + self.axis * parameter } else { self.at };
        foot + self.ray(parameter) * height
    }

    /// The parameter of the ray that meets a point; not limited to the feature's own range.
    #[inline]
    pub fn parameter(&self, p: DVec2) -> f64 {
        if self.is_edge() { (p - self.at).dot(self.axis) } else { self.parameter_towards(p - self.at) }
    }

    /// The parameter of a corner's ray in a direction of any length; infinite straight backwards.
    #[inline]
    pub fn parameter_towards(&self, direction: DVec2) -> f64 {
        let (ahead, right) = (direction.dot(self.axis), -direction.dot(self.normal()));
        // The half angle by whichever quotient does not cancel.
        let length = direction.length();
        if ahead >= 0.0 {
            if length == 0.0 { 0.0 } else { right / (length + ahead) }
        } else {
            (length - ahead) / right
        }
    }

    /// The point of the feature at a parameter.
    #[inline]
    pub fn foot(&self, parameter: f64) -> DVec2 {
        if self.is_edge() { self.at + self.axis * parameter } else { self.at }
    }

    /// How far a point lies in front of the line of an edge; of a corner the plain distance.
    #[inline]
    pub fn distance(&self, p: DVec2) -> f64 {
        if self.is_edge() { (p - self.at).dot(self.normal()) } else { p.distance(self.at) }
    }

    /// The height on this feature's ray at which another one (an edge as a whole line) is as near; infinite where it
    /// never is, 0 where the foot of the ray lies behind the other edge.
    #[inline]
    pub fn tie(&self, other: &Self, parameter: f64) -> f64 {
        let (foot, ray) = (self.foot(parameter), self.ray(parameter));
        if other.is_edge() {
            let ahead = (foot - other.at).dot(other.normal());
            // 1 − cos of the angle between the rays, without cancellation.
            let spread = (ray - other.normal()).length_squared() / 2.0;
            if ahead <= 0.0 { if spread == 0.0 { f64::INFINITY } else { 0.0 } } else { ahead / spread }
        } else {
            let arm = other.at - foot;
            let along = arm.dot(ray);
            if along > 0.0 { arm.length_squared() / (2.0 * along) } else { f64::INFINITY }
        }
    }

    /// The parameter at which the height of ties with another feature is lowest, if it is not at an end.
    #[inline]
    pub fn lowest_tie(&self, other: &Self) -> Option<f64> {
        match (self.kind, other.kind) {
            (FeatureKind::Edge, FeatureKind::Edge) => None,
            (_, FeatureKind::Corner) => Some(self.parameter(other.at)),
            (FeatureKind::Corner, FeatureKind::Edge) => Some(self.parameter_towards(-other.normal())),
        }
    }
}

/// All features of a mesh, in the order of the boundary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    features: IdVec<FeatureId, Feature>,
    /// First feature of each closed chain, and one more entry.
    chains: Vec<u32>,
    /// The features before and after each.
    around: IdVec<FeatureId, [FeatureId; 2]>,
    /// The feature of each boundary edge, [`NONE`] at portals.
    edges: IdVec<CornerId, u32>,
    /// Features at a corner that the ground winds round: they share a place.
    winds: bool,
}

impl Features {
    /// The features of a mesh: every edge of its boundary, be it a wall or a drop, and the corners between.
    pub fn of(mesh: &NavMesh) -> Self {
        let mut all =
            Self { chains: vec![0], edges: IdVec::from_vec(vec![NONE; mesh.twins.len()]), ..Self::default() };
        let may_wind = mesh.raw.storeys.iter().any(|&storey| storey != 0);
        for chain in mesh.boundary().chains() {
            for (k, &corner) in chain.iter().enumerate() {
                let next = chain[(k + 1) % chain.len()];
                let [a, b] = mesh.edge(corner).map(|v| mesh.xy(v));
                all.edges[corner] = all.features.push(Feature::edge(corner, a, b)).0;
                if may_wind && goes_round_too_far(mesh, mesh.corner_vertex(next)) {
                    all.add_wound(mesh, corner, next);
                } else {
                    all.add_corner(mesh, corner, next);
                }
            }
            let first = all.around.len() as u32;
            let end = all.features.len() as u32;
            for id in first..end {
                let before = if id == first { end - 1 } else { id - 1 };
                let after = if id + 1 == end { first } else { id + 1 };
                all.around.push([FeatureId(before), FeatureId(after)]);
            }
            all.chains.push(end);
        }
        all
    }

    /// The corner between two edges of the boundary, if it sticks out into the ground.
    fn add_corner(&mut self, mesh: &NavMesh, before: CornerId, after: CornerId) {
        let [a, b] = mesh.edge(before).map(|v| mesh.xy(v));
        let c = mesh.xy(mesh.edge(after)[1]);
        let (turn, back) = (orient(a, b, c), (b - a).dot(c - b) < 0.0);
        if turn > 0.0 || turn == 0.0 && !back {
            return;
        }
        let (along, on) = ((b - a).normalize_or_zero(), (c - b).normalize_or_zero());
        let (first, last) = (along.perp(), on.perp());
        let axis = if back { along - on } else { first + last };
        let feature = Feature::turning(after, b, axis.normalize_or_zero(), first, last);
        // A turn too small for doubles leaves no ray out.
        if feature.low < feature.high {
            self.features.push(feature);
        }
    }

    /// The corner between two edges of the boundary round which the ground goes more than once.
    fn add_wound(&mut self, mesh: &NavMesh, before: CornerId, after: CornerId) {
        let [a, b] = mesh.edge(before).map(|v| mesh.xy(v));
        let first = (b - a).normalize_or_zero().perp();
        let whole: f64 = mesh.fan(mesh.corner_vertex(after)).map(|corner| sector_angle(mesh, corner)).sum();
        let turn = whole - PI;
        let parts = (turn / PI).ceil().max(1.0);
        let towards = |share: f64| {
            let angle = turn * share / parts;
            DVec2::new(ops::cos(angle), -ops::sin(angle)).rotate(first)
        };
        for part in 0..parts as usize {
            let at = part as f64;
            self.features.push(Feature::turning(after, b, towards(at + 0.5), towards(at), towards(at + 1.0)));
        }
        self.winds = true;
    }

    /// Number of features.
    pub fn len(&self) -> usize {
        self.features.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }
    /// All features in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = FeatureId> + use<> {
        (0..self.len()).map(FeatureId::new)
    }
    /// A feature.
    #[inline]
    pub fn get(&self, id: FeatureId) -> &Feature {
        &self.features[id]
    }
    /// The closed chains as ranges of features.
    pub fn chains(&self) -> impl ExactSizeIterator<Item = std::ops::Range<u32>> + '_ {
        self.chains.windows(2).map(|pair| pair[0]..pair[1])
    }
    /// The feature of a boundary edge.
    #[inline]
    pub fn of_edge(&self, corner: CornerId) -> Option<FeatureId> {
        self.edges.get(corner).filter(|&&id| id != NONE).map(|&id| FeatureId(id))
    }
    /// The features of a vertex, clockwise: none where the ground spans no more than 180°, several where it winds.
    pub fn of_vertex(&self, mesh: &NavMesh, vertex: VertexId) -> std::ops::Range<u32> {
        let Some(edge) = mesh.boundary_corner(vertex).and_then(|corner| self.of_edge(corner)) else {
            return 0..0;
        };
        // A corner comes before the edge that starts there.
        let before = self.previous(edge);
        let feature = self.get(before);
        if feature.is_edge() || mesh.corner_vertex(feature.corner) != vertex {
            0..0
        } else {
            self.parts(before)
        }
    }
    /// The feature that follows in the direction of the boundary.
    #[inline]
    pub fn next(&self, id: FeatureId) -> FeatureId {
        self.around[id][1]
    }
    /// The feature that comes before in the direction of the boundary.
    #[inline]
    pub fn previous(&self, id: FeatureId) -> FeatureId {
        self.around[id][0]
    }
    /// The parts of a corner that the ground winds round, with `id` among them; only `id` for all other features.
    pub fn parts(&self, id: FeatureId) -> std::ops::Range<u32> {
        let same = |other: u32| {
            let (a, b) = (self.get(id), &self.features[FeatureId(other)]);
            !a.is_edge() && !b.is_edge() && a.corner == b.corner
        };
        if !self.winds {
            return id.0..id.0 + 1;
        }
        let (mut from, mut to) = (id.0, id.0 + 1);
        while from > 0 && same(from - 1) {
            from -= 1;
        }
        while (to as usize) < self.len() && same(to) {
            to += 1;
        }
        from..to
    }

    /// The cells round a corner that its rays begin in: the corner of the cell, lowest and highest parameter.
    pub fn sectors(&self, mesh: &NavMesh, id: FeatureId) -> Vec<(CornerId, f64, f64)> {
        let feature = self.get(id);
        let fan: Vec<CornerId> = mesh.fan(mesh.corner_vertex(feature.corner)).collect();
        // Clockwise, as parameters grow: the fan from its end.
        let left_of = |corner: CornerId| mesh.xy(mesh.corner_vertex(mesh.previous_corner(corner)));
        let parts = self.parts(id);
        let mut sectors = Vec::with_capacity(fan.len());
        if parts.len() == 1 {
            for (k, &corner) in fan.iter().enumerate().rev() {
                let from = if k + 1 == fan.len() { feature.low } else { feature.parameter(left_of(corner)) };
                let to = if k == 0 { feature.high } else { feature.parameter(left_of(fan[k - 1])) };
                let (from, to) = (from.clamp(feature.low, feature.high), to.clamp(feature.low, feature.high));
                if from < to {
                    sectors.push((corner, from, to));
                }
            }
            return sectors;
        }
        // By angles clockwise from the edge before the corner, a quarter turn before the first ray.
        let turn = (fan.iter().map(|&corner| sector_angle(mesh, corner)).sum::<f64>() - PI).max(0.0);
        let share = turn / parts.len() as f64;
        let first = f64::from(id.0 - parts.start) * share + PI / 2.0;
        let mut angle = 0.0;
        for (k, &corner) in fan.iter().enumerate().rev() {
            let next = angle + sector_angle(mesh, corner);
            let from = if k + 1 == fan.len() || angle <= first {
                feature.low
            } else {
                feature.parameter(left_of(corner))
            };
            let to = if k == 0 || next >= first + share {
                feature.high
            } else {
                feature.parameter(left_of(fan[k - 1]))
            };
            let (from, to) = (from.clamp(feature.low, feature.high), to.clamp(feature.low, feature.high));
            if next > first && angle < first + share && from < to {
                sectors.push((corner, from, to));
            }
            angle = next;
        }
        sectors
    }
}

/// The angle of a cell at one of its corners, 0 .. 2π.
fn sector_angle(mesh: &NavMesh, corner: CornerId) -> f64 {
    let at = mesh.xy(mesh.corner_vertex(corner));
    let arm = |corner: CornerId| mesh.xy(mesh.corner_vertex(corner)) - at;
    let (right, left) = (arm(mesh.next_corner(corner)), arm(mesh.previous_corner(corner)));
    let angle = ops::atan2(right.perp_dot(left), right.dot(left));
    if angle < 0.0 { angle + TAU } else { angle }
}
