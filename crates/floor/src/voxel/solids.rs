//! Floors inside closed solids.
//!
//! Idea: a part of the scene whose faces close it, all turned outwards, is a solid, or several that touch. A floor that a line straight up leaves
//!   more solids from than it enters lies inside one: nobody gets there.
//! Source: winding numbers; Jacobson et al. 2013 for meshes that are not closed, which we leave alone: of sheets nobody can
//!   say what is inside.
//! Cost: a sort of all edges; a search straight up per component of the floor.

use super::{lattice::Lattice, runs::Runs};
use crate::GroundConfig;
use rayon::prelude::*;
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::{
    bvh::{Aabb3, Bvh},
    predicates::orient,
};
use wayfare_scene::Scene;

/// The bits of a triangle's number in an edge.
const TRIANGLE: u32 = u32::MAX >> 1;

/// Floors of a component that are asked; the answers should agree.
const WITNESSES: usize = 9;

/// The closed parts of a scene.
pub struct Solids<'a> {
    scene: &'a Scene,
    /// Of each triangle, whether it belongs to one.
    is_closed: Vec<bool>,
}

/// Leaves out the components of runs that lie inside solids; adds to the notes what was left out. The tree is that of the
/// scene's triangles.
pub fn remove_inside(
    runs: Runs,
    solids: &Solids,
    tree: &Bvh,
    lattice: &Lattice,
    config: &GroundConfig,
    notes: &mut Vec<String>,
) -> Runs {
    if !solids.is_closed.contains(&true) {
        return runs;
    }
    let component_of = runs.components();
    let count = component_of.iter().max().map_or(0, |&last| last as usize + 1);
    let mut own: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (run, &component) in component_of.iter().enumerate() {
        own[component as usize].push(run as u32);
    }
    let pixels = |component: usize| {
        own[component]
            .iter()
            .map(|&run| runs.runs[run as usize])
            .map(|run| f64::from(run.end - run.start))
            .sum::<f64>()
    };
    let is_inside: Vec<bool> = own
        .par_iter()
        .map(|own| {
            let chosen = (0..own.len().min(WITNESSES)).map(|k| own[k * own.len() / own.len().min(WITNESSES)]);
            let (mut inside, mut all) = (0, 0);
            for run in chosen {
                let extent = runs.runs[run as usize];
                let column = extent.start + (extent.end - extent.start) / 2;
                // A little off the middle, where edges of faces are rare.
                let pixel = DVec2::new(f64::from(column) + 0.4871, f64::from(extent.row) + 0.5153);
                // Heights are rounded; halfway up to the ceiling there is no face for sure.
                let height = lattice.height(f64::from(runs.height(run, column))) + config.height / 2.0;
                inside += usize::from(solids.winding(tree, lattice.place(pixel).extend(height)) > 0);
                all += 1;
            }
            2 * inside > all
        })
        .collect();
    let area = |is: bool| (0..count).filter(|&component| is_inside[component] == is).map(pixels).sum::<f64>();
    let pixel_area = lattice.resolution() * lattice.resolution();
    let (inside, outside) = (area(true) * pixel_area, area(false) * pixel_area);
    if inside == 0.0 {
        return runs;
    }
    if outside == 0.0 || !config.remove_inside {
        let why = if config.remove_inside { "there is no other, so it is kept" } else { "kept as asked" };
        notes.push(format!("ground inside closed solids: {inside:.1} m²; {why}"));
        return runs;
    }
    notes.push(format!("ground inside closed solids left out: {inside:.1} m²"));
    let wanted: Vec<bool> = component_of.iter().map(|&component| !is_inside[component as usize]).collect();
    runs.filtered(&wanted)
}

impl<'a> Solids<'a> {
    /// The closed parts of a scene.
    pub fn of(scene: &'a Scene) -> Self {
        Self { scene, is_closed: closed_parts(scene).iter().map(Option::is_some).collect() }
    }

    /// How many solids a point lies in: faces above it turned up, less those turned down.
    pub(crate) fn winding(&self, tree: &Bvh, p: DVec3) -> i32 {
        let mut winding = 0;
        let up = Aabb3 { min: p, max: p.truncate().extend(f64::INFINITY) };
        tree.visit(&up, |triangle| {
            if !self.is_closed[triangle as usize] {
                return false;
            }
            let [a, b, c] = self.scene.mesh.points(triangle as usize);
            let [ab, bc, ca] =
                [(a, b), (b, c), (c, a)].map(|(u, v)| orient(u.truncate(), v.truncate(), p.truncate()));
            let is_up = ab > 0.0 && bc > 0.0 && ca > 0.0;
            let is_down = ab < 0.0 && bc < 0.0 && ca < 0.0;
            if is_up || is_down {
                // Weights are the areas of the triangles across; the height is that of the plane.
                let height = (a.z * bc + b.z * ca + c.z * ab) / (ab + bc + ca);
                if height > p.z {
                    winding += if is_up { 1 } else { -1 };
                }
            }
            false
        });
        winding
    }
}

