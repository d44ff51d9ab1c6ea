//! One layer: what is seen from above.
//!
//! Idea: one picture of the scene from above, in which each pixel shows its highest face; flooding goes from pixel to pixel as
//!   long as slope and difference of depth allow it. Arches and tunnels are not seen.
//! Source: thesis (seed 000), chapter 5. We differ: the picture is never whole, for each row is forgotten when its runs are
//!   known; runs in contact are what a flood fill finds; the start is the place to reach the ground from, or the
//!   largest flood is taken; contours need no expansion (5.3).
//! Steps: 1. [`keep_top`]: of each column what nothing is above  2. runs  3. [`kept_flood`]: the flood

use crate::voxel::columns::Row;
use crate::{GroundConfig, Keep, LayerMode};

/// Section 5.1: keeps the floors that are seen from above.
pub fn keep_top(row: &mut Row, columns: u32) {
    let floors = row.floors.iter().filter(|floor| floor.ceiling == i32::MAX).copied().collect();
    row.replace_floors(floors, columns);
}

/// Section 5.2: the settings with the flood that is kept, if there is one layer: from the places given, or the largest.
pub fn kept_flood(config: &GroundConfig) -> GroundConfig {
    let keep = match config.layer_mode {
        LayerMode::Many => config.keep,
        LayerMode::Single if config.reach_from.is_empty() => Keep::Largest,
        LayerMode::Single => Keep::Reachable,
    };
    GroundConfig { keep, ..config.clone() }
}
