//! How plan files are read: the options of every verb that makes a floor plan of one.

use super::input::{self, Product};
use anyhow::{Context as _, Result, anyhow, bail};
use std::path::Path;
use wayfare::scene::PlanOptions;

#[derive(Clone, Debug, clap::Args)]
pub struct PlanArgs {
    /// Metres per unit of the plan file [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub scale: Option<f64>,
    /// The coordinates are planar, even if they look like degrees
    #[arg(long)]
    pub planar: bool,
    /// Threads to work with [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

impl PlanArgs {
    /// Fails where the options cannot be used; from here on everything works with the threads asked for.
    pub fn prepare(&self) -> Result<()> {
        self.options().check().map_err(|reason| anyhow!(reason))?;
        set_threads(self.threads)
    }

    /// Reads a file; what is no plan file has neither scale nor degrees.
    pub fn open(&self, path: &Path) -> Result<Product> {
        let product = input::open(path, &self.options())?;
        if !matches!(product, Product::Source(_)) && (self.scale.is_some() || self.planar) {
            bail!("--scale and --planar are for plan files; {} is {}", path.display(), product.words());
        }
        Ok(product)
    }

    fn options(&self) -> PlanOptions {
        let default = PlanOptions::default();
        PlanOptions { scale: self.scale.unwrap_or(default.scale), planar: self.planar, ..default }
    }
}

/// Sets the number of threads of everything that works in parallel from here on.
pub fn set_threads(threads: Option<u16>) -> Result<()> {
    match threads {
        Some(count) => rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(count))
            .build_global()
            .with_context(|| format!("cannot start {count} threads")),
        None => Ok(()),
    }
}
