//! Paths through free space.
//!
//! ```text
//! search ──> corridor ──> neighbouring corridors ──> kept clear of walls
//!  portals    pulled taut     until none is shorter        for bodies with a radius
//! ```

mod clear;
mod corridor;
pub(crate) mod distance;
mod finder;
mod neighbours;
mod search;
mod walls;

pub use finder::{End, Flight, FlyFinder, FlyScratch, NoFlight};
