//! Removing portals that are not needed.
//!
//! Source: thesis (seed 000) section 4.3, dispensable portals; Hertel and Mehlhorn 1983 for the test at both
//!   ends. Longest first: long portals inside open space cost the search most.
//! Cost: O(p log p).

use super::{relax::is_shallow_without, workpiece::Workpiece};
use wayfare_geom::triangulation::EdgeRole;

/// Takes away every portal without which all angles stay at most 180 degrees, and if `relaxation` [m] is not
/// zero, every portal without which no notch is deeper.
///
/// Returns for each vertex whether it may have a portal that it alone needs: what is taken away later can make that
/// portal needed at its other end, too. (With a relaxation this is not found out.)
pub(crate) fn remove_dispensable(piece: &mut Workpiece, relaxation: f64) -> Vec<bool> {
    let mesh = &piece.mesh;
    let mut has_own = vec![false; mesh.vertex_count()];
    let length = |edge: u32| {
        (mesh.point(mesh.origin(edge << 1)) - mesh.point(mesh.target(edge << 1))).length_squared()
    };
    let mut portals: Vec<(f64, u32)> = (0..mesh.edge_count() as u32)
        .filter(|&edge| mesh.role(edge << 1) == EdgeRole::Portal && !piece.is_lasting(edge))
        .map(|edge| (length(edge), edge))
        .collect();
    portals.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (_, edge) in portals {
        let h = edge << 1;
        let (a, b) = (piece.mesh.origin(h), piece.mesh.target(h));
        if relaxation > 0.0 {
            if !piece.is_wide(a) && !piece.is_wide(b) && is_shallow_without(piece, h, relaxation) {
                // A notch that appears is ignored from now on.
                for (v, h) in [(a, h), (b, h ^ 1)] {
                    if piece.sector_without(v, h).is_some() {
                        piece.is_notch[v as usize] = false;
                    }
                }
                piece.mesh.remove_portal(edge);
            }
        } else {
            let needs = [(a, h), (b, h ^ 1)].map(|(v, h)| piece.sector_without(v, h).is_some());
            match needs {
                [false, false] => piece.mesh.remove_portal(edge),
                [true, false] => has_own[a as usize] = true,
                [false, true] => has_own[b as usize] = true,
                [true, true] => {}
            }
        }
    }
    has_own
}
