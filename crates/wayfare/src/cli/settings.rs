//! The settings of a bake: options and fields of a settings file alike, declared once.

use super::{
    input::Product,
    values::{coordinate_triple, triple},
};
use anyhow::{Context as _, Result, anyhow, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::path::Path;
use wayfare::{
    bake::{BakeConfig, Decomposition},
    core::DVec3,
    floor::{self, Faces, GroundConfig, Keep, LayerMode, Pipeline, gaps::GapConfig},
    scene::{self, PlanOptions, SceneOptions, Up},
};

/// Headings of the help.
pub const READING: &str = "Reading files";
const GROUND: &str = "The ground of scenes";
const CELLS: &str = "Cells";

/// What can be set; what is not given has its default.
#[derive(Clone, Debug, Default, PartialEq, clap::Args, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Settings {
    /// The axis of an OBJ, STL, PLY or OFF file that points up [default: y]
    #[arg(long, value_enum, value_name = "AXIS", help_heading = READING)]
    pub up: Option<Axis>,
    /// Metres per unit of the file: 0.01 if it is in centimetres [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, help_heading = READING)]
    pub scale: Option<f64>,
    /// The coordinates of a plan are planar, even if they look like degrees
    #[arg(long, num_args = 0, default_missing_value = "true", help_heading = READING)]
    pub planar: Option<bool>,

    /// Head room that a body needs [m] [default: 1.8]
    #[arg(long, value_name = "M", allow_negative_numbers = true, help_heading = GROUND)]
    pub height: Option<f64>,
    /// The highest step that a body takes [m] [default: 0.4]
    #[arg(long, value_name = "M", allow_negative_numbers = true, help_heading = GROUND)]
    pub step: Option<f64>,
    /// The widest gap that a body steps over, seen from above [m]; 0: none; for --method exact [default: 0.3]
    #[arg(long, value_name = "M", allow_negative_numbers = true, help_heading = GROUND)]
    #[serde(alias = "max_gap")]
    pub max_gap: Option<f64>,
    /// The steepest slope that a body walks on [degrees] [default: 45]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, help_heading = GROUND)]
    pub slope: Option<f64>,
    /// Which sides of faces are walked on [default: both]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = GROUND)]
    pub faces: Option<Sides>,
    /// Side of a pixel, to about which the boundary is true [m]; a finer one takes longer [default: 0.1]
    #[arg(long, value_name = "M", allow_negative_numbers = true, help_heading = GROUND)]
    pub resolution: Option<f64>,
    /// How far the boundary may move to save vertices [m] [default: 1 × resolution]
    #[arg(long, value_name = "M", allow_negative_numbers = true, help_heading = GROUND)]
    pub simplify: Option<f64>,
    /// Leave out pieces of ground that are smaller than this [m²] [default: 0.1]
    #[arg(long, value_name = "M2", allow_negative_numbers = true, help_heading = GROUND)]
    #[serde(alias = "min_area")]
    pub min_area: Option<f64>,
    /// Which pieces of ground are kept [default: all; reachable with --reach-from; largest with --layers single]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = GROUND)]
    pub keep: Option<Kept>,
    /// Keep only what can be reached from this place; may be given several times
    #[arg(long, value_name = "X,Y,Z", value_parser = triple, allow_hyphen_values = true, help_heading = GROUND)]
    #[serde(alias = "reach_from")]
    pub reach_from: Vec<[f64; 3]>,
    /// Keep floors inside of closed solids, which are left out otherwise
    #[arg(long, num_args = 0, default_missing_value = "true", help_heading = GROUND)]
    #[serde(alias = "keep_inside")]
    pub keep_inside: Option<bool>,
    /// How the ground is found [default: voxel]
    #[arg(long, value_enum, value_name = "METHOD", help_heading = GROUND)]
    pub method: Option<Method>,
    /// How --method voxel finds the floors [default: columns]
    #[arg(long, value_enum, value_name = "HOW", help_heading = GROUND)]
    pub pipeline: Option<Way>,
    /// How many floors may lie over each other; single is for scenes without storeys [default: many]
    #[arg(long, value_enum, value_name = "HOW", help_heading = GROUND)]
    pub layers: Option<Layers>,
    /// Side of a coarse voxel of --pipeline thesis [m] [default: 4 × resolution]
    #[arg(long, value_name = "M", allow_negative_numbers = true, help_heading = GROUND)]
    pub coarse: Option<f64>,

    #[arg(long, value_name = "M", allow_negative_numbers = true, help_heading = CELLS, help = format!(
        "Ignore notches up to this depth [m]: fewer cells, same paths [default: {}]",
        BakeConfig::default().convex_distance
    ))]
    #[serde(alias = "convex_distance")]
    pub convex_distance: Option<f64>,
    /// How the ground is cut into cells [default: best]
    #[arg(long, value_enum, value_name = "HOW", help_heading = CELLS)]
    pub decomposition: Option<Cut>,
    #[arg(long, value_name = "S", allow_negative_numbers = true, help_heading = CELLS, help = format!(
        "How much well-shaped cells are preferred to few cells, 0 to 1 [default: {}]",
        BakeConfig::default().shape
    ))]
    pub shape: Option<f64>,
}

