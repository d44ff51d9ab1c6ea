//! Which spots in the air no flight joins: those of different islands of free space, for a body of one radius.
//!
//! Steps: 1. the islands that each spot gets to straight ([`Islands`])  2. islands that one spot gets to are one.

use super::bounds::Spot;
use crate::{
    partition::Sets,
    path::{FlyFinder, Islands},
};

/// The island of each spot; `None` where it is not known.
pub(super) struct Coasts(Vec<Option<usize>>);

impl Coasts {
    pub(super) fn new(fly: &FlyFinder, spots: &[Spot], radius: f64) -> Self {
        let mut islands = Islands::new(fly, radius);
        // 1.
        let near: Vec<Option<Vec<u32>>> =
            spots.iter().map(|spot| spot.air.and_then(|air| islands.beside(air.region, air.at))).collect();
        // 2. A spot that gets to no island is one of its own.
        let count = islands.count() as usize;
        let mut sets = Sets::new(count + spots.len());
        for (k, near) in near.iter().enumerate() {
            near.iter().flatten().for_each(|&island| sets.join(count + k, island as usize));
        }
        let coast = |(k, near): (usize, &Option<Vec<u32>>)| near.as_ref().map(|_| sets.root(count + k));
        Self(near.iter().enumerate().map(coast).collect())
    }

    /// Whether two spots are known to be of different islands.
    pub(super) fn differ(&self, one: usize, two: usize) -> bool {
        self.0[one].zip(self.0[two]).is_some_and(|(one, two)| one != two)
    }
}
