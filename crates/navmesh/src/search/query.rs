//! The finder: locates the ends, chooses the search, hands over the path.

use super::{
    cone::Ground,
    faces::Faces,
    interval,
    path::{End, NoPath, Path, PlanPath},
    scratch::PathScratch,
};
use crate::{locate::LocateConfig, mesh::NavMesh};
use std::ops::Deref;
use wayfare_core::DVec3;

/// Finds shortest paths on a mesh, from any number of threads.
///
/// `M` is how it holds the mesh: `&NavMesh`, or `Arc<NavMesh>` where it must live on its own.
#[derive(Clone, Debug)]
pub struct PathFinder<M> {
    mesh: M,
    faces: Faces,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// Prepares a mesh for queries.
    pub fn new(mesh: M) -> Self {
        let faces = Faces::build(&mesh);
        Self { mesh, faces }
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
        let found = self.search(from, to, config, scratch)?;
        let [start, goal] = found.ends.map(DVec3::truncate);
        scratch.trace(&self.faces, start, found.last, goal);
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
        self.search(from, to, config, scratch).map(|found| found.length)
    }

    /// The shortest path with its corridor and its points on the ground.
    pub fn find(
        &self,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<Path, NoPath> {
        let found = self.search(from, to, config, scratch)?;
        let [start, goal] = found.ends;
        scratch.trace(&self.faces, start.truncate(), found.last, goal.truncate());
        Ok(Path {
            points: scratch.points.iter().map(|p| p.extend(0.0)).collect(),
            plan_length: found.length,
            length: found.length,
            cells: Vec::new(),
            expanded: found.expanded,
            snapped: [start.distance(from), goal.distance(to)],
        })
    }

    fn search(
        &self,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<Found, NoPath> {
        scratch.begin(&self.faces);
        let off_mesh = |which, at| NoPath::OffMesh { which, at };
        let from = self.put_on_ground(from, config, &mut scratch.starts).ok_or(off_mesh(End::Start, from))?;
        let to = self.put_on_ground(to, config, &mut scratch.goals).ok_or(off_mesh(End::Goal, to))?;
        let component = |face: u32| self.mesh.component(self.faces.cell(face));
        let (one, two) = (component(scratch.starts[0]), component(scratch.goals[0]));
        if one != two
            && !scratch.starts.iter().any(|&s| scratch.goals.iter().any(|&g| component(s) == component(g)))
        {
            return Err(NoPath::Unreachable { from: one, to: two });
        }
        let (start, goal) = (from.truncate(), to.truncate());
        let orient = self.faces.orient.with(start).with(goal);
        let found = interval::search(Ground { faces: &self.faces, orient, start }, goal, scratch);
        if found.length == f64::INFINITY {
            return Err(NoPath::Unreachable { from: one, to: two });
        }
        Ok(Found { length: found.length, last: found.last, expanded: found.expanded, ends: [from, to] })
    }

    /// Where on the ground an end of a query is, and all faces that hold it: several on edges and vertices.
    fn put_on_ground(&self, at: DVec3, config: &LocateConfig, found: &mut Vec<u32>) -> Option<DVec3> {
        found.clear();
        let location = self.mesh.locate(at, config)?;
        let xy = location.point.truncate();
        let orient = self.faces.orient.with(xy);
        for cell in self.mesh.cells_of(&location) {
            found.extend(self.faces.faces_of(cell).filter(|&face| self.faces.contains(orient, face, xy)));
        }
        if found.is_empty() {
            // Rounding beside a split point: the pieces of a cell may miss a hair of it.
            found.push(self.faces.faces_of(location.cell).start);
        }
        Some(location.point)
    }
}

/// What a query found.
struct Found {
    length: f64,
    last: u32,
    expanded: u32,
    ends: [DVec3; 2],
}
