//! Where a body stands that is let fall.

use super::{distance::nearest_on_polygon, finder::FlyFinder};
use crate::mesh::RegionId;
use wayfare_core::DVec3;

/// A place on a floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// The region over the floor.
    pub region: RegionId,
    /// The point of the floor.
    pub floor: DVec3,
    /// Where the centre of a ball is that touches the floor there from above.
    pub centre: DVec3,
}

impl FlyFinder<'_> {
    /// The floor straight below a point of free space, for a ball; `None` if the point is not free, or what is below is steeper
    /// than what can be stood on.
    pub fn stand(&self, at: DVec3, radius: f64) -> Option<Stand> {
        let mesh = self.mesh();
        let tolerance = mesh.raw().tolerance;
        let steepest = wayfare_core::ops::cos(mesh.raw().max_slope);
        let mut region = mesh.region_at(at)?;
        let mut point = at;
        // Each region is left once, downwards.
        for _ in 0..mesh.region_count() {
            // The lowest point of the region on the vertical.
            let below = mesh.half_spaces(region).filter_map(|side| {
                let plane = side.outward(mesh.plane(side.plane()));
                let falls = plane.normal.z < 0.0;
                falls.then(|| (at.z + plane.distance(at) / -plane.normal.z, side, plane.normal.z))
            });
            let (z, side, down) = below.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
            point.z = z.min(point.z);
            let next = mesh.portals_of(region).find(|&portal| {
                mesh.portal_plane(portal) == side.plane()
                    && nearest_on_polygon(mesh.portal_points(portal), point).distance(point) <= tolerance
            });
            match next {
                Some(portal) => region = mesh.across(portal, region),
                // The bottom of the box is floor only where triangles lie in it.
                None if -down >= steepest && mesh.standing(region) > 0.0 => {
                    let lift = radius / -down * (1.0 + 1e-9);
                    return Some(Stand { region, floor: point, centre: point + DVec3::Z * lift });
                }
                None => return None,
            }
        }
        None
    }
}
