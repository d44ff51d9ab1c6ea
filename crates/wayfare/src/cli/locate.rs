//! `wayfare locate M.way --at x,y,z`: where on the mesh a point is.

use super::{
    Common,
    answer::Answer,
    input,
    output::{print, print_json},
    values::{distance, point},
};
use anyhow::Result;
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{
    core::DVec3,
    navmesh::{LocateConfig, Location},
};

/// Say where on a mesh a point is: cell, component, storey, snapped point
#[derive(Debug, clap::Args)]
pub struct Locate {
    /// A navigation mesh (.way, .mesh)
    mesh: PathBuf,
    /// The point [m]; z is 0 where it is left out
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    at: DVec3,
    /// How far from the ground the point may be [m]
    #[arg(long, value_name = "M", default_value = "0.5", value_parser = distance, allow_negative_numbers = true)]
    snap: f64,
}

/// The keys of `locate --json`.
#[derive(Serialize)]
struct Place {
    found: bool,
    cell: Option<u32>,
    component: Option<u32>,
    storey: Option<u32>,
    point: Option<[f64; 3]>,
    distance: Option<f64>,
    /// The mesh holds no clearance yet.
    clearance: Option<f64>,
}

impl Place {
    fn of(location: Option<Location>) -> Self {
        Self {
            found: location.is_some(),
            cell: location.map(|l| l.cell.0),
            component: location.map(|l| l.component.0),
            storey: location.map(|l| l.storey),
            point: location.map(|l| l.point.to_array()),
            distance: location.map(|l| l.distance),
            clearance: None,
        }
    }
}

impl Locate {
    pub fn run(self, common: Common) -> Result<Answer> {
        let mesh = input::open_mesh(&self.mesh)?;
        let location = mesh.locate(self.at, &LocateConfig { snap: self.snap, ..LocateConfig::default() });
        if common.json {
            print_json(&Place::of(location))?;
        } else {
            print(&match location {
                Some(l) => format!(
                    "cell {}, component {}, storey {}; at {}, {}, {} ({} m away)\n",
                    l.cell, l.component, l.storey, l.point.x, l.point.y, l.point.z, l.distance
                ),
                None => format!("off-mesh: no ground within {} m; try a larger --snap\n", self.snap),
            })?;
        }
        Ok(location.is_some().into())
    }
}
