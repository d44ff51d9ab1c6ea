//! `cargo xtask bench cells`: how many cells the shared maps get, beside Hertel and Mehlhorn's and the bound.
//!
//! Prints Markdown; progress goes to standard error. Counts of notches, holes and components are computed here
//! from the plan's rings, not taken from the mesh. An argument restricts the maps to names that hold it.

use std::{error::Error, time::Instant};
use wayfare_bake::{BakeConfig, bake};
use wayfare_core::Context;
use wayfare_floor::{FloorPlan, build_plan};
use wayfare_navmesh::NavMesh;
use wayfare_scene::{PlanOptions, PlanSource, read_plan};
use wayfare_testkit::{
    PlainMesh, Rings, TestPlan,
    data::{self, MapKind, SharedMap},
    free_space::FreeSpace,
    hertel_mehlhorn,
};

/// Relaxations that are tried [m].
const RELAXATIONS: [f64; 3] = [0.1, 0.5, 1.0];
/// The preference for well-shaped cells that is tried.
const SHAPE: f64 = 1.0;

/// What was counted on one map.
struct Row {
    name: String,
    group: Group,
    is_indoor: bool,
    vertices: usize,
    notches: usize,
    holes: usize,
    components: usize,
    bound: usize,
    strict: usize,
    relaxed: [usize; RELAXATIONS.len()],
    theirs: usize,
    thin: f64,
    shaped: usize,
    shaped_thin: f64,
}

/// Maps that are judged together.
#[derive(Clone, Copy, PartialEq)]
enum Group {
    Grids,
    Plans,
    Rest,
}

