//! How far apart places in the air are at least, walls considered, without a search for a path.
//!
//! Idea: who flies as far as a voxel is wide gets from its voxel to one of the 26 beside it, or stays, and meets on the way
//!   only portals that touch the block of 27 round the voxel. So the number of such steps bounds the length of every path from
//!   below. Voxels on both sides of a wall, however thin, are joined only where portals near them lead round it.
//! A node is a voxel with the regions that are joined by portals within its block, and that meet the voxel itself.
//! Steps: 1. voxels of every region, and blocks of every portal, rather too many than too few  2. nodes  3. steps between them
//! Promises: a path of length l between two places needs n steps with (n - 1) * size < l. Bends do not matter.
//! Cost: linear in the voxels and what meets them, once per mesh; a search by breadth per source.

use crate::mesh::{RegionId, VolumeMesh};
use rayon::prelude::*;
use wayfare_core::DVec3;
use wayfare_geom::bvh::Aabb3;

/// Voxels of the whole box, about.
const VOXELS: f64 = 40_000.0;
/// No path leads there.
pub(super) const APART: u16 = u16::MAX;
/// No node.
const NONE: u32 = u32::MAX;

/// Lists of numbers, one after the other.
#[derive(Debug, Default)]
struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Ord> Lists<T> {
    /// The items of each of `count` lists, ascending.
    fn of(count: usize, mut pairs: Vec<(u32, T)>) -> Self {
        pairs.sort_unstable();
        let mut starts = vec![0; count + 1];
        for &(list, _) in &pairs {
            starts[list as usize + 1] += 1;
        }
        for k in 0..count {
            starts[k + 1] += starts[k];
        }
        Self { starts, items: pairs.into_iter().map(|(_, item)| item).collect() }
    }

    fn get(&self, list: usize) -> &[T] {
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

/// The voxels of a box.
#[derive(Clone, Copy, Debug)]
struct Grid {
    low: DVec3,
    size: f64,
    counts: [usize; 3],
}

impl Grid {
    fn new([low, high]: [DVec3; 2]) -> Self {
        let extent = (high - low).max(DVec3::splat(1e-9));

        let size = (extent.element_product() / VOXELS).cbrt().max(extent.max_element() / VOXELS);
        let counts = extent.to_array().map(|side| (side / size).ceil().max(1.0) as usize);
        Self { low, size, counts }
    }

    fn len(&self) -> usize {
        self.counts.iter().product()
    }

    /// The voxel coordinates of a point, clamped into the box.
    fn cell(&self, p: DVec3) -> [usize; 3] {
        let share = ((p - self.low) / self.size).to_array();
        [0, 1, 2].map(|axis| (share[axis].max(0.0) as usize).min(self.counts[axis] - 1))
    }

    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.counts[1] + y) * self.counts[0] + x
    }

    fn coordinates(&self, number: usize) -> [usize; 3] {
        let [nx, ny, _] = self.counts;
        [number % nx, number / nx % ny, number / nx / ny]
    }

    fn middle(&self, [x, y, z]: [usize; 3]) -> DVec3 {
        self.low + (DVec3::new(x as f64, y as f64, z as f64) + 0.5) * self.size
    }

    /// The voxels of a box, more by `around` on every side.
    fn within(&self, area: Aabb3, around: usize) -> impl Iterator<Item = [usize; 3]> + use<> {
        let (low, high) = (self.cell(area.min), self.cell(area.max));
        let range = move |axis: usize, counts: [usize; 3]| {
            low[axis].saturating_sub(around)..=(high[axis] + around).min(counts[axis] - 1)
        };
        let counts = self.counts;
        range(2, counts)
            .flat_map(move |z| range(1, counts).flat_map(move |y| range(0, counts).map(move |x| [x, y, z])))
    }

    /// The voxel itself and those beside it.
    fn block(&self, cell: [usize; 3]) -> impl Iterator<Item = usize> + use<> {
        let grid = *self;
        let middle = self.middle(cell);
        self.within(Aabb3 { min: middle, max: middle }, 1).map(move |other| grid.number(other))
    }
}

