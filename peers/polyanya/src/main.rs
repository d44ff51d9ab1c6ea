//! Shortest paths side by side with the crate `polyanya` on the shared meshes and their queries.
//!
//! Both answer the same queries in the same run, point location and path points included, in turns, so that
//! a busy machine slows both alike. A query's time is the least of several passes, the same number for both.
//! Every length is compared: ours with theirs to 1e-4 (theirs is `f32`), ours with our plain search to 1e-9.

use std::{fmt::Write as _, hint::black_box, path::Path, process::ExitCode, time::Instant};
use wayfare_core::DVec3;
use wayfare_navmesh::{Accelerator, LocateConfig, NavMesh, PathFinder, PathScratch};
use wayfare_testkit::data;

fn main() -> ExitCode {
    let Some(folder) = data::shared_data() else { return ExitCode::FAILURE };
    let folder = folder.join("polymesh2d");
    println!("# Shortest paths: wayfare and the crate polyanya 0.18\n");
    println!("Times in µs per query, location and path included; least of the passes for each query.\n");
    println!("| mesh | cells | queries | searcher | mean | p99 | times faster | expanded |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut notes = String::new();
    let mut good = true;
    for (mesh, scen, passes) in [
        ("arena/arena-merged.mesh", "arena/arena.scen", 50),
        ("arena/arena.mesh", "arena/arena.scen", 50),
        ("aurora/aurora-merged.mesh.gz", "aurora/aurora.scen.gz", 3),
        ("aurora/aurora.mesh.gz", "aurora/aurora.scen.gz", 3),
    ] {
        // `cargo run --release -- arena` for a quick look at some of them.
        if std::env::args().skip(1).any(|word| !mesh.contains(&word)) {
            continue;
        }
        good &= compare(&folder, mesh, scen, passes, &mut notes);
    }
    println!("\n{notes}");
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn compare(folder: &Path, mesh: &str, scen: &str, passes: usize, notes: &mut String) -> bool {
    let text = data::read_text(&folder.join(mesh)).expect("the mesh can be read");
    let queries: Vec<[DVec3; 2]> = data::parse_scen(&data::read_text(&folder.join(scen)).expect("readable"))
        .expect("a .scen file")
        .iter()
        .map(|query| query.corners().map(|p| p.extend(0.0)))
        .collect();

    let began = Instant::now();
    let mut theirs: polyanya::Mesh =
        polyanya::PolyanyaFile::from_bytes(text.as_bytes()).try_into().expect("polyanya reads its own mesh");
    theirs.bake();
    let their_load = began.elapsed();

    let began = Instant::now();
    let mut navmesh = NavMesh::import_polyanya(text.as_bytes()).expect("our import");
    let import = began.elapsed();
    let began = Instant::now();
    navmesh.set_accelerator(Accelerator::build(&navmesh));
    let accelerate = began.elapsed();
    let began = Instant::now();
    let ours = PathFinder::new(&navmesh);
    let prepare = began.elapsed();
    let plain = PathFinder::plain(&navmesh);

    let config = LocateConfig::default();
    let mut scratch = PathScratch::new();
    let mut path = wayfare_navmesh::Path::default();
    let mut times = vec![[f64::INFINITY; 4]; queries.len()];
    let mut expanded = [0u64; 2];
    let mut good = true;
    for pass in 0..passes {
        for (time, [from, to]) in times.iter_mut().zip(&queries) {
            let flat = |p: &DVec3| glam::Vec2::new(p.x as f32, p.y as f32);
            let began = Instant::now();
            black_box(theirs.path(flat(from), flat(to)));
            time[0] = time[0].min(began.elapsed().as_secs_f64());
        }
        for (time, &[from, to]) in times.iter_mut().zip(&queries) {
            let began = Instant::now();
            let path = black_box(ours.plan_path(from, to, &config, &mut scratch));
            time[1] = time[1].min(began.elapsed().as_secs_f64());
            expanded[0] += path.map_or(0, |path| u64::from(path.expanded));
        }
        for (time, &[from, to]) in times.iter_mut().zip(&queries) {
            let began = Instant::now();
            let _ = black_box(ours.find_into(from, to, &config, &mut scratch, &mut path));
            time[2] = time[2].min(began.elapsed().as_secs_f64());
        }
        for (time, &[from, to]) in times.iter_mut().zip(&queries) {
            let began = Instant::now();
            let path = black_box(plain.plan_path(from, to, &config, &mut scratch));
            time[3] = time[3].min(began.elapsed().as_secs_f64());
            expanded[1] += path.map_or(0, |path| u64::from(path.expanded));
        }
        if pass > 0 {
            continue;
        }
        let (mut worst, mut worst_plain, mut failures) = (0f64, 0f64, 0);
        for &[from, to] in &queries {
            let flat = |p: DVec3| glam::Vec2::new(p.x as f32, p.y as f32);
            let peer = theirs.path(flat(from), flat(to)).map(|path| f64::from(path.length));
            let length = ours.length(from, to, &config, &mut scratch);
            let exact = plain.length(from, to, &config, &mut scratch);
            match (peer, length, exact) {
                (Some(peer), Ok(length), Ok(exact)) => {
                    worst = worst.max((peer - length).abs() / peer.max(1e-9));
                    worst_plain = worst_plain.max((exact - length).abs() / exact.max(1e-9));
                }
                (None, Err(_), Err(_)) => {}
                other => {
                    failures += 1;
                    eprintln!("{mesh} {from} {to}: {other:?}");
                }
            }
        }
        good &= worst <= 1e-4 && worst_plain <= 1e-9 && failures == 0;
        let _ = writeln!(
            notes,
            "- {mesh}: largest relative difference to polyanya {worst:.1e}, to our plain search {worst_plain:.1e}, \
             answers that differ in kind {failures}. Loading: polyanya {:.1} ms, ours {:.1} ms of import and \
             {:.1} ms of preparation. {}",
            their_load.as_secs_f64() * 1e3,
            import.as_secs_f64() * 1e3,
            prepare.as_secs_f64() * 1e3,
            memory(&navmesh, accelerate.as_secs_f64())
        );
    }
    let statistics = |column: usize| {
        let mut all: Vec<f64> = times.iter().map(|time| time[column] * 1e6).collect();
        all.sort_by(f64::total_cmp);
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        (mean, all[(all.len() * 99 / 100).min(all.len() - 1)])
    };
    let (base, _) = statistics(0);
    let (cells, count) = (navmesh.cell_count(), queries.len());
    for (column, name, expanded) in [
        (0, "polyanya", None),
        (1, "wayfare, points", Some(expanded[0])),
        (2, "wayfare, points and corridor", None),
        (3, "wayfare, plain search", Some(expanded[1])),
    ] {
        let (mean, p99) = statistics(column);
        let expanded = expanded.map_or(String::new(), |n| (n / (passes * count) as u64).to_string());
        println!(
            "| {mesh} | {cells} | {count} | {name} | {mean:.2} | {p99:.2} | {:.1} | {expanded} |",
            base / mean
        );
    }
    good
}

/// What the accelerator costs.
fn memory(mesh: &NavMesh, seconds: f64) -> String {
    let Some(accelerator) = mesh.accelerator() else { return "Too small for a graph.".into() };
    let notches = mesh.facts().notches;
    format!(
        "The graph has {} corners and {} edges and takes {} kB, {:.1} bytes per corner of the mesh ({notches}); it was \
         made once in {:.2} s.",
        accelerator.corner_count(),
        accelerator.edge_count(),
        accelerator.bytes() / 1000,
        accelerator.bytes() as f64 / notches as f64,
        seconds
    )
}
