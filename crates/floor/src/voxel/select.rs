//! Which ground is kept: what can be reached, what is largest, what is not too small.

use super::{lattice::Lattice, runs::Runs};
use crate::{GroundConfig, Keep, PlanError};
use wayfare_core::DVec3;

/// How far from a place to reach the ground from the ground may be, beside it [m].
const SNAP: f64 = 0.5;

/// Leaves out the runs of components that are not wanted; adds to the notes what was left out.
pub fn select(
    runs: Runs,
    lattice: &Lattice,
    config: &GroundConfig,
    notes: &mut Vec<String>,
) -> Result<Runs, PlanError> {
    let component_of = runs.components();
    let count = component_of.iter().max().map_or(0, |&last| last as usize + 1);
    let mut pixels = vec![0u64; count];
    for (run, &component) in runs.runs.iter().zip(&component_of) {
        pixels[component as usize] += u64::from(run.end - run.start);
    }
    let pixel_area = lattice.resolution() * lattice.resolution();
    let area = |component: usize| pixels[component] as f64 * pixel_area;
    let reached = places(&runs, &component_of, lattice, config)?;
    let mut keep = vec![true; count];
    match config.keep {
        Keep::All => {}
        Keep::Largest => {
            // The first of equally large ones.
            let largest = (0..count).max_by(|&a, &b| pixels[a].cmp(&pixels[b]).then(b.cmp(&a)));
            (0..count).for_each(|component| keep[component] = Some(component) == largest);
        }
        Keep::Reachable => {
            keep = vec![false; count];
            reached.iter().for_each(|&component| keep[component as usize] = true);
        }
    }
    let unwanted: f64 = (0..count).filter(|&component| !keep[component]).map(area).sum();
    if unwanted > 0.0 {
        let words = if config.keep == Keep::Largest {
            "other pieces of ground"
        } else {
            "ground that cannot be reached"
        };
        notes.push(format!("{words} left out: {unwanted:.1} m²"));
    }
    let small: Vec<usize> = (0..count)
        .filter(|&component| {
            keep[component] && area(component) < config.min_area && !reached.contains(&(component as u32))
        })
        .collect();
    if !small.is_empty() {
        let sum: f64 = small.iter().map(|&component| area(component)).sum();
        notes.push(format!(
            "pieces of ground smaller than {} m² left out: {}, {sum:.2} m² together",
            config.min_area,
            small.len()
        ));
        small.iter().for_each(|&component| keep[component] = false);
    }
    if !keep.iter().any(|&keep| keep) {
        let reason = format!("every piece of ground is smaller than {} m²", config.min_area);
        return Err(PlanError::NothingWalkable { reason });
    }
    if keep.iter().all(|&keep| keep) {
        return Ok(runs);
    }
    let wanted: Vec<bool> = component_of.iter().map(|&component| keep[component as usize]).collect();
    Ok(runs.filtered(&wanted))
}

/// The components at the places to reach the ground from.
fn places(
    runs: &Runs,
    component_of: &[u32],
    lattice: &Lattice,
    config: &GroundConfig,
) -> Result<Vec<u32>, PlanError> {
    let mut found = Vec::new();
    for &place in &config.reach_from {
        match find(runs, lattice, config, place) {
            Some(run) => found.push(component_of[run as usize]),
            None => return Err(PlanError::NoGroundAt { place }),
        }
    }
    if config.keep == Keep::Reachable && found.is_empty() {
        let reason = "to keep what is reachable, say from where".into();
        return Err(PlanError::Unusable { reason });
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The run straight below a place within a body's height or above it within a step; else the nearest one beside it.
fn find(runs: &Runs, lattice: &Lattice, config: &GroundConfig, place: DVec3) -> Option<u32> {
    let at = lattice.pixel(place.truncate());
    let reach = (SNAP / lattice.resolution()).ceil();
    let rows = runs.runs.partition_point(|run| f64::from(run.row) < at.y.floor() - reach)
        ..runs.runs.partition_point(|run| f64::from(run.row) <= at.y.floor() + reach);
    let mut best: Option<(f64, f64, u32)> = None;
    for number in rows {
        let run = runs.runs[number];
        let column = at.x.floor().clamp(f64::from(run.start), f64::from(run.end - 1));
        let height = lattice.height(f64::from(runs.height(number as u32, column as u32)));
        let below = place.z - height;
        if below > config.height || -below > config.step.max(SNAP) {
            continue;
        }
        // To the nearest point of the pixel.
        let aside = |p: f64, pixel: f64| (pixel - p).max(p - pixel - 1.0).max(0.0);
        let away = aside(at.x, column).hypot(aside(at.y, f64::from(run.row))) * lattice.resolution();
        if away > SNAP {
            continue;
        }
        let candidate = (away, below.abs(), number as u32);
        if best.is_none_or(|best| candidate.0 < best.0 || candidate.0 == best.0 && candidate.1 < best.1) {
            best = Some(candidate);
        }
    }
    best.map(|best| best.2)
}
