//! Cracks between floors that are meant to touch: files keep coordinates in few digits, so that a vertex misses the edge that it
//! was drawn on.
//!
//! Idea: where the rims of two patches run along each other in opposite directions, no further apart than 10 µm, the ground
//!   of one grows by a quadrilateral that reaches a little into both. At one height the other patch loses it, so that
//!   the new edge is the same for both; under a step, what lies under the higher ground is cut off by it as always.
//! Cost: O(n log n) for rims that do not run along many others.

use super::{cuts::SAME_FLOOR, patches::Patches};
use crate::GroundConfig;
use wayfare_core::DVec3;
use wayfare_geom::{
    boolean::{Node, turn_sign},
    bvh::{Aabb3, Bvh},
};

/// The widest crack [m].
const CRACK: f64 = 1e-5;

/// How far a filler reaches into the ground on both sides [units of the grid]: more than rounding can take away.
const INTO: f64 = 8.0;

/// Ground that fills a crack.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filler {
    /// The patch it is about.
    pub patch: u32,
    /// Nothing if the patch grows by it; else it loses it, to the patch of this triangle.
    pub cut_by: Option<u32>,
    /// Counter-clockwise.
    pub ring: [Node; 4],
}

/// A side of one walkable triangle alone, with the ground on its left.
struct Rim {
    ends: [DVec3; 2],
    nodes: [Node; 2],
    patch: u32,
    triangle: u32,
}

/// The fillers, by patch.
pub(super) fn find_fillers(ground: &Patches, config: &GroundConfig) -> Vec<Filler> {
    let mut alone: Vec<(u32, usize)> = Vec::new();
    for (triangle, [a, b]) in ground.sides.alone() {
        let corners = ground.corners(triangle);
        let is_side = |&k: &usize| {
            let [from, to] = [corners[k], corners[(k + 1) % 3]];
            (from, to) == (a, b) || (from, to) == (b, a)
        };
        alone.extend((0..3).find(is_side).map(|k| (triangle, k)));
    }
    alone.sort_unstable();
    let rim = |&(triangle, k): &(u32, usize)| {
        let corners = ground.corners(triangle);
        let [from, to] = [corners[k] as usize, corners[(k + 1) % 3] as usize];
        Rim {
            ends: [ground.scene.mesh.vertices[from], ground.scene.mesh.vertices[to]],
            nodes: [ground.nodes[from], ground.nodes[to]],
            patch: ground.patch_of[triangle as usize],
            triangle,
        }
    };
    let rims: Vec<Rim> = alone.iter().map(rim).collect();
    let boxes: Vec<Aabb3> = rims.iter().map(|rim| Aabb3::of_points(rim.ends)).collect();
    let tree = Bvh::build(&boxes);
    let mut fillers = Vec::new();
    let mut near = Vec::new();
    for (k, rim) in rims.iter().enumerate() {
        let grown = DVec3::new(CRACK, CRACK, config.step);
        let area = Aabb3 { min: boxes[k].min - grown, max: boxes[k].max + grown };
        near.clear();
        tree.visit(&area, |other| {
            if (other as usize) > k && boxes[other as usize].meets(&area) {
                near.push(other);
            }
            false
        });
        for &other in &near {
            fillers.extend(
                fill(ground, rim, &rims[other as usize], config.step).into_iter().flatten().flatten(),
            );
        }
    }
    fillers.sort_by_key(|filler| (filler.patch, filler.cut_by, filler.ring));
    fillers
}

/// What fills the crack between two rims, if there is one.
fn fill(ground: &Patches, one: &Rim, two: &Rim, step: f64) -> Option<[Option<Filler>; 2]> {
    let (a, b) = (one.ends[0].truncate(), one.ends[1].truncate());
    let (c, d) = (two.ends[0].truncate(), two.ends[1].truncate());
    let length = (b - a).length();
    let along = (b - a) / length;
    let (from, to) = ((d - a).dot(along), (c - a).dot(along));
    // Opposite directions, and some length in common.
    let common = [from.max(0.0), to.min(length)];
    if !(from < to && common[1] - common[0] > CRACK) {
        return None;
    }
    // Exactly on one line: they meet at grid points anyway.
    if two.nodes.iter().all(|&p| turn_sign(one.nodes[0], one.nodes[1], p) == 0) {
        return None;
    }
    let (out, unit) = (-along.perp(), ground.grid.spacing());
    // Of both ends of the common part: how far out the other rim is there, and how much higher.
    let [[near, rise], [far, rise_far]] = common.map(|at| {
        let p = one.ends[0] + (one.ends[1] - one.ends[0]) * (at / length);
        let q = two.ends[1] + (two.ends[0] - two.ends[1]) * ((at - from) / (to - from));
        [(q - p).truncate().dot(out), q.z - p.z]
    });
    let widest = near.abs().max(far.abs());
    let rises = rise.abs().max(rise_far.abs());
    if !(widest <= CRACK && rises <= step) {
        return None;
    }
    let into = INTO * unit;
    let corner = |at: f64, by: f64| ground.grid.round(a + along * at + out * by);
    let ring = [
        corner(common[0], near.min(0.0) - into),
        corner(common[0], near.max(0.0) + into),
        corner(common[1], far.max(0.0) + into),
        corner(common[1], far.min(0.0) - into),
    ];
    if (0..4).any(|k| turn_sign(ring[k], ring[(k + 1) % 4], ring[(k + 2) % 4]) <= 0) {
        return None;
    }
    let grow = |rim: &Rim| Some(Filler { patch: rim.patch, cut_by: None, ring });
    Some(if rises > SAME_FLOOR {
        [grow(if rise + rise_far > 0.0 { one } else { two }), None]
    } else {
        let (keeps, loses) = if one.patch <= two.patch { (one, two) } else { (two, one) };
        let lost = Filler { patch: loses.patch, cut_by: Some(keeps.triangle), ring };
        [grow(keeps), (keeps.patch != loses.patch).then_some(lost)]
    })
}
