//! From a floor plan to a navigation mesh: every region is decomposed, the cells are numbered and joined.

use crate::{
    config::{BakeConfig, BakeError},
    decompose::{RegionCells, decompose_region},
};
use rayon::prelude::*;
use wayfare_core::{Context, DVec3};
use wayfare_floor::{FloorPlan, Region};
use wayfare_navmesh::{NO_CELL, NavMesh, RawNavMesh, SPLIT_POINT};

/// Turns a floor plan into a navigation mesh with few convex cells.
///
/// The result depends on the plan and the settings alone, not on the number of threads.
pub fn bake(plan: &FloorPlan, config: &BakeConfig, context: &Context) -> Result<NavMesh, BakeError> {
    config.check()?;
    let regions: Vec<(usize, &Region)> = plan
        .layers
        .iter()
        .enumerate()
        .flat_map(|(layer, content)| content.regions.iter().map(move |region| (layer, region)))
        .collect();
    let stage = context.stage("cells", regions.len() as u64);
    let decomposed: Vec<Result<RegionCells, BakeError>> = regions
        .par_iter()
        .map(|(_, region)| {
            let rings: Vec<_> = region.rings().map(|ring| plan.ring_points(ring)).collect();
            let cells = decompose_region(&rings, config, context);
            stage.advance(1);
            cells
        })
        .collect();
    drop(stage);

    let mut raw = RawNavMesh {
        cell_starts: vec![0],
        tag_names: plan.tag_names.clone(),
        convex_distance: config.convex_distance,
        ..RawNavMesh::default()
    };
    for ((layer, region), cells) in regions.into_iter().zip(decomposed) {
        append(&mut raw, plan, layer, region, cells?);
    }
    raw.validate().map_err(BakeError::Mesh)
}

/// Adds the cells of one region: its plan vertices first, then the points that split its walls.
fn append(raw: &mut RawNavMesh, plan: &FloorPlan, layer: usize, region: &Region, cells: RegionCells) {
    let (first_vertex, first_cell) = (raw.vertices.len() as u32, raw.tags.len() as u32);
    raw.vertices.extend(region.rings().flat_map(|ring| &ring.vertices).map(|&v| plan.vertices[v]));
    raw.vertex_flags.resize(raw.vertices.len(), 0);
    for split in &cells.splits {
        let [a, b] = split.wall.map(|v| raw.vertices[(first_vertex + v) as usize]);
        let (along, whole) = ((split.point - a.truncate()).length(), (b - a).truncate().length());
        let z = if whole > 0.0 { a.z + (b.z - a.z) * (along / whole) } else { a.z };
        raw.vertices.push(DVec3::new(split.point.x, split.point.y, z));
        raw.vertex_flags.push(SPLIT_POINT);
    }
    let corner_base = raw.corners.len() as u32;
    raw.cell_starts.extend(cells.starts[1..].iter().map(|&start| corner_base + start));
    raw.corners.extend(cells.corners.iter().map(|&v| first_vertex + v));
    let neighbour = |&n: &u32| if n == NO_CELL { NO_CELL } else { first_cell + n };
    raw.neighbours.extend(cells.neighbours.iter().map(neighbour));
    let count = cells.len();
    raw.tags.extend(std::iter::repeat_n(region.tag, count));
    raw.storeys.extend(std::iter::repeat_n(layer as u32, count));
}
