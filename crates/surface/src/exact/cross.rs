//! Windows across one face: from the half-edge where they wait to the two other sides.

use super::window::{Window, push_right};

/// A part of a window that leaves by one side, in the frame of the half-edge mirrored so that that side begins at 0.
/// `hi` is infinite where it goes up to the third corner.
pub type Part = Window;

/// The side by which parts leave, mirrored as they are.
pub struct Side {
    /// Its length [m].
    pub length: f64,
    /// Its direction, from the corner at 0 to the third.
    pub ux: f64,
    pub uy: f64,
    /// The other end of the half-edge in the frame of the side.
    pub third_x: f64,
    pub third_depth: f64,
    /// Distances known of the corner at 0, of the third corner, of the other end of the half-edge.
    pub near: f64,
    pub far: f64,
    pub third: f64,
}

/// Windows narrower than this part of their edge are dropped: their neighbours look that far over their ends.
const NARROW: f64 = 1e-14;
/// How much farther than through a vertex, relatively, a window must be to be dropped: at grazing angles the difference is
/// of second order, and rounding must not cut into the bundle.
const SLACK: f64 = 1.0 - 2e-13;

impl Side {
    /// A side from the corner at 0 to the third corner at (x, y), of a half-edge of length `base`.
    pub fn new(x: f64, y: f64, length: f64, base: f64, [near, far, third]: [f64; 3]) -> Self {
        let (ux, uy) = (x / length, y / length);
        Self { length, ux, uy, third_x: ux * base, third_depth: uy * base, near, far, third }
    }

    /// Carries one part over and adds it to those before it, whose entries lie nearer to 0, if it is of any use.
    /// Returns the smallest distance it may have, if so.
    #[inline]
    pub fn carry(&self, part: &Part, out: &mut Vec<Window>) -> f64 {
        let toward = self.ux * part.depth;
        let exit = |t: f64| {
            let t = t * part.depth / (toward + self.uy * (part.x - t));
            // Written so that NaN, too, ends at the corner.
            if t >= 0.0 && t < self.length { t } else { self.length }
        };
        let lo = if part.lo > 0.0 { exit(part.lo) } else { 0.0 };
        let hi = if part.hi.is_finite() { exit(part.hi) } else { self.length };
        if hi - lo <= NARROW * self.length {
            return f64::INFINITY;
        }
        let new = Window {
            lo,
            hi,
            x: self.ux * part.x - self.uy * part.depth,
            depth: (toward + self.uy * part.x).max(0.0),
            ..*part
        };
        self.add(new, out)
    }

    /// Adds a window of this side, if no vertex makes it useless.
    #[inline]
    pub fn add(&self, new: Window, out: &mut Vec<Window>) -> f64 {
        let (at_lo, at_hi) = (new.at(new.lo), new.at(new.hi));
        let (lo_bound, hi_bound) = (at_lo * SLACK, at_hi * SLACK);
        // Through a vertex x to t costs d(x) + |x t|. For both ends of the side that grows at least as fast towards the
        // far end of the window as the window's own distance, for the third corner as all rays come from its one side.
        let over_third = lo_bound - self.third;
        let to_third =
            (new.lo - self.third_x) * (new.lo - self.third_x) + self.third_depth * self.third_depth;
        if hi_bound > self.near + new.hi
            || lo_bound > self.far + (self.length - new.lo)
            || (over_third > 0.0 && over_third * over_third > to_third)
        {
            return f64::INFINITY;
        }
        push_right(out, new);
        if new.x > new.lo && new.x < new.hi { new.base + new.depth } else { at_lo.min(at_hi) }
    }
}
