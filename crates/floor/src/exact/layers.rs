//! The surface in layers that do not overlap, seen from above, with few and short seams.
//!
//! Idea: pieces of patches are put together along their longest joins first, as long as nothing then lies over itself; what
//!   comes of it are groups, which are given to layers, largest first, each to the lowest in which it overlaps nothing.
//!   Only joins between groups that cannot be in one layer become seams.
//! Source: the multicut of Hillebrand and others 2016, which seed 002 cites, solved greedily.
//! Steps: 1. pieces  2. pairs of pieces that overlap  3. groups  4. layers.
//! Cost: O(n log n) in triangles and in pairs that overlap.

use super::surface::{NO_HALF_EDGE, WalkableSurface, root};
use std::collections::BTreeSet;
use wayfare_core::{Cancelled, Context, DVec2, DVec3};
use wayfare_geom::{
    bvh::{Aabb3, Bvh},
    predicates::orient,
};

/// A surface whose triangles have layers.
pub(super) struct Layers {
    /// The layer of each triangle.
    pub layer_of: Vec<u32>,
    pub count: u32,
    /// The half-edge across each half-edge, flat or by a step, or [`NO_HALF_EDGE`].
    pub across: Vec<u32>,
}

/// The layers of a surface.
pub(super) fn find_layers(surface: &WalkableSurface, context: &Context) -> Result<Layers, Cancelled> {
    let mut across = surface.twins.clone();
    for riser in &surface.risers {
        across[riser.lower as usize] = riser.upper;
        across[riser.upper as usize] = riser.lower;
    }
    // 1. and 2.
    let piece_of = pieces(surface);
    let conflicts = overlaps(surface, &piece_of);
    context.check()?;
    // 3. and 4.
    let sizes = sizes(surface, &piece_of);
    let groups = group(sizes.len(), &contacts(surface, &piece_of, &across), &conflicts);
    let (layer_of_piece, count) = colour(&groups, &sizes, &conflicts);
    let layer_of = piece_of.iter().map(|&piece| layer_of_piece[piece as usize]).collect();
    Ok(Layers { layer_of, count, across })
}

