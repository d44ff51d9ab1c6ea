//! What a decomposition or a file hands over; nothing is promised yet.

use crate::plane::Plane;
use std::ops::Range;
use wayfare_core::DVec3;

/// A volume mesh before its invariants are checked; [`RawVolumeMesh::validate`] makes a [`crate::VolumeMesh`] of it.
///
/// Lists of lists are offsets and one flat array: the half-spaces of region `r` are
/// `sides[side_starts[r]..side_starts[r + 1]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawVolumeMesh {
    /// All planes; regions on both sides name the same one.
    pub planes: Vec<Plane>,
    /// Where each region's half-spaces start; one more entry than regions.
    pub side_starts: Vec<u32>,
    /// The half-spaces whose intersection is the region: twice the plane's number, plus 1 on the side to which its normal
    /// points; ascending.
    pub sides: Vec<u32>,
    /// Where each region's corners start; one more entry than regions.
    pub vertex_starts: Vec<u32>,
    /// Corners of regions, rounded to doubles.
    pub vertices: Vec<DVec3>,
    /// Where each region's faces start; one more entry than regions.
    pub face_starts: Vec<u32>,
    /// The half-space of each face.
    pub face_sides: Vec<u32>,
    /// Where each face's corners start; one more entry than faces.
    pub corner_starts: Vec<u32>,
    /// Corners of faces, counter-clockwise seen from outside, by numbers within their region.
    pub corners: Vec<u32>,
    /// The two regions of each portal: below and above its plane.
    pub portal_regions: Vec<[u32; 2]>,
    /// The plane of each portal.
    pub portal_planes: Vec<u32>,
    /// Where each portal's corners start; one more entry than portals.
    pub portal_starts: Vec<u32>,
    /// Corners of portals, convex.
    pub portal_points: Vec<DVec3>,
    /// Area of the floor that one can stand on, of each region [m²].
    pub standing: Vec<f64>,
    /// The box that was decomposed.
    pub bounds: [DVec3; 2],
    /// How far corners may lie off the half-spaces of their region and portals off their plane [m].
    pub tolerance: f64,
    /// How deep below the surface of a region geometry may lie [m].
    pub depth: f64,
    /// Volume of the free space that was to be covered [m³].
    pub free_volume: f64,
    /// Half of the width of the openings through which free space was joined [m].
    pub radius: f64,
    /// The steepest floor that counts as standing room [rad].
    pub max_slope: f64,
}

impl RawVolumeMesh {
    /// Number of regions.
    pub fn region_count(&self) -> usize {
        self.side_starts.len().saturating_sub(1)
    }
    /// Number of portals.
    pub fn portal_count(&self) -> usize {
        self.portal_regions.len()
    }
    /// Part of a list of lists; only for starts that were checked.
    pub(crate) fn range(starts: &[u32], k: usize) -> Range<usize> {
        starts[k] as usize..starts[k + 1] as usize
    }
}
