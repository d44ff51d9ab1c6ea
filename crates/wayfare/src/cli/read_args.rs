//! How files are read: the options of verbs that read scenes and plan files but do not bake them, and of all that work with
//! threads.

use super::{
    input::{self, Product},
    output::check_target,
    settings::{Axis, READING, Settings},
};
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};

/// The options of a verb that only reads.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ReadArgs {
    /// The axis of a scene file that points up [default: y]
    #[arg(long, value_enum, value_name = "AXIS", help_heading = READING)]
    up: Option<Axis>,
    /// Metres per unit of the file [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, help_heading = READING)]
    scale: Option<f64>,
}

impl ReadArgs {
    /// The same as settings; degrees of plans matter only to some.
    pub fn settings(&self, planar: bool) -> Settings {
        Settings { up: self.up, scale: self.scale, planar: planar.then_some(true), ..Settings::default() }
    }

    /// Reads a file to look at it, which needs no decision about degrees.
    pub fn look_at(&self, path: &Path) -> Result<Product> {
        self.settings(false).check()?;
        let product = input::open(path, &self.settings(true))?;
        self.settings(false).fit(&product, path)?;
        Ok(product)
    }
}

/// The options of a verb that bakes.
#[derive(Clone, Debug, clap::Args)]
pub struct BakeArgs {
    /// Settings of the bake from a TOML file; options given here win
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
    #[command(flatten)]
    pub threads: Threads,
    #[command(flatten)]
    settings: Settings,
}

impl BakeArgs {
    /// Takes out the step and the gap that were given: on a finished mesh they are about the body.
    pub fn take_body(&mut self) -> [Option<f64>; 2] {
        [self.settings.step.take(), self.settings.max_gap.take()]
    }

    /// The settings, with those of the file; `output` must not be that file.
    pub fn settings(&self, output: &Path) -> Result<Settings> {
        if let Some(file) = &self.config {
            check_target(output, &[file])?;
        }
        let settings = self.settings.clone().or_of(self.config.as_deref())?;
        let checked = settings.check();
        match &self.config {
            // What the options do not do by themselves comes from the file.
            Some(file) if self.settings.check().is_ok() => {
                checked.with_context(|| file.display().to_string())?
            }
            _ => checked?,
        }
        Ok(settings)
    }
}

/// How many threads work.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Threads {
    /// Threads to work with [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

impl Threads {
    /// Sets the number of threads of everything that works in parallel from here on.
    pub fn set(self) -> Result<()> {
        match self.threads {
            Some(count) => rayon::ThreadPoolBuilder::new()
                .num_threads(usize::from(count))
                .build_global()
                .with_context(|| format!("cannot start {count} threads")),
            None => Ok(()),
        }
    }
}
