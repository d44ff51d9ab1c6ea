//! Distributions of sizes, speeds and times.

use super::{numbers::Numbers, read::shown};
use crate::eyes::mixed;
use serde::{Deserialize, Deserializer, de};
use std::{f64::consts::TAU, fmt};
use wayfare_core::ops;

/// What a number is drawn from.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// Always this.
    Constant(f64),
    /// Evenly between two numbers.
    Uniform([f64; 2]),
    /// Mean and standard deviation, drawn again while outside the limits.
    Normal {
        /// Mean and standard deviation.
        numbers: [f64; 2],
        /// Least and most.
        limits: [f64; 2],
    },
    /// Mean and standard deviation of the logarithm, drawn again while outside the limits.
    LogNormal {
        /// Mean and standard deviation of the logarithm.
        numbers: [f64; 2],
        /// Least and most.
        limits: [f64; 2],
    },
    /// One of these, all with the same chance.
    Among(Vec<f64>),
}

/// Random numbers that are the same everywhere (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Lots(pub u64);

impl Lots {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0.wrapping_sub(0x9e37_79b9_7f4a_7c15))
    }
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    /// A number of the normal distribution (Box and Muller 1958).
    fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.unit(), self.unit());
        (-2.0 * ops::ln(a)).sqrt() * ops::cos(TAU * b)
    }
}

/// So often a number outside its limits is drawn again; then it is put at the limit.
const TRIES: usize = 100;

impl Distribution {
    /// Draws a number.
    pub(crate) fn draw(&self, lots: &mut Lots) -> f64 {
        let mut within = |limits: [f64; 2], draw: &dyn Fn(&mut Lots) -> f64| {
            let drawn = (0..TRIES).map(|_| draw(lots)).find(|x| (limits[0]..=limits[1]).contains(x));
            drawn.unwrap_or_else(|| draw(lots).clamp(limits[0], limits[1]))
        };
        match self {
            Self::Constant(x) => *x,
            Self::Uniform([low, high]) => low + (high - low) * lots.unit(),
            Self::Normal { numbers: [mean, deviation], limits } => {
                within(*limits, &|lots| mean + deviation * lots.normal())
            }
            Self::LogNormal { numbers: [mean, deviation], limits } => {
                within(*limits, &|lots| ops::exp(mean + deviation * lots.normal()))
            }
            Self::Among(numbers) => {
                let k = (lots.unit() * numbers.len() as f64) as usize;
                numbers.get(k).copied().unwrap_or_default()
            }
        }
    }

    /// The least and the most that can be drawn.
    pub fn limits(&self) -> [f64; 2] {
        match self {
            Self::Constant(x) => [*x; 2],
            Self::Uniform(limits) | Self::Normal { limits, .. } | Self::LogNormal { limits, .. } => *limits,
            Self::Among(numbers) => {
                let fold = |start: f64, pick: fn(f64, f64) -> f64| numbers.iter().copied().fold(start, pick);
                [fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max)]
            }
        }
    }
}

/// The table of a distribution.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    uniform: Option<Numbers<2>>,
    normal: Option<Numbers<2>>,
    lognormal: Option<Numbers<2>>,
    among: Option<Vec<f64>>,
    min: Option<f64>,
    max: Option<f64>,
}

impl Table {
    fn distribution(self) -> Result<Distribution, String> {
        let Self { uniform, normal, lognormal, among, min, max } = self;
        let [uniform, normal, lognormal] =
            [uniform, normal, lognormal].map(|given| given.map(|given| given.0));
        if (min.is_some() || max.is_some()) && normal.is_none() && lognormal.is_none() {
            return Err("min and max are limits of normal and lognormal".into());
        }
        // Three standard deviations hold nearly everybody.
        let limits = |low: f64, high: f64| [min.unwrap_or(low), max.unwrap_or(high)];
        let distribution = match (uniform, normal, lognormal, among) {
            (Some(limits), None, None, None) => Distribution::Uniform(limits),
            (None, Some(numbers @ [mean, deviation]), None, None) => {
                let limits = limits(mean - 3.0 * deviation, mean + 3.0 * deviation);
                Distribution::Normal { numbers, limits }
            }
            (None, None, Some(numbers @ [mean, deviation]), None) => {
                let limits = limits(0.0, ops::exp(mean + 3.0 * deviation));
                Distribution::LogNormal { numbers, limits }
            }
            (None, None, None, Some(numbers)) if !numbers.is_empty() => Distribution::Among(numbers),
            (None, None, None, Some(_)) => return Err("among needs a number at least".into()),
            _ => return Err("give one of uniform, normal, lognormal and among".into()),
        };
        let spread =
            normal.map(|numbers| ("normal", numbers)).or(lognormal.map(|numbers| ("lognormal", numbers)));
        if let Some((name, [mean, deviation])) = spread.filter(|(_, [_, deviation])| *deviation < 0.0) {
            return Err(format!("{name} = [{mean}, {deviation}]: the deviation is negative"));
        }
        if let Distribution::Among(numbers) = &distribution
            && let Some(wrong) = numbers.iter().find(|number| !number.is_finite())
        {
            return Err(format!("among has {wrong}: its numbers must be finite"));
        }
        let [low, high] = distribution.limits();
        if low > high {
            return Err(match (uniform, min, max) {
                (Some([low, high]), ..) => {
                    format!("uniform = [{low}, {high}]: the first number is the least")
                }
                (_, Some(min), Some(max)) => format!("min = {min} is more than max = {max}"),
                (_, Some(min), None) => {
                    format!("min = {min} is more than three deviations above the mean; give a max")
                }
                _ => {
                    format!("max = {} is more than three deviations below the mean; give a min", shown(high))
                }
            });
        }
        if !(low.is_finite() && high.is_finite())
            || spread.is_some_and(|(_, numbers)| numbers.iter().any(|x| x.is_nan()))
        {
            return Err("its numbers must be finite".into());
        }
        Ok(distribution)
    }
}

impl<'de> Deserialize<'de> for Distribution {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Distribution;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a table with uniform, normal, lognormal or among")
            }
            fn visit_f64<E: de::Error>(self, x: f64) -> Result<Distribution, E> {
                if x.is_finite() {
                    Ok(Distribution::Constant(x))
                } else {
                    Err(E::custom("not a finite number"))
                }
            }
            fn visit_i64<E: de::Error>(self, x: i64) -> Result<Distribution, E> {
                Ok(Distribution::Constant(x as f64))
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Distribution, A::Error> {
                let table = Table::deserialize(de::value::MapAccessDeserializer::new(map))?;
                table.distribution().map_err(de::Error::custom)
            }
        }
        from.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_numbers_have_the_mean_the_spread_and_the_limits_that_were_asked_for() {
        let mut lots = Lots(1);
        let normal = Distribution::Normal { numbers: [1.34, 0.26], limits: [0.6, 2.0] };
        let numbers: Vec<f64> = (0..20_000).map(|_| normal.draw(&mut lots)).collect();
        let mean = numbers.iter().sum::<f64>() / 20_000.0;
        let deviation = (numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0).sqrt();
        assert!((mean - 1.34).abs() < 0.01 && (deviation - 0.255).abs() < 0.01, "{mean} {deviation}");
        assert!(numbers.iter().all(|x| (0.6..=2.0).contains(x)));
        let among = Distribution::Among(vec![0.5, 1.0, 2.0]);
        let counted = (0..3000).filter(|_| among.draw(&mut lots) == 1.0).count();
        assert!((900..1100).contains(&counted), "{counted}");
        assert_eq!(Lots(1_234_567).bits(), 6_457_827_717_110_365_317);
    }
}
