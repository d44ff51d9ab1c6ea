//! Which corners a point sees, by the face that holds it: what walking cones from the point would find.
//!
//! Idea: a corner sees a part of a face through each way that its cones come in by: a wedge with its tip at the corner, between two
//!   vertices. All cones of all corners are walked once, when a finder is made ([`super::sight`]), so the wedges of each face can be
//!   kept; then a point asks which of them hold it, instead of walking cones of its own.
//! Source: own; visibility from a point by the regions that corners see.
//! Steps: 1. the wedges of all corners, by face  2. wedges of one corner that lie side by side become one
//! Promises: every corner that a point sees is among those that are told, with some more that it misses by a millionth of the map's
//!   size; [`Seen::holds`] tells them apart.
//! Cost: 40 bytes per wedge. A question looks at all wedges of a face, four at a time.

use super::super::{
    cone::{Cone, Ground},
    faces::{Faces, NONE, WIDE},
};
use wayfare_core::DVec2;

/// In [`Seen::corner`], the bit that says that the ground goes round the corner more than once.
const IS_WIDE: u32 = 1 << 31;

/// What a corner sees of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wedge {
    /// The vertex of the corner.
    corner: u32,
    /// The vertices on whose rays it ends, seen from the corner; the corner itself if the face lies at it.
    right: u32,
    left: u32,
    mouth: u32,
}

impl Wedge {
    /// A face at a corner, which sees all of it.
    pub fn all_round(corner: u32) -> Self {
        Self { corner, right: corner, left: corner, mouth: NONE }
    }

    /// What a cone sees of the face that it enters; the mouth as in [`Seen`].
    pub fn of(cone: &Cone, mouth: u32) -> Self {
        Self { corner: cone.root, right: cone.right, left: cone.left, mouth }
    }
}

/// A corner that is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seen {
    /// The vertex, and [`IS_WIDE`].
    corner: u32,
    /// As in its wedge.
    right: u32,
    left: u32,
    /// Of the edges that lead down into dead ends towards the corner, the one that closes the dead end to the largest discs;
    /// [`NONE`] if the corner is in no dead end, seen from here.
    pub mouth: u32,
}

impl Seen {
    /// The vertex of the corner.
    #[inline]
    pub fn vertex(&self) -> u32 {
        self.corner & !IS_WIDE
    }

    /// Whether the ground goes round the corner more than once.
    #[inline]
    pub fn is_wide(&self) -> bool {
        self.corner & IS_WIDE != 0
    }

    /// Whether the wedge holds a point, without rounding.
    #[inline]
    pub fn holds(&self, ground: &Ground<'_>, p: DVec2) -> bool {
        let [tip, right, left] =
            [self.vertex(), self.right, self.left].map(|vertex| ground.faces.xy[vertex as usize]);
        let is_at_corner = self.right == self.left;
        is_at_corner || ground.orient.sign(tip, right, p) >= 0.0 && ground.orient.sign(tip, left, p) <= 0.0
    }
}

/// Wedges that are looked at together.
const AT_ONCE: usize = 4;

/// Of some wedges the half-planes on either side: unit vectors, and how far along these they begin [m].
#[derive(Clone, Copy, Debug)]
struct FewWedges {
    x: [[f32; AT_ONCE]; 2],
    y: [[f32; AT_ONCE]; 2],
    from: [[f32; AT_ONCE]; 2],
}

/// Wedges that hold nothing.
const EMPTY: FewWedges =
    FewWedges { x: [[0.0; AT_ONCE]; 2], y: [[0.0; AT_ONCE]; 2], from: [[f32::INFINITY; AT_ONCE]; 2] };

impl FewWedges {
    /// How far inside each wedge a point is [m], less than 0 outside.
    #[inline]
    fn inside(&self, [x, y]: [f32; 2]) -> [f32; AT_ONCE] {
        let mut least = [f32::INFINITY; AT_ONCE];
        for side in 0..2 {
            for (k, least) in least.iter_mut().enumerate() {
                let ahead = self.x[side][k] * x + self.y[side][k] * y - self.from[side][k];
                *least = if ahead < *least { ahead } else { *least };
            }
        }
        least
    }
}

/// The wedges of all faces.
#[derive(Clone, Debug)]
pub(crate) struct Views {
    /// Where each face's wedges start; one more at the end.
    starts: Vec<u32>,
    wedges: Vec<FewWedges>,
    seen: Vec<[Seen; AT_ONCE]>,
    /// Coordinates are taken from here on, so that small numbers are enough.
    centre: DVec2,
    /// What a point may be outside a wedge by rounding, and more [m].
    slack: f64,
}

