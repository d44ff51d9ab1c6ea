//! `wayfare demo`: the whole way on a built-in building of three storeys, on platforms with gaps between them, on a plan of an office
//! and on a curved surface.

mod air;
mod gaps;
mod ring;

use super::{
    Common,
    answer::Answer,
    crowd_file::{Played, storey_file},
    crowd_picture::{Kind, picture},
    make::add_search_tables,
    output::{self, print, print_json},
    path::{Asked, Found, Search},
    progress,
    scene_summary::SceneSummary,
    stages::{Picture, Stage, draw_cells, draw_contours, draw_floors, files},
    summary::{MeshSummary, count},
    view::{route_json, show_of},
};
use air::{AirReport, air};
use anyhow::{Context as _, Result, anyhow, bail};
use gaps::{GapsReport, gaps};
use ring::{RingReport, ring};
use serde::Serialize;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};
use wayfare::{
    bake::{BakeConfig, add_clearance, bake},
    core::{Context, DVec3, dvec3},
    crowd::scenario::{Scenario, Simulation, Summary, Trajectories},
    floor::{
        FloorPlan, GroundConfig, Keep, build_plan,
        voxel::{find_scene_floors, plan_floors},
    },
    navmesh::NavMesh,
    scene::{Scene, generated, to_obj, to_wkt},
    view::{DrawConfig, Marks, draw_mesh, draw_plan, export, page_with_show},
};

/// The scene, a name of `generated:NAME`.
const SCENE: &str = "building-3";
/// In front of the building's entrance [m].
const ENTRANCE: DVec3 = dvec3(-2.0, 8.0, 0.0);
/// A place on each storey [m].
const PLACES: [DVec3; 3] = [dvec3(20.0, 4.0, 0.0), dvec3(20.0, 4.0, 3.24), dvec3(20.0, 4.0, 6.48)];
/// A crowd that leaves the building.
const EVACUATION: &str = "\
# Thirty persons of each storey leave the building: wayfare crowd building.way evacuation.toml -o run.sqlite
seed = 1
duration = 180
frame_rate = 5
[[exit]]
name = 'entrance'
point = [-2, 8, 0]
radius = 1.5
[[spawn]]
rectangle = [2, 2, 26, 14]
z = 0
number = 30
radius = { uniform = [0.15, 0.25] }
speed = { normal = [1.34, 0.2] }
[[spawn]]
rectangle = [2, 2, 26, 14]
z = 3.24
number = 30
radius = { uniform = [0.15, 0.25] }
speed = { normal = [1.34, 0.2] }
[[spawn]]
rectangle = [2, 2, 26, 14]
z = 6.48
number = 30
radius = { uniform = [0.15, 0.25] }
speed = { normal = [1.34, 0.2] }
[[line]]
name = 'door'
from = [0, 7]
to = [0, 9]
z = 0
";
/// How deep a notch may be to be ignored in the relaxed mesh of the office [m].
const RELAXATION: f64 = 0.25;

/// Radii of three bodies that cross the office [m]: a child, a grown-up, a wheelchair.
const RADII: [f64; 3] = [0.15, 0.3, 0.45];
/// One that does not get through its doors [m].
const TOO_WIDE: f64 = 0.5;

/// Show the whole way on a built-in building: scene, floor plan, mesh, paths, pictures, exports; on a 2D plan, and on a curved surface
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
    #[serde(flatten)]
    building: BuildingReport,
    platforms: GapsReport,
    office: OfficeReport,
    ring: RingReport,
}

/// The part about the scene.
#[derive(Serialize)]
struct BuildingReport {
    scene: SceneSummary,
    mesh: MeshSummary,
    layers: usize,
    bake_seconds: f64,
    /// The paths from the entrance to a place on each storey.
    lengths: [f64; 3],
    /// Of the longest.
    turns: usize,
    micros: f64,
    notes: Vec<String>,
    /// How many left the building, and when the last had [s].
    evacuated: usize,
    evacuation_seconds: f64,
    /// The space in and round it.
    air: AirReport,
    /// Whether a page was written.
    #[serde(skip)]
    has_page: bool,
}

