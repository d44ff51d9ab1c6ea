//! The four kinds of scene of seed 002, who walks in them, and what is asked there: for the bench of gaps and for the one that puts
//! rerecast beside it, which have to ask the same.

use crate::Random;
use wayfare_core::{DVec3, dvec3};
use wayfare_floor::{GroundConfig, Method};
use wayfare_navmesh::{Body, LocateConfig, NavMesh, PathFinder, PathScratch, Within};
use wayfare_scene::{
    Scene,
    generated::scenes::{holes, platforms, terrace_house, town_house},
};

/// How many random pairs of places are asked for, and for which radii [m].
pub const PAIRS: usize = 100_000;
/// Radii of bodies [m].
pub const RADII: [f64; 4] = [0.0, 0.1, 0.2, 0.3];

/// Where from, where to, and whether there is a way for a point that takes steps of 0.4 m and gaps of 0.3 m; written down from the
/// scene's source before anything was run.
pub type Named = (&'static str, [f64; 3], [f64; 3], bool);

/// A step, threshold or slot of a scene, with a place on either side of it, on the ground as it is modelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Before it.
    pub from: DVec3,
    /// After it.
    pub to: DVec3,
}

/// One of the scenes.
pub struct GapScene {
    /// As the command calls it.
    pub name: &'static str,
    /// Its triangles.
    pub scene: Scene,
    /// Ten pairs of places; none outside of houses.
    pub named: &'static [Named],
    /// Its steps, thresholds and slots that a body of 0.4 m step and 0.3 m gap takes, from the scene's source.
    pub crossings: Vec<Crossing>,
}

const TERRACE: [Named; 10] = [
    ("garden to hall, over a step and a threshold", [2.0, -3.0, 0.0], [2.0, 1.0, 0.15], true),
    ("garden to the back room", [2.0, -3.0, 0.0], [2.5, 6.0, 0.15], true),
    ("hall to the room with the stair", [2.0, 2.0, 0.15], [7.0, 1.0, 0.15], true),
    ("that room to the deck", [9.0, 3.0, 0.15], [3.0, 9.55, 0.12], true),
    ("over the deck into the garden behind", [3.0, 8.1, 0.12], [3.0, 12.0, 0.0], true),
    ("garden to the upper storey, by the open stair", [2.0, -3.0, 0.0], [2.0, 2.0, 3.0], true),
    ("from room to room upstairs", [2.0, 2.0, 3.0], [9.0, 7.0, 3.0], true),
    ("garden to the roof", [2.0, -3.0, 0.0], [5.0, 4.0, 5.8], false),
    ("upper storey to the roof", [2.0, 2.0, 3.0], [5.0, 4.0, 5.8], false),
    ("through the gate of the fence", [2.0, -3.0, 0.0], [2.0, -4.95, 0.0], true),
];

const TOWN: [Named; 10] = [
    ("road to pavement, over the kerb", [0.0, -7.0, 0.0], [0.0, -2.0, 0.12], true),
    ("road to hall, up the steps", [0.0, -7.0, 0.0], [2.0, 2.0, 0.6], true),
    ("hall to the back room", [2.0, 2.0, 0.6], [2.0, 7.0, 0.6], true),
    ("back room to the yard", [2.0, 7.0, 0.6], [2.5, 11.0, 0.0], true),
    ("yard out of the gate", [2.5, 11.0, 0.0], [2.5, 12.8, 0.0], true),
    ("road to the upper storey", [0.0, -7.0, 0.0], [2.0, 2.0, 3.2], true),
    ("upstairs from the front to the back", [2.0, 2.0, 3.2], [2.0, 7.0, 3.2], true),
    ("upstairs into the small room", [2.0, 2.0, 3.2], [5.0, 8.0, 3.2], true),
    ("road to the roof", [0.0, -7.0, 0.0], [1.5, 4.5, 6.75], false),
    ("yard to the road, round the house", [2.5, 11.0, 0.0], [0.0, -7.0, 0.0], true),
];

/// Holes, Platforms and the two houses.
pub fn gap_scenes() -> [GapScene; 4] {
    let of = |name, scene, named, crossings| GapScene { name, scene, named, crossings };
    [
        of("holes", holes().scene, &[], Vec::new()),
        of("platforms", platforms().scene, &[], platform_crossings()),
        of("terrace-house", terrace_house().scene, &TERRACE, terrace_crossings()),
        of("town-house", town_house().scene, &TOWN, town_crossings()),
    ]
}

