//! Stages of a bake: the floor plan, and the floors before it. They come from the bake itself, or from the folder of `bake --save-stages`.

use super::super::{
    input::{self, Product},
    settings::Settings,
};
use anyhow::{Context as _, Result, bail};
use std::{fs, path::Path};
use wayfare::{
    floor::{FloorPlan, voxel::SceneFloors},
    view::Show,
};

/// The file with the stages before the plan, as the page draws them.
pub const SAVED: &str = "stages.wayshow";
/// The file with the floor plan.
pub const PLAN: &str = "plan.wayplan";

/// What is known of a bake.
#[derive(Default)]
pub struct Stages {
    pub plan: Option<FloorPlan>,
    /// The content of [`SAVED`].
    saved: Option<Vec<u8>>,
}

impl Stages {
    /// Those of a bake that was done just now, and notes about what is left out.
    pub fn of(plan: FloorPlan, floors: Option<&SceneFloors>) -> (Self, Vec<String>) {
        let (saved, notes) = floors.map(saved).unzip();
        (Self { plan: Some(plan), saved }, notes.unwrap_or_default())
    }

    /// Those of a folder.
    pub fn read(folder: &Path, settings: &Settings) -> Result<Self> {
        let plan = folder.join(PLAN);
        let plan = match plan.exists() {
            true => match input::open(&plan, settings)? {
                Product::Plan(plan) => Some(plan),
                other => bail!("{} is {}, not a floor plan", plan.display(), other.words()),
            },
            false => None,
        };
        let path = folder.join(SAVED);
        let saved = match path.exists() {
            true => Some(fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?),
            false => None,
        };
        if let Some(saved) = &saved {
            // Looked at now, so that what is wrong is said before anything is shown.
            let nowhere = [Default::default(); 2];
            Show::new("", nowhere)
                .add_saved(saved)
                .with_context(|| format!("{} cannot be shown", path.display()))?;
        }
        if plan.is_none() && saved.is_none() {
            bail!(
                "--stages {}: neither {PLAN} nor {SAVED} is there; `wayfare bake … --save-stages {0}` writes them",
                folder.display()
            );
        }
        Ok(Self { plan, saved })
    }

    /// Adds the stages before the plan to what is shown.
    pub fn add_to(&self, show: &mut Show) {
        if let Some(saved) = &self.saved {
            show.add_saved(saved).expect("it was looked at when it was read, or made by ourselves");
        }
    }
}

/// The content of [`SAVED`], and notes about what is left out.
pub fn saved(found: &SceneFloors) -> (Vec<u8>, Vec<String>) {
    let lattice = &found.floors.lattice;
    let ends = [[0, 0], [lattice.columns(), lattice.rows()]];
    let bounds = ends.map(|[column, row]| lattice.corner(column, row).extend(lattice.height(0.0)));
    let mut show = Show::new("stages", bounds);
    let notes = show.add_floors(&found.floors, &found.layers);
    (show.to_bytes(), notes)
}
