//! Every shared surface: exact distances beside pygeodesic's where it is manifold, and those on a base mesh.

use crate::{table::Errors, worker::Worker};
use anyhow::Result;
use std::{fs, path::Path};
use wayfare_core::Context;
use wayfare_surface::{BaseMesh, BaseSolver, ExactSolver, Query, SegmentConfig, SurfaceMesh, SurfacePoint};
use wayfare_testkit::plain_geodesic::PlainGeodesic;

/// What pygeodesic gives for what it does not reach.
const UNREACHED: f64 = 1e50;
/// The plain solver of the tests takes minutes on more faces.
const PLAIN_FACES: usize = 3000;

/// Prints the table; `root` is the folder of the shared data.
pub fn print(root: &Path) -> Result<()> {
    println!("\n## Every shared surface\n");
    println!(
        "One source (the first vertex of the face in the middle of the file). *Differ* counts the vertices whose distance and pygeodesic's \
         differ by more than 10⁻⁶ of it, of those it is asked for: surfaces without repairs. *Base* is at the default limit.\n"
    );
    println!(
        "| surface | faces | components | repairs | reached | differ | largest relative difference | charts | base faces | base error |\n\
         |---|--:|--:|---|--:|--:|--:|--:|--:|--:|"
    );
    let mut names: Vec<_> = fs::read_dir(root.join("surfaces"))?.collect::<Result<_, _>>()?;
    names.sort_by_key(|entry| entry.file_name());
    let mut decided = String::new();
    for entry in names {
        let name = entry.file_name().to_string_lossy().into_owned();
        let (mesh, _) = wayfare_scene::read_mesh(&entry.path(), 1 << 32)?;
        let (surface, repair) = SurfaceMesh::build(&mesh)?;
        let vertex =
            mesh.triangles[surface.input_face(wayfare_core::Id::new(surface.face_count() / 2))][0] as usize;
        let source = SurfacePoint::at_input_vertex(&surface, vertex)?;
        let field = ExactSolver::new(&surface).solve(&source, &Query::default(), &Context::default())?;
        let reached = field.distances.iter().filter(|d| d.is_finite()).count();
        let repairs: Vec<String> =
            repair.repairs.iter().map(|one| format!("{} {}", one.count, one.kind)).collect();
        let theirs = if repair.is_empty() {
            let mut worker = Worker::start()?;
            worker.mesh(&mesh)?;
            worker.exact(vertex).map(|(_, distances)| distances).ok()
        } else {
            None
        };
        let (mut differ, mut most) = ("–".to_owned(), "–".to_owned());
        if let Some(theirs) = theirs {
            let both = || field.distances.iter().zip(&theirs).enumerate();
            let difference = |ours: f64, theirs: f64| match (ours.is_finite(), theirs < UNREACHED) {
                (true, true) => (ours - theirs).abs() / theirs.max(f64::MIN_POSITIVE),
                (false, false) => 0.0,
                _ => f64::INFINITY,
            };
            let far: Vec<(usize, f64, f64)> = both()
                .map(|(v, (&ours, &theirs))| (v, ours, theirs))
                .filter(|&(_, ours, theirs)| difference(ours, theirs) > 1e-6 && ours != theirs)
                .collect();
            differ = format!("{} of {}", far.len(), theirs.len());
            let largest =
                both().filter(|(_, (a, b))| a != b).map(|(_, (&a, &b))| difference(a, b)).fold(0.0, f64::max);
            most = format!("{largest:.1e}");
            if !far.is_empty() {
                let plain = (surface.face_count() <= PLAIN_FACES)
                    .then(|| PlainGeodesic::new(&mesh).distances(vertex));
                for (v, ours, theirs) in far.into_iter().take(5) {
                    let plain = plain.as_ref().map_or("–".to_owned(), |all| format!("{:.9}", all[v]));
                    decided += &format!("| {name} | {v} | {ours:.9} | {theirs:.9} | {plain} |\n");
                }
            }
        }
        let config = SegmentConfig::default();
        let base = BaseMesh::build(&mesh, &surface, &config, &Context::default())?;
        let (found, _) =
            BaseSolver::new(&base, &surface).distances(&source, f64::INFINITY, &Context::default())?;
        let mut errors = Errors::default();
        errors.add(&field.distances, &found);
        let (mean, largest) = errors.percent();
        println!(
            "| {name} | {} | {} | {} | {reached} | {differ} | {most} | {} | {} | {mean:.2}, {largest:.1} % |",
            surface.face_count(),
            surface.component_count(),
            if repairs.is_empty() { "–".to_owned() } else { repairs.join(", ") },
            base.charts().count(),
            base.surface().face_count(),
        );
    }
    if !decided.is_empty() {
        println!(
            "\nWhere they differ, five at most of each surface; *plain* is the plain solver of the tests, on surfaces of up to \
             {PLAIN_FACES} faces.\n\n| surface | vertex | wayfare | pygeodesic | plain |\n|---|--:|--:|--:|--:|\n{decided}"
        );
    }
    Ok(())
}
