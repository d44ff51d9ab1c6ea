//! Many queries from a CSV file.

use super::{
    Common,
    answer::Answer,
    missing::{Missing, reason},
    output::{self, ending, print},
    path::{self, Asked, Found},
    values::coordinate,
};
use anyhow::{Context as _, Result, anyhow, bail};
use rayon::prelude::*;
use serde::Serialize;
use std::{fmt::Write as _, path::Path, time::Instant};
use wayfare::{
    core::{DVec3, dvec3},
    navmesh::{Blocks, NavMesh, PathFinder, PathScratch},
    scene,
};

/// Largest query file [bytes].
const MAX_BYTES: u64 = 4 << 30;

/// Start and goal of every row.
pub fn read(path: &Path) -> Result<Vec<[DVec3; 2]>> {
    let bytes = scene::read_bytes(path, MAX_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("{}: the file is not text", path.display()))?;
    parse(&text).with_context(|| path.display().to_string())
}

fn parse(text: &str) -> Result<Vec<[DVec3; 2]>> {
    let mut rows = Vec::new();
    let mut first = true;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        if let Some(separator) = foreign_separator(line) {
            bail!("line {}: columns are separated by ',', not by {separator}", number + 1);
        }
        // A header is a first row in which nothing is a number.
        let is_header = first && fields.iter().all(|field| field.parse::<f64>().is_err());
        first = false;
        if !is_header {
            rows.push(row(&fields).map_err(|reason| anyhow!("line {}: {reason}", number + 1))?);
        }
    }
    if rows.is_empty() {
        bail!("the file holds no query");
    }
    Ok(rows)
}

/// What stands between the numbers of a line in which no comma does.
fn foreign_separator(line: &str) -> Option<&'static str> {
    let is_row = |separator: &char| {
        let mut parts = line.split(*separator).map(str::trim).filter(|part| !part.is_empty()).peekable();
        parts.by_ref().take(2).filter(|part| part.parse::<f64>().is_ok()).count() == 2
            && parts.all(|part| part.parse::<f64>().is_ok())
    };
    let separators = [(';', "';'"), ('\t', "tabs"), (' ', "blanks"), ('|', "'|'")];
    separators.into_iter().find(|(separator, _)| is_row(separator)).map(|(_, name)| name)
}

fn row(fields: &[&str]) -> Result<[DVec3; 2], String> {
    let numbers = fields.iter().map(|field| coordinate(field)).collect::<Result<Vec<f64>, String>>()?;
    match *numbers.as_slice() {
        [fx, fy, tx, ty] => Ok([dvec3(fx, fy, 0.0), dvec3(tx, ty, 0.0)]),
        [fx, fy, fz, tx, ty, tz] => Ok([dvec3(fx, fy, fz), dvec3(tx, ty, tz)]),
        _ => Err(format!("{} columns; a query has 4 (x,y) or 6 (x,y,z)", numbers.len())),
    }
}

/// The answer to one row.
#[derive(Clone, Copy, Serialize)]
pub struct Row {
    pub found: bool,
    pub length: Option<f64>,
    pub micros: f64,
    /// Why there is no path; only in JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// Whether the path ends before the goal, if it may; only in JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<bool>,
}

impl Row {
    fn of(answer: Result<Found, Box<Missing>>, micros: f64) -> Self {
        match answer {
            // A found path knows how long its search took, without what was tried before.
            Ok(Found { length, micros, partial, .. }) => {
                Self { found: true, length: Some(length), micros, reason: None, partial }
            }
            Err(no) => Self { found: false, length: None, micros, reason: Some(no.reason), partial: None },
        }
    }
}

#[derive(Serialize)]
struct Results {
    results: Vec<Row>,
}

/// Answers every row, in order, whatever the number of threads.
pub fn answer(
    mesh: &NavMesh,
    rows: &[[DVec3; 2]],
    asked: &Asked,
    blocks: Blocks,
    target: Option<&Path>,
    common: Common,
) -> Result<Answer> {
    let mut finder = PathFinder::new(mesh);
    *finder.blocks_mut() = blocks;
    let find = |[from, to]: [DVec3; 2], scratch: &mut PathScratch| asked.find(&finder, from, to, scratch);
    // Rows in blocks, so that each block warms its scratch memory once.
    let block = rows.len().div_ceil(rayon::current_num_threads()).max(1);
    let results: Vec<Row> = rows
        .par_chunks(block)
        .flat_map_iter(|rows| {
            let mut scratch = PathScratch::new();
            if let Some(&ends) = rows.first() {
                let _ = find(ends, &mut scratch);
            }
            let (find, finder) = (&find, &finder);
            rows.iter().map(move |&ends| {
                let begin = Instant::now();
                if asked.snap_clear || asked.partial {
                    let answer = path::find(finder, &mut scratch, ends, asked);
                    return Row::of(answer, begin.elapsed().as_secs_f64() * 1e6);
                }
                let path = find(ends, &mut scratch);
                let micros = begin.elapsed().as_secs_f64() * 1e6;
                let reason = path.as_ref().err().map(reason);
                Row {
                    found: path.is_ok(),
                    length: path.ok().map(|path| path.length),
                    micros,
                    reason,
                    partial: None,
                }
            })
        })
        .collect();
    report(results, target, common)
}

/// Writes or prints the answers.
pub fn report(results: Vec<Row>, target: Option<&Path>, common: Common) -> Result<Answer> {
    let (found, count) = (results.iter().filter(|row| row.found).count(), results.len());
    let json = common.json || target.is_some_and(|target| ending(target) == "json");
    let (csv, results) = (csv(&results), Results { results });
    let object = match json {
        true => serde_json::to_string(&results).context("cannot write JSON")? + "\n",
        false => String::new(),
    };
    match target {
        Some(target) => {
            let as_json = ending(target) == "json";
            output::write(target, if as_json { &object } else { &csv }.as_bytes())?;
            if common.json {
                print(&object)?;
            } else {
                print(&format!("{found} of {count} paths found; wrote {}\n", target.display()))?;
            }
        }
        None => print(if common.json { &object } else { &csv })?,
    }
    Ok(Answer::Yes)
}

fn csv(rows: &[Row]) -> String {
    let mut out = String::from("found,length,micros\n");
    for row in rows {
        let length = row.length.map(|length| length.to_string()).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{},{length},{:.3}", row.found, row.micros);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_four_or_six_numbers_and_a_header_may_come_first() {
        let rows = parse("fromx,fromy,tox,toy\n1,2,3,4\n\n1, 2, 3, 4, 5, 6\r\n").unwrap();
        assert_eq!(rows, [[dvec3(1., 2., 0.), dvec3(3., 4., 0.)], [dvec3(1., 2., 3.), dvec3(4., 5., 6.)]]);
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        for (text, line) in
            [("1,2,3,4\n1,2,x,4", 2), ("a,b,c,d\n\n1,2,3", 3), ("1,nan,3,4", 1), ("1,2,3,1e9", 1)]
        {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(&format!("line {line}:")), "{error}");
        }
        assert!(parse("fromx,fromy,tox,toy\n").is_err());
    }

    #[test]
    fn another_separator_is_named() {
        for (text, name) in [
            ("1;1;5;5", "';'"),
            ("a;b;c;d\n1; 1; 5; 5", "';'"),
            ("1\t1\t5\t5", "tabs"),
            ("1 1  5 5", "blanks"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(&format!("not by {name}")), "{error}");
        }
    }
}