/// The part about the plan.
#[derive(Serialize)]
struct OfficeReport {
    mesh: MeshSummary,
    relaxed_cells: usize,
    length: f64,
    relaxed_length: f64,
    /// Of three bodies of different radii, over the same mesh.
    body_lengths: [f64; 3],
    /// Why a larger one does not get there.
    why_not: String,
}

impl Demo {
    pub fn run(self, common: Common) -> Result<Answer> {
        let folder = self.output.as_path();
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let context = progress::context(common.quiet);
        let mut files = Files { folder, written: Vec::new() };
        let building = building(&mut files, &context)?;
        let platforms = gaps(&mut files, &context)?;
        let office = office(&mut files, &context)?;
        let ring = ring(&mut files, &context)?;
        let folder = folder.display().to_string();
        let report = Report { folder, files: files.written, building, platforms, office, ring };
        if common.json {
            print_json(&report)?
        } else {
            print(&story(&report))?
        }
        Ok(Answer::Yes)
    }
}

/// From a scene to paths over its storeys.
fn building(files: &mut Files, context: &Context) -> Result<BuildingReport> {
    let scene = generated::scene_by_name(SCENE).context("the scene of the demo is known")?;
    files.add("building.obj", to_obj(&scene).as_bytes())?;
    let ground =
        GroundConfig { keep: Keep::Reachable, reach_from: vec![ENTRANCE], ..GroundConfig::default() };
    let begin = Instant::now();
    let found = find_scene_floors(&scene, &ground, context)?;
    let plan = plan_floors(&scene, &found, &ground, context)?;
    let mut mesh = bake(&plan, &BakeConfig::default(), context)?;
    add_search_tables(&mut mesh, None);
    add_clearance(&mut mesh, context)?;
    let bake_seconds = begin.elapsed().as_secs_f64();
    files.add("building.wayplan", &plan.to_bytes())?;
    files.add("building.way", &mesh.to_bytes())?;

    let mut lengths = [0.0; 3];
    for (length, place) in lengths.iter_mut().zip(PLACES) {
        *length = find(&mesh, ENTRANCE, place)?.length;
    }
    let top_floor = find(&mesh, ENTRANCE, PLACES[2])?;
    files.add("path.json", (serde_json::to_string(&top_floor)? + "\n").as_bytes())?;

    let config = DrawConfig::default();
    let words = format!("{SCENE} · shortest path · {:.2} m", top_floor.length);
    let marks = Marks::path(top_floor.points.clone());
    files.add("path.svg", draw_mesh(&mesh, &marks, &captioned(words))?.as_bytes())?;
    for stage in [Stage::Layers, Stage::Depth] {
        files.add_pictures(stage.file(), &draw_floors(stage, &found, Some(SCENE), &config)?)?;
    }
    files.add_pictures(Stage::Contours.file(), &draw_contours(&plan, Some(SCENE), &config)?)?;
    files.add_pictures("storey.svg", &draw_cells(&mesh, Some(SCENE), &marks, &config)?)?;
    files.add("building.json", export::mesh_to_json(&mesh).as_bytes())?;
    files.add("building-mesh.obj", export::mesh_to_obj(&mesh).as_bytes())?;
    files.add("building.glb", &export::mesh_to_glb(&mesh))?;
    let crowd = evacuation(files, &mesh)?;
    let air = air(files, &scene, [ENTRANCE, PLACES[2]], context)?;
    let has_page = match page_of(&scene, &plan, &mesh, &crowd)? {
        Some(html) => files.add("building.html", html.as_bytes()).map(|()| true)?,
        None => false,
    };

    Ok(BuildingReport {
        scene: SceneSummary::of(&scene),
        mesh: MeshSummary::of(&mesh),
        layers: plan.layers.len(),
        bake_seconds,
        lengths,
        turns: top_floor.turns().len().saturating_sub(2),
        micros: top_floor.micros,
        notes: found.notes,
        evacuated: crowd.summary.arrived,
        evacuation_seconds: crowd.summary.simulated_seconds,
        air,
        has_page,
    })
}

