//! `cargo xtask bench portals`: the tables of Oliva and Pelechano 2015 again, on a generated cross.
//!
//! Prints Markdown. With `--picture FILE` it draws the trajectories of bodies of three sizes instead; a number is
//! another number of obstacles.

use std::{fmt::Write as _, fs, hint::black_box, time::Instant};
use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec2, Id as _};
use wayfare_floor::build_plan;
use wayfare_navmesh::{
    Body, CellId, CornerId, Corridor, Crossings, LocateConfig, NavMesh, Passage, PathFinder, PathScratch,
    ShrinkTable, Span, Walker, WayPoints, simple_shrink,
};
use wayfare_scene::generated::cross;
use wayfare_testkit::Random;

/// The plan: so many obstacles, this seed.
const PLAN: (usize, u64) = (60, 7);
/// Radii of the queries [m].
const RADII: [f64; 3] = [0.5, 1.0, 1.5];
/// Radii of the bodies in the picture [m], with their colours.
const BODIES: [(f64, &str); 3] = [(2.0, "#c0392b"), (1.5, "#d4a017"), (0.5, "#1e8449")];
/// Room in the table of shrunk portals.
const ANSWERS: usize = 8192;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let obstacles = arguments.first().and_then(|count| count.parse().ok()).unwrap_or(PLAN.0);
    let (plan, _) = build_plan(&cross(obstacles, PLAN.1), &Context::default()).expect("a generated plan");
    let mut mesh = bake(&plan, &BakeConfig::default(), &Context::default()).expect("a mesh");
    let began = Instant::now();
    let clearance = build_clearance(&mesh, &Context::default()).expect("a clearance");
    let seconds = began.elapsed().as_secs_f64();
    mesh.set_clearance(Some(clearance));
    match arguments.as_slice() {
        [option, file] if option == "--picture" => fs::write(file, picture(&mesh)).expect("a picture"),
        _ => tables(&mesh, seconds),
    }
}

fn portals(mesh: &NavMesh, cell: CellId) -> Vec<CornerId> {
    mesh.corners(cell).filter(|&corner| mesh.twin(corner).is_some()).collect()
}

/// A random cell with two portals, and a way across it: the passage through the portal by which it is entered.
fn query(mesh: &NavMesh, random: &mut Random) -> (Passage, f64) {
    loop {
        let cell = CellId::new(random.below(mesh.cell_count()));
        let portals = portals(mesh, cell);
        if portals.len() < 2 {
            continue;
        }
        let entry = random.below(portals.len());
        let exit = (entry + 1 + random.below(portals.len() - 1)) % portals.len();
        let through = mesh.twin(portals[entry]).expect("a portal");
        let passage = Passage { from: None, through, to: Some(portals[exit]) };
        return (passage, RADII[random.below(RADII.len())]);
    }
}

/// Cells that a body can walk: it can stand on one of their portals, and reach that from where most others are.
fn walkable(mesh: &NavMesh, radius: f64) -> Vec<CellId> {
    let crossings = mesh.crossings().expect("they were made");
    let clearances = mesh.clearances().expect("it was made");
    let places = |cell: CellId| {
        let peaks = crossings.table().peaks(cell).iter().filter(move |peak| peak.clearance >= radius);
        peaks.map(move |peak| {
            let [a, b] = mesh.edge(peak.corner).map(|v| mesh.xy(v));
            (cell, a.lerp(b, peak.share))
        })
    };
    let count = |from: (CellId, DVec2)| {
        let is_good = |cell: &CellId| places(*cell).any(|to| clearances.is_reachable(from, to, radius));
        mesh.cells().filter(is_good).collect::<Vec<_>>()
    };
    let mut most: Vec<CellId> = Vec::new();
    for cell in mesh.cells().filter(|&cell| places(cell).next().is_some()) {
        if most.contains(&cell) {
            continue;
        }
        let all = count(places(cell).next().expect("there is one"));
        if all.len() > most.len() {
            most = all;
        }
    }
    most
}

/// Nanoseconds for each query: the fastest of some runs.
fn time(
    runs: usize,
    queries: &[(Passage, f64)],
    mut prepare: impl FnMut(),
    mut answer: impl FnMut(Passage, f64) -> Option<Span>,
) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        prepare();
        let began = Instant::now();
        for &(passage, radius) in queries {
            black_box(answer(black_box(passage), black_box(radius)));
        }
        best = best.min(began.elapsed().as_secs_f64());
    }
    best * 1e9 / queries.len() as f64
}

