//! From triangles to floors without pixels: the ground's true outline, to a grid of less than a nanometre.
//!
//! Source: seed 002, section III.B (the walkable environment of Van Toll and Polak). `docs/exact.md` tells the stages, what was
//!   decided and what shows it.

mod assemble;
mod chords;
mod clean;
mod covered;
mod cracks;
mod cuts;
mod faces;
mod ground;
mod joins;
mod layers;
mod nodes;
mod patches;
mod plan;
mod raise;
mod select;
mod straighten;
mod surface;
mod walkable;

pub(crate) use clean::thin;
pub use ground::{ExactGround, LeftOut, NearGaps, find_surface, plan_exact};
pub(crate) use surface::root;
pub use surface::{
    BorderEdge, NO_HALF_EDGE, Origin, Patch, PatchId, Plane, Riser, SurfaceTriangle, SurfaceVertexId,
    WalkableSurface,
};
pub use walkable::find_walkable;
