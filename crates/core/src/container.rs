//! The one container of all product files: a kind, a version, named sections, a checksum.
//!
//! Layout, little-endian, specified for others in `docs/format.md`:
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | magic `WAYFARE\0` |
//! | 8..12 | kind, four ASCII letters |
//! | 12..16 | version of the kind, `u32` |
//! | 16..24 | length of the whole file, `u64` |
//! | 24..32 | XXH3-64 of all bytes from 32 on, seeded with the first 24 bytes' hash |
//! | 32..36 | number of sections, `u32`; 36..40 zero |
//! | then | per section: name (8 bytes, zero padded), offset `u64`, length `u64` |
//! | then | the sections, each starting at a multiple of 8, gaps zero |
//!
//! Reading trusts nothing: sizes come from the bytes that are there, never from a field alone, and
//! a file that was cut, lengthened or changed anywhere is refused before any section is looked at.
//! Writing goes to a file beside the target that is renamed at the end: no reader ever sees half.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const MAGIC: &[u8; 8] = b"WAYFARE\0";
const HEADER: usize = 40;
const ENTRY: usize = 24;

/// Why bytes are not a product file of the expected kind.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// The file could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file could not be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The first bytes are not wayfare's.
    #[error("not a wayfare file (wrong first bytes)")]
    Magic,
    /// A product, but of another kind.
    #[error("holds a product of kind '{found}', expected '{expected}'")]
    Kind {
        /// The kind in the file.
        found: String,
        /// The kind asked for.
        expected: String,
    },
    /// Written by a newer or an older wayfare.
    #[error("version {found} of kind '{kind}' is {}", versus(.found, .newest))]
    Version {
        /// The kind in the file.
        kind: String,
        /// The version in the file.
        found: u32,
        /// The version that is understood.
        newest: u32,
    },
    /// The bytes are not those that were written.
    #[error("file is truncated or altered: {0}")]
    Damaged(String),
    /// A section that must be there is not.
    #[error("section '{0}' is missing")]
    Missing(String),
}

/// What a version is to the one that is understood.
fn versus(found: &u32, newest: &u32) -> String {
    if found > newest {
        format!("newer than this program reads ({newest})")
    } else {
        format!("older than this program reads ({newest}): make the file again")
    }
}

/// A number that sections hold arrays of.
pub trait Scalar: Copy + Sized {
    /// Bytes of one number.
    const SIZE: usize;
    /// Appends the number to `out`.
    fn put(self, out: &mut Vec<u8>);
    /// Reads the number from exactly `SIZE` bytes.
    fn get(bytes: &[u8]) -> Self;
}
macro_rules! scalar {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            const SIZE: usize = size_of::<$t>();
            #[inline]
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            #[inline]
            fn get(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$t>()];
                own.copy_from_slice(bytes);
                <$t>::from_le_bytes(own)
            }
        }
    )*};
}
scalar!(u8, u16, u32, u64, f32, f64);

/// Collects sections and writes them.
#[derive(Debug)]
pub struct ContainerWriter {
    kind: [u8; 4],
    version: u32,
    sections: Vec<([u8; 8], Vec<u8>)>,
}

impl ContainerWriter {
    /// An empty container of a kind (four ASCII letters) and its version.
    pub fn new(kind: [u8; 4], version: u32) -> Self {
        Self { kind, version, sections: Vec::new() }
    }

    /// Adds an array of numbers as a section.
    ///
    /// # Panics
    /// When `name` is longer than 8 bytes or was used before.
    pub fn put<T: Scalar>(&mut self, name: &str, values: impl IntoIterator<Item = T>) {
        let values = values.into_iter();
        let mut bytes = Vec::with_capacity(values.size_hint().0 * T::SIZE);
        for value in values {
            value.put(&mut bytes);
        }
        let name = section_name(name).expect("section names have at most 8 bytes");
        assert!(self.sections.iter().all(|(other, _)| *other != name), "section names are unique");
        self.sections.push((name, bytes));
    }

    /// Adds a text as a section.
    pub fn put_text(&mut self, name: &str, text: &str) {
        self.put(name, text.bytes());
    }

