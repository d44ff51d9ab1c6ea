//! Plans that have broken programs before.

use crate::{generators, plan::TestPlan};
use std::f64::consts::TAU;
use wayfare_core::{DVec2, dvec2, ops};
use wayfare_geom::Polygon;

fn ring(points: &[[f64; 2]]) -> Vec<DVec2> {
    points.iter().map(|&[x, y]| dvec2(x, y)).collect()
}
fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Vec<DVec2> {
    ring(&[[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
}
fn hole(mut ring: Vec<DVec2>) -> Vec<DVec2> {
    ring.reverse();
    ring
}
fn plan(name: &str, polygons: Vec<Polygon>) -> TestPlan {
    TestPlan { name: name.to_owned(), polygons }
}
fn polygon(outer: Vec<DVec2>, holes: Vec<Vec<DVec2>>) -> Polygon {
    Polygon { outer, holes: holes.into_iter().map(hole).collect() }
}

/// A regular polygon.
pub fn circle(centre: DVec2, radius: f64, n: usize) -> Vec<DVec2> {
    let at = |k: usize| TAU * k as f64 / n as f64;
    (0..n).map(|k| centre + dvec2(ops::cos(at(k)), ops::sin(at(k))) * radius).collect()
}

/// A triangle a thousand times longer than wide.
pub fn sliver() -> TestPlan {
    plan("sliver", vec![Polygon::new(ring(&[[0., 0.], [1000., 0.4], [1000., 0.5]]))])
}

/// A room with spikes of obstacle that almost reach the other wall, a micrometre thick.
pub fn spikes() -> TestPlan {
    let mut outer = vec![dvec2(0.0, 0.0)];
    for k in 0..20 {
        let x = 1.0 + f64::from(k) + 0.37 * f64::from(k % 3);
        outer.extend([dvec2(x, 0.0), dvec2(x + 5e-7, 9.9 + 0.004 * f64::from(k)), dvec2(x + 1e-6, 0.0)]);
    }
    outer.extend([dvec2(25.0, 0.0), dvec2(25.0, 10.0), dvec2(0.0, 10.0)]);
    plan("spikes", vec![Polygon::new(outer)])
}

/// Walls that are straight but for a hair: notches of nearly half a turn.
pub fn hair_notches() -> TestPlan {
    let mut outer = vec![];
    for k in 0..=20 {
        let off = [0.0, 1e-9, -1e-9, 1e-13, 0.0][k % 5];
        outer.push(dvec2(k as f64, if k % 20 == 0 { 0.0 } else { off }));
    }
    for k in (0..=20).rev() {
        outer.push(dvec2(k as f64 * (1.0 + 1e-15), 5.0 - [0.0, 0.0, 2e-16, 1e-12][k % 4]));
    }
    plan("hair notches", vec![Polygon::new(outer)])
}

/// One ring that comes back to a point of itself, with free space on both sides of it.
pub fn self_touching() -> TestPlan {
    let outer = [[0., 0.], [4., 0.], [4., 4.], [2., 4.], [3., 2.], [1., 2.], [2., 4.], [0., 4.]];
    plan("self-touching ring", vec![Polygon::new(ring(&outer))])
}

/// Rooms that touch in one point, eight of them.
pub fn star_of_rooms() -> TestPlan {
    let room = |k: usize| {
        let at = |k: f64, r: f64| dvec2(ops::cos(k * TAU / 16.0), ops::sin(k * TAU / 16.0)) * r;
        let k = 2.0 * k as f64;
        Polygon::new(vec![DVec2::ZERO, at(k, 3.0), at(k + 0.5, 5.0), at(k + 1.0, 3.0)])
    };
    plan("star of rooms", (0..8).map(room).collect())
}

/// Rooms in holes in rooms in holes.
pub fn nested() -> TestPlan {
    let ground = |k: i32| {
        let (outer, inner) = (f64::from(20 - 4 * k), f64::from(18 - 4 * k));
        let square = |s: f64| rectangle(-s, -s, 2.0 * s, 2.0 * s);
        polygon(square(outer), vec![square(inner)])
    };
    plan("nested", (0..5).map(ground).collect())
}

/// Thousands of square holes on one line.
pub fn holes_in_line(count: usize) -> TestPlan {
    let holes = (0..count).map(|k| rectangle(1.0 + 2.0 * k as f64, 1.0, 1.0, 1.0)).collect();
    plan("holes in line", vec![polygon(rectangle(0.0, 0.0, 2.0 * count as f64 + 1.0, 3.0), holes)])
}

/// Features of a micrometre beside walls of a thousand kilometres.
pub fn tiny_beside_huge() -> TestPlan {
    let holes = vec![
        rectangle(1.0, 1.0, 1e-6, 1e-6),
        rectangle(1.0 + 3e-6, 1.0, 1e-6, 2e-6),
        rectangle(10.0, 10.0, 4e5, 4e5),
        rectangle(500_000.0, 3.0, 1e-3, 9e5),
    ];
    plan("tiny beside huge", vec![polygon(rectangle(0.0, 0.0, 1e6, 1e6), holes)])
}

/// A round room of a thousand walls.
pub fn round_room() -> TestPlan {
    plan("round room", vec![Polygon::new(circle(dvec2(3.0, 4.0), 10.0, 1000))])
}

/// A round pillar of `n` walls in a square room: nothing but notches.
pub fn round_pillar(n: usize) -> TestPlan {
    let pillar = circle(dvec2(5.1, 4.9), 2.0, n);
    plan("round pillar", vec![polygon(rectangle(0.0, 0.0, 10.0, 10.0), vec![pillar])])
}

/// Two walls a hair apart: a corridor a micrometre wide between two halls.
pub fn hair_corridor() -> TestPlan {
    let lower = [[0., 0.], [10., 0.], [10., 4.9], [20., 4.9], [20., 0.], [30., 0.]];
    let upper = [[30., 10.], [20., 10.], [20., 4.9 + 1e-6], [10., 4.9 + 1e-6], [10., 10.], [0., 10.]];
    plan("hair corridor", vec![Polygon::new(ring(&[lower, upper].concat()))])
}

/// A hall, turned, with a pillar one side of which is in line with two corners of the hall, to rounding: seen from the
/// pillar's corner, what lies behind it, in line with the side, must not be taken for what lies ahead.
pub fn in_line(turn: f64) -> TestPlan {
    let turn = DVec2::from_angle(turn);
    let outer = ring(&[[0., 0.], [17., 0.], [17., 17.], [0., 17.]]);
    let pillar = ring(&[[10.5, 10.5], [127. / 14., 127. / 14.], [207. / 14., 143. / 14.]]);
    let [outer, pillar] = [outer, pillar].map(|ring| ring.into_iter().map(|p| turn.rotate(p)).collect());
    plan("pillar in line with corners", vec![polygon(outer, vec![hole(pillar)])])
}

/// A cross-shaped hall whose four notches see each other along lines through the notches themselves.
pub fn cross() -> TestPlan {
    let outer = [
        [1., 0.],
        [2., 0.],
        [2., 1.],
        [3., 1.],
        [3., 2.],
        [2., 2.],
        [2., 3.],
        [1., 3.],
        [1., 2.],
        [0., 2.],
        [0., 1.],
        [1., 1.],
    ];
    plan("cross", vec![Polygon::new(ring(&outer))])
}

/// The whole zoo; some members have thousands of points.
pub fn all() -> Vec<TestPlan> {
    let mut plans = vec![
        sliver(),
        spikes(),
        hair_notches(),
        self_touching(),
        star_of_rooms(),
        nested(),
        holes_in_line(2000),
        tiny_beside_huge(),
        round_room(),
        round_pillar(1000),
        round_pillar(120),
        hair_corridor(),
        cross(),
        in_line(4.44),
        generators::comb(1, 60),
        generators::spiral(60),
    ];
    let far = crate::transform::Similarity::translation(dvec2(1e4, -1e4));
    plans.extend(
        [generators::rooms(5, 3, 3), generators::integer_triangles(5, 10, 0.8)].map(|p| far.plan(&p)),
    );
    plans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hertel_mehlhorn;

    #[test]
    fn the_zoo_is_proper() {
        for plan in all() {
            let rings = plan.rings();
            assert_eq!(rings.check(), Vec::<String>::new(), "{}", plan.name);
            let cells = hertel_mehlhorn(&rings).unwrap_or_else(|error| panic!("{}: {error}", plan.name));
            assert_eq!(cells.check(), Vec::<String>::new(), "{}", plan.name);
            assert!((cells.area() - plan.area()).abs() <= 1e-11 * plan.area(), "{}", plan.name);
        }
    }
}
