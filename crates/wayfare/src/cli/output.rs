//! Where answers go: standard output, or files that are whole or not there.

use super::{Common, answer::one_line};
use anyhow::{Context as _, Result, bail};
use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
    sync::{Mutex, MutexGuard, PoisonError},
};
use wayfare::core::container::write_atomically;

/// Prints to standard output. A reader that closed the pipe has seen enough: that is no error.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Prints one JSON object on one line, without a zero below zero.
pub fn print_json(value: &impl serde::Serialize) -> Result<()> {
    struct Zero;
    impl serde_json::ser::Formatter for Zero {
        fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
            serde_json::ser::CompactFormatter.write_f64(writer, value + 0.0)
        }
    }
    let mut bytes = Vec::new();
    serde::Serialize::serialize(value, &mut serde_json::Serializer::with_formatter(&mut bytes, Zero))
        .context("cannot write JSON")?;
    let mut text = String::from_utf8(bytes).context("cannot write JSON")?;
    text.push('\n');
    print(&text)
}

/// Says a remark on standard error.
pub fn remark(quiet: bool, text: &str) {
    if !quiet && !one_line(text).is_empty() {
        // Nobody may be listening there; a remark is not worth failing for.
        let _ = writeln!(io::stderr(), "{}", one_line(text));
    }
}

/// Says what a reader assumed or left out; an answer in JSON has its own place for it, or none.
///
/// What was said before the work is not said again after it.
pub fn say_notes(notes: &[String], common: Common) {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    for note in notes {
        if !said.contains(note) {
            remark(common.quiet || common.json, &format!("note: {note}"));
            said.push(note.clone());
        }
    }
}

/// Notes that were said.
static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Prints the one line of a failure.
pub fn fail(message: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {}", one_line(message));
    ExitCode::from(2)
}

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file is being written, and keeps others from beginning.
pub fn writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a file beside its target and renames it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let _one_at_a_time = writing();
    write_atomically(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Fails before long work when the output cannot be written: its folder is missing, it is a folder itself, or it
/// is one of the inputs, by whatever name.
pub fn check_target(path: &Path, inputs: &[&Path]) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        bail!("cannot write {}: the folder {} is not there", path.display(), folder.display());
    }
    if path.is_dir() {
        bail!("cannot write {}: it is a folder", path.display());
    }
    // What is not there yet has no such name, and is no input.
    if let Ok(target) = fs::canonicalize(path)
        && inputs.iter().any(|input| fs::canonicalize(input).is_ok_and(|input| input == target))
    {
        bail!("{} is an input; choose another name for the output", path.display());
    }
    Ok(())
}

/// Fails where two outputs have one name, of which the later would replace the earlier.
pub fn check_apart(paths: &[&Path]) -> Result<()> {
    // The folder by its own name: what is not there yet has none.
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some((fs::canonicalize(folder).ok()?, path.file_name()?.to_owned()))
    };
    for (k, path) in paths.iter().enumerate() {
        if paths[..k]
            .iter()
            .any(|other| other == path || place(other).is_some_and(|it| place(path) == Some(it)))
        {
            bail!("{} is named twice; give each output a name of its own", path.display());
        }
    }
    Ok(())
}

/// The ending of a file's name in small letters.
pub fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}
