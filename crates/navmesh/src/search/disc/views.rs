//! Which corners a point sees, by the face that holds it: what walking cones from the point would find.
//!
//! Idea: a corner sees a part of a face through each way that its cones come in by: a wedge with its tip at the corner, between two
//!   vertices. All cones of all corners are walked once, when a finder is made ([`super::sight`]), so the wedges of each face can be
//!   kept; then a point asks which of them hold it, instead of walking cones of its own.
//! Source: own; visibility from a point by the regions that corners see.
//! Steps: 1. the wedges of all corners, by face  2. wedges of one corner that lie side by side become one
//! Promises: every corner that a point sees has a wedge that holds it. By rounding a wedge may hold points that are a hair beside it.
//! Cost: 16 bytes per wedge. A question looks at all wedges of a face: two cross products each.

use super::super::{
    cone::Cone,
    faces::{Faces, NONE, WIDE},
};
use wayfare_core::DVec2;

/// In [`Wedge::corner`], the bit that says that the ground goes round the corner more than once.
const IS_WIDE: u32 = 1 << 31;

/// What a corner sees of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wedge {
    /// The vertex, and [`IS_WIDE`].
    corner: u32,
    /// The vertices on whose rays it ends, seen from the corner; the corner itself if the face lies at it.
    pub right: u32,
    pub left: u32,
    /// Of the edges that lead down into dead ends towards the corner, the one that closes the dead end to the largest discs;
    /// [`NONE`] if the corner is in no dead end, seen from here.
    pub mouth: u32,
}

impl Wedge {
    /// A face at a corner, which sees all of it.
    pub fn all_round(corner: u32) -> Self {
        Self { corner, right: corner, left: corner, mouth: NONE }
    }

    /// What a cone sees of the face that it enters.
    pub fn of(cone: &Cone, mouth: u32) -> Self {
        Self { corner: cone.root, right: cone.right, left: cone.left, mouth }
    }

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
}

/// The wedges of all faces.
#[derive(Clone, Debug)]
pub(crate) struct Views {
    /// Where each face's wedges start; one more at the end.
    starts: Vec<u32>,
    wedges: Vec<Wedge>,
    /// Cross products that differ by less are the same [m²].
    hair: f64,
}

/// Wedges per face at most, on the mean; where there are more, walking cones is quicker.
const MOST_PER_FACE: usize = 192;

impl Views {
    /// Whether so many wedges are no more than a question can look at.
    pub fn is_worth_while(faces: &Faces, wedges: usize) -> bool {
        wedges <= MOST_PER_FACE * faces.count()
    }

    /// 1 and 2: of wedges with their faces; nothing if there are too many.
    pub fn of(faces: &Faces, mut found: Vec<(u32, Wedge)>) -> Option<Self> {
        for (_, wedge) in &mut found {
            let fan = faces.fan(wedge.corner);
            if fan.first().is_some_and(|&edge| faces.edges[edge as usize].flags & WIDE != 0) {
                wedge.corner |= IS_WIDE;
            }
        }
        found.sort_unstable();
        let mut views = Self { starts: Vec::new(), wedges: Vec::new(), hair: 0.0 };
        let mut of_face = found.chunk_by(|a, b| a.0 == b.0).peekable();
        for face in 0..faces.count() as u32 {
            views.starts.push(views.wedges.len() as u32);
            if let Some(group) = of_face.next_if(|group| group[0].0 == face) {
                for same in group.chunk_by(|a, b| a.1.corner == b.1.corner) {
                    views.add(same);
                }
            }
        }
        views.starts.push(views.wedges.len() as u32);
        if !Self::is_worth_while(faces, views.wedges.len()) {
            return None;
        }
        views.wedges.shrink_to_fit();
        let extent = faces.xy.iter().fold(0f64, |most, p| most.max(p.x.abs()).max(p.y.abs()));
        // A product of two differences is off by a few of its last bits.
        views.hair = 64.0 * f64::EPSILON * extent * extent;
        Some(views)
    }

    /// 2: the wedges of one corner in one face.
    fn add(&mut self, same: &[(u32, Wedge)]) {
        let first = self.wedges.len();
        'next: for &(_, wedge) in same {
            for k in first..self.wedges.len() {
                let other = &mut self.wedges[k];
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
            self.wedges.push(wedge);
        }
    }

    /// The corners that a point of a face sees; some more than once.
    #[inline]
    pub fn from<'a>(
        &'a self,
        faces: &'a Faces,
        face: u32,
        p: DVec2,
    ) -> impl Iterator<Item = (&'a Wedge, DVec2)> {
        let [from, to] = [0, 1].map(|next| self.starts[face as usize + next] as usize);
        let hair = self.hair;
        self.wedges[from..to].iter().filter_map(move |wedge| {
            let tip = faces.xy[wedge.vertex() as usize];
            let arm = p - tip;
            let right = faces.xy[wedge.right as usize] - tip;
            let left = faces.xy[wedge.left as usize] - tip;
            (right.perp_dot(arm) >= -hair && left.perp_dot(arm) <= hair).then_some((wedge, tip))
        })
    }
}
