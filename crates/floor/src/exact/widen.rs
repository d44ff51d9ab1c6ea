//! Edges that lie on each other move apart: the two sides of a wall without thickness, the rim of a table and the floor that ends
//! below it.
//!
//! A floor plan's rings may touch in points only; and where layers are glued together at seams, the two sides of a wall may be in
//! two of them. So every vertex of such an edge moves a hair into its own ground; the ends
//! of a wall that stands free stay, and a wall of a single edge gets a vertex in its middle.

use super::{
    assemble::Parts,
    surface::{NO_HALF_EDGE, root},
};
use wayfare_core::{DVec2, DVec3};

/// What was added.
pub(super) struct Widened {
    /// For each half-edge a vertex in its middle, if it has one.
    pub middles: Vec<Option<u32>>,
}

/// The longest way that a vertex goes in a sharp corner, in widths.
const FARTHEST: f64 = 2.0;

/// Edges that turn by less than this (its sine) go on straight, or come straight back.
const STRAIGHT: f64 = 0.3;

/// Moves vertices, each by its share of the width [m].
pub(super) fn widen(parts: &mut Parts, width: f64, share_of: impl Fn(u32) -> f64) -> Widened {
    let count = parts.layers.across.len() as u32;
    let bits = |parts: &Parts, v: u32| {
        let p = parts.points[v as usize];
        [p.x.to_bits(), p.y.to_bits()]
    };
    let mut ends: Vec<([[u64; 2]; 2], u32)> = (0..count)
        .filter(|&h| parts.layers.across[h as usize] == NO_HALF_EDGE)
        .map(|h| {
            let mut ends = parts.ends(h).map(|v| bits(parts, v));
            ends.sort_unstable();
            (ends, h)
        })
        .collect();
    ends.sort_unstable();
    // Of edges in different layers only those of a wall that ground goes round count.
    let mut is_doubled = vec![false; count as usize];
    let mut pairs = Vec::new();
    for same in ends.chunk_by(|a, b| a.0 == b.0) {
        for (k, &(_, one)) in same.iter().enumerate() {
            for &(_, two) in &same[k + 1..] {
                let [here, there] = [one, two].map(|h| parts.layers.layer_of[h as usize / 3]);
                if here == there {
                    is_doubled[one as usize] = true;
                    is_doubled[two as usize] = true;
                }
                pairs.push([one, two]);
            }
        }
    }
    // The edges of the border that end and start at each vertex.
    let mut around = vec![[NO_HALF_EDGE; 2]; parts.points.len()];
    for &(_, h) in &ends {
        let [a, b] = parts.ends(h);
        around[a as usize][1] = h;
        around[b as usize][0] = h;
    }
    let mut parent: Vec<u32> = (0..parts.points.len() as u32).collect();
    for &[one, two] in &pairs {
        let ([a, b], [d, c]) = (parts.ends(one), parts.ends(two));
        let (c, d) = if bits(parts, a) == bits(parts, c) { (c, d) } else { (d, c) };
        for [p, q] in [[a, b], [a, c], [b, d]] {
            let [p, q] = [p, q].map(|v| root(&mut parent, v));
            parent[p.max(q) as usize] = p.min(q);
        }
    }
    let is_tip = |parts: &Parts, [into, out]: [u32; 2]| {
        into != NO_HALF_EDGE
            && out != NO_HALF_EDGE
            && bits(parts, parts.ends(into)[0]) == bits(parts, parts.ends(out)[1])
    };
    let mut has_tip = vec![false; parent.len()];
    for (v, &ways) in around.iter().enumerate() {
        if is_tip(parts, ways) {
            has_tip[root(&mut parent, v as u32) as usize] = true;
        }
    }
    for &h in pairs.iter().flatten() {
        if has_tip[root(&mut parent, parts.ends(h)[0]) as usize] {
            is_doubled[h as usize] = true;
        }
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
        let shifts =
            [into, out].map(|h| if is_doubled[h as usize] { width * share_of(v as u32) } else { 0.0 });
        let most = shifts[0].max(shifts[1]);
        if most == 0.0 || is_tip(parts, [into, out]) {
            continue;
        }
        let [m, n] = [into, out].map(|h| inward(parts, h));
        let turn = m.perp_dot(n);
        let x = if turn.abs() >= STRAIGHT || m.dot(n) < 0.0 && turn > 0.0 {
            // x with m·x and n·x as wanted; into a sharp corner only some way.
            DVec2::new(shifts[0] * n.y - shifts[1] * m.y, shifts[1] * m.x - shifts[0] * n.x) / turn
        } else if m.dot(n) > 0.0 {
            (m + n).normalize_or_zero() * most
        } else {
            // As good as the end of a wall.
            continue;
        };
        moves.push((v as u32, x.clamp_length_max(FARTHEST * most)));
    }
    // A wall of one edge whose ends both stay.
    let mut middles = vec![None; count as usize];
    for [one, two] in pairs {
        let ([a, b], [c, d]) = (parts.ends(one), parts.ends(two));
        if a == d && b == c {
            for h in [one, two] {
                let shift = inward(parts, h) * (width * share_of(parts.ends(h)[0]));
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
