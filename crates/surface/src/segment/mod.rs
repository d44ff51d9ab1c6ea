//! A surface in charts: pieces that can be laid flat with little distortion.
//!
//! Steps: 1. pieces as flat as can be (`vsa.rs`)  2. what is no disc, overlaps itself or is stretched beyond the limit is divided
//!   3. neighbours are merged as long as they stay under the limit (`merge.rs`)  4. charts are flattened with care
//! Source: Wang 2008, "Computing length-preserved free boundary for quasi-developable mesh segmentation", for the merging of the pieces
//!   of Cohen-Steiner 2004. We differ: a merge is tried by flattening, and what is over the limit is divided.
//! Promises S1 (charts are discs without flips or overlaps), S3 (the mean L∞ of each chart is under the limit; a single face is
//! always flat). Cost: O(n^1.5) and a few hundred flattenings.

mod merge;
mod vsa;

use crate::{
    FaceId, SurfaceError, SurfaceMesh,
    flat::{Care, ChartMesh, FlatChart, FlatStart, Scratch, Stretch},
    mesh::NONE,
};
use vsa::{Pieces, Shape};
use wayfare_core::{Context, DVec3, Id as _};
use wayfare_geom::TriangleMesh;

/// How a surface is divided.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentConfig {
    /// Largest mean L∞ stretch of a chart; > 1.
    pub max_distortion: f64,
    /// Number of pieces to begin with, before those over the limit are divided and neighbours merged; `None`: by the number of faces.
    pub charts: Option<usize>,
    /// How far the border of a chart may be moved when it is simplified, relative to √(max_distortion − 1) times the size of a mean
    /// chart (of a fiftieth of the surface, if there are fewer); ≥ 0. At 0 all vertices of the borders are kept.
    pub simplify: f64,
    /// What flattening begins with.
    pub start: FlatStart,
}

impl Default for SegmentConfig {
    /// Errs by a few tenths of a percent.
    fn default() -> Self {
        Self { max_distortion: 1.005, charts: None, simplify: 1.0, start: FlatStart::default() }
    }
}

impl SegmentConfig {
    /// The reason why it cannot be used, if there is one.
    pub fn check(&self) -> Result<(), SurfaceError> {
        let bad = |field, value, range| Err(SurfaceError::Config { field, value, range });
        // Written so that NaN fails.
        if !(self.max_distortion > 1.0 && self.max_distortion <= 1e6) {
            return bad("max_distortion", self.max_distortion, "> 1, at most 1e6");
        }
        if self.charts == Some(0) {
            return bad("charts", 0.0, ">= 1");
        }
        if !(0.0..=1e6).contains(&self.simplify) {
            return bad("simplify", self.simplify, "0 .. 1e6");
        }
        Ok(())
    }
}

/// A surface in flat charts.
#[derive(Clone, Debug, PartialEq)]
pub struct Charts {
    /// The charts.
    pub(crate) charts: Vec<FlatChart>,
    /// Per face its chart, and its place there.
    pub(crate) places: Vec<[u32; 2]>,
}

impl Charts {
    /// From charts that together have each face once.
    pub(crate) fn new(surface: &SurfaceMesh, charts: Vec<FlatChart>) -> Self {
        let mut places = vec![[NONE; 2]; surface.face_count()];
        for (number, chart) in charts.iter().enumerate() {
            for (k, &face) in chart.mesh.faces.iter().enumerate() {
                places[face as usize] = [number as u32, k as u32];
            }
        }
        Self { charts, places }
    }
    /// Number of charts.
    pub fn count(&self) -> usize {
        self.charts.len()
    }
    /// The chart of a face.
    pub fn chart(&self, face: FaceId) -> usize {
        self.places[face.index()][0] as usize
    }
    /// The corners of a face in the plane of its chart, in the order of the surface.
    pub fn flat(&self, face: FaceId) -> [[f64; 2]; 3] {
        let [chart, place] = self.places[face.index()].map(|k| k as usize);
        let chart = &self.charts[chart];
        let corners = chart.corners(place).map(|p| p.to_array());
        // Turned faces have their second and third corner changed.
        let first_side = chart.mesh.sides[place][0] as usize;
        if first_side.is_multiple_of(3) { corners } else { [corners[0], corners[2], corners[1]] }
    }
    /// Stretch of a chart.
    pub fn chart_stretch(&self, chart: usize) -> Stretch {
        self.charts[chart].stretch
    }
    /// Stretch of all.
    pub fn stretch(&self) -> Stretch {
        self.charts.iter().fold(Stretch::NONE, |sum, chart| sum.and(chart.stretch))
    }
}

