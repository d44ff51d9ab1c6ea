#![doc = include_str!("../README.md")]

mod check;
mod config;
mod io;
mod link;
mod mesh;
mod partition;
mod path;
mod plane;
mod polygon;
mod polytope;
mod queue;
mod raw;
mod validate;
mod voxel;

pub use config::{ConfigError, VolumeConfig, VolumeError, VolumeReport};
pub use io::{KIND, ReadError, VERSION};
pub use link::{Journey, JourneyConfig, JourneyFinder, JourneyScratch, Leg, NoJourney, hand_overs};
pub use mesh::{PortalId, RegionId, VolumeMesh};
pub use partition::{GrowthConfig, growth, partition};
pub use path::{End, Flight, FlyFinder, FlyPlace, FlyScratch, NoFlight, Stand};
pub use plane::{HalfSpace, Plane, PlaneId};
pub use raw::RawVolumeMesh;
pub use voxel::decompose_voxels;
