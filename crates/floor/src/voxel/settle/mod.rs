//! Contours laid where the ground truly ends.
//!
//! Idea: pixels know where the ground ends to a pixel, the triangles know it exactly. Every edge of a simplified contour gets
//!   the line of what it stands for, and corners move to where the lines of their edges meet. The contour that it
//!   starts from is sound, so a corner whose move does harm simply stays.
//! Steps: 1. the line of every edge along a wall or a ledge (`lines`)  2. moves of corners (`moves`); where ledges end (`ends`)
//!   3. moves that would cut an obstacle, cross or pass over another edge are taken back, until none is left (`conflicts`)
//!   4. islands that lie over other ground are cut (`trim`)
//! Promises: those of the contours that it is given: shared corners stay shared, no edge of a layer touches another but at
//!   common corners, no ring passes over another or turns round, nothing that stands is cut. No more corners than before, but
//!   for one at ends of walls.
//! Cost: near-linear in corners; a dozen look-ups among the triangles per edge.

mod conflicts;
mod ends;
mod knots;
mod lines;
mod moves;
mod overhangs;
mod trim;

use super::{
    contour::{Contours, Corner, RegionContour, RingContour},
    lattice::Lattice,
    layers::Layers,
    obstacles::Obstacles,
    runs::Runs,
    simplify::Simplified,
};
use lines::{Finder, Line};
use moves::{Moves, Spot};
use overhangs::LayerHeights;
use rayon::prelude::*;
use wayfare_core::{Cancelled, Context};

/// Moves the corners of contours, of runs in layers, to where the ground ends.
pub fn settle(
    simplified: &Simplified,
    runs: &Runs,
    of_runs: &Layers,
    lattice: &Lattice,
    obstacles: &Obstacles,
    context: &Context,
) -> Result<Contours, Cancelled> {
    let contours = &simplified.contours;
    let heights = LayerHeights::new(runs, of_runs, obstacles.head_room());
    let finder = Finder { lattice, obstacles, heights: &heights };
    let rings: Vec<&[Corner]> =
        contours.regions.iter().flat_map(|region| &region.rings).map(|ring| &ring.corners[..]).collect();
    let layers: Vec<u32> =
        contours.regions.iter().flat_map(|region| region.rings.iter().map(|_| region.layer)).collect();
    let stairs: Vec<Vec<&[Corner]>> =
        (0..rings.len()).map(|ring| simplified.stairs(ring).collect()).collect();
    let lines: Vec<Vec<Option<Line>>> = stairs
        .par_iter()
        .zip(&layers)
        .map(|(stairs, &layer)| stairs.par_iter().map(|stairs| finder.line(stairs, layer)).collect())
        .collect();
    context.check()?;
    let mut moves = Moves::new(&rings, &layers, &stairs, &lines, &finder, contours.shared);
    while conflicts::take_back(&mut moves, &finder) {
        context.check()?;
    }
    let mut settled = (0..rings.len()).map(|ring| {
        let corners = moves.spots(ring).into_iter().map(|Spot { corner, .. }| corner).collect();
        RingContour { corners }
    });
    let regions = contours.regions.iter().map(|region| {
        let rings = settled.by_ref().take(region.rings.len()).collect();
        RegionContour { rings, ..*region }
    });
    let mut settled = Contours {
        regions: regions.collect(),
        region_of: contours.region_of.clone(),
        shared: contours.shared,
    };
    trim::trim(&mut settled, &heights, &finder);
    Ok(settled)
}

#[cfg(test)]
mod tests {
    use crate::{GroundConfig, plan_scene};
    use wayfare_core::{Context, DVec2, dvec2, ops};
    use wayfare_geom::TriangleMesh;
    use wayfare_scene::Scene;

    /// A floor of 4 m by 4 m and in its middle a wall of 2 m by 0.15 m, all turned by an angle [rad]; and the corners of both.
    fn walled(turn: f64) -> (Scene, Vec<DVec2>) {
        let (s, c) = (ops::sin(turn), ops::cos(turn));
        let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
        let mut corners = Vec::new();
        for (half, heights) in [(dvec2(2.0, 2.0), [0.0, 0.0]), (dvec2(1.0, 0.075), [0.0, 3.0])] {
            let signs = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let ring =
                signs.map(|[x, y]| dvec2(c * x * half.x - s * y * half.y, s * x * half.x + c * y * half.y));
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend(heights.iter().flat_map(|&z| ring.map(|p| p.extend(z))));
            if heights[1] == 0.0 {
                mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            } else {
                for k in 0..4 {
                    let [a, b] = [first + k, first + (k + 1) % 4];
                    mesh.triangles.extend([[a, b, b + 4], [a, b + 4, a + 4]]);
                }
            }
            corners.extend(ring);
        }
        (Scene::from_mesh(mesh), corners)
    }

    #[test]
    fn corners_of_floors_and_walls_are_where_they_are_at_any_angle() {
        for turn in [0.0, 0.2, 0.5, 0.785, 1.0, 1.4] {
            let (scene, corners) = walled(turn);
            let plan = plan_scene(&scene, &GroundConfig::default(), &Context::default()).unwrap().plan;
            assert_eq!(plan.check(), []);
            let found: Vec<DVec2> = plan.vertices.iter().map(|(_, p)| p.truncate()).collect();
            assert_eq!(found.len(), 8, "turned by {turn}");
            for corner in corners {
                let nearest = found.iter().map(|p| p.distance(corner)).fold(f64::INFINITY, f64::min);
                // A tenth of a pixel.
                assert!(nearest < 0.01, "turned by {turn}: {corner} is missed by {nearest} m");
            }
        }
    }

    #[test]
    fn ground_ends_at_the_foot_of_a_slope_that_is_too_steep() {
        for turn in [0.0, 0.2, 0.5, 0.785, 1.0, 1.4] {
            let (s, c) = (ops::sin(turn), ops::cos(turn));
            let place = |x: f64, y: f64| dvec2(c * x - s * y, s * x + c * y);
            // Ground of 4 m by 4 m, and beyond one side of it, in the middle of a pixel, a slope of 60 degrees.
            let [near, far] = [-2.0, 2.04].map(|x| [-2.0, 2.0].map(|y| place(x, y)));
            let top = [-2.0, 2.0].map(|y| place(3.2, y));
            let corners = [near[0], far[0], far[1], near[1]];
            let vertices = corners.iter().map(|p| p.extend(0.0)).chain(top.iter().map(|p| p.extend(2.0)));
            let triangles = vec![[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]];
            let scene = Scene::from_mesh(TriangleMesh { vertices: vertices.collect(), triangles });
            let plan = plan_scene(&scene, &GroundConfig::default(), &Context::default()).unwrap().plan;
            for corner in corners {
                let distances = plan.vertices.iter().map(|(_, p)| p.truncate().distance(corner));
                let nearest = distances.fold(f64::INFINITY, f64::min);
                assert!(nearest < 0.01, "turned by {turn}: {corner} is missed by {nearest} m");
            }
        }
    }
}
