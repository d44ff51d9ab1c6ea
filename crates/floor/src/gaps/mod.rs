//! Gaps in the walkable surface that a body steps over: found, filled and marked.
//!
//! Source: seed 002 (Vermeulen, Hillebrand, Geraerts, "Annotating traversable gaps in walkable environments"), section V. What we do
//!   otherwise is said in each file; `docs/gaps.md` tells what was decided and what shows it.
//! Steps: 1. cycles of the border (V.A, `sheet`)  2. gaps between edges of different cycles (V.B, `detect`, `filler`, `obstacles`)
//!   3. those that are kept become bridges (V.C, `choose`, `bridges`)  4. the border that is left is looked at again: gaps between
//!   edges of one cycle fill holes (V.D, `holes`), where the cycle crosses itself in plan they become bridges  5. once more for holes
//!   that bridges left between them (section VIII).
//! Cost: O(n log n + k) for k pairs of edges within reach; parallel and deterministic.

mod backs;
mod bridges;
mod choose;
mod combine;
mod config;
mod detect;
mod filler;
mod holes;
mod leave_out;
mod obstacles;
mod product;
mod sheet;
mod triangles;

#[cfg(test)]
mod tests;

pub(crate) use combine::with_gaps;
pub use config::GapConfig;
pub use product::{Gap, GapKind, GapReport, GapSurface};
pub use sheet::Face;
pub use triangles::surface_of_triangles;

use crate::exact::WalkableSurface;
use backs::split_backs;
use bridges::{Side, add_bridge, add_bridges};
use choose::choose;
use detect::{How, find_fillers};
use filler::Edge;
use holes::{Share, fill_holes, is_simple};
use obstacles::Obstacles;
use sheet::Sheet;
use wayfare_core::{Cancelled, Context};
use wayfare_geom::TriangleMesh;

/// Finds the gaps of a walkable surface that a body steps over, and fills them. `scene` is what may stand in the way.
///
/// The configuration must have passed its `check`.
pub fn find_gaps(
    surface: &WalkableSurface,
    scene: &TriangleMesh,
    config: &GapConfig,
    context: &Context,
) -> Result<GapSurface, Cancelled> {
    let obstacles = Obstacles::new(scene, config.step, config.height);
    let mut sheet = Sheet::of_ground(surface, config.step);
    let mut gaps: Vec<Gap> = Vec::new();
    let mut report = GapReport {
        components_before: sheet.component_count(),
        boundary_edges: surface.border.len(),
        cycles: surface.cycle_starts.len().saturating_sub(1),
        ..GapReport::default()
    };
    // 1. Cycles are those of the ground alone: treads that risers join have one each.
    let cycles: Vec<Vec<u32>> =
        surface.cycles().map(|cycle| cycle.iter().map(|edge| edge.half_edge).collect()).collect();
    // Steps that the ground already knows are gaps of no width.
    for riser in &surface.risers {
        let [near, far] = [riser.lower, riser.upper].map(|part| {
            let [from, to] = surface.ends(part).map(|vertex| vertex.0);
            Side { from, to, part }
        });
        if sheet.is_border(near.part) && sheet.is_border(far.part) {
            add_bridge(&mut sheet, &mut gaps, near, far);
        }
    }
    report.gaps_found = gaps.len();
    // 2. and 3. Where gaps compete for edges, corners of the border bound them.
    let competing = How { with_bisectors: true, only_whole: false };
    let edges = sheet.edges((0..).zip(cycles.iter().map(Vec::as_slice)));
    let fillers = find_fillers(&edges, &obstacles, config, competing, context, |a, b| a.cycle != b.cycle)?;
    report.gaps_found += fillers.len();
    add_bridges(&mut sheet, &mut gaps, &edges, &choose(&edges, &fillers));
    // 4. Between edges of ground; what lies between bridges comes later.
    let cycles = sheet.cycles();
    let edges = sheet.edges((0..).zip(cycles.iter().map(Vec::as_slice)));
    let simple: Vec<bool> = cycles.iter().map(|cycle| is_simple(&sheet, cycle)).collect();
    let in_simple = How { with_bisectors: false, only_whole: false };
    let in_one = |a: &Edge, b: &Edge| {
        a.cycle == b.cycle && sheet.gap(a.half_edge).is_none() && sheet.gap(b.half_edge).is_none()
    };
    let in_simple = find_fillers(&edges, &obstacles, config, in_simple, context, |a, b| {
        in_one(a, b) && simple[a.cycle as usize]
    })?;
    let crossed = find_fillers(&edges, &obstacles, config, competing, context, |a, b| {
        in_one(a, b) && !simple[a.cycle as usize]
    })?;
    report.gaps_found += in_simple.len() + crossed.len();
    add_bridges(&mut sheet, &mut gaps, &edges, &choose(&edges, &crossed));
    let part = (&edges[..], &in_simple[..]);
    report.holes_left = fill_holes(&mut sheet, &mut gaps, &cycles, part, config, Share::Any, context)?;
    // 5. Only holes that bridges are sides of, and only if nothing is left of them: the rest is out of reach, or something
    // stands in it. What was left of a hole is out of reach already.
    let cycles = sheet.cycles();
    let is_asked = |cycle: &[u32]| {
        let kinds = || cycle.iter().filter_map(|&h| sheet.gap(h)).map(|gap| gaps[gap as usize].kind);
        kinds().next().is_some() && kinds().all(|kind| kind != GapKind::Hole) && is_simple(&sheet, cycle)
    };
    let asked = (0..).zip(cycles.iter().map(Vec::as_slice)).filter(|(_, cycle)| is_asked(cycle));
    let edges = sheet.edges(asked);
    let between = How { with_bisectors: false, only_whole: true };
    let between = find_fillers(&edges, &obstacles, config, between, context, |a, b| a.cycle == b.cycle)?;
    fill_holes(&mut sheet, &mut gaps, &cycles, (&edges, &between), config, Share::All, context)?;
    split_backs(&mut sheet, config.height);
    sheet.leave_out_loose_gaps(&mut gaps);
    Ok(GapSurface::new(sheet, gaps, report))
}
