//! `wayfare locate M.way --at x,y,z`: where on the mesh a point is.

use super::{
    Common,
    answer::Answer,
    input,
    ledge_args::LedgeArgs,
    output::{print, print_json},
    raycast::Touched,
    values::{distance, point},
    volume_locate,
};
use anyhow::Result;
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{
    bake::add_clearance,
    core::{Context, DVec3, MAX_COORDINATE},
    navmesh::{Body, LocateConfig, Location, NavMesh, PathFinder},
};

/// Say where on a mesh a point is: cell, component, storey, snapped point
#[derive(Debug, clap::Args)]
pub struct Locate {
    /// A navigation mesh (.way, .mesh) or free space (.wayvol)
    mesh: PathBuf,
    /// The point [m]; z is 0 where it is left out
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    at: DVec3,
    /// How far from the ground the point may be [m]
    #[arg(long, value_name = "M", default_value = "0.5", value_parser = distance, allow_negative_numbers = true)]
    snap: f64,
    #[command(flatten)]
    ledge: LedgeArgs,
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
    /// Distance to the nearest obstacle.
    clearance: Option<f64>,
    /// The nearest obstacle.
    wall: Option<Wall>,
    /// Why there is no place.
    #[serde(flatten)]
    why: Option<Why>,
}

/// The nearest obstacle of a place.
#[derive(Serialize)]
struct Wall {
    distance: f64,
    #[serde(flatten)]
    touched: Touched,
}

/// What is said where no ground is near.
#[derive(Serialize)]
struct Why {
    reason: &'static str,
    at: [f64; 3],
    needed: Option<f64>,
    available: f64,
    nearest: Option<[f64; 3]>,
    hint: String,
}

impl Why {
    fn of(mesh: &NavMesh, at: DVec3, snap: f64) -> Self {
        let anywhere = LocateConfig { snap: 4.0 * MAX_COORDINATE, ..LocateConfig::default() };
        let nearest = mesh.locate(at, &anywhere);
        let hint = match nearest {
            Some(place) => format!("the nearest ground is {:.3} m away; try a larger --snap", place.distance),
            None => "there is no ground".into(),
        };
        Self {
            reason: "off-mesh",
            at: at.to_array(),
            needed: nearest.map(|place| place.distance),
            available: snap,
            nearest: nearest.map(|place| place.point.to_array()),
            hint,
        }
    }
}

impl Place {
    fn of(mesh: &NavMesh, location: Option<Location>, why: Option<Why>, overhangs: bool) -> Self {
        let wall = location.filter(|_| mesh.clearance().is_some()).and_then(|location| {
            let finder = PathFinder::plain(mesh);
            finder
                .nearest_wall(
                    &Body { overhangs, ..Body::default() },
                    location.point,
                    &LocateConfig::default(),
                )
                .ok()?
        });
        Self {
            found: location.is_some(),
            cell: location.map(|l| l.cell.0),
            component: location.map(|l| l.component.0),
            storey: location.map(|l| l.storey),
            point: location.map(|l| l.point.to_array()),
            distance: location.map(|l| l.distance),
            clearance: wall.map(|wall| wall.distance),
            wall: wall
                .map(|wall| Wall { distance: wall.distance, touched: Touched::of(mesh, &wall.contact) }),
            why,
        }
    }
}

/// What `locate --json` prints.
pub fn place_json(mesh: &NavMesh, at: DVec3, snap: f64) -> Result<serde_json::Value> {
    let location = mesh.locate(at, &LocateConfig { snap, ..LocateConfig::default() });
    let why = location.is_none().then(|| Why::of(mesh, at, snap));
    Ok(serde_json::to_value(Place::of(mesh, location, why, false))?)
}

impl Locate {
    pub fn run(self, common: Common) -> Result<Answer> {
        if let Some(mesh) = input::open_volume(&self.mesh)? {
            return volume_locate::run(&mesh, self.at, self.snap, common);
        }
        let mut mesh = input::open_mesh(&self.mesh)?;
        if mesh.clearance().is_none() {
            // Where it cannot be made, everything else is still known.
            add_clearance(&mut mesh, &Context::default())?;
        }
        let location = mesh.locate(self.at, &LocateConfig { snap: self.snap, ..LocateConfig::default() });
        let why = location.is_none().then(|| Why::of(&mesh, self.at, self.snap));
        let place = Place::of(&mesh, location, why, self.ledge.overhangs()?);
        if common.json {
            print_json(&place)?;
        } else {
            let room = place.clearance.map(|room| format!("; {room:.3} m from the nearest obstacle"));
            let room = room.unwrap_or_default();
            print(&match (location, &place.why) {
                (Some(l), _) => format!(
                    "cell {}, component {}, storey {}; at {}, {}, {} ({} m away){room}\n",
                    l.cell, l.component, l.storey, l.point.x, l.point.y, l.point.z, l.distance
                ),
                (None, Some(why)) => format!("off-mesh: no ground within {} m; {}\n", self.snap, why.hint),
                (None, None) => String::new(),
            })?;
        }
        Ok(location.is_some().into())
    }
}
