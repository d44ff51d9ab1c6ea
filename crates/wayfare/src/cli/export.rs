//! `wayfare export FILE -o X`: a product in a form that others read.

use super::{
    Common,
    answer::Answer,
    input::Product,
    output::{self, ending, print, print_json, say_notes},
    plan_args::PlanArgs,
    progress,
};
use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{floor::build_plan, view::export};

/// Write a product as JSON, OBJ, GLB or WKT
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A navigation mesh becomes .json (everything, numbers exact), .obj (z up, one polygon per cell) or .glb
(glTF, y up, cells as coloured triangles, portals as lines). A floor plan becomes .json or .wkt.")]
pub struct Export {
    /// A navigation mesh (.way, .mesh), a floor plan (.wayplan) or a plan file
    file: PathBuf,
    /// Where to write; the ending decides the form
    #[arg(short, long, value_name = "X.json|obj|glb|wkt")]
    output: PathBuf,
    #[command(flatten)]
    plan: PlanArgs,
}

#[derive(Serialize)]
struct Written {
    output: String,
    format: String,
    bytes: usize,
}

impl Export {
    pub fn run(self, common: Common) -> Result<Answer> {
        let format = ending(&self.output);
        if !["json", "obj", "glb", "wkt"].contains(&format.as_str()) {
            bail!(
                "cannot tell the form from '{}'; end it in .json, .obj, .glb or .wkt",
                self.output.display()
            );
        }
        output::check_target(&self.output, &[&self.file])?;
        self.plan.prepare()?;
        let product = match self.plan.open(&self.file)? {
            Product::Source(source) => {
                say_notes(&source.notes, common);
                let built = build_plan(&source, &progress::context(common.quiet));
                Product::Plan(built.with_context(|| self.file.display().to_string())?.0)
            }
            other => other,
        };
        let bytes = match (&product, format.as_str()) {
            (Product::Mesh(mesh), "json") => export::mesh_to_json(mesh).into_bytes(),
            (Product::Mesh(mesh), "obj") => export::mesh_to_obj(mesh).into_bytes(),
            (Product::Mesh(mesh), "glb") => export::mesh_to_glb(mesh),
            (Product::Plan(plan), "json") => export::plan_to_json(plan).into_bytes(),
            (Product::Plan(plan), "wkt") => export::plan_to_wkt(plan).into_bytes(),
            (Product::Mesh(_), _) => bail!("a navigation mesh becomes .json, .obj or .glb, not .{format}"),
            _ => bail!("a floor plan becomes .json or .wkt; `wayfare bake` it first for .{format}"),
        };
        output::write(&self.output, &bytes)?;
        let written = Written { output: self.output.display().to_string(), format, bytes: bytes.len() };
        if common.json {
            print_json(&written)?;
        } else {
            print(&format!("wrote {} ({} bytes)\n", written.output, written.bytes))?;
        }
        Ok(Answer::Yes)
    }
}
