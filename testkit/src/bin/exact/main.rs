//! `cargo xtask bench exact`: every shared scene by exact geometry and by voxels, side by side; and towns of 100,000 triangles.
//!
//! Prints Markdown; progress goes to standard error. Every scene is measured in a process of its own, on one thread. Arguments restrict
//! the scenes to names that hold one of them; `--no-towns` leaves the towns out. `--quick NAME` looks at one scene, without voxels.

mod difference;
mod measure;
mod named;
mod tables;
mod town;

use measure::{Extent, Measured, look, scene_of};
use std::{
    error::Error,
    process::{Command, ExitCode, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};
use wayfare_testkit::data::scenes::scenes;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["--scene", name] => print_one(name, Extent::All),
        ["--town", name] => print_one(name, Extent::Town),
        ["--quick", name] => print_one(name, Extent::Quick),
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

fn print_one(name: &str, extent: Extent) -> Result<(), Box<dyn Error>> {
    let (scene, ground) = scene_of(name)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let measured = pool.install(|| look(name, &scene, &ground, extent));
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
}

/// How long one scene may take, with all that is measured of it [s].
const MOST_SECONDS: f64 = 60.0;

/// This program once more, in a process of its own; stopped if that takes too long.
fn child(option: &str, name: &str) -> Result<Measured, String> {
    eprintln!("{name}");
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args([option, name]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let began = Instant::now();
    // What it prints is one line, which the pipe holds until it has ended.
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if began.elapsed().as_secs_f64() > MOST_SECONDS {
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            return Err(format!("stopped after {MOST_SECONDS} s"));
        }
        sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}", output.status, errors.lines().next().unwrap_or_default()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

fn print_all(words: &[&str]) -> Result<(), Box<dyn Error>> {
    let (options, names): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with("--"));
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part));
    let shared = scenes();
    if shared.is_empty() {
        return Err("the shared data is not there".into());
    }
    let generated = ["terrace-house", "town-house"].map(str::to_owned);
    let all = shared.into_iter().map(|scene| scene.name).chain(generated);
    let wanted: Vec<String> = all.filter(|name| is_wanted(name)).collect();
    let rows: Vec<_> = wanted.into_iter().map(|name| (child("--scene", &name), name)).collect();
    tables::print_scenes(&rows);
    tables::print_areas(&rows);
    tables::print_named(&rows);
    if !options.contains(&"--no-towns") {
        let towns = ["town-of-town-house", "town-of-terrace-house", "town-of-house", "soup-100000-1"];
        let rows: Vec<_> = towns.into_iter().map(|name| (child("--town", name), name.to_owned())).collect();
        tables::print_towns(&rows);
    }
    tables::print_load();
    Ok(())
}
