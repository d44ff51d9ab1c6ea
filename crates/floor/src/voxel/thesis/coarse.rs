//! Rough voxels: sparse columns of coarse cubes, each positive or negative.
//!
//! Idea: a first, coarse picture of where faces are and whether they can be walked on.
//! Source: thesis (seed 000), section 6.2.1, which renders the scene along three axes, so that no face is seen edge-on only.
//!   We differ: the coarse [`Raster`] gives the exact range of heights of each triangle over each column, which is
//!   cut at the heights of voxels: the same as an exact test of triangles against boxes, in one pass.
//! Steps: 1. fragments of a row to ranges of levels  2. both signs is positive  3. neighbours of columns
//! Promises: a voxel is there if and only if a triangle comes into it; a voxel owns its lower side, as pixels do.
//! Cost: O(n log n) in coarse fragments; tall walls are spans and cost no more than low ones.

use crate::voxel::{columns::Surface, lattice::Lattice, raster::Raster};

/// In lists of columns: there is none.
pub(super) const NONE: u32 = u32::MAX;

/// Voxels over each other with the same sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Level of the lowest.
    pub from: i32,
    /// Level above the highest.
    pub to: i32,
    /// Whether a face in each can be walked on.
    pub is_positive: bool,
}

/// A column that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its column in the coarse lattice.
    pub column: u32,
    /// Its row in the coarse lattice.
    pub row: u32,
    /// Where its spans start.
    spans: u32,
    /// The columns at its right, left, upper and lower side.
    pub beside: [u32; 4],
}

/// The coarse voxels of a scene that are not empty.
#[derive(Clone, Debug)]
pub struct Voxels {
    /// The coarse columns.
    pub lattice: Lattice,
    /// Height of a voxel [height units].
    pub side: i32,
    /// Columns by row, then from left to right.
    pub places: Vec<Place>,
    /// Where the columns of each row start; one more than rows.
    rows: Vec<u32>,
    spans: Vec<Span>,
}

/// Section 6.2.1: the voxels that triangles come into; `side` is their height [height units].
pub fn rough_voxels(raster: &Raster, surfaces: &[Surface], side: i32) -> Voxels {
    let lattice = *raster.lattice();
    let mut voxels = Voxels { lattice, side, places: Vec::new(), rows: vec![0], spans: Vec::new() };
    let mut pieces: Vec<(u32, Span)> = Vec::new();
    raster.draw(0..lattice.rows(), |row, fragments| {
        pieces.clear();
        pieces.extend(fragments.iter().flat_map(|fragment| {
            let is_positive = surfaces[fragment.triangle as usize].is_walkable;
            let from = fragment.low.div_euclid(side);
            // What ends on the lower side of a voxel does not come into it.
            let to = (-(-fragment.high).div_euclid(side)).max(from + 1);
            (fragment.start..fragment.end).map(move |column| (column, Span { from, to, is_positive }))
        }));
        pieces.sort_unstable_by_key(|(column, span)| (*column, span.from, span.to, span.is_positive));
        for pieces in pieces.chunk_by(|a, b| a.0 == b.0) {
            let spans = voxels.spans.len() as u32;
            voxels.places.push(Place { column: pieces[0].0, row, spans, beside: [NONE; 4] });
            stack(pieces, &mut voxels.spans);
        }
        voxels.rows.push(voxels.places.len() as u32);
    });
    voxels.find_neighbours();
    voxels
}

