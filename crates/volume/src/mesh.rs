//! The product: convex regions of free space with portals between them.

use crate::{
    plane::{HalfSpace, Plane, PlaneId},
    raw::RawVolumeMesh,
};
use wayfare_core::{DVec3, id_type};
use wayfare_geom::bvh::{Aabb3, Bvh};

id_type!(/** A convex region of free space. */ RegionId);
id_type!(/** A convex polygon that two regions share and nothing blocks. */ PortalId);

/// Free space as convex regions.
///
/// - V1: a region is the intersection of half-spaces; its corners keep to them, and its faces close it, up to the
///   tolerance of the file.
/// - V2: no two regions overlap: a plane that both name parts them, or they are apart.
/// - V3: no geometry lies in a region deeper than the depth of the file.
/// - V4: a portal lies in the plane that bounds its two regions from opposite sides, and in both.
///
/// What is checked when a mesh is made or read: numbers are finite and in range, V1, and V4. [`VolumeMesh::check`] adds V2,
/// [`VolumeMesh::check_scene`] V3.
#[derive(Clone, Debug)]
pub struct VolumeMesh {
    pub(crate) raw: RawVolumeMesh,
    pub(crate) volumes: Vec<f64>,
    pub(crate) components: Vec<u32>,
    pub(crate) component_count: usize,
    /// Portals of each region.
    pub(crate) region_portals: Vec<Vec<u32>>,
    pub(crate) boxes: Vec<Aabb3>,
    pub(crate) tree: Bvh,
}

impl VolumeMesh {
    /// What it is made of.
    pub fn raw(&self) -> &RawVolumeMesh {
        &self.raw
    }
    /// Number of regions.
    pub fn region_count(&self) -> usize {
        self.raw.region_count()
    }
    /// Number of portals.
    pub fn portal_count(&self) -> usize {
        self.raw.portal_count()
    }
    /// Number of faces of all regions.
    pub fn face_count(&self) -> usize {
        self.raw.face_sides.len()
    }
    /// All regions.
    pub fn regions(&self) -> impl ExactSizeIterator<Item = RegionId> + use<> {
        (0..self.region_count() as u32).map(RegionId)
    }
    /// All portals.
    pub fn portals(&self) -> impl ExactSizeIterator<Item = PortalId> + use<> {
        (0..self.portal_count() as u32).map(PortalId)
    }
    /// Volume of a region [m³].
    pub fn volume(&self, region: RegionId) -> f64 {
        self.volumes[region.0 as usize]
    }
    /// Volume of all regions [m³].
    pub fn total_volume(&self) -> f64 {
        self.volumes.iter().sum()
    }
    /// Share of the free volume that the regions hold, 0 .. 1.
    pub fn coverage(&self) -> f64 {
        if self.raw.free_volume > 0.0 { self.total_volume() / self.raw.free_volume } else { 0.0 }
    }
    /// Which regions one can get to from a region: those of the same component.
    pub fn component(&self, region: RegionId) -> u32 {
        self.components[region.0 as usize]
    }
    /// Number of components.
    pub fn component_count(&self) -> usize {
        self.component_count
    }
    /// Area of the floor of a region that one can stand on [m²].
    pub fn standing(&self, region: RegionId) -> f64 {
        self.raw.standing[region.0 as usize]
    }
    /// A plane.
    pub fn plane(&self, plane: PlaneId) -> &Plane {
        &self.raw.planes[plane.0 as usize]
    }
    /// The half-spaces whose intersection is the region.
    pub fn half_spaces(&self, region: RegionId) -> impl ExactSizeIterator<Item = HalfSpace> + '_ {
        self.raw.sides[RawVolumeMesh::range(&self.raw.side_starts, region.0 as usize)]
            .iter()
            .map(|&side| HalfSpace(side))
    }
    /// The half-spaces as planes that point out of the region.
    pub fn outward_planes(&self, region: RegionId) -> impl ExactSizeIterator<Item = Plane> + '_ {
        self.half_spaces(region).map(|side| side.outward(self.plane(side.plane())))
    }
    /// The corners of a region.
    pub fn vertices(&self, region: RegionId) -> &[DVec3] {
        &self.raw.vertices[RawVolumeMesh::range(&self.raw.vertex_starts, region.0 as usize)]
    }
    /// The faces of a region: half-space, and corners counter-clockwise seen from outside.
    pub fn faces(&self, region: RegionId) -> impl ExactSizeIterator<Item = (HalfSpace, Vec<DVec3>)> + '_ {
        let vertices = self.vertices(region);
        RawVolumeMesh::range(&self.raw.face_starts, region.0 as usize).map(move |face| {
            let corners = &self.raw.corners[RawVolumeMesh::range(&self.raw.corner_starts, face)];
            let points = corners.iter().map(|&corner| vertices[corner as usize]).collect();
            (HalfSpace(self.raw.face_sides[face]), points)
        })
    }
    /// The portals of a region, ascending.
    pub fn portals_of(&self, region: RegionId) -> impl ExactSizeIterator<Item = PortalId> + '_ {
        self.region_portals[region.0 as usize].iter().map(|&portal| PortalId(portal))
    }
    /// The two regions of a portal: below and above its plane.
    pub fn portal_regions(&self, portal: PortalId) -> [RegionId; 2] {
        self.raw.portal_regions[portal.0 as usize].map(RegionId)
    }
    /// The region on the other side of a portal.
    pub fn across(&self, portal: PortalId, from: RegionId) -> RegionId {
        let [a, b] = self.portal_regions(portal);
        if a == from { b } else { a }
    }
    /// The plane of a portal.
    pub fn portal_plane(&self, portal: PortalId) -> PlaneId {
        PlaneId(self.raw.portal_planes[portal.0 as usize])
    }
    /// The corners of a portal.
    pub fn portal_points(&self, portal: PortalId) -> &[DVec3] {
        &self.raw.portal_points[RawVolumeMesh::range(&self.raw.portal_starts, portal.0 as usize)]
    }
    /// The box of a region.
    pub fn region_box(&self, region: RegionId) -> Aabb3 {
        self.boxes[region.0 as usize]
    }
    /// How far a point is outside of a region at most, measured by its half-spaces [m]; ≤ 0 inside.
    pub fn outside(&self, region: RegionId, p: DVec3) -> f64 {
        self.outward_planes(region).map(|plane| plane.distance(p)).fold(f64::NEG_INFINITY, f64::max)
    }
    /// The region that holds a point, up to the tolerance; the one of the smallest number where several touch it.
    pub fn region_at(&self, p: DVec3) -> Option<RegionId> {
        let area = Aabb3 { min: p - self.raw.tolerance, max: p + self.raw.tolerance };
        let mut found: Option<(f64, u32)> = None;
        self.tree.visit(&area, |region| {
            let outside = self.outside(RegionId(region), p).max(0.0);
            if outside <= self.raw.tolerance && found.is_none_or(|best| (outside, region) < best) {
                found = Some((outside, region));
            }
            false
        });
        found.map(|(_, region)| RegionId(region))
    }
    /// How many of the largest regions together hold a share (0 .. 1) of the free volume; `None` if all hold less.
    pub fn regions_for(&self, share: f64) -> Option<usize> {
        let mut volumes = self.volumes.clone();
        volumes.sort_by(|a, b| b.total_cmp(a));
        let wanted = share * self.raw.free_volume;
        let mut sum = 0.0;
        volumes
            .iter()
            .position(|volume| {
                sum += volume;
                sum >= wanted
            })
            .map(|k| k + 1)
    }
}
