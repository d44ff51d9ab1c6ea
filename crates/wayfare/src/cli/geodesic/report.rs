//! What `geodesic` says of its answer.

use super::{
    super::{progress::Seconds, summary::RepairSummary},
    each::EachReport,
    output::RANGES,
    point::PointArg,
};
use serde::Serialize;
use std::fmt::Write as _;
use wayfare::{
    geom::TriangleMesh,
    surface::{SurfaceMesh, SurfacePath, Work},
    view::Histogram,
};

/// The keys of `geodesic --json`.
#[derive(Serialize)]
pub struct Report {
    vertices: usize,
    faces: usize,
    components: usize,
    /// Faces of the base mesh, if one is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_faces: Option<usize>,
    method: &'static str,
    seconds: Seconds,
    /// Windows that crossed a face, or what the method has in their place.
    windows: u64,
    /// The most windows that waited at a time.
    peak_windows: usize,
    window_memory_mb: f64,
    pub peak_memory_mb: Option<f64>,
    /// Largest distance that is not infinite.
    max: Option<f64>,
    /// Mean of those.
    mean: Option<f64>,
    /// Vertices that have a distance.
    reached: usize,
    pub repair: Vec<RepairSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Error>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<TargetReport>,
    /// With `--each`, what there is to say of each source; the keys above are over all of them then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<EachReport>,
}

/// How far two methods are apart.
#[derive(Serialize)]
pub struct Error {
    /// Mean of |difference| over the farthest distance.
    mean: f64,
    /// Largest of these.
    max: f64,
    /// Mean of |difference| over the distance.
    relative_mean: f64,
    /// Largest of these.
    relative_max: f64,
    /// How |difference| over the farthest distance is spread.
    histogram: Spread,
    /// |difference| of each vertex; infinite where one of the two does not reach it.
    #[serde(skip)]
    pub differences: Vec<f64>,
    #[serde(skip)]
    farthest: f64,
}

/// Vertices by ranges of equal width, from 0 on.
#[derive(Serialize)]
struct Spread {
    /// The upper end of each range.
    upper: Vec<f64>,
    vertices: Vec<usize>,
}

/// The answer for one target.
#[derive(Serialize)]
pub struct TargetReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    vertex: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    face: Option<usize>,
    pub found: bool,
    distance: Option<f64>,
    path: Option<PathReport>,
}

/// A path from the source to the target.
#[derive(Serialize)]
struct PathReport {
    length: f64,
    /// As points of faces; the piece to the next point lies in the face.
    points: Vec<PointReport>,
    /// The same in space.
    positions: Vec<[f64; 3]>,
}

#[derive(Serialize)]
struct PointReport {
    face: usize,
    barycentric: [f64; 3],
}

impl Report {
    pub fn of(
        surface: &SurfaceMesh,
        work: &Work,
        distances: &[f64],
        method: &'static str,
        seconds: Seconds,
    ) -> Self {
        let finite = || distances.iter().copied().filter(|distance| distance.is_finite());
        let reached = finite().count();
        Self {
            vertices: surface.input_vertex_count(),
            faces: surface.face_count(),
            components: surface.component_count(),
            base_faces: None,
            method,
            seconds,
            windows: work.windows,
            peak_windows: work.peak_windows,
            window_memory_mb: work.window_bytes as f64 / f64::from(1 << 20),
            peak_memory_mb: None,
            max: finite().reduce(f64::max),
            mean: (reached > 0).then(|| finite().sum::<f64>() / reached as f64),
            reached,
            repair: Vec::new(),
            error: None,
            targets: Vec::new(),
            each: Vec::new(),
        }
    }

