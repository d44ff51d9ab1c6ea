//! Portals and the parts of them that a body may use.

mod line;

pub(crate) use line::Line;
