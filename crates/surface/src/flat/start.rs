//! Three ways to a first flat chart without flipped faces.

use super::{ChartMesh, FlatChart, is_upright, sparse::Block, sparse::Blocks};
use crate::SurfaceMesh;
use wayfare_core::{DVec2, dvec2, ops};

/// A face of the start may be this much smaller than its own area, not more.
const SMALLEST: f64 = 0.02;

/// Lays face after face beside those that lie already, nearest to the first one first: exact, to rounding, if the chart is
/// developable; a good start if it nearly is. `None` if a face is flipped or squeezed.
pub fn unfold(surface: &SurfaceMesh, chart: &ChartMesh) -> Option<Vec<DVec2>> {
    let positions = lay_out(surface, chart, &neighbours(chart), |face, side, p, q| {
        let lengths = chart.lengths(surface, face);
        let [base, to_end, to_origin] = [0, 1, 2].map(|k| lengths[(side + k) % 3]);
        let x = (base * base + (to_origin - to_end) * (to_origin + to_end)) / (2.0 * base);
        let y = chart.double_area(surface, face) / base;
        let along = (q - p).normalize_or_zero();
        p + along * x + along.perp() * y
    });
    is_good(surface, chart, &positions).then_some(positions)
}

/// Lays face after face, from one in the middle outwards; `apex` says where the third corner of a face goes, by one of its sides and
/// where that lies.
pub fn lay_out(
    surface: &SurfaceMesh,
    chart: &ChartMesh,
    across: &[[Option<(usize, usize)>; 3]],
    apex: impl Fn(usize, usize, DVec2, DVec2) -> DVec2,
) -> Vec<DVec2> {
    let mut positions = vec![DVec2::NAN; chart.vertices.len()];
    let first = middle(across, chart.triangles.len());
    let [l, _, _] = chart.lengths(surface, first);
    let [a, b, _] = chart.triangles[first];
    (positions[a as usize], positions[b as usize]) = (DVec2::ZERO, dvec2(l, 0.0));
    let mut seen = vec![false; chart.triangles.len()];
    seen[first] = true;
    let mut queue = vec![(first, 0usize)];
    let mut next = 0;
    while let Some(&(face, side)) = queue.get(next) {
        next += 1;
        let triangle = chart.triangles[face];
        let third = triangle[(side + 2) % 3] as usize;
        if positions[third].is_nan() {
            let [p, q] = [side, (side + 1) % 3].map(|k| positions[triangle[k] as usize]);
            positions[third] = apex(face, side, p, q);
        }
        for &(other, other_side) in across[face].iter().flatten() {
            if !seen[other] {
                seen[other] = true;
                queue.push((other, other_side));
            }
        }
    }
    positions
}

/// The border on a circle, every other vertex in the middle of its neighbours (Tutte 1963): never flips, but far from isometric.
pub fn on_circle(surface: &SurfaceMesh, chart: &ChartMesh) -> Option<Vec<DVec2>> {
    let n = chart.vertices.len();
    let length = |&(_, side): &(u32, u32)| surface.lengths()[side as usize];
    let total: f64 = chart.border.iter().map(length).sum();
    let area: f64 = (0..chart.faces.len()).map(|face| 0.5 * chart.double_area(surface, face)).sum();
    let radius = (area / std::f64::consts::PI).sqrt();
    let mut positions = vec![DVec2::ZERO; n];
    let mut fixed = vec![false; n];
    let mut along = 0.0;
    for place in &chart.border {
        // Sides without length must not fall together.
        let angle = std::f64::consts::TAU * along / (1.1 * total);
        positions[place.0 as usize] = radius * dvec2(ops::cos(angle), ops::sin(angle));
        fixed[place.0 as usize] = true;
        along += length(place) + 0.1 * total / chart.border.len() as f64;
    }
    let mut blocks = Blocks::new(n, &chart.triangles);
    for t in 0..chart.triangles.len() {
        for row in 0..3 {
            for column in 0..3 {
                let value = if row == column { 2.0 } else { -1.0 };
                blocks.add(t, row, column, Block { xx: value, xy: 0.0, yy: value });
            }
        }
    }
    blocks.solve(&vec![DVec2::ZERO; n], &mut positions, &fixed, 1e-12, 20 * n + 100);
    let is_upright = |triangle: &[u32; 3]| is_upright(triangle.map(|v| positions[v as usize]));
    chart.triangles.iter().all(is_upright).then_some(positions)
}

