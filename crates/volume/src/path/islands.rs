//! Where a body that fits at two places still does not get from one to the other.
//!
//! Idea: the places that a body roams over ([`super::roam`]) hang together in islands. Who finds the island of every place once need not
//!   roam from each place to each other to see that no way leads there.
//! Steps: the places that a point gets to straight; from the first of them that belongs to no island yet, a new one is flooded.
//! An island is as complete as roaming is: a way between the places may be missed.
//! Cost: every pair of places in a region once at most, and not more than a fixed number of straight lines.

use super::{
    finder::FlyFinder,
    roam::{Places, Roaming},
};
use crate::mesh::RegionId;
use wayfare_core::DVec3;

/// Straight lines that are measured at most; where these are not enough, nothing is known.
const MEASURED: u32 = 400_000;
const NONE: u32 = u32::MAX;

/// The islands that are known so far, for one radius.
pub(crate) struct Islands<'a> {
    places: Places<'a>,
    /// The island of each place; [`NONE`] where it is not known.
    of: Vec<u32>,
    count: u32,
    measured: u32,
}

impl<'a> Islands<'a> {
    pub(crate) fn new(finder: &'a FlyFinder<'a>, radius: f64) -> Self {
        let nowhere = [(); 2].map(|()| RegionId(NONE));
        let places = Places::new(Roaming {
            mesh: finder.mesh(),
            walls: finder.walls(),
            regions: nowhere,
            ends: [DVec3::ZERO; 2],
            radius,
            guide: None,
            limit: f64::INFINITY,
        });
        Self { places, of: Vec::new(), count: 0, measured: 0 }
    }

    /// The islands that a body at a point of a region gets to straight, ascending; `None` where that is too much to find out.
    pub(crate) fn beside(&mut self, region: RegionId, at: DVec3) -> Option<Vec<u32>> {
        let mut islands = Vec::new();
        for place in self.places.in_region(region) {
            if !islands.contains(&self.island(place)) && self.is_clear(at, place)? {
                if self.island(place) == NONE {
                    self.flood(place)?;
                }
                islands.push(self.island(place));
            }
        }
        islands.sort_unstable();
        Some(islands)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    fn island(&self, place: u32) -> u32 {
        self.of.get(place as usize).copied().unwrap_or(NONE)
    }

    fn set(&mut self, place: u32) {
        let length = self.of.len().max(place as usize + 1);
        self.of.resize(length, NONE);
        self.of[place as usize] = self.count;
    }

    /// A new island, with all that is reached from a place.
    fn flood(&mut self, first: u32) -> Option<()> {
        self.set(first);
        let mut open = vec![first];
        while let Some(place) = open.pop() {
            let (at, [one, two]) = self.places.place(place);
            for region in [one, two].into_iter().take(if one == two { 1 } else { 2 }) {
                for other in self.places.in_region(region) {
                    if self.island(other) == NONE && self.is_clear(at, other)? {
                        self.set(other);
                        open.push(other);
                    }
                }
            }
        }
        self.count += 1;
        Some(())
    }

    fn is_clear(&mut self, at: DVec3, place: u32) -> Option<bool> {
        self.measured += 1;
        let Roaming { walls, radius, .. } = self.places.task;
        (self.measured <= MEASURED).then(|| walls.is_clear(at, self.places.place(place).0, radius))
    }
}
