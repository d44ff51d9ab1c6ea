//! The finder: locates the ends, chooses the search, hands over the path.

use super::{
    accelerator::{Accelerator, AcceleratorConfig},
    cone::{Ground, START},
    corner_graph::Corners,
    corridor::{self, Traced},
    disc::{Body, Mouths, PlanPiece, Pockets, Sight},
    faces::{Faces, NONE},
    graph_search::{self, Graph},
    ground_path::GroundPath,
    interval,
    limits::{Blocks, Limits},
    orient::Orient,
    path::{End, NoPath, Path, PlanPath},
    scratch::{DeadEnds, PathScratch},
    shares::in_shares,
    straight,
};
use crate::{
    everyday::Areas,
    ledge::Walls,
    locate::LocateConfig,
    mesh::{CellId, NavMesh, VertexId},
};
use std::{ops::Deref, sync::OnceLock};
use wayfare_core::{DVec2, DVec3};

/// Expansions by cones before the graph is asked, on ground with gaps. That is cut into many small faces, all of which the graph looks
/// at as far as the ends see; a goal that is near is found before.
const CONES_FIRST: u64 = 400;

/// Finds shortest paths on a mesh, from any number of threads.
///
/// `M` is how it holds the mesh: `&NavMesh`, or `Arc<NavMesh>` where it must live on its own.
#[derive(Clone, Debug)]
pub struct PathFinder<M> {
    pub(crate) mesh: M,
    pub(crate) faces: Faces,
    pub(super) corners: Corners,
    /// What a disc does not look into, if the mesh knows its clearance.
    pub(super) mouths: Option<Mouths>,
    /// What corners see of each other, for discs.
    pub(super) sight: Option<Sight>,
    /// How far corners in dead ends are from landmarks, for discs.
    pub(super) pockets: Option<Pockets>,
    /// A graph of its own, where the mesh brings none along.
    own: Option<Accelerator>,
    uses_graph: bool,
    /// What is closed for now.
    blocks: Blocks,
    /// The walls, made when the first body asks that overhangs drops.
    walls: OnceLock<Walls>,
    /// Where random points come from, made when the first one is asked for.
    pub(crate) areas: OnceLock<Areas>,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// Prepares a mesh for queries. A large mesh should bring an [`Accelerator`] along
    /// ([`NavMesh::set_accelerator`]); without one the part of it that is quickly made is made here.
    pub fn new(mesh: M) -> Self {
        let config = AcceleratorConfig::default();
        // An accelerator says by itself that the mesh is large.
        let mesh = if mesh.accelerator().is_some() {
            mesh
        } else {
            let finder = Self::plain(mesh);
            if finder.core_count() < config.min_core_cells {
                return finder.with_sight();
            }
            finder.mesh
        };
        let mut faces = Faces::build(&mesh, true);
        let corners = Corners::of(&faces);
        let own = match mesh.accelerator().filter(|it| it.fits(&faces, &corners)) {
            Some(accelerator) => {
                for &(corner, _) in &accelerator.landmarks.slots {
                    faces.mark_landmark(corners.vertices[corner as usize]);
                }
                None
            }
            None => match Accelerator::graph_of(&faces, &corners, &config) {
                Some(own) => Some(own),
                None => return Self::plain(mesh).with_sight(),
            },
        };
        let mouths = mesh.clearances().map(|clearances| Mouths::of(&mesh, &faces, &clearances));
        let (blocks, areas, walls) = (Blocks::default(), OnceLock::new(), OnceLock::new());
        let (sight, pockets, uses_graph) = (None, None, true);
        Self { mesh, faces, corners, mouths, sight, pockets, own, uses_graph, blocks, areas, walls }
            .with_sight()
    }

    /// The same with what discs need to be quick.
    fn with_sight(mut self) -> Self {
        let known = self.mesh.clearances().zip(self.mouths.as_ref());
        self.sight =
            known.and_then(|(clearances, mouths)| Sight::of(&self.mesh, &self.faces, &clearances, mouths, 0));
        let graph = self.graph().filter(|_| self.sight.is_some());
        self.pockets = graph.and_then(|graph| Pockets::of(&self.faces, graph, 0));
        self
    }

    /// The same without a graph, whatever the size: the reference that every other way must agree with.
    pub fn plain(mesh: M) -> Self {
        let faces = Faces::build(&mesh, false);
        let mouths = mesh.clearances().map(|clearances| Mouths::of(&mesh, &faces, &clearances));
        Self {
            mesh,
            faces,
            corners: Corners::default(),
            mouths,
            sight: None,
            pockets: None,
            own: None,
            uses_graph: false,
            blocks: Blocks::default(),
            walls: OnceLock::new(),
            areas: OnceLock::new(),
        }
    }

