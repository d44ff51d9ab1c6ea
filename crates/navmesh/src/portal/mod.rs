//! Portals and the parts of them that a body may use.

mod line;
mod shrink;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use line::Line;
pub use shrink::{Passage, Span, simple_shrink};
pub use table::ShrinkTable;
