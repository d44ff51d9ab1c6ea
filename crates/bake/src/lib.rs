#![doc = include_str!("../README.md")]

mod assemble;
mod borders;
mod config;
mod corners;
mod decompose;
mod glue;
mod storeys;

pub use assemble::bake;
pub use config::{BakeConfig, BakeError, Decomposition};
