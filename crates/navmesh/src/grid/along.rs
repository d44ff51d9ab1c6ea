//! Which rings does a segment come near to?

use super::{FINER, Grid, build::MARGIN, paint::x_at};
use wayfare_core::DVec2;

impl Grid {
    /// Visits all rings that may touch a segment, some of them several times. Cost: O(buckets that it crosses).
    pub(crate) fn along(&self, segment: [DVec2; 2], visit: &mut impl FnMut(u32)) {
        if !self.nodes.is_empty() {
            self.along_node(0, segment, visit);
        }
    }

    fn along_node(&self, node: usize, segment: [DVec2; 2], visit: &mut impl FnMut(u32)) {
        let node = &self.nodes[node];
        let [a, b] = segment.map(|p| node.scaled(p));
        let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
        if !(high.y >= -MARGIN && low.y <= node.rows as f64 + MARGIN) {
            return;
        }
        for row in node.row(low.y - MARGIN)..=node.row(high.y + MARGIN) {
            let ends = [row as f64 - MARGIN, row as f64 + 1.0 + MARGIN].map(|y| x_at(low, high, y));
            let (left, right) = (ends[0].min(ends[1]) - MARGIN, ends[0].max(ends[1]) + MARGIN);
            if !(right >= 0.0 && left <= node.columns as f64) {
                continue;
            }
            for column in node.column(left)..=node.column(right) {
                let bucket = self.buckets[(node.first + row * node.columns + column) as usize];
                if bucket.len == FINER {
                    self.along_node(bucket.start as usize, segment, visit);
                } else {
                    self.list(bucket).iter().copied().for_each(&mut *visit);
                }
            }
        }
    }
}
