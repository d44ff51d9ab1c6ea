//! Bounded local improvement: two portals for two notches become one.
//!
//! Idea: a portal that only its notch `v` needs may end elsewhere. If it can end at a notch `w` whose own portal
//!   is then needed no more, one portal is saved. Unlike the pairs, `w` may have other portals, which do a
//!   part of the work. Where nothing is saved, the portal may be moved to another vertex, which opens ways for
//!   others.
//! Cost: a bounded number of rounds over the notches, each with a bounded look.

use super::workpiece::Workpiece;
use wayfare_geom::triangulation::EdgeRole;

const FARTHEST_LOOK: usize = 16;

/// Re-routes portals in rounds.
pub(crate) fn improve(piece: &mut Workpiece, rounds: usize) {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut mates = Vec::new();
    // Notches that had no portal of their own when they were last asked, and nothing has changed since.
    let mut is_idle = vec![false; piece.plan_vertex_count()];
    for round in 0..rounds {
        for v in 0..piece.plan_vertex_count() as u32 {
            if !piece.is_notch[v as usize] || is_idle[v as usize] {
                continue;
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let stir = round + 1 < rounds;
            match single_portal(piece, v) {
                Some(own) => {
                    for end in re_route(piece, own, &mut mates, stir.then_some(random)).into_iter().flatten()
                    {
                        wake(piece, end, &mut is_idle);
                    }
                }
                None => is_idle[v as usize] = true,
            }
        }
    }
}

/// Whether a notch has a portal of its own depends on the portals of the notch and those at their other ends.
fn wake(piece: &Workpiece, vertex: u32, is_idle: &mut [bool]) {
    let portals = piece.mesh.leaving(vertex).filter(|&h| piece.mesh.role(h) == EdgeRole::Portal);
    for v in portals.map(|h| piece.mesh.target(h)).chain([vertex]) {
        // Points that split walls are no notches.
        if let Some(is_idle) = is_idle.get_mut(v as usize) {
            *is_idle = false;
        }
    }
}

/// Moves the outgoing portal `own`, which only its notch needs, if that saves another one; returns the ends of what
/// was changed.
fn re_route(
    piece: &mut Workpiece,
    own: u32,
    mates: &mut Vec<(f64, u32)>,
    random: Option<u64>,
) -> [Option<u32>; 4] {
    let (v, end) = (piece.mesh.origin(own), piece.mesh.target(own));
    let changed = |w: u32, other: Option<u32>| [Some(v), Some(end), Some(w), other];
    let old_length = length_squared(piece, own);
    piece.mesh.remove_portal(own >> 1);
    let Some(sector) = piece.reflex_sector(v) else { return [Some(v), Some(end), None, None] };

    // Where it may end.
    mates.clear();
    let mut sight = std::mem::take(&mut piece.sight);
    let at = piece.mesh.point(v);
    piece.mesh.survey(&sector.opened(), FARTHEST_LOOK, &mut sight, |w| {
        let p = piece.mesh.point(w);
        if sector.admits(p) {
            mates.push(((p - at).length_squared(), w));
        }
    });
    mates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    piece.sight = sight;

    let saving = mates.iter().find_map(|&(_, w)| portal_saved_by(piece, w, v).map(|saved| (w, saved)));
    if let Some((w, saved)) = saving {
        let other = piece.mesh.target(saved);
        piece.mesh.remove_portal(saved >> 1);
        if piece.insert(v, w) {
            return changed(w, Some(other));
        }
        piece.mesh.make_portal(saved);
    } else if let Some(random) = random
        && !mates.is_empty()
    {
        let (length, w) = mates[(random >> 33) as usize % mates.len()];
        if length <= old_length * 4.0 && piece.insert(v, w) {
            return changed(w, None);
        }
    } else if let Some(&(length, w)) = mates.first()
        && length < old_length
        && piece.insert(v, w)
    {
        return changed(w, None);
    }
    piece.mesh.make_portal(own);
    [None; 4]
}

fn length_squared(piece: &Workpiece, h: u32) -> f64 {
    (piece.mesh.point(piece.mesh.origin(h)) - piece.mesh.point(piece.mesh.target(h))).length_squared()
}

/// The outgoing portal of `v` that `v` needs and its other end does not.
fn single_portal(piece: &Workpiece, v: u32) -> Option<u32> {
    piece.mesh.leaving(v).find(|&h| {
        piece.mesh.role(h) == EdgeRole::Portal
            && piece.sector_without(piece.mesh.target(h), h ^ 1).is_none()
            && piece.sector_without(v, h).is_some()
    })
}

/// The outgoing portal of the notch `w` that nobody would need if `w` were joined to `v`. What ends at other
/// vertices is needed at its other end.
fn portal_saved_by(piece: &Workpiece, w: u32, v: u32) -> Option<u32> {
    if piece.is_notch.get(w as usize) != Some(&true) {
        return None;
    }
    let p = piece.mesh.point(v);
    piece.mesh.leaving(w).find(|&h| {
        piece.mesh.role(h) == EdgeRole::Portal
            && piece.sector_without(piece.mesh.target(h), h ^ 1).is_none()
            && piece.sector_without(w, h).is_none_or(|sector| sector.admits(p))
    })
}
