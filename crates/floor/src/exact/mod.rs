//! From triangles to floors without pixels: the ground's true outline, to a grid of less than a nanometre.
//!
//! Source: seed 002, section III.B (the walkable environment of Van Toll and Polak). `docs/exact.md` tells the stages, what was
//!   decided and what shows it.

mod surface;

pub use surface::{
    BorderEdge, NO_HALF_EDGE, Origin, Patch, PatchId, Plane, Riser, SurfaceTriangle, SurfaceVertexId,
    WalkableSurface,
};
