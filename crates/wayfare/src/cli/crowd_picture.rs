//! Pictures of crowds: trajectories coloured by the size of the bodies, the mean density, and a saved moment. Storeys are drawn
//! one below the other; colours are plain numbers, which every program that draws SVG knows.

use std::{collections::BTreeMap, fmt::Write as _};
use wayfare::{
    core::DVec2,
    crowd::{
        Crowd,
        scenario::{Row, Simulation, Trajectories},
    },
    navmesh::NavMesh,
};

/// What is drawn of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Trajectories,
    Density,
}

/// Width of a picture and height of its legend [px].
const WIDTH: f64 = 1200.0;
const LEGEND: f64 = 44.0;
/// Edge of a square of the density [m].
const SQUARE: f64 = 0.5;
/// From little to much: blue, green, yellow, red; told apart by lightness too.
const RAMP: [[f64; 3]; 5] =
    [[49., 54., 149.], [33., 145., 140.], [122., 190., 80.], [244., 170., 60.], [190., 30., 45.]];

/// An SVG picture of the ground and of what happened on it.
pub fn picture(mesh: &NavMesh, simulation: &Simulation, trajectories: &Trajectories, kind: Kind) -> String {
    let mut canvas = Canvas::new(mesh);
    match kind {
        Kind::Trajectories => canvas.draw_trajectories(trajectories),
        Kind::Density => canvas.draw_density(trajectories),
    }
    for line in &simulation.scenario().lines {
        for storey in line.storeys(mesh) {
            let [[a, b], [c, d]] = line.ends.map(|p| canvas.place(storey, p));
            canvas.add(format_args!(
                "<line x1=\"{a:.1}\" y1=\"{b:.1}\" x2=\"{c:.1}\" y2=\"{d:.1}\" stroke=\"#111111\" stroke-width=\"2\" \
                 stroke-dasharray=\"6 4\"/>"
            ));
        }
    }
    canvas.finish()
}

/// An SVG picture of a saved crowd.
pub fn draw_crowd(crowd: &Crowd) -> String {
    let mesh = crowd.mesh();
    let mut canvas = Canvas::new(mesh);
    let range = range(crowd.agents().map(|agent| agent.radius));
    for agent in crowd.agents() {
        let [x, y] = canvas.place(mesh.storey(agent.cell), agent.at.truncate());
        let (radius, fill) = (agent.radius * canvas.scale, colour(share(agent.radius, range)));
        canvas.add(format_args!("<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\" fill=\"{fill}\"/>"));
    }
    let words = format!("{} after {:.1} s, radius", crowd.len(), crowd.time());
    canvas.legend(&words, range.map(|radius| format!("{radius:.2} m")));
    canvas.finish()
}

/// A picture on its way.
struct Canvas {
    svg: String,
    low: DVec2,
    high: DVec2,
    scale: f64,
    /// How far down each storey is drawn [px].
    storeys: BTreeMap<u32, f64>,
    height: f64,
}

impl Canvas {
    fn new(mesh: &NavMesh) -> Self {
        let bounds = mesh.bounds();
        let size = bounds.size().max(DVec2::splat(1e-3));
        let edge = 0.02 * size.x;
        let scale = WIDTH / (size.x + 2.0 * edge);
        let panel = (size.y + 2.0 * edge) * scale;
        let mut storeys: BTreeMap<u32, f64> = mesh.cells().map(|cell| (mesh.storey(cell), 0.0)).collect();
        for (k, (_, down)) in (0..).zip(&mut storeys) {
            *down = panel * f64::from(k);
        }
        let height = panel * storeys.len().max(1) as f64;
        let (low, high) = (bounds.min - edge, bounds.max + edge);
        let mut canvas = Self { svg: String::new(), low, high, scale, storeys, height };
        for &storey in canvas.storeys.clone().keys() {
            let mut ground = String::new();
            for cell in mesh.cells().filter(|&cell| mesh.storey(cell) == storey) {
                for (k, p) in mesh.cell_points(cell).enumerate() {
                    let [x, y] = canvas.place(storey, p);
                    // Writing to a string cannot fail.
                    let _ = write!(ground, "{}{x:.1} {y:.1}", if k == 0 { "M" } else { "L" });
                }
                ground.push('Z');
            }
            canvas.add(format_args!(
                "<path d=\"{ground}\" fill=\"#fbfbf9\" stroke=\"#fbfbf9\" stroke-width=\"0.5\"/>"
            ));
        }
        canvas
    }

