//! The invariants of a volume mesh, checked from its exported JSON in exact arithmetic by code that shares nothing with ours.
//!
//! * V1 each region's half-spaces leave a body with inside; its corners keep to them, and the body's exact corners are each
//!   near one of the listed ones or in a sliver thinner than the tolerance.
//! * V2 no two regions have an inner point in common, exactly.
//! * V3 no triangle has a point in a region deeper than the file's depth, exactly.
//! * V4 portals lie in the plane that bounds both their regions from opposite sides, and in both, up to the tolerance.
//!
//! Cost: pairs of regions whose boxes touch; most are parted by one look at their plane numbers.

use num_rational::BigRational;
use num_traits::{Signed as _, Zero as _};
use serde::Deserialize;
use wayfare_core::DVec3;

type Number = BigRational;
type Point = [Number; 3];

/// An exported volume mesh, as its JSON says.
#[derive(Clone, Debug, Deserialize)]
pub struct ExportedVolume {
    kind: String,
    bounds: [[f64; 3]; 2],
    tolerance: f64,
    depth: f64,
    free_volume: f64,
    planes: Vec<[f64; 4]>,
    regions: Vec<Region>,
    portals: Vec<Portal>,
}

#[derive(Clone, Debug, Deserialize)]
struct Region {
    sides: Vec<usize>,
    vertices: Vec<[f64; 3]>,
    faces: Vec<Face>,
    volume: f64,
}

#[derive(Clone, Debug, Deserialize)]
struct Face {
    side: usize,
    vertices: Vec<usize>,
}

#[derive(Clone, Debug, Deserialize)]
struct Portal {
    regions: [usize; 2],
    plane: usize,
    points: Vec<[f64; 3]>,
}

fn exact(value: f64) -> Number {
    BigRational::from_float(value).unwrap_or_else(Number::zero)
}

/// A plane that points out of a half-space, exactly as the file has it.
struct Outward {
    normal: Point,
    offset: Number,
}

impl Outward {
    fn height(&self, p: &Point) -> Number {
        let [x, y, z] = &self.normal;
        x * &p[0] + y * &p[1] + z * &p[2] - &self.offset
    }
}

/// What of a convex polygon lies below a plane, exactly; `None` if it has no point strictly below.
fn clip(points: &[Point], plane: &Outward) -> Option<Vec<Point>> {
    let heights: Vec<Number> = points.iter().map(|p| plane.height(p)).collect();
    if !heights.iter().any(|height| height.is_negative()) {
        return None;
    }
    let mut out = Vec::new();
    for k in 0..points.len() {
        let next = (k + 1) % points.len();
        if !heights[k].is_positive() {
            out.push(points[k].clone());
        }
        if &heights[k] * &heights[next] < Number::zero() {
            let share = &heights[k] / (&heights[k] - &heights[next]);
            out.push([0, 1, 2].map(|c| &points[k][c] + (&points[next][c] - &points[k][c]) * &share));
        }
    }
    Some(out)
}

impl ExportedVolume {
    /// Reads an export.
    pub fn read(json: &str) -> Result<Self, String> {
        let read: Self = serde_json::from_str(json).map_err(|error| format!("format: {error}"))?;
        if read.kind == "volume" { Ok(read) } else { Err(format!("format: kind '{}'", read.kind)) }
    }

    /// Number of regions.
    pub fn region_count(&self) -> usize {
        self.regions.len()
    }

    /// The sum of the regions' volumes over the free volume.
    pub fn coverage(&self) -> f64 {
        self.regions.iter().map(|region| region.volume).sum::<f64>() / self.free_volume
    }

    /// How many regions hold a point, by their half-spaces and exactly; on borders, all that touch it.
    pub fn holding(&self, p: DVec3) -> usize {
        let point = p.to_array().map(exact);
        self.regions
            .iter()
            .filter(|region| {
                // In doubles first: what is clearly outside needs no more.
                region.sides.iter().all(|&side| self.height(side, p.to_array()) < 1e-6 * (1.0 + p.length()))
                    && region.sides.iter().all(|&side| !self.outward(side).height(&point).is_positive())
            })
            .count()
    }

