//! From the plane of one chart to that of its neighbour: over a side that both have, by turning, moving and scaling.

use wayfare_core::DVec2;

/// A map p ↦ origin + (p turned, scaled and perhaps mirrored).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// Image of (1, 0).
    x: DVec2,
    /// Image of (0, 1).
    y: DVec2,
    origin: DVec2,
}

impl Similarity {
    /// Changes nothing.
    pub const IDENTITY: Self = Self { x: DVec2::X, y: DVec2::Y, origin: DVec2::ZERO };

    /// What takes a side with its chart on the left to a side with its chart on the left, so that the charts lie on both sides of it. `alike` if both run
    /// the same way: then one of the charts is mirrored.
    pub fn over(from: [DVec2; 2], to: [DVec2; 2], alike: bool) -> Self {
        let to_ends = if alike { to } else { [to[1], to[0]] };
        let (u, v) = (from[1] - from[0], to_ends[1] - to_ends[0]);
        let square = u.length_squared().max(f64::MIN_POSITIVE);
        // Along the side, and from its right, which is outside, to the left of the other.
        let outside = -u.perp();
        let inside = (to[1] - to[0]).perp();
        let image = |p: DVec2| v * (p.dot(u) / square) + inside * (p.dot(outside) / square);
        let mut made = Self { x: image(DVec2::X), y: image(DVec2::Y), origin: DVec2::ZERO };
        made.origin = to_ends[0] - made.turn(from[0]);
        made
    }

    fn turn(&self, p: DVec2) -> DVec2 {
        self.x * p.x + self.y * p.y
    }

    /// The image of a point.
    pub fn apply(&self, p: DVec2) -> DVec2 {
        self.origin + self.turn(p)
    }

    /// First this, then another.
    pub fn then(&self, next: &Self) -> Self {
        Self { x: next.turn(self.x), y: next.turn(self.y), origin: next.apply(self.origin) }
    }
}

/// Weights of the corners of a triangle that a point has; negative beyond the opposite side.
pub fn weights([a, b, c]: [DVec2; 3], p: DVec2) -> [f64; 3] {
    let double = (b - a).perp_dot(c - a);
    [(b - p).perp_dot(c - p) / double, (c - p).perp_dot(a - p) / double, (a - p).perp_dot(b - p) / double]
}

/// The weights as those of a point of the triangle: none negative, their sum 1; a hair is nothing.
pub fn clean(weights: [f64; 3]) -> [f64; 3] {
    // Written so that NaN becomes 0, too.
    let weights = weights.map(|weight| if weight > 1e-12 { weight } else { 0.0 });
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 { weights.map(|weight| weight / sum) } else { [1.0, 0.0, 0.0] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn what_lies_outside_one_chart_lies_inside_the_other() {
        // Charts left of both sides.
        let from = [dvec2(0., 0.), dvec2(2., 0.)];
        let to = [dvec2(5., 1.), dvec2(5., 2.)];
        let over = Similarity::over(from, to, false);
        assert!(over.apply(from[0]).distance(to[1]) < 1e-15 && over.apply(from[1]).distance(to[0]) < 1e-15);
        // Left of upwards is towards smaller x; half as long.
        assert!(over.apply(dvec2(0., -2.)).distance(dvec2(4., 2.)) < 1e-15);
        let alike = Similarity::over(from, to, true);
        assert!(alike.apply(from[0]).distance(to[0]) < 1e-15);
        assert!(alike.apply(dvec2(0., -2.)).distance(dvec2(4., 1.)) < 1e-15);
        let back = over.then(&Similarity::over(to, from, false));
        assert!(back.apply(dvec2(0.3, 0.7)).distance(dvec2(0.3, 0.7)) < 1e-14);
    }
}
