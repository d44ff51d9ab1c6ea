//! Convex polyhedra in space, and the portals between them.

use super::Show;
use crate::colour_neighbours;
use serde_json::json;
use wayfare_core::DVec3;

/// Regions, and what is known of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShownRegions<'a> {
    /// The faces of each region, counter-clockwise seen from outside; faces and regions are convex.
    pub faces: &'a [Vec<Vec<DVec3>>],
    /// Regions beside each other, which get different colours.
    pub neighbours: &'a [[u32; 2]],
    /// What the portals between them are, as polygons.
    pub portals: &'a [Vec<DVec3>],
    /// The kind of each region, a place in `kind_names`; or nothing.
    pub kinds: &'a [u8],
    /// What the kinds are, in a few words: "a body can stand in it".
    pub kind_names: &'a [&'a str],
}

impl Show {
    /// Adds regions. The page draws them as solids that a plane cuts open, in colours of their own or by kind.
    ///
    /// # Panics
    /// If neighbours are named that are not there, or there are kinds but not one for each region.
    pub fn add_regions(&mut self, regions: &ShownRegions<'_>) {
        let ShownRegions { faces, neighbours, portals, kinds, kind_names } = *regions;
        assert!(kinds.is_empty() || kinds.len() == faces.len(), "one kind for each region");
        let (mut positions, mut triangles, mut owners) = (Vec::new(), Vec::new(), Vec::new());
        let mut edges: Vec<f32> = Vec::new();
        for (region, polygons) in (0..).zip(faces) {
            for polygon in polygons {
                let first = owners.len() as u32;
                positions.extend(polygon.iter().flat_map(|&p| self.place(p)));
                owners.resize(owners.len() + polygon.len(), region);
                triangles.extend((2..polygon.len() as u32).flat_map(|k| [first, first + k - 1, first + k]));
                // Two faces of a region have each edge, in opposite directions.
                let ends = |k: usize| (polygon[k], polygon[(k + 1) % polygon.len()]);
                let once = (0..polygon.len()).map(ends).filter(|(from, to)| is_before(*from, *to));
                edges.extend(once.flat_map(|(from, to)| [from, to]).flat_map(|p| self.place(p)));
            }
        }
        self.add_floats("regions.positions", positions);
        self.add_numbers("regions.triangles", triangles);
        self.add_numbers("regions.region", owners);
        self.add_floats("regions.edges", edges);
        self.add_bytes("region.colour", colour_neighbours(faces.len(), neighbours));
        self.add_bytes("region.kind", kinds.iter().copied());
        let outline = |polygon: &Vec<DVec3>| -> Vec<f32> {
            let ends = (0..polygon.len()).flat_map(|k| [polygon[k], polygon[(k + 1) % polygon.len()]]);
            ends.flat_map(|p| self.place(p)).collect()
        };
        let outlines: Vec<f32> = portals.iter().flat_map(outline).collect();
        self.add_floats("regions.portals", outlines);
        self.set("regions", json!({"kinds": kind_names}));
    }
}

fn is_before(a: DVec3, b: DVec3) -> bool {
    let [a, b] = [a, b].map(|p| p.to_array());
    a.iter()
        .zip(&b)
        .map(|(x, y)| x.total_cmp(y))
        .find(|order| order.is_ne())
        .is_some_and(|order| order.is_lt())
}