/// Step 2: ranges of one column, sorted by their start, to spans; where both signs are, positive counts.
fn stack(pieces: &[(u32, Span)], spans: &mut Vec<Span>) {
    let mut cuts: Vec<i32> = pieces.iter().flat_map(|(_, span)| [span.from, span.to]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let first = spans.len();
    // How far the positive and the negative ranges reach that start no higher than here.
    let (mut positive, mut negative) = (i32::MIN, i32::MIN);
    let mut next = pieces.iter().peekable();
    for ends in cuts.windows(2) {
        let (from, to) = (ends[0], ends[1]);
        while let Some((_, span)) = next.next_if(|(_, span)| span.from <= from) {
            let reach = if span.is_positive { &mut positive } else { &mut negative };
            *reach = (*reach).max(span.to);
        }
        if positive.max(negative) <= from {
            continue;
        }
        let is_positive = positive > from;
        match spans[first..].last_mut() {
            Some(last) if last.to == from && last.is_positive == is_positive => last.to = to,
            _ => spans.push(Span { from, to, is_positive }),
        }
    }
}

impl Voxels {
    /// The spans of a column from below.
    pub fn spans_of(&self, place: u32) -> &[Span] {
        let from = self.places[place as usize].spans as usize;
        let to = self.places.get(place as usize + 1).map_or(self.spans.len(), |next| next.spans as usize);
        &self.spans[from..to]
    }

    /// The numbers of a row's columns.
    pub fn row(&self, row: u32) -> std::ops::Range<u32> {
        self.rows[row as usize]..self.rows[row as usize + 1]
    }

    /// How many voxels are positive, and how many negative.
    pub fn count(&self) -> [u64; 2] {
        let mut count = [0; 2];
        for span in &self.spans {
            count[usize::from(!span.is_positive)] += (i64::from(span.to) - i64::from(span.from)) as u64;
        }
        count
    }

    /// Step 3.
    fn find_neighbours(&mut self) {
        let mut before: Vec<u32> = vec![NONE; self.lattice.columns() as usize];
        let mut here = before.clone();
        for row in 0..self.lattice.rows() {
            for place in self.row(row) {
                let column = self.places[place as usize].column as usize;
                here[column] = place;
                if let Some(left) = column.checked_sub(1).map(|left| here[left]).filter(|&left| left != NONE)
                {
                    self.places[place as usize].beside[1] = left;
                    self.places[left as usize].beside[0] = place;
                }
                if before[column] != NONE {
                    self.places[place as usize].beside[3] = before[column];
                    self.places[before[column] as usize].beside[2] = place;
                }
            }
            std::mem::swap(&mut before, &mut here);
            if row > 0 {
                for place in self.row(row - 1) {
                    here[self.places[place as usize].column as usize] = NONE;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use wayfare_core::{DVec3, dvec2};
    use wayfare_geom::Aabb2;

    /// What is left of a polygon on one side of a plane across an axis.
    fn clip(polygon: &[DVec3], axis: usize, at: f64, sign: f64) -> Vec<DVec3> {
        let mut clipped = Vec::new();
        for (k, &p) in polygon.iter().enumerate() {
            let q = polygon[(k + 1) % polygon.len()];
            let (dp, dq) = (sign * (p[axis] - at), sign * (q[axis] - at));
            if dp >= 0.0 {
                clipped.push(p);
            }
            if dp * dq < 0.0 {
                clipped.push(p + (q - p) * (dp / (dp - dq)));
            }
        }
        clipped
    }

    proptest! {
        /// Boxes a little smaller that hold a part of a triangle are voxels; boxes a little larger that hold none are not.
        #[test]
        fn voxels_are_the_boxes_that_triangles_cut_to_them_are_left_in(
            numbers in prop::collection::vec(0.0..2.0f64, 18), walkable in 0u8..4,
        ) {
            let triangles: Vec<[DVec3; 3]> = numbers
                .chunks(9)
                .map(|n| [0, 3, 6].map(|k| DVec3::new(n[k], n[k + 1], n[k + 2])))
                .collect();
            let surfaces: Vec<Surface> =
                (0..2).map(|k| Surface { is_walkable: walkable >> k & 1 == 1, tag: 0 }).collect();
            let bounds = Aabb2 { min: dvec2(0.0, 0.0), max: dvec2(2.0, 2.0) };
            let lattice = Lattice::covering(bounds, [0.0, 2.0], 0.5).unwrap();
            let side = 2048;
            let voxels = rough_voxels(&Raster::new(lattice, triangles.iter().copied()), &surfaces, side);
            let mut found = BTreeMap::new();
            for (k, place) in voxels.places.iter().enumerate() {
                for span in voxels.spans_of(k as u32) {
                    for level in span.from..span.to {
                        prop_assert!(found.insert((place.column, place.row, level), span.is_positive).is_none());
                    }
                }
            }
            let sign = |column: u32, row: u32, level: i32, margin: f64| {
                let low = DVec3::new(f64::from(column) * 4096.0, f64::from(row) * 4096.0, f64::from(level * side));
                let high = low + DVec3::new(4096.0, 4096.0, f64::from(side));
                let mut sign = None;
                for (triangle, surface) in triangles.iter().zip(&surfaces) {
                    let mut part = triangle.map(|p| lattice.to_units(p)).to_vec();
                    for axis in 0..3 {
                        part = clip(&part, axis, low[axis] + margin, 1.0);
                        part = clip(&part, axis, high[axis] - margin, -1.0);
                    }
                    if !part.is_empty() {
                        sign = Some(sign.unwrap_or(false) || surface.is_walkable);
                    }
                }
                sign
            };
            for column in 0..lattice.columns() {
                for row in 0..lattice.rows() {
                    for level in -1..6 {
                        let voxel = found.get(&(column, row, level)).copied();
                        // Heights are rounded outwards to whole units.
                        let [inner, outer] = [1.5, -1.5].map(|margin| sign(column, row, level, margin));
                        prop_assert!(voxel.is_some() || inner.is_none());
                        prop_assert!(voxel.is_none() || outer.is_some());
                        prop_assert!(voxel != Some(false) || inner != Some(true));
                        prop_assert!(voxel != Some(true) || outer == Some(true));
                    }
                }
            }
            for (k, place) in voxels.places.iter().enumerate() {
                for (beside, (dx, dy)) in place.beside.iter().zip([(1, 0), (-1, 0), (0, 1), (0, -1)]) {
                    let at = (place.column as i32 + dx, place.row as i32 + dy);
                    let expected =
                        voxels.places.iter().position(|other| (other.column as i32, other.row as i32) == at);
                    prop_assert_eq!(*beside, expected.map_or(NONE, |place| place as u32), "{}", k);
                }
            }
        }
    }
}
