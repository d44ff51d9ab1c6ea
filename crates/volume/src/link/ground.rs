//! How far apart places on the ground are at least, without a search for a path.
//!
//! Idea: the way of a point, seen from above, is the shortest that any body can walk, is the same in both directions, and keeps the
//!   triangle inequality: |d(L, b) - d(L, a)| <= d(a, b) for every landmark L. With the difference in height that is as long as
//!   the hypotenuse.
//! Source: Goldberg and Harrelson 2005, "Computing the shortest path: A* search meets graph theory".
//! Steps: the place that is farthest from all landmarks is the next; where ground hangs together with none of them, the extent of
//!   that ground counts.
//! Cost: so many paths per place, once per mesh; two subtractions per landmark and pair.

use rayon::prelude::*;
use wayfare_core::DVec3;
use wayfare_geom::bvh::Aabb3;
use wayfare_navmesh::{ComponentId, HandOver, LocateConfig, NavMesh, PathFinder, PathScratch};

/// Landmarks at most.
pub(super) const LANDMARKS: usize = 8;
/// Paths to landmarks at most, about: where there are many places there are fewer landmarks.
const PATHS: usize = 40_000;
/// Lengths are held against each other only up to this share: they were rounded.
const EXACT: f64 = 1.0 - 1e-9;

/// Where a spot is on the ground, with its distances from the landmarks [m]; infinite where no way leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    pub(super) at: DVec3,
    /// Not of start and goal: these may lie on an edge, and belong to both sides.
    component: Option<ComponentId>,
    far: [f64; LANDMARKS],
}

impl Foot {
    /// A walk to another place is at least so long [m].
    pub(super) fn apart(&self, other: &Self) -> f64 {
        if self.component.zip(other.component).is_some_and(|(one, two)| one != two) {
            return f64::INFINITY;
        }
        let mut plan = 0f64;
        for (&one, &two) in self.far.iter().zip(&other.far) {
            let difference = (one - two).abs();
            // It is infinite or not a number where no way leads from the landmark to one of them.
            if difference < f64::INFINITY {
                plan = plan.max(difference);
            }
        }
        let straight = self.at.distance(other.at);
        straight.max(plan.hypot(self.at.z - other.at.z) * EXACT)
    }
}

/// Distances from some landmarks.
pub(super) struct Landmarks {
    at: Vec<DVec3>,
    /// Those of all places.
    places: Vec<[f64; LANDMARKS]>,
}

impl Landmarks {
    pub(super) fn new(finder: &PathFinder<&NavMesh>, places: &[HandOver]) -> Self {
        let mesh = finder.mesh();
        let component = |place: &HandOver| mesh.component(place.cell);
        let mut extents: Vec<(ComponentId, Aabb3)> = Vec::new();
        for place in places {
            let own = component(place);
            let point = Aabb3 { min: place.point, max: place.point };
            match extents.iter_mut().find(|known| known.0 == own) {
                Some(known) => known.1 = known.1.union(point),
                None => extents.push((own, point)),
            }
        }
        let extent = |place: &HandOver| {
            let known = extents.iter().find(|known| known.0 == component(place));
            known.map_or(0.0, |known| known.1.min.distance(known.1.max))
        };
        // How far each is from the landmarks so far.
        let mut nearest: Vec<f64> = places.iter().map(extent).collect();
        let mut landmarks = Self { at: Vec::new(), places: vec![[f64::INFINITY; LANDMARKS]; places.len()] };
        for slot in 0..LANDMARKS.min(PATHS / places.len().max(1)).max(1) {
            let farthest =
                (0..places.len()).max_by(|&a, &b| nearest[a].total_cmp(&nearest[b]).then(b.cmp(&a)));
            let Some(farthest) = farthest.filter(|&k| nearest[k] > 0.0) else { break };
            let at = places[farthest].point;
            landmarks.at.push(at);
            let far: Vec<f64> = places
                .par_iter()
                .map_init(PathScratch::new, |scratch, place| length(finder, at, place.point, scratch))
                .collect();
            for (k, far) in far.into_iter().enumerate() {
                landmarks.places[k][slot] = far;
                nearest[k] = nearest[k].min(far);
            }
        }
        landmarks
    }

    /// A place, by its number.
    pub(super) fn place(&self, finder: &PathFinder<&NavMesh>, number: usize, place: &HandOver) -> Foot {
        let mesh = finder.mesh();
        // Floors of regions may be a little higher than the ground.
        let at = place.point.with_z(mesh.height(place.cell, place.point.truncate()));
        Foot { at, component: Some(mesh.component(place.cell)), far: self.places[number] }
    }

    /// Any other point of the ground.
    pub(super) fn foot(&self, finder: &PathFinder<&NavMesh>, at: DVec3, scratch: &mut PathScratch) -> Foot {
        let mut far = [f64::INFINITY; LANDMARKS];
        for (far, &landmark) in far.iter_mut().zip(&self.at) {
            *far = length(finder, landmark, at, scratch);
        }
        Foot { at, component: None, far }
    }
}

fn length(finder: &PathFinder<&NavMesh>, from: DVec3, to: DVec3, scratch: &mut PathScratch) -> f64 {
    finder.length(from, to, &LocateConfig::default(), scratch).unwrap_or(f64::INFINITY)
}
