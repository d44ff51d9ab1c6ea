//! Cells that are being joined and left out, and the openings between them.

use super::cells::{Cell, Opening};
use crate::{
    plane::{HalfSpace, Plane},
    polytope::Polytope,
};

/// A region in the making.
pub(super) struct Region {
    pub(super) body: Polytope,
    pub(super) half_spaces: Vec<HalfSpace>,
    pub(super) volume: f64,
    /// Openings to other regions, ascending.
    pub(super) openings: Vec<u32>,
}

/// Regions by number; those that were joined to others or left out are `None`.
pub(super) struct Regions {
    pub(super) planes: Vec<Plane>,
    pub(super) regions: Vec<Option<Region>>,
    /// With numbers of regions.
    pub(super) openings: Vec<Opening>,
}

impl Regions {
    /// The cells that are kept, and the openings between them.
    pub(super) fn new(
        planes: Vec<Plane>,
        cells: Vec<Cell>,
        openings: Vec<Opening>,
        is_kept: &[bool],
    ) -> Self {
        let mut numbers = vec![u32::MAX; cells.len()];
        let mut regions = Vec::new();
        for (k, cell) in cells.into_iter().enumerate().filter(|(k, _)| is_kept[*k]) {
            numbers[k] = regions.len() as u32;
            let (body, half_spaces, volume) = (cell.body, cell.half_spaces, cell.volume);
            regions.push(Some(Region { body, half_spaces, volume, openings: Vec::new() }));
        }
        let mut kept = Vec::new();
        for mut opening in openings {
            opening.cells = opening.cells.map(|cell| numbers[cell as usize]);
            if opening.cells.contains(&u32::MAX) {
                continue;
            }
            for cell in opening.cells {
                if let Some(region) = &mut regions[cell as usize] {
                    region.openings.push(kept.len() as u32);
                }
            }
            kept.push(opening);
        }
        Self { planes, regions, openings: kept }
    }

    /// The region on the other side of an opening.
    pub(super) fn across(&self, opening: u32, from: u32) -> u32 {
        let [a, b] = self.openings[opening as usize].cells;
        if a == from { b } else { a }
    }

    /// The plane of a half-space, pointing out of it.
    pub(super) fn outward(&self, side: HalfSpace) -> Plane {
        side.outward(&self.planes[side.plane().0 as usize])
    }
}
