//! Makes edges meet at grid points only: snap rounding.
//!
//! Idea: a pixel is the square of one unit round a grid point. A pixel is hot if an edge ends in it or two edges
//! cross in it. Every edge is bent through the middles of all hot pixels that it passes. Nothing can cross
//! afterwards: edges were moved by less than the hot pixels that could have been in the way.
//! Source: Hobby 1999, "Practical segment intersection with finite precision output"; Guibas and Marimont 1998,
//!   "Rounding arrangements dynamically" (the proof). A pixel owns its left and lower sides only.
//! Why not round crossings one at a time and look again, as is often done: on bundles of edges that are parallel up
//!   to rounding errors (a hundred rooms that share a turned wall) that did not end within minutes.
//! Steps: 1. all crossings, rounded  2. hot pixels  3. for every edge, the hot pixels along it.
//! Promises: edges of the result have at most their ends in common or are the same; faces keep their winding.
//! Cost: O((n + k) log n) for k passes of edges through hot pixels where edges are not much longer than they are
//!   apart; bounded by a budget of tests, beyond which the work is given up. All arithmetic is exact.

use super::{
    boxes::BoxTree,
    grid::{Node, compare_ends},
};

/// The edges are in each other's way too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many edges cross or nearly touch each other")]
pub struct TooTangled;

/// Packs of boxes that are looked at before giving up, beside some per edge: seconds of work.
const BUDGET: u64 = 30_000_000;
const BUDGET_PER_EDGE: u64 = 100;
/// Crossings that are kept, beside some per edge: some hundred megabytes.
const MAX_CROSSINGS: usize = 4_000_000;

/// Up to so many edges are compared in the order of their x: a tree is not worth while.
const FEW_EDGES: usize = 48;
/// Up to so many hot pixels are looked through in the order of their x.
const FEW_PIXELS: usize = 64;

/// Chains of points, one for each of some edges, in one list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chains {
    nodes: Vec<Node>,
    /// Where each chain ends.
    ends: Vec<u32>,
}

impl Chains {
    /// The chain of an edge.
    pub fn of(&self, edge: usize) -> &[Node] {
        let start = if edge == 0 { 0 } else { self.ends[edge - 1] };
        &self.nodes[start as usize..self.ends[edge] as usize]
    }
}

/// Bends segments so that they meet at grid points only; a chain for each, from its first end to its second. The same
/// segment gives the same chain, whatever its direction.
pub fn node_segments(segments: &[[Node; 2]]) -> Result<Chains, TooTangled> {
    node(segments, segments.as_flattened().to_vec())
}

/// Points that every edge which passes their pixels has to go through.
pub struct HotPixels {
    nodes: Vec<Node>,
    tree: BoxTree,
}

impl HotPixels {
    /// Takes the points, in any order and number.
    pub fn new(mut nodes: Vec<Node>) -> Self {
        nodes.sort_unstable_by_key(|node| node.rank());
        nodes.dedup();
        let pixels: Vec<[Node; 2]> = nodes.iter().map(|&node| [node, node]).collect();
        Self { tree: BoxTree::new(&pixels), nodes }
    }

    /// The points that a segment passes between two others that it passes, in their order from the first on; both of
    /// them are left out.
    pub fn between(&self, segment: [Node; 2], [from, to]: [Node; 2]) -> Vec<Node> {
        /// The part is off the segment by less than a pixel at either end, and so are the points.
        const REACH: i64 = 3;
        let [a, b] = segment;
        let (mut sx, mut sy) = ((b.x - a.x).signum(), (b.y - a.y).signum());
        let key = |sx: i64, sy: i64, node: Node| (sx * node.x, sy * node.y);
        if key(sx, sy, from) > key(sx, sy, to) {
            (sx, sy) = (-sx, -sy);
        }
        let (first, last) = (key(sx, sy, from), key(sx, sy, to));
        let mut passed = Vec::new();
        self.tree.query(from, to, REACH, |item| {
            let node = self.nodes[item as usize];
            let at = key(sx, sy, node);
            if first < at && at < last && passes_pixel(a, b, node) {
                passed.push(node);
            }
        });
        passed.sort_unstable_by_key(|&node| key(sx, sy, node));
        passed
    }
}

