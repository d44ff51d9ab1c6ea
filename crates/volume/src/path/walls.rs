//! What bounds the regions and is no portal: geometry, the box, and what was left out.

use super::distance::Panel;
use crate::{mesh::VolumeMesh, polygon};
use rayon::prelude::*;
use wayfare_core::DVec3;
use wayfare_geom::bvh::{Aabb3, Bvh};

/// All walls, to ask for distances.
#[derive(Debug)]
pub(crate) struct Walls {
    panels: Vec<Panel>,
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
        let panels: Vec<Panel> = polygons.into_iter().flatten().map(Panel::new).collect();
        let boxes: Vec<Aabb3> = panels.iter().map(Panel::area).collect();
        Self { tree: Bvh::build(&boxes), panels }
    }

    /// The nearest points of a segment and of the walls, if they are nearer than `reach`.
    pub(crate) fn nearest(&self, a: DVec3, b: DVec3, reach: f64) -> Option<[DVec3; 2]> {
        let area = Aabb3 { min: a.min(b) - reach, max: a.max(b) + reach };
        let mut best: Option<(f64, u32, [DVec3; 2])> = None;
        self.tree.visit(&area, |wall| {
            let panel = &self.panels[wall as usize];
            if panel.is_beyond(a, b, best.map_or(reach, |best| best.0)) {
                return false;
            }
            let pair = panel.nearest_to_segment(a, b);
            let distance = pair[0].distance(pair[1]);
            if distance < reach && best.is_none_or(|(other, number, _)| (distance, wall) < (other, number)) {
                best = Some((distance, wall, pair));
            }
            false
        });
        best.map(|(.., pair)| pair)
    }

    /// Whether a segment keeps `reach` from all walls.
    pub(crate) fn is_clear(&self, a: DVec3, b: DVec3, reach: f64) -> bool {
        let area = Aabb3 { min: a.min(b) - reach, max: a.max(b) + reach };
        !self.tree.visit(&area, |wall| {
            let panel = &self.panels[wall as usize];
            !panel.is_beyond(a, b, reach) && {
                let [on, wall] = panel.nearest_to_segment(a, b);
                on.distance(wall) < reach
            }
        })
    }

    /// Distance of a point from the walls [m], if it is below `reach`.
    pub(crate) fn distance(&self, p: DVec3, reach: f64) -> Option<f64> {
        let area = Aabb3 { min: p - reach, max: p + reach };
        let mut best = reach;
        self.tree.visit(&area, |wall| {
            let panel = &self.panels[wall as usize];
            if !panel.is_beyond(p, p, best) {
                best = best.min(panel.nearest(p).distance(p));
            }
            false
        });
        (best < reach).then_some(best)
    }
}
