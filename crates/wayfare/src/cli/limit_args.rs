//! Options that close parts of a mesh for a query: tags, cells, portals, steps and gaps.

use super::{
    missing::knows_steps,
    summary::length,
    values::{distance, point},
};
use anyhow::{Result, bail};
use wayfare::{
    core::{DVec3, Id as _},
    geom::segment::nearest_on_segment,
    navmesh::{Blocks, Body, CellId, LocateConfig, NavMesh, PortalId, TagSet},
};

/// What is closed to a body.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Where it may not go")]
pub struct CloseArgs {
    /// Walk only on ground with these area tags
    #[arg(long, value_name = "TAG,…", conflicts_with = "forbid_tags")]
    allow_tags: Vec<String>,
    /// Walk on no ground with these area tags
    #[arg(long, value_name = "TAG,…")]
    forbid_tags: Vec<String>,
    /// Close cells, by the numbers that `locate` and `export` give
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    block_cells: Vec<u32>,
    /// Close portals, by their numbers in `export -o X.json`
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    block_portals: Vec<u32>,
    /// Close the portal nearest to a place, like a door there; may be given again
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    block_at: Vec<DVec3>,
}

/// Where a body may not go.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Where it may not go")]
pub struct LimitArgs {
    #[command(flatten)]
    pub close: CloseArgs,
    /// The highest step that the body takes [m] [default: what the mesh was baked for]
    #[arg(long, value_name = "M", value_parser = distance, allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// The widest gap that the body steps over, seen from above [m] [default: 0.3]
    #[arg(long, value_name = "M", value_parser = distance, allow_negative_numbers = true)]
    pub max_gap: Option<f64>,
}

/// The widest gap that a body steps over if nothing is said [m].
const MAX_GAP: f64 = 0.3;

impl LimitArgs {
    /// A disc that keeps to the tags, steps and gaps.
    pub fn body(&self, mesh: &NavMesh, radius: f64) -> Result<Body> {
        Ok(Body {
            tags: self.close.tags(mesh)?,
            step: self.step.unwrap_or(f64::INFINITY),
            max_gap: self.max_gap.unwrap_or(MAX_GAP),
            ..Body::disc(radius)
        })
    }

    /// What is closed on a mesh.
    pub fn blocks(&self, mesh: &NavMesh, config: &LocateConfig) -> Result<Blocks> {
        self.close.blocks(mesh, config)
    }

    /// Notes about what has no effect on a mesh.
    pub fn notes(&self, mesh: &NavMesh) -> Vec<String> {
        if knows_steps(mesh) {
            return Vec::new();
        }
        let given = [self.step.map(|_| "--step"), self.max_gap.map(|_| "--max-gap")];
        let note = |option| {
            format!(
                "{option} has no effect: this mesh knows no steps and no gaps; `wayfare bake` stores them with --method exact"
            )
        };
        given.into_iter().flatten().map(note).collect()
    }
}

impl CloseArgs {
    /// The tags that are allowed on a mesh.
    fn tags<'a>(&'a self, mesh: &NavMesh) -> Result<TagSet> {
        let (names, mut tags, is_allowed) = match self.allow_tags.is_empty() {
            true => (&self.forbid_tags, TagSet::ALL, false),
            false => (&self.allow_tags, TagSet::NONE, true),
        };
        let known = mesh.tag_names();
        // A tag may have a comma in its name.
        let is_whole = |said: &str| known.iter().any(|name| name == said);
        let parts =
            |said: &'a String| if is_whole(said) { vec![said.as_str()] } else { said.split(',').collect() };
        for name in names.iter().flat_map(parts) {
            let Some(tag) = known.iter().position(|other| !name.is_empty() && other == name) else {
                let known: Vec<&str> =
                    known.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
                match known.as_slice() {
                    [] => bail!("this mesh has no area tags, so '{name}' is none of them"),
                    known => bail!(
                        "no ground of this mesh has the tag '{name}'; its tags are {}",
                        known.join(", ")
                    ),
                }
            };
            tags = if is_allowed { tags.with(tag as u8) } else { tags.without(tag as u8) };
        }
        Ok(tags)
    }

    /// What is closed on a mesh.
    pub fn blocks(&self, mesh: &NavMesh, config: &LocateConfig) -> Result<Blocks> {
        let mut blocks = Blocks::default();
        for &cell in &self.block_cells {
            if cell as usize >= mesh.cell_count() {
                bail!("there is no cell {cell} to close; the mesh has {}", mesh.cell_count());
            }
            blocks.block_cell(CellId(cell));
        }
        for &portal in &self.block_portals {
            if portal as usize >= mesh.portals().len() {
                bail!("there is no portal {portal} to close; the mesh has {}", mesh.portals().len());
            }
            blocks.block_portal(PortalId(portal));
        }
        for &at in &self.block_at {
            match portal_near(mesh, at, config) {
                Some((portal, away)) => {
                    eprintln!(
                        "closes portal {portal}, {} m from ({}, {}, {})",
                        length(away),
                        at.x,
                        at.y,
                        at.z
                    );
                    blocks.block_portal(portal);
                }
                None => {
                    bail!("no portal to close at ({}, {}, {}): no cell with one is there", at.x, at.y, at.z)
                }
            }
        }
        Ok(blocks)
    }
}

/// The portal of the cells at a place that is nearest to it in plan, the lowest number if several are, and how far it is.
fn portal_near(mesh: &NavMesh, at: DVec3, config: &LocateConfig) -> Option<(PortalId, f64)> {
    let location = mesh.locate(at, config)?;
    let here = location.point.truncate();
    let portals = mesh.cells_of(&location).flat_map(|cell| mesh.corners(cell));
    let portals = portals.filter_map(|corner| {
        let [a, b] = mesh.edge(corner).map(|vertex| mesh.xy(vertex));
        Some((here.distance_squared(nearest_on_segment(here, a, b)), mesh.portal_at(corner)?))
    });
    let nearest = portals.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.index().cmp(&b.1.index())));
    nearest.map(|(squared, portal)| (portal, squared.sqrt()))
}
