//! Way points: where an agent now heads for, chosen from where it is.
//!
//! | kind | heads for |
//! |---|---|
//! | `Centre` | the middle of the next portal's usable part (the baseline of the paper) |
//! | `Funnel` | the first turn of the string pulled tight through the portals ahead |
//! | `Dynamic` | the goal if it is seen; the point straight ahead on the next portal; else its farther end (the paper) |
//! | `Blend` | the first turn where the way is free; in a crowd along its lane (module `lane`); and between |
//!
//! Source: Oliva and Pelechano 2015, section 5, for `Dynamic`; Lee and Preparata 1984 for the funnel. `Blend` differs from the
//! paper: beside doors the nearest end instead of the farther one lets 40 % more people through, and round turns everybody stays
//! as far from the inner side as it is (`docs/crowd.md`).
//! Promises: pure functions of position and field; nothing is allocated. Cost: `Funnel` looks [`LOOK_AHEAD`] portals ahead.

use crate::{
    field::{Field, Gate},
    lane::Lane,
};
use wayfare_core::DVec2;
use wayfare_geom::predicates::orient;
use wayfare_navmesh::CellId;

/// How many portals are looked ahead.
const LOOK_AHEAD: usize = 12;
/// How far behind a portal its way points lie [m]: one who stands on the portal still knows the way. Not measured further.
const BEYOND: f64 = 0.1;

/// How way points are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WayPointRule {
    /// The middle of the next portal.
    Centre,
    /// The first turn of the shortest way.
    Funnel,
    /// The point straight ahead on the next portal, or its farther end.
    Dynamic,
    /// The first turn of the shortest way where it is free, along its lane in a crowd.
    #[default]
    Blend,
}

/// An agent on the way to a goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnTheWay<'a> {
    pub field: &'a Field,
    pub cell: CellId,
    pub at: DVec2,
    /// The next gate; none where the goal is in the cell.
    pub gate: Option<u32>,
    /// The direction in which it headed before, of length 1 or 0.
    pub heading: DVec2,
    /// How crowded the way ahead is, 0 to 1.
    pub crowding: f64,
}

impl OnTheWay<'_> {
    /// The direction to the way point, and whether that leads round a corner in a crowd.
    pub fn ahead(&self, rule: WayPointRule) -> (DVec2, bool) {
        let towards = |p: DVec2| (p - self.at).normalize_or_zero();
        let Some(gate) = self.gate.and_then(|gate| self.field.gate(gate)) else {
            return (towards(self.goal(self.cell).unwrap_or(self.at)), false);
        };
        match rule {
            WayPointRule::Centre => (towards(beyond(gate, gate.span[0].midpoint(gate.span[1]))), false),
            WayPointRule::Funnel => (towards(self.string().to), false),
            WayPointRule::Dynamic => (towards(self.dynamic(gate)), false),
            WayPointRule::Blend => {
                let string = self.string();
                let free = towards(string.to);
                if self.crowding <= 0.0 {
                    return (free, false);
                }
                // Both lead across the portal, and so does every direction between them.
                let Lane { along, turns } = self.lane(gate, string.side, free);
                (free.lerp(along, self.crowding).normalize_or_zero(), turns)
            }
        }
    }

    /// The point of the goal in a cell.
    fn goal(&self, cell: CellId) -> Option<DVec2> {
        self.field.nearest_piece(cell, self.at).map(|(p, _)| p)
    }

    fn dynamic(&self, gate: &Gate) -> DVec2 {
        // The funnel ends at the goal only if it is seen.
        let string = self.string();
        if string.is_goal {
            return string.to;
        }
        let [right, left] = gate.aims;
        let along = left - right;
        let share = (self.at - right).dot(along) / along.length_squared();
        let point = if (0.0..=1.0).contains(&share) {
            right + along * share
        } else if right.distance_squared(self.at) >= left.distance_squared(self.at) {
            right
        } else {
            left
        };
        beyond(gate, point)
    }

    /// The string pulled tight: its first turn, or the goal.
    ///
    /// Of all headings those are kept that pass the portals so far, between a right and a left leg; where a portal lies
    /// wholly beyond a leg, the string turns at the leg's end.
    fn string(&self) -> Pulled {
        let from = self.at;
        let mut legs: [Option<(DVec2, &Gate)>; 2] = [None, None];
        let turn = |(end, gate): (DVec2, &Gate), side| Pulled {
            to: beyond(gate, end),
            is_goal: false,
            side: Some(side),
        };
        let mut last = None;
        for gate in self.field.chain(self.gate).take(LOOK_AHEAD) {
            let [right, left] = gate.aims;
            if let Some(leg) = legs[1]
                && orient(from, leg.0, right) > 0.0
            {
                return turn(leg, 1);
            }
            if let Some(leg) = legs[0]
                && orient(from, leg.0, left) < 0.0
            {
                return turn(leg, 0);
            }
            if legs[0].is_none_or(|(leg, _)| orient(from, leg, right) > 0.0) {
                legs[0] = Some((right, gate));
            }
            if legs[1].is_none_or(|(leg, _)| orient(from, leg, left) < 0.0) {
                legs[1] = Some((left, gate));
            }
            last = Some(gate);
        }
        let Some(gate) = last else {
            return Pulled { to: self.goal(self.cell).unwrap_or(from), is_goal: true, side: None };
        };
        // At the end of what is looked at: the goal, or straight on.
        let is_end = self.field.gate(gate.next).is_none();
        let goal = if is_end { self.field.goal_beyond(gate, from) } else { None };
        let (to, is_goal) = match goal {
            Some(goal) => (goal, true),
            None => (beyond(gate, nearest(gate, from)), false),
        };
        if let Some(leg) = legs[1]
            && orient(from, leg.0, to) > 0.0
        {
            return turn(leg, 1);
        }
        if let Some(leg) = legs[0]
            && orient(from, leg.0, to) < 0.0
        {
            return turn(leg, 0);
        }
        Pulled { to, is_goal, side: None }
    }
}

/// What a string pulled tight leads to first.
struct Pulled {
    to: DVec2,
    is_goal: bool,
    /// On which side it turns there: 0 right, 1 left.
    side: Option<usize>,
}

/// The nearest point of a portal where way points lie.
pub(crate) fn nearest(gate: &Gate, p: DVec2) -> DVec2 {
    let [right, left] = gate.aims;
    wayfare_geom::segment::nearest_on_segment(p, right, left)
}

/// A point on a portal, moved a little across it.
pub(crate) fn beyond(gate: &Gate, p: DVec2) -> DVec2 {
    p + gate.forward * BEYOND
}
