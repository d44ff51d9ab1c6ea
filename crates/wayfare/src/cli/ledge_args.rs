//! The option for bodies that may overhang drops.

use super::values::distance;
use anyhow::{Result, bail};

/// How drops count.
#[derive(Clone, Copy, Debug, Default, PartialEq, clap::Args)]
pub struct LedgeArgs {
    /// Let the body overhang drops: 0 keeps only its centre on the ground there. Without it drops count like walls
    #[arg(long, value_name = "0", value_parser = distance, allow_negative_numbers = true)]
    ledge_clearance: Option<f64>,
}

impl LedgeArgs {
    /// Whether the body may overhang drops.
    pub fn overhangs(self) -> Result<bool> {
        match self.ledge_clearance {
            None => Ok(false),
            Some(0.0) => Ok(true),
            Some(other) => bail!(
                "--ledge-clearance {other} is none that is known: 0 lets a body overhang drops, without the option they count like walls"
            ),
        }
    }
}