/// Wedges per face at most, on the mean; where there are more, walking cones is quicker.
const MOST_PER_FACE: usize = 192;

impl Views {
    /// Whether so many wedges are no more than a question can look at.
    pub fn is_worth_while(faces: &Faces, wedges: usize) -> bool {
        wedges <= MOST_PER_FACE * faces.count()
    }

    /// 1 and 2: of wedges with their faces.
    pub fn of(faces: &Faces, mut found: Vec<(u32, Wedge)>) -> Self {
        let first = faces.xy.first().copied().unwrap_or_default();
        let (min, max) = faces.xy.iter().fold((first, first), |(min, max), &p| (min.min(p), max.max(p)));
        let (centre, size) = (min.midpoint(max), (max - min).max_element());
        // Of two products, their sum and three numbers each half a unit in the last place may be lost.
        let slack = 8.0 * f64::from(f32::EPSILON) * size;
        let mut views = Self { starts: Vec::new(), wedges: Vec::new(), seen: Vec::new(), centre, slack };
        found.sort_unstable();
        let mut of_face = found.chunk_by(|a, b| a.0 == b.0).peekable();
        let mut merged = Vec::new();
        for face in 0..faces.count() as u32 {
            views.starts.push(views.wedges.len() as u32);
            if let Some(group) = of_face.next_if(|group| group[0].0 == face) {
                merged.clear();
                for same in group.chunk_by(|a, b| a.1.corner == b.1.corner) {
                    merge(same, &mut merged);
                }
                merged.chunks(AT_ONCE).for_each(|few| views.add(faces, few));
            }
        }
        views.starts.push(views.wedges.len() as u32);
        views
    }

    fn add(&mut self, faces: &Faces, few: &[Wedge]) {
        let mut wedges = EMPTY;
        let mut seen = [Seen { corner: 0, right: 0, left: 0, mouth: NONE }; AT_ONCE];
        for (k, wedge) in few.iter().enumerate() {
            let fan = faces.fan(wedge.corner);
            let is_wide = fan.first().is_some_and(|&edge| faces.edges[edge as usize].flags & WIDE != 0);
            let bit = if is_wide { IS_WIDE } else { 0 };
            let Wedge { corner, right, left, mouth } = *wedge;
            seen[k] = Seen { corner: corner | bit, right, left, mouth };
            let tip = faces.xy[wedge.corner as usize];
            for (side, bound, sign) in [(0, wedge.right, 1.0), (1, wedge.left, -1.0)] {
                let inward = (faces.xy[bound as usize] - tip).perp().normalize_or_zero() * sign;
                wedges.x[side][k] = inward.x as f32;
                wedges.y[side][k] = inward.y as f32;
                let from = inward.dot(tip - self.centre) - self.slack;
                wedges.from[side][k] = if bound == wedge.corner { f32::NEG_INFINITY } else { from as f32 };
            }
        }
        self.wedges.push(wedges);
        self.seen.push(seen);
    }

    /// Visits the corners that a point of a face sees, some more than once.
    #[inline]
    pub fn for_each(&self, face: u32, p: DVec2, mut visit: impl FnMut(Seen)) {
        let [from, to] = [0, 1].map(|next| self.starts[face as usize + next] as usize);
        let p = p - self.centre;
        let p = [p.x as f32, p.y as f32];
        for (wedges, seen) in self.wedges[from..to].iter().zip(&self.seen[from..to]) {
            let inside = wedges.inside(p);
            let [a, b, c, d] = inside;
            if (a < 0.0) & (b < 0.0) & (c < 0.0) & (d < 0.0) {
                continue;
            }
            for (inside, &seen) in inside.into_iter().zip(seen) {
                if inside >= 0.0 {
                    visit(seen);
                }
            }
        }
    }
}

/// 2: the wedges of one corner in one face. None of them reaches beyond the face, seen from the corner, and so neither does what they
/// become.
fn merge(same: &[(u32, Wedge)], merged: &mut Vec<Wedge>) {
    let first = merged.len();
    'next: for &(_, wedge) in same {
        for other in &mut merged[first..] {
            if other.mouth != wedge.mouth {
                continue;
            }
            if other.left == wedge.right {
                other.left = wedge.left;
                continue 'next;
            }
            if other.right == wedge.left {
                other.right = wedge.right;
                continue 'next;
            }
        }
        merged.push(wedge);
    }
}
