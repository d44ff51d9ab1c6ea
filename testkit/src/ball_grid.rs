//! Ways of a ball over a grid of points, as a bound from above for the paths of others; and whether a path keeps the radius.
//!
//! Shares nothing with what it is compared to: distances are those to every triangle near and to the sides of the box. A* over points
//! that keep the radius, to the 26 neighbours where the straight line between keeps it too; then points are left out, and moved
//! towards the line between their neighbours, while that is clear.
//! A distance changes by no more than one moves: a line is clear where the distances at both ends say so, else its halves are asked.

use std::{
    cell::RefCell,
    collections::{BinaryHeap, HashMap},
};
use wayfare_core::{DVec3, dvec3};

/// Lines shorter than this share of the radius that are still not known to be clear are not.
const SHORT: f64 = 1e-3;
/// Rounds of shortening.
const ROUNDS: usize = 60;

/// Triangles in cells of a grid, and a box.
pub struct BallGrid {
    triangles: Vec<[DVec3; 3]>,
    bounds: [DVec3; 2],
    cells: HashMap<[i32; 3], Vec<u32>>,
    /// Side of a cell; distances are known up to it [m].
    reach: f64,
    radius: f64,
    known: RefCell<HashMap<[u64; 3], f64>>,
}

/// What waits in the search: the bound, negative as the heap gives the largest first; the point.
#[derive(PartialEq)]
struct Waiting(f64, [i32; 3]);
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

/// The length of a path [m].
pub fn length(points: &[DVec3]) -> f64 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

fn distance_to_triangle(p: DVec3, [a, b, c]: &[DVec3; 3]) -> f64 {
    let normal = (*b - *a).cross(*c - *a);
    let inside =
        [(a, b), (b, c), (c, a)].into_iter().all(|(s, t)| (*t - *s).cross(p - *s).dot(normal) >= 0.0);
    if inside && normal.length_squared() > 0.0 {
        return ((p - *a).dot(normal) / normal.length()).abs();
    }
    let to_edge = |s: &DVec3, t: &DVec3| {
        let (along, square) = (*t - *s, s.distance_squared(*t));
        let share = if square > 0.0 { ((p - *s).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
        p.distance(*s + along * share)
    };
    to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a))
}

impl BallGrid {
    /// The space in a box between triangles, for balls of a radius.
    pub fn new(triangles: Vec<[DVec3; 3]>, bounds: [DVec3; 2], radius: f64) -> Self {
        let reach = 2.0 * radius;
        let mut cells: HashMap<[i32; 3], Vec<u32>> = HashMap::new();
        for (k, t) in triangles.iter().enumerate() {
            let low = ((t[0].min(t[1]).min(t[2]) - reach).max(bounds[0] - reach) / reach).floor();
            let high = ((t[0].max(t[1]).max(t[2]) + reach).min(bounds[1] + reach) / reach).floor();
            for x in low.x as i32..=high.x as i32 {
                for y in low.y as i32..=high.y as i32 {
                    for z in low.z as i32..=high.z as i32 {
                        let middle = (dvec3(x.into(), y.into(), z.into()) + 0.5) * reach;
                        // Half of the cell's diagonal, and the reach.
                        if distance_to_triangle(middle, t) <= reach * 1.87 {
                            cells.entry([x, y, z]).or_default().push(k as u32);
                        }
                    }
                }
            }
        }
        Self { triangles, bounds, cells, reach, radius, known: RefCell::default() }
    }

    /// Distance to the nearest triangle or side of the box [m], if it is below twice the radius; else that.
    pub fn room(&self, p: DVec3) -> f64 {
        let key = p.to_array().map(f64::to_bits);
        if let Some(&known) = self.known.borrow().get(&key) {
            return known;
        }
        let sides = (p - self.bounds[0]).min(self.bounds[1] - p).min_element();
        let mut room = sides.min(self.reach);
        let cell = (p / self.reach).floor();
        for &k in self.cells.get(&[cell.x as i32, cell.y as i32, cell.z as i32]).into_iter().flatten() {
            room = room.min(distance_to_triangle(p, &self.triangles[k as usize]));
        }
        self.known.borrow_mut().insert(key, room);
        room
    }

