//! Oracle for clearance: a fine grid with the exact distance of each pixel to the nearest blocked one, and the widest way
//! over pixels.
//!
//! Source: Felzenszwalb and Huttenlocher 2012, "Distance transforms of sampled functions": the lower envelope of
//! parabolas, first along columns, then along rows. Widest ways by union-find in the order of falling distance.
//! Blocked are pixels whose centre is not in free space and those that a boundary edge runs through. So a distance is off by
//!   less than [`DistanceGrid::POINT_ERROR`] pixels, and a widest way by less than [`DistanceGrid::WAY_ERROR`]: the centres of
//!   pixels lie up to √½ pixels off any line, at both ends of the distance.
//! Cost: O(n log n) for n pixels.

use crate::Rings;
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::Aabb2;

/// A grid of distances over free space.
#[derive(Clone, Debug)]
pub struct DistanceGrid {
    min: DVec2,
    /// Side of a pixel [m].
    pub pixel: f64,
    columns: usize,
    rows: usize,
    /// Distance of each pixel's centre to that of the nearest blocked one, in pixels.
    distances: Vec<f64>,
    /// The tree of widest ways: parent and width.
    tree: Vec<(u32, f64)>,
}

impl DistanceGrid {
    /// How many pixels a distance at a point may be off: √½ from the point to its pixel, √½ from the boundary to its.
    pub const POINT_ERROR: f64 = 1.4143;
    /// How many pixels a widest way may be off: the same, and half a pixel between neighbours.
    pub const WAY_ERROR: f64 = 1.9143;

    /// The grid over free space with so many pixels along the longer side.
    pub fn new(rings: &Rings, pixels: usize) -> Self {
        let points = || rings.rings.iter().flatten().copied();
        let bounds = Aabb2::of_points(points());
        let pixel = bounds.size().max_element() / pixels as f64;
        let min = bounds.min - DVec2::splat(1.5 * pixel);
        let [columns, rows] = (bounds.size() / pixel + 3.0).to_array().map(|side| side.ceil() as usize);
        let mut grid = Self { min, pixel, columns, rows, distances: Vec::new(), tree: Vec::new() };
        let blocked = grid.blocked(rings);
        grid.distances = grid.transform(&blocked);
        grid.tree = grid.widest_tree();
        grid
    }

    fn centre(&self, column: usize, row: usize) -> DVec2 {
        self.min + dvec2(column as f64 + 0.5, row as f64 + 0.5) * self.pixel
    }

    fn index(&self, p: DVec2) -> usize {
        let place = ((p - self.min) / self.pixel).floor();
        let column = (place.x.max(0.0) as usize).min(self.columns - 1);
        let row = (place.y.max(0.0) as usize).min(self.rows - 1);
        row * self.columns + column
    }

