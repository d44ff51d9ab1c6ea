//! Where places are on Recast's ground: its detail triangles, each with the component of its polygon, in buckets of a metre.

use crate::recast::component_numbers;
use rerecast::{DetailNavmesh, PolygonNavmesh};
use std::collections::BTreeMap;
use wayfare_core::{DVec2, DVec3, dvec3};
use wayfare_geom::segment::nearest_on_segment;

/// Ground farther up or down than this is other ground [m].
const REACH_UP: f64 = 0.4;

pub struct TheirGround {
    triangles: Vec<([DVec3; 3], usize)>,
    buckets: BTreeMap<[i64; 2], Vec<usize>>,
    pub components: usize,
}

/// A place on the ground: its height and the component that it is in.
#[derive(Clone, Copy, Debug)]
pub struct OnGround {
    pub height: f64,
    pub component: usize,
}

impl TheirGround {
    pub fn new(polygons: &PolygonNavmesh, detail: &DetailNavmesh) -> Self {
        let numbers = component_numbers(polygons);
        let mut triangles = Vec::new();
        for (part, &number) in detail.meshes.iter().zip(&numbers) {
            let vertices = &detail.vertices[part.base_vertex_index as usize..];
            let own = &detail.triangles[part.base_triangle_index as usize..][..part.triangle_count as usize];
            let turn = |k: u8| {
                let p = vertices[usize::from(k)];
                dvec3(f64::from(p.x), -f64::from(p.z), f64::from(p.y))
            };
            triangles.extend(own.iter().map(|corners| (corners.map(turn), number)));
        }
        let mut buckets: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
        for (k, (corners, _)) in triangles.iter().enumerate() {
            let plan = corners.map(DVec3::truncate);
            let (min, max) = (plan[0].min(plan[1]).min(plan[2]), plan[0].max(plan[1]).max(plan[2]));
            // Two cells to all sides, so that a place looks into its own bucket only.
            let range = |low: f64, high: f64| (low - 0.25).floor() as i64..=(high + 0.25).floor() as i64;
            for x in range(min.x, max.x) {
                range(min.y, max.y).for_each(|y| buckets.entry([x, y]).or_default().push(k));
            }
        }
        let components = numbers.iter().max().map_or(0, |most| most + 1);
        Self { triangles, buckets, components }
    }

    /// The ground at a place: straight over or under it, or no farther away than `reach` in plan (0.25 m at most); of those the nearest
    /// in plan, then in height.
    pub fn locate(&self, p: DVec3, reach: f64) -> Option<OnGround> {
        let bucket = self.buckets.get(&[p.x.floor() as i64, p.y.floor() as i64])?;
        let mut best: Option<([f64; 2], OnGround)> = None;
        for &k in bucket {
            let (corners, component) = &self.triangles[k];
            let Some((away, height)) = nearest(corners, p.truncate()) else { continue };
            let off = (height - p.z).abs();
            if away <= reach && off <= REACH_UP && best.is_none_or(|(least, _)| [away, off] < least) {
                best = Some(([away, off], OnGround { height, component: *component }));
            }
        }
        best.map(|(_, found)| found)
    }
}

/// How far a place is from a triangle in plan, and the triangle's height at the nearest point; nothing if it is no triangle in plan.
fn nearest(corners: &[DVec3; 3], p: DVec2) -> Option<(f64, f64)> {
    let [a, b, c] = corners.map(DVec3::truncate);
    let twice = (b - a).perp_dot(c - a);
    if twice == 0.0 {
        return None;
    }
    let shares = |p: DVec2| {
        let (v, w) = ((p - a).perp_dot(c - a) / twice, (b - a).perp_dot(p - a) / twice);
        [1.0 - v - w, v, w]
    };
    let height = |p: DVec2| shares(p).iter().zip(corners).map(|(share, corner)| share * corner.z).sum();
    if shares(p).iter().all(|share| *share >= 0.0) {
        return Some((0.0, height(p)));
    }
    let sides = [[a, b], [b, c], [c, a]].map(|[from, to]| nearest_on_segment(p, from, to));
    let found = sides.into_iter().min_by(|one, two| one.distance(p).total_cmp(&two.distance(p)))?;
    Some((found.distance(p), height(found)))
}
