//! Solvers that are not exact but fast; each says how it errs.

mod dijkstra;
mod fast_marching;
mod heap;
mod start;
mod virtual_sources;

pub(crate) use dijkstra::dijkstra;
pub(crate) use fast_marching::fast_marching;
pub(crate) use virtual_sources::virtual_sources;
