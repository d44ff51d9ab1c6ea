//! What a search for gaps is asked for.

use crate::{GroundConfig, GroundConfigError};
use wayfare_core::dvec2;

/// The body that steps over gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct GapConfig {
    /// How far it steps, seen from above [m].
    pub max_gap: f64,
    /// How high it steps, and over what [m].
    pub step: f64,
    /// Head room that it needs [m]; more than twice the reach.
    pub height: f64,
}

impl Default for GapConfig {
    /// A grown-up.
    fn default() -> Self {
        Self::of_ground(0.3, &GroundConfig::default())
    }
}

impl GapConfig {
    /// The body that the ground is made for, with the gaps that it steps over.
    pub fn of_ground(max_gap: f64, ground: &GroundConfig) -> Self {
        Self { max_gap, step: ground.step, height: ground.height }
    }

    /// The farthest that it reaches in space [m]: d_max of the seed.
    pub fn reach(&self) -> f64 {
        dvec2(self.max_gap, self.step).length()
    }

    /// Fails on a value outside its range, and on a reach of half the head room or more (assumption 3 of the seed: a gap
    /// could then lie over or under another); NaN is outside every range.
    pub fn check(&self) -> Result<(), GroundConfigError> {
        let check = |field, value: f64, is_good: bool, range| {
            if is_good && value.is_finite() { Ok(()) } else { Err(GroundConfigError { field, value, range }) }
        };
        check("height", self.height, self.height > 0.0 && self.height <= 1e4, "0 .. 10000 m, without 0")?;
        check("max_gap", self.max_gap, self.max_gap >= 0.0, ">= 0 m")?;
        check("step", self.step, self.step >= 0.0, ">= 0 m")?;
        let reach = self.reach();
        let range = "less than half the height: sqrt(max_gap² + step²) is the reach in space [m]";
        check("reach", reach, reach < self.height / 2.0, range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reach_of_half_the_head_room_is_refused() {
        let config = GapConfig { max_gap: 0.3, step: 0.4, height: 1.8 };
        assert_eq!((config.reach(), config.check()), (0.5, Ok(())));
        let refused = |config: GapConfig| config.check().unwrap_err().field;
        assert_eq!(refused(GapConfig { height: 1.0, ..config }), "reach");
        assert_eq!(refused(GapConfig { max_gap: f64::NAN, ..config }), "max_gap");
        assert_eq!(refused(GapConfig { step: -0.1, ..config }), "step");
        assert_eq!(GapConfig::default(), config);
    }
}
