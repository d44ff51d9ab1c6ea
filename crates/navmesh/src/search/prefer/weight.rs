//! What a straight piece of a path costs if it should keep away from obstacles: length + k·∫ max(0, P − clearance).
//!
//! Idea: in each cell the features of its list say the clearance along the line exactly: in front of an edge it changes
//!   linearly, from a corner it is √((s − p)² + d²). Where the least of them is below P, the piece is cut where another becomes
//!   the least, and each part is integrated in closed form.
//! Steps: 1. the part of the line in a cell  2. which features are nearer than P, and where  3. cuts at the ends of those
//!   parts and where two are equally near  4. the nearest between two cuts, integrated  5. on across the portal
//! Promises the exact value but for rounding; nothing where the line leaves the ground or comes nearer than the radius.
//! Cost: O(corners and lists of the cells passed), cubic in the features of a cell that are nearer than P (few).

use super::super::{
    disc::{Near as NearMemory, Trace},
    limits::Limits,
};
use crate::{
    clearance::{Clearances, FREE_SLACK},
    mesh::CellId,
};
use wayfare_core::{DVec2, ops};

/// How a body likes to keep away from obstacles besides its radius, which it must.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preference {
    /// Distance from which on nothing is gained by keeping away further [m].
    pub clearance: f64,
    /// What a metre of path costs for each metre that it is nearer than that, beside its length [1/m].
    pub weight: f64,
}

impl Preference {
    /// So far away, with the usual weight of 2.
    pub fn of(clearance: f64) -> Self {
        Self { clearance, weight: 2.0 }
    }

    /// What a metre costs at a clearance.
    pub fn price(&self, clearance: f64) -> f64 {
        1.0 + self.weight * (self.clearance - clearance).max(0.0)
    }
}

/// The distance to a feature along a line, as a function of the metres along it.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// start + slope · s.
    Edge { start: f64, slope: f64 },
    /// √((s − middle)² + squared).
    Corner { middle: f64, squared: f64 },
}

impl Shape {
    fn at(&self, s: f64) -> f64 {
        match *self {
            Self::Edge { start, slope } => start + slope * s,
            Self::Corner { middle, squared } => ((s - middle) * (s - middle) + squared).sqrt(),
        }
    }

    /// ∫ of the distance from `from` to `to`.
    fn integral(&self, from: f64, to: f64) -> f64 {
        match *self {
            Self::Edge { .. } => (to - from) * self.at((from + to) / 2.0),
            Self::Corner { middle, squared } => {
                let upto = |u: f64| {
                    let far = (u * u + squared).sqrt();
                    // The area hyperbolic sine, odd so that nothing cancels; where it would be infinite its factor is 0.
                    let asinh = if squared > f64::MIN_POSITIVE {
                        ops::ln((u.abs() + far) / squared.sqrt()).copysign(u)
                    } else {
                        0.0
                    };
                    (u * far + squared * asinh) / 2.0
                };
                upto(to - middle) - upto(from - middle)
            }
        }
    }

    /// Where two are equally far: at most two places, not all of which need be real.
    fn ties(&self, other: &Self) -> [f64; 2] {
        match (*self, *other) {
            (Self::Edge { start: a, slope: m }, Self::Edge { start: b, slope: n }) => {
                [(a - b) / (n - m), f64::NAN]
            }
            (Self::Corner { middle: p, squared: u }, Self::Corner { middle: q, squared: v }) => {
                // From the middle between, so that large coordinates do not cancel.
                [(p + q) / 2.0 + (v - u) / (2.0 * (q - p)), f64::NAN]
            }
            (Self::Corner { .. }, Self::Edge { .. }) => other.ties(self),
            (Self::Edge { start, slope }, Self::Corner { middle, squared }) => {
                // In t = s − middle: (start + slope · (middle + t))² = t² + squared.
                let start = start + slope * middle;
                let (a, half_b, c) = (slope * slope - 1.0, start * slope, start * start - squared);
                let root = (half_b * half_b - a * c).sqrt();
                let q = -(half_b + root.copysign(half_b));
                [middle + q / a, middle + c / q]
            }
        }
    }
}

/// A feature where it is nearer than the preferred clearance.
#[derive(Clone, Copy, Debug)]
struct Near {
    shape: Shape,
    from: f64,
    to: f64,
}

/// Nothing.
const NO_SPAN: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

