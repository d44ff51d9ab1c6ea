//! Which vertices of the charts' borders the base mesh keeps.
//!
//! Idea: borders are chains between the vertices where three or more meet. Each chain is simplified once for both charts beside it, so
//!   that they stay joined; a vertex is kept if either chart would miss it.
//! Source: Douglas and Peucker 1973 for the chains.
//! Steps: 1. ends of chains  2. chains  3. simplify  4. outlines that are not simple any more get finer chains, until all are
//! Promises: every simplified outline is a simple polygon of three corners or more. Cost: O(n log n) and what 4. repeats.

use crate::{
    SurfaceMesh,
    flat::{crossings, is_polygon},
    mesh::NONE,
    segment::Charts,
};
use wayfare_core::DVec2;

/// How much less than other borders the border of the surface may be moved: what is cut off there is lost, or paths are let through
/// where nothing is, while between charts one has what the other lacks.
const OPEN: f64 = 0.25;

/// A part of a border between two ends, as one or two charts have it.
struct Chain {
    /// Vertices of the surface, from end to end.
    vertices: Vec<u32>,
    /// Where they lie in each chart.
    flat: Vec<Vec<DVec2>>,
    /// How far it may be moved.
    tolerance: f64,
}

/// Per vertex of the surface, whether the base mesh has it.
pub fn kept_vertices(surface: &SurfaceMesh, charts: &Charts, tolerance: f64) -> Vec<bool> {
    let is_end = ends(surface, charts);
    let Network { mut chains, of_chart, of_side } = Network::new(surface, charts, &is_end, tolerance);
    let mut kept = is_end;
    chains.iter().for_each(|chain| chain.simplify(&mut kept));
    // 4. Finer chains may spoil what was simple beside them, so that all are looked at again until none is left.
    let mut waiting: Vec<usize> = (0..charts.charts.len()).collect();
    while !waiting.is_empty() {
        let mut finer: Vec<usize> = Vec::new();
        for &chart in &waiting {
            let (corners, ring) = outline(charts, chart, &kept);
            if is_polygon(&ring) {
                // Only the chains that cross each other.
                let border = &charts.charts[chart].mesh.border;
                let chain = |corner: usize| of_side[border[corners[corner]].1 as usize] as usize;
                finer.extend(crossings(&ring, 100).into_iter().flatten().map(chain));
            } else {
                finer.extend(&of_chart[chart]);
            }
        }
        finer.sort_unstable();
        finer.dedup();
        let mut changed = false;
        for &chain in &finer {
            let chain = &mut chains[chain];
            changed |= chain.tolerance > 0.0;
            chain.tolerance = if chain.tolerance > 0.02 * tolerance { 0.4 * chain.tolerance } else { 0.0 };
            chain.simplify(&mut kept);
        }
        if !finer.is_empty() && !changed {
            // What crosses has all its vertices: the others of its charts need theirs, too. With all its vertices an outline is
            // simple: that is what a chart is.
            let mut more: Vec<usize> = (0..charts.charts.len())
                .filter(|&chart| of_chart[chart].iter().any(|chain| finer.binary_search(chain).is_ok()))
                .flat_map(|chart| of_chart[chart].iter().copied())
                .filter(|&chain| chains[chain].tolerance > 0.0)
                .collect();
            more.sort_unstable();
            more.dedup();
            if more.is_empty() {
                break;
            }
            for &chain in &more {
                chains[chain].tolerance = 0.0;
                chains[chain].simplify(&mut kept);
            }
            finer = more;
        }
        waiting = (0..charts.charts.len())
            .filter(|&chart| of_chart[chart].iter().any(|chain| finer.binary_search(chain).is_ok()))
            .collect();
    }
    kept
}

/// The kept corners of a chart: their places on its border, and in its plane.
fn outline(charts: &Charts, chart: usize, kept: &[bool]) -> (Vec<usize>, Vec<DVec2>) {
    let chart = &charts.charts[chart];
    let corners = chart.mesh.border.iter().enumerate();
    corners
        .filter(|&(_, &(v, _))| kept[chart.mesh.vertices[v as usize] as usize])
        .map(|(k, &(v, _))| (k, chart.positions[v as usize]))
        .unzip()
}

