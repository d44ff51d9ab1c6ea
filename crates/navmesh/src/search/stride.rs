//! What of a path is stepped: up and down steps, and over gaps.

use super::path::{Crossed, Path};
use crate::mesh::{CellId, CornerId, NavMesh};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::segment::distance_squared_to_segment;

/// A step up or down, or over a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stride {
    /// Where it begins; of a step the foot or the top.
    pub from: DVec3,
    /// Where it ends.
    pub to: DVec3,
    /// How high it goes, up or down, or over what stands there [m].
    pub rise: f64,
    /// How far it goes, seen from above [m]; 0 for a step.
    pub width: f64,
}

/// How far beside a step, and from its ends, the ground is looked at [m]: beyond the slope, a millimetre wide, that stands for the step;
/// at its ends other steps may begin.
const BESIDE: f64 = 2.5e-3;

/// How far from its ends, in turn, where a tread is too pointed for that [m].
const FROM_ENDS: [f64; 4] = [BESIDE, 4.0 * BESIDE, 16.0 * BESIDE, 64.0 * BESIDE];

/// Lower steps than this are where one steps over something [m].
const LEVEL: f64 = 1e-3;

/// How much ground rises at most, over its length in plan, that is not taken for a slope which stands for a step.
const STEEPEST: f64 = 1.5;

impl Stride {
    /// The step up or down where a path crosses the portal of a step; nothing at the side of a gap.
    pub(super) fn of_step(mesh: &NavMesh, crossed: &Crossed) -> Option<Self> {
        let [out, into] = sides(mesh, crossed);
        let is_gap = |corner: CornerId| mesh.gap(mesh.cell_of_corner(corner)).is_some();
        (!is_gap(out) && !is_gap(into)).then(|| step(mesh, crossed, out, into))
    }

    /// Whether a path is as high before and after it.
    pub(super) fn is_level(&self) -> bool {
        (self.to.z - self.from.z).abs() <= LEVEL
    }

    /// Whether a place before or behind it lies on the slope that stands for a step in a mesh: above its foot, beside its edge, and higher
    /// than ground gets on the way there.
    pub(super) fn is_slope(&self, place: DVec3, edge: [DVec2; 2]) -> bool {
        let (low, high) = (self.from.z.min(self.to.z), self.from.z.max(self.to.z));
        let p = place.truncate();
        place.z > low + 2.0 * LEVEL + STEEPEST * p.distance(self.from.truncate())
            && place.z <= high
            && distance_squared_to_segment(p, edge[0], edge[1]) <= BESIDE * BESIDE
    }
}

impl Path {
    /// What of the path is stepped, in order; the rest is walked.
    pub fn strides(&self, mesh: &NavMesh) -> Vec<Stride> {
        let mut strides = Vec::new();
        let is_gap = |cell: CellId| mesh.gap(cell).is_some();
        // Where a run through gaps began.
        let starts_in_gap = self.cells.first().is_some_and(|&cell| is_gap(cell));
        let mut entered = self.points.first().copied().filter(|_| starts_in_gap);
        for crossed in &self.crossed {
            let [out, into] = sides(mesh, crossed);
            match [out, into].map(|corner| is_gap(mesh.cell_of_corner(corner))) {
                [false, false] => strides.push(step(mesh, crossed, out, into)),
                [false, true] => entered = Some(crossed.at),
                [true, true] => {}
                [true, false] => strides.extend(entered.take().map(|from| over(from, crossed.at))),
            }
        }
        strides.extend(entered.zip(self.points.last()).map(|(from, &to)| over(from, to)));
        strides
    }
}

/// The two sides of the portal: where the path leaves, and where it enters.
fn sides(mesh: &NavMesh, crossed: &Crossed) -> [CornerId; 2] {
    let [one, two] = mesh.portals()[crossed.portal];
    if mesh.cell_of_corner(two) == crossed.into { [one, two] } else { [two, one] }
}

/// Over a gap.
pub(super) fn over(from: DVec3, to: DVec3) -> Stride {
    Stride { from, to, rise: (to.z - from.z).abs(), width: from.truncate().distance(to.truncate()) }
}

/// Up or down a step, or over what stands between.
fn step(mesh: &NavMesh, crossed: &Crossed, out: CornerId, into: CornerId) -> Stride {
    let level = |corner: CornerId| {
        let [a, b] = mesh.edge(corner).map(|vertex| mesh.xy(vertex));
        let along = (b - a).normalize_or_zero();
        let (run, length) = ((crossed.at.truncate() - a).dot(along), a.distance(b));
        let beside = |from_ends: f64| {
            let from_ends = from_ends.min(length / 2.0);
            a + along * run.clamp(from_ends, length - from_ends) + along.perp() * BESIDE
        };
        let cell = mesh.cell_of_corner(corner);
        let inside = FROM_ENDS.map(beside).into_iter().find(|&p| mesh.contains(cell, p));
        mesh.height(cell, inside.unwrap_or(beside(BESIDE)))
    };
    let [mut from, mut to] = [out, into].map(|corner| crossed.at.with_z(level(corner)));
    let (height, most) = ((to.z - from.z).abs(), mesh.portal_rise(crossed.portal));
    // Beside the step the ground may slope: no step is higher than its portal says.
    let low = if from.z < to.z { &mut from.z } else { &mut to.z };
    *low += (height - most).max(0.0);
    let rise = if height > LEVEL { height.min(most) } else { most };
    Stride { from, to, rise, width: 0.0 }
}
