//! A 3D scene becomes one mesh over all its storeys, and a path leads from the entrance to the top floor.
//!
//! `cargo run --example scene_to_mesh [SCENE.glb X,Y,Z]`; without a scene the built-in building is used. The ground is what can
//! be reached from the place.

use std::path::Path;
use wayfare::{prelude::*, scene::generated::scene_by_name};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (scene, entrance) = match arguments.as_slice() {
        [file, place] => (read_scene(Path::new(file), &SceneOptions::default())?, parse(place)?),
        [] => (scene_by_name("building-3").ok_or("a built-in scene")?, dvec3(-2.0, 8.0, 0.0)),
        _ => return Err("give a scene and a place, or nothing".into()),
    };
    println!("{} triangles", scene.mesh.triangles.len());
    if !scene.repair.is_empty() {
        println!("repaired: {}", scene.repair);
    }

    // What can be walked on by an adult, and reached from the entrance.
    let context = Context::default();
    let ground =
        GroundConfig { keep: Keep::Reachable, reach_from: vec![entrance], ..GroundConfig::default() };
    let made = plan_scene(&scene, &ground, &context)?;
    made.notes.iter().for_each(|note| println!("{note}"));
    let mesh = bake(&made.plan, &BakeConfig::default(), &context)?;
    println!("{:.1} m² in {} layers became {} cells", mesh.area(), made.plan.layers.len(), mesh.cell_count());

    if arguments.is_empty() {
        // The same place on the ground floor and on the top floor: z tells them apart.
        let finder = PathFinder::new(&mesh);
        let mut scratch = PathScratch::new();
        let mut length_to = |goal| {
            let path = finder.find(entrance, goal, &LocateConfig::default(), &mut scratch)?;
            Ok::<f64, NoPath>(path.length)
        };
        let (low, high) = (length_to(dvec3(20.0, 4.0, 0.0))?, length_to(dvec3(20.0, 4.0, 6.48))?);
        println!("to the room on the ground floor {low:.2} m, to the one on the top floor {high:.2} m");
        assert!(high > low + 10.0);
    }
    Ok(())
}

fn parse(place: &str) -> Result<DVec3, Box<dyn std::error::Error>> {
    let numbers = place.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
    let place: [f64; 3] = numbers.try_into().map_err(|_| "a place is X,Y,Z")?;
    Ok(DVec3::from_array(place))
}
