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

use super::{
    matching::{Matching, Pair},
    workpiece::Workpiece,
};
use crate::config::BakeConfig;
use rayon::prelude::*;
use wayfare_geom::triangulation::WedgeScratch;

/// Partners looked for at each notch: more gain nothing measurable (`docs/results/cells.md`).
const PARTNERS: usize = 5;

/// Triangles walked for them at most.
const FARTHEST_LOOK: usize = 20;

/// Alternating paths tried from each notch without a partner.
const PATHS: usize = 4;

/// Chooses pairs and makes them portals.
pub(crate) fn choose(piece: &mut Workpiece, config: &BakeConfig) {
    let pairs = find_pairs(piece, config.stretch());
    let (starts, triangles) = find_triangles(piece, &pairs);
    let matching =
        Matching::new(piece.mesh.points(), &pairs, &starts, &triangles, piece.mesh.half_edge_count());
    let chosen = matching.solve(PATHS);
    let mut chosen: Vec<&Pair> = chosen.into_iter().map(|k| &pairs[k as usize]).collect();
    chosen.sort_unstable_by(|a, b| a.by_length(b));
    for pair in chosen {
        let [v, w] = pair.notches;
        // In ground full of slivers (`underwater_scene` with gaps) two pairs may cross after all: the later one is not made, and its notches get
        // portals of their own.
        piece.insert(v, w);
    }
}

/// All pairs of notches that see each other in their areas of interest, among the nearest of each notch.
/// A pair is at most `stretch` times as long as the shortest at one of its notches.
fn find_pairs(piece: &Workpiece, stretch: f64) -> Vec<Pair> {
    let is_notch = |v: u32| piece.is_notch[v as usize] && !piece.is_wide(v);
    let notches: Vec<u32> = (0..piece.plan_vertex_count() as u32).filter(|&v| is_notch(v)).collect();
    let found: Vec<Vec<Pair>> = notches
        .par_chunks(256)
        .map_init(WedgeScratch::default, |sight, chunk| {
            let mut pairs = Vec::new();
            for &v in chunk {
                let p = piece.mesh.point(v);
                let sector = piece.whole_sector(v);
                let mut nearest = Nearest::default();
                piece.mesh.survey(&sector.opened(), FARTHEST_LOOK, sight, |w| {
                    let q = piece.mesh.point(w);
                    let pair =
                        Pair { notches: [v.min(w), v.max(w)], length_squared: (q - p).length_squared() };
                    let is_partner = || is_notch(w) && sector.admits(q) && piece.whole_sector(w).admits(p);
                    if pair.length_squared < nearest.reach() && is_partner() {
                        nearest.add(pair);
                    }
                });
                let partners = nearest.partners();
                let longest = partners.first().map_or(0.0, |pair| pair.length_squared * stretch * stretch);
                pairs.extend(partners.iter().filter(|pair| pair.length_squared <= longest));
            }
            pairs
        })
        .collect();
    let mut pairs = found.concat();
    pairs.par_sort_unstable_by(|a, b| a.notches.cmp(&b.notches));
    pairs.dedup_by(|a, b| a.notches == b.notches);
    pairs
}

/// The nearest partners of a notch found so far, in order.
#[derive(Default)]
struct Nearest {
    partners: [Pair; PARTNERS],
    count: usize,
}

impl Nearest {
    fn partners(&self) -> &[Pair] {
        &self.partners[..self.count]
    }

    /// The square of the distance from which on a partner is of no use.
    fn reach(&self) -> f64 {
        if self.count < PARTNERS { f64::INFINITY } else { self.partners[PARTNERS - 1].length_squared }
    }

    /// Takes in a partner within reach.
    fn add(&mut self, pair: Pair) {
        self.count = PARTNERS.min(self.count + 1);
        let mut at = self.count - 1;
        while at > 0 && pair.by_length(&self.partners[at - 1]).is_lt() {
            self.partners[at] = self.partners[at - 1];
            at -= 1;
        }
        self.partners[at] = pair;
    }
}

/// The triangles that each pair runs through, as offsets and one flat list; a triangle is named by its lowest
/// half-edge. Two pairs that cross do so inside a triangle that both run through.
fn find_triangles(piece: &Workpiece, pairs: &[Pair]) -> (Vec<u32>, Vec<u32>) {
    let mesh = &piece.mesh;
    let name = |h: u32| h.min(mesh.next(h)).min(mesh.prev(h));
    let found: Vec<(Vec<u32>, Vec<u32>)> = pairs
        .par_chunks(256)
        .map_init(Vec::new, |crossed, chunk| {
            let (mut counts, mut triangles) = (Vec::with_capacity(chunk.len()), Vec::new());
            for pair in chunk {
                let [v, w] = pair.notches;
                let before = triangles.len();
                if mesh.find_crossed(v, w, crossed).is_some() {
                    match crossed.first() {
                        Some(&first) => triangles.push(name(first)),
                        None => triangles.extend(mesh.find_edge(v, w).map(name)),
                    }
                    triangles.extend(crossed.iter().map(|&h| name(h ^ 1)));
                }
                counts.push((triangles.len() - before) as u32);
            }
            (counts, triangles)
        })
        .collect();
    let mut starts = vec![0u32];
    let mut triangles = Vec::new();
    for (counts, some) in found {
        for count in counts {
            starts.push(starts[starts.len() - 1] + count);
        }
        triangles.extend(some);
    }
    (starts, triangles)
}
