//! Ground and gaps together: what a search for gaps gives.

use super::sheet::{Face, Sheet};
use crate::exact::NO_HALF_EDGE;
use wayfare_core::DVec3;

/// What kind of gap it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapKind {
    /// A step: its two sides are at the same place in plan.
    Riser,
    /// Between two edges of the border.
    Bridge,
    /// A part of a hole or of a bay of the border.
    Hole,
}

/// A gap that a body steps over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// What it is.
    pub kind: GapKind,
    /// The highest step over it [m].
    pub rise: f64,
    /// The farthest step over it, seen from above [m].
    pub width: f64,
    /// Its area in plan [m²].
    pub area: f64,
    /// The vertices of its two sides, each with the ground on its left; none for a hole.
    pub sides: Option<[[u32; 2]; 2]>,
}

/// Counts of a search for gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GapReport {
    /// Pieces of ground before, without any step.
    pub components_before: usize,
    /// Pieces of ground with gaps.
    pub components_after: usize,
    /// Edges of the border.
    pub boundary_edges: usize,
    /// Cycles of the border.
    pub cycles: usize,
    /// Gaps between pairs of edges that nothing stands in.
    pub gaps_found: usize,
    /// Gaps in the result.
    pub gaps_kept: usize,
    /// Area of all gaps in plan [m²].
    pub gap_area: f64,
    /// Holes that were left because their edges are too tangled.
    pub holes_left: usize,
}

/// The walkable surface with its gaps filled (seed 002, assumption 2): ground is split at points of its border, but not changed.
///
/// G1 ground triangles together are those of the surface. G2 a half-edge and its twin join the same two vertices in opposite directions.
/// G3 a gap is no wider and no higher than asked for. G4 no edge has more than two faces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GapSurface {
    /// Positions [m]; those of the surface come first.
    pub vertices: Vec<DVec3>,
    /// Triangles. Those of risers, and no others of ground, have no area in plan.
    pub triangles: Vec<[u32; 3]>,
    /// What each triangle is.
    pub faces: Vec<Face>,
    /// The half-edge across each half-edge, or [`NO_HALF_EDGE`]; numbered as in a [`WalkableSurface`](crate::exact::WalkableSurface).
    pub twins: Vec<u32>,
    /// The gaps.
    pub gaps: Vec<Gap>,
    /// Counts.
    pub report: GapReport,
}

impl GapSurface {
    pub(super) fn new(sheet: Sheet, mut gaps: Vec<Gap>, mut report: GapReport) -> Self {
        report.components_after = sheet.component_count();
        for (triangle, face) in sheet.faces.iter().enumerate() {
            if let Face::Gap(gap) = face {
                gaps[*gap as usize].area += sheet.area(triangle);
            }
        }
        report.gaps_kept = gaps.len();
        // No gaps have no area, not minus none.
        report.gap_area = gaps.iter().fold(0.0, |sum, gap| sum + gap.area);
        let Sheet { points: vertices, triangles, faces, twins, .. } = sheet;
        Self { vertices, triangles, faces, twins, gaps, report }
    }

    /// The corners of a triangle in space.
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn points(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }

    /// What does not hold of G2 and G4, and limits of G3 that are exceeded by more than a micrometre.
    pub fn check(&self, max_gap: f64, step: f64) -> Vec<String> {
        let mut faults = Vec::new();
        for (h, &twin) in (0..).zip(&self.twins) {
            if twin == NO_HALF_EDGE {
                continue;
            }
            if self.twins.get(twin as usize) != Some(&h) {
                faults.push(format!("G2: half-edge {h} has the twin {twin}, which has another"));
            } else if self.ends(h) != reversed(self.ends(twin)) {
                faults.push(format!("G2: half-edge {h} and its twin {twin} join different vertices"));
            }
        }
        for (number, gap) in self.gaps.iter().enumerate() {
            if gap.width > max_gap + 2e-6 || gap.rise > step + 2e-6 {
                faults.push(format!("G3: gap {number} is {} m wide and {} m high", gap.width, gap.rise));
            }
        }
        faults
    }

    /// The two vertices of a half-edge, in its direction.
    fn ends(&self, half_edge: u32) -> [u32; 2] {
        let (corners, k) = (self.triangles[half_edge as usize / 3], half_edge as usize % 3);
        [corners[k], corners[(k + 1) % 3]]
    }
}

fn reversed([a, b]: [u32; 2]) -> [u32; 2] {
    [b, a]
}
