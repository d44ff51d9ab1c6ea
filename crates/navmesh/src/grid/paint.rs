//! Which buckets does a ring reach into?

use super::{Node, build::MARGIN};
use wayfare_core::DVec2;
use wayfare_geom::Aabb2;

/// Finds the buckets of rings, one ring at a time.
#[derive(Default)]
pub(super) struct Painter {
    /// The ring in work.
    pub(super) ring: Vec<DVec2>,
    /// Span of x that it covers in each row from its first [bucket sizes].
    spans: Vec<(f64, f64)>,
}

impl Painter {
    /// Calls `enter` with the number of every bucket of the node that the ring comes near to; the ring is left in
    /// bucket sizes. Also right for rings that are not convex: their rows are entered without gaps.
    pub(super) fn paint(&mut self, node: &Node, mut enter: impl FnMut(u32)) {
        for p in &mut self.ring {
            *p = node.scaled(*p);
        }
        let bounds = Aabb2::of_points(self.ring.iter().copied());
        if !(bounds.max.y >= -MARGIN && bounds.min.y <= node.rows as f64 + MARGIN) {
            return;
        }
        let (bottom, top) = (node.row(bounds.min.y - MARGIN), node.row(bounds.max.y + MARGIN));
        // Many are small: in one row they span what their corners do.
        if bottom == top
            && bounds.min.y >= bottom as f64 - MARGIN
            && bounds.max.y <= bottom as f64 + 1.0 + MARGIN
        {
            return Self::enter_row(node, bottom, [bounds.min.x, bounds.max.x], &mut enter);
        }
        self.spans.clear();
        self.spans.resize((top - bottom + 1) as usize, (f64::INFINITY, f64::NEG_INFINITY));
        for k in 0..self.ring.len() {
            let (a, b) = (self.ring[k], self.ring[if k + 1 == self.ring.len() { 0 } else { k + 1 }]);
            let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
            for row in node.row(low.y - MARGIN)..=node.row(high.y + MARGIN) {
                let (floor, ceiling) = (row as f64 - MARGIN, row as f64 + 1.0 + MARGIN);
                // The first and the last row are also those of everything beyond them.
                if high.y >= floor && low.y <= ceiling {
                    let (from, to) = (x_at(low, high, floor), x_at(low, high, ceiling));
                    let span = &mut self.spans[(row - bottom) as usize];
                    *span = (span.0.min(from.min(to)), span.1.max(from.max(to)));
                }
            }
        }
        for (row, &(left, right)) in (bottom..).zip(&self.spans) {
            Self::enter_row(node, row, [left, right], &mut enter);
        }
    }

    /// Enters the buckets of a row that a span of x comes near to.
    fn enter_row(node: &Node, row: u32, [left, right]: [f64; 2], enter: &mut impl FnMut(u32)) {
        if right >= -MARGIN && left <= node.columns as f64 + MARGIN {
            for column in node.column(left - MARGIN)..=node.column(right + MARGIN) {
                enter(row * node.columns + column);
            }
        }
    }
}

/// Where the edge from `low` to `high` is at height `y`, or at its end if it does not get there.
pub(super) fn x_at(low: DVec2, high: DVec2, y: f64) -> f64 {
    if y <= low.y {
        low.x
    } else if y >= high.y {
        high.x
    } else {
        low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y))
    }
}
