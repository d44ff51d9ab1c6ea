//! Who is near whom: a grid of squares in plan that wraps round.
//!
//! Idea: a square of the plane is one of a fixed number of buckets, the same ones again and again like the tiles of a floor. So
//! there is no origin and no extent, and agents may be anywhere; agents of distant squares that share a bucket are told
//! apart by their distance, which is looked at anyway. Buckets are filled by counting, in the order of the agents.
//! Steps: 1. count  2. sum  3. fill
//! Promises: the same order for any number of threads; a row of squares lies together in memory. Cost: O(agents + buckets).

use wayfare_core::DVec2;

/// Edge of a square [m]: half of how far agents look, so that five rows of five hold all that is seen.
const SQUARE: f64 = 1.25;

/// What is known of an agent where it is looked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    pub at: DVec2,
    pub velocity: DVec2,
    /// Where it heads for, of length 1; 0 for one who stays.
    pub heading: DVec2,
    pub radius: f64,
    pub z: f64,
    pub agent: u32,
}

/// Agents by squares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    /// Where each bucket starts; one more than buckets.
    starts: Vec<u32>,
    seen: Vec<Seen>,
    /// Buckets of the agents, in their order.
    buckets: Vec<u32>,
    /// Buckets in a row, a power of two; as many rows.
    side: i64,
}

/// The square in which a coordinate lies. Coordinates are at most 10⁷ m, so that it fits.
fn square(x: f64) -> i64 {
    let x = x * (1.0 / SQUARE);
    let cut = x as i64;
    // Rounded down, which is a call where it is not cut off.
    cut - i64::from((cut as f64) > x)
}

impl Grid {
    /// Puts agents in.
    pub fn fill(&mut self, count: usize, agent: impl Fn(usize) -> Seen) {
        // 1.
        let mut side = 16;
        while side * side < count {
            side *= 2;
        }
        self.side = side as i64;
        self.starts.clear();
        self.starts.resize(side * side + 1, 0);
        self.buckets.clear();
        for k in 0..count {
            let at = agent(k).at;
            let bucket = self.bucket(square(at.x), square(at.y));
            self.buckets.push(bucket as u32);
            self.starts[bucket + 1] += 1;
        }
        // 2.
        for k in 1..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        // 3. The starts move to the ends of their buckets, which are the starts of the next.
        self.seen.resize(count, Seen::default());
        for k in 0..count {
            let slot = &mut self.starts[self.buckets[k] as usize];
            self.seen[*slot as usize] = agent(k);
            *slot += 1;
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    fn bucket(&self, x: i64, y: i64) -> usize {
        ((x & (self.side - 1)) + (y & (self.side - 1)) * self.side) as usize
    }

    /// Visits everybody who may be within `reach` of a point, and some others.
    #[inline]
    pub fn for_each_near(&self, p: DVec2, reach: f64, mut visit: impl FnMut(&Seen)) {
        let range = |x: f64| {
            let (low, high) = (square(x - reach), square(x + reach));
            // All of them once, where it reaches round.
            (low, high.min(low + self.side - 1))
        };
        let ((x0, x1), (y0, y1)) = (range(p.x), range(p.y));
        let mask = self.side - 1;
        for y in y0..=y1 {
            let row = (y & mask) * self.side;
            let (from, to) = (x0 & mask, x1 & mask);
            let mut run = |from: i64, to: i64| {
                let [from, to] = [row + from, row + to + 1].map(|bucket| self.starts[bucket as usize]);
                for seen in &self.seen[from as usize..to as usize] {
                    visit(seen);
                }
            };
            if from <= to {
                run(from, to);
            } else {
                run(from, mask);
                run(0, to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_near_is_found_once_wherever_they_are() {
        let mut bits = 7u64;
        let mut unit = || {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (bits >> 11) as f64 / (1u64 << 53) as f64
        };
        for (count, extent, offset) in [(0, 1.0, 0.0), (50, 3.0, -1e6), (500, 100.0, 0.0), (300, 1e4, -3.0)] {
            let points: Vec<DVec2> =
                (0..count).map(|_| DVec2::new(unit(), unit()) * extent + offset).collect();
            let mut grid = Grid::default();
            grid.fill(count, |k| Seen { at: points[k], agent: k as u32, ..Seen::default() });
            for &p in &points {
                for reach in [0.1, 2.5, 40.0] {
                    let mut found = Vec::new();
                    grid.for_each_near(p, reach, |seen| {
                        if seen.at.distance(p) <= reach {
                            found.push(seen.agent);
                        }
                    });
                    found.sort_unstable();
                    let near = (0..count as u32).filter(|&k| points[k as usize].distance(p) <= reach);
                    assert_eq!(found, near.collect::<Vec<_>>());
                }
            }
        }
    }
}
