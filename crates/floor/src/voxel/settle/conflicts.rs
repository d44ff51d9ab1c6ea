//! Moves of corners that would do harm: found and taken back.
//!
//! Source: that a changed boundary is sound if nothing lies between it and the old one, Saalfeld 1999.
//! Steps: 1. is the ground that an edge gains free of obstacles?  2. rings that have lost their corners or turned round
//!   3. edges of a layer that touch others  4. corners that pass an edge, if all go to their new places evenly. All that are part of it go back, and what depends on those is looked at again.

use super::{
    super::contour::Corner,
    lines::Finder,
    moves::{At, Moves, Spot},
};
use rayon::prelude::*;
use wayfare_core::DVec2;
use wayfare_geom::{Aabb2, predicates::orient, segment_grid::SegmentGrid};

/// Long edges are looked at in pieces of this length [pixels].
const PIECE: f64 = 32.0;

/// Corners move no farther than this [pixels].
const REACH: f64 = 4.0;

/// Finds moves that do harm and takes them back; false if there are none.
pub fn take_back(moves: &mut Moves, finder: &Finder) -> bool {
    let mut look = Look::new(moves, finder);
    let in_rings: Vec<usize> =
        (0..moves.ring_count()).into_par_iter().flat_map_iter(|ring| look.ring(ring)).collect();
    // What is cut is likely to cross, too.
    if !in_rings.is_empty() {
        return moves.take_back(At::Rings, &in_rings);
    }
    look.find_ways();
    let layers = moves.layers.iter().copied().max().map_or(0, |last| last + 1);
    let in_layers: Vec<usize> =
        (0..layers).into_par_iter().flat_map_iter(|layer| look.layer(layer)).collect();
    moves.take_back(At::Layers, &in_layers)
}

/// The ways of the corners of a ring: of each spot, and of the old corners between it and the next, which go to the edge between the two.
#[derive(Default)]
struct Ways {
    all: Vec<Way>,
    /// Where those of each spot start; one more than spots.
    starts: Vec<u32>,
}

impl Ways {
    fn new(moves: &Moves, ring: usize, spots: &[Spot]) -> Self {
        let old = moves.old(ring);
        let mut ways =
            Self { all: Vec::with_capacity(old.len()), starts: Vec::with_capacity(spots.len() + 1) };
        for (spot, next) in spots.iter().zip(spots.iter().cycle().skip(1)) {
            ways.starts.push(ways.all.len() as u32);
            let (a, b) = (spot.corner.point(), next.corner.point());
            let along = b - a;
            let foot = |p: DVec2| a + along * ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            ways.all.push(Way { from: old[spot.old()].point(), to: a });
            let chain = moves.chain(ring, spot, next);
            let inner = chain.clone().skip(1).take(chain.len().saturating_sub(2));
            ways.all.extend(inner.map(|corner| Way { from: corner.point(), to: foot(corner.point()) }));
        }
        ways.starts.push(ways.all.len() as u32);
        ways
    }

    /// Those of a spot.
    fn of(&self, spot: usize) -> &[Way] {
        &self.all[self.starts[spot] as usize..self.starts[spot + 1] as usize]
    }
}

/// Whether a point passes an edge while all go their ways.
fn is_passing(point: Way, [start, end]: [Way; 2]) -> bool {
    // The edge and the arm from its start to the point, at first and by how much they change.
    let (edge, arm) = (end.from - start.from, point.from - start.from);
    let (edge_change, arm_change) = (end.to - start.to - edge, point.to - start.to - arm);
    // Their cross product is a polynomial of time; where it is 0 the point is on the line of the edge.
    let [c, b, a] = [
        edge.perp_dot(arm),
        edge.perp_dot(arm_change) + edge_change.perp_dot(arm),
        edge_change.perp_dot(arm_change),
    ];
    let root = (b * b - 4.0 * a * c).sqrt();
    // The form that does not cancel; without a root all is NaN, which is at no time.
    let q = -0.5 * (b + root.copysign(b));
    [q / a, c / q].into_iter().any(|time| {
        let (edge, arm) = (edge + edge_change * time, arm + arm_change * time);
        let share = arm.dot(edge) / edge.length_squared();
        (0.0..=1.0).contains(&time) && (0.0..=1.0).contains(&share)
    })
}

