//! One layer: what is seen from above.
//!
//! Idea: one picture of the scene from above, in which each pixel shows its highest face; flooding goes from pixel to pixel as
//!   long as slope and difference of depth allow it. Arches and tunnels are not seen.
//! Source: thesis (seed 000), chapter 5. We differ: the picture is never whole, for each row is forgotten when its runs are
//!   known; runs in contact are what a flood fill finds (5.2), and which floods are kept is asked for as always; contours need
//!   no expansion (5.3).
//! Steps: 1. [`keep_top`]: of each column what nothing is above  2. runs

use crate::voxel::columns::Row;

/// Section 5.1: keeps the floors that are seen from above.
pub fn keep_top(row: &mut Row) {
    let floors: Vec<_> = row.floors.iter().filter(|floor| floor.ceiling == i32::MAX).copied().collect();
    row.replace_floors(&floors);
}
