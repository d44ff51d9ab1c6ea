//! Where a navmesh and a volume mesh touch.
//!
//! Steps: 1. the floors of a region that can be stood on, without portals  2. what each has in common with a cell, in plan, if the
//!   cell's ground is at the floor's height  3. its middle, and a place near each of its corners, so that no long way round leads
//!   over the middle of a large floor.

use crate::{
    mesh::{RegionId, VolumeMesh},
    polygon,
};
use wayfare_core::DVec3;
use wayfare_geom::bvh::{Aabb3, Bvh};
use wayfare_navmesh::{CellId, HandOver, HandOvers, NavMesh};

/// Ground of a navmesh this far from the floor is the same ground [m]: pixels, simplification, and steps that were smoothed.
const SAME_GROUND: f64 = 0.3;
/// Places near corners are this far from them [m], and from each other.
const INSET: f64 = 0.5;
/// Narrower pieces of floor have no place [m].
const NARROWEST: f64 = 0.05;

/// The places where a body changes between the ground of a navmesh and the regions of a volume mesh.
pub fn hand_overs(ground: &NavMesh, air: &VolumeMesh) -> HandOvers {
    let cells: Vec<CellId> = ground.cells().collect();
    let boxes: Vec<Aabb3> = cells
        .iter()
        .map(|&cell| {
            let area = Aabb3::of_points(ground.cell_vertices(cell).map(|vertex| ground.position(vertex)));
            // The ground inside of a cell may be higher or lower than its corners.
            let room = DVec3::Z * (SAME_GROUND + (area.max - area.min).truncate().max_element());
            Aabb3 { min: area.min - room, max: area.max + room }
        })
        .collect();
    let tree = Bvh::build(&boxes);
    let mut places: Vec<HandOver> = Vec::new();
    for region in air.regions().filter(|&region| air.standing(region) > 0.0) {
        for floor in floors(air, region) {
            let area = Aabb3::of_points(floor.iter().copied());
            let mut near = Vec::new();
            tree.visit(&area, |cell| {
                near.push(cell);
                false
            });
            near.sort_unstable();
            for cell in near {
                add(ground, air, CellId(cell), region, &floor, &mut places);
            }
        }
    }
    let key = |place: &HandOver| (place.cell.0, place.region);
    places.sort_by(|a, b| {
        let by_place =
            || a.point.to_array().partial_cmp(&b.point.to_array()).unwrap_or(std::cmp::Ordering::Equal);
        key(a).cmp(&key(b)).then_with(by_place)
    });
    HandOvers { places, regions: air.region_count() as u32 }
}

/// Step 1.
pub(crate) fn floors(air: &VolumeMesh, region: RegionId) -> Vec<Vec<DVec3>> {
    let steepest = wayfare_core::ops::cos(air.raw().max_slope);
    let mut floors = Vec::new();
    for (side, points) in air.faces(region) {
        let plane = air.plane(side.plane());
        if -side.outward(plane).normal.z < steepest {
            continue;
        }
        let mut pieces = vec![points];
        for portal in air.portals_of(region).filter(|&portal| air.portal_plane(portal) == side.plane()) {
            polygon::subtract(&mut pieces, air.portal_points(portal), plane.normal, air.raw().tolerance);
        }
        pieces.retain(|piece| polygon::width(piece) > NARROWEST);
        floors.append(&mut pieces);
    }
    floors
}

/// Steps 2 and 3.
fn add(
    ground: &NavMesh,
    air: &VolumeMesh,
    cell: CellId,
    over: RegionId,
    floor: &[DVec3],
    places: &mut Vec<HandOver>,
) {
    let outline: Vec<DVec3> = ground.cell_points(cell).map(|p| p.extend(0.0)).collect();
    let mut shared = floor.to_vec();
    for edge in polygon::edge_planes(&outline, DVec3::Z) {
        let [inside, _] = polygon::split(&shared, &edge, 0.0);
        match inside {
            Some(inside) => shared = inside,
            None => return,
        }
    }
    if polygon::width(&shared) <= NARROWEST {
        return;
    }
    let middle = polygon::middle(&shared);
    let mut points = vec![middle];
    for &corner in &shared {
        let away = corner.distance(middle);
        if away > 2.0 * INSET {
            points.push(middle.lerp(corner, 1.0 - INSET / away));
        }
    }
    let first = places.len();
    for p in points {
        let height = ground.height(cell, p.truncate());
        if (height - p.z).abs() > SAME_GROUND {
            continue;
        }
        let point = p.with_z(height.max(p.z));
        // A sheet is the floor of the region over it, and touches the one below.
        let is_over = air.outside(over, point) <= air.raw().tolerance;
        let Some(region) = Some(over).filter(|_| is_over).or_else(|| air.region_at(point)) else { continue };
        let is_near = |other: &HandOver| other.region == region.0 && other.point.distance(point) < INSET;
        if !places[first..].iter().any(is_near) {
            places.push(HandOver { cell, region: region.0, point });
        }
    }
}