    /// Whether a line keeps the radius, but for a hair.
    pub fn is_clear(&self, a: DVec3, b: DVec3) -> bool {
        let radius = self.radius * (1.0 - 1e-6);
        let (at_a, at_b) = (self.room(a), self.room(b));
        if at_a < radius || at_b < radius {
            return false;
        }
        let long = a.distance(b);
        if at_a + at_b - long >= 2.0 * radius {
            return true;
        }
        if long < SHORT * self.radius {
            return at_a.min(at_b) - radius >= 0.0;
        }
        let middle = a.midpoint(b);
        self.is_clear(a, middle) && self.is_clear(middle, b)
    }

    /// A way over points `step` apart that is shorter than `limit`, shortened; `is_free` leaves points out. At most so many points are taken up.
    pub fn way(
        &self,
        [from, to]: [DVec3; 2],
        step: f64,
        limit: f64,
        most: usize,
        is_free: impl Fn(DVec3) -> bool,
    ) -> Option<Vec<DVec3>> {
        let place = |k: [i32; 3]| from + dvec3(k[0].into(), k[1].into(), k[2].into()) * step;
        let mut best: HashMap<[i32; 3], (f64, [i32; 3], bool)> = HashMap::new();
        let mut free: HashMap<[i32; 3], bool> = HashMap::new();
        let mut queue = BinaryHeap::new();
        // Moves of a grid are longer than straight lines by up to a seventh.
        let limit = limit * 1.15;
        best.insert([0; 3], (0.0, [0; 3], false));
        queue.push(Waiting(0.0, [0; 3]));
        let mut taken = 0;
        while let Some(Waiting(_, at)) = queue.pop() {
            let (way, _, is_done) = best[&at];
            if is_done {
                continue;
            }
            best.get_mut(&at)?.2 = true;
            taken += 1;
            if taken > most {
                return None;
            }
            let here = place(at);
            if here.distance(to) <= 1.75 * step && self.is_clear(here, to) {
                let mut points = vec![to];
                let mut k = at;
                while k != [0; 3] {
                    points.push(place(k));
                    k = best[&k].1;
                }
                points.push(from);
                points.reverse();
                return Some(self.shortened(points));
            }
            for code in (0..27).filter(|code| *code != 13) {
                let next = [at[0] + code % 3 - 1, at[1] + code / 3 % 3 - 1, at[2] + code / 9 - 1];
                let there = place(next);
                let length = way + here.distance(there);
                let bound = length + there.distance(to);
                if bound > limit || best.get(&next).is_some_and(|known| known.2 || known.0 <= length) {
                    continue;
                }
                let fits =
                    *free.entry(next).or_insert_with(|| self.room(there) >= self.radius && is_free(there));
                if fits && self.is_clear(here, there) {
                    best.insert(next, (length, at, false));
                    queue.push(Waiting(bound, next));
                }
            }
        }
        None
    }

    /// The path without points that it does not need, the others moved while it gets shorter.
    pub fn shortened(&self, points: Vec<DVec3>) -> Vec<DVec3> {
        let mut points = self.straightened(points);
        for round in 0..ROUNDS {
            if round % 12 == 3 {
                let halves = points.windows(2).flat_map(|pair| [pair[0], pair[0].midpoint(pair[1])]);
                points = halves.chain(points.last().copied()).collect();
            }
            for k in 1..points.len().saturating_sub(1) {
                let (a, p, b) = (points[k - 1], points[k], points[k + 1]);
                let along = b - a;
                let share = ((p - a).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
                let foot = a + along * share;
                let moved = [1.0, 0.5, 0.25, 0.1, 0.03].map(|share| p + (foot - p) * share);
                if let Some(q) = moved.into_iter().find(|&q| self.is_clear(a, q) && self.is_clear(q, b)) {
                    points[k] = q;
                }
            }
        }
        self.straightened(points)
    }

    fn straightened(&self, points: Vec<DVec3>) -> Vec<DVec3> {
        let mut kept = vec![points[0]];
        let mut k = 0;
        while k + 1 < points.len() {
            let sees = |j: &usize| self.is_clear(points[k], points[*j]);
            k = (k + 2..points.len()).rev().find(sees).unwrap_or(k + 1);
            kept.push(points[k]);
        }
        kept
    }
}