/// Bends closed rings so that they meet at grid points only; rings keep their order and direction.
pub(super) fn node_rings(rings: &[Vec<Node>]) -> Result<Vec<Vec<Node>>, TooTangled> {
    let edges: Vec<[Node; 2]> = rings.iter().flat_map(|ring| ring_edges(ring)).collect();
    let chains = node(&edges, rings.iter().flatten().copied().collect())?;
    let mut first = 0;
    let noded = rings.iter().map(|ring| {
        let of_ring = first..first + ring.len();
        first = of_ring.end;
        let mut chain: Vec<Node> = of_ring.flat_map(|edge| chains.of(edge)).copied().collect();
        chain.dedup();
        if chain.len() > 1 && chain.first() == chain.last() {
            chain.pop();
        }
        chain
    });
    Ok(noded.collect())
}

/// Bends edges so that they meet at grid points only; their ends are `hot`.
fn node(edges: &[[Node; 2]], mut hot: Vec<Node>) -> Result<Chains, TooTangled> {
    // 1. Crossings. Edges of no length are left out; their ends are hot as ends of others.
    let proper: Vec<[Node; 2]> = edges.iter().copied().filter(|[a, b]| a != b).collect();
    let mut budget = BUDGET + BUDGET_PER_EDGE * proper.len() as u64;
    let most = hot.len() + MAX_CROSSINGS + 4 * proper.len();
    if proper.len() <= FEW_EDGES {
        add_crossings_of_few(proper, &mut hot);
    } else {
        let tree = BoxTree::new(&proper);
        for (k, &[a, b]) in proper.iter().enumerate() {
            let visited = tree.query(a, b, 0, |other| {
                if (other as usize) < k {
                    let [c, d] = proper[other as usize];
                    hot.extend(crossing(a, b, c, d));
                }
            });
            budget = budget.saturating_sub(visited);
            if budget == 0 || hot.len() > most {
                return Err(TooTangled);
            }
        }
    }
    // 2. Hot pixels.
    hot.sort_unstable_by_key(|node| node.rank());
    hot.dedup();
    let tree = (hot.len() > FEW_PIXELS).then(|| {
        let pixels: Vec<[Node; 2]> = hot.iter().map(|&node| [node, node]).collect();
        BoxTree::new(&pixels)
    });
    // 3. Chains.
    let mut chains =
        Chains { nodes: Vec::with_capacity(3 * edges.len()), ends: Vec::with_capacity(edges.len()) };
    for &[a, b] in edges {
        let start = chains.nodes.len();
        if let Some(tree) = &tree {
            let visited = tree.query(a, b, 1, |item| {
                let node = hot[item as usize];
                if passes_pixel(a, b, node) {
                    chains.nodes.push(node);
                }
            });
            budget = budget.saturating_sub(visited);
        } else {
            // An edge between grid points does not leave their columns of pixels.
            let columns = a.x.min(b.x)..=a.x.max(b.x);
            let first = hot.partition_point(|node| node.x < *columns.start());
            let passed = hot[first..].iter().take_while(|node| node.x <= *columns.end());
            chains.nodes.extend(passed.filter(|&&node| passes_pixel(a, b, node)));
        }
        // Along the edge neither coordinate goes back.
        let (sx, sy) = ((b.x - a.x).signum(), (b.y - a.y).signum());
        chains.nodes[start..].sort_unstable_by_key(|node| Node { x: sx * node.x, y: sy * node.y }.rank());
        if budget == 0 || chains.nodes.len() > (8 * most).min(u32::MAX as usize) {
            return Err(TooTangled);
        }
        chains.ends.push(chains.nodes.len() as u32);
    }
    Ok(chains)
}

/// Adds the crossings of a few edges: in the order of their x, each is compared with those that start before it ends.
fn add_crossings_of_few(mut edges: Vec<[Node; 2]>, hot: &mut Vec<Node>) {
    for edge in &mut edges {
        if edge[1] < edge[0] {
            edge.swap(0, 1);
        }
    }
    edges.sort_unstable_by(compare_ends);
    for (k, &[a, b]) in edges.iter().enumerate() {
        let (low, high) = (a.y.min(b.y), a.y.max(b.y));
        for &[c, d] in edges[k + 1..].iter().take_while(|[c, _]| c.x <= b.x) {
            if c.y.min(d.y) <= high && low <= c.y.max(d.y) {
                hot.extend(crossing(a, b, c, d));
            }
        }
    }
}

