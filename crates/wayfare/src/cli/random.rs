//! `wayfare random M.way --count N --seed S`: points by lot, evenly by area, where a body fits.

use super::{
    Common,
    answer::Answer,
    ledge_args::LedgeArgs,
    limit_args::LimitArgs,
    output::{print, print_json, say_notes},
    path::open_for,
    values::{coordinate, distance},
};
use anyhow::{Result, bail};
use serde::Serialize;
use std::{fmt::Write as _, path::PathBuf};
use wayfare::{
    core::{DVec3, Id as _},
    navmesh::{Body, ComponentId, LocateConfig, NoPath, PathFinder, Within},
};

/// Draw points of a mesh by lot, evenly by area, where a body fits
#[derive(Debug, clap::Args)]
pub struct Random {
    /// A navigation mesh (.way, .mesh)
    mesh: PathBuf,
    /// How many points
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    count: u32,
    /// Another number gives other points
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,
    /// Radius of the body [m]
    #[arg(long, value_name = "R", default_value = "0", value_parser = distance, allow_negative_numbers = true)]
    radius: f64,
    #[command(flatten)]
    ledge: LedgeArgs,
    /// Only in a circle in plan, on ground that is joined to its centre there
    #[arg(long, value_name = "X,Y,Z,R", value_parser = circle, allow_hyphen_values = true)]
    within: Option<(DVec3, f64)>,
    /// Only in this component
    #[arg(long, value_name = "N", conflicts_with = "within")]
    component: Option<u32>,
    /// How far from the ground the centre of the circle may be [m]
    #[arg(long, value_name = "M", default_value = "0.5", value_parser = distance, allow_negative_numbers = true)]
    snap: f64,
    #[command(flatten)]
    limits: LimitArgs,
}

/// A circle as `x,y,z,r`, or `x,y,r` on the ground z = 0 [m].
fn circle(text: &str) -> Result<(DVec3, f64), String> {
    let numbers: Vec<&str> = text.split(',').map(str::trim).collect();
    let (centre, radius) = match *numbers.as_slice() {
        [x, y, z, radius] => ([coordinate(x)?, coordinate(y)?, coordinate(z)?], radius),
        [x, y, radius] => ([coordinate(x)?, coordinate(y)?, 0.0], radius),
        _ => return Err("a circle is written x,y,z,r or x,y,r".into()),
    };
    Ok((DVec3::from_array(centre), distance(radius)?))
}

/// The keys of `random --json`.
#[derive(Serialize)]
struct Points {
    count: usize,
    points: Vec<[f64; 3]>,
    cell_ids: Vec<u32>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// What of the question has no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Random {
    pub fn run(self, common: Common) -> Result<Answer> {
        let mesh = &*open_for(&self.mesh, self.radius)?;
        let body = Body { overhangs: self.ledge.overhangs()?, ..self.limits.body(mesh, self.radius)? };
        let config = LocateConfig { snap: self.snap, ..LocateConfig::default() };
        let mut finder = PathFinder::plain(mesh);
        *finder.blocks_mut() = self.limits.blocks(mesh, &config)?;
        let within = match (self.within, self.component) {
            (Some((centre, radius)), _) => Within::Circle { centre, radius },
            (None, Some(component)) if component as usize >= mesh.component_count() => {
                bail!("there is no component {component}; the mesh has {}", mesh.component_count())
            }
            (None, Some(component)) => Within::Component(ComponentId::new(component as usize)),
            (None, None) => Within::Everywhere,
        };
        let mut source = SplitMix(self.seed);
        let notes = self.limits.notes(mesh);
        say_notes(&notes, common);
        let mut answer = Points { count: 0, points: Vec::new(), cell_ids: Vec::new(), hint: None, notes };
        let words = match finder.random_points(&body, &within, &config) {
            Ok(mut points) => {
                for _ in 0..self.count {
                    let Some(place) = points.draw(|| source.next()) else { break };
                    answer.points.push(place.point.to_array());
                    answer.cell_ids.push(place.cell.0);
                }
                "this body fits nowhere there".to_owned()
            }
            Err(NoPath::OffMesh { at, .. }) => {
                format!("the middle of the circle ({}, {}, {}) is not on the mesh", at.x, at.y, at.z)
            }
            Err(no) => no.to_string(),
        };
        answer.count = answer.points.len();
        answer.hint = (answer.count == 0).then(|| words.clone());
        if common.json {
            print_json(&answer)?;
        } else if answer.count == 0 {
            print(&format!("no point: {words}\n"))?;
        } else {
            let mut out = String::new();
            for [x, y, z] in &answer.points {
                // Writing to a string cannot fail. All digits: rounded, the body might not fit there.
                let _ = writeln!(out, "{x},{y},{z}");
            }
            print(&out)?;
        }
        Ok((answer.count > 0).into())
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): the same points from a seed, everywhere and for ever.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::core::dvec3;

    #[test]
    fn circles_have_a_centre_and_a_radius() {
        assert_eq!(circle("1,2,3,4"), Ok((dvec3(1.0, 2.0, 3.0), 4.0)));
        assert_eq!(circle("-1,2,0.5"), Ok((dvec3(-1.0, 2.0, 0.0), 0.5)));
        assert!(circle("1,2").is_err() && circle("1,2,-3").is_err() && circle("1,2,x,3").is_err());
    }

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut source = SplitMix(1_234_567);
        assert_eq!([source.next(), source.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
