//! The binary space partition: the box cut along the planes of its triangles until every part is free of them.
//!
//! Idea: cutting along the triangles' own planes makes walls into faces of cells, and cells that hold no triangle are
//!   free. A plane is good when much of its section is wall, when it sets free a large part at once, and when it
//!   splits few triangles.
//! Source: Fuchs, Kedem and Naylor 1980, "On visible surface generation by a priori tree structures"; the score is our own,
//!   measured on rooms and levels.
//! Steps: 1. pieces in the plane of the cell's own sides are done  2. the planes of most area and the sides of the
//!   pieces' box are scored  3. cell and pieces are cut  4. both parts go on, on their own threads.
//! Promises: a free leaf holds no triangle deeper than the tolerance below its surface. Its half-spaces are the sides of
//!   the planes above it in the tree, so that no two leaves overlap, whatever rounding did to corners.
//! Cost: about O(n log n) for triangles in space; O(n²) cells at worst, as for any partition.

use crate::{
    plane::Plane,
    polygon,
    polytope::{Cut, Polytope},
};
use rayon::prelude::*;
use wayfare_core::{Cancelled, Context, DVec3, dvec3};

/// Weights of a plane's score.
mod weight {
    /// Share of the section that is wall.
    pub(super) const WALL: f64 = 1.5;
    /// Share of the cell that becomes free at once.
    pub(super) const FREE: f64 = 0.7;
    /// Share of the pieces that are split.
    pub(super) const SPLIT: f64 = 1.5;
    /// Difference of the numbers on both sides, relative to their sum.
    pub(super) const BALANCE: f64 = 0.1;
    /// Upright planes: rooms are columns rather than layers (a fifth fewer regions on levels than without).
    pub(super) const UPRIGHT: f64 = 0.05;
    /// Risers of a cell that holds nothing but a staircase: it is cut step by step, so that one stands in each part. (In all
    /// cells it costs a quarter more regions on levels.)
    pub(super) const RISER: f64 = 2.0;
}
/// Planes whose normal has so much of z may be floors or ramps.
pub(super) const FLOOR: f64 = 0.5;
/// A riser is at most this high [m]: a step of an adult, or of a player of Quake, and a little more.
pub(super) const RISER_HEIGHT: f64 = 0.5;
/// A riser runs across this share of its cell at least.
const RISER_LENGTH: f64 = 0.95;
/// Planes of triangles that are scored in each cell.
const CANDIDATES: usize = 24;
/// Pieces that a plane's score looks at.
const SAMPLES: usize = 384;
/// The two parts of a cell go on side by side if both have more pieces.
const SPAWN: usize = 16;
/// Planes are scored side by side in cells with more pieces: the first cells, before there are parts enough for all threads.
const SCORED_ALONE: usize = 1000;

/// Distances and sizes of one partition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Corners of cells within this distance of a plane are on it [m].
    pub(super) cell: f64,
    /// Triangles within this distance of a plane are on it [m].
    pub(super) piece: f64,
    /// A cell with triangles that is narrower is given up [m].
    pub(super) width: f64,
    /// A cell with triangles that is smaller is given up [m³].
    pub(super) volume: f64,
}

/// A part of a triangle.
pub(super) struct Piece {
    /// The plane of the triangle, by its number among the triangles' planes.
    pub(super) plane: u32,
    pub(super) area: f64,
    pub(super) points: Vec<DVec3>,
}

/// A node of the tree.
pub(super) enum Node {
    Leaf(Leaf),
    Inner(Box<Inner>),
}

/// A cell that was cut.
pub(super) struct Inner {
    pub(super) plane: Plane,
    /// The section through the cell.
    pub(super) section: Vec<DVec3>,
    /// What lies in the plane: walls.
    pub(super) walls: Vec<Vec<DVec3>>,
    /// Below and above the plane.
    pub(super) parts: [Node; 2],
}

/// A cell that is not cut; keys of its faces are twice the depth of the plane on the way from the root, plus 1 above it; the
/// six sides of the box come first.
pub(super) struct Leaf {
    pub(super) cell: Polytope,
    /// Whether no triangle is in it.
    pub(super) is_free: bool,
}

