//! Bounded local improvement: two portals for two notches become one.
//!
//! Idea: a portal that only its notch `v` needs may end elsewhere. If it can end at a notch `w` whose own portal
//!   is then needed no more, one portal is saved. Unlike the pairs, `w` may have other portals, which do a
//!   part of the work. Where nothing is saved, the portal is moved to the nearest vertex.
//! Cost: one bounded look for each notch that has a portal of its own.

use super::workpiece::Workpiece;
use wayfare_geom::triangulation::EdgeRole;

const FARTHEST_LOOK: usize = 16;

/// Re-routes portals, one notch after the other, of vertices that may have a portal of their own. A second round would
/// save a tenth of what the first does.
pub(crate) fn improve(piece: &mut Workpiece, has_own: &[bool]) {
    let mut mates = Vec::new();
    for v in 0..piece.plan_vertex_count() as u32 {
        if has_own[v as usize]
            && !piece.is_wide(v)
            && let Some(own) = single_portal(piece, v)
        {
            re_route(piece, own, has_own, &mut mates);
        }
    }
}

/// Moves the outgoing portal `own`, which only its notch needs, if that saves another one or makes it shorter.
fn re_route(piece: &mut Workpiece, own: u32, has_own: &[bool], mates: &mut Vec<(f64, u32)>) {
    let v = piece.mesh.origin(own);
    let old_length = length_squared(piece, own);
    piece.mesh.remove_portal(own >> 1);
    let Some(sector) = piece.reflex_sector(v) else { return };

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

    // Only a notch with a portal of its own can do without it.
    let busy = mates.iter().filter(|&&(_, w)| has_own[w as usize]);
    let saving = busy.into_iter().find_map(|&(_, w)| Some((w, portal_saved_by(piece, w, v)?)));
    if let Some((w, saved)) = saving {
        piece.mesh.remove_portal(saved >> 1);
        if piece.insert(v, w) {
            return;
        }
        piece.mesh.make_portal(saved);
    } else if let Some(&(length, w)) = mates.first()
        && length < old_length
        && piece.insert(v, w)
    {
        return;
    }
    piece.mesh.make_portal(own);
}

fn length_squared(piece: &Workpiece, h: u32) -> f64 {
    (piece.mesh.point(piece.mesh.origin(h)) - piece.mesh.point(piece.mesh.target(h))).length_squared()
}

/// The outgoing portal of `v` that `v` needs and its other end does not.
fn single_portal(piece: &Workpiece, v: u32) -> Option<u32> {
    piece.mesh.leaving(v).find(|&h| {
        piece.mesh.role(h) == EdgeRole::Portal
            && !piece.is_lasting(h >> 1)
            && piece.sector_without(piece.mesh.target(h), h ^ 1).is_none()
            && piece.sector_without(v, h).is_some()
    })
}

/// The outgoing portal of `w` that nobody would need if `w` were joined to `v`.
fn portal_saved_by(piece: &Workpiece, w: u32, v: u32) -> Option<u32> {
    let p = piece.mesh.point(v);
    piece.mesh.leaving(w).find(|&h| {
        piece.mesh.role(h) == EdgeRole::Portal
            && !piece.is_lasting(h >> 1)
            && piece.sector_without(piece.mesh.target(h), h ^ 1).is_none()
            && piece.sector_without(w, h).is_none_or(|sector| sector.admits(p))
    })
}
