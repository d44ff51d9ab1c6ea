//! A window: the part of an edge that one straight bundle of geodesics crosses, and what two of them make of an edge.
//!
//! Frame of a half-edge: x along it from its origin, its face above. The source of a window lies below, at
//! `(x, −depth)`; so the distance at `t` on the edge is `base + |(t − x, depth)|`.
//!
//! Along the edge the difference of two windows' distances grows where the ray of the first comes from further left, and
//! falls where it comes from further right. The rays are in line at most at one place of the edge, so that the lower envelope
//! needs one crossing per side of that place, and no case is left out.

use super::trail::Trail;

/// A bundle of geodesics through a part of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Where it begins on the half-edge [m].
    pub lo: f64,
    /// Where it ends [m].
    pub hi: f64,
    /// Source along the half-edge [m].
    pub x: f64,
    /// Source below the half-edge [m]; ≥ 0.
    pub depth: f64,
    /// Distance of the source [m].
    pub base: f64,
    /// The vertex, or after all vertices the point, that the source is.
    pub root: u32,
    /// Faces that it has crossed.
    pub trail: Trail,
}

impl Window {
    /// Distance at a place of the edge.
    #[inline]
    pub fn at(&self, t: f64) -> f64 {
        self.base + length(t - self.x, self.depth)
    }
    /// The same window on the half-edge that runs the other way.
    #[inline]
    pub fn flipped(self, length: f64) -> Self {
        Self { lo: length - self.hi, hi: length - self.lo, x: length - self.x, ..self }
    }
    /// A window from a source inside a face over all of one of its sides.
    #[inline]
    pub fn open(length: f64, [x, depth]: [f64; 2], base: f64, root: u32) -> Self {
        Self { lo: 0.0, hi: length, x, depth, base, root, trail: Trail::START }
    }
    fn has_source_of(&self, other: &Self) -> bool {
        self.root == other.root && self.x == other.x && self.depth == other.depth && self.base == other.base
    }
}

#[inline]
pub fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Where in `lo .. hi` two windows are equally far, if `first` is nearer at `lo` and `second` at `hi` or the other way round.
///
/// Squared twice, equal distances are a quadratic equation. A root that rounding spoiled is mended by false position, which
/// stays between its ends whatever happens.
pub fn crossing(first: &Window, second: &Window, lo: f64, hi: f64, at_lo: f64, at_hi: f64) -> f64 {
    let small = 16.0 * f64::EPSILON * first.at(lo);
    let difference = |t: f64| first.at(t) - second.at(t);
    // With t from the foot of `second`: (e² − δ²) t² − e k t + (k/2)² − (δ depth)² = 0.
    let (e, delta) = (first.x - second.x, second.base - first.base);
    let k = e * e + (first.depth - second.depth) * (first.depth + second.depth) - delta * delta;
    let square = (e - delta) * (e + delta);
    let root = delta.abs() * (k * k + 4.0 * square * second.depth * second.depth).max(0.0).sqrt();
    let half = 0.5 * (e * k + if e * k >= 0.0 { root } else { -root });
    let product = (0.5 * k - delta * second.depth) * (0.5 * k + delta * second.depth);
    for t in [half / square, product / half] {
        let t = t + second.x;
        if t > lo && t < hi && difference(t).abs() <= small {
            return t;
        }
    }
    let (mut lo, mut hi, mut f_lo, mut f_hi) = (lo, hi, at_lo, at_hi);
    for _ in 0..60 {
        let t = (lo + (hi - lo) * (f_lo / (f_lo - f_hi))).max(lo).min(hi);
        let f = difference(t);
        // NaN ends it, too.
        if f.is_nan() || f.abs() <= small || t == lo || t == hi {
            return t;
        }
        if (f > 0.0) == (f_hi > 0.0) {
            (hi, f_hi) = (t, f);
            f_lo *= 0.5;
        } else {
            (lo, f_lo) = (t, f);
            f_hi *= 0.5;
        }
    }
    0.5 * (lo + hi)
}

