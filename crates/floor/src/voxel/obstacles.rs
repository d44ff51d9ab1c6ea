//! The triangles of a scene, found by place: is there anything over a piece of ground that a body would run into, and how high is the
//! ground?

use super::{
    columns::Surface,
    near::{Near, Thing},
};
use crate::GroundConfig;
use wayfare_core::{
    DVec2, DVec3,
    ops::{cos, sin},
};
use wayfare_geom::{
    Aabb2,
    bvh::{Aabb3, Bvh},
};
use wayfare_scene::Scene;

/// The triangles of a scene, found by place.
pub struct Obstacles<'a> {
    scene: &'a Scene,
    tree: &'a Bvh,
    surfaces: &'a [Surface],
    /// Heights above the ground between which a body meets things [m].
    band: [f64; 2],
    /// How much the ground rises over a pixel at most [m].
    pub rise: f64,
}

/// The triangles of a scene by place.
pub fn triangle_tree(scene: &Scene) -> Bvh {
    let boxes: Vec<_> = scene.mesh.all_points().map(Aabb3::of_points).collect();
    Bvh::build(&boxes)
}

/// Heights of the ground differ by no more from those of pixels where it is level [m].
pub const LEVEL: f64 = 0.05;

/// What lies less than this under something else that can be walked on, where a body has no room between the two, is covered by it
/// [steps]: the tread beside a slab may be a step below its top and a step above its underside.
const COVERED: f64 = 2.0;

/// Touching is not meeting; this far counts as touching [m].
pub const TOUCH: f64 = 1e-7;

impl<'a> Obstacles<'a> {
    /// Obstacles for the body of a configuration; the tree and the surfaces are those of the scene's triangles.
    pub fn new(scene: &'a Scene, tree: &'a Bvh, surfaces: &'a [Surface], config: &GroundConfig) -> Self {
        Self {
            scene,
            tree,
            surfaces,
            band: [config.step, config.height],
            rise: config.resolution * sin(config.max_slope) / cos(config.max_slope),
        }
    }

    /// The room above the ground that a body needs [m].
    pub fn head_room(&self) -> f64 {
        self.band[1]
    }

    /// The highest step [m].
    pub fn step(&self) -> f64 {
        self.band[0]
    }

    /// The highest step, the room above the ground, and how much the ground rises over a pixel at most [m].
    pub fn body(&self) -> (f64, f64, f64) {
        (self.band[0], self.band[1], self.rise)
    }

    /// Ground is looked for so far above and below a height that it about has [m].
    pub fn floor_reach(&self) -> f64 {
        self.band[0].max(self.rise)
    }

    /// Visits all triangles that can be walked on and whose box meets another, and perhaps a few beside it.
    pub fn visit_floors(&self, area: &Aabb3, mut visit: impl FnMut(u32, [DVec3; 3])) {
        self.tree.visit(area, |triangle| {
            if self.surfaces[triangle as usize].is_walkable {
                visit(triangle, self.corners(triangle));
            }
            false
        });
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.scene.mesh.points(triangle as usize)
    }

    fn thing(&self, triangle: u32) -> Thing {
        Thing::new(self.scene.mesh.points(triangle as usize), self.surfaces[triangle as usize].is_walkable)
    }

    /// Whether nothing stands over a convex polygon. Its ground rises evenly from the first height, at the point `from`, to
    /// the second, at `to`.
    pub fn is_free(&self, polygon: &[DVec2], [from, to]: [DVec2; 2], [low, high]: [f64; 2]) -> bool {
        let along = to - from;
        let length = along.length_squared();
        let rise = if length > 0.0 { along * ((high - low) / length) } else { DVec2::ZERO };
        let ground = |p: DVec2| low + rise.dot(p - from);
        let plan = Aabb3::of_points(polygon.iter().map(|p| p.extend(ground(*p))));
        let area = Aabb3 { min: plan.min + DVec3::Z * self.band[0], max: plan.max + DVec3::Z * self.band[1] };
        !self.tree.visit(&area, |triangle| {
            let corners = self.scene.mesh.points(triangle as usize);
            if !Aabb3::of_points(corners).meets(&area) {
                return false;
            }
            let relative = corners.map(|p| p.truncate().extend(p.z - ground(p.truncate())));
            let (part, count) = cut(&relative, self.band);
            count > 0 && !are_apart(polygon, &part[..count])
        })
    }

