//! Triangles in space that share a list of vertices.

use crate::predicates::orient;
use wayfare_core::{DVec3, dvec2, dvec3};

/// Triangles in space. Whoever makes one sees to it that every index is a vertex; nothing else is promised:
/// triangles may cross, overlap and leave gaps, vertices may be used by none.
///
/// A triangle is seen from its front when its corners run counter-clockwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Positions [m].
    pub vertices: Vec<DVec3>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// The corners of a triangle.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    pub fn points(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }
    /// The corners of each triangle, in order.
    pub fn all_points(&self) -> impl ExactSizeIterator<Item = [DVec3; 3]> + '_ {
        self.triangles.iter().map(|triangle| triangle.map(|vertex| self.vertices[vertex as usize]))
    }
    /// Lower and upper corner of the box round all triangles (not round vertices that no triangle uses); `None`
    /// without triangles.
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        let corners = self.all_points().flatten();
        corners.fold(None, |bounds, p| match bounds {
            None => Some([p, p]),
            Some([min, max]) => Some([min.min(p), max.max(p)]),
        })
    }
    /// A vector across the triangle towards its front; its length is twice the area.
    pub fn normal(&self, triangle: usize) -> DVec3 {
        let [a, b, c] = self.points(triangle);
        (b - a).cross(c - a)
    }
}

/// Whether three points in space lie on one line, exactly.
///
/// They do if they do so seen along each axis. The axis along which the triangle looks largest is tried first, so
/// that a proper triangle costs one sign.
pub fn are_collinear(a: DVec3, b: DVec3, c: DVec3) -> bool {
    let normal = (b - a).cross(c - a).abs();
    let flat = |axis: usize| {
        let [a, b, c] = [a, b, c].map(|p| match axis {
            0 => dvec2(p.y, p.z),
            1 => dvec2(p.z, p.x),
            _ => dvec2(p.x, p.y),
        });
        orient(a, b, c) == 0.0
    };
    let first = if normal.x >= normal.y && normal.x >= normal.z {
        0
    } else if normal.y >= normal.z {
        1
    } else {
        2
    };
    flat(first) && flat((first + 1) % 3) && flat((first + 2) % 3)
}

/// Twice the area of a closed polygon in space as a vector along its normal, by Newell's method: for a polygon that is
/// not quite flat, the mean normal. The front is where the corners run counter-clockwise.
pub fn newell_normal(corners: impl IntoIterator<Item = DVec3> + Clone) -> DVec3 {
    let following = corners.clone().into_iter().skip(1).chain(corners.clone().into_iter().take(1));
    let mut sum = DVec3::ZERO;
    // Relative to one corner, so that a small polygon far from the origin keeps its digits.
    let Some(origin) = corners.clone().into_iter().next() else { return sum };
    for (p, q) in corners.into_iter().zip(following) {
        let (p, q) = (p - origin, q - origin);
        sum += dvec3((p.y - q.y) * (p.z + q.z), (p.z - q.z) * (p.x + q.x), (p.x - q.x) * (p.y + q.y));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_do_not_see_vertices_without_triangles() {
        let vertices = vec![dvec3(9., 9., 9.), dvec3(0., 0., 1.), dvec3(1., 0., 1.), dvec3(0., 2., 1.)];
        let mesh = TriangleMesh { vertices, triangles: vec![[1, 2, 3]] };
        assert_eq!(mesh.bounds(), Some([dvec3(0., 0., 1.), dvec3(1., 2., 1.)]));
        assert_eq!(mesh.normal(0), dvec3(0., 0., 2.));
        assert_eq!(TriangleMesh::default().bounds(), None);
    }

    #[test]
    fn points_on_a_line_are_told_from_a_sliver_one_rounding_wide() {
        let (a, b) = (dvec3(0.1, 0.2, 0.3), dvec3(1.1, 1.2, 1.3));
        let on = dvec3(0.5, 0.5, 0.5);
        assert!(are_collinear(on, on * 2.0, on * 24.0));
        assert!(!are_collinear(on, on * 2.0, dvec3(12.0, 12.0, 12f64.next_up())));
        assert!(are_collinear(a, b, a) && are_collinear(a, a, a));
        assert!(!are_collinear(a, b, dvec3(0.0, 0.0, 5.0)));
    }

    #[test]
    fn the_mean_normal_of_a_square_points_to_its_front() {
        let far = dvec3(1e6, -1e6, 1e6);
        let square = [dvec3(0., 0., 0.), dvec3(0., 1., 0.), dvec3(0., 1., 1.), dvec3(0., 0., 1.)];
        assert_eq!(newell_normal(square.map(|p| p + far)), dvec3(2., 0., 0.));
    }
}
