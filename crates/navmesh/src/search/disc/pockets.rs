//! How far corners in dead ends are from landmarks.
//!
//! Idea: landmarks know the corners of the core, which is where points turn. A disc also touches corners in the dead ends that hold
//!   its start, and beside mouths of others; without a landmark there is only the straight line to tell how far it has to go from
//!   there, and most of what it settles is of this kind (29 of 50 corners on `dao_hrt201d`). Such a corner is as far from landmarks
//!   as a goal would be that lies there.
//! Source: own; landmarks as in [`super::super::landmarks`].
//! Steps: 1. for each corner that is none of the core, open the dead ends round it  2. join it to the graph as a goal
//! Cost: one walk per corner, in parallel, the same result for any number of threads; 64 bytes each. Those so deep in dead ends that
//!   a walk would be long are left out.

use super::super::{
    cone::Ground,
    faces::{CORNER, Faces, NONE},
    graph_search::{Graph, landmarks_of_goal},
    landmarks::GoalDistances,
    scratch::PathScratch,
    shares::in_shares,
};

/// Faces between a corner and the core at most: every corner of theirs may be turned at.
const MOST_DEPTH: usize = 32;

/// Corners outside the core with their distances.
#[derive(Clone, Debug)]
pub(crate) struct Pockets {
    /// For each vertex its place in `rows`, [`NONE`] if it has none.
    of_vertex: Vec<u32>,
    rows: Vec<GoalDistances>,
}

impl Pockets {
    /// Finds the distances with so many threads, 0 for all cores; nothing if there are no landmarks.
    pub fn of(faces: &Faces, graph: Graph<'_>, threads: usize) -> Option<Self> {
        if graph.accelerator.landmarks.distances.is_empty() {
            return None;
        }
        let found = in_shares(faces.vertex_count(), threads, |range| {
            let mut scratch = PathScratch::new();
            range.map(|vertex| distances_of(faces, graph, vertex as u32, &mut scratch)).collect()
        });
        let mut pockets = Self { of_vertex: vec![NONE; faces.vertex_count()], rows: Vec::new() };
        for (row, slot) in found.into_iter().zip(&mut pockets.of_vertex) {
            if let Some(row) = row {
                *slot = pockets.rows.len() as u32;
                pockets.rows.push(row);
            }
        }
        Some(pockets)
    }

    /// The distances of a vertex, if it is a corner outside the core.
    #[inline]
    pub fn distances(&self, vertex: u32) -> Option<&GoalDistances> {
        self.rows.get(self.of_vertex[vertex as usize] as usize)
    }
}

fn distances_of(
    faces: &Faces,
    graph: Graph<'_>,
    vertex: u32,
    scratch: &mut PathScratch,
) -> Option<GoalDistances> {
    let fan = faces.fan(vertex);
    let is_corner = fan.first().is_some_and(|&edge| faces.edges[edge as usize].flags & CORNER != 0);
    if !is_corner || graph.corners.of_vertex[vertex as usize] != NONE {
        return None;
    }
    let around = || fan.iter().map(|&edge| faces.edges[edge as usize].face);
    if around().any(|face| depth(faces, face) > MOST_DEPTH) {
        return None;
    }
    // 1.
    scratch.begin(faces);
    scratch.starts.clear();
    scratch.goals.clear();
    scratch.goals.extend(around());
    scratch.open_dead_ends(faces);
    // 2.
    let at = faces.xy[vertex as usize];
    let ground = Ground { faces, orient: faces.orient, start: at, limits: None };
    landmarks_of_goal(ground, at, graph, scratch, &mut ())
}

/// Faces from one to the core, so far as it matters.
fn depth(faces: &Faces, mut face: u32) -> usize {
    let mut depth = 0;
    while faces.up[face as usize] != NONE && depth <= MOST_DEPTH {
        let out = faces.edges[faces.up[face as usize] as usize];
        face = faces.edges[out.twin as usize].face;
        depth += 1;
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::{
        super::super::{
            accelerator::{Accelerator, AcceleratorConfig},
            corner_graph::Corners,
        },
        *,
    };
    use crate::{LocateConfig, PathFinder, fixtures::pillars_and_dead_ends};

    #[test]
    fn corners_in_dead_ends_are_never_thought_farther_apart_than_they_are() {
        let mesh = pillars_and_dead_ends().validate().unwrap();
        let always = AcceleratorConfig { threads: 1, min_core_cells: 0, max_bytes_per_corner: usize::MAX };
        let accelerator = Accelerator::build_with(&mesh, &always).unwrap();
        let mut faces = Faces::build(&mesh, true);
        let corners = Corners::of(&faces);
        for &(corner, _) in &accelerator.landmarks.slots {
            faces.mark_landmark(corners.vertices[corner as usize]);
        }
        let graph = Graph { corners: &corners, accelerator: &accelerator };
        let pockets = Pockets::of(&faces, graph, 1).unwrap();
        let inside: Vec<u32> =
            (0..faces.vertex_count() as u32).filter(|&vertex| pockets.distances(vertex).is_some()).collect();
        assert!(inside.len() >= 4, "{inside:?}");
        let (finder, mut scratch) = (PathFinder::plain(&mesh), PathScratch::new());
        let mut apart = |a: u32, b: u32| {
            let [from, to] = [a, b].map(|vertex| faces.xy[vertex as usize].extend(0.0));
            let truly = finder.length(from, to, &LocateConfig::default(), &mut scratch).unwrap();
            (truly, from.distance(to))
        };
        let (landmarks, mut is_of_use) = (&accelerator.landmarks, false);
        for &one in &inside {
            let here = pockets.distances(one).unwrap();
            let others =
                inside.iter().map(|&two| (two, landmarks.goals_apart(here, pockets.distances(two).unwrap())));
            let core = corners.vertices.iter().enumerate();
            let core = core.map(|(corner, &two)| (two, landmarks.apart(corner as u32, here)));
            for (two, least) in others.chain(core) {
                let (truly, straight) = apart(one, two);
                assert!(least <= truly + 1e-9, "{one} to {two}: {least} m, but it is {truly} m");
                is_of_use |= least > straight + 1.0;
            }
        }
        assert!(is_of_use);
    }
}