impl Group {
    /// Name, and how far below Hertel and Mehlhorn's the cells are to be.
    fn target(self) -> (&'static str, f64) {
        match self {
            Self::Grids => ("game and city grids", 0.33),
            Self::Plans => ("plans", 0.09),
            Self::Rest => ("the rest", 0.10),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let mut rows = Vec::new();
    // Merged and unmerged polygons have one outline.
    let maps = data::maps().into_iter().filter(|map| !map.name.ends_with("-merged"));
    for map in maps.filter(|map| map.name.contains(&wanted)) {
        let started = Instant::now();
        let row = count(&map).map_err(|error| format!("{}: {error}", map.name))?;
        eprintln!("{}: {} cells, {:.1} s", row.name, row.strict, started.elapsed().as_secs_f64());
        rows.push(row);
    }
    if rows.is_empty() {
        return Err("there are no maps to count cells on".into());
    }
    print(&rows);
    Ok(())
}

fn count(map: &SharedMap) -> Result<Row, Box<dyn Error>> {
    let source = match map.kind {
        // Ready polygons are cut anew from their outlines.
        MapKind::PolyMesh => {
            let mesh = PlainMesh::parse(&data::read_text(&map.path)?)?;
            let rings = mesh.boundary().without_straight_points();
            PlanSource::from_polygons(TestPlan::of_rings("outline", &rings).polygons)
        }
        _ => read_plan(&map.path, &PlanOptions::default())?,
    };
    let (plan, _) = build_plan(&source, &Context::default())?;
    let rings = rings(&plan);
    let space = FreeSpace::new(&rings);
    let theirs = hertel_mehlhorn(&rings)?;
    let components = theirs.components().into_iter().max().map_or(0, |last| last + 1);
    let holes = rings.rings.len() - components;
    let notches = (0..space.fans().len()).filter(|&fan| space.is_notch(fan)).count();

    let baked = |convex_distance: f64, shape: f64| -> Result<NavMesh, Box<dyn Error>> {
        let config = BakeConfig { convex_distance, shape, ..BakeConfig::default() };
        let mesh = bake(&plan, &config, &Context::default())?;
        let (area, expected) = (mesh.area(), plan.area());
        if (area - expected).abs() > 1e-9 * expected {
            return Err(format!("the cells' area is {area}, the plan's {expected}").into());
        }
        Ok(mesh)
    };
    let strict = baked(0.0, 0.0)?;
    let shaped = baked(0.0, SHAPE)?;
    let mut relaxed = [0; RELAXATIONS.len()];
    for (cells, distance) in relaxed.iter_mut().zip(RELAXATIONS) {
        *cells = baked(distance, 0.0)?.cell_count();
    }
    Ok(Row {
        name: if map.kind == MapKind::PolyMesh {
            format!("{} (outline)", map.name)
        } else {
            map.name.clone()
        },
        group: match map.kind {
            MapKind::Game | MapKind::City => Group::Grids,
            MapKind::Plan => Group::Plans,
            MapKind::Synthetic | MapKind::Occupancy | MapKind::PolyMesh => Group::Rest,
        },
        is_indoor: map.is_indoor(),
        vertices: rings.len(),
        notches,
        holes,
        components,
        bound: (notches.div_ceil(2) + components).saturating_sub(holes),
        strict: strict.cell_count(),
        relaxed,
        theirs: theirs.polygons.len(),
        thin: thin_share(&strict),
        shaped: shaped.cell_count(),
        shaped_thin: thin_share(&shaped),
    })
}

fn rings(plan: &FloorPlan) -> Rings {
    let regions = plan.layers.iter().flat_map(|layer| &layer.regions);
    Rings { rings: regions.flat_map(|region| region.rings().map(|ring| plan.ring_points(ring))).collect() }
}

fn thin_share(mesh: &NavMesh) -> f64 {
    mesh.cells().filter(|&cell| mesh.is_thin(cell)).count() as f64 / mesh.cell_count().max(1) as f64
}

fn print(rows: &[Row]) {
    let ratio = |a: usize, b: usize| a as f64 / b as f64;
    println!("# Cells\n");
    println!(
        "n vertices, r notches, h holes, c components; LB = ⌈r/2⌉ + c − h, below which no decomposition without \
         new inner vertices goes. **ours** strictly convex, then relaxed by {} m (`--convex-distance`); **HM** \
         Hertel–Mehlhorn on the constrained Delaunay triangulation, longest diagonals dropped first. Thin: share \
         of cells with 4πA/P² < 0.1. The last two columns are ours with `--shape {SHAPE}`.\n",
        RELAXATIONS.map(|distance| distance.to_string()).join(", ")
    );
    print!("| map | n | r | h | c | LB | **ours** |");
    RELAXATIONS.iter().for_each(|distance| print!(" {distance} m |"));
    println!(" HM | ours/HM | ours/LB | thin | cells, shaped | thin, shaped |");
    println!("|---|{}", "--:|".repeat(12 + RELAXATIONS.len()));
    for row in rows {
        let indoor = if row.is_indoor { " (indoor)" } else { "" };
        print!("| {}{indoor} | {} | {} | {} |", row.name, row.vertices, row.notches, row.holes);
        print!(" {} | {} | **{}** |", row.components, row.bound, row.strict);
        row.relaxed.iter().for_each(|cells| print!(" {cells} |"));
        print!(" {} | {:.3} |", row.theirs, ratio(row.strict, row.theirs));
        print!(" {:.3} | {:.1} % |", ratio(row.strict, row.bound), 100.0 * row.thin);
        println!(" {} | {:.1} % |", row.shaped, 100.0 * row.shaped_thin);
    }

    println!("\n## Totals\n");
    println!("| group | ours | HM | below HM | asked for | LB | ours/LB | with `--shape {SHAPE}` |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for group in [Group::Grids, Group::Plans, Group::Rest] {
        let of_group = || rows.iter().filter(|row| row.group == group);
        let sum = |number: fn(&Row) -> usize| of_group().map(number).sum::<usize>();
        let (ours, theirs, bound) = (sum(|row| row.strict), sum(|row| row.theirs), sum(|row| row.bound));
        if theirs == 0 {
            continue;
        }
        let (name, target) = group.target();
        let below = 1.0 - ratio(ours, theirs);
        let met = if below >= target { "" } else { " (missed)" };
        print!("| {name} | {ours} | {theirs} | {:.1} % | {:.0} %{met} |", 100.0 * below, 100.0 * target);
        println!(" {bound} | {:.3} | {} |", ratio(ours, bound), sum(|row| row.shaped));
    }

    let above: Vec<&str> = rows.iter().filter(|row| row.strict > row.theirs).map(|row| &*row.name).collect();
    println!("\n- Maps with more cells than Hertel–Mehlhorn (none is allowed): {}", list(&above));
    let thin = rows.iter().filter(|row| row.is_indoor && row.thin >= 0.15).map(|row| &*row.name);
    println!(
        "- Indoor maps with 15 % thin cells or more (none is allowed): {}",
        list(&thin.collect::<Vec<_>>())
    );
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
