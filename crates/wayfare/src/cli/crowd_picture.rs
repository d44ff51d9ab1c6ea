//! Pictures of a run: trajectories coloured by the size of the bodies, and the mean density.

use std::fmt::Write as _;
use wayfare::{
    core::DVec2,
    crowd::scenario::{Simulation, Trajectories},
    navmesh::NavMesh,
};

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Trajectories,
    Density,
}

/// Width of a picture [px].
const WIDTH: f64 = 1200.0;
/// Edge of a square of the density [m].
const SQUARE: f64 = 0.5;
/// Persons per square metre of the darkest colour.
const DENSE: f64 = 5.0;

/// An SVG picture of the ground and of what happened on it.
pub fn picture(mesh: &NavMesh, simulation: &Simulation, trajectories: &Trajectories, kind: Kind) -> String {
    let bounds = mesh.bounds();
    let size = bounds.size().max(DVec2::splat(1e-3));
    let scale = WIDTH / (size.x * 1.04);
    // y points up in the plan and down in the picture.
    let place = |p: DVec2| {
        [(p.x - bounds.min.x + 0.02 * size.x) * scale, (bounds.max.y - p.y + 0.02 * size.x) * scale]
    };
    let height = (size.y + 0.04 * size.x) * scale;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {WIDTH} {height:.1}\"><rect width=\"100%\" height=\"100%\" fill=\"#8a8f98\"/>\n"
    );
    // Writing to a string cannot fail.
    let mut ground = String::new();
    for cell in mesh.cells() {
        for (k, p) in mesh.cell_points(cell).enumerate() {
            let [x, y] = place(p);
            let _ = write!(ground, "{}{x:.1} {y:.1}", if k == 0 { "M" } else { "L" });
        }
        ground.push('Z');
    }
    let _ = writeln!(out, "<path d=\"{ground}\" fill=\"#fbfbf9\" stroke=\"#fbfbf9\" stroke-width=\"0.5\"/>");
    match kind {
        Kind::Trajectories => draw_trajectories(&mut out, simulation, trajectories, &place),
        Kind::Density => draw_density(&mut out, trajectories, &place, scale),
    }
    for line in &simulation.scenario().lines {
        let [[a, b], [c, d]] = line.ends.map(place);
        let _ = writeln!(
            out,
            "<line x1=\"{a:.1}\" y1=\"{b:.1}\" x2=\"{c:.1}\" y2=\"{d:.1}\" stroke=\"#111\" stroke-width=\"2\" \
             stroke-dasharray=\"6 4\"/>"
        );
    }
    out += "</svg>\n";
    out
}

fn draw_trajectories(
    out: &mut String,
    simulation: &Simulation,
    trajectories: &Trajectories,
    place: &impl Fn(DVec2) -> [f64; 2],
) {
    let radii = simulation.radii();
    let (low, high) = radii.iter().fold((f64::MAX, 0.0f64), |(low, high), &r| (low.min(r), high.max(r)));
    for rows in trajectories.storeys.values() {
        let mut lines: Vec<Vec<(u64, DVec2)>> = vec![Vec::new(); radii.len()];
        for row in rows {
            if let Some(line) = lines.get_mut(row.id as usize) {
                line.push((row.frame, DVec2::new(row.at[0], row.at[1])));
            }
        }
        for (line, &radius) in lines.iter().zip(radii) {
            // From blue for small bodies to red for large ones.
            let hue = 220.0 * (1.0 - (radius - low) / (high - low).max(1e-9)).clamp(0.0, 1.0);
            let mut path = String::new();
            let mut before = None;
            for &(frame, p) in line {
                let [x, y] = place(p);
                // Somebody who was on another storey meanwhile comes back elsewhere.
                let goes_on = before.is_some_and(|before| before + 1 == frame);
                let _ = write!(path, "{}{x:.1} {y:.1}", if goes_on { "L" } else { "M" });
                before = Some(frame);
            }
            if !path.is_empty() {
                let _ = writeln!(
                    out,
                    "<path d=\"{path}\" fill=\"none\" stroke=\"hsl({hue:.0} 75% 45%)\" stroke-opacity=\"0.45\" \
                     stroke-width=\"1\"/>"
                );
            }
        }
    }
}

fn draw_density(
    out: &mut String,
    trajectories: &Trajectories,
    place: &impl Fn(DVec2) -> [f64; 2],
    scale: f64,
) {
    for rows in trajectories.storeys.values() {
        let frames = rows.last().map_or(0, |row| row.frame) + 1;
        let square =
            |row: &wayfare::crowd::scenario::Row| [row.at[1], row.at[0]].map(|x| (x / SQUARE).floor() as i64);
        let mut squares: Vec<[i64; 2]> = rows.iter().map(square).collect();
        squares.sort_unstable();
        for same in squares.chunk_by(|a, b| a == b) {
            let density = same.len() as f64 / frames as f64 / (SQUARE * SQUARE);
            let [x, y] = place(DVec2::new(same[0][1] as f64, same[0][0] as f64 + 1.0) * SQUARE);
            let share = (density / DENSE).clamp(0.0, 1.0);
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{0:.1}\" height=\"{0:.1}\" fill=\"hsl({1:.0} 90% 50%)\" \
                 fill-opacity=\"{2:.2}\"/>",
                SQUARE * scale,
                60.0 * (1.0 - share),
                0.15 + 0.8 * share.sqrt()
            );
        }
    }
}
