//! Which edges bound an area, once edges meet at grid points only.
//!
//! Idea: a line sweeps over the grid points from left to right and keeps the edges it cuts in order. Going up along
//! it, every edge changes how often the rings wind round the place; so each edge knows the winding below and above
//! it from the edge under it. Edges between inside and outside are the boundary.
//! Steps: 1. edges once each, with what they add to the winding  2. sweep  3. boundary edges  4. rings: at a point
//!   where several pass, leave by the first edge clockwise from where one came, so that each corner is one fan.
//! Needs: edges that cross nowhere (`noding`); one may still pass exactly through the end of others. Promises: the
//!   inside is on the left of the rings, which cross nowhere.
//! Cost: O(n log n); exact.

use super::{grid::Node, noding::turn_sign};
use crate::validate::{NONE, Status};
use std::cmp::Ordering;

/// How often rings of two kinds, subjects and clips, wind round a place.
pub type Winding = [i32; 2];

/// An edge to the right (or straight up) and what it adds to the winding when one goes up across it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Edge {
    from: Node,
    to: Node,
    adds: Winding,
    /// Whether it is asked for where it lies, even if it adds nothing.
    is_marked: bool,
}

/// Rings to be overlaid, whose edges meet at grid points only.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    edges: Vec<Edge>,
}

impl Overlay {
    /// Adds a closed ring that winds `times` as subject and clip.
    pub fn add(&mut self, ring: &[Node], times: Winding) {
        for (&a, &b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            self.add_edge(a, b, times, false);
        }
    }

    /// Adds a part of a ring that winds `times` as subject and clip.
    pub fn add_chain(&mut self, chain: &[Node], times: Winding) {
        for ends in chain.windows(2) {
            self.add_edge(ends[0], ends[1], times, false);
        }
    }

    /// Asks which edges of a chain lie inside.
    pub fn mark_chain(&mut self, chain: &[Node]) {
        for ends in chain.windows(2) {
            self.add_edge(ends[0], ends[1], [0, 0], true);
        }
    }

    fn add_edge(&mut self, a: Node, b: Node, times: Winding, is_marked: bool) {
        // Crossing upwards an edge to the right, one comes to its left side.
        match a.cmp(&b) {
            Ordering::Less => self.edges.push(Edge { from: a, to: b, adds: times, is_marked }),
            Ordering::Greater => self.edges.push(Edge { from: b, to: a, adds: times.map(|t| -t), is_marked }),
            Ordering::Equal => {}
        }
    }

    /// The boundary of all places for whose winding `is_inside` holds; it must not hold for zeros.
    pub fn boundary(self, is_inside: impl Fn(Winding) -> bool) -> Vec<Vec<Node>> {
        self.boundary_and_marked(is_inside).0
    }

    /// The boundary, and the marked edges that have such places on both sides, each from its lesser end.
    pub fn boundary_and_marked(
        mut self,
        is_inside: impl Fn(Winding) -> bool,
    ) -> (Vec<Vec<Node>>, Vec<[Node; 2]>) {
        // 1. In the order of the sweep, and at one point from below upwards; equal edges become one.
        self.edges.sort_unstable_by(|e, f| {
            e.from
                .rank()
                .cmp(&f.from.rank())
                .then_with(|| 0.cmp(&turn_sign(e.from, e.to, f.to)))
                .then_with(|| e.to.rank().cmp(&f.to.rank()))
        });
        self.edges.dedup_by(|e, kept| {
            let is_same = e.from == kept.from && e.to == kept.to;
            if is_same {
                kept.adds = [kept.adds[0] + e.adds[0], kept.adds[1] + e.adds[1]];
                kept.is_marked |= e.is_marked;
            }
            is_same
        });
        self.edges.retain(|e| e.adds != [0, 0] || e.is_marked);
        // 2. and 3.
        let below = sweep(&self.edges);
        let (mut boundary, mut marked): (Vec<[Node; 2]>, _) = (Vec::new(), Vec::new());
        for (edge, below) in self.edges.iter().zip(below) {
            let above = [below[0] + edge.adds[0], below[1] + edge.adds[1]];
            match (is_inside(below), is_inside(above)) {
                (false, true) => boundary.push([edge.from, edge.to]),
                (true, false) => boundary.push([edge.to, edge.from]),
                (true, true) if edge.is_marked => marked.push([edge.from, edge.to]),
                _ => {}
            }
        }
        (trace(&boundary), marked)
    }
}

/// Step 2: the winding just below each of the sorted edges.
fn sweep(edges: &[Edge]) -> Vec<Winding> {
    let mut winding = vec![[0, 0]; edges.len()];
    let mut status = Status::new(edges.len());
    let mut ending: Vec<u32> = (0..edges.len() as u32).collect();
    ending.sort_unstable_by_key(|&e| edges[e as usize].to.rank());
    let side = |e: u32, p: Node| turn_sign(edges[e as usize].from, edges[e as usize].to, p);
    let (mut start, mut end) = (0, 0);
    while end < ending.len() {
        let next_end = edges[ending[end] as usize].to;
        let p = edges.get(start).map_or(next_end, |edge| edge.from.min(next_end));
        let ends = ending[end..].iter().take_while(|&&e| edges[e as usize].to == p).count();
        // Edges through the point are neighbours; an edge that ends here saves the search.
        let mut below = match ends {
            0 => status.last_where(|e| side(e, p) > 0),
            _ => ending[end],
        };
        while below != NONE && side(below, p) == 0 {
            below = status.below(below);
        }
        for &e in &ending[end..end + ends] {
            status.remove(e);
        }
        end += ends;
        // At most one edge passes through: two would cross.
        let through = status.above(below);
        let through = if through != NONE && side(through, p) == 0 { through } else { NONE };
        let mut is_over = through == NONE;
        while edges.get(start).is_some_and(|edge| edge.from == p) {
            let e = start as u32;
            if !is_over && side(through, edges[start].to) > 0 {
                below = through;
                is_over = true;
            }
            status.insert_above(below, e);
            if below != NONE {
                let (under, adds) = (winding[below as usize], edges[below as usize].adds);
                winding[start] = [under[0] + adds[0], under[1] + adds[1]];
            }
            below = e;
            start += 1;
        }
    }
    winding
}

