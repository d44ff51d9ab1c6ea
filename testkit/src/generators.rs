//! Random plans.
//!
//! All are noded and simple up to points where free space touches itself, so that every oracle takes them.
//! Each is made from a seed; the name says which.

use crate::{free_space::FreeSpace, plan::TestPlan, random::Random};
use spade::{DelaunayTriangulation, Point2, Triangulation as _};
use std::{collections::BTreeSet, f64::consts::TAU};
use wayfare_core::{DVec2, dvec2, ops};
use wayfare_geom::Polygon;

/// A star-shaped outline of `n` points round a star-shaped hole.
pub fn star(seed: u64, n: usize) -> TestPlan {
    let mut random = Random::new(seed);
    let mut ring = |n: usize, low: f64, high: f64, turn: f64| -> Vec<DVec2> {
        let at = |k: usize, random: &mut Random| {
            let angle = turn * TAU * (k as f64 + random.between(0.0, 0.8)) / n as f64;
            dvec2(ops::cos(angle), ops::sin(angle)) * random.between(low, high)
        };
        (0..n).map(|k| at(k, &mut random)).collect()
    };
    let n = n.max(16);
    let polygon =
        Polygon { outer: ring(n - n / 4, 3.0, 10.0, 1.0), holes: vec![ring(n / 4, 0.2, 1.0, -1.0)] };
    TestPlan { name: format!("star {seed} {n}"), polygons: vec![polygon] }
}

/// A comb: a bar with `teeth` teeth of random lengths and widths.
pub fn comb(seed: u64, teeth: usize) -> TestPlan {
    let mut random = Random::new(seed);
    let mut outer = vec![];
    let mut x = 0.0;
    for _ in 0..teeth.max(1) {
        let (width, height) = (random.between(0.1, 1.0), random.between(1.0, 8.0));
        outer.extend([dvec2(x, 0.0), dvec2(x, height), dvec2(x + width, height), dvec2(x + width, 0.0)]);
        x += width + random.between(0.1, 1.0);
    }
    let end = outer.last().map_or(0.0, |p| p.x);
    outer.extend([dvec2(end, -1.0), dvec2(0.0, -1.0)]);
    outer.reverse();
    TestPlan { name: format!("comb {seed} {teeth}"), polygons: vec![Polygon::new(outer)] }
}

/// A corridor of width 1 that winds inward in `arms` straight pieces.
pub fn spiral(arms: usize) -> TestPlan {
    // The corridor's two walls: the outer one at the even numbers of half steps, the inner one beside it.
    let arms = arms.max(2);
    let directions = [dvec2(1., 0.), dvec2(0., 1.), dvec2(-1., 0.), dvec2(0., -1.)];
    let length = |k: usize| 2.0 * (arms - k).div_ceil(2) as f64 + 1.0;
    let mut centre = vec![DVec2::ZERO];
    for k in 0..arms {
        centre.push(centre[k] + directions[k % 4] * length(k));
    }
    let (mut right, mut left) = (vec![], vec![]);
    for (k, &at) in centre.iter().enumerate() {
        let before = directions[(k + 3) % 4] * f64::from(u8::from(k > 0));
        let after = directions[k % 4] * f64::from(u8::from(k < arms));
        // Right of both pieces; at the ends there is one piece only.
        let side = (before.perp() + after.perp()) * 0.5;
        right.push(at - side);
        left.push(at + side);
    }
    left.reverse();
    right.extend(left);
    TestPlan { name: format!("spiral {arms}"), polygons: vec![Polygon::new(right)] }
}

