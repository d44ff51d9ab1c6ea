//! What is printed of the comparison, and whether it is what is asked for.

use crate::{
    TURNS,
    case::{CELL_HEIGHT, DEMO, RESOLUTION, SLOPE_DEG, Walker},
    recast::Component,
};

/// Parts of Recast's time, polygons and area that are asked for.
const MOST_TIME: f64 = 1.0 / 3.0;
const MOST_CELLS: f64 = 0.5;
const LEAST_AREA: f64 = 0.99;

/// Least and median of repeated runs [s].
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub least: f64,
    pub median: f64,
}

impl Times {
    pub fn new(mut seconds: Vec<f64>) -> Self {
        seconds.sort_by(f64::total_cmp);
        Self { least: seconds[0], median: seconds[seconds.len() / 2] }
    }
}

/// All about one scene.
#[derive(Debug)]
pub struct Measured {
    pub name: &'static str,
    /// In cells.
    pub their_radius: u16,
    pub triangles: usize,
    pub ours: Times,
    pub ours_all: Times,
    /// On both sides of all faces.
    pub ours_by_default: Times,
    pub theirs: Times,
    pub cells: usize,
    pub area: f64,
    /// Of the same piece when floors inside closed solids are taken out, as by default.
    pub area_without_insides: f64,
    pub cells_all: usize,
    pub area_all: f64,
    pub largest: Component,
    pub polygons_all: usize,
    pub area_theirs_all: f64,
}

impl Measured {
    /// With everything kept, as Recast does; the largest piece alone takes less.
    fn time_part(&self) -> f64 {
        self.ours_all.least / self.theirs.least
    }
    fn cells_part(&self) -> f64 {
        self.cells as f64 / self.largest.polygons as f64
    }
    fn area_part(&self) -> f64 {
        self.area / self.largest.area
    }
}

pub fn print(measured: &[Measured], failed: &[(&str, String)]) {
    println!("# Bakes: wayfare and Recast\n");
    let Walker { height, step } = DEMO;
    println!(
        "Recast is the crate rerecast 0.5, in one run with wayfare, on one thread, with the same triangles for the same body: height \
         {height} m, step {step} m, slope {SLOPE_DEG}°, radius 0 (for Recast the smallest radius at which it does not fail: on some ground it cannot cut a contour into triangles and gives up), pixels of \
         {RESOLUTION} m. Recast's voxels are {CELL_HEIGHT} m high; its other settings are RecastDemo's: regions from 8² cells, merged \
         below 20², edges up to 12 m, contours within 1.3 cells, polygons of up to 6 corners, heights sampled every 6 cells to one \
         voxel. Wayfare's are its defaults: contours within one pixel, heights within 5 cm, cells strictly convex with any number of \
         corners; but as Recast does, it walks on the fronts of faces alone (`--faces front`; by default on both sides, since faces may \
         be turned in any way), and floors inside closed solids stay (`--keep-inside`).\n"
    );
    println!(
        "Times in ms: from triangles in memory to polygons with heights, the least (and median) of {TURNS} runs in turns; without \
         reading the file, and for wayfare without search tables.\n"
    );
    println!("## Time\n");
    println!(
        "| scene | triangles | Recast's radius | Recast | wayfare, all ground | wayfare, that piece | wayfare, both sides | all ground / Recast | at most 1/3 |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|---|");
    let ms = |times: Times| format!("{:.1} ({:.1})", times.least * 1e3, times.median * 1e3);
    for m in measured {
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {:.2} | {} |",
            m.name,
            m.triangles,
            if m.their_radius == 0 { "0".into() } else { format!("{} cell", m.their_radius) },
            ms(m.theirs),
            ms(m.ours_all),
            ms(m.ours),
            ms(m.ours_by_default),
            m.time_part(),
            met(m.time_part() <= MOST_TIME)
        );
    }
    println!("\n## Cells and area\n");
    println!(
        "Over the same reachable ground: Recast's largest piece by the neighbours of its polygons, and what wayfare reaches from the middle \
         of that piece's largest polygon. In brackets all ground. *without insides*: what is left of the piece by default.\n"
    );
    println!(
        "| scene | Recast's polygons | wayfare's cells | part | at most half | Recast's area [m²] | wayfare's | part | at least 99 % | without insides |"
    );
    println!("|---|--:|--:|--:|---|--:|--:|--:|---|--:|");
    for m in measured {
        println!(
            "| {} | {} ({}) | {} ({}) | {:.2} | {} | {:.1} ({:.1}) | {:.1} ({:.1}) | {:.1} % | {} | {:.1} |",
            m.name,
            m.largest.polygons,
            m.polygons_all,
            m.cells,
            m.cells_all,
            m.cells_part(),
            met(m.cells_part() <= MOST_CELLS),
            m.largest.area,
            m.area_theirs_all,
            m.area,
            m.area_all,
            m.area_part() * 100.0,
            met(m.area_part() >= LEAST_AREA),
            m.area_without_insides
        );
    }
    for (name, error) in failed {
        println!("\n{name}: Recast fails at every radius from 0 to 4 cells: {error}");
    }
    println!("\n## Asked for\n");
    let verdict = |what: &str, is_met: fn(&Measured) -> bool| {
        let missed: Vec<&str> = measured.iter().filter(|m| !is_met(m)).map(|m| m.name).collect();
        match missed.is_empty() {
            true => println!("- {what}: met on all scenes"),
            false => println!("- {what}: NOT met on {}", missed.join(", ")),
        }
    };
    verdict("time at most a third of Recast's", |m| m.time_part() <= MOST_TIME);
    verdict("cells at most half of Recast's polygons", |m| m.cells_part() <= MOST_CELLS);
    verdict("area at least 99 % of Recast's", |m| m.area_part() >= LEAST_AREA);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "\nLoad average at the end, this bench included: {}.\n",
        load.split(' ').next().unwrap_or("not known")
    );
}

fn met(is_met: bool) -> &'static str {
    if is_met { "met" } else { "**NOT met**" }
}
