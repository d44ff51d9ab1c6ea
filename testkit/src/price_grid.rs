//! Oracle for paths that prefer clearance: the cheapest way over a fine grid, length + k·∫ max(0, P − clearance) ds.
//!
//! Dijkstra's search over grid points, from each to the 80 others that are at most five columns and rows away and not hidden by a
//! nearer one. Clearance at points by brute force over all walls, between them by interpolation, the integral by Simpson's rule.
//! Error: a way in any direction is a mixture of two neighbouring directions at most 11.31° apart, so that it is longer by less than
//!   1 / cos 5.66° − 1 = 0.49 % ([`PriceGrid::ERROR`]); beside it the way may lie beside the best one by a few pixels, so a
//!   grid with pixels of half the size costs less, by about as much as is still missing. A passage that is just as wide as the body may
//!   be missed.
//! Needs a radius of more than 3.5 pixels: then two points that see each other do so inside two empty discs.
//! Cost: O(pixels · (walls + 80 log pixels)).

use crate::{Rings, disc_curve::walls};
use std::{cmp::Reverse, collections::BinaryHeap};
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::{Aabb2, segment::distance_squared_to_segment};

/// Farthest neighbour, in columns or rows.
const FAR: i64 = 5;

/// A grid of clearances over free space.
#[derive(Clone, Debug)]
pub struct PriceGrid {
    min: DVec2,
    /// Distance of columns and rows [m].
    pub pixel: f64,
    columns: i64,
    rows: i64,
    /// Distance to the boundary [m]; negative outside.
    clearances: Vec<f64>,
}

/// What a path costs.
#[derive(Clone, Copy, Debug)]
pub struct Price {
    /// What the clearance must be at least [m].
    pub radius: f64,
    /// What it should be [m].
    pub prefer: f64,
    /// What a metre costs for each metre that is missing.
    pub weight: f64,
}

impl Price {
    /// What a metre costs at a clearance.
    pub fn at(&self, clearance: f64) -> f64 {
        1.0 + self.weight * (self.prefer - clearance).max(0.0)
    }
}

impl PriceGrid {
    /// A way over the grid is longer than a free one by at most this share, because of its few directions.
    pub const ERROR: f64 = 0.0049;

    /// The grid over free space with so many columns or rows, whichever are more.
    pub fn new(rings: &Rings, pixels: usize) -> Self {
        let bounds = Aabb2::of_points(rings.rings.iter().flatten().copied());
        let pixel = bounds.size().max_element() / pixels as f64;
        let [columns, rows] = (bounds.size() / pixel + 1.0).to_array().map(|side| side.ceil() as i64);
        let mut grid = Self { min: bounds.min, pixel, columns, rows, clearances: Vec::new() };
        let walls = walls(rings);
        for row in 0..rows {
            let y = grid.point([0, row]).y;
            let crosses = walls.iter().filter(|[a, b]| (a.y > y) != (b.y > y));
            let mut xs: Vec<f64> =
                crosses.map(|[a, b]| a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)).collect();
            xs.sort_by(f64::total_cmp);
            for column in 0..columns {
                let p = grid.point([column, row]);
                let is_free = xs.partition_point(|&at| at < p.x) % 2 == 1;
                grid.clearances.push(if is_free { distance(p, &walls) } else { -1.0 });
            }
        }
        grid
    }

    fn point(&self, at: [i64; 2]) -> DVec2 {
        self.min + dvec2(at[0] as f64, at[1] as f64) * self.pixel
    }

    fn index(&self, [column, row]: [i64; 2]) -> Option<usize> {
        let is_there = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        is_there.then(|| (row * self.columns + column) as usize)
    }

    /// The grid point nearest to a place, and its clearance; negative outside.
    pub fn nearest(&self, p: DVec2) -> (DVec2, f64) {
        let at = self.place(p);
        (self.point(at), self.index(at).map_or(-1.0, |k| self.clearances[k]))
    }

    fn place(&self, p: DVec2) -> [i64; 2] {
        ((p - self.min) / self.pixel).round().to_array().map(|x| x as i64)
    }

    /// What the cheapest ways from a grid point to others cost; infinite where there is none.
    pub fn cheapest(&self, from: DVec2, to: &[DVec2], price: &Price) -> Vec<f64> {
        let gcd = |mut a: i64, mut b: i64| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a.abs()
        };
        let steps: Vec<[i64; 2]> = (-FAR..=FAR)
            .flat_map(|x| (-FAR..=FAR).map(move |y| [x, y]))
            .filter(|&[x, y]| gcd(x, y) == 1)
            .collect();
        let least = price.radius;
        let mut costs = vec![f64::INFINITY; self.clearances.len()];
        let mut is_done = vec![false; self.clearances.len()];
        let goals: Vec<Option<usize>> = to.iter().map(|&p| self.index(self.place(p))).collect();
        let mut open = goals.iter().flatten().count();
        let mut heap = BinaryHeap::new();
        if let Some(start) = self.index(self.place(from)) {
            costs[start] = 0.0;
            heap.push((Reverse(0u64), start));
        }
        while let Some((_, k)) = heap.pop() {
            if std::mem::replace(&mut is_done[k], true) {
                continue;
            }
            if goals.contains(&Some(k)) {
                open -= goals.iter().filter(|&&goal| goal == Some(k)).count();
                if open == 0 {
                    break;
                }
            }
            let at = [k as i64 % self.columns, k as i64 / self.columns];
            for &[x, y] in &steps {
                let Some(other) = self.index([at[0] + x, at[1] + y]) else { continue };
                if is_done[other] || self.clearances[other] < least {
                    continue;
                }
                // Halfway: between four points, two or none.
                let low = [at[0] + x.div_euclid(2), at[1] + y.div_euclid(2)];
                let up = [x.rem_euclid(2), y.rem_euclid(2)];
                let middle = [[0, 0], [up[0], 0], [0, up[1]], up]
                    .map(|d| self.index([low[0] + d[0], low[1] + d[1]]).map_or(-1.0, |k| self.clearances[k]));
                let middle = middle.iter().sum::<f64>() / 4.0;
                if middle < least {
                    continue;
                }
                let length = ((x * x + y * y) as f64).sqrt() * self.pixel;
                let prices =
                    price.at(self.clearances[k]) + 4.0 * price.at(middle) + price.at(self.clearances[other]);
                let cost = costs[k] + length * prices / 6.0;
                if cost < costs[other] {
                    costs[other] = cost;
                    heap.push((Reverse(cost.to_bits()), other));
                }
            }
        }
        goals.iter().map(|goal| goal.map_or(f64::INFINITY, |k| costs[k])).collect()
    }
}