/// Rooms in a grid, joined by doors in most walls, at irregular places.
pub fn rooms(seed: u64, columns: usize, rows: usize) -> TestPlan {
    let mut random = Random::new(seed);
    // Per room: a wall, a part, the door, a part; one more wall closes the plan.
    let mut lines = |rooms: usize| {
        let mut at = vec![0.0];
        for k in 0..=4 * rooms {
            let width = match k % 4 {
                0 => 0.2,
                2 => 0.9,
                _ => random.between(0.5, 3.0),
            };
            at.push(at[k] + width);
        }
        at
    };
    let (xs, ys) = (lines(columns), lines(rows));
    let (width, height) = (xs.len() - 1, ys.len() - 1);
    let inner = |k: usize, end: usize| k > 0 && k + 1 < end;
    let mut free = vec![false; width * height];
    for j in 0..height {
        for i in 0..width {
            free[j * width + i] = match (i % 4, j % 4) {
                (0, 2) => inner(i, width) && random.chance(0.8),
                (2, 0) => inner(j, height) && random.chance(0.8),
                (0, _) | (_, 0) => false,
                // Some furniture in the corners of rooms.
                (1 | 3, 1 | 3) => random.chance(0.85),
                _ => true,
            };
        }
    }
    TestPlan { name: format!("rooms {seed} {columns}x{rows}"), ..grid_plan(&free, &xs, &ys) }
}

/// A grid of squares of which a share is free; squares may touch in corners.
pub fn squares(seed: u64, size: usize, share: f64) -> TestPlan {
    let mut random = Random::new(seed);
    let free: Vec<bool> = (0..size * size).map(|_| random.chance(share)).collect();
    let lines: Vec<f64> = (0..=size).map(|k| k as f64).collect();
    TestPlan { name: format!("squares {seed} {size} {share}"), ..grid_plan(&free, &lines, &lines) }
}

/// The same with lines at irregular places: right angles, but no two walls in line by chance.
pub fn rectilinear(seed: u64, size: usize, share: f64) -> TestPlan {
    let mut random = Random::new(seed);
    let free: Vec<bool> = (0..size * size).map(|_| random.chance(share)).collect();
    let mut lines = || -> Vec<f64> {
        let steps = (0..=size).scan(0.0, |at, _| {
            *at += random.between(0.1, 2.0);
            Some(*at)
        });
        steps.collect()
    };
    let (xs, ys) = (lines(), lines());
    TestPlan { name: format!("rectilinear {seed} {size} {share}"), ..grid_plan(&free, &xs, &ys) }
}

/// A random part of the Delaunay triangles of random points: any angles, holes, and touching points.
pub fn triangles(seed: u64, count: usize, share: f64) -> TestPlan {
    let mut random = Random::new(seed);
    let points = (0..count).map(|_| dvec2(random.between(0.0, 10.0), random.between(0.0, 10.0))).collect();
    triangle_plan(format!("triangles {seed} {count} {share}"), points, share, &mut random)
}

/// The same on few whole numbers: many points in line, many equal lengths.
pub fn integer_triangles(seed: u64, size: usize, share: f64) -> TestPlan {
    let mut random = Random::new(seed);
    let count = size * size * 2 / 3;
    let points = (0..count).map(|_| dvec2(random.below(size) as f64, random.below(size) as f64)).collect();
    triangle_plan(format!("integer triangles {seed} {size} {share}"), points, share, &mut random)
}

/// Plans of all kinds with at most `max` points each, `count` of them.
pub fn mixed(seed: u64, count: usize, max: usize) -> Vec<TestPlan> {
    let mut plans: Vec<TestPlan> = Vec::new();
    let mut random = Random::new(seed);
    while plans.len() < count {
        let seed = random.bits() % 1_000_000;
        let plan = match plans.len() % 9 {
            0 => star(seed, 20 + random.below(200)),
            1 => comb(seed, 3 + random.below(30)),
            2 => spiral(3 + random.below(30)),
            3 => rooms(seed, 1 + random.below(3), 1 + random.below(3)),
            4 => squares(seed, 4 + random.below(9), random.between(0.5, 0.95)),
            5 => rectilinear(seed, 4 + random.below(8), random.between(0.5, 0.95)),
            6 => triangles(seed, 10 + random.below(120), random.between(0.5, 0.95)),
            7 => integer_triangles(seed, 4 + random.below(8), random.between(0.5, 0.95)),
            _ => squares(seed, 4 + random.below(6), 0.5),
        };
        if (3..=max).contains(&plan.len()) {
            plans.push(plan);
        }
    }
    plans
}

