//! Puts fillers between edges of the border: the border is split where they begin and end, and each becomes two triangles.
//!
//! Source: seed 002, end of V.C.
//! Promises: faces share vertices with the ground and with each other; no edge has more than two.
//! Cost: O(n log n).

use super::{
    Gap, GapKind,
    filler::{Edge, Filler, HAIR},
    sheet::Sheet,
};
use std::collections::BTreeMap;
use wayfare_core::DVec3;

/// New vertices on edges, and those at their ends: shares of the edge's length, growing.
pub(super) struct Marks {
    on: BTreeMap<u32, Vec<(f64, u32)>>,
}

impl Marks {
    /// A vertex for each share of an edge that is asked for, unless there is one within a hair.
    pub fn new(sheet: &mut Sheet, edges: &[Edge], asked: impl IntoIterator<Item = (u32, f64)>) -> Self {
        let mut shares: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (edge, share) in asked {
            shares.entry(edge).or_default().push(share);
        }
        let mut on = BTreeMap::new();
        for (number, mut shares) in shares {
            let edge = &edges[number as usize];
            let least = HAIR / edge.length();
            shares.sort_unstable_by(f64::total_cmp);
            let half_edge = sheet.now(edge.half_edge);
            let mut marks = vec![(0.0, sheet.from(half_edge))];
            let mut last = 0.0;
            for share in shares {
                if share - last > least && share < 1.0 - least {
                    let vertex = sheet.add_point(edge.at(share));
                    marks.push((share, vertex));
                    last = share;
                }
            }
            marks.push((1.0, sheet.to(half_edge)));
            on.insert(number, marks);
        }
        Self { on }
    }

    /// The place of the mark nearest to a share.
    pub fn place(&self, edge: u32, share: f64) -> usize {
        let marks = self.on.get(&edge).map_or(&[][..], Vec::as_slice);
        let after = marks.partition_point(|mark| mark.0 < share);
        let is_nearer =
            after > 0 && marks.get(after).is_none_or(|mark| share - marks[after - 1].0 < mark.0 - share);
        if is_nearer { after - 1 } else { after }
    }

    pub fn vertex(&self, edge: u32, place: usize) -> Option<u32> {
        Some(self.on.get(&edge)?.get(place)?.1)
    }

    /// Splits the sheet's border at the marks; for each edge its parts, one between each mark and the next.
    pub fn split(&self, sheet: &mut Sheet, edges: &[Edge]) -> BTreeMap<u32, Vec<u32>> {
        let now: Vec<u32> = self.on.keys().map(|&edge| sheet.now(edges[edge as usize].half_edge)).collect();
        let inner = |marks: &Vec<(f64, u32)>| marks[1..marks.len() - 1].iter().map(|mark| mark.1).collect();
        let splits = now.iter().copied().zip(self.on.values().map(inner)).collect();
        let mut parts = sheet.split_border(&splits);
        self.on.keys().zip(now).map(|(&edge, now)| (edge, parts.remove(&now).unwrap_or_default())).collect()
    }
}

/// Adds fillers to a sheet; they use no part of an edge twice.
pub(super) fn add_bridges(sheet: &mut Sheet, gaps: &mut Vec<Gap>, edges: &[Edge], fillers: &[Filler]) {
    let asked = fillers.iter().flat_map(|filler| {
        [0, 1].into_iter().flat_map(|which| filler.on[which].map(|share| (filler.edges[which], share)))
    });
    let marks = Marks::new(sheet, edges, asked);
    let parts = marks.split(sheet, edges);
    for filler in fillers {
        let places =
            [0, 1].map(|which| filler.on[which].map(|share| marks.place(filler.edges[which], share)));
        // Sides that a hair has swallowed.
        let [[a0, a1], [b0, b1]] = places;
        if a0 >= a1 || b1 >= b0 {
            continue;
        }
        let [near, far] = [(0, a0, a1), (1, b1, b0)].map(|(which, from, to)| -> Option<Side> {
            let edge = filler.edges[which];
            // One part between the marks, unless fillers that should not meet do.
            let [part] = parts.get(&edge)?.get(from..to)? else { return None };
            Some(Side { from: marks.vertex(edge, from)?, to: marks.vertex(edge, to)?, part: *part })
        });
        if let (Some(near), Some(far)) = (near, far) {
            add_bridge(sheet, gaps, near, far);
        }
    }
}

/// An edge of the border that a bridge begins at.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub from: u32,
    pub to: u32,
    pub part: u32,
}

/// Joins two edges of the border that face each other.
pub(super) fn add_bridge(sheet: &mut Sheet, gaps: &mut Vec<Gap>, near: Side, far: Side) {
    use crate::exact::NO_HALF_EDGE as NONE;
    let at = |vertex: u32| sheet.points[vertex as usize];
    let connections = [[near.from, far.to], [near.to, far.from]];
    let ways = connections.map(|[a, b]| at(b) - at(a));
    let width = ways.map(|way| way.truncate().length()).into_iter().fold(0.0, f64::max);
    let rise = ways.map(|way| way.z.abs()).into_iter().fold(0.0, f64::max);
    let gap = gaps.len() as u32;
    let kind = if width <= HAIR { GapKind::Riser } else { GapKind::Bridge };
    // Round it: back along the near side, over the first connection, back along the far side.
    let [near_to, near_from, far_to, far_from] = [near.to, near.from, far.to, far.from];
    if near_from == far_to && near_to == far_from {
        return; // one edge twice: nothing lies between
    }
    let diagonal = |a: u32, b: u32| at(a).distance_squared(at(b));
    let shorter = diagonal(near_to, far_to) <= diagonal(near_from, far_from);
    if near_from == far_to {
        sheet.add_gap_face([near_to, near_from, far_from], [near.part, far.part, NONE], gap);
    } else if near_to == far_from {
        sheet.add_gap_face([near_to, near_from, far_to], [near.part, NONE, far.part], gap);
    } else if shorter {
        sheet.add_gap_face([near_to, near_from, far_to], [near.part, NONE, NONE], gap);
        sheet.add_gap_face([near_to, far_to, far_from], [NONE, far.part, NONE], gap);
    } else {
        sheet.add_gap_face([near_to, near_from, far_from], [near.part, NONE, NONE], gap);
        sheet.add_gap_face([near_from, far_to, far_from], [NONE, far.part, NONE], gap);
    }
    let sides = Some([[near_from, near_to], [far_from, far_to]]);
    gaps.push(Gap { kind, rise, width, area: 0.0, sides });
}

/// The length of a way in plan and how high it goes [m].
pub(super) fn width_and_rise(way: DVec3) -> [f64; 2] {
    [way.truncate().length(), way.z.abs()]
}
