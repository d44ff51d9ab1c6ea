//! The first turn of a string that is pulled tight through the portals ahead.
//!
//! Idea: the funnel: of all headings from the body those that pass the portals so far, between a left and a right leg. Where a
//! portal lies wholly beyond a leg, the string turns at the leg's end. Only the first turn is needed, so nothing is kept.
//! Corners that the path turns round count as portals that are open on one side: they may be notches of relaxed cells.
//! Source: Lee and Preparata 1984, "Euclidean shortest paths in the presence of rectilinear barriers"; on shrunk portals.

use super::{Corridor, LOOK_AHEAD, Walker, WayPoint, WayPointKind, WayPoints};
use wayfare_core::DVec2;
use wayfare_geom::predicates::orient;

impl WayPoints<'_> {
    /// The goal if the body can go there straight, else the first turn of the shortest way through the portals ahead.
    pub fn taut(&self, walker: &Walker, corridor: &Corridor) -> WayPoint {
        let goal = WayPoint { at: corridor.goal().1, kind: WayPointKind::Goal };
        if self.is_free(walker, goal.at) {
            return goal;
        }
        let found = self.towards(walker, corridor, self.first_turn(walker, corridor).unwrap_or(goal));
        // A string may be led astray where a body stands far off its path in a relaxed cell.
        if found.kind == WayPointKind::Stuck { self.dynamic(walker, corridor) } else { found }
    }

    fn first_turn(&self, walker: &Walker, corridor: &Corridor) -> Option<WayPoint> {
        let (end, first) = (corridor.gates().len(), walker.passed);
        let last = (first + LOOK_AHEAD).min(end);
        let mut funnel = Funnel { from: walker.at, legs: [None, None] };
        // Of the corners before the next portal some may lie behind the body.
        let mut posts = corridor.posts_from(first).skip_while(|&(gate, _)| gate <= first).peekable();
        let turn = |at: DVec2| Some(WayPoint { at, kind: WayPointKind::End });
        let mut ahead = None;
        for k in first..=last {
            while let Some((_, post)) = posts.next_if(|&(gate, _)| gate <= k) {
                let beside = post.at + post.away * walker.radius;
                let sides = if post.is_left { [None, Some(beside)] } else { [Some(beside), None] };
                if let Some(at) = funnel.narrow(sides) {
                    return turn(at);
                }
            }
            if k < last {
                let (line, span) = self.span(corridor, k, walker.radius)?;
                let sides = [span.low, span.high].map(|share| Some(line.point(share)));
                if let Some(at) = funnel.narrow(sides) {
                    return turn(at);
                }
                ahead = Some((line, span));
            }
        }
        let goal = corridor.goal().1;
        let at = match ahead.filter(|_| last < end) {
            None => goal,
            Some((line, span)) => {
                let share = (walker.at - line.a).dot(line.e) / line.e.length_squared();
                line.point(share.clamp(span.low, span.high))
            }
        };
        if let Some(at) = funnel.narrow([Some(at); 2]) {
            return turn(at);
        }
        Some(WayPoint { at, kind: if at == goal { WayPointKind::Goal } else { WayPointKind::Ahead } })
    }
}

/// The headings from a point that are left.
struct Funnel {
    from: DVec2,
    /// Ends of the right and the left leg.
    legs: [Option<DVec2>; 2],
}

impl Funnel {
    /// Narrows it to what passes between a right and a left point; where a string must turn if nothing does.
    fn narrow(&mut self, sides: [Option<DVec2>; 2]) -> Option<DVec2> {
        // 0: the right side, which lies to the left of its leg or narrows nothing; 1: the other way round.
        let side_of = |leg: DVec2, p: DVec2| orient(self.from, leg, p);
        let [right, left] = self.legs;
        if let (Some(leg), Some(p)) = (left, sides[0])
            && side_of(leg, p) > 0.0
        {
            return Some(leg);
        }
        if let (Some(leg), Some(p)) = (right, sides[1])
            && side_of(leg, p) < 0.0
        {
            return Some(leg);
        }
        let inner = |leg: Option<DVec2>, p: Option<DVec2>, sign: f64| match (leg, p) {
            (Some(leg), Some(p)) if sign * side_of(leg, p) <= 0.0 => Some(leg),
            (leg, p) => p.or(leg),
        };
        self.legs = [inner(right, sides[0], 1.0), inner(left, sides[1], -1.0)];
        None
    }
}
