//! A tree of boxes over things in space: which of them may meet a box.
//!
//! Idea: things sorted along a space-filling curve lie together if they are near each other; a tree over that
//!   order needs no pointers: node `k` of a level has the nodes `4k` to `4k + 3` of the level below as its children. It knows
//!   their boxes, in single precision and rounded outwards, and compares all four at once.
//! Source: Lauterbach et al. 2009, "Fast BVH construction on GPUs" (linear BVH); Dammertz et al. 2008 (four children).
//! Cost: O(n) to build, 32 bytes per thing; a query visits what its box meets and the nodes above.

use wayfare_core::{DVec3, Vec4};

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
        // One after the other: most are told apart by the first.
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
            && self.min.z <= other.max.z
            && other.min.z <= self.max.z
    }
}

/// A tree over boxes; see the module's text.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    /// The things in the order of the curve.
    order: Vec<u32>,
    /// Nodes level by level: those over things first, the root last.
    nodes: Vec<Node>,
    /// Where the nodes of each level start.
    levels: Vec<usize>,
}

/// Children of a node.
const WIDTH: usize = 4;

/// The boxes of a node's children side by side, axis by axis, rounded outwards; nothing meets that of a child that is not there.
#[derive(Clone, Copy, Debug)]
struct Node {
    min: [Vec4; 3],
    max: [Vec4; 3],
}

impl Node {
    const EMPTY: Self = Self { min: [Vec4::INFINITY; 3], max: [Vec4::NEG_INFINITY; 3] };

    fn set(&mut self, child: usize, [min, max]: [[f32; 3]; 2]) {
        for axis in 0..3 {
            (self.min[axis][child], self.max[axis][child]) = (min[axis], max[axis]);
        }
    }

    /// The box of all children.
    fn bounds(&self) -> [[f32; 3]; 2] {
        [self.min.map(Vec4::min_element), self.max.map(Vec4::max_element)]
    }

    /// Which children meet a box, whose sides are given four times each; a bit for each.
    #[inline]
    fn meeting(&self, [min, max]: &[[Vec4; 3]; 2]) -> u32 {
        let along = |axis: usize| self.min[axis].cmple(max[axis]) & min[axis].cmple(self.max[axis]);
        (along(0) & along(1) & along(2)).bitmask()
    }
}

/// A box in single numbers that holds another.
fn outwards(one: &Aabb3) -> [[f32; 3]; 2] {
    // More than rounding moves it, also where it is too small for a single number.
    let margin = |x: f32| x.abs() * f32::EPSILON + f32::MIN_POSITIVE;
    let down = |x: f64| x as f32 - margin(x as f32);
    let up = |x: f64| x as f32 + margin(x as f32);
    [one.min.to_array().map(down), one.max.to_array().map(up)]
}

impl Bvh {
    /// A tree over the boxes of things, which are numbered as they come.
    pub fn build(boxes: &[Aabb3]) -> Self {
        let all = boxes.iter().fold(Aabb3::EMPTY, |all, one| all.union(*one));
        let size = (all.max - all.min).max_element();
        let scale = if size > 0.0 { 1023.0 / size } else { 0.0 };
        let keys = boxes.iter().map(|one| {
            let middle = ((one.min + one.max) / 2.0 - all.min) * scale;
            let [x, y, z] = [middle.x, middle.y, middle.z].map(|c| spread(c as u32));
            x | y << 1 | z << 2
        });
        let order = sorted(keys.zip(0..).collect());
        let mut nodes: Vec<Node> = Vec::with_capacity(order.len() / (WIDTH - 1) + 16);
        let mut levels = vec![0];
        for things in order.chunks(WIDTH) {
            let mut node = Node::EMPTY;
            for (child, &thing) in things.iter().enumerate() {
                node.set(child, outwards(&boxes[thing as usize]));
            }
            nodes.push(node);
        }
        let mut from = 0;
        while nodes.len() - from > 1 {
            let to = nodes.len();
            levels.push(to);
            for first in (from..to).step_by(WIDTH) {
                let mut node = Node::EMPTY;
                for (child, below) in nodes[first..(first + WIDTH).min(to)].iter().enumerate() {
                    node.set(child, below.bounds());
                }
                nodes.push(node);
            }
            from = to;
        }
        Self { order, nodes, levels }
    }

    /// Visits all things whose box meets another, and a few that are very near to it, in an order of its own, until a visit
    /// says stop (`true`); whether one did.
    pub fn visit(&self, area: &Aabb3, mut visit: impl FnMut(u32) -> bool) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let area = outwards(area).map(|corner| corner.map(Vec4::splat));
        // Level and number of nodes that wait: three of each level and one more at most, of fifteen levels.
        let mut waiting = [(0u8, 0u32); 48];
        waiting[0] = (self.levels.len() as u8 - 1, 0);
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (level, node) = waiting[count];
            let mut met = self.nodes[self.levels[level as usize] + node as usize].meeting(&area);
            if level == 0 {
                while met != 0 {
                    let thing = node as usize * WIDTH + met.trailing_zeros() as usize;
                    if visit(self.order[thing]) {
                        return true;
                    }
                    met &= met - 1;
                }
                continue;
            }
            // The first is looked at first.
            while met != 0 {
                let child = met.ilog2();
                waiting[count] = (level - 1, node * WIDTH as u32 + child);
                count += 1;
                met ^= 1 << child;
            }
        }
        false
    }
}

/// The numbers of things by their keys of 30 bits, ties by number: by the lowest ten bits, then the next, then the next.
fn sorted(mut things: Vec<(u32, u32)>) -> Vec<u32> {
    const BINS: usize = 1 << 10;
    if things.len() < BINS {
        things.sort_unstable();
    } else {
        let mut other = vec![(0, 0); things.len()];
        for shift in [0, 10, 20] {
            let bin = |key: u32| (key >> shift) as usize % BINS;
            let mut starts = [0u32; BINS + 1];
            things.iter().for_each(|thing| starts[bin(thing.0) + 1] += 1);
            for k in 1..BINS {
                starts[k] += starts[k - 1];
            }
            for &thing in &things {
                let at = &mut starts[bin(thing.0)];
                other[*at as usize] = thing;
                *at += 1;
            }
            std::mem::swap(&mut things, &mut other);
        }
    }
    things.into_iter().map(|thing| thing.1).collect()
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
