//! The picture of ground and gaps seen from above: walkable blue, gaps green, steps as green lines.

use super::{DrawConfig, DrawError, canvas::Canvas, furniture};
use wayfare_floor::{
    exact::NO_HALF_EDGE,
    gaps::{Face, GapKind, GapSurface},
};
use wayfare_geom::Aabb2;

/// Draws ground with its gaps as SVG; higher ground is painted over lower.
pub fn draw_gaps(found: &GapSurface, config: &DrawConfig) -> Result<String, DrawError> {
    config.check()?;
    let bounds = Aabb2::of_points(found.vertices.iter().map(|p| p.truncate()));
    let canvas = Canvas::new(bounds, config.width, furniture::has_footer(config));
    let mut out = furniture::open(&canvas, "walkable ground and gaps", config);
    if config.obstacles {
        canvas.backdrop(&mut out);
    }
    // By height, in layers of half a metre, so that storeys do not show through each other.
    let level = |t: usize| {
        let top = found.points(t).iter().map(|p| p.z).fold(f64::NEG_INFINITY, f64::max);
        (top * 2.0).floor() as i64
    };
    let mut order: Vec<(i64, usize)> = (0..found.triangles.len()).map(|t| (level(t), t)).collect();
    order.sort_unstable();
    let is_gap = |t: usize| matches!(found.faces[t], Face::Gap(_));
    for layer in order.chunk_by(|a, b| a.0 == b.0) {
        for (style, gaps) in [("fill:#4a7fc1;stroke:#4a7fc1", false), ("fill:#3fae5a;stroke:#3fae5a", true)] {
            let mut data = String::new();
            for &(_, t) in layer.iter().filter(|&&(_, t)| is_gap(t) == gaps) {
                let [a, b, c] = found.points(t).map(|p| p.truncate());
                if (b - a).perp_dot(c - a) > 0.0 {
                    canvas.trace(&mut data, [a, b, c], true);
                }
            }
            if !data.is_empty() {
                out.push_str(&format!("<path style=\"{style}\" stroke-width=\".3\" d=\"{data}\"/>\n"));
            }
        }
        let mut border = String::new();
        for t in layer.iter().map(|&(_, t)| t) {
            let corners = found.points(t).map(|p| p.truncate());
            for k in (0..3).filter(|k| found.twins[3 * t + k] == NO_HALF_EDGE) {
                canvas.trace(&mut border, [corners[k], corners[(k + 1) % 3]], false);
            }
        }
        super::mesh::path(&mut out, "wall", Some(0.6), &border);
    }
    let mut risers = String::new();
    for sides in found.gaps.iter().filter(|gap| gap.kind == GapKind::Riser).filter_map(|gap| gap.sides) {
        canvas.trace(&mut risers, sides[0].map(|vertex| found.vertices[vertex as usize].truncate()), false);
    }
    out.push_str(&format!("<path style=\"stroke:#1d7a35\" stroke-width=\"1.5\" d=\"{risers}\"/>\n"));
    furniture::close(&mut out, &canvas, config);
    Ok(out)
}
