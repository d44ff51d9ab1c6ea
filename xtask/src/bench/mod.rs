//! `cargo xtask bench [NAME]`: measures and writes the tables in `docs/results`; `cargo xtask bench crowd [SECTION…]` parts of one.
//!
//! Every bench is a program that checks its own answers and prints Markdown. Its table is kept with the
//! machine, the commit and the command, because a number without them says nothing. Times of different
//! programs are compared as ratios from one run only.

mod sections;

use crate::{
    page, repository,
    run::{output, run as start},
};
use anyhow::{Context as _, Result, bail};
use std::{fs, path::Path};

/// The comparisons with other programs: folders of `peers/` with a manifest, sorted.
pub fn peers() -> Result<Vec<String>> {
    let folder = repository::root().join("peers");
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).context("cannot list peers/")? {
        let entry = entry?;
        if entry.path().join("Cargo.toml").exists() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// The bench of a peer's folder: named as what it is compared with, which `rerecast` is a translation of.
fn peer_bench(folder: &str) -> &str {
    match folder {
        "rerecast" => "recast",
        other => other,
    }
}

/// The bench programs of testkit: the files in `testkit/src/bin`, sorted.
fn own() -> Result<Vec<String>> {
    let folder = repository::root().join("testkit/src/bin");
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).context("cannot list testkit/src/bin")? {
        let path = entry?.path();
        if let Some(name) = path.file_stem() {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

pub fn run(rest: &[String]) -> Result<()> {
    if let Some((CROWD, words)) = rest.split_first().map(|(first, words)| (first.as_str(), words)) {
        return sections::run(CROWD, words);
    }
    let (own, peers) = (own()?, peers()?);
    let wanted = |name: &str| rest.is_empty() || rest.iter().any(|asked| asked == name);
    for name in rest {
        if name != VIEWER && !own.contains(name) && !peers.iter().any(|folder| peer_bench(folder) == name) {
            let peers = peers.iter().map(|folder| peer_bench(folder));
            let names: Vec<&str> = own.iter().map(String::as_str).chain(peers).chain([VIEWER]).collect();
            bail!("there is no bench '{name}'; there are: {}", names.join(", "));
        }
    }
    for name in own.iter().filter(|name| wanted(name)) {
        let package = ["--package", "wayfare-testkit", "--features", "bench", "--bin", name];
        let mut table = measured(&[&["run", "--release", "--quiet"], &package[..]].concat())?;
        if name == GAPS && peers.iter().any(|folder| folder == "rerecast") {
            table.push('\n');
            table.push_str(&measured(&[&run_peer(&manifest("rerecast"))[..], &["--", GAPS]].concat())?);
        }
        write(name, &table)?;
    }
    for folder in peers.iter().filter(|folder| wanted(peer_bench(folder))) {
        if folder == CROWD {
            sections::run(CROWD, &[])?;
        } else {
            write(peer_bench(folder), &measured(&run_peer(&manifest(folder)))?)?;
        }
    }
    if wanted(VIEWER) {
        page::build_if_old()?;
        write(VIEWER, &page::measure()?)?;
    }
    Ok(())
}

/// The bench of the viewer, which runs in a browser.
const VIEWER: &str = "viewer";

/// The bench of crowds, which is measured in sections.
const CROWD: &str = "crowd";

/// The bench of gaps, to which a peer adds its part.
const GAPS: &str = "gaps";

fn manifest(folder: &str) -> String {
    format!("peers/{folder}/Cargo.toml")
}

fn run_peer(manifest: &str) -> [&str; 5] {
    ["run", "--release", "--quiet", "--manifest-path", manifest]
}

/// What a program of cargo's prints.
fn measured(arguments: &[&str]) -> Result<String> {
    // Built apart, so that no compiler runs beside the measurement.
    let mut build: Vec<&str> = arguments.iter().copied().take_while(|&word| word != "--").collect();
    build[0] = "build";
    start("cargo", &build)?;
    eprintln!("\n> cargo {}", arguments.join(" "));
    output("cargo", arguments)
}

/// Keeps a table with what it was measured on.
fn write(name: &str, table: &str) -> Result<()> {
    let commit = output("git", &["describe", "--always", "--dirty", "--abbrev=10"]).unwrap_or_default();
    let text = format!(
        "<!-- Written by `cargo xtask bench {name}`; do not edit. -->\n\n{}\n\n- commit: {}\n- machine: {}\n\
         - command: `cargo xtask bench {name}`\n",
        table.trim(),
        commit.trim(),
        machine()
    );
    let folder = repository::root().join("docs/results");
    fs::create_dir_all(&folder).context("cannot make docs/results")?;
    let file = folder.join(format!("{name}.md"));
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    eprintln!("wrote docs/results/{name}.md");
    Ok(())
}

/// Processor, cores and system in words.
fn machine() -> String {
    let processor = fs::read_to_string(Path::new("/proc/cpuinfo")).ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split(':').nth(1)?.trim().to_owned())
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = processor.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!("{processor}, {cores} cores, {}", std::env::consts::OS)
}
