//! Settings of a decomposition, and what it reports.

use wayfare_core::DVec3;

/// How free space is cut into regions.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeConfig {
    /// Half of the width of the smallest body [m]; ≥ 0. Free space is joined only through openings as wide as the body.
    pub radius: f64,
    /// Lower and upper corner of the box to be decomposed; the scene's own box if `None`.
    pub bounds: Option<[DVec3; 2]>,
    /// A point of the free space; if `None` the largest part is taken, and of voxel maps all parts.
    pub reach_from: Option<DVec3>,
    /// Share of the free volume that small regions may take with them when they are left out; 0 .. 1.
    pub prune: f64,
    /// The steepest floor that a body stands on [rad]; 0 .. PI/2.
    pub max_slope: f64,
}

impl Default for VolumeConfig {
    /// A small drone, or a fish, in the whole scene.
    fn default() -> Self {
        Self {
            radius: 0.2,
            bounds: None,
            reach_from: None,
            // A fifth of what "99.5 % covered" leaves: regions beyond hold corners that no body fits into.
            prune: 0.001,
            max_slope: 45f64.to_radians(),
        }
    }
}

/// A setting that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{field} = {value} is outside {range}")]
pub struct ConfigError {
    /// The setting.
    pub field: &'static str,
    /// Its value.
    pub value: f64,
    /// What is allowed.
    pub range: &'static str,
}

impl VolumeConfig {
    /// Refuses settings that cannot be; NaN is outside every range.
    pub fn check(&self) -> Result<(), ConfigError> {
        let bad = |field, value, range| Err(ConfigError { field, value, range });
        if !(self.radius >= 0.0 && self.radius.is_finite()) {
            return bad("radius", self.radius, "0 .. m");
        }
        if !(0.0..1.0).contains(&self.prune) {
            return bad("prune", self.prune, "0 .. 1");
        }
        if !(0.0..std::f64::consts::FRAC_PI_2).contains(&self.max_slope) {
            return bad("max_slope", self.max_slope, "0 .. PI/2 rad");
        }
        Ok(())
    }
}

/// What a decomposition did besides its product.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeReport {
    /// Planes of the scene's triangles, after triangles of one plane got one.
    pub planes: usize,
    /// Cells of the partition before flooding.
    pub cells: usize,
    /// Parts of free cells that no opening as wide as the body joins.
    pub parts: usize,
    /// Winding number of the free space, where the scene is closed enough to say.
    pub winding: Option<i32>,
    /// Regions that joining saved.
    pub merged: usize,
    /// Volume of cells given up beside the free space, all taken for free [m³].
    pub undecided_volume: f64,
    /// Volume of regions left out for their size [m³].
    pub pruned_volume: f64,
}

/// Why there is no decomposition.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VolumeError {
    /// A setting cannot be.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The box has no volume.
    #[error("the box from {0} to {1} has no volume; give --bounds")]
    Flat(DVec3, DVec3),
    /// The start is not free.
    #[error("there is no free space at {0}: {1}")]
    Start(DVec3, &'static str),
    /// Nothing is free.
    #[error("no free space in the box")]
    Nothing,
    /// The body is wider than all that is free.
    #[error("a body of radius {radius} m fits nowhere: {}", widest_words(.widest))]
    TooWide {
        /// Half of the body's width [m].
        radius: f64,
        /// How wide the free space is at most [m]; `None` if it is wide enough somewhere, but a body gets to no such place.
        widest: Option<f64>,
    },
    /// Stopped.
    #[error(transparent)]
    Cancelled(#[from] wayfare_core::Cancelled),
    /// What was made is not valid: a mistake of this program.
    #[error("the regions do not hold together: {0}")]
    Invalid(String),
}

fn widest_words(widest: &Option<f64>) -> String {
    match widest {
        Some(widest) => format!("the free space is at most {widest:.3} m wide"),
        None => "no part of the free space is as wide as it between openings that it passes".into(),
    }
}
