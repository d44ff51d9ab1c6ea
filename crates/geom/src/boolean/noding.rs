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

use super::{boxes::BoxTree, grid::Node};

/// The edges are in each other's way too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many edges cross or nearly touch each other")]
pub struct TooTangled;

/// Packs of boxes that are looked at before giving up, beside some per edge: seconds of work.
const BUDGET: u64 = 30_000_000;
const BUDGET_PER_EDGE: u64 = 100;
/// Crossings that are kept, beside some per edge: some hundred megabytes.
const MAX_CROSSINGS: usize = 4_000_000;

/// Bends segments so that they meet at grid points only; a chain for each, from its first end to its second. The same
/// segment gives the same chain, whatever its direction.
pub fn node_segments(segments: &[[Node; 2]]) -> Result<Vec<Vec<Node>>, TooTangled> {
    let rings: Vec<Vec<Node>> = segments.iter().map(|segment| segment.to_vec()).collect();
    node(&rings, |ring| [[ring[0], ring[1]]].into_iter())
}

/// Points that every edge which passes their pixels has to go through.
pub struct HotPixels {
    nodes: Vec<Node>,
    tree: BoxTree,
}

impl HotPixels {
    /// Takes the points, in any order and number.
    pub fn new(mut nodes: Vec<Node>) -> Self {
        nodes.sort_unstable();
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
    let mut noded = node(rings, ring_edges)?;
    for chain in &mut noded {
        if chain.len() > 1 && chain.first() == chain.last() {
            chain.pop();
        }
    }
    Ok(noded)
}

/// Bends the edges of shapes so that they meet at grid points only.
fn node<'a, E: Iterator<Item = [Node; 2]>>(
    rings: &'a [Vec<Node>],
    ring_edges: impl Fn(&'a [Node]) -> E,
) -> Result<Vec<Vec<Node>>, TooTangled> {
    // 1. Crossings. Edges of no length are left out; their ends are hot as ends of others.
    let edges: Vec<[Node; 2]> =
        rings.iter().flat_map(|ring| ring_edges(ring)).filter(|[a, b]| a != b).collect();
    let mut budget = BUDGET + BUDGET_PER_EDGE * edges.len() as u64;
    let mut hot: Vec<Node> = rings.iter().flatten().copied().collect();
    let most = hot.len() + MAX_CROSSINGS + 4 * edges.len();
    let tree = BoxTree::new(&edges);
    for (k, &[a, b]) in edges.iter().enumerate() {
        let visited = tree.query(a, b, 0, |other| {
            if (other as usize) < k {
                let [c, d] = edges[other as usize];
                hot.extend(crossing(a, b, c, d));
            }
        });
        budget = budget.saturating_sub(visited);
        if budget == 0 || hot.len() > most {
            return Err(TooTangled);
        }
    }
    // 2. Hot pixels.
    hot.sort_unstable();
    hot.dedup();
    let pixels: Vec<[Node; 2]> = hot.iter().map(|&node| [node, node]).collect();
    let tree = BoxTree::new(&pixels);
    drop(pixels);
    // 3. Chains.
    let mut passes: Vec<Node> = Vec::new();
    let mut kept = 0;
    let mut noded = Vec::with_capacity(rings.len());
    for ring in rings {
        let mut chain: Vec<Node> = Vec::with_capacity(ring.len());
        for [a, b] in ring_edges(ring) {
            passes.clear();
            let visited = tree.query(a, b, 1, |item| {
                let node = hot[item as usize];
                if passes_pixel(a, b, node) {
                    passes.push(node);
                }
            });
            budget = budget.saturating_sub(visited);
            // Along the edge neither coordinate goes back.
            let (sx, sy) = ((b.x - a.x).signum(), (b.y - a.y).signum());
            passes.sort_unstable_by_key(|node| (sx * node.x, sy * node.y));
            for &node in &passes {
                if chain.last() != Some(&node) {
                    chain.push(node);
                }
            }
            kept += passes.len();
            if budget == 0 || kept > 8 * most {
                return Err(TooTangled);
            }
        }
        noded.push(chain);
    }
    Ok(noded)
}

fn ring_edges(ring: &[Node]) -> impl Iterator<Item = [Node; 2]> {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&a, &b)| [a, b])
}

/// Twice the area of the triangle `a`, `b`, `c`; positive if it turns left.
pub fn turn(a: Node, b: Node, c: Node) -> i128 {
    let product = |p: i64, q: i64| i128::from(p) * i128::from(q);
    product(b.x - a.x, c.y - a.y) - product(b.y - a.y, c.x - a.x)
}

/// The grid point nearest to where the insides of two edges cross, if they do.
fn crossing(a: Node, b: Node, c: Node, d: Node) -> Option<Node> {
    let (abc, abd) = (turn(a, b, c).signum(), turn(a, b, d).signum());
    let (cda, cdb) = (turn(c, d, a), turn(c, d, b));
    if abc * abd >= 0 || cda.signum() * cdb.signum() >= 0 {
        return None;
    }
    // The crossing is at the share `cda / (cda − cdb)` of the way from a to b.
    let (mut share, mut whole) = (cda, cda - cdb);
    if whole < 0 {
        (share, whole) = (-share, -whole);
    }
    // Rounded as the pixels are: half a unit up.
    let along = |from: i64, to: i64| {
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
