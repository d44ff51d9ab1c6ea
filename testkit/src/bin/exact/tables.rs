//! What is printed.

use crate::{
    MOST_SECONDS as MOST_SCENE_SECONDS,
    difference::SAME,
    measure::{Measured, PAIRS, RUNS, VOXELS},
};

/// What is asked for of towns.
const MOST_SECONDS: f64 = 6.0;
const MOST_MIB: f64 = 1024.0;

/// A scene's name and what was measured of it, or why nothing was.
type Row = (Result<Measured, String>, String);

/// The findings of all checkers.
fn checks(m: &Measured) -> String {
    if let Some(reason) = &m.nothing {
        return reason.clone();
    }
    let mut words = Vec::new();
    for ((count, first), who) in m.defects.iter().zip(["plan", "mesh", "independent"]) {
        if *count > 0 {
            words.push(format!("**{who}: {count} defects**, {first}"));
        }
    }
    words.extend(m.unsettled.iter().map(|why| format!("**no clearance**: {why}")));
    if words.is_empty() { "pass".into() } else { words.join("; ") }
}

pub fn print_scenes(rows: &[Row]) {
    println!("# The exact way\n\n## Exact and voxels side by side\n");
    println!(
        "Each scene for the body that is at home in it; one thread, triangles in memory to a validated mesh, the quickest of {RUNS} \
         runs (of one, if it takes over a second). *exact*: on the finest grid, *voxel*: at 0.1 m, both without clearance. *whole*: all that the \
         command does, with clearance, and on coarser grids where that is needed (below). *memory*: peak of the process in the first \
         exact run. *checks*: the plan's checker, the mesh's, testkit's independent one, and whether there is clearance. *rays*: places at \
         which {PAIRS} paths between random points are off the ground, too high a step or too wide a gap, in a wall, without head \
         room. What takes more than {MOST_SCENE_SECONDS} s with all of this is stopped, and said to have failed.\n"
    );
    println!(
        "| scene | triangles | exact [s] | voxel [s] | whole [s] | memory [MiB] | layers | seams [m] | components | cells | voxel cells | gaps [m²] | checks | rays |"
    );
    println!("|---|{}---|---|", "--:|".repeat(11));
    for (measured, name) in rows {
        match measured {
            Err(error) => println!("| {name} |{} **failed**: {error} | |", " |".repeat(11)),
            Ok(m) => println!(
                "| {name} | {} | {:.3} | {:.3} | {:.3} | {:.0} | {} | {:.1} | {} | {} | {} | {:.3} | {} | {} |",
                m.triangles,
                m.seconds,
                m.voxel_seconds,
                m.whole_seconds,
                m.peak_mb,
                m.layers,
                m.seams,
                m.components,
                m.cells,
                m.voxel_cells,
                m.gap_area,
                checks(m),
                m.by_rule.map(|count| count.to_string()).join(", ")
            ),
        }
    }
    println!("\nWhat was done so that a mesh holds and has clearance:\n");
    for (name, m) in measured(rows) {
        m.note.iter().for_each(|note| println!("- {name}: {note}"));
    }
    println!("\nThe worst that rays found, of each kind:\n");
    for (name, m) in measured(rows) {
        m.worst.iter().for_each(|worst| println!("- {name}: {worst}"));
    }
    println!();
}

fn measured(rows: &[Row]) -> impl Iterator<Item = (&str, &Measured)> {
    rows.iter().filter_map(|(measured, name)| Some((name.as_str(), measured.as_ref().ok()?)))
}

pub fn print_areas(rows: &[Row]) {
    println!("## Areas\n");
    println!(
        "Square metres in plan, without gaps; *differs* is what only one of the two has, by samples on a grid, matched where heights are \
         within {SAME} m. *shrinks*: from the largest voxels to the smallest.\n"
    );
    let sizes = VOXELS.map(|size| format!("voxel {size} | differs"));
    println!("| scene | exact | {} | shrinks |\n|---|{}---|", sizes.join(" | "), "--:|".repeat(7));
    for (name, m) in measured(rows).filter(|(_, m)| m.nothing.is_none()) {
        print!("| {name} | {:.3} |", m.area);
        for one in &m.voxels {
            match one {
                Some([area, differs]) => print!(" {area:.2} | {differs:.2} |"),
                None => print!(" none | |"),
            }
        }
        let differs: Vec<f64> = m.voxels.iter().flatten().map(|[_, differs]| *differs).collect();
        let shrinks = differs.windows(2).all(|pair| pair[1] < pair[0] || pair[1] == 0.0);
        println!(" {} |", if shrinks { "yes" } else { "**no**" });
    }
    println!();
}

pub fn print_named(rows: &[Row]) {
    println!("## Named places\n\nListed in the source before the run; a point with the scene's body.\n");
    println!("| scene | way | expected | found |\n|---|---|---|---|");
    for (name, m) in measured(rows) {
        for (words, expected, found) in &m.named {
            let is_as_said = *expected == found.starts_with("yes");
            let said = if *expected { "yes" } else { "no" };
            let found = if is_as_said { found.clone() } else { format!("**{found}**") };
            println!("| {name} | {words} | {said} | {found} |");
        }
    }
    println!();
}

pub fn print_towns(rows: &[Row]) {
    println!("## Towns\n");
    println!(
        "Copies of a house, turned, on one square; and triangles in a heap. One thread, with gaps, on the finest grid, without \
         clearance, one run; the command would go on to coarser grids where a checker finds something. Asked for: {MOST_SECONDS} s and {MOST_MIB} MiB.\n"
    );
    println!(
        "| town of | triangles | exact [s] | memory [MiB] | layers | cells | area [m²] | gaps [m²] | checks | rays | asked for |"
    );
    println!("|---|{}---|---|---|", "--:|".repeat(7));
    for (measured, name) in rows {
        match measured {
            Err(error) => println!("| {name} |{} **failed**: {error} | | |", " |".repeat(7)),
            Ok(m) => println!(
                "| {name} | {} | {:.2} | {:.0} | {} | {} | {:.1} | {:.3} | {} | {} | {} |",
                m.triangles,
                m.seconds,
                m.peak_mb,
                m.layers,
                m.cells,
                m.area,
                m.gap_area,
                checks(m),
                m.by_rule.map(|count| count.to_string()).join(", "),
                if m.seconds <= MOST_SECONDS && m.peak_mb <= MOST_MIB { "met" } else { "**NOT met**" }
            ),
        }
    }
}

/// How busy the machine was, for the reader to judge the times.
pub fn print_load() {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "\nLoad average at the end, this bench included: {}.\n",
        load.split(' ').next().unwrap_or("not known")
    );
}
