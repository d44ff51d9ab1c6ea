//! A crowd as a `.waycrowd` file, from which it goes on to the last bit; `docs/format.md` describes every byte for others.
//!
//! Everything is stored that a step depends on and that does not follow from the rest: fields are made again, lists of
//! neighbours too. Files are untrusted: every index and every number is looked at before it is used.

use crate::{
    agents::{Body, Gateway, Mind},
    config::{CrowdConfig, MovementChoice},
    crowd::Crowd,
    goal::{Area, AtEnd, Goal, GoalId, Journey, JourneyId, Leg},
    movement::Plan,
    walls::{KEPT, Kept, Walls},
    way_point::WayPointRule,
};
use std::{path::Path, sync::Arc};
use wayfare_core::{
    DVec2, DVec3, Id as _,
    container::{Container, ContainerError, ContainerWriter, Scalar},
};
use wayfare_navmesh::{CellId, NavMesh, PortalId, ReadError};

/// Kind of the container.
pub const KIND: [u8; 4] = *b"CRWD";
/// Newest version of the kind.
pub const VERSION: u32 = 3;

/// Numbers of a body and of a mind in their sections.
const BODY: usize = 7;
const MIND: usize = 14;
/// Whole numbers of a mind.
const MIND_WHOLE: usize = 7 + KEPT;

/// Why a `.waycrowd` file is not the state of a crowd on a mesh.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// The bytes are not a whole container of the right kind.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// It belongs to another mesh.
    #[error("the crowd was saved on another mesh ({saved}, this one has {here})")]
    OtherMesh {
        /// Cells and corners of the mesh that it was saved on.
        saved: String,
        /// Those of this one.
        here: String,
    },
    /// The mesh that it holds is none.
    #[error(transparent)]
    Mesh(#[from] ReadError),
    /// It holds no mesh.
    #[error("the crowd was saved without its mesh")]
    NoMesh,
    /// It is a crowd by itself, not a run of a scenario.
    #[error("the crowd was saved without its scenario: as a library it goes on, by Crowd::step")]
    NoRun,
    /// The numbers do not make a crowd.
    #[error("not a valid crowd: {0}")]
    Invalid(String),
}

pub(crate) fn invalid<T>(what: impl Into<String>) -> Result<T, StateError> {
    Err(StateError::Invalid(what.into()))
}