    fn outward(&self, side: usize) -> Outward {
        let [x, y, z, offset] = self.planes[side / 2].map(exact);
        if side.is_multiple_of(2) {
            Outward { normal: [x, y, z], offset }
        } else {
            Outward { normal: [-x, -y, -z], offset: -offset }
        }
    }

    /// Distance of a point from a half-space, in doubles.
    fn height(&self, side: usize, p: [f64; 3]) -> f64 {
        let [x, y, z, offset] = self.planes[side / 2];
        let height = x * p[0] + y * p[1] + z * p[2] - offset;
        if side.is_multiple_of(2) { height } else { -height }
    }

    /// All that is wrong, each line beginning with the number of the invariant.
    pub fn check(&self, triangles: &[[DVec3; 3]]) -> Vec<String> {
        let mut wrong = Vec::new();
        for (k, region) in self.regions.iter().enumerate() {
            self.check_region(k, region, &mut wrong);
        }
        for (k, portal) in self.portals.iter().enumerate() {
            self.check_portal(k, portal, &mut wrong);
        }
        let boxes: Vec<[[f64; 3]; 2]> = self.regions.iter().map(|region| box_of(&region.vertices)).collect();
        let mut order: Vec<usize> = (0..boxes.len()).collect();
        order.sort_by(|&a, &b| boxes[a][0][0].total_cmp(&boxes[b][0][0]));
        for (k, &a) in order.iter().enumerate() {
            for &b in &order[k + 1..] {
                if boxes[b][0][0] > boxes[a][1][0] {
                    break;
                }
                if meet(&boxes[a], &boxes[b]) && self.overlap(a, b) {
                    wrong.push(format!("V2: regions {a} and {b} overlap"));
                }
            }
        }
        for (t, corners) in triangles.iter().enumerate() {
            let area = box_of(&corners.map(|p| p.to_array()));
            for (k, region) in self.regions.iter().enumerate() {
                if meet(&area, &boxes[k]) && self.holds(region, corners) {
                    wrong.push(format!("V3: triangle {t} lies in region {k}"));
                }
            }
        }
        wrong
    }

    /// V1.
    fn check_region(&self, k: usize, region: &Region, wrong: &mut Vec<String>) {
        let outside =
            |p: [f64; 3]| region.sides.iter().map(|&side| self.height(side, p)).fold(f64::MIN, f64::max);
        if region.vertices.iter().any(|&p| outside(p) > self.tolerance) {
            wrong.push(format!("V1: region {k} has a corner outside of its half-spaces"));
        }
        let mut edges = std::collections::BTreeSet::new();
        for face in &region.faces {
            if !region.sides.contains(&face.side) {
                wrong.push(format!("V1: region {k} has a face that is not its half-space's"));
            }
            for (j, &corner) in face.vertices.iter().enumerate() {
                let next = face.vertices[(j + 1) % face.vertices.len()];
                if self.height(face.side, region.vertices[corner]).abs() > self.tolerance
                    || !edges.insert((corner, next))
                {
                    wrong.push(format!("V1: region {k} has a face that does not fit"));
                }
            }
        }
        if edges.iter().any(|&(a, b)| !edges.contains(&(b, a))) || region.volume <= 0.0 {
            wrong.push(format!("V1: region {k} is not closed"));
        }
        // Its middle is strictly inside, exactly.
        let count = region.vertices.len() as f64;
        let middle = [0, 1, 2].map(|c| region.vertices.iter().map(|p| p[c]).sum::<f64>() / count).map(exact);
        if !region.sides.iter().all(|&side| self.outward(side).height(&middle).is_negative()) {
            wrong.push(format!("V1: region {k} does not hold its middle"));
        }
    }

