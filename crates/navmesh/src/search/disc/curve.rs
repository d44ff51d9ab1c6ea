//! The path of a disc's centre: straight pieces and arcs.

use super::tangent::Post;
use wayfare_core::DVec2;

/// A piece of a path in plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlanPiece {
    /// Straight on.
    Line {
        /// Where it starts.
        from: DVec2,
        /// Where it ends.
        to: DVec2,
    },
    /// Round a corner, which is touched all along.
    Arc {
        /// Where it starts.
        from: DVec2,
        /// Where it ends.
        to: DVec2,
        /// The corner.
        centre: DVec2,
        /// Distance from the corner [m].
        radius: f64,
        /// How far it turns [rad]: positive to the left, negative to the right.
        turn: f64,
    },
}

impl PlanPiece {
    /// Its length [m].
    pub fn length(&self) -> f64 {
        match *self {
            Self::Line { from, to } => from.distance(to),
            Self::Arc { radius, turn, .. } => radius * turn.abs(),
        }
    }

    /// Its two ends.
    pub fn ends(&self) -> [DVec2; 2] {
        match *self {
            Self::Line { from, to } | Self::Arc { from, to, .. } => [from, to],
        }
    }

    /// The same walked the other way.
    pub(in crate::search) fn reversed(&self) -> Self {
        match *self {
            Self::Line { from, to } => Self::Line { from: to, to: from },
            Self::Arc { from, to, centre, radius, turn } => {
                Self::Arc { from: to, to: from, centre, radius, turn: -turn }
            }
        }
    }

    /// Appends points after its start, the last at its end, whose chords are within `sagitta` of it [m].
    pub fn flatten(&self, sagitta: f64, points: &mut Vec<DVec2>) {
        if let Self::Arc { from, centre, radius, turn, .. } = *self {
            let (arm, count) = (from - centre, chords(radius, turn, sagitta));
            for k in 1..count {
                let angle = turn * (k as f64 / count as f64);
                points.push(centre + DVec2::from_angle(angle).rotate(arm));
            }
        }
        points.push(self.ends()[1]);
    }
}

/// Most chords that an arc is cut into.
const MOST_CHORDS: usize = 4096;

/// How many chords stay within a sagitta of an arc.
fn chords(radius: f64, turn: f64, sagitta: f64) -> usize {
    let half = (1.0 - sagitta / radius).clamp(-1.0, 1.0).acos();
    let count = (turn.abs() / (2.0 * half)).ceil();
    if count.is_finite() { (count as usize).clamp(1, MOST_CHORDS) } else { MOST_CHORDS }
}

/// Turns below this are none [rad].
const STRAIGHT: f64 = 1e-9;

/// A bend: a corner, the headings with which the path comes and goes, and the angle between them towards the corner [rad].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bend {
    pub post: Post,
    pub headings: [DVec2; 2],
    pub turn: f64,
}

/// Writes the pieces of a path from `start` round some bends to `goal`.
pub(crate) fn write(start: DVec2, bends: &[Bend], goal: DVec2, radius: f64, pieces: &mut Vec<PlanPiece>) {
    pieces.clear();
    let mut from = start;
    let line = |from: DVec2, to: DVec2, pieces: &mut Vec<PlanPiece>| {
        if from != to || pieces.is_empty() {
            pieces.push(PlanPiece::Line { from, to });
        }
    };
    for &Bend { post, headings, turn } in bends {
        if turn < STRAIGHT {
            continue;
        }
        let [comes, goes] = headings.map(|heading| post.centre(heading, radius));
        line(from, comes, pieces);
        let turn = turn * post.side;
        pieces.push(PlanPiece::Arc { from: comes, to: goes, centre: post.at, radius, turn });
        from = goes;
    }
    line(from, goal, pieces);
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn chords_stay_within_the_sagitta() {
        for (radius, turn) in [(0.3, 1.0), (2.0, -3.0), (0.001, 3.1), (50.0, 0.2)] {
            let arc = PlanPiece::Arc {
                from: dvec2(radius, 0.0),
                to: DVec2::from_angle(turn) * radius,
                centre: DVec2::ZERO,
                radius,
                turn,
            };
            let mut points = vec![dvec2(radius, 0.0)];
            arc.flatten(1e-3, &mut points);
            assert_eq!(points.last(), Some(&arc.ends()[1]));
            let mut length = 0.0;
            for pair in points.windows(2) {
                assert!(radius - pair[0].midpoint(pair[1]).length() <= 1e-3 + 1e-12);
                length += pair[0].distance(pair[1]);
            }
            assert!(length <= arc.length() + 1e-12 && length >= arc.length() * 0.6);
        }
    }

    #[test]
    fn a_bend_that_does_not_turn_is_no_arc() {
        let heading = dvec2(1.0, 0.0);
        let bend = Bend { post: Post { at: dvec2(1.0, 0.5), side: 1.0 }, headings: [heading; 2], turn: 0.0 };
        let mut pieces = Vec::new();
        write(dvec2(0., 0.), &[bend], dvec2(2., 0.), 0.5, &mut pieces);
        assert_eq!(pieces, [PlanPiece::Line { from: dvec2(0., 0.), to: dvec2(2., 0.) }]);
    }
}
