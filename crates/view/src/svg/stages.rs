//! Pictures of the stages from a scene to its plan: voxels, layers, depths. Each pixel or voxel is a square seen from above; what
//! lies above is painted over what lies below, unless one layer alone is asked for.

use super::{DrawConfig, DrawError, canvas::Canvas, furniture};
use crate::COLOURS;
use std::fmt::Write as _;
use wayfare_floor::voxel::{
    Floors, Lattice,
    layers::Layers,
    thesis::{ThesisStages, cutting::CutKind},
};
use wayfare_geom::Aabb2;

/// Shades of grey between the lowest and the highest floor.
const SHADES: usize = 48;

/// Squares of a lattice that are painted alike.
struct Picture<'a> {
    out: String,
    canvas: Canvas,
    config: &'a DrawConfig,
}

/// Squares side by side: row, first column, the column behind the last, and how they are painted.
type Strip = (u32, u32, u32, usize);

impl<'a> Picture<'a> {
    fn new(
        lattice: &Lattice,
        title: &str,
        has_legend: bool,
        config: &'a DrawConfig,
    ) -> Result<Self, DrawError> {
        config.check()?;
        let bounds =
            Aabb2 { min: lattice.corner(0, 0), max: lattice.corner(lattice.columns(), lattice.rows()) };
        let canvas = Canvas::new(bounds, config.width, furniture::has_footer(config));
        let canvas = if has_legend && config.scale_bar { canvas.with_legend() } else { canvas };
        let mut out = furniture::open(&canvas, title, config);
        if config.obstacles {
            canvas.backdrop(&mut out);
        }
        Ok(Self { out, canvas, config })
    }

    /// Paints strips; those painted alike are one path, and strips that touch become one.
    fn paint(&mut self, lattice: &Lattice, mut strips: Vec<Strip>, attributes: impl Fn(usize) -> String) {
        strips.sort_unstable_by_key(|&(row, start, _, paint)| (paint, row, start));
        for alike in strips.chunk_by(|a, b| a.3 == b.3) {
            let mut data = String::new();
            for joined in alike.chunk_by(|a, b| a.0 == b.0 && a.2 == b.1) {
                let (row, start) = (joined[0].0, joined[0].1);
                let end = joined.last().map_or(start, |last| last.2);
                let corners = [(start, row), (end, row), (end, row + 1), (start, row + 1)];
                self.canvas.trace(&mut data, corners.map(|(x, y)| lattice.corner(x, y)), true);
            }
            // Writing to a string cannot fail.
            let _ = writeln!(
                self.out,
                "<path {} shape-rendering=\"crispEdges\" d=\"{data}\"/>",
                attributes(alike[0].3)
            );
        }
    }

    fn finish(mut self) -> String {
        furniture::close(&mut self.out, &self.canvas, self.config);
        self.out
    }
}

/// The layers to draw, from below; fails if one is asked for that is not there.
fn layers_drawn(count: u32, config: &DrawConfig) -> Result<Vec<u32>, DrawError> {
    match config.storey {
        Some(asked) if asked >= count => Err(DrawError::NoLayer { asked, known: (0..count).collect() }),
        Some(asked) => Ok(vec![asked]),
        None => Ok((0..count).collect()),
    }
}

fn class(name: &str) -> String {
    format!("class=\"{name}\"")
}

fn layer_colour(layer: usize) -> String {
    class(&format!("c{}", layer % COLOURS))
}

