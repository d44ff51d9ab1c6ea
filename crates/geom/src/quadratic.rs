//! Quadratics over intervals and their lower envelope: what distances along a line are made with.
//!
//! Steps of `insert`: every piece of the envelope so far is cut where the new curve crosses it (at most twice) and the
//! lower one is kept, told at the middle of each part. On equality what came first stays.
//! Promises: pieces cover the interval without gaps, in order; parts without width are left out.
//! Cost: O(pieces) for each curve; lists have a handful.

/// a x² + b x + c.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quadratic {
    /// Factor of x².
    pub a: f64,
    /// Factor of x.
    pub b: f64,
    /// What is left at 0.
    pub c: f64,
}

impl Quadratic {
    /// Its value at a place.
    pub fn at(&self, x: f64) -> f64 {
        (self.a * x + self.b) * x + self.c
    }
    /// The difference to another one.
    pub fn minus(&self, other: &Self) -> Self {
        Self { a: self.a - other.a, b: self.b - other.b, c: self.c - other.c }
    }
    /// How much rounding may change its values on an interval.
    pub fn rounding(&self, low: f64, high: f64) -> f64 {
        let x = low.abs().max(high.abs());
        16.0 * f64::EPSILON * ((self.a.abs() * x + self.b.abs()) * x + self.c.abs())
    }
    /// The square of b x + c.
    pub fn square(b: f64, c: f64) -> Self {
        Self { a: b * b, b: 2.0 * b * c, c: c * c }
    }
    /// Where it is zero strictly between two places, in order; places that are none are NaN.
    pub fn roots_between(&self, low: f64, high: f64) -> [f64; 2] {
        let inside = |x: f64| if x > low && x < high { x } else { f64::NAN };
        let discriminant = self.b * self.b - 4.0 * self.a * self.c;
        if discriminant < 0.0 {
            return [f64::NAN; 2];
        }
        // The larger root in the form that does not cancel, the other by Vieta.
        let q = -0.5 * (self.b + discriminant.sqrt().copysign(self.b));
        let (first, second) = (inside(q / self.a), inside(self.c / q));
        if first > second { [second, first] } else { [first, second] }
    }
    /// Calls a function with the parts of an interval on which the sign does not change, and whether it is negative.
    pub fn for_each_sign(&self, low: f64, high: f64, mut visit: impl FnMut(f64, f64, bool)) {
        let mut from = low;
        for to in self.roots_between(low, high).into_iter().filter(|x| !x.is_nan()).chain([high]) {
            if to > from {
                visit(from, to, self.at(0.5 * (from + to)) < 0.0);
                from = to;
            }
        }
    }
}

/// A piece of an envelope: on this interval the curve with this label is lowest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Where it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// The lowest curve.
    pub curve: Quadratic,
    /// Whose curve it is.
    pub label: u32,
}

/// The label of pieces that no curve covers.
pub const UNCOVERED: u32 = u32::MAX;

/// The lower envelope of quadratics, each on an interval of its own.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    pieces: Vec<Piece>,
    spare: Vec<Piece>,
}

impl Envelope {
    /// Begins anew on an interval.
    pub fn reset(&mut self, low: f64, high: f64) {
        self.pieces.clear();
        let curve = Quadratic { a: 0.0, b: 0.0, c: f64::INFINITY };
        self.pieces.push(Piece { low, high, curve, label: UNCOVERED });
    }
    /// The pieces so far, in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Adds a curve that counts on an interval.
    pub fn insert(&mut self, curve: Quadratic, label: u32, low: f64, high: f64) {
        // An end that is not a number is one of nothing.
        if low.is_nan() || high.is_nan() || low >= high {
            return;
        }
        let mut pieces = std::mem::take(&mut self.spare);
        pieces.clear();
        for &piece in &self.pieces {
            let (from, to) = (piece.low.max(low), piece.high.min(high));
            if from >= to {
                add(&mut pieces, piece);
                continue;
            }
            add(&mut pieces, Piece { high: from, ..piece });
            if piece.label == UNCOVERED {
                add(&mut pieces, Piece { low: from, high: to, curve, label });
            } else {
                curve.minus(&piece.curve).for_each_sign(from, to, |low, high, is_lower| {
                    let lower = if is_lower { Piece { curve, label, ..piece } } else { piece };
                    add(&mut pieces, Piece { low, high, ..lower });
                });
            }
            add(&mut pieces, Piece { low: to, ..piece });
        }
        self.spare = std::mem::replace(&mut self.pieces, pieces);
    }
}

/// Appends a piece that has some width, or makes the last one longer.
fn add(pieces: &mut Vec<Piece>, piece: Piece) {
    match pieces.last_mut() {
        _ if piece.low >= piece.high => {}
        Some(last) if last.label == piece.label && last.curve == piece.curve => last.high = piece.high,
        _ => pieces.push(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_is_the_least_of_all_curves_everywhere() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..200 {
            let mut envelope = Envelope::default();
            envelope.reset(0.0, 1.0);
            let curves: Vec<(Quadratic, f64, f64)> = (0..12)
                .map(|_| {
                    let curve = Quadratic { a: random() * 4.0 - 1.0, b: random() * 2.0 - 1.0, c: random() };
                    let ends = [random() * 1.4 - 0.2, random() * 1.4 - 0.2];
                    (curve, ends[0].min(ends[1]), ends[0].max(ends[1]))
                })
                .collect();
            for (label, &(curve, low, high)) in curves.iter().enumerate() {
                envelope.insert(curve, label as u32, low, high);
            }
            let pieces = envelope.pieces();
            assert_eq!((pieces[0].low, pieces[pieces.len() - 1].high), (0.0, 1.0));
            assert!(pieces.windows(2).all(|pair| pair[0].high == pair[1].low));
            for k in 0..200 {
                let x = (f64::from(k) + 0.5) / 200.0;
                let least = curves.iter().filter(|(_, low, high)| (low..high).contains(&&x));
                let least = least.map(|(curve, ..)| curve.at(x)).fold(f64::INFINITY, f64::min);
                let piece = pieces.iter().find(|piece| piece.high >= x).unwrap();
                let found = piece.curve.at(x);
                assert!(found == least || (found - least).abs() < 1e-12, "{x}: {found} {least}");
            }
        }
    }

    #[test]
    fn lines_and_touching_curves_have_the_right_roots() {
        let line = Quadratic { a: 0.0, b: 2.0, c: -1.0 };
        assert_eq!(line.roots_between(0.0, 1.0).into_iter().find(|x| !x.is_nan()), Some(0.5));
        let apart = Quadratic { a: 1.0, b: 0.0, c: 1.0 };
        assert!(apart.roots_between(-9.0, 9.0).iter().all(|x| x.is_nan()));
        let far = Quadratic { a: 1e-20, b: 1.0, c: -1e-3 };
        assert_eq!(far.roots_between(0.0, 1.0).into_iter().find(|x| !x.is_nan()), Some(1e-3));
        let nothing = Quadratic::default();
        assert!(nothing.roots_between(0.0, 1.0).iter().all(|x| x.is_nan()));
    }
}
