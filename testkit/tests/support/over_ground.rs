//! Distances to the boundary where ground lies over ground, by looking at all of it.

use wayfare_core::DVec3;
use wayfare_floor::GroundConfig;
use wayfare_navmesh::NavMesh;
use wayfare_testkit::disc_curve::Piece;

/// The boundary in short pieces, with the heights of the ground there.
pub fn walls(mesh: &NavMesh) -> Vec<[DVec3; 2]> {
    let mut walls = Vec::new();
    for cell in mesh.cells() {
        for corner in mesh.corners(cell).filter(|&corner| mesh.twin(corner).is_none()) {
            let on_ground = |p: DVec3| p.truncate().extend(mesh.height(cell, p.truncate()));
            walls.extend(
                short(mesh.edge(corner).map(|vertex| mesh.position(vertex))).map(|ends| ends.map(on_ground)),
            );
        }
    }
    walls
}

/// A segment in pieces of half a metre.
fn short([from, to]: [DVec3; 2]) -> impl Iterator<Item = [DVec3; 2]> {
    let count = (from.distance(to) / 0.5).ceil().max(1.0);
    (0..count as u32).map(move |k| [0.0, 1.0].map(|next| from.lerp(to, (f64::from(k) + next) / count)))
}

/// The distance of a path to the walls that are no more than a step below it nor as high as its head, by short pieces of both;
/// as far as the radius matters.
pub fn over_ground(points: &[DVec3], walls: &[[DVec3; 2]], radius: f64, ground: &GroundConfig) -> f64 {
    let mut least = f64::INFINITY;
    let all = |points: &[DVec3]| {
        points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), p| (min.min(*p), max.max(*p)))
    };
    let (min, max) = all(points);
    let is_beside = |wall: &[DVec3; 2], (min, max): (DVec3, DVec3)| {
        let (from, to) = all(wall);
        let plan = |p: DVec3| p.truncate();
        plan(from).cmple(plan(max) + radius).all()
            && plan(to).cmpge(plan(min) - radius).all()
            && from.z < max.z + ground.height
            && to.z > min.z - ground.step
    };
    let near: Vec<&[DVec3; 2]> = walls.iter().filter(|wall| is_beside(wall, (min, max))).collect();
    for ends in points.windows(2) {
        for piece in short([ends[0], ends[1]]) {
            let line = Piece::Line { from: piece[0].truncate(), to: piece[1].truncate() };
            for wall in near.iter().filter(|wall| is_beside(wall, all(&piece))) {
                least = least.min(line.distance_to(wall.map(DVec3::truncate)));
            }
        }
    }
    least
}