    /// The whole file as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![0; HEADER + ENTRY * self.sections.len()];
        for (k, (name, bytes)) in self.sections.iter().enumerate() {
            out.resize(out.len().next_multiple_of(8), 0);
            let offset = out.len() as u64;
            out.extend_from_slice(bytes);
            let entry = &mut out[HEADER + ENTRY * k..][..ENTRY];
            entry[..8].copy_from_slice(name);
            entry[8..16].copy_from_slice(&offset.to_le_bytes());
            entry[16..].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        }
        out.resize(out.len().next_multiple_of(8), 0);
        let length = out.len() as u64;
        out[..8].copy_from_slice(MAGIC);
        out[8..12].copy_from_slice(&self.kind);
        out[12..16].copy_from_slice(&self.version.to_le_bytes());
        out[16..24].copy_from_slice(&length.to_le_bytes());
        out[32..36].copy_from_slice(&(self.sections.len() as u32).to_le_bytes());
        let sum = checksum(&out);
        out[24..32].copy_from_slice(&sum.to_le_bytes());
        out
    }

    /// Writes the file atomically: beside the target first, then renamed.
    pub fn write(&self, path: &Path) -> Result<(), ContainerError> {
        write_atomically(path, &self.to_bytes())
            .map_err(|source| ContainerError::Write { path: path.into(), source })
    }
}

/// Writes `bytes` beside `path` and renames: the target is whole or untouched, and no scrap stays behind.
///
/// What a link points to is replaced, not the link; devices and pipes are written to, never replaced.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Where the target is not there yet, or a link leads nowhere, the name itself is the place.
    let resolved = fs::canonicalize(path);
    let path = resolved.as_deref().unwrap_or(path);
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"));
    };
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "the path is a folder"));
    }
    if path.exists() && !path.is_file() {
        return fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let mut beside = name.to_os_string();
    beside.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(beside);
    let written = fs::File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&part, path)
    });
    if written.is_err() {
        // The first error is the one to tell; a scrap that cannot be removed cannot be helped.
        let _ = fs::remove_file(&part);
    }
    written
}

/// A checked container whose sections can be read.
#[derive(Debug)]
pub struct Container {
    bytes: Vec<u8>,
    kind: [u8; 4],
    version: u32,
    sections: Vec<([u8; 8], std::ops::Range<usize>)>,
}

impl Container {
    /// Reads and checks a file.
    pub fn read(path: &Path) -> Result<Self, ContainerError> {
        let bytes = fs::read(path).map_err(|source| ContainerError::Read { path: path.into(), source })?;
        Self::from_bytes(bytes)
    }

    /// Checks bytes: magic, length, checksum, section table.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ContainerError> {
        let damaged = |what: &str| Err(ContainerError::Damaged(what.into()));
        if bytes.len() < 8 || &bytes[..8] != MAGIC {
            return Err(ContainerError::Magic);
        }
        if bytes.len() < HEADER {
            return damaged("shorter than the header");
        }
        let length = u64::get(&bytes[16..24]);
        if length != bytes.len() as u64 {
            return Err(ContainerError::Damaged(format!("{} bytes, {length} were written", bytes.len())));
        }
        if u64::get(&bytes[24..32]) != checksum(&bytes) {
            return damaged("the checksum does not match");
        }
        // From here on the bytes are those of some writer, but not surely of ours.
        let count = u32::get(&bytes[32..36]) as usize;
        let Some(table) = count.checked_mul(ENTRY).and_then(|len| bytes.get(HEADER..HEADER + len)) else {
            return damaged("the section table is longer than the file");
        };
        let mut sections = Vec::with_capacity(count);
        for entry in table.chunks_exact(ENTRY) {
            let mut name = [0; 8];
            name.copy_from_slice(&entry[..8]);
            let (offset, length) = (u64::get(&entry[8..16]), u64::get(&entry[16..24]));
            let end = offset.checked_add(length).filter(|&end| end <= bytes.len() as u64);
            let Some(end) = end else {
                return damaged("a section lies outside the file");
            };
            if sections.iter().any(|(other, _)| *other == name) {
                return damaged("a section is there twice");
            }
            sections.push((name, offset as usize..end as usize));
        }
        let mut kind = [0; 4];
        kind.copy_from_slice(&bytes[8..12]);
        let version = u32::get(&bytes[12..16]);
        Ok(Self { kind, version, sections, bytes })
    }

    /// The kind of product in the file.
    pub fn kind(&self) -> [u8; 4] {
        self.kind
    }

    /// Version of the kind.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Fails unless the file holds this kind in a version up to `newest`.
    pub fn expect_kind(&self, kind: [u8; 4], newest: u32) -> Result<(), ContainerError> {
        let words = |kind: &[u8]| String::from_utf8_lossy(kind).into_owned();
        if self.kind != kind {
            return Err(ContainerError::Kind { found: words(&self.kind), expected: words(&kind) });
        }
        if self.version != newest {
            return Err(ContainerError::Version { kind: words(&kind), found: self.version, newest });
        }
        Ok(())
    }

    /// Whether a section is there.
    pub fn has(&self, name: &str) -> bool {
        self.section(name).is_some()
    }

    /// The numbers of a section.
    pub fn get<T: Scalar>(&self, name: &str) -> Result<Vec<T>, ContainerError> {
        let bytes = self.section(name).ok_or_else(|| ContainerError::Missing(name.into()))?;
        if !bytes.len().is_multiple_of(T::SIZE) {
            return Err(ContainerError::Damaged(format!(
                "section '{name}' has {} bytes, not a multiple of {}",
                bytes.len(),
                T::SIZE
            )));
        }
        Ok(bytes.chunks_exact(T::SIZE).map(T::get).collect())
    }

    /// The text of a section.
    pub fn get_text(&self, name: &str) -> Result<String, ContainerError> {
        String::from_utf8(self.get::<u8>(name)?)
            .map_err(|_| ContainerError::Damaged(format!("section '{name}' is not UTF-8")))
    }

    fn section(&self, name: &str) -> Option<&[u8]> {
        let name = section_name(name)?;
        let (_, range) = self.sections.iter().find(|(other, _)| *other == name)?;
        Some(&self.bytes[range.clone()])
    }
}

