//! `wayfare check FILE`: the invariants of a product, all defects at once.

use super::{
    Common,
    answer::Answer,
    input::{self, Product},
    output::{print, print_json, say_notes},
    read_args::{ReadArgs, Threads},
    summary::{RepairSummary, count, repair_words, repairs},
};
use anyhow::{Result, bail};
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{core::Defect, scene::Scene};

/// Check a product's invariants and list every defect
#[derive(Debug, clap::Args)]
pub struct Check {
    /// A navigation mesh (.way, .mesh), a floor plan (.wayplan), free space (.wayvol), a saved crowd (.waycrowd) or a surface with
    /// charts (.waysurf); of a scene, what had to be repaired
    file: PathBuf,
    /// Of free space (.wayvol), also check that nothing of this scene lies in a region; --up and --scale are the scene's
    #[arg(long, value_name = "SCENE")]
    scene: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Serialize)]
struct Report<'a> {
    ok: bool,
    defects: Vec<Line<'a>>,
    /// Of scenes: what the reader set aside.
    #[serde(skip_serializing_if = "Option::is_none")]
    repair: Option<Vec<RepairSummary>>,
}

#[derive(Serialize)]
struct Line<'a> {
    invariant: &'a str,
    element: &'a str,
    message: &'a str,
}

impl Check {
    pub fn run(self, common: Common) -> Result<Answer> {
        self.threads.set()?;
        let opened = match &self.scene {
            // What --up and --scale say is about the scene then.
            Some(_) => input::open(&self.file, &ReadArgs::default().settings(true)),
            None => self.read.look_at(&self.file),
        };
        if let (Some(_), Ok(product)) = (&self.scene, &opened)
            && !matches!(product, Product::Volume(_))
        {
            bail!("--scene is for free space (.wayvol); {} is {}", self.file.display(), product.words());
        }
        let defects = match opened {
            Ok(Product::Scene(scene)) => return repaired(&scene, common),
            Ok(Product::Volume(mesh)) => {
                let mut defects = mesh.check();
                if let Some(scene) = &self.scene {
                    match self.read.look_at(scene)? {
                        Product::Scene(scene) => defects.extend(mesh.check_scene(&scene.mesh)),
                        other => bail!("{} is {}, not a scene", scene.display(), other.words()),
                    }
                }
                defects
            }
            Ok(Product::Crowd(crowd)) => [crowd.mesh().check(), crowd.check()].concat(),
            Ok(Product::Mesh(mesh)) => mesh.check(),
            Ok(Product::Surface(charted)) => charted.check(),
            Ok(Product::Plan(plan)) => plan.check(),
            Ok(product @ Product::Voxels(_)) => {
                bail!(
                    "{} is {}: it promises nothing that could be checked",
                    self.file.display(),
                    product.words()
                )
            }
            Ok(Product::Source(_)) => bail!(
                "{} is a plan file: it promises nothing that could be checked; `wayfare bake` tells what had to be \
                 repaired",
                self.file.display()
            ),
            // The bytes are whole, but what they describe is no mesh: that is an answer.
            Err(error) => match input::defects_of(&error) {
                Some(defects) => defects.to_vec(),
                None => return Err(error),
            },
        };
        report(&defects, common)?;
        Ok(defects.is_empty().into())
    }
}

/// A scene promises what its reader made sure of: it is good, and what was set aside is told.
fn repaired(scene: &Scene, common: Common) -> Result<Answer> {
    let repair = repairs(&scene.repair);
    say_notes(&scene.notes, common);
    if common.json {
        print_json(&Report { ok: true, defects: Vec::new(), repair: Some(repair) })?;
    } else {
        let triangles = count(scene.mesh.triangles.len(), "triangle");
        print(&format!("{}ok: {triangles} can be used\n", repair_words(&repair)))?;
    }
    Ok(Answer::Yes)
}

fn report<'a>(defects: &'a [Defect], common: Common) -> Result<()> {
    if common.json {
        let line = |defect: &'a Defect| Line {
            invariant: defect.invariant,
            element: &defect.element,
            message: &defect.message,
        };
        let defects: Vec<_> = defects.iter().map(line).collect();
        return print_json(&Report { ok: defects.is_empty(), defects, repair: None });
    }
    if defects.is_empty() {
        return print("ok: every invariant holds\n");
    }
    let mut text: String = defects.iter().map(|defect| format!("{defect}\n")).collect();
    text.push_str(&format!("not ok: {}\n", count(defects.len(), "defect")));
    print(&text)
}