/// The names of the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// As most OBJ files have it, and every glTF file
    Y,
    /// As CAD files, scans and Quake levels have it
    Z,
}

impl Axis {
    pub fn up(self) -> Up {
        match self {
            Self::Y => Up::Y,
            Self::Z => Up::Z,
        }
    }
}

/// The names of the sides of faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Sides {
    /// Both: for scenes whose faces are turned in any way
    Both,
    /// The front only: for scenes whose faces are turned as they should be; tops of ceilings are no ground then
    Front,
}

/// The names of what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// Every piece of ground
    All,
    /// The largest piece
    Largest,
    /// What can be reached from the places of --reach-from
    Reachable,
}

/// The names of the ways from a scene to its ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// By pixels seen from above
    Voxel,
    /// By exact geometry: doors, steps and thin walls as they are modelled, whatever the resolution
    Exact,
}

/// The names of the pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// By fine columns: fast, exact head room
    Columns,
    /// By coarse voxels, then depth maps, as in the thesis that wayfare grew from; for comparison
    Thesis,
}

/// The names of how many layers there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Layers {
    /// Any number of them
    Many,
    /// Only what is seen from above, no floor under another
    Single,
}

/// The names of the decompositions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// Pairs of notches first, then the rest, then improvement
    Best,
    /// The greedy algorithm of the thesis alone, for comparison
    Thesis,
}

/// Largest settings file [bytes].
const MAX_SETTINGS: u64 = 1 << 20;

