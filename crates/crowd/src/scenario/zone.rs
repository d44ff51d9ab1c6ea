//! Areas of a scenario: simple polygons in plan, cut into convex pieces.

use super::draw::Lots;
use crate::{
    field::clipped,
    goal::{Area, is_in_convex},
};
use wayfare_core::DVec2;
use wayfare_geom::{predicates::orient, ring_area};

/// A polygon in plan and the heights of the ground that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    ring: Vec<DVec2>,
    pieces: Vec<Vec<DVec2>>,
    heights: [f64; 2],
}

impl Zone {
    /// A simple polygon, in either direction; the error is a sentence.
    pub fn new(mut ring: Vec<DVec2>, heights: [f64; 2]) -> Result<Self, String> {
        if ring.len() < 3 || !ring.iter().all(|p| p.is_finite()) {
            return Err("an area needs three corners at least".into());
        }
        if ring_area(&ring) < 0.0 {
            ring.reverse();
        }
        let n = ring.len();
        let is_convex = (0..n).all(|k| orient(ring[k], ring[(k + 1) % n], ring[(k + 2) % n]) > 0.0);
        // A star may turn left everywhere and yet go round twice: pieces must add up.
        let pieces = if is_convex && n < 5 { vec![ring.clone()] } else { ears(ring.clone())? };
        let sum: f64 = pieces.iter().map(|piece| ring_area(piece)).sum();
        if !(sum > 0.0 && (sum - ring_area(&ring)).abs() <= 1e-9 * sum) {
            return Err("the area has no inside, or its outline crosses itself".into());
        }
        Ok(Self { ring, pieces, heights })
    }

    /// The part of it that lies in a box; itself where it does not reach beyond.
    pub(super) fn within(self, low: DVec2, high: DVec2) -> Self {
        if self.ring.iter().all(|p| p.cmpge(low).all() && p.cmple(high).all()) {
            return self;
        }
        let cut = |ring: Vec<DVec2>| {
            let ring = clipped(&clipped(&ring, |p| p.x - low.x), |p| high.x - p.x);
            clipped(&clipped(&ring, |p| p.y - low.y), |p| high.y - p.y)
        };
        let pieces: Vec<Vec<DVec2>> =
            self.pieces.iter().cloned().map(cut).filter(|piece| ring_area(piece) > 0.0).collect();
        // Nothing is left: then nobody finds ground there either.
        if pieces.is_empty() {
            return self;
        }
        Self { ring: cut(self.ring), pieces, heights: self.heights }
    }

    /// Its outline, counter-clockwise.
    pub fn ring(&self) -> &[DVec2] {
        &self.ring
    }
    /// Whether a point of the ground lies in it.
    pub fn contains(&self, at: DVec2, z: f64) -> bool {
        (self.heights[0]..=self.heights[1]).contains(&z) && self.contains_in_plan(at)
    }
    pub(crate) fn contains_in_plan(&self, at: DVec2) -> bool {
        self.pieces.iter().any(|piece| is_in_convex(piece, at))
    }
    /// Its size [m²].
    pub fn area(&self) -> f64 {
        self.pieces.iter().map(|piece| ring_area(piece)).sum()
    }
    /// The heights of the ground that counts, lowest and highest [m].
    pub fn heights(&self) -> [f64; 2] {
        self.heights
    }
    /// Its pieces as areas of a goal.
    pub fn areas(&self) -> impl Iterator<Item = Area> + '_ {
        self.pieces.iter().map(|ring| Area::Convex { ring: ring.clone(), heights: self.heights })
    }
    /// A point by lot, evenly.
    pub(crate) fn draw(&self, lots: &mut Lots) -> DVec2 {
        let mut left = lots.unit() * self.area();
        let mut at = self.pieces[0][0];
        for piece in &self.pieces {
            for (&b, &c) in piece[1..].iter().zip(&piece[2..]) {
                let a = piece[0];
                let (mut u, mut v) = (lots.unit(), lots.unit());
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                at = a + (b - a) * u + (c - a) * v;
                left -= 0.5 * (b - a).perp_dot(c - a);
                if left <= 0.0 {
                    return at;
                }
            }
        }
        at
    }
    /// Points of a lattice in it, row by row.
    pub(crate) fn lattice(&self, spacing: f64) -> impl Iterator<Item = DVec2> + '_ {
        let points = || self.pieces.iter().flatten().copied();
        let low = points().reduce(DVec2::min).unwrap_or_default();
        let high = points().reduce(DVec2::max).unwrap_or_default();
        let rows = spacing * 0.75f64.sqrt();
        let count = ((high - low) / DVec2::new(spacing, rows)).ceil().min(DVec2::splat(1e4));
        (0..=count.y as usize).flat_map(move |y| {
            let shift = if y % 2 == 0 { 0.0 } else { 0.5 };
            (0..=count.x as usize)
                .map(move |x| low + DVec2::new((x as f64 + shift) * spacing, y as f64 * rows))
                .filter(|&p| self.pieces.iter().any(|piece| is_in_convex(piece, p)))
        })
    }
}

