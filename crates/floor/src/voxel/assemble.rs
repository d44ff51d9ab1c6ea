//! Simplified contours to a floor plan: vertices, rings with kinds, the ground of every region.

use super::{
    contour::{Border, Contours, Corner, RegionContour},
    floor_tiles::FloorTiles,
    ground::{ASIDE, Ground, GroundPoint, edge_points, find_ground},
    lattice::{HEIGHT_UNITS, Lattice},
    obstacles::Obstacles,
    runs::{Runs, SLOPE_ERROR},
    samples::Samples,
    strips::Strips,
};
use crate::{EdgeKind, FloorPlan, Layer, PlanVertexId, Region, Ring};
use rayon::prelude::*;
use std::collections::HashMap;
use wayfare_core::{Cancelled, Context, DVec2, IdVec};
use wayfare_geom::triangulation::TriangulationError;

/// The plan of contours; `step` is the highest that is taken [m].
#[expect(clippy::too_many_arguments, reason = "each is the product of another stage")]
pub fn assemble(
    contours: &Contours,
    runs: &Runs,
    strips: &Strips,
    lattice: &Lattice,
    step: f64,
    obstacles: &Obstacles,
    tag_names: &[String],
    context: &Context,
) -> Result<Result<FloorPlan, TriangulationError>, Cancelled> {
    let mut plan = FloorPlan { tag_names: tag_names.to_vec(), ..FloorPlan::default() };
    let mut vertices = IdVec::<PlanVertexId, _>::default();
    let mut shared: Vec<Option<PlanVertexId>> = vec![None; contours.shared as usize];
    let mut regions = Vec::new();
    for (first, region) in contours.regions.iter().enumerate() {
        let mut number = |corner: &Corner, inward: DVec2| match corner.shared {
            Some(k) => *shared[k as usize].get_or_insert_with(|| vertices.push((*corner, inward, first))),
            None => vertices.push((*corner, inward, first)),
        };
        let mut rings = Vec::new();
        for ring in in_order(region) {
            let kinds = ring.iter().map(|corner| kind(corner.border)).collect();
            let ids = (0..ring.len()).map(|k| number(&ring[k], inward(&ring, k)));
            rings.push(Ring { vertices: ids.collect(), kinds });
        }
        regions.push(rings);
    }
    let stage = context.stage("ground", regions.len() as u64);
    // The pixels of each region.
    let mut own: Vec<Vec<u32>> = vec![Vec::new(); contours.regions.len()];
    for (strip, &region) in contours.region_of.iter().enumerate() {
        own[region as usize].push(strip as u32);
    }
    // With some room, as heights are those of the highest in a pixel.
    let rise = 1.5 * obstacles.rise * HEIGHT_UNITS;
    // As floors were joined by it, and what rounding makes of two heights that are a step apart.
    let step = (step * HEIGHT_UNITS).ceil() + 1.0;
    let samples: Vec<Samples> =
        own.par_iter().map(|own| Samples::new(runs, strips, own, step, rise)).collect();
    context.check()?;
    let units = |height: f64| (height - lattice.height(0.0)) * HEIGHT_UNITS;
    let uncovered =
        |p: GroundPoint| obstacles.floor_height(lattice.place(p.at), lattice.height(p.height)).map(units);
    let points: Vec<GroundPoint> = vertices
        .as_slice()
        .par_iter()
        .map(|&(ref corner, inward, region)| {
            let own = point(corner, &samples[region]);
            // What was settled has ground at its very place.
            let settled = if corner.is_settled { uncovered(own) } else { None };
            if let Some(height) = settled {
                return GroundPoint { height, ..own };
            }
            // The triangle whose height is nearest, and nearest to the corner: a slope rises on the way to it.
            let places = ASIDE.map(|away| lattice.place(own.at + inward * away));
            let found = obstacles.floor_heights(places, lattice.height(own.height));
            let look = |(height, away): (Option<f64>, f64)| {
                let height = (height? - lattice.height(0.0)) * HEIGHT_UNITS;
                Some(((height - own.height).abs() + away * rise, height))
            };
            let best = found.into_iter().zip(ASIDE).filter_map(look).min_by(|a, b| a.0.total_cmp(&b.0));
            GroundPoint { height: best.map_or(own.height, |best| best.1), ..own }
        })
        .collect();
    let points: IdVec<PlanVertexId, GroundPoint> = points.into_iter().collect();
    // Points on edges, those that two regions share once, by the lower region.
    let mut on_edges: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
    let mut ground_points: Vec<GroundPoint> = Vec::new();
    // What was looked up along the edges of a region is asked for again inside.
    let mut floors: Vec<FloorTiles> = regions.iter().map(|_| FloorTiles::new(obstacles, lattice)).collect();
    let along =
        |((rings, samples), floors): ((&Vec<Ring>, &Samples), &mut FloorTiles)| -> Vec<Vec<GroundPoint>> {
            let edges = rings.iter().flat_map(|ring| {
                let next = ring.vertices.iter().cycle().skip(1);
                ring.vertices.iter().zip(next)
            });
            edges.map(|(&a, &b)| edge_points(points[a], points[b], samples, floors)).collect()
        };
    let all_found: Vec<Vec<Vec<GroundPoint>>> =
        regions.par_iter().zip(&samples).zip(&mut floors).map(along).collect();
    for (rings, found) in regions.iter().zip(all_found) {
        let mut found = found.into_iter();
        for ring in rings {
            for (k, &a) in ring.vertices.iter().enumerate() {
                let b = ring.vertices[(k + 1) % ring.vertices.len()];
                let is_known = ring.kinds[k].is_shared() && on_edges.contains_key(&[b.0, a.0]);
                let found = found.next().filter(|_| !is_known).unwrap_or_default();
                if !found.is_empty() || ring.kinds[k].is_shared() && !is_known {
                    let first = ground_points.len() as u32;
                    let ids: Vec<u32> = (first..first + found.len() as u32).collect();
                    ground_points.extend(found);
                    on_edges.insert([a.0, b.0], ids);
                }
            }
        }
    }
    // The ground inside.
    let edge_point_count = ground_points.len();
    let outline = |ring: &Ring| {
        let mut ids = Vec::new();
        for (k, &a) in ring.vertices.iter().enumerate() {
            let b = ring.vertices[(k + 1) % ring.vertices.len()];
            ids.push(a.0);
            let number = |&k: &u32| points.len() as u32 + k;
            match (on_edges.get(&[a.0, b.0]), on_edges.get(&[b.0, a.0])) {
                (Some(on_edge), _) => ids.extend(on_edge.iter().map(number)),
                (None, Some(on_edge)) if ring.kinds[k].is_shared() => {
                    ids.extend(on_edge.iter().rev().map(number))
                }
                _ => {}
            }
        }
        ids
    };
    let place = |id: u32| match (id as usize).checked_sub(points.len()) {
        Some(k) => ground_points[k],
        None => points[PlanVertexId(id)],
    };
    let grounds: Vec<Result<(Vec<u32>, Ground), TriangulationError>> = regions
        .par_iter()
        .zip(&samples)
        .zip(floors)
        .map(|((rings, samples), mut floors)| {
            if context.check().is_err() {
                return Ok((Vec::new(), Ground::default()));
            }
            let ids: Vec<Vec<u32>> = rings.iter().map(outline).collect();
            let rings: Vec<Vec<GroundPoint>> =
                ids.iter().map(|ring| ring.iter().map(|&id| place(id)).collect()).collect();
            let ground = find_ground(&rings, samples, lattice, &mut floors)?;
            stage.advance(1);
            Ok((ids.into_iter().flatten().collect(), ground))
        })
        .collect();
    drop(stage);
    context.check()?;
    let mut error = 0.0f64;
    plan.layers =
        vec![Layer::default(); contours.regions.last().map_or(0, |region| region.layer as usize + 1)];
    for ((rings, ground), region) in regions.into_iter().zip(grounds).zip(&contours.regions) {
        let (ids, ground) = match ground {
            Ok(ground) => ground,
            Err(error) => return Ok(Err(error)),
        };
        error = error.max(ground.error);
        let first_inner = (points.len() + ground_points.len()) as u32;
        ground_points.extend(&ground.points);
        let id =
            |&k: &u32| ids.get(k as usize).copied().unwrap_or_else(|| first_inner + k - ids.len() as u32);
        let level = rings[0].vertices.first().map(|&v| points[v].height);
        let is_level = ids
            .iter()
            .all(|&id| (id as usize) < points.len() && Some(points[PlanVertexId(id)].height) == level);
        let triangles = ground.triangles.iter().map(|triangle| triangle.each_ref().map(id));
        let mut rings = rings.into_iter();
        plan.layers[region.layer as usize].regions.push(Region {
            outer: rings.next().unwrap_or_default(),
            holes: rings.collect(),
            tag: region.tag,
            gap: None,
            ground: if is_level && ground.points.is_empty() { Vec::new() } else { triangles.collect() },
        });
    }
    let world = |p: &GroundPoint| lattice.place(p.at).extend(lattice.height(p.height));
    plan.vertices = points.iter().map(|(_, p)| world(p)).collect();
    plan.ground_points = ground_points.iter().map(world).collect();
    debug_assert!(edge_point_count <= plan.ground_points.len());
    let is_flat = error == 0.0
        && plan.layers.iter().flat_map(|layer| &layer.regions).all(|region| region.ground.is_empty());
    plan.heights_error = if is_flat { 0.0 } else { (error + f64::from(SLOPE_ERROR)) / HEIGHT_UNITS };
    Ok(Ok(plan))
}