struct Look<'a> {
    moves: &'a Moves<'a>,
    finder: &'a Finder<'a>,
    spots: Vec<Vec<Spot>>,
    /// For each ring the ways of all its old corners.
    ways: Vec<Ways>,
}

/// From where to where a point of a boundary goes, straight and evenly [pixels].
#[derive(Clone, Copy)]
struct Way {
    from: DVec2,
    to: DVec2,
}

/// An edge from a spot of a ring to the next.
#[derive(Clone, Copy)]
struct Edge {
    ring: usize,
    from: usize,
    to: usize,
}

/// What tells corners apart: its number if it is shared, else its ring and place there.
type Name = (u32, usize, usize);

impl<'a> Look<'a> {
    fn new(moves: &'a Moves<'a>, finder: &'a Finder<'a>) -> Self {
        let spots: Vec<Vec<Spot>> =
            (0..moves.ring_count()).into_par_iter().map(|ring| moves.spots(ring)).collect();
        Self { moves, finder, spots, ways: Vec::new() }
    }

    /// What only steps 3 and 4 need.
    fn find_ways(&mut self) {
        let rings = self.spots.par_iter().enumerate();
        self.ways = rings.map(|(ring, spots)| Ways::new(self.moves, ring, spots)).collect();
    }

    fn edges(&self, ring: usize) -> impl Iterator<Item = Edge> {
        let n = self.spots[ring].len();
        (0..n).map(move |from| Edge { ring, from, to: (from + 1) % n })
    }

    fn ends(&self, Edge { ring, from, to }: Edge) -> [&Spot; 2] {
        [&self.spots[ring][from], &self.spots[ring][to]]
    }

    fn points(&self, edge: Edge) -> [DVec2; 2] {
        self.ends(edge).map(|spot| spot.corner.point())
    }

    /// The moves that an edge depends on, to be taken back as it does harm, perhaps at a place.
    fn moved(&self, edge: Edge, place: Option<DVec2>) -> Vec<usize> {
        let nearer = place.map(|place| {
            let [from, to] = self.points(edge).map(|end| end.distance_squared(place));
            usize::from(to < from)
        });
        self.moves.moved(edge.ring, self.ends(edge), nearer)
    }

    /// The moves of two edges that are taken back, as they do harm together at a place.
    fn moved_of(&self, edges: [Edge; 2], place: DVec2) -> Vec<usize> {
        self.moves.first_of(edges.into_iter().flat_map(|edge| self.moved(edge, Some(place))).collect())
    }

    /// About where two edges touch.
    fn touch(&self, edges: [Edge; 2]) -> DVec2 {
        let [[a, b], [c, d]] = edges.map(|edge| self.points(edge));
        let sine = (b - a).perp_dot(d - c);
        let share = (c - a).perp_dot(d - c) / sine;
        if share.is_finite() { a.lerp(b, share.clamp(0.0, 1.0)) } else { c.midpoint(d) }
    }

    fn name(&self, ring: usize, spot: usize) -> Name {
        match self.spots[ring][spot].corner.shared {
            Some(number) => (number, usize::MAX, 0),
            None => (0, ring, spot),
        }
    }

    /// What an edge that was moved, or beside which a move was taken back, stands for.
    fn changed_chain(&self, look: At, edge: Edge) -> Option<Vec<Corner>> {
        let [from, to] = self.ends(edge);
        if !self.moves.is_new(look, edge.ring, from, to) {
            return None;
        }
        let chain = self.moves.chain(edge.ring, from, to);
        let ends = [from.corner.at, to.corner.at];
        let is_old = chain.len() == 2 && chain.clone().map(|corner| corner.at).eq(ends);
        (!is_old).then(|| chain.collect())
    }

