//! The picture of a navigation mesh: cells, portals, walls, obstacles, ignored notches.
//!
//! The order of painting is obstacles, ground, cells, portals, walls, notches, path: an obstacle may hold
//! an island of ground, and every line lies over every fill. Small meshes get one element per cell with a
//! title that browsers show under the pointer; large ones get one path per colour, which keeps a map of
//! 20,000 cells at about a megabyte.

use super::{
    DrawConfig, DrawError, Marks,
    canvas::{Canvas, number},
    furniture, route,
};
use crate::{COLOURS, colour_cells};
use wayfare_core::{DVec2, Id as _};
use wayfare_navmesh::NavMesh;

/// Meshes up to this many cells get one element per cell.
const CELLS_WITH_TITLES: usize = 2000;

/// Draws a navigation mesh as SVG.
pub fn draw_mesh(mesh: &NavMesh, marks: &Marks, config: &DrawConfig) -> Result<String, DrawError> {
    config.check()?;
    let canvas = Canvas::new(mesh.bounds(), config.width, furniture::has_footer(config));
    let lines = Lines::of(mesh, &canvas);
    let title = format!("navigation mesh with {} cells", mesh.cell_count());
    let mut out = furniture::open(&canvas, &title, config);

    let rings: Vec<Vec<DVec2>> = mesh
        .boundary()
        .chains()
        .map(|chain| chain.iter().map(|&corner| mesh.xy(mesh.corner_vertex(corner))).collect())
        .collect();
    let trace_all = |rings: &mut dyn Iterator<Item = &Vec<DVec2>>| {
        let mut data = String::new();
        for ring in rings {
            canvas.trace(&mut data, ring.iter().copied(), true);
        }
        data
    };
    if config.obstacles {
        canvas.backdrop(&mut out);
    }
    let walls = trace_all(&mut rings.iter());
    // Below the cells: hides the hair lines that renderers leave between two fills.
    out.push_str(&format!("<path class=\"ground\" fill-rule=\"evenodd\" d=\"{walls}\"/>\n"));
    if config.cells {
        draw_cells(&mut out, mesh, &canvas);
    }
    if config.portals {
        draw_portals(&mut out, mesh, &canvas, &lines);
    }
    path(&mut out, "wall", Some(lines.wall), &walls);
    if config.notches {
        draw_notches(&mut out, mesh, &canvas, &lines);
    }
    if config.labels {
        draw_labels(&mut out, mesh, &canvas);
    }
    route::draw(&mut out, &canvas, marks);
    furniture::close(&mut out, &canvas, config);
    Ok(out)
}

/// Line widths [px], by how large a typical cell is in the picture: a hundred cells want firm lines, a
/// hundred thousand would drown in them.
struct Lines {
    wall: f64,
    portal: f64,
    dash: Option<f64>,
}

impl Lines {
    fn of(mesh: &NavMesh, canvas: &Canvas) -> Self {
        let area = mesh.area() / mesh.cell_count().max(1) as f64;
        let side = area.sqrt() * canvas.scale;
        let wall = (side / 12.0).clamp(0.25, 2.25);
        let portal = wall * 0.5;
        Self { wall, portal, dash: (side > 14.0).then_some(portal * 3.5) }
    }
}

/// A path element of a class, with a line width where it is a line.
pub(super) fn path(out: &mut String, class: &str, stroke: Option<f64>, data: &str) {
    if data.is_empty() {
        return;
    }
    let stroke = stroke.map(|width| format!(" stroke-width=\"{}\"", number(width)));
    out.push_str(&format!("<path class=\"{class}\"{} d=\"{data}\"/>\n", stroke.unwrap_or_default()));
}

fn draw_cells(out: &mut String, mesh: &NavMesh, canvas: &Canvas) {
    let colours = colour_cells(mesh);
    if mesh.cell_count() <= CELLS_WITH_TITLES {
        for cell in mesh.cells() {
            let mut data = String::new();
            canvas.trace(&mut data, mesh.cell_points(cell), true);
            out.push_str(&format!(
                "<path class=\"c{}\" d=\"{data}\"><title>cell {cell}, {:.2} m²</title></path>\n",
                colours[cell.index()],
                mesh.cell_area(cell)
            ));
        }
        return;
    }
    let mut classes = vec![String::new(); COLOURS];
    for cell in mesh.cells() {
        canvas.trace(&mut classes[usize::from(colours[cell.index()])], mesh.cell_points(cell), true);
    }
    for (k, data) in classes.iter().enumerate() {
        path(out, &format!("c{k}"), None, data);
    }
}

fn draw_portals(out: &mut String, mesh: &NavMesh, canvas: &Canvas, lines: &Lines) {
    let mut data = String::new();
    for &[one, other] in mesh.portals().as_slice() {
        // The twin edge starts where this one ends.
        let ends = [mesh.corner_vertex(one), mesh.corner_vertex(other)];
        canvas.trace(&mut data, ends.map(|vertex| mesh.xy(vertex)), false);
    }
    if data.is_empty() {
        return;
    }
    let dash = lines.dash.map(|dash| format!(" stroke-dasharray=\"{}\"", number(dash))).unwrap_or_default();
    out.push_str(&format!(
        "<path class=\"portal\" stroke-width=\"{}\"{dash} d=\"{data}\"/>\n",
        number(lines.portal)
    ));
}

/// Ignored notches as small discs: paths still bend round them.
fn draw_notches(out: &mut String, mesh: &NavMesh, canvas: &Canvas, lines: &Lines) {
    let radius = number((lines.wall * 1.4).max(0.6));
    for corner in mesh.cells().flat_map(|cell| mesh.notches(cell)) {
        let p = canvas.place(mesh.xy(mesh.corner_vertex(*corner)));
        out.push_str(&format!(
            "<circle class=\"notch\" cx=\"{}\" cy=\"{}\" r=\"{radius}\"/>\n",
            number(p.x),
            number(p.y)
        ));
    }
}

/// A number per cell, where the cell is large enough to hold it.
fn draw_labels(out: &mut String, mesh: &NavMesh, canvas: &Canvas) {
    for cell in mesh.cells() {
        let corners = mesh.corner_range(cell).len() as f64;
        let middle = mesh.cell_points(cell).sum::<DVec2>() / corners;
        let text = cell.to_string();
        if mesh.cell_area(cell).sqrt() * canvas.scale > 9.0 * text.len() as f64 + 8.0 {
            let p = canvas.place(middle);
            out.push_str(&format!(
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{text}</text>\n",
                number(p.x),
                number(p.y + 4.5)
            ));
        }
    }
}
