//! How short the flights of balls through shared scenes are: forth as back, against a grid of points, and against their own parts.
//!
//! The grid knows the scene's triangles and the box; places that the file has no room at (what it left out is a wall in it) are no points of it.

use wayfare_core::{Context, dvec3};
use wayfare_scene::{Scene, SceneOptions, Up, read_scene};
use wayfare_testkit::{
    Random,
    ball_grid::{BallGrid, length},
    data::scenes::{SharedScene, UpAxis, scenes},
};
use wayfare_volume::{FlyFinder, FlyScratch, VolumeConfig, partition};

/// Queries by lot for each radius.
const QUERIES: usize = 12;
const RADII: [f64; 2] = [0.25, 0.6];
/// Points of a grid at most, over the whole box; they are half a radius apart where that is fewer.
const POINTS: f64 = 2e6;
/// Points that a search on the grid takes up at most.
const TAKEN_UP: usize = 150_000;

/// A shared scene.
fn read(shared: &SharedScene) -> Scene {
    let is_gltf = shared.path.to_string_lossy().contains(".glb");
    let up = if shared.up == UpAxis::Y { Up::Y } else { Up::Z };
    let options =
        SceneOptions { up: (!is_gltf).then_some(up), scale: shared.scale, ..SceneOptions::default() };
    read_scene(&shared.path, &options).unwrap()
}

/// What is at most allowed.
struct Bars {
    /// All lengths together over the shortest that are known.
    together: f64,
    /// One length over the grid's.
    one: f64,
    /// A part of a path over a path of its own.
    part: f64,
    /// Paths that the grid finds and we do not.
    refused: usize,
}

fn flights_are_short(name: &str, bars: Bars) {
    let Some(shared) = scenes().into_iter().find(|scene| scene.name == name) else {
        eprintln!("the shared scenes are not there: nothing was checked");
        return;
    };
    let scene = read(&shared);
    let (mesh, _) = partition(&scene, &VolumeConfig::default(), &Context::default()).unwrap();
    let [low, high] = mesh.raw().bounds;
    let size = high - low;
    let finder = FlyFinder::new(&mesh);
    let mut scratch = FlyScratch::new();
    let (mut sum, mut known, mut one, mut worst_part, mut refused) = (0.0, 0.0, 1.0f64, 1.0f64, 0);
    for radius in RADII {
        let grid = BallGrid::new(scene.mesh.all_points().collect(), [low, high], radius);
        let step = (radius / 2.0).max((size.x * size.y * size.z / POINTS).cbrt());
        let fits = |p| mesh.region_at(p).is_some() && finder.wall_distance(p, radius).is_none();
        let mut random = Random::new(11);
        let mut draw = || {
            let at = [(); 3].map(|()| random.unit());
            low + size * dvec3(at[0], at[1], at[2])
        };
        let mut done = 0;
        while done < QUERIES {
            let ends = [draw(), draw()];
            if !ends.iter().all(|&end| fits(end)) {
                continue;
            }
            done += 1;
            let mut find = |from, to, radius| finder.find(from, to, radius, 0.0, &mut scratch);
            let what = format!("{name}, {radius} m, from {} to {}", ends[0], ends[1]);
            let (forth, back) = (find(ends[0], ends[1], radius), find(ends[1], ends[0], radius));
            let Ok(forth) = forth else {
                assert!(back.is_err(), "{what}: there is a way back");
                refused += usize::from(grid.way(ends, step, 1e9, TAKEN_UP, fits).is_some());
                continue;
            };
            assert!((forth.length - back.unwrap().length).abs() < 1e-9, "{what}: back is another length");
            for pair in forth.points.windows(2) {
                for k in 0..=20 {
                    let p = pair[0].lerp(pair[1], f64::from(k) / 20.0);
                    assert!(grid.room(p) >= radius - 1e-5, "{what}: {} m at {p}", grid.room(p));
                }
            }
            let point = find(ends[0], ends[1], 0.0).unwrap().length;
            assert!(point <= forth.length * (1.0 + 1e-3), "{what}: {point} m for a point, {}", forth.length);
            let points = &forth.points;
            for first in 0..points.len().saturating_sub(2) {
                let last = (first + 3).min(points.len() - 1);
                let own = length(&points[first..=last]);
                // Their ends lie as near to walls as rounding lets them.
                if let Ok(part) = find(points[first], points[last], radius) {
                    worst_part = worst_part.max(own / part.length);
                }
            }
            let way = (forth.length > 1.001 * ends[0].distance(ends[1]))
                .then(|| grid.way(ends, step, forth.length, TAKEN_UP, fits))
                .flatten();
            let best = way.map_or(f64::INFINITY, |way| length(&way));
            one = one.max(forth.length / best);
            sum += forth.length;
            known += forth.length.min(best);
        }
    }
    let together = sum / known;
    println!("{name}: together {together:.4}, one {one:.4}, part {worst_part:.4}, refused {refused}");
    assert!(together <= bars.together, "{name}: {sum:.2} m, {known:.2} m are known");
    assert!(one <= bars.one, "{name}: a path is {one:.4} times as long as the grid's");
    assert!(worst_part <= bars.part, "{name}: a part is {worst_part:.4} times as long as its own path");
    assert!(refused <= bars.refused, "{name}: the grid finds {refused} of the ways that we do not");
}

macro_rules! scene {
    ($test:ident, $name:literal, $together:literal, $one:literal, $part:literal, $refused:literal) => {
        #[test]
        fn $test() {
            flights_are_short($name, Bars { together: $together, one: $one, part: $part, refused: $refused });
        }
    };
}

scene!(balls_in_an_office_fly_short_ways, "cpr_office", 1.01, 1.05, 1.1, 0);
scene!(balls_in_an_office_that_is_built_fly_short_ways, "cpr_office_construction", 1.01, 1.05, 1.1, 0);
scene!(balls_over_bridges_fly_short_ways, "bridges", 1.01, 1.05, 1.1, 0);
scene!(balls_at_a_bridge_fly_short_ways, "bridge", 1.01, 1.05, 1.1, 0);
scene!(balls_in_a_house_fly_short_ways, "house", 1.01, 1.05, 1.1, 0);
scene!(balls_in_a_village_inn_fly_short_ways, "village_inn", 1.01, 1.05, 1.1, 0);
scene!(balls_in_a_small_house_fly_short_ways, "aws_small_house", 1.01, 1.05, 1.1, 0);
scene!(balls_in_a_plain_world_fly_short_ways, "collision-world", 1.01, 1.05, 1.1, 0);
