//! Polygons that say what another one has said already.

use crate::Polygon;

/// For each polygon the number of the first one with the very same rings, its own if there is none before it.
///
/// Two polygons are the same if their points are, in the same order, bit for bit: that is how copies look. Cost:
/// linear, and a sort of numbers.
pub(super) fn first_of_each(polygons: &[Polygon]) -> Vec<u32> {
    let mut keyed: Vec<(u64, u32)> = polygons.iter().map(key).zip(0..).collect();
    keyed.sort_unstable();
    let mut first: Vec<u32> = (0..polygons.len() as u32).collect();
    for group in keyed.chunk_by(|a, b| a.0 == b.0) {
        let (_, one) = group[0];
        for &(_, other) in &group[1..] {
            // Different polygons with one key stay apart.
            if polygons[one as usize] == polygons[other as usize] {
                first[other as usize] = one;
            }
        }
    }
    first
}

/// A number that equal polygons share (FNV-1a over words).
fn key(polygon: &Polygon) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |word: u64| hash = (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    for ring in polygon.rings() {
        add(ring.len() as u64);
        for p in ring {
            // −0 equals 0.
            add((p.x + 0.0).to_bits());
            add((p.y + 0.0).to_bits());
        }
    }
    hash
}
