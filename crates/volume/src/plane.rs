//! Planes and the half-spaces that they bound.

use wayfare_core::{DVec3, id_type};

/// The points `p` with `normal · p = offset`; the four numbers are the plane, to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Of length 1 up to rounding.
    pub normal: DVec3,
    /// Distance of the plane from the origin along the normal [m].
    pub offset: f64,
}

impl Plane {
    /// Distance of a point from the plane [m], positive where the normal points to.
    #[inline]
    pub fn distance(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.offset
    }
    /// The same plane seen from its other side.
    pub fn flipped(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }
    /// Moved along its normal.
    pub fn moved(&self, by: f64) -> Self {
        Self { normal: self.normal, offset: self.offset + by }
    }
}

id_type!(/** A plane of a volume mesh; regions on both of its sides name it. */ PlaneId);

/// One side of a plane: twice the plane's number, plus 1 on the side to which its normal points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct HalfSpace(pub u32);

impl HalfSpace {
    /// The side of a plane to which its normal points (`above`), or the other.
    pub fn new(plane: PlaneId, above: bool) -> Self {
        Self(plane.0 << 1 | u32::from(above))
    }
    /// The plane.
    pub fn plane(self) -> PlaneId {
        PlaneId(self.0 >> 1)
    }
    /// Whether it is the side to which the normal points.
    pub fn is_above(self) -> bool {
        self.0 & 1 != 0
    }
    /// The other side of the same plane.
    pub fn opposite(self) -> Self {
        Self(self.0 ^ 1)
    }
    /// The plane with its normal pointing out of the half-space.
    pub fn outward(self, plane: &Plane) -> Plane {
        if self.is_above() { plane.flipped() } else { *plane }
    }
}
