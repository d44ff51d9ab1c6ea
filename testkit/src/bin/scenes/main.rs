//! `cargo xtask bench scenes`: every shared scene from its triangles to a checked mesh and to paths that rays agree with; a million
//! triangles; and the thesis's tables on generated scenes.
//!
//! Prints Markdown; progress goes to standard error. Everything is measured in child processes, one after another, so that the peak
//! memory is that of one bake and a scene that fails takes no other with it. Arguments restrict the shared scenes to names that hold
//! one of them; `--no-copies` leaves the million triangles out; `--paths` looks at paths alone and lists the places where they are bad.

mod child;
mod copies;
mod one_scene;
mod paths;
mod thesis;

use std::{error::Error, process::ExitCode};
use wayfare_testkit::data;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["--scene", name] => one_scene::print(name),
        ["--copies", count, threads, runs] => copies::print([count, threads, runs]),
        ["--paths", names @ ..] => paths::print(names),
        words => print_all(words),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print_all(words: &[&str]) -> Result<(), Box<dyn Error>> {
    let (options, names): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with("--"));
    let scenes = data::scenes::scenes();
    if scenes.is_empty() {
        return Err("the shared data is not there".into());
    }
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part));
    let mut rows = Vec::new();
    for scene in scenes.iter().filter(|scene| is_wanted(&scene.name)) {
        rows.push(one_scene::measure(scene));
    }
    println!("# Scenes\n");
    println!("{}\n", load_words());
    one_scene::print_table(&rows);
    if !options.contains(&"--no-copies") {
        copies::print_table()?;
    }
    thesis::print_tables()
}

/// How busy the machine is, in words.
fn load_words() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    match load.split(' ').next().filter(|word| !word.is_empty()) {
        Some(load) => {
            format!("Load average of the machine at the end of the scenes, this bench included: {load}.")
        }
        None => "The load of the machine is not known.".into(),
    }
}