/// Step 4: directed edges with the inside on their left as rings.
fn trace(boundary: &[[Node; 2]]) -> Vec<Vec<Node>> {
    // Edges by where they start and by where they end; each point has as many of both.
    let mut leaving: Vec<u32> = (0..boundary.len() as u32).collect();
    let mut arriving = leaving.clone();
    leaving.sort_unstable_by_key(|&e| (boundary[e as usize][0].rank(), e));
    arriving.sort_unstable_by_key(|&e| (boundary[e as usize][1].rank(), e));
    let mut next = vec![NONE; boundary.len()];
    let mut ways: Vec<(Node, u32, bool)> = Vec::new();
    let mut at = 0;
    while at < leaving.len() {
        let p = boundary[leaving[at] as usize][0];
        let count = leaving[at..].iter().take_while(|&&e| boundary[e as usize][0] == p).count();
        if count == 1 {
            next[arriving[at] as usize] = leaving[at];
        } else {
            ways.clear();
            for k in at..at + count {
                ways.push((boundary[leaving[k] as usize][1], leaving[k], true));
                ways.push((boundary[arriving[k] as usize][0], arriving[k], false));
            }
            ways.sort_unstable_by(|a, b| direction(p, a.0, b.0));
            // Counter-clockwise, a way out is followed by the way in of the same fan.
            for k in 0..ways.len() {
                let (out, into) = (ways[k], ways[(k + 1) % ways.len()]);
                if out.2 && !into.2 {
                    next[into.1 as usize] = out.1;
                }
            }
        }
        at += count;
    }
    let mut rings = Vec::new();
    let mut is_done = vec![false; boundary.len()];
    for start in 0..boundary.len() {
        let mut ring = Vec::new();
        let mut at = start as u32;
        while at != NONE && !is_done[at as usize] {
            is_done[at as usize] = true;
            ring.push(boundary[at as usize][0]);
            at = next[at as usize];
        }
        if !ring.is_empty() {
            rings.push(ring);
        }
    }
    rings
}

/// The order of directions from `p`, counter-clockwise from straight down.
fn direction(p: Node, a: Node, b: Node) -> Ordering {
    (a < p).cmp(&(b < p)).then_with(|| 0.cmp(&turn_sign(p, a, b)))
}

#[cfg(test)]
mod tests {
    use super::{
        super::noding::{node_rings, turn},
        *,
    };
    use proptest::prelude::*;

    /// How often rings wind round a point that lies on none of them.
    fn winding(rings: &[Vec<Node>], x: f64, y: f64) -> i32 {
        let edges = rings.iter().flat_map(|ring| ring.iter().zip(ring.iter().cycle().skip(1)));
        edges
            .map(|(a, b)| {
                let height = |a: &Node, b: &Node| {
                    a.y as f64 + (b.y - a.y) as f64 * (x - a.x as f64) / (b.x - a.x) as f64
                };
                match ((a.x as f64) < x, (b.x as f64) < x) {
                    (true, false) if height(a, b) < y => 1,
                    (false, true) if height(a, b) < y => -1,
                    _ => 0,
                }
            })
            .sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// On a grid so coarse that edges are bent by the noding and pass through ends of others.
        #[test]
        fn the_boundary_is_where_inside_and_outside_meet(
            rings in prop::collection::vec(prop::collection::vec((-20i64..20, -4i64..4), 3..8), 1..5)
        ) {
            let rings: Vec<Vec<Node>> =
                rings.iter().map(|ring| ring.iter().map(|&(x, y)| Node { x, y }).collect()).collect();
            let noded = node_rings(&rings).unwrap();
            let mut overlay = Overlay::default();
            for ring in &noded {
                overlay.add(ring, [1, 0]);
            }
            let boundary = overlay.boundary(|[winding, _]| winding != 0);
            let ends = |ring: &Vec<Node>| -> Vec<[Node; 2]> {
                ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&a, &b)| [a, b]).collect()
            };
            let found: Vec<[Node; 2]> = boundary.iter().flat_map(ends).collect();
            // A hair to the left and to the right of the middle; nothing else is that near on this grid.
            let sides = |[a, b]: [Node; 2]| {
                let (x, y) = ((a.x + b.x) as f64 / 2.0, (a.y + b.y) as f64 / 2.0);
                let (dx, dy) = ((b.x - a.x) as f64, (b.y - a.y) as f64);
                [1e-6, -1e-6].map(|by| winding(&noded, x - by * dy, y + by * dx) != 0)
            };
            for &edge in &found {
                prop_assert_eq!(sides(edge), [true, false], "{:?}", edge);
            }
            for edge in noded.iter().flat_map(ends).filter(|[a, b]| a != b) {
                let [a, b] = edge;
                let is_found = found.contains(&[a, b]) || found.contains(&[b, a]);
                let [left, right] = sides(edge);
                // An edge whose middle lies on the end of another has that one's sides, too: skip it.
                let has_end_inside = noded.iter().flatten().any(|&p| {
                    p != a && p != b && turn(a, b, p) == 0 && (a.min(b)..=a.max(b)).contains(&p)
                });
                prop_assert!(is_found == (left != right) || has_end_inside, "{:?}", edge);
            }
        }
    }
}