/// The closed part that each triangle belongs to, named by its first triangle: connected by edges, along
/// each of which as many triangles run one way as the other.
pub fn closed_parts(scene: &Scene) -> Vec<Option<u32>> {
    let triangles = &scene.mesh.triangles;
    // Every edge by its lower vertex in bins; in a bin by its higher vertex, the direction and the triangle, which there are fewer
    // than 2^31 of, packed into one number from the highest bits on.
    let packed = |a: u32, b: u32, triangle: u32| {
        u64::from(a.max(b)) << 32 | u64::from(a < b) << 31 | u64::from(triangle & TRIANGLE)
    };
    let triangle_of = |edge: u64| edge as u32 & TRIANGLE;
    let sides = || {
        triangles
            .iter()
            .zip(0..)
            .flat_map(|(triangle, number)| [0, 1, 2].map(|k| (triangle[k], triangle[(k + 1) % 3], number)))
    };
    let mut starts = vec![0u32; scene.mesh.vertices.len() + 2];
    for (a, b, _) in sides() {
        starts[a.min(b) as usize + 2] += 1;
    }
    for k in 2..starts.len() {
        starts[k] += starts[k - 1];
    }
    let mut edges = vec![0u64; 3 * triangles.len()];
    for (a, b, number) in sides() {
        let at = &mut starts[a.min(b) as usize + 1];
        edges[*at as usize] = packed(a, b, number);
        *at += 1;
    }
    starts.pop();
    let mut parents: Vec<u32> = (0..triangles.len() as u32).collect();
    fn root(parents: &mut [u32], at: u32) -> u32 {
        let mut at = at;
        while parents[at as usize] != at {
            parents[at as usize] = parents[parents[at as usize] as usize];
            at = parents[at as usize];
        }
        at
    }
    let mut is_open = vec![false; triangles.len()];
    for bin in starts.windows(2) {
        let bin = &mut edges[bin[0] as usize..bin[1] as usize];
        bin.sort_unstable();
        for side in bin.chunk_by(|a, b| a >> 32 == b >> 32) {
            let forward = side.iter().filter(|&edge| edge >> 31 & 1 == 1).count();
            if 2 * forward != side.len() {
                side.iter().for_each(|&edge| is_open[triangle_of(edge) as usize] = true);
            }
            for pair in side.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|edge| root(&mut parents, triangle_of(edge)));
                parents[a.max(b) as usize] = a.min(b);
            }
        }
    }
    let roots: Vec<u32> = (0..triangles.len() as u32).map(|triangle| root(&mut parents, triangle)).collect();
    let mut is_part_open = vec![false; triangles.len()];
    for (triangle, &root) in roots.iter().enumerate() {
        is_part_open[root as usize] |= is_open[triangle];
    }
    roots.iter().map(|&root| (!is_part_open[root as usize]).then_some(root)).collect()
}

#[cfg(test)]
mod tests {
    use crate::{GroundConfig, plan_scene};
    use wayfare_core::{Context, DVec3, dvec3};
    use wayfare_geom::TriangleMesh;
    use wayfare_scene::Scene;

    /// Boxes, turned outwards, and an open sheet of ground between two corners.
    fn scene(boxes: &[[DVec3; 2]], sheet: Option<[DVec3; 2]>) -> Scene {
        let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
        let mut quad = |corners: [DVec3; 4]| {
            let first = mesh.vertices.len() as u32;
            // Vertices at the same place are one vertex, as readers make them.
            let ids = corners.map(|p| match mesh.vertices.iter().position(|q| *q == p) {
                Some(k) => k as u32,
                None => {
                    mesh.vertices.push(p);
                    mesh.vertices.len() as u32 - 1
                }
            });
            assert!(first <= mesh.vertices.len() as u32);
            mesh.triangles.extend([[ids[0], ids[1], ids[2]], [ids[0], ids[2], ids[3]]]);
        };
        for [a, b] in boxes {
            let p = |k: u8| {
                dvec3(
                    if k & 1 == 0 { a.x } else { b.x },
                    if k & 2 == 0 { a.y } else { b.y },
                    if k & 4 == 0 { a.z } else { b.z },
                )
            };
            for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
                quad(face.map(p));
            }
        }
        if let Some([a, b]) = sheet {
            quad([a, dvec3(b.x, a.y, a.z), dvec3(b.x, b.y, a.z), dvec3(a.x, b.y, a.z)]);
        }
        Scene::from_mesh(mesh)
    }

    fn area(scene: &Scene, remove_inside: bool) -> (f64, Vec<String>) {
        let planned = plan_scene(
            scene,
            &GroundConfig { remove_inside, ..GroundConfig::default() },
            &Context::default(),
        );
        let planned = planned.unwrap();
        (planned.plan.area(), planned.notes)
    }

    #[test]
    fn the_top_of_a_block_is_outside_whatever_its_height_is_rounded_to() {
        for height in [-2.4, -2.3698, 0.1, 1.0 / 3.0, 7.77771] {
            let block = scene(&[[dvec3(0., 0., height - 1.2), dvec3(10., 10., height)]], None);
            let (area, notes) = area(&block, true);
            assert!((area - 100.0).abs() < 5.0 && notes.is_empty(), "{height}: {area} {notes:?}");
        }
    }

    #[test]
    fn floors_inside_blocks_go_even_if_blocks_touch() {
        // A sheet of ground runs below two blocks that share an edge; the blocks are hollow to the eye.
        let boxes = [[dvec3(2., 2., 0.), dvec3(5., 5., 4.)], [dvec3(5., 5., 0.), dvec3(8., 8., 4.)]];
        let ground = scene(&boxes, Some([dvec3(0., 0., 0.), dvec3(10., 10., 0.)]));
        let (kept, notes) = area(&ground, false);
        let (removed, _) = area(&ground, true);
        assert!((kept - removed - 18.0).abs() < 3.0, "{kept} {removed} {notes:?}");
    }

    #[test]
    fn the_only_ground_there_is_stays() {
        // A room seen from outside: all that can be stood on is inside.
        let room = scene(&[[dvec3(0., 0., 0.), dvec3(5., 5., 1.0)]], None);
        assert!(area(&room, true).0 > 20.0);
    }
}