fn section_name(name: &str) -> Option<[u8; 8]> {
    let mut padded = [0; 8];
    padded.get_mut(..name.len())?.copy_from_slice(name.as_bytes());
    Some(padded)
}

/// Covers every byte but the checksum's own.
fn checksum(file: &[u8]) -> u64 {
    xxh3_64_with_seed(&file[32..], xxh3_64(&file[..24]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> ContainerWriter {
        let mut writer = ContainerWriter::new(*b"TEST", 3);
        writer.put("numbers", [1.5f64, -0.0, f64::MAX]);
        writer.put("odd", [1u8, 2, 3]);
        writer.put_text("names", "Tür");
        writer.put::<u32>("none", []);
        writer
    }

    #[test]
    fn sections_come_back_as_they_were_written() {
        let read = Container::from_bytes(sample().to_bytes()).unwrap();
        read.expect_kind(*b"TEST", 3).unwrap();
        assert_eq!(read.get::<f64>("numbers").unwrap(), [1.5, -0.0, f64::MAX]);
        assert_eq!(read.get::<u8>("odd").unwrap(), [1, 2, 3]);
        assert_eq!(read.get_text("names").unwrap(), "Tür");
        assert!(read.get::<u32>("none").unwrap().is_empty());
        assert!(matches!(read.get::<u32>("odd"), Err(ContainerError::Damaged(_))));
        assert!(matches!(read.get::<u8>("missing"), Err(ContainerError::Missing(_))));
        assert!(matches!(read.expect_kind(*b"ELSE", 3), Err(ContainerError::Kind { .. })));
        assert!(matches!(read.expect_kind(*b"TEST", 2), Err(ContainerError::Version { .. })));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_refused() {
        let good = sample().to_bytes();
        for bit in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(Container::from_bytes(bad).is_err(), "bit {bit}");
        }
        for length in 0..good.len() {
            assert!(Container::from_bytes(good[..length].to_vec()).is_err(), "length {length}");
        }
    }

    #[test]
    fn a_failed_write_leaves_no_scrap_and_the_old_file_whole() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("there");
        fs::create_dir(&target).unwrap();
        assert!(sample().write(&target).is_err());
        assert!(sample().write(&folder.path().join("no/such/folder/x")).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let file = folder.path().join("x.way");
        sample().write(&file).unwrap();
        assert!(Container::read(&file).is_ok());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_are_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let device = folder.path().join("device");
        std::os::unix::fs::symlink("/dev/null", &device).unwrap();
        write_atomically(&device, b"gone").unwrap();
        assert!(!Path::new("/dev/null").is_file());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_read_without_a_panic(
            mut bytes in prop::collection::vec(any::<u8>(), 0..200), sign in any::<bool>()
        ) {
            if sign && bytes.len() >= 40 {
                // A writer that is not ours but knows the checksum.
                bytes[..8].copy_from_slice(MAGIC);
                let length = bytes.len() as u64;
                bytes[16..24].copy_from_slice(&length.to_le_bytes());
                let sum = checksum(&bytes);
                bytes[24..32].copy_from_slice(&sum.to_le_bytes());
            }
            if let Ok(read) = Container::from_bytes(bytes) {
                let _ = read.get::<f64>("numbers");
            }
        }
    }
}
