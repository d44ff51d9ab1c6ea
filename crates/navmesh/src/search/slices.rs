//! A search that is done in slices, over as many frames as it takes.

use super::{
    disc::{Body, PlanPiece, Query},
    path::{NoPath, Path},
    query::PathFinder,
    scratch::PathScratch,
};
use crate::{locate::LocateConfig, mesh::NavMesh};
use std::ops::Deref;
use wayfare_core::DVec3;

/// A search that has begun: see [`PathFinder::begin`].
///
/// It is given up by dropping it; the scratch memory is then free for the next one.
pub struct PathSearch<'a, M> {
    finder: &'a PathFinder<M>,
    body: Body,
    asked: [DVec3; 2],
    config: LocateConfig,
    scratch: &'a mut PathScratch,
    state: State<'a>,
}

#[expect(clippy::large_enum_variant, reason = "a box would be memory of its own for every query")]
enum State<'a> {
    Begun(Query<'a>),
    Failed(NoPath),
    Ended,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// Begins what [`PathFinder::find_for`] does in one go: locates both ends, and finds out without a search whether a body
    /// of this radius could get from one to the other. [`PathSearch::step`] does the rest in slices.
    pub fn begin<'a>(
        &'a self,
        body: &Body,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &'a mut PathScratch,
    ) -> PathSearch<'a, M> {
        let asked = [from, to];
        let state = match self.begin_query(body, self.limits(body), asked, config, scratch) {
            Ok(query) => State::Begun(query),
            Err(why) => State::Failed(why),
        };
        PathSearch { finder: self, body: *body, asked, config: *config, scratch, state }
    }
}

impl<M: Deref<Target = NavMesh>> PathSearch<'_, M> {
    /// Goes on for about so many expansions, at least one. Some once the search has ended, with the same answer as
    /// [`PathFinder::find_for`] to the last bit; nothing before, and nothing after.
    pub fn step(&mut self, expansions: u32) -> Option<Result<Path, NoPath>> {
        let mut path = Path::default();
        Some(self.step_into(expansions, &mut path)?.map(|()| path))
    }

    /// The same into a path that is used again. The path is changed only if there is one.
    pub fn step_into(&mut self, expansions: u32, path: &mut Path) -> Option<Result<(), NoPath>> {
        let found = match &mut self.state {
            State::Ended => return None,
            State::Failed(why) => Err(*why),
            State::Begun(query) => {
                self.finder.resume_query(query, expansions.max(1).into(), self.scratch, path)?
            }
        };
        self.state = State::Ended;
        let limits = self.finder.limits(&self.body);
        Some(self.finder.or_why_limited(found, limits, &self.body, self.asked, &self.config, self.scratch))
    }

    /// Goes on as [`PathSearch::step`] does, to a path in plan alone: writes its pieces, without points on the ground and cells;
    /// its length [m].
    pub fn step_in_plan(
        &mut self,
        expansions: u32,
        pieces: &mut Vec<PlanPiece>,
    ) -> Option<Result<f64, NoPath>> {
        let found = match &mut self.state {
            State::Ended => return None,
            State::Failed(why) => Err(*why),
            State::Begun(query) => {
                self.finder.resume_query_in_plan(query, expansions.max(1).into(), self.scratch, pieces)?
            }
        };
        self.state = State::Ended;
        Some(match found {
            Ok(length) => Ok(length),
            Err(why) => {
                let limits = self.finder.limits(&self.body);
                let (body, scratch) = (&self.body, &mut *self.scratch);
                let found =
                    self.finder.or_why_limited(Err(why), limits, body, self.asked, &self.config, scratch);
                Err(found.err().unwrap_or(why))
            }
        })
    }

    /// Whether the search has ended and its answer was handed over.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, State::Ended)
    }
}
