//! The boundary of every region, along the lines of the grid.
//!
//! Idea: go round each region with the ground on the left, from side to side of its strips. Walls and drops are moved
//!   a 64th of a pixel into their ground, so that no two rings touch; seams and borders between tags stay where
//!   they are, and both sides name the same vertices.
//! Source: crack following; the trial's rule for the ends of seams (always a 64th of a pixel into the seam, from both
//!   sides).
//! Steps: 1. follow the sides  2. corners where they meet  3. rings of one region together
//! Promises: every ring is simple; rings of a layer meet in shared vertices only; each region has one outline.
//! Cost: linear in pieces of sides.

mod regions;
#[cfg(test)]
mod tests;
mod trace;

use super::{runs::Runs, strips::Strips};
use regions::Regions;
use trace::{Seen, Side, Tracer};
use wayfare_core::DVec2;

/// Parts of a pixel that corners are counted in; walls and drops are moved by one of them.
pub const PARTS: i32 = 64;

/// What runs along an edge of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// An obstacle.
    Wall,
    /// A drop of a depth [height units].
    Drop(i32),
    /// The ground of another layer.
    Seam(u32),
    /// Ground with another tag.
    Tag,
}

impl Corner {
    /// Its place in pixels.
    pub fn point(&self) -> DVec2 {
        let [x, y] = self.at.map(|c| f64::from(c) / f64::from(PARTS));
        DVec2::new(x, y)
    }
}

impl Border {
    /// Whether two regions share the edge.
    pub fn is_shared(self) -> bool {
        matches!(self, Self::Seam(_) | Self::Tag)
    }
    /// What runs along an edge that is made of two: of drops the deeper one.
    pub fn deeper(self, other: Self) -> Self {
        match (self, other) {
            (Self::Drop(a), Self::Drop(b)) => Self::Drop(a.max(b)),
            _ => other,
        }
    }
    /// Whether two edges can be parts of one.
    pub fn is_alike(self, other: Self) -> bool {
        match (self, other) {
            (Self::Drop(_), Self::Drop(_)) => true,
            _ => self == other,
        }
    }
}

/// A corner of a ring and the edge that starts there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// Place in parts of a pixel.
    pub at: [i32; 2],
    /// Height of the ground beside it [height units].
    pub height: i32,
    /// Number among the shared corners, if other rings have it too.
    pub shared: Option<u32>,
    /// Whether it must stay: more than two borders meet in it.
    pub is_fixed: bool,
    /// Whether its height is that of the triangles at its very place, and not that of a pixel beside it.
    pub is_settled: bool,
    /// What runs along the edge to the next corner.
    pub border: Border,
}

/// A closed boundary with the ground on its left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingContour {
    /// The corners in order.
    pub corners: Vec<Corner>,
}

/// The boundary of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionContour {
    /// Its layer.
    pub layer: u32,
    /// Its area tag.
    pub tag: u8,
    /// A strip of it.
    pub strip: u32,
    /// The outline first, then the holes.
    pub rings: Vec<RingContour>,
}

/// The regions of all layers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contours {
    /// By layer, then by the first strip.
    pub regions: Vec<RegionContour>,
    /// The region of each strip.
    pub region_of: Vec<u32>,
    /// Number of shared corners.
    pub shared: u32,
}

/// Finds the boundary of every region.
pub fn find_contours(runs: &Runs, strips: &Strips) -> Contours {
    let mut tracer = Tracer::new(runs, strips);
    let mut seen = Seen::new(strips);
    let mut regions = Regions::new(strips);
    let mut start_from = |start: Side, seen: &mut Seen| {
        if !tracer.across(start).is_boundary() || seen.has(start) {
            return;
        }
        tracer.follow(start, seen);
        let strip = tracer.strip(start);
        let corners = tracer.corners();
        regions.add(strip, corners);
    };
    // A ring goes right along lower sides, or round an upright wall without thickness.
    for piece in 0..strips.below.pieces.len() as u32 {
        start_from(Side::Below(piece), &mut seen);
    }
    for strip in 0..strips.strips.len() as u32 {
        start_from(Side::Left(strip), &mut seen);
    }
    let contours = regions.finish(tracer.shared_count());
    debug_assert!(seen.is_complete(strips));
    contours
}