/// The free squares between grid lines, without vertices inside straight walls.
pub fn grid_plan(free: &[bool], xs: &[f64], ys: &[f64]) -> TestPlan {
    let (width, height) = (xs.len() - 1, ys.len() - 1);
    let is_free = |i: usize, j: usize| i < width && j < height && free[j * width + i];
    let number = |i: usize, j: usize| j * (width + 1) + i;
    let mut points = Vec::new();
    for y in ys {
        points.extend(xs.iter().map(|&x| dvec2(x, *y)));
    }
    let mut edges = Vec::new();
    for j in 0..height {
        for i in (0..width).filter(|&i| is_free(i, j)) {
            let corners = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
            let beside = [
                is_free(i, j.wrapping_sub(1)),
                is_free(i + 1, j),
                is_free(i, j + 1),
                is_free(i.wrapping_sub(1), j),
            ];
            for k in (0..4).filter(|&k| !beside[k]) {
                edges.push([corners[k], corners[(k + 1) % 4]]);
            }
        }
    }
    let rings = FreeSpace::of_edges(&points, &edges).rings().without_straight_points();
    TestPlan::of_rings("grid", &rings)
}

fn triangle_plan(name: String, points: Vec<DVec2>, share: f64, random: &mut Random) -> TestPlan {
    let points = points.iter().map(|p| Point2::new(p.x, p.y)).collect();
    let delaunay = DelaunayTriangulation::<Point2<f64>>::bulk_load(points).expect("finite points");
    let mut edges = BTreeSet::new();
    for face in delaunay.inner_faces().filter(|_| random.chance(share)) {
        for edge in face.adjacent_edges() {
            let [from, to] = [edge.from(), edge.to()].map(|vertex| vertex.fix().index());
            if !edges.remove(&[to, from]) {
                edges.insert([from, to]);
            }
        }
    }
    let points: Vec<DVec2> = delaunay.vertices().map(|v| dvec2(v.position().x, v.position().y)).collect();
    let edges: Vec<[usize; 2]> = edges.into_iter().collect();
    // Vertices without an edge are not part of the boundary.
    let mut used: Vec<usize> = edges.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let number = |v: usize| used.binary_search(&v).expect("used");
    let edges: Vec<[usize; 2]> = edges.into_iter().map(|edge| edge.map(number)).collect();
    let points: Vec<DVec2> = used.iter().map(|&v| points[v]).collect();
    TestPlan::of_rings(name, &FreeSpace::of_edges(&points, &edges).rings())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rings, hertel_mehlhorn};

    #[test]
    fn generated_plans_are_proper_and_can_be_cut_into_convex_cells() {
        for plan in mixed(7, 90, 400) {
            let rings: Rings = plan.rings();
            assert_eq!(rings.check(), Vec::<String>::new(), "{}", plan.name);
            assert!((plan.area() - rings.area()).abs() <= 1e-12 * plan.area(), "{}", plan.name);
            let cells = hertel_mehlhorn(&rings).unwrap_or_else(|error| panic!("{}: {error}", plan.name));
            assert_eq!(cells.check(), Vec::<String>::new(), "{}", plan.name);
            assert!((cells.area() - rings.area()).abs() <= 1e-12 * plan.area(), "{}", plan.name);
        }
    }

    #[test]
    fn a_spiral_is_a_corridor_of_width_one() {
        // Pieces of length 5, 5, 3, 3 along the centre, which the corners do not change.
        assert_eq!(spiral(4).area(), 16.0);
        assert_eq!(spiral(4).len(), 10);
    }

    #[test]
    fn touching_squares_stay_apart_and_touching_obstacles_join_into_one_ring() {
        let lines = [0.0, 1.0, 2.0, 3.0, 4.0];
        let plan = grid_plan(&[true, false, false, true], &lines[..3], &lines[..3]);
        assert_eq!(plan.polygons.len(), 2);
        let blocked = [5, 10];
        let free: Vec<bool> = (0..16).map(|k| !blocked.contains(&k)).collect();
        let plan = grid_plan(&free, &lines, &lines);
        assert_eq!((plan.polygons.len(), plan.polygons[0].holes.len(), plan.len()), (1, 1, 12));
    }
}
