//! What can truly be walked on in a generated scene, in closed form: the oracle of accuracy tests.
//!
//! Nothing here is computed from triangles or pixels: each scene's own file says it from the numbers that it is built of.

use wayfare_core::{
    DVec2, DVec3,
    ops::{cos, sin},
};
use wayfare_geom::{Polygon, predicates::orient};

/// The body that walks, as far as the ground is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// Head room it needs [m].
    pub height: f64,
    /// The highest step it takes [m].
    pub step: f64,
    /// The steepest ground it stands on [rad].
    pub max_slope: f64,
}

impl Default for Walker {
    /// An adult on foot: 1.8 m, steps of 0.4 m, slopes of 45 degrees.
    fn default() -> Self {
        Self { height: 1.8, step: 0.4, max_slope: std::f64::consts::FRAC_PI_4 }
    }
}

/// How high the ground is over a point of the plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ground {
    /// z = x·X + y·Y + z of the vector.
    Plane(DVec3),
    /// That of [`terrain`](super::terrain).
    Terrain,
}

impl Ground {
    /// Ground that lies flat.
    pub fn level(z: f64) -> Self {
        Self::Plane(DVec3::new(0.0, 0.0, z))
    }
    /// The height over a point [m].
    pub fn height(self, p: DVec2) -> f64 {
        match self {
            Self::Plane(plane) => plane.x * p.x + plane.y * p.y + plane.z,
            Self::Terrain => super::terrain_height(p),
        }
    }
}

/// A region that can be walked on, on one surface: every point of it can be stood on, none outside can.
///
/// It is closed: where its rim is a wall, points on the rim touch the wall. Regions of one scene do not overlap at the same
/// height; those a step apart that share a piece of their rims are connected there.
#[derive(Clone, Debug, PartialEq)]
pub struct TrueFloor {
    /// The region in plan: outline counter-clockwise, holes clockwise.
    pub polygon: Polygon,
    /// Walls without thickness inside of it: they can be touched and not be crossed.
    pub sheets: Vec<[DVec2; 2]>,
    /// Its height.
    pub ground: Ground,
}

impl TrueFloor {
    /// A region of flat ground without walls in it.
    pub fn level(polygon: Polygon, z: f64) -> Self {
        Self { polygon, sheets: Vec::new(), ground: Ground::level(z) }
    }
    /// A flat rectangle.
    pub fn rectangle(min: DVec2, max: DVec2, z: f64) -> Self {
        Self::level(Polygon::new(super::super::shapes::outline(min, max)), z)
    }
    /// A region without holes on a plane through three of its corners that are not on one line.
    ///
    /// # Panics
    /// With less than three corners.
    pub fn sloped(corners: &[DVec3]) -> Self {
        let [a, b, c] = [corners[0], corners[1], corners[2]];
        let normal = (b - a).cross(c - a);
        let (x, y) = (-normal.x / normal.z, -normal.y / normal.z);
        let plane = DVec3::new(x, y, a.z - x * a.x - y * a.y);
        let polygon = Polygon::new(corners.iter().map(|p| p.truncate()).collect());
        Self { polygon, sheets: Vec::new(), ground: Ground::Plane(plane) }
    }
    /// Whether the point lies in the region or on its rim.
    pub fn contains(&self, p: DVec2) -> bool {
        let mut is_inside = false;
        for ring in self.polygon.rings() {
            for (&a, &b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                let side = orient(a, b, p);
                if side == 0.0 && (a - p).dot(b - p) <= 0.0 {
                    return true;
                }
                if (a.y > p.y) != (b.y > p.y) && (side > 0.0) == (b.y > a.y) {
                    is_inside = !is_inside;
                }
            }
        }
        is_inside
    }
}

/// The regions turned about the z axis by an angle [rad], then shifted; only those on planes can be.
///
/// # Panics
/// If a region lies on terrain.
pub fn moved_floors(floors: &[TrueFloor], turn: f64, shift: DVec3) -> Vec<TrueFloor> {
    let plan = |p: DVec2| rotate(p, turn) + shift.truncate();
    let ring = |ring: &[DVec2]| ring.iter().map(|&p| plan(p)).collect();
    let moved = |floor: &TrueFloor| {
        let Ground::Plane(plane) = floor.ground else { panic!("terrain stays where it is") };
        let slope = rotate(plane.truncate(), turn);
        let ground = Ground::Plane(slope.extend(plane.z + shift.z - slope.dot(shift.truncate())));
        let polygon = Polygon {
            outer: ring(&floor.polygon.outer),
            holes: floor.polygon.holes.iter().map(|hole| ring(hole)).collect(),
        };
        TrueFloor { polygon, sheets: floor.sheets.iter().map(|sheet| sheet.map(plan)).collect(), ground }
    };
    floors.iter().map(moved).collect()
}