/// Adds a window to the end of a list whose rays all come from further left, over which it wins to the right only.
/// Both stay sorted and disjoint.
///
/// What the loser of a comparison has on the other side of the overlap goes, too: its rays there cross the winner's last ray,
/// at a place where the winner is nearer.
#[inline]
pub fn push_right(list: &mut Vec<Window>, mut new: Window) {
    while let Some(top) = list.last_mut() {
        if top.hi <= new.lo {
            break;
        }
        if new.hi <= top.lo {
            // The bundles have crossed as a whole: no place of the edge compares them.
            let after = *top;
            list.pop();
            push_right(list, new);
            list.push(after);
            return;
        }
        let from = top.lo.max(new.lo);
        let to = top.hi.min(new.hi);
        let at_from = top.at(from) - new.at(from);
        if at_from >= 0.0 {
            // The new one wins from here on.
            if from <= top.lo {
                list.pop();
                continue;
            }
            top.hi = from;
            break;
        }
        let at_to = top.at(to) - new.at(to);
        if at_to <= 0.0 {
            if new.hi <= top.hi {
                return;
            }
            new.lo = top.hi;
            break;
        }
        let middle = crossing(top, &new, from, to, at_from, at_to);
        top.hi = middle;
        new.lo = middle;
        break;
    }
    if new.hi > new.lo {
        list.push(new);
    }
}

/// The lower envelope of two sorted lists of disjoint windows; where both are as near, of the first.
pub fn merge(first: &[Window], second: &[Window], out: &mut Vec<Window>) {
    out.clear();
    let (mut firsts, mut seconds) = (first.iter().copied(), second.iter().copied());
    let (mut first, mut second) = (firsts.next(), seconds.next());
    while let (Some(p), Some(q)) = (&mut first, &mut second) {
        if p.hi <= q.lo {
            emit(out, p, p.lo, p.hi);
            first = firsts.next();
            continue;
        }
        if q.hi <= p.lo {
            emit(out, q, q.lo, q.hi);
            second = seconds.next();
            continue;
        }
        if p.lo < q.lo {
            emit(out, p, p.lo, q.lo);
        } else if q.lo < p.lo {
            emit(out, q, q.lo, p.lo);
        }
        let from = p.lo.max(q.lo);
        let mut to = p.hi.min(q.hi);
        // Which ray comes from further left: only a line through both sources changes that.
        let order = |t: f64| (t - p.x) * q.depth - (t - q.x) * p.depth;
        if order(from) * order(to) < 0.0 {
            let in_line = (p.x * q.depth - q.x * p.depth) / (q.depth - p.depth);
            if in_line > from && in_line < to {
                to = in_line;
            }
        }
        let (at_from, at_to) = (p.at(from) - q.at(from), p.at(to) - q.at(to));
        if at_from <= 0.0 && at_to <= 0.0 {
            emit(out, p, from, to);
        } else if at_from >= 0.0 && at_to >= 0.0 {
            emit(out, q, from, to);
        } else {
            let middle = crossing(p, q, from, to, at_from, at_to);
            let (left, right) = if at_from < 0.0 { (&*p, &*q) } else { (&*q, &*p) };
            emit(out, left, from, middle);
            emit(out, right, middle, to);
        }
        (p.lo, q.lo) = (to, to);
        if p.hi <= to {
            first = firsts.next();
        }
        if second.as_ref().is_some_and(|q| q.hi <= to) {
            second = seconds.next();
        }
    }
    for rest in first.into_iter().chain(firsts).chain(second).chain(seconds) {
        emit(out, &rest, rest.lo, rest.hi);
    }
}

fn emit(out: &mut Vec<Window>, window: &Window, lo: f64, hi: f64) {
    if lo >= hi {
        return;
    }
    if let Some(last) = out.last_mut()
        && last.hi == lo
        && last.has_source_of(window)
    {
        last.hi = hi;
        last.trail = last.trail.join(window.trail);
        return;
    }
    out.push(Window { lo, hi, ..*window });
}
