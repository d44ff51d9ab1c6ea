//! Pictures of crowds: ways of bodies coloured by size, the mean density, bodies at a moment; a map for each storey, one below the
//! other at one scale.

use super::{
    DrawConfig, DrawError,
    canvas::{Canvas, number},
    furniture,
    mesh::path,
    storeys::{Rim, Storey, storeys, trace_rim},
};
use std::collections::BTreeSet;
use wayfare_core::DVec2;
use wayfare_geom::Aabb2;
use wayfare_navmesh::NavMesh;

/// Five colours from little to much, told apart by lightness too; plain numbers, which every program that draws SVG knows.
type Ramp = [[f64; 3]; 5];
/// Blue, green, yellow, red: sizes of bodies.
const SIZES: Ramp =
    [[49., 54., 149.], [33., 145., 140.], [122., 190., 80.], [244., 170., 60.], [190., 30., 45.]];
/// From the pale ground to dark red: how many.
const AMOUNTS: Ramp =
    [[247., 240., 214.], [253., 208., 132.], [244., 140., 72.], [205., 62., 60.], [104., 14., 52.]];
/// Colours of a legend's band.
const BAND: u32 = 40;

/// A body at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnBody {
    /// The storey that it is on.
    pub storey: u32,
    /// Its middle.
    pub at: DVec2,
    /// Its radius [m].
    pub radius: f64,
}

/// A piece of a body's way that stays on one storey.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnTrack {
    /// The storey that it is on.
    pub storey: u32,
    /// The body's radius [m].
    pub radius: f64,
    /// Where it was, one moment after the other.
    pub points: Vec<DVec2>,
}

/// A square of ground and how many persons per square metre were on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnDensity {
    /// The storey that it is on.
    pub storey: u32,
    /// Its corner with the least coordinates.
    pub corner: DVec2,
    /// Persons per square metre.
    pub density: f64,
}

/// What is drawn of a crowd.
#[derive(Clone, Debug, PartialEq)]
pub enum CrowdPicture {
    /// Where bodies went.
    Tracks(Vec<DrawnTrack>),
    /// How many were where, on squares of one side [m].
    Density {
        /// The side of all squares [m].
        side: f64,
        /// The squares; what is in none was empty.
        squares: Vec<DrawnDensity>,
    },
    /// Where bodies are.
    Bodies(Vec<DrawnBody>),
}

/// A place where passages are counted: two ends on a storey.
pub type DrawnLine = (u32, [DVec2; 2]);

/// Draws a crowd on its mesh as SVG, with the lines at which passages are counted. Storeys on which nothing is to be seen are left
/// out.
pub fn draw_crowd(
    mesh: &NavMesh,
    crowd: &CrowdPicture,
    lines: &[DrawnLine],
    config: &DrawConfig,
) -> Result<String, DrawError> {
    config.check()?;
    let mut maps = storeys(mesh);
    let count = maps.len();
    let seen: BTreeSet<u32> = crowd.storeys().chain(lines.iter().map(|line| line.0)).collect();
    if let Some(only) = config.storey {
        let known = maps.iter().map(|storey| storey.number).collect();
        maps.retain(|storey| storey.number == only);
        if maps.is_empty() {
            return Err(DrawError::NoStorey { asked: only, known });
        }
    } else if maps.iter().any(|storey| seen.contains(&storey.number)) {
        maps.retain(|storey| seen.contains(&storey.number));
    }
    let bounds: Vec<Aabb2> = maps.iter().map(|storey| bounds_of(mesh, storey)).collect();
    let (canvases, whole) = Canvas::stacked(&bounds, config.width, count > 1, furniture::has_footer(config));
    let whole = if config.scale_bar { whole.with_legend() } else { whole };
    let scale = Scale::of(crowd);
    let mut out = furniture::open(&whole, scale.words, config);
    for (storey, canvas) in maps.iter().zip(&canvases) {
        if count > 1 {
            let corner = canvas.corner();
            let (x, y) = (number(corner.x), number(corner.y - 16.0));
            out.push_str(&format!("<text x=\"{x}\" y=\"{y}\">storey {}</text>\n", storey.number));
        }
        let rims = storey.rims(mesh);
        let mut ground = String::new();
        for chain in &rims {
            let corners = chain.iter().map(|&(corner, _)| mesh.xy(mesh.corner_vertex(corner)));
            canvas.trace(&mut ground, corners, true);
        }
        if config.obstacles {
            canvas.backdrop(&mut out);
        }
        out.push_str(&format!("<path class=\"ground\" fill-rule=\"evenodd\" d=\"{ground}\"/>\n"));
        crowd.draw(&mut out, canvas, storey.number, &ground, &scale);
        // Walls over what happened, so that squares of the density do not reach into them.
        for kind in Rim::ALL {
            let mut data = String::new();
            for chain in &rims {
                trace_rim(&mut data, canvas, mesh, chain, kind);
            }
            path(&mut out, kind.class(), Some(1.0), &data);
        }
        for &(_, ends) in lines.iter().filter(|line| line.0 == storey.number) {
            let mut data = String::new();
            canvas.trace(&mut data, ends, false);
            out.push_str(&format!(
                "<path class=\"path\" stroke-width=\"2\" stroke-dasharray=\"6 5\" d=\"{data}\"/>\n"
            ));
        }
    }
    if config.scale_bar {
        furniture::legend(&mut out, &whole, &scale.legend());
    }
    furniture::close(&mut out, &whole, config);
    Ok(out)
}

