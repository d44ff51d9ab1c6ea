//! Crossings of cells against a fine grid over each cell, with distances by brute force.

use crate::support::{cut_in_ways, report, with_clearance};
use std::sync::atomic::{AtomicUsize, Ordering};
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::{Aabb2, segment::nearest_on_segment};
use wayfare_navmesh::{CellId, CornerId, Crossings, NavMesh, RawNavMesh};
use wayfare_testkit::{Random, generators, zoo};

fn segment_distance(p: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    nearest_on_segment(p, a, b).distance(p)
}

fn portals(mesh: &NavMesh, cell: CellId) -> Vec<CornerId> {
    mesh.corners(cell).filter(|&corner| mesh.twin(corner).is_some()).collect()
}

/// Pixels whose centre lies in a cell or within half a diagonal of it, with their distance to all boundary edges.
struct CellGrid {
    min: DVec2,
    pixel: f64,
    columns: usize,
    /// Negative: not of the cell.
    distances: Vec<f64>,
    /// By falling distance.
    order: Vec<usize>,
}

impl CellGrid {
    /// A curve passes pixels whose centres are half a diagonal away; back from centres to the cell it is as much,
    /// and half a pixel from neighbour to neighbour.
    const ERROR: f64 = 1.22;

    fn new(mesh: &NavMesh, cell: CellId, edges: &[[DVec2; 2]], pixels: usize) -> Self {
        let bounds = Aabb2::of_points(mesh.cell_points(cell));
        let pixel = bounds.size().max_element() / pixels as f64;
        let min = bounds.min - DVec2::splat(1.5 * pixel);
        let [columns, rows] = (bounds.size() / pixel + 3.0).to_array().map(|side| side.ceil() as usize);
        let ring: Vec<[DVec2; 2]> =
            mesh.corners(cell).map(|corner| mesh.edge(corner).map(|v| mesh.xy(v))).collect();
        let mut grid = Self { min, pixel, columns, distances: Vec::new(), order: Vec::new() };
        let distance = |k: usize| {
            let p = grid.centre(k);
            let beside = || ring.iter().map(|&edge| segment_distance(p, edge)).fold(f64::INFINITY, f64::min);
            if !mesh.contains(cell, p) && beside() > 0.7072 * pixel {
                return -1.0;
            }
            edges.iter().map(|&edge| segment_distance(p, edge)).fold(f64::INFINITY, f64::min)
        };
        let distances: Vec<f64> = (0..columns * rows).map(distance).collect();
        let mut order: Vec<usize> = (0..distances.len()).filter(|&k| distances[k] >= 0.0).collect();
        order.sort_by(|&a, &b| distances[b].total_cmp(&distances[a]).then(a.cmp(&b)));
        (grid.distances, grid.order) = (distances, order);
        grid
    }
    fn centre(&self, k: usize) -> DVec2 {
        self.min + dvec2((k % self.columns) as f64 + 0.5, (k / self.columns) as f64 + 0.5) * self.pixel
    }
    /// The largest radius with which one of the pixels of one set is joined to one of the other.
    fn widest(&self, is_from: impl Fn(DVec2) -> bool, is_to: impl Fn(DVec2) -> bool) -> f64 {
        let mut parent: Vec<usize> = (0..self.distances.len()).collect();
        let mut flags = vec![0u8; self.distances.len()];
        fn root(parent: &mut [usize], mut k: usize) -> usize {
            while parent[k] != k {
                parent[k] = parent[parent[k]];
                k = parent[k];
            }
            k
        }
        let mut seen = vec![false; self.distances.len()];
        for &k in &self.order {
            seen[k] = true;
            let p = self.centre(k);
            flags[k] = u8::from(is_from(p)) | (2 * u8::from(is_to(p)));
            if flags[k] == 3 {
                return self.distances[k];
            }
            for other in [k.wrapping_sub(1), k + 1, k.wrapping_sub(self.columns), k + self.columns] {
                if seen.get(other) == Some(&true) {
                    let (a, b) = (root(&mut parent, k), root(&mut parent, other));
                    parent[a] = b;
                    flags[b] |= flags[a];
                    if flags[b] == 3 {
                        return self.distances[k];
                    }
                }
            }
        }
        0.0
    }
}

