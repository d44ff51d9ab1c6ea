//! Planes by number, as regions on both of their sides name them.

use crate::plane::{HalfSpace, Plane, PlaneId};
use std::collections::HashMap;
use wayfare_core::DVec3;

/// All planes; the first six are the sides of the box.
pub(super) struct Planes {
    pub(super) list: Vec<Plane>,
    known: HashMap<[u64; 4], PlaneId>,
    /// Of planes across an axis: where they are, and their numbers.
    across: [Vec<(f64, PlaneId)>; 3],
    bounds: [DVec3; 2],
    tolerance: f64,
}

/// Planes that turn against each other by more than this are not looked at closer: the cosine of a twentieth of a degree.
const ALIKE: f64 = 0.999_999;

impl Planes {
    pub(super) fn new(bounds: [DVec3; 2], tolerance: f64) -> Self {
        Self { list: Vec::new(), known: HashMap::new(), across: Default::default(), bounds, tolerance }
    }

    /// The number of a plane.
    pub(super) fn add(&mut self, plane: Plane) -> PlaneId {
        let bits = bits(&plane);
        if let Some(&known) = self.known.get(&bits) {
            return known;
        }
        let id = PlaneId(self.list.len() as u32);
        self.list.push(plane);
        self.known.insert(bits, id);
        for (axis, list) in self.across.iter_mut().enumerate() {
            if plane.normal.abs() == DVec3::AXES[axis] {
                list.push((plane.offset * plane.normal[axis], id));
            }
        }
        id
    }

    /// The half-space below a plane; a plane that is already there is taken if it is the same anywhere in the box up to the
    /// tolerance, whichever way it faces: regions on its two sides must name one plane to have an opening between them.
    pub(super) fn below(&mut self, plane: Plane) -> HalfSpace {
        // As it is, most often.
        for (known, is_below) in [(plane, true), (plane.flipped(), false)] {
            if let Some(&id) = self.known.get(&bits(&known)) {
                return HalfSpace::new(id, !is_below);
            }
        }
        let [low, high] = self.bounds;
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        let found = self.list.iter().enumerate().find_map(|(number, known)| {
            let cosine = known.normal.dot(plane.normal);
            if cosine.abs() < ALIKE {
                return None;
            }
            let facing = if cosine < 0.0 { known.flipped() } else { *known };
            // How far apart they are at the corner of the box where they are farthest.
            let apart = (facing.distance(middle) - plane.distance(middle)).abs()
                + (facing.normal - plane.normal).abs().dot(half);
            (apart <= self.tolerance).then(|| HalfSpace::new(PlaneId(number as u32), cosine < 0.0))
        });
        found.unwrap_or_else(|| HalfSpace::new(self.add(plane), false))
    }

    pub(super) fn get(&self, id: PlaneId) -> &Plane {
        &self.list[id.0 as usize]
    }

    /// The half-space on the lower side of a place on an axis, or on its upper side; a plane that is already there is taken.
    pub(super) fn across(&mut self, axis: usize, at: f64, is_upper: bool) -> HalfSpace {
        let near = |entry: &&(f64, PlaneId)| (entry.0 - at).abs() <= self.tolerance;
        let found = self.across[axis].iter().filter(near).map(|entry| entry.1).min();
        let id = found.unwrap_or_else(|| self.add(Plane { normal: DVec3::AXES[axis], offset: at }));
        let points_up = self.get(id).normal[axis] > 0.0;
        HalfSpace::new(id, is_upper == points_up)
    }

    /// The plane of a half-space, pointing out of it.
    pub(super) fn outward(&self, side: HalfSpace) -> Plane {
        side.outward(self.get(side.plane()))
    }

    /// The side of a plane that holds a point; `None` if the point is on it.
    pub(super) fn side_of(&self, id: PlaneId, p: DVec3) -> Option<HalfSpace> {
        let distance = self.get(id).distance(p);
        (distance.abs() > self.tolerance).then(|| HalfSpace::new(id, distance > 0.0))
    }
}

/// A plane to the last bit, without negative zeros.
fn bits(plane: &Plane) -> [u64; 4] {
    [plane.normal.x, plane.normal.y, plane.normal.z, plane.offset].map(|c| (c + 0.0).to_bits())
}
