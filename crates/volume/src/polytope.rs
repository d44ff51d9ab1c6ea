//! Convex polytopes with corners and faces, cut by planes.
//!
//! Idea: every corner is put on one side of the cutting plane once, or on it when it is within a tolerance. Faces share
//!   corners by number, so that they agree on where they are cut, and the new face is the chain of their cut edges.
//! Promises: every corner keeps to every half-space that it was cut with, up to the tolerance: corners on the plane stay
//!   as they are, new ones lie on edges. What is lost lies within the tolerance of the plane.
//! Cost: linear in the number of corners of faces.

use crate::plane::Plane;
use crate::polygon::crossing;
use wayfare_core::DVec3;

/// A face: whose it is, and its corners counter-clockwise seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Face {
    pub(crate) key: u32,
    pub(crate) corners: Vec<u32>,
}

/// A convex polytope; `key` of a face is what its maker gave to the half-space.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Polytope {
    pub(crate) vertices: Vec<DVec3>,
    pub(crate) faces: Vec<Face>,
}

/// What a plane does to a polytope.
pub(crate) enum Cut {
    /// Nothing of it is above.
    Below,
    /// Nothing of it is below.
    Above,
    /// Both parts, the one below first.
    Both([Polytope; 2]),
    /// Rounding left no closed section; it happens when many corners lie within the tolerance of the plane.
    Unclear,
}

impl Polytope {
    /// A box; its faces have the keys 0 to 5: low x, high x, low y, high y, low z, high z.
    pub(crate) fn cuboid(min: DVec3, max: DVec3) -> Self {
        let pick = |k: u32, bit: u32, low: f64, high: f64| if k >> bit & 1 == 0 { low } else { high };
        let vertices = (0..8)
            .map(|k| DVec3::new(pick(k, 0, min.x, max.x), pick(k, 1, min.y, max.y), pick(k, 2, min.z, max.z)))
            .collect();
        let rings = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let faces =
            rings.into_iter().zip(0..).map(|(ring, key)| Face { key, corners: ring.to_vec() }).collect();
        Self { vertices, faces }
    }

    /// The corners of a face.
    pub(crate) fn ring<'a>(&'a self, face: &'a Face) -> impl ExactSizeIterator<Item = DVec3> + 'a {
        face.corners.iter().map(|&corner| self.vertices[corner as usize])
    }

    /// The corners of a face, collected.
    pub(crate) fn points(&self, face: &Face) -> Vec<DVec3> {
        self.ring(face).collect()
    }

    /// The volume [m³].
    pub(crate) fn volume(&self) -> f64 {
        let Some(&origin) = self.vertices.first() else { return 0.0 };
        let mut sum = 0.0;
        for face in &self.faces {
            let first = self.vertices[face.corners[0] as usize] - origin;
            for pair in face.corners.windows(2).skip(1) {
                let [p, q] = [pair[0], pair[1]].map(|corner| self.vertices[corner as usize] - origin);
                sum += first.dot(p.cross(q));
            }
        }
        sum / 6.0
    }

    /// The mean of the corners; inside.
    pub(crate) fn middle(&self) -> DVec3 {
        crate::polygon::middle(&self.vertices)
    }

    /// How far the polytope reaches from its most distant face plane, for the face for which that is least [m].
    pub(crate) fn width(&self) -> f64 {
        let mut narrowest = f64::INFINITY;
        for face in &self.faces {
            let normal = crate::polygon::area_vector(&self.points(face)).normalize_or_zero();
            if normal == DVec3::ZERO {
                continue;
            }
            let offset = normal.dot(self.vertices[face.corners[0] as usize]);
            let reach = self.vertices.iter().map(|&p| offset - normal.dot(p)).fold(0.0, f64::max);
            narrowest = narrowest.min(reach);
        }
        narrowest
    }

    /// Area of the section by a plane and volume below it, without making the parts.
    pub(crate) fn measure(&self, plane: &Plane) -> (f64, f64) {
        let origin = plane.normal * (plane.offset / plane.normal.length_squared());
        let (mut section, mut volume) = (0.0, 0.0);
        let distances: Vec<f64> = self.vertices.iter().map(|&p| plane.distance(p)).collect();
        for face in &self.faces {
            let (mut first, mut before) = (None, DVec3::ZERO);
            let (mut entry, mut exit) = (None, None);
            let mut add = |p: DVec3| {
                let p = p - origin;
                match first {
                    None => first = Some(p),
                    Some(first) => volume += first.dot(before.cross(p)),
                }
                before = p;
            };
            let n = face.corners.len();
            for k in 0..n {
                let (a, b) = (face.corners[k] as usize, face.corners[(k + 1) % n] as usize);
                let (da, db) = (distances[a], distances[b]);
                if da <= 0.0 {
                    add(self.vertices[a]);
                }
                if (da <= 0.0) != (db <= 0.0) {
                    let cut = self.vertices[a] + (self.vertices[b] - self.vertices[a]) * (da / (da - db));
                    add(cut);
                    *(if da <= 0.0 { &mut exit } else { &mut entry }) = Some(cut);
                }
            }
            if let (Some(entry), Some(exit)) = (entry, exit) {
                section += plane.normal.dot((entry - origin).cross(exit - origin));
            }
        }
        (section.abs() / 2.0, volume / 6.0)
    }

