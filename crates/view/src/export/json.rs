//! Products as JSON, for checkers and scripts.
//!
//! Written by hand, one element per line, so that a large mesh costs no tree in memory and two exports can be
//! compared by `diff`. Numbers are written with the fewest digits that read back as the same double.

use super::triangulate_cell;
use std::fmt::{Display, Write as _};
use wayfare_core::DVec3;
use wayfare_floor::{EdgeKind, FloorPlan, Ring};
use wayfare_navmesh::{Gap, NavMesh};

/// A navigation mesh as JSON; the keys are described in `docs/format.md`.
pub fn mesh_to_json(mesh: &NavMesh) -> String {
    let raw = mesh.raw();
    let mut out = String::from("{\"kind\":\"navmesh\",\"version\":2,\"units\":\"m\",\"up\":\"z\"");
    field(&mut out, "convex_distance", raw.convex_distance);
    field(&mut out, "imported", raw.imported);
    lines(&mut out, "vertices", raw.vertices.iter().map(point));
    field(&mut out, "split_points", list(mesh.vertices().filter(|&vertex| mesh.is_split_point(vertex))));
    lines(&mut out, "cells", mesh.cells().map(|cell| list(mesh.cell_vertices(cell))));
    lines(
        &mut out,
        "portals",
        mesh.portals().as_slice().iter().map(|&corners| {
            let ends = list(corners.map(|corner| mesh.corner_vertex(corner)));
            let cells = list(corners.map(|corner| mesh.cell_of_corner(corner)));
            format!("{{\"vertices\":{ends},\"cells\":{cells}}}")
        }),
    );
    field(&mut out, "components", list(mesh.cells().map(|cell| mesh.component(cell))));
    field(&mut out, "storeys", list(mesh.cells().map(|cell| mesh.storey(cell))));
    field(&mut out, "tags", list(mesh.cells().map(|cell| mesh.tag(cell))));
    field(&mut out, "tag_names", list(mesh.tag_names().iter().map(|name| string(name))));
    lines(
        &mut out,
        "heights",
        mesh.cells().map(|cell| {
            let is_bent = !mesh.ground_list(cell).is_empty();
            let triangles = if is_bent { Vec::new() } else { triangulate_cell(mesh, cell) };
            list(triangles.into_iter().map(list))
        }),
    );
    lines(&mut out, "ground_points", raw.ground_points.iter().map(point));
    lines(&mut out, "ground_triangles", raw.ground_triangles.iter().map(list));
    lines(&mut out, "ground", mesh.cells().map(|cell| list(mesh.ground_list(cell))));
    field(&mut out, "heights_error", raw.heights_error);
    let corners =
        mesh.cells().flat_map(|cell| mesh.corners(cell).enumerate().map(move |(k, it)| (cell, k, it)));
    let drops = corners.filter(|&(.., corner)| mesh.drop_depth(corner) > 0.0).map(|(cell, k, corner)| {
        format!("{{\"cell\":{cell},\"edge\":{k},\"depth\":{}}}", depth(mesh.drop_depth(corner)))
    });
    lines(&mut out, "drops", drops);
    if mesh.has_gaps() {
        let gaps = mesh.cells().filter_map(|cell| Some((cell, mesh.gap(cell)?)));
        let gaps = gaps.map(|(cell, Gap { rise, width })| {
            format!("{{\"cell\":{cell},\"rise\":{rise},\"width\":{width}}}")
        });
        lines(&mut out, "gaps", gaps);
        let steps = mesh.portals().iter().map(|(portal, _)| (portal, mesh.portal_rise(portal)));
        let steps = steps.filter(|step| step.1 > 0.0);
        let steps = steps.map(|(portal, rise)| format!("{{\"portal\":{portal},\"rise\":{rise}}}"));
        lines(&mut out, "steps", steps);
    }
    let notches = |cell| list(mesh.notches(cell).iter().map(|&corner| mesh.corner_vertex(corner)));
    lines(&mut out, "notches", mesh.cells().map(notches));
    out.push_str("\n}\n");
    out
}