    /// The cells and portals that are closed for now.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The same, to close and open some; every answer from then on respects it.
    pub fn blocks_mut(&mut self) -> &mut Blocks {
        &mut self.blocks
    }

    /// What a body may not enter or cross, if there is such.
    pub(crate) fn limits(&self, body: &Body) -> Option<Limits<'_>> {
        Limits::of(&self.mesh, &self.blocks, body)
    }

    /// What a body keeps its radius from that overhangs drops.
    pub fn walls(&self) -> &Walls {
        self.walls.get_or_init(|| Walls::of(&self.mesh))
    }

    /// The graph that is used for searches, if the mesh is large enough for one.
    pub fn accelerator(&self) -> Option<&Accelerator> {
        if self.uses_graph { self.own.as_ref().or(self.mesh.accelerator()) } else { None }
    }

    /// The same with its corners.
    pub(super) fn graph(&self) -> Option<Graph<'_>> {
        self.accelerator().map(|accelerator| Graph { corners: &self.corners, accelerator })
    }

    /// Number of convex pieces that are not part of a dead end; what searches take time in.
    pub fn core_count(&self) -> usize {
        self.faces.core_count()
    }

    /// The mesh that is searched.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// The shortest path in plan.
    ///
    /// Allocates nothing once `scratch` has grown to what the mesh needs; the points are lent from it.
    pub fn plan_path<'s>(
        &self,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &'s mut PathScratch,
    ) -> Result<PlanPath<'s>, NoPath> {
        let found = self.search(self.limits(&Body::default()), from, to, config, scratch)?;
        self.trace(&found, scratch);
        scratch.drop_straight_points();
        Ok(PlanPath { points: &scratch.points, length: found.length, expanded: found.expanded })
    }

    /// The length of the shortest path in plan [m]; allocates nothing once `scratch` is warm.
    pub fn length(
        &self,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<f64, NoPath> {
        self.search(self.limits(&Body::default()), from, to, config, scratch).map(|found| found.length)
    }

    /// The shortest path with its corridor and its points on the ground.
    pub fn find(
        &self,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<Path, NoPath> {
        let mut path = Path::default();
        self.find_into(from, to, config, scratch, &mut path)?;
        Ok(path)
    }

    /// The same into a path that is used again: allocates nothing once both are warm. The path is changed only if
    /// there is one.
    pub fn find_into(
        &self,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
        path: &mut Path,
    ) -> Result<(), NoPath> {
        self.find_for_into(&Body::default(), from, to, config, scratch, path)
    }

    /// The path of a point.
    pub(super) fn write_path(
        &self,
        found: &Found<'_>,
        from: DVec3,
        to: DVec3,
        scratch: &mut PathScratch,
        path: &mut Path,
    ) {
        self.trace(found, scratch);
        let [start, goal] = found.ends;
        path.points.clear();
        path.cells.clear();
        path.crossed.clear();
        scratch.ground.clear();
        // At the end of a step the ground of the path's cell is to be asked.
        let height = |vertex: u32| match self.mesh.is_end_of_step(VertexId(vertex)) {
            true => f64::NAN,
            false => self.mesh.position(VertexId(vertex)).z,
        };
        let ends = scratch.points.len() - 1;
        scratch.ground.extend(scratch.points.iter().zip(&scratch.turns).enumerate().map(
            |(k, (point, &turn))| match k {
                0 => start,
                k if k == ends => goal,
                _ => point.extend(height(turn)),
            },
        ));
        let mut writer = GroundPath::new(
            &self.mesh,
            &self.faces,
            &scratch.ground,
            &scratch.is_turn,
            &mut scratch.crossings,
            path,
        );
        let traced = Traced {
            points: &scratch.points,
            vertices: &scratch.turns,
            starts: &scratch.starts,
            goals: &scratch.goals,
        };
        corridor::follow(&self.faces, found.limits, found.orient, traced, &mut writer);
        write_pieces(scratch, &mut path.pieces);
        (path.radius, path.clearance, path.cost) = (0.0, None, None);
        path.plan_length = found.length;
        path.length = match self.mesh.flat {
            Some(_) => found.length,
            None => path.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum(),
        };
        path.expanded = found.expanded;
        path.snapped = [start.distance(from), goal.distance(to)];
    }

    /// Answers many queries with so many threads (0 for all cores), in the order of the queries.
    pub fn find_many(
        &self,
        queries: &[[DVec3; 2]],
        config: &LocateConfig,
        threads: usize,
    ) -> Vec<Result<Path, NoPath>>
    where
        M: Sync,
    {
        in_shares(queries.len(), threads, |range| {
            let mut scratch = PathScratch::new();
            let find = |&[from, to]: &[DVec3; 2]| self.find(from, to, config, &mut scratch);
            queries[range].iter().map(find).collect()
        })
    }

    /// Leaves the points of the path in the scratch memory.
    pub(super) fn trace(&self, found: &Found<'_>, scratch: &mut PathScratch) {
        let [start, goal] = found.ends.map(DVec3::truncate);
        scratch.trace(&self.faces, start, found.turns, goal);
        scratch.find_turns(&self.mesh, found.orient);
    }

    fn search<'l>(
        &self,
        limits: Option<Limits<'l>>,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<Found<'l>, NoPath> {
        let mut query = self.begin_point(limits, [from, to], config, scratch)?;
        loop {
            if let Some(found) = self.resume_point(&mut query, u64::MAX, scratch) {
                return found;
            }
        }
    }

    /// Begins a query for a point.
    pub(super) fn begin_point<'l>(
        &self,
        limits: Option<Limits<'l>>,
        [from, to]: [DVec3; 2],
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<PointQuery<'l>, NoPath> {
        scratch.begin(&self.faces);
        let off_mesh = |which, at| NoPath::OffMesh { which, at };
        let from = self.put_on_ground(from, config, &mut scratch.starts).ok_or(off_mesh(End::Start, from))?;
        let to = self.put_on_ground(to, config, &mut scratch.goals).ok_or(off_mesh(End::Goal, to))?;
        if let Some(limits) = &limits {
            self.keep_to_limits(limits, from, &mut scratch.starts)?;
            self.keep_to_limits(limits, to, &mut scratch.goals)?;
        }
        let component = |face: u32| self.mesh.component(self.faces.cell(face));
        let (one, two) = (component(scratch.starts[0]), component(scratch.goals[0]));
        if one != two
            && !scratch.starts.iter().any(|&s| scratch.goals.iter().any(|&g| component(s) == component(g)))
        {
            return Err(NoPath::Unreachable { from: one, to: two });
        }
        let orient = self.faces.orient.with(from.truncate()).with(to.truncate());
        Ok(PointQuery { limits, ends: [from, to], orient, stage: PointStage::Located })
    }

    /// Goes on with a query for about so many expansions; nothing if it has not ended then.
    pub(super) fn resume_point<'l>(
        &self,
        query: &mut PointQuery<'l>,
        expansions: u64,
        scratch: &mut PathScratch,
    ) -> Option<Result<Found<'l>, NoPath>> {
        let PointQuery { limits, ends, orient, .. } = *query;
        let [start, goal] = ends.map(DVec3::truncate);
        let ground = Ground { faces: &self.faces, orient, start, limits };
        let graph = self.graph();
        if let PointStage::Located = query.stage {
            if scratch.starts.iter().any(|face| scratch.goals.contains(face))
                || straight::is_in_sight(&ground, &scratch.starts, goal, &scratch.goals)
            {
                let length = (goal - start).length();
                return Some(Ok(Found { limits, length, turns: [START; 2], expanded: 0, ends, orient }));
            }
            let mut dead_ends = scratch.open_dead_ends(&self.faces);
            if dead_ends == DeadEnds::Apart && graph.is_some() && limits.is_none() && self.mesh.has_gaps() {
                let mut progress = interval::begin(ground, goal, NONE, scratch);
                let found = interval::resume(ground, goal, NONE, &mut progress, CONES_FIRST, scratch);
                if let Some(interval::Found { length, turns, expanded }) = found
                    && length < f64::INFINITY
                {
                    return Some(Ok(Found { limits, length, turns, expanded, ends, orient }));
                }
                scratch.begin(&self.faces);
                dead_ends = scratch.open_dead_ends(&self.faces);
            }
            query.stage = match (dead_ends, graph) {
                (DeadEnds::Apart, Some(graph)) if limits.is_none() => {
                    PointStage::Graph(graph_search::begin(ground, goal, graph, scratch))
                }
                (DeadEnds::Shared { ceiling }, _) if limits.is_none() => {
                    PointStage::Cones(ceiling, interval::begin(ground, goal, ceiling, scratch))
                }
                _ => PointStage::Cones(NONE, interval::begin(ground, goal, NONE, scratch)),
            };
        }
        let found = match (&mut query.stage, graph) {
            (PointStage::Graph(progress), Some(graph)) => {
                graph_search::resume(ground, goal, graph, progress, expansions, scratch)?
            }
            (PointStage::Cones(ceiling, progress) | PointStage::ConesOnly(ceiling, progress), _) => {
                interval::resume(ground, goal, *ceiling, progress, expansions, scratch)?
            }
            _ => return None,
        };
        let is_last =
            !self.uses_graph || limits.is_some() || matches!(query.stage, PointStage::ConesOnly(..));
        if found.length == f64::INFINITY && !is_last {
            // The ends are connected, so the graph is not this mesh's: somebody made it up.
            scratch.begin(&self.faces);
            scratch.open_dead_ends(&self.faces);
            query.stage = PointStage::ConesOnly(NONE, interval::begin(ground, goal, NONE, scratch));
            return None;
        }
        if found.length == f64::INFINITY {
            let component = |face: u32| self.mesh.component(self.faces.cell(face));
            let [from, to] = [scratch.starts[0], scratch.goals[0]].map(component);
            return Some(Err(NoPath::Unreachable { from, to }));
        }
        let interval::Found { length, turns, expanded } = found;
        Some(Ok(Found { limits, length, turns, expanded, ends, orient }))
    }

    /// Leaves the faces of an end that the query may be in.
    pub(super) fn keep_to_limits(
        &self,
        limits: &Limits<'_>,
        at: DVec3,
        faces: &mut Vec<u32>,
    ) -> Result<(), NoPath> {
        let first = self.faces.cell(faces[0]);
        faces.retain(|&face| limits.allows_cell(self.faces.cell(face)));
        if faces.is_empty() { Err(limits.why_not_in(first, at)) } else { Ok(()) }
    }

    /// Where on the ground an end of a query is, and all faces that hold it: several on edges and vertices.
    pub(super) fn put_on_ground(
        &self,
        at: DVec3,
        config: &LocateConfig,
        found: &mut Vec<u32>,
    ) -> Option<DVec3> {
        found.clear();
        // Level ground: the faces that hold the point are all there is to know.
        if let Some(z) = self.mesh.flat
            && at.is_finite()
            && at.z - z <= config.height
            && z - at.z <= config.step
        {
            let cells = self.mesh.grid.at(at.truncate());
            self.add_faces_at(at.truncate(), cells.iter().map(|&cell| CellId(cell)), found);
            if found.iter().any(|&face| self.mesh.gap(self.faces.cell(face)).is_none()) {
                return Some(at.truncate().extend(z));
            }
            found.clear();
        }
        let location = self.mesh.locate(at, config)?;
        self.add_faces_at(location.point.truncate(), self.mesh.cells_of(&location), found);
        if found.is_empty() {
            // Rounding beside a split point: the pieces of a cell may miss a hair of it.
            found.push(self.faces.faces_of(location.cell).start);
        }
        Some(location.point)
    }

    fn add_faces_at(&self, p: DVec2, cells: impl Iterator<Item = CellId>, found: &mut Vec<u32>) {
        let orient = self.faces.orient.with(p);
        for cell in cells {
            found.extend(self.faces.faces_of(cell).filter(|&face| self.faces.contains(orient, face, p)));
        }
    }
}

