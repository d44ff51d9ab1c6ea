//! Buckets in plan that say which triangles may be near.

use wayfare_core::{DVec2, DVec3};

/// Triangles by squares of the plan.
pub(super) struct Grid {
    low: DVec2,
    /// Side of a square [m].
    side: f64,
    size: [usize; 2],
    /// Where the list of each square begins, and one more.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Grid {
    /// About two squares per triangle.
    pub fn new(triangles: &[[DVec3; 3]]) -> Self {
        let corners = || triangles.iter().flatten().map(|p| p.truncate());
        let low = corners().fold(DVec2::INFINITY, DVec2::min);
        let high = corners().fold(DVec2::NEG_INFINITY, DVec2::max);
        if triangles.is_empty() {
            return Self { low: DVec2::ZERO, side: 1.0, size: [1, 1], starts: vec![0, 0], items: Vec::new() };
        }
        let extent = (high - low).max(DVec2::splat(1e-3));
        let side =
            (extent.x * extent.y / (2 * triangles.len()) as f64).sqrt().max(extent.max_element() / 4096.0);
        let size = [extent.x, extent.y].map(|extent| (extent / side) as usize + 1);
        let mut grid = Self { low, side, size, starts: vec![0; size[0] * size[1] + 1], items: Vec::new() };
        let range = |grid: &Self, triangle: &[DVec3; 3]| {
            let plan = triangle.map(|p| p.truncate());
            grid.range(plan[0].min(plan[1]).min(plan[2]), plan[0].max(plan[1]).max(plan[2]))
        };
        // Count, sum up, fill from behind.
        for triangle in triangles {
            for square in grid.squares(range(&grid, triangle)) {
                grid.starts[square] += 1;
            }
        }
        let mut sum = 0;
        for start in &mut grid.starts {
            sum += *start;
            *start = sum;
        }
        grid.items = vec![0; sum as usize];
        for (k, triangle) in triangles.iter().enumerate().rev() {
            for square in grid.squares(range(&grid, triangle)) {
                grid.starts[square] -= 1;
                let place = grid.starts[square] as usize;
                grid.items[place] = k as u32;
            }
        }
        grid
    }

    /// Columns and rows, last ones included, that a box comes into; boxes beside the grid come into its rim.
    fn range(&self, low: DVec2, high: DVec2) -> [[usize; 2]; 2] {
        let place = |p: DVec2| {
            // Casts of negative numbers give 0.
            let q = (p - self.low) / self.side;
            [(q.x as usize).min(self.size[0] - 1), (q.y as usize).min(self.size[1] - 1)]
        };
        let (low, high) = (place(low), place(high));
        [[low[0], high[0]], [low[1], high[1]]]
    }

    fn squares(&self, [x, y]: [[usize; 2]; 2]) -> impl Iterator<Item = usize> + use<> {
        let width = self.size[0];
        (y[0]..=y[1]).flat_map(move |k| (x[0]..=x[1]).map(move |i| k * width + i))
    }

    /// All triangles that come near the square with this middle and half side, some of them several times, and others.
    pub fn visit(&self, middle: DVec2, half: f64, mut visit: impl FnMut(usize)) {
        for square in self.squares(self.range(middle - half, middle + half)) {
            let items = self.starts[square] as usize..self.starts[square + 1] as usize;
            self.items[items].iter().for_each(|&k| visit(k as usize));
        }
    }
}
