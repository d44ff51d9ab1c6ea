//! Step 3: rings of one region together.

use super::{Contours, Corner, RegionContour, RingContour};
use crate::voxel::strips::{Across, Strips};

/// Collects rings by region.
pub(super) struct Regions<'a> {
    strips: &'a Strips,
    region_of: Vec<u32>,
    regions: Vec<RegionContour>,
}

impl<'a> Regions<'a> {
    pub fn new(strips: &'a Strips) -> Self {
        // Flood through what is open.
        let mut region_of = vec![u32::MAX; strips.strips.len()];
        let mut regions = Vec::new();
        let mut waiting = Vec::new();
        for start in 0..strips.strips.len() as u32 {
            if region_of[start as usize] != u32::MAX {
                continue;
            }
            let region = regions.len() as u32;
            let strip = strips.strips[start as usize];
            regions.push(RegionContour {
                layer: strip.layer,
                tag: strip.tag,
                strip: start,
                rings: Vec::new(),
            });
            region_of[start as usize] = region;
            waiting.push(start);
            while let Some(strip) = waiting.pop() {
                for pieces in [&strips.below, &strips.above] {
                    for piece in pieces.of(strip) {
                        if let Across::Open(other) = piece.across
                            && region_of[other as usize] == u32::MAX
                        {
                            region_of[other as usize] = region;
                            waiting.push(other);
                        }
                    }
                }
            }
        }
        Self { strips, region_of, regions }
    }

    pub fn add(&mut self, strip: u32, corners: Vec<Corner>) {
        let rings = &mut self.regions[self.region_of[strip as usize] as usize].rings;
        let is_outline = twice_area(&corners) > 0;
        rings.push(RingContour { corners });
        if is_outline {
            let last = rings.len() - 1;
            rings.swap(0, last);
        }
    }

    pub fn finish(mut self, shared: u32) -> Contours {
        debug_assert_eq!(self.strips.strips.len(), self.region_of.len());
        let mut order: Vec<u32> = (0..self.regions.len() as u32).collect();
        order.sort_by_key(|&region| {
            let region = &self.regions[region as usize];
            (region.layer, region.strip)
        });
        let mut rank = vec![0; order.len()];
        for (k, &region) in order.iter().enumerate() {
            rank[region as usize] = k as u32;
        }
        self.regions.sort_by_key(|region| (region.layer, region.strip));
        let region_of = self.region_of.iter().map(|&region| rank[region as usize]).collect();
        Contours { regions: self.regions, region_of, shared }
    }
}

/// Twice the area that a ring encloses, in parts of a pixel.
pub(super) fn twice_area(corners: &[Corner]) -> i64 {
    let next = corners.iter().cycle().skip(1);
    let cross =
        |a: [i32; 2], b: [i32; 2]| i64::from(a[0]) * i64::from(b[1]) - i64::from(a[1]) * i64::from(b[0]);
    corners.iter().zip(next).map(|(a, b)| cross(a.at, b.at)).sum()
}