/// Step 1: what hangs together inside of a patch, numbered by first triangles.
fn pieces(surface: &WalkableSurface) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..surface.triangles.len() as u32).collect();
    for (h, &twin) in surface.twins.iter().enumerate() {
        let [a, b] = [h as u32 / 3, twin / 3];
        if twin != NO_HALF_EDGE && surface.triangles[a as usize].patch == surface.triangles[b as usize].patch
        {
            let [a, b] = [a, b].map(|t| root(&mut parent, t));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    let mut number = vec![u32::MAX; parent.len()];
    let mut count = 0;
    (0..parent.len() as u32)
        .map(|t| {
            let number = &mut number[root(&mut parent, t) as usize];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            *number
        })
        .collect()
}

fn plan(surface: &WalkableSurface, triangle: u32) -> [DVec2; 3] {
    surface.points(triangle as usize).map(DVec3::truncate)
}

/// The area of each piece [m²].
fn sizes(surface: &WalkableSurface, piece_of: &[u32]) -> Vec<f64> {
    let mut sizes = vec![0.0; piece_of.iter().max().map_or(0, |&last| last as usize + 1)];
    for (triangle, &piece) in piece_of.iter().enumerate() {
        let [a, b, c] = plan(surface, triangle as u32);
        sizes[piece as usize] += (b - a).perp_dot(c - a) / 2.0;
    }
    sizes
}

/// Step 2: both ways round, sorted.
fn overlaps(surface: &WalkableSurface, piece_of: &[u32]) -> Vec<[u32; 2]> {
    let boxes: Vec<Aabb3> = (0..surface.triangles.len() as u32)
        .map(|t| Aabb3::of_points(plan(surface, t).map(|p| p.extend(0.0))))
        .collect();
    let tree = Bvh::build(&boxes);
    // Piece by piece, so that one mark for each other piece tells that it is known: where walls are read as floors, pieces lie over each
    // other by the hundred, and so do their triangles.
    let mut order: Vec<u32> = (0..surface.triangles.len() as u32).collect();
    order.sort_unstable_by_key(|&t| (piece_of[t as usize], t));
    let mut known_by = vec![u32::MAX; surface.triangles.len()];
    let mut pairs = Vec::new();
    for t in order {
        let (ours, piece) = (plan(surface, t), piece_of[t as usize]);
        tree.visit(&boxes[t as usize], |other| {
            let theirs = piece_of[other as usize];
            let known_by = &mut known_by[theirs as usize];
            if theirs > piece && *known_by != piece && overlap(ours, plan(surface, other)) {
                *known_by = piece;
                pairs.extend([[piece, theirs], [theirs, piece]]);
            }
            false
        });
    }
    pairs.sort_unstable();
    pairs
}

/// Whether the insides of two triangles meet; exact.
pub(super) fn overlap(a: [DVec2; 3], b: [DVec2; 3]) -> bool {
    let is_apart = |a: [DVec2; 3], b: [DVec2; 3]| {
        (0..3).any(|k| b.iter().all(|&p| orient(a[k], a[(k + 1) % 3], p) <= 0.0))
    };
    !is_apart(a, b) && !is_apart(b, a)
}

/// Pairs of pieces that are joined, longest joins first.
fn contacts(surface: &WalkableSurface, piece_of: &[u32], across: &[u32]) -> Vec<[u32; 2]> {
    let mut joins: Vec<([u32; 2], f64)> = Vec::new();
    for (h, &other) in across.iter().enumerate() {
        if other != NO_HALF_EDGE && (h as u32) < other {
            let [a, b] = [h, other as usize].map(|h| piece_of[h / 3]);
            if a != b {
                let [p, q] = surface.segment(h as u32).map(DVec3::truncate);
                joins.push(([a.min(b), a.max(b)], p.distance(q)));
            }
        }
    }
    joins.sort_by_key(|join| join.0);
    let sum = |same: &[([u32; 2], f64)]| (same[0].0, same.iter().map(|join| join.1).sum::<f64>());
    let mut joins: Vec<([u32; 2], f64)> = joins.chunk_by(|a, b| a.0 == b.0).map(sum).collect();
    joins.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    joins.into_iter().map(|join| join.0).collect()
}

/// Step 3: the group of each piece, named by one of its pieces.
fn group(count: usize, contacts: &[[u32; 2]], conflicts: &[[u32; 2]]) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..count as u32).collect();
    let mut foes: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); count];
    for &[a, b] in conflicts {
        foes[a as usize].insert(b);
    }
    for pair in contacts {
        let [a, b] = pair.map(|piece| root(&mut parent, piece));
        if a == b || foes[a as usize].contains(&b) {
            continue;
        }
        // The one with fewer foes joins the other.
        let (a, b) = if foes[a as usize].len() >= foes[b as usize].len() { (a, b) } else { (b, a) };
        parent[b as usize] = a;
        for foe in std::mem::take(&mut foes[b as usize]) {
            foes[foe as usize].remove(&b);
            foes[foe as usize].insert(a);
            foes[a as usize].insert(foe);
        }
    }
    (0..count as u32).map(|piece| root(&mut parent, piece)).collect()
}

/// Step 4: the layer of each piece, and how many there are.
fn colour(groups: &[u32], sizes: &[f64], conflicts: &[[u32; 2]]) -> (Vec<u32>, u32) {
    let mut areas = vec![0.0; groups.len()];
    for (piece, &group) in groups.iter().enumerate() {
        areas[group as usize] += sizes[piece];
    }
    let mut foes: Vec<[u32; 2]> =
        conflicts.iter().map(|pair| pair.map(|piece| groups[piece as usize])).collect();
    foes.sort_unstable();
    foes.dedup();
    let mut order: Vec<u32> = (0..groups.len() as u32).filter(|&g| groups[g as usize] == g).collect();
    order.sort_by(|&a, &b| areas[b as usize].total_cmp(&areas[a as usize]).then(a.cmp(&b)));
    let mut layers = vec![u32::MAX; groups.len()];
    let mut count = 0;
    for group in order {
        let first = foes.partition_point(|pair| pair[0] < group);
        let taken: BTreeSet<u32> = foes[first..]
            .iter()
            .take_while(|pair| pair[0] == group)
            .map(|pair| layers[pair[1] as usize])
            .collect();
        let layer = (0..).find(|layer| !taken.contains(layer)).unwrap_or(count);
        layers[group as usize] = layer;
        count = count.max(layer + 1);
    }
    (groups.iter().map(|&group| layers[group as usize]).collect(), count)
}