impl Settings {
    /// The settings of a file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = scene::read_bytes(path, MAX_SETTINGS)?;
        let text =
            String::from_utf8(bytes).map_err(|_| anyhow!("{}: the file is not text", path.display()))?;
        toml::from_str(&text).map_err(|error| {
            let at = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            let line = at.map(|line| format!("line {line}: ")).unwrap_or_default();
            anyhow!("{}: {line}{}", path.display(), error.message())
        })
    }

    /// These settings, and those of the file where they say nothing.
    pub fn or_of(self, file: Option<&Path>) -> Result<Self> {
        let Some(file) = file else { return Ok(self) };
        let mut theirs = Self::read(file)?;
        // Of two that exclude each other, what is said here silences what the file says.
        if !self.reach_from.is_empty() {
            theirs.keep = None;
        } else if matches!(self.keep, Some(Kept::All | Kept::Largest)) {
            theirs.reach_from.clear();
        }
        Ok(Self {
            up: self.up.or(theirs.up),
            scale: self.scale.or(theirs.scale),
            planar: self.planar.or(theirs.planar),
            height: self.height.or(theirs.height),
            step: self.step.or(theirs.step),
            max_gap: self.max_gap.or(theirs.max_gap),
            slope: self.slope.or(theirs.slope),
            faces: self.faces.or(theirs.faces),
            resolution: self.resolution.or(theirs.resolution),
            simplify: self.simplify.or(theirs.simplify),
            min_area: self.min_area.or(theirs.min_area),
            keep: self.keep.or(theirs.keep),
            reach_from: if self.reach_from.is_empty() { theirs.reach_from } else { self.reach_from },
            keep_inside: self.keep_inside.or(theirs.keep_inside),
            method: self.method.or(theirs.method),
            pipeline: self.pipeline.or(theirs.pipeline),
            layers: self.layers.or(theirs.layers),
            coarse: self.coarse.or(theirs.coarse),
            convex_distance: self.convex_distance.or(theirs.convex_distance),
            decomposition: self.decomposition.or(theirs.decomposition),
            shape: self.shape.or(theirs.shape),
        })
    }

    /// Fails on a value outside its range, before anything is read.
    pub fn check(&self) -> Result<()> {
        self.plan_options().check().map_err(|reason| anyhow!(reason))?;
        self.bake_config()?;
        self.ground_config()?;
        Ok(())
    }

    /// How a plan file is read.
    pub fn plan_options(&self) -> PlanOptions {
        let default = PlanOptions::default();
        let planar = self.planar.unwrap_or(default.planar);
        PlanOptions { scale: self.scale.unwrap_or(default.scale), planar, ..default }
    }

    /// How a scene is read.
    pub fn scene_options(&self) -> SceneOptions {
        let default = SceneOptions::default();
        let up = self.up.map(Axis::up);
        SceneOptions { up, scale: self.scale.unwrap_or(default.scale), ..default }
    }

    /// How a floor plan is cut into cells.
    pub fn bake_config(&self) -> Result<BakeConfig> {
        let default = BakeConfig::default();
        let config = BakeConfig {
            convex_distance: self.convex_distance.unwrap_or(default.convex_distance),
            decomposition: match self.decomposition {
                Some(Cut::Best) => Decomposition::Best,
                Some(Cut::Thesis) => Decomposition::Thesis,
                None => default.decomposition,
            },
            shape: self.shape.unwrap_or(default.shape),
        };
        config.check()?;
        Ok(config)
    }

    /// What the ground of a scene must be like.
    pub fn ground_config(&self) -> Result<GroundConfig> {
        let default = GroundConfig::default();
        let resolution = self.resolution.unwrap_or(default.resolution);
        let max_slope = self.slope.map_or(default.max_slope, f64::to_radians);
        self.slope.map_or(Ok(()), check_slope)?;
        let mut reach_from = Vec::new();
        for &place in &self.reach_from {
            coordinate_triple(place).map_err(|reason| anyhow!("reach_from: {reason}"))?;
            reach_from.push(DVec3::from_array(place));
        }
        let keep = match self.keep {
            Some(Kept::All | Kept::Largest) if !reach_from.is_empty() => {
                bail!("--reach-from keeps what is reachable; leave it out, or the other --keep")
            }
            Some(Kept::All) => Keep::All,
            Some(Kept::Largest) => Keep::Largest,
            Some(Kept::Reachable) if reach_from.is_empty() => {
                bail!("to keep what is reachable, say from where: --reach-from X,Y,Z")
            }
            Some(Kept::Reachable) => Keep::Reachable,
            None if !reach_from.is_empty() => Keep::Reachable,
            // The thesis floods what it sees from above from one place.
            None if self.layers == Some(Layers::Single) => Keep::Largest,
            None => Keep::All,
        };
        let pipeline = match self.pipeline {
            Some(Way::Columns) => Pipeline::Columns,
            Some(Way::Thesis) => Pipeline::Thesis,
            None => default.pipeline,
        };
        if self.coarse.is_some() && pipeline != Pipeline::Thesis {
            bail!("--coarse is for --pipeline thesis; fine columns need no coarse voxels");
        }
        let method = match self.method {
            Some(Method::Voxel) => floor::Method::Voxel,
            Some(Method::Exact) => floor::Method::Exact,
            None => default.method,
        };
        if method == floor::Method::Exact {
            let of_voxels = [
                self.resolution.map(|_| "--resolution"),
                self.simplify.map(|_| "--simplify"),
                self.pipeline.map(|_| "--pipeline"),
                self.layers.filter(|&layers| layers == Layers::Single).map(|_| "--layers single"),
            ];
            if let Some(option) = of_voxels.into_iter().flatten().next() {
                bail!("{option} is for --method voxel");
            }
        } else if self.max_gap.is_some_and(|max_gap| max_gap != 0.0) {
            bail!("--max-gap is for --method exact; pixels know no gaps");
        }
        let config = GroundConfig {
            height: self.height.unwrap_or(default.height),
            step: self.step.unwrap_or(default.step),
            max_gap: self.max_gap.unwrap_or(default.max_gap),
            max_slope,
            faces: match self.faces {
                Some(Sides::Both) => Faces::Both,
                Some(Sides::Front) => Faces::Front,
                None => default.faces,
            },
            resolution,
            method,
            pipeline,
            layer_mode: match self.layers {
                Some(Layers::Many) => LayerMode::Many,
                Some(Layers::Single) => LayerMode::Single,
                None => default.layer_mode,
            },
            coarse: self.coarse.unwrap_or(4.0 * resolution),
            simplify: self.simplify.unwrap_or(resolution),
            min_area: self.min_area.unwrap_or(default.min_area),
            keep,
            reach_from,
            remove_inside: self.keep_inside.map_or(default.remove_inside, |keep| !keep),
        };
        config.check().context("the ground cannot be made like that")?;
        if self.max_gap.is_some_and(|max_gap| max_gap > 0.0) {
            GapConfig::of_ground(config.max_gap, &config)
                .check()
                .context("gaps cannot be found like that")?;
        }
        Ok(config)
    }

    /// Fails on settings that mean nothing for what was read.
    pub fn fit(&self, product: &Product, path: &Path) -> Result<()> {
        let is_scene = matches!(product, Product::Scene(_));
        let is_plan = matches!(product, Product::Source(_));
        let no = |options: &str, are_for: &str| {
            bail!("{options} is for {are_for}; {} is {}", path.display(), product.words())
        };
        if let Some(option) = self.ground_options().into_iter().flatten().next().filter(|_| !is_scene) {
            return no(option, "scenes");
        }
        if self.up.is_some() && !is_scene {
            return no("--up", "scenes");
        }
        if self.planar.is_some() && !is_plan {
            return no("--planar", "plan files");
        }
        if self.scale.is_some() && !is_scene && !is_plan {
            return no("--scale", "scenes and plan files");
        }
        Ok(())
    }

    /// The options about the ground that were given.
    fn ground_options(&self) -> [Option<&'static str>; 14] {
        [
            self.height.map(|_| "--height"),
            self.step.map(|_| "--step"),
            self.slope.map(|_| "--slope"),
            self.faces.map(|_| "--faces"),
            self.resolution.map(|_| "--resolution"),
            self.simplify.map(|_| "--simplify"),
            self.min_area.map(|_| "--min-area"),
            self.keep.map(|_| "--keep"),
            self.reach_from.first().map(|_| "--reach-from"),
            self.keep_inside.map(|_| "--keep-inside"),
            self.method.map(|_| "--method"),
            self.pipeline.map(|_| "--pipeline"),
            self.layers.map(|_| "--layers"),
            self.coarse.map(|_| "--coarse"),
        ]
    }

    /// Whether floors are found by way of coarse voxels.
    pub fn has_coarse_voxels(&self) -> bool {
        self.pipeline == Some(Way::Thesis) && self.layers != Some(Layers::Single)
    }

    /// Whether something is said about the cells.
    pub fn is_about_cells(&self) -> bool {
        self.convex_distance.is_some() || self.decomposition.is_some() || self.shape.is_some()
    }
}

