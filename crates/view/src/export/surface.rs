//! Surfaces with charts in forms that others read.

use super::json::{field, lines, list, point};
use crate::chart_layout::lay_out_charts;
use std::fmt::Write as _;
use wayfare_core::Id as _;
use wayfare_surface::{ChartedSurface, FaceId};

/// A surface with charts as JSON; the keys are described in `docs/format.md`.
pub fn surface_to_json(charted: &ChartedSurface) -> String {
    let (mesh, surface, base) = (charted.mesh(), charted.surface(), charted.base());
    let charts = base.charts();
    let mut out = String::from("{\"kind\":\"surface\",\"version\":1");
    field(&mut out, "max_distortion", base.max_distortion());
    field(&mut out, "charts", charts.count());
    lines(&mut out, "vertices", mesh.vertices.iter().map(point));
    lines(&mut out, "triangles", mesh.triangles.iter().map(list));
    let faces = surface.faces().map(|face| {
        let flat = charts.flat(face).map(list);
        format!(
            "{{\"triangle\":{},\"chart\":{},\"flat\":{}}}",
            surface.input_face(face),
            charts.chart(face),
            list(flat)
        )
    });
    lines(&mut out, "faces", faces);
    let flat = base.surface();
    let base_faces = flat.faces().map(|face| {
        let sides = face.half_edges();
        let vertices = sides.map(|h| surface_vertex(charted, flat.origin(h).index()));
        let twins = sides.map(|h| flat.twin(h).map_or("null".to_owned(), |twin| twin.index().to_string()));
        format!(
            "{{\"chart\":{},\"vertices\":{},\"lengths\":{},\"twins\":{}}}",
            base.chart_of(face),
            list(vertices),
            list(sides.map(|h| flat.length(h))),
            list(twins)
        )
    });
    lines(&mut out, "base_faces", base_faces);
    out.push_str("\n}\n");
    out
}

/// The vertex of the file that a vertex of the base mesh is.
fn surface_vertex(charted: &ChartedSurface, vertex: usize) -> usize {
    let kept = charted.base().kept_vertices();
    kept.get(vertex).map_or(0, |&v| charted.surface().input_vertex(wayfare_surface::VertexId(v)))
}

/// The triangles as they were read, one group per chart, with the charts as texture coordinates: side by side in rows, in the unit of the
/// file.
pub fn surface_to_obj(charted: &ChartedSurface) -> String {
    let (mesh, surface, charts) = (charted.mesh(), charted.surface(), charted.base().charts());
    let mut out = String::from("# wayfare surface: charts as groups, and flat as texture coordinates\n");
    // Writing to a string cannot fail.
    for p in &mesh.vertices {
        let _ = writeln!(out, "v {} {} {}", p.x, p.y, p.z);
    }
    let mut faces: Vec<Vec<FaceId>> = vec![Vec::new(); charts.count()];
    surface.faces().for_each(|face| faces[charts.chart(face)].push(face));
    let layout = lay_out_charts(charted);
    let mut corner = 0;
    for (chart, faces) in faces.iter().enumerate() {
        let _ = writeln!(out, "g chart{chart}");
        for &face in faces {
            for p in layout.corners[face.index()] {
                let _ = writeln!(out, "vt {} {}", p.x, p.y);
            }
            let [a, b, c] = mesh.triangles[surface.input_face(face)].map(|v| v + 1);
            let _ = writeln!(out, "f {a}/{} {b}/{} {c}/{}", corner + 1, corner + 2, corner + 3);
            corner += 3;
        }
    }
    out
}
