//! How far it is to the goal at least, from corners.
//!
//! Idea: no disc has a shorter way than a point. The centre of one that touches a corner sees it from as far as its radius, so
//!   it has at most so much less to go than the corner; and how far the corner has to go at least, landmarks tell.

use super::{
    super::{
        graph_search::Graph,
        landmarks::{GoalDistances, Landmarks},
    },
    pockets::Pockets,
};
use wayfare_core::DVec2;

/// Lower bounds for what is left to go.
pub(crate) struct Guide<'a> {
    pub goal: DVec2,
    pub radius: f64,
    /// Distances at radius 0, where landmarks know them.
    pub landmarks: Option<(Graph<'a>, GoalDistances)>,
    /// Those of corners outside the core.
    pub pockets: Option<&'a Pockets>,
}

impl Guide<'_> {
    /// How far the centre of a disc has to go at least [m] that touches a corner.
    #[inline]
    pub fn rest(&self, vertex: u32, centre: DVec2) -> f64 {
        let straight = centre.distance(self.goal);
        let Some((graph, to_goal)) = &self.landmarks else { return straight };
        let landmarks: &Landmarks = &graph.accelerator.landmarks;
        let apart = match self.pockets.and_then(|pockets| pockets.distances(vertex)) {
            Some(here) => landmarks.goals_apart(here, to_goal),
            None => landmarks.apart(graph.corners.of_vertex[vertex as usize], to_goal),
        };
        straight.max(apart - self.radius)
    }
}