/// The ground by exact geometry; its body takes steps of 0.4 m and gaps of 0.3 m.
pub fn exact_ground() -> GroundConfig {
    GroundConfig { method: Method::Exact, ..GroundConfig::default() }
}

/// The body of that ground.
pub fn body(radius: f64) -> Body {
    let GroundConfig { step, max_gap, .. } = exact_ground();
    Body { step, max_gap, ..Body::disc(radius) }
}

/// Pairs of places drawn by lot where a body fits; the same ones for the same mesh.
pub fn random_pairs(mesh: &NavMesh, radius: f64) -> Vec<[DVec3; 2]> {
    let finder = PathFinder::new(mesh);
    let Ok(mut points) = finder.random_points(&body(radius), &Within::Everywhere, &LocateConfig::default())
    else {
        return Vec::new();
    };
    let mut random = Random::new(1);
    let mut place = || points.draw(|| random.bits()).map(|place| place.point);
    (0..PAIRS).filter_map(|_| Some([place()?, place()?])).collect()
}

/// How many crossings a mesh keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The way from one side to the other goes straight over.
    pub crossed: usize,
    /// The ground is where it is modelled on both sides.
    pub heights: usize,
}

/// How far off the ground may be to be where it is modelled [m].
pub const SAME_HEIGHT: f64 = 0.01;

/// How many crossings a mesh keeps: a straight way is no longer in plan than from place to place. Those that are lost are told on
/// standard error.
pub fn kept_crossings(mesh: &NavMesh, crossings: &[Crossing]) -> Kept {
    let finder = PathFinder::new(mesh);
    let (config, mut scratch) = (LocateConfig::default(), PathScratch::new());
    let mut kept = Kept::default();
    for &Crossing { from, to } in crossings {
        let Ok(path) = finder.find_for(&body(0.0), from, to, &config, &mut scratch) else {
            eprintln!("no way from {from} to {to}");
            continue;
        };
        let straight = (to - from).truncate().length();
        if path.plan_length <= straight + 1e-6 {
            kept.crossed += 1;
        } else {
            eprintln!("{} m from {from} to {to}", path.plan_length);
        }
        let found = [path.points.first().copied().unwrap_or(from), path.points.last().copied().unwrap_or(to)];
        if found.iter().zip([from, to]).all(|(found, wanted)| (found.z - wanted.z).abs() <= SAME_HEIGHT) {
            kept.heights += 1;
        } else {
            eprintln!("{from} and {to} are at {} and {} m", found[0].z, found[1].z);
        }
    }
    kept
}

/// A line of ground at several heights that is walked along: where each height begins, in the direction of the walk.
struct Walk {
    /// The place at 0.
    at: DVec3,
    /// The direction of the walk.
    along: DVec3,
}

impl Walk {
    /// The crossings at which ground at one height ends and at the next begins: where the one ends, where the other begins, and how
    /// high they are. Places on either side are 5 cm from there.
    fn crossings(&self, borders: &[([f64; 2], [f64; 2])]) -> Vec<Crossing> {
        let place = |run: f64, z: f64| (self.at + self.along * run).with_z(z);
        let of = |&([end, start], [before, after]): &([f64; 2], [f64; 2])| Crossing {
            from: place(end - 0.05, before),
            to: place(start + 0.05, after),
        };
        borders.iter().map(of).collect()
    }
}

/// A flight of equal risers from one place and height to another: treads are as long as each other, the last riser ends at the top.
fn flight(run: [f64; 2], z: [f64; 2], risers: usize) -> Vec<([f64; 2], [f64; 2])> {
    let at = |k: usize| run[0] + (run[1] - run[0]) * k as f64 / (risers - 1).max(1) as f64;
    let height = |k: usize| z[0] + (z[1] - z[0]) * k as f64 / risers as f64;
    (0..risers).map(|k| ([at(k); 2], [height(k), height(k + 1)])).collect()
}

/// Up onto a threshold and down again.
fn threshold(run: [f64; 2], z: f64, high: f64) -> [([f64; 2], [f64; 2]); 2] {
    [([run[0]; 2], [z, z + high]), ([run[1]; 2], [z + high, z])]
}

