//! Floor and air joined: where a body leaves the ground, and ways that walk and fly.

mod journey;
mod places;

pub use journey::{Journey, JourneyConfig, JourneyFinder, JourneyScratch, Leg, NoJourney};
pub use places::hand_overs;
