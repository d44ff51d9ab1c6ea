//! Free space by regions that grow from seeds.
//!
//! Idea: seeds fall to the floor and grow into convex regions until they touch something; beside every face that is still open
//!   another seed is put, until there is no room.
//! Source: Hale and Youngblood 2009, "Full 3D Spatial Decomposition for the Generation of Navigation Meshes", algorithms 1
//!   and 2; contacts by jumps instead of unit steps. What is free is known from the partition.
//! Steps: 1. seeds on a grid fall, duplicates go, the lowest grow first (`seeds`, `grow`); where none takes root, one in the
//!   largest free cell  2. every face of every region offers a
//!   seed in each free pocket beside it, which falls too, until there is no room, or
//!   a bound on the work is reached  3. what is left is filled with parts of the partition's cells, so that no way is lost (`fill`)
//!   4. openings between regions  5. convex unions are joined, and small regions that join nothing left out.
//! Promises V1 to V4. Cost: regions times what is near them; seeds times regions.

mod contact;
mod fill;
mod grow;
mod obstacles;
mod planes;
mod seeds;

use super::{
    Sets, Space, assemble,
    cells::Opening,
    free_space, merge, needed, prune,
    regions::{Refused, Region, Regions},
    standing::Floors,
    tree::box_planes,
};
use crate::{
    config::{VolumeConfig, VolumeError, VolumeReport},
    mesh::{RegionId, VolumeMesh},
    plane::{HalfSpace, Plane, PlaneId},
    polygon,
    polytope::Polytope,
    raw::RawVolumeMesh,
};
use obstacles::{Obstacle, Obstacles};
use planes::Planes;
use rayon::prelude::*;
use seeds::Seeds;
use std::collections::{BTreeMap, HashSet};
use wayfare_core::{Cancelled, Context, DVec3};
use wayfare_geom::bvh::Aabb3;
use wayfare_scene::Scene;

/// How regions grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowthConfig {
    /// Distance between seeds of the first grid [m]; the body's diameter if `None`. There are at most 48 along a side of the box.
    pub seed_size: Option<f64>,
    /// Whether seeds fall to the floor.
    pub gravity: bool,
    /// Whether regions are boxes along the axes: sides stop, and no face is gained.
    pub boxes_only: bool,
    /// Share of the free volume that is enough: then no more seeds are planted; 0 .. 1. (Beside slanted faces boxes find room for ever
    /// smaller ones.)
    pub enough: f64,
}

impl Default for GrowthConfig {
    /// As in the paper.
    fn default() -> Self {
        Self { seed_size: None, gravity: true, boxes_only: false, enough: 1.0 }
    }
}

/// A region that has grown.
#[derive(Clone)]
struct Grown {
    body: Polytope,
    half_spaces: Vec<HalfSpace>,
    area: Aabb3,
    volume: f64,
    /// Whether there is no room left beside its faces.
    is_shut: bool,
}

impl Grown {
    fn new(body: Polytope, half_spaces: Vec<HalfSpace>) -> Self {
        let area = Aabb3::of_points(body.vertices.iter().copied());
        Self { volume: body.volume(), body, half_spaces, area, is_shut: false }
    }
}

/// A triangle that is so many times as near to a plane as triangles may be off their own lies in it.
const IN_PLANE: f64 = 2.0;
/// Rounds over all faces; each round's seeds lie beside regions of the last.
const ROUNDS: usize = 200;
/// Obstacles that are looked at, for each of the scene's triangles, and at least. What has not grown by then is filled.
const WORK: u64 = 1000;
const LEAST_WORK: u64 = 1_000_000;
/// How often regions make room for cells; the last time, all of them do.
const MENDS: usize = 4;

