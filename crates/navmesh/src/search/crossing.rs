//! Where best to cross a gap on the way from one place to another: from a side of it to a side that is near enough.
//!
//! Idea: as long as the way goes straight before and after, it is shortest over two places that are a convex problem of their own. Pairs
//!   of sides are taken in the order of how far they are off at least, until no pair can be better than the best ones known.
//! Cost: some hundred evaluations per pair that is looked at; few are.

use super::cross::{Quest, Run};
use super::query::PathFinder;
use crate::{
    clearance::FREE_SLACK,
    gap::SLACK,
    mesh::{CornerId, NavMesh},
};
use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
    ops::Deref,
};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::segment::{distance_squared_to_segment, nearest_on_segment};

/// Cells of a gap that are looked at, pairs of its sides that are, and those that are kept.
const CELLS: usize = 64;
const PAIRS: usize = 12;
const KEPT: usize = 3;

/// What a distance may be off by rounding [m].
const ROUNDING: f64 = 1e-9;

/// Steps of a search for a least value; each leaves all but this part.
const STEPS: usize = 34;
const LEFT_OUT: f64 = 0.381_966_011_250_105_1;

/// Steps of a search for the farthest place.
const HALVES: usize = 40;

/// Where to cross a gap: from a side to another.
#[derive(Clone, Copy)]
pub(super) struct Crossing {
    /// The corners of gap cells whose edges the sides are.
    pub sides: [CornerId; 2],
    pub places: [DVec2; 2],
    /// How long the way over it is from where it turns before to where it turns after [m].
    pub value: f64,
}

/// Two sides, and how long a way over both is at least.
#[derive(Clone, Copy, PartialEq)]
struct Pair {
    least: f64,
    sides: [CornerId; 2],
    /// Their numbers in the order of distance from where the way turns before, and after.
    numbers: [usize; 2],
}

impl Eq for Pair {}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.least.total_cmp(&other.least).then(self.sides.cmp(&other.sides))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// The best crossings of the gap of a run, best ones first.
    pub(super) fn crossings(&self, run: &Run, turns: [DVec2; 2], quest: &Quest<'_>) -> Vec<Crossing> {
        let sides = self.sides_near(run, quest);
        let ends = |corner: CornerId| self.mesh.edge(corner).map(|vertex| self.mesh.xy(vertex));
        let by_distance = |from: DVec2| {
            let distance = |corner: CornerId| {
                let [a, b] = ends(corner);
                distance_squared_to_segment(from, a, b).sqrt()
            };
            let mut all: Vec<(f64, CornerId)> = sides.iter().map(|&side| (distance(side), side)).collect();
            all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            all
        };
        let [near, far] = turns.map(by_distance);
        let pair = |numbers: [usize; 2]| {
            let (one, two) = (near.get(numbers[0])?, far.get(numbers[1])?);
            Some(Reverse(Pair { least: one.0 + two.0, sides: [one.1, two.1], numbers }))
        };
        let mut waiting: BinaryHeap<Reverse<Pair>> = pair([0, 0]).into_iter().collect();
        let (mut kept, mut count): (Vec<Crossing>, usize) = (Vec::new(), 0);
        let reach = quest.most.width + SLACK;
        while let Some(Reverse(Pair { least, sides, numbers: [i, j] })) = waiting.pop() {
            let is_full = kept.len() == KEPT;
            if count == PAIRS || is_full && kept.last().is_some_and(|last| last.value <= least) {
                break;
            }
            waiting.extend(pair([i, j + 1]));
            waiting.extend(pair([i + 1, j]).filter(|_| j == 0));
            let [one, two] = sides;
            if one == two || !is_within(ends(one), ends(two), reach) {
                continue;
            }
            if let Some(crossing) = self.best_places(sides, turns, quest) {
                count += 1;
                let is_before = |known: &Crossing| {
                    known.value.total_cmp(&crossing.value).then(known.sides.cmp(&crossing.sides)).is_lt()
                };
                kept.insert(kept.partition_point(is_before), crossing);
                kept.truncate(KEPT);
            }
        }
        kept
    }

    /// The sides of the gap of a run by which the ground beside it may be entered: of all of the gap, as far as it is near.
    fn sides_near(&self, run: &Run, quest: &Quest<'_>) -> Vec<CornerId> {
        let mesh = &*self.mesh;
        let mut cells = run.cells.clone();
        let mut at = 0;
        while let Some(&cell) = cells.get(at).filter(|_| cells.len() < CELLS) {
            at += 1;
            for other in mesh.corners(cell).filter_map(|corner| mesh.neighbour(corner)) {
                if mesh.gap(other).is_some() && !cells.contains(&other) {
                    cells.push(other);
                }
            }
        }
        let is_open = |corner: &CornerId| {
            let (Some(portal), Some(ground)) = (mesh.portal_at(*corner), mesh.neighbour(*corner)) else {
                return false;
            };
            mesh.gap(ground).is_none()
                && quest.limits.is_none_or(|limits| limits.allows_crossing(portal, ground))
        };
        let mut sides: Vec<CornerId> =
            cells.iter().flat_map(|&cell| mesh.corners(cell)).filter(is_open).collect();
        sides.sort_unstable();
        sides.dedup();
        sides
    }

    /// The best places on two sides of a gap to cross it on the way from one point to another; nothing if they are too far apart, or one too
    /// high over the other, or what lies between them is not all gap, or too narrow.
    pub(super) fn best_places(
        &self,
        sides: [CornerId; 2],
        turns: [DVec2; 2],
        quest: &Quest<'_>,
    ) -> Option<Crossing> {
        let side = |corner: CornerId| {
            inner(self.mesh.edge(corner).map(|vertex| self.mesh.xy(vertex)), quest.off_corners)
        };
        let (value, places) = shortest_way(sides.map(side), turns, quest.most.width)?;
        let crossing = Crossing { sides, places, value };
        let [from, to] = self.ground_beside(&crossing).map(|p| p.z);
        let is_low = (to - from).abs() <= quest.most.rise + SLACK;
        (is_low && self.is_all_gap(&crossing, quest)).then_some(crossing)
    }

    /// The two places of a crossing on the ground beside the gap.
    pub(super) fn ground_beside(&self, crossing: &Crossing) -> [DVec3; 2] {
        [0, 1].map(|k| {
            let p = crossing.places[k];
            let cell = self.mesh.neighbour(crossing.sides[k]);
            p.extend(cell.map_or(0.0, |cell| self.mesh.height(cell, p)))
        })
    }

    /// Whether the straight way over a crossing is through gaps alone, and wide enough for the body.
    fn is_all_gap(&self, crossing: &Crossing, quest: &Quest<'_>) -> bool {
        let mesh = &*self.mesh;
        let [a, b] = crossing.places;
        let [near, far] = crossing.sides.map(|corner| mesh.cell_of_corner(corner));
        let is_wide = |clearances: crate::Clearances<'_>| {
            clearances.along(near, a, b).distance >= quest.body.radius - FREE_SLACK
        };
        if quest.body.radius > FREE_SLACK && !quest.body.overhangs && !mesh.clearances().is_some_and(is_wide)
        {
            return false;
        }
        // From cell to cell towards the far side.
        let mut cell = near;
        for _ in 0..CELLS {
            if cell == far {
                return true;
            }
            let way_out = mesh.corners(cell).find(|&corner| {
                let [p, q] = mesh.edge(corner).map(|vertex| mesh.xy(vertex));
                let is_between = (b - a).perp_dot(p - a) <= 0.0 && (b - a).perp_dot(q - a) >= 0.0;
                is_between && (q - p).perp_dot(b - p) <= 0.0 && corner != crossing.sides[0]
            });
            match way_out.and_then(|corner| mesh.neighbour(corner)) {
                Some(next) if mesh.gap(next).is_some() => cell = next,
                _ => return false,
            }
        }
        false
    }
}

