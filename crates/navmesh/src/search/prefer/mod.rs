//! Paths that keep away from obstacles where that does not cost much.
//!
//! A body must keep its radius; it may prefer more. What a path costs is its length and, for every metre of it, a price for what
//! its clearance falls short of the preferred one: length + k·∫ max(0, P − clearance) ds. The cheapest path is no rope of lines and arcs
//! but bends all along, so it is found in two steps: where to go, then the exact shape. `docs/any-body.md` says why so.
//!
//! | file | idea |
//! |---|---|
//! | `weight` | what a straight piece costs, exactly |
//! | `strips` | places on the Voronoi diagram, at the preferred clearance and round corners |
//! | `search` | the cheapest way over places |
//! | `tighten` | draws a path tight under its cost |
//! | `finder` | the shortest path and that over places drawn tight; the cheaper one |

mod finder;
mod search;
mod strips;
mod tighten;
mod weight;

pub use weight::Preference;
