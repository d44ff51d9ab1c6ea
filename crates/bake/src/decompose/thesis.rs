//! The plain algorithm of the thesis, for comparison.
//!
//! Source: thesis (seed 000), sections 4 and 4.2: for every notch, in order, a portal to the closest element in its
//!   area of interest. *Vertex–vertex*: join them; if each lies in the other's area of interest both notches
//!   are resolved. *Vertex–edge*: the nearest of five candidates, which are the projection onto the edge, where
//!   the two prolonged edges of the notch meet it, and its ends. *Vertex–portal*: the nearer end of the portal
//!   in the area of interest, else both ends; an end that is not in sight is not joined, and the next closest
//!   element is taken.
//! Cost: near-linear where the thesis needs O(n·r), for a look stops at the closest element.

use super::{
    singles::{Mate, join, point_on_wall},
    workpiece::{Sector, Workpiece},
};
use std::ops::ControlFlow;
use wayfare_geom::triangulation::{EdgeRole, Sight};

/// Resolves all notches, one after the other.
pub(crate) fn resolve(piece: &mut Workpiece) {
    for v in 0..piece.plan_vertex_count() as u32 {
        if !piece.is_notch[v as usize] {
            continue;
        }
        while let Some(sector) = piece.reflex_sector(v) {
            let mate = if piece.is_wide(v) { Mate::Two } else { closest_element(piece, &sector) };
            if !join(piece, v, mate) {
                join(piece, v, Mate::Two);
            }
        }
    }
}

/// What the notch is joined to.
fn closest_element(piece: &mut Workpiece, sector: &Sector) -> Mate {
    let mut sight = std::mem::take(&mut piece.sight);
    let mut crossed = Vec::new();
    let wedge = sector.opened();
    let v = sector.apex;
    let mut wall: Option<(f64, Mate)> = None;
    let mut found = None;
    piece.mesh.look(&wedge, usize::MAX, &mut sight, |seen| {
        // The end of a wall is as near as the wall: it is seen next, and is the better candidate.
        if let Some((distance_squared, mate)) = wall
            && seen.distance_squared > distance_squared * 1.000_001
        {
            found = Some(mate);
            return ControlFlow::Break(());
        }
        match seen.sight {
            Sight::Vertex(w) if sector.admits(piece.mesh.point(w)) => found = Some(Mate::Vertex(w)),
            Sight::Edge(h) if piece.mesh.role(h) == EdgeRole::Wall => {
                if wall.is_none()
                    && let Some(point) = point_on_wall(piece, sector, &wedge, h, &seen)
                {
                    wall = Some((seen.distance_squared, Mate::Wall(h, point)));
                }
            }
            Sight::Edge(h) if wall.is_none() => {
                let at = piece.mesh.point(v);
                let mut ends = [piece.mesh.origin(h), piece.mesh.target(h)];
                ends.sort_by(|&a, &b| {
                    let key = |w: u32| (piece.mesh.point(w) - at).length_squared();
                    key(a).total_cmp(&key(b)).then(a.cmp(&b))
                });
                let is_visible = ends.map(|w| piece.mesh.find_crossed(v, w, &mut crossed).is_some());
                let of_interest = ends.map(|w| sector.admits(piece.mesh.point(w)));
                found = match (of_interest, is_visible) {
                    ([true, _], [true, _]) => Some(Mate::Vertex(ends[0])),
                    ([_, true], [_, true]) => Some(Mate::Vertex(ends[1])),
                    ([false, false], [true, true]) => Some(Mate::Both(ends)),
                    _ => None,
                };
            }
            _ => {}
        }
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    piece.sight = sight;
    found.or(wall.map(|(_, mate)| mate)).unwrap_or(Mate::Two)
}
