//! How long a known path is after its last end has moved a little, without a search.
//!
//! Idea: a shortest path is a string that is taut round posts. Where its end moves, it leaves its last post in another direction, or
//!   lets go of it. What else it would meet then is not looked at, nor whether another way is shorter: whoever has to know searches.
//! Cost: some tens of operations per post that it lets go of.

use super::disc::PlanPiece;
use wayfare_core::{DVec2, ops};

/// The posts of a path, without its last end.
pub(super) struct TautEnd {
    start: DVec2,
    posts: Vec<Post>,
}

/// Where a path turns.
struct Post {
    at: DVec2,
    /// How far from it the path keeps [m].
    radius: f64,
    /// How far it turns [rad]: positive to the left.
    turn: f64,
    /// In which direction it leaves.
    heading: DVec2,
    /// How long it is up to where it begins to turn [m].
    length: f64,
}

impl TautEnd {
    /// Of a path by its pieces; nothing if it does not end with a straight one.
    pub fn of(pieces: impl Iterator<Item = PlanPiece>) -> Option<Self> {
        let (mut start, mut posts) = (None, Vec::new());
        let mut length = 0.0;
        let mut before: Option<DVec2> = None;
        let mut is_straight = false;
        for piece in pieces {
            let [from, to] = piece.ends();
            start.get_or_insert(from);
            is_straight = matches!(piece, PlanPiece::Line { .. });
            match piece {
                PlanPiece::Line { .. } if from == to => {}
                PlanPiece::Line { .. } => {
                    let heading = (to - from).normalize_or_zero();
                    posts.extend(before.replace(heading).map(|before| Post {
                        at: from,
                        radius: 0.0,
                        turn: angle(before, heading),
                        heading,
                        length,
                    }));
                }
                PlanPiece::Arc { centre, radius, turn, .. } => {
                    let heading = (to - centre).perp().normalize_or_zero() * turn.signum();
                    posts.push(Post { at: centre, radius, turn, heading, length });
                    before = None;
                }
            }
            length += piece.length();
        }
        Some(Self { start: start.filter(|_| is_straight)?, posts })
    }

    /// The length of the path to another end, and where it turns last; nothing if that is nearer to a post than the path may be.
    pub fn to(&self, end: DVec2) -> Option<(f64, DVec2)> {
        for post in self.posts.iter().rev() {
            let side = post.turn.signum();
            let away = end - post.at;
            let straight = (away.length_squared() - post.radius * post.radius).sqrt();
            if straight.is_nan() {
                return None;
            }
            // Along the tangent.
            let arm = DVec2::new(post.radius, -side * straight).rotate(away) * post.radius
                / away.length_squared().max(f64::MIN_POSITIVE);
            let leaves = post.at + arm;
            let heading = end - leaves;
            let turn = (post.turn + angle(post.heading, heading)) * side;
            if turn >= 0.0 {
                return Some((post.length + post.radius * turn + straight, leaves));
            }
        }
        Some((self.start.distance(end), self.start))
    }
}

/// By how much one direction is to the left of another [rad].
fn angle(one: DVec2, two: DVec2) -> f64 {
    ops::atan2(one.perp_dot(two), one.dot(two))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn an_end_that_moves_lets_go_of_corners() {
        let points = [dvec2(0.0, 0.0), dvec2(2.0, 0.0), dvec2(3.0, 1.0), dvec2(3.0, 3.0)];
        let lines = points.windows(2).map(|pair| PlanPiece::Line { from: pair[0], to: pair[1] });
        let path = TautEnd::of(lines).unwrap();
        let before = 2.0 + 2f64.sqrt();
        assert_eq!(path.to(dvec2(2.5, 3.0)), Some((before + 0.5f64.hypot(2.0), points[2])));
        // To the right of the second piece, and of the first.
        assert_eq!(path.to(dvec2(4.0, 1.0)), Some((2.0 + 2f64.hypot(1.0), points[1])));
        assert_eq!(path.to(dvec2(4.0, -1.0)), Some((4f64.hypot(1.0), points[0])));
    }

    #[test]
    fn round_a_corner_the_tangent_goes_on() {
        // A quarter turn to the left round (0, 1), then to the right end of a line; and the same seen in a mirror.
        for side in [1.0, -1.0] {
            let at = |x: f64, y: f64| dvec2(x, side * y);
            let quarter = std::f64::consts::FRAC_PI_2;
            let pieces = [
                PlanPiece::Line { from: at(-3.0, 0.0), to: at(0.0, 0.0) },
                PlanPiece::Arc {
                    from: at(0.0, 0.0),
                    to: at(1.0, 1.0),
                    centre: at(0.0, 1.0),
                    radius: 1.0,
                    turn: side * quarter,
                },
                PlanPiece::Line { from: at(1.0, 1.0), to: at(1.0, 4.0) },
            ];
            let path = TautEnd::of(pieces.into_iter()).unwrap();
            let is_near = |found: Option<(f64, DVec2)>, length: f64, leaves: DVec2| {
                let (found, at) = found.unwrap();
                assert!((found - length).abs() < 1e-12 && at.distance(leaves) < 1e-12, "{found} {at}");
            };
            is_near(path.to(at(1.0, 4.0)), 6.0 + quarter, at(1.0, 1.0));
            is_near(path.to(at(-2.0, 2.0)), 3.0 + 2.0 * quarter + 2.0, at(0.0, 2.0));
            let half = 0.5f64.sqrt();
            let straight_on = at(half + 2.0 * half, 1.0 - half + 2.0 * half);
            is_near(path.to(straight_on), 3.0 + quarter / 2.0 + 2.0, at(half, 1.0 - half));
            is_near(path.to(at(2.0, -1.0)), 26f64.sqrt(), at(-3.0, 0.0));
            assert_eq!(path.to(at(0.5, 1.0)), None);
        }
    }
}