fn distance(p: DVec2, walls: &[[DVec2; 2]]) -> f64 {
    let squares = walls.iter().map(|&[a, b]| distance_squared_to_segment(p, a, b));
    squares.fold(f64::INFINITY, f64::min).sqrt()
}

/// What a polyline costs, by small steps and brute force over all walls.
pub fn price_of(points: &[DVec2], rings: &Rings, price: &Price, step: f64) -> f64 {
    let walls = walls(rings);
    let mut sum = 0.0;
    for pair in points.windows(2) {
        let count = (pair[0].distance(pair[1]) / step).ceil().max(1.0);
        for k in 0..count as u64 {
            let middle = pair[0].lerp(pair[1], (k as f64 + 0.5) / count);
            sum += pair[0].distance(pair[1]) / count * price.at(distance(middle, &walls));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators;

    #[test]
    fn half_as_large_pixels_change_costs_by_less_than_the_error() {
        let rings = Rings::of_polygons(&generators::rooms(5, 2, 2).polygons);
        let (coarse, fine) = (PriceGrid::new(&rings, 150), PriceGrid::new(&rings, 300));
        let price = Price { radius: 4.0 * coarse.pixel, prefer: 0.7, weight: 2.0 };
        // Points of both grids in the first and the last room.
        let free = |share: f64| {
            let bounds = Aabb2::of_points(rings.points());
            (0..50)
                .map(|k| coarse.nearest(bounds.min + bounds.size() * (share + f64::from(k) * 0.01)))
                .find(|place| place.1 > 2.0 * price.radius)
        };
        let (Some(from), Some(to)) = (free(0.1), free(0.55)) else { panic!("no free places") };
        let [one, two] = [&coarse, &fine].map(|grid| grid.cheapest(from.0, &[to.0], &price)[0]);
        assert!(one.is_finite() && (one - two).abs() < PriceGrid::ERROR * two, "{one} {two}");
    }

    #[test]
    fn along_the_middle_of_a_corridor_the_price_is_known() {
        let corridor = vec![dvec2(0., 0.), dvec2(10., 0.), dvec2(10., 1.), dvec2(0., 1.)];
        let rings = Rings { rings: vec![corridor] };
        let grid = PriceGrid::new(&rings, 200);
        let price = Price { radius: 0.3, prefer: 0.8, weight: 2.0 };
        let (from, to) = (dvec2(1.0, 0.5), dvec2(9.0, 0.5));
        assert!((grid.cheapest(from, &[to], &price)[0] - 8.0 * 1.6).abs() < 1e-9);
        assert!((price_of(&[from, to], &rings, &price, 0.01) - 8.0 * 1.6).abs() < 1e-9);
    }
}