impl Crowd {
    /// Writes a `.waycrowd` file; the target is whole or untouched.
    pub fn write(&self, path: &Path) -> Result<(), ContainerError> {
        self.to_container().write(path)
    }
    /// The bytes of the `.waycrowd` file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_container().to_bytes()
    }
    /// Reads a `.waycrowd` file that was saved on this mesh.
    pub fn read(path: &Path, mesh: Arc<NavMesh>) -> Result<Self, StateError> {
        Self::from_container(&Container::read(path)?, mesh)
    }
    /// Reads the bytes of a `.waycrowd` file.
    pub fn from_bytes(bytes: Vec<u8>, mesh: Arc<NavMesh>) -> Result<Self, StateError> {
        Self::from_container(&Container::from_bytes(bytes)?, mesh)
    }

    /// Writes a `.waycrowd` file that holds the mesh too; the target is whole or untouched.
    pub fn write_with_mesh(&self, path: &Path) -> Result<(), ContainerError> {
        self.to_container_with_mesh().write(path)
    }
    pub(crate) fn to_container_with_mesh(&self) -> ContainerWriter {
        let mut file = self.to_container();
        file.put("way", self.mesh.to_bytes());
        file
    }
    /// Reads the bytes of a `.waycrowd` file that holds its mesh.
    pub fn from_bytes_with_mesh(bytes: Vec<u8>) -> Result<Self, StateError> {
        Self::from_container_with_mesh(&Container::from_bytes(bytes)?)
    }
    pub(crate) fn from_container_with_mesh(file: &Container) -> Result<Self, StateError> {
        file.expect_kind(KIND, VERSION)?;
        if !file.has("way") {
            return Err(StateError::NoMesh);
        }
        let mesh = NavMesh::from_bytes(file.get::<u8>("way")?)?;
        Self::from_container(file, Arc::new(mesh))
    }

    fn to_container(&self) -> ContainerWriter {
        let mut file = ContainerWriter::new(KIND, VERSION);
        file.put("mesh", mesh_size(&self.mesh));
        let rule = rule_code(self.config.way_points);
        let (movement, numbers) = self.config.movement.code();
        file.put("clock", [self.tick, u64::from(self.next_id), self.config.seed, rule, movement]);
        file.put("time", [self.time]);
        file.put("movement", numbers);
        self.put_goals(&mut file);
        let shut = |portal: &PortalId| self.blocks.is_portal_blocked(*portal);
        file.put("closed", self.mesh.portals().ids().filter(shut).map(|portal| portal.0));
        file.put("closing", self.closing.iter().map(|portal| portal.0));
        file.put("factors", self.factors.iter().copied());
        file.put("fields", self.fields.iter().flat_map(|shared| [f64::from(shared.goal.0), shared.radius]));
        let bodies = &self.agents.bodies;
        file.put("ids", bodies.iter().flat_map(|body| [body.id, body.cell.0]));
        file.put("bodies", bodies.iter().flat_map(body_numbers));
        file.put("minds", self.agents.minds.iter().flat_map(mind_numbers));
        file.put("tasks", self.agents.minds.iter().flat_map(mind_whole));
        // Of each group its size and its members.
        let group = |members: &Vec<u32>| [&[members.len() as u32][..], members].concat();
        file.put("groups", self.groups.iter().flat_map(group));
        file
    }

    fn put_goals(&self, file: &mut ContainerWriter) {
        // For each area its goal, its kind and how many numbers it has.
        let (mut kinds, mut numbers): (Vec<u32>, Vec<f64>) = (Vec::new(), Vec::new());
        for (goal, areas) in self.goals.iter() {
            for area in &areas.areas {
                let before = numbers.len();
                let kind = match area {
                    Area::Disc { centre, radius } => {
                        numbers.extend([centre.x, centre.y, centre.z, *radius]);
                        0
                    }
                    Area::Convex { ring, heights } => {
                        numbers.extend(heights);
                        numbers.extend(ring.iter().flat_map(|p| [p.x, p.y]));
                        1
                    }
                };
                kinds.extend([goal.0, kind, (numbers.len() - before) as u32]);
            }
        }
        // The cap of each goal, 0 for none, and from when on the next may arrive.
        let caps = self.goals.as_slice().iter().map(|goal| goal.cap.unwrap_or(0.0));
        file.put("goals", caps.zip(&self.open_from).flat_map(|(cap, &from)| [cap, from]));
        file.put("areas", kinds);
        file.put("areanums", numbers);
        let journeys = || self.journeys.as_slice().iter();
        file.put(
            "journeys",
            journeys().flat_map(|journey| [journey.legs.len() as u32, end_code(journey.at_end)]),
        );
        let legs = journeys().flat_map(|journey| &journey.legs);
        file.put("legs", legs.flat_map(|leg| [f64::from(leg.goal.0), leg.wait]));
    }

    fn from_container(file: &Container, mesh: Arc<NavMesh>) -> Result<Self, StateError> {
        file.expect_kind(KIND, VERSION)?;
        let saved = file.get::<u32>("mesh")?;
        if saved != mesh_size(&mesh) {
            let words = |size: &[u32]| format!("{size:?} cells, corners and portals");
            return Err(StateError::OtherMesh { saved: words(&saved), here: words(&mesh_size(&mesh)) });
        }
        let [tick, next_id, seed, rule, movement] = numbers::<u64, 5>(file, "clock")?;
        let [time] = numbers::<f64, 1>(file, "time")?;
        let choice = file.get::<f64>("movement")?;
        let config = match (rule_of(rule), MovementChoice::of_code(movement, &choice)) {
            (Some(way_points), Some(movement)) => CrowdConfig { way_points, movement, seed },
            _ => return invalid("its settings are unknown"),
        };
        let mut crowd = Self::new(mesh, config);
        let Ok(next_id) = u32::try_from(next_id) else { return invalid("too many agents were added") };
        if !(time >= 0.0 && time.is_finite()) {
            return invalid("its time is no number");
        }
        (crowd.tick, crowd.next_id, crowd.time) = (tick, next_id, time);
        crowd.get_goals(file)?;
        for portal in file.get::<u32>("closed")? {
            if portal as usize >= crowd.mesh.portals().len() {
                return invalid(format!("portal {portal} is not there"));
            }
            crowd.blocks.block_portal(PortalId(portal));
        }
        for portal in file.get::<u32>("closing")? {
            if portal as usize >= crowd.mesh.portals().len()
                || !crowd.blocks.is_portal_blocked(PortalId(portal))
            {
                return invalid(format!("portal {portal} is not about to close"));
            }
            crowd.closing.push(PortalId(portal));
        }
        crowd.walls = Walls::new(&crowd.mesh, &crowd.blocks, &crowd.closing);
        let factors = file.get::<f64>("factors")?;
        if factors.len() != crowd.factors.len() || !factors.iter().all(|factor| (0.05..=2.0).contains(factor))
        {
            return invalid("speed factors are out of range");
        }
        crowd.factors = factors;
        for pair in rows(&file.get::<f64>("fields")?, 2, "fields")? {
            let goal = GoalId(pair[0] as u32);
            if crowd.goals.get(goal).is_none() || !(0.0..=6.0).contains(&pair[1]) {
                return invalid("a field is of no goal");
            }
            crowd.field_of(goal, pair[1]);
        }
        crowd.get_agents(file)?;
        crowd.get_groups(&file.get::<u32>("groups")?)?;
        Ok(crowd)
    }

    fn get_goals(&mut self, file: &Container) -> Result<(), StateError> {
        let caps = file.get::<f64>("goals")?;
        let (kinds, all) = (file.get::<u32>("areas")?, file.get::<f64>("areanums")?);
        let mut goals = Vec::new();
        for row in rows(&caps, 2, "goals")? {
            if !(row[0] >= 0.0 && row.iter().all(|number| number.is_finite())) {
                return invalid("a goal has no cap");
            }
            goals.push(Goal { areas: Vec::new(), cap: Some(row[0]).filter(|&cap| cap > 0.0) });
            self.open_from.push(row[1]);
        }
        let mut rest = &all[..];
        for row in rows(&kinds, 3, "areas")? {
            let Some((own, others)) = rest.split_at_checked(row[2] as usize) else {
                return invalid("an area has too few numbers");
            };
            rest = others;
            let area = match (row[1], own) {
                (0, &[x, y, z, radius]) => Area::Disc { centre: DVec3::new(x, y, z), radius },
                (1, &[low, high, ref points @ ..]) if points.len() % 2 == 0 => {
                    let ring = points.chunks_exact(2).map(|p| DVec2::new(p[0], p[1])).collect();
                    Area::Convex { ring, heights: [low, high] }
                }
                _ => return invalid("an area is of no kind"),
            };
            let Some(goal) = goals.get_mut(row[0] as usize) else { return invalid("an area is of no goal") };
            goal.areas.push(area);
        }
        self.goals = goals.into_iter().collect();
        let all = file.get::<f64>("legs")?;
        let mut legs = rows(&all, 2, "legs")?;
        for row in rows(&file.get::<u32>("journeys")?, 2, "journeys")? {
            let Some(at_end) = end_of(row[1]) else { return invalid("a journey ends nowhere") };
            let own = legs.by_ref().take(row[0] as usize);
            let legs: Vec<Leg> = own.map(|leg| Leg { goal: GoalId(leg[0] as u32), wait: leg[1] }).collect();
            if legs.len() != row[0] as usize {
                return invalid("a journey has too few legs");
            }
            self.add_journey(Journey { legs, at_end })
                .map_err(|error| StateError::Invalid(error.to_string()))?;
        }
        Ok(())
    }

    fn get_agents(&mut self, file: &Container) -> Result<(), StateError> {
        let (ids, bodies) = (file.get::<u32>("ids")?, file.get::<f64>("bodies")?);
        let (minds, tasks) = (file.get::<f64>("minds")?, file.get::<u32>("tasks")?);
        let count = ids.len() / 2;
        if [bodies.len() / BODY, minds.len() / MIND, tasks.len() / MIND_WHOLE] != [count; 3] {
            return invalid("its lists of agents differ in length");
        }
        let agents = rows(&ids, 2, "ids")?.zip(rows(&bodies, BODY, "bodies")?);
        let minds = rows(&minds, MIND, "minds")?.zip(rows(&tasks, MIND_WHOLE, "tasks")?);
        for ((id, body), (mind, task)) in agents.zip(minds) {
            let body = Body {
                at: DVec2::new(body[0], body[1]),
                velocity: DVec2::new(body[2], body[3]),
                z: body[4],
                radius: body[5],
                speed: body[6],
                cell: CellId(id[1]),
                id: id[0],
            };
            let last = self.agents.bodies.last().map_or(-1, |last| i64::from(last.id));
            let is_known = i64::from(body.id) > last && body.id < self.next_id;
            let is_sound = (0.05..=5.0).contains(&body.radius)
                && (0.0..=10.0).contains(&body.speed)
                && body.velocity.is_finite()
                && body.z.is_finite()
                && body.cell.index() < self.mesh.cell_count()
                && self.mesh.contains(body.cell, body.at);
            if !is_known || !is_sound {
                return invalid(format!("agent {} is not one", body.id));
            }
            let Some(mind) = self.mind_of(mind, task) else {
                return invalid(format!("agent {} is confused", body.id));
            };
            self.agents.bodies.push(body);
            self.agents.minds.push(mind);
        }
        Ok(())
    }

    fn get_groups(&mut self, mut numbers: &[u32]) -> Result<(), StateError> {
        while let Some((&size, rest)) = numbers.split_first() {
            let Some((members, rest)) = rest.split_at_checked(size as usize) else {
                return invalid("a group has too few members");
            };
            self.groups.push(members.to_vec());
            numbers = rest;
        }
        Ok(())
    }

    fn mind_of(&self, numbers: &[f64], whole: &[u32]) -> Option<Mind> {
        let vector = |k: usize| DVec2::new(numbers[k], numbers[k + 1]);
        let corners: [u32; KEPT] = whole[7..].try_into().ok()?;
        let kept = Kept { at: vector(9), known: numbers[11], corners, count: whole[6] };
        let mind = Mind {
            heading: vector(0),
            plan: Plan {
                wanted: vector(2),
                crowding: numbers[4],
                stalled: numbers[5],
                push: vector(6),
                push_until: numbers[8],
            },
            kept,
            journey: whole[0],
            leg: whole[1],
            field: whole[2],
            gate: Gateway::of_code(whole[3]),
            gate_cell: whole[4],
            waits_until: numbers[12],
            pace: numbers[13],
        };
        let journey = self.journeys.get(JourneyId(mind.journey))?;
        let field = self.fields.get(mind.field as usize);
        let is_gate = |gate: u32| field.is_some_and(|shared| shared.field.gate(gate).is_some());
        let is_sound = (mind.leg as usize) < journey.legs.len()
            && (mind.field == crate::field::NONE || field.is_some())
            && !matches!(mind.gate, Gateway::Gate(gate) if !is_gate(gate))
            && kept.count as usize <= KEPT
            && kept.corners[..kept.count as usize].iter().all(|&corner| (corner as usize) < self.walls.len())
            && (0.0..=1.0).contains(&mind.pace)
            // One may be infinite: who stays, stays.
            && numbers[..12].iter().all(|number| number.is_finite())
            && !numbers[12].is_nan();
        is_sound.then_some(mind)
    }
}