/// Draws the rough voxels of the thesis's pipeline: columns with faces that are too steep only, with walkable ones, and with
/// accessible voxels; of one layer its cutting shape, with columns that it was expanded to, its accessible voxels and those
/// at the border of two layers.
pub fn draw_voxels(stages: &ThesisStages, config: &DrawConfig) -> Result<String, DrawError> {
    const CLASSES: [&str; 4] = ["c3", "c0", "c1", "c2"];
    let voxels = &stages.voxels;
    let mut picture = Picture::new(&voxels.lattice, "coarse voxels", true, config)?;
    let strip = |place: u32, paint: usize| {
        let at = voxels.places[place as usize];
        (at.row, at.column, at.column + 1, paint)
    };
    let strips = match config.storey {
        None => (0..voxels.places.len() as u32)
            .map(|place| {
                let is_positive = voxels.spans_of(place).iter().any(|span| span.is_positive);
                let is_accessible = !stages.accessible.of_column(place).is_empty();
                strip(place, usize::from(is_positive) + usize::from(is_accessible))
            })
            .collect(),
        Some(_) => {
            let layers = layers_drawn(stages.layers.count, config)?;
            let cuts = layers.iter().flat_map(|&layer| &stages.shapes[layer as usize].cuts);
            let paint = |kind: CutKind| match kind {
                CutKind::Expanded => 0,
                CutKind::Accessible => 2,
                CutKind::Portal => 3,
            };
            cuts.map(|cut| strip(cut.place, paint(cut.kind))).collect()
        }
    };
    picture.paint(&voxels.lattice, strips, |paint| class(CLASSES[paint]));
    if config.scale_bar {
        let known = match config.storey {
            None => [(0, "too steep only"), (1, "flat enough"), (2, "accessible")],
            Some(_) => [(0, "beside the layer"), (2, "of the layer"), (3, "at the border of two layers")],
        };
        let known = known.map(|(paint, words)| (class(CLASSES[paint]), words.to_owned()));
        furniture::legend(&mut picture.out, &picture.canvas, &known);
    }
    Ok(picture.finish())
}

/// Draws layers in colours: those of the coarse voxels, with the voxels at the border of two layers marked, if the thesis's
/// pipeline found the floors; else those of the runs.
pub fn draw_layers(floors: &Floors, layers: &Layers, config: &DrawConfig) -> Result<String, DrawError> {
    let Some(stages) = &floors.thesis else {
        let mut picture = Picture::new(&floors.lattice, "layers", false, config)?;
        for layer in layers_drawn(layers.count, config)? {
            let strips = runs_of(floors, layers, layer).map(|(_, strip)| strip).collect();
            picture.paint(&floors.lattice, strips, layer_colour);
        }
        return Ok(picture.finish());
    };
    let lattice = &stages.voxels.lattice;
    let mut picture = Picture::new(lattice, "layers", false, config)?;
    for layer in layers_drawn(stages.layers.count, config)? {
        let own = (0..stages.accessible.voxels.len()).filter(|&voxel| stages.layers.of[voxel] == layer);
        let strips = own.map(|voxel| {
            let at = stages.voxels.places[stages.accessible.voxels[voxel].place as usize];
            (
                at.row,
                at.column,
                at.column + 1,
                if stages.portals[voxel] { usize::MAX } else { layer as usize },
            )
        });
        let colour = |paint| if paint == usize::MAX { class("notch") } else { layer_colour(paint) };
        picture.paint(lattice, strips.collect(), colour);
    }
    Ok(picture.finish())
}

/// Draws heights in grey, dark below: those of the depth maps of the thesis's pipeline, in one layer alone with what is seen
/// but no floor in the colour of obstacles; else those of the runs.
pub fn draw_depth(floors: &Floors, layers: &Layers, config: &DrawConfig) -> Result<String, DrawError> {
    let mut picture = Picture::new(&floors.lattice, "depth", true, config)?;
    let count = floors.thesis.as_ref().map_or(layers.count, |stages| stages.layers.count);
    let drawn = layers_drawn(count, config)?;
    // Pixels are looked at twice and not kept: a fine map of a large scene has hundreds of millions of them.
    let visit = |layer: u32, each: &mut dyn FnMut(Strip, f64)| match &floors.thesis {
        Some(stages) => visit_depths(stages, layer, config.storey.is_some(), each),
        None => visit_heights(floors, layers, layer, each),
    };
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for &layer in &drawn {
        visit(layer, &mut |(.., kind), height| {
            if kind == FLOOR {
                (low, high) = (low.min(height), high.max(height));
            }
        });
    }
    let shade =
        |height: f64| ((height - low) / (high - low).max(1e-9) * (SHADES - 1) as f64).round() as usize;
    for layer in drawn {
        let mut strips: Vec<Strip> = Vec::new();
        visit(layer, &mut |(row, start, end, kind), height| {
            let paint = if kind == FLOOR { shade(height) } else { SHADES };
            match strips.last_mut() {
                Some(last) if (last.0, last.2, last.3) == (row, start, paint) => last.2 = end,
                _ => strips.push((row, start, end, paint)),
            }
        });
        picture.paint(&floors.lattice, strips, |paint| match paint {
            SHADES => class("obstacle"),
            shade => grey(shade),
        });
    }
    if config.scale_bar && low <= high {
        // From the lowest to the highest, with the heights at both ends.
        let metres = |height: f64| format!("{:.2} m", floors.lattice.height(height) + 0.0);
        let steps = (0..SHADES).map(|shade| (grey(shade), String::new()));
        let mut known = vec![(String::new(), metres(low))];
        if high > low {
            known.extend(steps);
            known.push((String::new(), metres(high)));
        } else {
            known.insert(0, (grey(0), String::new()));
        }
        furniture::legend(&mut picture.out, &picture.canvas, &known);
    }
    Ok(picture.finish())
}

