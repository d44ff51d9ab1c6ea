//! Surfaces on the viewer's page: distances, isolines, charts, paths.

use anyhow::{Context as _, Result};
use serde_json::Value;
use std::sync::Arc;
use wayfare::{
    core::DVec3,
    geom::TriangleMesh,
    surface::{BaseMesh, ChartedSurface, SurfaceMesh},
    view::{
        NO_PAGE, Show, ShownField, ShownSurface, page_with_show,
        server::{Desk, Question},
    },
};

/// What is shown on a surface.
#[derive(Default)]
pub struct Shown<'a> {
    /// Numbers by vertex, with their names.
    pub fields: Vec<(&'a str, &'a [f64])>,
    /// The chart of each triangle, or nothing.
    pub charts: Vec<u32>,
    /// Paths on it.
    pub paths: Vec<Vec<DVec3>>,
}

/// The chart of each triangle; those that are no faces have one of their own.
pub fn chart_of_triangles(mesh: &TriangleMesh, surface: &SurfaceMesh, base: &BaseMesh) -> Vec<u32> {
    let charts = base.charts();
    let mut of = vec![charts.count() as u32; mesh.triangles.len()];
    for face in surface.faces() {
        of[surface.input_face(face)] = charts.chart(face) as u32;
    }
    of
}

/// A show of a surface.
pub fn show(title: &str, mesh: &TriangleMesh, shown: &Shown<'_>) -> Show {
    let bounds = mesh.bounds().unwrap_or([DVec3::ZERO; 2]);
    let mut show = Show::new(title, bounds);
    let fields: Vec<ShownField<'_>> =
        shown.fields.iter().map(|&(name, values)| ShownField { name, unit: "", values }).collect();
    show.add_surface(&ShownSurface {
        positions: &mesh.vertices,
        triangles: &mesh.triangles,
        fields: &fields,
        charts: &shown.charts,
        paths: &shown.paths,
    });
    show
}

/// One page that shows it by itself.
pub fn page(title: &str, mesh: &TriangleMesh, shown: &Shown<'_>) -> Result<String> {
    page_with_show(&show(title, mesh, shown)).context(NO_PAGE)
}

/// A surface with its charts.
pub fn show_charts(title: &str, charted: &ChartedSurface) -> Show {
    let charts = chart_of_triangles(charted.mesh(), charted.surface(), charted.base());
    show(title, charted.mesh(), &Shown { charts, ..Shown::default() })
}

/// Serves a show that nothing can be asked about.
pub struct StillDesk(pub Arc<[u8]>);

impl Desk for StillDesk {
    fn show(&self) -> Arc<[u8]> {
        Arc::clone(&self.0)
    }
    fn answer(&self, _: &Question, _: &(dyn Fn(Value) + Sync)) -> Result<Value, String> {
        Err("a surface is only looked at; `wayfare geodesic` measures on it".into())
    }
}
