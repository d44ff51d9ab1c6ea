//! What bounds the regions and is no portal: geometry, the box, and what was left out.

use super::distance::{nearest_of_segment_and_polygon, nearest_on_polygon};
use crate::{mesh::VolumeMesh, polygon};
use rayon::prelude::*;
use wayfare_core::DVec3;
use wayfare_geom::bvh::{Aabb3, Bvh};

/// All walls, to ask for distances.
#[derive(Debug)]
pub(crate) struct Walls {
    polygons: Vec<Vec<DVec3>>,
    tree: Bvh,
}

impl Walls {
    /// The faces of all regions minus their portals.
    pub(crate) fn new(mesh: &VolumeMesh) -> Self {
        let tolerance = mesh.raw().tolerance;
        let regions: Vec<_> = mesh.regions().collect();
        let polygons: Vec<Vec<Vec<DVec3>>> = regions
            .par_iter()
            .map(|&region| {
                let mut own = Vec::new();
                for (side, points) in mesh.faces(region) {
                    let normal = mesh.plane(side.plane()).normal;
                    let mut pieces = vec![points];
                    for portal in mesh.portals_of(region) {
                        if mesh.portal_plane(portal) == side.plane() {
                            polygon::subtract(&mut pieces, mesh.portal_points(portal), normal, tolerance);
                        }
                    }
                    // What is left by rounding beside a portal is no wall.
                    pieces.retain(|piece| polygon::width(piece) > 4.0 * tolerance);
                    own.append(&mut pieces);
                }
                own
            })
            .collect();
        let polygons: Vec<Vec<DVec3>> = polygons.into_iter().flatten().collect();
        let boxes: Vec<Aabb3> =
            polygons.iter().map(|points| Aabb3::of_points(points.iter().copied())).collect();
        Self { tree: Bvh::build(&boxes), polygons }
    }

    /// The nearest points of a segment and of the walls, if they are nearer than `reach`.
    pub(crate) fn nearest(&self, a: DVec3, b: DVec3, reach: f64) -> Option<[DVec3; 2]> {
        let area = Aabb3 { min: a.min(b) - reach, max: a.max(b) + reach };
        let mut best: Option<(f64, u32, [DVec3; 2])> = None;
        self.tree.visit(&area, |wall| {
            let pair = nearest_of_segment_and_polygon(a, b, &self.polygons[wall as usize]);
            let distance = pair[0].distance(pair[1]);
            if distance < reach && best.is_none_or(|(other, number, _)| (distance, wall) < (other, number)) {
                best = Some((distance, wall, pair));
            }
            false
        });
        best.map(|(.., pair)| pair)
    }

    /// Distance of a point from the walls [m], if it is below `reach`.
    pub(crate) fn distance(&self, p: DVec3, reach: f64) -> Option<f64> {
        let area = Aabb3 { min: p - reach, max: p + reach };
        let mut best = reach;
        self.tree.visit(&area, |wall| {
            best = best.min(nearest_on_polygon(&self.polygons[wall as usize], p).distance(p));
            false
        });
        (best < reach).then_some(best)
    }
}