    /// The triangles that a body meets or stands on in a part of the plan with ground between two heights.
    pub fn near(&'a self, plan: Aabb2, [low, high]: [f64; 2]) -> Near<'a> {
        let [step, height] = self.band;
        let reach = self.rise.max(step).max(LEVEL);
        let area =
            Aabb3 { min: plan.min.extend(low - reach), max: plan.max.extend(high + height.max(reach)) };
        let mut things = Vec::with_capacity(192);
        self.tree.visit(&area, |triangle| {
            let thing = self.thing(triangle);
            // A riser is neither in the way nor walked on.
            if thing.is_walkable || thing.top() - low > step {
                things.push(thing);
            }
            false
        });
        Near::new(self, things)
    }

    /// Of those the triangles that can be walked on.
    pub fn floors_near(&'a self, plan: Aabb2, [low, high]: [f64; 2]) -> Near<'a> {
        let reach = self.floor_reach();
        let area = Aabb3 { min: plan.min.extend(low - reach), max: plan.max.extend(high + reach) };
        let mut things = Vec::with_capacity(16);
        self.tree.visit(&area, |triangle| {
            if self.surfaces[triangle as usize].is_walkable {
                things.push(self.thing(triangle));
            }
            false
        });
        Near::new(self, things)
    }

    /// The height of the ground over a point of the plan, next to a height that it about has.
    pub fn floor_height(&self, p: DVec2, about: f64) -> Option<f64> {
        let mut pile = Pile::default();
        let (reach, covered) = (self.floor_reach(), (COVERED * self.step()).min(self.head_room()));
        let area = Aabb3 { min: p.extend(about - reach), max: p.extend(about + reach + covered) };
        self.tree.visit(&area, |triangle| {
            if self.surfaces[triangle as usize].is_walkable {
                pile.add(height_in(self.scene.mesh.points(triangle as usize), p));
            }
            false
        });
        pile.ground([about, reach], covered)
    }

    /// The height nearest to another that triangles that can be walked on have over each of several points that are near each other, covered
    /// or not.
    pub fn floor_heights<const N: usize>(&self, points: [DVec2; N], about: f64) -> [Option<f64>; N] {
        let reach = self.floor_reach();
        let mut best = [None; N];
        let plan = Aabb2::of_points(points);
        let area = Aabb3 { min: plan.min.extend(about - reach), max: plan.max.extend(about + reach) };
        self.visit_floors(&area, |_, corners| {
            for (best, &p) in best.iter_mut().zip(&points) {
                *best = nearest_height(*best, corners, p, about, reach);
            }
        });
        best
    }
}

/// Of two heights next to a third the nearer one: one found before and that of a triangle over a point, no farther than a reach.
pub fn nearest_height(
    best: Option<f64>,
    triangle: [DVec3; 3],
    p: DVec2,
    about: f64,
    reach: f64,
) -> Option<f64> {
    let key = |z: f64| ((z - about).abs(), z);
    let found = height_in(triangle, p)
        .filter(|&z| (z - about).abs() <= reach && best.is_none_or(|best| key(z) < key(best)));
    found.or(best)
}

/// Heights of triangles that can be walked on, over each other.
#[derive(Clone, Copy, Default)]
struct Pile {
    heights: [f64; MOST_HEIGHTS],
    count: usize,
}

/// Heights of a pile at most; what comes after these is not looked at.
const MOST_HEIGHTS: usize = 8;

impl Pile {
    /// Adds a height, if there is one.
    #[inline]
    fn add(&mut self, height: Option<f64>) {
        if let (Some(z), Some(place)) = (height, self.heights.get_mut(self.count)) {
            *place = z;
            self.count += 1;
        }
    }

    /// The height of the ground next to one that it about has, no farther than a reach. What lies less than a height under another is no
    /// ground but inside of what stands there, as the underside of a slab is.
    fn ground(&self, [about, reach]: [f64; 2], covered: f64) -> Option<f64> {
        let heights = &self.heights[..self.count];
        let key = |z: &f64| (z - about).abs();
        let is_top = |z: &&f64| !heights.iter().any(|above| *z < above && above - *z < covered);
        let near = heights.iter().filter(|z| key(z) <= reach).filter(is_top);
        near.min_by(|a, b| key(a).total_cmp(&key(b)).then(a.total_cmp(b))).copied()
    }
}

/// The height of a triangle over a point of the plan in it or on its rim.
pub fn height_in([a, b, c]: [DVec3; 3], p: DVec2) -> Option<f64> {
    let weight = |u: DVec3, v: DVec3| (v.truncate() - u.truncate()).perp_dot(p - u.truncate());
    let weights = [weight(b, c), weight(c, a), weight(a, b)];
    let sum: f64 = weights.iter().sum();
    let is_inside = weights.iter().all(|w| w / sum >= -1e-9);
    is_inside.then(|| (a.z * weights[0] + b.z * weights[1] + c.z * weights[2]) / sum)
}

/// The part of a triangle between two heights, in plan.
pub fn cut(triangle: &[DVec3; 3], [low, high]: [f64; 2]) -> ([DVec2; 8], usize) {
    let mut part = [DVec2::ZERO; 8];
    // Many lie wholly between the heights.
    if triangle.iter().all(|p| (low..=high).contains(&p.z)) {
        for (point, corner) in part.iter_mut().zip(triangle) {
            *point = corner.truncate();
        }
        return (part, 3);
    }
    let mut count = 0;
    for (k, &a) in triangle.iter().enumerate() {
        let b = triangle[(k + 1) % 3];
        if (low..=high).contains(&a.z) {
            part[count] = a.truncate();
            count += 1;
        }
        // Where the side from a to b comes through a limit, in its order.
        let limits = if a.z <= b.z { [low, high] } else { [high, low] };
        for limit in limits {
            if (a.z - limit) * (b.z - limit) < 0.0 {
                part[count] = a.truncate() + (b - a).truncate() * ((limit - a.z) / (b.z - a.z));
                count += 1;
            }
        }
    }
    (part, count)
}

/// Whether two convex polygons, perhaps without area, do not overlap: a direction shows them apart.
fn are_apart(a: &[DVec2], b: &[DVec2]) -> bool {
    // Plain comparisons: all are numbers.
    let spread = |points: &[DVec2], axis: DVec2| {
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for p in points {
            let at = p.dot(axis);
            range[0] = if at < range[0] { at } else { range[0] };
            range[1] = if at > range[1] { at } else { range[1] };
        }
        range
    };
    let is_apart = |axis: DVec2| {
        let [p, q] = [spread(a, axis), spread(b, axis)];
        p[1] <= q[0] + TOUCH || q[1] <= p[0] + TOUCH
    };
    let shows = |points: &[DVec2]| {
        (0..points.len()).any(|k| {
            let next = if k + 1 == points.len() { 0 } else { k + 1 };
            let Some(side) = (points[next] - points[k]).try_normalize() else {
                return false;
            };
            is_apart(side.perp()) || is_apart(side)
        })
    };
    shows(a) || shows(b) || a.len() == 1 && b.len() == 1 && a[0].distance(b[0]) > TOUCH
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::{dvec2, dvec3};
    use wayfare_geom::TriangleMesh;

    #[test]
    fn the_ground_over_a_slab_is_its_top() {
        let square = |x: [f64; 2], z: f64| {
            [dvec3(x[0], 0.0, z), dvec3(x[1], 0.0, z), dvec3(x[1], 9.0, z), dvec3(x[0], 9.0, z)]
        };
        // A tread beside the end of a slab: its height is nearer to that of the slab's underside. And a floor far above.
        let squares = [
            square([0.0, 5.0], 3.06),
            square([5.0, 9.0], 2.94),
            square([5.0, 9.0], 3.24),
            square([0.0, 9.0], 5.3),
        ];
        let triangles = (0..4).flat_map(|k| [[4 * k, 4 * k + 1, 4 * k + 2], [4 * k, 4 * k + 2, 4 * k + 3]]);
        let mesh = TriangleMesh { vertices: squares.concat(), triangles: triangles.collect() };
        let scene = Scene::from_mesh(mesh);
        let tree = triangle_tree(&scene);
        let floors = vec![Surface { is_walkable: true, tag: 0 }; scene.mesh.triangles.len()];
        // With a step of 1.1 m what is in reach may be two floors, one over the other.
        for step in [0.2, 0.4, 1.1] {
            let config = GroundConfig { step, ..GroundConfig::default() };
            let obstacles = Obstacles::new(&scene, &tree, &floors, &config);
            for about in [3.05, 3.06, 3.2] {
                let (on_slab, on_tread) = (dvec2(5.01, 3.0), dvec2(4.99, 3.0));
                let top = Some(324.0).filter(|z| z / 100.0 - about <= step);
                let found = [on_slab, on_tread].map(|p| Some(obstacles.floor_height(p, about)? * 100.0));
                assert_eq!(found.map(|z| z.map(f64::round)), [top, Some(306.0)]);
            }
            let above = obstacles.floor_height(dvec2(4.99, 3.0), 5.2).unwrap();
            assert!((above - 5.3).abs() < 1e-9);
        }
    }

    /// A wall without thickness along y at x = 1, from z = 0 to `top`.
    fn wall(bottom: f64, top: f64) -> Scene {
        let vertices =
            vec![dvec3(1., -5., bottom), dvec3(1., 5., bottom), dvec3(1., 5., top), dvec3(1., -5., top)];
        Scene::from_mesh(TriangleMesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] })
    }

