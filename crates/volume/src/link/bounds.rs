//! What journeys cost at least.
//!
//! Idea: on the graph of all places with lower bounds as edges the cheapest ways to the goal are found at once, without a search for
//!   a path: no journey from a place costs less. A flight is at least as long as the straight line, and as the steps through
//!   voxels ([`super::air_steps`]) by the triangle inequality over some landmarks (Goldberg and Harrelson 2005, "Computing the
//!   shortest path: A* search meets graph theory"); a walk as the straight line, and to the goal as the shortest path of a point.
//! Steps: Dijkstra backwards from the goal, on an array, as the graph has all edges.
//! Cost: the square of the places that are near enough to matter, with a few operations each.

use super::{
    air_steps::{APART, AirSteps},
    ground::Foot,
};
use crate::mesh::{RegionId, VolumeMesh};
use wayfare_core::DVec3;
use wayfare_navmesh::HandOver;

/// Landmarks. Twice as many make the bounds hardly better.
pub(super) const LANDMARKS: usize = 8;

/// Steps through the air, and those from some landmarks.
pub(super) struct Air {
    pub(super) steps: AirSteps,
    landmarks: Vec<Vec<u16>>,
}

impl Air {
    /// With landmarks among the places: each as far from those before as can be.
    pub(super) fn new(mesh: &VolumeMesh, places: &[HandOver]) -> Self {
        let steps = AirSteps::new(mesh);
        let nodes: Vec<u32> =
            places.iter().filter_map(|place| steps.node(RegionId(place.region), place.point)).collect();
        let mut landmarks: Vec<Vec<u16>> = Vec::new();
        let mut next = nodes.first().copied();
        while let Some(node) = next
            && landmarks.len() < LANDMARKS
        {
            landmarks.push(steps.from(node, APART));
            let nearest = |node: u32| landmarks.iter().map(|far| far[node as usize]).min().unwrap_or(0);
            let farthest = nodes.iter().copied().max_by_key(|&node| (nearest(node), std::cmp::Reverse(node)));
            next = farthest.filter(|&node| nearest(node) > 1);
        }
        Self { steps, landmarks }
    }

    /// Steps from the landmarks to a place.
    pub(super) fn far(&self, node: u32) -> [u16; LANDMARKS] {
        let mut far = [0; LANDMARKS];
        for (far, landmark) in far.iter_mut().zip(&self.landmarks) {
            *far = landmark[node as usize];
        }
        far
    }
}

/// The start, the goal or a place, as a journey uses it.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// On the ground.
    pub(super) ground: Option<Foot>,
    /// In the air.
    pub(super) air: Option<Hover>,
}

/// The centre of a body in the air.
#[derive(Clone, Copy)]
pub(super) struct Hover {
    pub(super) at: DVec3,
    pub(super) region: RegionId,
    /// How far it is above the ground where the body takes off [m]; 0 where a journey begins or ends in the air.
    pub(super) lift: f64,
    /// Its voxel, if it is known.
    pub(super) node: Option<u32>,
    pub(super) far: [u16; LANDMARKS],
}

impl Hover {
    pub(super) fn new(air: &Air, region: RegionId, at: DVec3) -> Self {
        let node = air.steps.node(region, at);
        Self { at, region, lift: 0.0, node, far: node.map_or([0; LANDMARKS], |node| air.far(node)) }
    }

    /// A flight to another place is at least so long [m].
    pub(super) fn apart(&self, other: &Self, air: &Air) -> f64 {
        let straight = self.at.distance(other.at);
        let mut steps = 0;
        if self.node.is_some() && other.node.is_some() {
            for (&one, &two) in self.far.iter().zip(&other.far) {
                if (one == APART) != (two == APART) {
                    return f64::INFINITY;
                }
                steps = steps.max(one.abs_diff(two));
            }
        }
        straight.max(air.steps.length(steps)) + self.lift + other.lift
    }
}

/// What is left from every spot at least: for who walks on, and for who flies on.
pub(super) struct Rest {
    by: [Vec<f64>; 2],
}

impl Rest {
    /// Nothing is known.
    pub(super) fn none(count: usize) -> Self {
        Self { by: [vec![0.0; count], vec![0.0; count]] }
    }

    /// By Dijkstra from the goal, up to a `limit`; `walk` are bounds of the ways on the ground to the goal.
    pub(super) fn new(
        spots: &[Spot],
        goal: usize,
        walk: Vec<f64>,
        air: &Air,
        fly_cost: f64,
        limit: f64,
    ) -> Self {
        let fly = |from: usize, to: usize| match (&spots[from].air, &spots[to].air) {
            (Some(from), Some(to)) => from.apart(to, air) * fly_cost,
            _ => f64::INFINITY,
        };
        let count = spots.len();
        let mut by = [walk, (0..count).map(|spot| fly(spot, goal)).collect()];
        by[0][goal] = 0.0;
        by[1][goal] = 0.0;
        let mut is_open = [vec![true; count], vec![true; count]];
        is_open[0][goal] = false;
        is_open[1][goal] = false;
        loop {
            let open = (0..2).flat_map(|kind| (0..count).map(move |spot| (kind, spot)));
            let open = open.filter(|&(kind, spot)| is_open[kind][spot] && by[kind][spot] < limit);
            let next = open.min_by(|&(a, i), &(b, j)| by[a][i].total_cmp(&by[b][j]));
            let Some((kind, spot)) = next else { break };
            is_open[kind][spot] = false;
            let rest = by[kind][spot];
            // Who flies on from here has walked to it, and the other way round.
            for other in (0..count).filter(|&other| other != spot && is_open[1 - kind][other]) {
                let way = match kind {
                    0 => fly(other, spot),
                    _ => match (&spots[other].ground, &spots[spot].ground) {
                        (Some(from), Some(to)) => from.apart(to),
                        _ => f64::INFINITY,
                    },
                };
                let known = &mut by[1 - kind][other];
                *known = known.min(way + rest);
            }
        }
        Self { by }
    }

    /// From a spot that one came to by air or on the ground.
    pub(super) fn after(&self, spot: usize, by_air: bool) -> f64 {
        self.by[usize::from(!by_air)][spot]
    }
}
