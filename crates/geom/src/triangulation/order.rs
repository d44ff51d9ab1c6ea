//! The order in which points go into a triangulation.
//!
//! Idea: points that follow each other lie close together, so that each is found a few triangles from the one
//!   before; and a sparse random selection goes first, so that no arrangement of the points is slow.
//! Source: Amenta, Choi and Rote 2003, "Incremental constructions con BRIO". Within a round the order is that
//!   of a Hilbert curve.
//! Cost: a sort.

use crate::Aabb2;
use wayfare_core::DVec2;

/// Bits of the curve along each axis at most; with the round and the number they fit into a word.
const MOST_BITS: u32 = 13;

/// The numbers of the points in their order.
pub(super) fn insertion_order(points: &[DVec2]) -> Vec<u32> {
    let bounds = Aabb2::of_points(points.iter().copied());
    let size = bounds.size().max_element();
    // About four squares of the grid for every point.
    let bits = (points.len().max(1).ilog2() / 2 + 2).min(MOST_BITS);
    let scale = if size > 0.0 { f64::from((1 << bits) - 1) / size } else { 0.0 };
    let mut keys: Vec<u64> = points
        .iter()
        .enumerate()
        .map(|(k, &p)| {
            let at = (p - bounds.min) * scale;
            // Three of four points wait for the last round, three of four of the rest for the one before.
            let round = u64::from(31 - scramble(k as u64).trailing_zeros().min(62) / 2);
            let place = u64::from(along_curve(at.x as u32, at.y as u32, bits));
            round << 58 | place << 32 | k as u64
        })
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
}

/// A number without any pattern, after Steele, Lea and Flood 2014 ("SplitMix").
fn scramble(k: u64) -> u64 {
    let z = (k + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// How far along a Hilbert curve a cell of the grid lies.
fn along_curve(mut x: u32, mut y: u32, bits: u32) -> u32 {
    let mut distance = 0;
    for bit in (0..bits).rev() {
        let (right, upper) = (x >> bit & 1, y >> bit & 1);
        distance = distance << 2 | (3 * right) ^ upper;
        if upper == 0 {
            // The lower quarters are turned.
            if right == 1 {
                (x, y) = (!x, !y);
            }
            (x, y) = (y, x);
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_far_from_the_origin_have_the_order_of_near_ones() {
        let near: Vec<DVec2> =
            (0..500).map(|k| DVec2::new(f64::from(k * 37 % 64), f64::from(k * 51 % 97))).collect();
        let far: Vec<DVec2> = near.iter().map(|&p| p + DVec2::new(4_194_304.0, -8_388_608.0)).collect();
        assert_eq!(insertion_order(&near), insertion_order(&far));
    }

    #[test]
    fn the_curve_goes_from_neighbour_to_neighbour_and_misses_no_cell() {
        let mut cells: Vec<(u32, u32, u32)> =
            (0..64).flat_map(|x| (0..64).map(move |y| (along_curve(x, y, 6), x, y))).collect();
        cells.sort_unstable();
        for (k, pair) in cells.windows(2).enumerate() {
            let [(d, x, y), (_, u, v)] = [pair[0], pair[1]];
            assert_eq!(d, k as u32);
            assert_eq!(x.abs_diff(u) + y.abs_diff(v), 1);
        }
    }
}
