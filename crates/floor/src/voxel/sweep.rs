//! From triangles to runs: all rows, in bands that may run side by side.

use super::{
    Lattice,
    columns::{Columns, Room, Row, Surface},
    lattice::HEIGHT_UNITS,
    raster::Raster,
    runs::{RunBuilder, Runs},
};
use crate::{Faces, GroundConfig};
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use wayfare_core::{Cancelled, Context, DVec3};
use wayfare_geom::TriangleMesh;
use wayfare_scene::Scene;

/// Bands per thread: with more, threads that are done early find more to do; each costs a look at all triangles.
const BANDS_PER_THREAD: u32 = 4;

/// What each triangle of a scene is to a walker.
pub fn surfaces(scene: &Scene, max_slope: f64, faces: Faces) -> Vec<Surface> {
    // The least upward part of a unit normal. Faces of 45 degrees exactly are common, and rounded.
    let limit = max_slope.cos() - 1e-9;
    let is_walkable = |triangle: usize| {
        let normal = scene.mesh.normal(triangle);
        let up = match faces {
            Faces::Both => normal.z.abs(),
            Faces::Front => normal.z,
        };
        up >= limit * normal.length()
    };
    scene
        .tags
        .par_iter()
        .enumerate()
        .map(|(triangle, &tag)| Surface { is_walkable: is_walkable(triangle), tag })
        .collect()
}

impl GroundConfig {
    /// Lengths in units of height; rounded so that what is asked for is enough.
    pub fn room(&self) -> Room {
        Room {
            height: (self.height * HEIGHT_UNITS).floor() as i32,
            step: (self.step * HEIGHT_UNITS).ceil() as i32,
        }
    }
}

/// Rows in bands that may be worked on side by side.
pub fn bands(rows: u32) -> Vec<Range<u32>> {
    let threads = rayon::current_num_threads() as u32;
    let count = if threads == 1 { 1 } else { (threads * BANDS_PER_THREAD).min(rows / 8).max(1) };
    let start = |k: u32| (u64::from(rows) * u64::from(k) / u64::from(count)) as u32;
    (0..count).map(|k| start(k)..start(k + 1)).collect()
}

/// Draws all rows and joins their floors into runs; the same for any number of threads.
pub fn find_runs(
    raster: &Raster,
    surfaces: &[Surface],
    room: Room,
    context: &Context,
) -> Result<Runs, Cancelled> {
    find_runs_with(raster, surfaces, room, context, |_, _| {})
}

/// The same, but for the floors of each row, which `edit` may change.
pub fn find_runs_with(
    raster: &Raster,
    surfaces: &[Surface],
    room: Room,
    context: &Context,
    edit: impl Fn(u32, &mut Row) + Sync,
) -> Result<Runs, Cancelled> {
    let rows = raster.lattice().rows();
    let stage = context.stage("columns", u64::from(rows));
    let band = |Range { start: from, end: to }: Range<u32>| {
        let mut columns = Columns::default();
        let mut row = Row::default();
        let mut builder = RunBuilder::new(room);
        let drawn = raster.draw_until(from.saturating_sub(1)..to, |number, fragments| {
            if context.check().is_err() {
                return ControlFlow::Break(());
            }
            columns.fill(&mut row, fragments, raster.lattice().columns(), surfaces, room);
            edit(number, &mut row);
            if number < from {
                builder.begin_above(number, &mut row);
            } else {
                builder.add(number, &mut row);
                stage.advance(1);
            }
            ControlFlow::Continue(())
        });
        if drawn.is_break() { Err(Cancelled) } else { Ok(builder.finish()) }
    };
    let parts: Vec<Result<Runs, Cancelled>> = bands(rows).into_par_iter().map(band).collect();
    let mut parts = parts.into_iter();
    let mut runs = parts.next().unwrap_or_else(|| Ok(Runs::default()))?;
    for part in parts {
        runs.append(part?);
    }
    Ok(runs)
}

/// The pixels over a scene and its triangles ready to be drawn.
pub fn raster_of(scene: &Scene, lattice: Lattice) -> Raster {
    let TriangleMesh { vertices, triangles } = &scene.mesh;
    // Each vertex is a corner of several triangles.
    let units: Vec<DVec3> = vertices.iter().map(|&p| lattice.to_units(p)).collect();
    Raster::of_units(lattice, triangles.iter().map(|corners| corners.map(|v| units[v as usize])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan_scene;
    use wayfare_core::dvec3;

    #[test]
    fn the_back_of_a_face_is_ground_unless_fronts_alone_are() {
        // A floor, and a ceiling that is turned down.
        let corner = |x: f64, y: f64, z: f64| dvec3(x, y, z);
        let sheet = |z: f64| [corner(0., 0., z), corner(5., 0., z), corner(5., 4., z), corner(0., 4., z)];
        let vertices = [sheet(0.0), sheet(3.0)].concat();
        let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]];
        let scene = Scene::from_mesh(TriangleMesh { vertices, triangles });
        let area = |faces| {
            let config = GroundConfig { faces, ..GroundConfig::default() };
            plan_scene(&scene, &config, &Context::default()).unwrap().plan.area()
        };
        assert!((area(Faces::Both) - 40.0).abs() < 0.5);
        assert!((area(Faces::Front) - 20.0).abs() < 0.3);
    }
}
