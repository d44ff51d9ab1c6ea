//! Error against time of all methods on one surface, as a table and as a picture.

use crate::{
    decimate::Coarse,
    table::{Errors, REPEATS, ROUNDS, least, sources},
    worker::{Worker, processor_time},
};
use anyhow::{Context as _, Result};
use std::{fmt::Write as _, fs, path::Path};
use wayfare_core::Context;
use wayfare_surface::{
    BaseMesh, BaseSolver, Method, Query, SegmentConfig, Solver, SurfaceMesh, SurfacePoint,
};

const SURFACE: &str = "bunny_70k.ply.gz";
const LIMITS: [f64; 5] = [1.04, 1.02, 1.01, 1.005, 1.0025];
const PICTURE: &str = "docs/pictures/geodesic-methods.svg";

/// What one method does.
struct Dot {
    series: &'static str,
    words: String,
    /// Seconds, once and per query.
    prepare: f64,
    solve: f64,
    /// Percent of the farthest distance.
    mean: f64,
    largest: f64,
}

/// Prints the table and writes the picture; `root` is the folder of the shared data.
pub fn print(root: &Path) -> Result<()> {
    let dots = measure(root)?;
    println!("\n## Error against time\n");
    println!(
        "{SURFACE}, three sources, milliseconds of processor time, one thread, the least of {ROUNDS} rounds, mean of the sources. *One* \
         is preparing and one query, *a thousand* preparing and a thousand times the same, a query being the distances of all vertices. \
         *Decimated* is exact distances on a mesh of as many faces as the base mesh of the row above it, made by collapsing edges \
         (quadrics, Garland and Heckbert 1997), every vertex read at the nearest point of it.\n\n\
         ![Error against time](../pictures/geodesic-methods.svg)\n"
    );
    println!(
        "| method | mean error | largest | prepare | query | one | a thousand |\n|---|--:|--:|--:|--:|--:|--:|"
    );
    for dot in &dots {
        println!(
            "| {}{} | {:.3} % | {:.2} % | {:.0} | {:.2} | {:.0} | {:.0} |",
            dot.series,
            dot.words,
            dot.mean,
            dot.largest,
            dot.prepare * 1e3,
            dot.solve * 1e3,
            dot.after(1.0) * 1e3,
            dot.after(1000.0) * 1e3,
        );
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(PICTURE);
    fs::write(&file, picture(&dots)).with_context(|| format!("cannot write {}", file.display()))
}

impl Dot {
    /// Seconds after so many queries.
    fn after(&self, queries: f64) -> f64 {
        self.prepare + queries * self.solve
    }
}

fn measure(root: &Path) -> Result<Vec<Dot>> {
    let context = Context::default();
    let (mesh, _) = wayfare_scene::read_mesh(&root.join("surfaces").join(SURFACE), 1 << 32)?;
    let (surface, _) = SurfaceMesh::build(&mesh)?;
    let vertices = sources(&mesh);
    let points: Vec<Vec<SurfacePoint>> =
        vertices.iter().map(|&v| SurfacePoint::at_input_vertex(&surface, v)).collect::<Result<_, _>>()?;
    let mut dots = Vec::new();
    let mut exact = Vec::new();
    for (method, series, words) in [
        (Method::Exact, "exact", ""),
        (Method::VirtualSources, "gsp", ""),
        (Method::FastMarching, "fast marching", ""),
        (Method::Dijkstra, "Dijkstra", ""),
    ] {
        let mut solver = Solver::new(&surface, method);
        let mut errors = Errors::default();
        let mut solve = 0.0;
        for (k, source) in points.iter().enumerate() {
            let repeats = if method == Method::Exact { 1 } else { REPEATS };
            let (seconds, field) =
                least(repeats, || Ok(solver.solve(source, &Query::default(), &context)?))?;
            solve += seconds / points.len() as f64;
            if method == Method::Exact {
                exact.push(field.distances.clone());
            }
            errors.add(&exact[k], &field.distances);
        }
        dots.push(errors.dot(series, words.to_owned(), 0.0, solve));
    }
    for limit in LIMITS {
        let config = SegmentConfig { max_distortion: limit, ..SegmentConfig::default() };
        let begin = processor_time()?;
        let base = BaseMesh::build(&mesh, &surface, &config, &context)?;
        let mut solver = BaseSolver::new(&base, &surface);
        solver.prepare_vertices();
        let prepare = (processor_time()? - begin).as_secs_f64();
        let begin = processor_time()?;
        let faces = base.surface().face_count();
        let coarse = Coarse::build(&mesh, faces)?;
        let mut rival = coarse.solver();
        let prepare_coarse = (processor_time()? - begin).as_secs_f64();
        let (mut errors, mut solve) = ([Errors::default(), Errors::default()], [0.0; 2]);
        for (k, source) in points.iter().enumerate() {
            let (seconds, found) =
                least(REPEATS, || Ok(solver.distances(source, f64::INFINITY, &context)?))?;
            errors[0].add(&exact[k], &found.0);
            solve[0] += seconds / points.len() as f64;
            let (seconds, found) = least(REPEATS, || coarse.distances(&mut rival, vertices[k]))?;
            errors[1].add(&exact[k], &found.0);
            solve[1] += seconds / points.len() as f64;
        }
        let [ours, theirs] = errors;
        dots.push(ours.dot("base", format!(" {limit} ({faces} faces)"), prepare, solve[0]));
        let words = format!(" ({} faces)", coarse.surface.face_count());
        dots.push(theirs.dot("decimated", words, prepare_coarse, solve[1]));
    }
    let mut worker = Worker::start()?;
    worker.mesh(&mesh)?;
    let (mut errors, mut prepare, mut solve) = (Errors::default(), 0.0, 0.0);
    for (k, &vertex) in vertices.iter().enumerate() {
        let (once, each, found) = worker.heat(vertex)?;
        errors.add(&exact[k], &found);
        prepare += once / vertices.len() as f64;
        solve += each / vertices.len() as f64;
    }
    dots.push(errors.dot("heat", " (potpourri3d)".to_owned(), prepare, solve));
    Ok(dots)
}

impl Errors {
    fn dot(&self, series: &'static str, words: String, prepare: f64, solve: f64) -> Dot {
        let (mean, largest) = self.percent();
        Dot { series, words, prepare, solve, mean, largest }
    }
}

/// Colours of the methods, in the order of the legend.
const SERIES: [(&str, &str); 7] = [
    ("base", "#0b6e99"),
    ("decimated", "#c2571a"),
    ("exact", "#222222"),
    ("gsp", "#6a8f1f"),
    ("fast marching", "#8a4fa3"),
    ("Dijkstra", "#a8324a"),
    ("heat", "#b8860b"),
];

/// Two panels, one query and a thousand; both axes logarithmic. A dot is the mean error, the line above it goes to the largest.
fn picture(dots: &[Dot]) -> String {
    const WIDTH: f64 = 400.0;
    const HEIGHT: f64 = 320.0;
    // Percent at the lower and at the upper edge; exact stands on the lower one.
    const ERRORS: [f64; 2] = [0.02, 20.0];
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 980 430\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"980\" height=\"430\" fill=\"#ffffff\"/>\n",
    );
    let y = |percent: f64| {
        let share = (percent.max(ERRORS[0]) / ERRORS[0]).log10() / (ERRORS[1] / ERRORS[0]).log10();
        30.0 + HEIGHT * (1.0 - share)
    };
    for (panel, (title, queries)) in
        [("one query", 1.0), ("a thousand queries", 1000.0)].into_iter().enumerate()
    {
        let left = 60.0 + panel as f64 * (WIDTH + 90.0);
        let all: Vec<f64> = dots.iter().map(|dot| dot.after(queries)).collect();
        let low = all.iter().copied().fold(f64::INFINITY, f64::min).log10().floor();
        let high = all.iter().copied().fold(0.0, f64::max).log10().ceil();
        let x = |seconds: f64| left + WIDTH * (seconds.log10() - low) / (high - low);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"20\" text-anchor=\"middle\" font-weight=\"bold\">{title}</text>\n\
             <rect x=\"{left}\" y=\"30\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#888888\"/>",
            left + WIDTH / 2.0
        );
        for exponent in low as i32..=high as i32 {
            let at = x(10f64.powi(exponent));
            let words = match exponent {
                ..0 => format!("{} ms", 10f64.powi(exponent + 3)),
                _ => format!("{} s", 10f64.powi(exponent)),
            };
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} 30V350\" stroke=\"#dddddd\"/><text x=\"{at:.1}\" y=\"367\" text-anchor=\"middle\">{words}</text>"
            );
        }
        for percent in [0.1, 1.0, 10.0] {
            let at = y(percent);
            let _ = writeln!(
                svg,
                "<path d=\"M{left} {at:.1}h{WIDTH}\" stroke=\"#dddddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{percent} %</text>",
                left - 6.0,
                at + 4.0
            );
        }
        let _ = writeln!(svg, "<text x=\"{}\" y=\"354\" text-anchor=\"end\">exact</text>", left - 6.0);
        for (series, colour) in SERIES {
            let of: Vec<&Dot> = dots.iter().filter(|dot| dot.series == series).collect();
            let line: Vec<String> =
                of.iter().map(|dot| format!("{:.1},{:.1}", x(dot.after(queries)), y(dot.mean))).collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
                line.join(" ")
            );
            for dot in of {
                let at = x(dot.after(queries));
                let (mean, largest) = (y(dot.mean), y(dot.largest));
                let _ = writeln!(
                    svg,
                    "<path d=\"M{at:.1} {mean:.1}V{largest:.1}\" stroke=\"{colour}\" stroke-dasharray=\"2 3\"/>\
                     <circle cx=\"{at:.1}\" cy=\"{mean:.1}\" r=\"4\" fill=\"{colour}\"><title>{series}{}: {:.3} %</title></circle>",
                    dot.words, dot.mean
                );
            }
        }
    }
    for (k, (series, colour)) in SERIES.into_iter().enumerate() {
        let at = 60.0 + 125.0 * k as f64;
        let _ = writeln!(
            svg,
            "<circle cx=\"{at}\" cy=\"395\" r=\"5\" fill=\"{colour}\"/><text x=\"{}\" y=\"399\">{series}</text>",
            at + 10.0
        );
    }
    svg + "<text x=\"60\" y=\"420\" fill=\"#555555\">Processor time against mean error over the farthest distance; dotted up to the largest error.</text>\n</svg>\n"
}
