//! Scenarios: who comes when and where, goes where, and what is measured; read from TOML files (feature `scenario`).
//!
//! | file | what |
//! |---|---|
//! | `read` | the file, every mistake with its line |
//! | `draw` | distributions |
//! | `cut` | the mesh cut along doors and areas |
//! | `spawn` | who comes when and where, in groups |
//! | `choice` | which exit agents take |
//! | `zone` | areas: polygons cut into convex pieces |
//! | `simulation` | a scenario that runs on a mesh: doors, steps, what is measured |
//! | `trajectory` | files that others read |
//! | `measure` | flows across lines, densities in areas |
//!
//! `docs/crowd.md` documents every field.

mod choice;
mod cut;
mod draw;
mod measure;
mod read;
mod simulation;
mod spawn;
mod trajectory;
mod zone;

pub use draw::Distribution;
pub use measure::{Line, Summary};
pub use read::{Door, Exit, ExitChoice, Place, Scenario, ScenarioError, Spawn, SpeedZone, Via};
pub use simulation::{Frame, Simulation};
pub use trajectory::{Row, TextError, Trajectories, ground_wkt};
pub use zone::Zone;
