//! How far the nearest obstacle is, and in which direction.

use super::{Contact, closed};
use crate::{
    Body, End, LocateConfig, NoPath, PathFinder,
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
    /// The nearest obstacle of the ground near a point: a wall, a drop, or what is closed to the body, whose radius does not
    /// matter; only walls for one that overhangs drops. Nothing where the ground has no boundary.
    pub fn nearest_wall(
        &self,
        body: &Body,
        at: DVec3,
        config: &LocateConfig,
    ) -> Result<Option<NearWall>, NoPath> {
        let walker = self.walker(body)?;
        let location = self.mesh.locate(at, config).ok_or(NoPath::OffMesh { which: End::Start, at })?;
        let p = location.point.truncate();
        let cell = self.mesh.cells_of(&location).find(|&cell| walker.may_be_in(cell));
        let cell = cell.unwrap_or(location.cell);
        let mut nearest = match walker.walls {
            Some(walls) => walls.nearest(location.point).map(|nearest| {
                let [edge, .., one, two] = nearest.wall.features();
                let along = edge.parameter(p);
                let feature = if along < edge.low {
                    one
                } else if along > edge.high {
                    two
                } else {
                    edge
                };
                (nearest.distance, self.touch_feature(&walker, &feature, p))
            }),
            None => {
                let clearances = self.mesh.clearances().ok_or(NoPath::NoClearance)?;
                clearances.at(cell, p).map(|place| {
                    let feature = clearances.features().get(place.feature);
                    (place.distance, self.touch_feature(&walker, feature, p))
                })
            }
        };
        if let Some(limits) = &walker.limits {
            let reach = nearest.map_or(f64::INFINITY, |(distance, _)| distance);
            closed::for_each_near(limits, cell, [p; 2], reach, |corner, distance| {
                if nearest.is_none_or(|(least, _)| distance < least) {
                    let [edge, one, two] = closed::features(limits, corner);
                    let parameter = edge.parameter(p);
                    let feature = if parameter < edge.low {
                        one
                    } else if parameter > edge.high {
                        two
                    } else {
                        edge
                    };
                    nearest = Some((distance, self.touch_feature(&walker, &feature, p)));
                }
            });
        }
        Ok(nearest.map(|(distance, touch)| NearWall {
            at: location.point,
            cell,
            distance,
            contact: self.contact(touch),
        }))
    }
}