/// What came of the crowd.
struct Evacuation {
    summary: Summary,
    trajectories: Trajectories,
}

/// Everybody leaves the building.
fn evacuation(files: &mut Files, mesh: &NavMesh) -> Result<Evacuation> {
    files.add("evacuation.toml", EVACUATION.as_bytes())?;
    let scenario = Scenario::parse(EVACUATION)?;
    let mesh = Arc::new(mesh.clone());
    let mut simulation = Simulation::new(scenario, Arc::clone(&mesh))?;
    let mut trajectories = Trajectories { frame_rate: simulation.frame_rate(), ..Trajectories::default() };
    while simulation.step(|frame| trajectories.add(frame))? {}
    let svg = picture(&mesh, &simulation, &trajectories, Kind::Trajectories)?;
    files.add("evacuation.svg", svg.as_bytes())?;
    for (k, &storey) in trajectories.storeys.keys().enumerate() {
        let name = PathBuf::from("evacuation.txt");
        let name = if k == 0 { name } else { storey_file(&name, storey) };
        files.add(&name.to_string_lossy(), trajectories.to_text(storey).as_bytes())?;
    }
    Ok(Evacuation { summary: simulation.summary(), trajectories })
}

/// A page with the building and the paths of a body to each storey; nothing if this command was built without its page.
fn page_of(scene: &Scene, plan: &FloorPlan, mesh: &NavMesh, crowd: &Evacuation) -> Result<Option<String>> {
    let mut show = show_of(SCENE, mesh, Some(scene), Some(plan));
    Played::of_run(&crowd.trajectories, mesh)?.add_to(&mut show);
    let mut search = Search::new(mesh);
    let mut routes = Vec::new();
    for place in PLACES {
        let asked = Asked::disc(RADII[1]);
        let found = search.find(ENTRANCE, place, &asked).map_err(|no| anyhow!("no path: {}", no.words()))?;
        routes.push(route_json(ENTRANCE, place, RADII[1], serde_json::to_value(&found)?));
    }
    show.set("routes", routes);
    show.set("facts", serde_json::to_value(MeshSummary::of(mesh))?);
    Ok(page_with_show(&show))
}

/// From a plan to a mesh, and to one with fewer cells.
fn office(files: &mut Files, context: &Context) -> Result<OfficeReport> {
    let source = generated::office();
    files.add("office.wkt", to_wkt(&source.polygons).as_bytes())?;
    let (plan, _) = build_plan(&source, context)?;
    let mut mesh = bake(&plan, &BakeConfig::default(), context)?;
    add_search_tables(&mut mesh, None);
    add_clearance(&mut mesh, context)?;
    files.add("office.wayplan", &plan.to_bytes())?;
    files.add("office.way", &mesh.to_bytes())?;

    let relaxation = BakeConfig { convex_distance: RELAXATION, ..BakeConfig::default() };
    let mut relaxed = bake(&plan, &relaxation, context)?;
    add_search_tables(&mut relaxed, None);
    add_clearance(&mut relaxed, context)?;
    files.add("relaxed.way", &relaxed.to_bytes())?;

    let (from, to) = (dvec3(1.0, 1.0, 0.0), dvec3(30.0, 12.0, 0.0));
    let (path, relaxed_path) = (find(&mesh, from, to)?, find(&relaxed, from, to)?);
    let walls = format!("office · {} · {:.1} m²", count(plan.vertices.len(), "vertex"), plan.area());
    files.add("office-plan.svg", draw_plan(&plan, &Marks::default(), &captioned(walls))?.as_bytes())?;
    let cells = format!("office · {} · path of {:.2} m", count(mesh.cell_count(), "cell"), path.length);
    let path_length = path.length;
    let marks = Marks::path(path.points);
    files.add("office.svg", draw_mesh(&mesh, &marks, &captioned(cells))?.as_bytes())?;
    let words = format!("notches up to {RELAXATION} m ignored · {}", count(relaxed.cell_count(), "cell"));
    let marks = Marks::path(relaxed_path.points);
    files.add("relaxed.svg", draw_mesh(&relaxed, &marks, &captioned(words))?.as_bytes())?;
    let (body_lengths, why_not) = bodies(files, &mesh, from, to)?;
    Ok(OfficeReport {
        mesh: MeshSummary::of(&mesh),
        relaxed_cells: relaxed.cell_count(),
        length: path_length,
        relaxed_length: relaxed_path.length,
        body_lengths,
        why_not,
    })
}

