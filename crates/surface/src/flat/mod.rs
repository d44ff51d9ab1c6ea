//! From a disc of faces to a flat chart.
//!
//! Steps: 1. unfold face by face, or lay out flat angles (`angles.rs`); where that flips a face, lay the border on a circle  2. rounds towards an isometric map
//!   that never flip (`slim.rs`)  3. scale to the area that the faces have on the surface  4. look whether the border crosses
//!   itself
//! Promises S1: no face is flipped, and no two faces overlap. Cost: O(n^1.5).

mod angles;
mod chart;
mod overlap;
mod slim;
mod sparse;
mod start;
mod stretch;

pub use chart::{ChartMesh, Scratch};
pub use overlap::{crossings, double_area, is_polygon, is_simple, is_upright};
pub use stretch::Stretch;

use crate::SurfaceMesh;
use wayfare_core::DVec2;

/// A chart in the plane.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatChart {
    /// Its faces.
    pub mesh: ChartMesh,
    /// Per vertex of the chart.
    pub positions: Vec<DVec2>,
    /// How far it is from isometric.
    pub stretch: Stretch,
}

/// What the rounds that flatten a chart begin with. Both end near the same map, if not at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlatStart {
    /// Faces laid beside each other: exact for what can be unfolded, and fast.
    #[default]
    Unfolded,
    /// The flat angles nearest to those on the surface (ABF++, Sheffer 2005): charts become larger and err more.
    Angles,
}

/// How much work a flat chart is worth.
#[derive(Clone, Copy)]
pub enum Care {
    /// Until its mean L∞ is under a limit, or will not be.
    Trial(f64),
    /// To keep it.
    Final,
}

impl FlatChart {
    /// Flattens a disc; `None` if it overlaps itself, or could not be flattened at all.
    pub fn build(surface: &SurfaceMesh, mesh: ChartMesh, start: FlatStart, care: Care) -> Option<Self> {
        let positions = match start {
            FlatStart::Unfolded => start::unfold(surface, &mesh),
            FlatStart::Angles => angles::by_angles(surface, &mesh).or_else(|| start::unfold(surface, &mesh)),
        };
        let positions = positions.or_else(|| start::on_circle(surface, &mesh))?;
        Self { mesh, positions, stretch: Stretch::NONE }.improved(surface, care)
    }

    /// A single face, which is flat. One without area is opened by a hair: the plane has to tell its sides apart.
    pub fn of_one_face(surface: &SurfaceMesh, mesh: ChartMesh) -> Self {
        let lengths = mesh.lengths(surface, 0);
        let longest = (0..3).fold(0, |best, k| if lengths[k] > lengths[best] { k } else { best });
        let [base, to_end, to_origin] = [0, 1, 2].map(|k| lengths[(longest + k) % 3]);
        let x = (base * base + (to_origin - to_end) * (to_origin + to_end)) / (2.0 * base);
        let y = (mesh.double_area(surface, 0) / base).max(1e-9 * base);
        let corners = [DVec2::ZERO, DVec2::new(base, 0.0), DVec2::new(x.clamp(0.0, base), y)];
        let mut positions = vec![DVec2::ZERO; 3];
        for (k, &corner) in corners.iter().enumerate() {
            positions[mesh.triangles[0][(longest + k) % 3] as usize] = corner;
        }
        let stretch = Stretch::of(surface, &mesh, &positions);
        Self { mesh, positions, stretch }
    }

    /// Flattens a disc that is made of two flat charts, from where they fit together best.
    pub fn build_of(
        surface: &SurfaceMesh,
        mesh: ChartMesh,
        parts: [&Self; 2],
        start: FlatStart,
        care: Care,
    ) -> Option<Self> {
        match start::beside_each_other(surface, &mesh, parts) {
            Some(positions) => Self { mesh, positions, stretch: Stretch::NONE }.improved(surface, care),
            None => Self::build(surface, mesh, start, care),
        }
    }

    /// The same chart after more rounds.
    pub fn improved(mut self, surface: &SurfaceMesh, care: Care) -> Option<Self> {
        let goal = match care {
            Care::Trial(limit) => slim::Goal { rounds: 20, enough: 0.1, limit: Some(limit), tolerance: 0.05 },
            Care::Final => slim::Goal { rounds: 10, enough: 0.02, limit: None, tolerance: 0.01 },
        };
        slim::improve(surface, &self.mesh, &mut self.positions, &goal);
        let area: f64 = (0..self.mesh.faces.len()).map(|face| self.mesh.double_area(surface, face)).sum();
        let outline = self.outline();
        let scale = (area / double_area(&outline)).sqrt();
        if !scale.is_finite() {
            return None;
        }
        self.positions.iter_mut().for_each(|p| *p *= scale);
        self.stretch = Stretch::of(surface, &self.mesh, &self.positions);
        // Written so that NaN fails.
        let is_finite = self.stretch.linf_max >= 1.0 - 1e-9 && self.stretch.linf_max.is_finite();
        // Scaling rounds, which turns faces over that have next to no width.
        let is_upright = (0..self.mesh.faces.len()).all(|face| is_upright(self.corners(face)));
        (is_finite && is_upright && is_simple(&self.outline())).then_some(self)
    }

    /// The border in the plane.
    pub fn outline(&self) -> Vec<DVec2> {
        self.mesh.border.iter().map(|&(v, _)| self.positions[v as usize]).collect()
    }

    /// The corners of a face of the chart in the plane, as the chart turns.
    pub fn corners(&self, face: usize) -> [DVec2; 3] {
        self.mesh.triangles[face].map(|v| self.positions[v as usize])
    }
}
