//! A tree of boxes over integer segments or points: finds those that may meet a segment.
//!
//! Idea: sort the items along a curve that keeps neighbours together, then box them in eights, the boxes again in
//! eights, and so on; no pointers are needed. Boxes are single floats, rounded outwards: too much may be found,
//! never too little, and eight boxes are looked at in a few instructions.
//! Source: Kamel and Faloutsos 1993, "On packing R-trees"; we sort by Morton order.
//! Cost: O(n log n) to build, O(log n + found) per query on evenly spread items.

use super::grid::Node;
use wayfare_core::Vec4;

/// Items per box and boxes per box above.
const FAN: usize = 8;
/// At most `FAN` entries wait per level, and 2³² items make 11 levels.
const STACK: usize = 12 * FAN;

/// Eight boxes; unused ones are empty.
#[derive(Clone, Copy)]
struct Pack {
    min_x: [Vec4; 2],
    min_y: [Vec4; 2],
    max_x: [Vec4; 2],
    max_y: [Vec4; 2],
}

impl Pack {
    const EMPTY: Self = Self {
        min_x: [Vec4::INFINITY; 2],
        min_y: [Vec4::INFINITY; 2],
        max_x: [Vec4::NEG_INFINITY; 2],
        max_y: [Vec4::NEG_INFINITY; 2],
    };
    fn set(&mut self, lane: usize, [min_x, min_y, max_x, max_y]: [f32; 4]) {
        let (half, lane) = (lane / 4, lane % 4);
        (self.min_x[half][lane], self.min_y[half][lane]) = (min_x, min_y);
        (self.max_x[half][lane], self.max_y[half][lane]) = (max_x, max_y);
    }
    fn get(&self, lane: usize) -> [f32; 4] {
        let (half, lane) = (lane / 4, lane % 4);
        [self.min_x[half][lane], self.min_y[half][lane], self.max_x[half][lane], self.max_y[half][lane]]
    }
    /// The box round all eight.
    fn union(&self) -> [f32; 4] {
        let least = |values: &[Vec4; 2]| values[0].min(values[1]).min_element();
        let most = |values: &[Vec4; 2]| values[0].max(values[1]).max_element();
        [least(&self.min_x), least(&self.min_y), most(&self.max_x), most(&self.max_y)]
    }
    /// A bit for each box that touches another.
    #[inline]
    fn touching(&self, [min_x, min_y, max_x, max_y]: [f32; 4]) -> u32 {
        let [least_x, least_y] = [Vec4::splat(min_x), Vec4::splat(min_y)];
        let [most_x, most_y] = [Vec4::splat(max_x), Vec4::splat(max_y)];
        let touches = |half: usize| {
            let along_x = self.min_x[half].cmple(most_x) & least_x.cmple(self.max_x[half]);
            let along_y = self.min_y[half].cmple(most_y) & least_y.cmple(self.max_y[half]);
            (along_x & along_y).bitmask()
        };
        touches(0) | touches(1) << 4
    }
}

/// A segment to look along.
struct Query {
    bounds: [f32; 4],
    from: [f64; 2],
    way: [f64; 2],
    reach: f64,
}

impl Query {
    fn new(a: Node, b: Node, reach: i64) -> Self {
        let grown = |node: Node, by: i64| Node { x: node.x + by, y: node.y + by };
        let (low, high) =
            (Node { x: a.x.min(b.x), y: a.y.min(b.y) }, Node { x: a.x.max(b.x), y: a.y.max(b.y) });
        Self {
            bounds: outward(grown(low, -reach), grown(high, reach)),
            from: [a.x as f64, a.y as f64],
            way: [(b.x - a.x) as f64, (b.y - a.y) as f64],
            reach: 1.0 + reach as f64,
        }
    }
    /// False only if the segment's line passes the box at a distance of more than the reach and one unit.
    #[inline]
    fn may_meet(&self, [min_x, min_y, max_x, max_y]: [f32; 4]) -> bool {
        let (min_x, min_y) = (f64::from(min_x), f64::from(min_y));
        let (max_x, max_y) = (f64::from(max_x), f64::from(max_y));
        let [dx, dy] = self.way;
        let centre_x = (min_x + max_x) / 2.0 - self.from[0];
        let centre_y = (min_y + max_y) / 2.0 - self.from[1];
        let distance = (dx * centre_y - dy * centre_x).abs();
        let half =
            dx.abs() * ((max_y - min_y) / 2.0 + self.reach) + dy.abs() * ((max_x - min_x) / 2.0 + self.reach);
        // Numbers have up to 43 bits, so the two products are off by 2⁻⁵² of 2⁸⁵ together; where that is more
        // than the last bits of `half`, the slack decides for looking.
        let slack = (dx.abs() * centre_y.abs() + dy.abs() * centre_x.abs()) * 1e-15;
        distance <= half + slack
    }
}

/// The tree. Item numbers are those of the list it was built from.
pub(super) struct BoxTree {
    /// Item numbers in tree order.
    items: Vec<u32>,
    /// Boxes of the items in tree order, then of every pack of those, and so on to one pack.
    levels: Vec<Vec<Pack>>,
}