/// Grows convex regions in the free space of a scene.
pub fn growth(
    scene: &Scene,
    config: &VolumeConfig,
    growth: &GrowthConfig,
    context: &Context,
) -> Result<(VolumeMesh, VolumeReport), VolumeError> {
    if let Some(size) = growth.seed_size.filter(|size| !(*size > 0.0 && size.is_finite())) {
        let (field, range) = ("seed_size", "above 0 m");
        return Err(crate::config::ConfigError { field, value: size, range }.into());
    }
    if !(0.0..=1.0).contains(&growth.enough) {
        let (field, range) = ("enough", "0 .. 1");
        return Err(crate::config::ConfigError { field, value: growth.enough, range }.into());
    }
    let space = free_space(scene, config, context)?;
    let Space { bounds, limits, free_volume, .. } = space;
    let mut report = space.report.clone();
    // 1. and 2.
    let Growing { obstacles, mut planes, mut grown, .. } = grow_all(scene, &space, config, growth, context)?;
    report.cells = grown.len();
    let floors = Floors::new(&scene.mesh, config.max_slope, limits.piece);
    let make = Make { scene, space: &space, config, floors: &floors };
    let (mut regions, mesh);
    if growth.boxes_only {
        if grown.is_empty() {
            return Err(VolumeError::Nothing);
        }
        // 4.
        let openings = openings(&grown, &obstacles, &planes, &space, config, context)?;
        regions = regions_of(planes.list, grown, openings);
    } else {
        // 3.
        make.drop_unsound(&mut grown, &planes);
        regions = filled(&space, grown, &obstacles, &mut planes, config, context)?;
    }
    // 5.
    let stage = context.stage("merge", 0);
    needed::reduce(&mut regions, bounds, limits.cell);
    close_loose(&mut regions);
    report.merged = merge::merge(&mut regions, &mut Refused::default(), bounds, limits.cell, context)?;
    if !growth.boxes_only {
        report.pruned_volume = prune::prune(&mut regions, config.prune * free_volume);
    }
    needed::reduce(&mut regions, bounds, limits.cell);
    close_loose(&mut regions);
    keep_within(&mut regions, limits.cell);
    drop(stage);
    (mesh, report.pruned_volume) = make.sound(&mut regions, report.pruned_volume)?;
    Ok((mesh, report))
}

/// Steps 1 and 2.
fn grow_all<'a>(
    scene: &Scene,
    space: &'a Space,
    config: &VolumeConfig,
    growth: &GrowthConfig,
    context: &Context,
) -> Result<Growing<'a>, VolumeError> {
    let Space { bounds, limits, free_volume, .. } = space;
    let mut planes = Planes::new(*bounds, limits.piece);
    for (side, _) in box_planes(bounds[0], bounds[1]) {
        planes.add(side);
    }
    let triangles: Vec<Obstacle> = space
        .pieces(scene)
        .into_iter()
        .map(|piece| Obstacle::new(piece.points, planes.add(space.triangle_planes[piece.plane as usize])))
        .collect();
    let mut growing = Growing {
        seeds: Seeds::new(space, config, growth),
        space,
        boxes_only: growth.boxes_only,
        work_left: if growth.boxes_only { u64::MAX } else { LEAST_WORK.max(WORK * triangles.len() as u64) },
        obstacles: Obstacles::new(triangles),
        planes,
        grown: Vec::new(),
        covered: 0.0,
        tried: HashSet::new(),
    };
    let is_enough = |growing: &Growing| {
        growing.work_left == 0 || growth.enough < 1.0 && growing.covered >= growth.enough * free_volume
    };
    // 1.
    let seeds = growing.seeds.grid(&growing.obstacles);
    let stage = context.stage("grow", seeds.len() as u64);
    for seed in seeds {
        context.check()?;
        if is_enough(&growing) {
            break;
        }
        growing.plant(seed);
        stage.advance(1);
    }
    // Where all of the grid lies in and on obstacles, one seed is enough: the others come from its faces.
    if growing.grown.is_empty() {
        for seed in growing.seeds.middles() {
            context.check()?;
            let fallen = growing.seeds.fall(seed, &growing.obstacles);
            if growing.plant(fallen) || fallen != seed && growing.plant(seed) {
                break;
            }
        }
    }
    drop(stage);
    // 2.
    let stage = context.stage("pockets", 0);
    let mut looked_at = 0;
    for _ in 0..ROUNDS {
        let before = growing.grown.len();
        // Faces of older regions may still have pockets that their first seed did not fill.
        for region in (looked_at..before).chain(0..looked_at) {
            context.check()?;
            if is_enough(&growing) {
                break;
            }
            if !growing.grown[region].is_shut {
                growing.beside(region);
            }
            stage.advance(1);
        }
        looked_at = before;
        if growing.grown.len() == before {
            break;
        }
    }
    drop(stage);
    Ok(growing)
}

