//! Distances as files: PLY, CSV, NPY; or as a picture.

use super::{
    super::{
        output,
        surface_show::{Shown, chart_of_triangles, page},
    },
    report::{Error, TargetReport},
    solve::Ground,
};
use anyhow::{Result, bail};
use std::{fmt::Write as _, path::Path};
use wayfare::{
    core::DVec3,
    geom::TriangleMesh,
    view::{Histogram, HistogramWords, SurfacePicture, draw_histogram, draw_surface},
};

/// The form of the output.
#[derive(Clone, Copy)]
pub enum Output {
    Ply,
    Csv,
    Npy,
    Svg,
    Html,
}

impl Output {
    /// By the ending of its name.
    pub fn of(ending: &str) -> Result<Self> {
        Ok(match ending {
            "ply" => Self::Ply,
            "csv" => Self::Csv,
            "npy" => Self::Npy,
            "svg" => Self::Svg,
            "html" => Self::Html,
            _ => bail!(
                "distances are written as .ply, .csv or .npy, pictures as .svg, pages as .html; not as '.{ending}'"
            ),
        })
    }

    /// Writes the distance of each vertex of the file.
    pub fn write(
        self,
        path: &Path,
        ground: &Ground,
        distances: &[f64],
        differences: Option<&[f64]>,
        targets: &[TargetReport],
        eye: Option<[f64; 3]>,
    ) -> Result<()> {
        let mesh = &ground.mesh;
        let positions = |target: &TargetReport| {
            target.positions().iter().copied().map(DVec3::from_array).collect::<Vec<_>>()
        };
        let paths: Vec<Vec<DVec3>> = targets.iter().map(positions).collect();
        let bytes = match self {
            Self::Ply => ply(mesh, distances, differences),
            Self::Csv => csv(distances),
            Self::Npy => npy(&[distances.len()], distances),
            Self::Svg => {
                let eye = eye.map_or(SurfacePicture::default().eye, DVec3::from_array);
                let picture = SurfacePicture { eye, ..SurfacePicture::default() };
                draw_surface(mesh, distances, &paths, &picture).into_bytes()
            }
            Self::Html => {
                let charts = ground.base.as_ref();
                let charts = charts.map(|base| chart_of_triangles(mesh, &ground.surface, base));
                let mut fields = vec![("distance from the source", distances)];
                fields.extend(differences.map(|differences| ("difference to the other method", differences)));
                let shown = Shown { fields, charts: charts.unwrap_or_default(), paths };
                page("distances along a surface", mesh, &shown)?.into_bytes()
            }
        };
        output::write(path, &bytes)
    }
}

/// Ranges of a histogram.
pub const RANGES: usize = 40;

/// Pictures are SVG.
pub fn check_picture(path: &Path) -> Result<()> {
    match output::ending(path).as_str() {
        "svg" => Ok(()),
        other => bail!("a histogram is written as .svg, not as '.{other}'"),
    }
}

/// Draws how the differences of two methods are spread over the vertices.
pub fn write_histogram(path: &Path, error: &Error, [method, other]: [&str; 2]) -> Result<()> {
    let percent = error.shares().map(|share| 100.0 * share);
    let title = format!("{method} against {other}");
    let words = HistogramWords {
        title: &title,
        values: "|difference| over the farthest distance [%]",
        counts: "vertices",
    };
    output::write(path, draw_histogram(&Histogram::of(percent, RANGES), &words, 900.0).as_bytes())
}

/// Binary, with all digits; infinite where no source reaches.
fn ply(mesh: &TriangleMesh, distances: &[f64], differences: Option<&[f64]>) -> Vec<u8> {
    let more = if differences.is_some() { "property double difference\n" } else { "" };
    let header = format!(
        "ply\nformat binary_little_endian 1.0\ncomment distances along the surface by wayfare\nelement vertex {}\n\
         property double x\nproperty double y\nproperty double z\nproperty double distance\n{more}element face {}\n\
         property list uchar int vertex_indices\nend_header\n",
        mesh.vertices.len(),
        mesh.triangles.len()
    );
    let mut out = header.into_bytes();
    out.reserve(40 * mesh.vertices.len() + 13 * mesh.triangles.len());
    for (k, (vertex, distance)) in mesh.vertices.iter().zip(distances).enumerate() {
        let difference = differences.map(|differences| differences[k]);
        for value in vertex.to_array().into_iter().chain([*distance]).chain(difference) {
            out.extend(value.to_le_bytes());
        }
    }
    for triangle in &mesh.triangles {
        out.push(3);
        for vertex in triangle {
            out.extend(vertex.to_le_bytes());
        }
    }
    out
}

fn csv(distances: &[f64]) -> Vec<u8> {
    let mut out = String::from("vertex,distance\n");
    for (vertex, distance) in distances.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{vertex},{distance}");
    }
    out.into_bytes()
}

/// Version 1.0 of the format of NumPy: doubles, row by row.
pub fn npy<'a>(shape: &[usize], values: impl IntoIterator<Item = &'a f64>) -> Vec<u8> {
    let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
    // A tuple of one has a comma, too.
    let comma = if shape.len() == 1 { "," } else { "" };
    let mut header =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}{comma}), }}", shape.join(", "));
    // The data begins at a multiple of 64; the header ends with a line break.
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.into_bytes());
    out.extend(values.into_iter().flat_map(|value| value.to_le_bytes()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_say_what_they_hold() {
        assert_eq!(csv(&[0.0, 1.5, f64::INFINITY]), b"vertex,distance\n0,0\n1,1.5\n2,inf\n");
        let bytes = npy(&[2], &[1.0, 2.0]);
        assert_eq!(bytes.len() % 64, 16);
        assert_eq!(bytes[bytes.len() - 16..], [1f64.to_le_bytes(), 2f64.to_le_bytes()].concat());
    }
}