fn boundary(mesh: &NavMesh) -> Vec<[DVec2; 2]> {
    mesh.boundary().chains().flatten().map(|&corner| mesh.edge(corner).map(|v| mesh.xy(v))).collect()
}

fn check_cells(
    name: &str,
    mesh: &NavMesh,
    random: &mut Random,
    cells: usize,
    checked: &AtomicUsize,
) -> Vec<String> {
    let mut lines = Vec::new();
    let (edges, crossings) = (boundary(mesh), mesh.crossings().expect("they were made"));
    let mut candidates: Vec<CellId> = mesh.cells().filter(|&cell| portals(mesh, cell).len() > 1).collect();
    for _ in 0..cells.min(candidates.len()) {
        let cell = candidates.swap_remove(random.below(candidates.len()));
        let grid = CellGrid::new(mesh, cell, &edges, 70);
        let (error, near) = (CellGrid::ERROR * grid.pixel, 0.7072 * grid.pixel);
        let portals = portals(mesh, cell);
        let is_on = |corner: CornerId| {
            let edge = mesh.edge(corner).map(|v| mesh.xy(v));
            move |p: DVec2| segment_distance(p, edge) <= near
        };
        for k in 1..portals.len().min(5) {
            let (a, b) = (portals[k - 1], portals[k]);
            let (found, oracle) =
                (crossings.between(a, b).expect("portals"), grid.widest(is_on(a), is_on(b)));
            let back = crossings.between(b, a).expect("portals");
            checked.fetch_add(1, Ordering::Relaxed);
            if (found - oracle).abs() > error || found != back {
                let middles = [a, b].map(|corner| mesh.edge(corner).map(|v| mesh.xy(v)));
                lines.push(format!(
                    "{name}: {cell} {middles:?}: {found}, back {back}, grid {oracle} ± {error}"
                ));
            }
        }
        // From a point.
        let points: Vec<DVec2> = mesh.cell_points(cell).collect();
        let weights: Vec<f64> = points.iter().map(|_| random.unit()).collect();
        let sum: f64 = weights.iter().sum();
        let p: DVec2 = points.iter().zip(&weights).map(|(&p, w)| p * (w / sum)).sum();
        if mesh.contains(cell, p) {
            let corner = portals[random.below(portals.len())];
            let found = crossings.from_point(cell, p, corner).expect("a portal");
            let oracle = grid.widest(|q| q.distance(p) <= near, is_on(corner));
            if (found - oracle).abs() > error {
                lines.push(format!("{name}: {cell} from {p}: {found}, grid {oracle} ± {error}"));
            }
        }
    }
    lines
}

#[test]
fn crossings_are_those_of_a_fine_grid() {
    let mut plans = generators::mixed(11, 40, 60);
    plans.extend(zoo::all().into_iter().filter(|plan| {
        !["tiny beside huge", "holes in line"].iter().any(|name| plan.name.starts_with(name))
    }));
    let checked = AtomicUsize::new(0);
    let found = report(&plans, |plan| {
        let mut random = Random::new(3);
        let mut lines: Vec<String> = cut_in_ways(plan, &[0.0, 0.02, 0.2])
            .iter()
            .flat_map(|(name, mesh)| check_cells(name, mesh, &mut random, 4, &checked))
            .collect();
        lines.truncate(4);
        lines
    });
    assert_eq!(found, "");
    let checked = checked.into_inner();
    assert!(checked > 500, "{checked}");
}