fn mesh_size(mesh: &NavMesh) -> [u32; 3] {
    [mesh.cell_count(), mesh.raw().corners.len(), mesh.portals().len()].map(|count| count as u32)
}

fn rule_code(rule: WayPointRule) -> u64 {
    match rule {
        WayPointRule::Centre => 0,
        WayPointRule::Funnel => 1,
        WayPointRule::Dynamic => 2,
        WayPointRule::Blend => 3,
    }
}
fn rule_of(code: u64) -> Option<WayPointRule> {
    use WayPointRule::{Blend, Centre, Dynamic, Funnel};
    [Centre, Funnel, Dynamic, Blend].into_iter().find(|&rule| rule_code(rule) == code)
}

fn end_code(end: AtEnd) -> u32 {
    match end {
        AtEnd::Leave => 0,
        AtEnd::Stay => 1,
        AtEnd::Repeat => 2,
    }
}
fn end_of(code: u32) -> Option<AtEnd> {
    [AtEnd::Leave, AtEnd::Stay, AtEnd::Repeat].into_iter().find(|&end| end_code(end) == code)
}

fn body_numbers(body: &Body) -> [f64; BODY] {
    let Body { at, velocity, z, radius, speed, .. } = *body;
    [at.x, at.y, velocity.x, velocity.y, z, radius, speed]
}

