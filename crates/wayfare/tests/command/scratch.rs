//! A scratch folder and the command run in it.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A room of 10 m × 6 m with a pillar of 2 m × 4 m in the middle.
pub const ROOM: &str = "POLYGON ((0 0, 10 0, 10 6, 0 6, 0 0), (4 1, 4 5, 6 5, 6 1, 4 1))";
/// Two rooms without a door.
pub const TWO_ROOMS: &str = "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((6 0, 10 0, 10 4, 6 4, 6 0)))";

/// A folder that goes away with the test.
pub struct Scratch(tempfile::TempDir);

/// What a run of the command left.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Scratch {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder can be made"))
    }
    /// A folder with `room.wkt` and `room.way`.
    pub fn with_room() -> Self {
        let scratch = Self::new();
        scratch.write("room.wkt", ROOM);
        scratch.run(&["bake", "room.wkt", "-o", "room.way"]).is(0);
        scratch
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    pub fn folder(&self) -> &Path {
        self.0.path()
    }
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("a scratch file can be written");
    }
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
    /// The names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder()).expect("the scratch folder can be listed");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wayfare"));
        command.args(arguments).current_dir(self.folder()).stdin(Stdio::null());
        command
    }
    pub fn run(&self, arguments: &[&str]) -> Run {
        let output = self.command(arguments).output().expect("the command can be started");
        Run {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        }
    }
    /// Runs a command that must be refused, and checks that it left no file behind and none changed.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let content = |name: &String| fs::read(self.path(name)).ok();
        let before: Vec<_> = self.names().into_iter().map(|name| (content(&name), name)).collect();
        let message = self.run(arguments).refused();
        let after: Vec<_> = self.names().into_iter().map(|name| (content(&name), name)).collect();
        assert!(before == after, "{arguments:?} changed files: {:?}", self.names());
        message
    }
}

impl Run {
    /// Checks the exit code.
    #[track_caller]
    pub fn is(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
    /// The one JSON object on standard output; nothing else may be there.
    #[track_caller]
    pub fn json(&self) -> Value {
        let value: Value =
            serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        assert!(value.is_object());
        assert_eq!(self.out.lines().count(), 1);
        value
    }
    /// Checks that the command failed as it should: exit code 2, one clear line, nothing on standard output.
    #[track_caller]
    pub fn refused(self) -> String {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.out, "", "nothing on standard output");
        assert_eq!(self.err.lines().count(), 1, "one line: {}", self.err);
        assert!(self.err.starts_with("error: ") && self.err.len() < 600, "{}", self.err);
        for word in ["panicked", "RUST_BACKTRACE", "mistake in wayfare", "unwrap"] {
            assert!(!self.err.contains(word), "{}", self.err);
        }
        self.err
    }
}

/// Fails unless the object has exactly the keys that are promised, or more.
#[track_caller]
pub fn has_keys(object: &Value, keys: &[&str]) {
    for key in keys {
        assert!(object.get(key).is_some(), "'{key}' is missing in {object}");
    }
}

/// The path of a scene of the shared data, if that is at hand.
pub fn shared_scene(name: &str) -> Option<String> {
    let places = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = places.map(|folder| folder.join("shared/data/scenes").join(name)).find(|path| path.is_file());
    if found.is_none() {
        eprintln!("shared/data/scenes/{name} is not there: nothing is tested with it");
    }
    found.map(|path| path.to_string_lossy().into_owned())
}
