//! The picture of a navigation mesh: cells, portals, walls, drops, seams, obstacles, ignored notches.
//!
//! The order of painting is obstacles, then per storey, the lowest first, ground, cells, portals, walls, drops, seams and
//! notches, then the path: an obstacle may hold an island of ground, and every line lies over every fill of its storey. Small meshes get one element per cell with a
//! title that browsers show under the pointer; large ones get one path per colour, which keeps a map of
//! 20,000 cells at about a megabyte.

use super::{
    DrawConfig, DrawError, Marks,
    canvas::{Canvas, number},
    furniture, route,
    storeys::{Rim, Storey, storeys, trace_rim},
};
use crate::{COLOURS, colour_cells};
use wayfare_core::{DVec2, Id as _};
use wayfare_navmesh::{CellId, LocateConfig, NavMesh};

/// What gaps look like, in pictures of both themes.
pub(super) const GAP: &str = "style=\"fill:#3fae5a\"";
/// What steps look like.
pub(super) const STEP: &str = "style=\"stroke:#1d7a35\"";

/// Meshes up to this many cells get one element per cell.
const CELLS_WITH_TITLES: usize = 2000;

/// Draws a navigation mesh as SVG, all storeys or one; of a path and its ends, what lies on another storey is left out.
pub fn draw_mesh(mesh: &NavMesh, marks: &Marks, config: &DrawConfig) -> Result<String, DrawError> {
    config.check()?;
    let canvas = Canvas::new(mesh.bounds(), config.width, furniture::has_footer(config));
    let mut storeys = storeys(mesh);
    if let Some(only) = config.storey {
        let known = storeys.iter().map(|storey| storey.number).collect();
        storeys.retain(|storey| storey.number == only);
        if storeys.is_empty() {
            return Err(DrawError::NoStorey { asked: only, known });
        }
    }
    let count: usize = storeys.iter().map(|storey| storey.cells.len()).sum();
    let painter = Painter {
        mesh,
        canvas,
        lines: Lines::of(mesh, &canvas),
        colours: colour_cells(mesh),
        has_titles: count <= CELLS_WITH_TITLES,
        config,
    };
    let title = format!("navigation mesh with {count} cells");
    let mut out = furniture::open(&canvas, &title, config);
    if config.obstacles {
        canvas.backdrop(&mut out);
    }
    for (k, storey) in storeys.iter().enumerate() {
        if storeys.len() == 1 {
            painter.draw(&mut out, storey);
        } else {
            // What lies below shines through a little.
            let opacity = if k == 0 { "" } else { " opacity=\".88\"" };
            out.push_str(&format!("<g id=\"storey{}\"{opacity}>\n", storey.number));
            painter.draw(&mut out, storey);
            out.push_str("</g>\n");
        }
    }
    let storey_at = |p| mesh.locate(p, &LocateConfig::default()).map(|location| location.storey);
    route::draw(&mut out, &canvas, marks, |p| config.storey.is_none_or(|only| storey_at(p) == Some(only)));
    furniture::close(&mut out, &canvas, config);
    Ok(out)
}

/// What is needed to draw a storey.
struct Painter<'a> {
    mesh: &'a NavMesh,
    canvas: Canvas,
    lines: Lines,
    colours: Vec<u8>,
    has_titles: bool,
    config: &'a DrawConfig,
}

