//! Who comes when and where: one by one or all at once, in groups whose members stand together.
//!
//! Idea: places are drawn by lot while there are free ones; then a lattice is filled up row by row. So many that by lot not all would find
//!   one stand on a lattice from the beginning (`packed`). Members of a group are drawn round the first of them.
//! Cost: O(1) for an agent as long as a tenth of the tries finds a place; the lattice is gone through once.

use super::{
    choice::WaysOut,
    content::Spawn,
    draw::Lots,
    packed::{APART, packed},
    read::ScenarioError,
    zone::Zone,
};
use crate::{
    agents::{AgentId, NewAgent},
    config::CrowdError,
    crowd::Crowd,
    goal::JourneyId,
};
use serde::{Deserialize, Serialize};
use std::{f64::consts::TAU, vec};
use wayfare_core::{DVec2, DVec3, ops};
use wayfare_geom::Aabb2;
use wayfare_navmesh::NavMesh;

/// A place is drawn so often before a lattice is tried, and so often where agents come at a rate.
const TRIES: usize = 200;
const TRIES_AT_A_RATE: usize = 10;
/// So often a place beside the first of a group is drawn.
const BESIDE: usize = 60;
/// Ground that is no higher above other is the same [m].
const SAME_GROUND: f64 = 0.5;

/// A spawn and how many have come of it.
#[derive(Debug)]
pub(super) struct Source {
    pub spawn: Spawn,
    /// Its number.
    number: usize,
    come: usize,
    /// There is no room for more.
    is_full: bool,
    /// Who could not be placed yet.
    waiting: Option<Person>,
    group: Group,
    /// What is left of the lattice, for so many that places drawn by lot are not enough, or once those were all taken.
    lattice: Option<vec::IntoIter<DVec3>>,
}

/// What a source remembers, for files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedSource {
    come: usize,
    is_full: bool,
    waiting: Option<Person>,
    group_left: usize,
    group_members: Vec<u32>,
    group_at: [f64; 3],
    group_pre_movement: f64,
    lattice: Option<Vec<[f64; 3]>>,
}

/// Somebody who is to come.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Person {
    radius: f64,
    speed: f64,
}

/// The group that is coming.
#[derive(Debug, Default)]
struct Group {
    left: usize,
    members: Vec<AgentId>,
    /// Where the first stands.
    at: DVec3,
    pre_movement: f64,
}

/// What came of an attempt.
#[derive(Debug, Default)]
pub(super) struct Came {
    /// The radii of those who came [m].
    pub radii: Vec<f64>,
    /// For how many there is no room.
    pub not_placed: usize,
}

impl Source {
    /// Of an area only what can be on the mesh counts: by lot nobody would find a room in a square of a thousand kilometres.
    pub fn new(mut spawn: Spawn, number: usize, mesh: &NavMesh) -> Self {
        let Aabb2 { min, max } = mesh.bounds();
        spawn.zone = spawn.zone.map(|zone| zone.within(min, max));
        Self { spawn, number, come: 0, is_full: false, waiting: None, group: Group::default(), lattice: None }
    }

    /// Whether somebody is still to come.
    pub fn is_open(&self) -> bool {
        !self.is_full && self.come < self.spawn.number
    }

    pub fn saved(&self) -> SavedSource {
        let Group { left, members, at, pre_movement } = &self.group;
        let lattice =
            self.lattice.as_ref().map(|rest| rest.as_slice().iter().map(|p| p.to_array()).collect());
        SavedSource {
            come: self.come,
            is_full: self.is_full,
            waiting: self.waiting,
            group_left: *left,
            group_members: members.iter().map(|member| member.0).collect(),
            group_at: at.to_array(),
            group_pre_movement: *pre_movement,
            lattice,
        }
    }

    /// Goes on from what was saved; false where that is no state of this source.
    pub fn restore(&mut self, saved: SavedSource) -> bool {
        let SavedSource {
            come,
            is_full,
            waiting,
            group_left,
            group_members,
            group_at,
            group_pre_movement,
            lattice,
        } = saved;
        self.group = Group {
            left: group_left,
            members: group_members.into_iter().map(AgentId).collect(),
            at: group_at.into(),
            pre_movement: group_pre_movement,
        };
        self.lattice =
            lattice.map(|rest| rest.into_iter().map(DVec3::from_array).collect::<Vec<_>>().into_iter());
        (self.come, self.is_full, self.waiting) = (come, is_full, waiting);
        come.checked_add(group_left).is_some_and(|all| all <= self.spawn.number)
    }

    /// How many should have come by a time.
    fn due(&self, time: f64) -> usize {
        let since = time.min(self.spawn.until) - self.spawn.from;
        match self.spawn.rate {
            _ if since < 0.0 => 0,
            // The first comes at once.
            Some(rate) => ((since * rate).floor() as usize).saturating_add(1).min(self.spawn.number),
            None => self.spawn.number,
        }
    }