/// 1. Where three or more borders meet; and three places of each border where none do.
fn ends(surface: &SurfaceMesh, charts: &Charts) -> Vec<bool> {
    let mut degree = vec![0u32; surface.vertex_count()];
    for chart in &charts.charts {
        let n = chart.mesh.border.len();
        for (k, &(v, side)) in chart.mesh.border.iter().enumerate() {
            // An edge between two charts is met twice.
            let weight = if surface.twins()[side as usize] == NONE { 2 } else { 1 };
            for v in [v, chart.mesh.border[(k + 1) % n].0] {
                degree[chart.mesh.vertices[v as usize] as usize] += weight;
            }
        }
    }
    let mut is_end: Vec<bool> = degree.iter().map(|&degree| degree != 0 && degree != 4).collect();
    for chart in &charts.charts {
        let vertex = |k: usize| chart.mesh.vertices[chart.mesh.border[k].0 as usize] as usize;
        let n = chart.mesh.border.len();
        if !(0..n).any(|k| is_end[vertex(k)]) {
            for third in 0..3 {
                is_end[vertex(third * n / 3)] = true;
            }
        }
    }
    is_end
}

/// All chains.
struct Network {
    chains: Vec<Chain>,
    /// Those of each chart.
    of_chart: Vec<Vec<usize>>,
    /// The chain of each side of the surface, if it has one.
    of_side: Vec<u32>,
}

impl Network {
    /// 2. The chains between ends.
    fn new(surface: &SurfaceMesh, charts: &Charts, is_end: &[bool], tolerance: f64) -> Self {
        let mut chains: Vec<Chain> = Vec::new();
        let mut of_chart = vec![Vec::new(); charts.charts.len()];
        let mut of_side = vec![NONE; surface.half_edge_count()];
        for (number, chart) in charts.charts.iter().enumerate() {
            let border = &chart.mesh.border;
            let n = border.len();
            let vertex = |k: usize| chart.mesh.vertices[border[k % n].0 as usize];
            let Some(first) = (0..n).find(|&k| is_end[vertex(k) as usize]) else { continue };
            let mut from = first;
            while from < first + n {
                let to = (from + 1..).find(|&k| is_end[vertex(k) as usize]).unwrap_or(first + n);
                let flat: Vec<DVec2> =
                    (from..=to).map(|k| chart.positions[border[k % n].0 as usize]).collect();
                let side = border[from % n].1;
                let twin = surface.twins()[side as usize];
                let known = if twin == NONE { NONE } else { of_side[twin as usize] };
                let chain = if known == NONE {
                    let vertices = (from..=to).map(vertex).collect();
                    let tolerance = if twin == NONE { OPEN * tolerance } else { tolerance };
                    chains.push(Chain { vertices, flat: vec![flat], tolerance });
                    chains.len() - 1
                } else {
                    // From the other side it runs the other way, unless that chart turns the other way.
                    let chain = &mut chains[known as usize];
                    let runs_alike = chain.vertices.get(1) == Some(&vertex(from + 1))
                        && chain.vertices.first() == Some(&vertex(from));
                    let flat = if runs_alike { flat } else { flat.into_iter().rev().collect() };
                    chain.flat.push(flat);
                    known as usize
                };
                (from..to).for_each(|k| of_side[border[k % n].1 as usize] = chain as u32);
                of_chart[number].push(chain);
                from = to;
            }
        }
        Self { chains, of_chart, of_side }
    }
}

impl Chain {
    /// 3. Keeps what a straight line would miss by more than the tolerance, in any chart.
    fn simplify(&self, kept: &mut [bool]) {
        let last = self.vertices.len() - 1;
        let mut stack = vec![(0, last)];
        while let Some((from, to)) = stack.pop() {
            let mut worst = (0.0, NONE as usize);
            for k in from + 1..to {
                let far = self.flat.iter().map(|flat| distance(flat[k], flat[from], flat[to]));
                let far = far.fold(0.0, f64::max);
                if worst.1 == NONE as usize || far > worst.0 {
                    worst = (far, k);
                }
            }
            if worst.1 != NONE as usize && (worst.0 > self.tolerance || self.tolerance == 0.0) {
                kept[self.vertices[worst.1] as usize] = true;
                stack.extend([(from, worst.1), (worst.1, to)]);
            }
        }
    }
}

/// From a point to a segment.
pub fn distance(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let along = b - a;
    let square = along.length_squared();
    let t = if square > 0.0 { ((p - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    p.distance(a + t * along)
}