    /// Cuts along a plane. The new face gets the first key below the plane, the second above it.
    pub(crate) fn cut(&self, plane: &Plane, tolerance: f64, keys: [u32; 2]) -> Cut {
        self.parted(plane, tolerance, keys, true)
    }

    /// The part below a plane; `None` if nothing is left or the cut is unclear.
    pub(crate) fn below(self, plane: &Plane, tolerance: f64, key: u32) -> Option<Self> {
        match self.cut_below(plane, tolerance, key) {
            Cut::Below => Some(self),
            Cut::Both([below, _]) => Some(below),
            Cut::Above | Cut::Unclear => None,
        }
    }

    /// What is below a plane; all of it where the cut is unclear, `None` if nothing is left.
    pub(crate) fn inside(self, plane: &Plane, tolerance: f64) -> Option<Self> {
        match self.cut_below(plane, tolerance, 0) {
            Cut::Below | Cut::Unclear => Some(self),
            Cut::Both([below, _]) => Some(below),
            Cut::Above => None,
        }
    }

    /// The same, but the part above is left empty.
    pub(crate) fn cut_below(&self, plane: &Plane, tolerance: f64, key: u32) -> Cut {
        self.parted(plane, tolerance, [key; 2], false)
    }

    /// Both parts, or only the one below.
    fn parted(&self, plane: &Plane, tolerance: f64, keys: [u32; 2], both: bool) -> Cut {
        let sides: Vec<i8> = self
            .vertices
            .iter()
            .map(|&p| {
                let distance = plane.distance(p);
                i8::from(distance > tolerance) - i8::from(distance < -tolerance)
            })
            .collect();
        if !sides.contains(&1) {
            return Cut::Below;
        }
        if !sides.contains(&-1) {
            return Cut::Above;
        }
        let mut vertices = Vec::with_capacity(self.vertices.len() + 8);
        vertices.extend(&self.vertices);
        let mut edges: Vec<[u32; 3]> = Vec::with_capacity(8);
        let mut cut_point = |a: u32, b: u32| {
            let (a, b) = (a.min(b), a.max(b));
            if let Some(edge) = edges.iter().find(|edge| edge[0] == a && edge[1] == b) {
                return edge[2];
            }
            let point = crossing(self.vertices[a as usize], self.vertices[b as usize], plane);
            vertices.push(point);
            let number = vertices.len() as u32 - 1;
            edges.push([a, b, number]);
            number
        };
        let on = |corner: u32| sides.get(corner as usize).is_none_or(|&side| side == 0);
        let mut halves = [Half::of(self.faces.len()), Half::of(if both { self.faces.len() } else { 0 })];
        let is_kept = [true, both];
        for face in &self.faces {
            let has = [-1, 1].map(|side| face.corners.iter().any(|&corner| sides[corner as usize] == side));
            if has != [true; 2] {
                // All of it is on one side, or in the plane.
                if let Some(k) = has.iter().position(|has| *has) {
                    halves[k].add(face.key, &face.corners, is_kept[k], on);
                }
                continue;
            }
            let n = face.corners.len();
            let mut parts = [Vec::with_capacity(n + 1), Vec::with_capacity(n + 1)];
            for k in 0..n {
                let (a, b) = (face.corners[k], face.corners[(k + 1) % n]);
                let (sa, sb) = (sides[a as usize], sides[b as usize]);
                if sa <= 0 {
                    parts[0].push(a);
                }
                if sa >= 0 {
                    parts[1].push(a);
                }
                if sa * sb < 0 {
                    let cut = cut_point(a, b);
                    parts[0].push(cut);
                    parts[1].push(cut);
                }
            }
            for ((half, corners), is_kept) in halves.iter_mut().zip(&parts).zip(is_kept) {
                half.add(face.key, corners, is_kept, on);
            }
        }
        let [below, above] = halves;
        match (section_ring(&below.rim), section_ring(&above.rim)) {
            (Some(lower), Some(_)) if !both => {
                Cut::Both([below.closed(lower, keys[0], &vertices), Self::default()])
            }
            (Some(lower), Some(upper)) => {
                Cut::Both([below.closed(lower, keys[0], &vertices), above.closed(upper, keys[1], &vertices)])
            }
            _ => Cut::Unclear,
        }
    }
}

