//! `wayfare check FILE`: the invariants of a product, all defects at once.

use super::{
    Common,
    answer::Answer,
    input::{self, Product},
    output::{print, print_json},
    summary::count,
};
use anyhow::{Result, bail};
use serde::Serialize;
use std::path::PathBuf;
use wayfare::{core::Defect, scene::PlanOptions};

/// Check a product's invariants and list every defect
#[derive(Debug, clap::Args)]
pub struct Check {
    /// A navigation mesh (.way, .mesh) or a floor plan (.wayplan)
    file: PathBuf,
}

#[derive(Serialize)]
struct Report<'a> {
    ok: bool,
    defects: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    invariant: &'a str,
    element: &'a str,
    message: &'a str,
}

impl Check {
    pub fn run(self, common: Common) -> Result<Answer> {
        let options = PlanOptions { planar: true, ..PlanOptions::default() };
        let defects = match input::open(&self.file, &options) {
            Ok(Product::Mesh(mesh)) => mesh.check(),
            Ok(Product::Plan(plan)) => plan.check(),
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

fn report<'a>(defects: &'a [Defect], common: Common) -> Result<()> {
    if common.json {
        let line = |defect: &'a Defect| Line {
            invariant: defect.invariant,
            element: &defect.element,
            message: &defect.message,
        };
        return print_json(&Report { ok: defects.is_empty(), defects: defects.iter().map(line).collect() });
    }
    if defects.is_empty() {
        return print("ok: every invariant holds\n");
    }
    let mut text: String = defects.iter().map(|defect| format!("{defect}\n")).collect();
    text.push_str(&format!("not ok: {}\n", count(defects.len(), "defect")));
    print(&text)
}
