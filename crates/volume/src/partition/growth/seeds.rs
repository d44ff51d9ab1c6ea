//! Where regions begin: seeds on a grid, and how they fall.

use super::{super::Space, GrowthConfig, obstacles::Obstacles};
use crate::{config::VolumeConfig, polygon};
use wayfare_core::{DVec3, dvec3};
use wayfare_geom::bvh::{Aabb3, Bvh};

/// Seeds along the longest side of the box at most.
const MOST: f64 = 48.0;
/// How far seeds are over the floor and beside faces, relative to their distance from each other.
const LIFT: f64 = 1e-2;
/// Pockets narrower than this share of the seeds' distance get none.
const NARROW: f64 = 0.05;

pub(super) struct Seeds<'a> {
    space: &'a Space,
    /// The free cells, to ask whether a point is free.
    cells: Vec<u32>,
    tree: Bvh,
    size: f64,
    gravity: bool,
    /// How far seeds are from what they rest on [m].
    pub(super) lift: f64,
    /// Narrower pockets get no seed [m].
    pub(super) narrowest: f64,
}

impl<'a> Seeds<'a> {
    pub(super) fn new(space: &'a Space, config: &VolumeConfig, growth: &GrowthConfig) -> Self {
        let extent = (space.bounds[1] - space.bounds[0]).max_element();
        let wanted = growth.seed_size.unwrap_or(2.0 * config.radius);
        let size = wanted.max(extent / MOST);
        let cells: Vec<u32> =
            (0..space.cells.len() as u32).filter(|&cell| space.reached[cell as usize]).collect();
        let area = |&cell: &u32| Aabb3::of_points(space.cells[cell as usize].body.vertices.iter().copied());
        let boxes: Vec<Aabb3> = cells.iter().map(area).collect();
        Self {
            tree: Bvh::build(&boxes),
            space,
            cells,
            size,
            gravity: growth.gravity,
            lift: (LIFT * size).max(10.0 * space.limits.piece),
            narrowest: (NARROW * size).max(space.limits.width),
        }
    }

    /// Whether a point lies in free space.
    pub(super) fn is_free(&self, p: DVec3) -> bool {
        let mut is_free = false;
        self.tree.visit(&Aabb3 { min: p, max: p }, |k| {
            let cell = &self.space.cells[self.cells[k as usize] as usize];
            let outward =
                |side: &crate::plane::HalfSpace| side.outward(&self.space.planes[side.plane().0 as usize]);
            is_free |=
                cell.half_spaces.iter().all(|side| outward(side).distance(p) <= self.space.limits.cell);
            is_free
        });
        is_free
    }

    /// Step 1: seeds on a grid, fallen, each place once, the lowest first.
    pub(super) fn grid(&self, obstacles: &Obstacles) -> Vec<DVec3> {
        let [low, high] = self.space.bounds;
        let count = ((high - low) / self.size).ceil().max(DVec3::ONE);
        let step = (high - low) / count;
        let mut seeds = Vec::new();
        for x in 0..count.x as u32 {
            for y in 0..count.y as u32 {
                for z in 0..count.z as u32 {
                    let at = low + step * (dvec3(x.into(), y.into(), z.into()) + 0.5);
                    if self.is_free(at) {
                        seeds.push(self.fall(at, obstacles));
                    }
                }
            }
        }
        let key = |p: &DVec3| [p.z, p.y, p.x];
        seeds.sort_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
        seeds.dedup();
        seeds
    }

    /// Where there surely is room: the middles of free cells, the largest first.
    pub(super) fn middles(&self) -> Vec<DVec3> {
        let mut cells = self.cells.clone();
        let volume = |cell: &u32| self.space.cells[*cell as usize].volume;
        cells.sort_by(|a, b| volume(b).total_cmp(&volume(a)).then(a.cmp(b)));
        let middle = |cell: &u32| {
            let corners = &self.space.cells[*cell as usize].body.vertices;
            corners.iter().sum::<DVec3>() / corners.len() as f64
        };
        cells.iter().map(middle).collect()
    }

    /// Where a seed comes to rest.
    pub(super) fn fall(&self, seed: DVec3, obstacles: &Obstacles) -> DVec3 {
        if !self.gravity {
            return seed;
        }
        let floor = self.space.bounds[0].z;
        let column = Aabb3 { min: seed.with_z(floor), max: seed };
        let mut rest = floor;
        for number in obstacles.near(&column) {
            let obstacle = obstacles.get(number);
            let normal = polygon::area_vector(&obstacle.points).normalize_or_zero();
            if normal.z.abs() < 1e-6 {
                continue;
            }
            let z = seed.z - normal.dot(seed - obstacle.points[0]) / normal.z;
            let hit = seed.with_z(z);
            if z <= seed.z
                && polygon::edge_planes(&obstacle.points, normal).all(|edge| edge.distance(hit) <= 0.0)
            {
                rest = rest.max(z);
            }
        }
        seed.with_z((rest + self.lift).min(seed.z))
    }
}