/// Paths for three bodies on one mesh, and why there is none for a fourth.
fn bodies(files: &mut Files, mesh: &NavMesh, from: DVec3, to: DVec3) -> Result<([f64; 3], String)> {
    let mut search = Search::new(mesh);
    let mut lengths = [0.0; 3];
    let mut others = Vec::new();
    for (length, radius) in lengths.iter_mut().zip(RADII) {
        let path =
            search.find(from, to, &Asked::disc(radius)).map_err(|no| anyhow!("no path: {}", no.words()))?;
        *length = path.length;
        others.push((path.points, radius));
    }
    let words = format!("office · bodies of radius {} m", RADII.map(|radius| radius.to_string()).join(", "));
    let marks = Marks { start: Some(from), goal: Some(to), others, ..Marks::default() };
    files.add("bodies.svg", draw_mesh(mesh, &marks, &captioned(words))?.as_bytes())?;
    let why_not = match search.find(from, to, &Asked::disc(TOO_WIDE)) {
        Ok(_) => bail!("a body of radius {TOO_WIDE} m should not get through"),
        Err(no) => no,
    };
    let why_not = why_not.explained();
    let words = why_not.words();
    let caption = captioned(words.split(';').next().unwrap_or_default().to_owned());
    files.add("why-not.svg", draw_mesh(mesh, &why_not.marks(from, to, TOO_WIDE), &caption)?.as_bytes())?;
    Ok((lengths, words))
}

fn find(mesh: &NavMesh, from: DVec3, to: DVec3) -> Result<Found> {
    Search::new(mesh).find(from, to, &Asked::disc(0.0)).map_err(|no| anyhow!("no path: {}", no.words()))
}

fn captioned(words: String) -> DrawConfig {
    DrawConfig { caption: Some(words), ..DrawConfig::default() }
}

/// The files of the demo's folder.
pub struct Files<'a> {
    folder: &'a Path,
    written: Vec<String>,
}

impl Files<'_> {
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        output::write(&self.folder.join(name), bytes)?;
        self.written.push(name.to_owned());
        Ok(())
    }

    fn add_pictures(&mut self, name: &str, pictures: &[Picture]) -> Result<()> {
        for (file, picture) in files(Path::new(name), pictures).iter().zip(pictures) {
            self.add(&file.to_string_lossy(), picture.svg.as_bytes())?;
        }
        Ok(())
    }
}

/// What is said where no page can be written.
const NO_PAGE: &str = "\
No pages to turn it in 3D (building.html, air.html, ring.html): this command was built without the viewer's page, which
  `cargo xtask page` makes for the next build.\n";