#[test]
fn crossings_of_cells_with_inner_vertices_are_those_of_a_fine_grid() {
    let mut random = Random::new(8);
    let mut lines = Vec::new();
    let checked = AtomicUsize::new(0);
    for _ in 0..6 {
        // Squares of which some are missing, with the vertices between them moved about.
        let side = 7u32;
        let at = |x: u32, y: u32| y * (side + 1) + x;
        let mut vertices: Vec<_> = Vec::new();
        for y in 0..=side {
            for x in 0..=side {
                let moved = dvec2(random.between(-0.2, 0.2), random.between(-0.2, 0.2));
                vertices.push((dvec2(f64::from(x), f64::from(y)) + moved).extend(0.0));
            }
        }
        let mut cells: Vec<Vec<u32>> = Vec::new();
        for y in 0..side {
            for x in 0..side {
                if random.chance(0.85) {
                    cells.push(vec![at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)]);
                }
            }
        }
        let used: std::collections::BTreeSet<u32> = cells.iter().flatten().copied().collect();
        let numbers: Vec<u32> = used.iter().copied().collect();
        let vertices: Vec<_> = numbers.iter().map(|&v| vertices[v as usize]).collect();
        for corner in cells.iter_mut().flatten() {
            *corner = numbers.binary_search(corner).expect("it is used") as u32;
        }
        let mut raw = RawNavMesh::from_polygons(&vertices, &cells).expect("edges match");
        raw.imported = true;
        // Squares that touch at a corner only are refused or not; either is no matter of this test.
        let Ok(mesh) = raw.validate() else { continue };
        let mesh = with_clearance(mesh, "squares");
        lines.extend(check_cells("squares", &mesh, &mut random, 12, &checked));
    }
    assert_eq!(lines.join("\n"), "");
    let checked = checked.into_inner();
    assert!(checked > 60, "{checked}");
}

/// A corridor of 8 by 1 m cut lengthwise, with a post that reaches from above to 0.1 m over the cut.
fn behind_a_portal() -> NavMesh {
    let vertices =
        [(0., 0.), (8., 0.), (8., 0.5), (8., 1.), (4.1, 1.), (4., 0.6), (3.9, 1.), (0., 1.), (0., 0.5)]
            .map(|(x, y)| dvec2(x, y).extend(0.0));
    let cells: Vec<Vec<u32>> =
        vec![vec![0, 1, 2, 8], vec![8, 2, 5], vec![2, 3, 4], vec![2, 4, 5], vec![8, 5, 6], vec![8, 6, 7]];
    let raw = RawNavMesh::from_polygons(&vertices, &cells).expect("edges match");
    with_clearance(raw.validate().expect("sound cells"), "behind a portal")
}

#[test]
fn an_obstacle_behind_the_portal_counts() {
    let mesh = behind_a_portal();
    let crossings: Crossings<'_> = mesh.crossings().expect("they were made");
    // Below the post the lower cell has 0.3 m at its upper edge and less further down, towards the wall: 0.3 m.
    let lower = CellId(0);
    let portal = portals(&mesh, lower)[0];
    let from = crossings.from_point(lower, dvec2(1.0, 0.25), portal).expect("a portal");
    assert!((from - 0.25).abs() < 1e-12, "{from}");
    // The portal is widest left and right of the post, and those two peaks are joined below it as 0.3 m allow.
    let peaks = crossings.table().peaks(lower);
    assert_eq!(peaks.len(), 2, "{peaks:?}");
    let links: Vec<f64> =
        peaks.iter().enumerate().filter(|(k, p)| p.parent as usize != *k).map(|(_, p)| p.width).collect();
    assert!(links.len() == 1 && (links[0] - 0.3).abs() < 1e-12, "{peaks:?}");
}

#[test]
fn crossings_survive_a_file_and_altered_ones_are_refused() {
    let mesh = behind_a_portal();
    let again = NavMesh::from_bytes(mesh.to_bytes()).expect("as it was written");
    assert_eq!(again.clearance(), mesh.clearance());
    assert!(again.check().is_empty(), "{:?}", again.check());
    let table = mesh.crossings().expect("they were made").table();
    assert!(table.bytes() > 0);
}
