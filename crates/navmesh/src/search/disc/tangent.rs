//! Straight pieces between corners that a disc passes on one side or the other.
//!
//! A disc of a radius that keeps touching a corner has its centre on the circle round it; it goes from one circle to
//! the next along a common tangent. With the corner's *side* as a sign (1: on the path's left, −1: on its right, 0: a point
//! that the centre goes through) all kinds of tangents are one formula: seen along the line, a corner lies `side · radius`
//! to the left, so the line from `a` to `b` is turned by the angle whose sine is `(side a − side b) · radius / |ab|`.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use wayfare_core::{DVec2, ops};

/// A corner with the side of the path on which it lies, or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Post {
    pub at: DVec2,
    /// 1: left of the path, −1: right of it, 0: on it.
    pub side: f64,
}

/// A straight piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tangent {
    /// Unit vector along it.
    pub heading: DVec2,
    pub from: DVec2,
    pub to: DVec2,
    pub length: f64,
}

impl Post {
    /// Where the centre is when it passes with a heading.
    #[inline]
    pub fn centre(&self, heading: DVec2, radius: f64) -> DVec2 {
        self.at + self.outward(heading) * radius
    }

    /// The direction from the corner to the centre.
    #[inline]
    pub fn outward(&self, heading: DVec2) -> DVec2 {
        heading.perp() * -self.side
    }
}

/// The piece from one post to another; none if circles that must be passed on different sides overlap by more than `slack`.
#[inline]
pub(crate) fn tangent(a: Post, b: Post, radius: f64, slack: f64) -> Option<Tangent> {
    let arm = b.at - a.at;
    let squared = arm.length_squared();
    let off = (a.side - b.side) * radius;
    if squared == 0.0 || squared.sqrt() + slack < off.abs() {
        return None;
    }
    let length = (squared - off * off).max(0.0).sqrt();
    let heading = (arm * length + arm.perp() * off).normalize_or_zero();
    Some(Tangent { heading, from: a.centre(heading, radius), to: b.centre(heading, radius), length })
}

/// The angle from one heading to another, turning towards `side`, 0 .. π; rounding may put one before the other.
#[inline]
pub(crate) fn turn_angle(from: DVec2, to: DVec2, side: f64) -> f64 {
    let (across, along) = (from.perp_dot(to) * side, from.dot(to));
    if across <= 0.0 && along >= 0.0 { 0.0 } else { ops::atan2(across.max(0.0), along) }
}

/// The direction of a vector [rad].
#[inline]
pub(crate) fn angle_of(v: DVec2) -> f64 {
    ops::atan2(v.y, v.x)
}

/// The smaller of the angles between two directions, −π ..= π.
#[inline]
pub(crate) fn between(from: f64, to: f64) -> f64 {
    let angle = to - from;
    if angle > PI {
        angle - TAU
    } else if angle < -PI {
        angle + TAU
    } else {
        angle
    }
}

/// As [`turn_angle`], of headings with these directions.
#[inline]
pub(crate) fn turn_between(from: f64, to: f64, side: f64) -> f64 {
    let turn = between(from, to) * side;
    if turn >= 0.0 {
        turn
    } else if turn >= -FRAC_PI_2 {
        0.0
    } else {
        PI
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wayfare_core::dvec2;

    proptest! {
        #[test]
        fn a_tangent_has_both_posts_at_the_radius_on_their_sides(
            p in prop::array::uniform4(-9.0..9.0f64), sides in (-1i8..=1, -1i8..=1), radius in 0.01..2.0f64,
        ) {
            let post = |x, y, side: i8| Post { at: dvec2(x, y), side: f64::from(side) };
            let (a, b) = (post(p[0], p[1], sides.0), post(p[2], p[3], sides.1));
            let needed = f64::from((sides.0 - sides.1).abs()) * radius;
            match tangent(a, b, radius, 0.0) {
                None => prop_assert!(a.at.distance(b.at) <= needed),
                Some(found) => {
                    prop_assert!((found.to - found.from - found.heading * found.length).length() < 1e-9);
                    for (post, at) in [(a, found.from), (b, found.to)] {
                        let left = found.heading.perp_dot(post.at - at);
                        prop_assert!((left - post.side * radius).abs() < 1e-9);
                        prop_assert!(found.heading.dot(post.at - at).abs() < 1e-9);
                    }
                }
            }
        }
    }

    #[test]
    fn posts_just_two_radii_apart_let_the_disc_through_at_right_angles() {
        let (a, b) = (Post { at: dvec2(0., 0.), side: 1.0 }, Post { at: dvec2(1., 0.), side: -1.0 });
        let through = tangent(a, b, 0.5, 1e-9).unwrap();
        assert_eq!((through.length, through.heading), (0.0, dvec2(0., 1.)));
        assert!(tangent(a, b, 0.5 + 1e-10, 1e-9).is_some());
        assert!(tangent(a, b, 0.501, 1e-9).is_none());
    }

    #[test]
    fn turns_go_one_way_round() {
        let (east, north) = (dvec2(1., 0.), dvec2(0., 1.));
        assert!((turn_angle(east, north, 1.0) - FRAC_PI_2).abs() < 1e-15);
        assert_eq!(turn_angle(east, north, -1.0), 0.0);
        assert!((turn_angle(east, -east, 1.0) - PI).abs() < 1e-15);
        assert!((turn_angle(east, -east, -1.0) - PI).abs() < 1e-15);
    }
}