/// Divides a surface into charts; `mesh` is what it was built of.
pub fn segment(
    mesh: &TriangleMesh,
    surface: &SurfaceMesh,
    config: &SegmentConfig,
    context: &Context,
) -> Result<Charts, SurfaceError> {
    config.check()?;
    let shape = shape(mesh, surface);
    let all: Vec<u32> = (0..surface.face_count() as u32).collect();
    // Many enough that most are under the limit at once; merging makes them fewer.
    let count = config.charts.unwrap_or_else(|| (0.5 * (all.len() as f64).sqrt()).ceil() as usize).max(1);
    let mut work = Work {
        surface,
        shape: &shape,
        scratch: Scratch::new(surface),
        pieces: Pieces::new(surface),
        limit: config.max_distortion,
        start: config.start,
    };
    // 1.
    let mut waiting = work.parts(&all, count, 10);
    // 2.
    waiting.reverse();
    let stage = context.stage("flatten", waiting.len() as u64);
    let mut charts = Vec::new();
    while let Some(faces) = waiting.pop() {
        context.check()?;
        match work.flatten(faces) {
            Ok(chart) => {
                charts.push(chart);
                stage.advance(1);
            }
            Err(faces) => waiting.extend(work.divide(&faces)),
        }
    }
    drop(stage);
    // 3.
    let charts = merge::merge(&mut work, charts, context)?;
    // 4.
    let stage = context.stage("improve", charts.len() as u64);
    let mut improved = Vec::with_capacity(charts.len());
    for chart in charts {
        context.check()?;
        // More rounds may make a border cross itself; then the chart stays as it was.
        let better = chart.clone().improved(surface, Care::Final);
        improved.push(better.filter(|better| better.stretch.linf_mean <= work.limit).unwrap_or(chart));
        stage.advance(1);
    }
    Ok(Charts::new(surface, improved))
}

/// What all steps need.
struct Work<'a> {
    surface: &'a SurfaceMesh,
    shape: &'a Shape,
    scratch: Scratch,
    pieces: Pieces,
    limit: f64,
    start: FlatStart,
}

impl Work<'_> {
    /// A chart under the limit, or the faces again.
    fn flatten(&mut self, faces: Vec<u32>) -> Result<FlatChart, Vec<u32>> {
        let Some(mesh) = ChartMesh::build(self.surface, faces.clone(), &mut self.scratch) else {
            return Err(faces);
        };
        if faces.len() == 1 {
            return Ok(FlatChart::of_one_face(self.surface, mesh));
        }
        match FlatChart::build(self.surface, mesh, self.start, Care::Trial(self.limit)) {
            Some(chart) if chart.stretch.linf_mean <= self.limit => Ok(chart),
            _ => Err(faces),
        }
    }

    /// Two charts as one under the limit, if that can be.
    fn unite(&mut self, parts: [&FlatChart; 2]) -> Option<FlatChart> {
        let faces = parts.iter().flat_map(|part| part.mesh.faces.iter().copied()).collect();
        let mesh = ChartMesh::build(self.surface, faces, &mut self.scratch)?;
        FlatChart::build_of(self.surface, mesh, parts, self.start, Care::Trial(self.limit))
            .filter(|chart| chart.stretch.linf_mean <= self.limit)
    }

    /// Connected parts of some faces, about as many as asked for.
    fn parts(&mut self, faces: &[u32], count: usize, rounds: usize) -> Vec<Vec<u32>> {
        let pieces = self.pieces.divide(self.surface, self.shape, faces, count, rounds);
        let mut parts: Vec<Vec<u32>> = vec![Vec::new(); pieces];
        faces.iter().for_each(|&face| parts[self.pieces.piece[face as usize] as usize].push(face));
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// Two or more connected parts of two or more faces.
    fn divide(&mut self, faces: &[u32]) -> Vec<Vec<u32>> {
        let parts = self.parts(faces, 2, 4);
        // Where all faces have one middle, nothing was divided: each face for itself.
        if parts.len() == 1 { faces.iter().map(|&face| vec![face]).collect() } else { parts }
    }
}

fn shape(mesh: &TriangleMesh, surface: &SurfaceMesh) -> Shape {
    let faces = surface.faces().map(|face| mesh.points(surface.input_face(face)));
    let mut shape = Shape { normals: Vec::new(), areas: Vec::new(), middles: Vec::new() };
    for [a, b, c] in faces {
        shape.normals.push((b - a).cross(c - a).normalize_or_zero());
        shape.middles.push((a + b + c) / 3.0);
    }
    shape.areas = surface.faces().map(|face| surface.area(face)).collect();
    turn_alike(surface, &mut shape.normals);
    shape
}

/// Faces that turn the other way than their neighbours have their normal turned, as far as that can be.
fn turn_alike(surface: &SurfaceMesh, normals: &mut [DVec3]) {
    let mut seen = vec![false; normals.len()];
    let mut stack = Vec::new();
    for first in 0..normals.len() {
        if seen[first] {
            continue;
        }
        seen[first] = true;
        stack.push((first, false));
        while let Some((face, turned)) = stack.pop() {
            if turned {
                normals[face] = -normals[face];
            }
            for h in FaceId::new(face).half_edges() {
                let Some(twin) = surface.twin(h) else { continue };
                let other = twin.face().index();
                if !seen[other] {
                    seen[other] = true;
                    stack.push((other, turned != surface.is_mirrored(h)));
                }
            }
        }
    }
}
