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
    tolerance: f64,
}

impl Planes {
    pub(super) fn new(tolerance: f64) -> Self {
        Self { list: Vec::new(), known: HashMap::new(), across: Default::default(), tolerance }
    }

    /// The number of a plane.
    pub(super) fn add(&mut self, plane: Plane) -> PlaneId {
        let bits =
            [plane.normal.x, plane.normal.y, plane.normal.z, plane.offset].map(|c| (c + 0.0).to_bits());
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
