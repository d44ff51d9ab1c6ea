//! Groups that keep together: whoever is ahead of the hindmost goes slower until it has caught up, unless it holds others up.
//!
//! Idea: how far each has still to go is known from the field of its goal; the lead over the hindmost sets the pace. Nobody is
//!   pulled, so that the contacts and the flows of single persons stay what they are. Who waits in a door or in a jam would keep all
//!   those behind it from getting on, its own group among them: it goes on, and slows down again behind the door.
//! Steps: 1. who has the farthest way  2. the pace of each. Every quarter of a second. Cost: O(members).

use crate::{
    agents::AgentId, config::CrowdError, crowd::Crowd, field::NONE, grid::Seen, in_the_way::held_up,
};
use wayfare_core::{DVec2, Id as _};

/// A lead that is not minded, and one at which one nearly stands [m].
const FREE: f64 = 1.5;
const LARGE: f64 = 4.0;
/// The least pace: who stands in a door must not stay there for ever.
const LEAST: f64 = 0.05;
/// By so much a pace falls from look to look: who has made way comes out of a door before it stands again.
const FALL: f64 = 0.1;
/// Steps between two looks.
pub(crate) const EVERY: u64 = 15;

impl Crowd {
    /// Makes a group of agents that keep together: who is ahead waits for the others.
    pub fn add_group(&mut self, members: &[AgentId]) -> Result<(), CrowdError> {
        for &member in members {
            if self.agents.index(member).is_none() {
                return Err(CrowdError::Unknown { kind: "agent", number: member.0 });
            }
        }
        if members.len() > 1 {
            self.groups.push(members.iter().map(|member| member.0).collect());
        }
        Ok(())
    }

    /// The groups: numbers of those that are still there.
    pub fn groups(&self) -> &[Vec<u32>] {
        &self.groups
    }

    /// Sets everybody's pace. Needs the grid of this step.
    pub(crate) fn keep_together(&mut self) {
        let mut groups = std::mem::take(&mut self.groups);
        for members in &mut groups {
            members.retain(|&id| self.agents.index(AgentId(id)).is_some());
            // 1.
            let places = || members.iter().filter_map(|&id| self.agents.index(AgentId(id)));
            let behind = places().filter_map(|k| self.left_to_go(k)).max_by(|a, b| {
                // An earlier leg is farther behind.
                b.0.cmp(&a.0).then(a.1.total_cmp(&b.1))
            });
            // 2.
            for &id in &*members {
                let Some(k) = self.agents.index(AgentId(id)) else { continue };
                let pace = match (behind, self.left_to_go(k)) {
                    (Some((leg, most)), Some((own_leg, left))) if members.len() > 1 => {
                        let lead = if own_leg > leg { LARGE } else { most - left };
                        (1.0 - (lead - FREE) / (LARGE - FREE)).clamp(LEAST, 1.0)
                    }
                    _ => 1.0,
                };
                let least =
                    if pace < 1.0 && self.is_in_the_way(k) { 1.0 } else { self.agents.minds[k].pace - FALL };
                self.agents.minds[k].pace = pace.max(least);
            }
        }
        groups.retain(|members| members.len() > 1);
        self.groups = groups;
    }

    /// Whether an agent holds others up, who would like to go on faster at the pace of their own groups.
    fn is_in_the_way(&self, k: usize) -> bool {
        let Self { agents, factors, work, .. } = self;
        let wish = |other: &Seen| {
            let body = &agents.bodies[other.agent as usize];
            body.speed * factors[body.cell.index()] * agents.minds[other.agent as usize].pace
        };
        held_up(&work.grid, &agents.bodies[k].seen(k, DVec2::ZERO), work.largest, wish) != DVec2::ZERO
    }

    /// The leg of an agent and how far it is to its goal [s at 1 m/s]; nothing where there is no way.
    fn left_to_go(&self, k: usize) -> Option<(u32, f64)> {
        let (body, mind) = (&self.agents.bodies[k], &self.agents.minds[k]);
        let shared = self.fields.get(mind.field as usize).filter(|_| mind.field != NONE)?;
        let factor = self.factors[body.cell.index()];
        shared.field.best(&self.mesh, factor, body.cell, body.at).map(|(_, left)| (mind.leg, left))
    }
}
