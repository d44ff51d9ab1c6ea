//! Edges of the ground that lie back to back keep the same points.
//!
//! Idea: gaps split edges at points that are rounded. Where the ground goes on beyond such an edge without being joined (a wall without
//!   thickness, ground of another height), the edge there would stay straight, or would be split a hair beside, and one side would lie
//!   over the other by rounding.
//! Steps: 1. splits of edges between the same places, in whatever direction and not a whole body higher or lower, are one line; its points
//!   that are a hair apart become one  2. edges of the border between points of a line get those that lie between.
//! Cost: O(n log n) for lines of few points.

use super::{
    filler::HAIR,
    sheet::{Face, Sheet, Split},
};
use std::collections::{BTreeMap, BTreeSet};
use wayfare_core::DVec3;

/// The ends of an edge, seen from above.
type Key = [[u64; 2]; 2];

/// Parts of edges are split again; that they are parts of one line is known once their ends are one.
const ROUNDS: usize = 4;

fn key(ends: [DVec3; 2]) -> Key {
    // Adding zero makes −0 and 0 the same place.
    ends.map(|p| [(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits()])
}

/// Splits the backs of all edges that were split.
pub(super) fn split_backs(sheet: &mut Sheet, height: f64) {
    let splits = std::mem::take(&mut sheet.splits);
    let mut lines = find_lines(sheet, &splits, height);
    for _ in 0..ROUNDS {
        if !unite_points(sheet, &lines) {
            break;
        }
        lines = find_lines(sheet, &splits, height);
    }
    // 2.
    let mut border: BTreeMap<Key, BTreeSet<u32>> = BTreeMap::new();
    for triangle in 0..sheet.triangles.len() {
        enter(sheet, triangle, &mut border);
    }
    for line in lines {
        let [first, last] = line.ends.map(|vertex| sheet.points[vertex as usize]);
        let inner = line.points.iter().map(|point| sheet.points[point.vertex as usize]);
        let mut places: Vec<DVec3> = std::iter::once(first).chain(inner).chain([last]).collect();
        places.dedup_by_key(|p| p.truncate());
        for from in 0..places.len() {
            for to in from + 2..places.len() {
                split_edges(sheet, &places[from..=to], height, &mut border);
            }
        }
    }
}

/// Splits of edges that lie on each other.
struct Line {
    /// The vertices at its ends, the lesser place first.
    ends: [u32; 2],
    /// The points between, in their order.
    points: Vec<Point>,
}

struct Point {
    vertex: u32,
    /// The split that it belongs to.
    split: usize,
    /// How far from the line's first end [m].
    along: f64,
}

/// Step 1: in the order of their first splits.
fn find_lines(sheet: &Sheet, splits: &[Split], height: f64) -> Vec<Line> {
    let at = |vertex: u32| sheet.points[vertex as usize];
    let mut lines: Vec<Line> = Vec::new();
    let mut by_ends: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (number, split) in splits.iter().enumerate() {
        let [a, b] = key(split.ends.map(at));
        let ends = if a <= b { split.ends } else { [split.ends[1], split.ends[0]] };
        let same = by_ends.entry([a.min(b), a.max(b)]).or_default();
        let is_near = |&&line: &&usize| (at(lines[line].ends[0]).z - at(ends[0]).z).abs() < height;
        let line = same.iter().find(is_near).copied().unwrap_or_else(|| {
            same.push(lines.len());
            lines.push(Line { ends, points: Vec::new() });
            lines.len() - 1
        });
        let way = (at(ends[1]) - at(ends[0])).truncate().normalize_or_zero();
        lines[line].points.extend(split.at.iter().map(|&vertex| {
            let along = (at(vertex) - at(ends[0])).truncate().dot(way);
            Point { vertex, split: number, along }
        }));
    }
    for line in &mut lines {
        line.points.sort_by(|p, q| p.along.total_cmp(&q.along).then(p.vertex.cmp(&q.vertex)));
    }
    lines
}

/// Puts points of different splits that are a hair apart in one place; whether any moved.
fn unite_points(sheet: &mut Sheet, lines: &[Line]) -> bool {
    let mut is_moved = false;
    for pair in lines.iter().flat_map(|line| line.points.windows(2)) {
        let [p, q] = [&pair[0], &pair[1]];
        let to = sheet.points[p.vertex as usize];
        let from = &mut sheet.points[q.vertex as usize];
        if p.split != q.split && q.along - p.along <= HAIR && from.truncate() != to.truncate() {
            *from = to.with_z(from.z);
            is_moved = true;
        }
    }
    is_moved
}

/// Splits the edges of the border between the first and the last of some places, in both directions.
fn split_edges(sheet: &mut Sheet, places: &[DVec3], height: f64, border: &mut BTreeMap<Key, BTreeSet<u32>>) {
    let [first, last] = [places[0], places[places.len() - 1]];
    for (wanted, is_back) in [(key([last, first]), true), (key([first, last]), false)] {
        let edges: Vec<u32> = border.get(&wanted).into_iter().flatten().copied().collect();
        for edge in edges {
            // It may have been renumbered when another side of its triangle was split.
            let ends = sheet.ends(edge);
            let apart = ends[usize::from(is_back)].z - first.z;
            if !sheet.is_border(edge) || key(ends) != wanted || apart.abs() >= height {
                continue;
            }
            let mut inner = places[1..places.len() - 1].to_vec();
            if is_back {
                inner.reverse();
            }
            let vertices = inner.into_iter().map(|p| sheet.add_point(on_edge(ends, p))).collect();
            let count = sheet.triangles.len();
            sheet.split_border(&BTreeMap::from([(edge, vertices)]));
            for triangle in (count..sheet.triangles.len()).chain([edge as usize / 3]) {
                enter(sheet, triangle, border);
            }
        }
    }
}

/// Enters the border edges of a triangle of the ground.
fn enter(sheet: &Sheet, triangle: usize, border: &mut BTreeMap<Key, BTreeSet<u32>>) {
    if matches!(sheet.faces[triangle], Face::Ground(_)) {
        let sides = (3 * triangle as u32..3 * triangle as u32 + 3).filter(|&h| sheet.is_border(h));
        for h in sides {
            border.entry(key(sheet.ends(h))).or_default().insert(h);
        }
    }
}

/// A place with the height of an edge there.
fn on_edge([a, b]: [DVec3; 2], p: DVec3) -> DVec3 {
    let way = (b - a).truncate();
    let share = ((p - a).truncate().dot(way) / way.length_squared()).clamp(0.0, 1.0);
    p.with_z(a.z + (b.z - a.z) * share)
}
