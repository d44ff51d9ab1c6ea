//! What polygons cover of the outside of an outline, with the way back: which part of which edge each edge of the result is.
//!
//! Steps: 1. all edges on a grid, where they meet at grid points only  2. the union of the polygons on the right of the
//!   outline  3. for each edge of its boundary the edge that it is a part of; corners inside one edge that nothing else has go.
//! Cost: that of the noding and of the overlay.

use super::{
    TooTangled,
    grid::{Grid, Node},
    noding::{node_rings, turn_sign},
    overlay::Overlay,
};
use crate::{ring_area, validate::RingSet};
use wayfare_core::DVec2;

/// The boundary of what is covered.
#[derive(Clone, Debug, PartialEq)]
pub struct Cover {
    /// Rings with what is covered on their left; they cross nowhere.
    pub rings: Vec<Vec<CoverEdge>>,
    /// The edges of the outline, in its order, bent through all places where something meets them. Of an edge that is too short for the
    /// grid one place is left.
    pub chains: Vec<Vec<DVec2>>,
}

/// An edge of the boundary; it ends where the next one starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoverEdge {
    /// Where it starts.
    pub from: DVec2,
    /// The edge of the outline that it runs back along, and from where to where on its chain.
    pub on_outline: Option<(u32, [u32; 2])>,
}

/// What convex quadrilaterals, counter-clockwise, cover together on the right of a simple outline: in it if it runs clockwise, outside
/// of it if it runs counter-clockwise.
pub fn cover(outline: &[DVec2], parts: &[[DVec2; 4]]) -> Result<Cover, TooTangled> {
    // 1.
    let corners = outline.iter().chain(parts.iter().flatten()).copied();
    let mut all = RingSet::new();
    all.push(corners);
    let grid = Grid::of_rings(&all);
    let round = |ring: &[DVec2]| ring.iter().map(|&p| grid.round(p)).collect::<Vec<Node>>();
    let mut rings = vec![round(outline)];
    // What lies between edges on one line covers nothing, and a straight row of posts makes hundreds of these.
    let has_area =
        |ring: &Vec<Node>| (0..4).any(|k| turn_sign(ring[k], ring[(k + 1) % 4], ring[(k + 2) % 4]) != 0);
    rings.extend(parts.iter().map(|part| round(part)).filter(has_area));
    let noded = node_rings(&rings)?;
    let mut overlay = Overlay::default();
    let mut chains: Vec<Vec<Node>> = Vec::new();
    for (number, (ring, noded)) in rings.iter().zip(&noded).enumerate() {
        overlay.add(noded, if number == 0 { [0, 1] } else { [1, 0] });
        chains.extend(chains_of(ring, noded));
    }
    // 2. Going round counter-clockwise, the outside is where the outline winds round nothing; clockwise, the inside once backwards.
    let open_side = if ring_area(outline) > 0.0 { 0 } else { -1 };
    let boundary = overlay.boundary(|[covered, inside]| covered > 0 && inside == open_side);
    // 3.
    let mut nodes: Vec<Node> = boundary.iter().flatten().copied().collect();
    nodes.sort_unstable();
    let is_alone =
        |node: Node| nodes.partition_point(|&n| n <= node) - nodes.partition_point(|&n| n < node) == 1;
    let ends = |a: Node, b: Node| [a.min(b), a.max(b)];
    let ring_edges =
        |ring: &[Node]| ring.iter().copied().zip(ring.iter().copied().cycle().skip(1)).collect::<Vec<_>>();
    let mut pieces: Vec<[Node; 2]> =
        boundary.iter().flat_map(|ring| ring_edges(ring)).map(|(a, b)| ends(a, b)).collect();
    pieces.sort_unstable();
    // The first edge that each piece is a part of: those of the outline come first.
    let mut part_of = vec![(u32::MAX, 0); pieces.len()];
    for (segment, chain) in chains.iter().enumerate().rev() {
        for (k, piece) in chain.windows(2).enumerate() {
            if let Ok(place) = pieces.binary_search(&ends(piece[0], piece[1])) {
                part_of[place] = (segment as u32, k as u32);
            }
        }
    }
    let found = boundary.iter().map(|ring| {
        let steps = ring_edges(ring).into_iter().map(|(a, b)| {
            let (segment, k) =
                pieces.binary_search(&ends(a, b)).map_or((u32::MAX, 0), |place| part_of[place]);
            let is_forward = chains.get(segment as usize).is_none_or(|chain| chain[k as usize] == a);
            Step { from: a, segment, places: if is_forward { [k, k + 1] } else { [k + 1, k] } }
        });
        let steps = without_flat_corners(steps.collect(), is_alone);
        let edge = |step: Step| CoverEdge {
            from: grid.place(step.from),
            on_outline: ((step.segment as usize) < outline.len() && step.places[1] < step.places[0])
                .then_some((step.segment, step.places)),
        };
        steps.into_iter().map(edge).collect()
    });
    let rings = found.collect();
    chains.truncate(outline.len());
    let place = |chain: &Vec<Node>| chain.iter().map(|&node| grid.place(node)).collect();
    Ok(Cover { rings, chains: chains.iter().map(place).collect() })
}

