//! Ways to move a plan about that must not change what it is.

use crate::{plan::TestPlan, random::Random};
use wayfare_core::{DVec2, dvec2, ops};
use wayfare_geom::Polygon;

/// Mirrors at the y axis if asked to, then turns and scales, then moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// Whether x changes its sign first.
    pub mirror: bool,
    /// Image of (1, 0): the turn times the scale.
    pub turn: DVec2,
    /// Added last.
    pub shift: DVec2,
}

impl Similarity {
    /// Changes nothing.
    pub const IDENTITY: Self = Self { mirror: false, turn: DVec2::X, shift: DVec2::ZERO };

    /// A turn by an angle [rad]; coordinates are rounded.
    pub fn rotation(angle: f64) -> Self {
        Self { turn: dvec2(ops::cos(angle), ops::sin(angle)), ..Self::IDENTITY }
    }
    /// A turn by the angle of the legs `a`, `b` of a right triangle, scaled by its hypotenuse: exact for
    /// whole coordinates.
    pub fn pythagorean(a: i32, b: i32) -> Self {
        Self { turn: dvec2(f64::from(a), f64::from(b)), ..Self::IDENTITY }
    }
    /// Mirrors at the y axis; exact.
    pub fn mirrored() -> Self {
        Self { mirror: true, ..Self::IDENTITY }
    }
    /// Moves by a vector; rounds small coordinates.
    pub fn translation(shift: DVec2) -> Self {
        Self { shift, ..Self::IDENTITY }
    }
    /// What lengths are multiplied by.
    pub fn scale(&self) -> f64 {
        self.turn.length()
    }
    /// Where a point comes to lie.
    pub fn point(&self, p: DVec2) -> DVec2 {
        let p = if self.mirror { dvec2(-p.x, p.y) } else { p };
        self.turn.rotate(p) + self.shift
    }
    /// The moved plan; rings that a mirror turned round are turned back.
    pub fn plan(&self, plan: &TestPlan) -> TestPlan {
        let ring = |ring: &Vec<DVec2>| {
            let mut ring: Vec<DVec2> = ring.iter().map(|&p| self.point(p)).collect();
            if self.mirror {
                ring.reverse();
            }
            ring
        };
        let polygon = |polygon: &Polygon| Polygon {
            outer: ring(&polygon.outer),
            holes: polygon.holes.iter().map(ring).collect(),
        };
        TestPlan {
            name: format!("{} moved", plan.name),
            polygons: plan.polygons.iter().map(polygon).collect(),
        }
    }
}

/// The same plan described otherwise: polygons and holes in another order, rings starting elsewhere and
/// some running the other way round.
pub fn permuted(plan: &TestPlan, random: &mut Random) -> TestPlan {
    let mut polygons = plan.polygons.clone();
    random.shuffle(&mut polygons);
    for polygon in &mut polygons {
        random.shuffle(&mut polygon.holes);
        for ring in std::iter::once(&mut polygon.outer).chain(&mut polygon.holes) {
            let start = random.below(ring.len().max(1));
            ring.rotate_left(start);
            if random.chance(0.5) {
                ring.reverse();
            }
        }
    }
    TestPlan { name: format!("{} permuted", plan.name), polygons }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::squares;

    #[test]
    fn moved_plans_keep_their_area() {
        let plan = squares(3, 6, 0.7);
        let moved = Similarity { shift: dvec2(1e4, -1e4), ..Similarity::pythagorean(3, 4) }.plan(&plan);
        assert_eq!(moved.area(), plan.area() * 25.0);
        let mirrored = Similarity::mirrored().plan(&plan);
        assert_eq!((mirrored.area(), mirrored.rings().area()), (plan.area(), plan.area()));
        assert_eq!(mirrored.rings().rings, Similarity::mirrored().plan(&plan).rings().rings);
        let turned = Similarity::rotation(0.7).plan(&plan);
        assert!((turned.area() - plan.area()).abs() < 1e-12 * plan.area());
    }

    #[test]
    fn permuted_plans_describe_the_same_ground() {
        let plan = squares(3, 8, 0.8);
        let other = permuted(&plan, &mut Random::new(1));
        assert_ne!(plan.polygons, other.polygons);
        assert_eq!(other.rings().area(), plan.area());
    }
}
