//! The union of polygons on an integer grid.
//!
//! Idea: round all coordinates once to a grid of doubles, make the edges meet at grid points only, unite the
//! polygons with integer arithmetic, and hand the boundary back. Nothing is rounded on the way back, and
//! only points where edges cross are new.
//! Meaning: a point belongs to a polygon if its outline winds round it (non-zero rule) and none of its holes does;
//!   the union is over all polygons. A figure of eight is both its loops, whichever way they run.
//! Steps: 1. the grid  2. edges that meet at grid points only (`noding`)  3. polygons that are not simple by
//!   themselves: outline minus holes, each on its own (`overlay`)  4. all together  5. the boundary as rings;
//!   vertices that were in the input get their own coordinates back if asked for.
//! Cost: O((n + k) log n) for k passes of edges through hot pixels, bounded as `noding` says.
//! Why no ready engine: `docs/decisions/0004-own-union.md`. The tests compare with one.

mod boxes;
mod cover;
mod grid;
mod noding;
mod overlay;

pub use cover::{Cover, CoverEdge, cover};
pub use grid::{Grid, Node, compare_ends};
pub use noding::{Chains, HotPixels, TooTangled, node_segments, turn, turn_sign};
pub use overlay::{Overlay, Winding};

use crate::validate::{DefectKind, Examination, RingSet, containers, sweep_rings};
use std::ops::Range;
use wayfare_core::DVec2;

/// The boundary of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// Rings with the union on their left, on the grid; they cross nowhere.
    pub rings: RingSet,
    /// The grid.
    pub grid: Grid,
}

/// Unites examined polygons.
pub fn unite(examined: &Examination) -> Result<Union, TooTangled> {
    // 1. and 2. Rings on the grid.
    let Examination { rings, names, .. } = examined;
    let grid = Grid::of_rings(rings);
    let rounded: Vec<Vec<Node>> =
        rings.iter().map(|ring| ring.iter().map(|&p| grid.round(p)).collect()).collect();
    let noded = noding::node_rings(&rounded)?;
    drop(rounded);
    let in_doubt = rings_in_doubt(examined);
    let mut all = Overlay::default();
    let mut first = 0;
    for polygon in names.chunk_by(|a, b| a.polygon == b.polygon) {
        let numbers = first..first + polygon.len();
        first = numbers.end;
        if !numbers.clone().any(|ring| in_doubt[ring]) || is_simple(rings, numbers.clone()) {
            for ring in &noded[numbers] {
                all.add(ring, [1, 0]);
            }
            continue;
        }
        // 3. By itself: the inside of the outline less the insides of the holes.
        let mut one = Overlay::default();
        one.add(&noded[numbers.start], [1, 0]);
        for hole in numbers.skip(1) {
            if in_doubt[hole] {
                // Loops that run opposite ways must not cancel those of another hole.
                let mut own = Overlay::default();
                own.add(&noded[hole], [1, 0]);
                for ring in own.boundary(|[winding, _]| winding != 0) {
                    one.add(&ring, [0, 1]);
                }
            } else {
                one.add(&noded[hole], [0, -1]);
            }
        }
        for ring in one.boundary(|[outline, holes]| outline != 0 && holes == 0) {
            all.add(&ring, [1, 0]);
        }
    }
    // 4. Outlines wind once round their inside, holes back: the union is where the sum is positive.
    let mut united = RingSet::new();
    for ring in all.boundary(|[winding, _]| winding > 0) {
        united.push(ring.into_iter().map(|p| grid.place(p)));
    }
    Ok(Union { rings: united, grid })
}

/// Rings that the examination found at odds with others or themselves.
fn rings_in_doubt(examined: &Examination) -> Vec<bool> {
    let mut in_doubt = vec![false; examined.rings.len()];
    for conflict in &examined.sweep.conflicts {
        for edge in conflict.edges {
            // Also a conflict with another polygon: it may have hidden one inside this polygon.
            in_doubt[examined.rings.ring_of(edge as usize)] = true;
        }
    }
    for defect in &examined.defects {
        if matches!(defect.kind, DefectKind::HoleOutside | DefectKind::NestedHole)
            && let Ok(ring) = examined.names.binary_search(&defect.ring)
        {
            in_doubt[ring] = true;
        }
    }
    in_doubt
}

/// Whether rings make a proper polygon by themselves: no conflicts, and all others lie in the first.
fn is_simple(rings: &RingSet, numbers: Range<usize>) -> bool {
    let mut own = RingSet::new();
    for ring in numbers {
        own.push(rings.ring(ring).iter().copied());
    }
    let sweep = sweep_rings(&own);
    let mut containers = containers(&own, &sweep).into_iter();
    sweep.conflicts.is_empty() && containers.next() == Some(None) && containers.all(|ring| ring == Some(0))
}

impl Union {
    /// The rings with the coordinates that their vertices had in the input, where they were in the input.
    /// A vertex moves by less than the grid's spacing, so rings may cross by a hair after it: check them.
    pub fn with_input_coordinates(&self, input: &RingSet) -> RingSet {
        let key = |p: DVec2| self.grid.round(p);
        let bits = |p: DVec2| (p.x.to_bits(), p.y.to_bits());
        // Of several input points on one grid point the same one is taken whatever order they came in.
        let mut input: Vec<(Node, DVec2)> = input.points().iter().map(|&p| (key(p), p)).collect();
        input.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(bits(a.1).cmp(&bits(b.1))));
        input.dedup_by_key(|entry| entry.0);
        let mut rings = self.rings.clone();
        for p in rings.points_mut() {
            if let Ok(found) = input.binary_search_by_key(&key(*p), |entry| entry.0) {
                *p = input[found].1;
            }
        }
        rings
    }
}