    /// V4.
    fn check_portal(&self, k: usize, portal: &Portal, wrong: &mut Vec<String>) {
        for (region, side) in portal.regions.iter().zip([2 * portal.plane, 2 * portal.plane + 1]) {
            let region = &self.regions[*region];
            if !region.sides.contains(&side) {
                wrong.push(format!("V4: portal {k} is not in a side of its regions"));
            }
            let off = |&p: &[f64; 3]| {
                let outside = region.sides.iter().map(|&side| self.height(side, p)).fold(f64::MIN, f64::max);
                outside.max(self.height(side, p).abs())
            };
            if portal.points.len() < 3 || portal.points.iter().map(off).fold(0.0, f64::max) > self.tolerance {
                wrong.push(format!("V4: portal {k} leaves its regions"));
            }
        }
    }

    /// V2.
    fn overlap(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.regions[a], &self.regions[b]);
        if a.sides.iter().any(|side| b.sides.contains(&(side ^ 1))) {
            return false;
        }
        // The faces of the box of both, and what all half-spaces leave of each half-space's own plane: a body with inside has
        // a face with area.
        let sides: Vec<usize> = a.sides.iter().chain(&b.sides).copied().collect();
        sides.iter().any(|&side| {
            let plane = self.outward(side);
            let Some(mut points) = self.sheet(&plane) else { return false };
            for &other in &sides {
                if other / 2 == side / 2 {
                    continue;
                }
                match clip(&points, &self.outward(other)) {
                    Some(rest) if rest.len() >= 3 => points = rest,
                    _ => return false,
                }
            }
            true
        })
    }

    /// The part of a plane in a box well around everything.
    fn sheet(&self, plane: &Outward) -> Option<Vec<Point>> {
        let [low, high] = self.bounds;
        let size = (0..3).map(|c| high[c] - low[c]).fold(1.0, f64::max);
        let (low, high) = (low.map(|c| exact(c - size)), high.map(|c| exact(c + size)));
        let steep = (0..3).max_by(|&a, &b| plane.normal[a].abs().cmp(&plane.normal[b].abs()))?;
        let (u, v) = ((steep + 1) % 3, (steep + 2) % 3);
        let corner = |pu: &Number, pv: &Number| {
            let mut p: Point = [Number::zero(), Number::zero(), Number::zero()];
            p[u] = pu.clone();
            p[v] = pv.clone();
            p[steep] = (&plane.offset - &plane.normal[u] * pu - &plane.normal[v] * pv) / &plane.normal[steep];
            p
        };
        Some(vec![
            corner(&low[u], &low[v]),
            corner(&high[u], &low[v]),
            corner(&high[u], &high[v]),
            corner(&low[u], &high[v]),
        ])
    }

    /// V3.
    fn holds(&self, region: &Region, corners: &[DVec3; 3]) -> bool {
        // In doubles first: a plane that all corners are clearly beyond.
        let beyond =
            |&side: &usize| corners.iter().all(|p| self.height(side, p.to_array()) > -self.depth / 2.0);
        if region.sides.iter().any(beyond) {
            return false;
        }
        let mut points: Vec<Point> = corners.iter().map(|p| p.to_array().map(exact)).collect();
        for &side in &region.sides {
            let mut plane = self.outward(side);
            plane.offset -= exact(self.depth);
            match clip(&points, &plane) {
                Some(rest) => points = rest,
                None => return false,
            }
        }
        true
    }
}

fn box_of(points: &[[f64; 3]]) -> [[f64; 3]; 2] {
    let fold = |start: f64, pick: fn(f64, f64) -> f64| {
        [0, 1, 2].map(|c| points.iter().map(|p| p[c]).fold(start, pick))
    };
    [fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max)]
}

fn meet(a: &[[f64; 3]; 2], b: &[[f64; 3]; 2]) -> bool {
    (0..3).all(|c| a[0][c] <= b[1][c] && b[0][c] <= a[1][c])
}
