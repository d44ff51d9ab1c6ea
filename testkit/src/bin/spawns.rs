//! `cargo xtask bench spawns`: where players of the shared levels appear, whether a cell is below, and who can walk to whom.
//!
//! Prints Markdown; progress goes to standard error. An argument restricts the levels to names that hold it.

use rayon::prelude::*;
use std::{collections::BTreeMap, error::Error};
use wayfare_bake::BakeConfig;
use wayfare_core::{DVec3, Id as _};
use wayfare_navmesh::{LocateConfig, NavMesh};
use wayfare_testkit::{
    RayCheck,
    baked::{self, Baked},
    data::{
        self,
        scenes::{SharedScene, scenes},
    },
    entities::{SpawnPoint, parse_entities, spawn_points},
};

/// Nothing hangs higher than this over the ground [m]; a test of testkit says so.
const DEEPEST_FALL: f64 = 10.0;

/// What separates spawn points that cannot be walked between, found by looking at pictures of the storeys.
const REASONS: [(&str, &str); 8] = [
    (
        "openarena_czest2ctf",
        "Looked at: each team waits in a closed hall 26 m long, 116 m behind its end of the field. There is nothing between hall and \
         field; the teleporters end at the field, at (0, ±105.7, 3.9).",
    ),
    (
        "openarena_hydronex2",
        "Looked at: the two rooms lie behind solid walls, 1.6 m thick, at y = -121.9 and 120.2, without a door. Teleporters end 9 m in \
         front of the walls.",
    ),
    (
        "openarena_kaos2",
        "Looked at storey by storey: halls at three heights about 10 m apart, the two lowest apart from each other, with no stairs to be \
         seen between them. Where the jump pads and teleporters lead was not followed.",
    ),
    (
        "openarena_oa_dm6",
        "Looked at: an alcove in the wall of a hall, 3.4 m over its floor, with no stairs and no floor at its height within 7 m. Who appears \
         there drops down.",
    ),
    (
        "openarena_oa_pvomit",
        "Looked at: the floors of this space station are plates and slats with real slots between them, 8 units (0.2 m) wide and deeper \
         than a step, as at x = -2.845 to -2.642, y = 35 to 39.8. A player strides over them; ground that can be walked without a gap \
         ends there.",
    ),
    (
        "openarena_pul1ctf",
        "Looked at storey by storey: two floors. From the lower one, at 0 m, ramps lead up to 4.9 m and no further; the upper one is at 6.5 \
         to 10 m. Where a way up seems to be, as at (7.6, -71), a wall curves up 1.6 m and the target of a jump pad lies over it.",
    ),
    (
        "openarena_suspended",
        "Looked at storey by storey: round decks at 5, 15 and 28 m over each other, and platforms at the heights of the decks that hang \
         beside them, 0.6 m of void or more between, as at (16.8, -22.3, 27.9). Players jump; jump pads lead from deck to deck.",
    ),
    (
        "openarena_wrackdm17",
        "Looked at storey by storey: platforms that hang in the void, a court at 0.8 m, wings at 10 to 12 m, a landing 7 m below and 55 m \
         away. Where the jump pads and teleporters lead was not followed.",
    ),
];

/// One spawn point in its level.
struct Spawn {
    point: SpawnPoint,
    /// How far the feet are over the ground of the source triangles [m]; infinite where there is none.
    fall: f64,
    /// The component it stands on or falls onto, and where.
    landing: Option<(usize, DVec3)>,
}

/// A level with its spawn points.
struct Level {
    name: String,
    spawns: Vec<Spawn>,
    step: f64,
    /// Area of each component [m²].
    areas: Vec<f64>,
    /// Jump pads, teleporters, lifts and doors.
    movers: [usize; MOVERS.len()],
}

