//! Floor and air joined: where a body leaves the ground, and ways that walk and fly.

mod air_steps;
mod bounds;
mod coasts;
mod ground;
mod journey;
mod places;
mod search;

pub use journey::{Journey, JourneyConfig, JourneyFinder, JourneyScratch, Leg, NoJourney};
pub use places::hand_overs;
