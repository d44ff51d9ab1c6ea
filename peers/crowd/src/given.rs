//! Numbers from the command line.

use anyhow::{Context as _, Result, ensure};
use std::collections::BTreeMap;
use wayfare_crowd::{CrowdConfig, MovementChoice, movement::predictive::PredictiveConfig};

/// `name=value` from the command line.
#[derive(Default)]
pub struct Given(BTreeMap<String, f64>);

impl Given {
    pub fn parse(words: impl Iterator<Item = String>) -> Result<Self> {
        let pairs = words.map(|word| {
            let (name, value) = word.split_once('=').with_context(|| format!("{word} is no name=number"))?;
            let value = value.parse().with_context(|| format!("{word} has no number"))?;
            Ok((name.to_owned(), value))
        });
        Ok(Self(pairs.collect::<Result<_>>()?))
    }

    pub fn get(&self, name: &str, usual: f64) -> f64 {
        self.0.get(name).copied().unwrap_or(usual)
    }

    pub fn seed(&self) -> u64 {
        self.get("seed", 1.0) as u64
    }

    /// The default model with the numbers that are given.
    pub fn config(&self) -> Result<CrowdConfig> {
        let usual = PredictiveConfig::default();
        let numbers = PredictiveConfig {
            sight: self.get("sight", usual.sight),
            interval: self.get("interval", usual.interval),
            horizon: self.get("horizon", usual.horizon),
            right: self.get("right", usual.right),
            keep_right: self.get("keep_right", usual.keep_right),
            headway: self.get("headway", usual.headway),
            headway_power: self.get("headway_power", usual.headway_power),
            strip: self.get("strip", usual.strip),
            creep: self.get("creep", usual.creep),
            slide: self.get("slide", usual.slide),
            relaxation: self.get("relaxation", usual.relaxation),
            acceleration: self.get("acceleration", usual.acceleration),
            patience: self.get("patience", usual.patience),
            margin: self.get("margin", usual.margin),
        };
        ensure!(numbers.is_sound(), "a number is out of its range");
        Ok(CrowdConfig {
            movement: MovementChoice::Predictive(numbers),
            seed: self.seed(),
            ..CrowdConfig::default()
        })
    }
}