fn story(report: &Report) -> String {
    let Report { folder, building, platforms, office, ring, .. } = report;
    let BuildingReport { scene, mesh, lengths: [low, middle, high], .. } = building;
    let notes: String = building.notes.iter().map(|note| format!("  {note};\n")).collect();
    let [x, y, _] = ENTRANCE.to_array();
    format!(
        "\
A building of three storeys with furniture, stairs and a roof: {triangles} triangles (building.obj)
{notes}  the rest, {area:.0} m² in {layers} layers (layers-0.svg, depth-0.svg, contours-0.svg and on),
  became one mesh of {cells} convex cells in {milliseconds:.0} ms (building.way, building.wayplan, storey-0.svg and on).
From the entrance to a room on each storey it is {low:.2} m, {middle:.2} m and {high:.2} m,
  the last with {turns} turns over two stairs, found in {micros:.1} µs (path.json, path.svg).
{evacuated} persons of different sizes leave it within {evacuation_seconds:.0} seconds and never overlap (evacuation.toml, evacuation.txt, evacuation.svg).
{air}The mesh as JSON, OBJ and GLB: building.json, building-mesh.obj, building.glb.
{page}
{platforms}
A plan of an office floor, {office_area:.0} m² with {holes} obstacles (office.wkt, office-plan.svg),
  became {office_cells} cells (office.way, office.svg); no way of cutting it gives fewer than {lower}.
With notches up to {RELAXATION} m ignored there are {relaxed} (relaxed.way, relaxed.svg),
  and its path is as long as before: {length:.3} m and {relaxed_length:.3} m.
Bodies of radius {radii} m walk {lengths} m over the same mesh (bodies.svg); one of {TOO_WIDE} m does not:
  {why_not} (why-not.svg).

A ring with bumps, {ring_faces} triangles, was laid flat in {charts} charts (ring.obj, ring.waysurf, ring-charts.svg).
The farthest place is {farthest:.3} m away along the surface (ring-distances.svg); on its base mesh, {base_faces} triangles, {base_farthest:.3} m,
  and the mean error is {error:.2} %.{ring_page}

Everything is in {folder}/. Go on with:
  wayfare info {folder}/building.way
  wayfare path {folder}/building.way --from {x},{y},0 --to 20,4,6.48
  wayfare draw {folder}/building.way -o mine.svg --storey 2
  wayfare path {folder}/platforms.way --from 1.5,1.5,0 --to 5.2,4.8,1.8 --radius 0.2
  wayfare path {folder}/building.wayvol --from {x},{y},1.2 --to 20,4,7.68 --radius 0.25
  wayfare crowd {folder}/building.way {folder}/evacuation.toml -o run.sqlite
  wayfare view {folder}/building.way --scene {folder}/building.obj --up z
  wayfare geodesic {folder}/ring.waysurf --source 0 --target {farthest_vertex} --compare exact
  wayfare bake YOUR-SCENE.glb -o yours.way --reach-from X,Y,Z
",
        page = if building.has_page { "In 3D, with a body that walks to each storey and all who leave: building.html; open it in a browser.\n" } else { NO_PAGE },
        air = building.air.words(),
        platforms = platforms.words(),
        triangles = scene.triangles,
        area = mesh.area,
        layers = building.layers,
        cells = mesh.cells,
        milliseconds = building.bake_seconds * 1e3,
        turns = building.turns,
        evacuated = building.evacuated,
        evacuation_seconds = building.evacuation_seconds,
        micros = building.micros,
        office_area = office.mesh.area,
        holes = office.mesh.holes,
        office_cells = office.mesh.cells,
        lower = office.mesh.lower_bound,
        relaxed = office.relaxed_cells,
        relaxed_length = office.relaxed_length,
        length = office.length,
        radii = RADII.map(|radius| radius.to_string()).join(", "),
        lengths = office.body_lengths.map(|length| format!("{length:.3}")).join(", "),
        why_not = office.why_not,
        ring_faces = ring.faces,
        charts = ring.charts,
        base_faces = ring.base_faces,
        farthest_vertex = ring.farthest_vertex,
        farthest = ring.farthest,
        base_farthest = ring.base_farthest,
        error = 100.0 * ring.mean_error,
        ring_page = if ring.has_page { " To turn it: ring.html." } else { "" },
    )
}
