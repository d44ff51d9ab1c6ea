//! Portals that resolve two notches each: as many as fit without crossing.
//!
//! Idea: cells = notches − pairs + components − holes + a few, so everything hangs on choosing many pairs
//!   that are compatible. Pairs are compatible if they neither cross nor share a notch: a large independent
//!   set in the graph of conflicts.
//! Source: thesis (seed 000) section 4 for the pair itself (each notch lies in the other's area of interest);
//!   the choice as an independent set is ours.
//! Steps: 1. partners of each notch, nearest first  2. conflicts, found triangle by triangle  3. independent
//!   set  4. cut
//! Cost: near-linear: a bounded number of partners per notch, and conflicts only among near pairs.

use super::{independent_set, workpiece::Workpiece};
use crate::config::BakeConfig;
use rayon::prelude::*;
use std::ops::ControlFlow;
use wayfare_geom::{
    predicates::cross_properly,
    triangulation::{Sight, WedgeScratch},
};

/// Partners looked for at each notch: more gain nothing measurable (`docs/results/cells.md`).
const PARTNERS: usize = 12;

/// Triangles walked for them at most.
const FARTHEST_LOOK: usize = 160;

/// A possible portal between two notches, each in the other's area of interest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    pub notches: [u32; 2],
    pub length_squared: f64,
}

/// Chooses pairs and makes them portals.
pub(crate) fn choose(piece: &mut Workpiece, _config: &BakeConfig) {
    let pairs = find_pairs(piece);
    let conflicts = find_conflicts(piece, &pairs);
    let lengths: Vec<f64> = pairs.iter().map(|pair| pair.length_squared.sqrt()).collect();
    let chosen = independent_set::solve(&conflicts, &lengths);
    let mut chosen: Vec<&Pair> = chosen.into_iter().map(|k| &pairs[k as usize]).collect();
    chosen.sort_by(|a, b| a.length_squared.total_cmp(&b.length_squared).then(a.notches.cmp(&b.notches)));
    for pair in chosen {
        let [v, w] = pair.notches;
        let mut crossed = std::mem::take(&mut piece.crossed);
        let made = piece.mesh.insert_portal(v, w, &mut crossed);
        debug_assert!(made.is_some(), "pairs in sight of each other do not cross");
        piece.crossed = crossed;
    }
}

/// All pairs of notches that see each other in their areas of interest, among the nearest of each notch.
fn find_pairs(piece: &Workpiece) -> Vec<Pair> {
    let notches: Vec<u32> =
        (0..piece.plan_vertex_count() as u32).filter(|&v| piece.is_notch[v as usize]).collect();
    let found: Vec<Vec<Pair>> = notches
        .par_chunks(256)
        .map_init(WedgeScratch::default, |sight, chunk| {
            let mut pairs = Vec::new();
            for &v in chunk {
                let mut left = PARTNERS;
                let p = piece.mesh.point(v);
                piece.mesh.look(&piece.area_of_interest(v), FARTHEST_LOOK, sight, |seen| {
                    if let Sight::Vertex(w) = seen.sight
                        && piece.is_notch[w as usize]
                        && piece.is_of_interest(w, p)
                    {
                        let notches = [v.min(w), v.max(w)];
                        pairs.push(Pair { notches, length_squared: seen.distance_squared });
                        left -= 1;
                        if left == 0 {
                            return ControlFlow::Break(());
                        }
                    }
                    ControlFlow::Continue(())
                });
            }
            pairs
        })
        .collect();
    let mut pairs = found.concat();
    pairs.par_sort_unstable_by(|a, b| a.notches.cmp(&b.notches));
    pairs.dedup_by(|a, b| a.notches == b.notches);
    pairs
}

/// For each pair the pairs that it cannot stand beside: those that share a notch and those that it crosses.
fn find_conflicts(piece: &Workpiece, pairs: &[Pair]) -> independent_set::Graph {
    let mesh = &piece.mesh;
    // 1. The triangles that each pair runs through, named by their lowest half-edge.
    let name = |h: u32| h.min(mesh.next(h)).min(mesh.prev(h));
    let through: Vec<Vec<(u32, u32)>> = pairs
        .par_chunks(256)
        .enumerate()
        .map_init(Vec::new, |crossed, (chunk, some)| {
            let mut through = Vec::new();
            for (k, pair) in some.iter().enumerate() {
                let k = (chunk * 256 + k) as u32;
                let [v, w] = pair.notches;
                if mesh.find_crossed(v, w, crossed).is_none() {
                    continue;
                }
                match crossed.first() {
                    Some(&first) => through.push((name(first), k)),
                    None => through.extend(mesh.find_edge(v, w).map(|h| (name(h), k))),
                }
                through.extend(crossed.iter().map(|&h| (name(h ^ 1), k)));
            }
            through
        })
        .collect();
    let mut through = through.concat();
    through.par_sort_unstable();

    // 2. Two pairs that cross do so inside a triangle that both run through.
    let groups: Vec<&[(u32, u32)]> = through.chunk_by(|a, b| a.0 == b.0).collect();
    let crossing: Vec<Vec<[u32; 2]>> = groups
        .par_chunks(64)
        .map(|groups| {
            let mut found = Vec::new();
            for group in groups {
                for (k, &(_, i)) in group.iter().enumerate() {
                    let [a, b] = pairs[i as usize].notches;
                    let (pa, pb) = (mesh.point(a), mesh.point(b));
                    for &(_, j) in &group[k + 1..] {
                        let [c, d] = pairs[j as usize].notches;
                        if a != c
                            && a != d
                            && b != c
                            && b != d
                            && cross_properly(pa, pb, mesh.point(c), mesh.point(d))
                        {
                            found.push([i, j]);
                        }
                    }
                }
            }
            found
        })
        .collect();
    let mut conflicts = crossing.concat();

    // 3. Pairs that share a notch.
    let mut at_notch: Vec<(u32, u32)> =
        pairs.iter().enumerate().flat_map(|(k, pair)| pair.notches.map(|v| (v, k as u32))).collect();
    at_notch.par_sort_unstable();
    for group in at_notch.chunk_by(|a, b| a.0 == b.0) {
        for (k, &(_, i)) in group.iter().enumerate() {
            conflicts.extend(group[k + 1..].iter().map(|&(_, j)| [i, j]));
        }
    }
    independent_set::Graph::new(pairs.len(), conflicts)
}
