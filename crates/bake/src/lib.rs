#![doc = include_str!("../README.md")]

mod assemble;
mod config;
mod decompose;

pub use assemble::bake;
pub use config::{BakeConfig, BakeError, Decomposition};
