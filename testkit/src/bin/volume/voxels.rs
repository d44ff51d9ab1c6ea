//! Voxel maps: boxes, and their queries beside the grid's own shortest paths.

use rayon::prelude::*;
use std::{error::Error, path::PathBuf, time::Instant};
use wayfare_core::{Context, DVec3, dvec3};
use wayfare_scene::{VoxelMap, read_bytes};
use wayfare_testkit::{Random, VoxelWorld, data::shared_data};
use wayfare_volume::{FlyFinder, FlyScratch, VolumeConfig, decompose_voxels};

/// Queries that are timed, one after the other on one thread; all others are answered on all threads.
const TIMED: usize = 1000;
/// Queries that a grid search answers too: fewer on large maps, where it takes up to half a second, but as many as these.
const GRID: [usize; 2] = [20, 1000];
/// Free voxels of a map, times queries.
const GRID_WORK: u64 = 4_000_000_000;
/// Queries whose paths are refined.
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
         {ROUNDS} changes tried by lot on each. *grid*: a 26-connected A* on the same voxels answers some of the queries ({} to {}, fewer on larger maps); \
         both were timed on these, first all paths and then all grid searches, on one thread. *timed*: the mean of {TIMED} queries, on one thread; all others were \
         answered on all threads.\n\n\
         | map | free voxels | boxes | portals | cut [s] | queries | without path | longer | mean | worst | straight | refined: mean | most | \
         grid queries | path [ms] | grid [ms] | ratio | timed [ms] |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        GRID[0], GRID[1]
    );
    for path in maps {
        row(&path, rows, is_compared)?;
    }
    Ok(())
}

/// Whether the `k`-th of `all` is one of `count` that are spread evenly.
fn is_chosen(k: usize, all: usize, count: usize) -> bool {
    k * count / all != (k + 1) * count / all
}

fn row(path: &std::path::Path, rows: usize, is_compared: bool) -> Result<(), Box<dyn Error>> {
    let map = VoxelMap::read(path, LARGEST)?;
    let file = path.to_string_lossy();
    let queries = read_queries(file.replace(".3dmap.gz", ".3dmap.3dscen.gz").as_ref(), rows)?;
    let begin = Instant::now();
    let (mesh, _) = decompose_voxels(&map, 1.0, &VolumeConfig::default(), &Context::default())?;
    let cut = begin.elapsed().as_secs_f64();
    let finder = FlyFinder::new(&mesh);
    let find = |query: &Query, scratch: &mut FlyScratch| {
        finder.find(query.from, query.to, 0.0, 0.0, scratch).ok().map(|flight| (flight.points, flight.length))
    };
    let mut scratch = FlyScratch::new();
    let mut clocked = |query: &Query| {
        let begin = Instant::now();
        let found = find(query, &mut scratch);
        (begin.elapsed().as_secs_f64(), found)
    };
    let (queries, all) = (queries.as_slice(), queries.len());
    let chosen = |count: usize| (0..all).filter(move |&k| is_chosen(k, all, count)).map(|k| (k, &queries[k]));
    let timed = TIMED.min(queries.len());
    let seconds: f64 = chosen(timed).map(|(_, query)| clocked(query).0).sum();
    let mut world = VoxelWorld::new(map.size, &map.filled);
    let gridded = if is_compared {
        ((GRID_WORK / map.free_count().max(1)) as usize).clamp(GRID[0], GRID[1]).min(queries.len())
    } else {
        0
    };
    let ours: f64 = chosen(gridded).map(|(_, query)| clocked(query).0).sum();
    let mut grid = 0.0;
    for (k, query) in chosen(gridded) {
        let voxel = |p: DVec3| [p.x as i64, p.y as i64, p.z as i64];
        let begin = Instant::now();
        let found = world.grid_path(voxel(query.from), voxel(query.to));
        grid += begin.elapsed().as_secs_f64();
        if found.is_none_or(|(length, _)| (length / query.length - 1.0).abs() > 1e-4) {
            eprintln!("{file}: query {k}: the grid's path is {found:?}, the file says {}", query.length);
        }
    }
    let flights: Vec<Option<(Vec<DVec3>, f64)>> =
        queries.par_iter().map_init(FlyScratch::new, |scratch, query| find(query, scratch)).collect();
    let (mut missing, mut longer, mut sum, mut straight, mut worst) = (0, 0, 0.0, 0.0, 0.0f64);
    for (k, (query, flight)) in queries.iter().zip(&flights).enumerate() {
        let Some((_, length)) = flight else {
            missing += 1;
            continue;
        };
        let ratio = length / query.length;
        if ratio > 1.0 + 1e-6 {
            longer += 1;
            eprintln!("{file}: query {k}: {length} is longer than the grid's {}", query.length);
        }
        worst = worst.max(ratio);
        sum += ratio;
        straight += query.from.distance(query.to) / query.length;
    }
    let refined = if is_compared { REFINED.min(queries.len()) } else { 0 };
    let chosen: Vec<(usize, Vec<DVec3>, f64)> = chosen(refined)
        .filter_map(|(k, _)| flights[k].clone().map(|(points, length)| (k, points, length)))
        .collect();
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
            "{:.3} % | {:.2} % | {gridded} | {:.2} | {:.1} | {:.1}",
            100.0 * gain / refined.max(1) as f64,
            100.0 * most,
            1e3 * ours / gridded as f64,
            1e3 * grid / gridded as f64,
            grid / ours
        )
    } else {
        "– | – | – | – | – | –".into()
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
        1e3 * seconds / timed.max(1) as f64,
    );
    if blocked > 0 {
        return Err(format!("{file}: {blocked} paths go through filled voxels").into());
    }
    Ok(())
}
