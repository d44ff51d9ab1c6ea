//! Distances to the boundary where ground lies over ground, by looking at all of it that is near.

use wayfare_core::{DVec2, DVec3};
use wayfare_floor::GroundConfig;
use wayfare_navmesh::{CornerId, NavMesh};
use wayfare_testkit::disc_curve::Piece;

/// The boundary in short pieces, with the heights of the ground there, sorted into squares.
pub struct Walls {
    pieces: Vec<[DVec3; 2]>,
    /// Lower left corner of all squares, their side [m] and number each way.
    min: DVec2,
    side: f64,
    count: [usize; 2],
    /// The pieces whose boxes meet each square.
    squares: Vec<Vec<u32>>,
}

/// The boundary of a mesh.
pub fn walls(mesh: &NavMesh) -> Walls {
    walls_where(mesh, |_| true)
}

/// The edges of the boundary that count.
pub fn walls_where(mesh: &NavMesh, counts: impl Fn(CornerId) -> bool) -> Walls {
    let mut pieces = Vec::new();
    for cell in mesh.cells() {
        for corner in mesh.corners(cell).filter(|&corner| mesh.twin(corner).is_none() && counts(corner)) {
            let on_ground = |p: DVec3| p.truncate().extend(mesh.height(cell, p.truncate()));
            pieces.extend(
                short(mesh.edge(corner).map(|vertex| mesh.position(vertex))).map(|ends| ends.map(on_ground)),
            );
        }
    }
    let (min, max) = box_of(pieces.as_flattened());
    let (min, size) = (min.truncate(), (max - min).truncate());
    let side = (size.max_element() / 1000.0).max(1.0);
    let count = [size.x, size.y].map(|size| (size / side) as usize + 1);
    let mut walls = Walls {
        pieces,
        min,
        side,
        count,
        squares: vec![Vec::new(); if size.is_finite() { count[0] * count[1] } else { 0 }],
    };
    for k in 0..walls.pieces.len() {
        let (from, to) = box_of(&walls.pieces[k]);
        for square in walls.squares_in(from, to) {
            walls.squares[square].push(k as u32);
        }
    }
    walls
}

impl Walls {
    /// The squares that meet a box.
    fn squares_in(&self, from: DVec3, to: DVec3) -> impl Iterator<Item = usize> + use<> {
        let last = self.count.map(|count| count as f64 - 1.0);
        let [low, high] = [from, to].map(|p| ((p.truncate() - self.min) / self.side).floor());
        let range = |low: f64, high: f64, last: f64| {
            (low.max(0.0) as usize)..((high.min(last) + 1.0).max(0.0) as usize)
        };
        let (columns, rows) = (range(low.x, high.x, last[0]), range(low.y, high.y, last[1]));
        let width = self.count[0];
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }
}

fn box_of(points: &[DVec3]) -> (DVec3, DVec3) {
    points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), p| (min.min(*p), max.max(*p)))
}

/// A segment in pieces of half a metre.
fn short([from, to]: [DVec3; 2]) -> impl Iterator<Item = [DVec3; 2]> {
    let count = (from.distance(to) / 0.5).ceil().max(1.0);
    (0..count as u32).map(move |k| [0.0, 1.0].map(|next| from.lerp(to, (f64::from(k) + next) / count)))
}

/// The distance of a path to the walls that are no more than a step below it nor as high as its head, by short pieces of both;
/// as far as the radius matters.
pub fn over_ground(points: &[DVec3], walls: &Walls, radius: f64, ground: &GroundConfig) -> f64 {
    let mut least = f64::INFINITY;
    if walls.pieces.is_empty() {
        return least;
    }
    for piece in points.windows(2).flat_map(|ends| short([ends[0], ends[1]])) {
        let line = Piece::Line { from: piece[0].truncate(), to: piece[1].truncate() };
        let (min, max) = box_of(&piece);
        let (low, high) = (min - DVec3::splat(radius), max + DVec3::splat(radius));
        for &wall in walls.squares_in(low, high).flat_map(|square| &walls.squares[square]) {
            let wall = walls.pieces[wall as usize];
            let (from, to) = box_of(&wall);
            let is_beside = from.truncate().cmple(high.truncate()).all()
                && to.truncate().cmpge(low.truncate()).all()
                && from.z < max.z + ground.height
                && to.z > min.z - ground.step;
            if is_beside {
                least = least.min(line.distance_to(wall.map(DVec3::truncate)));
            }
        }
    }
    least
}
