//! `cargo xtask page`: builds the viewer's page with npm, and tests it in a browser.

use crate::{
    repository,
    run::{no_arguments, output_with, run as start, run_with, works},
};
use anyhow::{Context as _, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The environment variable that names the browser.
const BROWSER: &str = "CHROMIUM";

/// The one that names the command behind the page.
const COMMAND: &str = "WAYFARE";

/// Builds the page, whether it is old or not.
pub fn run(rest: &[String]) -> Result<()> {
    no_arguments("page", rest)?;
    build()
}

/// Builds the page if it is missing or older than what it is made of.
pub fn build_if_old() -> Result<()> {
    if is_old()? { build() } else { Ok(()) }
}

/// The same where a page is welcome but not needed: without npm everything works but `wayfare view`.
pub fn build_if_possible() -> Result<()> {
    if !works("npm", &["--version"]) {
        eprintln!("npm is not there, so that `wayfare view` will have no page; everything else works");
        return Ok(());
    }
    build_if_old()
}

fn build() -> Result<()> {
    if !works("npm", &["--version"]) {
        bail!("the viewer's page needs npm (Node.js 20 or newer), which is not there");
    }
    if is_older(&viewer("node_modules/.package-lock.json"), &[viewer("package-lock.json")])? {
        start("npm", &["--prefix", "viewer", "ci", "--no-audit", "--no-fund"])?;
    }
    start("npm", &["--prefix", "viewer", "run", "--silent", "build"])
}

/// The one that asks for the tests that take long.
const FULL: &str = "WAYFARE_FULL";

/// Tests the page in a real browser, with the command of the last build behind it.
pub fn test(full: bool) -> Result<()> {
    let browser = need_browser()?;
    let command = repository::built("debug", "wayfare");
    let mut environment = vec![(BROWSER, browser.as_str()), (COMMAND, command.as_str())];
    environment.extend(full.then_some((FULL, "1")));
    run_with("npm", &["--prefix", "viewer", "test"], &environment)
}

/// Measures how fast the viewer is; Markdown.
pub fn measure() -> Result<String> {
    let browser = need_browser()?;
    start("cargo", &["build", "--quiet", "--package", "wayfare", "--bin", "wayfare", "--release"])?;
    let command = repository::built("release", "wayfare");
    let environment = [(BROWSER, browser.as_str()), (COMMAND, command.as_str())];
    output_with("node", &["viewer/test/measure.mjs"], &environment)
}

fn need_browser() -> Result<String> {
    if browser().is_none() {
        install_browser()?;
    }
    browser().context("no Chromium is there although it was installed")
}

/// A Chromium that is there: the one that was named, else one that lies where systems put it.
fn browser() -> Option<String> {
    let named = std::env::var(BROWSER).ok();
    let folders: Vec<PathBuf> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let known = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let known = known.filter(|path| path.is_file()).map(|path| path.to_string_lossy().into_owned());
    named.into_iter().chain(known).find(|path| works(path, &["--version"]))
}

fn install_browser() -> Result<()> {
    const HOW: &str = "the viewer's tests need Chromium; install it, or name its path in CHROMIUM";
    if !works("apt-get", &["--version"]) {
        bail!("{HOW}");
    }
    start("apt-get", &["update", "-qq"]).context(HOW)?;
    start("apt-get", &["install", "-y", "-qq", "--no-install-recommends", "chromium"]).context(HOW)
}

fn viewer(name: &str) -> PathBuf {
    repository::root().join("viewer").join(name)
}

fn is_old() -> Result<bool> {
    let mut sources = vec![viewer("package-lock.json"), viewer("build.mjs"), viewer("tsconfig.json")];
    add_files(&viewer("src"), &mut sources)?;
    is_older(&viewer("dist/page.js"), &sources)
}

/// Whether a file is missing or older than one of some others.
fn is_older(file: &Path, than: &[PathBuf]) -> Result<bool> {
    let Ok(own) = changed(file) else { return Ok(true) };
    for source in than {
        if changed(source).with_context(|| format!("cannot look at {}", source.display()))? > own {
            return Ok(true);
        }
    }
    Ok(false)
}

fn changed(file: &Path) -> std::io::Result<SystemTime> {
    fs::metadata(file)?.modified()
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot look into {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            add_files(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
