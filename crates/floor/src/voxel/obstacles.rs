//! The triangles of a scene as obstacles: is there anything over a piece of ground that a body would run into?

use wayfare_core::{DVec2, DVec3};
use wayfare_geom::bvh::{Aabb3, Bvh};
use wayfare_scene::Scene;

/// The triangles of a scene, found by place.
pub struct Obstacles<'a> {
    scene: &'a Scene,
    tree: &'a Bvh,
    /// Heights above the ground between which a body meets things [m].
    band: [f64; 2],
}

/// The triangles of a scene by place.
pub fn triangle_tree(scene: &Scene) -> Bvh {
    let boxes: Vec<_> = scene.mesh.all_points().map(Aabb3::of_points).collect();
    Bvh::build(&boxes)
}

/// Touching is not meeting; this far counts as touching [m].
const TOUCH: f64 = 1e-7;

impl<'a> Obstacles<'a> {
    /// Obstacles for bodies of a height that take steps; the tree is that of the scene's triangles.
    pub fn new(scene: &'a Scene, tree: &'a Bvh, height: f64, step: f64) -> Self {
        Self { scene, tree, band: [step, height] }
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
}

/// The part of a triangle between two heights, in plan.
fn cut(triangle: &[DVec3; 3], [low, high]: [f64; 2]) -> ([DVec2; 8], usize) {
    let mut part = [DVec2::ZERO; 8];
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
    let spread = |points: &[DVec2], axis: DVec2| {
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for p in points {
            let at = p.dot(axis);
            range = [range[0].min(at), range[1].max(at)];
        }
        range
    };
    let is_apart = |axis: DVec2| {
        let [p, q] = [spread(a, axis), spread(b, axis)];
        p[1] <= q[0] + TOUCH || q[1] <= p[0] + TOUCH
    };
    let shows = |points: &[DVec2]| {
        (0..points.len()).any(|k| {
            let Some(side) = (points[(k + 1) % points.len()] - points[k]).try_normalize() else {
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

    /// A wall without thickness along y at x = 1, from z = 0 to `top`.
    fn wall(bottom: f64, top: f64) -> Scene {
        let vertices =
            vec![dvec3(1., -5., bottom), dvec3(1., 5., bottom), dvec3(1., 5., top), dvec3(1., -5., top)];
        Scene::from_mesh(TriangleMesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] })
    }

    #[test]
    fn a_wall_is_met_by_what_it_stands_over_alone() {
        let scene = wall(0.0, 3.0);
        let tree = triangle_tree(&scene);
        let obstacles = Obstacles::new(&scene, &tree, 1.8, 0.4);
        let square = |x: f64| [dvec2(x, 0.), dvec2(x + 0.5, 0.), dvec2(x + 0.5, 0.5), dvec2(x, 0.5)];
        let level = [dvec2(0., 0.), dvec2(9., 0.)];
        let is_free = |x: f64, z: f64| obstacles.is_free(&square(x), level, [z, z]);
        assert!(is_free(0.0, 0.0) && !is_free(0.7, 0.0) && is_free(1.1, 0.0));
        assert!(is_free(0.5, 0.0), "touching is no harm");
        // High above and far below; and over a wall that can be stepped over.
        assert!(is_free(0.7, 2.7) && !is_free(0.7, 2.5) && is_free(0.7, -2.0) && !is_free(0.7, -1.7));
        let kerb = wall(0.0, 0.3);
        assert!(Obstacles::new(&kerb, &triangle_tree(&kerb), 1.8, 0.4).is_free(
            &square(0.7),
            level,
            [0.0, 0.0]
        ));
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
        let obstacles = Obstacles::new(&scene, &tree, 1.8, 0.4);
        let triangle = [dvec2(0., 0.), dvec2(1., 0.), dvec2(0.6, 1.)];
        assert!(!obstacles.is_free(&triangle, [triangle[0], triangle[1]], [0.0, 0.0]));
    }
}
