//! A surface with numbers on it: distances, errors; in charts, with paths on it.

use super::Show;
use crate::colouring::colour_charts;
use serde_json::json;
use std::collections::BTreeMap;
use wayfare_core::DVec3;

/// A triangle mesh, and what is known on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShownSurface<'a> {
    /// The vertices.
    pub positions: &'a [DVec3],
    /// Three vertices each.
    pub triangles: &'a [[u32; 3]],
    /// What the page can colour it by, the first at first.
    pub fields: &'a [ShownField<'a>],
    /// The chart of each triangle, or nothing.
    pub charts: &'a [u32],
    /// Paths on it, by their points.
    pub paths: &'a [Vec<DVec3>],
}

/// A number by vertex.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShownField<'a> {
    /// What it is, in a few words: "distance from the source".
    pub name: &'a str,
    /// Its unit, or nothing.
    pub unit: &'a str,
    /// By vertex; infinite or NaN where there is none.
    pub values: &'a [f64],
}

impl Show {
    /// Adds a surface. The page colours it by a field, with isolines, or by chart.
    ///
    /// # Panics
    /// If a field has not one value for each vertex, there are charts but not one for each triangle, or a triangle names a vertex that
    /// is not there.
    pub fn add_surface(&mut self, surface: &ShownSurface<'_>) {
        let ShownSurface { positions, triangles, fields, charts, paths } = *surface;
        assert!(charts.is_empty() || charts.len() == triangles.len(), "one chart for each triangle");
        // A vertex between charts is there once for each, so that colours end at their borders.
        let mut numbers: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut vertices: Vec<(u32, u32)> = Vec::new();
        let mut corners: Vec<u32> = Vec::with_capacity(3 * triangles.len());
        for (k, triangle) in triangles.iter().enumerate() {
            let chart = charts.get(k).copied().unwrap_or(0);
            corners.extend(triangle.iter().map(|&vertex| {
                *numbers.entry((vertex, chart)).or_insert_with(|| {
                    vertices.push((vertex, chart));
                    vertices.len() as u32 - 1
                })
            }));
        }
        let places: Vec<f32> =
            vertices.iter().flat_map(|&(vertex, _)| self.place(positions[vertex as usize])).collect();
        self.add_floats("surface.positions", places);
        self.add_numbers("surface.triangles", corners);
        if !charts.is_empty() {
            self.add_numbers("surface.chart", vertices.iter().map(|&(_, chart)| chart));
            let colours = colour_charts(triangles, |triangle| charts.get(triangle).copied());
            let colour = |&(_, chart): &(u32, u32)| u32::from(colours[chart as usize]);
            self.add_numbers("surface.colour", vertices.iter().map(colour));
        }
        for (k, field) in fields.iter().enumerate() {
            assert_eq!(field.values.len(), positions.len(), "one value of '{}' for each vertex", field.name);
            let values = vertices.iter().map(|&(vertex, _)| field.values[vertex as usize] as f32);
            self.add_floats(&format!("surface.field.{k}"), values);
        }
        let pieces = paths.iter().flat_map(|points| points.windows(2)).flatten();
        let pieces: Vec<f32> = pieces.flat_map(|&p| self.place(p)).collect();
        self.add_floats("surface.paths", pieces);
        let fields: Vec<_> =
            fields.iter().map(|field| json!({"name": field.name, "unit": field.unit})).collect();
        self.set("surface", json!({"fields": fields}));
    }
}
