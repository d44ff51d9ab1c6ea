//! `cargo xtask bench bake`: how long a bake takes, by size of the plan.
//!
//! Prints Markdown; progress goes to standard error. Everything runs on one thread; each time is the least of
//! repeated runs, for a busy machine can only add to it, with the median beside it where it is judged.
//! Every mesh is checked for its area. An argument sets the largest plan (default 10⁶ vertices).

use std::{
    error::Error,
    time::{Duration, Instant},
};
use wayfare_bake::{BakeConfig, bake};
use wayfare_core::Context;
use wayfare_floor::build_plan;
use wayfare_scene::{
    PlanSource,
    generated::{city, fine_column, obstacle_field, sawtooth, thesis_series},
};

/// What one plan took.
struct Row {
    name: String,
    vertices: usize,
    cells: usize,
    /// From polygons to a floor plan, and from there to a mesh.
    plan: Times,
    bake: Times,
}

/// Least and median of repeated runs [s].
#[derive(Clone, Copy)]
struct Times {
    least: f64,
    median: f64,
}

impl Times {
    fn better(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), median: self.median.min(other.median) }
    }
}

/// How often the small plans are measured.
const TURNS: usize = 4;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let largest = std::env::args().nth(1).map_or(Ok(1_000_000), |word| word.parse())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut series: Vec<Row> = Vec::new();
    // In turns: a machine that is busy for a second then spoils one turn of all, not all of one.
    for turn in 0..TURNS {
        for (k, plan) in thesis_series().iter().enumerate() {
            let row = pool.install(|| measure(format!("thesis {k}"), plan))?;
            if turn == 0 {
                series.push(row);
            } else {
                series[k].plan = series[k].plan.better(row.plan);
                series[k].bake = series[k].bake.better(row.bake);
            }
        }
    }
    let mut grown = Vec::new();
    for (name, generate) in [("field", obstacle_field as fn(usize, u64) -> PlanSource), ("city", city)] {
        let sizes = [1_000, 10_000, 100_000, 1_000_000].into_iter().filter(|&size| size <= largest);
        for size in sizes {
            grown.push(pool.install(|| measure(name.to_owned(), &generate(size, 1)))?);
        }
    }
    for (name, generate) in [("sawtooth", sawtooth as fn(usize) -> PlanSource), ("fine column", fine_column)]
    {
        for size in [1_000, 10_000, 100_000].into_iter().filter(|&size| size <= largest) {
            grown.push(pool.install(|| measure(name.to_owned(), &generate(size)))?);
        }
    }
    print(&series, &grown);
    Ok(())
}

fn measure(name: String, source: &PlanSource) -> Result<Row, Box<dyn Error + Send + Sync>> {
    let context = Context::default();
    let vertices = source.vertex_count();
    // Small plans are repeated for a while, large ones three times.
    let runs = |once: Duration| ((0.3 / once.as_secs_f64().max(1e-6)) as usize).clamp(3, 1000);
    let (plan_time, plan) = time(runs, || build_plan(source, &context));
    let (plan, _) = plan?;
    let (bake_time, mesh) = time(runs, || bake(&plan, &BakeConfig::default(), &context));
    let mesh = mesh?;
    let (area, expected) = (mesh.area(), plan.area());
    if (area - expected).abs() > 1e-9 * expected {
        return Err(format!("{name} {vertices}: the cells' area is {area}, the plan's {expected}").into());
    }
    eprintln!("{name} {vertices}: {} cells, {} s", mesh.cell_count(), bake_time.least);
    Ok(Row { name, vertices, cells: mesh.cell_count(), plan: plan_time, bake: bake_time })
}

/// The times of repeated runs, as many as `runs` says after the first, and the first result.
fn time<T>(runs: impl Fn(Duration) -> usize, mut work: impl FnMut() -> T) -> (Times, T) {
    let mut timed = || {
        let started = Instant::now();
        let result = work();
        (started.elapsed(), result)
    };
    let (first, result) = timed();
    let mut times = vec![first];
    times.extend((1..runs(first)).map(|_| timed().0));
    times.sort();
    let (least, median) = (times[0].as_secs_f64(), times[times.len() / 2].as_secs_f64());
    (Times { least, median }, result)
}

fn print(series: &[Row], grown: &[Row]) {
    println!("# Bake speed\n");
    println!(
        "One thread. *plan*: from polygons to a checked floor plan; *bake*: from there to a validated mesh; both in \
         milliseconds, the least of at least three runs; *µs/vertex* is for both together.\n"
    );
    println!("## The thesis's series\n");
    println!(
        "Rooms with polygonal and round obstacles. The thesis needed 312 ms on its GPU for 965 vertices.\n"
    );
    let header = "| plan | vertices | cells | plan [ms] | bake [ms] | µs/vertex |\n|---|--:|--:|--:|--:|--:|";
    println!("{header}");
    series.iter().for_each(print_row);
    if let Some(last) = series.last() {
        let [total, median] =
            [|t: &Times| t.least, |t: &Times| t.median].map(|f| (f(&last.plan) + f(&last.bake)) * 1e3);
        let met = if total <= 3.0 { "met" } else { "missed" };
        println!(
            "\n{} vertices take {total:.2} ms (median {median:.2} ms); at most 3 ms were asked for: {met}.",
            last.vertices
        );
    }
    println!("\n## Growth\n\n{header}");
    grown.iter().for_each(print_row);
    println!();
    let per_vertex = |row: &Row| (row.plan.least + row.bake.least) / row.vertices as f64;
    for name in ["field", "city"] {
        let of_size = |size: usize| grown.iter().find(|row| row.name == name && row.vertices == size);
        if let (Some(small), Some(large)) = (of_size(10_000), of_size(1_000_000)) {
            let factor = per_vertex(large) / per_vertex(small);
            let met = if factor < 2.0 { "met" } else { "missed" };
            println!(
                "- {name}: time per vertex grows by {factor:.2} from 10⁴ to 10⁶ vertices; less than 2 was asked \
                 for: {met}."
            );
        }
    }
}

fn print_row(row: &Row) {
    let Row { name, vertices, cells, plan, bake } = row;
    let (plan, bake) = (plan.least, bake.least);
    let per_vertex = (plan + bake) * 1e6 / *vertices as f64;
    println!("| {name} | {vertices} | {cells} | {:.3} | {:.3} | {per_vertex:.2} |", plan * 1e3, bake * 1e3);
}
