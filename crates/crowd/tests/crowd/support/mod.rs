//! Scenes that the tests share.
#![allow(clippy::allow_attributes, dead_code, reason = "not every test uses every scene")]

pub mod corridor;
pub mod oval;

use std::{collections::BTreeMap, sync::Arc};
use wayfare_bake::build_clearance;
use wayfare_core::{Context, DVec2, DVec3, dvec2, dvec3};
use wayfare_crowd::{Area, Crowd, CrowdConfig, Goal, Journey, JourneyId, NewAgent};
use wayfare_navmesh::{NavMesh, RawNavMesh};

/// SplitMix64.
pub struct Random(pub u64);
impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// A mesh of polygons with its clearance.
pub fn mesh(points: &[DVec3], polygons: &[Vec<u32>]) -> Arc<NavMesh> {
    let mut mesh = RawNavMesh::from_polygons(points, polygons).unwrap().validate().unwrap();
    let clearance = build_clearance(&mesh, &Context::default()).unwrap();
    mesh.set_clearance(Some(clearance));
    Arc::new(mesh)
}

/// A room of `side` metres with a door in the middle of its right wall, which is 0.2 m thick, and a hall of 12 m behind it.
pub fn door_room(side: f64, door: f64) -> Arc<NavMesh> {
    let (low, high, far) = (0.5 * (side - door), 0.5 * (side + door), side + 0.2);
    let points = [
        (0.0, 0.0),
        (side, 0.0),
        (side, low),
        (side, high),
        (side, side),
        (0.0, side),
        (far, low),
        (far, high),
        (far, 0.0),
        (far + 12.0, 0.0),
        (far + 12.0, side),
        (far, side),
    ];
    let points = points.map(|(x, y)| dvec3(x, y, 0.0));
    mesh(&points, &[vec![0, 1, 2, 3, 4, 5], vec![2, 6, 7, 3], vec![8, 9, 10, 11, 7, 6]])
}

/// Ground of rectangles (x0, y0, x1, y1) that touch or overlap, cut along all of their edges.
pub fn rooms(rectangles: &[[f64; 4]]) -> Arc<NavMesh> {
    let lines = |a: usize, b: usize| {
        let mut lines: Vec<f64> = rectangles.iter().flat_map(|r| [r[a], r[b]]).collect();
        lines.sort_by(f64::total_cmp);
        lines.dedup();
        lines
    };
    let (xs, ys) = (lines(0, 2), lines(1, 3));
    let mut numbers: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    let (mut points, mut cells) = (Vec::new(), Vec::new());
    for (j, y) in ys.windows(2).enumerate() {
        for (i, x) in xs.windows(2).enumerate() {
            let (cx, cy) = (0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1]));
            if !rectangles.iter().any(|r| r[0] < cx && cx < r[2] && r[1] < cy && cy < r[3]) {
                continue;
            }
            let mut corner = |i: usize, j: usize| {
                *numbers.entry((i, j)).or_insert_with(|| {
                    points.push(dvec3(xs[i], ys[j], 0.0));
                    points.len() as u32 - 1
                })
            };
            cells.push(vec![corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)]);
        }
    }
    mesh(&points, &cells)
}

/// Places for discs between two corners that do not touch: by lot while that works, else on a lattice.
pub fn places(radii: &[f64], low: DVec2, high: DVec2, random: &mut Random) -> Vec<DVec2> {
    let mut found: Vec<DVec2> = Vec::new();
    let mut tries = 0;
    'discs: for &radius in radii {
        loop {
            tries += 1;
            if tries > 400 * radii.len() {
                break 'discs;
            }
            let edge = radius + 0.001;
            let p = dvec2(
                random.between(low.x + edge, high.x - edge),
                random.between(low.y + edge, high.y - edge),
            );
            if found.iter().zip(radii).all(|(q, other)| q.distance(p) > radius + other + 0.001) {
                found.push(p);
                break;
            }
        }
    }
    if found.len() == radii.len() {
        return found;
    }
    let largest = radii.iter().fold(0.0, |a: f64, &b| a.max(b));
    let columns = ((high.x - low.x) / (2.0 * largest + 0.005)).floor();
    let space = (high.x - low.x) / columns;
    (0..radii.len())
        .map(|k| low + dvec2((k as f64 % columns).floor() + 0.5, (k as f64 / columns).floor() + 0.5) * space)
        .collect()
}

