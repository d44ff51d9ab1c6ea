//! The oval of RiMEA 16: two straights of 4 m and two half circles of 3 m, in which people walk round in single file.

use super::{Random, mesh};
use std::f64::consts::{PI, TAU};
use wayfare_core::{DVec2, DVec3, dvec2, ops};
use wayfare_crowd::{AgentId, Area, Crowd, CrowdConfig, Goal, Journey, JourneyId, NewAgent};

/// Length of a straight, radius of the half circles, and half of the width [m].
const STRAIGHT: f64 = 4.0;
const TURN: f64 = 3.0;
const HALF_WIDTH: f64 = 0.4;
/// The length of its middle line [m].
pub const LENGTH: f64 = 2.0 * STRAIGHT + TAU * TURN;
/// Cells of a half circle.
const PIECES: usize = 12;
/// How many cells ahead everybody's goal is.
const AHEAD: u32 = 8;

/// Speeds that a tenth, a half and nine tenths of people go below at a density [1/m, m/s].
const PEOPLE: [[f64; 4]; 16] = [
    [0.10, 0.96, 1.19, 1.48],
    [0.30, 0.84, 1.16, 1.47],
    [0.50, 0.71, 1.09, 1.39],
    [0.70, 0.60, 0.97, 1.31],
    [0.90, 0.45, 0.75, 1.10],
    [1.10, 0.32, 0.52, 0.84],
    [1.30, 0.19, 0.39, 0.61],
    [1.50, 0.112, 0.273, 0.485],
    [1.70, 0.071, 0.199, 0.382],
    [1.90, 0.048, 0.158, 0.314],
    [2.10, 0.035, 0.131, 0.270],
    [2.50, 0.022, 0.102, 0.220],
    [3.10, 0.016, 0.081, 0.186],
    [3.50, 0.013, 0.070, 0.175],
    [4.10, 0.011, 0.064, 0.172],
    [4.90, 0.009, 0.062, 0.193],
];

/// The speeds of people at a density: of the slow, the middle and the fast [m/s].
pub fn people(density: f64) -> [f64; 3] {
    let after = PEOPLE.partition_point(|row| row[0] < density).clamp(1, PEOPLE.len() - 1);
    let (a, b) = (PEOPLE[after - 1], PEOPLE[after]);
    let share = ((density - a[0]) / (b[0] - a[0])).clamp(0.0, 1.0);
    [1, 2, 3].map(|k| a[k] + (b[k] - a[k]) * share)
}

/// The place so far along the middle line and so far outside of it, and whence one came there.
fn place(along: f64, outside: f64) -> DVec2 {
    let half = STRAIGHT + PI * TURN;
    let (side, along) = (if along.rem_euclid(LENGTH) < half { 1.0 } else { -1.0 }, along.rem_euclid(half));
    let p = if along < STRAIGHT {
        dvec2(along - 0.5 * STRAIGHT, -TURN - outside)
    } else {
        let angle = (along - STRAIGHT) / TURN - 0.5 * PI;
        dvec2(0.5 * STRAIGHT, 0.0) + dvec2(ops::cos(angle), ops::sin(angle)) * (TURN + outside)
    };
    p * side
}

/// How far along the middle line a place is [m].
fn along(p: DVec2) -> f64 {
    // The second half is the first one turned round.
    let half = STRAIGHT + PI * TURN;
    let is_first = (p.x < 0.5 * STRAIGHT && p.x >= -0.5 * STRAIGHT && p.y < 0.0) || p.x >= 0.5 * STRAIGHT;
    let (q, before) = if is_first { (p, 0.0) } else { (-p, half) };
    let far = if q.x < 0.5 * STRAIGHT {
        q.x + 0.5 * STRAIGHT
    } else {
        STRAIGHT + TURN * (ops::atan2(q.y, q.x - 0.5 * STRAIGHT) + 0.5 * PI)
    };
    before + far
}

pub struct Oval {
    pub crowd: Crowd,
    journeys: Vec<JourneyId>,
}

impl Oval {
    /// So many with wish speeds of so much and a deviation [m/s], evenly along the middle line.
    pub fn new(count: usize, radius: f64, speed: [f64; 2], config: CrowdConfig) -> Self {
        let half = STRAIGHT + PI * TURN;
        let stations: Vec<f64> = [0.0, half]
            .iter()
            .flat_map(|start| {
                let piece = PI * TURN / PIECES as f64;
                std::iter::once(*start).chain((0..PIECES).map(move |k| start + STRAIGHT + k as f64 * piece))
            })
            .collect();
        let n = stations.len() as u32;
        let corner = |outside: f64| stations.iter().map(move |&at| place(at, outside).extend(0.0));
        let points: Vec<DVec3> = corner(-HALF_WIDTH).chain(corner(HALF_WIDTH)).collect();
        let cells: Vec<Vec<u32>> = (0..n).map(|k| vec![k, n + k, n + (k + 1) % n, (k + 1) % n]).collect();
        let mesh = mesh(&points, &cells);
        let rings: Vec<Vec<DVec2>> = mesh.cells().map(|cell| mesh.cell_points(cell).collect()).collect();
        let mut random = Random(config.seed);
        let mut crowd = Crowd::new(mesh, config);
        let journeys: Vec<JourneyId> = rings
            .into_iter()
            .map(|ring| {
                let goal = crowd.add_goal(Goal::new(Area::Convex { ring, heights: [-1.0, 1.0] }));
                crowd.add_journey(Journey::exit(goal)).unwrap()
            })
            .collect();
        for k in 0..count {
            let at = place(LENGTH * k as f64 / count as f64, 0.0).extend(0.0);
            let lot = 2.0 * (random.unit() + random.unit() + random.unit() - 1.5);
            let speed = speed[0] + speed[1] * lot;
            crowd.add(NewAgent { at, radius, speed, journey: journeys[0], starts_at: 0.0 }).unwrap();
        }
        Self { crowd, journeys }
    }

    /// One step of a sixtieth of a second; how far all have got on along the middle line together [m].
    pub fn step(&mut self) -> f64 {
        let goal = |cell: u32| self.journeys[(cell + AHEAD) as usize % self.journeys.len()];
        let off = |agent: &wayfare_crowd::Agent| agent.journey != goal(agent.cell.0);
        let off: Vec<(AgentId, JourneyId)> =
            self.crowd.agents().filter(off).map(|agent| (agent.id, goal(agent.cell.0))).collect();
        for (id, journey) in off {
            self.crowd.retarget(id, journey).unwrap();
        }
        let before: Vec<f64> = self.crowd.agents().map(|agent| along(agent.at.truncate())).collect();
        self.crowd.step(1.0 / 60.0);
        let gained = |(agent, before): (wayfare_crowd::Agent, f64)| {
            let by = along(agent.at.truncate()) - before;
            by - LENGTH * (by / LENGTH).round()
        };
        self.crowd.agents().zip(before).map(gained).sum()
    }
}
