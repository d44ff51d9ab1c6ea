//! Contacts: from where agents want to be to where they can be, without overlap and without entering walls.
//!
//! | file | step |
//! |---|---|
//! | `near` | who and what may be touched in this step |
//! | `project` | bodies are pushed apart and out of walls, a little farther than needed |
//! | `guard` | what is left of the step is shortened until nobody overlaps and nobody enters a wall |
//!
//! `physical` does the same by a physics engine, to compare with.
//!
//! All three only read what is known at the beginning of a pass and write each agent once, so that the order of agents
//! and the number of threads do not matter.

mod guard;
mod near;
#[cfg(feature = "rapier")]
mod physical;
mod project;

pub(crate) use guard::guard;
pub(crate) use near::{Near, SeenByMe, is_same_storey, look};
#[cfg(feature = "rapier")]
pub(crate) use physical::Physical;
pub(crate) use project::project;

/// Agents that are worked on together. Fixed, so that nothing depends on the number of threads.
pub(crate) const CHUNK: usize = 256;

/// How much a step may move an agent, as a share of its wish speed: pushing is faster than walking. The speed that agents
/// at narrow doors reach is a third above their wish.
pub(crate) const HASTE: f64 = 1.34;
/// The least of it [m/s]: who wants to stay may be pushed.
pub(crate) const LEAST_HASTE: f64 = 0.5;