fn ring_edges(ring: &[Node]) -> impl Iterator<Item = [Node; 2]> {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&a, &b)| [a, b])
}

/// Twice the area of the triangle `a`, `b`, `c`; positive if it turns left.
pub fn turn(a: Node, b: Node, c: Node) -> i128 {
    let product = |p: i64, q: i64| i128::from(p) * i128::from(q);
    product(b.x - a.x, c.y - a.y) - product(b.y - a.y, c.x - a.x)
}

/// The sign of [`turn`]: 1 if `a`, `b`, `c` turn left, −1 if they turn right, 0 if they lie on one line.
///
/// Plain numbers decide where they can. Differences are exact as integers and rounded once as doubles, by 2⁻⁵³ of them at most, as Shewchuk
/// assumes of differences of doubles; products and their difference are rounded once each. So his first bound, (3 + 16 ε) ε of the sum of
/// the products' sizes with ε = 2⁻⁵³, holds here, too. Where that sum is below 2⁵² nothing was rounded at all: a product of whole numbers of
/// which neither is zero has factors no larger than itself.
#[inline]
pub fn turn_sign(a: Node, b: Node, c: Node) -> i32 {
    const BOUND: f64 = 3.330_669_073_875_471_6e-16;
    const EXACT: f64 = (1u64 << 52) as f64;
    let left = (b.x - a.x) as f64 * (c.y - a.y) as f64;
    let right = (b.y - a.y) as f64 * (c.x - a.x) as f64;
    let (turn, size) = (left - right, left.abs() + right.abs());
    if turn.abs() > BOUND * size || size < EXACT {
        i32::from(turn > 0.0) - i32::from(turn < 0.0)
    } else {
        turn_sign_exactly(a, b, c)
    }
}

/// The rare case that plain numbers cannot decide; kept apart so that the common one is inlined.
#[cold]
#[inline(never)]
fn turn_sign_exactly(a: Node, b: Node, c: Node) -> i32 {
    turn(a, b, c).signum() as i32
}

/// The grid point nearest to where the insides of two edges cross, if they do.
fn crossing(a: Node, b: Node, c: Node, d: Node) -> Option<Node> {
    // Edges with an end in common are frequent, and cross nowhere else.
    if a == c || a == d || b == c || b == d {
        return None;
    }
    if turn_sign(a, b, c) * turn_sign(a, b, d) >= 0 || turn_sign(c, d, a) * turn_sign(c, d, b) >= 0 {
        return None;
    }
    let (cda, cdb) = (turn(c, d, a), turn(c, d, b));
    // The crossing is at the share `cda / (cda − cdb)` of the way from a to b.
    let (mut share, mut whole) = (cda, cda - cdb);
    if whole < 0 {
        (share, whole) = (-share, -whole);
    }
    // Rounded as the pixels are: half a unit up.
    let along = |from: i64, to: i64| {
        if from == to {
            return from;
        }
        let way = i128::from(to - from) * share;
        from + (2 * way + whole).div_euclid(2 * whole) as i64
    };
    Some(Node { x: along(a.x, b.x), y: along(a.y, b.y) })
}

/// Whether the edge from `a` to `b` has a point in the pixel round `node`, which owns its left and lower sides.
fn passes_pixel(a: Node, b: Node, node: Node) -> bool {
    // Everything is doubled and seen from `a`: sides of pixels then are whole numbers.
    let (dx, dy) = (2 * (b.x - a.x), 2 * (b.y - a.y));
    let (left, low) = (2 * (node.x - a.x) - 1, 2 * (node.y - a.y) - 1);
    let (right, high) = (left + 2, low + 2);
    if dx.max(0) < left || dx.min(0) >= right || dy.max(0) < low || dy.min(0) >= high {
        return false;
    }
    if node == a || node == b {
        return true;
    }
    if let Some(is_passed) = clearly_passes(dx, dy, left + 1, low + 1) {
        return is_passed;
    }
    passes_exactly(dx, dy, left, low)
}

