//! The part of the demo about a curved surface: charts, distances, a path.

use super::{
    super::surface_show::{Shown, chart_of_triangles, show},
    Files,
};
use anyhow::{Context as _, Result};
use serde::Serialize;
use wayfare::{
    core::{Context, Id as _},
    scene::generated::bumpy_ring,
    surface::{BaseSolver, ChartedSurface, ExactSolver, Query, SegmentConfig, SurfacePoint, VertexId},
    view::{SurfacePicture, draw_charts, draw_surface, export, page_with_show},
};

/// Quads round the axis and round the tube.
const QUADS: [usize; 2] = [96, 32];

/// What came of the surface.
#[derive(Serialize)]
pub struct RingReport {
    pub faces: usize,
    pub charts: usize,
    pub base_faces: usize,
    pub farthest_vertex: usize,
    /// Its distance from vertex 0, exact and on the base mesh [m].
    pub farthest: f64,
    pub base_farthest: f64,
    /// Mean of |difference| over the farthest distance.
    pub mean_error: f64,
    /// Whether a page was written.
    #[serde(skip)]
    pub has_page: bool,
}

/// A closed surface in charts; distances of all of it from one vertex, and the path to the farthest.
pub fn ring(files: &mut Files, context: &Context) -> Result<RingReport> {
    let (charted, _) =
        ChartedSurface::build(bumpy_ring(QUADS[0], QUADS[1]), &SegmentConfig::default(), context)?;
    let (mesh, surface, base) = (charted.mesh(), charted.surface(), charted.base());
    files.add("ring.obj", export::surface_to_obj(&charted).as_bytes())?;
    files.add("ring.waysurf", &charted.to_bytes())?;

    let source = SurfacePoint::at_input_vertex(surface, 0)?;
    let field = ExactSolver::new(surface).solve(&source, &Query::default(), context)?;
    let (on_base, _) = BaseSolver::new(base, surface).distances(&source, f64::INFINITY, context)?;
    let farthest = (0..field.distances.len())
        .max_by(|&a, &b| field.distances[a].total_cmp(&field.distances[b]))
        .context("the surface has vertices")?;
    let difference: f64 = field.distances.iter().zip(&on_base).map(|(a, b)| (a - b).abs()).sum();
    let path = field
        .path_to_vertex(surface, VertexId::new(farthest))
        .context("every vertex of the ring is reached")?;
    let path = path.points.iter().map(|point| point.position(surface, mesh)).collect();

    let charts = chart_of_triangles(mesh, surface, base);
    let colours: Vec<Option<u32>> = charts.iter().copied().map(Some).collect();
    let picture = SurfacePicture::default();
    files.add("ring-charts.svg", draw_charts(mesh, &colours, &picture).as_bytes())?;
    let paths = vec![path];
    files.add("ring-distances.svg", draw_surface(mesh, &field.distances, &paths, &picture).as_bytes())?;
    let shown = Shown { fields: vec![("distance from the source", &field.distances)], charts, paths };
    let page = page_with_show(&show("a ring with bumps", mesh, &shown));
    if let Some(html) = &page {
        files.add("ring.html", html.as_bytes())?;
    }
    Ok(RingReport {
        faces: surface.face_count(),
        charts: base.charts().count(),
        base_faces: base.surface().face_count(),
        farthest_vertex: farthest,
        farthest: field.distances[farthest],
        base_farthest: on_base[farthest],
        mean_error: difference / field.distances.len() as f64 / field.distances[farthest],
        has_page: page.is_some(),
    })
}
