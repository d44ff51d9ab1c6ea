//! Cuts vertices where several fans of faces meet, so that each vertex has one.

use super::{NONE, build::next};
use wayfare_core::RepairReport;

/// Gives each fan after the first of a vertex a number of its own, from `vertices` on; returns which vertex each of the
/// new ones was.
pub fn cut(origins: &mut [u32], twins: &[u32], vertices: usize, repair: &mut RepairReport) -> Vec<u32> {
    // Corners of neighbouring faces at the same vertex are one fan: the sets of a union by the smaller number.
    let mut parents: Vec<u32> = (0..origins.len() as u32).collect();
    for (h, &twin) in twins.iter().enumerate() {
        if twin == NONE || (twin as usize) < h {
            continue;
        }
        let twin = twin as usize;
        let (at_origin, at_end) =
            if origins[h] == origins[twin] { (twin, next(twin)) } else { (next(twin), twin) };
        unite(&mut parents, h, at_origin);
        unite(&mut parents, next(h), at_end);
    }
    let mut first_fan = vec![NONE; vertices];
    let mut copies: Vec<u32> = Vec::new();
    let mut number = vec![NONE; origins.len()];
    let mut is_cut = vec![false; vertices];
    for (corner, origin) in origins.iter_mut().enumerate() {
        let fan = find(&mut parents, corner);
        let vertex = *origin as usize;
        if first_fan[vertex] == NONE {
            first_fan[vertex] = fan as u32;
        }
        if first_fan[vertex] == fan as u32 {
            continue;
        }
        if number[fan] == NONE {
            number[fan] = (vertices + copies.len()) as u32;
            copies.push(*origin);
            if !std::mem::replace(&mut is_cut[vertex], true) {
                repair
                    .note("non-manifold-vertex", || format!("vertex {vertex}: its faces make several fans"));
            }
        }
        *origin = number[fan];
    }
    copies
}

fn find(parents: &mut [u32], mut of: usize) -> usize {
    while parents[of] as usize != of {
        parents[of] = parents[parents[of] as usize];
        of = parents[of] as usize;
    }
    of
}

fn unite(parents: &mut [u32], a: usize, b: usize) {
    let (a, b) = (find(parents, a), find(parents, b));
    parents[a.max(b)] = a.min(b) as u32;
}