    /// Steps 1 and 2.
    fn ring(&self, ring: usize) -> Vec<usize> {
        if !self.moves.is_new_ring(At::Rings, ring) {
            return Vec::new();
        }
        let spots = &self.spots[ring];
        let area = |corners: &mut dyn Iterator<Item = Corner>| -> i64 {
            let points: Vec<[i64; 2]> = corners.map(|corner| corner.at.map(i64::from)).collect();
            let next = points.iter().cycle().skip(1);
            points.iter().zip(next).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum()
        };
        let (old, new) = (
            area(&mut self.moves.old(ring).iter().copied()),
            area(&mut spots.iter().map(|spot| spot.corner)),
        );
        if spots.len() < 3 || old.signum() != new.signum() {
            return self.moves.moved_in(ring);
        }
        let mut harmful = Vec::new();
        for edge in self.edges(ring) {
            let [from, to] = self.ends(edge).map(|spot| spot.corner);
            if from.at == to.at {
                harmful.extend(self.moves.first_of(self.moved(edge, None)));
            } else if !from.border.is_shared()
                && let Some(chain) = self.changed_chain(At::Rings, edge)
                && let Some(place) = self.obstructed([from.point(), to.point()], &chain)
            {
                harmful.extend(self.moves.first_of(self.moved(edge, Some(place))));
            }
        }
        harmful
    }

    /// Where something stands on what is gained: between an edge and those that it stands for, on its left.
    fn obstructed(&self, [a, b]: [DVec2; 2], chain: &[Corner]) -> Option<DVec2> {
        let along = b - a;
        let share = |p: DVec2| (p - a).dot(along) / along.length_squared();
        let Finder { lattice, obstacles, .. } = self.finder;
        let height = |corner: &Corner| lattice.height(f64::from(corner.height));
        if let [only] = chain {
            let triangle = [only.point(), a, b].map(|p| lattice.place(p));
            let is_free = orient(a, b, only.point()) <= 0.0
                || obstacles.is_free(&triangle, [triangle[0]; 2], [height(only); 2]);
            return (!is_free).then(|| only.point());
        }
        let is_free = |(k, side): &(usize, &[Corner])| {
            let ends = [side[0].point(), side[1].point()];
            let depths = ends.map(|p| along.perp_dot(p - a));
            if depths.iter().all(|&depth| depth <= 0.0) {
                return true;
            }
            // The part of the old edge on the left, and where it lies beside the new one.
            let cut = ends[0].lerp(ends[1], depths[0] / (depths[0] - depths[1]));
            let [p, q] = [0, 1].map(|end| if depths[end] < 0.0 { cut } else { ends[end] });
            let first = if *k == 0 { 0.0 } else { share(p).clamp(0.0, 1.0) };
            let last = if k + 2 == chain.len() { 1.0 } else { share(q).clamp(0.0, 1.0) };
            let ground = ends.map(|p| lattice.place(p));
            let quad = [p, q, a + along * last, a + along * first].map(|p| lattice.place(p));
            let is_free =
                |polygon: &[DVec2]| obstacles.is_free(polygon, ground, [height(&side[0]), height(&side[1])]);
            // Where it is not convex, its triangles fill it; with either diagonal.
            let [p, q, r, s] = quad;
            is_free(&quad)
                || is_free(&[p, q, r]) && is_free(&[p, r, s])
                || is_free(&[p, q, s]) && is_free(&[q, r, s])
        };
        let (_, side) = chain.windows(2).enumerate().find(|side| !is_free(side))?;
        Some(side[0].point().midpoint(side[1].point()))
    }

    /// Steps 3 and 4.
    fn layer(&self, layer: u32) -> Vec<usize> {
        let rings: Vec<usize> =
            (0..self.spots.len()).filter(|&ring| self.moves.layers[ring] == layer).collect();
        if !rings.iter().any(|&ring| self.moves.is_new_ring(At::Layers, ring)) {
            return Vec::new();
        }
        let edges: Vec<Edge> = rings.iter().flat_map(|&ring| self.edges(ring)).collect();
        let grid = SegmentGrid::build(edges.iter().map(|&edge| self.points(edge)).collect());
        let mut harmful = Vec::new();
        let is_new = |edge: &Edge| {
            let [from, to] = self.ends(*edge);
            self.moves.is_new(At::Layers, edge.ring, from, to)
        };
        // Two that did not move since they were looked at are still beside each other.
        let is_new: Vec<bool> = edges.iter().map(is_new).collect();
        for pair in grid.touching_pairs_of(|k| is_new[k as usize]) {
            let [e, f] = pair.map(|k| edges[k as usize]);
            if !self.is_joint(e, f) {
                harmful.extend(self.moved_of([e, f], self.touch([e, f])));
            }
        }
        for &edge in &edges {
            if self.changed_chain(At::Layers, edge).is_some() {
                self.find_passed(edge, &edges, &grid, &mut harmful);
            }
        }
        harmful
    }