    /// Adds those whose time has come.
    pub fn come(
        &mut self,
        crowd: &mut Crowd,
        lots: &mut Lots,
        ways: &WaysOut,
    ) -> Result<Came, ScenarioError> {
        let mut came = Came::default();
        let due = self.due(crowd.time());
        while !self.is_full && self.come < self.spawn.number && (self.come < due || self.group.left > 0) {
            if self.group.left == 0 {
                let size = self.spawn.group.draw(lots).round() as usize;
                self.group.left = size.clamp(1, self.spawn.number - self.come);
                self.group.pre_movement = self.spawn.pre_movement.draw(lots);
            }
            let Spawn { radius, speed, .. } = &self.spawn;
            let person = self
                .waiting
                .take()
                .unwrap_or_else(|| Person { radius: radius.draw(lots), speed: speed.draw(lots) });
            let agent = NewAgent {
                at: DVec3::ZERO,
                radius: person.radius,
                speed: person.speed,
                journey: ways.of_spawn(self.number).first().map_or(JourneyId(0), |way| way.journey),
                starts_at: crowd.time() + self.group.pre_movement,
            };
            let Some(id) = self.place(crowd, lots, agent)? else {
                self.waiting = Some(person);
                // All at once: what does not fit now never will.
                if self.spawn.rate.is_none() {
                    self.is_full = true;
                    came.not_placed = self.spawn.number - self.come;
                    self.end_group(crowd)?;
                }
                break;
            };
            ways.send(crowd, crowd.len() - 1, self.number);
            if self.group.members.is_empty() {
                self.group.at = crowd.agents.bodies.last().map_or(DVec3::ZERO, |body| body.at.extend(body.z));
            }
            self.group.members.push(id);
            self.group.left -= 1;
            if self.group.left == 0 {
                self.end_group(crowd)?;
            }
            self.come += 1;
            came.radii.push(person.radius);
        }
        Ok(came)
    }

    fn end_group(&mut self, crowd: &mut Crowd) -> Result<(), ScenarioError> {
        let made = crowd.add_group(&self.group.members);
        self.group = Group::default();
        made.map_err(|error| self.wrong(&error))
    }

    fn wrong(&self, error: &CrowdError) -> ScenarioError {
        ScenarioError { line: self.spawn.line, message: error.to_string() }
    }

    /// Puts somebody on a free place, if there is one.
    fn place(
        &mut self,
        crowd: &mut Crowd,
        lots: &mut Lots,
        agent: NewAgent,
    ) -> Result<Option<AgentId>, ScenarioError> {
        let Some(zone) = &self.spawn.zone else {
            let at = self.spawn.points[self.come % self.spawn.points.len()];
            return match crowd.add(NewAgent { at, ..agent }) {
                Ok(id) => Ok(Some(id)),
                // Others may go away, walls do not.
                Err(CrowdError::Taken { .. }) if self.spawn.rate.is_some() => Ok(None),
                Err(error) => Err(self.wrong(&error)),
            };
        };
        let stand = |crowd: &mut Crowd, at: DVec3| crowd.add(NewAgent { at, ..agent }).ok();
        if !self.group.members.is_empty() {
            let beside = (0..BESIDE).find_map(|k| {
                // Farther and farther away.
                let distance = 2.0 * agent.radius + 0.1 + lots.unit() * (0.5 + 0.05 * k as f64);
                let angle = TAU * lots.unit();
                let aside = DVec2::new(ops::cos(angle), ops::sin(angle)) * distance;
                stand(crowd, beside(crowd.mesh(), zone, self.group.at, aside)?)
            });
            if beside.is_some() {
                return Ok(beside);
            }
        }
        let largest = self.spawn.radius.limits()[1];
        if self.come == 0 && self.spawn.rate.is_none() && self.spawn.group.limits()[1] < 1.5 {
            self.lattice = packed(crowd, lots, zone, self.spawn.number, largest).map(Vec::into_iter);
        }
        if self.lattice.is_none() {
            let tries = if self.spawn.rate.is_some() { TRIES_AT_A_RATE } else { TRIES };
            let drawn = (0..tries).find_map(|_| {
                let at = one_of(grounds(crowd.mesh(), zone, zone.draw(lots)), lots)?;
                stand(crowd, at)
            });
            if drawn.is_some() || self.spawn.rate.is_some() {
                return Ok(drawn);
            }
        }
        let rows = self.lattice.get_or_insert_with(|| rows(crowd.mesh(), zone, largest));
        Ok(rows.find_map(|at| stand(crowd, at)))
    }
}

/// Places row by row, for an area that is nearly full.
fn rows(mesh: &NavMesh, zone: &Zone, largest: f64) -> vec::IntoIter<DVec3> {
    let places = zone.lattice(2.0 * largest + APART).flat_map(|at| grounds(mesh, zone, at));
    places.collect::<Vec<_>>().into_iter()
}

/// The ground of an area at a point in plan: on each of its storeys, the lowest first.
pub(super) fn grounds(mesh: &NavMesh, zone: &Zone, at: DVec2) -> Vec<DVec3> {
    let [low, high] = zone.heights();
    let mut found: Vec<DVec3> =
        mesh.cells_at(at, low..=high).map(|cell| at.extend(mesh.height(cell, at))).collect();
    found.sort_by(|a, b| a.z.total_cmp(&b.z));
    // Cells that touch there have the same ground.
    found.dedup_by(|a, b| a.z - b.z < SAME_GROUND);
    found
}

/// The ground of an area beside a place, on the same storey.
pub(super) fn beside(mesh: &NavMesh, zone: &Zone, place: DVec3, aside: DVec2) -> Option<DVec3> {
    let at = place.truncate() + aside;
    let nearer = |a: &DVec3, b: &DVec3| (a.z - place.z).abs().total_cmp(&(b.z - place.z).abs());
    if zone.contains_in_plan(at) { grounds(mesh, zone, at).into_iter().min_by(nearer) } else { None }
}

/// One of some storeys by lot; where there is only one, no lot is drawn.
fn one_of(grounds: Vec<DVec3>, lots: &mut Lots) -> Option<DVec3> {
    match grounds.len() {
        0 | 1 => grounds.first().copied(),
        count => grounds.get((lots.unit() * count as f64) as usize).copied(),
    }
}
