//! Edges of one layer that lie on each other move apart: the two sides of a wall without thickness, the rim of a table and the
//! floor that ends below it.
//!
//! A floor plan's rings may touch in points only. So every vertex of such an edge moves a hair into its own ground; the ends
//! of a wall that stands free stay, and a wall of a single edge gets a vertex in its middle.

use super::{assemble::Parts, surface::NO_HALF_EDGE};
use wayfare_core::{DVec2, DVec3};

/// What was added.
pub(super) struct Widened {
    /// For each half-edge a vertex in its middle, if it has one.
    pub middles: Vec<Option<u32>>,
}

/// The longest way that a vertex goes in a sharp corner, in widths.
const FARTHEST: f64 = 8.0;

/// Edges that turn by less than this (its sine) go on straight, or come straight back.
const STRAIGHT: f64 = 0.3;

/// Moves vertices by a width [m], each by its own.
pub(super) fn widen(parts: &mut Parts, width_of: impl Fn(u32) -> f64) -> Widened {
    let count = parts.layers.across.len() as u32;
    let layer = |h: u32| parts.layers.layer_of[h as usize / 3];
    let bits = |parts: &Parts, v: u32| {
        let p = parts.points[v as usize];
        [p.x.to_bits(), p.y.to_bits()]
    };
    let mut ends: Vec<(u32, [[u64; 2]; 2], u32)> = (0..count)
        .filter(|&h| parts.layers.across[h as usize] == NO_HALF_EDGE)
        .map(|h| {
            let mut ends = parts.ends(h).map(|v| bits(parts, v));
            ends.sort_unstable();
            (layer(h), ends, h)
        })
        .collect();
    ends.sort_unstable();
    let mut is_doubled = vec![false; count as usize];
    let mut pairs = Vec::new();
    for same in ends.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if let [one, others @ ..] = same
            && !others.is_empty()
        {
            same.iter().for_each(|edge| is_doubled[edge.2 as usize] = true);
            pairs.extend(others.iter().map(|other| [one.2, other.2]));
        }
    }
    // The edges of the border that end and start at each vertex.
    let mut around = vec![[NO_HALF_EDGE; 2]; parts.points.len()];
    for &(_, _, h) in &ends {
        let [a, b] = parts.ends(h);
        around[a as usize][1] = h;
        around[b as usize][0] = h;
    }
    let inward = |parts: &Parts, h: u32| {
        let [a, b] = parts.ends(h).map(|v| parts.points[v as usize].truncate());
        (b - a).normalize_or_zero().perp()
    };
    let mut moves: Vec<(u32, DVec2)> = Vec::new();
    for (v, &[into, out]) in around.iter().enumerate() {
        if into == NO_HALF_EDGE || out == NO_HALF_EDGE {
            continue;
        }
        let width = width_of(v as u32);
        let shifts = [into, out].map(|h| if is_doubled[h as usize] { width } else { 0.0 });
        if shifts == [0.0; 2] || bits(parts, parts.ends(into)[0]) == bits(parts, parts.ends(out)[1]) {
            continue;
        }
        let [m, n] = [into, out].map(|h| inward(parts, h));
        let turn = m.perp_dot(n);
        let x = if turn.abs() >= STRAIGHT || m.dot(n) < 0.0 && turn > 0.0 {
            // x with m·x and n·x as wanted; into a sharp corner only some way.
            DVec2::new(shifts[0] * n.y - shifts[1] * m.y, shifts[1] * m.x - shifts[0] * n.x) / turn
        } else if m.dot(n) > 0.0 {
            (m + n).normalize_or_zero() * width
        } else {
            // As good as the end of a wall.
            continue;
        };
        moves.push((v as u32, x.clamp_length_max(FARTHEST * width)));
    }
    // A wall of one edge whose ends both stay.
    let mut middles = vec![None; count as usize];
    for [one, two] in pairs {
        let ([a, b], [c, d]) = (parts.ends(one), parts.ends(two));
        if a == d && b == c {
            for h in [one, two] {
                let shift = inward(parts, h) * width_of(parts.ends(h)[0]);
                let [a, b] = parts.ends(h).map(|v| parts.points[v as usize]);
                middles[h as usize] = Some(parts.points.len() as u32);
                parts.points.push((a + b) / 2.0 + shift.extend(0.0));
            }
        }
    }
    for (v, by) in moves {
        let p: &mut DVec3 = &mut parts.points[v as usize];
        *p += by.extend(0.0);
    }
    Widened { middles }
}