/// Cuts a cell as long as it has pieces in it.
pub(super) fn build(
    cell: Polytope,
    pieces: Vec<Piece>,
    planes: &[Plane],
    limits: &Limits,
    depth: u32,
    context: &Context,
) -> Result<Node, Cancelled> {
    context.check()?;
    if pieces.is_empty() {
        return Ok(Node::Leaf(Leaf { cell, is_free: true }));
    }
    let give_up = |cell| Ok(Node::Leaf(Leaf { cell, is_free: false }));
    if cell.volume() < limits.volume || cell.width() < limits.width {
        return give_up(cell);
    }
    // 2.
    let Some(plane) = choose(&cell, &pieces, planes, limits) else { return give_up(cell) };
    // 3.
    let keys = [2 * depth, 2 * depth + 1];
    let Cut::Both([below, above]) = cell.cut(&plane, limits.cell, keys) else { return give_up(cell) };
    drop(cell);
    let section = below.faces.last().map(|face| below.points(face)).unwrap_or_default();
    let mut walls = Vec::new();
    let mut parts: [Vec<Piece>; 2] = Default::default();
    for piece in pieces {
        let side = side_of(&piece.points, &plane, limits.piece);
        match side {
            Side::On => walls.push(piece.points),
            Side::Below => parts[0].push(piece),
            Side::Above => parts[1].push(piece),
            Side::Both => {
                let halves = polygon::split(&piece.points, &plane, limits.piece);
                for (part, points) in parts.iter_mut().zip(halves) {
                    let Some(points) = points else { continue };
                    part.push(Piece { plane: piece.plane, area: polygon::area(&points), points });
                }
            }
        }
    }
    // 4.
    let [in_below, in_above] = parts;
    let is_large = in_below.len().min(in_above.len()) > SPAWN;
    let go_on = |cell, pieces| build(cell, pieces, planes, limits, depth + 1, context);
    let (below, above) = if is_large {
        rayon::join(|| go_on(below, in_below), || go_on(above, in_above))
    } else {
        (go_on(below, in_below), go_on(above, in_above))
    };
    Ok(Node::Inner(Box::new(Inner { plane, section, walls, parts: [below?, above?] })))
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    On,
    Below,
    Above,
    Both,
}

#[inline]
fn side_of(points: &[DVec3], plane: &Plane, tolerance: f64) -> Side {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for &p in points {
        let distance = plane.distance(p);
        low = low.min(distance);
        high = high.max(distance);
    }
    match (low < -tolerance, high > tolerance) {
        (false, false) => Side::On,
        (true, false) => Side::Below,
        (false, true) => Side::Above,
        (true, true) => Side::Both,
    }
}

/// The plane of the best score; `None` if no plane cuts the cell.
fn choose(cell: &Polytope, pieces: &[Piece], planes: &[Plane], limits: &Limits) -> Option<Plane> {
    let mut by_plane: Vec<(u32, f64)> = pieces.iter().map(|piece| (piece.plane, piece.area)).collect();
    by_plane.sort_unstable_by_key(|entry| entry.0);
    by_plane.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    by_plane.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    // A staircase: floors, and risers across the whole cell.
    let is_staircase = pieces.len() <= SAMPLES
        && by_plane.iter().all(|&(number, _)| {
            let plane = &planes[number as usize];
            plane.normal.z.abs() >= FLOOR || is_riser(cell, pieces, number, plane)
        });
    let own = by_plane.iter().take(CANDIDATES).map(|&(number, area)| {
        let plane = planes[number as usize];
        (plane, area, is_staircase && is_upright(&plane))
    });
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for p in pieces.iter().flat_map(|piece| &piece.points) {
        low = low.min(*p);
        high = high.max(*p);
    }
    let sides = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| {
        [low, high].map(|corner| (Plane { normal: axis, offset: axis.dot(corner) }, 0.0, false))
    });
    let stride = pieces.len().div_ceil(SAMPLES);
    let volume = cell.volume();
    let scored = |&(plane, area, is_riser): &(Plane, f64, bool)| {
        let cuts = |above: f64| cell.vertices.iter().any(|&p| plane.distance(p) * above > limits.cell);
        if !cuts(1.0) || !cuts(-1.0) {
            return None;
        }
        let mut score = score(cell, volume, pieces.iter().step_by(stride), &plane, area, limits);
        let splits = || pieces.iter().any(|piece| side_of(&piece.points, &plane, limits.piece) == Side::Both);
        if is_riser && !splits() {
            score += weight::RISER;
        }
        Some((score, plane))
    };
    let candidates: Vec<(Plane, f64, bool)> = own.chain(sides).collect();
    let scores: Vec<Option<(f64, Plane)>> = if pieces.len() > SCORED_ALONE {
        candidates.par_iter().map(scored).collect()
    } else {
        candidates.iter().map(scored).collect()
    };
    // The first of the best.
    let better = |best: (f64, Plane), next: (f64, Plane)| if next.0 > best.0 { next } else { best };
    scores.into_iter().flatten().reduce(better).map(|(_, plane)| plane)
}