/// A floor plan as JSON: vertices, and per layer its regions with outline, holes, edge kinds, tag and ground.
pub fn plan_to_json(plan: &FloorPlan) -> String {
    let mut out = String::from("{\"kind\":\"floorplan\",\"version\":2,\"units\":\"m\",\"up\":\"z\"");
    lines(&mut out, "vertices", plan.vertices.as_slice().iter().map(point));
    let ring = |ring: &Ring| {
        let kinds = list(ring.kinds.iter().map(|kind| match kind {
            EdgeKind::Wall | EdgeKind::Low { .. } => "\"wall\"",
            EdgeKind::Drop { .. } => "\"drop\"",
            EdgeKind::Seam { .. } => "\"seam\"",
            EdgeKind::TagBorder => "\"tag-border\"",
            EdgeKind::Gap { .. } => "\"gap\"",
        }));
        let values = list(ring.kinds.iter().map(|kind| match kind {
            EdgeKind::Drop { depth: metres } => depth(*metres),
            EdgeKind::Seam { layer, .. } => layer.to_string(),
            EdgeKind::Gap { rise } => rise.to_string(),
            EdgeKind::Wall | EdgeKind::Low { .. } | EdgeKind::TagBorder => "null".into(),
        }));
        // Steps at seams, which have the layer as their value.
        let is_step = |kind: &EdgeKind| matches!(kind, EdgeKind::Seam { rise, .. } if *rise > 0.0);
        let rises = match ring.kinds.iter().any(is_step) {
            true => format!(",\"rises\":{}", list(ring.kinds.iter().map(|kind| kind.rise()))),
            false => String::new(),
        };
        format!("{{\"vertices\":{},\"kinds\":{kinds},\"values\":{values}{rises}}}", list(&ring.vertices))
    };
    let layers = plan.layers.iter().map(|layer| {
        let regions = layer.regions.iter().map(|region| {
            let holes = list(region.holes.iter().map(ring));
            let ground = list(region.ground.iter().map(list));
            let gap = region.gap.map_or(String::new(), |gap| {
                format!(",\"gap\":{{\"rise\":{},\"width\":{}}}", gap.rise, gap.width)
            });
            format!(
                "{{\"outer\":{},\"holes\":{holes},\"tag\":{},\"ground\":{ground}{gap}}}",
                ring(&region.outer),
                region.tag
            )
        });
        format!("{{\"regions\":{}}}", list(regions))
    });
    lines(&mut out, "layers", layers);
    lines(&mut out, "ground_points", plan.ground_points.iter().map(point));
    field(&mut out, "heights_error", plan.heights_error);
    field(&mut out, "tag_names", list(plan.tag_names.iter().map(|name| string(name))));
    out.push_str("\n}\n");
    out
}

pub(super) fn point(p: &DVec3) -> String {
    list([p.x, p.y, p.z])
}

/// A depth; JSON has no infinity, so `null` is where nothing is below.
fn depth(metres: f32) -> String {
    if metres.is_finite() { metres.to_string() } else { "null".into() }
}

/// Text as a JSON string.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A JSON array on one line.
pub(super) fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut out = String::from("[");
    for (k, item) in items.into_iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{}{item}", if k > 0 { "," } else { "" });
    }
    out.push(']');
    out
}

pub(super) fn field(out: &mut String, name: &str, value: impl Display) {
    let _ = write!(out, ",\n\"{name}\":{value}");
}

/// A JSON array with one item per line.
pub(super) fn lines(out: &mut String, name: &str, items: impl IntoIterator<Item = String>) {
    let _ = write!(out, ",\n\"{name}\":[");
    for (k, item) in items.into_iter().enumerate() {
        let _ = write!(out, "{}\n{item}", if k > 0 { "," } else { "" });
    }
    out.push(']');
}