/// Voxels of free space and the steps between them.
#[derive(Debug)]
pub(super) struct AirSteps {
    grid: Grid,
    /// Of every voxel: the regions that meet it, and the node that they belong to.
    nodes: Lists<(u32, u32)>,
    node_count: usize,
    /// Of every node: those that one step leads to.
    beside: Lists<u32>,
}

/// The regions of a block, and a number that those have in common that are joined in it.
struct Block {
    regions: Vec<u32>,
    joined: Vec<u32>,
}

impl Block {
    fn new(regions: Vec<u32>, pairs: impl Iterator<Item = [u32; 2]>) -> Self {
        let mut block = Self { joined: (0..regions.len() as u32).collect(), regions };
        for pair in pairs {
            let [one, two] = pair.map(|region| block.regions.binary_search(&region).ok());
            if let (Some(one), Some(two)) = (one, two) {
                let [one, two] = [block.root(one), block.root(two)];
                block.joined[one.max(two)] = one.min(two) as u32;
            }
        }
        // Roots come before what hangs below them.
        for k in 0..block.joined.len() {
            block.joined[k] = block.joined[block.joined[k] as usize];
        }
        block
    }

    fn root(&self, mut k: usize) -> usize {
        while self.joined[k] as usize != k {
            k = self.joined[k] as usize;
        }
        k
    }

    fn part(&self, region: u32) -> Option<u32> {
        self.regions.binary_search(&region).ok().map(|k| self.joined[k])
    }
}

impl AirSteps {
    pub(super) fn new(mesh: &VolumeMesh) -> Self {
        let grid = Grid::new(mesh.raw().bounds);
        // What rounding leaves open beside a portal is as wide as this at most.
        let slack = 8.0 * mesh.raw().tolerance;
        // 1. Voxels of regions, blocks of portals.
        let regions = regions_of_voxels(mesh, &grid, slack);
        let portals = portals_of_blocks(mesh, &grid, slack);
        // 2. Nodes.
        let block = |voxel: usize| {
            let mut near: Vec<u32> = Vec::new();
            for other in grid.block(grid.coordinates(voxel)) {
                let own = regions.get(other);
                // Most voxels lie in one region as those beside them do.
                if own.len() != 1 || near.last() != own.first() {
                    near.extend(own);
                }
            }
            near.sort_unstable();
            near.dedup();
            let pairs = portals.get(voxel).iter();
            Block::new(near, pairs.map(|&portal| mesh.raw().portal_regions[portal as usize]))
        };
        let voxels: Vec<usize> = (0..grid.len()).filter(|&voxel| !regions.get(voxel).is_empty()).collect();
        let blocks: Vec<Block> = voxels.par_iter().map(|&voxel| block(voxel)).collect();
        let mut named: Vec<(u32, (u32, u32))> = Vec::new();
        let mut node_count = 0;
        // Which node a part of a block is.
        let mut nodes_of: Vec<Vec<(u32, u32)>> = Vec::with_capacity(voxels.len());
        for (&voxel, block) in voxels.iter().zip(&blocks) {
            let mut own: Vec<(u32, u32)> = Vec::new();
            for &region in regions.get(voxel) {
                let part = block.part(region).unwrap_or(NONE);
                let node = match own.iter().find(|other| other.0 == part) {
                    Some(known) => known.1,
                    None => {
                        node_count += 1;
                        own.push((part, node_count - 1));
                        node_count - 1
                    }
                };
                named.push((voxel as u32, (region, node)));
            }
            nodes_of.push(own);
        }
        let nodes = Lists::of(grid.len(), named);
        // 3. Steps.
        let steps = |k: usize| {
            let mut steps: Vec<(u32, u32)> = Vec::new();
            for other in grid.block(grid.coordinates(voxels[k])).filter(|&other| other != voxels[k]) {
                for &(region, node) in nodes.get(other) {
                    let part = blocks[k].part(region);
                    let own = nodes_of[k].iter().find(|own| Some(own.0) == part);
                    steps.extend(own.map(|own| (own.1, node)));
                }
            }
            steps.sort_unstable();
            steps.dedup();
            steps
        };
        let steps: Vec<Vec<(u32, u32)>> = (0..voxels.len()).into_par_iter().map(steps).collect();
        let beside = Lists::of(node_count as usize, steps.concat());
        Self { grid, nodes, node_count: node_count as usize, beside }
    }

