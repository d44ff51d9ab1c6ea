//! Who and what an agent may touch in a step.

use super::CHUNK;
use crate::{
    agents::{Body, Mind},
    grid::Grid,
    movement::Neighbour,
    walls::{KEPT, Scratch, Segment, Walls},
};
use wayfare_navmesh::NavMesh;

/// Whether two agents are on one storey: their heights differ by no more than 0.7 m and three quarters of their distance in
/// plan. Bodies on stairs of 45° that touch differ less; one floor is farther above another.
pub(crate) fn is_same_storey(z: f64, distance_squared: f64, other_z: f64) -> bool {
    let over = (z - other_z).abs() - 0.7;
    over <= 0.0 || over * over <= 0.5625 * distance_squared
}

/// How many others and walls an agent may touch, on the mean of a chunk, and how many it sees: more are rare, and the lists then grow. Six discs fit
/// round one of the same size; 13 people of 0.15 m stand on a square metre, so 125 on half of a disc of 2.5 m.
const TOUCHED: usize = 8;
const WALLS_TOUCHED: usize = 2;
const SEEN: usize = 128;

/// Lists of a chunk of agents.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    starts: Vec<u32>,
    others: Vec<u32>,
    wall_starts: Vec<u32>,
    walls: Vec<u32>,
    pub scratch: Scratch,
    pub seen: SeenByMe,
}

/// Memory for what an agent sees.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenByMe {
    pub neighbours: Vec<Neighbour>,
    pub walls: Vec<Segment>,
}

impl Default for Near {
    /// With room for what a dense crowd needs, so that nothing is allocated when one gets denser in the middle of a run.
    fn default() -> Self {
        Self {
            starts: Vec::with_capacity(CHUNK + 1),
            others: Vec::with_capacity(TOUCHED * CHUNK),
            wall_starts: Vec::with_capacity(CHUNK + 1),
            walls: Vec::with_capacity(WALLS_TOUCHED * CHUNK),
            scratch: Scratch::default(),
            seen: SeenByMe { neighbours: Vec::with_capacity(SEEN), walls: Vec::with_capacity(KEPT) },
        }
    }
}

impl Near {
    /// The agents that the k-th agent of the chunk may touch.
    #[inline]
    pub fn others(&self, k: usize) -> &[u32] {
        &self.others[self.starts[k] as usize..self.starts[k + 1] as usize]
    }
    /// The walls that it may touch, as corners.
    #[inline]
    pub fn walls(&self, k: usize) -> &[u32] {
        &self.walls[self.wall_starts[k] as usize..self.wall_starts[k + 1] as usize]
    }
}

/// Fills the lists of a chunk.
pub(crate) fn look(
    chunk: usize,
    near: &mut Near,
    minds: &mut [Mind],
    bodies: &[Body],
    (mesh, walls, grid): (&NavMesh, &Walls, &Grid),
    // The largest radius, how far apart bodies are held, and how far one moves in a step [m].
    [largest, margin, step]: [f64; 3],
) {
    let Near { starts, others, wall_starts, walls: near_walls, scratch, .. } = near;
    starts.clear();
    others.clear();
    wall_starts.clear();
    near_walls.clear();
    starts.push(0);
    wall_starts.push(0);
    for (k, mind) in minds.iter_mut().enumerate() {
        let me = &bodies[chunk * CHUNK + k];
        let slack = margin + 2.0 * step;
        grid.for_each_near(me.at, me.radius + largest + slack, |seen| {
            let reach = me.radius + seen.radius + slack;
            let squared = seen.at.distance_squared(me.at);
            if squared < reach * reach
                && seen.agent as usize != chunk * CHUNK + k
                && is_same_storey(me.z, squared, seen.z)
            {
                others.push(seen.agent);
            }
        });
        starts.push(others.len() as u32);
        let reach = me.radius + margin + step;
        walls.near(mesh, me.stand(), reach, &mut mind.kept, scratch, |corner| near_walls.push(corner));
        wall_starts.push(near_walls.len() as u32);
    }
}
