//! Meshes of the exact way on shared scenes: both checkers find them sound, and rays find nothing wrong with their paths.
//!
//! `cargo xtask bench exact` has all scenes.

use rayon::prelude::*;
use wayfare_bake::{BakeConfig, ExactMesh, bake_exact};
use wayfare_core::{Context, dvec3};
use wayfare_floor::{GroundConfig, Method};
use wayfare_navmesh::{LocateConfig, PathFinder, PathScratch};
use wayfare_testkit::{
    baked,
    data::scenes::{SharedScene, scene_named},
    independent_check,
};

const PAIRS: usize = 200;

/// Scenes that had ground off by up to 0.4 m beside steps, low walls and gaps, or more than is walkable; or that ended on a coarser grid, lost a
/// wall there, or had two edges between the same two vertices; or whose gaps lacked head room.
const SCENES: [&str; 16] = [
    "aws_small_house",
    "bridges",
    "cpr_office",
    "house",
    "mountain_landscape",
    "nav_test",
    "openarena_czest1dm",
    "openarena_czest2ctf",
    "openarena_oa_dm1",
    "openarena_oa_dm6",
    "openarena_wrackdm17",
    "space_ship_hallway",
    "tower_big",
    "underwater_ground",
    "village_inn",
    "zdm2",
];

/// Those of them that need no coarser grid, nor go without a gap. By points that a gap put on one of two edges back to back, and by needles
/// beside gaps, four of them ended on 0.24 to 15 µm.
const FINEST: [&str; 9] = [
    "aws_small_house",
    "cpr_office",
    "mountain_landscape",
    "nav_test",
    "openarena_czest1dm",
    "openarena_oa_dm6",
    "underwater_ground",
    "village_inn",
    "zdm2",
];

/// In so many places together paths go past a step over the end of the slope that stands for it (217 without `ground/steps.rs`): what is left
/// is told in `docs/exact.md`.
const MOST_CLIMBS: usize = 10;

fn check(shared: &SharedScene) -> (Vec<String>, usize) {
    let name = &shared.name;
    let ground = GroundConfig { method: Method::Exact, ..baked::ground_config(&shared.body) };
    let scene = match baked::read(shared) {
        Ok(scene) => scene,
        Err(error) => return (vec![format!("{name}: {error}")], 0),
    };
    let baked = bake_exact(&scene, &ground, &BakeConfig::default(), &Context::default());
    let ExactMesh { planned, mesh, note, .. } = match baked {
        Ok(baked) => baked,
        Err(error) => return (vec![format!("{name}: {error}")], 0),
    };
    let json = wayfare_view::export::mesh_to_json(&mesh);
    let area = planned.plan.area() + planned.plan.gap_area();
    let tally = baked::check_paths(&scene, &mesh, &ground, PAIRS);
    println!("{name}: {} paths, {} bad, {} climbs", tally.found, tally.bad_paths, tally.climbs);
    let mut faults: Vec<String> = mesh.check().iter().map(ToString::to_string).collect();
    faults.extend(independent_check(&json, Some(area)));
    faults.extend(tally.lost);
    faults.extend(tally.defects.iter().map(|defect| format!("{:?} {defect}", defect.rule)));
    faults.extend(note.filter(|_| FINEST.contains(&name.as_str())));
    if tally.found < PAIRS / 4 {
        faults.push(format!("only {} paths", tally.found));
    }
    (faults.into_iter().map(|fault| format!("{name}: {fault}")).collect(), tally.climbs)
}

#[test]
fn exact_meshes_of_shared_scenes_are_where_the_ground_is() {
    // Without the shared data there is nothing to check; the absence is said once.
    let scenes: Vec<SharedScene> = SCENES.iter().filter_map(|name| scene_named(name)).collect();
    let (faults, climbs): (Vec<Vec<String>>, Vec<usize>) = scenes.par_iter().map(check).unzip();
    let (faults, climbs) = (faults.concat(), climbs.iter().sum::<usize>());
    assert!(faults.is_empty(), "{} faults: {:#?}", faults.len(), &faults[..faults.len().min(20)]);
    assert!(climbs <= MOST_CLIMBS, "{climbs} climbs");
}

#[test]
fn the_finest_grid_of_bridges_keeps_its_railings_and_overlaps_nowhere() {
    let Some(shared) = scene_named("bridges") else { return };
    let ground = GroundConfig { method: Method::Exact, ..baked::ground_config(&shared.body) };
    let scene = baked::read(&shared).unwrap();
    // Slits of 60 nm along the railings were ground (239 places in walls), and gaps split one of two edges back to back (22 N1).
    let baked = baked::bake_scene(&scene, &ground, &BakeConfig::default()).unwrap();
    assert_eq!(baked.mesh.check(), []);
    let tally = baked::check_paths(&scene, &baked.mesh, &ground, PAIRS);
    assert!(tally.found >= PAIRS / 4, "{}", tally.found);
    assert!(tally.defects.is_empty(), "{} defects, the first {:?}", tally.defects.len(), tally.defects[0]);
}

#[test]
fn a_path_past_many_walls_without_thickness_ends() {
    let Some(shared) = scene_named("aws_small_house") else { return };
    let ground = GroundConfig { method: Method::Exact, ..baked::ground_config(&shared.body) };
    let scene = baked::read(&shared).unwrap();
    let made = bake_exact(&scene, &ground, &BakeConfig::default(), &Context::default()).unwrap();
    let finder = PathFinder::new(&made.mesh);
    let [from, to] = [
        dvec3(6.447582857727349, 1.3792422905786055, 0.0),
        dvec3(6.32061503429991, -1.2134279120283031, 0.0),
    ];
    // Which sides of such walls lead on was tried without end: forks in forks.
    let path = finder.find(from, to, &LocateConfig::default(), &mut PathScratch::new()).unwrap();
    // One of a centimetre gets there in 3.471 m.
    assert!((3.4..3.472).contains(&path.length), "{}", path.length);
}
