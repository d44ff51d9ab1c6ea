//! A tree of boxes over things in space: which of them may meet a box.
//!
//! Idea: things sorted along a space-filling curve lie together if they are near each other; a binary tree over that
//!   order, whose nodes know the box of all below them, needs no pointers: node `k` has the children `2k` and `2k + 1`.
//! Source: Lauterbach et al. 2009, "Fast BVH construction on GPUs" (linear BVH).
//! Cost: O(n log n) to build, two boxes per leaf of memory; a query visits what its box meets and the nodes above.

use wayfare_core::DVec3;

/// Things per leaf.
const LEAF: usize = 4;

/// A box in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb3 {
    /// The lowest coordinates.
    pub min: DVec3,
    /// The highest coordinates.
    pub max: DVec3,
}

impl Aabb3 {
    /// The box of nothing.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The smallest box round points.
    pub fn of_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        let mut all = Self::EMPTY;
        for p in points {
            all = Self { min: all.min.min(p), max: all.max.max(p) };
        }
        all
    }
    /// The smallest box round two.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
    /// Whether two boxes have a point in common.
    pub fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

/// A tree over boxes; see the module's text.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    /// The things in the order of the leaves.
    order: Vec<u32>,
    /// Nodes from 1 on; the second half are the leaves.
    nodes: Vec<Aabb3>,
    leaves: usize,
}

impl Bvh {
    /// A tree over the boxes of things, which are numbered as they come.
    pub fn build(boxes: &[Aabb3]) -> Self {
        let all = boxes.iter().fold(Aabb3::EMPTY, |all, one| all.union(*one));
        let size = (all.max - all.min).max_element();
        let scale = if size > 0.0 { 1023.0 / size } else { 0.0 };
        let mut keys: Vec<(u32, u32)> = boxes
            .iter()
            .zip(0..)
            .map(|(one, number)| {
                let middle = ((one.min + one.max) / 2.0 - all.min) * scale;
                let [x, y, z] = [middle.x, middle.y, middle.z].map(|c| spread(c as u32));
                (x | y << 1 | z << 2, number)
            })
            .collect();
        keys.sort_unstable();
        let leaves = boxes.len().div_ceil(LEAF).next_power_of_two();
        let mut nodes = vec![Aabb3::EMPTY; 2 * leaves];
        for (k, things) in keys.chunks(LEAF).enumerate() {
            nodes[leaves + k] = things.iter().fold(Aabb3::EMPTY, |all, one| all.union(boxes[one.1 as usize]));
        }
        for k in (1..leaves).rev() {
            nodes[k] = nodes[2 * k].union(nodes[2 * k + 1]);
        }
        Self { order: keys.into_iter().map(|key| key.1).collect(), nodes, leaves }
    }

    /// Visits all things whose leaf meets a box, in an order of its own, until a visit says stop (`true`); whether one did.
    pub fn visit(&self, area: &Aabb3, mut visit: impl FnMut(u32) -> bool) -> bool {
        if self.order.is_empty() || !self.nodes[1].meets(area) {
            return false;
        }
        // A node waits for each level at most.
        let mut waiting = [0u32; 64];
        let mut count = 1;
        waiting[0] = 1;
        while count > 0 {
            count -= 1;
            let node = waiting[count] as usize;
            if node >= self.leaves {
                let first = (node - self.leaves) * LEAF;
                let things = &self.order[first.min(self.order.len())..(first + LEAF).min(self.order.len())];
                if things.iter().any(|&thing| visit(thing)) {
                    return true;
                }
                continue;
            }
            for child in [2 * node + 1, 2 * node] {
                if self.nodes[child].meets(area) {
                    waiting[count] = child as u32;
                    count += 1;
                }
            }
        }
        false
    }
}

/// Ten bits with two free places between them.
fn spread(bits: u32) -> u32 {
    let mut x = bits & 0x3ff;
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    (x | x << 2) & 0x09249249
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec3;

    proptest! {
        #[test]
        fn what_meets_a_box_is_visited(
            boxes in prop::collection::vec((-9.0..9.0f64, -9.0..9.0f64, -9.0..9.0f64, 0.0..3.0f64), 0..60),
            area in (-9.0..9.0f64, -9.0..9.0f64, -9.0..9.0f64, 0.0..3.0f64),
        ) {
            let to_box = |(x, y, z, size): (f64, f64, f64, f64)| Aabb3 { min: dvec3(x, y, z), max: dvec3(x, y, z) + size };
            let boxes: Vec<_> = boxes.into_iter().map(to_box).collect();
            let area = to_box(area);
            let mut visited = Vec::new();
            Bvh::build(&boxes).visit(&area, |k| { visited.push(k); false });
            let met = |k: &u32| boxes[*k as usize].meets(&area);
            let mut seen = visited.clone();
            seen.sort_unstable();
            seen.dedup();
            prop_assert_eq!(seen.len(), visited.len(), "once each");
            seen.retain(met);
            let expected: Vec<u32> = (0..boxes.len() as u32).filter(met).collect();
            prop_assert_eq!(seen, expected);
        }
    }
}
