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
use std::{
    fmt::Write as _,
    io::{self, Read as _},
    path::Path,
    time::Instant,
};
use wayfare::{
    core::{DVec3, dvec3},
    navmesh::{Blocks, NavMesh, PathFinder, PathScratch},
    scene,
};

/// Largest query file [bytes].
const MAX_BYTES: u64 = 4 << 30;

/// Start and goal of every row of a file, or of standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<[DVec3; 2]>> {
    let is_stdin = path.as_os_str() == "-";
    let name = if is_stdin { "standard input".into() } else { path.display().to_string() };
    let bytes = match is_stdin {
        true => read_stdin().with_context(|| format!("cannot read {name}"))?,
        false => scene::read_bytes(path, MAX_BYTES)?,
    };
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("{name}: the file is not text"))?;
    parse(&text).context(name)
}

fn read_stdin() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("it is larger than {MAX_BYTES} bytes");
    }
    Ok(bytes)
}

/// Where in a row which number stands: x, y, z of the start, then of the goal; none: z is 0.
type Columns = [Option<usize>; 6];

/// The columns of a header.
fn columns(header: &[&str]) -> Result<Columns> {
    const NAMES: [&str; 6] = ["fromx", "fromy", "fromz", "tox", "toy", "toz"];
    let plain = |name: &&str| -> String {
        let name = name.trim_matches('"').chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let name = name.to_lowercase();
        let ends = [("start", "from"), ("goal", "to"), ("end", "to")];
        let other = ends.iter().find_map(|(from, to)| Some(format!("{to}{}", name.strip_prefix(from)?)));
        other.unwrap_or(name)
    };
    let names: Vec<String> = header.iter().map(plain).collect();
    let place = |wanted: &str| names.iter().position(|name| name == wanted);
    let columns = NAMES.map(place);
    let is_whole =
        [0, 1, 3, 4].iter().all(|&k| columns[k].is_some()) && columns[2].is_some() == columns[5].is_some();
    // As many as there are, so none is unknown and none is there twice.
    if !is_whole || columns.iter().flatten().count() != header.len() {
        bail!(
            "the header '{}' is none that is known; it is fromx,fromy,fromz,tox,toy,toz or fromx,fromy,tox,toy, in any order",
            header.join(",")
        );
    }
    Ok(columns)
}

fn parse(text: &str) -> Result<Vec<[DVec3; 2]>> {
    let mut rows = Vec::new();
    let mut first = true;
    let mut header: Option<(usize, Columns)> = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split(',').map(|field| unquoted(field.trim())).collect();
        if let Some(separator) = foreign_separator(line) {
            bail!("line {}: columns are separated by ',', not by {separator}", number + 1);
        }
        // A header is a first row in which nothing is a number.
        let is_header = first && fields.iter().all(|field| field.parse::<f64>().is_err());
        first = false;
        let at = || format!("line {}", number + 1);
        if is_header {
            header = Some((fields.len(), columns(&fields).with_context(at)?));
            continue;
        }
        let row = match &header {
            Some((count, _)) if *count != fields.len() => {
                Err(format!("{} columns, but the header has {count}", fields.len()))
            }
            Some((_, columns)) => named_row(&fields, columns),
            None => row(&fields),
        };
        rows.push(row.map_err(|reason| anyhow!(reason)).with_context(at)?);
    }
    if rows.is_empty() {
        bail!("the file holds no query");
    }
    Ok(rows)
}

/// A field without the quotes that other programs write round it.
fn unquoted(field: &str) -> &str {
    field.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).map_or(field, str::trim)
}

/// What stands between the numbers of a line in which no comma does.
fn foreign_separator(line: &str) -> Option<&'static str> {
    let is_row = |separator: &char| {
        let mut parts = line.split(*separator).map(str::trim).filter(|part| !part.is_empty()).peekable();
        parts.by_ref().take(2).filter(|part| part.parse::<f64>().is_ok()).count() == 2
            && parts.all(|part| part.parse::<f64>().is_ok())
    };
    // A header in another manner.
    let is_header = |separator: &char| {
        !line.contains(',') && *separator != ' ' && [4, 6].contains(&line.split(*separator).count())
    };
    let separators = [(';', "';'"), ('\t', "tabs"), (' ', "blanks"), ('|', "'|'")];
    let found = separators.into_iter().find(|(separator, _)| is_row(separator) || is_header(separator));
    found.map(|(_, name)| name)
}

