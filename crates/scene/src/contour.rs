//! The outlines of the free squares of a grid, as integer polygons with holes.
//!
//! Idea: a ring round free squares turns at lattice points only, and turns alternate between a
//! horizontal and a vertical edge. So one scan over the lattice points in rows finds all corners; the
//! next corner in the row ends the horizontal edge that the last one began, and the same holds for each
//! column. Nothing is ever searched, and straight edges come out merged.
//! Where four squares meet as on a chess board, each free square has its own corner: squares that touch
//! only in a point are not connected.
//! Steps: 1. scan rows, link corners  2. follow the links into rings  3. give each hole to the outline
//!   that the ray to the left of its lowest corner meets first (through other holes, if need be).
//! Promises: rings have the free squares on their left (y up), start at their corner with the least
//!   (y, x), have no straight vertices; every hole lies in the polygon of its 4-connected squares.
//! Cost: O(squares) time, O(corners + width) memory; deterministic.

use wayfare_core::DVec2;
use wayfare_geom::Polygon;

/// A ring turns here. Its two edges lead to `across` (same y) and `along` (same x).
struct Corner {
    x: u32,
    y: u32,
    across: u32,
    along: u32,
    /// The ring leaves by its horizontal edge.
    leaves_across: bool,
}

/// No corner, no ring.
const NONE: u32 = u32::MAX;

/// A grid with more squares is refused by the readers: corner numbers would not fit.
pub(crate) const MAX_SQUARES: u64 = 1 << 31;

/// The polygons of the free squares; square (i, k) is [i, i+1] × [k, k+1]. `fill_row(k, row)` says which
/// squares of row `k` are free; rows are asked for once, upwards. `place` turns lattice points into plan.
pub(crate) fn trace(
    width: usize,
    height: usize,
    fill_row: impl FnMut(usize, &mut [bool]),
    place: impl Fn(u32, u32) -> DVec2,
) -> Vec<Polygon> {
    let (corners, left_of) = find_corners(width, height, fill_row);
    // 2. Corners are in the order of (y, x), so the first of a ring that is met is its least.
    let mut polygon_of = vec![NONE; corners.len()];
    let mut polygons: Vec<Polygon> = Vec::new();
    for start in 0..corners.len() {
        if polygon_of[start] != NONE {
            continue;
        }
        // 3. Above the lowest corner of an outline is free ground, above that of a hole is none.
        let is_outline = corners[start].leaves_across;
        let polygon = if is_outline {
            polygons.push(Polygon::default());
            polygons.len() - 1
        } else {
            let found = left_of.binary_search_by_key(&(start as u32), |entry| entry.0);
            let entry = found.expect("the lowest corner of a hole has free ground on three sides");
            polygon_of[left_of[entry].1 as usize] as usize
        };
        let mut ring = Vec::new();
        let mut at = start;
        while polygon_of[at] == NONE {
            polygon_of[at] = polygon as u32;
            let corner = &corners[at];
            ring.push(place(corner.x, corner.y));
            at = if corner.leaves_across { corner.across } else { corner.along } as usize;
        }
        if is_outline {
            polygons[polygon].outer = ring;
        } else {
            polygons[polygon].holes.push(ring);
        }
    }
    polygons
}

/// Step 1: all corners with their links, in the order of (y, x); and for each corner that may be the lowest
/// of a hole, a corner of the vertical edge to its left.
fn find_corners(
    width: usize,
    height: usize,
    mut fill_row: impl FnMut(usize, &mut [bool]),
) -> (Vec<Corner>, Vec<(u32, u32)>) {
    let mut corners = Corners { all: Vec::new(), waiting_across: NONE, waiting_along: vec![NONE; width + 1] };
    let mut left_of = Vec::new();
    // A blocked square on either side, so that every lattice point has four squares.
    let mut lower = vec![false; width + 2];
    let mut upper = vec![false; width + 2];
    for y in 0..=height {
        std::mem::swap(&mut lower, &mut upper);
        if y < height {
            fill_row(y, &mut upper[1..=width]);
        } else {
            upper.fill(false);
        }
        let mut left_edge = NONE;
        for x in 0..=width {
            let [sw, se, nw, ne] = [lower[x], lower[x + 1], upper[x], upper[x + 1]];
            if sw == se && nw == ne {
                continue; // Nothing, or a horizontal edge that goes on.
            }
            let from_left = (nw != sw).then(|| std::mem::replace(&mut corners.waiting_across, NONE));
            let to_right = ne != se;
            let from_below = sw != se;
            if from_left.is_some() && to_right {
                // A chess board (the straight edge was passed over above): one corner per free square.
                let below = std::mem::replace(&mut corners.waiting_along[x], NONE);
                if sw {
                    corners.add(x, y, from_left, Some(below), true);
                    corners.add(x, y, None, None, true);
                } else {
                    corners.add(x, y, from_left, None, false);
                    corners.add(x, y, None, Some(below), false);
                }
            } else if from_left.is_some() || to_right {
                let below = from_below.then(|| std::mem::replace(&mut corners.waiting_along[x], NONE));
                // Free ground is on the left of the way: above when going right, below when going left.
                let leaves_across = if to_right { ne } else { sw };
                let id = corners.add(x, y, from_left, below, leaves_across);
                if to_right && !from_below && !ne {
                    left_of.push((id, left_edge));
                }
            }
            if nw != ne {
                left_edge = corners.waiting_along[x];
            }
        }
    }
    (corners.all, left_of)
}