/// Whether a line from the origin along (`dx`, `dy`) passes the inside of the square of 2 units round a place, where plain numbers can
/// tell that it does or that it does not even touch it.
///
/// The corners' turns are `dx y − dy x` ± `dx` ± `dy`: all of one sign if the first is further from 0 than |dx| + |dy|, of both signs if it
/// is nearer. With ε = 2⁻⁵³ and `size` the sum of the two products' sizes, the first is off by (3 + 16 ε) ε `size` (see [`turn_sign`]),
/// |dx| + |dy| by less than 3 ε of itself, their difference by ε of both together: less than 5 ε of all. 9 ε are taken, more than enough for
/// the rounding of the bound itself.
#[inline]
fn clearly_passes(dx: i64, dy: i64, x: i64, y: i64) -> Option<bool> {
    const BOUND: f64 = 9.0 * f64::EPSILON / 2.0;
    let (dx, dy) = (dx as f64, dy as f64);
    let (left, right) = (dx * y as f64, dy * x as f64);
    let reach = dx.abs() + dy.abs();
    let beyond = (left - right).abs() - reach;
    (beyond.abs() > BOUND * (left.abs() + right.abs() + reach)).then_some(beyond < 0.0)
}

/// The case that plain numbers cannot decide: the square's lower left corner is given.
#[cold]
#[inline(never)]
fn passes_exactly(dx: i64, dy: i64, left: i64, low: i64) -> bool {
    let (right, high) = (left + 2, low + 2);
    // On which side of the edge's line the corners lie. Upper and right corners are a little inside of where
    // they seem to be, which decides when they lie on the line.
    let side = |x: i64, y: i64, if_on_line: i64| {
        let turn = (i128::from(dx) * i128::from(y) - i128::from(dy) * i128::from(x)).signum() as i64;
        if turn == 0 { if_on_line.signum() } else { turn }
    };
    let sides = [side(left, low, 0), side(right, low, dy), side(right, high, dy - dx), side(left, high, -dx)];
    !(sides.iter().all(|&side| side > 0) || sides.iter().all(|&side| side < 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn node(x: i64, y: i64) -> Node {
        Node { x, y }
    }

    #[test]
    fn a_pixel_owns_its_left_and_lower_sides_only() {
        // Doubled coordinates would be easier to read: edges run along half units only when they are slanted.
        assert!(passes_pixel(node(0, 0), node(9, 0), node(5, 0)));
        assert!(!passes_pixel(node(0, 0), node(9, 0), node(5, 1)));
        assert!(passes_pixel(node(3, 3), node(3, 3), node(3, 3)));
        // Through the corner (½, ½) of four pixels: the upper right one owns it.
        let (a, b) = (node(0, 1), node(1, 0));
        assert!(passes_pixel(a, b, node(1, 1)));
        assert!(!passes_pixel(a, b, node(0, 0)));
    }

    #[test]
    fn crossings_are_rounded_to_the_pixel_they_lie_in() {
        assert_eq!(crossing(node(0, 0), node(4, 4), node(0, 4), node(4, 0)), Some(node(2, 2)));
        assert_eq!(crossing(node(0, 0), node(1, 1), node(0, 1), node(1, 0)), Some(node(1, 1)));
        assert_eq!(crossing(node(0, 0), node(-1, -1), node(0, -1), node(-1, 0)), Some(node(0, 0)));
        assert_eq!(crossing(node(0, 0), node(4, 0), node(2, 0), node(2, 5)), None);
        let big = 1 << 40;
        let across = crossing(node(-big, -big), node(big, big), node(-big, big - 1), node(big, -big));
        assert_eq!(across, Some(node(0, 0)));
    }

    /// A point near the line through two others: on it but for rounding, then some units off.
    fn near_line(a: Node, b: Node, share: f64, off: [i64; 2]) -> Node {
        let at = |a: i64, b: i64| a + ((b - a) as f64 * share).round() as i64;
        node(at(a.x, b.x) + off[0], at(a.y, b.y) + off[1])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// From the smallest to the largest coordinates, on lines and by a few units beside them.
        #[test]
        fn plain_numbers_decide_as_whole_ones_do(
            a in any::<[i64; 2]>(), b in any::<[i64; 2]>(), c in any::<[i64; 2]>(), bits in 0u32..58,
            share in -1.0..2.0f64, off in [-2i64..3, -2i64..3],
        ) {
            let [a, b, c] = [a, b, c].map(|[x, y]| node(x >> (6 + bits), y >> (6 + bits)));
            for c in [a, b, c, near_line(a, b, share, off), near_line(a, b, share, [0, 0])] {
                prop_assert_eq!(i128::from(turn_sign(a, b, c)), turn(a, b, c).signum());
            }
        }

        #[test]
        fn pixels_are_passed_by_plain_numbers_as_by_whole_ones(
            a in any::<[i64; 2]>(), b in any::<[i64; 2]>(), bits in 0u32..42,
            share in 0.0..1.0f64, off in [-2i64..3, -2i64..3],
        ) {
            let [a, b] = [a, b].map(|[x, y]| node(x >> (22 + bits), y >> (22 + bits)));
            let c = near_line(a, b, share, off);
            let (dx, dy) = (2 * (b.x - a.x), 2 * (b.y - a.y));
            let (x, y) = (2 * (c.x - a.x), 2 * (c.y - a.y));
            if let Some(is_passed) = clearly_passes(dx, dy, x, y) {
                prop_assert_eq!(is_passed, passes_exactly(dx, dy, x - 1, y - 1));
            }
        }

        /// A few edges are noded without trees. What is far away has nothing to do with them, but there are trees with it.
        #[test]
        fn few_edges_are_noded_like_many(
            ends in prop::collection::vec((-30i64..30, -9i64..9, -30i64..30, -9i64..9), 1..12)
        ) {
            let few: Vec<[Node; 2]> =
                ends.iter().map(|&(a, b, c, d)| [node(a, b), node(c, d)]).collect();
            let mut many = few.clone();
            many.extend((0..100).map(|k| [node(1000 + 2 * k, 1000), node(1000 + 2 * k, 1001)]));
            let [few_chains, many_chains] = [&few, &many].map(|edges| node_segments(edges).unwrap());
            for k in 0..few.len() {
                prop_assert_eq!(few_chains.of(k), many_chains.of(k));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        /// On a coarse grid with flat angles, where rounding does most harm.
        #[test]
        fn noded_rings_do_not_cross(
            rings in prop::collection::vec(prop::collection::vec((-30i64..30, -3i64..3), 3..9), 1..5)
        ) {
            let rings: Vec<Vec<Node>> =
                rings.iter().map(|ring| ring.iter().map(|&(x, y)| node(x, y)).collect()).collect();
            let noded = node_rings(&rings).unwrap();
            let edges: Vec<[Node; 2]> = noded.iter().flat_map(|ring| ring_edges(ring)).collect();
            for (k, &[a, b]) in edges.iter().enumerate() {
                for &[c, d] in &edges[..k] {
                    prop_assert_eq!(crossing(a, b, c, d), None);
                }
            }
            // Every vertex is still passed, and none is further from its edge than the pixel is wide.
            for (ring, chain) in rings.iter().zip(&noded) {
                prop_assert!(ring.iter().all(|vertex| chain.contains(vertex)) || chain.len() <= 1);
                for &p in chain {
                    prop_assert!(ring_edges(ring).any(|[a, b]| passes_pixel(a, b, p)));
                }
            }
        }

        #[test]
        fn passing_a_pixel_is_what_walking_in_small_steps_says(
            a in (-6i64..6, -6i64..6), b in (-6i64..6, -6i64..6), p in (-6i64..6, -6i64..6)
        ) {
            let (a, b, p) = (node(a.0, a.1), node(b.0, b.1), node(p.0, p.1));
            // Points at multiples of 1/steps lie in the pixel; steps is a multiple of all denominators.
            let steps = 2 * 27720i64;
            let inside = (0..=steps).any(|k| {
                let at = |from: i64, to: i64| 2 * (from * steps + (to - from) * k);
                let is_in = |value: i64, middle: i64| {
                    let low = 2 * middle * steps - steps;
                    (low..low + 2 * steps).contains(&value)
                };
                is_in(at(a.x, b.x), p.x) && is_in(at(a.y, b.y), p.y)
            });
            prop_assert_eq!(passes_pixel(a, b, p), inside);
        }
    }
}
