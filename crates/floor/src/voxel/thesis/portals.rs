//! Portal-layer voxels: where one coarse layer goes on into another.
//!
//! Source: thesis (seed 000), section 6.2.3, which looks for the vertices of two navmeshes near them to merge them. Here
//!   layers are joined by identity later, so that they are only reported and drawn.

use super::{
    coarse::Voxels,
    layers::{Accessible, CoarseLayers},
};

/// Section 6.2.3: whether each accessible voxel has an accessible neighbour in another layer.
pub fn portal_voxels(
    voxels: &Voxels,
    accessible: &Accessible,
    layers: &CoarseLayers,
    reach: i32,
) -> Vec<bool> {
    let is_portal = |voxel: u32| {
        let own = layers.of[voxel as usize];
        accessible.beside(voxels, voxel, reach).any(|other| layers.of[other as usize] != own)
    };
    (0..accessible.voxels.len() as u32).map(is_portal).collect()
}

#[cfg(test)]
mod tests {
    use super::super::layers::{accessible_voxels, ordered_flooding};
    use super::super::testing::{Tower, towers};
    use super::*;

    #[test]
    fn portals_lie_on_both_sides_of_the_line_between_two_layers() {
        let slab = |column: u32, row: u32, level: i32| Tower {
            column,
            row,
            from: level,
            to: level + 1,
            is_positive: true,
        };
        // A floor with a ramp beside it, that ends in a gallery over the floor.
        let mut pieces: Vec<Tower> = (0..6).flat_map(|x| [slab(x, 0, 0), slab(x, 0, 5)]).collect();
        pieces.extend((0..6).map(|x| slab(x, 1, x as i32)));
        let voxels = towers(&pieces);
        let accessible = accessible_voxels(&voxels, 3);
        let layers = ordered_flooding(&voxels, &accessible, 1);
        let portals = portal_voxels(&voxels, &accessible, &layers, 1);
        let mut found: Vec<_> = (0..portals.len())
            .filter(|&k| portals[k])
            .map(|k| {
                let place = voxels.places[accessible.voxels[k].place as usize];
                (place.column, place.row, accessible.voxels[k].level)
            })
            .collect();
        found.sort_unstable();
        // The ramp comes within a level of the gallery in its last two columns.
        assert_eq!(found, [(4, 0, 5), (4, 1, 4), (5, 0, 5), (5, 1, 5)]);
    }
}
