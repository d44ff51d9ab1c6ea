//! Free space by a binary space partition along the triangles' own planes.
//!
//! Source: our own; it takes the place of the growth of Hale and Youngblood 2009, "Full 3D Spatial Decomposition for the
//!   Generation of Navigation Meshes", whose regions and portals it makes (fewer, and covering more; `docs/volume.md`).
//! Steps: 1. triangles to shared planes (`snap`)  2. the box is cut (`tree`)  3. openings between leaves (`cells`)
//!   4. free space is what a body reaches (`flood`)  5. convex unions are joined (`merge`), borders
//!   moved (`exchange`)  6. small regions that join
//!   nothing are left out (`prune`)  7. half-spaces that a region does not need go (`needed`).
//! Promises V1 to V4.

mod cells;
mod exchange;
mod flood;
mod growth;
mod merge;
mod needed;
mod prune;
mod regions;
mod snap;
mod standing;
mod tree;
mod winding;

pub(crate) use flood::Sets;
pub use growth::{GrowthConfig, growth};

use crate::{
    config::{VolumeConfig, VolumeError, VolumeReport},
    mesh::VolumeMesh,
    plane::{HalfSpace, Plane},
    polygon,
    polytope::Polytope,
    raw::RawVolumeMesh,
};
use cells::{Cell, Cells, Opening};
use rayon::prelude::*;
use regions::{Refused, Regions};
use standing::Floors;
use tree::{Limits, Piece, box_planes};
use wayfare_core::{Context, DVec3};
use wayfare_scene::Scene;

/// Corners of cells this near to a plane, relative to the box's diagonal, are on it.
const CELL: f64 = 1e-7;
/// Triangles this near to a plane, relative to the box's diagonal, are on it: files with single precision have errors of
/// 6e-8 of their largest coordinate.
const PIECE: f64 = 5e-7;
/// Cells that hold geometry and are narrower than this share of the diagonal are given up.
const WIDTH: f64 = 1e-4;
/// Cells that hold geometry and are smaller than this share of the box are given up.
const VOLUME: f64 = 3e-7;
/// Where cells that were given up hold more than this share of the free volume, the box is cut anew down to smaller ones.
const UNDECIDED: f64 = 0.003;
/// How much narrower they are then, and at most.
const FINER: f64 = 4.0;
const FINEST: f64 = 16.0;

/// A box with a diagonal so many times that of what is in it is no larger for distances and sizes.
const VOID: f64 = 10.0;
/// But at least this share of its own: what is left above the rounding of coordinates.
const LEAST_SHARE: f64 = 1e-6;

/// How often borders are moved and what becomes convex by it is joined.
const EXCHANGES: usize = 3;

/// Free space, known but not yet parted into regions: steps 1 to 4.
struct Space {
    bounds: [DVec3; 2],
    limits: Limits,
    /// The plane of each triangle, by number.
    plane_of: Vec<u32>,
    triangle_planes: Vec<Plane>,
    /// Planes of cells.
    planes: Vec<Plane>,
    cells: Vec<Cell>,
    openings: Vec<Opening>,
    /// Whether each cell is free space.
    reached: Vec<bool>,
    free_volume: f64,
    report: VolumeReport,
}

impl Space {
    /// The triangles' parts in the box.
    fn pieces(&self, scene: &Scene) -> Vec<Piece> {
        pieces_in_box(scene, &self.plane_of, self.bounds, &self.limits)
    }
}

/// Steps 1 to 4, as fine as they have to be.
fn free_space(scene: &Scene, config: &VolumeConfig, context: &Context) -> Result<Space, VolumeError> {
    let mut finer = 1.0;
    loop {
        let space = free_space_within(scene, config, finer, context)?;
        if finer >= FINEST || space.report.undecided_volume <= UNDECIDED * space.free_volume {
            return Ok(space);
        }
        finer *= FINER;
    }
}

