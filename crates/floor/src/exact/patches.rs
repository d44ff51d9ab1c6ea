//! Which triangles of a scene can be stood on, and which of them lie in one plane.
//!
//! Idea: what is done to ground is done once for all triangles that lie in one plane and hang together: fewer and larger pieces,
//!   fewer slivers than triangle by triangle.
//! Steps: 1. the grid: the finest, or one as coarse as asked for  2. the slope of each triangle  3. patches: from the largest triangle on, neighbours (by common
//!   vertices) with the same tag whose corners are within 0.1 mm of its plane.
//! The order of patches is that of the areas of their first triangles, then of positions: it does not depend on the order
//!   of the scene's triangles. Cost: O(n log n).

use super::surface::{Patch, Plane};
use crate::{Faces, GroundConfig};
use wayfare_core::{DVec2, DVec3, ops};
use wayfare_geom::{
    Aabb2,
    boolean::{Grid, Node, turn_sign},
};
use wayfare_scene::Scene;

/// No patch.
pub(super) const NO_PATCH: u32 = u32::MAX;

/// How far from where they were meant corners may be [m]: what files lose of a coordinate in a building. A face that is steeper than the
/// limit by no more than this can turn it still counts as on it: many models have ground at exactly 45 degrees, and rounding must not decide.
const ROUNDING: f64 = 1e-5;

/// But no more than this [rad], however small the face.
const MOST_TURN: f64 = 1e-4;

/// How far a corner may lie off the plane of its patch [m].
const FLATNESS: f64 = 1e-4;

/// The ground of a scene before anything is cut off.
pub(super) struct Patches<'a> {
    pub scene: &'a Scene,
    pub grid: Grid,
    /// Distance of neighbouring points of the finest grid that there is for the scene [m].
    pub finest: f64,
    /// The grid point of each vertex of the scene.
    pub nodes: Vec<Node>,
    /// The patch of each triangle; [`NO_PATCH`] where nobody can stand.
    pub patch_of: Vec<u32>,
    pub patches: Vec<Patch>,
    /// The sides of all triangles with a patch.
    pub sides: Sides,
    /// The corners of each triangle on the grid, counter-clockwise seen from above.
    corners: Vec<[u32; 3]>,
}

/// How far rounding can turn a triangle of so many square metres, doubled [rad].
fn most_turn(&[a, b, c]: &[DVec3; 3], twice: f64) -> f64 {
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    (ROUNDING * longest / twice).min(MOST_TURN)
}

/// The patches of a scene; places are rounded to a grid whose points are no nearer to each other than `spacing` [m].
pub(super) fn find_patches<'a>(scene: &'a Scene, config: &GroundConfig, spacing: f64) -> Patches<'a> {
    // 1.
    let bounds = Aabb2::of_points(scene.mesh.all_points().flatten().map(DVec3::truncate));
    let (grid, finest) = (grid_of(bounds, spacing), Grid::of_bounds(bounds).spacing());
    let nodes: Vec<Node> = scene.mesh.vertices.iter().map(|p| grid.round(p.truncate())).collect();
    // 2.
    let limit = |turn: f64| ops::cos((config.max_slope + turn).min(std::f64::consts::FRAC_PI_2));
    let [strict, widest] = [limit(0.0), limit(MOST_TURN)];
    let mut walkable: Vec<(f64, [DVec3; 3], u32)> = Vec::new();
    let mut turned = Vec::with_capacity(scene.mesh.triangles.len());
    for (number, corners) in scene.mesh.triangles.iter().enumerate() {
        let normal = scene.mesh.normal(number);
        let &[a, b, c] = corners;
        let turn = turn_sign(nodes[a as usize], nodes[b as usize], nodes[c as usize]);
        turned.push(if turn > 0 { [a, b, c] } else { [a, c, b] });
        let is_turned_right = config.faces == Faces::Both || normal.z > 0.0;
        let is_level = |limit: f64| normal.z.abs() >= limit * normal.length();
        if is_turned_right && is_level(widest) && turn != 0 {
            let mut points = scene.mesh.points(number);
            if !is_level(strict) && !is_level(limit(most_turn(&points, normal.length()))) {
                continue;
            }
            points.sort_by(compare);
            walkable.push((normal.length(), points, number as u32));
        }
    }
    let mut order: Vec<(f64, u32)> = walkable.iter().map(|entry| entry.0).zip(0..).collect();
    order.sort_unstable_by(|a, b| {
        let [one, two] = [a, b].map(|entry| &walkable[entry.1 as usize]);
        let by_place = || one.1.iter().zip(&two.1).map(|(p, q)| compare(p, q)).find(|order| order.is_ne());
        b.0.total_cmp(&a.0).then_with(|| by_place().unwrap_or(one.2.cmp(&two.2)))
    });
    // 3.
    let sides = Sides::of(scene, walkable.iter().map(|entry| entry.2));
    let mut patch_of = vec![NO_PATCH; scene.mesh.triangles.len()];
    let mut patches = Vec::new();
    for (_, place) in order {
        let seed = walkable[place as usize].2;
        if patch_of[seed as usize] != NO_PATCH {
            continue;
        }
        let plane = plane_of(scene.mesh.points(seed as usize));
        let tag = scene.tags[seed as usize];
        let number = patches.len() as u32;
        let mut own = vec![seed];
        patch_of[seed as usize] = number;
        let mut at = 0;
        while let Some(&triangle) = own.get(at) {
            at += 1;
            for neighbour in sides.neighbours(scene, triangle) {
                let is_free =
                    patch_of[neighbour as usize] == NO_PATCH && scene.tags[neighbour as usize] == tag;
                if is_free
                    && scene
                        .mesh
                        .points(neighbour as usize)
                        .iter()
                        .all(|p| (plane.height_at(p.truncate()) - p.z).abs() <= FLATNESS)
                {
                    patch_of[neighbour as usize] = number;
                    own.push(neighbour);
                }
            }
        }
        own.sort_unstable();
        patches.push(Patch { plane, tag, scene_triangles: own, gap: None });
    }
    Patches { scene, grid, finest, nodes, patch_of, patches, sides, corners: turned }
}