    /// Whether two edges that touch do so as they should: in one common corner, without lying on each other, or as both sides
    /// of a border.
    fn is_joint(&self, e: Edge, f: Edge) -> bool {
        let [[a, b], [c, d]] = [e, f].map(|edge| [edge.from, edge.to].map(|spot| self.name(edge.ring, spot)));
        if a == d && b == c && self.ends(e)[0].corner.border.is_shared() {
            return true;
        }
        let ([p, q], [r, s]) = (self.points(e), self.points(f));
        let common = [(a == c, p, q, s), (a == d, p, q, r), (b == c, q, p, s), (b == d, q, p, r)];
        let mut joints = common.into_iter().filter(|joint| joint.0);
        let (Some((_, o, p, q)), None) = (joints.next(), joints.next()) else { return false };
        orient(o, p, q) != 0.0 || (p - o).dot(q - o) < 0.0
    }

    /// Step 4 for an edge.
    fn find_passed(&self, edge: Edge, edges: &[Edge], grid: &SegmentGrid, harmful: &mut Vec<usize>) {
        let [a, b] = self.points(edge);
        let own = [edge.from, edge.to].map(|spot| self.name(edge.ring, spot));
        let is_end_shared = own.iter().any(|name| name.1 == usize::MAX);
        let n = self.spots[edge.ring].len();
        let beside = [(edge.from + n - 1) % n, edge.from, edge.to];
        let ways = &self.ways[edge.ring];
        let sides: Vec<Way> = ways.of(edge.from).iter().chain(ways.of(edge.to).first()).copied().collect();
        let count = (a.distance(b) / PIECE).ceil().max(1.0);
        for k in 0..count as usize {
            let [p, q] = [k, k + 1].map(|k| a.lerp(b, k as f64 / count));
            let area = Aabb2 { min: p.min(q) - REACH, max: p.max(q) + REACH };
            grid.visit_box(area, |other| {
                let other = edges[other as usize];
                if other.ring == edge.ring && (!is_end_shared || beside.contains(&other.from)) {
                    return;
                }
                // Its first corner may be an end of this edge, too.
                let is_end = own.contains(&self.name(other.ring, other.from));
                let points = &self.ways[other.ring].of(other.from)[usize::from(is_end)..];
                let is_passed =
                    |&point: &&Way| sides.windows(2).any(|side| is_passing(*point, [side[0], side[1]]));
                if let Some(passed) = points.iter().find(is_passed) {
                    harmful.extend(self.moved_of([edge, other], passed.to));
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    fn way(from: [f64; 2], to: [f64; 2]) -> Way {
        Way { from: dvec2(from[0], from[1]), to: dvec2(to[0], to[1]) }
    }

    #[test]
    fn who_goes_along_does_not_pass() {
        // An edge from the left to the right goes up by two.
        let edge = [way([0., 0.], [0., 2.]), way([4., 0.], [4., 2.])];
        assert!(is_passing(way([1., 1.], [1., 1.]), edge), "what stays is passed");
        assert!(!is_passing(way([1., 1.], [1., 3.]), edge), "what goes ahead is not");
        assert!(!is_passing(way([1., -0.1], [1., 1.9]), edge), "nor what follows");
        assert!(!is_passing(way([5., 1.], [5., 1.]), edge), "nor what lies beside");
        // One end alone: the edge turns.
        let turned = [edge[0], way([4., 0.], [4., 0.])];
        assert!(is_passing(way([1., 1.], [1., 1.]), turned) && !is_passing(way([3., 1.], [3., 1.]), turned));
        // There and back again is no harm, but nor is it seen as none.
        assert!(is_passing(way([0.5, 0.1], [2., 1.9]), edge));
    }
}