/// Steps 1 to 4; cells with geometry are given up when they are narrower than usual by `finer`.
fn free_space_within(
    scene: &Scene,
    config: &VolumeConfig,
    finer: f64,
    context: &Context,
) -> Result<Space, VolumeError> {
    config.check()?;
    let bounds = config.bounds.or(scene.mesh.bounds()).unwrap_or([DVec3::ZERO, DVec3::ZERO]);
    let size = bounds[1] - bounds[0];
    if size.min_element() <= 0.0 || !size.is_finite() {
        return Err(VolumeError::Flat(bounds[0], bounds[1]));
    }
    let limits = limits_of(bounds, scene.mesh.bounds(), finer);
    let mut report = VolumeReport::default();
    // 1.
    let (plane_of, triangle_planes) = {
        let _stage = context.stage("planes", 0);
        snap::snap(&scene.mesh, limits.piece)
    };
    report.planes = triangle_planes.len();
    // 2.
    let tree = {
        let _stage = context.stage("cut", 0);
        let pieces = pieces_in_box(scene, &plane_of, bounds, &limits);
        let cell = Polytope::cuboid(bounds[0], bounds[1]);
        tree::build(cell, pieces, &triangle_planes, &limits, 6, context)?
    };
    // 3.
    let Cells { planes, cells, mut openings } = {
        let _stage = context.stage("openings", 0);
        cells::collect(tree, bounds, &limits)
    };
    report.cells = cells.len();
    // 4.
    let width = (2.0 * config.radius).max(limits.width);
    let stage = context.stage("flood", 0);
    let start = config.reach_from.map(|p| start_cell(&cells, &planes, p, &limits)).transpose()?;
    let flood = flood::flood(&cells, &mut openings, &scene.mesh, width, limits.cell, start);
    drop(stage);
    (report.winding, report.parts) = (flood.winding, flood.parts);
    // Corners are rounded.
    let too_narrow = |width: &f64| *width < 2.0 * config.radius - 4.0 * limits.cell;
    if flood.reached.contains(&true) && too_narrow(&flood.widths[0]) {
        let widest = Some(flood.widths[1]).filter(too_narrow);
        return Err(VolumeError::TooWide { radius: config.radius, widest });
    }
    let reached = flood.reached;
    let mut free_volume = 0.0;
    for (cell, _) in cells.iter().zip(&reached).filter(|(_, reached)| **reached) {
        free_volume += cell.volume;
    }
    let mut beside = vec![false; cells.len()];
    for opening in &openings {
        let [a, b] = opening.cells.map(|cell| cell as usize);
        beside[a] |= reached[b] && !cells[a].is_free;
        beside[b] |= reached[a] && !cells[b].is_free;
    }
    let undecided = cells.iter().zip(&beside).filter(|(_, beside)| **beside);
    report.undecided_volume = undecided.map(|(cell, _)| cell.volume).sum();
    if free_volume <= 0.0 {
        return Err(VolumeError::Nothing);
    }
    free_volume += report.undecided_volume;
    Ok(Space {
        bounds,
        limits,
        plane_of,
        triangle_planes,
        planes,
        cells,
        openings,
        reached,
        free_volume,
        report,
    })
}

/// Distances and sizes for a box. Where it is far larger than what is in it they are those of a smaller box: else a room in a wide
/// void would be given up as one small part, and the void on both sides of it would not hang together.
fn limits_of(bounds: [DVec3; 2], scene: Option<[DVec3; 2]>, finer: f64) -> Limits {
    let size = bounds[1] - bounds[0];
    let seen = scene.map(|[low, high]| (high.min(bounds[1]) - low.max(bounds[0])).max(DVec3::ZERO));
    let share = seen.map_or(1.0, |seen| VOID * seen.length() / size.length());
    let share = if share > 0.0 { share.clamp(LEAST_SHARE, 1.0) } else { 1.0 };
    let diagonal = share * size.length();
    Limits {
        cell: CELL * diagonal,
        piece: PIECE * diagonal,
        width: WIDTH * diagonal / finer,
        volume: VOLUME * (share * size.x) * (share * size.y) * (share * size.z) / (finer * finer),
    }
}

