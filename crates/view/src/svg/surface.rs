//! Pictures of surfaces: distance as colour, isolines, paths.
//!
//! Seen from far away along one direction. Faces that look away are left out, the rest are painted from back to front; the lines
//! of a face are painted with it, so that what lies before it hides them, too.

use super::canvas::number;
use crate::colouring::{COLOURS, colour_charts};
use std::fmt::Write as _;
use wayfare_core::{DVec2, DVec3, dvec2, dvec3};
use wayfare_geom::TriangleMesh;

/// How a surface is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfacePicture {
    /// Direction towards the eye; not zero, else as by default.
    pub eye: DVec3,
    /// Width and height of the picture [px].
    pub size: f64,
    /// Number of isolines between 0 and the farthest distance.
    pub isolines: u32,
}

impl Default for SurfacePicture {
    /// From the front, a little from above and from the side.
    fn default() -> Self {
        Self { eye: dvec3(0.5, 0.4, 1.0), size: 900.0, isolines: 24 }
    }
}

/// A face in the picture.
struct Painted {
    depth: f64,
    face: usize,
    corners: [DVec2; 3],
    light: f64,
}

/// Draws a surface in the colours of the distances of its vertices; faces without a distance are grey.
pub fn draw_surface(
    mesh: &TriangleMesh,
    distances: &[f64],
    paths: &[Vec<DVec3>],
    picture: &SurfacePicture,
) -> String {
    let farthest =
        distances.iter().copied().filter(|d| d.is_finite()).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let values = |face: usize| {
        mesh.triangles[face].map(|v| distances.get(v as usize).copied().unwrap_or(f64::INFINITY))
    };
    let fill = |face: usize, light: f64| {
        let mean = values(face).iter().sum::<f64>() / 3.0;
        if mean.is_finite() { colour(mean / farthest, light) } else { shade([0.75; 3], light) }
    };
    let step = farthest / f64::from(picture.isolines.max(1));
    let lines = |face: usize, corners: &[DVec2; 3]| {
        let values = values(face);
        let has_lines = picture.isolines > 0 && values.iter().all(|value| value.is_finite());
        if has_lines { isolines(corners, values, step) } else { Vec::new() }
    };
    paint(mesh, "Distances along a surface", paths, picture, fill, lines)
}

/// Draws a surface in colours that tell charts from their neighbours; `charts` has one number per face, faces without are grey.
pub fn draw_charts(mesh: &TriangleMesh, charts: &[Option<u32>], picture: &SurfacePicture) -> String {
    let colours = colour_charts(&mesh.triangles, |face| charts.get(face).copied().flatten());
    let fill = |face: usize, light: f64| match charts.get(face).copied().flatten() {
        None => shade([0.75; 3], light),
        Some(chart) => chart_colour(colours[chart as usize], light),
    };
    paint(mesh, "A surface in charts", &[], picture, fill, |_, _| Vec::new())
}

/// One of the colours that tell charts apart, darkened.
pub(super) fn chart_colour(number: u8, light: f64) -> String {
    let turn = f64::from(number) / COLOURS as f64;
    let part = |shift: f64| 0.72 + 0.22 * wayfare_core::ops::cos(std::f64::consts::TAU * (turn + shift));
    shade([part(0.0), part(1.0 / 3.0), part(2.0 / 3.0)], light)
}

