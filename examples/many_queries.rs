//! One mesh, many threads: each has its own scratch memory and nothing else.
//!
//! `cargo run --release --example many_queries`

use std::{sync::Arc, thread, time::Instant};
use wayfare::{prelude::*, scene::generated};

const THREADS: usize = 4;
const QUERIES: usize = 2000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = Context::default();
    let (plan, _) = build_plan(&generated::office(), &context)?;
    let mesh = Arc::new(bake(&plan, &BakeConfig::default(), &context)?);
    let finder = Arc::new(PathFinder::new(Arc::clone(&mesh)));

    let begin = Instant::now();
    let workers: Vec<_> = (0..THREADS)
        .map(|worker| {
            let finder = Arc::clone(&finder);
            thread::spawn(move || {
                let mut scratch = PathScratch::new();
                let mut found = 0;
                for k in 0..QUERIES {
                    let [from, to] = query(finder.mesh(), worker * QUERIES + k);
                    found +=
                        usize::from(finder.find(from, to, &LocateConfig::default(), &mut scratch).is_ok());
                }
                found
            })
        })
        .collect();
    let found: usize = workers.into_iter().map(|worker| worker.join().expect("no worker panics")).sum();
    let micros = begin.elapsed().as_secs_f64() * 1e6 / (THREADS * QUERIES) as f64;
    println!("{found} of {} paths found, {micros:.2} µs each over {THREADS} threads", THREADS * QUERIES);
    assert_eq!(found, THREADS * QUERIES);
    Ok(())
}

/// The middles of two cells, a different pair for each number.
fn query(mesh: &NavMesh, number: usize) -> [DVec3; 2] {
    let middle = |cell: usize| {
        let cell = mesh.cells().nth(cell % mesh.cell_count()).expect("the mesh has cells");
        let corners = mesh.cell_vertices(cell);
        let count = corners.len() as f64;
        corners.map(|vertex| mesh.position(vertex)).sum::<DVec3>() / count
    };
    [middle(number * 7919), middle(number * 104_729 + 31)]
}
