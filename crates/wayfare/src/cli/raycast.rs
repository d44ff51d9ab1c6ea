//! `wayfare raycast M.way --from … --to …`: how far a body goes straight, or sliding.

use super::{
    Common,
    answer::Answer,
    ledge_args::LedgeArgs,
    limit_args::LimitArgs,
    missing::Missing,
    output::{print, print_json, say_notes},
    path::open_for,
    summary::{coordinate, length},
    values::{distance, point},
};
use anyhow::Result;
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{
    core::DVec3,
    navmesh::{Body, Closed, Contact, LocateConfig, NavMesh, Obstacle, PathFinder},
};

/// Say how far a body goes straight, and what stops it
#[derive(Debug, clap::Args)]
pub struct Raycast {
    /// A navigation mesh (.way, .mesh)
    mesh: PathBuf,
    /// Where it starts [m]; z is 0 where it is left out
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    from: DVec3,
    /// Where it goes [m]; z does not matter
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    to: DVec3,
    /// Radius of the body [m]
    #[arg(long, value_name = "R", default_value = "0", value_parser = distance, allow_negative_numbers = true)]
    radius: f64,
    #[command(flatten)]
    ledge: LedgeArgs,
    /// Slide along what is in the way, and stop in corners only
    #[arg(long)]
    slide: bool,
    /// How far from the ground the start may be [m]
    #[arg(long, value_name = "M", default_value = "0.5", value_parser = distance, allow_negative_numbers = true)]
    snap: f64,
    #[command(flatten)]
    limits: LimitArgs,
}

/// The keys of `raycast --json`.
#[derive(Serialize)]
struct Reached {
    /// Whether it went straight to the goal.
    arrived: bool,
    point: [f64; 3],
    cell: u32,
    /// How far it went in plan; of a slide how far it is from the start.
    distance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell_ids: Option<Vec<u32>>,
    contact: Option<Touched>,
    /// What of the question has no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// What is touched in the end.
#[derive(Serialize)]
pub struct Touched {
    kind: &'static str,
    point: [f64; 3],
    normal: [f64; 2],
    /// The tag that is forbidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    portal: Option<u32>,
}

impl Touched {
    pub fn of(mesh: &NavMesh, contact: &Contact) -> Self {
        let none = Self {
            kind: "wall",
            point: contact.point.to_array(),
            normal: contact.normal.to_array(),
            tag: None,
            cell: None,
            portal: None,
        };
        match contact.obstacle {
            Obstacle::Drop => Self { kind: "drop", ..none },
            Obstacle::Blocked(Closed::Cell(cell)) => Self { kind: "blocked", cell: Some(cell.0), ..none },
            Obstacle::Blocked(Closed::Portal(portal)) => {
                Self { kind: "blocked", portal: Some(portal.0), ..none }
            }
            Obstacle::TagForbidden(tag) => {
                let tag = mesh.tag_names().get(usize::from(tag)).cloned();
                Self { kind: "tag-forbidden", tag, ..none }
            }
            _ => none,
        }
    }

    /// What it is and where.
    pub fn words(&self) -> String {
        let what = match (self.kind, self.cell, self.portal, &self.tag) {
            ("drop", ..) => "a drop".into(),
            (_, Some(cell), ..) => format!("cell {cell}, which is closed,"),
            (_, _, Some(portal), _) => format!("portal {portal}, which is closed,"),
            (_, _, _, Some(tag)) => format!("forbidden ground '{tag}'"),
            _ => "a wall".into(),
        };
        format!("{what} at {}", self.point.map(coordinate).join(", "))
    }
}

/// What it prints where the body cannot even stand at the start.
#[derive(Serialize)]
struct NoStart {
    arrived: bool,
    point: Option<[f64; 3]>,
    contact: Option<Touched>,
    #[serde(flatten)]
    why: Missing,
}

impl Raycast {
    pub fn run(self, common: Common) -> Result<Answer> {
        let mesh = &*open_for(&self.mesh, self.radius)?;
        let body = Body { overhangs: self.ledge.overhangs()?, ..self.limits.body(mesh, self.radius)? };
        let config = LocateConfig { snap: self.snap, ..LocateConfig::default() };
        let mut finder = PathFinder::plain(mesh);
        *finder.blocks_mut() = self.limits.blocks(mesh, &config)?;
        let notes = self.limits.notes(mesh);
        say_notes(&notes, common);
        let touched = |contact: Option<Contact>| contact.map(|contact| Touched::of(mesh, &contact));
        let reached = if self.slide {
            finder.move_along(&body, self.from, self.to, &config).map(|moved| Reached {
                arrived: moved.arrived,
                point: moved.point.to_array(),
                cell: moved.cell.0,
                distance: moved.point.truncate().distance(self.from.truncate()),
                fraction: None,
                cell_ids: None,
                contact: touched(moved.contact),
                notes: notes.clone(),
            })
        } else {
            let mut cells = Vec::new();
            let cast = finder.raycast_over(&body, self.from, self.to, &config, |cell| cells.push(cell.0));
            cast.map(|cast| Reached {
                arrived: cast.contact.is_none(),
                point: cast.point.to_array(),
                cell: cast.cell.0,
                distance: cast.distance,
                fraction: Some(cast.fraction),
                cell_ids: Some(cells),
                contact: touched(cast.contact),
                notes: notes.clone(),
            })
        };
        let reached = match reached {
            Ok(reached) => reached,
            Err(no) => {
                let mut missing = Missing::of(&finder, &body, &no, [self.from, self.to], self.snap);
                missing.notes = notes;
                if common.json {
                    print_json(&NoStart { arrived: false, point: None, contact: None, why: missing })?;
                } else {
                    print(&format!("no start: {}\n", missing.words()))?;
                }
                return Ok(Answer::No);
            }
        };
        if common.json {
            print_json(&reached)?;
        } else {
            let at = reached.point.map(coordinate).join(", ");
            let gone = length(reached.distance);
            print(&match (&reached.contact, self.slide) {
                (None, _) => format!("arrives: {gone} m to {at}\n"),
                (Some(contact), false) => format!("goes {gone} m to {at}; touches {}\n", contact.words()),
                (Some(contact), true) => {
                    format!("slides along {}; ends at {at}, {gone} m from the start\n", contact.words())
                }
            })?;
        }
        Ok(Answer::Yes)
    }
}
