//! Clearance on the shared maps and scenes: what it costs to make, to keep and to ask.
//!
//! `cargo run --release -p wayfare-testkit --features bench --bin clearance [NAME]...`

use std::{hint::black_box, time::Instant};
use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec2};
use wayfare_floor::{GroundConfig, build_plan};
use wayfare_navmesh::{CellId, NavMesh};
use wayfare_scene::{PlanOptions, generated::scene_by_name, read_plan};
use wayfare_testkit::{
    baked::{Places, bake_scene, ground_config, read},
    data::{self, MapKind, scene_named},
};

/// A point and its cell.
type Place = (CellId, DVec2);

/// Names of generated scenes and shared scenes beside the maps.
const SCENES: [&str; 4] = ["generated:building-3", "generated:spiral-3", "nav_test", "dungeon"];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    println!(
        "| map | cells | boundary edges | bake ms | clearance ms | µs/edge | features/cell | bytes/cell | nodes | at ns | \
         along ns | reachable ns | widest ns |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
    for map in data::maps().into_iter().filter(|map| map.kind != MapKind::PolyMesh && is_wanted(&map.name)) {
        let source = read_plan(&map.path, &PlanOptions::default()).expect("a shared plan");
        let began = Instant::now();
        let (plan, _) = build_plan(&source, &Context::default()).expect("a floor plan");
        let mesh = bake(&plan, &BakeConfig::default(), &Context::default()).expect("a mesh");
        line(&map.name, mesh, began.elapsed().as_secs_f64());
    }
    for name in SCENES.into_iter().filter(|name| is_wanted(name)) {
        let scene = match name.strip_prefix("generated:") {
            Some(generated) => scene_by_name(generated).map(|scene| (scene, GroundConfig::default())),
            None => {
                scene_named(name).map(|shared| (read(&shared).expect("a scene"), ground_config(&shared.body)))
            }
        };
        let Some((scene, ground)) = scene else { continue };
        match bake_scene(&scene, &ground, &BakeConfig::default()) {
            Ok(baked) => line(name, baked.mesh, baked.seconds),
            Err(error) => println!("| {name} | {error} |"),
        }
    }
}

/// Measures one mesh.
fn line(name: &str, mut mesh: NavMesh, baked: f64) {
    let began = Instant::now();
    let clearance = match build_clearance(&mesh, &Context::default()) {
        Ok(clearance) => clearance,
        Err(error) => {
            println!("| {name} | {} cells | {error} |", mesh.cell_count());
            return;
        }
    };
    let seconds = began.elapsed().as_secs_f64();
    let (cells, edges) = (mesh.cell_count(), mesh.boundary().edge_count());
    let (bytes, nodes) = (clearance.bytes(), clearance.nodes().len());
    let listed = clearance.parts().lists.len();
    mesh.set_clearance(Some(clearance));
    let clearances = mesh.clearances().expect("just made");
    let mut places = Places::new(&mesh, 3);
    let pairs: Vec<[Place; 2]> =
        (0..2000).map(|_| [(); 2].map(|()| places.place()).map(|(p, cell)| (cell, p.truncate()))).collect();
    let time = |ask: &dyn Fn(&[Place; 2])| {
        let began = Instant::now();
        for _ in 0..5 {
            pairs.iter().for_each(ask);
        }
        began.elapsed().as_secs_f64() * 1e9 / (5 * pairs.len()) as f64
    };
    let at = time(&|[a, _]| {
        black_box(clearances.at(a.0, a.1));
    });
    let along = time(&|[a, b]| {
        // Lines of a few metres, as pieces of paths are.
        let to = a.1 + (b.1 - a.1).clamp_length_max(5.0);
        black_box(clearances.along(a.0, a.1, to));
    });
    let reachable = time(&|&[a, b]| {
        black_box(clearances.is_reachable(a, b, 0.3));
    });
    let widest = time(&|&[a, b]| {
        black_box(clearances.widest(a, b));
    });
    println!(
        "| {name} | {cells} | {edges} | {:.1} | {:.1} | {:.1} | {:.1} | {:.0} | {nodes} | {at:.0} | {along:.0} | \
         {reachable:.0} | {widest:.0} |",
        baked * 1e3,
        seconds * 1e3,
        seconds * 1e6 / edges as f64,
        listed as f64 / cells as f64,
        bytes as f64 / cells as f64,
    );
}
