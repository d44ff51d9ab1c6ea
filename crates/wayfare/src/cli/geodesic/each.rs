//! `geodesic --each`: a row of distances for each source by itself, sources side by side on all threads.

use super::{
    super::output::{ending, write},
    MethodArg,
    output::{Output, npy},
    point::{self, PointArg},
    solve::Ground,
};
use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use std::{fmt::Write as _, path::Path};
use wayfare::{
    core::Context,
    scene::read_bytes,
    surface::{SurfacePoint, Work, distances_from_each},
};

/// Distances at most: 2 GiB of them.
const MOST_DISTANCES: usize = 1 << 28;

/// Bytes of a list of sources at most.
const MOST_BYTES: u64 = 1 << 26;

/// What is said of one source.
#[derive(Serialize)]
pub struct EachReport {
    /// As it was given.
    source: String,
    /// Vertices that it reaches.
    reached: usize,
    max: Option<f64>,
    mean: Option<f64>,
}

/// Sources from a file: one per line, as with `--source`; empty lines and what follows a `#` are passed over.
pub fn read_sources(path: &Path) -> Result<Vec<PointArg>> {
    let bytes = read_bytes(path, MOST_BYTES)?;
    let text = String::from_utf8(bytes).with_context(|| format!("{}: not a text", path.display()))?;
    let mut sources = Vec::new();
    // Some editors write a mark at the beginning.
    let text = text.trim_start_matches('\u{feff}');
    for (line, text) in text.lines().enumerate() {
        let text = text.split('#').next().unwrap_or_default().trim();
        if !text.is_empty() {
            let source = point::parse(text).map_err(anyhow::Error::msg);
            sources.push(source.with_context(|| format!("{}, line {}", path.display(), line + 1))?);
        }
    }
    if sources.is_empty() {
        bail!("{}: there is no source in it", path.display());
    }
    Ok(sources)
}

impl Ground {
    /// Distances from each source by a method, a row each.
    pub fn solve_each(
        &self,
        method: MethodArg,
        sources: &[Vec<SurfacePoint>],
        radius: f64,
        context: &Context,
    ) -> Result<(Vec<Vec<f64>>, Work)> {
        let vertices = self.surface.input_vertex_count();
        if sources.len().saturating_mul(vertices) > MOST_DISTANCES {
            bail!(
                "{} sources times {vertices} vertices are too many distances; at most {} sources at a time",
                sources.len(),
                MOST_DISTANCES / vertices.max(1)
            );
        }
        Ok(match &self.base {
            Some(base) if method == MethodArg::Base => {
                base.distances_from_each(&self.surface, sources, radius, context)?
            }
            _ => distances_from_each(&self.surface, sources, method.method(), radius, context)?,
        })
    }
}

/// Rows have forms of their own.
pub fn check_form(path: &Path) -> Result<Output> {
    match ending(path).as_str() {
        "npy" => Ok(Output::Npy),
        "csv" => Ok(Output::Csv),
        other => bail!("with --each distances are written as .npy or .csv, not as '.{other}'"),
    }
}

/// Writes a row per source: `.npy` as an array of sources by vertices, `.csv` with a column for each source.
pub fn write_rows(form: Output, path: &Path, sources: &[PointArg], rows: &[Vec<f64>]) -> Result<()> {
    let bytes = match form {
        Output::Npy => npy(&[rows.len(), rows.first().map_or(0, Vec::len)], rows.iter().flatten()),
        _ => csv(sources, rows),
    };
    write(path, &bytes)
}

fn csv(sources: &[PointArg], rows: &[Vec<f64>]) -> Vec<u8> {
    let mut out = String::from("vertex");
    // Writing to a string cannot fail. A point of a face has commas in it.
    for source in sources {
        let _ = match source {
            PointArg::Vertex(_) => write!(out, ",{source}"),
            PointArg::Face(..) => write!(out, ",\"{source}\""),
        };
    }
    for vertex in 0..rows.first().map_or(0, Vec::len) {
        let _ = write!(out, "\n{vertex}");
        for row in rows {
            let _ = write!(out, ",{}", row[vertex]);
        }
    }
    out.push('\n');
    out.into_bytes()
}

/// What is said of each source.
pub fn reports(sources: &[PointArg], rows: &[Vec<f64>]) -> Vec<EachReport> {
    let report = |(source, row): (&PointArg, &Vec<f64>)| {
        let finite = || row.iter().copied().filter(|distance| distance.is_finite());
        let reached = finite().count();
        let mean = (reached > 0).then(|| finite().sum::<f64>() / reached as f64);
        EachReport { source: source.to_string(), reached, max: finite().reduce(f64::max), mean }
    };
    sources.iter().zip(rows).map(report).collect()
}