/// Step 3: the regions with all that lies between them, and the openings between all of these.
fn filled(
    space: &Space,
    mut grown: Vec<Grown>,
    obstacles: &Obstacles,
    planes: &mut Planes,
    config: &VolumeConfig,
    context: &Context,
) -> Result<Regions, VolumeError> {
    for round in 0.. {
        let first = grown.len();
        grown.extend(fill::fill(space, &grown, planes, context)?);
        let openings = openings(&grown, obstacles, planes, space, config, context)?;
        // What does not hang together, though a body has room there, has lost its way where planes of a region and of a cell are almost
        // the same: the regions there make room for the cells.
        let cut_off = cut_off(&grown, &openings, 2.0 * config.radius);
        if cut_off.is_empty() || first == 0 || round == MENDS {
            let planes = planes.list.clone();
            return Ok(regions_of(planes, grown, openings));
        }
        grown.truncate(first);
        let near = |own: &Grown| cut_off.iter().any(|area| area.meets(&own.area));
        grown.retain(|own| round + 1 < MENDS && !near(own));
    }
    Err(VolumeError::Nothing)
}

/// The boxes of all that does not hang together with the largest part, though it is as wide as a body.
fn cut_off(grown: &[Grown], openings: &[Opening], width: f64) -> Vec<Aabb3> {
    let mut sets = Sets::new(grown.len());
    for opening in openings {
        sets.join(opening.cells[0] as usize, opening.cells[1] as usize);
    }
    let mut parts: BTreeMap<usize, (f64, Aabb3)> = BTreeMap::new();
    for (k, own) in grown.iter().enumerate() {
        let part = parts.entry(sets.root(k)).or_insert((0.0, Aabb3::EMPTY));
        *part = (part.0 + own.volume, part.1.union(own.area));
    }
    let largest = parts.values().map(|part| part.0).fold(0.0, f64::max);
    let is_off =
        |(volume, area): &&(f64, Aabb3)| *volume < largest && (area.max - area.min).min_element() >= width;
    parts.values().filter(is_off).map(|part| part.1).collect()
}

/// Regions that know their openings.
fn regions_of(planes: Vec<Plane>, grown: Vec<Grown>, openings: Vec<Opening>) -> Regions {
    let mut regions: Vec<Option<Region>> = grown
        .into_iter()
        .map(|Grown { body, half_spaces, volume, .. }| {
            Some(Region { body, half_spaces, volume, openings: Vec::new() })
        })
        .collect();
    for (k, opening) in openings.iter().enumerate() {
        for cell in opening.cells {
            if let Some(region) = &mut regions[cell as usize] {
                region.openings.push(k as u32);
            }
        }
    }
    Regions::of(planes, regions, openings)
}

/// What is needed to make a mesh of regions.
struct Make<'a> {
    scene: &'a Scene,
    space: &'a Space,
    config: &'a VolumeConfig,
    floors: &'a Floors,
}