/// Weighs straight pieces on one mesh for one body.
pub(crate) struct Scales<'a> {
    pub clearances: Clearances<'a>,
    pub preference: Preference,
    /// What the clearance must be at least [m].
    least: f64,
    /// What is closed: kept off by the radius, but not shunned from further away.
    limits: Option<Limits<'a>>,
    beside: NearMemory,
    /// The part of the line weighed last that is nearer to obstacles than preferred [m].
    pub span: [f64; 2],
    near: Vec<Near>,
    cuts: Vec<f64>,
}

impl<'a> Scales<'a> {
    pub fn new(
        clearances: Clearances<'a>,
        preference: Preference,
        radius: f64,
        limits: Option<Limits<'a>>,
    ) -> Self {
        Self {
            clearances,
            preference,
            least: radius - FREE_SLACK,
            limits,
            beside: NearMemory::default(),
            span: NO_SPAN,
            near: Vec::new(),
            cuts: Vec::new(),
        }
    }

    /// What the line from a point of `cell` to `to` costs, and the cell in which it ends; nothing if it leaves the ground,
    /// comes nearer to the boundary than the radius, or costs more than `most`.
    pub fn weigh(&mut self, cell: CellId, from: DVec2, to: DVec2, most: f64) -> Option<(f64, CellId)> {
        let found = self.weigh_ground(cell, from, to, most)?;
        match self.limits {
            Some(limits) if self.least > 0.0 => {
                let line = Trace::Line([from, to]);
                let room = limits.distance_from(cell, line, self.least, &mut self.beside);
                (room >= self.least).then_some(found)
            }
            _ => Some(found),
        }
    }

    /// The same, but only its centre keeps off what is closed.
    fn weigh_ground(&mut self, mut cell: CellId, from: DVec2, to: DVec2, most: f64) -> Option<(f64, CellId)> {
        let length = from.distance(to);
        let mut cost = length;
        self.span = NO_SPAN;
        if cost > most {
            return None;
        }
        let along = (to - from).normalize_or_zero();
        let (mut entry, mut share) = (None, 0.0);
        let mesh = self.clearances.mesh;
        // A straight line meets a cell once; a relaxed one seldom more often.
        for _ in 0..=2 * mesh.cell_count() {
            // 1.
            let out = self.clearances.way_out(cell, entry, share, from, to);
            let next = out.map_or(1.0, |(_, share)| share);
            cost += self.preference.weight
                * self.shortfall(cell, from, along, [share * length, next * length])?;
            if cost > most {
                return None;
            }
            // 5.
            let Some((corner, _)) = out else {
                // Who does not start in the cell that it should may seem never to leave it.
                return mesh.contains(cell, to).then_some((cost, cell));
            };
            let twin = mesh.twin(corner)?;
            let beyond = mesh.cell_of_corner(twin);
            let is_closed = |limits: Limits<'_>| {
                mesh.portal_at(corner).is_none_or(|portal| !limits.allows_crossing(portal, beyond))
            };
            if self.limits.is_some_and(is_closed) {
                return None;
            }
            (cell, entry, share) = (beyond, Some(twin), next);
        }
        None
    }

    /// ∫ max(0, P − clearance) over the part of a line in a cell; nothing if it comes too near.
    fn shortfall(&mut self, cell: CellId, from: DVec2, along: DVec2, [begin, end]: [f64; 2]) -> Option<f64> {
        let prefer = self.preference.clearance;
        let data = self.clearances.data();
        let hair = data.hair();
        self.near.clear();
        // 2.
        for (id, low, high) in data.list_with_ranges(cell) {
            let feature = data.features().get(id);
            let arm = from - feature.at;
            if feature.is_edge() {
                let (place, change) = (arm.dot(feature.axis), along.dot(feature.axis));
                let (start, slope) = (arm.dot(feature.normal()), along.dot(feature.normal()));
                let mut part = [begin, end];
                // In front of the edge, where low ≤ place + change · s ≤ high, and nearer than P.
                clip(&mut part, place - low + hair, change);
                clip(&mut part, high - place + hair, -change);
                if part[0] > part[1] {
                    continue;
                }
                let shape = Shape::Edge { start, slope };
                let ends = part.map(|s| shape.at(s));
                if ends[0] < -hair && ends[1] < -hair {
                    continue;
                }
                if ends[0].min(ends[1]).max(0.0) < self.least {
                    return None;
                }
                clip(&mut part, prefer - start, -slope);
                if part[0] < part[1] {
                    self.near.push(Near { shape, from: part[0], to: part[1] });
                }
            } else {
                let middle = -arm.dot(along);
                let off = along.perp_dot(arm);
                let shape = Shape::Corner { middle, squared: off * off };
                if shape.at(middle.clamp(begin, end)) < self.least {
                    return None;
                }
                if off.abs() < prefer {
                    let half = (prefer * prefer - off * off).sqrt();
                    let (from, to) = ((middle - half).max(begin), (middle + half).min(end));
                    if from < to {
                        self.near.push(Near { shape, from, to });
                    }
                }
            }
        }
        for near in &self.near {
            self.span = [self.span[0].min(near.from), self.span[1].max(near.to)];
        }
        Some(self.under_envelope())
    }

    /// ∫ of P less the least of the distances in `near`, each where it is given.
    fn under_envelope(&mut self) -> f64 {
        let prefer = self.preference.clearance;
        let area = |shape: &Shape, from: f64, to: f64| prefer * (to - from) - shape.integral(from, to);
        match &self.near[..] {
            [] => return 0.0,
            [one] => return area(&one.shape, one.from, one.to),
            _ => {}
        }
        // 3.
        self.cuts.clear();
        for (k, one) in self.near.iter().enumerate() {
            self.cuts.extend([one.from, one.to]);
            for other in &self.near[..k] {
                let (from, to) = (one.from.max(other.from), one.to.min(other.to));
                if from < to {
                    let ties = one.shape.ties(&other.shape);
                    self.cuts.extend(ties.into_iter().filter(|&s| from < s && s < to));
                }
            }
        }
        self.cuts.sort_unstable_by(f64::total_cmp);
        // 4.
        let mut sum = 0.0;
        for pair in self.cuts.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let middle = (from + to) / 2.0;
            let over = self.near.iter().filter(|one| one.from <= from && one.to >= to);
            let nearest = over.min_by(|a, b| a.shape.at(middle).total_cmp(&b.shape.at(middle)));
            if let Some(nearest) = nearest.filter(|_| from < to) {
                sum += area(&nearest.shape, from, to);
            }
        }
        sum
    }
}

