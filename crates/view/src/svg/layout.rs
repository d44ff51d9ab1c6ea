//! The charts of a surface laid flat, side by side in one scale, in the colours that they have on the surface.

use super::{canvas::number, surface::chart_colour};
use crate::{chart_layout::lay_out_charts, colouring::colour_charts};
use std::fmt::Write as _;
use wayfare_core::{DVec2, Id as _};
use wayfare_surface::ChartedSurface;

/// Draws the layout of the charts, so many pixels wide.
pub fn draw_layout(charted: &ChartedSurface, width: f64) -> String {
    let (surface, charts) = (charted.surface(), charted.base().charts());
    let layout = lay_out_charts(charted);
    let margin = 0.02 * width;
    let scale = (width - 2.0 * margin) / layout.size.x.max(f64::MIN_POSITIVE);
    let height = layout.size.y * scale + 2.0 * margin;
    // y upwards, as in the plane of a chart.
    let place = |p: DVec2| DVec2::new(margin + p.x * scale, height - margin - p.y * scale);
    let word = |p: DVec2| format!("{} {}", number(p.x), number(p.y));
    let mut of_triangle = vec![None; charted.mesh().triangles.len()];
    for face in surface.faces() {
        of_triangle[surface.input_face(face)] = Some(charts.chart(face) as u32);
    }
    let colours = colour_charts(&charted.mesh().triangles, |triangle| of_triangle[triangle]);
    let mut faces = vec![String::new(); charts.count()];
    let mut borders = vec![String::new(); charts.count()];
    for face in surface.faces() {
        let chart = charts.chart(face);
        let corners = layout.corners[face.index()].map(place);
        let [a, b, c] = corners.map(word);
        // Writing to a string cannot fail.
        let _ = write!(faces[chart], "M{a}L{b}L{c}Z");
        for (k, side) in face.half_edges().into_iter().enumerate() {
            let is_inner = surface.twin(side).is_some_and(|twin| charts.chart(twin.face()) == chart);
            if !is_inner {
                let _ = write!(borders[chart], "M{}L{}", word(corners[k]), word(corners[(k + 1) % 3]));
            }
        }
    }
    let (w, h) = (number(width), number(height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n\
         <title>The charts of a surface, laid flat</title>\n<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n\
         <g stroke-linejoin=\"round\" stroke-linecap=\"round\">\n"
    );
    for (chart, (faces, border)) in faces.iter().zip(&borders).enumerate() {
        let colour = chart_colour(colours[chart], 1.0);
        let _ = writeln!(
            out,
            "<g class=\"chart\"><title>chart {chart}</title><path d=\"{faces}\" fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"0.2\"/>\
             <path d=\"{border}\" fill=\"none\" stroke=\"#333333\" stroke-width=\"1.2\"/></g>"
        );
    }
    out.push_str("</g>\n</svg>\n");
    out
}
