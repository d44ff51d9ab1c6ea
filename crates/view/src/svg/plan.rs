//! The picture of a floor plan: ground, obstacles, walls.

use super::{DrawConfig, DrawError, Marks, canvas::Canvas, furniture, route};
use wayfare_floor::{FloorPlan, Region};
use wayfare_geom::Aabb2;

/// Draws a floor plan as SVG.
pub fn draw_plan(plan: &FloorPlan, marks: &Marks, config: &DrawConfig) -> Result<String, DrawError> {
    config.check()?;
    let bounds = Aabb2::of_points(plan.vertices.as_slice().iter().map(|p| p.truncate()));
    let canvas = Canvas::new(bounds, config.width, furniture::has_footer(config));
    let regions = || plan.layers.iter().flat_map(|layer| &layer.regions);
    let mut out = furniture::open(&canvas, "floor plan", config);

    if config.obstacles {
        canvas.backdrop(&mut out);
    }
    let mut data = String::new();
    for ring in regions().flat_map(Region::rings) {
        canvas.trace(&mut data, plan.ring_points(ring), true);
    }
    if !data.is_empty() {
        out.push_str(&format!("<path class=\"ground\" fill-rule=\"evenodd\" d=\"{data}\"/>\n"));
    }
    let edges = plan.vertices.len().max(1) as f64;
    let width = (canvas.width / edges.sqrt() / 12.0).clamp(0.25, 2.0);
    super::mesh::path(&mut out, "wall", Some(width), &data);
    route::draw(&mut out, &canvas, marks);
    furniture::close(&mut out, &canvas, config);
    Ok(out)
}
