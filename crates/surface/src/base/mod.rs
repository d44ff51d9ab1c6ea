//! The base mesh: a small flat mesh that stands for a surface, made once, on which distances are found many times as fast.

mod border;
mod build;
mod file;
mod frame;
mod grid;
mod map;
mod path;
mod scaled;
mod solver;

pub use solver::BaseSolver;

use crate::{
    SurfaceError, SurfaceMesh,
    mesh::NONE,
    segment::{Charts, SegmentConfig, segment},
};
use build::RawBase;
use grid::Grid;
use wayfare_core::{Context, Id as _};
use wayfare_geom::TriangleMesh;

/// A surface in charts, and the small flat mesh that the charts make.
///
/// - **S1** each chart is a disc, and flat without flips and overlaps.
/// - **S2** every point of the surface has a place on the base mesh, and every point of the base mesh one on the surface.
/// - **S3** the mean L∞ of each chart is under the limit.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseMesh {
    charts: Charts,
    raw: RawBase,
    /// With one length per edge: an ordinary surface.
    surface: SurfaceMesh,
    /// First face of each chart.
    chart_starts: Vec<u32>,
    /// Per vertex of the surface, its face and weights on the base mesh.
    vertex_points: Vec<(u32, [f64; 3])>,
    grids: Vec<Grid>,
    max_distortion: f64,
}

impl BaseMesh {
    /// Makes the charts and the base mesh of a surface; `mesh` is what it was built of.
    pub fn build(
        mesh: &TriangleMesh,
        surface: &SurfaceMesh,
        config: &SegmentConfig,
        context: &Context,
    ) -> Result<Self, SurfaceError> {
        let charts = segment(mesh, surface, config, context)?;
        Self::from_charts(surface, charts, config)
    }

    /// The base mesh of charts.
    pub fn from_charts(
        surface: &SurfaceMesh,
        charts: Charts,
        config: &SegmentConfig,
    ) -> Result<Self, SurfaceError> {
        config.check()?;
        let area: f64 = surface.faces().map(|face| surface.area(face)).sum();
        // Few large charts must not make the error large, which is relative to the whole.
        let size = (area / charts.count().max(50) as f64).sqrt();
        let tolerance = config.simplify * (config.max_distortion - 1.0).min(1.0).sqrt() * size;
        let raw = RawBase::build(surface, &charts, tolerance)?;
        Self::from_raw(surface, charts, raw, config.max_distortion)
    }

    fn from_raw(
        surface: &SurfaceMesh,
        charts: Charts,
        raw: RawBase,
        max_distortion: f64,
    ) -> Result<Self, SurfaceError> {
        let mut made = Self::from_raw_unmapped(surface, charts, raw, max_distortion)?;
        made.vertex_points = made.map_vertices(surface);
        Ok(made)
    }

    /// All but the map.
    fn from_raw_unmapped(
        surface: &SurfaceMesh,
        charts: Charts,
        raw: RawBase,
        max_distortion: f64,
    ) -> Result<Self, SurfaceError> {
        let base = raw.averaged()?;
        let mut chart_starts = vec![0u32; charts.count() + 1];
        for &chart in &raw.charts {
            chart_starts[chart as usize + 1] += 1;
        }
        for k in 0..charts.count() {
            chart_starts[k + 1] += chart_starts[k];
        }
        let grids = charts.charts.iter().map(Grid::new).collect();
        let vertex_points = vec![(NONE, [0.0; 3]); surface.vertex_count()];
        Ok(Self { charts, raw, surface: base, chart_starts, vertex_points, grids, max_distortion })
    }

    /// Every vertex on the base mesh: in whichever of its charts it is followed over the fewest borders.
    fn map_vertices(&self, surface: &SurfaceMesh) -> Vec<(u32, [f64; 3])> {
        let mut points = vec![(NONE, [0.0; 3]); surface.vertex_count()];
        let mut hops = vec![usize::MAX; surface.vertex_count()];
        for (face, vertices) in self.raw.faces.iter().enumerate() {
            for (k, &vertex) in vertices.iter().enumerate() {
                let vertex = self.raw.vertices[vertex as usize] as usize;
                let mut weights = [0.0; 3];
                weights[k] = 1.0;
                (points[vertex], hops[vertex]) = ((face as u32, weights), 0);
            }
        }
        for (number, chart) in self.charts.charts.iter().enumerate() {
            for (v, &vertex) in chart.mesh.vertices.iter().enumerate() {
                let vertex = vertex as usize;
                if hops[vertex] == 0 {
                    continue;
                }
                let (point, over) = self.locate(number, chart.positions[v]);
                if over < hops[vertex] {
                    (points[vertex], hops[vertex]) = ((point.face.0, point.barycentric), over);
                }
            }
        }
        points
    }

    /// The charts.
    pub fn charts(&self) -> &Charts {
        &self.charts
    }
    /// The base mesh itself: an ordinary surface, on which every solver runs.
    pub fn surface(&self) -> &SurfaceMesh {
        &self.surface
    }
    /// The limit that the charts were made under.
    pub fn max_distortion(&self) -> f64 {
        self.max_distortion
    }
    /// Mean difference of the two lengths of the edges between charts, relative to their mean length.
    pub fn border_mismatch(&self) -> f64 {
        self.raw.border_mismatch
    }
    /// The vertex of the surface that each vertex of the base mesh is.
    pub fn kept_vertices(&self) -> &[u32] {
        &self.raw.vertices
    }
    /// The corners of a face of the base mesh in the plane of its chart.
    pub fn flat_corners(&self, face: crate::FaceId) -> [[f64; 2]; 3] {
        self.raw.corners[face.index()].map(|p| p.to_array())
    }
    /// The chart of a face of the base mesh.
    pub fn chart_of(&self, face: crate::FaceId) -> usize {
        self.raw.charts[face.index()] as usize
    }

    fn chart_faces(&self, chart: usize) -> std::ops::Range<usize> {
        self.chart_starts[chart] as usize..self.chart_starts[chart + 1] as usize
    }
}
