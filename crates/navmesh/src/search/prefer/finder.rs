//! From two points, a body and what it prefers to a path on the ground.

use super::{
    super::{
        disc::{Body, PlanPiece},
        path::{NoPath, Path},
        query::PathFinder,
        scratch::PathScratch,
    },
    search,
    strips::Strips,
    tighten::{LEVELS, Rope},
    weight::{Preference, Scales},
};
use crate::{
    clearance::Clearances,
    locate::LocateConfig,
    mesh::{CellId, NavMesh},
};
use std::ops::Deref;
use wayfare_core::{DVec2, DVec3};

/// A path that costs no more than this times its lower bound need not be drawn tight.
const GOOD: f64 = 1.001;

/// One that costs no more than this times its lower bound is good enough not to look for another way.
const FAIR: f64 = 1.01;

/// How much a path over places may cost more than the best one so far and still be looked at: drawing it tight may gain as much.
const HOPE: f64 = 1.02;

/// So many sizes of steps tell which of two paths is the better one.
const COARSE: u32 = 3;

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// The path for a body that is cheap by its preference: short, but not near obstacles. None of its points is nearer to the
    /// boundary than the body's radius, and it never costs more than the shortest path ([`Path::cost`]).
    pub fn find_preferring(
        &self,
        body: &Body,
        preference: &Preference,
        from: DVec3,
        to: DVec3,
        config: &LocateConfig,
        scratch: &mut PathScratch,
    ) -> Result<Path, NoPath> {
        let mut path = self.find_for(body, from, to, config, scratch)?;
        let clearances = self.mesh.clearances().ok_or(NoPath::NoClearance)?;
        let cell = self.faces.cell(scratch.starts[0]);
        let goal_cell = self.faces.cell(scratch.goals[0]);
        let plain = cost_of_plain(&clearances, preference, cell, &path, body.radius);
        let mut scales = Scales::new(clearances, *preference, body.radius, self.limits(body));
        path.cost = Some(plain);
        let Preference { clearance, weight } = *preference;
        let matters = weight > 0.0 && clearance > body.radius && (weight * clearance).is_finite();
        // Nothing is shorter, and a metre costs 1 at least.
        if !matters || plain <= GOOD * path.plan_length {
            return Ok(path);
        }
        let [Some(start), Some(goal)] = [path.pieces.first(), path.pieces.last()] else { return Ok(path) };
        let ends = [(cell, start.ends()[0]), (goal_cell, goal.ends()[1])];
        let step = preference.clearance.min(path.plan_length) / 2.0;
        let mut best: Option<Rope> = None;
        let keep = |rope: Rope, best: &mut Option<Rope>| {
            if best.as_ref().is_none_or(|best| rope.cost < best.cost) {
                *best = Some(rope);
            }
        };
        if let Some(mut rope) = Rope::over(&mut scales, cell, &outside(&path.pieces)) {
            rope.tighten(&mut scales, step, COARSE);
            keep(rope, &mut best);
        }
        let most = best.as_ref().map_or(plain, |rope| rope.cost.min(plain));
        if most > FAIR * path.plan_length {
            let mut strips = Strips::new(clearances, preference.clearance, body.radius);
            let (found, taken) = search::cheapest(&mut scales, &mut strips, ends, most * HOPE);
            path.expanded = path.expanded.saturating_add(taken);
            if let Some(mut rope) = found.and_then(|places| Rope::through(&mut scales, &places)) {
                rope.tighten(&mut scales, step, COARSE);
                keep(rope, &mut best);
            }
        }
        if let Some(rope) = &mut best {
            rope.tighten(&mut scales, step / f64::from(1 << COARSE), LEVELS - COARSE);
        }
        if let Some(rope) = best.filter(|rope| rope.cost < plain) {
            self.take_over(body, &clearances, &rope, scratch, &mut path);
        }
        Ok(path)
    }

    /// Makes the path that of a rope.
    fn take_over(
        &self,
        body: &Body,
        clearances: &Clearances<'_>,
        rope: &Rope,
        scratch: &mut PathScratch,
        path: &mut Path,
    ) {
        path.pieces.clear();
        let pairs = rope.knots.windows(2);
        path.pieces.extend(pairs.map(|pair| PlanPiece::Line { from: pair[0].at, to: pair[1].at }));
        let room =
            rope.knots.windows(2).map(|pair| clearances.along(pair[0].cell, pair[0].at, pair[1].at).distance);
        path.clearance = Some(room.fold(f64::INFINITY, f64::min));
        path.cost = Some(rope.cost);
        self.put_path_on_ground(body, scratch, path);
        path.plan_length = path.pieces.iter().map(PlanPiece::length).sum();
        path.length = match self.mesh.flat {
            Some(_) => path.plan_length,
            None => path.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum(),
        };
        path.radius = body.radius;
    }
}

/// What the shortest path costs: on its arcs the corner is the nearest obstacle.
fn cost_of_plain(
    clearances: &Clearances<'_>,
    preference: &Preference,
    mut cell: CellId,
    path: &Path,
    radius: f64,
) -> f64 {
    // It is free, but may touch what it passes: rounding must not refuse it.
    let mut scales = Scales::new(*clearances, *preference, radius - 1e-6, None);
    let mut sum = 0.0;
    for piece in &path.pieces {
        match *piece {
            PlanPiece::Line { from, to } => match scales.weigh(cell, from, to, f64::INFINITY) {
                Some((cost, next)) => (sum, cell) = (sum + cost, next),
                // Along a wall rounding may put it on the other side.
                None => {
                    sum += piece.length() * scales.preference.price(radius);
                    cell = scales.clearances.cell_ahead(cell, from, to);
                }
            },
            PlanPiece::Arc { from, .. } => {
                sum += piece.length() * scales.preference.price(radius);
                let mut at = from;
                let mut chords = Vec::new();
                piece.flatten(0.1 * radius, &mut chords);
                for to in chords {
                    cell = scales.clearances.cell_ahead(cell, at, to);
                    at = to;
                }
            }
        }
    }
    sum
}

/// Points of a path with its arcs as polylines outside their circles.
fn outside(pieces: &[PlanPiece]) -> Vec<DVec2> {
    /// Largest turn of a chord [rad].
    const TURN: f64 = 0.4;
    let mut points: Vec<DVec2> = pieces.first().map(|piece| piece.ends()[0]).into_iter().collect();
    for piece in pieces {
        match *piece {
            PlanPiece::Line { to, .. } => points.push(to),
            PlanPiece::Arc { from, to, centre, turn, .. } => {
                let count = (turn.abs() / TURN).ceil().max(1.0);
                let half = turn / (2.0 * count);
                let out = 1.0 / wayfare_core::ops::cos(half);
                for k in 0..count as u32 {
                    let angle = half * f64::from(2 * k + 1);
                    points.push(centre + DVec2::from_angle(angle).rotate(from - centre) * out);
                }
                points.push(to);
            }
        }
    }
    points
}
