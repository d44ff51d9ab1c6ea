//! Plans for tests: polygons with holes and a name to find them by when a test fails.

use crate::{
    Rings,
    free_space::{FreeSpace, Place},
    random::Random,
};
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::{Aabb2, Polygon, predicates::orient};

/// Polygons that do not overlap, with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct TestPlan {
    /// Which generator and which numbers made it.
    pub name: String,
    /// What can be walked on.
    pub polygons: Vec<Polygon>,
}

impl TestPlan {
    /// A plan of the free space on the left of rings: every hole goes to the outline round it.
    ///
    /// # Panics
    /// When a hole has no outline round it.
    pub fn of_rings(name: impl Into<String>, rings: &Rings) -> Self {
        let (outlines, holes): (Vec<_>, Vec<_>) =
            rings.rings.iter().cloned().partition(|ring| wayfare_geom::ring_area(ring) > 0.0);
        let mut polygons: Vec<Polygon> = outlines.into_iter().map(Polygon::new).collect();
        for hole in holes {
            // Outlines round one hole lie in each other; the smallest is the one it is cut out of.
            let around = polygons.iter_mut().filter(|polygon| turns_round(&polygon.outer, &hole));
            let smallest = around.min_by(|a, b| outline_area(a).total_cmp(&outline_area(b)));
            smallest.expect("a hole lies in an outline").holes.push(hole);
        }
        Self { name: name.into(), polygons }
    }
    /// The boundary, free space on its left.
    pub fn rings(&self) -> Rings {
        Rings::of_polygons(&self.polygons)
    }
    /// Number of points.
    pub fn len(&self) -> usize {
        self.polygons.iter().map(Polygon::len).sum()
    }
    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Area [m²].
    pub fn area(&self) -> f64 {
        self.polygons.iter().map(Polygon::area).sum()
    }
}

fn outline_area(polygon: &Polygon) -> f64 {
    wayfare_geom::ring_area(&polygon.outer)
}

/// Whether an outline goes round another ring that it does not cross.
fn turns_round(outline: &[DVec2], ring: &[DVec2]) -> bool {
    // A point of the ring that is no point of the outline lies strictly inside or outside.
    let Some(&p) = ring.iter().find(|p| !outline.contains(p)) else { return false };
    let mut turns = 0;
    for (k, &u) in outline.iter().enumerate() {
        let v = outline[(k + 1) % outline.len()];
        turns += i32::from(u.y <= p.y && p.y < v.y && orient(u, v, p) > 0.0);
        turns -= i32::from(v.y <= p.y && p.y < u.y && orient(u, v, p) < 0.0);
    }
    turns > 0
}

/// Random points in closed free space: mostly inside, some on boundary points, some on edges where a point
/// exactly on the edge can be found.
pub fn sample_points(space: &FreeSpace, random: &mut Random, count: usize) -> Vec<DVec2> {
    let bounds = Aabb2::of_points(space.points().iter().copied());
    let mut samples = Vec::with_capacity(count);
    // Free space may be a small part of its box; points near the boundary help when it is.
    for _ in 0..count * 10_000 {
        if samples.len() == count {
            break;
        }
        let fan = space.fans()[random.below(space.fans().len())];
        let [at, next, previous] = [fan.at, fan.next, fan.previous].map(|p| space.points()[p]);
        let point = match random.below(16) {
            0 => at,
            1 => (at + next) / 2.0,
            2 => at + (next - at) / 4.0 + (previous - at) / 4.0,
            3 => at + ((next - at) + (previous - at)) * random.between(0.0, 1e-3),
            _ => {
                let size = bounds.size();
                bounds.min + dvec2(size.x * random.unit(), size.y * random.unit())
            }
        };
        if space.locate(point).place != Place::Outside {
            samples.push(point);
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_go_to_the_smallest_outline_round_them() {
        let square = |s: f64, ccw: bool| {
            let mut ring = vec![dvec2(-s, -s), dvec2(s, -s), dvec2(s, s), dvec2(-s, s)];
            if !ccw {
                ring.reverse();
            }
            ring
        };
        // A room with a hole in which a smaller room with a hole stands.
        let rings = [(4.0, true), (3.0, false), (2.0, true), (1.0, false)];
        let rings = Rings { rings: rings.map(|(s, ccw)| square(s, ccw)).to_vec() };
        let plan = TestPlan::of_rings("nested", &rings);
        assert_eq!(plan.polygons.len(), 2);
        assert_eq!((plan.polygons[0].area(), plan.polygons[1].area()), (28.0, 12.0));
        assert_eq!(plan.area(), rings.area());
    }
}
