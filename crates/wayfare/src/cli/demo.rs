//! `wayfare demo`: the whole way on a built-in floor of an office.

use super::{
    Common,
    answer::Answer,
    make::add_search_tables,
    output::{self, print, print_json},
    path::Search,
    progress,
    summary::{MeshSummary, count},
};
use anyhow::{Context as _, Result, anyhow};
use serde::Serialize;
use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};
use wayfare::{
    bake::{BakeConfig, bake},
    core::dvec3,
    floor::build_plan,
    scene::{generated, to_wkt},
    view::{DrawConfig, Marks, draw_mesh, draw_plan, export},
};

/// How deep a notch may be to be ignored in the relaxed mesh [m].
const RELAXATION: f64 = 0.25;

/// Show the whole way on a built-in office: plan, mesh, path, pictures, exports
#[derive(Debug, clap::Args)]
pub struct Demo {
    /// Folder for the files; it is made where it is missing
    #[arg(short, long, value_name = "FOLDER", default_value = "wayfare-demo")]
    output: PathBuf,
}

/// What `demo --json` prints.
#[derive(Serialize)]
struct Report {
    folder: String,
    files: Vec<String>,
    mesh: MeshSummary,
    relaxed_cells: usize,
    bake_seconds: f64,
    length: f64,
    relaxed_length: f64,
    micros: f64,
}

impl Demo {
    pub fn run(self, common: Common) -> Result<Answer> {
        let folder = self.output.as_path();
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let context = progress::context(common.quiet);
        let mut files = Files { folder, written: Vec::new() };

        let source = generated::office();
        files.add("office.wkt", to_wkt(&source.polygons).as_bytes())?;
        let begin = Instant::now();
        let (plan, _) = build_plan(&source, &context)?;
        let mut mesh = bake(&plan, &BakeConfig::default(), &context)?;
        add_search_tables(&mut mesh, None);
        let bake_seconds = begin.elapsed().as_secs_f64();
        files.add("office.wayplan", &plan.to_bytes())?;
        files.add("office.way", &mesh.to_bytes())?;

        let relaxation = BakeConfig { convex_distance: RELAXATION, ..BakeConfig::default() };
        let mut relaxed = bake(&plan, &relaxation, &context)?;
        add_search_tables(&mut relaxed, None);
        files.add("relaxed.way", &relaxed.to_bytes())?;

        let find = |mesh| {
            let (from, to) = (dvec3(1.0, 1.0, 0.0), dvec3(30.0, 12.0, 0.0));
            Search::new(mesh).find(from, to, 0.0).map_err(|no| anyhow!("no path: {}", no.words()))
        };
        let (path, relaxed_path) = (find(&mesh)?, find(&relaxed)?);
        files.add("path.json", (serde_json::to_string(&path)? + "\n").as_bytes())?;

        let caption = |words: String| DrawConfig { caption: Some(words), ..DrawConfig::default() };
        let cells = format!("office · {} · {:.1} m²", count(mesh.cell_count(), "cell"), mesh.area());
        let length = format!("shortest path · {:.2} m", path.length);
        let walls = format!("office · {} · {:.1} m²", count(plan.vertices.len(), "vertex"), plan.area());
        files.add("plan.svg", draw_plan(&plan, &Marks::default(), &caption(walls))?.as_bytes())?;
        files.add("office.svg", draw_mesh(&mesh, &Marks::default(), &caption(cells))?.as_bytes())?;
        let marks = Marks::path(path.points.clone());
        files.add("path.svg", draw_mesh(&mesh, &marks, &caption(length))?.as_bytes())?;
        let words = format!("notches up to {RELAXATION} m ignored · {}", count(relaxed.cell_count(), "cell"));
        let marks = Marks::path(relaxed_path.points);
        files.add("relaxed.svg", draw_mesh(&relaxed, &marks, &caption(words))?.as_bytes())?;
        files.add("office.json", export::mesh_to_json(&mesh).as_bytes())?;
        files.add("office.obj", export::mesh_to_obj(&mesh).as_bytes())?;
        files.add("office.glb", &export::mesh_to_glb(&mesh))?;

        let report = Report {
            folder: folder.display().to_string(),
            files: files.written,
            mesh: MeshSummary::of(&mesh),
            relaxed_cells: relaxed.cell_count(),
            bake_seconds,
            length: path.length,
            relaxed_length: relaxed_path.length,
            micros: path.micros,
        };
        if common.json {
            print_json(&report)?
        } else {
            print(&story(&report, path.points.len()))?
        }
        Ok(Answer::Yes)
    }
}

/// The files of the demo's folder.
struct Files<'a> {
    folder: &'a Path,
    written: Vec<String>,
}

impl Files<'_> {
    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        output::write(&self.folder.join(name), bytes)?;
        self.written.push(name.to_owned());
        Ok(())
    }
}

fn story(report: &Report, points: usize) -> String {
    let (mesh, folder) = (&report.mesh, &report.folder);
    format!(
        "\
An office floor of {area:.0} m² with {holes} obstacles and {notches} notches (office.wkt, plan.svg)
  became {cells} convex cells in {milliseconds:.1} ms (office.way, office.svg);
  no way of cutting it gives fewer than {lower}.
The shortest path from (1, 1) to (30, 12) is {length:.3} m long with {turns} turns,
  found in {micros:.1} µs (path.json, path.svg).
With notches up to {RELAXATION} m ignored there are {relaxed} cells (relaxed.way, relaxed.svg),
  and the path is as long as before: {relaxed_length:.3} m.
The mesh as JSON, OBJ and GLB: office.json, office.obj, office.glb.

Everything is in {folder}/. Go on with:
  wayfare info {folder}/office.way
  wayfare path {folder}/office.way --from 1,1,0 --to 39,1,0
  wayfare draw {folder}/office.way -o mine.svg --from 1,1,0 --to 39,1,0
  wayfare bake YOUR-PLAN.wkt -o yours.way
",
        area = mesh.area,
        holes = mesh.holes,
        notches = mesh.notches,
        cells = mesh.cells,
        milliseconds = report.bake_seconds * 1e3,
        lower = mesh.lower_bound,
        relaxed = report.relaxed_cells,
        relaxed_length = report.relaxed_length,
        length = report.length,
        turns = points.saturating_sub(2),
        micros = report.micros,
    )
}