/// Corners found so far and those that wait for a partner.
struct Corners {
    all: Vec<Corner>,
    /// The left end of a horizontal edge in this row.
    waiting_across: u32,
    /// The lower end of a vertical edge, per column.
    waiting_along: Vec<u32>,
}

impl Corners {
    /// Adds a corner; edges that do not come from the left or from below wait for their other end.
    fn add(&mut self, x: usize, y: usize, left: Option<u32>, below: Option<u32>, leaves_across: bool) -> u32 {
        let id = self.all.len() as u32;
        match left {
            Some(left) => self.all[left as usize].across = id,
            None => self.waiting_across = id,
        }
        match below {
            Some(below) => self.all[below as usize].along = id,
            None => self.waiting_along[x] = id,
        }
        let (across, along) = (left.unwrap_or(NONE), below.unwrap_or(NONE));
        self.all.push(Corner { x: x as u32, y: y as u32, across, along, leaves_across });
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec2;
    use wayfare_geom::ring_area;

    /// Rows from below.
    fn polygons(rows: &[&str]) -> Vec<Polygon> {
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let fill = |k: usize, row: &mut [bool]| {
            for (i, free) in row.iter_mut().enumerate() {
                *free = rows[k].as_bytes()[i] == b'.';
            }
        };
        trace(width, rows.len(), fill, |x, y| dvec2(x.into(), y.into()))
    }

    #[test]
    fn a_square_is_four_corners_counter_clockwise() {
        let found = polygons(&["."]);
        let corners = [(0., 0.), (1., 0.), (1., 1.), (0., 1.)].map(|(x, y)| dvec2(x, y));
        assert_eq!(found, [Polygon::new(corners.to_vec())]);
    }

    #[test]
    fn squares_that_touch_in_a_point_are_two_polygons() {
        assert_eq!(polygons(&[".@", "@."]).len(), 2);
        assert_eq!(polygons(&["@.", ".@"]).len(), 2);
    }

    #[test]
    fn blocked_squares_that_touch_in_a_point_are_one_hole() {
        let found = polygons(&["....", ".@..", "..@.", "...."]);
        assert_eq!((found.len(), found[0].holes.len(), found[0].holes[0].len()), (1, 1, 8));
        assert_eq!(found[0].area(), 14.0);
    }

    #[test]
    fn an_island_in_a_hole_is_its_own_polygon_and_holes_find_their_outline() {
        let found = polygons(&[".......", ".@@@@@.", ".@...@.", ".@.@.@@", ".@...@.", ".@@@@@.", "......."]);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].holes.len(), found[1].holes.len()), (0, 1));
        let found = polygons(&[".......", ".@.@.@.", ".......", "..@@.@.", "......."]);
        assert_eq!((found.len(), found[0].holes.len()), (1, 5));
    }

    #[test]
    fn nothing_free_gives_no_polygon() {
        assert!(polygons(&["@@", "@@"]).is_empty());
        assert!(polygons(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn areas_and_components_of_random_grids_are_those_of_a_flood_fill(
            cells in prop::collection::vec(prop::bool::weighted(0.6), 1..150), width in 1usize..14
        ) {
            let height = cells.len().div_ceil(width);
            let free = |i: usize, k: usize| cells.get(k * width + i).copied().unwrap_or(false);
            let fill = |k: usize, row: &mut [bool]| {
                for (i, slot) in row.iter_mut().enumerate() {
                    *slot = free(i, k);
                }
            };
            let found = trace(width, height, fill, |x, y| dvec2(x.into(), y.into()));
            // Flood fill, by squares in the order of their least (y, x).
            let mut seen = vec![false; width * height];
            let mut sizes = Vec::new();
            for start in 0..width * height {
                let mut stack = vec![start];
                let mut size = 0;
                while let Some(at) = stack.pop() {
                    let (i, k) = (at % width, at / width);
                    if seen[at] || !free(i, k) {
                        continue;
                    }
                    seen[at] = true;
                    size += 1;
                    if i > 0 { stack.push(at - 1); }
                    if i + 1 < width { stack.push(at + 1); }
                    if k > 0 { stack.push(at - width); }
                    if k + 1 < height { stack.push(at + width); }
                }
                if size > 0 {
                    sizes.push(f64::from(size));
                }
            }
            prop_assert_eq!(found.iter().map(Polygon::area).collect::<Vec<_>>(), sizes);
            for polygon in &found {
                prop_assert!(ring_area(&polygon.outer) > 0.0);
                prop_assert!(polygon.holes.iter().all(|hole| ring_area(hole) < 0.0));
                for ring in polygon.rings() {
                    for k in 0..ring.len() {
                        let (a, b, c) = (ring[k], ring[(k + 1) % ring.len()], ring[(k + 2) % ring.len()]);
                        prop_assert!((a.x == b.x) != (b.x == c.x), "straight vertex at {b}");
                    }
                }
            }
        }
    }
}
