//! Answers the queries of a voxel map and compares them with its reference lengths:
//! `cargo run --release --example fly -- MAP.3dmap.gz MAP.3dmap.3dscen.gz [ROWS]`
use std::{path::Path, time::Instant};
use wayfare_core::{Context, DVec3, dvec3};
use wayfare_scene::{VoxelMap, read_bytes};
use wayfare_volume::{FlyFinder, FlyScratch, VolumeConfig, decompose_voxels};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [map, queries, rest @ ..] = args.as_slice() else { return Err("fly MAP QUERIES [ROWS]".into()) };
    let rows: usize = rest.first().map_or(Ok(usize::MAX), |rows| rows.parse())?;
    let map = VoxelMap::read(Path::new(map), 1 << 32)?;
    let begin = Instant::now();
    let (mesh, _) = decompose_voxels(&map, 1.0, &VolumeConfig::default(), &Context::default())?;
    println!(
        "{} boxes for {} free voxels, {} portals, coverage {:.4}, {:.2} s",
        mesh.region_count(),
        map.free_count(),
        mesh.portal_count(),
        mesh.total_volume() / map.free_count() as f64,
        begin.elapsed().as_secs_f64()
    );
    let text = String::from_utf8(read_bytes(Path::new(queries), 1 << 32)?)?;
    let (finder, mut scratch) = (FlyFinder::new(&mesh), FlyScratch::new());
    let (mut count, mut missing, mut longer, mut ratio, mut straight, mut seconds, mut worst) =
        (0usize, 0usize, 0usize, 0.0, 0.0, 0.0, 0.0f64);
    for line in text
        .lines()
        .skip(2)
        .filter(|line| !line.trim().is_empty())
        .step_by((10_000 / rows.min(10_000)).max(1))
    {
        let numbers: Vec<f64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let &[a, b, c, d, e, f, length, ..] = numbers.as_slice() else { continue };
        let (from, to): (DVec3, DVec3) = (dvec3(a, b, c) + 0.5, dvec3(d, e, f) + 0.5);
        let begin = Instant::now();
        let found = finder.find(from, to, 0.0, 0.0, &mut scratch);
        seconds += begin.elapsed().as_secs_f64();
        count += 1;
        let Ok(flight) = found else {
            missing += 1;
            continue;
        };
        if flight.length > length * (1.0 + 1e-6) {
            longer += 1;
        }
        worst = worst.max(flight.length / length);
        ratio += flight.length / length;
        straight += from.distance(to) / length;
    }
    let found = (count - missing) as f64;
    println!(
        "{count} queries, {missing} without path, {longer} longer than the grid's (worst {worst:.4}), mean length {:.4} of it, straight {:.4}, {:.0} µs each",
        ratio / found,
        straight / found,
        1e6 * seconds / count as f64
    );
    Ok(())
}
