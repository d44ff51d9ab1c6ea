//! From raw data to a mesh that holds what it promises: V0 (numbers in range), V1 and V4.

use crate::{
    mesh::VolumeMesh,
    partition::Sets,
    plane::{HalfSpace, Plane},
    raw::RawVolumeMesh,
};
use std::collections::HashSet;
use wayfare_core::{DVec3, Defect, MAX_COORDINATE, defects::Defects};
use wayfare_geom::bvh::{Aabb3, Bvh};

/// The largest tolerance and depth that a file may ask for, relative to its box.
const LARGEST_TOLERANCE: f64 = 1e-4;
/// How far a normal's squared length may be from 1.
const UNIT: f64 = 1e-9;

impl RawVolumeMesh {
    /// Checks V0, V1 and V4; the list of defects is never empty.
    pub fn validate(self) -> Result<VolumeMesh, Vec<Defect>> {
        let mut defects = Defects::default();
        self.inspect(&mut defects);
        if defects.is_empty() { Ok(self.into_mesh()) } else { Err(defects.into_vec("V0")) }
    }

    /// Adds everything that is wrong.
    pub(crate) fn inspect(&self, defects: &mut Defects) {
        self.inspect_arrays(defects);
        // Nothing can be looked up where numbers are out of range.
        if !defects.is_empty() {
            return;
        }
        for region in 0..self.region_count() {
            self.inspect_region(region, defects);
        }
        for portal in 0..self.portal_count() {
            self.inspect_portal(portal, defects);
        }
    }

    /// V0.
    fn inspect_arrays(&self, defects: &mut Defects) {
        let regions = self.region_count();
        let mut starts = |name: &str, starts: &[u32], count: usize, items: usize| {
            let fits = starts.len() == count + 1
                && starts.first() == Some(&0)
                && starts.is_sorted()
                && starts.last().is_some_and(|&last| last as usize == items);
            if !fits {
                defects.add("V0", name, || format!("does not part {items} entries into {count} lists"));
            }
        };
        starts("side_starts", &self.side_starts, regions, self.sides.len());
        starts("vertex_starts", &self.vertex_starts, regions, self.vertices.len());
        starts("face_starts", &self.face_starts, regions, self.face_sides.len());
        starts("corner_starts", &self.corner_starts, self.face_sides.len(), self.corners.len());
        starts("portal_starts", &self.portal_starts, self.portal_count(), self.portal_points.len());
        if self.portal_planes.len() != self.portal_count() || self.standing.len() != regions {
            defects.add("V0", "mesh", || "has lists of different lengths".into());
        }
        let sound = |p: &DVec3| p.is_finite() && p.abs().max_element() <= MAX_COORDINATE;
        for (name, points) in [
            ("vertices", &self.vertices[..]),
            ("portal_points", &self.portal_points),
            ("bounds", &self.bounds),
        ] {
            for (k, p) in points.iter().enumerate().filter(|(_, p)| !sound(p)) {
                defects.add("V0", format_args!("{name}, entry {k}"), || format!("{p} is out of range"));
            }
        }
        for (k, plane) in self.planes.iter().enumerate() {
            let length = plane.normal.length_squared();
            // Written so that NaN fails.
            if !((length - 1.0).abs() <= UNIT && plane.offset.abs() <= 4.0 * MAX_COORDINATE) {
                defects.add("V0", format_args!("plane {k}"), || format!("{plane:?} is no plane"));
            }
        }
        let out_of_range =
            |sides: &[u32]| sides.iter().position(|&side| side as usize / 2 >= self.planes.len());
        for (name, bad) in [
            ("sides", out_of_range(&self.sides)),
            ("face_sides", out_of_range(&self.face_sides)),
            (
                "portal_planes",
                self.portal_planes.iter().position(|&plane| plane as usize >= self.planes.len()),
            ),
            (
                "portal_regions",
                self.portal_regions.as_flattened().iter().position(|&region| region as usize >= regions),
            ),
            ("standing", self.standing.iter().position(|area| !(*area >= 0.0 && area.is_finite()))),
        ] {
            if let Some(k) = bad {
                defects.add("V0", format_args!("{name}, entry {k}"), || "is out of range".into());
            }
        }
        let size = (self.bounds[1] - self.bounds[0]).length();
        let mut number = |name: &str, value: f64, most: f64| {
            if !(0.0..=most).contains(&value) {
                defects.add("V0", name, || format!("{value} is outside 0 .. {most}"));
            }
        };
        number("tolerance", self.tolerance, LARGEST_TOLERANCE * size);
        number("depth", self.depth, LARGEST_TOLERANCE * size);
        number("free_volume", self.free_volume, f64::MAX);
        number("radius", self.radius, MAX_COORDINATE);
        number("max_slope", self.max_slope, std::f64::consts::FRAC_PI_2);
    }

