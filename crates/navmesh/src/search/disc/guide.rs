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
    /// How far a point has to go at least [m] from wherever it crosses an edge between two vertices of a length.
    ///
    /// It is as far from either end as it is to the goal from there, less what lies between; one of the two is at least their mean.
    #[inline]
    pub fn beyond(&self, ends: [u32; 2], length: f64) -> f64 {
        (self.apart(ends[0]) + self.apart(ends[1]) - length) / 2.0
    }

    /// How far a point has to go at least [m] from a vertex, by landmarks: 0 where they tell nothing.
    #[inline]
    fn apart(&self, vertex: u32) -> f64 {
        let Some((graph, to_goal)) = &self.landmarks else { return 0.0 };
        let landmarks: &Landmarks = &graph.accelerator.landmarks;
        match self.pockets.and_then(|pockets| pockets.distances(vertex)) {
            Some(here) => landmarks.goals_apart(here, to_goal),
            None => landmarks.apart(graph.corners.of_vertex[vertex as usize], to_goal),
        }
    }

    /// How far the centre of a disc that touches a corner has to go at least [m] by landmarks, and whether the straight line to the goal
    /// is shorter, wherever it touches the corner.
    pub fn rest_by_landmarks(&self, vertex: u32, at: DVec2) -> (f64, bool) {
        let least = (self.apart(vertex) - self.radius).max(0.0);
        let farthest = at.distance(self.goal) + self.radius;
        (least, farthest <= least)
    }
}
