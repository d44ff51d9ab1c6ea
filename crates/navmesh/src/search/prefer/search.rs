//! A path over places in strips that costs little: where to go, to be drawn tight later.
//!
//! Idea: A* over the places of [`super::strips`]. From a place one sees the next ones of its strips, on along the boundary where a
//!   strip ends. When its turn comes, a place is reached straight from the place before the last one where that is cheaper.
//! Source: straight ways past the last place as in Nash, Daniel, Koenig and Felner 2007, "Theta*".
//! Steps: 1. take the place with the least bound  2. reach it straight from further back  3. its neighbours
//! Promises a free path; how much it costs beside the best one is measured by tests, not proven.
//! Cost: each place once, [`SIGHT`] neighbours in either direction; [`MOST`] places at most.

use super::{
    strips::{NOWHERE, Place, Strips},
    weight::Scales,
};
use crate::{clearance::FeatureId, mesh::CellId};
use std::{cmp::Reverse, collections::BinaryHeap};
use wayfare_core::DVec2;

/// How many places before and after are seen from one in a strip.
const SIGHT: usize = 6;

/// Most places that are taken.
const MOST: u32 = 100_000;

/// The path from one end to the other that is cheapest by places, if it costs less than `most`: places with their cells. And how many
/// places were taken.
pub(crate) fn cheapest(
    scales: &mut Scales<'_>,
    strips: &mut Strips<'_>,
    ends: [(CellId, DVec2); 2],
    most: f64,
) -> (Option<Vec<(CellId, DVec2)>>, u32) {
    let [Some(start), Some(goal)] = ends.map(|(cell, at)| strips.add_end(cell, at)) else { return (None, 0) };
    let target = ends[1].1;
    strips.places[start as usize].cost = 0.0;
    let mut search = Search { scales, strips, heap: BinaryHeap::new(), target, most };
    search.heap.push((Reverse(key(ends[0].1.distance(target))), Reverse(start)));
    let mut taken = 0;
    // 1.
    while let Some((_, Reverse(number))) = search.heap.pop() {
        if search.strips.places[number as usize].is_done {
            continue;
        }
        search.shorten(number);
        search.strips.places[number as usize].is_done = true;
        taken += 1;
        if number == goal {
            return (Some(trace(&search.strips.places, goal)), taken);
        }
        if taken > MOST {
            break;
        }
        search.expand(number);
    }
    (None, taken)
}

/// Positive numbers in the order of their size.
fn key(cost: f64) -> u64 {
    cost.max(0.0).to_bits()
}

fn trace(places: &[Place], goal: u32) -> Vec<(CellId, DVec2)> {
    let mut path = Vec::new();
    let mut number = goal;
    while let Some(place) = places.get(number as usize) {
        path.push((place.cell, place.at));
        number = place.parent;
    }
    path.reverse();
    path
}

struct Search<'s, 'a, 'b> {
    scales: &'s mut Scales<'a>,
    strips: &'s mut Strips<'b>,
    heap: BinaryHeap<(Reverse<u64>, Reverse<u32>)>,
    target: DVec2,
    most: f64,
}

impl Search<'_, '_, '_> {
    /// 3.
    fn expand(&mut self, number: u32) {
        let [one, two] = self.strips.places[number as usize].features;
        self.look_in(number, one);
        if two != one {
            self.look_in(number, two);
        }
    }

    fn look_in(&mut self, number: u32, id: FeatureId) {
        let own = self.strips.strip(id).iter().position(|&other| other == number).unwrap_or(0);
        for forward in [true, false] {
            let (mut id, mut at, mut left) = (id, Some(own), SIGHT);
            let features = self.scales.clearances.features();
            // A strip may be empty; beyond a few of those nothing is seen.
            for _ in 0..4 {
                while let Some(k) = at {
                    let strip = self.strips.strip(id);
                    let Some(&other) = strip.get(k) else { break };
                    if other != number {
                        self.offer(number, other);
                        left -= 1;
                    }
                    if left == 0 {
                        break;
                    }
                    at = if forward { Some(k + 1) } else { k.checked_sub(1) };
                }
                if left == 0 {
                    break;
                }
                id = if forward { features.next(id) } else { features.previous(id) };
                at = if forward { Some(0) } else { self.strips.strip(id).len().checked_sub(1) };
            }
        }
    }

    /// 3. Goes on from a place to another, if that makes it cheaper.
    fn offer(&mut self, from: u32, to: u32) {
        if self.goes(from, to) {
            let place = &self.strips.places[to as usize];
            let bound = place.cost + place.at.distance(self.target);
            self.heap.push((Reverse(key(bound)), Reverse(to)));
        }
    }

    /// 2. Comes straight from the place before the last one, or from one further back.
    fn shorten(&mut self, number: u32) {
        let before =
            |places: &[Place], number: u32| places.get(number as usize).map_or(NOWHERE, |place| place.parent);
        loop {
            let far = before(&self.strips.places, before(&self.strips.places, number));
            if far == NOWHERE || !self.goes(far, number) {
                break;
            }
        }
    }

    /// Whether a place becomes cheaper by going there straight from another.
    fn goes(&mut self, from: u32, to: u32) -> bool {
        let (a, b) = (&self.strips.places[from as usize], &self.strips.places[to as usize]);
        if b.is_done {
            return false;
        }
        let rest = b.at.distance(self.target);
        let most = (b.cost - a.cost).min(self.most - a.cost - rest);
        let Some((cost, cell)) = self.scales.weigh(a.cell, a.at, b.at, most) else { return false };
        let cost = a.cost + cost;
        if cost >= b.cost || !is_same_place(self.scales, cell, b.cell, b.at) {
            return false;
        }
        let place = &mut self.strips.places[to as usize];
        (place.cost, place.parent) = (cost, from);
        true
    }
}

/// Whether a point that lies in two cells in plan is one place of the ground, and not one over the other.
pub(crate) fn is_same_place(scales: &Scales<'_>, one: CellId, two: CellId, at: DVec2) -> bool {
    /// Floors lie further apart, the same ground seen from two cells does not [m].
    const SAME: f64 = 0.05;
    let mesh = scales.clearances.mesh;
    one == two
        || mesh.storey(one) == mesh.storey(two)
        || (mesh.height(one, at) - mesh.height(two, at)).abs() <= SAME
}