    /// The planes of a region's half-spaces, pointing outwards.
    fn outward(&self, region: usize) -> impl Iterator<Item = (HalfSpace, Plane)> + '_ {
        let sides = &self.sides[Self::range(&self.side_starts, region)];
        sides.iter().map(|&side| {
            let side = HalfSpace(side);
            (side, side.outward(&self.planes[side.plane().0 as usize]))
        })
    }

    /// Whether V1 holds for a region whose numbers are in range.
    pub(crate) fn is_sound(&self, region: usize) -> bool {
        let mut defects = Defects::default();
        self.inspect_region(region, &mut defects);
        defects.is_empty()
    }

    /// V1.
    fn inspect_region(&self, region: usize, defects: &mut Defects) {
        let mut add =
            |message: &dyn Fn() -> String| defects.add("V1", format_args!("region {region}"), message);
        let sides = &self.sides[Self::range(&self.side_starts, region)];
        if !sides.is_sorted_by(|a, b| a < b) {
            add(&|| "its half-spaces are not in ascending order".into());
        }
        let vertices = &self.vertices[Self::range(&self.vertex_starts, region)];
        for (side, plane) in self.outward(region) {
            let off = vertices.iter().map(|&p| plane.distance(p)).fold(f64::NEG_INFINITY, f64::max);
            if off > self.tolerance {
                add(&|| format!("a corner is {off} m outside of its half-space {}", side.0));
            }
        }
        let mut edges: HashSet<[u32; 2]> = HashSet::new();
        let mut edge_count = 0;
        let mut used = vec![false; vertices.len()];
        for face in Self::range(&self.face_starts, region) {
            let corners = &self.corners[Self::range(&self.corner_starts, face)];
            let side = self.face_sides[face];
            if corners.len() < 3 || corners.iter().any(|&corner| corner as usize >= vertices.len()) {
                add(&|| format!("face {face} has no corners that make it"));
                return;
            }
            if sides.binary_search(&side).is_err() {
                add(&|| format!("face {face} lies in half-space {side}, which is not the region's"));
            }
            let plane = &self.planes[side as usize / 2];
            for (k, &corner) in corners.iter().enumerate() {
                used[corner as usize] = true;
                let off = plane.distance(vertices[corner as usize]).abs();
                if off > self.tolerance {
                    add(&|| format!("face {face} has a corner {off} m off its plane"));
                }
                edges.insert([corner, corners[(k + 1) % corners.len()]]);
                edge_count += 1;
            }
        }
        let is_closed = edges.len() == edge_count && {
            // Every edge has its other direction; the order of looking does not matter.
            let faces = Self::range(&self.face_starts, region);
            faces.clone().all(|face| {
                let corners = &self.corners[Self::range(&self.corner_starts, face)];
                (0..corners.len()).all(|k| edges.contains(&[corners[(k + 1) % corners.len()], corners[k]]))
            }) && used.iter().all(|used| *used)
                && vertices.len() + faces.len() == edge_count / 2 + 2
        };
        if !is_closed {
            add(&|| "its faces do not close it".into());
        }
        let volume = self.volume(region);
        if volume <= 0.0 || volume.is_nan() {
            add(&|| format!("its volume is {volume} m³"));
        }
    }

    /// V4.
    fn inspect_portal(&self, portal: usize, defects: &mut Defects) {
        let mut add =
            |message: &dyn Fn() -> String| defects.add("V4", format_args!("portal {portal}"), message);
        let plane = self.portal_planes[portal];
        let regions = self.portal_regions[portal];
        for (region, side) in regions.into_iter().zip([plane << 1, plane << 1 | 1]) {
            let region = region as usize;
            if self.sides[Self::range(&self.side_starts, region)].binary_search(&side).is_err() {
                add(&|| format!("region {region} is not bounded by half-space {side}"));
            }
        }
        let points = &self.portal_points[Self::range(&self.portal_starts, portal)];
        if points.len() < 3 {
            add(&|| format!("has {} corners", points.len()));
        }
        for &p in points {
            let off = self.planes[plane as usize].distance(p).abs();
            if off > self.tolerance {
                add(&|| format!("a corner is {off} m off its plane"));
            }
            for region in regions {
                let off = self.outward(region as usize).map(|(_, plane)| plane.distance(p));
                let off = off.fold(f64::NEG_INFINITY, f64::max);
                if off > self.tolerance {
                    add(&|| format!("a corner is {off} m outside of region {region}"));
                }
            }
        }
    }

    /// Volume of a region whose numbers are in range [m³].
    fn volume(&self, region: usize) -> f64 {
        let vertices = &self.vertices[Self::range(&self.vertex_starts, region)];
        let Some(&origin) = vertices.first() else { return 0.0 };
        let mut sum = 0.0;
        for face in Self::range(&self.face_starts, region) {
            let corners = &self.corners[Self::range(&self.corner_starts, face)];
            let at = |k: usize| vertices[corners[k] as usize] - origin;
            for k in 2..corners.len() {
                sum += at(0).dot(at(k - 1).cross(at(k)));
            }
        }
        sum / 6.0
    }

    pub(crate) fn into_mesh(self) -> VolumeMesh {
        let count = self.region_count();
        let volumes = (0..count).map(|region| self.volume(region)).collect();
        let mut region_portals = vec![Vec::new(); count];
        let mut sets = Sets::new(count);
        for (portal, &[a, b]) in self.portal_regions.iter().enumerate() {
            region_portals[a as usize].push(portal as u32);
            region_portals[b as usize].push(portal as u32);
            sets.join(a as usize, b as usize);
        }
        let mut components = vec![u32::MAX; count];
        let mut component_count = 0;
        for region in 0..count {
            let root = sets.root(region);
            if components[root] == u32::MAX {
                components[root] = component_count as u32;
                component_count += 1;
            }
            components[region] = components[root];
        }
        let boxes: Vec<Aabb3> = (0..count)
            .map(|region| {
                Aabb3::of_points(self.vertices[Self::range(&self.vertex_starts, region)].iter().copied())
            })
            .collect();
        let tree = Bvh::build(&boxes);
        VolumeMesh { raw: self, volumes, components, component_count, region_portals, boxes, tree }
    }
}
