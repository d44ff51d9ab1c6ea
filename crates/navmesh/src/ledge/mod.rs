//! Bodies that may overhang drops: their centre stays on the ground, and only walls count for their radius
//! ([`crate::Body::overhangs`], `--ledge-clearance 0`).
//!
//! | file | idea |
//! |---|---|
//! | `walls` | the walls of a mesh by place, and how far they are |
//! | `rope` | the shortest path: a rope round corners of walls at the radius, and straight over corners of drops |
//! | `flood`, `stadium` | whether there is a way at all, and how wide the widest is |
//! | `finder` | from two points to a path on the ground, or why there is none |
//!
//! What the mesh stores is about all of its boundary: a drop hides the wall behind it. So nothing here is baked; walls are
//! asked by distance in plan, over pits as well, as far as they stand in the body's way: between a step below the
//! ground that it is on and its height above. `docs/decisions/0008-ledges.md` says why.

mod finder;
mod flood;
mod rope;
mod stadium;
mod walls;

pub(crate) use finder::Overhanging;
pub use walls::Walls;
pub(crate) use walls::level_parts;