/// A crowd in a room that wants to get out.
pub struct Exit {
    pub crowd: Crowd,
    pub journey: JourneyId,
}

pub fn exit_crowd(side: f64, door: f64, radii: &[f64], speed: f64, seed: u64, config: CrowdConfig) -> Exit {
    let mut crowd = Crowd::new(door_room(side, door), config);
    let goal =
        crowd.add_goal(Goal::new(Area::rectangle(dvec2(side + 5.0, -1.0), dvec2(side + 20.0, side + 1.0))));
    let journey = crowd.add_journey(Journey::exit(goal)).unwrap();
    let mut random = Random(seed);
    for (at, &radius) in places(radii, DVec2::ZERO, DVec2::splat(side), &mut random).into_iter().zip(radii) {
        let agent = NewAgent { at: at.extend(0.0), radius, speed, journey, starts_at: 0.0 };
        crowd.add(agent).unwrap();
    }
    Exit { crowd, journey }
}

/// What is measured at a door.
#[derive(Debug, Default)]
pub struct Measured {
    /// Times at which agents passed the line [s].
    pub passed: Vec<f64>,
    pub max_overlap: f64,
    pub max_wall_overlap: f64,
    pub off_mesh: usize,
    pub seconds: f64,
    pub agent_steps: usize,
}

impl Measured {
    /// Persons per metre and second over the middle 80 % of the passages.
    pub fn flow(&self, width: f64) -> f64 {
        let n = self.passed.len();
        if n < 10 {
            return 0.0;
        }
        let (from, to) = (n / 10, n - 1 - n / 10);
        (to - from) as f64 / (self.passed[to] - self.passed[from]) / width
    }
    pub fn longest_pause(&self) -> f64 {
        self.passed.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
    }
    pub fn micros(&self) -> f64 {
        self.seconds * 1e6 / self.agent_steps.max(1) as f64
    }
}

/// Runs a crowd at 60 Hz and measures who passes x = `line` from left to right. Overlaps are looked for by brute force, every
/// so many steps.
pub fn run(crowd: &mut Crowd, seconds: f64, line: f64, brute_every: usize) -> Measured {
    let mut measured = Measured::default();
    let mut before: Vec<(u32, f64)> = Vec::new();
    for step in 0..(seconds * 60.0) as usize {
        before.clear();
        before.extend(crowd.agents().map(|agent| (agent.id.0, agent.at.x)));
        let clock = cpu_seconds();
        measured.agent_steps += crowd.len();
        crowd.step(1.0 / 60.0);
        measured.seconds += cpu_seconds() - clock;
        let mut k = 0;
        for agent in crowd.agents() {
            while before[k].0 != agent.id.0 {
                k += 1;
            }
            if before[k].1 < line && agent.at.x >= line {
                measured.passed.push(crowd.time());
            }
        }
        measured.max_overlap = measured.max_overlap.max(crowd.report().max_overlap);
        measured.off_mesh += crowd.report().off_mesh;
        if step % brute_every == 0 {
            let (overlap, wall) = brute_overlap(crowd);
            measured.max_overlap = measured.max_overlap.max(overlap);
            measured.max_wall_overlap = measured.max_wall_overlap.max(wall);
        }
        if crowd.is_empty() {
            break;
        }
    }
    measured
}

/// The largest overlap of two bodies on one storey, and of a body and the boundary of the mesh.
pub fn brute_overlap(crowd: &Crowd) -> (f64, f64) {
    let agents: Vec<_> = crowd.agents().collect();
    let (mut bodies, mut walls) = (0.0f64, 0.0f64);
    for (k, a) in agents.iter().enumerate() {
        for b in &agents[k + 1..] {
            if (a.at.z - b.at.z).abs() < 1.0 {
                let distance = a.at.truncate().distance(b.at.truncate());
                bodies = bodies.max(a.radius + b.radius - distance);
            }
        }
        let mesh = crowd.mesh();
        assert!(mesh.contains(a.cell, a.at.truncate()), "{a:?} is not in its cell");
        let room = mesh.clearances().unwrap().at(a.cell, a.at.truncate()).unwrap().distance;
        walls = walls.max(a.radius - room);
    }
    (bodies, walls)
}

/// Seconds that this thread has worked; of the clock on the wall where the system does not tell.
pub fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    nanos.map_or_else(
        || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64(),
        |nanos| nanos * 1e-9,
    )
}