/// The grid of whatever lies in a box: the finest whose points are no nearer to each other than `spacing` [m].
fn grid_of(bounds: Aabb2, spacing: f64) -> Grid {
    let (middle, mut size) = ((bounds.min + bounds.max) / 2.0, bounds.size().max_element());
    let mut grid = Grid::of_bounds(bounds);
    // The grid of a larger box is coarser. It has the same bits to spare, so nothing else need be known of it.
    while grid.spacing() < spacing && size > 0.0 && size.is_finite() {
        size *= 2.0;
        let half = DVec2::splat(size / 2.0);
        grid = Grid::of_bounds(Aabb2 { min: middle - half, max: middle + half });
    }
    grid
}

fn compare(p: &DVec3, q: &DVec3) -> std::cmp::Ordering {
    p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z))
}

/// The plane through three points that are not upright over each other.
fn plane_of([a, b, c]: [DVec3; 3]) -> Plane {
    let normal = (b - a).cross(c - a);
    let slope = DVec2::new(-normal.x / normal.z, -normal.y / normal.z);
    Plane { origin: a.truncate(), height: a.z, slope }
}

impl Patches<'_> {
    /// The corners of a triangle on the grid, counter-clockwise seen from above.
    pub fn corners(&self, triangle: u32) -> [u32; 3] {
        self.corners[triangle as usize]
    }
}

/// The sides of triangles by their two vertices.
pub(super) struct Sides {
    /// Lower vertex, higher vertex, triangle; sorted.
    sides: Vec<(u32, u32, u32)>,
}

impl Sides {
    /// The sides of some triangles.
    pub fn of(scene: &Scene, triangles: impl Iterator<Item = u32>) -> Self {
        let mut sides: Vec<(u32, u32, u32)> = triangles
            .flat_map(|triangle| {
                let corners = scene.mesh.triangles[triangle as usize];
                [0, 1, 2].map(|k| {
                    let [a, b] = [corners[k], corners[(k + 1) % 3]];
                    (a.min(b), a.max(b), triangle)
                })
            })
            .collect();
        sides.sort_unstable();
        Self { sides }
    }

    /// The sides that one triangle has alone: triangle, lower vertex, higher vertex.
    pub fn alone(&self) -> impl Iterator<Item = (u32, [u32; 2])> + '_ {
        let groups = self.sides.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1));
        groups.filter(|group| group.len() == 1).map(|group| (group[0].2, [group[0].0, group[0].1]))
    }

    /// The triangles at a side.
    pub fn at(&self, a: u32, b: u32) -> impl Iterator<Item = u32> + '_ {
        let key = (a.min(b), a.max(b));
        let first = self.sides.partition_point(|side| (side.0, side.1) < key);
        self.sides[first..].iter().take_while(move |side| (side.0, side.1) == key).map(|side| side.2)
    }

    /// The triangles that have a side in common with another.
    pub fn neighbours(&self, scene: &Scene, triangle: u32) -> impl Iterator<Item = u32> + '_ {
        let corners = scene.mesh.triangles[triangle as usize];
        (0..3)
            .flat_map(move |k| self.at(corners[k], corners[(k + 1) % 3]))
            .filter(move |&neighbour| neighbour != triangle)
    }
}
