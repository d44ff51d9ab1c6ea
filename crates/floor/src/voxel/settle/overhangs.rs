//! Edges of a layer that lie over, or under, the ground of another.
//!
//! Idea: where a body has no room between two layers, their pixels are not over each other; nor may their contours be, or a body
//!   that keeps off the boundary of its own ground comes too near to that of the other. Contours that lay beside each other
//!   cross if one comes over the other's ground, or part at a common corner on the wrong side.

use super::super::{
    contour::Corner,
    lattice::{HEIGHT_UNITS, floor},
    layers::Layers,
    runs::{Run, Runs},
};
use rayon::prelude::*;
use wayfare_core::DVec2;
use wayfare_geom::{predicates::orient, segment_grid::SegmentGrid};

/// Corners move about so far at most: the ground beside an edge is looked for so many pixels away.
const BESIDE: i64 = 2;

/// The heights of all layers, by pixel.
pub struct LayerHeights<'a> {
    runs: &'a Runs,
    layers: &'a Layers,
    /// Where the runs of each row start; one more than rows.
    rows: Vec<u32>,
    /// For each run the farthest end of it and those before it in its row.
    reaches: Vec<u32>,
    /// The room over ground that a body needs [height units].
    head_room: f64,
}

impl<'a> LayerHeights<'a> {
    /// The heights of runs in layers, for bodies that need so much room above the ground [m].
    pub fn new(runs: &'a Runs, layers: &'a Layers, head_room: f64) -> Self {
        let last = runs.runs.last().map_or(0, |run| run.row);
        let mut rows = vec![0; last as usize + 2];
        for run in &runs.runs {
            rows[run.row as usize + 1] += 1;
        }
        for k in 1..rows.len() {
            rows[k] += rows[k - 1];
        }
        let mut reaches: Vec<u32> = Vec::with_capacity(runs.runs.len());
        for (k, run) in runs.runs.iter().enumerate() {
            let is_first = k == 0 || runs.runs[k - 1].row < run.row;
            reaches.push(if is_first { run.end } else { run.end.max(reaches[k - 1]) });
        }
        Self { runs, layers, rows, reaches, head_room: head_room * HEIGHT_UNITS }
    }

    /// The height of a layer in the middle of a pixel, if it has that [height units].
    pub fn at(&self, layer: u32, column: i64, row: i64) -> Option<f64> {
        let has_it = |run: &u32| {
            let Run { start, end, .. } = self.runs.runs[*run as usize];
            (i64::from(start)..i64::from(end)).contains(&column)
        };
        let run = self.runs_near(layer, column, row).find(has_it)?;
        Some(f64::from(self.runs.height(run, column as u32)))
    }

    /// The height of a layer at the pixel that is nearest to a place, if there is one near it [height units]; of pixels as far away
    /// the left and lower one.
    pub fn near(&self, layer: u32, place: DVec2) -> Option<f64> {
        let [column, row] = [place.x, place.y].map(floor);
        let mut best: Option<(f64, [i64; 2], u32)> = None;
        for row in [0, -1, 1, -2, 2].map(|away: i64| row + away) {
            for run in self.runs_near(layer, column, row) {
                let Run { start, end, .. } = self.runs.runs[run as usize];
                for x in (column - BESIDE).max(i64::from(start))..(column + BESIDE + 1).min(i64::from(end)) {
                    let distance = DVec2::new(x as f64 + 0.5, row as f64 + 0.5).distance_squared(place);
                    let is_better = best
                        .is_none_or(|(least, at, _)| distance < least || distance == least && [x, row] < at);
                    if is_better {
                        best = Some((distance, [x, row], run));
                    }
                }
            }
        }
        best.map(|(_, [column, _], run)| f64::from(self.runs.height(run, column as u32)))
    }

    /// The runs of a layer that have pixels of a row beside a column.
    fn runs_near(&self, layer: u32, column: i64, row: i64) -> impl Iterator<Item = u32> {
        let ends = usize::try_from(row).ok().and_then(|row| self.rows.get(row..row + 2));
        let [from, to] = ends.map_or([0, 0], |ends| [ends[0], ends[1]]);
        let runs = &self.runs.runs[from as usize..to as usize];
        let before = runs.partition_point(|run| i64::from(run.start) <= column + BESIDE) as u32;
        let is_near = move |end: u32| column - BESIDE < i64::from(end);
        (from..from + before).rev().take_while(move |&run| is_near(self.reaches[run as usize])).filter(
            move |&run| {
                self.layers.of_run[run as usize] == layer && is_near(self.runs.runs[run as usize].end)
            },
        )
    }
}

/// An edge of a layer, with its corners.
#[derive(Clone, Copy)]
pub struct Side {
    /// The layer.
    pub layer: u32,
    /// Its corners; what runs along it is told by the first.
    pub ends: [Corner; 2],
}

/// Pairs of edges of different layers, by number, that touch, and at least one of which is wanted.
pub fn touching(sides: &[Side], is_wanted: impl Fn(usize) -> bool + Sync) -> Vec<[usize; 2]> {
    let is_boundary = |&k: &usize| !sides[k].ends[0].border.is_shared();
    let points = |k: usize| sides[k].ends.map(|corner| corner.point());
    let wanted: Vec<usize> = (0..sides.len()).filter(is_boundary).filter(|&k| is_wanted(k)).collect();
    let grid = SegmentGrid::build(wanted.iter().map(|&k| points(k)).collect());
    let own = |k: usize| {
        let mut pairs = Vec::new();
        grid.visit_touching(
            points(k),
            |other| sides[wanted[other as usize]].layer != sides[k].layer,
            |other| {
                let other = wanted[other as usize];
                pairs.push([k.min(other), k.max(other)]);
            },
        );
        pairs
    };
    let all = (0..sides.len()).into_par_iter().filter(is_boundary);
    let mut pairs: Vec<[usize; 2]> = all.flat_map_iter(own).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Whether one of two edges of different layers that touch lies over the ground of the other, with less room between their layers
/// than a body needs.
pub fn is_over(side: &Side, other: &Side, heights: &LayerHeights) -> bool {
    let [[a, b], [c, d]] = [side, other].map(|side| side.ends.map(|corner| corner.point()));
    let [[start, end], [other_start, other_end]] =
        [side, other].map(|side| side.ends.map(|corner| corner.shared));
    // One ends where the other begins: ground is on the left of both.
    let joints = [(b, a, d, end, other_start), (a, c, b, start, other_end)];
    if let Some((o, from, to, ..)) = joints.into_iter().find(|joint| joint.3.is_some() && joint.3 == joint.4)
    {
        return (from - o).dot(to - o) > 0.0 && orient(o, from, to) < 0.0;
    }
    let (along, across) = (b - a, d - c);
    let sine = along.perp_dot(across);
    let share = if sine == 0.0 { 0.5 } else { ((c - a).perp_dot(across) / sine).clamp(0.0, 1.0) };
    let height = |layer: u32| heights.near(layer, a + along * share);
    height(side.layer)
        .is_some_and(|own| height(other.layer).is_some_and(|other| (own - other).abs() < heights.head_room))
}
