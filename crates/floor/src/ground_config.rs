//! What a bake of a scene is asked for.

/// The body that the ground is made for, and how finely it is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundConfig {
    /// Head room that a body needs [m].
    pub height: f64,
    /// The highest step that it takes [m]; less than its height.
    pub step: f64,
    /// The widest gap that it steps over, seen from above [m]; 0: none. Only the exact way finds gaps.
    pub max_gap: f64,
    /// The steepest slope that it walks on [rad].
    pub max_slope: f64,
    /// Which sides of faces are walked on.
    pub faces: Faces,
    /// Side of a pixel [m].
    pub resolution: f64,
    /// By which way the ground is found. The exact one does not look at `resolution`, `pipeline`, `coarse`, `simplify`
    /// and `layer_mode`.
    pub method: Method,
    /// How the voxel way finds floors.
    pub pipeline: Pipeline,
    /// How many floors a place may have.
    pub layer_mode: LayerMode,
    /// Side of a coarse voxel of the thesis's pipeline, rounded to whole pixels, at least one [m].
    pub coarse: f64,
    /// How far the boundary may be moved to save vertices [m].
    pub simplify: f64,
    /// Pieces of ground smaller than this are left out [m²].
    pub min_area: f64,
    /// Which ground is kept.
    pub keep: Keep,
    /// Places from which the ground must be reached, if `keep` says so.
    pub reach_from: Vec<wayfare_core::DVec3>,
    /// Whether floors inside closed solids are taken out.
    pub remove_inside: bool,
}

/// Which sides of faces can be ground; whatever is not is still in the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Faces {
    /// Both: nobody knows how a scene's faces are turned.
    #[default]
    Both,
    /// The front only, as in Recast: faces whose corners run counter-clockwise seen from above. Where faces are
    /// turned as they should be, the tops of ceilings and the undersides of floors are no ground.
    Front,
}

/// By which way the ground of a scene is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By pixels seen from above: [`voxel`](crate::voxel).
    #[default]
    Voxel,
    /// By exact geometry: [`exact`](crate::exact).
    Exact,
}

/// How the floors of a scene are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pipeline {
    /// By fine columns, row by row.
    #[default]
    Columns,
    /// By the thesis's coarse voxels, cutting shapes and depth maps.
    Thesis,
}

/// How many floors may lie over each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerMode {
    /// Any number of them.
    #[default]
    Many,
    /// Only what is seen from above, whatever the pipeline (the thesis's chapter 5).
    Single,
}

/// Which pieces of ground are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// All of them.
    #[default]
    All,
    /// The largest.
    Largest,
    /// Those that can be reached from the given places.
    Reachable,
}

impl Default for GroundConfig {
    /// A grown-up on pixels of ten centimetres.
    fn default() -> Self {
        Self {
            height: 1.8,
            step: 0.4,
            max_gap: 0.3,
            max_slope: 45f64.to_radians(),
            faces: Faces::Both,
            resolution: 0.1,
            method: Method::Voxel,
            pipeline: Pipeline::Columns,
            layer_mode: LayerMode::Many,
            coarse: 0.4,
            simplify: 0.1,
            min_area: 0.1,
            keep: Keep::All,
            reach_from: Vec::new(),
            remove_inside: true,
        }
    }
}

/// A setting is outside its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{field} = {value} is outside {range}")]
pub struct GroundConfigError {
    /// The setting.
    pub field: &'static str,
    /// What was given.
    pub value: f64,
    /// What is allowed.
    pub range: &'static str,
}

impl GroundConfig {
    /// Fails on a value outside its range; NaN is outside every range.
    pub fn check(&self) -> Result<(), GroundConfigError> {
        let check = |field, value: f64, is_good: bool, range| {
            if is_good && value.is_finite() { Ok(()) } else { Err(GroundConfigError { field, value, range }) }
        };
        check("height", self.height, self.height > 0.0 && self.height <= 1e4, "0 .. 10000 m, without 0")?;
        check("step", self.step, self.step >= 0.0 && self.step < self.height, "0 m .. height, without it")?;
        check("max_gap", self.max_gap, self.max_gap >= 0.0, ">= 0 m")?;
        let quarter = std::f64::consts::FRAC_PI_2;
        check(
            "max_slope",
            self.max_slope,
            (0.0..quarter).contains(&self.max_slope),
            "0 .. 90 degrees, without 90",
        )?;
        check("resolution", self.resolution, self.resolution > 0.0, "> 0 m")?;
        check("coarse", self.coarse, self.coarse > 0.0, "> 0 m")?;
        check("simplify", self.simplify, self.simplify >= 0.0, ">= 0 m")?;
        check("min_area", self.min_area, self.min_area >= 0.0, ">= 0 m²")
    }
}