impl Make<'_> {
    /// Leaves out what has grown and is not sound: step 3 fills its room.
    fn drop_unsound(&self, grown: &mut Vec<Grown>, planes: &Planes) {
        let mut regions = regions_of(planes.list.clone(), grown.clone(), Vec::new());
        while self.try_sound(&mut regions).is_err() {}
        let mut is_kept = regions.regions.iter().map(Option::is_some);
        grown.retain(|_| is_kept.next().unwrap_or(false));
    }

    /// The mesh, after regions were left out that are not sound; and the volume of what was left out until now, and then.
    fn sound(&self, regions: &mut Regions, mut lost: f64) -> Result<(VolumeMesh, f64), VolumeError> {
        loop {
            match self.try_sound(regions) {
                Ok(raw) => {
                    let mesh = raw.validate().map_err(|defects| {
                        VolumeError::Invalid(defects.first().map(ToString::to_string).unwrap_or_default())
                    })?;
                    return Ok((mesh, lost));
                }
                Err(volume) => lost += volume,
            }
        }
    }

    /// The raw mesh if all of its regions are sound; else the volume of those that were left out.
    ///
    /// Where many planes meet, rounding may move corners off their half-spaces, or let regions overlap by more than the tolerance: the
    /// smaller one goes. So does what holds a triangle.
    fn try_sound(&self, regions: &mut Regions) -> Result<RawVolumeMesh, f64> {
        let Space { bounds, limits, free_volume, .. } = self.space;
        // Regions also grow into corners too narrow for the body, which do not count as free.
        let covered: f64 = regions.regions.iter().flatten().map(|region| region.volume).sum();
        let raw = assemble(regions, *bounds, limits, self.config, free_volume.max(covered), self.floors);
        let mut unsound: Vec<usize> = (0..raw.region_count()).filter(|&k| !raw.is_sound(k)).collect();
        if unsound.is_empty() {
            let mesh = raw.clone().into_mesh();
            unsound.extend(overlapping(&mesh));
            unsound.extend(mesh.with_triangles(&self.scene.mesh).into_iter().map(|entry| entry.0.0 as usize));
            unsound.sort_unstable();
            unsound.dedup();
        }
        if unsound.is_empty() {
            return Ok(raw);
        }
        let kept: Vec<usize> = (0..regions.regions.len()).filter(|&k| regions.regions[k].is_some()).collect();
        let lost = unsound.into_iter().filter_map(|k| regions.regions[kept[k]].take());
        Err(lost.map(|region| region.volume).sum())
    }
}

/// The smaller one of every two regions that overlap.
fn overlapping(mesh: &VolumeMesh) -> Vec<usize> {
    let mut found = Vec::new();
    for region in mesh.regions() {
        mesh.tree.visit(&mesh.region_box(region), |other| {
            let other = RegionId(other);
            if other > region && mesh.overlap(region, other) {
                let smaller = if mesh.volume(region) < mesh.volume(other) { region } else { other };
                found.push(smaller.0 as usize);
            }
            false
        });
    }
    found
}

/// Closes openings in the plane of a face that rounding took from one of the two regions.
fn close_loose(all: &mut Regions) {
    for opening in &mut all.openings {
        let sides = [HalfSpace::new(opening.plane, false), HalfSpace::new(opening.plane, true)];
        let is_bounded = opening.cells.into_iter().zip(sides).all(|(cell, side)| {
            all.regions[cell as usize].as_ref().is_some_and(|region| region.half_spaces.contains(&side))
        });
        if !is_bounded {
            // An opening from a region into itself leads nowhere.
            opening.cells = [opening.cells[0]; 2];
        }
    }
}

/// Cuts off what rounding has left of openings outside of their regions: where two edges meet at a small angle, it is more than the
/// tolerance.
fn keep_within(all: &mut Regions, tolerance: f64) {
    let mut openings = std::mem::take(&mut all.openings);
    openings.par_iter_mut().filter(|opening| opening.cells[0] != opening.cells[1]).for_each(|opening| {
        let regions = opening.cells.into_iter().filter_map(|cell| all.regions[cell as usize].as_ref());
        let sides = regions.flat_map(|region| &region.half_spaces);
        for &side in sides.filter(|side| side.plane() != opening.plane) {
            match &mut polygon::split(&opening.points, &all.outward(side), tolerance)[0] {
                Some(inside) => std::mem::swap(&mut opening.points, inside),
                None => opening.cells = [opening.cells[0]; 2],
            }
        }
    });
    all.openings = openings;
}

