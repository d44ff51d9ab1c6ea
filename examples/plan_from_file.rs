//! A plan file becomes a mesh, a picture and a `.way` file that is read back.
//!
//! `cargo run --example plan_from_file [PLAN.wkt]`; without a plan the built-in office is used.

use std::{fs, path::Path};
use wayfare::{prelude::*, scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("wayfare-example-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let file = match std::env::args_os().nth(1) {
        Some(file) => file.into(),
        None => {
            let file = folder.join("office.wkt");
            fs::write(&file, scene::to_wkt(&scene::generated::office().polygons))?;
            file
        }
    };
    let mesh = bake_file(&file)?;

    // A product is saved and read back as it was.
    let saved = folder.join("mesh.way");
    mesh.write(&saved)?;
    let mesh = NavMesh::read(&saved)?;
    assert!(mesh.check().is_empty());

    let picture = draw_mesh(&mesh, &Marks::default(), &DrawConfig::default())?;
    fs::write(folder.join("mesh.svg"), &picture)?;
    println!("picture and mesh: {} bytes and {} bytes", picture.len(), fs::metadata(&saved)?.len());
    fs::remove_dir_all(&folder)?;
    Ok(())
}

/// From a file to a mesh, saying what had to be repaired.
fn bake_file(file: &Path) -> Result<NavMesh, Box<dyn std::error::Error>> {
    let context = Context::default();
    let source = read_plan(file, &PlanOptions::default())?;
    let (plan, repair) = build_plan(&source, &context)?;
    if !repair.is_empty() {
        println!("repaired: {repair}");
    }
    let mesh = bake(&plan, &BakeConfig::default(), &context)?;
    println!("{:.1} m² of ground in {} cells", mesh.area(), mesh.cell_count());
    Ok(mesh)
}
