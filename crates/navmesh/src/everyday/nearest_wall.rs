//! How far the nearest obstacle is, and in which direction.

use super::Contact;
use crate::{
    End, LocateConfig, NoPath, PathFinder,
    mesh::{CellId, NavMesh},
};
use std::ops::Deref;
use wayfare_core::DVec3;

/// The nearest obstacle of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearWall {
    /// The place on the ground that was asked for.
    pub at: DVec3,
    /// Its cell.
    pub cell: CellId,
    /// How far the obstacle is in plan [m]: the radius of the largest disc that fits.
    pub distance: f64,
    /// Where the obstacle is nearest, and in which direction one goes away from it.
    pub contact: Contact,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// The nearest wall or drop of the ground near a point; nothing where the ground has no boundary.
    pub fn nearest_wall(&self, at: DVec3, config: &LocateConfig) -> Result<Option<NearWall>, NoPath> {
        let location = self.mesh.locate(at, config).ok_or(NoPath::OffMesh { which: End::Start, at })?;
        let (cell, p) = (location.cell, location.point.truncate());
        let clearances = self.mesh.clearances().ok_or(NoPath::NoClearance)?;
        let Some(place) = clearances.at(cell, p) else { return Ok(None) };
        let contact = self.contact(self.touch_feature(clearances.features(), place.feature, p));
        Ok(Some(NearWall { at: location.point, cell, distance: place.distance, contact }))
    }
}