/// Leaves of a part of a line where start + slope · s is not negative.
fn clip(part: &mut [f64; 2], start: f64, slope: f64) {
    if slope > 0.0 {
        part[0] = part[0].max(-start / slope);
    } else if slope < 0.0 {
        part[1] = part[1].min(-start / slope);
    } else if start < 0.0 {
        part[1] = f64::NEG_INFINITY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Middle values of many small steps.
    fn sum(f: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
        let n = 20_000;
        let step = (to - from) / f64::from(n);
        (0..n).map(|k| f(from + (f64::from(k) + 0.5) * step) * step).sum()
    }

    #[test]
    fn integrals_are_those_of_small_steps() {
        for shape in [
            Shape::Edge { start: 0.3, slope: -0.1 },
            Shape::Corner { middle: 0.4, squared: 0.09 },
            Shape::Corner { middle: 1.5, squared: 0.0 },
            Shape::Corner { middle: -2.0, squared: 1e-30 },
        ] {
            let expected = sum(|s| shape.at(s), -1.0, 2.0);
            assert!((shape.integral(-1.0, 2.0) - expected).abs() < 1e-6, "{shape:?}");
        }
    }

    #[test]
    fn ties_are_where_both_are_equally_far() {
        let shapes = [
            Shape::Edge { start: 0.3, slope: -0.1 },
            Shape::Edge { start: 0.1, slope: 0.5 },
            Shape::Edge { start: 0.2, slope: 1.0 },
            Shape::Edge { start: 0.2, slope: 0.0 },
            Shape::Corner { middle: 0.4, squared: 0.01 },
            Shape::Corner { middle: 0.9, squared: 0.04 },
        ];
        for (k, a) in shapes.iter().enumerate() {
            for b in &shapes[..k] {
                for s in a.ties(b).into_iter().chain(b.ties(a)).filter(|s| s.is_finite()) {
                    let gap = a.at(s).abs() - b.at(s).abs();
                    assert!(gap.abs() < 1e-9, "{a:?} {b:?} at {s}");
                }
            }
        }
    }
}
