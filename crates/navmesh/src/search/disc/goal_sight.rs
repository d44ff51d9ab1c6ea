//! The corners that see the goal, so that a disc that touches one knows whether it can end there; and how far landmarks are from it.
//!
//! Views tell both. Without them, whoever looks for landmarks walks over the same ground and notes what it sees; only the dead ends that
//! it leaves out are looked into here.

use super::{
    super::{
        cone::{Cone, Exit, Ground, START, Visit},
        faces::{Edge, NONE},
        graph_search::{Graph, Onlooker, is_one_place},
        landmarks::{ByCorners, GoalDistances},
    },
    explore::{Marks, Quest},
    pockets::Pockets,
    views::Views,
};

/// Notes what the goal sees.
pub(crate) struct SeenFromGoal<'a> {
    /// What is known of each vertex.
    pub vertices: &'a mut [Marks],
    pub stamp: u32,
    /// Cones still to be walked.
    pub stack: &'a mut Vec<Cone>,
}

impl Onlooker for SeenFromGoal<'_> {
    fn vertex(&mut self, vertex: u32) {
        self.vertices[vertex as usize].goal = self.stamp;
    }

    fn dead_end(&mut self, exit: &Exit<'_>) {
        self.go_on(exit);
    }
}

impl SeenFromGoal<'_> {
    /// Notes the corners that the goal sees from faces; how far landmarks are from it, if they tell.
    pub fn look_by_views(
        &mut self,
        views: &Views,
        ground: &Ground<'_>,
        goals: &[u32],
        known: Option<(Graph<'_>, &Pockets)>,
    ) -> Option<GoalDistances> {
        let goal = ground.start;
        // Where the ground touches itself a goal is two places in one.
        let mut known = known.filter(|_| is_one_place(ground, goal, goals));
        let mut by_corners = ByCorners::new();
        for &face in goals {
            views.for_each(face, goal, |seen| {
                let vertex = seen.vertex();
                self.vertices[vertex as usize].goal = self.stamp;
                let Some((graph, pockets)) = known.filter(|_| seen.holds(ground, goal)) else { return };
                let landmarks = &graph.accelerator.landmarks;
                // As a whole number it is in range, whatever it was.
                let at = ground.faces.xy[vertex as usize];
                let away = (at.distance(goal) / landmarks.unit + 0.5) as u16;
                let corner = graph.corners.of_vertex[vertex as usize];
                if let Some(here) = pockets.distances(vertex) {
                    by_corners.add_goal(here, away);
                } else if let Some(here) = landmarks.distances.get(corner as usize) {
                    by_corners.add(here, away);
                } else {
                    // Deep in a dead end, where it is not known how far landmarks are.
                    known = None;
                }
            });
        }
        known.map(|_| by_corners.distances())
    }

    fn go_on(&mut self, exit: &Exit<'_>) {
        self.stack.push(Cone { root: START, left: exit.left, right: exit.right, edge: exit.edge.twin });
    }
}

/// Finds the corners that see the goal.
pub(super) struct GoalSight<'a> {
    pub quest: &'a Quest<'a>,
    pub seen: SeenFromGoal<'a>,
}

impl GoalSight<'_> {
    pub fn look(mut self) {
        let ground = Ground { start: self.quest.goal, ..self.quest.ground };
        if self.quest.guide.landmarks.is_some() {
            // Who looked for landmarks has seen all but dead ends.
            let edges = &ground.faces.edges;
            let is_closed =
                |cone: &Cone| self.quest.is_closed(&edges[edges[cone.edge as usize].twin as usize]);
            self.seen.stack.retain(|cone| !is_closed(cone));
        } else {
            for &face in self.quest.goals {
                ground.look_around(face, &mut self);
            }
        }
        while let Some(cone) = self.seen.stack.pop() {
            ground.cross(&cone, &ground.view(&cone), &mut self);
        }
    }
}

impl Visit for GoalSight<'_> {
    fn vertex(&mut self, edge: &Edge, _: bool) {
        self.seen.vertex(edge.vertex);
    }

    fn start_vertex(&mut self, edge: &Edge) {
        self.seen.vertex(edge.vertex);
    }

    fn exit(&mut self, exit: Exit<'_>) {
        if exit.edge.twin != NONE && !self.quest.is_closed(exit.edge) {
            self.seen.go_on(&exit);
        }
    }
}