fn mind_numbers(mind: &Mind) -> [f64; MIND] {
    let Mind { heading, plan, kept, waits_until, pace, .. } = mind;
    let Plan { wanted, crowding, stalled, push, push_until } = *plan;
    let (at, known) = (kept.at, kept.known);
    [
        heading.x,
        heading.y,
        wanted.x,
        wanted.y,
        crowding,
        stalled,
        push.x,
        push.y,
        push_until,
        at.x,
        at.y,
        known,
        *waits_until,
        *pace,
    ]
}

fn mind_whole(mind: &Mind) -> [u32; MIND_WHOLE] {
    let Mind { journey, leg, field, gate, gate_cell, kept, .. } = *mind;
    let mut whole = [0; MIND_WHOLE];
    whole[..7].copy_from_slice(&[journey, leg, field, gate.code(), gate_cell, 0, kept.count]);
    whole[7..].copy_from_slice(&kept.corners);
    whole
}

/// A section of exactly so many numbers.
fn numbers<T: Scalar, const N: usize>(file: &Container, name: &str) -> Result<[T; N], StateError> {
    let all = file.get::<T>(name)?;
    all.try_into().or_else(|_| invalid(format!("section '{name}' has the wrong length")))
}

/// The rows of a table.
fn rows<'a, T>(all: &'a [T], width: usize, name: &str) -> Result<std::slice::ChunksExact<'a, T>, StateError> {
    if !all.len().is_multiple_of(width) {
        return invalid(format!("section '{name}' has no whole rows"));
    }
    Ok(all.chunks_exact(width))
}