/// Paints faces from back to front, each with its lines, then the paths.
fn paint(
    mesh: &TriangleMesh,
    title: &str,
    paths: &[Vec<DVec3>],
    picture: &SurfacePicture,
    fill: impl Fn(usize, f64) -> String,
    lines: impl Fn(usize, &[DVec2; 3]) -> Vec<[DVec2; 2]>,
) -> String {
    let eye = if picture.eye.is_finite() && picture.eye.length() > 0.0 {
        picture.eye.normalize()
    } else {
        SurfacePicture::default().eye.normalize()
    };
    let up = if eye.y.abs() < 0.99 { dvec3(0.0, 1.0, 0.0) } else { dvec3(0.0, 0.0, -1.0) };
    let right = up.cross(eye).normalize();
    let up = eye.cross(right);
    let flat = |p: DVec3| dvec2(p.dot(right), -p.dot(up));
    let [mut low, mut high] = [DVec2::INFINITY, DVec2::NEG_INFINITY];
    for p in mesh.all_points().flatten() {
        (low, high) = (low.min(flat(p)), high.max(flat(p)));
    }
    let extent = if low.is_finite() { (high - low).max_element().max(f64::MIN_POSITIVE) } else { 1.0 };
    let margin = 0.02 * picture.size;
    let scale = (picture.size - 2.0 * margin) / extent;
    let height = if low.is_finite() { (high.y - low.y) * scale + 2.0 * margin } else { picture.size };
    let width = if low.is_finite() { (high.x - low.x) * scale + 2.0 * margin } else { picture.size };
    let place = |p: DVec3| (flat(p) - low) * scale + DVec2::splat(margin);

    let mut painted: Vec<Painted> = Vec::new();
    // A surface whose faces turn differently, or that is open, is seen from both sides.
    for (face, corners) in mesh.all_points().enumerate() {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let facing = normal.normalize_or_zero().dot(eye);
        let depth = corners.iter().map(|p| p.dot(eye)).sum();
        painted.push(Painted { depth, face, corners: corners.map(place), light: 0.55 + 0.45 * facing.abs() });
    }
    painted.sort_by(|a, b| a.depth.total_cmp(&b.depth).then(a.face.cmp(&b.face)));

    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n\
         <title>{title}</title>\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n<g stroke-width=\"0.5\" stroke-linejoin=\"round\">\n",
        w = number(width),
        h = number(height)
    );
    for Painted { face, corners, light, .. } in &painted {
        let colour = fill(*face, *light);
        let [a, b, c] = corners.map(|p| format!("{} {}", number(p.x), number(p.y)));
        let _ = writeln!(out, "<path d=\"M{a}L{b}L{c}Z\" fill=\"{colour}\" stroke=\"{colour}\"/>");
        for [p, q] in lines(*face, corners) {
            let _ = writeln!(
                out,
                "<path d=\"M{} {}L{} {}\" stroke=\"#1b1b1b\" stroke-width=\"0.7\"/>",
                number(p.x),
                number(p.y),
                number(q.x),
                number(q.y)
            );
        }
    }
    out.push_str("</g>\n");
    for path in paths.iter().filter(|path| path.len() > 1) {
        let points: Vec<String> =
            path.iter().map(|&p| place(p)).map(|p| format!("{},{}", number(p.x), number(p.y))).collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#d7191c\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>",
            points.join(" ")
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The lines of equal distance through a face, every `step`.
fn isolines(corners: &[DVec2; 3], values: [f64; 3], step: f64) -> Vec<[DVec2; 2]> {
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(0.0, f64::max);
    let (first, last) = ((lowest / step).floor() as i64 + 1, (highest / step).floor() as i64);
    // A face over more lines than this would be black.
    if last - first > 50 {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for k in first..=last {
        let level = k as f64 * step;
        let mut ends = Vec::new();
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let (p, q) = (values[i], values[j]);
            if (p < level) != (q < level) {
                ends.push(corners[i].lerp(corners[j], (level - p) / (q - p)));
            }
        }
        if let [p, q] = ends[..] {
            lines.push([p, q]);
        }
    }
    lines
}

/// From yellow, near, over green to blue, far (after the map viridis, reversed), darkened.
fn colour(share: f64, light: f64) -> String {
    const STOPS: [[f64; 3]; 5] =
        [[0.99, 0.91, 0.14], [0.37, 0.79, 0.38], [0.13, 0.57, 0.55], [0.23, 0.32, 0.55], [0.27, 0.0, 0.33]];
    let along = share.clamp(0.0, 1.0) * 4.0;
    let below = (along.floor() as usize).min(3);
    let part = along - below as f64;
    let mixed = [0, 1, 2].map(|k| STOPS[below][k] * (1.0 - part) + STOPS[below + 1][k] * part);
    shade(mixed, light)
}

fn shade(colour: [f64; 3], light: f64) -> String {
    let [r, g, b] = colour.map(|part| (part * light * 255.0).round().clamp(0.0, 255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}
