//! Merges neighbouring charts as long as they stay discs under the limit.
//!
//! Steps: 1. pairs of neighbours, those first whose common border is longest beside their other borders  2. flatten both as one
//!   3. if that is under the limit, one chart takes their place, and its neighbours are new pairs
//! What can be told from the curvature that a common chart would have is not tried.

use super::Work;
use crate::{SurfaceError, flat::FlatChart, mesh::NONE};
use std::{cmp::Reverse, collections::BinaryHeap};
use wayfare_core::Context;

/// A cap of total curvature K has, laid flat as well as can be, a mean stretch of about 1 + K / (24 π); charts whose K says more than this
/// many times the limit are not tried.
const HOPELESS: f64 = 1.5;

pub(super) fn merge(
    work: &mut Work<'_>,
    charts: Vec<FlatChart>,
    context: &Context,
) -> Result<Vec<FlatChart>, SurfaceError> {
    let surface = work.surface;
    let mut of_face = vec![NONE; surface.face_count()];
    for (k, chart) in charts.iter().enumerate() {
        chart.mesh.faces.iter().for_each(|&face| of_face[face as usize] = k as u32);
    }
    let mut charts: Vec<Option<FlatChart>> = charts.into_iter().map(Some).collect();
    let mut heap = BinaryHeap::new();
    for k in 0..charts.len() {
        push_neighbours(work, &charts, &of_face, k, k, &mut heap);
    }
    let stage = context.stage("merge", 0);
    while let Some((_, Reverse(a), Reverse(b))) = heap.pop() {
        let (Some(first), Some(second)) = (&charts[a as usize], &charts[b as usize]) else { continue };
        context.check()?;
        let united = work.unite([first, second]);
        if let Some(chart) = united {
            let number = charts.len();
            chart.mesh.faces.iter().for_each(|&face| of_face[face as usize] = number as u32);
            (charts[a as usize], charts[b as usize]) = (None, None);
            charts.push(Some(chart));
            push_neighbours(work, &charts, &of_face, number, NONE as usize, &mut heap);
            stage.advance(1);
        }
    }
    Ok(charts.into_iter().flatten().collect())
}

type Pairs = BinaryHeap<(u64, Reverse<u32>, Reverse<u32>)>;

/// The pairs of a chart with its neighbours of lower numbers than `below`.
fn push_neighbours(
    work: &Work<'_>,
    charts: &[Option<FlatChart>],
    of_face: &[u32],
    chart: usize,
    below: usize,
    heap: &mut Pairs,
) {
    let surface = work.surface;
    let Some(own) = &charts[chart] else { return };
    let mut shared: Vec<(u32, f64)> = Vec::new();
    let mut border = 0.0;
    for &(_, side) in &own.mesh.border {
        let (length, twin) = (surface.lengths()[side as usize], surface.twins()[side as usize]);
        border += length;
        if twin != NONE {
            shared.push((of_face[twin as usize / 3], length));
        }
    }
    shared.sort_by_key(|pair| pair.0);
    for group in shared.chunk_by(|a, b| a.0 == b.0) {
        let other = group[0].0;
        if other as usize >= below || other as usize == chart {
            continue;
        }
        let Some(neighbour) = &charts[other as usize] else { continue };
        let common: f64 = group.iter().map(|pair| pair.1).sum();
        let others: f64 =
            neighbour.mesh.border.iter().map(|&(_, side)| surface.lengths()[side as usize]).sum();
        if curvature(work, own, neighbour) / (24.0 * std::f64::consts::PI) > HOPELESS * (work.limit - 1.0) {
            continue;
        }
        let score = common / border.min(others).max(f64::MIN_POSITIVE);
        heap.push((score.to_bits(), Reverse(chart as u32), Reverse(other)));
    }
}

/// Total curvature inside a chart of two: what is inside either, and the vertices between them.
fn curvature(work: &Work<'_>, a: &FlatChart, b: &FlatChart) -> f64 {
    let surface = work.surface;
    let mut sum = 0.0;
    let mut borders: Vec<u32> = Vec::new();
    for chart in [a, b] {
        let mut on_border = vec![false; chart.mesh.vertices.len()];
        for &(v, _) in &chart.mesh.border {
            on_border[v as usize] = true;
            borders.push(chart.mesh.vertices[v as usize]);
        }
        for (v, &vertex) in chart.mesh.vertices.iter().enumerate() {
            if !on_border[v] {
                sum += std::f64::consts::TAU - surface.total_angle(crate::VertexId(vertex));
            }
        }
    }
    // Vertices of both borders, but for the two ends of what is common, which stay on the border.
    borders.sort_unstable();
    let common: Vec<u32> = borders.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    for &vertex in &common {
        let vertex = crate::VertexId(vertex);
        let inner = surface.corners(vertex).all(|h| {
            let face = h.face().0;
            a.mesh.faces.binary_search(&face).is_ok() || b.mesh.faces.binary_search(&face).is_ok()
        });
        if inner && !surface.is_border(vertex) {
            sum += std::f64::consts::TAU - surface.total_angle(vertex);
        }
    }
    sum.abs()
}