struct Growing<'a> {
    seeds: Seeds<'a>,
    space: &'a Space,
    boxes_only: bool,
    obstacles: Obstacles,
    planes: Planes,
    grown: Vec<Grown>,
    /// Volume of what has grown [m³].
    covered: f64,
    /// Obstacles that may still be looked at.
    work_left: u64,
    /// Seeds that were planted or found no room: later there is only less.
    tried: HashSet<[u64; 3]>,
}

impl Growing<'_> {
    /// Grows a region from a seed, if there is room; whether there was.
    fn plant(&mut self, seed: DVec3) -> bool {
        self.tried.insert(seed.to_array().map(f64::to_bits)) && self.planted(seed)
    }

    fn planted(&mut self, seed: DVec3) -> bool {
        let Space { bounds, limits, .. } = self.space;
        // What lies on an obstacle is on neither side of it.
        let is_on = |growing: &Self| growing.obstacles.touch(seed, &growing.planes, 4.0 * limits.piece);
        if !self.seeds.is_free(seed) || self.is_taken(seed) || is_on(self) {
            return false;
        }
        let (grown, work) =
            grow::grow(seed, *bounds, &self.obstacles, &mut self.planes, limits, self.boxes_only);
        self.work_left = self.work_left.saturating_sub(work);
        let grown = grown.and_then(|(body, half_spaces)| self.apart(seed, body, half_spaces));
        let Some((body, half_spaces)) = grown else { return false };
        let grown = Grown::new(body, half_spaces);
        if grown.volume <= limits.volume {
            return false;
        }
        self.covered += grown.volume;
        let body = &grown.body;
        for face in &body.faces {
            self.obstacles.add(Obstacle::new(body.points(face), PlaneId(face.key >> 1)));
        }
        self.grown.push(grown);
        true
    }

    /// Whether a region holds a point, or nearly.
    fn is_taken(&self, p: DVec3) -> bool {
        let near = self.space.limits.piece;
        let point = Aabb3 { min: p - near, max: p + near };
        self.grown
            .iter()
            .filter(|own| own.area.meets(&point))
            .any(|own| own.half_spaces.iter().all(|&side| self.planes.outward(side).distance(p) <= near))
    }

    /// A region without what it has in common with older ones, where many planes meet and rounding let it grow into them: the plane of
    /// the other one that leaves most of it parts them.
    fn apart(
        &self,
        seed: DVec3,
        mut body: Polytope,
        mut half_spaces: Vec<HalfSpace>,
    ) -> Option<(Polytope, Vec<HalfSpace>)> {
        let cell = self.space.limits.cell;
        let area = Aabb3::of_points(body.vertices.iter().copied());
        for other in self.grown.iter().filter(|other| other.area.meets(&area)) {
            if other.half_spaces.iter().any(|side| half_spaces.contains(&side.opposite())) {
                continue;
            }
            let inner = |side: &HalfSpace| self.planes.outward(*side).moved(-2.0 * cell);
            let mut sides = half_spaces.iter().chain(&other.half_spaces);
            if sides.try_fold(body.clone(), |common, side| common.inside(&inner(side), 0.0)).is_none() {
                continue;
            }
            let left = |side: &HalfSpace| body.measure(&self.planes.outward(side.opposite())).1;
            let beyond =
                other.half_spaces.iter().filter(|side| self.planes.outward(**side).distance(seed) > 0.0);
            let border = beyond.max_by(|a, b| left(a).total_cmp(&left(b)).then(b.cmp(a)))?.opposite();
            body = body.below(&self.planes.outward(border), cell, border.0)?;
            half_spaces.push(border);
            half_spaces.sort_unstable();
        }
        Some((body, half_spaces))
    }

    /// Seeds in the free pockets beside the faces of a region.
    fn beside(&mut self, region: usize) {
        let faces: Vec<(HalfSpace, Vec<DVec3>)> = {
            let body = &self.grown[region].body;
            body.faces.iter().map(|face| (HalfSpace(face.key), body.points(face))).collect()
        };
        let mut is_shut = true;
        for (side, points) in faces.into_iter().filter(|(side, _)| side.plane().0 >= 6) {
            let outward = self.planes.outward(side);
            let area = wider(&Aabb3::of_points(points.iter().copied()), self.space.limits.piece);
            let mut pockets = vec![points.clone()];
            for other in self.obstacles.near(&area) {
                let other = self.obstacles.get(other);
                // Its own face is among them.
                if other.plane == side.plane() && other.points != points {
                    polygon::subtract(&mut pockets, &other.points, outward.normal, self.space.limits.piece);
                }
            }
            for pocket in pockets {
                if polygon::width(&pocket) <= self.seeds.narrowest {
                    continue;
                }
                is_shut = false;
                let middle = polygon::middle(&pocket);
                // Where a wall stands across the middle: towards a corner.
                for at in std::iter::once(middle).chain(pocket.iter().map(|corner| (middle + corner) / 2.0)) {
                    let seed = at + outward.normal * self.seeds.lift;
                    let fallen = self.seeds.fall(seed, &self.obstacles);
                    if self.plant(fallen) || fallen != seed && self.plant(seed) {
                        break;
                    }
                }
            }
        }
        self.grown[region].is_shut = is_shut;
    }
}