fn score<'a>(
    cell: &Polytope,
    volume: f64,
    pieces: impl Iterator<Item = &'a Piece>,
    plane: &Plane,
    area: f64,
    limits: &Limits,
) -> f64 {
    let (mut below, mut above, mut split, mut count) = (0.0, 0.0, 0.0, 0.0);
    let mut on = 0.0;
    for piece in pieces {
        count += 1.0;
        match side_of(&piece.points, plane, limits.piece) {
            Side::On => on += piece.area,
            Side::Below => below += 1.0,
            Side::Above => above += 1.0,
            Side::Both => split += 1.0,
        }
    }
    let (section, volume_below) = cell.measure(plane);
    let wall = area.max(on) / section.max(f64::MIN_POSITIVE);
    let mut free = 0.0;
    if split == 0.0 {
        if below == 0.0 {
            free += volume_below / volume;
        }
        if above == 0.0 {
            free += 1.0 - volume_below / volume;
        }
    }
    let sides: f64 = below + above;
    let balance = if sides > 0.0 { (below - above).abs() / sides } else { 0.0 };
    weight::WALL * wall.min(1.0) + weight::FREE * free.min(1.0)
        - weight::SPLIT * split / count
        - weight::BALANCE * balance
        + if is_upright(plane) { weight::UPRIGHT } else { 0.0 }
}

fn is_upright(plane: &Plane) -> bool {
    plane.normal.z.abs() < 1e-3
}

/// Whether what lies in an upright plane is low and runs across the cell.
fn is_riser(cell: &Polytope, pieces: &[Piece], number: u32, plane: &Plane) -> bool {
    if !is_upright(plane) {
        return false;
    }
    let along = plane.normal.cross(DVec3::Z);
    let range = |points: &mut dyn Iterator<Item = DVec3>, axis: DVec3| {
        let (low, high) = points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
            (low.min(axis.dot(p)), high.max(axis.dot(p)))
        });
        high - low
    };
    let own =
        || pieces.iter().filter(|piece| piece.plane == number).flat_map(|piece| piece.points.iter().copied());
    range(&mut own(), DVec3::Z) <= RISER_HEIGHT
        && range(&mut own(), along) >= RISER_LENGTH * range(&mut cell.vertices.iter().copied(), along)
}

/// The sides of a box as planes, in the order of the faces of [`Polytope::cuboid`], and which side of each is inside.
pub(super) fn box_planes(min: DVec3, max: DVec3) -> [(Plane, bool); 6] {
    let side = |normal: DVec3, offset: f64, above: bool| (Plane { normal, offset }, above);
    [
        side(dvec3(1., 0., 0.), min.x, true),
        side(dvec3(1., 0., 0.), max.x, false),
        side(dvec3(0., 1., 0.), min.y, true),
        side(dvec3(0., 1., 0.), max.y, false),
        side(dvec3(0., 0., 1.), min.z, true),
        side(dvec3(0., 0., 1.), max.z, false),
    ]
}
