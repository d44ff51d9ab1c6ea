//! What a vertex sees inside a wedge, nearest first.
//!
//! Idea: walk the triangles outwards with a cone that gets narrower at every vertex met; what the cone
//! reaches is in sight by construction, so nothing needs to be tested against the whole plan. A heap orders
//! the walk by distance, so that a search for the nearest thing touches only what is nearer than it.
//! Source: the search for the closest element in the area of interest, thesis (seed 000) sections 4 and 4.1,
//!   which renders the scene from each notch; the walk replaces the render.
//! Exactness: a cone is bounded by the two lines of the wedge or by vertices, so that every decision is an
//!   orientation test on input points. The wedge is closed; behind a vertex the ray through it is blocked, so
//!   that no segment reported runs through a vertex.
//! Cost: O(k log k) for k triangles visited; no allocation after warm-up.

use super::{EdgeRole, NONE, Triangulation};
use crate::{predicates::orient, segment::distance_squared_to_segment};
use std::{cell::RefCell, cmp::Reverse, collections::BinaryHeap, ops::ControlFlow};
use wayfare_core::DVec2;

/// A wedge of less than 180 degrees at a vertex, between two lines through it.
#[derive(Clone, Copy, Debug)]
pub struct Wedge {
    /// The vertex.
    pub apex: u32,
    /// A wall or portal of the apex, outgoing: the wedge lies between it and the apex's next wall or portal
    /// counter-clockwise.
    pub first: u32,
    /// Two points of the right line: what lies in the wedge is not right of it.
    pub right: [DVec2; 2],
    /// Two points of the left line: what lies in the wedge is not left of it.
    pub left: [DVec2; 2],
}

/// Something in sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// A vertex, joined to the apex by a free segment.
    Vertex(u32),
    /// A wall or portal, as the half-edge with the apex on its left.
    Edge(u32),
}

/// Something in sight and how much of it.
#[derive(Clone, Copy, Debug)]
pub struct Sighting {
    /// What is seen.
    pub sight: Sight,
    /// Square of its distance; of an edge, of the part in sight.
    pub distance_squared: f64,
    /// The vertex that bounds the part in sight on the right; [`NONE`]: the wedge itself does.
    pub right: u32,
    /// The vertex that bounds the part in sight on the left; [`NONE`]: the wedge itself does.
    pub left: u32,
}

/// Memory of a walk, to be used again.
#[derive(Clone, Debug, Default)]
pub struct WedgeScratch {
    heap: BinaryHeap<Reverse<Item>>,
    queue: Vec<[u32; 3]>,
}

/// Something in the heap: nearest first, equal distances in an order that depends on nothing but the
/// triangulation. Kept small, for the heap is where a look spends its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    /// The squared distance as the bits of an `f32` (not negative, so they sort like it), then the vertex or
    /// half-edge.
    key: u64,
    /// [`VERTEX`], or the bound of the cone at a half-edge.
    right: u32,
    left: u32,
}

/// In [`Item::right`]: the item is a vertex.
const VERTEX: u32 = NONE - 1;

impl Item {
    fn new(distance_squared: f64, thing: u32, right: u32, left: u32) -> Reverse<Self> {
        let key = u64::from((distance_squared as f32).to_bits()) << 32 | u64::from(thing);
        Reverse(Self { key, right, left })
    }
}

impl Wedge {
    /// Positive if `p` lies left of the wedge's right line.
    fn side_of_right(&self, p: DVec2) -> f64 {
        orient(self.right[0], self.right[1], p)
    }
    /// Positive if `p` lies left of the wedge's left line, that is outside.
    fn side_of_left(&self, p: DVec2) -> f64 {
        orient(self.left[0], self.left[1], p)
    }
    /// Whether `p` lies in the closed wedge.
    pub fn contains(&self, p: DVec2) -> bool {
        self.side_of_right(p) >= 0.0 && self.side_of_left(p) <= 0.0
    }
}

impl Triangulation {
    /// Reports vertices that the wedge's apex sees inside it, those behind few triangles first, until `most`
    /// triangles were walked. Cheaper than [`Triangulation::look`], for there is no heap.
    pub fn survey(&self, wedge: &Wedge, most: usize, scratch: &mut WedgeScratch, mut visit: impl FnMut(u32)) {
        let queue = &mut scratch.queue;
        queue.clear();
        self.open_fan(wedge, &mut visit, |h, right, left| {
            if self.role(h) == EdgeRole::Diagonal {
                queue.push([h, right, left]);
            }
        });
        let mut at = 0;
        while at < queue.len() && at < most {
            let [h, right, left] = queue[at];
            at += 1;
            self.cross(wedge, h, right, left, &mut visit, |h, right, left| {
                if self.role(h) == EdgeRole::Diagonal {
                    queue.push([h, right, left]);
                }
            });
        }
    }

