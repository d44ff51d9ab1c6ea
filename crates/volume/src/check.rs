//! The invariants that cost time: V2 (no two regions overlap) and V3 (no geometry inside).

use crate::{
    mesh::{RegionId, VolumeMesh},
    polygon,
    polytope::Polytope,
};
use rayon::prelude::*;
use wayfare_core::{DVec3, Defect, defects::Defects};
use wayfare_geom::{
    TriangleMesh,
    bvh::{Aabb3, Bvh},
};

impl VolumeMesh {
    /// All broken invariants but V3, for which the scene is needed; empty for a sound mesh.
    pub fn check(&self) -> Vec<Defect> {
        let mut defects = Defects::default();
        self.raw.inspect(&mut defects);
        if defects.is_empty() {
            self.check_overlaps(&mut defects);
        }
        defects.into_vec("V0")
    }

    /// V3: all regions that hold geometry deeper than the file's depth below their surface.
    pub fn check_scene(&self, mesh: &TriangleMesh) -> Vec<Defect> {
        let mut defects = Defects::default();
        for (region, triangle) in self.with_triangles(mesh) {
            let region = region.0;
            defects.add("V3", format_args!("region {region}"), || format!("triangle {triangle} lies in it"));
        }
        defects.into_vec("V0")
    }

    /// The regions that hold a triangle, and its number.
    pub(crate) fn with_triangles(&self, mesh: &TriangleMesh) -> Vec<(RegionId, u32)> {
        let triangles: Vec<[DVec3; 3]> = mesh.all_points().collect();
        let boxes: Vec<Aabb3> = triangles.iter().map(|corners| Aabb3::of_points(*corners)).collect();
        let tree = Bvh::build(&boxes);
        (0..self.region_count() as u32)
            .into_par_iter()
            .map(RegionId)
            .filter_map(|region| Some((region, self.first_inside(region, &tree, &triangles)?)))
            .collect()
    }

    /// The triangle of the smallest number that lies in a region.
    fn first_inside(&self, region: RegionId, tree: &Bvh, triangles: &[[DVec3; 3]]) -> Option<u32> {
        let mut first = None;
        tree.visit(&self.region_box(region), |triangle| {
            let mut points = triangles[triangle as usize].to_vec();
            for plane in self.outward_planes(region) {
                let [inside, _] = polygon::split(&points, &plane.moved(-self.raw.depth), 0.0);
                let Some(inside) = inside else { return false };
                points = inside;
            }
            first = Some(first.map_or(triangle, |other: u32| other.min(triangle)));
            false
        });
        first
    }

    /// V2.
    fn check_overlaps(&self, defects: &mut Defects) {
        let pairs: Vec<Vec<u32>> = (0..self.region_count() as u32)
            .into_par_iter()
            .map(|region| {
                let mut overlapped = Vec::new();
                self.tree.visit(&self.region_box(RegionId(region)), |other| {
                    if other > region && self.overlap(RegionId(region), RegionId(other)) {
                        overlapped.push(other);
                    }
                    false
                });
                overlapped.sort_unstable();
                overlapped
            })
            .collect();
        for (region, others) in pairs.into_iter().enumerate() {
            for other in others {
                defects.add("V2", format_args!("region {region}"), || format!("overlaps region {other}"));
            }
        }
    }

    /// Whether two regions have more than their surface in common.
    pub fn overlap(&self, a: RegionId, b: RegionId) -> bool {
        // Parted by one plane, exactly: what is below it is not above it.
        let other: Vec<u32> = self.half_spaces(b).map(|side| side.0).collect();
        if self.half_spaces(a).any(|side| other.binary_search(&side.opposite().0).is_ok()) {
            return false;
        }
        let apart = |own: RegionId, other: RegionId| {
            let corners = self.vertices(other);
            self.outward_planes(own).any(|plane| corners.iter().all(|&p| plane.distance(p) >= 0.0))
        };
        if apart(a, b) || apart(b, a) {
            return false;
        }
        // What both hold, deeper than rounding.
        let area = self.region_box(a);
        let mut planes = self.outward_planes(a).chain(self.outward_planes(b));
        let body = Polytope::cuboid(area.min, area.max);
        planes.try_fold(body, |body, plane| body.inside(&plane.moved(-self.raw.tolerance), 0.0)).is_some()
    }
}
