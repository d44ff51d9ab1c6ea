//! What of a path is stepped: up and down steps, and over gaps.

use super::path::{Crossed, Path};
use crate::mesh::{CellId, CornerId, NavMesh};
use wayfare_core::DVec3;

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

/// Lower steps than this are where one steps over something [m].
const LEVEL: f64 = 1e-3;

impl Stride {
    /// Whether a height beside a step is one of the slope that stands for it in a mesh: over its foot and below its top.
    pub fn is_slope(&self, height: f64) -> bool {
        let (low, high) = (self.from.z.min(self.to.z), self.from.z.max(self.to.z));
        self.width == 0.0 && height > low + 2.0 * LEVEL && height < high - LEVEL / 2.0
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
            let [one, two] = mesh.portals()[crossed.portal];
            let [out, into] = if mesh.cell_of_corner(two) == crossed.into { [one, two] } else { [two, one] };
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

/// Over a gap.
fn over(from: DVec3, to: DVec3) -> Stride {
    Stride { from, to, rise: (to.z - from.z).abs(), width: from.truncate().distance(to.truncate()) }
}

/// Up or down a step, or over what stands between.
fn step(mesh: &NavMesh, crossed: &Crossed, out: CornerId, into: CornerId) -> Stride {
    let level = |corner: CornerId| {
        let [a, b] = mesh.edge(corner).map(|vertex| mesh.xy(vertex));
        let along = (b - a).normalize_or_zero();
        let (run, length) = ((crossed.at.truncate() - a).dot(along), a.distance(b));
        let from_ends = BESIDE.min(length / 2.0);
        let beside = a + along * run.clamp(from_ends, length - from_ends) + along.perp() * BESIDE;
        mesh.height(mesh.cell_of_corner(corner), beside)
    };
    let [from, to] = [out, into].map(|corner| crossed.at.with_z(level(corner)));
    let height = (to.z - from.z).abs();
    let rise = if height > LEVEL { height } else { mesh.portal_rise(crossed.portal) };
    Stride { from, to, rise, width: 0.0 }
}
