//! Triangles to shared planes.
//!
//! Idea: triangles that lie in one plane up to rounding of their file get one plane, so that a floor of a thousand
//!   triangles is one cut and both of its sides name the same numbers. Large triangles come first: their planes are the
//!   best known.
//! Steps: 1. triangles by area  2. an axis-aligned plane where the triangle is flat along an axis  3. planes of about the
//!   same direction are tried, those within the tolerance of all three corners taken  4. else the triangle's own plane.
//! Idea of 3: a plane that holds all corners of a triangle turns against the triangle's own by no more than twice the
//!   tolerance over the triangle's least height, so that it passes the origin at about the same distance: planes are sorted by that.
//! Cost: O(n log n) for triangles that are not slivers.

use crate::plane::Plane;
use rayon::prelude::*;
use std::collections::BTreeSet;
use wayfare_core::DVec3;
use wayfare_geom::TriangleMesh;

/// Bins along each side of the cube of directions.
const BINS: i32 = 48;

/// A plane of each triangle, by number, and the planes. Triangles without area have none (`u32::MAX`).
pub(super) fn snap(mesh: &TriangleMesh, tolerance: f64) -> (Vec<u32>, Vec<Plane>) {
    // 1.
    let count = mesh.triangles.len();
    let areas: Vec<f64> = (0..count).into_par_iter().map(|t| mesh.normal(t).length()).collect();
    let own: Vec<Option<Plane>> =
        (0..count).into_par_iter().map(|t| plane_of_triangle(mesh.points(t), tolerance)).collect();
    let mut order: Vec<u32> = (0..count as u32).collect();
    // Ties by position, so that the order of the file does not matter.
    let key = |t: u32| {
        let [a, b, c] = mesh.points(t as usize);
        let low = a.min(b).min(c);
        let high = a.max(b).max(c);
        [low.x, low.y, low.z, high.x, high.y, high.z]
    };
    order.par_sort_by(|&a, &b| {
        let by_place = || {
            let places = key(a).into_iter().zip(key(b)).map(|(a, b)| a.total_cmp(&b));
            places.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        };
        areas[b as usize].total_cmp(&areas[a as usize]).then_with(by_place).then(a.cmp(&b))
    });
    let mut planes: Vec<Plane> = Vec::new();
    // Planes of each bin by their distance from the middle of the scene.
    let mut bins: Vec<BTreeSet<(Ordered, u32)>> = vec![BTreeSet::new(); (3 * BINS * BINS) as usize];
    let middle = mesh.bounds().map_or(DVec3::ZERO, |[low, high]| (low + high) / 2.0);
    let from_middle = |plane: &Plane| -plane.distance(middle);
    let mut plane_of = vec![u32::MAX; order.len()];
    for t in order {
        let corners = mesh.points(t as usize);
        let Some(own) = own[t as usize] else { continue };
        let holds = |plane: &Plane| corners.iter().all(|&p| plane.distance(p).abs() <= tolerance);
        // 3.
        let longest = (0..3).map(|k| corners[k].distance(corners[(k + 1) % 3])).fold(0.0, f64::max);
        let height = areas[t as usize] / longest;
        let far = corners.iter().map(|p| p.distance(middle)).fold(0.0, f64::max);
        let reach = tolerance + far * 2.0 * tolerance / height;
        let (low, high) = (from_middle(&own) - reach, from_middle(&own) + reach);
        let range = (Ordered::of(low), 0)..=(Ordered::of(high), u32::MAX);
        let known = near_bins(own.normal).flat_map(|bin| bins[bin].range(range.clone())).map(|entry| entry.1);
        let best = known.filter(|&plane| holds(&planes[plane as usize])).min_by(|&a, &b| {
            let off = |plane: u32| {
                let plane = &planes[plane as usize];
                corners.iter().map(|&p| plane.distance(p).abs()).fold(0.0, f64::max)
            };
            off(a).total_cmp(&off(b)).then(a.cmp(&b))
        });
        // 4.
        plane_of[t as usize] = best.unwrap_or_else(|| {
            let number = planes.len() as u32;
            planes.push(own);
            bins[bin(own.normal)].insert((Ordered::of(from_middle(&own)), number));
            number
        });
    }
    (plane_of, planes)
}

