//! Where the repository lies and which files belong to it.

use anyhow::{Context as _, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The folder with the workspace's `Cargo.toml`.
pub fn root() -> PathBuf {
    // The manifest folder is baked in by cargo: `xtask` lies directly below the root.
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// The folder that cargo builds into.
pub fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    root().join(named.unwrap_or_else(|| "target".into()))
}

/// A program that cargo has built.
pub fn built(profile: &str, name: &str) -> String {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    target().join(profile).join(file).to_string_lossy().into_owned()
}

/// Every file of the repository, relative to its root and sorted: what git tracks or would add, or, where
/// there is no git, every file outside of build folders.
pub fn files() -> Result<Vec<PathBuf>> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root())
        .output();
    let mut files: Vec<PathBuf> = match listed {
        Ok(output) if output.status.success() => {
            let names = String::from_utf8_lossy(&output.stdout).into_owned();
            names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect()
        }
        _ => {
            let mut files = Vec::new();
            walk(&root(), Path::new(""), &mut files)?;
            files
        }
    };
    files.retain(|file| root().join(file).is_file());
    files.sort();
    files.dedup();
    Ok(files)
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let place = root.join(folder);
    for entry in fs::read_dir(&place).with_context(|| format!("cannot list {}", place.display()))? {
        let entry = entry?;
        let name = entry.file_name();
        let skipped = [".git", "target", "node_modules", "dist", "wayfare-demo", "corpus", "artifacts"];
        if skipped.iter().any(|skip| name == *skip) {
            continue;
        }
        let path = folder.join(&name);
        if entry.file_type()?.is_dir() { walk(root, &path, files)? } else { files.push(path) }
    }
    Ok(())
}

/// The text of a file, or nothing where it is not text.
pub fn text(file: &Path) -> Result<Option<String>> {
    let path = root().join(file);
    let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8(bytes).ok())
}