/// Cuts the free space of a scene into convex regions.
pub fn partition(
    scene: &Scene,
    config: &VolumeConfig,
    context: &Context,
) -> Result<(VolumeMesh, VolumeReport), VolumeError> {
    let Space { bounds, limits, planes, cells, openings, reached, free_volume, mut report, .. } =
        free_space(scene, config, context)?;
    // 5.
    let mut regions = Regions::new(planes, cells, openings, &reached);
    report.merged = {
        let _stage = context.stage("merge", 0);
        needed::reduce(&mut regions, bounds, limits.cell);
        let (mut unions, mut borders) = (Refused::default(), Refused::default());
        let mut merged = merge::merge(&mut regions, &mut unions, bounds, limits.cell, context)?;
        for _ in 0..EXCHANGES {
            if exchange::exchange(&mut regions, &mut borders, bounds, &limits, context)? == 0 {
                break;
            }
            merged += merge::merge(&mut regions, &mut unions, bounds, limits.cell, context)?;
        }
        merged
    };
    // 6.
    report.pruned_volume = prune::prune(&mut regions, config.prune * free_volume);
    // 7.
    let _stage = context.stage("regions", 0);
    needed::reduce(&mut regions, bounds, limits.cell);
    let floors = Floors::new(&scene.mesh, config.max_slope, limits.piece);
    let raw = assemble(&regions, bounds, &limits, config, free_volume, &floors);
    let mesh = raw.validate().map_err(|defects| {
        VolumeError::Invalid(defects.first().map(ToString::to_string).unwrap_or_default())
    })?;
    Ok((mesh, report))
}

/// The triangles' parts in the box, without those in its sides, in an order that does not depend on the file's.
fn pieces_in_box(scene: &Scene, plane_of: &[u32], bounds: [DVec3; 2], limits: &Limits) -> Vec<Piece> {
    let sides = box_planes(bounds[0], bounds[1]);
    let piece = |triangle: usize| {
        let plane = plane_of[triangle];
        if plane == u32::MAX {
            return None;
        }
        let mut points = scene.mesh.points(triangle).to_vec();
        // From the smallest corner on, so that the order of corners does not matter.
        let least = (0..3).min_by(|&a, &b| {
            place(&points[a]).partial_cmp(&place(&points[b])).unwrap_or(std::cmp::Ordering::Equal)
        });
        points.rotate_left(least.unwrap_or(0));
        for (side, above) in sides {
            let [below_part, above_part] = polygon::split(&points, &side, limits.piece);
            points = if above { above_part } else { below_part }?;
        }
        Some(Piece { plane, area: polygon::area(&points), points })
    };
    let mut pieces: Vec<Piece> = (0..plane_of.len()).into_par_iter().filter_map(piece).collect();
    pieces.par_sort_by(|a, b| {
        let by_place = || {
            let [a, b] = [a, b].map(|piece| piece.points.iter().map(place));
            a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal)
        };
        a.plane.cmp(&b.plane).then(b.area.total_cmp(&a.area)).then_with(by_place)
    });
    pieces
}

fn place(p: &DVec3) -> [f64; 3] {
    p.to_array()
}

/// The free cell that holds a point.
fn start_cell(cells: &[Cell], planes: &[Plane], p: DVec3, limits: &Limits) -> Result<u32, VolumeError> {
    let mut best: Option<(f64, usize)> = None;
    for (k, cell) in cells.iter().enumerate() {
        let outside =
            cell.half_spaces.iter().map(|side| side.outward(&planes[side.plane().0 as usize]).distance(p));
        let outside = outside.fold(f64::NEG_INFINITY, f64::max);
        // The deepest of those that hold it; free ones first where it lies on a border.
        if outside <= limits.cell
            && best.is_none_or(|(other, at)| (!cell.is_free, outside) < (!cells[at].is_free, other))
        {
            best = Some((outside, k));
        }
    }
    match best {
        Some((_, k)) if cells[k].is_free => Ok(k as u32),
        Some(_) => Err(VolumeError::Start(p, "too near to the scene's triangles")),
        None => Err(VolumeError::Start(p, "outside of the box")),
    }
}

