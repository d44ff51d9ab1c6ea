//! Symmetric systems with one 2 × 2 block per pair of neighbours, solved by conjugate gradients.
//!
//! Source: Hestenes and Stiefel 1952; preconditioned with the inverse blocks of the diagonal. Whatever step it is stopped at, the
//! quadratic function is smaller than at the start: so rounds that only need a way down may stop early.
//! Cost: one pass over the blocks per step, about √n steps on the mesh of a chart.

use wayfare_core::{DVec2, dvec2};

/// A symmetric block [[xx, xy], [xy, yy]].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Block {
    pub xx: f64,
    pub xy: f64,
    pub yy: f64,
}

impl Block {
    #[inline]
    fn times(self, v: DVec2) -> DVec2 {
        dvec2(self.xx * v.x + self.xy * v.y, self.xy * v.x + self.yy * v.y)
    }
    fn inverse(self) -> Self {
        let det = self.xx * self.yy - self.xy * self.xy;
        if det > 0.0 && det.is_finite() {
            Self { xx: self.yy / det, xy: -self.xy / det, yy: self.xx / det }
        } else {
            // Semidefinite at worst: the plain diagonal will do.
            let size = (self.xx + self.yy).max(f64::MIN_POSITIVE);
            Self { xx: 2.0 / size, xy: 0.0, yy: 2.0 / size }
        }
    }
    fn add(&mut self, other: Self) {
        self.xx += other.xx;
        self.xy += other.xy;
        self.yy += other.yy;
    }
}

/// Which blocks there are: per row its columns, itself included.
pub struct Blocks {
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<Block>,
    /// Where the nine blocks of each triangle go.
    places: Vec<[[u32; 3]; 3]>,
}

impl Blocks {
    /// Those of the vertices of triangles that share one.
    pub fn new(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let mut pairs: Vec<u64> = Vec::with_capacity(9 * triangles.len());
        for triangle in triangles {
            for &row in triangle {
                pairs.extend(triangle.iter().map(|&column| u64::from(row) << 32 | u64::from(column)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; vertices + 1];
        for pair in &pairs {
            starts[(pair >> 32) as usize + 1] += 1;
        }
        for row in 0..vertices {
            starts[row + 1] += starts[row];
        }
        let columns: Vec<u32> = pairs.iter().map(|&pair| pair as u32).collect();
        let place = |row: u32, column: u32| {
            let range = starts[row as usize] as usize..starts[row as usize + 1] as usize;
            let start = range.start;
            (start + columns[range].partition_point(|&other| other < column)) as u32
        };
        let places = triangles
            .iter()
            .map(|triangle| triangle.map(|row| triangle.map(|column| place(row, column))))
            .collect();
        let values = vec![Block::default(); columns.len()];
        Self { starts, columns, values, places }
    }

    /// Sets all blocks to zero.
    pub fn clear(&mut self) {
        self.values.fill(Block::default());
    }

    /// Adds to the block of two corners of a triangle.
    #[inline]
    pub fn add(&mut self, triangle: usize, row: usize, column: usize, block: Block) {
        let place = self.places[triangle][row][column];
        self.values[place as usize].add(block);
    }

    fn times(&self, x: &[DVec2], out: &mut [DVec2]) {
        for (row, out) in out.iter_mut().enumerate() {
            let range = self.starts[row] as usize..self.starts[row + 1] as usize;
            let mut sum = DVec2::ZERO;
            for (block, &column) in self.values[range.clone()].iter().zip(&self.columns[range]) {
                sum += block.times(x[column as usize]);
            }
            *out = sum;
        }
    }

    /// Solves for `x`, from what it is, until the residual is `tolerance` of the first or `steps` are over. What is
    /// fixed stays.
    pub fn solve(&self, right: &[DVec2], x: &mut [DVec2], fixed: &[bool], tolerance: f64, steps: usize) {
        let n = x.len();
        let is_fixed = |k: usize| fixed.get(k).copied().unwrap_or(false);
        let inverses: Vec<Block> = (0..n)
            .map(|row| {
                let range = self.starts[row] as usize..self.starts[row + 1] as usize;
                let own = self.columns[range.clone()].partition_point(|&column| (column as usize) < row);
                self.values.get(range.start + own).copied().unwrap_or_default().inverse()
            })
            .collect();
        let mut product = vec![DVec2::ZERO; n];
        self.times(x, &mut product);
        let mut residual: Vec<DVec2> =
            (0..n).map(|k| if is_fixed(k) { DVec2::ZERO } else { right[k] - product[k] }).collect();
        let condition = |residual: &[DVec2]| -> Vec<DVec2> {
            residual.iter().zip(&inverses).map(|(r, inverse)| inverse.times(*r)).collect()
        };
        let dot = |a: &[DVec2], b: &[DVec2]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
        let mut z = condition(&residual);
        let mut direction = z.clone();
        let mut size = dot(&residual, &z);
        let enough = tolerance * tolerance * size;
        for _ in 0..steps {
            // Written so that NaN ends it, too.
            if !(size > enough && size > 0.0) {
                break;
            }
            self.times(&direction, &mut product);
            (0..n).filter(|&k| is_fixed(k)).for_each(|k| product[k] = DVec2::ZERO);
            let curvature = dot(&direction, &product);
            if !(curvature > 0.0 && curvature.is_finite()) {
                break;
            }
            let step = size / curvature;
            for k in 0..n {
                x[k] += step * direction[k];
                residual[k] -= step * product[k];
            }
            z = condition(&residual);
            let next = dot(&residual, &z);
            let ratio = next / size;
            size = next;
            for k in 0..n {
                direction[k] = z[k] + ratio * direction[k];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_of_two_triangles_is_solved() {
        let triangles = [[0, 1, 2], [1, 3, 2]];
        let mut blocks = Blocks::new(4, &triangles);
        for (t, weight) in [(0, 1.0), (1, 2.0)] {
            for row in 0..3 {
                for column in 0..3 {
                    let value = if row == column { 3.0 * weight } else { -0.5 * weight };
                    blocks.add(t, row, column, Block { xx: value, xy: 0.1 * value, yy: 2.0 * value });
                }
            }
        }
        let expected = [dvec2(1.0, 2.0), dvec2(-3.0, 0.5), dvec2(0.25, -1.0), dvec2(4.0, 4.0)];
        let mut right = [DVec2::ZERO; 4];
        blocks.times(&expected, &mut right);
        let mut x = [DVec2::ZERO; 4];
        blocks.solve(&right, &mut x, &[], 1e-14, 100);
        assert!(x.iter().zip(expected).all(|(x, e)| x.distance(e) < 1e-10), "{x:?}");
        // With one of them held, the others do not move if they are right.
        let mut x = expected;
        blocks.solve(&right, &mut x, &[true, false, false, false], 1e-14, 100);
        assert!(x.iter().zip(expected).all(|(x, e)| x.distance(e) < 1e-12));
    }
}