/// A shade, dark to light.
fn grey(shade: usize) -> String {
    let grey = 70 + shade * 180 / (SHADES - 1);
    format!("style=\"fill:#{grey:02x}{grey:02x}{grey:02x}\"")
}

/// Kinds of strips before their shade is known.
const FLOOR: usize = 0;
const OBSTACLE: usize = 1;

/// The runs of a layer as strips, painted with its number.
fn runs_of<'a>(
    floors: &'a Floors,
    layers: &'a Layers,
    layer: u32,
) -> impl Iterator<Item = (u32, Strip)> + 'a {
    let runs = floors.runs.runs.iter().zip(&layers.of_run).enumerate();
    runs.filter(move |(_, (_, of))| **of == layer)
        .map(move |(number, (run, _))| (number as u32, (run.row, run.start, run.end, layer as usize)))
}

/// The heights of a layer's runs, pixel by pixel.
fn visit_heights(floors: &Floors, layers: &Layers, layer: u32, each: &mut dyn FnMut(Strip, f64)) {
    for (run, (row, start, end, _)) in runs_of(floors, layers, layer) {
        for column in start..end {
            each((row, column, column + 1, FLOOR), f64::from(floors.runs.height(run, column)));
        }
    }
}

/// What is seen in each pixel of a layer's depth map, with or without obstacles.
fn visit_depths(stages: &ThesisStages, layer: u32, with_obstacles: bool, each: &mut dyn FnMut(Strip, f64)) {
    let (map, floors) = (&stages.maps[layer as usize], &stages.floors[layer as usize]);
    let side = stages.blocks.side;
    for (cut, pixels) in stages.shapes[layer as usize].cuts.iter().zip(0..) {
        let at = stages.voxels.places[cut.place as usize];
        let columns = stages.blocks.pixels(0, at.column, stages.lattice.columns());
        for row in stages.blocks.pixels(1, at.row, stages.lattice.rows()) {
            let y = stages.blocks.split(1, row).1;
            for column in columns.clone() {
                let x = stages.blocks.split(0, column).1;
                let pixel = pixels * stages.blocks.area() + (y * side + x) as usize;
                let depth = &map.pixels[pixel];
                let kind = if floors[pixel] { FLOOR } else { OBSTACLE };
                if kind == FLOOR || with_obstacles && depth.is_seen() {
                    each((row, column, column + 1, kind), f64::from(depth.top));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::Context;
    use wayfare_floor::{
        GroundConfig, Pipeline,
        voxel::{find_floors, layers::find_layers},
    };
    use wayfare_scene::generated::scene_by_name;

    fn floors(pipeline: Pipeline) -> (Floors, Layers) {
        let scene = scene_by_name("bridge").expect("a generated scene");
        let config = GroundConfig { pipeline, resolution: 0.4, coarse: 0.8, ..GroundConfig::default() };
        let floors = find_floors(&scene, &config, &Context::default()).expect("ground");
        let layers = find_layers(&floors.runs, &Context::default()).unwrap();
        (floors, layers)
    }

    /// The area of all squares in a picture that is painted with a class or a colour [px²].
    fn painted(svg: &str, attribute: &str, values: &[&str]) -> f64 {
        let document = roxmltree::Document::parse(svg).expect("well-formed");
        let paths = document.descendants().filter(|node| {
            node.tag_name().name() == "path"
                && node.attribute(attribute).is_some_and(|value| values.iter().any(|v| value.starts_with(v)))
                && node.attribute("shape-rendering").is_some()
        });
        let mut area = 0.0;
        for path in paths {
            for square in path.attribute("d").unwrap_or_default().split('z').filter(|d| !d.is_empty()) {
                let side = |letter: char| -> f64 {
                    let rest = &square[square.find(letter).expect("a side") + 1..];
                    let end = rest.find(|c: char| c.is_alphabetic()).unwrap_or(rest.len());
                    rest[..end].parse().expect("a number")
                };
                area += (side('h') * side('v')).abs();
            }
        }
        area
    }

    #[test]
    fn every_floor_is_painted_in_the_colour_of_its_layer_and_in_grey() {
        let config = DrawConfig { width: 2000.0, ..DrawConfig::default() };
        let (floors, layers) = floors(Pipeline::Columns);
        let canvas_scale = {
            let picture = Picture::new(&floors.lattice, "", false, &config).expect("a width");
            picture.canvas.scale * floors.lattice.resolution()
        };
        let expected = floors.runs.pixels() as f64 * canvas_scale * canvas_scale;
        for picture in [draw_layers(&floors, &layers, &config), draw_depth(&floors, &layers, &config)] {
            let svg = picture.expect("a picture");
            let area = painted(&svg, "class", &["c"]) + painted(&svg, "style", &["fill:#"]);
            assert!((area / expected - 1.0).abs() < 1e-3, "{area} {expected}");
        }
        // One layer alone, and one that is not there.
        let one = DrawConfig { storey: Some(0), ..config.clone() };
        let alone = painted(&draw_layers(&floors, &layers, &one).expect("a picture"), "class", &["c0"]);
        assert!(alone > 0.0 && alone < expected);
        let missing = DrawConfig { storey: Some(layers.count), ..config };
        assert!(matches!(draw_depth(&floors, &layers, &missing), Err(DrawError::NoLayer { .. })));
    }

    #[test]
    fn colours_and_shades_are_explained_below_the_map() {
        let words = |svg: &str| -> Vec<String> {
            let document = roxmltree::Document::parse(svg).expect("well-formed");
            let texts = document.descendants().filter(|node| node.tag_name().name() == "text");
            texts.filter_map(|node| node.text().map(str::to_owned)).collect()
        };
        let config = DrawConfig::default();
        let plain = DrawConfig { scale_bar: false, ..DrawConfig::default() };
        for pipeline in [Pipeline::Columns, Pipeline::Thesis] {
            let (floors, layers) = floors(pipeline);
            let depth = words(&draw_depth(&floors, &layers, &config).expect("a picture"));
            let metres: Vec<f64> = depth
                .iter()
                // Not the scale bar.
                .filter(|text| text.contains('.'))
                .filter_map(|text| text.strip_suffix(" m")?.parse::<f64>().ok())
                .collect();
            // The ground round the bridge, and its deck.
            assert!(metres.len() == 2 && metres[0].abs() < 0.5 && metres[1] > 2.0, "{depth:?}");
            assert!(words(&draw_depth(&floors, &layers, &plain).expect("a picture")).is_empty());
            let Some(stages) = &floors.thesis else { continue };
            for (storey, word) in [(None, "too steep only"), (Some(0), "of the layer")] {
                let config = DrawConfig { storey, ..config.clone() };
                let voxels = words(&draw_voxels(stages, &config).expect("a picture"));
                assert!(voxels.iter().any(|text| text == word), "{voxels:?}");
            }
        }
    }

    #[test]
    fn stages_of_the_thesis_are_painted() {
        let config = DrawConfig { width: 2000.0, ..DrawConfig::default() };
        let (floors, layers) = floors(Pipeline::Thesis);
        let stages = floors.thesis.as_ref().expect("the thesis's stages");
        let scale = {
            let picture = Picture::new(&stages.voxels.lattice, "", false, &config).expect("a width");
            picture.canvas.scale * stages.voxels.lattice.resolution()
        };
        let voxels = draw_voxels(stages, &config).expect("a picture");
        let area = painted(&voxels, "class", &["c"]) / (scale * scale);
        assert!((area - stages.voxels.places.len() as f64).abs() < 1e-2 * area, "{area}");
        let layers_drawn = draw_layers(&floors, &layers, &config).expect("a picture");
        let area = painted(&layers_drawn, "class", &["c", "notch"]) / (scale * scale);
        assert!((area - stages.accessible.voxels.len() as f64).abs() < 1e-2 * area, "{area}");
        let one = DrawConfig { storey: Some(0), ..config.clone() };
        for picture in [draw_voxels(stages, &one), draw_depth(&floors, &layers, &one)] {
            assert!(roxmltree::Document::parse(&picture.expect("a picture")).is_ok());
        }
    }
}
