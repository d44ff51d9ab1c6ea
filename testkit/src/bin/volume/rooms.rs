//! Generated rooms with turned boxes, cylinders and cones, some through each other: from 264 to 67,584 triangles.

use crate::measure::{HEAD, RULE, measured};
use std::error::Error;
use wayfare_core::{Context, DVec3, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_scene::Scene;
use wayfare_testkit::Random;
use wayfare_volume::{GrowthConfig, VolumeConfig, growth, partition};

/// Obstacles of the smallest room, and how often four times as many are taken.
const FIRST: usize = 12;
const ROOMS: u32 = 5;
/// Rooms that are grown, too: the first.
const GROWN: u32 = 1;
/// Distance between seeds [m], of regions and of boxes; pockets narrower than a twentieth of it are left. (Boxes from seeds as near as those
/// of regions are smaller, and many times as many.)
const SEEDS: [f64; 2] = [0.5, 2.0];
/// Boxes grow until they cover this share: where surfaces are aslant they would never end.
const BOXED: f64 = 0.98;
/// Points by lot for what is covered.
const POINTS: usize = 1_000_000;
/// Sides of cylinders and cones.
const SIDES: u32 = 10;

/// A convex solid: its planes point outwards.
type Solid = Vec<(DVec3, f64)>;

pub fn print(wanted: &str) -> Result<(), Box<dyn Error>> {
    println!(
        "## Rooms\n\nBoxes, cylinders and cones of {SIDES} sides, turned by lot, some through each other; 12 obstacles in a cube of 10 m, and as dense when \
         there are more. *points*: of {POINTS} points by lot outside of all obstacles, those that lie in a region. The first room also by growth from seeds {} m apart, \
         and by growth of boxes from seeds {} m apart, which ends when they hold {} % of the free volume: beside slanted faces there is always room for smaller ones. *per triangle*: \
         seconds against those of the first room, for as many triangles.\n\n{HEAD} points | per triangle |\n{RULE}--:|--:|",
        SEEDS[0],
        SEEDS[1],
        100.0 * BOXED
    );
    let mut first = None;
    for power in 0..ROOMS {
        let obstacles = FIRST << (2 * power);
        let name = format!("{obstacles} obstacles");
        if !name.contains(wanted) {
            continue;
        }
        let side = 10.0 * (4f64.powi(power as i32)).cbrt();
        let (mesh, solids) = room(obstacles, side);
        let scene = Scene::from_mesh(mesh);
        let config = VolumeConfig {
            bounds: Some([DVec3::ZERO, DVec3::splat(side)]),
            radius: 0.05,
            ..VolumeConfig::default()
        };
        let context = Context::default();
        let cut = measured(|| partition(&scene, &config, &context))?;
        let mut random = Random::new(77);
        let (mut free, mut held) = (0, 0);
        // Solids are looked at one by one: fewer points where there are many.
        for _ in 0..POINTS.min(POINTS * 192 / obstacles.max(192)) {
            let p = dvec3(random.unit(), random.unit(), random.unit()) * side;
            if solids.iter().any(|solid| solid.iter().all(|(normal, offset)| normal.dot(p) <= *offset)) {
                continue;
            }
            free += 1;
            held += usize::from(cut.mesh.region_at(p).is_some());
        }
        let per_triangle = cut.seconds / scene.mesh.triangles.len() as f64;
        let first = *first.get_or_insert(per_triangle);
        println!(
            "{} {:.3} % | {:.2} |",
            cut.row(&name, &scene),
            100.0 * held as f64 / f64::from(free),
            per_triangle / first
        );
        if power >= GROWN {
            continue;
        }
        let kinds = [("grown", false, SEEDS[0], 1.0), ("boxes", true, SEEDS[1], BOXED)];
        for (name, boxes_only, seeds, enough) in kinds {
            let growing =
                GrowthConfig { boxes_only, seed_size: Some(seeds), enough, ..GrowthConfig::default() };
            let grown = measured(|| growth(&scene, &config, &growing, &context))?;
            println!("{} | |", grown.row(&format!("– {name}"), &scene));
        }
    }
    println!();
    Ok(())
}

fn room(obstacles: usize, side: f64) -> (TriangleMesh, Vec<Solid>) {
    let mut random = Random::new(5);
    let mut mesh = TriangleMesh::default();
    let mut solids = Vec::new();
    for k in 0..obstacles {
        let mut by_lot = |low: f64, high: f64| low + (high - low) * random.unit();
        let mut direction =
            || dvec3(by_lot(-1.0, 1.0), by_lot(-1.0, 1.0), by_lot(-1.0, 1.0)).normalize_or(DVec3::X);
        let u = direction();
        let w = u.cross(direction()).normalize_or(DVec3::Z);
        let v = w.cross(u);
        let at = dvec3(by_lot(1.0, side - 1.0), by_lot(1.0, side - 1.0), by_lot(1.0, side - 1.0));
        let size = [by_lot(0.3, 1.0), by_lot(0.3, 1.0)];
        let place = |x: f64, y: f64, z: f64| at + u * (x * size[0]) + v * (y * size[0]) + w * (z * size[1]);
        let (points, faces) = match k % 3 {
            0 => prism(4, 1.0),
            1 => prism(SIDES, 1.0),
            _ => prism(SIDES, 0.0),
        };
        let points: Vec<DVec3> = points.into_iter().map(|p| place(p.x, p.y, p.z)).collect();
        let first = mesh.vertices.len() as u32;
        let mut solid = Solid::new();
        for face in faces {
            let [a, b, c] = [0, 1, 2].map(|j| points[face[j] as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            solid.push((normal, normal.dot(a)));
            let fan = 2..face.len();
            mesh.triangles.extend(fan.map(|j| [face[0], face[j - 1], face[j]].map(|corner| first + corner)));
        }
        mesh.vertices.extend(points);
        solids.push(solid);
    }
    (mesh, solids)
}

/// A prism, or a cone if its top is a point: corners, and faces counter-clockwise seen from outside.
fn prism(sides: u32, top: f64) -> (Vec<DVec3>, Vec<Vec<u32>>) {
    let ring = |z: f64, wide: f64| {
        (0..sides).map(move |k| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(sides);
            let (sin, cos) = (wayfare_core::ops::sin(angle), wayfare_core::ops::cos(angle));
            dvec3(wide * cos, wide * sin, z)
        })
    };
    let mut points: Vec<DVec3> = ring(-1.0, 1.0).collect();
    let mut faces = vec![(0..sides).rev().collect::<Vec<u32>>()];
    let next = |k: u32| (k + 1) % sides;
    if top > 0.0 {
        points.extend(ring(1.0, top));
        faces.push((sides..2 * sides).collect());
        faces.extend((0..sides).map(|k| vec![k, next(k), sides + next(k), sides + k]));
    } else {
        points.push(DVec3::Z);
        faces.extend((0..sides).map(|k| vec![k, next(k), sides]));
    }
    (points, faces)
}