fn tables(mesh: &NavMesh, seconds: f64) {
    let crossings = mesh.crossings().expect("they were made");
    println!("# Shrunk portals\n");
    println!(
        "The tables of Oliva and Pelechano 2015, *Clearance for diversity of agents' sizes in navigation meshes*, section 7, again. The map \
         is a generated cross of 100 by 100 m with {} obstacles: {} cells (the paper's has 130), {} portals (208). A query is a random cell, a random \
         way across it and a random radius of 0.5, 1 and 1.5 m; the answer is the part of the entered portal that the body may use.\n",
        PLAN.0,
        mesh.cell_count(),
        mesh.portals().len(),
    );
    println!("## Time of a query\n");
    println!(
        "Fastest of 40 runs, all variants one after the other in each. SimpleShrink cuts the radius off both ends, ExactShrink \
         is exact; (−) works it out, (+) asks a table first, which is empty at the start of each run. Columns behind the first are ratios to \
         SimpleShrink(−).\n"
    );
    println!(
        "| queries | SimpleShrink(−) [ns] | SimpleShrink(+) | ExactShrink(−) | ExactShrink(+) | the paper's | hits |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    for (count, paper) in
        [(1_000, "1.41"), (2_000, "1.2"), (4_000, ""), (6_000, ""), (8_000, ""), (10_000, "towards 1")]
    {
        let mut random = Random::new(count as u64);
        let queries: Vec<_> = (0..count).map(|_| query(mesh, &mut random)).collect();
        for &(passage, radius) in &queries {
            let table = ShrinkTable::new(2);
            assert_eq!(
                table.exact_shrink(&crossings, passage, radius),
                crossings.exact_shrink(passage, radius)
            );
        }
        let mut best = [f64::INFINITY; 4];
        let mut hits = 0.0;
        for _ in 0..40 {
            let [simple_table, exact_table] = [(); 2].map(|()| ShrinkTable::new(ANSWERS));
            let times = [
                time(1, &queries, || {}, |passage, radius| simple_shrink(mesh, passage.through, radius)),
                time(
                    1,
                    &queries,
                    || {},
                    |passage, radius| {
                        simple_table.get_or(passage, radius, || simple_shrink(mesh, passage.through, radius))
                    },
                ),
                time(1, &queries, || {}, |passage, radius| crossings.exact_shrink(passage, radius)),
                time(
                    1,
                    &queries,
                    || {},
                    |passage, radius| exact_table.exact_shrink(&crossings, passage, radius),
                ),
            ];
            best = std::array::from_fn(|k| best[k].min(times[k]));
            let [found, missed] = exact_table.hits_and_misses();
            hits = found as f64 / (found + missed) as f64;
        }
        let [simple, ..] = best;
        println!(
            "| {count} | {simple:.1} | {:.2} | {:.2} | {:.2} | {paper} | {:.0} % |",
            best[1] / simple,
            best[2] / simple,
            best[3] / simple,
            hits * 100.0
        );
    }
    println!(
        "\nIn the paper a simple query takes about as long as a look into its table; here it takes two loads and a division, and a look \
         into the table four to five times that. So the ratios are larger, while an exact answer without any table takes about 0.1 µs. Hits are \
         fewer than in the paper (50 % at 1,000), since the key here is the whole passage, which the answer depends on, and not the portal alone.\n"
    );
    println!(
        "The table has room for {ANSWERS} answers in {} KB and never grows. It is shared by threads without locks.\n",
        ShrinkTable::new(ANSWERS).bytes() / 1024
    );
    share_below_critical(mesh);
    wrong_simple(mesh, &crossings);
    println!("## Cells by size\n");
    println!(
        "Cells that a body can walk: it fits on one of their portals and can come there from most others.\n"
    );
    println!("| radius [m] | cells | of | the paper's, of 130 |");
    println!("|--:|--:|--:|--:|");
    for (radius, paper) in [(0.5, 130), (1.5, 110), (2.0, 97)] {
        println!("| {radius} | {} | {} | {paper} |", walkable(mesh, radius).len(), mesh.cell_count());
    }
    println!("\n![Trajectories by size](../pictures/trajectories.svg)\n");
    println!("## Crossings\n");
    println!(
        "{} crossings of {} cells are kept as {} peaks in {} bytes; clearance and crossings took {:.1} ms to make.",
        crossings.count(),
        mesh.cell_count(),
        crossings.table().all_peaks().len(),
        crossings.table().bytes(),
        seconds * 1e3
    );
}

fn share_below_critical(mesh: &NavMesh) {
    let clearance = mesh.clearance().expect("it was made");
    println!("## Critical radius\n");
    println!(
        "Portals that a body of the radius fits on at all, and those of them on which only the two ends narrow it.\n"
    );
    println!("| radius [m] | portals it fits on | of them below the critical radius |");
    println!("|--:|--:|--:|");
    for radius in [0.5, 1.0, 1.5, 2.0] {
        let crossings = mesh.crossings().expect("they were made");
        let fits = |corner: CornerId| crossings.between(corner, corner).is_some_and(|room| room >= radius);
        let all: Vec<_> =
            mesh.portals().iter().filter(|(_, sides)| fits(sides[0])).map(|(portal, _)| portal).collect();
        let below = all.iter().filter(|&&portal| radius <= clearance.critical_radius(portal)).count();
        println!(
            "| {radius} | {} of {} | {:.0} % |",
            all.len(),
            mesh.portals().len(),
            100.0 * below as f64 / all.len().max(1) as f64
        );
    }
    println!();
}

/// How often the simple answer is wrong.
fn wrong_simple(mesh: &NavMesh, crossings: &Crossings<'_>) {
    let mut random = Random::new(1);
    let (mut simple_count, mut impassable, mut too_long) = (0, 0, 0);
    for _ in 0..10_000 {
        let (passage, radius) = query(mesh, &mut random);
        let Some(simple) = simple_shrink(mesh, passage.through, radius) else { continue };
        simple_count += 1;
        match crossings.exact_shrink(passage, radius) {
            None => impassable += 1,
            Some(exact) => too_long += usize::from(exact.length() < simple.length() - 1e-9),
        }
    }
    let share = |count: usize| 100.0 * count as f64 / f64::from(simple_count.max(1) as u32);
    println!(
        "Of 10,000 such queries SimpleShrink leaves something in {simple_count}; in {:.1} % of them the body cannot make the passage at all, in \
         another {:.1} % a part of what is left is too near to an obstacle.\n",
        share(impassable),
        share(too_long)
    );
}

/// Three maps side by side with the trajectories of bodies that follow dynamic way points.
fn picture(mesh: &NavMesh) -> String {
    const SIDE: f64 = 400.0;
    const WALKS: usize = 40;
    let bounds = mesh.bounds();
    let scale = SIDE / bounds.size().max_element();
    let place = |p: DVec2| {
        let p = (p - bounds.min) * scale;
        format!("{:.1},{:.1}", p.x, SIDE - p.y)
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        SIDE * 3.0 + 80.0,
        SIDE + 60.0
    );
    for (panel, (radius, colour)) in BODIES.into_iter().enumerate() {
        let _ = writeln!(out, "<g transform=\"translate({} 40)\">", 20.0 + panel as f64 * (SIDE + 20.0));
        let walkable = walkable(mesh, radius);
        let _ = writeln!(
            out,
            "<text x=\"0\" y=\"-14\">radius {radius} m: {} of {} cells</text>",
            walkable.len(),
            mesh.cell_count()
        );
        for cell in mesh.cells() {
            let points: Vec<String> = mesh.cell_points(cell).map(place).collect();
            let fill = if walkable.contains(&cell) { "#f4f6f7" } else { "#d5d8dc" };
            let _ = writeln!(
                out,
                "<polygon points=\"{}\" fill=\"{fill}\" stroke=\"#c8ccd0\" stroke-width=\"0.4\"/>",
                points.join(" ")
            );
        }
        let _ = write!(out, "<path fill=\"none\" stroke=\"#2c3e50\" stroke-width=\"1\" d=\"");
        for chain in mesh.boundary().chains() {
            let points: Vec<String> =
                chain.iter().map(|&corner| place(mesh.xy(mesh.corner_vertex(corner)))).collect();
            let _ = write!(out, "M{}Z", points.join("L"));
        }
        out.push_str("\"/>\n");
        for walk in walks(mesh, radius, &walkable, WALKS) {
            let points: Vec<String> = walk.into_iter().map(place).collect();
            let _ = writeln!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0.5\" stroke-width=\"1\"/>",
                points.join(" ")
            );
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// The trajectories of bodies from and to random walkable cells.
fn walks(mesh: &NavMesh, radius: f64, cells: &[CellId], count: usize) -> Vec<Vec<DVec2>> {
    let crossings = mesh.crossings().expect("they were made");
    let (finder, table) = (PathFinder::new(mesh), ShrinkTable::new(ANSWERS));
    let way_points = WayPoints::with_table(crossings, &table);
    let (mut scratch, mut random) = (PathScratch::default(), Random::new(3));
    let mut walks = Vec::new();
    for _ in 0..20 * count {
        if walks.len() == count || cells.is_empty() {
            break;
        }
        let mut end = || {
            let cell = cells[random.below(cells.len())];
            let points: Vec<DVec2> = mesh.cell_points(cell).collect();
            let weights: Vec<f64> = points.iter().map(|_| random.unit()).collect();
            points.iter().zip(&weights).map(|(&p, w)| p * (w / weights.iter().sum::<f64>())).sum::<DVec2>()
        };
        let (from, to) = (end(), end());
        let path = finder.find_for(
            &Body::disc(radius),
            from.extend(0.0),
            to.extend(0.0),
            &LocateConfig::default(),
            &mut scratch,
        );
        let Some(corridor) = path.ok().and_then(|path| Corridor::of_path(mesh, &path)) else { continue };
        let mut walker = Walker::new(&corridor, radius);
        let mut trace = vec![walker.at];
        for _ in 0..20_000 {
            let to = way_points.dynamic(&walker, &corridor).at;
            let left = to.distance(walker.at);
            let next = if left <= 0.1 { to } else { walker.at.lerp(to, 0.1 / left) };
            way_points.walk(&mut walker, &corridor, next);
            if trace.last().is_some_and(|last| last.distance(walker.at) >= 1.5)
                || walker.at == corridor.goal().1
            {
                trace.push(walker.at);
            }
            if walker.at == corridor.goal().1 {
                break;
            }
        }
        walks.push(trace);
    }
    walks
}
