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

/// Why there is no ground, and what was read all the same.
#[derive(Debug)]
pub struct NoGround {
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
pub fn with_what_was_read(cause: PlanError, repair: &RepairReport, notes: &[String]) -> Error {
    match cause {
        PlanError::NothingWalkable { .. } | PlanError::NoGroundAt { .. } => {
            NoGround { cause, repair: repair.clone(), notes: notes.to_vec() }.into()
        }
        _ => cause.into(),
    }
}

/// What is printed with `--json`.
#[derive(Serialize)]
struct Report {
    cells: usize,
    area: f64,
    reason: String,
    repair: Vec<RepairSummary>,
    notes: Vec<String>,
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
    let NoGround { repair, notes, .. } = error.downcast_ref()?;
    let (reason, repair) = (sentence(error), repairs(repair));
    if common.json {
        let report = Report { cells: 0, area: 0.0, reason, repair, notes: notes.clone() };
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
