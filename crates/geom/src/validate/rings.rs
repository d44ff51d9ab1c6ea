//! Many rings in two flat arrays.

use wayfare_core::DVec2;

/// Closed rings of points, one after the other. Edge `k` leads from point `k` to the next point of its ring.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RingSet {
    points: Vec<DVec2>,
    /// One more entry than rings.
    starts: Vec<u32>,
}

impl RingSet {
    /// No rings.
    pub fn new() -> Self {
        Self { points: Vec::new(), starts: vec![0] }
    }
    /// Appends a ring.
    ///
    /// # Panics
    /// When all rings together have 2³² points or more.
    pub fn push(&mut self, ring: impl IntoIterator<Item = DVec2>) {
        self.points.extend(ring);
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.starts.push(u32::try_from(self.points.len()).expect("fewer than 2^32 points"));
    }
    /// Number of rings.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
    /// Whether there is no ring.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// All points.
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }
    /// All points, to be moved.
    pub fn points_mut(&mut self) -> &mut [DVec2] {
        &mut self.points
    }
    /// Numbers of the points of a ring.
    pub fn range(&self, ring: usize) -> std::ops::Range<usize> {
        self.starts[ring] as usize..self.starts[ring + 1] as usize
    }
    /// The points of a ring.
    pub fn ring(&self, ring: usize) -> &[DVec2] {
        &self.points[self.range(ring)]
    }
    /// Turns a ring round.
    pub fn reverse(&mut self, ring: usize) {
        let range = self.range(ring);
        self.points[range].reverse();
    }
    /// The ring of a point (or of the edge that starts there).
    pub fn ring_of(&self, point: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= point) - 1
    }
    /// All rings.
    pub fn iter(&self) -> impl Iterator<Item = &[DVec2]> {
        (0..self.len()).map(|ring| self.ring(ring))
    }
}