    /// For people.
    pub fn words(&self) -> String {
        let mut out = String::new();
        let (max, mean) = (self.max.unwrap_or(f64::INFINITY), self.mean.unwrap_or(f64::INFINITY));
        // Writing to a string cannot fail.
        let _ = match self.each.len() {
            0 => write!(out, "{} of {} vertices reached", self.reached, self.vertices),
            sources => write!(
                out,
                "{sources} sources, each by itself: {} of {sources} times {} vertices reached",
                self.reached, self.vertices
            ),
        };
        let _ = writeln!(out, "; farthest {max:.6}, mean {mean:.6} ({})", self.method);
        if let Some(error) = &self.error {
            let _ = writeln!(
                out,
                "error over the farthest distance: mean {:.4} %, largest {:.4} %; over each distance: mean {:.4} %, largest {:.4} %",
                100.0 * error.mean,
                100.0 * error.max,
                100.0 * error.relative_mean,
                100.0 * error.relative_max
            );
        }
        for target in &self.targets {
            let name = match (target.vertex, target.face) {
                (Some(vertex), _) => format!("vertex {vertex}"),
                (None, Some(face)) => format!("a point of face {face}"),
                (None, None) => "a target".to_owned(),
            };
            let _ = match (&target.path, target.distance) {
                (Some(path), Some(distance)) => {
                    let edges = path.points.len().saturating_sub(2);
                    writeln!(out, "to {name}: {distance}, a path over {edges} edges")
                }
                _ => writeln!(out, "to {name}: no source reaches it"),
            };
        }
        let _ = writeln!(
            out,
            "{} windows, {:.1} MB for them; {}",
            self.windows,
            self.window_memory_mb,
            self.seconds.words()
        );
        out
    }
}

impl Error {
    /// As table 5.1 of the thesis: over the farthest point found by either; where both reach.
    pub fn between(found: &[f64], expected: &[f64]) -> Self {
        let both = || found.iter().zip(expected).filter(|(a, b)| a.is_finite() && b.is_finite());
        let farthest = both().fold(0.0, |most: f64, (a, b)| most.max(*a).max(*b)).max(f64::MIN_POSITIVE);
        let differences: Vec<f64> = found.iter().zip(expected).map(|(a, b)| difference(*a, *b)).collect();
        let finite = || differences.iter().copied().filter(|difference| difference.is_finite());
        let relative = || both().filter(|(_, b)| **b > 0.0).map(|(a, b)| (a - b).abs() / b);
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = values.fold((0.0, 0usize), |(sum, count), value| (sum + value, count + 1));
            sum / count.max(1) as f64
        };
        let histogram = Histogram::of(finite().map(|difference| difference / farthest), RANGES);
        Self {
            mean: mean(&mut finite()) / farthest,
            max: finite().fold(0.0, f64::max) / farthest,
            relative_mean: mean(&mut relative()),
            relative_max: relative().fold(0.0, f64::max),
            histogram: Spread { upper: histogram.upper, vertices: histogram.counts },
            differences,
            farthest,
        }
    }

    /// |difference| over the farthest distance, of all vertices that both reach.
    pub fn shares(&self) -> impl Iterator<Item = f64> {
        let finite = self.differences.iter().filter(|difference| difference.is_finite());
        finite.map(|difference| difference / self.farthest)
    }
}

/// How far two distances are apart; infinite if one of them is.
fn difference(a: f64, b: f64) -> f64 {
    if a.is_finite() && b.is_finite() { (a - b).abs() } else { f64::INFINITY }
}

impl TargetReport {
    /// Of the copies of a vertex that was cut, the nearest.
    pub fn of(
        given: &PointArg,
        copies: &[(f64, Option<SurfacePath>)],
        surface: &SurfaceMesh,
        mesh: &TriangleMesh,
    ) -> Self {
        let nearest = copies.iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let path = nearest.and_then(|(_, path)| path.as_ref());
        let distance = nearest.map(|nearest| nearest.0).filter(|distance| distance.is_finite());
        let (vertex, face) = match given {
            PointArg::Vertex(vertex) => (Some(*vertex), None),
            PointArg::Face(face, _) => (None, Some(*face)),
        };
        let path = path.map(|path| PathReport {
            length: path.length,
            points: path
                .points
                .iter()
                .map(|point| PointReport {
                    face: surface.input_face(point.face),
                    barycentric: point.barycentric,
                })
                .collect(),
            positions: path.positions(surface, mesh).iter().map(|p| p.to_array()).collect(),
        });
        Self { vertex, face, found: distance.is_some(), distance, path }
    }

    /// The path in space.
    pub fn positions(&self) -> &[[f64; 3]] {
        self.path.as_ref().map_or(&[], |path| &path.positions)
    }
}
