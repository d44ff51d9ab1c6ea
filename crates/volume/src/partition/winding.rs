//! How often a surface winds round points: inside of what, and outside of what, they are.
//!
//! Idea: the solid angles of all triangles seen from a point, over 4π, are a whole number where the surface is closed, and
//!   near one where it has small holes. Triangles far away look like one small patch. Angles of near ones are added by
//!   multiplying complex numbers, so that a point needs one arc tangent.
//! Source: Barill et al. 2018, "Fast winding numbers for soups and clouds", first order.
//! Cost: O(n log n) to build, O(log n) a point for one in a thousand.

use wayfare_core::{DVec3, ops};
use wayfare_geom::TriangleMesh;

/// Triangles per leaf.
const LEAF: usize = 8;
/// The two halves of more triangles than twice this are made side by side.
const SPAWN: usize = 256;
/// A group this many of its radii away is one patch.
const FAR: f64 = 2.5;

#[derive(Clone, Default)]
struct Group {
    /// Sum of the triangles' area vectors.
    area: DVec3,
    centre: DVec3,
    radius: f64,
    range: [u32; 2],
    /// The second child; the first follows at once. 0 for leaves.
    second: u32,
}

/// A tree over the triangles of a surface.
pub(super) struct Winding {
    triangles: Vec<[DVec3; 3]>,
    groups: Vec<Group>,
}

impl Winding {
    pub(super) fn new(mesh: &TriangleMesh) -> Self {
        let mut triangles: Vec<[DVec3; 3]> = mesh.all_points().collect();
        let mut groups = vec![Group::default(); group_count(triangles.len())];
        if !triangles.is_empty() {
            split(&mut triangles, 0, &mut groups, 0);
        }
        Self { triangles, groups }
    }

    /// The winding number of a point.
    pub(super) fn at(&self, p: DVec3) -> f64 {
        let mut sum = 0.0;
        let mut near = Angles::default();
        let mut waiting = vec![0usize];
        if self.groups.is_empty() {
            return 0.0;
        }
        while let Some(number) = waiting.pop() {
            let group = &self.groups[number];
            let to = group.centre - p;
            let distance = to.length();
            if distance > FAR * group.radius {
                sum += group.area.dot(to) / (distance * distance * distance);
            } else if group.second == 0 {
                let own = &self.triangles[group.range[0] as usize..group.range[1] as usize];
                own.iter().for_each(|&triangle| near.add_triangle(triangle, p));
            } else {
                waiting.extend([group.second as usize, number + 1]);
            }
        }
        (sum + near.solid_angle()) / (4.0 * std::f64::consts::PI)
    }
}

/// How many groups a tree over so many triangles has.
fn group_count(triangles: usize) -> usize {
    match triangles {
        0 => 0,
        1..=LEAF => 1,
        _ => 1 + group_count(triangles / 2) + group_count(triangles.div_ceil(2)),
    }
}

/// Makes the tree over some triangles, of which the first is the one of number `from`, into the groups from `number` on.
fn split(own: &mut [[DVec3; 3]], from: usize, groups: &mut [Group], number: usize) {
    let (mut area, mut centre, mut weight) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for [a, b, c] in own.iter() {
        let vector = (*b - *a).cross(*c - *a) / 2.0;
        area += vector;
        centre += (*a + *b + *c) / 3.0 * vector.length();
        weight += vector.length();
        low = low.min(a.min(*b).min(*c));
        high = high.max(a.max(*b).max(*c));
    }
    let centre = if weight > 0.0 { centre / weight } else { (low + high) / 2.0 };
    let radius = own.iter().flatten().map(|p| p.distance(centre)).fold(0.0, f64::max);
    let range = [from as u32, (from + own.len()) as u32];
    let [group, below @ ..] = groups else { return };
    *group = Group { area, centre, radius, range, second: 0 };
    if own.len() <= LEAF {
        return;
    }
    let size = high - low;
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let middle = own.len() / 2;
    let place = |t: &[DVec3; 3]| (t[0] + t[1] + t[2])[axis];
    own.select_nth_unstable_by(middle, |a, b| {
        let coordinates = |t: &[DVec3; 3]| t.map(|p| p.to_array()).into_iter().flatten();
        let by_corners = || coordinates(a).zip(coordinates(b)).map(|(a, b)| a.total_cmp(&b));
        place(a)
            .total_cmp(&place(b))
            .then_with(|| by_corners().find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal))
    });
    let (first, rest) = own.split_at_mut(middle);
    let first_groups = group_count(middle);
    group.second = (number + 1 + first_groups) as u32;
    let second = group.second as usize;
    let (into_first, into_rest) = below.split_at_mut(first_groups);
    let is_large = middle > SPAWN;
    let mut go_first = || split(first, from, into_first, number + 1);
    let mut go_on = || split(rest, from + middle, into_rest, second);
    if is_large {
        rayon::join(go_first, go_on);
    } else {
        go_first();
        go_on();
    }
}

/// A sum of half solid angles: the direction of a complex number, and whole turns.
struct Angles {
    re: f64,
    im: f64,
    turns: f64,
}

impl Default for Angles {
    fn default() -> Self {
        Self { re: 1.0, im: 0.0, turns: 0.0 }
    }
}

impl Angles {
    /// Adds what is seen of a triangle (Van Oosterom and Strackee 1983).
    fn add_triangle(&mut self, triangle: [DVec3; 3], p: DVec3) {
        let [a, b, c] = triangle.map(|corner| corner - p);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        self.add(a.dot(b.cross(c)), below);
    }

    /// Adds the angle of a direction, from −π to π.
    fn add(&mut self, y: f64, x: f64) {
        let (re, im) = (self.re * x - self.im * y, self.re * y + self.im * x);
        let size = re.abs() + im.abs();
        if size == 0.0 || size.is_nan() {
            return;
        }
        // Two angles of one sign may make more than half a turn.
        if self.im >= 0.0 && y >= 0.0 && im < 0.0 {
            self.turns += 1.0;
        } else if self.im < 0.0 && y < 0.0 && im >= 0.0 {
            self.turns -= 1.0;
        }
        (self.re, self.im) = (re / size, im / size);
    }

    fn solid_angle(&self) -> f64 {
        2.0 * (ops::atan2(self.im, self.re) + std::f64::consts::TAU * self.turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec3;

    #[test]
    fn angles_add_up_over_many_turns_forth_and_back() {
        let mut random = 12345u64;
        let (mut angles, mut sum) = (Angles::default(), 0.0);
        for k in 0..2000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Mostly forth, later mostly back.
            let share = (random >> 11) as f64 / (1u64 << 53) as f64;
            let angle = (share * 2.0 - 1.0 + if k < 1200 { 0.4 } else { -0.6 }).clamp(-0.999, 0.999) * 3.1;
            angles.add(3.0 * ops::sin(angle), 3.0 * ops::cos(angle));
            sum += angle;
            assert!((angles.solid_angle() - 2.0 * sum).abs() < 1e-9, "{k}");
        }
    }

    #[test]
    fn a_cube_winds_once_round_its_inside() {
        let vertices: Vec<DVec3> =
            (0..8).map(|k| dvec3((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64)).collect();
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6u32]];
        let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        let winding = Winding::new(&TriangleMesh { vertices, triangles });
        assert!((winding.at(dvec3(0.3, 0.6, 0.2)) - 1.0).abs() < 1e-9);
        assert!(winding.at(dvec3(1.3, 0.6, 0.2)).abs() < 1e-9);
        assert!(winding.at(dvec3(90.0, 0.6, 0.2)).abs() < 1e-3);
    }
}
