//! Why something is no surface, or no point of it.

/// What somebody handed over cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SurfaceError {
    /// Ids are 32 bits wide and one bit is used for marks.
    #[error("a surface has at most {limit} faces and vertices, this one has {faces} and {vertices}")]
    TooLarge {
        /// Faces handed over.
        faces: usize,
        /// Vertices handed over.
        vertices: usize,
        /// The most of either.
        limit: usize,
    },
    /// A position is not a number, infinite, or too far out.
    #[error("vertex {vertex} is at {at:?}, which is not finite or over {limit:e}", limit = wayfare_core::MAX_COORDINATE)]
    Position {
        /// The input's vertex.
        vertex: usize,
        /// Where it is.
        at: [f64; 3],
    },
    /// A face names a vertex that is not there.
    #[error("face {face} names vertex {vertex}; there are {vertices}")]
    Corner {
        /// The input's face.
        face: usize,
        /// What it names.
        vertex: usize,
        /// How many there are.
        vertices: usize,
    },
    /// Three lists of faces, lengths and joints belong together.
    #[error("{faces} faces have {given} {what}")]
    Count {
        /// Number of faces.
        faces: usize,
        /// What is missing or too much.
        what: &'static str,
        /// Number handed over.
        given: usize,
    },
    /// A side whose length is no length.
    #[error("side {side} of face {face} has length {length}")]
    Length {
        /// The input's face.
        face: usize,
        /// 0, 1 or 2: from that corner to the next.
        side: usize,
        /// What it was said to be.
        length: f64,
    },
    /// A side longer than the way round.
    #[error("side {side} of face {face} is longer than the other two together, by {excess}")]
    Inequality {
        /// The input's face.
        face: usize,
        /// 0, 1 or 2: from that corner to the next.
        side: usize,
        /// By how much [m].
        excess: f64,
    },
    /// Two sides that are said to be one do not fit.
    #[error("side {side} of face {face} cannot be joined to half-edge {twin}: {reason}")]
    Joint {
        /// The input's face.
        face: usize,
        /// 0, 1 or 2: from that corner to the next.
        side: usize,
        /// What it was said to be joined to.
        twin: usize,
        /// What does not fit.
        reason: &'static str,
    },
    /// A point that is not on the surface.
    #[error("{0}")]
    Point(String),
    /// A setting outside its range.
    #[error("{field} = {value} is outside {range}")]
    Config {
        /// Its name.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// A query that takes more windows than a surface of its size can be worth.
    #[error(
        "given up after {limit} windows: lines wind round faces without width; repair the mesh, or take another method \
         (`dijkstra` and `fast-marching` need none)"
    )]
    TooManyWindows {
        /// How many it may be.
        limit: u64,
    },
    /// The work was stopped through its context.
    #[error(transparent)]
    Cancelled(#[from] wayfare_core::Cancelled),
}
