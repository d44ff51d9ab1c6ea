//! Documents rot unless checked: `docs/architecture.md` and the links of every document against the tree.
//!
//! 1. The crate table names exactly the folders in `crates/`; a row's last column is what the crate may use.
//! 2. A crate uses no other crate of the workspace than its row allows, and rows only name rows above them.
//! 3. Every path in backticks in `docs/architecture.md` exists.
//! 4. Every relative link of every Markdown file leads to a file.

use crate::{repository, run};
use anyhow::{Context as _, Result, bail};
use std::{collections::BTreeMap, fs, path::Path};

const DOCUMENT: &str = "docs/architecture.md";

/// Reports every disagreement at once.
pub fn check() -> Result<()> {
    let text = repository::text(Path::new(DOCUMENT))?.context("docs/architecture.md is not text")?;
    let mut faults = Vec::new();
    check_table(&crate_table(&text), &crate_folders()?, &used_crates()?, &mut faults);
    let root = repository::root();
    for path in paths_in_backticks(&text) {
        if !root.join(&path).exists() {
            faults.push(format!("{DOCUMENT} names {path}, which is not there"));
        }
    }
    for file in repository::files()? {
        if file.extension().is_some_and(|ending| ending == "md")
            && let Some(text) = repository::text(&file)?
        {
            let folder = root.join(&file).parent().map(Path::to_path_buf).unwrap_or_default();
            for link in relative_links(&text) {
                if !folder.join(&link).exists() {
                    faults.push(format!("{}: the link to {link} leads nowhere", file.display()));
                }
            }
        }
    }
    if !faults.is_empty() {
        bail!("documents and tree disagree:\n{}", faults.join("\n"));
    }
    Ok(())
}

/// The names of the folders in `crates/`, sorted.
pub fn crate_folders() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(repository::root().join("crates")).context("cannot list crates/")? {
        let entry = entry?;
        if entry.path().join("Cargo.toml").exists() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// The rows of the table below the heading `## Crates`: a crate and what it may use.
fn crate_table(text: &str) -> Vec<(String, Vec<String>)> {
    let section = text.split("\n## ").find(|section| section.starts_with("Crates")).unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let columns: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let name = columns.first().and_then(|first| first.split('`').nth(1)).unwrap_or_default();
        let uses = columns.last().copied().unwrap_or_default();
        let uses = uses
            .split(',')
            .map(|name| name.trim().trim_matches('`'))
            .filter(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase()));
        (name.to_owned(), uses.map(str::to_owned).collect())
    })
    .collect()
}

/// What each crate of the workspace uses of the others, by folder name, as cargo sees it.
fn used_crates() -> Result<BTreeMap<String, Vec<String>>> {
    let tree = run::output(
        "cargo",
        &[
            "tree",
            "--workspace",
            "--all-features",
            "--edges",
            "normal,build",
            "--depth",
            "1",
            "--prefix",
            "depth",
        ],
    )?;
    Ok(parse_tree(&tree))
}

fn parse_tree(tree: &str) -> BTreeMap<String, Vec<String>> {
    let mut used: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut current = String::new();
    for line in tree.lines() {
        let package = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let name = package.split(' ').next().unwrap_or_default();
        let folder = name.strip_prefix("wayfare-").unwrap_or(name).to_owned();
        if line.starts_with('0') {
            current = folder;
            used.entry(current.clone()).or_default();
        } else if line.starts_with('1') && name.starts_with("wayfare") {
            used.entry(current.clone()).or_default().push(folder);
        }
    }
    used
}

fn check_table(
    table: &[(String, Vec<String>)],
    folders: &[String],
    used: &BTreeMap<String, Vec<String>>,
    faults: &mut Vec<String>,
) {
    let row_of = |name: &str| table.iter().position(|(other, _)| other == name);
    for folder in folders {
        if row_of(folder).is_none() {
            faults.push(format!("crates/{folder} has no row in the table of {DOCUMENT}"));
        }
    }
    for (row, (name, allowed)) in table.iter().enumerate() {
        if !folders.contains(name) {
            faults.push(format!("the table of {DOCUMENT} names the crate {name}, which is not there"));
        }
        for other in allowed {
            if row_of(other).is_none_or(|above| above >= row) {
                faults.push(format!("{DOCUMENT}: {name} may use {other}, which is no row above it"));
            }
        }
        for other in used.get(name).into_iter().flatten() {
            if !allowed.contains(other) {
                faults.push(format!("{name} uses {other}, but its row in {DOCUMENT} does not allow it"));
            }
        }
    }
}

/// What looks like a path of the repository: has a slash, or ends like a file; no blanks, no patterns.
fn paths_in_backticks(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
            continue;
        }
        if in_block {
            continue;
        }
        for word in line.split('`').skip(1).step_by(2) {
            let plain = !word.contains([' ', '*', '<', ':', '…', '(', '|', '$'])
                && !word.starts_with(['-', '.', '/']);
            let ending = word.rsplit('.').next().is_some_and(|ending| ["rs", "md", "toml"].contains(&ending));
            if plain && (word.contains('/') || (ending && word.contains('.'))) {
                paths.push(word.trim_end_matches('/').to_owned());
            }
        }
    }
    paths
}

/// The targets of `[text](target)` that are neither addresses nor places within the same document.
fn relative_links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    for part in text.split("](").skip(1) {
        let Some(target) = part.split([')', ' ']).next() else { continue };
        let target = target.split('#').next().unwrap_or_default();
        if !target.is_empty() && !target.contains("://") && !target.contains("::") && !target.contains('@') {
            links.push(target.to_owned());
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A\n\n## Crates\n\n| crate | what | uses |\n|---|---|---|\n| `core` | ids | – |\n\
        | `geom` | predicates | core |\n\n## Else\n\nSee `crates/core/src/ids.rs`, `a::b` and [it](../x.md#y).\n";

    fn faults(folders: &[&str], tree: &str) -> Vec<String> {
        let folders: Vec<String> = folders.iter().map(|&name| name.to_owned()).collect();
        let mut faults = Vec::new();
        check_table(&crate_table(TEXT), &folders, &parse_tree(tree), &mut faults);
        faults
    }

    #[test]
    fn a_tree_that_agrees_has_no_faults() {
        let tree =
            "0wayfare-core v0.1.0 (p)\n1libm v1\n\n0wayfare-geom v0.1.0 (p)\n1wayfare-core v0.1.0 (p)\n";
        assert_eq!(faults(&["core", "geom"], tree), Vec::<String>::new());
    }

    #[test]
    fn a_new_crate_a_gone_crate_and_a_forbidden_arrow_are_reported_at_once() {
        let tree = "0wayfare-core v0.1.0\n1wayfare-geom v0.1.0\n";
        let faults = faults(&["core", "floor"], tree);
        assert_eq!(faults.len(), 3, "{faults:?}");
    }

    #[test]
    fn paths_and_links_are_found() {
        assert_eq!(paths_in_backticks(TEXT), ["crates/core/src/ids.rs"]);
        assert_eq!(relative_links(TEXT), ["../x.md"]);
    }
}