    fn blocked(&self, rings: &Rings) -> Vec<bool> {
        let mut blocked = vec![true; self.columns * self.rows];
        let edges: Vec<[DVec2; 2]> = rings
            .rings
            .iter()
            .flat_map(|ring| (0..ring.len()).map(move |k| [ring[k], ring[(k + 1) % ring.len()]]))
            .collect();
        for row in 0..self.rows {
            let y = self.centre(0, row).y;
            let crosses = edges.iter().filter(|[a, b]| (a.y > y) != (b.y > y));
            let mut xs: Vec<f64> =
                crosses.map(|[a, b]| a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)).collect();
            xs.sort_by(f64::total_cmp);
            for column in 0..self.columns {
                let x = self.centre(column, row).x;
                // Free space is on the left of its boundary: in the plane an odd number of edges away from outside.
                blocked[row * self.columns + column] = xs.partition_point(|&at| at < x) % 2 == 0;
            }
        }
        for [a, b] in edges {
            let steps = (a.distance(b) / self.pixel * 8.0).ceil().max(1.0) as usize;
            for k in 0..=steps {
                blocked[self.index(a.lerp(b, k as f64 / steps as f64))] = true;
            }
        }
        blocked
    }

    fn transform(&self, blocked: &[bool]) -> Vec<f64> {
        let far = (self.columns + self.rows) as f64;
        let mut squares: Vec<f64> = blocked.iter().map(|&is| if is { 0.0 } else { far * far }).collect();
        let mut line = Vec::new();
        for column in 0..self.columns {
            line.clear();
            line.extend((0..self.rows).map(|row| squares[row * self.columns + column]));
            for (row, square) in lower_parabolas(&line).into_iter().enumerate() {
                squares[row * self.columns + column] = square;
            }
        }
        for row in squares.chunks_mut(self.columns) {
            let lowered = lower_parabolas(row);
            row.copy_from_slice(&lowered);
        }
        squares.into_iter().map(f64::sqrt).collect()
    }

    fn widest_tree(&self) -> Vec<(u32, f64)> {
        let mut order: Vec<u32> = (0..self.distances.len() as u32).collect();
        let distance = |pixel: u32| self.distances[pixel as usize];
        order.retain(|&pixel| distance(pixel) > 0.0);
        order.sort_by(|&a, &b| distance(b).total_cmp(&distance(a)).then(a.cmp(&b)));
        let mut tree: Vec<(u32, f64)> = (0..self.distances.len() as u32).map(|k| (k, 0.0)).collect();
        let mut sizes = vec![0u32; self.distances.len()];
        for pixel in order {
            sizes[pixel as usize] = 1;
            let columns = self.columns as u32;
            for other in [pixel - 1, pixel + 1, pixel - columns, pixel + columns] {
                if sizes[other as usize] == 0 {
                    continue;
                }
                let [a, b] = [pixel, other].map(|start| {
                    let mut at = start;
                    while tree[at as usize].0 != at {
                        at = tree[at as usize].0;
                    }
                    at
                });
                if a != b {
                    let (below, root) = if sizes[a as usize] < sizes[b as usize] { (a, b) } else { (b, a) };
                    sizes[root as usize] += sizes[below as usize];
                    tree[below as usize] = (root, distance(pixel));
                }
            }
        }
        tree
    }

    /// Distance of a point to the boundary [m], to [`Self::POINT_ERROR`] pixels.
    pub fn clearance(&self, p: DVec2) -> f64 {
        self.distances[self.index(p)] * self.pixel
    }

    /// Largest radius with which a disc can go from one point to another [m], to [`Self::WAY_ERROR`] pixels.
    pub fn widest(&self, from: DVec2, to: DVec2) -> f64 {
        let (mut a, mut b) = (self.index(from), self.index(to));
        let mut widest = self.distances[a].min(self.distances[b]);
        while a != b {
            let [wa, wb] = [a, b].map(|at| self.tree[at].1);
            let climber = if wa >= wb { &mut a } else { &mut b };
            if self.tree[*climber].0 as usize == *climber {
                return 0.0;
            }
            widest = widest.min(self.tree[*climber].1);
            *climber = self.tree[*climber].0 as usize;
        }
        widest * self.pixel
    }
}

/// For each place x the least of f(q) + (x − q)² over all q.
fn lower_parabolas(f: &[f64]) -> Vec<f64> {
    // The parabolas of the envelope, and from where on each is lowest.
    let mut lowest: Vec<(usize, f64)> = Vec::new();
    for (q, &value) in f.iter().enumerate() {
        let mut from = f64::NEG_INFINITY;
        while let Some(&(p, start)) = lowest.last() {
            let (x, y) = (p as f64, q as f64);
            from = ((value + y * y) - (f[p] + x * x)) / (2.0 * (y - x));
            if from > start {
                break;
            }
            lowest.pop();
            from = f64::NEG_INFINITY;
        }
        lowest.push((q, from));
    }
    let mut at = 0;
    (0..f.len())
        .map(|x| {
            while lowest.get(at + 1).is_some_and(|&(_, from)| from < x as f64) {
                at += 1;
            }
            let (q, _) = lowest[at];
            f[q] + (x as f64 - q as f64).powi(2)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn the_transform_is_that_of_brute_force() {
        let mut random = Random::new(1);
        for _ in 0..100 {
            let f: Vec<f64> =
                (0..30).map(|_| if random.chance(0.3) { 0.0 } else { random.between(0.0, 900.0) }).collect();
            for (x, found) in lower_parabolas(&f).into_iter().enumerate() {
                let all = f.iter().enumerate().map(|(q, &value)| value + (x as f64 - q as f64).powi(2));
                assert_eq!(found, all.fold(f64::INFINITY, f64::min));
            }
        }
    }

    #[test]
    fn a_room_is_as_wide_as_its_door() {
        // A wall of one metre with a door of two between two rooms of ten.
        let square =
            |a: f64, b: f64, c: f64, d: f64| vec![dvec2(a, b), dvec2(c, b), dvec2(c, d), dvec2(a, d)];
        let mut rings = vec![square(0., 0., 21., 10.)];
        for hole in [square(10., 0.01, 11., 4.), square(10., 6., 11., 9.99)] {
            rings.push(hole.into_iter().rev().collect());
        }
        let grid = DistanceGrid::new(&Rings { rings }, 500);
        let error = DistanceGrid::WAY_ERROR * grid.pixel;
        assert!((grid.widest(dvec2(5., 5.), dvec2(16., 5.)) - 1.0).abs() < error);
        assert!((grid.clearance(dvec2(5., 5.)) - 5.0).abs() < error);
    }
}
