//! Ways that walk on a navmesh and fly through the regions that it is linked to.
//!
//! The way is the cheapest over the hand-over places that there are, not over all places where one could take off:
//! [`super::search`] finds it.

use super::{
    bounds::{Air, Hover, Spot},
    ground::Landmarks,
    search::Search,
};
use crate::{
    mesh::VolumeMesh,
    path::{Flight, FlyFinder, FlyScratch, NoFlight},
};
use std::sync::OnceLock;
use wayfare_core::DVec3;
use wayfare_navmesh::{Body, HandOvers, LocateConfig, NavMesh, NoPath, Path, PathFinder, PathScratch};

/// Who travels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JourneyConfig {
    /// The body; as a ball in the air.
    pub body: Body,
    /// A metre in the air costs as much as this many on the ground; above 0.
    pub fly_cost: f64,
    /// How far from ground and regions start and goal may be.
    pub locate: LocateConfig,
}

impl Default for JourneyConfig {
    /// A point that walks where that is at most three times as long.
    fn default() -> Self {
        Self { body: Body::default(), fly_cost: 3.0, locate: LocateConfig::default() }
    }
}

/// A part of a journey.
#[derive(Clone, Debug, PartialEq)]
pub enum Leg {
    /// On the ground.
    Walk(Path),
    /// Through the air; begins and ends on the ground where a leg on the ground comes before or after it.
    Fly(Flight),
}

impl Leg {
    /// Its points, and how far its ends were moved.
    fn ends_mut(&mut self) -> (&[DVec3], &mut [f64; 2]) {
        match self {
            Self::Walk(path) => (&path.points, &mut path.snapped),
            Self::Fly(flight) => (&flight.points, &mut flight.snapped),
        }
    }

    /// What it costs where a metre in the air costs so much.
    pub(super) fn cost(&self, fly_cost: f64) -> f64 {
        match self {
            Self::Walk(path) => path.length,
            Self::Fly(flight) => flight.length * fly_cost,
        }
    }
}

/// A way from start to goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Journey {
    /// On the ground and through the air, alternating.
    pub legs: Vec<Leg>,
    /// Length of all legs [m].
    pub length: f64,
    /// The same with flying counted by its cost.
    pub cost: f64,
    /// Paths that were looked for.
    pub measured: u32,
}

/// Why there is no journey: why one cannot walk, and why one cannot fly.
#[derive(Clone, Debug, PartialEq)]
pub struct NoJourney {
    /// On the ground alone.
    pub walk: Option<NoPath>,
    /// Through the air alone.
    pub fly: Option<NoFlight>,
    /// Paths that were looked for.
    pub measured: u32,
}

/// Memory of searches, to be used again; one per thread.
#[derive(Default)]
pub struct JourneyScratch {
    pub(super) walk: PathScratch,
    pub(super) fly: FlyScratch,
}

/// Finds journeys on a navmesh and the volume mesh that it is linked to.
pub struct JourneyFinder<'a> {
    pub(super) walk: PathFinder<&'a NavMesh>,
    pub(super) fly: FlyFinder<'a>,
    places: &'a HandOvers,
    /// Bounds of flights and walks, made when the first journey is asked for.
    air: OnceLock<Air>,
    ground: OnceLock<Landmarks>,
}

impl<'a> JourneyFinder<'a> {
    /// A finder for a linked navmesh; `None` if it was linked to another volume mesh, or to none.
    pub fn new(ground: &'a NavMesh, air: &'a VolumeMesh) -> Option<Self> {
        let places = ground.hand_overs().filter(|all| all.regions as usize == air.region_count())?;
        let (walk, fly) = (PathFinder::new(ground), FlyFinder::new(air));
        Some(Self { walk, fly, places, air: OnceLock::new(), ground: OnceLock::new() })
    }

