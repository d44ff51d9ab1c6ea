//! MovingAI voxel maps (`.3dmap`): the size of the box, then the filled voxels, three numbers a line.
//!
//! Source: N. Sturtevant, the voxel benchmarks of movingai.com. Voxel (i, j, k) fills [i, i+1] × [j, j+1] × [k, k+1]; nothing
//! is turned. Cost: O(file).

use crate::{ReadError, error::Fault, unpack};
use std::path::Path;

/// A box of voxels, some of which are filled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VoxelMap {
    /// Voxels along x, y and z; at least 1 each.
    pub size: [u32; 3],
    /// The filled voxels, ascending and each once.
    pub filled: Vec<[u32; 3]>,
}

/// The longest side of a map: with 16 bits each, a voxel is one number.
const LONGEST: u32 = 1 << 16;

impl VoxelMap {
    /// Number of voxels that are not filled.
    pub fn free_count(&self) -> u64 {
        self.size.iter().map(|&side| u64::from(side)).product::<u64>() - self.filled.len() as u64
    }

    /// Whether bytes look like a voxel map.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(b"voxel ")
    }

    /// Reads a map, gzipped or not; `name` is used in messages.
    pub fn from_bytes(bytes: &[u8], name: &Path, max_bytes: u64) -> Result<Self, ReadError> {
        let bytes = unpack::inflate(bytes, max_bytes).map_err(|fault| fault.into_error(name, &[]))?;
        parse(&bytes).map_err(|fault| fault.into_error(name, &bytes))
    }

    /// Reads a map from a file, gzipped or not.
    pub fn read(path: &Path, max_bytes: u64) -> Result<Self, ReadError> {
        let bytes = unpack::read_bytes(path, max_bytes)?;
        parse(&bytes).map_err(|fault| fault.into_error(path, &bytes))
    }
}

fn parse(bytes: &[u8]) -> Result<VoxelMap, Fault> {
    let mut at = 0;
    let header = line(bytes, &mut at).unwrap_or_default();
    let size = header.strip_prefix(b"voxel").and_then(numbers);
    let Some(size) = size.filter(|size| size.iter().all(|&side| (1..=LONGEST).contains(&side))) else {
        return Err(Fault::at(
            0,
            format!("the first line is not 'voxel' and three sizes from 1 to {LONGEST}"),
        ));
    };
    // A line has six bytes at least.
    let mut filled = Vec::with_capacity(bytes.len() / 6);
    loop {
        let start = at;
        let Some(text) = line(bytes, &mut at) else { break };
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let Some(voxel) = numbers(text) else {
            return Err(Fault::at(start, "a voxel is three whole numbers"));
        };
        if voxel.iter().zip(&size).any(|(at, side)| at >= side) {
            return Err(Fault::at(start, format!("voxel {voxel:?} is outside of the box {size:?}")));
        }
        filled.push(voxel);
    }
    filled.sort_unstable();
    filled.dedup();
    Ok(VoxelMap { size, filled })
}

/// The next line, without its end.
fn line<'a>(bytes: &'a [u8], at: &mut usize) -> Option<&'a [u8]> {
    let rest = bytes.get(*at..).filter(|rest| !rest.is_empty())?;
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    *at += end + 1;
    Some(&rest[..end])
}

/// Exactly three whole numbers.
fn numbers(text: &[u8]) -> Option<[u32; 3]> {
    let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut next = || {
        let word = words.next()?;
        if word.len() > 9 || !word.iter().all(u8::is_ascii_digit) {
            return None;
        }
        Some(word.iter().fold(0u32, |number, digit| number * 10 + u32::from(digit - b'0')))
    };
    let out = [next()?, next()?, next()?];
    next().is_none().then_some(out).filter(|_| words.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<VoxelMap, String> {
        VoxelMap::from_bytes(text.as_bytes(), Path::new("x.3dmap"), 1 << 20)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn voxels_are_sorted_and_each_is_there_once() {
        let map = read("voxel 3 4 5\n2 3 4\r\n0 0 0\n\n2 3 4").unwrap();
        assert_eq!(map, VoxelMap { size: [3, 4, 5], filled: vec![[0, 0, 0], [2, 3, 4]] });
        assert_eq!(map.free_count(), 58);
        assert!(read("voxel 1 1 1\n").unwrap().filled.is_empty());
    }

    #[test]
    fn bad_lines_are_named() {
        for (text, words) in [
            ("", "x.3dmap: line 1"),
            ("voxel 0 1 1\n", "line 1"),
            ("voxel 3 4\n", "line 1"),
            ("voxel 3 4 5\n1 1 1\n3 0 0\n", "line 3, column 1: voxel [3, 0, 0] is outside"),
            ("voxel 3 4 5\n1 1\n", "line 2"),
            ("voxel 3 4 5\n1 1 1 1\n", "line 2"),
            ("voxel 3 4 5\n1 -1 1\n", "line 2"),
            ("voxel 3 4 5\n1 1 99999999999\n", "line 2"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
