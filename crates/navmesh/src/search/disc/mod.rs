//! Exact shortest paths for discs of any radius.
//!
//! | file | idea |
//! |---|---|
//! | `tangent` | straight pieces that touch corners |
//! | `line` | whether a disc fits along a straight line |
//! | `slit` | edges that the disc does not fit through |
//! | `mouths` | dead ends that are of no interest to a disc |
//! | `off_limits` | how near a piece comes to what is closed or forbidden |
//! | `explore` | the search: sight at radius 0 finds candidates, distances prove them |
//! | `sight`, `known` | what corners see of each other, at any radius; what is known of it at one |
//! | `views` | which corners a point sees, by the face that holds it |
//! | `goal_sight` | the corners that see the goal |
//! | `guide`, `pockets` | how far it is to the goal at least; from corners in dead ends |
//! | `curve` | lines and arcs, and points along them |
//! | `finder` | from two points and a radius to a path on the ground, or why there is none |
//! | `why_limited` | what closes the way |

mod curve;
mod explore;
mod finder;
mod goal_sight;
mod guide;
mod known;
mod line;
mod mouths;
mod off_limits;
mod pockets;
mod sight;
mod slit;
mod tangent;
mod views;
mod why_limited;

pub use curve::PlanPiece;
pub(crate) use explore::DiscScratch;
pub use finder::Body;
pub(super) use finder::Query;
pub(crate) use mouths::Mouths;
pub(crate) use off_limits::{Near, Trace};
pub(crate) use pockets::Pockets;
pub(crate) use sight::Sight;
pub(crate) use tangent::turn_angle;