fn platform_crossings() -> Vec<Crossing> {
    let mut found = Vec::new();
    // Aligned: treads of 0.3 m from 3.0 to 4.2, and the landing.
    found.extend(Walk { at: dvec3(0.0, 1.5, 0.0), along: DVec3::X }.crossings(&flight(
        [3.0, 4.2],
        [0.0, 1.0],
        5,
    )));
    // Separated: from the landing on, 0.1 m between treads of 0.3 m.
    let gap = |k: u32| {
        let y = 2.0 + 0.4 * f64::from(k);
        ([y, y + 0.1], [1.0 + 0.2 * f64::from(k), 1.2 + 0.2 * f64::from(k)])
    };
    found.extend(Walk { at: dvec3(4.7, 0.0, 0.0), along: DVec3::Y }.crossings(&[
        gap(0),
        gap(1),
        gap(2),
        gap(3),
    ]));
    // In a bend: every 14° on a radius of 1.6 m a tread begins, 4° before the last one ends; then, at 72°, the last platform.
    for (k, degrees) in [0.0, 14.0, 28.0, 42.0, 56.0, 72.0_f64].into_iter().enumerate() {
        let at = |degrees: f64, z: f64| {
            let angle = degrees.to_radians();
            dvec3(-0.5 + 1.6 * angle.cos(), 3.0 + 1.6 * angle.sin(), z)
        };
        let below = 0.2 * k as f64;
        found.push(Crossing { from: at(degrees - 2.0, below), to: at(degrees + 2.0, below + 0.2) });
    }
    found
}

fn terrace_crossings() -> Vec<Crossing> {
    let mut found = Vec::new();
    let mut walk = |at: DVec3, along: DVec3, borders: &[([f64; 2], [f64; 2])]| {
        found.extend(Walk { at, along }.crossings(borders));
    };
    // The step, the front door, the room behind it.
    walk(
        dvec3(2.0, 0.0, 0.0),
        DVec3::Y,
        &[([-0.6; 2], [0.0, 0.08]), ([0.0; 2], [0.08, 0.19]), ([0.2; 2], [0.19, 0.15])],
    );
    walk(dvec3(7.3, 0.0, 0.0), DVec3::Y, &flight([2.0, 6.2], [0.15, 3.0], 16));
    for z in [0.15, 3.0] {
        walk(dvec3(0.0, 1.45, 0.0), DVec3::X, &threshold([5.0, 5.1], z, 0.02));
        walk(dvec3(0.0, 6.45, 0.0), DVec3::X, &threshold([5.0, 5.1], z, 0.02));
        walk(dvec3(2.45, 0.0, 0.0), DVec3::Y, &threshold([4.0, 4.1], z, 0.02));
    }
    // The back door, the deck with its slots, the garden.
    let mut back = vec![([7.8; 2], [0.15, 0.18]), ([8.0, 8.01], [0.18, 0.12])];
    back.extend((1..20).map(|k| {
        let y = 8.01 + 0.15 * f64::from(k);
        ([y - 0.01, y], [0.12; 2])
    }));
    back.push(([11.0; 2], [0.12, 0.0]));
    walk(dvec3(3.0, 0.0, 0.0), DVec3::Y, &back);
    found
}

fn town_crossings() -> Vec<Crossing> {
    let mut found = Vec::new();
    let mut walk = |at: DVec3, along: DVec3, borders: &[([f64; 2], [f64; 2])]| {
        found.extend(Walk { at, along }.crossings(borders));
    };
    walk(dvec3(0.0, 0.0, 0.0), DVec3::Y, &[([-4.0; 2], [0.0, 0.12])]);
    let front = [-0.9, -0.6, -0.3].map(|y: f64| {
        let below = 0.12 + 0.16 * ((y + 0.9) / 0.3).round();
        ([y; 2], [below, below + 0.16])
    });
    walk(dvec3(1.7, 0.0, 0.0), DVec3::Y, &front);
    walk(dvec3(1.7, 0.0, 0.0), DVec3::Y, &threshold([0.0, 0.25], 0.6, 0.03));
    walk(dvec3(5.1, 0.0, 0.0), DVec3::Y, &flight([3.0, 6.78], [0.6, 3.2], 15));
    for z in [0.6, 3.2] {
        walk(dvec3(3.45, 0.0, 0.0), DVec3::Y, &threshold([4.4, 4.5], z, 0.02));
        walk(dvec3(0.0, 7.65, 0.0), DVec3::X, &threshold([4.2, 4.3], z, 0.02));
    }
    // The back door, and down into the yard.
    walk(dvec3(2.5, 0.0, 0.0), DVec3::Y, &[([8.75; 2], [0.6, 0.63]), ([9.0; 2], [0.63, 0.45])]);
    let back = [9.3, 9.6, 9.9].map(|y: f64| {
        let above = 0.45 - 0.15 * ((y - 9.3) / 0.3).round();
        ([y; 2], [above, above - 0.15])
    });
    walk(dvec3(2.5, 0.0, 0.0), DVec3::Y, &back);
    found
}
