//! A floor plan as well-known text: a plan file that other programs, and `wayfare bake`, read.

use wayfare_floor::{FloorPlan, Region};
use wayfare_geom::Polygon;

/// The regions as polygons; heights and tags are left out, for which the form has no place.
pub fn plan_to_wkt(plan: &FloorPlan) -> String {
    let polygon = |region: &Region| Polygon {
        outer: plan.ring_points(&region.outer),
        holes: region.holes.iter().map(|hole| plan.ring_points(hole)).collect(),
    };
    let regions = plan.layers.iter().flat_map(|layer| &layer.regions);
    wayfare_scene::to_wkt(&regions.map(polygon).collect::<Vec<_>>())
}
