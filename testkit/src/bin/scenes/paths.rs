//! Paths alone: how many are bad, and at which places.

use rayon::prelude::*;
use std::error::Error;
use wayfare_bake::BakeConfig;
use wayfare_testkit::{
    baked,
    data::scenes::{SharedScene, scenes},
};

use crate::one_scene::{PAIRS, RULES};

/// Defects that are nearer to each other are at one place [m].
const APART: f64 = 0.5;

/// Bakes the scenes whose names hold one of some words, or all, and lists the bad places of their paths.
pub fn print(names: &[&str]) -> Result<(), Box<dyn Error>> {
    let all = scenes();
    let is_wanted =
        |scene: &&SharedScene| names.is_empty() || names.iter().any(|part| scene.name.contains(part));
    let wanted: Vec<&SharedScene> = all.iter().filter(is_wanted).collect();
    let looked: Vec<Result<(String, [usize; 2]), String>> =
        wanted.par_iter().map(|scene| look(scene)).collect();
    let (mut found, mut bad) = (0, 0);
    for scene in looked {
        let (words, [paths, bad_paths]) = scene?;
        print!("{words}");
        found += paths;
        bad += bad_paths;
    }
    println!("all: {bad} of {found} paths are bad");
    Ok(())
}

fn look(shared: &SharedScene) -> Result<(String, [usize; 2]), String> {
    let scene = baked::read(shared).map_err(|error| error.to_string())?;
    let ground = baked::ground_config(&shared.body);
    let mesh = baked::bake_scene(&scene, &ground, &BakeConfig::default())?.mesh;
    let tally = baked::check_paths(&scene, &mesh, &ground, PAIRS);
    let lost = tally.lost.len();
    let mut words =
        format!("{}: {} of {} paths are bad, {lost} lost\n", shared.name, tally.bad_paths, tally.found);
    for rule in RULES {
        for place in tally.places(rule, APART) {
            words += &format!("  {} paths, {rule:?} {}\n", place.paths, place.worst);
        }
    }
    Ok((words, [tally.found, tally.bad_paths]))
}