/// What is on one side of a cut: faces, and the edges in the plane of the cut, turned round.
struct Half {
    faces: Vec<Face>,
    rim: Vec<[u32; 2]>,
}

impl Half {
    fn of(faces: usize) -> Self {
        Self { faces: Vec::with_capacity(faces + 1), rim: Vec::with_capacity(8) }
    }

    fn add(&mut self, key: u32, corners: &[u32], is_kept: bool, on: impl Fn(u32) -> bool) {
        if corners.len() < 3 {
            return;
        }
        for (k, &a) in corners.iter().enumerate() {
            let b = corners[(k + 1) % corners.len()];
            if on(a) && on(b) {
                self.rim.push([b, a]);
            }
        }
        if is_kept {
            self.faces.push(Face { key, corners: corners.to_vec() });
        }
    }

    /// The part with the section as a face, and with those vertices that its faces use.
    fn closed(mut self, section: Vec<u32>, key: u32, vertices: &[DVec3]) -> Polytope {
        self.faces.push(Face { key, corners: section });
        let mut numbers = vec![u32::MAX; vertices.len()];
        let mut own = Vec::with_capacity(vertices.len());
        for corner in self.faces.iter_mut().flat_map(|face| &mut face.corners) {
            let number = &mut numbers[*corner as usize];
            if *number == u32::MAX {
                *number = own.len() as u32;
                own.push(vertices[*corner as usize]);
            }
            *corner = *number;
        }
        Polytope { vertices: own, faces: self.faces }
    }
}

/// The ring along edges; `None` if they are not one ring.
fn section_ring(edges: &[[u32; 2]]) -> Option<Vec<u32>> {
    let first = edges.first()?[0];
    let mut ring = Vec::with_capacity(edges.len());
    ring.push(first);
    let mut at = edges[0][1];
    while at != first {
        if ring.len() > edges.len() {
            return None;
        }
        ring.push(at);
        let mut next = edges.iter().filter(|edge| edge[0] == at).map(|edge| edge[1]);
        let (to, other) = (next.next()?, next.next());
        if other.is_some() {
            return None;
        }
        at = to;
    }
    (ring.len() >= 3 && ring.len() == edges.len()).then_some(ring)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec3;

    fn plane(normal: DVec3, offset: f64) -> Plane {
        Plane { normal: normal.normalize(), offset }
    }

    #[test]
    fn a_cut_cube_has_two_halves_that_share_their_section() {
        let cube = Polytope::cuboid(DVec3::ZERO, DVec3::ONE);
        assert!((cube.volume() - 1.0).abs() < 1e-12 && (cube.width() - 1.0).abs() < 1e-12);
        let diagonal = plane(dvec3(1., 1., 0.), 0.5f64.sqrt());
        let Cut::Both([below, above]) = cube.cut(&diagonal, 1e-9, [6, 7]) else { panic!("it is cut") };
        assert!((below.volume() - 0.5).abs() < 1e-12 && (above.volume() - 0.5).abs() < 1e-12);
        assert_eq!((below.faces.len(), below.vertices.len()), (5, 6), "the cut runs through four corners");
        let (section, volume) = cube.measure(&diagonal);
        assert!((section - 2f64.sqrt()).abs() < 1e-12 && (volume - 0.5).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn cuts_keep_volume_and_stay_closed(cuts in prop::collection::vec((-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64, -0.4..0.4f64), 1..12)) {
            let mut parts = vec![Polytope::cuboid(-DVec3::ONE, DVec3::ONE)];
            for ((x, y, z, offset), key) in cuts.into_iter().zip(6..) {
                if dvec3(x, y, z).length() < 0.1 { continue; }
                let plane = plane(dvec3(x, y, z), offset);
                let mut next = Vec::new();
                for part in parts {
                    let (_, below) = part.measure(&plane);
                    match part.cut(&plane, 1e-9, [key, key]) {
                        Cut::Both(halves) => {
                            prop_assert!((halves[0].volume() - below).abs() < 1e-9);
                            next.extend(halves);
                        }
                        _ => next.push(part),
                    }
                }
                parts = next;
            }
            let mut sum = 0.0;
            for part in &parts {
                // Euler: corners + faces = edges + 2.
                let edges: usize = part.faces.iter().map(|face| face.corners.len()).sum::<usize>() / 2;
                prop_assert_eq!(part.vertices.len() + part.faces.len(), edges + 2);
                sum += part.volume();
            }
            prop_assert!((sum - 8.0).abs() < 1e-7);
        }
    }
}