/// The shortest way from one point over two segments, whose places there are no farther apart than so much, to another point: how long, and
/// over which places.
fn shortest_way([near, far]: [[DVec2; 2]; 2], turns: [DVec2; 2], most: f64) -> Option<(f64, [DVec2; 2])> {
    // What is asked for, which sides as far apart all along may exceed by rounding; but a gap may be a hair wider.
    let within = |more: f64| shares_within(near, far, most + more).map(|shares| (most + more, shares));
    let (most, [low, high]) = [ROUNDING, SLACK - ROUNDING].into_iter().find_map(within)?;
    // The least of the whole as it depends on the place on the near side: convex, infinite out of reach.
    let far = Side::of(far);
    let on_far = |a: DVec2| -> Option<(f64, DVec2)> {
        let b = far.shortest_over(far.part_within(a, most)?, a, turns[1]);
        Some((a.distance(b) + b.distance(turns[1]), b))
    };
    let value = |s: f64| {
        let a = near[0].lerp(near[1], s);
        on_far(a).map_or(f64::INFINITY, |(rest, _)| turns[0].distance(a) + rest)
    };
    let s = least(low, high, value);
    let a = near[0].lerp(near[1], s);
    let (_, b) = on_far(a)?;
    Some((value(s), [a, b]))
}

/// A segment less so much at both ends; of a short one its middle.
fn inner([a, b]: [DVec2; 2], less: f64) -> [DVec2; 2] {
    let share = (less / a.distance(b)).min(0.5);
    if share > 0.0 { [a.lerp(b, share), b.lerp(a, share)] } else { [a, b] }
}

/// Whether two segments come within a distance of each other.
fn is_within([a, b]: [DVec2; 2], [c, d]: [DVec2; 2], most: f64) -> bool {
    let to = |p: DVec2, [a, b]: [DVec2; 2]| distance_squared_to_segment(p, a, b);
    let least = [to(a, [c, d]), to(b, [c, d]), to(c, [a, b]), to(d, [a, b])];
    least.into_iter().fold(f64::INFINITY, f64::min) <= most * most
}

/// A segment that places are looked for on.
struct Side {
    from: DVec2,
    along: DVec2,
    length: f64,
}

