//! Scenarios: who comes when and where, goes where, and what is measured; read from TOML files (feature `scenario`).
//!
//! | file | what |
//! |---|---|
//! | `read` | the file, every mistake with its line |
//! | `draw` | distributions |
//! | `zone` | areas: polygons cut into convex pieces |
//! | `simulation` | a scenario that runs on a mesh: spawns, doors, steps |
//! | `trajectory` | files that others read |
//! | `measure` | flows across lines, densities in areas |
//!
//! `docs/crowd.md` documents every field.

mod draw;
mod measure;
mod read;
mod simulation;
mod trajectory;
mod zone;

pub use draw::Distribution;
pub use measure::{Line, Summary};
pub use read::{Door, Exit, Place, Scenario, ScenarioError, Spawn, SpeedZone, Via};
pub use simulation::{Frame, Simulation};
pub use trajectory::{Row, Trajectories, ground_wkt};
pub use zone::Zone;
