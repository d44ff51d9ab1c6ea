//! Voxel maps as plain arrays: what is free, the grid's own shortest paths, and paths shortened by lot.
//!
//! Shares nothing with what it is compared to. Moves of the grid go to the 26 neighbours and cut no corners: all voxels of the
//! box that two voxels span must be free, as in the benchmark's own lengths. A way through space may touch filled
//! voxels, but it does not pass between two of them that touch in an edge or a corner.

use crate::Random;
use std::collections::BinaryHeap;
use wayfare_core::{DVec3, dvec3};

/// A fixed-point metre: lengths of moves are whole numbers of these, so that equal lengths are equal.
const UNIT: f64 = 65_536.0;
/// Moves along one, two and three axes.
const STEPS: [u32; 3] = [65_536, 92_682, 113_512];
/// Nearer than this to a plane between voxels is on it.
const ON: f64 = 1e-7;

/// A map with a layer of filled voxels round it.
pub struct VoxelWorld {
    size: [usize; 3],
    is_filled: Vec<bool>,
    /// Of each of the 27 voxels round one: its distance in the array, and those of the moves there: length, and the voxels
    /// that must be free.
    moves: Vec<(isize, u32, u32)>,
    round: [isize; 27],
    lengths: Vec<u32>,
    touched: Vec<u32>,
}