/// A double in an order of all doubles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ordered(i64);

impl Ordered {
    fn of(value: f64) -> Self {
        let bits = value.to_bits() as i64;
        Self(if bits < 0 { bits ^ i64::MAX } else { bits })
    }
}

/// Step 2, and the direction that both sides share: the first coordinate that is not small is positive.
fn plane_of_triangle([a, b, c]: [DVec3; 3], tolerance: f64) -> Option<Plane> {
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        let [p, q, r] = [a, b, c].map(|p| p.dot(axis));
        let (low, high) = (p.min(q).min(r), p.max(q).max(r));
        let across = (b - a).cross(c - a);
        // A quarter of the tolerance leaves room for the neighbours of the first triangle.
        if high - low <= tolerance / 4.0 && across.dot(axis).abs() > 0.99 * across.length() {
            // Where all is equal so is the plane, to the last bit.
            let offset = if low == high { low } else { (low + high) / 2.0 };
            return Some(Plane { normal: axis, offset });
        }
    }
    let normal = (b - a).cross(c - a).try_normalize()?;
    let normal = if leading(normal) < 0.0 { -normal } else { normal };
    Some(Plane { normal, offset: normal.dot((a + b + c) / 3.0) })
}

/// The coordinate that decides which way a plane's normal points.
fn leading(normal: DVec3) -> f64 {
    // Far from zero in every direction, so that planes of about one direction point the same way (but for few).
    const CLEAR: f64 = 0.3;
    [normal.x, normal.y, normal.z].into_iter().find(|c| c.abs() > CLEAR).unwrap_or(normal.x)
}

/// The side of the half cube that a direction hits, and where.
fn place(normal: DVec3) -> (i32, f64, f64) {
    let size = normal.abs();
    if size.x >= size.y && size.x >= size.z {
        (0, normal.y / normal.x, normal.z / normal.x)
    } else if size.y >= size.z {
        (1, normal.x / normal.y, normal.z / normal.y)
    } else {
        (2, normal.x / normal.z, normal.y / normal.z)
    }
}

fn cell(c: f64) -> i32 {
    (((c + 1.0) / 2.0 * f64::from(BINS)) as i32).clamp(0, BINS - 1)
}

fn bin(normal: DVec3) -> usize {
    let (side, u, v) = place(normal);
    ((side * BINS + cell(u)) * BINS + cell(v)) as usize
}

/// The bin of a direction and those round it, on the same side of the cube.
fn near_bins(normal: DVec3) -> impl Iterator<Item = usize> {
    let (side, u, v) = place(normal);
    let (u, v) = (cell(u), cell(v));
    (-1..=1).flat_map(move |du| (-1..=1).map(move |dv| (u + du, v + dv))).filter_map(move |(u, v)| {
        let inside = (0..BINS).contains(&u) && (0..BINS).contains(&v);
        inside.then_some(((side * BINS + u) * BINS + v) as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec3;

    #[test]
    fn triangles_of_one_plane_share_it_whichever_way_they_face() {
        let vertices = vec![
            dvec3(0., 0., 1.),
            dvec3(1., 0., 1.),
            dvec3(0., 1., 1.),
            dvec3(5., 5., 1. + 1e-8),
            dvec3(0., 0., 2.),
        ];
        let triangles = vec![[0, 1, 2], [2, 1, 0], [1, 3, 2], [0, 1, 4]];
        let (plane_of, planes) = snap(&TriangleMesh { vertices, triangles }, 1e-6);
        assert_eq!(planes.len(), 2);
        assert!(plane_of[0] == plane_of[1] && plane_of[1] == plane_of[2] && plane_of[2] != plane_of[3]);
        assert!(planes.contains(&Plane { normal: DVec3::Y, offset: 0.0 }), "exactly");
    }
}
