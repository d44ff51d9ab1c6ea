//! `wayfare export FILE -o X`: a product in a form that others read.

use super::{
    Common,
    answer::Answer,
    crowd_file::crowd_to_json,
    input::{self, Product, bake_command},
    make::make_plan,
    output::{self, ending, print, print_json, say_notes},
    progress,
    read_args::{ReadArgs, Threads},
    settings::READING,
};
use anyhow::{Result, bail};
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{scene::to_obj, view::export};

/// Write a product as JSON, OBJ, GLB or WKT
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A navigation mesh becomes .json (everything, numbers exact), .obj (z up, one polygon per cell) or .glb
(glTF, y up, cells as coloured triangles, portals as lines). A floor plan becomes .json or .wkt, free space (.wayvol)
.json or .obj (one object per region), a saved crowd (.waycrowd) .json, a surface with charts (.waysurf) .json or .obj
(with the charts as texture coordinates), a scene .obj (z up, in metres, repaired).")]
pub struct Export {
    /// A navigation mesh (.way, .mesh), a floor plan (.wayplan), free space (.wayvol), a saved crowd (.waycrowd), a surface with
    /// charts (.waysurf), a plan file
    /// or a scene
    file: PathBuf,
    /// Where to write; the ending decides the form
    #[arg(short, long, value_name = "X.json|obj|glb|wkt")]
    output: PathBuf,
    /// The coordinates of a plan are planar, even if they look like degrees
    #[arg(long, help_heading = READING)]
    planar: bool,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    threads: Threads,
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
        let settings = self.read.settings(self.planar);
        settings.check()?;
        self.threads.set()?;
        let product = input::open(&self.file, &settings)?;
        settings.fit(&product, &self.file)?;
        let product = match product {
            Product::Source(source) => {
                say_notes(&source.notes, common);
                let context = progress::context(common.quiet);
                Product::Plan(
                    make_plan(Product::Source(source), &self.file, &settings, false, &context)?.plan,
                )
            }
            other => other,
        };
        let bytes = match (&product, format.as_str()) {
            (Product::Mesh(mesh), "json") => export::mesh_to_json(mesh).into_bytes(),
            (Product::Mesh(mesh), "obj") => export::mesh_to_obj(mesh).into_bytes(),
            (Product::Mesh(mesh), "glb") => export::mesh_to_glb(mesh),
            (Product::Volume(mesh), "json") => export::volume_to_json(mesh).into_bytes(),
            (Product::Volume(mesh), "obj") => export::volume_to_obj(mesh).into_bytes(),
            (Product::Volume(_), _) => bail!("free space becomes .json or .obj, not .{format}"),
            (Product::Crowd(crowd), "json") => crowd_to_json(crowd)?.into_bytes(),
            (Product::Crowd(_), _) => bail!("a saved crowd becomes .json, not .{format}"),
            (Product::Surface(charted), "json") => export::surface_to_json(charted).into_bytes(),
            (Product::Surface(charted), "obj") => export::surface_to_obj(charted).into_bytes(),
            (Product::Surface(_), _) => bail!("a surface with charts becomes .json or .obj, not .{format}"),
            (Product::Voxels(_), _) => {
                bail!("a voxel map is exported as free space: `wayfare volume` it first")
            }
            (Product::Plan(plan), "json") => export::plan_to_json(plan).into_bytes(),
            (Product::Plan(plan), "wkt") => export::plan_to_wkt(plan).into_bytes(),
            (Product::Scene(scene), "obj") => to_obj(scene).into_bytes(),
            (Product::Scene(_), _) => {
                bail!("a scene becomes .obj; for .{format} bake it first: `{}`", bake_command(&self.file))
            }
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
