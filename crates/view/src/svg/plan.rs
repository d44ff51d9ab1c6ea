//! The picture of a floor plan: ground, obstacles, walls, drops, seams, borders of tags, gaps, steps. Layers are painted one over the
//! other.

use super::{
    DrawConfig, DrawError, Marks,
    canvas::{Canvas, number},
    furniture,
    mesh::{GAP, STEP},
    route,
};
use wayfare_floor::{EdgeKind, FloorPlan, Region, Ring};
use wayfare_geom::Aabb2;

/// Draws a floor plan as SVG, all layers or one.
pub fn draw_plan(plan: &FloorPlan, marks: &Marks, config: &DrawConfig) -> Result<String, DrawError> {
    config.check()?;
    let bounds = Aabb2::of_points(plan.vertices.as_slice().iter().map(|p| p.truncate()));
    let canvas = Canvas::new(bounds, config.width, furniture::has_footer(config));
    if let Some(only) = config.storey.filter(|&only| only as usize >= plan.layers.len()) {
        let known = (0..plan.layers.len() as u32).collect();
        return Err(DrawError::NoLayer { asked: only, known });
    }
    let mut out = furniture::open(&canvas, "floor plan", config);

    if config.obstacles {
        canvas.backdrop(&mut out);
    }
    let edges = plan.vertices.len().max(1) as f64;
    let width = (canvas.width / edges.sqrt() / 12.0).clamp(0.25, 2.0);
    let is_drawn = |k: usize| config.storey.is_none_or(|only| only as usize == k);
    for (_, layer) in plan.layers.iter().enumerate().filter(|&(k, _)| is_drawn(k)) {
        let rings = || layer.regions.iter().flat_map(Region::rings);
        let mut data = String::new();
        for ring in rings() {
            canvas.trace(&mut data, plan.ring_points(ring), true);
        }
        if data.is_empty() {
            continue;
        }
        out.push_str(&format!("<path class=\"ground\" fill-rule=\"evenodd\" d=\"{data}\"/>\n"));
        let gaps = layer.regions.iter().filter(|region| region.gap.is_some());
        let mut data = String::new();
        for ring in gaps.flat_map(Region::rings) {
            canvas.trace(&mut data, plan.ring_points(ring), true);
        }
        if !data.is_empty() {
            out.push_str(&format!("<path {GAP} fill-rule=\"evenodd\" d=\"{data}\"/>\n"));
        }
        let mut data = String::new();
        for ring in rings() {
            trace_kind(&mut data, &canvas, plan, ring, "gap");
        }
        if !data.is_empty() {
            out.push_str(&format!("<path {STEP} stroke-width=\"{}\" d=\"{data}\"/>\n", number(width)));
        }
        for class in ["wall", "drop", "seam", "border"] {
            let mut data = String::new();
            for ring in rings() {
                trace_kind(&mut data, &canvas, plan, ring, class);
            }
            super::mesh::path(&mut out, class, Some(width), &data);
        }
    }
    route::draw(&mut out, &canvas, marks, |_| true);
    furniture::close(&mut out, &canvas, config);
    Ok(out)
}

/// The class of an edge.
fn class_of(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Wall | EdgeKind::Low { .. } => "wall",
        EdgeKind::Drop { .. } => "drop",
        EdgeKind::Seam { .. } => "seam",
        EdgeKind::TagBorder => "border",
        EdgeKind::Gap { .. } => "gap",
    }
}

/// Appends the edges of a ring that are of one class.
fn trace_kind(data: &mut String, canvas: &Canvas, plan: &FloorPlan, ring: &Ring, class: &str) {
    let points = plan.ring_points(ring);
    if ring.kinds.iter().all(|&kind| class_of(kind) == class) {
        canvas.trace(data, points, true);
        return;
    }
    let edges: Vec<usize> = (0..points.len()).collect();
    for part in edges.chunk_by(|&a, &b| class_of(ring.kinds[a]) == class_of(ring.kinds[b])) {
        if class_of(ring.kinds[part[0]]) == class {
            let ends = part.iter().map(|k| k + 1).map(|k| points[k % points.len()]);
            canvas.trace(data, std::iter::once(points[part[0]]).chain(ends), false);
        }
    }
}