    /// y points up in the plan and down in the picture.
    fn place(&self, storey: u32, p: DVec2) -> [f64; 2] {
        let down = self.storeys.get(&storey).copied().unwrap_or(0.0);
        [(p.x - self.low.x) * self.scale, (self.high.y - p.y) * self.scale + down]
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.svg, "{element}");
    }

    fn finish(self) -> String {
        let height = self.height + LEGEND;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height:.0}\" viewBox=\"0 0 {WIDTH} \
             {height:.1}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#8a8f98\"/>\n{}</svg>\n",
            self.svg
        )
    }

    /// What the colours mean, below the picture.
    fn legend(&mut self, words: &str, [least, most]: [String; 2]) {
        let top = self.height + 12.0;
        self.add(format_args!(
            "<g font-family=\"sans-serif\" font-size=\"15\" fill=\"#ffffff\"><text x=\"24\" y=\"{0:.1}\">{words}</text>\
             <text x=\"420\" y=\"{0:.1}\" text-anchor=\"end\">{least}</text><text x=\"690\" y=\"{0:.1}\">{most}</text></g>",
            top + 15.0
        ));
        for k in 0..50 {
            let (x, fill) = (430.0 + 5.0 * f64::from(k), colour(f64::from(k) / 49.0));
            self.add(format_args!(
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"5.5\" height=\"18\" fill=\"{fill}\"/>"
            ));
        }
    }

    fn draw_trajectories(&mut self, trajectories: &Trajectories) {
        let radii = &trajectories.radii;
        let range = range(radii.iter().copied());
        for (&storey, rows) in &trajectories.storeys {
            let mut lines: BTreeMap<u32, Vec<&Row>> = BTreeMap::new();
            for row in rows {
                lines.entry(row.id).or_default().push(row);
            }
            for (id, line) in lines {
                let stroke = colour(share(radii.get(id as usize).copied().unwrap_or(range[0]), range));
                let mut path = String::new();
                let mut before = None;
                for row in line {
                    let [x, y] = self.place(storey, DVec2::new(row.at[0], row.at[1]));
                    // Somebody who was on another storey meanwhile comes back elsewhere.
                    let goes_on = before.is_some_and(|before| before + 1 == row.frame);
                    let _ = write!(path, "{}{x:.1} {y:.1}", if goes_on { "L" } else { "M" });
                    before = Some(row.frame);
                }
                self.add(format_args!(
                    "<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-opacity=\"0.5\" stroke-width=\"1.2\"/>"
                ));
            }
        }
        self.legend("trajectories by the radius of the body", range.map(|radius| format!("{radius:.2} m")));
    }

    fn draw_density(&mut self, trajectories: &Trajectories) {
        let frames = trajectories.storeys.values().flatten().map(|row| row.frame + 1).max().unwrap_or(1);
        let per_row = 1.0 / (frames as f64 * SQUARE * SQUARE);
        let mut densities: BTreeMap<(u32, [i64; 2]), f64> = BTreeMap::new();
        for (&storey, rows) in &trajectories.storeys {
            for row in rows {
                let square = [row.at[0], row.at[1]].map(|x| (x / SQUARE).floor() as i64);
                *densities.entry((storey, square)).or_default() += per_row;
            }
        }
        let most = densities.values().copied().fold(0.0, f64::max);
        for (&(storey, [x, y]), &density) in &densities {
            let corner = DVec2::new(x as f64, y as f64 + 1.0) * SQUARE;
            let [x, y] = self.place(storey, corner);
            let (edge, fill) = (SQUARE * self.scale, colour(share(density, [0.0, most])));
            self.add(format_args!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{edge:.1}\" height=\"{edge:.1}\" fill=\"{fill}\"/>"
            ));
        }
        self.legend("mean density, persons per m²", [0.0, most].map(|density| format!("{density:.2}")));
    }
}

/// The least and the most of some numbers; 0 and 0 of none.
fn range(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    let range = numbers.map(|number| [number; 2]).reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
    range.unwrap_or_default()
}

/// Where a number lies in a range, from 0 to 1.
fn share(number: f64, [low, high]: [f64; 2]) -> f64 {
    if high > low { ((number - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 }
}

/// The colour of an amount from 0 to 1.
fn colour(share: f64) -> String {
    let at = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let first = (at as usize).min(RAMP.len() - 2);
    let mix = |k: usize| {
        let (a, b) = (RAMP[first][k], RAMP[first + 1][k]);
        (a + (b - a) * (at - first as f64)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}