/// Two charts that lie flat, the second turned and moved to where their common vertices lie nearest to each other (Procrustes), which
/// get the middle of their two places. `None` if a face is flipped or squeezed so.
pub fn beside_each_other(
    surface: &SurfaceMesh,
    chart: &ChartMesh,
    [first, second]: [&FlatChart; 2],
) -> Option<Vec<DVec2>> {
    let common: Vec<(DVec2, DVec2)> = second
        .mesh
        .vertices
        .iter()
        .zip(&second.positions)
        .filter_map(|(vertex, &q)| {
            let k = first.mesh.vertices.binary_search(vertex).ok()?;
            Some((first.positions[k], q))
        })
        .collect();
    let count = common.len() as f64;
    let p_middle = common.iter().map(|pair| pair.0).sum::<DVec2>() / count;
    let q_middle = common.iter().map(|pair| pair.1).sum::<DVec2>() / count;
    // Charts turn as their first face does, so that one of the two may have to be mirrored.
    let turns = [first, second].map(|part| turns_like(chart, part));
    let mirror = |p: DVec2, turns: bool| if turns { p } else { dvec2(p.x, -p.y) };
    let (p_middle, q_middle) = (mirror(p_middle, turns[0]), mirror(q_middle, turns[1]));
    let (mut cos, mut sin) = (0.0, 0.0);
    for &(p, q) in &common {
        let (p, q) = (mirror(p, turns[0]) - p_middle, mirror(q, turns[1]) - q_middle);
        cos += p.dot(q);
        sin += q.perp_dot(p);
    }
    let turn = dvec2(cos, sin).normalize_or_zero();
    let mut positions = vec![DVec2::NAN; chart.vertices.len()];
    for (vertex, &p) in first.mesh.vertices.iter().zip(&first.positions) {
        positions[chart.vertices.binary_search(vertex).ok()?] = mirror(p, turns[0]);
    }
    for (vertex, &q) in second.mesh.vertices.iter().zip(&second.positions) {
        let q = p_middle + turn.rotate(mirror(q, turns[1]) - q_middle);
        let place = &mut positions[chart.vertices.binary_search(vertex).ok()?];
        *place = if place.is_nan() { q } else { 0.5 * (*place + q) };
    }
    is_good(surface, chart, &positions).then_some(positions)
}

/// Whether a part turns as the whole does.
fn turns_like(chart: &ChartMesh, part: &FlatChart) -> bool {
    let Some(&face) = part.mesh.faces.first() else { return true };
    let Ok(k) = chart.faces.binary_search(&face) else { return true };
    // Turned faces begin with another side.
    chart.sides[k] == part.mesh.sides[0]
}

fn is_good(surface: &SurfaceMesh, chart: &ChartMesh, positions: &[DVec2]) -> bool {
    chart.triangles.iter().enumerate().all(|(face, triangle)| {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        (b - a).perp_dot(c - a) > SMALLEST * chart.double_area(surface, face)
    })
}

/// Per face and side the face beyond, and which side of it that is.
pub fn neighbours(chart: &ChartMesh) -> Vec<[Option<(usize, usize)>; 3]> {
    let mut sides: Vec<(u64, u32, bool)> = Vec::with_capacity(3 * chart.triangles.len());
    for (face, triangle) in chart.triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
            sides.push((u64::from(a.min(b)) << 32 | u64::from(a.max(b)), (3 * face + k) as u32, a < b));
        }
    }
    sides.sort_unstable();
    let mut across = vec![[None; 3]; chart.triangles.len()];
    for pair in sides.windows(2) {
        if pair[0].0 == pair[1].0 {
            let [s, t] = [pair[0].1 as usize, pair[1].1 as usize];
            across[s / 3][s % 3] = Some((t / 3, t % 3));
            across[t / 3][t % 3] = Some((s / 3, s % 3));
        }
    }
    across
}

/// A face in the middle: the last that a walk from the border inwards reaches.
fn middle(across: &[[Option<(usize, usize)>; 3]], faces: usize) -> usize {
    let mut seen: Vec<bool> = across.iter().map(|sides| sides.iter().any(Option::is_none)).collect();
    let mut queue: Vec<usize> = (0..faces).filter(|&face| seen[face]).collect();
    let mut next = 0;
    while let Some(&face) = queue.get(next) {
        next += 1;
        for &(other, _) in across[face].iter().flatten() {
            if !seen[other] {
                seen[other] = true;
                queue.push(other);
            }
        }
    }
    queue.last().copied().unwrap_or(0)
}