    /// Reports all vertices, walls and portals that the wedge's apex sees inside it, nearest first, until
    /// `visit` breaks or `most` triangles were walked; only in the latter case the answer is false.
    pub fn look(
        &self,
        wedge: &Wedge,
        most: usize,
        scratch: &mut WedgeScratch,
        mut visit: impl FnMut(Sighting) -> ControlFlow<()>,
    ) -> bool {
        let eye = self.point(wedge.apex);
        scratch.heap.clear();
        // Both vertices and edges are pushed from the same place.
        let heap = RefCell::new(&mut scratch.heap);
        let see_vertex = |v: u32| {
            let distance_squared = (self.point(v) - eye).length_squared();
            heap.borrow_mut().push(Item::new(distance_squared, v, VERTEX, NONE));
        };
        let see_edge = |h: u32, right: u32, left: u32| {
            // A diagonal is only walked through: the distance of the whole edge bounds what lies behind it.
            let distance_squared = match self.role(h) {
                EdgeRole::Diagonal => {
                    distance_squared_to_segment(eye, self.point(self.origin(h)), self.point(self.target(h)))
                }
                _ => self.visible_distance_squared(wedge, h, right, left),
            };
            heap.borrow_mut().push(Item::new(distance_squared, h, right, left));
        };
        self.open_fan(wedge, see_vertex, see_edge);
        let mut walked = 0;
        loop {
            let Some(Reverse(item)) = heap.borrow_mut().pop() else { return true };
            let h = item.key as u32;
            if item.right == VERTEX || self.role(h) != EdgeRole::Diagonal {
                if visit(self.sighting(wedge, item)).is_break() {
                    return true;
                }
                continue;
            }
            walked += 1;
            if walked > most {
                return false;
            }
            self.cross(wedge, h, item.right, item.left, see_vertex, see_edge);
        }
    }

    /// The fan of the apex: the vertices in the wedge, and the far edges with the cones through them.
    fn open_fan(
        &self,
        wedge: &Wedge,
        mut see_vertex: impl FnMut(u32),
        mut see_edge: impl FnMut(u32, u32, u32),
    ) {
        let mut h = wedge.first;
        while h != NONE {
            let (a, b) = (self.target(h), self.origin(self.prev(h)));
            let (pa, pb) = (self.point(a), self.point(b));
            let a_from_right = wedge.side_of_right(pa);
            if a_from_right >= 0.0 && wedge.side_of_left(pa) <= 0.0 && self.role(h) == EdgeRole::Diagonal {
                see_vertex(a);
            }
            let b_from_left = wedge.side_of_left(pb);
            // Wholly right of the wedge, or wholly left of it? A triangle is less than half a turn: if it begins right of the wedge and ends
            // behind the apex, in line with a wall, then it ends before the wedge.
            let before = wedge.side_of_right(pb) <= 0.0 && (b_from_left <= 0.0 || a_from_right < 0.0);
            let past = a_from_right > 0.0 && wedge.side_of_left(pa) >= 0.0;
            if !before && !past {
                let right = if a_from_right >= 0.0 { a } else { NONE };
                let left = if b_from_left <= 0.0 { b } else { NONE };
                see_edge(self.next(h), right, left);
            }
            let following = self.prev(h);
            h = if self.role(following) == EdgeRole::Diagonal { following ^ 1 } else { NONE };
        }
    }

    /// The triangle behind the diagonal `h`, seen through a cone: its far vertex, if in sight, and its far
    /// edges with what is left of the cone.
    #[inline]
    fn cross(
        &self,
        wedge: &Wedge,
        h: u32,
        right: u32,
        left: u32,
        mut see_vertex: impl FnMut(u32),
        mut see_edge: impl FnMut(u32, u32, u32),
    ) {
        let eye = self.point(wedge.apex);
        let (right_part, left_part) = (self.next(h ^ 1), self.prev(h ^ 1));
        let apex = self.origin(left_part);
        let p = self.point(apex);
        let from_right =
            if right == NONE { wedge.side_of_right(p) } else { orient(eye, self.point(right), p) };
        if from_right < 0.0 || from_right == 0.0 && right != NONE {
            return see_edge(left_part, right, left);
        }
        let from_left = if left == NONE { wedge.side_of_left(p) } else { orient(eye, self.point(left), p) };
        if from_left > 0.0 || from_left == 0.0 && left != NONE {
            return see_edge(right_part, right, left);
        }
        see_vertex(apex);
        if from_right > 0.0 {
            see_edge(right_part, right, apex);
        }
        if from_left < 0.0 {
            see_edge(left_part, apex, left);
        }
    }

    fn sighting(&self, wedge: &Wedge, item: Item) -> Sighting {
        let thing = item.key as u32;
        if item.right == VERTEX {
            let distance_squared = (self.point(thing) - self.point(wedge.apex)).length_squared();
            return Sighting { sight: Sight::Vertex(thing), distance_squared, right: NONE, left: NONE };
        }
        let (right, left) = (item.right, item.left);
        let distance_squared = self.visible_distance_squared(wedge, thing, right, left);
        Sighting { sight: Sight::Edge(thing), distance_squared, right, left }
    }

    /// The part of a half-edge inside a cone, from its right to its left end; rounded.
    pub fn visible_part(&self, wedge: &Wedge, h: u32, right: u32, left: u32) -> [DVec2; 2] {
        let eye = self.point(wedge.apex);
        let (a, b) = (self.point(self.origin(h)), self.point(self.target(h)));
        let clip = |toward: DVec2, fallback: DVec2| {
            let along = b - a;
            let across = toward.perp_dot(along);
            if across <= 0.0 {
                return fallback;
            }
            let t = toward.perp_dot(eye - a) / across;
            if (0.0..=1.0).contains(&t) { a + along * t } else { fallback }
        };
        let right_ray = if right == NONE { wedge.right[1] - wedge.right[0] } else { self.point(right) - eye };
        let left_ray = if left == NONE { wedge.left[1] - wedge.left[0] } else { self.point(left) - eye };
        [clip(right_ray, a), clip(left_ray, b)]
    }

    fn visible_distance_squared(&self, wedge: &Wedge, h: u32, right: u32, left: u32) -> f64 {
        let [a, b] = self.visible_part(wedge, h, right, left);
        distance_squared_to_segment(self.point(wedge.apex), a, b)
    }
}