/// A row whose columns have names.
fn named_row(fields: &[&str], columns: &Columns) -> Result<[DVec3; 2], String> {
    let number = |k: usize| columns[k].map_or(Ok(0.0), |column| coordinate(fields[column]));
    let place = |k: usize| Ok::<_, String>(dvec3(number(k)?, number(k + 1)?, number(k + 2)?));
    Ok([place(0)?, place(3)?])
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
    /// Whether the path ends before the goal, if it may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<bool>,
}

impl Row {
    fn of(answer: Result<Found, Box<Missing>>, micros: f64, may_be_partial: bool) -> Self {
        match answer {
            // A found path knows how long its search took, without what was tried before.
            Ok(Found { length, micros, partial, .. }) => {
                Self { found: true, length: Some(length), micros, reason: None, partial }
            }
            Err(no) => {
                let partial = may_be_partial.then_some(false);
                Self { found: false, length: None, micros, reason: Some(no.reason), partial }
            }
        }
    }
}

#[derive(Serialize)]
struct Results {
    results: Vec<Row>,
    /// What of the question has no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// Answers every row, in order, whatever the number of threads.
pub fn answer(mesh: &NavMesh, rows: &[[DVec3; 2]], asked: &Asked, blocks: Blocks) -> Vec<Row> {
    let mut finder = PathFinder::new(mesh);
    *finder.blocks_mut() = blocks;
    let find = |[from, to]: [DVec3; 2], scratch: &mut PathScratch| asked.find(&finder, from, to, scratch);
    // Rows in blocks, so that each block warms its scratch memory once.
    let block = rows.len().div_ceil(rayon::current_num_threads()).max(1);
    rows.par_chunks(block)
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
                    return Row::of(answer, begin.elapsed().as_secs_f64() * 1e6, asked.partial);
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
        .collect()
}

/// Writes or prints the answers.
pub fn report(
    results: Vec<Row>,
    notes: Vec<String>,
    target: Option<&Path>,
    common: Common,
) -> Result<Answer> {
    let (found, count) = (results.iter().filter(|row| row.found).count(), results.len());
    let json = common.json || target.is_some_and(|target| ending(target) == "json");
    let (csv, results) = (csv(&results), Results { results, notes });
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
    // Where a path may end before the goal, a column more tells whether it does.
    let has_partial = rows.iter().any(|row| row.partial.is_some());
    let mut out =
        String::from(if has_partial { "found,length,micros,partial\n" } else { "found,length,micros\n" });
    for row in rows {
        let length = row.length.map(|length| length.to_string()).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = match row.partial {
            Some(partial) => writeln!(out, "{},{length},{:.3},{partial}", row.found, row.micros),
            None => writeln!(out, "{},{length},{:.3}", row.found, row.micros),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_four_or_six_numbers_and_a_header_may_come_first() {
        let rows = parse("1,2,3,4\n\n1, 2, 3, 4, 5, 6\r\n").unwrap();
        assert_eq!(rows, [[dvec3(1., 2., 0.), dvec3(3., 4., 0.)], [dvec3(1., 2., 3.), dvec3(4., 5., 6.)]]);
        let rows = parse("fromx,fromy,tox,toy\n1,2,3,4\n").unwrap();
        assert_eq!(rows, [[dvec3(1., 2., 0.), dvec3(3., 4., 0.)]]);
    }

    #[test]
    fn a_header_says_which_column_is_which_or_is_refused() {
        let rows = parse("to_x,to_y,to_z,\"Start X\",start_y,start_z\n1,2,3,4,5,6\n").unwrap();
        assert_eq!(rows, [[dvec3(4., 5., 6.), dvec3(1., 2., 3.)]]);
        for text in [
            "a,b,c,d\n1,2,3,4",
            "fromx,fromy,fromz,tox,toy\n1,2,3,4,5",
            "fromx,fromy,tox,toy,cost\n1,2,3,4,5",
            "fromx,fromx,fromy,tox,toy,toz\n1,2,3,4,5,6",
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains("line 1: the header"), "{error}");
        }
        let error = format!("{:#}", parse("fromx,fromy,tox,toy\n1,2,3,4,5,6").unwrap_err());
        assert!(error.contains("line 2: 6 columns, but the header has 4"), "{error}");
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        for (text, line) in
            [("1,2,3,4\n1,2,x,4", 2), ("fromx,fromy,tox,toy\n\n1,2,3", 3), ("1,nan,3,4", 1), ("1,2,3,1e9", 1)]
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