/// Cuts triangles off a counter-clockwise ring (Meisters 1975).
fn ears(mut ring: Vec<DVec2>) -> Result<Vec<Vec<DVec2>>, String> {
    let mut pieces = Vec::new();
    while ring.len() > 3 {
        let n = ring.len();
        let corner = |k: usize| [ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]];
        let is_ear = |&k: &usize| {
            let [a, b, c] = corner(k);
            let inside = |p: &DVec2| {
                *p != a
                    && *p != b
                    && *p != c
                    && orient(a, b, *p) >= 0.0
                    && orient(b, c, *p) >= 0.0
                    && orient(c, a, *p) >= 0.0
            };
            orient(a, b, c) > 0.0 && !ring.iter().any(inside)
        };
        // A corner that does not turn is no corner.
        let flat = (0..n).find(|&k| {
            let [a, b, c] = corner(k);
            orient(a, b, c) == 0.0
        });
        let ear = (0..n).find(is_ear);
        match (flat, ear) {
            (Some(k), _) => {
                ring.remove(k);
            }
            (None, Some(k)) => {
                pieces.push(corner(k).to_vec());
                ring.remove(k);
            }
            (None, None) => return Err("the outline of the area crosses itself".into()),
        }
    }
    pieces.push(ring);
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
    fn ring(points: &[(f64, f64)]) -> Vec<DVec2> {
        points.iter().map(|&(x, y)| dvec2(x, y)).collect()
    }

    #[test]
    fn areas_with_notches_hold_what_is_inside_of_them() {
        let ell =
            Zone::new(ring(&[(0., 0.), (0., 2.), (1., 2.), (1., 1.), (2., 1.), (2., 0.)]), ANY).unwrap();
        assert_eq!(ell.area(), 3.0);
        assert!(ell.contains(dvec2(0.5, 1.5), 0.0) && ell.contains(dvec2(1.5, 0.5), 7.0));
        assert!(!ell.contains(dvec2(1.5, 1.5), 0.0));
        let mut lots = Lots(3);
        let drawn: Vec<DVec2> = (0..3000).map(|_| ell.draw(&mut lots)).collect();
        assert!(drawn.iter().all(|&p| ell.contains(p, 0.0)));
        let right = drawn.iter().filter(|p| p.x > 1.0).count();
        assert!((900..1100).contains(&right), "{right}");
        assert!(ell.lattice(0.5).all(|p| ell.contains(p, 0.0)));
    }

    #[test]
    fn outlines_that_are_none_are_refused() {
        assert!(Zone::new(ring(&[(0., 0.), (1., 0.)]), ANY).is_err());
        assert!(Zone::new(ring(&[(0., 0.), (1., 0.), (2., 0.)]), ANY).is_err());
        assert!(Zone::new(ring(&[(0., 0.), (1., 1.), (1., 0.), (0., 1.)]), ANY).is_err());
        assert!(Zone::new(ring(&[(0., 0.), (f64::NAN, 1.), (1., 0.)]), ANY).is_err());
    }
}
