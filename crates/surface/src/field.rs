//! What is asked of a solver and what it answers.

mod reading;
mod targets;

pub use reading::Reading;
pub(crate) use targets::Targets;

use crate::{SurfaceError, SurfacePoint, mesh::NONE};

/// How far distances are wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Distances up to this are asked for [m]; what lies farther is infinite. ≥ 0.
    pub radius: f64,
    /// Points, besides the vertices, whose distance is wanted.
    pub targets: Vec<SurfacePoint>,
    /// Whether only the targets are wanted: the work ends when they are settled.
    pub only_targets: bool,
}

impl Default for Query {
    /// All vertices.
    fn default() -> Self {
        Self { radius: f64::INFINITY, targets: Vec::new(), only_targets: false }
    }
}

impl Query {
    /// The reason why it cannot be asked, if there is one.
    pub fn check(&self) -> Result<(), SurfaceError> {
        if self.radius.is_nan() || self.radius < 0.0 {
            return Err(SurfaceError::Config { field: "radius", value: self.radius, range: ">= 0 m" });
        }
        Ok(())
    }
}

/// Distances from the nearest of the sources, and how each vertex and target is reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Per vertex of the surface, copies included [m]; infinite where no source reaches, or none within what was asked.
    pub distances: Vec<f64>,
    /// Per target of the query [m].
    pub targets: Vec<f64>,
    /// Up to here the distances of all vertices are known [m]; infinite if all of them are.
    pub settled: f64,
    /// What it took.
    pub work: Work,
    /// Where it starts.
    pub(crate) sources: Vec<SurfacePoint>,
    pub(crate) arrivals: Vec<Arrival>,
    pub(crate) target_points: Vec<SurfacePoint>,
    pub(crate) target_arrivals: Vec<Arrival>,
}

/// What a solver needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Windows, or what the solver has in their place, that were carried over a face.
    pub windows: u64,
    /// The most windows that waited at a time.
    pub peak_windows: usize,
    /// Memory of windows, lists and queue [bytes].
    pub window_bytes: usize,
}

impl Work {
    /// The work of two queries, one after the other: all windows, and the most memory of either.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        Self {
            windows: self.windows + other.windows,
            peak_windows: self.peak_windows.max(other.peak_windows),
            window_bytes: self.window_bytes.max(other.window_bytes),
        }
    }
}

/// How a vertex or a target is reached: the last straight line of the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arrival {
    /// The half-edge that the line crosses before it reaches the point in its face; [`NONE`] if the line has no edge
    /// to cross.
    pub half_edge: u32,
    /// Where the line comes from: a vertex, or after all vertices a source; [`NONE`] at a source.
    pub root: u32,
    /// Its start in the frame of the half-edge, and how far below it.
    pub x: f64,
    pub depth: f64,
}

/// Of what is a source, or not reached.
pub(crate) const NOWHERE: Arrival = Arrival { half_edge: NONE, root: NONE, x: 0.0, depth: 0.0 };

impl Field {
    pub(crate) fn new(
        sources: &[SurfacePoint],
        query: &Query,
        targets: Targets,
        mut distances: Vec<f64>,
        arrivals: Vec<Arrival>,
        settled: f64,
        work: Work,
    ) -> Self {
        let (target_distances, target_arrivals) = targets.finish(&distances, &arrivals);
        // A path leads over vertices that are nearer than its end, so that all of them are settled if it is.
        let known = settled.min(query.radius);
        distances
            .iter_mut()
            .filter(|distance| **distance > known)
            .for_each(|distance| *distance = f64::INFINITY);
        let within = |&distance: &f64| if distance > query.radius { f64::INFINITY } else { distance };
        Self {
            distances,
            targets: target_distances.iter().map(within).collect(),
            settled,
            work,
            sources: sources.to_vec(),
            arrivals,
            target_points: query.targets.clone(),
            target_arrivals,
        }
    }
}