/// A box with a rim.
fn wider(area: &Aabb3, by: f64) -> Aabb3 {
    Aabb3 { min: area.min - by, max: area.max + by }
}

/// Step 4: what faces on both sides of a plane have in common, without triangles.
fn openings(
    grown: &[Grown],
    obstacles: &Obstacles,
    planes: &Planes,
    space: &Space,
    config: &VolumeConfig,
    context: &Context,
) -> Result<Vec<Opening>, Cancelled> {
    // Faces by plane: the plane, whether the region is above it, the region, and the face.
    let mut faces: Vec<(u32, bool, u32, usize)> = Vec::new();
    for (region, own) in grown.iter().enumerate() {
        for (face, entry) in own.body.faces.iter().enumerate() {
            faces.push((entry.key >> 1, entry.key & 1 != 0, region as u32, face));
        }
    }
    faces.sort_unstable();
    let limits = &space.limits;
    let points = |entry: &(u32, bool, u32, usize)| {
        let body = &grown[entry.2 as usize].body;
        body.points(&body.faces[entry.3])
    };
    let mut openings = Vec::new();
    for group in faces.chunk_by(|a, b| a.0 == b.0) {
        context.check()?;
        let plane = PlaneId(group[0].0);
        let normal = planes.get(plane).normal;
        let (below, above) = group.split_at(group.partition_point(|entry| !entry.1));
        for low in below {
            let outline = points(low);
            for high in above {
                // Their corners in the plane are rounded, each on its side.
                if !wider(&grown[low.2 as usize].area, limits.piece).meets(&grown[high.2 as usize].area) {
                    continue;
                }
                let mut shared = Some(outline.clone());
                for edge in polygon::edge_planes(&points(high), normal) {
                    shared = shared.and_then(|shared| polygon::split(&shared, &edge, limits.cell)[0].take());
                }
                let Some(shared) = shared else { continue };
                let area = wider(&Aabb3::of_points(shared.iter().copied()), IN_PLANE * limits.piece);
                let mut pieces = vec![shared];
                let mut is_whole = true;
                for triangle in obstacles.triangles_near(&area) {
                    let triangle = obstacles.get(triangle);
                    // A plane through the edge of a triangle may be nearly its own, with another number.
                    let is_near = |p: &DVec3| planes.get(plane).distance(*p).abs() <= IN_PLANE * limits.piece;
                    if triangle.plane == plane || triangle.points.iter().all(is_near) {
                        is_whole &= !polygon::subtract(&mut pieces, &triangle.points, normal, limits.piece);
                    }
                }
                pieces.retain(|piece| polygon::width(piece) > limits.width / 10.0);
                openings.extend(pieces.into_iter().map(|points| Opening {
                    cells: [low.2, high.2],
                    plane,
                    is_whole,
                    is_wide: polygon::width(&points) >= 2.0 * config.radius,
                    points,
                }));
            }
        }
    }
    Ok(openings)
}