/// A ring's edges after the noding, each from its first end to its second.
fn chains_of(ring: &[Node], noded: &[Node]) -> Vec<Vec<Node>> {
    let mut at = 0;
    let mut chains = Vec::with_capacity(ring.len());
    for k in 0..ring.len() {
        let end = ring[(k + 1) % ring.len()];
        let mut chain = vec![ring[k]];
        // Ends of edges are never moved: each comes after the one before.
        while chain.last() != Some(&end) && chain.len() <= noded.len() {
            at += 1;
            chain.push(noded[at % noded.len()]);
        }
        chains.push(chain);
    }
    chains
}

/// An edge of the boundary in the making.
#[derive(Clone, Copy)]
struct Step {
    from: Node,
    segment: u32,
    places: [u32; 2],
}

/// A ring without corners inside one edge that nothing else has.
fn without_flat_corners(ring: Vec<Step>, is_alone: impl Fn(Node) -> bool) -> Vec<Step> {
    let continues = |before: &Step, after: &Step| {
        before.segment == after.segment && before.places[1] == after.places[0] && is_alone(after.from)
    };
    let count = ring.len();
    let Some(first) = (0..count).find(|&k| !continues(&ring[(k + count - 1) % count], &ring[k])) else {
        return ring;
    };
    let mut kept: Vec<Step> = Vec::new();
    for step in ring[first..].iter().chain(&ring[..first]) {
        match kept.last_mut() {
            Some(last) if continues(last, step) => last.places[1] = step.places[1],
            _ => kept.push(*step),
        }
    }
    if kept.len() < 3 { ring } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    fn square(x: f64, y: f64, size: f64) -> [DVec2; 4] {
        [dvec2(x, y), dvec2(x + size, y), dvec2(x + size, y + size), dvec2(x, y + size)]
    }

    fn area(cover: &Cover) -> f64 {
        cover.rings.iter().map(|ring| ring_area(&ring.iter().map(|edge| edge.from).collect::<Vec<_>>())).sum()
    }

    #[test]
    fn a_hole_is_covered_inside_and_an_outline_outside() {
        let band = square(-0.5, 0.25, 2.0).map(|p| p.min(dvec2(1.5, 0.75)));
        let parts = [band, square(0.25, 0.5, 0.125)];
        let mut outline = square(0., 0., 1.).to_vec();
        let outside = cover(&outline, &parts).unwrap();
        assert_eq!(area(&outside), 0.5);
        outline.reverse();
        let inside = cover(&outline, &parts).unwrap();
        assert_eq!(area(&inside), 0.5);
        // A band across: four corners, two sides of which run back along the outline.
        assert_eq!(inside.rings.iter().map(Vec::len).collect::<Vec<_>>(), [4]);
        let on_outline: Vec<_> = inside.rings[0].iter().filter_map(|edge| edge.on_outline).collect();
        assert_eq!(on_outline.len(), 2);
        for (edge, [start, end]) in on_outline {
            let chain = &inside.chains[edge as usize];
            assert_eq!((chain.len(), start, end), (4, 2, 1), "{chain:?}");
        }
    }
}
