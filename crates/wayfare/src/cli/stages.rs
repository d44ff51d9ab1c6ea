//! Pictures of the stages of a bake, one per layer.

use super::{
    progress,
    summary::{count, rounded},
};
use anyhow::{Result, bail, ensure};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use wayfare::{
    floor::{FloorPlan, voxel::SceneFloors},
    navmesh::{CellId, NavMesh},
    view::{DrawConfig, Marks, draw_depth, draw_layers, draw_mesh, draw_plan, draw_voxels},
};

/// The stages that can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// The coarse voxels of the thesis's pipeline and its cutting shapes
    Voxels,
    /// The layers as they were found, before their outlines are simplified
    Layers,
    /// The heights of the floors, dark below
    Depth,
    /// The floor plan: outlines with their walls, drops, seams and borders, one picture per layer
    Contours,
    /// The navigation mesh, one picture per storey
    Cells,
}

impl Stage {
    /// The name of its pictures.
    pub fn file(self) -> &'static str {
        match self {
            Self::Voxels => "voxels.svg",
            Self::Layers => "layers.svg",
            Self::Depth => "depth.svg",
            Self::Contours => "contours.svg",
            Self::Cells => "cells.svg",
        }
    }
}

/// One picture, and the layer or storey that it shows.
pub struct Picture {
    pub layer: u32,
    pub svg: String,
}

/// A stage of the floors of a scene: their layers, or the one that the settings name.
pub fn draw_floors(
    stage: Stage,
    found: &SceneFloors,
    title: Option<&str>,
    config: &DrawConfig,
) -> Result<Vec<Picture>> {
    let SceneFloors { floors, layers, .. } = found;
    let count = floors.thesis.as_ref().map_or(layers.count, |stages| stages.layers.count);
    let words = stage.file().trim_end_matches(".svg");
    let wanted = match config.storey {
        Some(only) => only..only.saturating_add(1),
        None => 0..count,
    };
    wanted
        .map(|layer| {
            go_on()?;
            let caption = title.map(|title| format!("{title}, layer {layer} of {count} · {words}"));
            let config = DrawConfig { storey: Some(layer), caption, ..config.clone() };
            let svg = match (stage, &floors.thesis) {
                (Stage::Voxels, Some(stages)) => draw_voxels(stages, &config)?,
                (Stage::Voxels, None) => {
                    bail!("fine columns have no coarse voxels")
                }
                (Stage::Depth, _) => draw_depth(floors, layers, &config)?,
                _ => draw_layers(floors, layers, &config)?,
            };
            Ok(Picture { layer, svg })
        })
        .collect()
}

/// The layers of a floor plan, or the one that the settings name.
pub fn draw_contours(plan: &FloorPlan, title: Option<&str>, config: &DrawConfig) -> Result<Vec<Picture>> {
    let layers = match config.storey {
        Some(only) => only..only.saturating_add(1),
        None => 0..plan.layers.len() as u32,
    };
    layers
        .map(|layer| {
            go_on()?;
            let caption =
                title.map(|title| format!("{title}, layer {layer} of {} · contours", plan.layers.len()));
            let config = DrawConfig { storey: Some(layer), caption, ..config.clone() };
            Ok(Picture { layer, svg: draw_plan(plan, &Marks::default(), &config)? })
        })
        .collect()
}

/// The storeys of a mesh, or the one that the settings name.
pub fn draw_cells(
    mesh: &NavMesh,
    title: Option<&str>,
    marks: &Marks,
    config: &DrawConfig,
) -> Result<Vec<Picture>> {
    let mut storeys: Vec<u32> = mesh.cells().map(|cell| mesh.storey(cell)).collect();
    storeys.sort_unstable();
    let sizes: Vec<(u32, usize)> =
        storeys.chunk_by(|a, b| a == b).map(|storey| (storey[0], storey.len())).collect();
    let wanted = match config.storey {
        // The drawing says which there are.
        Some(only) => vec![*sizes.iter().find(|(storey, _)| *storey == only).unwrap_or(&(only, 0))],
        None => sizes.clone(),
    };
    wanted
        .into_iter()
        .map(|(storey, cells)| {
            go_on()?;
            let area: f64 = mesh
                .cells()
                .filter(|&cell| mesh.storey(cell) == storey)
                .map(|cell| ground_area(mesh, cell))
                .sum();
            let caption = title.map(|title| {
                format!(
                    "{title}, storey {storey} of {} · {} · {} m²",
                    sizes.len(),
                    count(cells, "cell"),
                    rounded(area, 1)
                )
            });
            let config = DrawConfig { storey: Some(storey), caption, ..config.clone() };
            Ok(Picture { layer: storey, svg: draw_mesh(mesh, marks, &config)? })
        })
        .collect()
}

/// Fails if Ctrl-C was pressed: pictures of fine maps take long.
fn go_on() -> Result<()> {
    ensure!(!progress::is_cancelled(), "stopped");
    Ok(())
}

/// The area of a cell in plan [m²]; a gap is no ground.
pub fn ground_area(mesh: &NavMesh, cell: CellId) -> f64 {
    if mesh.gap(cell).is_some() { 0.0 } else { mesh.cell_area(cell) }
}

/// The files of pictures: `X.svg` for one, `X-0.svg`, `X-1.svg` and so on for several.
pub fn files(target: &Path, pictures: &[Picture]) -> Vec<PathBuf> {
    if let [_] = pictures {
        return vec![target.to_path_buf()];
    }
    let stem = target.file_stem().unwrap_or_default().to_string_lossy();
    pictures.iter().map(|picture| target.with_file_name(format!("{stem}-{}.svg", picture.layer))).collect()
}