/// Classes of things that move players or the ground, and what they are.
const MOVERS: [(&str, &str); 4] = [
    ("trigger_push", "jump pads"),
    ("trigger_teleport", "teleporters"),
    ("func_plat", "lifts"),
    ("func_door", "doors"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let scenes: Vec<SharedScene> = scenes()
        .into_iter()
        .filter(|scene| scene.entities.is_some() && scene.name.contains(&wanted))
        .collect();
    if scenes.is_empty() {
        return Err("there are no levels with spawn points".into());
    }
    let levels: Result<Vec<Level>, String> = scenes.par_iter().map(look).collect();
    print(&levels?);
    Ok(())
}

fn look(shared: &SharedScene) -> Result<Level, String> {
    let name = |error: String| format!("{}: {error}", shared.name);
    let scene = baked::read(shared).map_err(|error| name(error.to_string()))?;
    let ground = baked::ground_config(&shared.body);
    let Baked { mesh, .. } = baked::bake_scene(&scene, &ground, &BakeConfig::default()).map_err(name)?;
    let rays = RayCheck::new(scene.mesh.all_points(), baked::ray_body(&ground));
    let spawn = |point: SpawnPoint| {
        let fall = rays.ground_below(point.origin).map_or(f64::INFINITY, |z| point.feet.z - z);
        let reach = if fall <= ground.step { ground.step } else { DEEPEST_FALL };
        let config = LocateConfig { snap: 0.0, height: reach, step: ground.step };
        let landing = mesh.locate(point.feet, &config).map(|found| (found.component.index(), found.point));
        Spawn { point, fall, landing }
    };
    let spawns = spawn_points(shared).into_iter().map(spawn).collect();
    eprintln!("{}", shared.name);
    Ok(Level {
        name: shared.name.clone(),
        spawns,
        step: ground.step,
        areas: component_areas(&mesh),
        movers: movers(shared).map_err(name)?,
    })
}

fn movers(shared: &SharedScene) -> Result<[usize; MOVERS.len()], String> {
    let Some(path) = &shared.entities else { return Ok([0; MOVERS.len()]) };
    let bytes = data::read_bytes(path).map_err(|error| error.to_string())?;
    let entities = parse_entities(&String::from_utf8_lossy(&bytes))?;
    Ok(MOVERS.map(|(class, _)| entities.iter().filter(|entity| entity.class() == class).count()))
}

fn component_areas(mesh: &NavMesh) -> Vec<f64> {
    let mut areas = vec![0.0; mesh.component_count()];
    mesh.cells().for_each(|cell| areas[mesh.component(cell).index()] += mesh.cell_area(cell));
    areas
}

impl Level {
    fn stands(&self, spawn: &Spawn) -> bool {
        spawn.fall <= self.step
    }

    /// Components with the numbers of their spawn points, those with most first.
    fn groups(&self) -> Vec<(usize, Vec<&Spawn>)> {
        let mut groups: BTreeMap<usize, Vec<&Spawn>> = BTreeMap::new();
        for spawn in &self.spawns {
            if let Some((component, _)) = spawn.landing {
                groups.entry(component).or_default().push(spawn);
            }
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(component, spawns)| (usize::MAX - spawns.len(), *component));
        groups
    }
}

fn print(levels: &[Level]) {
    println!("# Spawn points\n");
    println!(
        "Where players appear in the shared levels, for their own body: 56 units tall, steps of 18, an inch each; pixels of 0.1 m. A \
         point *stands* if the ground of the source triangles is within a step below the player's feet; the others hang in the air and \
         are let fall. *over a cell*: the mesh has ground there, within a step of the feet or, for those that hang, anywhere below. \
         *groups*: points of one group can be walked between, with the number of points and the area that they share; jumps, jump \
         pads, lifts and teleporters do not count.\n"
    );
    println!(
        "| level | points | stand | over a cell | hang | over a cell | groups: points (area [m²]) |\n|---|--:|--:|--:|--:|--:|---|"
    );
    let mut totals = [0; 5];
    for level in levels {
        let count = |stands: bool, landed: bool| {
            let of = |spawn: &&Spawn| level.stands(spawn) == stands && (!landed || spawn.landing.is_some());
            level.spawns.iter().filter(of).count()
        };
        let counts = [
            level.spawns.len(),
            count(true, false),
            count(true, true),
            count(false, false),
            count(false, true),
        ];
        totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
        let group = |(component, spawns): &(usize, Vec<&Spawn>)| {
            format!("{} ({:.1})", spawns.len(), level.areas[*component])
        };
        let groups: Vec<String> = level.groups().iter().map(group).collect();
        let counts = counts.map(|count| count.to_string()).join(" | ");
        println!("| {} | {counts} | {} |", level.name, groups.join(", "));
    }
    println!("| all | {} | |", totals.map(|total| total.to_string()).join(" | "));

    println!("\n## Standing, but not over a cell\n");
    let missing = levels.iter().flat_map(|level| {
        level
            .spawns
            .iter()
            .filter(|spawn| level.stands(spawn) && spawn.landing.is_none())
            .map(move |spawn| (level, spawn))
    });
    let missing: Vec<String> = missing
        .map(|(level, spawn)| {
            format!(
                "- {}: {} at {}, {:.2} m over the ground",
                level.name,
                spawn.point.class,
                words(spawn.point.feet),
                spawn.fall
            )
        })
        .collect();
    println!("{}", if missing.is_empty() { "None.".into() } else { missing.join("\n") });

    println!("\n## In the air\n");
    println!(
        "| level | point | feet | over the ground [m] | lands on a cell at height | group of |\n|---|---|---|--:|--:|--:|"
    );
    for level in levels {
        for spawn in level.spawns.iter().filter(|spawn| !level.stands(spawn)) {
            let landing = spawn.landing.map_or(("none".into(), String::new()), |(component, point)| {
                let same = |other: &&Spawn| other.landing.is_some_and(|(other, _)| other == component);
                (format!("{:.2}", point.z), level.spawns.iter().filter(same).count().to_string())
            });
            println!(
                "| {} | {} | {} | {:.2} | {} | {} |",
                level.name,
                spawn.point.class,
                words(spawn.point.feet),
                spawn.fall,
                landing.0,
                landing.1
            );
        }
    }

    println!("\n## What separates the groups\n");
    for level in levels {
        let groups = level.groups();
        if groups.len() < 2 {
            continue;
        }
        let list = |(component, spawns): &(usize, Vec<&Spawn>)| {
            let places: Vec<String> = spawns.iter().take(2).map(|spawn| words(spawn.point.feet)).collect();
            let more = if spawns.len() > places.len() { ", …" } else { "" };
            format!("{} on {:.1} m² at {}{more}", spawns.len(), level.areas[*component], places.join(", "))
        };
        let small: Vec<String> = groups.iter().skip(1).map(list).collect();
        let movers = MOVERS.iter().zip(level.movers).filter(|(_, count)| *count > 0);
        let movers: Vec<String> = movers.map(|((_, what), count)| format!("{count} {what}")).collect();
        let reason = REASONS
            .iter()
            .find(|(name, _)| *name == level.name)
            .map_or("Not looked at.", |(_, reason)| reason);
        println!(
            "- {}: apart from the largest group are {}. The level has {}. {reason}",
            level.name,
            small.join("; "),
            movers.join(", ")
        );
    }
}

fn words(p: DVec3) -> String {
    format!("({:.1}, {:.1}, {:.1})", p.x, p.y, p.z)
}
