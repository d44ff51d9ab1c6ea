//! What `info` prints about a surface with charts.

use super::summary::count;
use serde::Serialize;
use wayfare::surface::ChartedSurface;

/// The keys of `info --json` for a surface with charts.
#[derive(Clone, Debug, Serialize)]
pub struct SurfaceSummary {
    pub kind: &'static str,
    pub vertices: usize,
    pub faces: usize,
    pub components: usize,
    /// Area of the surface, in units of the file.
    pub area: f64,
    pub charts: usize,
    pub base_vertices: usize,
    pub base_faces: usize,
    /// Stretch of all faces, weighted with their areas.
    pub linf: MeanMax,
    pub l2: MeanMax,
    /// How much the charts are larger than the surface: 1/γ.
    pub shrink: MeanMax,
    /// Largest mean stretch of one chart.
    pub worst_chart: f64,
    pub max_distortion: f64,
    /// Mean difference of both lengths of an edge between charts, relative to its length.
    pub border_mismatch: f64,
}

/// A mean and the largest.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MeanMax {
    pub mean: f64,
    pub max: f64,
}

impl SurfaceSummary {
    pub fn of(charted: &ChartedSurface) -> Self {
        let (surface, base) = (charted.surface(), charted.base());
        let facts = surface.facts();
        let charts = base.charts();
        let stretch = charts.stretch();
        Self {
            kind: "surface",
            vertices: surface.input_vertex_count(),
            faces: facts.faces,
            components: facts.components,
            area: facts.area,
            charts: charts.count(),
            base_vertices: base.kept_vertices().len(),
            base_faces: base.surface().face_count(),
            linf: MeanMax { mean: stretch.linf_mean, max: stretch.linf_max },
            l2: MeanMax { mean: stretch.l2_mean, max: stretch.l2_max },
            shrink: MeanMax { mean: stretch.shrink_mean, max: stretch.shrink_max },
            worst_chart: (0..charts.count())
                .map(|chart| charts.chart_stretch(chart).linf_mean)
                .fold(1.0, f64::max),
            max_distortion: base.max_distortion(),
            border_mismatch: base.border_mismatch(),
        }
    }

    /// The same for people.
    pub fn words(&self) -> String {
        format!(
            "surface: {}, {} faces, in {}; base mesh of {} faces, {:.0} times fewer\n\
             stretch: L∞ mean {:.5}, largest {:.3}; L² mean {:.5}, largest {:.3}; borders differ by {:.2} %\n",
            count(self.vertices, "vertex"),
            self.faces,
            count(self.charts, "chart"),
            self.base_faces,
            self.faces as f64 / self.base_faces.max(1) as f64,
            self.linf.mean,
            self.linf.max,
            self.l2.mean,
            self.l2.max,
            100.0 * self.border_mismatch,
        )
    }
}
