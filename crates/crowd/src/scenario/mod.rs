//! Scenarios: who comes when and where, goes where, and what is measured; read from TOML files (feature `scenario`).
//!
//! | file | what |
//! |---|---|
//! | `content` | what a scenario holds |
//! | `read` | the file, every mistake with its line |
//! | `draw` | distributions |
//! | `cut` | the mesh cut along doors and areas |
//! | `spawn` | who comes when and where, in groups |
//! | `packed` | places for so many that by lot not all would find one |
//! | `choice` | which exit agents take |
//! | `zone` | areas: polygons cut into convex pieces |
//! | `simulation` | a scenario that runs on a mesh: doors, steps, what is measured |
//! | `saved` | a run in a file, from which it goes on |
//! | `trajectory` | files that others read |
//! | `stuck` | who does not get on |
//! | `measure` | flows across lines, densities in areas |
//!
//! `docs/crowd.md` documents every field.

mod choice;
mod content;
mod cut;
mod draw;
mod measure;
mod numbers;
mod packed;
mod read;
mod saved;
mod simulation;
mod spawn;
mod stuck;
mod trajectory;
mod zone;

pub use content::{Door, Exit, ExitChoice, MeasuredArea, Place, Scenario, Spawn, SpeedZone, Via};
pub use draw::Distribution;
pub use measure::{Line, Summary};
pub use read::ScenarioError;
pub use simulation::{Frame, Simulation};
pub use trajectory::{Row, TextError, Trajectories, ground_wkt};
pub use zone::Zone;