fn bounds_of(mesh: &NavMesh, storey: &Storey) -> Aabb2 {
    Aabb2::of_points(storey.cells.iter().flat_map(|&cell| mesh.cell_points(cell)))
}

impl CrowdPicture {
    /// The storeys on which anything is to be seen, some of them several times.
    fn storeys(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Self::Tracks(tracks) => Box::new(tracks.iter().map(|track| track.storey)),
            Self::Density { squares, .. } => Box::new(squares.iter().map(|square| square.storey)),
            Self::Bodies(bodies) => Box::new(bodies.iter().map(|body| body.storey)),
        }
    }

    fn draw(&self, out: &mut String, canvas: &Canvas, storey: u32, ground: &str, scale: &Scale) {
        match self {
            Self::Tracks(tracks) => {
                for track in tracks.iter().filter(|track| track.storey == storey) {
                    let mut data = String::new();
                    canvas.trace(&mut data, track.points.iter().copied(), false);
                    out.push_str(&format!(
                        "<path stroke=\"{}\" stroke-opacity=\".55\" stroke-width=\"1.2\" d=\"{data}\"/>\n",
                        scale.colour(track.radius)
                    ));
                }
            }
            Self::Density { side, squares } => {
                // A hair over its side, so that no seams show between two; what reaches into walls is cut off.
                let edge = number(side * canvas.scale + 0.3);
                out.push_str(&format!(
                    "<clipPath id=\"ground{storey}\"><path clip-rule=\"evenodd\" d=\"{ground}\"/></clipPath>\n\
                     <g clip-path=\"url(#ground{storey})\">\n"
                ));
                for square in squares.iter().filter(|square| square.storey == storey) {
                    let p = canvas.place(square.corner + DVec2::Y * *side);
                    out.push_str(&format!(
                        "<rect x=\"{}\" y=\"{}\" width=\"{edge}\" height=\"{edge}\" fill=\"{}\"/>\n",
                        number(p.x),
                        number(p.y),
                        scale.colour(square.density)
                    ));
                }
                out.push_str("</g>\n");
            }
            Self::Bodies(bodies) => {
                for body in bodies.iter().filter(|body| body.storey == storey) {
                    let p = canvas.place(body.at);
                    out.push_str(&format!(
                        "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n",
                        number(p.x),
                        number(p.y),
                        number(body.radius * canvas.scale),
                        scale.colour(body.radius)
                    ));
                }
            }
        }
    }
}

/// What the colours mean.
struct Scale {
    words: &'static str,
    unit: &'static str,
    ramp: &'static Ramp,
    least: f64,
    most: f64,
}

impl Scale {
    fn of(crowd: &CrowdPicture) -> Self {
        let radii = |range: Option<[f64; 2]>, words| {
            let [least, most] = range.unwrap_or_default();
            Self { words, unit: "m", ramp: &SIZES, least, most }
        };
        match crowd {
            CrowdPicture::Tracks(tracks) => {
                radii(range(tracks.iter().map(|track| track.radius)), "ways of bodies by their radius")
            }
            CrowdPicture::Bodies(bodies) => {
                radii(range(bodies.iter().map(|body| body.radius)), "bodies by their radius")
            }
            CrowdPicture::Density { squares, .. } => {
                let most = range(squares.iter().map(|square| square.density)).map_or(0.0, |[_, most]| most);
                Self { words: "mean density", unit: "persons per m²", ramp: &AMOUNTS, least: 0.0, most }
            }
        }
    }

    /// The colour of a number in the range.
    fn colour(&self, number: f64) -> String {
        let width = self.most - self.least;
        mix(self.ramp, if width > 0.0 { (number - self.least) / width } else { 0.0 })
    }

    fn legend(&self) -> Vec<(String, String)> {
        let Self { words, unit, ramp, least, most } = self;
        let mut known = vec![(String::new(), format!("{words}: {least:.2}"))];
        let band = (0..BAND)
            .map(|k| (format!("fill=\"{}\"", mix(ramp, f64::from(k) / f64::from(BAND - 1))), String::new()));
        known.extend(band);
        known.push((String::new(), format!("{most:.2} {unit}")));
        known
    }
}

/// The least and the most of some numbers.
fn range(numbers: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    numbers.map(|number| [number; 2]).reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])
}

/// The colour of an amount from 0 to 1.
fn mix(ramp: &Ramp, share: f64) -> String {
    let at = share.clamp(0.0, 1.0) * (ramp.len() - 1) as f64;
    let first = (at as usize).min(ramp.len() - 2);
    let [red, green, blue] = [0, 1, 2].map(|k| {
        let (a, b) = (ramp[first][k], ramp[first + 1][k]);
        (a + (b - a) * (at - first as f64)).round() as u8
    });
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests;
