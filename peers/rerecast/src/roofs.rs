//! Roofs, table tops and the insides of solids: what Recast makes polygons of and wayfare leaves out when told where people are.
//!
//! The thesis's figure 45, on the generated building and on the shared house.

use crate::{bake_ours, case, recast};
use std::error::Error;
use wayfare_core::{DVec3, dvec3};
use wayfare_floor::{GroundConfig, Keep};

/// A scene and a place in it where people are.
const PLACES: [(&str, DVec3); 2] = [("building-3", dvec3(-4.0, 8.0, 0.0)), ("house", HOUSE_FLOOR)];
/// On the ground floor of the house.
const HOUSE_FLOOR: DVec3 = dvec3(0.0, 0.0, 0.3);

pub fn print() -> Result<(), Box<dyn Error>> {
    println!("## Roofs, table tops, insides of solids\n");
    println!(
        "The thesis's figure 45: all ground, and what is left of it with `--reach-from` a place where people are; Recast has no such \
         setting and no notion of the inside of a solid. Pieces: sets of cells or polygons that can be reached from each other.\n"
    );
    println!(
        "| scene | from | Recast's polygons | pieces | area [m²] | wayfare's cells, all | pieces | area [m²] | wayfare's cells, reached | pieces | area [m²] |"
    );
    println!("|---|---|{}", "--:|".repeat(9));
    for (name, place) in PLACES {
        let scene = case::read(name)?;
        let (_, theirs, _) = recast::build_at_smallest_radius(&recast::to_trimesh(&scene), case::DEMO, 0)?;
        let components = recast::components(&theirs);
        let their_area: f64 = components.iter().map(|component| component.area).sum();
        let default = GroundConfig { remove_inside: true, ..case::ground_config() };
        let all = bake_ours(&scene, &default)?;
        let from = GroundConfig { keep: Keep::Reachable, reach_from: vec![place], ..default };
        let reached = bake_ours(&scene, &from)?;
        println!(
            "| {name} | {} | {} | {} | {their_area:.1} | {} | {} | {:.1} | {} | {} | {:.1} |",
            [place.x, place.y, place.z].map(|c| c.to_string()).join(", "),
            theirs.polygon_count(),
            components.len(),
            all.cell_count(),
            all.component_count(),
            all.area(),
            reached.cell_count(),
            reached.component_count(),
            reached.area(),
        );
    }
    Ok(())
}
