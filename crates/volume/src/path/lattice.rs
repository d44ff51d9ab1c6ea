//! A way for a body over points of a lattice.
//!
//! Idea: places on portals ([`super::roam`]) are few; where a body gets through only where none lies, or has to bend inside of a region, a
//!   way over them is missed, or a far longer one is found. A lattice does not know of regions: what it misses is narrower than its step.
//! Steps: A* from the start, to the 26 neighbours; two points that have more room together than they are apart are joined without
//!   looking at the line between them.
//! No point lies beyond a wall: it is reached by lines that keep the radius from all walls.
//! Cost: a distance for each point that is met, up to a fixed number of points; deterministic.

use super::roam::Roaming;
use crate::queue::Queue;
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};
use wayfare_core::{DVec3, dvec3};

/// Moves of the lattice are longer than the straight lines that take their place in the end by up to a seventh, most by
/// half of that.
const LONGER: f64 = 1.06;
/// How much the search hurries to the goal.
const FORWARD: f64 = 1.1;

/// Numbers of points by their place; a quick hash, as this is asked for every neighbour of every point.
type Numbers = HashMap<u64, u32, BuildHasherDefault<Mixed>>;

#[derive(Default)]
struct Mixed(u64);
impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }
    fn write_u64(&mut self, number: u64) {
        // The upper half of the product is mixed best; tables look at both ends.
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }
}

/// Places up to a million steps from the start have numbers of their own; no search gets so far.
fn key(at: [i32; 3]) -> u64 {
    at.iter().fold(0, |key, &k| key << 21 | u64::from(k as u32 & 0x1f_ffff))
}

/// A point of the lattice.
struct Node {
    at: [i32; 3],
    /// Distance to the nearest wall, up to twice the radius [m].
    room: f64,
    way: f64,
    before: u32,
    is_settled: bool,
}

/// What a search on a lattice says.
pub(super) enum OverLattice {
    /// A way.
    Way(Vec<DVec3>),
    /// All points that are reached were looked at.
    Closed,
    /// There are more points than were to be looked at.
    Unknown,
}

impl OverLattice {
    pub(super) fn way(self) -> Option<Vec<DVec3>> {
        if let Self::Way(points) = self { Some(points) } else { None }
    }
}

/// A way over points `step` apart, where one of less than `limit` is found among so many of them.
pub(super) fn over_lattice(task: Roaming, step: f64, limit: f64, most: usize) -> OverLattice {
    let Roaming { walls, radius, ends: [from, to], .. } = task;
    let place = |[x, y, z]: [i32; 3]| from + dvec3(x.into(), y.into(), z.into()) * step;
    let room_at = |p: DVec3| walls.distance(p, 2.0 * radius).unwrap_or(2.0 * radius);
    let mut nodes = vec![Node { at: [0; 3], room: room_at(from), way: 0.0, before: 0, is_settled: false }];
    let mut numbers = Numbers::default();
    numbers.insert(key([0; 3]), 0);
    let mut queue: Queue<u32> = Queue::default();
    let mut turn = 0;
    queue.push(0.0, 0, 0);
    while let Some((_, number)) = queue.pop() {
        let Node { at, room, way, is_settled, .. } = nodes[number as usize];
        if is_settled {
            continue;
        }
        nodes[number as usize].is_settled = true;
        let here = place(at);
        if here.distance(to) <= 1.75 * step && walls.is_clear(here, to, radius) {
            let mut points = vec![to];
            let mut number = number;
            while number != 0 {
                points.push(place(nodes[number as usize].at));
                number = nodes[number as usize].before;
            }
            points.push(from);
            points.reverse();
            return OverLattice::Way(points);
        }
        for code in (0..27).filter(|code| *code != 13) {
            let next = [at[0] + code % 3 - 1, at[1] + code / 3 % 3 - 1, at[2] + code / 9 - 1];
            let there = place(next);
            let apart = here.distance(there);
            let rest = there.distance(to);
            if way + apart + rest >= limit * LONGER {
                continue;
            }
            let known = *numbers.entry(key(next)).or_insert_with(|| {
                let (room, way) = (room_at(there), f64::INFINITY);
                nodes.push(Node { at: next, room, way, before: 0, is_settled: false });
                nodes.len() as u32 - 1
            });
            if nodes.len() > most {
                return OverLattice::Unknown;
            }
            let other = &mut nodes[known as usize];
            if other.is_settled || other.room < radius || other.way <= way + apart {
                continue;
            }
            if room + other.room - apart >= 2.0 * radius || walls.is_clear(here, there, radius) {
                (other.way, other.before) = (way + apart, number);
                turn += 1;
                queue.push(way + apart + rest * FORWARD, turn, known);
            }
        }
    }
    OverLattice::Closed
}