/// The point turned about the origin.
pub(super) fn rotate(p: DVec2, turn: f64) -> DVec2 {
    let (s, c) = (sin(turn), cos(turn));
    DVec2::new(c * p.x - s * p.y, s * p.x + c * p.y)
}

/// The rims of the regions that stop a body: walls and drops, not the pieces along which one region leads to another within
/// a step. Walls without thickness are in it, too. Pieces are where the regions' edges lie on one line exactly, as those
/// of all generated scenes do where they are connected.
pub fn true_boundary(floors: &[TrueFloor], step: f64) -> Vec<[DVec3; 2]> {
    let mut boundary = Vec::new();
    for (k, floor) in floors.iter().enumerate() {
        let lift = |p: DVec2| p.extend(floor.ground.height(p));
        for ring in floor.polygon.rings() {
            for (&a, &b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                // The parts of the edge, as shares of its length, along which another region is a step away.
                let mut open: Vec<[f64; 2]> = Vec::new();
                for (j, other) in floors.iter().enumerate() {
                    if j == k {
                        continue;
                    }
                    for ring in other.polygon.rings() {
                        for (&c, &d) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                            let rise = |p: DVec2| floor.ground.height(p) - other.ground.height(p);
                            open.extend(
                                common_part(a, b, d, c)
                                    .and_then(|part| within(part, [rise(a), rise(b)], step)),
                            );
                        }
                    }
                }
                open.sort_unstable_by(|p, q| p[0].total_cmp(&q[0]));
                let mut at = 0.0;
                for [from, to] in open.into_iter().chain([[1.0, 1.0]]) {
                    if from > at {
                        boundary.push([lift(a + (b - a) * at), lift(a + (b - a) * from)]);
                    }
                    at = to.max(at);
                }
            }
        }
        boundary.extend(floor.sheets.iter().map(|sheet| sheet.map(lift)));
    }
    boundary
}

/// The part of the segment a b that c d covers if both lie on one line and run the same way.
fn common_part(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Option<[f64; 2]> {
    if orient(a, b, c) != 0.0 || orient(a, b, d) != 0.0 {
        return None;
    }
    let along = b - a;
    let share = |p: DVec2| (p - a).dot(along) / along.length_squared();
    let [from, to] = [share(c).max(0.0), share(d).min(1.0)];
    (from < to).then_some([from, to])
}

/// The shares of `part` at which a value that changes evenly between two others is at most `limit` from 0.
fn within([mut from, mut to]: [f64; 2], [start, end]: [f64; 2], limit: f64) -> Option<[f64; 2]> {
    for (start, end) in [(start, end), (-start, -end)] {
        // start + (end - start)·share <= limit
        let slope = end - start;
        let bound = (limit - start) / slope;
        if slope > 0.0 {
            to = to.min(bound);
        } else if slope < 0.0 {
            from = from.max(bound);
        } else if start > limit {
            return None;
        }
    }
    (from < to).then_some([from, to])
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn rims_that_lead_on_within_a_step_are_no_boundary() {
        let floors = [
            TrueFloor::rectangle(dvec2(0., 0.), dvec2(2., 2.), 0.0),
            TrueFloor::rectangle(dvec2(2., 0.), dvec2(3., 1.), 0.2),
        ];
        let length = |step| true_boundary(&floors, step).iter().map(|[a, b]| a.distance(*b)).sum::<f64>();
        assert_eq!((length(0.1), length(0.3)), (12.0, 10.0));
        assert!(floors[0].contains(dvec2(2., 1.)) && floors[0].contains(dvec2(1., 1.)));
        assert!(!floors[0].contains(dvec2(2.5, 1.)));
    }

    #[test]
    fn a_slope_has_the_heights_of_its_corners() {
        let corners = [DVec3::new(0., 0., 1.), DVec3::new(2., 0., 2.), DVec3::new(2., 2., 4.)];
        let floor = TrueFloor::sloped(&corners);
        assert!(corners.iter().all(|p| floor.ground.height(p.truncate()) == p.z));
    }
}
