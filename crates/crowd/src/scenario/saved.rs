//! A run in a `.waycrowd` file: the crowd with its mesh, the text of the scenario, and what else a run remembers, so that it goes on to the
//! last bit.
//!
//! Idea: what follows from scenario and mesh is made again; the rest is a table in TOML, whose numbers come back as they were. Files
//! are untrusted: what does not fit the scenario is refused.

use super::{content::Scenario, draw::Lots, simulation::Simulation, spawn::SavedSource};
use crate::{
    crowd::Crowd,
    state::{StateError, invalid},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path};
use wayfare_core::{
    DVec2,
    container::{Container, ContainerError},
};

/// What a run remembers beside its crowd.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    /// As text: TOML has no whole numbers of 64 bits without a sign.
    lots: String,
    steps: u64,
    turned: usize,
    exits: Vec<usize>,
    contacts: [u64; 2],
    radii: Vec<f64>,
    /// Arrived, off the mesh, not placed, stuck, agents.
    counts: [usize; 5],
    agent_steps: u64,
    max_overlap: f64,
    /// When each line was passed.
    passages: Vec<Vec<f64>>,
    /// Of each area the sum and the number of looks.
    densities: Vec<(f64, usize)>,
    long_before: Vec<(u32, f64, f64)>,
    sources: Vec<SavedSource>,
}

impl Simulation {
    /// Writes a `.waycrowd` file from which the run goes on; `text` is that of its scenario. The target is whole or untouched.
    pub fn write(&self, path: &Path, text: &str) -> Result<(), ContainerError> {
        let mut file = self.crowd().to_container_with_mesh();
        file.put_text("scenario", text);
        // Plain numbers and lists can always be written.
        file.put_text("run", &toml::to_string(&self.saved()).unwrap_or_default());
        file.write(path)
    }

    /// A run from the bytes of a `.waycrowd` file, and the text of its scenario.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<(Self, String), StateError> {
        let file = Container::from_bytes(bytes)?;
        let crowd = Crowd::from_container_with_mesh(&file)?;
        if !file.has("run") {
            return Err(StateError::NoRun);
        }
        let text = file.get_text("scenario")?;
        let scenario = Scenario::parse(&text).or_else(|error| invalid(format!("its scenario: {error}")))?;
        let saved: Saved =
            toml::from_str(&file.get_text("run")?).or_else(|error| invalid(error.message().to_owned()))?;
        let simulation = Self::prepare(scenario, crowd.mesh.clone());
        let mut simulation = simulation.or_else(|error| invalid(format!("its scenario: {error}")))?;
        if simulation.crowd.goals.as_slice() != crowd.goals.as_slice()
            || simulation.crowd.journeys.as_slice() != crowd.journeys.as_slice()
        {
            return invalid("its scenario is another one");
        }
        simulation.crowd = crowd;
        simulation.restore(saved)?;
        Ok((simulation, text))
    }

    fn saved(&self) -> Saved {
        let summary = &self.summary;
        Saved {
            lots: self.lots.0.to_string(),
            steps: self.steps,
            turned: self.turned,
            exits: self.exits.clone(),
            contacts: self.contacts,
            radii: self.radii.clone(),
            counts: [summary.arrived, summary.off_mesh, summary.not_placed, summary.stuck, summary.agents],
            agent_steps: summary.agent_steps,
            max_overlap: summary.max_overlap,
            passages: self.lines.iter().map(|(_, passages)| passages.0.clone()).collect(),
            densities: self.densities.iter().map(|density| (density.sum, density.looks)).collect(),
            long_before: self.long_before.iter().map(|(&id, at)| (id, at.x, at.y)).collect(),
            sources: self.sources.iter().map(|source| source.saved()).collect(),
        }
    }

    fn restore(&mut self, saved: Saved) -> Result<(), StateError> {
        let fits = saved.turned <= self.turns.len()
            && saved.exits.len() == self.exits.len()
            && saved.passages.len() == self.lines.len()
            && saved.densities.len() == self.densities.len()
            && saved.sources.len() == self.sources.len();
        let Some(lots) = saved.lots.parse().ok().filter(|_| fits) else {
            return invalid("the run is of another scenario");
        };
        self.lots = Lots(lots);
        (self.steps, self.turned, self.exits) = (saved.steps, saved.turned, saved.exits);
        (self.contacts, self.radii) = (saved.contacts, saved.radii);
        let summary = &mut self.summary;
        [summary.arrived, summary.off_mesh, summary.not_placed, summary.stuck, summary.agents] = saved.counts;
        (summary.agent_steps, summary.max_overlap) = (saved.agent_steps, saved.max_overlap);
        for ((_, passages), times) in self.lines.iter_mut().zip(saved.passages) {
            passages.0 = times;
        }
        for (density, (sum, looks)) in self.densities.iter_mut().zip(saved.densities) {
            (density.sum, density.looks) = (sum, looks);
        }
        let before = saved.long_before.into_iter().map(|(id, x, y)| (id, DVec2::new(x, y)));
        self.long_before = before.collect::<BTreeMap<_, _>>();
        for (source, saved) in self.sources.iter_mut().zip(saved.sources) {
            if !source.restore(saved) {
                return invalid("more have come than the scenario has");
            }
        }
        Ok(())
    }
}
