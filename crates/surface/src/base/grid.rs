//! Which face of a flat chart lies at a point.

use super::frame::weights;
use crate::flat::FlatChart;
use wayfare_core::DVec2;

/// Squares of the plane and the faces that reach into each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    low: DVec2,
    /// Squares per metre.
    density: f64,
    columns: usize,
    rows: usize,
    starts: Vec<u32>,
    faces: Vec<u32>,
}

impl Grid {
    /// About one square per face.
    pub fn new(chart: &FlatChart) -> Self {
        let low = chart.positions.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = chart.positions.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        let size = (high - low).max(DVec2::splat(f64::MIN_POSITIVE));
        let count = chart.mesh.faces.len();
        // Long thin charts have one row, and no more squares than a few per face.
        let density = (count as f64 / (size.x * size.y)).sqrt().min(count as f64 / size.max_element());
        let cells = |length: f64| ((length * density) as usize + 1).min(2 * count + 1);
        let mut grid = Self {
            low,
            density,
            columns: cells(size.x),
            rows: cells(size.y),
            starts: Vec::new(),
            faces: Vec::new(),
        };
        let mut entries: Vec<(u32, u32)> = Vec::new();
        for face in 0..count {
            let [a, b, c] = chart.corners(face);
            let [from, to] = [a.min(b).min(c), a.max(b).max(c)].map(|p| grid.cell(p));
            for row in from.1..=to.1 {
                entries.extend((from.0..=to.0).map(|k| ((row * grid.columns + k) as u32, face as u32)));
            }
        }
        entries.sort_unstable();
        grid.starts = vec![0; grid.columns * grid.rows + 1];
        for entry in &entries {
            grid.starts[entry.0 as usize + 1] += 1;
        }
        for k in 1..grid.starts.len() {
            grid.starts[k] += grid.starts[k - 1];
        }
        grid.faces = entries.into_iter().map(|entry| entry.1).collect();
        grid
    }

    fn cell(&self, p: DVec2) -> (usize, usize) {
        let at = (p - self.low) * self.density;
        // What is below the first is in the first, and NaN, too.
        ((at.x as usize).min(self.columns - 1), (at.y as usize).min(self.rows - 1))
    }

    /// The face at a point, and the weights of its corners, if one is there.
    pub fn face_at(&self, chart: &FlatChart, p: DVec2) -> Option<(usize, [f64; 3])> {
        let (column, row) = self.cell(p);
        let cell = row * self.columns + column;
        let range = self.starts[cell] as usize..self.starts[cell + 1] as usize;
        let mut best: Option<(f64, usize, [f64; 3])> = None;
        for &face in &self.faces[range] {
            let weights = weights(chart.corners(face as usize), p);
            let least = weights[0].min(weights[1]).min(weights[2]);
            if least >= -1e-9 && best.is_none_or(|best| least > best.0) {
                best = Some((least, face as usize, weights));
            }
        }
        best.map(|(_, face, weights)| (face, weights))
    }
}