/// Writes the straight pieces of the path whose points are in the scratch memory.
pub(super) fn write_pieces(scratch: &PathScratch, pieces: &mut Vec<PlanPiece>) {
    pieces.clear();
    let turns = scratch.points.iter().zip(&scratch.is_turn).filter(|(_, is_turn)| **is_turn);
    let mut turns = turns.map(|(point, _)| *point);
    let Some(mut last) = turns.next() else { return };
    pieces.extend(turns.map(|to| PlanPiece::Line { from: std::mem::replace(&mut last, to), to }));
}

/// A query for a point, as far as it has come; the rest of it is in the scratch memory.
#[derive(Clone, Copy)]
pub(crate) struct PointQuery<'a> {
    limits: Option<Limits<'a>>,
    ends: [DVec3; 2],
    orient: Orient,
    stage: PointStage,
}

#[derive(Clone, Copy)]
enum PointStage {
    /// The ends are known.
    Located,
    Graph(graph_search::Progress),
    /// By cones, with an edge that no path needs to cross.
    Cones(u32, interval::Progress),
    /// The same after the graph failed.
    ConesOnly(u32, interval::Progress),
}

/// What a query found.
pub(super) struct Found<'a> {
    limits: Option<Limits<'a>>,
    length: f64,
    turns: [u32; 2],
    expanded: u32,
    ends: [DVec3; 2],
    orient: Orient,
}

impl Found<'_> {
    /// Length of the path [m].
    pub fn length(&self) -> f64 {
        self.length
    }
}
