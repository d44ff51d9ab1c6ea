//! Voxel maps: boxes, and their queries beside the grid's own shortest paths.

use rayon::prelude::*;
use std::{error::Error, path::PathBuf, time::Instant};
use wayfare_core::{Context, DVec3, dvec3};
use wayfare_scene::{VoxelMap, read_bytes};
use wayfare_testkit::{Random, VoxelWorld, data::shared_data};
use wayfare_volume::{FlyFinder, FlyScratch, VolumeConfig, decompose_voxels};

/// Queries that a grid search answers too, and those whose paths are refined.
const GRID: usize = 100;
const REFINED: usize = 200;
/// Changes tried by lot on each of them.
const ROUNDS: usize = 20_000;
/// The largest file that is read [bytes].
const LARGEST: u64 = 1 << 32;

struct Query {
    from: DVec3,
    to: DVec3,
    /// The grid's shortest path, as the file says.
    length: f64,
}

fn read_queries(path: &std::path::Path, rows: usize) -> Result<Vec<Query>, Box<dyn Error>> {
    let text = String::from_utf8(read_bytes(path, LARGEST)?)?;
    let mut queries = Vec::new();
    for line in text.lines().skip(2).filter(|line| !line.trim().is_empty()) {
        let numbers: Vec<f64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let &[a, b, c, d, e, f, length, ..] = numbers.as_slice() else { return Err("a short row".into()) };
        queries.push(Query { from: dvec3(a, b, c) + 0.5, to: dvec3(d, e, f) + 0.5, length });
    }
    let stride = (queries.len() / rows.max(1)).max(1);
    Ok(queries.into_iter().step_by(stride).collect())
}

/// Without `is_compared` there are no grid searches and no refinements, which take most of the time.
pub fn print(name: &str, rows: usize, is_compared: bool) -> Result<(), Box<dyn Error>> {
    let folder = shared_data().ok_or("there is no shared data")?.join("voxel3d");
    let mut maps: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    maps.retain(|path| {
        path.to_string_lossy().ends_with(".3dmap.gz") && path.to_string_lossy().contains(name)
    });
    maps.sort();
    println!(
        "## Voxel maps\n\nThe maps of movingai.com with their queries. *Lengths* are relative to the grid's shortest paths as the file \
         states them: mean, worst, and the mean of the straight lines from start to goal, below which nothing is. *longer*: queries \
         whose path is longer than the grid's. *refined*: how much shorter {REFINED} paths become on average, and at most, after \
         {ROUNDS} changes tried by lot on each. *grid*: a 26-connected A* on the same voxels answers {GRID} of the queries; both \
         were timed on these, in one run on one thread.\n\n\
         | map | free voxels | boxes | portals | cut [s] | queries | without path | longer | mean | worst | straight | refined: mean | most | \
         path [ms] | grid [ms] | ratio | all queries: mean [ms] |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    );
    for path in maps {
        row(&path, rows, is_compared)?;
    }
    Ok(())
}

fn row(path: &std::path::Path, rows: usize, is_compared: bool) -> Result<(), Box<dyn Error>> {
    let [with_grid, with_refinement] = [GRID, REFINED].map(|count| if is_compared { count } else { 0 });
    let map = VoxelMap::read(path, LARGEST)?;
    let file = path.to_string_lossy();
    let queries = read_queries(file.replace(".3dmap.gz", ".3dmap.3dscen.gz").as_ref(), rows)?;
    let begin = Instant::now();
    let (mesh, _) = decompose_voxels(&map, 1.0, &VolumeConfig::default(), &Context::default())?;
    let cut = begin.elapsed().as_secs_f64();
    let (finder, mut scratch) = (FlyFinder::new(&mesh), FlyScratch::new());
    let mut world = VoxelWorld::new(map.size, &map.filled);
    let (mut missing, mut longer, mut sum, mut straight, mut worst) = (0, 0, 0.0, 0.0, 0.0f64);
    let (mut seconds, mut ours, mut grid) = (0.0, 0.0, 0.0);
    // Refined when all times have been taken, on all threads.
    let mut chosen: Vec<(usize, Vec<DVec3>, f64)> = Vec::new();
    for (k, query) in queries.iter().enumerate() {
        let begin = Instant::now();
        let found = finder.find(query.from, query.to, 0.0, 0.0, &mut scratch);
        let own = begin.elapsed().as_secs_f64();
        seconds += own;
        if (k * with_grid / queries.len()) != ((k + 1) * with_grid / queries.len()) {
            let voxel = |p: DVec3| [p.x as i64, p.y as i64, p.z as i64];
            let begin = Instant::now();
            let found = world.grid_path(voxel(query.from), voxel(query.to));
            grid += begin.elapsed().as_secs_f64();
            ours += own;
            if found.is_none_or(|(length, _)| (length / query.length - 1.0).abs() > 1e-4) {
                eprintln!("{file}: query {k}: the grid's path is {found:?}, the file says {}", query.length);
            }
        }
        let Ok(flight) = found else {
            missing += 1;
            continue;
        };
        let ratio = flight.length / query.length;
        if ratio > 1.0 + 1e-6 {
            longer += 1;
            eprintln!("{file}: query {k}: {} is longer than the grid's {}", flight.length, query.length);
        }
        worst = worst.max(ratio);
        sum += ratio;
        straight += query.from.distance(query.to) / query.length;
        if (k * with_refinement / queries.len()) != ((k + 1) * with_refinement / queries.len()) {
            chosen.push((k, flight.points, flight.length));
        }
    }
    // How much shorter each becomes; `None` where it goes through filled voxels.
    let shorter: Vec<Option<f64>> = chosen
        .into_par_iter()
        .map(|(k, points, length)| {
            if !world.is_open(&points) {
                eprintln!("{file}: query {k}: the path goes through filled voxels: {points:?}");
                return None;
            }
            let points = world.refine(points, ROUNDS, &mut Random::new(k as u64));
            Some(1.0 - wayfare_testkit::voxel_world::length(&points) / length)
        })
        .collect();
    let blocked = shorter.iter().filter(|gain| gain.is_none()).count();
    let refined = shorter.len() - blocked;
    let (gain, most) =
        shorter.iter().flatten().fold((0.0, 0.0f64), |(sum, most), &gain| (sum + gain, most.max(gain)));
    let found = (queries.len() - missing) as f64;
    let compared = if is_compared {
        format!(
            "{:.3} % | {:.2} % | {:.2} | {:.1} | {:.1}",
            100.0 * gain / refined.max(1) as f64,
            100.0 * most,
            1e3 * ours / GRID as f64,
            1e3 * grid / GRID as f64,
            grid / ours
        )
    } else {
        "– | – | – | – | –".into()
    };
    println!(
        "| {} | {} | {} | {} | {cut:.2} | {} | {missing} | {longer} | {:.4} | {worst:.4} | {:.4} | {compared} | {:.2} |",
        path.file_name().unwrap_or_default().to_string_lossy().replace(".3dmap.gz", ""),
        map.free_count(),
        mesh.region_count(),
        mesh.portal_count(),
        queries.len(),
        sum / found,
        straight / found,
        1e3 * seconds / queries.len() as f64,
    );
    if blocked > 0 {
        return Err(format!("{file}: {blocked} paths go through filled voxels").into());
    }
    Ok(())
}