impl VoxelWorld {
    /// A map of a size with its filled voxels.
    pub fn new(size: [u32; 3], filled: &[[u32; 3]]) -> Self {
        let size = size.map(|side| side as usize + 2);
        let count = size[0] * size[1] * size[2];
        let mut is_filled = vec![false; count];
        let index = |v: [usize; 3]| (v[0] * size[1] + v[1]) * size[2] + v[2];
        for x in 0..size[0] {
            for y in 0..size[1] {
                if x == 0 || y == 0 || x + 1 == size[0] || y + 1 == size[1] {
                    is_filled[index([x, y, 0])..=index([x, y, size[2] - 1])].fill(true);
                }
                is_filled[index([x, y, 0])] = true;
                is_filled[index([x, y, size[2] - 1])] = true;
            }
        }
        for voxel in filled {
            is_filled[index(voxel.map(|at| at as usize + 1))] = true;
        }
        let steps: Vec<[isize; 3]> =
            (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| [x, y, z]))).collect();
        let offset = |[x, y, z]: [isize; 3]| (x * size[1] as isize + y) * size[2] as isize + z;
        let mut round = [0; 27];
        let mut moves = Vec::new();
        for (k, &step) in steps.iter().enumerate() {
            round[k] = offset(step);
            let axes = step.iter().filter(|part| **part != 0).count();
            if axes > 0 {
                let between = |other: &[isize; 3]| (0..3).all(|a| other[a] == 0 || other[a] == step[a]);
                let mask = steps.iter().enumerate().filter(|(_, other)| between(other));
                moves.push((offset(step), STEPS[axes - 1], mask.fold(0, |mask, (j, _)| mask | 1 << j)));
            }
        }
        Self { size, is_filled, moves, round, lengths: vec![u32::MAX; count], touched: Vec::new() }
    }

    fn index(&self, voxel: [i64; 3]) -> Option<usize> {
        let inside = (0..3).all(|axis| (-1..self.size[axis] as i64 - 1).contains(&voxel[axis]));
        let [x, y, z] = voxel.map(|at| (at + 1) as usize);
        inside.then(|| (x * self.size[1] + y) * self.size[2] + z)
    }

    /// Whether a voxel is inside and free.
    pub fn is_free(&self, voxel: [i64; 3]) -> bool {
        self.index(voxel).is_some_and(|at| !self.is_filled[at])
    }

    /// Length of the shortest path from voxel to voxel, and how many voxels were looked at, by A*.
    pub fn grid_path(&mut self, from: [i64; 3], to: [i64; 3]) -> Option<(f64, usize)> {
        let (start, goal) = (self.index(from)?, self.index(to)?);
        for at in self.touched.drain(..) {
            self.lengths[at as usize] = u32::MAX;
        }
        let (row, layer) = (self.size[2], self.size[1] * self.size[2]);
        let place = |at: usize| [at / layer, at % layer / row, at % row];
        let end = place(goal);
        let rest = |at: usize| {
            let here = place(at);
            let mut apart = [0, 1, 2].map(|axis| here[axis].abs_diff(end[axis]) as u32);
            apart.sort_unstable();
            let [low, middle, high] = apart;
            low * STEPS[2] + (middle - low) * STEPS[1] + (high - middle) * STEPS[0]
        };
        // The shortest first, of equal ones that nearest to the goal.
        let key = |length: u32, rest: u32| !(u64::from(length + rest) << 32 | u64::from(rest));
        let mut queue: BinaryHeap<(u64, u32)> = BinaryHeap::new();
        self.lengths[start] = 0;
        self.touched.push(start as u32);
        queue.push((key(0, rest(start)), start as u32));
        let mut looked_at = 0;
        while let Some((entry, at)) = queue.pop() {
            let at = at as usize;
            let length = self.lengths[at];
            if entry != key(length, (!entry & 0xffff_ffff) as u32) {
                continue;
            }
            looked_at += 1;
            if at == goal {
                return Some((f64::from(length) / UNIT, looked_at));
            }
            let mut filled = 0u32;
            for (k, offset) in self.round.iter().enumerate() {
                filled |= u32::from(self.is_filled[at.wrapping_add_signed(*offset)]) << k;
            }
            for &(offset, step, mask) in &self.moves {
                if filled & mask != 0 {
                    continue;
                }
                let next = at.wrapping_add_signed(offset);
                let other = length + step;
                let known = &mut self.lengths[next];
                if other < *known {
                    if *known == u32::MAX {
                        self.touched.push(next as u32);
                    }
                    *known = other;
                    queue.push((key(other, rest(next)), next as u32));
                }
            }
        }
        None
    }

    /// The free voxels that hold a point, or touch it.
    fn free_at(&self, p: DVec3) -> Vec<[i64; 3]> {
        let (low, high) = ((p - ON).floor(), (p + ON).floor());
        let mut free = Vec::new();
        for k in 0..8u32 {
            let on = |axis: usize| k >> axis & 1 != 0;
            // Once where the point is not on a plane.
            if (0..3).any(|axis| on(axis) && low[axis] == high[axis]) {
                continue;
            }
            let pick = |axis: usize| if on(axis) { high[axis] as i64 } else { low[axis] as i64 };
            let voxel = [pick(0), pick(1), pick(2)];
            if self.is_free(voxel) {
                free.push(voxel);
            }
        }
        free
    }

    /// Of the free voxels at a point, those that hang together by faces with some of `from`.
    fn spread(&self, p: DVec3, from: &[[i64; 3]]) -> Vec<[i64; 3]> {
        let (mut reached, mut rest): (Vec<_>, Vec<_>) =
            self.free_at(p).into_iter().partition(|voxel| from.contains(voxel));
        let mut next = 0;
        while next < reached.len() {
            let at: [i64; 3] = reached[next];
            let apart = |other: &[i64; 3]| (0..3).map(|axis| (other[axis] - at[axis]).abs()).sum::<i64>();
            let (near, others) = rest.into_iter().partition(|other| apart(other) == 1);
            reached.extend::<Vec<_>>(near);
            (rest, next) = (others, next + 1);
        }
        reached
    }

    /// Whether the free voxels that touch a point hang together by faces, and there are any.
    pub fn is_whole(&self, p: DVec3) -> bool {
        let all = self.free_at(p);
        !all.is_empty() && self.spread(p, &all[..1]).len() == all.len()
    }

    /// Whether a path stays in free voxels and never goes from one to another that it only touches in an edge or a corner.
    pub fn is_open(&self, path: &[DVec3]) -> bool {
        let Some(&first) = path.first() else { return true };
        let mut held = self.free_at(first);
        for pair in path.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let mut cuts = vec![0.0, 1.0];
            for axis in 0..3 {
                let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
                let mut plane = low.ceil();
                while plane <= high && high > low {
                    cuts.push(((plane - a[axis]) / (b[axis] - a[axis])).clamp(0.0, 1.0));
                    plane += 1.0;
                }
            }
            cuts.sort_by(f64::total_cmp);
            let at = |t: f64| a + (b - a) * t;
            for pair in cuts.windows(2) {
                held = self.spread(at(pair[0]), &held);
                held = self.spread(at((pair[0] + pair[1]) / 2.0), &held);
                if held.is_empty() {
                    return false;
                }
            }
            held = self.spread(b, &held);
        }
        !held.is_empty()
    }

    /// Whether the straight line between two points is open.
    pub fn sees(&self, a: DVec3, b: DVec3) -> bool {
        self.is_open(&[a, b])
    }

    /// A path shortened by lot: between two of its points it goes straight, or over a third one, if that is shorter and open.
    pub fn refine(&self, mut path: Vec<DVec3>, rounds: usize, random: &mut Random) -> Vec<DVec3> {
        for _ in 0..rounds {
            let total = length(&path);
            // Two places, near or far from each other.
            let middle = random.between(0.0, total);
            let reach = total / (1u64 << random.below(10)) as f64;
            let ends = [(middle - reach).max(0.0), (middle + reach).min(total)];
            let [(i, p), (j, q)] = ends.map(|at| place(&path, at));
            let part: f64 = {
                let inner = [&[p], &path[i + 1..=j], &[q]].concat();
                length(&inner)
            };
            let sideways =
                dvec3(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
            let over = place(&path, random.between(ends[0], ends[1])).1
                + sideways * (2.0 * reach / (1u64 << random.below(8)) as f64);
            let is_shorter = |way: f64| way < part - 1e-9;
            let between = if is_shorter(p.distance(q)) && self.sees(p, q) {
                vec![]
            } else if is_shorter(p.distance(over) + over.distance(q))
                && self.sees(p, over)
                && self.sees(over, q)
            {
                vec![over]
            } else {
                continue;
            };
            path = [&path[..=i], &[p], &between, &[q], &path[j + 1..]].concat();
            path.dedup();
        }
        path
    }
}