/// Said in degrees, as it was asked in degrees; written so that NaN fails.
pub fn check_slope(slope: f64) -> Result<()> {
    if !(0.0..90.0).contains(&slope) {
        bail!("slope = {slope} is outside 0 .. 90 degrees, without 90");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args as _;

    #[test]
    fn the_defaults_are_those_of_the_library() {
        let settings = Settings::default();
        assert_eq!(settings.ground_config().unwrap(), GroundConfig::default());
        assert_eq!(settings.bake_config().unwrap(), BakeConfig::default());
        assert_eq!(settings.scene_options(), SceneOptions::default());
        assert_eq!(settings.plan_options(), PlanOptions::default());
    }

    #[test]
    fn the_boundary_moves_by_a_pixel_and_reachable_ground_is_kept_unless_said_otherwise() {
        let settings: Settings =
            toml::from_str("resolution = 0.2\nreach-from = [[1, 2.5, 0]]\nkeep-inside = true").unwrap();
        let config = settings.ground_config().unwrap();
        assert_eq!((config.simplify, config.keep, config.remove_inside), (0.2, Keep::Reachable, false));
        assert_eq!(config.reach_from, [DVec3::new(1.0, 2.5, 0.0)]);
        let all = Settings { keep: Some(Kept::All), ..settings };
        assert!(all.ground_config().is_err());
        let single = |keep| Settings { layers: Some(Layers::Single), keep, ..Settings::default() };
        assert_eq!(single(None).ground_config().unwrap().keep, Keep::Largest);
        assert_eq!(single(Some(Kept::All)).ground_config().unwrap().keep, Keep::All);
    }

    #[test]
    fn the_keys_of_a_settings_file_are_the_names_of_the_options() {
        // What it does not know, it refuses with the list of all keys.
        let refusal = toml::from_str::<Settings>("nothing = 1").unwrap_err().to_string();
        let keys = refusal.split("expected one of").nth(1).unwrap_or_default();
        let mut keys: Vec<&str> =
            keys.split('`').skip(1).step_by(2).filter(|key| !key.contains('_')).collect();
        keys.sort_unstable();
        let command = Settings::augment_args(clap::Command::new("options"));
        let mut options: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
        options.sort_unstable();
        assert_eq!(keys, options);
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cli.md");
        let page = std::fs::read_to_string(page).unwrap();
        let table = page.split("The keys of a settings file").nth(1).unwrap_or_default();
        for key in keys {
            assert!(table.contains(&format!("`{key}`")), "{key} is missing in docs/cli.md");
        }
    }

    #[test]
    fn every_key_of_a_settings_file_may_be_written_with_either_dash() {
        let command = Settings::augment_args(clap::Command::new("options"));
        let refusal =
            |key: &str| toml::from_str::<Settings>(&format!("{key} = {{}}")).unwrap_err().to_string();
        let keys: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
        assert!(keys.iter().filter(|key| key.contains('-')).count() >= 5);
        for key in keys {
            // No setting is a table: a key that is known is refused for that.
            for spelling in [key.to_owned(), key.replace('-', "_")] {
                assert!(!refusal(&spelling).contains("unknown field"), "{spelling}");
            }
        }
        assert!(refusal("nothing").contains("unknown field"));
    }

    #[test]
    fn the_thesis_s_pipeline_has_coarse_voxels_of_four_pixels() {
        let settings: Settings =
            toml::from_str("pipeline = \"thesis\"\nlayers = \"single\"\nresolution = 0.25").unwrap();
        let config = settings.ground_config().unwrap();
        assert_eq!((config.pipeline, config.layer_mode), (Pipeline::Thesis, LayerMode::Single));
        assert_eq!(config.coarse, 1.0);
        let columns = Settings { coarse: Some(0.5), ..Settings::default() };
        assert!(columns.ground_config().is_err());
    }
}
