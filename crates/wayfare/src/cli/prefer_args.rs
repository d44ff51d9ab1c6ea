//! Options for keeping away from obstacles further than the radius.

use super::values::{distance, factor};
use wayfare::navmesh::Preference;

/// How a body likes to keep away from obstacles.
#[derive(Clone, Copy, Debug, Default, PartialEq, clap::Args)]
pub struct PreferArgs {
    /// Keep this far from obstacles where the way round does not cost too much [m]; the radius is kept anyway
    #[arg(long, value_name = "P", value_parser = distance, allow_negative_numbers = true)]
    pub prefer: Option<f64>,
    /// What a metre of path costs for each metre that it is nearer than P, beside its length [1/m] [default: 2]
    #[arg(long, value_name = "K", value_parser = factor, allow_negative_numbers = true, requires = "prefer")]
    prefer_weight: Option<f64>,
}

impl PreferArgs {
    /// What is preferred, if anything is.
    pub fn preference(&self) -> Option<Preference> {
        let usual = Preference::of(self.prefer?);
        Some(Preference { weight: self.prefer_weight.unwrap_or(usual.weight), ..usual })
    }
}
