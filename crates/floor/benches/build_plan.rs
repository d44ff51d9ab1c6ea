//! How long it takes from bytes to a floor plan: reading, building, checking; clean and unclean plans.
//!
//! `cargo bench -p wayfare-floor --bench build_plan`; prints one line per plan. Areas are compared on the way.

use std::time::Instant;
use wayfare_core::{Context, DVec2, dvec2};
use wayfare_floor::build_plan;
use wayfare_geom::Polygon;
use wayfare_scene::{PlanOptions, PlanSource, generated, read_plan_bytes, to_wkt};

fn main() {
    println!("plan, vertices, read µs/vertex, build ms, build µs/vertex, check µs/vertex, regions");
    for (number, plan) in generated::thesis_series().iter().enumerate() {
        measure(&format!("thesis-{number}"), plan);
    }
    for count in [1000, 10_000, 100_000, 1_000_000] {
        measure(&format!("field-{count}"), &generated::obstacle_field(count, 1));
        measure(&format!("city-{count}"), &generated::city(count, 1));
    }
    for count in [1000, 10_000, 100_000, 1_000_000] {
        measure(&format!("overlap-{count}"), &overlapping(count));
        measure(&format!("rooms-{count}"), &rooms(count));
        measure(&format!("comb-{count}"), &comb(count, false));
        measure(&format!("comb-crossed-{count}"), &comb(count, true));
    }
}

fn measure(name: &str, plan: &PlanSource) {
    let count = plan.vertex_count() as f64;
    let text = to_wkt(&plan.polygons);
    let start = Instant::now();
    let read = read_plan_bytes(text.as_bytes(), "x.wkt".as_ref(), &PlanOptions::default()).expect("a plan");
    let reading = start.elapsed().as_secs_f64();
    assert_eq!(read.polygons, plan.polygons);
    let mut building = f64::INFINITY;
    for _ in 0..if count < 1e5 { 5 } else { 1 } {
        let start = Instant::now();
        let (built, _) = build_plan(plan, &Context::default()).expect("ground");
        building = building.min(start.elapsed().as_secs_f64());
        std::hint::black_box(built);
    }
    let (built, _) = build_plan(plan, &Context::default()).expect("ground");
    let start = Instant::now();
    assert_eq!(built.check(), []);
    let checking = start.elapsed().as_secs_f64();
    println!(
        "{name}, {count}, {:.3}, {:.3}, {:.3}, {:.3}, {}",
        reading / count * 1e6,
        building * 1e3,
        building / count * 1e6,
        checking / count * 1e6,
        built.layers[0].regions.len()
    );
}

/// The obstacles of a field as polygons that overlap their neighbours.
fn overlapping(count: usize) -> PlanSource {
    let field = generated::obstacle_field(count, 2).polygons.remove(0);
    let grown = field.holes.into_iter().map(|hole| {
        let middle = hole.iter().sum::<DVec2>() / hole.len() as f64;
        Polygon::new(hole.into_iter().map(|p| middle + (p - middle) * 1.8).collect())
    });
    PlanSource::from_polygons(grown.collect())
}

/// Square rooms that share their walls.
fn rooms(count: usize) -> PlanSource {
    let side = ((count / 4) as f64).sqrt() as usize;
    let room = |k: usize| {
        let at = dvec2((k % side) as f64, (k / side) as f64) * 0.7;
        let far = dvec2((k % side + 1) as f64, (k / side + 1) as f64) * 0.7;
        Polygon::new(vec![at, dvec2(far.x, at.y), far, dvec2(at.x, far.y)])
    };
    PlanSource::from_polygons((0..side * side).map(room).collect())
}

/// A comb of long thin teeth, perhaps with a bar across all of them.
fn comb(count: usize, is_crossed: bool) -> PlanSource {
    let teeth = count / 4;
    let width = teeth as f64;
    let mut outer = vec![dvec2(0.0, 0.0), dvec2(width, 0.0)];
    for k in (0..teeth).rev() {
        let x = k as f64;
        outer.extend([
            dvec2(x + 0.9, width),
            dvec2(x + 0.4, width),
            dvec2(x + 0.3, 1.0),
            dvec2(x + 0.1, 1.0),
        ]);
    }
    let mut polygons = vec![Polygon::new(outer)];
    if is_crossed {
        let (low, high) = (width / 2.0, width / 2.0 + 0.7);
        polygons.push(Polygon::new(vec![
            dvec2(-1., low),
            dvec2(width, high),
            dvec2(width, high + 1.),
            dvec2(-1., low + 1.),
        ]));
    }
    PlanSource::from_polygons(polygons)
}
