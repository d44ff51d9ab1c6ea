//! Looks whether the goal is in plain sight, before anything is searched.
//!
//! Idea: many queries are short, and following one line through the faces is far cheaper than a search. A line that
//! runs exactly into a vertex is left to the search: following it round the fan was tried and paid for itself on
//! no map.
//! Promises: yes only if the straight line lies on the ground.
//! Cost: O(edges of the faces passed), at most until the first wall.

use super::{cone::Ground, faces::NONE};
use wayfare_core::DVec2;

/// Whether the line from the start, which lies in all of `starts`, to `goal` runs through inner points of edges only
/// and ends in one of `goals`.
pub(crate) fn is_in_sight(ground: &Ground<'_>, starts: &[u32], goal: DVec2, goals: &[u32]) -> bool {
    let faces = ground.faces;
    let edges = &faces.edges[..];
    let side = |p: DVec2| ground.orient.sign(ground.start, goal, p);
    // The edge that leads out of a first face goes from right to left of the line.
    let way_out = |&face: &u32| {
        let (first, end) = faces.range(face);
        let mut before = side(edges[end as usize - 1].at);
        for k in first..end {
            let here = side(edges[k as usize].at);
            if before < 0.0 && here > 0.0 {
                let out = if k == first { end - 1 } else { k - 1 };
                return (edges[out as usize].twin != NONE).then_some(out);
            }
            before = here;
        }
        None
    };
    let Some(mut out) = starts.iter().find_map(way_out) else { return false };
    // A straight line meets a face once; the count is for meshes that broke their promises.
    for _ in 0..faces.count() {
        let twin = edges[out as usize].twin;
        if twin == NONE || ground.limits.is_some_and(|limits| !limits.may_enter_by(faces, twin)) {
            return false;
        }
        let face = edges[twin as usize].face;
        if goals.contains(&face) {
            return true;
        }
        // The first vertex left of the line ends the edge that leads on.
        let (first, end) = faces.range(face);
        let next = |k: u32| if k + 1 == end { first } else { k + 1 };
        out = next(twin);
        loop {
            let after = next(out);
            if after == twin {
                break;
            }
            let here = side(edges[after as usize].at);
            if here > 0.0 {
                break;
            }
            if here == 0.0 {
                return false;
            }
            out = after;
        }
    }
    false
}
