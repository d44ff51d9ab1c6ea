//! One order for everything: the same ground gives the same bytes however it was described.
//!
//! A ring starts at its lexicographically smallest point (x, then y); where it passes that point more
//! than once, at the pass after which the sequence of points is smallest. Holes are sorted by their
//! sequences of points, regions by those of their outlines. Vertices are numbered in that order.
//! Cost: O(n log n) for all but contrived plans.

use crate::{EdgeKind, FloorPlan, Layer, PlanVertexId, Region, Ring};
use std::cmp::Ordering;
use wayfare_core::{DVec2, IdVec};

/// An outline and its holes as points; every corner is one fan of free ground.
pub(crate) struct RegionPoints {
    pub outer: Vec<DVec2>,
    pub holes: Vec<Vec<DVec2>>,
}

/// The floor plan of regions in one flat layer at height 0 without tags.
pub(crate) fn flat_plan(mut regions: Vec<RegionPoints>) -> FloorPlan {
    for region in &mut regions {
        rotate_to_smallest(&mut region.outer);
        for hole in &mut region.holes {
            rotate_to_smallest(hole);
        }
        region.holes.sort_by(|a, b| compare(a, b));
    }
    regions.sort_by(|a, b| compare(&a.outer, &b.outer));
    let mut vertices = IdVec::<PlanVertexId, _>::default();
    let mut number = |points: Vec<DVec2>| Ring {
        kinds: vec![EdgeKind::Wall; points.len()],
        vertices: points.into_iter().map(|p| vertices.push(p.extend(0.0))).collect(),
    };
    let mut layer = Layer::default();
    for region in regions {
        let outer = number(region.outer);
        let holes = region.holes.into_iter().map(&mut number).collect();
        layer.regions.push(Region { outer, holes, ..Region::default() });
    }
    FloorPlan { vertices, layers: vec![layer], tag_names: vec![String::new()], ..FloorPlan::default() }
}

/// Lexicographic order of points.
pub(crate) fn point_order(a: &DVec2, b: &DVec2) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

fn compare(a: &[DVec2], b: &[DVec2]) -> Ordering {
    let differing = a.iter().zip(b).map(|(p, q)| point_order(p, q)).find(|order| order.is_ne());
    differing.unwrap_or(a.len().cmp(&b.len()))
}

fn rotate_to_smallest(ring: &mut [DVec2]) {
    let from = |k: usize| ring[k..].iter().chain(&ring[..k]);
    let Some(smallest) = ring.iter().min_by(|a, b| point_order(a, b)) else { return };
    let passes = (0..ring.len()).filter(|&k| point_order(&ring[k], smallest).is_eq());
    let start = passes.min_by(|&a, &b| {
        from(a)
            .zip(from(b))
            .map(|(p, q)| point_order(p, q))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    });
    if let Some(start) = start {
        ring.rotate_left(start);
    }
}
