//! When nothing can be walked on: the answer is no, and says what was read.

use super::{
    Common,
    answer::sentence,
    output::{self, print_json, remark, say_notes},
    summary::{RepairSummary, repair_words, repairs},
};
use anyhow::Error;
use serde::Serialize;
use std::{fmt, process::ExitCode};
use wayfare::{core::RepairReport, floor::PlanError, volume::VolumeError};

/// What was asked for: that much of it is there.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    Mesh,
    Gaps,
}

/// Why there is no ground, and what was read all the same.
#[derive(Debug)]
pub struct NoGround {
    asked: Asked,
    cause: PlanError,
    repair: RepairReport,
    notes: Vec<String>,
}

impl fmt::Display for NoGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl std::error::Error for NoGround {}

/// Adds to an error that says that there is no ground what was read; others stay as they are.
pub fn with_what_was_read(asked: Asked, cause: PlanError, repair: &RepairReport, notes: &[String]) -> Error {
    match cause {
        PlanError::NothingWalkable { .. } | PlanError::NoGroundAt { .. } => {
            NoGround { asked, cause, repair: repair.clone(), notes: notes.to_vec() }.into()
        }
        _ => cause.into(),
    }
}

/// What is printed with `--json`.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    found: Nothing,
    area: f64,
    reason: String,
    repair: Vec<RepairSummary>,
    notes: Vec<String>,
}

/// The counts that the verb prints elsewhere.
#[derive(Serialize)]
#[serde(untagged)]
enum Nothing {
    Mesh {
        cells: usize,
    },
    Gaps {
        components_before: usize,
        components_after: usize,
        boundary_edges: usize,
        cycles: usize,
        gaps_found: usize,
        gaps_kept: usize,
        gap_area: f64,
    },
}

impl Nothing {
    fn of(asked: Asked) -> Self {
        match asked {
            Asked::Mesh => Self::Mesh { cells: 0 },
            Asked::Gaps => Self::Gaps {
                components_before: 0,
                components_after: 0,
                boundary_edges: 0,
                cycles: 0,
                gaps_found: 0,
                gaps_kept: 0,
                gap_area: 0.0,
            },
        }
    }
}

/// What `volume --json` prints where nothing is free.
#[derive(Serialize)]
struct NothingFree {
    regions: usize,
    volume: f64,
    reason: String,
}

/// Says so, if this is the error: nothing was written, the exit code is 1.
pub fn answer(error: &Error, common: Common) -> Option<ExitCode> {
    if let Some(VolumeError::Nothing | VolumeError::Start(..) | VolumeError::TooWide { .. }) =
        error.downcast_ref()
    {
        let reason = sentence(error);
        if common.json {
            let report = NothingFree { regions: 0, volume: 0.0, reason: reason.clone() };
            if let Err(error) = print_json(&report) {
                return Some(output::fail(&sentence(&error)));
            }
        }
        output::fail(&reason);
        return Some(ExitCode::from(1));
    }
    let NoGround { asked, repair, notes, .. } = error.downcast_ref()?;
    let (reason, repair) = (sentence(error), repairs(repair));
    if common.json {
        let report = Report { found: Nothing::of(*asked), area: 0.0, reason, repair, notes: notes.clone() };
        if let Err(error) = print_json(&report) {
            return Some(output::fail(&sentence(&error)));
        }
    } else {
        say_notes(notes, common);
        repair_words(&repair).lines().for_each(|line| remark(common.quiet, line));
        remark(false, &reason);
    }
    Some(ExitCode::from(1))
}