/// The rings of a region, each from its least corner, the holes in the order of theirs.
fn in_order(region: &RegionContour) -> Vec<Vec<Corner>> {
    let mut rings: Vec<Vec<Corner>> = region
        .rings
        .iter()
        .map(|ring| {
            let mut corners = ring.corners.clone();
            let least = (0..corners.len()).min_by_key(|&k| corners[k].at).unwrap_or(0);
            corners.rotate_left(least);
            corners
        })
        .collect();
    if let Some(holes) = rings.get_mut(1..) {
        holes.sort_by_key(|ring| ring.first().map(|corner| corner.at));
    }
    rings
}

/// The way into the region from a corner of one of its rings.
fn inward(ring: &[Corner], k: usize) -> DVec2 {
    let [before, at, after] = [ring.len() - 1, 0, 1].map(|ahead| ring[(k + ahead) % ring.len()].point());
    let sides = [at - before, after - at].map(|along| along.perp().normalize_or_zero());
    (sides[0] + sides[1]).normalize_or_zero()
}

/// Where a corner lies: at the height of the ground of its pixel there.
fn point(corner: &Corner, samples: &Samples) -> GroundPoint {
    let at = corner.point();
    let own = f64::from(corner.height);
    if corner.is_settled {
        return GroundPoint { at, height: own };
    }
    let [column, row] = [at.x, at.y].map(|c| c.round() as i64);
    // The corner's height is that of the middle of a pixel that touches it.
    let pixel = [[-1, -1], [0, -1], [-1, 0], [0, 0]]
        .map(|[x, y]| [column + x, row + y])
        .into_iter()
        .find(|&[x, y]| samples.height(x, y).is_some_and(|height| height.round() == own));
    let height = pixel.and_then(|[x, y]| samples.height_at(x, y, at));
    GroundPoint { at, height: height.unwrap_or(own) }
}

fn kind(border: Border) -> EdgeKind {
    match border {
        Border::Wall => EdgeKind::Wall,
        Border::Drop(i32::MAX) => EdgeKind::Drop { depth: f32::INFINITY },
        Border::Drop(depth) => EdgeKind::Drop { depth: (f64::from(depth) / HEIGHT_UNITS) as f32 },
        Border::Seam(layer) => EdgeKind::seam(layer),
        Border::Tag => EdgeKind::TagBorder,
    }
}
