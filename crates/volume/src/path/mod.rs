//! Paths through free space.
//!
//! Who sees the goal through boxes flies `straight`. All others:
//!
//! ```text
//! search ──> corridor ──> every part searched again ──> kept clear of walls
//!  portals    pulled taut     until none is shorter          for bodies with a radius; roam: where that fails
//! ```

mod body;
mod buckets;
mod clear;
mod corridor;
pub(crate) mod distance;
mod finder;
mod gates;
mod guide;
mod islands;
mod lattice;
mod portal_tree;
mod profile;
mod quick;
mod rims;
mod roam;
mod search;
mod shorten;
mod stand;
mod straight;
mod through;
mod walls;
mod windows;

pub use finder::{End, Flight, FlyFinder, FlyPlace, FlyScratch, NoFlight};
pub(crate) use islands::Islands;
pub use stand::Stand;