    /// All triangles of a scene as walls.
    fn walls(scene: &Scene) -> Vec<Surface> {
        vec![Surface { is_walkable: false, tag: 0 }; scene.mesh.triangles.len()]
    }

    #[test]
    fn a_wall_is_met_by_what_it_stands_over_alone() {
        let scene = wall(0.0, 3.0);
        let tree = triangle_tree(&scene);
        let walls = walls(&scene);
        let obstacles = Obstacles::new(&scene, &tree, &walls, &GroundConfig::default());
        let square = |x: f64| [dvec2(x, 0.), dvec2(x + 0.5, 0.), dvec2(x + 0.5, 0.5), dvec2(x, 0.5)];
        let level = [dvec2(0., 0.), dvec2(9., 0.)];
        let is_free = |x: f64, z: f64| obstacles.is_free(&square(x), level, [z, z]);
        assert!(is_free(0.0, 0.0) && !is_free(0.7, 0.0) && is_free(1.1, 0.0));
        assert!(is_free(0.5, 0.0), "touching is no harm");
        // High above and far below; and over a wall that can be stepped over.
        assert!(is_free(0.7, 2.7) && !is_free(0.7, 2.5) && is_free(0.7, -2.0) && !is_free(0.7, -1.7));
        let kerb = wall(0.0, 0.3);
        let tree = triangle_tree(&kerb);
        let obstacles_at_kerb = Obstacles::new(&kerb, &tree, &walls, &GroundConfig::default());
        assert!(obstacles_at_kerb.is_free(&square(0.7), level, [0.0, 0.0]));
        // Segments have no area but meet walls.
        assert!(!obstacles.is_free(&[dvec2(0.9, 0.1), dvec2(1.1, 0.2)], level, [0.0, 0.0]));
        assert!(obstacles.is_free(&[dvec2(0.8, 0.1), dvec2(0.9, 4.0)], level, [0.0, 0.0]));
        // On ground that rises past the wall's top.
        let rising = |to: f64| obstacles.is_free(&square(0.7), [dvec2(0.7, 0.), dvec2(1.2, 0.)], [2.0, to]);
        assert!(!rising(2.6) && rising(4.0));
    }

    #[test]
    fn a_post_inside_an_area_is_met_though_no_side_crosses_it() {
        let vertices = vec![dvec3(0.5, 0.5, 0.), dvec3(0.51, 0.5, 0.), dvec3(0.5, 0.51, 2.)];
        let scene = Scene::from_mesh(TriangleMesh { vertices, triangles: vec![[0, 1, 2]] });
        let tree = triangle_tree(&scene);
        let walls = walls(&scene);
        let obstacles = Obstacles::new(&scene, &tree, &walls, &GroundConfig::default());
        let triangle = [dvec2(0., 0.), dvec2(1., 0.), dvec2(0.6, 1.)];
        assert!(!obstacles.is_free(&triangle, [triangle[0], triangle[1]], [0.0, 0.0]));
    }
}
