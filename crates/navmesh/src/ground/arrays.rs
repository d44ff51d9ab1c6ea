//! N0 of drops and ground: lengths, ids, numbers, triangles with area.

use crate::{
    raw::{NO_CELL, RawNavMesh},
    validate::inspect_positions,
};
use wayfare_core::defects::Defects;
use wayfare_geom::predicates::is_left;

impl RawNavMesh {
    /// Drops: none at all or one per corner, at the boundary only.
    pub(crate) fn inspect_drops(&self, defects: &mut Defects) {
        let (depths, corners) = (&self.drop_depths, self.corners.len());
        if !depths.is_empty() && depths.len() != corners {
            defects.add("N0", "drop_depths", || {
                format!("has {} entries, expected none or {corners}, one per corner", depths.len())
            });
        }
        for (corner, &depth) in depths.iter().enumerate() {
            if depth.is_nan() || depth < 0.0 {
                defects.add("N0", format_args!("drop_depths, corner {corner}"), || {
                    format!("is {depth} m, expected 0 or more")
                });
            } else if depth > 0.0 && self.neighbours.get(corner).is_some_and(|&cell| cell != NO_CELL) {
                defects.add("N0", format_args!("drop_depths, corner {corner}"), || {
                    format!("is {depth} m, but the edge is a portal")
                });
            }
        }
    }

    /// The ground: triangles with area in plan, and lists of them.
    pub(crate) fn inspect_ground(&self, defects: &mut Defects) {
        if !(self.heights_error >= 0.0 && self.heights_error.is_finite()) {
            let error = self.heights_error;
            defects.add("N0", "heights_error", || format!("is {error} m, expected 0 or more"));
        }
        for (array, length) in [
            ("ground_points", self.ground_points.len()),
            ("ground_triangles", self.ground_triangles.len()),
            ("ground_lists", self.ground_lists.len()),
        ] {
            if length >= u32::MAX as usize {
                defects.add("N0", array, || format!("has {length} entries, more than ids can tell apart"));
            }
        }
        inspect_positions(&self.ground_points, "ground point", defects);
        let points = self.ground_points.len();
        for (triangle, corners) in self.ground_triangles.iter().enumerate() {
            let place = format_args!("ground triangle {triangle}");
            let [a, b, c] = corners.map(|k| self.ground_points.get(k as usize).map(|p| p.truncate()));
            let (Some(a), Some(b), Some(c)) = (a, b, c) else {
                defects.add("N0", place, || format!("names points {corners:?} of {points}"));
                continue;
            };
            if !is_left(a, b, c) {
                defects.add("N0", place, || "does not run counter-clockwise round an area".into());
            }
        }
        let triangles = self.ground_triangles.len();
        for (entry, &triangle) in self.ground_lists.iter().enumerate() {
            if triangle as usize >= triangles {
                defects.add("N0", format_args!("ground_lists, entry {entry}"), || {
                    format!("names triangle {triangle} of {triangles}")
                });
            }
        }
        self.inspect_ground_starts(defects);
    }

    /// Whether `ground_starts` cuts `ground_lists` into one ascending list per cell.
    fn inspect_ground_starts(&self, defects: &mut Defects) {
        let (starts, lists, cells) = (&self.ground_starts, &self.ground_lists, self.cell_count());
        if starts.is_empty() {
            if !lists.is_empty() {
                defects.add("N0", "ground_lists", || "has entries, but no cell has a list".into());
            }
            return;
        }
        if starts.len() != cells + 1 {
            let count = starts.len();
            defects.add("N0", "ground_starts", || {
                format!("has {count} entries, expected none or {}", cells + 1)
            });
        }
        if starts[0] != 0 || starts.last().is_some_and(|&last| last as usize != lists.len()) {
            defects.add("N0", "ground_starts", || {
                format!("runs from {} to {:?}, expected 0 to {}", starts[0], starts.last(), lists.len())
            });
        }
        for (cell, pair) in starts.windows(2).enumerate() {
            let place = format_args!("ground_starts, cell {cell}");
            match lists.get(pair[0] as usize..pair[1] as usize) {
                None => defects.add("N0", place, || format!("runs from {} to {}", pair[0], pair[1])),
                Some(list) if !list.is_sorted_by(|a, b| a < b) => {
                    defects.add("N0", place, || "has a list that does not ascend".into());
                }
                Some(_) => {}
            }
        }
    }
}