    /// What finds its ways on the ground.
    pub fn path_finder(&self) -> &PathFinder<&'a NavMesh> {
        &self.walk
    }

    /// What finds its ways through the air.
    pub fn fly_finder(&self) -> &FlyFinder<'a> {
        &self.fly
    }

    /// The cheapest journey over the hand-over places.
    pub fn find(
        &self,
        from: DVec3,
        to: DVec3,
        config: &JourneyConfig,
        scratch: &mut JourneyScratch,
    ) -> Result<Journey, Box<NoJourney>> {
        let ends = [from, to].map(|end| self.end(end, config, scratch));
        let mut spots: Vec<Spot> = ends.to_vec();
        let landmarks = self.landmarks();
        spots.extend(self.places.places.iter().enumerate().map(|(k, place)| {
            let foot = landmarks.place(&self.walk, k, place);
            Spot { air: self.above(foot.at, place.point, config), ground: Some(foot) }
        }));
        let found = Search::new(self, config, spots, scratch).run(scratch);
        let mut journey = found.map_err(|measured| {
            let Body { radius, .. } = config.body;
            let walk = self.walk.find_for(&config.body, from, to, &config.locate, &mut scratch.walk);
            // From where it would hover, if it fits there.
            let [p, q] = [(ends[0], from), (ends[1], to)].map(|(end, at)| end.air.map_or(at, |air| air.at));
            let fly = self.fly.find(p, q, radius, config.locate.snap, &mut scratch.fly);
            Box::new(NoJourney { walk: walk.err(), fly: fly.err(), measured })
        })?;
        // Who takes off or lands at an end does so on the ground there; legs were looked for between places that are on it already.
        if let Some(leg) = journey.legs.first_mut() {
            let (points, snapped) = leg.ends_mut();
            snapped[0] = points.first().map_or(0.0, |p| p.distance(from));
        }
        if let Some(leg) = journey.legs.last_mut() {
            let (points, snapped) = leg.ends_mut();
            snapped[1] = points.last().map_or(0.0, |p| p.distance(to));
        }
        Ok(journey)
    }

    pub(super) fn air(&self) -> &Air {
        self.air.get_or_init(|| Air::new(self.fly.mesh(), &self.places.places))
    }

    fn landmarks(&self) -> &Landmarks {
        self.ground.get_or_init(|| Landmarks::new(&self.walk, &self.places.places))
    }

    /// The start or the goal.
    fn end(&self, at: DVec3, config: &JourneyConfig, scratch: &mut JourneyScratch) -> Spot {
        let ground = self.walk.mesh().locate(at, &config.locate).map(|place| place.point);
        let hover = self.hover(at, config.body.radius);
        // A place in the air is one, although somebody's head could be there who stands below.
        let is_near = |place: &DVec3| place.distance(at) <= config.locate.snap;
        let ground = ground.filter(|place| hover.is_none() || is_near(place));
        let air = hover.or_else(|| self.above(ground?, ground?, config));
        let foot = |point| self.landmarks().foot(&self.walk, point, &mut scratch.walk);
        Spot { ground: ground.map(foot), air }
    }

    /// Where the centre of a body is that stands on the ground at a place of the floor, if it fits.
    fn above(&self, ground: DVec3, floor: DVec3, config: &JourneyConfig) -> Option<Hover> {
        let radius = config.body.radius;
        // On the steepest floor a ball that touches it has its centre so far above the place.
        let lift = radius / wayfare_core::ops::cos(self.fly.mesh().raw().max_slope) * (1.0 + 1e-6);
        let air = self.hover(floor + DVec3::Z * lift, radius)?;
        Some(Hover { lift: ground.distance(air.at), ..air })
    }

    /// A centre, if a ball fits there.
    fn hover(&self, centre: DVec3, radius: f64) -> Option<Hover> {
        let region = self.fly.mesh().region_at(centre)?;
        let fits = radius <= 0.0 || self.fly.wall_distance(centre, radius).is_none();
        fits.then(|| Hover::new(self.air(), region, centre))
    }
}