/// Step 7, and everything into flat arrays.
fn assemble(
    all: &Regions,
    bounds: [DVec3; 2],
    limits: &Limits,
    config: &VolumeConfig,
    free_volume: f64,
    floors: &Floors,
) -> RawVolumeMesh {
    let kept: Vec<u32> =
        (0..all.regions.len() as u32).filter(|&k| all.regions[k as usize].is_some()).collect();
    let mut raw = RawVolumeMesh {
        bounds,
        tolerance: 4.0 * limits.cell,
        depth: 2.0 * limits.piece,
        free_volume,
        radius: config.radius,
        max_slope: config.max_slope,
        ..RawVolumeMesh::default()
    };
    let mut numbers = vec![u32::MAX; all.regions.len()];
    let mut planes = vec![u32::MAX; all.planes.len()];
    let mut plane_number = |raw: &mut RawVolumeMesh, plane: u32| {
        let number = &mut planes[plane as usize];
        if *number == u32::MAX {
            *number = raw.planes.len() as u32;
            raw.planes.push(all.planes[plane as usize]);
        }
        *number
    };
    for starts in [
        &mut raw.side_starts,
        &mut raw.vertex_starts,
        &mut raw.face_starts,
        &mut raw.corner_starts,
        &mut raw.portal_starts,
    ] {
        starts.push(0);
    }
    for &k in &kept {
        let Some(region) = &all.regions[k as usize] else { continue };
        numbers[k as usize] = raw.side_starts.len() as u32 - 1;
        let first = raw.sides.len();
        for side in &region.half_spaces {
            let plane = plane_number(&mut raw, side.0 >> 1);
            raw.sides.push(plane << 1 | side.0 & 1);
        }
        raw.sides[first..].sort_unstable();
        raw.side_starts.push(raw.sides.len() as u32);
        raw.vertices.extend(&region.body.vertices);
        raw.vertex_starts.push(raw.vertices.len() as u32);
        let mut standing = 0.0;
        for face in &region.body.faces {
            let plane = plane_number(&mut raw, face.key >> 1);
            raw.face_sides.push(plane << 1 | face.key & 1);
            raw.corners.extend(&face.corners);
            raw.corner_starts.push(raw.corners.len() as u32);
            let outward = all.outward(HalfSpace(face.key));
            if outward.normal.z < 0.0 {
                let open = region.openings.iter().map(|&opening| &all.openings[opening as usize]);
                let open = open.filter(|opening| opening.plane.0 == face.key >> 1);
                let open: f64 = open.map(|opening| polygon::area(&opening.points)).sum();
                standing += floors.area(&region.body.points(face), &outward, open);
            }
        }
        raw.standing.push(standing);
        raw.face_starts.push(raw.face_sides.len() as u32);
    }
    // Portals in the order of their regions; several in one plane become one where their union is convex.
    let mut portals: Vec<([u32; 2], u32, usize)> = Vec::new();
    for (k, opening) in all.openings.iter().enumerate() {
        let regions = opening.cells.map(|cell| numbers[cell as usize]);
        if regions[0] != regions[1] && !regions.contains(&u32::MAX) {
            portals.push((regions, opening.plane.0, k));
        }
    }
    portals.sort_unstable();
    for group in portals.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (regions, plane, _) = group[0];
        let mut pieces: Vec<Vec<DVec3>> =
            group.iter().map(|entry| all.openings[entry.2].points.clone()).collect();
        if pieces.len() > 1 {
            polygon::unite(&mut pieces, all.planes[plane as usize].normal, limits.cell);
        }
        for piece in pieces {
            let points = polygon::without_straight_corners(piece, limits.cell);
            raw.portal_regions.push(regions);
            let plane = plane_number(&mut raw, plane);
            raw.portal_planes.push(plane);
            raw.portal_points.extend(points);
            raw.portal_starts.push(raw.portal_points.len() as u32);
        }
    }
    raw
}
