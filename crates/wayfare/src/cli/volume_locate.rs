//! `wayfare locate X.wayvol --at x,y,z`: which region holds a point.

use super::{
    Common,
    answer::Answer,
    output::{print, print_json},
    summary::{area, count, length},
};
use anyhow::Result;
use serde::Serialize;
use wayfare::{
    core::DVec3,
    volume::{FlyFinder, VolumeMesh},
};

/// The keys of `locate --json` for free space.
#[derive(Serialize)]
struct Place {
    found: bool,
    region: Option<u32>,
    /// Regions beyond its portals, ascending.
    neighbours: Vec<u32>,
    component: Option<u32>,
    point: Option<[f64; 3]>,
    distance: Option<f64>,
    /// Distance to the nearest wall.
    clearance: Option<f64>,
    /// Volume of the region [m³].
    volume: Option<f64>,
    /// Floor of the region that one can stand on [m²].
    standing: Option<f64>,
    #[serde(flatten)]
    why: Option<Why>,
}

/// What is said where no region is near.
#[derive(Serialize)]
struct Why {
    reason: &'static str,
    at: [f64; 3],
    needed: Option<f64>,
    available: f64,
    nearest: Option<[f64; 3]>,
    hint: String,
}

pub fn run(mesh: &VolumeMesh, at: DVec3, snap: f64, common: Common) -> Result<Answer> {
    let finder = FlyFinder::new(mesh);
    let found = finder.locate(at, snap);
    let [low, high] = mesh.raw().bounds;
    let everywhere = (high - low).length();
    let clearance = found.and_then(|place| finder.wall_distance(place.point, everywhere));
    let mut neighbours: Vec<u32> = found
        .iter()
        .flat_map(|place| mesh.portals_of(place.region).map(|portal| mesh.across(portal, place.region).0))
        .collect();
    neighbours.sort_unstable();
    neighbours.dedup();
    let why = found.is_none().then(|| {
        let nearest = finder.locate(at, everywhere + at.distance(at.clamp(low, high)));
        let hint = match nearest {
            Some(place) => {
                format!("the nearest region is {:.3} m away; try a larger --snap", place.distance)
            }
            None => "there is no region".into(),
        };
        Why {
            reason: "off-mesh",
            at: at.to_array(),
            needed: nearest.map(|place| place.distance),
            available: snap,
            nearest: nearest.map(|place| place.point.to_array()),
            hint,
        }
    });
    let place = Place {
        found: found.is_some(),
        region: found.map(|place| place.region.0),
        neighbours,
        component: found.map(|place| mesh.component(place.region)),
        point: found.map(|place| place.point.to_array()),
        distance: found.map(|place| place.distance),
        clearance,
        volume: found.map(|place| mesh.volume(place.region)),
        standing: found.map(|place| mesh.standing(place.region)),
        why,
    };
    if common.json {
        print_json(&place)?;
    } else {
        print(&match (found, &place.why) {
            (Some(at), _) => format!(
                "region {}, component {}, beside {}; at {}, {}, {} ({} m away); {} m from the nearest wall; {} m² of floor\n",
                at.region,
                mesh.component(at.region),
                count(place.neighbours.len(), "other"),
                at.point.x,
                at.point.y,
                at.point.z,
                at.distance,
                place.clearance.map_or("?".into(), length),
                area(mesh.standing(at.region)),
            ),
            (None, Some(why)) => format!("off-mesh: no region within {snap} m; {}\n", why.hint),
            (None, None) => String::new(),
        })?;
    }
    Ok(found.is_some().into())
}