    /// The node of a place in a region.
    pub(super) fn node(&self, region: RegionId, at: DVec3) -> Option<u32> {
        let own = self.nodes.get(self.grid.number(self.grid.cell(at)));
        own.binary_search_by_key(&region.0, |entry| entry.0).ok().map(|k| own[k].1)
    }

    /// The number of steps from a node to all others; [`APART`] where none lead, or more than `most`.
    pub(super) fn from(&self, source: u32, most: u16) -> Vec<u16> {
        let mut steps = vec![APART; self.node_count];
        let mut wave = vec![source];
        steps[source as usize] = 0;
        let mut next = Vec::new();
        for count in 1..=most.min(APART - 1) {
            for &node in &wave {
                for &other in self.beside.get(node as usize) {
                    if steps[other as usize] == APART {
                        steps[other as usize] = count;
                        next.push(other);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            std::mem::swap(&mut wave, &mut next);
            next.clear();
        }
        steps
    }

    /// A path that is not longer than this [m] has so many steps at most.
    pub(super) fn most(&self, length: f64) -> u16 {
        // Beyond the largest number it stays that.
        (length / self.grid.size + 2.0) as u16
    }

    /// A path of so many steps is at least so long [m].
    pub(super) fn length(&self, steps: u16) -> f64 {
        match steps {
            APART => f64::INFINITY,
            // A hair less, for coordinates that rounding moved into the next voxel.
            steps => f64::from(steps.saturating_sub(1)) * self.grid.size * (1.0 - 1e-9),
        }
    }
}

/// Step 1: regions by voxel.
fn regions_of_voxels(mesh: &VolumeMesh, grid: &Grid, slack: f64) -> Lists<u32> {
    let half = 0.5 * grid.size;
    let of = |region: u32| {
        let planes: Vec<_> = mesh.outward_planes(RegionId(region)).collect();
        let area = mesh.region_box(RegionId(region));
        let meets = |cell: &[usize; 3]| {
            let middle = grid.middle(*cell);
            planes
                .iter()
                .all(|plane| plane.distance(middle) <= plane.normal.abs().element_sum() * half + slack)
        };
        let area = Aabb3 { min: area.min - slack, max: area.max + slack };
        let voxels = grid.within(area, 0).filter(meets);
        voxels.map(|cell| (grid.number(cell) as u32, region)).collect::<Vec<_>>()
    };
    let pairs: Vec<Vec<_>> = (0..mesh.region_count() as u32).into_par_iter().map(of).collect();
    Lists::of(grid.len(), pairs.concat())
}

/// Step 1: portals by the voxels whose blocks they touch.
fn portals_of_blocks(mesh: &VolumeMesh, grid: &Grid, slack: f64) -> Lists<u32> {
    let half = 1.5 * grid.size;
    let of = |portal: crate::mesh::PortalId| {
        let plane = *mesh.plane(mesh.portal_plane(portal));
        let reach = plane.normal.abs().element_sum() * half + slack;
        let area = Aabb3::of_points(mesh.portal_points(portal).iter().copied());
        let area = Aabb3 { min: area.min - slack, max: area.max + slack };
        let touches = |cell: &[usize; 3]| plane.distance(grid.middle(*cell)).abs() <= reach;
        let voxels = grid.within(area, 1).filter(touches);
        voxels.map(|cell| (grid.number(cell) as u32, portal.0)).collect::<Vec<_>>()
    };
    let portals: Vec<_> = mesh.portals().collect();
    let pairs: Vec<Vec<_>> = portals.into_par_iter().map(of).collect();
    Lists::of(grid.len(), pairs.concat())
}
