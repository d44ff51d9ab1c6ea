//! What an agent looks at: its way, and who and what is near.
//!
//! Promises: what an agent sees depends on the beginning of the step alone. Cost: O(those near) at every decision.

use crate::{
    agents::{Body, Gateway, Mind},
    config::CrowdConfig,
    contact::{self, SeenByMe},
    crowd::SharedField,
    goal::{Goal, GoalId, Journey, JourneyId},
    grid::{Grid, Seen},
    in_the_way::held_up,
    movement::{Around, Me, Movement, Neighbour},
    sight::hide,
    walls::{Walls, is_near},
    way_point::OnTheWay,
};
use wayfare_core::{DVec2, Id as _, IdVec};
use wayfare_navmesh::NavMesh;

/// Walls are seen at least so far beyond the body [m].
const WALL_SIGHT: f64 = 1.0;
/// The way is looked at again after so many steps, though the cell is the same.
const LOOK_AGAIN: u64 = 48;
/// Who moves up at a goal stops so far before it ends [m].
const MOVES_UP: f64 = 0.4;

/// What an agent needs to look round.
pub(crate) struct Eyes<'a> {
    pub mesh: &'a NavMesh,
    pub walls: &'a Walls,
    pub factors: &'a [f64],
    pub fields: &'a [SharedField],
    pub grid: &'a Grid,
    pub movement: &'a dyn Movement,
    pub config: &'a CrowdConfig,
    pub tick: u64,
    pub time: f64,
    pub largest: f64,
    pub goals: &'a IdVec<GoalId, Goal>,
    pub journeys: &'a IdVec<JourneyId, Journey>,
}

impl Eyes<'_> {
    /// What its model of movement is told of it.
    pub fn me(&self, body: &Body, mind: &Mind) -> Me {
        let Body { at, velocity, radius, id, .. } = *body;
        let speed = body.speed * self.factors[body.cell.index()] * mind.pace;
        let lot =
            mixed(self.config.seed ^ (u64::from(id) << 32) ^ self.tick.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Me { id, at, velocity, radius, speed, heading: mind.heading, turns: false, time: self.time, lot }
    }

    /// Where an agent heads for, and whether that leads round a corner in a crowd.
    pub fn choose_way_point(&self, index: usize, bodies: &[Body], mind: &mut Mind) -> bool {
        let body = &bodies[index];
        if self.time < mind.waits_until {
            mind.heading = self.move_up(index, bodies, mind);
            return false;
        }
        let Some(shared) = self.fields.get(mind.field as usize) else {
            mind.heading = DVec2::ZERO;
            return false;
        };
        let is_old = (self.tick / 4 + u64::from(body.id)).is_multiple_of(LOOK_AGAIN / 4);
        if mind.gate == Gateway::Unknown || mind.gate_cell != body.cell.0 || is_old {
            let best = shared.field.best(self.mesh, self.factors[body.cell.index()], body.cell, body.at);
            mind.gate = match best {
                Some((Some(gate), _)) => Gateway::Gate(gate),
                Some((None, _)) => Gateway::Goal,
                None => Gateway::Lost,
            };
            mind.gate_cell = body.cell.0;
        }
        let gate = match mind.gate {
            Gateway::Gate(gate) => Some(gate),
            Gateway::Goal => None,
            Gateway::Unknown | Gateway::Lost => {
                mind.heading = DVec2::ZERO;
                return false;
            }
        };
        let way = OnTheWay {
            field: &shared.field,
            cell: body.cell,
            at: body.at,
            gate,
            heading: mind.heading,
            crowding: mind.plan.crowding,
        };
        let (heading, turns) = way.ahead(self.config.way_points);
        mind.heading = heading;
        turns
    }

    /// Where one goes who waits: nowhere, unless it waits at a goal and holds up others. Then it moves up as they would like to, as far as
    /// the goal reaches, so that they come in behind it.
    fn move_up(&self, index: usize, bodies: &[Body], mind: &Mind) -> DVec2 {
        let journey = &self.journeys[JourneyId(mind.journey)];
        // Who waits before its first leg has not started yet; who stays for ever has not gone on to another leg.
        let leg = if mind.waits_until.is_infinite() { Some(mind.leg) } else { mind.leg.checked_sub(1) };
        let Some(leg) = leg.and_then(|leg| journey.legs.get(leg as usize)) else { return DVec2::ZERO };
        let body = &bodies[index];
        let wish = |other: &Seen| bodies[other.agent as usize].speed;
        let ahead =
            held_up(self.grid, &body.seen(index, DVec2::ZERO), self.largest, wish).normalize_or_zero();
        let is_inside = self.goals[leg.goal].contains(body.at + ahead * MOVES_UP, body.z);
        if is_inside { ahead } else { DVec2::ZERO }
    }

    /// Looks at who and what is near, and decides.
    pub fn decide(&self, index: u32, body: &Body, me: &Me, mind: &mut Mind, seen_by_me: &mut SeenByMe) {
        let sight = self.movement.sight();
        let SeenByMe { neighbours, walls } = seen_by_me;
        neighbours.clear();
        walls.clear();
        if me.heading != DVec2::ZERO {
            let reach = sight.max(body.radius + self.largest + 0.3);
            self.grid.for_each_near(body.at, reach, |seen| {
                let offset = seen.at - body.at;
                let squared = offset.length_squared();
                let sum = body.radius + seen.radius;
                // Ahead, or so near that it matters.
                let matters = (squared < sight * sight && offset.dot(me.heading) > 0.0)
                    || squared < (sum + 0.3) * (sum + 0.3);
                if !matters || seen.agent == index || !contact::is_same_storey(body.z, squared, seen.z) {
                    return;
                }
                neighbours.push(Neighbour {
                    offset,
                    distance: squared.sqrt(),
                    velocity: seen.velocity,
                    reach: sum,
                    heading: seen.heading,
                });
            });
        }
        // What a large body may touch next is far from its centre.
        let wall_sight = self.movement.wall_sight().max(body.radius + WALL_SIGHT);
        walls.extend(self.walls.kept(&mind.kept));
        if !walls.is_empty() {
            hide(body.at, body.radius, walls, neighbours);
            walls.retain(|&wall| is_near(wall, body.at, wall_sight));
        }
        let around = Around { neighbours, walls };
        self.movement.decide(me, around, &mut mind.plan);
    }
}

/// Random bits from others (SplitMix64, Steele, Lea and Flood 2014).
pub(crate) fn mixed(bits: u64) -> u64 {
    let mut z = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