impl Side {
    fn of([from, to]: [DVec2; 2]) -> Self {
        let length = from.distance(to);
        Self { from, along: (to - from).normalize_or_zero(), length }
    }

    /// From where to where it is within a distance of a point.
    fn part_within(&self, p: DVec2, most: f64) -> Option<[f64; 2]> {
        let foot = (p - self.from).dot(self.along);
        let off = (p - self.from).perp_dot(self.along);
        let half = most * most - off * off;
        if half < 0.0 {
            return None;
        }
        let half = half.sqrt();
        let (low, high) = ((foot - half).max(0.0), (foot + half).min(self.length));
        (low <= high).then_some([low, high])
    }

    /// The point of a part over which the way from one place to another is shortest: that where light would be reflected, or pass.
    fn shortest_over(&self, [low, high]: [f64; 2], a: DVec2, b: DVec2) -> DVec2 {
        let [foot_a, foot_b] = [a, b].map(|p| (p - self.from).dot(self.along));
        let [off_a, off_b] = [a, b].map(|p| (p - self.from).perp_dot(self.along).abs());
        let share = if off_a + off_b > 0.0 { off_a / (off_a + off_b) } else { 0.0 };
        let at = foot_a + (foot_b - foot_a) * share;
        self.from + self.along * at.clamp(low, high)
    }
}

/// The shares of a segment from which another is within a distance.
fn shares_within(near: [DVec2; 2], far: [DVec2; 2], most: f64) -> Option<[f64; 2]> {
    let distance = |s: f64| {
        let a = near[0].lerp(near[1], s);
        a.distance(nearest_on_segment(a, far[0], far[1]))
    };
    let ends = [0.0, 1.0].map(|end| distance(end) <= most);
    if ends == [true; 2] {
        return Some([0.0, 1.0]);
    }
    let middle = if ends[0] {
        0.0
    } else if ends[1] {
        1.0
    } else {
        least(0.0, 1.0, distance)
    };
    if distance(middle) > most {
        return None;
    }
    // The distance is convex: bisect towards both ends.
    let farthest = |end: f64, is_within: bool| {
        if is_within {
            return end;
        }
        let (mut good, mut bad) = (middle, end);
        for _ in 0..HALVES {
            let half = (good + bad) / 2.0;
            if distance(half) <= most { good = half } else { bad = half }
        }
        good
    };
    Some([farthest(0.0, ends[0]), farthest(1.0, ends[1])])
}

/// Where a convex function is least, by golden sections.
fn least(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> f64 {
    let inside = |low: f64, high: f64| {
        let less = (high - low) * LEFT_OUT;
        [low + less, high - less]
    };
    let [mut one, mut two] = inside(low, high);
    let (mut at_one, mut at_two) = (value(one), value(two));
    for _ in 0..STEPS {
        if at_one <= at_two {
            high = two;
            (two, at_two) = (one, at_one);
            one = inside(low, high)[0];
            at_one = value(one);
        } else {
            low = one;
            (one, at_one) = (two, at_two);
            two = inside(low, high)[1];
            at_two = value(two);
        }
    }
    // The ends are often best, and exact.
    let middle = (low + high) / 2.0;
    [low, high].into_iter().fold(middle, |best, end| if value(end) <= value(best) { end } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec2;

    #[test]
    fn a_gap_as_wide_as_the_body_steps_is_crossed_at_a_slant_and_is_not_too_wide() {
        for k in 0..1000 {
            let along = DVec2::from_angle(f64::from(k) * 0.01);
            let at = |x: f64, y: f64| dvec2(8.3, 6.9) + along * x + along.perp() * y;
            // By rounding a little wider than 0.3 m here and there.
            let sides = [[at(-1.0, 0.0), at(1.0, 0.0)], [at(1.5, 0.3), at(-1.5, 0.3)]];
            let (length, [a, b]) = shortest_way(sides, [at(-2.0, -1.0), at(2.0, 1.3)], 0.3).unwrap();
            assert!(a.distance(b) <= 0.3 + SLACK, "{k}: {a} {b}");
            // Straight over, or a hair at a slant.
            let straight = 2.0 * 2f64.hypot(1.0) + 0.3;
            assert!((length - straight).abs() < 1e-4, "{k}: {length}");
        }
    }

    proptest! {
        #[test]
        fn no_other_point_of_a_segment_is_on_a_shorter_way(
            [ax, ay, bx, by, px, py, qx, qy] in prop::array::uniform8(-3i32..4)
        ) {
            let point = |x: i32, y: i32| dvec2(f64::from(x), f64::from(y)) / 4.0;
            let (a, b, p, q) = (point(ax, ay), point(bx, by), point(px, py), point(qx, qy));
            let over = |r: DVec2| a.distance(r) + r.distance(b);
            let found = Side::of([p, q]).shortest_over([0.0, p.distance(q)], a, b);
            prop_assert!(distance_squared_to_segment(found, p, q) < 1e-20);
            for k in 0..=200 {
                prop_assert!(over(found) <= over(p.lerp(q, f64::from(k) / 200.0)) + 1e-12);
            }
        }
    }
}