impl Painter<'_> {
    fn draw(&self, out: &mut String, storey: &Storey) {
        let Self { mesh, canvas, lines, config, .. } = self;
        let rims = storey.rims(mesh);
        // Below the cells: hides the hair lines that renderers leave between two fills.
        let mut ground = String::new();
        for chain in &rims {
            let corners = chain.iter().map(|&(corner, _)| mesh.xy(mesh.corner_vertex(corner)));
            canvas.trace(&mut ground, corners, true);
        }
        out.push_str(&format!("<path class=\"ground\" fill-rule=\"evenodd\" d=\"{ground}\"/>\n"));
        if config.cells {
            self.draw_cells(out, storey);
        }
        if config.portals {
            self.draw_portals(out, storey);
        }
        for kind in Rim::ALL {
            let mut data = String::new();
            for chain in &rims {
                trace_rim(&mut data, canvas, mesh, chain, kind);
            }
            path(out, kind.class(), Some(lines.wall), &data);
        }
        if config.notches {
            self.draw_notches(out, storey);
        }
        if config.labels {
            self.draw_labels(out, storey);
        }
    }

    fn draw_cells(&self, out: &mut String, storey: &Storey) {
        let Self { mesh, canvas, colours, .. } = self;
        if self.has_titles {
            let is_one = mesh.cell_count() == storey.cells.len();
            let storey_words = if is_one { String::new() } else { format!(", storey {}", storey.number) };
            for &cell in &storey.cells {
                let mut data = String::new();
                canvas.trace(&mut data, mesh.cell_points(cell), true);
                out.push_str(&format!(
                    "<path {} d=\"{data}\"><title>{} {cell}, {:.2} m²{storey_words}</title></path>\n",
                    self.fill_of(cell),
                    if mesh.gap(cell).is_some() { "gap" } else { "cell" },
                    mesh.cell_area(cell)
                ));
            }
            return;
        }
        let mut classes = vec![String::new(); COLOURS + 1];
        for &cell in &storey.cells {
            let class = if mesh.gap(cell).is_some() { COLOURS } else { usize::from(colours[cell.index()]) };
            canvas.trace(&mut classes[class], mesh.cell_points(cell), true);
        }
        for (k, data) in classes.iter().enumerate() {
            match k {
                COLOURS if data.is_empty() => {}
                COLOURS => out.push_str(&format!("<path {GAP} d=\"{data}\"/>\n")),
                k => path(out, &format!("c{k}"), None, data),
            }
        }
    }

    /// The class of a cell; gaps have a colour of their own.
    fn fill_of(&self, cell: CellId) -> String {
        match self.mesh.gap(cell) {
            Some(_) => GAP.into(),
            None => format!("class=\"c{}\"", self.colours[cell.index()]),
        }
    }

    fn draw_portals(&self, out: &mut String, storey: &Storey) {
        let Self { mesh, canvas, lines, .. } = self;
        let (mut data, mut steps) = (String::new(), String::new());
        for &[one, other] in mesh.portals().as_slice() {
            let is_here = mesh.storey(mesh.cell_of_corner(one)) == storey.number && !mesh.is_seam(one);
            if !is_here {
                continue;
            }
            let data = if mesh.rise(one) > 0.0 { &mut steps } else { &mut data };
            // The twin edge starts where this one ends.
            let ends = [mesh.corner_vertex(one), mesh.corner_vertex(other)];
            canvas.trace(data, ends.map(|vertex| mesh.xy(vertex)), false);
        }
        if !steps.is_empty() {
            let width = number(lines.wall);
            out.push_str(&format!("<path {STEP} stroke-width=\"{width}\" d=\"{steps}\"/>\n"));
        }
        if data.is_empty() {
            return;
        }
        let dash =
            lines.dash.map(|dash| format!(" stroke-dasharray=\"{}\"", number(dash))).unwrap_or_default();
        out.push_str(&format!(
            "<path class=\"portal\" stroke-width=\"{}\"{dash} d=\"{data}\"/>\n",
            number(lines.portal)
        ));
    }

    /// Ignored notches as small discs: paths still bend round them.
    fn draw_notches(&self, out: &mut String, storey: &Storey) {
        let Self { mesh, canvas, lines, .. } = self;
        let radius = number((lines.wall * 1.4).max(0.6));
        for corner in storey.cells.iter().flat_map(|&cell| mesh.notches(cell)) {
            let p = canvas.place(mesh.xy(mesh.corner_vertex(*corner)));
            out.push_str(&format!(
                "<circle class=\"notch\" cx=\"{}\" cy=\"{}\" r=\"{radius}\"/>\n",
                number(p.x),
                number(p.y)
            ));
        }
    }

    /// A number per cell, where the cell is large enough to hold it.
    fn draw_labels(&self, out: &mut String, storey: &Storey) {
        let Self { mesh, canvas, .. } = self;
        for &cell in &storey.cells {
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