/// The length of a path.
pub fn length(path: &[DVec3]) -> f64 {
    path.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// The point at a length along a path, and the number of the point before it.
fn place(path: &[DVec3], mut at: f64) -> (usize, DVec3) {
    for (k, pair) in path.windows(2).enumerate() {
        let own = pair[0].distance(pair[1]);
        if at <= own || k + 2 == path.len() {
            return (k, if own > 0.0 { pair[0].lerp(pair[1], (at / own).min(1.0)) } else { pair[0] });
        }
        at -= own;
    }
    (0, path[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_goes_round_a_wall_without_cutting_its_corner() {
        let wall: Vec<[u32; 3]> = (0..4).map(|y| [2, y, 0]).collect();
        let mut world = VoxelWorld::new([5, 5, 1], &wall);
        let (length, _) = world.grid_path([0, 0, 0], [4, 0, 0]).unwrap();
        assert!((length - (8.0 + 2.0 * 2f64.sqrt())).abs() < 1e-3, "{length}");
        assert!(world.grid_path([0, 0, 0], [2, 0, 0]).is_none());
        assert!(world.sees(dvec3(0.5, 0.5, 0.5), dvec3(2.0, 4.0, 0.5)));
        assert!(!world.sees(dvec3(0.5, 0.5, 0.5), dvec3(2.5, 3.5, 0.5)));
        let path =
            vec![dvec3(0.5, 0.5, 0.5), dvec3(0.5, 4.5, 0.5), dvec3(4.5, 4.5, 0.5), dvec3(4.5, 0.5, 0.5)];
        let best = 2.0 * dvec3(0.5, 0.5, 0.5).distance(dvec3(2.0, 4.0, 0.5)) + 1.0;
        let found = super::length(&world.refine(path, 4000, &mut Random::new(1)));
        assert!(found < best * 1.01 && found > best - 1e-6, "{found} against {best}");
    }

    #[test]
    fn nothing_passes_between_voxels_that_touch_in_an_edge() {
        let world = VoxelWorld::new([2, 2, 1], &[[0, 0, 0], [1, 1, 0]]);
        assert!(!world.sees(dvec3(0.5, 1.5, 0.5), dvec3(1.5, 0.5, 0.5)));
        let open = VoxelWorld::new([2, 2, 1], &[[0, 0, 0]]);
        assert!(open.sees(dvec3(0.5, 1.5, 0.5), dvec3(1.5, 0.5, 0.5)));
    }
}