impl BoxTree {
    /// A tree over the boxes that have these points as opposite corners.
    pub fn new(corners: &[[Node; 2]]) -> Self {
        let key = |[a, b]: &[Node; 2]| {
            // The sum of the corners is twice the middle; 42 bits of it beside the sign, the upper 32 are taken.
            let bits = |sum: i64| ((sum + (1 << 42)) >> 11) as u64;
            spread(bits(a.x + b.x)) | spread(bits(a.y + b.y)) << 1
        };
        let mut order: Vec<(u64, u32)> = corners.iter().map(key).zip(0..).collect();
        order.sort_unstable();
        let items: Vec<u32> = order.into_iter().map(|(_, item)| item).collect();
        let boxes = items.iter().map(|&item| {
            let [a, b] = corners[item as usize];
            outward(Node { x: a.x.min(b.x), y: a.y.min(b.y) }, Node { x: a.x.max(b.x), y: a.y.max(b.y) })
        });
        let mut levels = vec![pack(boxes)];
        while levels[levels.len() - 1].len() > 1 {
            let above = pack(levels[levels.len() - 1].iter().map(Pack::union));
            levels.push(above);
        }
        Self { items, levels }
    }

    /// Calls `found` for every item whose box may come within `reach` of the segment from `a` to `b`;
    /// returns the number of packs that were looked at.
    pub fn query(&self, a: Node, b: Node, reach: i64, mut found: impl FnMut(u32)) -> u64 {
        let query = Query::new(a, b, reach);
        let mut stack = [(0u32, 0u32); STACK];
        stack[0] = (self.levels.len() as u32 - 1, 0);
        let (mut height, mut visited) = (1, 0);
        while height > 0 {
            height -= 1;
            visited += 1;
            let (level, at) = stack[height];
            let Some(pack) = self.levels[level as usize].get(at as usize) else { continue };
            let mut bits = pack.touching(query.bounds);
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if query.may_meet(pack.get(lane)) {
                    let at = at as usize * FAN + lane;
                    if level == 0 {
                        found(self.items[at]);
                    } else {
                        stack[height] = (level - 1, at as u32);
                        height += 1;
                    }
                }
            }
        }
        visited
    }
}

fn pack(boxes: impl ExactSizeIterator<Item = [f32; 4]>) -> Vec<Pack> {
    let mut packs = vec![Pack::EMPTY; boxes.len().div_ceil(FAN)];
    for (k, bounds) in boxes.enumerate() {
        packs[k / FAN].set(k % FAN, bounds);
    }
    packs
}

/// A box in single floats that holds the one given.
fn outward(min: Node, max: Node) -> [f32; 4] {
    // Integers of up to 53 bits are doubles, exactly.
    let down = |x: i64| {
        let near = x as f32;
        if f64::from(near) > x as f64 { near.next_down() } else { near }
    };
    let up = |x: i64| {
        let near = x as f32;
        if f64::from(near) < x as f64 { near.next_up() } else { near }
    };
    [down(min.x), down(min.y), up(max.x), up(max.y)]
}

/// Puts a zero bit after each of the lower 32 bits.
fn spread(x: u64) -> u64 {
    let mut x = x & 0xFFFF_FFFF;
    x = (x | x << 16) & 0x0000_FFFF_0000_FFFF;
    x = (x | x << 8) & 0x00FF_00FF_00FF_00FF;
    x = (x | x << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    x = (x | x << 2) & 0x3333_3333_3333_3333;
    (x | x << 1) & 0x5555_5555_5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_within_reach_is_missed(
            segments in prop::collection::vec((any::<[i32; 4]>(), 0u32..32, 0u32..32), 0..200),
            [ax, ay, bx, by] in any::<[i32; 4]>(), reach in 0i64..2
        ) {
            // Long and short ones, near and far.
            let node = |x: i32, y: i32| Node { x: i64::from(x) << 9, y: i64::from(y) << 9 };
            let corners: Vec<[Node; 2]> = segments.iter().map(|&([x, y, w, h], s, t)| {
                let a = node(x, y);
                [a, Node { x: a.x + (i64::from(w) >> s), y: a.y + (i64::from(h) >> t) }]
            }).collect();
            let tree = BoxTree::new(&corners);
            let (a, b) = (node(ax, ay), node(bx, by));
            let mut found = vec![false; corners.len()];
            tree.query(a, b, reach, |item| found[item as usize] = true);
            // A point of the segment in the box, tried at many places, must have been found.
            for (k, [c, d]) in corners.iter().enumerate() {
                let is_in = (0..=1000i64).any(|t| {
                    let (x, y) = (a.x + (b.x - a.x) / 1000 * t, a.y + (b.y - a.y) / 1000 * t);
                    let holds = |v: i64, p: i64, q: i64| v >= p.min(q) && v <= p.max(q);
                    holds(x, c.x, d.x) && holds(y, c.y, d.y)
                });
                prop_assert!(found[k] || !is_in);
            }
        }
    }
}
