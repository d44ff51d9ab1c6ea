//! Vertices of rings that lie on edges of others: edges that lie on each other get the same vertices.
//!
//! Most do already: the grid sees to that where ground was cut. But where thin ground was taken away, or ground of one height ends on the
//! edge of another, one side of a wall can have a vertex that the other has not.
//! Steps: 1. places of ring vertices on edges of rings in the same layer; exact  2. edges that are shared get them on both sides, which may
//!   lie in another layer: again from 1  3. where two edges that are not the sides of one have the same two ends, as a wall of one edge
//!   that stands free, each gets a vertex in its middle: ends tell an edge; so does one between vertices that other ground could have an
//!   edge between (`chords.rs`)  4. vertices, as high as the higher ground there; gaps are none.
//! Cost: O(n log n).

use super::{assemble::Parts, chords::Chords, raise::own_height, surface::NO_HALF_EDGE};
use std::collections::BTreeSet;
use wayfare_core::DVec2;
use wayfare_geom::{
    bvh::{Aabb3, Bvh},
    predicates::{is_between, orient},
};

/// A place in plan that can be sorted.
type Place = [u64; 2];

fn place(p: DVec2) -> Place {
    // Adding zero makes −0 and 0 the same place.
    [(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits()]
}

fn point([x, y]: Place) -> DVec2 {
    DVec2::new(f64::from_bits(x), f64::from_bits(y))
}

/// For each half-edge of a ring the vertices on it, from its start on; adds them to those of the parts.
pub(super) fn find_nodes(parts: &mut Parts, chords: &Chords) -> Vec<Vec<u32>> {
    let count = parts.layers.across.len();
    let ends = |parts: &Parts, h: u32| parts.ends(h).map(|v| parts.points[v as usize].truncate());
    let rims: Vec<u32> = (0..count as u32).filter(|&h| parts.is_rim(h)).collect();
    let layer = |h: u32| parts.layers.layer_of[h as usize / 3];
    // A layer is a height to the tree.
    let at_layer =
        |points: &[DVec2], layer: u32| Aabb3::of_points(points.iter().map(|p| p.extend(f64::from(layer))));
    let boxes: Vec<Aabb3> = rims.iter().map(|&h| at_layer(&ends(parts, h), layer(h))).collect();
    let tree = Bvh::build(&boxes);
    let mut on: Vec<BTreeSet<Place>> = vec![BTreeSet::new(); count];
    let mut known: BTreeSet<(u32, Place)> = BTreeSet::new();
    let mut new: Vec<(u32, Place)> = rims.iter().map(|&h| (layer(h), place(ends(parts, h)[0]))).collect();
    while !new.is_empty() {
        // 1.
        new.sort_unstable();
        new.dedup();
        let mut found: Vec<(u32, Place)> = Vec::new();
        for &(layer, at) in new.iter().filter(|&&node| known.insert(node)) {
            let p = point(at);
            tree.visit(&at_layer(&[p], layer), |k| {
                let h = rims[k as usize];
                let [a, b] = ends(parts, h);
                if p != a && p != b && orient(a, b, p) == 0.0 && is_between(a, b, p) {
                    found.push((h, at));
                }
                false
            });
        }
        // 2.
        new.clear();
        for (h, at) in found {
            on[h as usize].insert(at);
            let other = parts.layers.across[h as usize];
            if other != NO_HALF_EDGE && on[other as usize].insert(at) {
                new.push((layer(other), at));
            }
        }
    }
    // 3.
    let mut sides: Vec<([u32; 2], u32)> = rims
        .iter()
        .filter(|&&h| on[h as usize].is_empty())
        .map(|&h| {
            let [a, b] = parts.ends(h);
            ([a.min(b), a.max(b)], h)
        })
        .collect();
    sides.sort_unstable();
    let is_one = |edge: &[([u32; 2], u32)]| match *edge {
        [_] => true,
        [(_, h), (_, other)] => parts.layers.across[h as usize] == other,
        _ => false,
    };
    for edge in sides.chunk_by(|a, b| a.0 == b.0) {
        let h = edge[0].1;
        if !is_one(edge) || chords.is_doubled(parts, h, parts.ends(h)) {
            for &(_, h) in edge {
                let [a, b] = ends(parts, h);
                on[h as usize].insert(place((a + b) / 2.0));
            }
        }
    }
    // 4.
    let mut nodes: Vec<Vec<u32>> = vec![Vec::new(); count];
    for &h in rims.iter().filter(|&&h| !on[h as usize].is_empty()) {
        if !nodes[h as usize].is_empty() {
            continue;
        }
        let other = parts.layers.across[h as usize];
        let [a, b] = ends(parts, h);
        let mut places: Vec<DVec2> = on[h as usize].iter().map(|&at| point(at)).collect();
        places.sort_by(|p, q| (*p - a).dot(b - a).total_cmp(&(*q - a).dot(b - a)));
        for p in places {
            let sides = [h, other].into_iter().filter(|&side| side != NO_HALF_EDGE);
            let ground = sides.clone().filter(|&side| !parts.is_gap(side));
            let highest = |z: f64, side: u32| z.max(own_height(parts, side, p));
            let z = match ground.fold(f64::NEG_INFINITY, highest) {
                z if z.is_finite() => z,
                _ => sides.fold(f64::NEG_INFINITY, highest),
            };
            nodes[h as usize].push(parts.points.len() as u32);
            parts.points.push(p.extend(z));
        }
        if other != NO_HALF_EDGE {
            nodes[other as usize] = nodes[h as usize].iter().rev().copied().collect();
        }
    }
    nodes
}
