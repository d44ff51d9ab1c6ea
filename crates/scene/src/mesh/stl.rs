//! STL, as text and binary. Each triangle has three vertices of its own, in the order of the file.
//!
//! Source: 3D Systems, "StereoLithography Interface Specification", 1989. A binary file is 80 bytes of anything, the
//! number of triangles and 50 bytes for each; its first word may be `solid`, too, so that only its length tells.

use super::raw::RawMesh;
use crate::{cursor::Cursor, error::Fault};
use wayfare_core::{DVec3, dvec3};

const HEADER: usize = 84;
const RECORD: usize = 50;

pub(crate) fn read(bytes: &[u8]) -> Result<RawMesh, Fault> {
    if is_exactly_binary(bytes) || !is_text(bytes) { read_binary(bytes) } else { read_text(bytes) }
}

/// Whether the length is that of a binary file with its number of triangles. No text up to 27 GB can look like one: four
/// printable letters are a number over 500 million.
pub(crate) fn is_exactly_binary(bytes: &[u8]) -> bool {
    promised(bytes).is_some_and(|count| (HEADER as u64) + count * RECORD as u64 == bytes.len() as u64)
}

/// The number of triangles that a binary file promises.
fn promised(bytes: &[u8]) -> Option<u64> {
    bytes.get(80..HEADER)?.first_chunk().map(|count| u32::from_le_bytes(*count).into())
}

/// Whether the file starts like text: the word `solid`, and no zero byte nearby.
fn is_text(bytes: &[u8]) -> bool {
    let mut text = Cursor::new(bytes);
    text.word().eq_ignore_ascii_case(b"solid") && !bytes[..bytes.len().min(1024)].contains(&0)
}

fn read_binary(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let count = promised(bytes)
        .ok_or_else(|| Fault::whole(format!("{} bytes are too few for an STL file", bytes.len())))?;
    let records = bytes[HEADER..].chunks_exact(RECORD);
    let there = records.len() as u64;
    if there < count {
        return Err(Fault::whole(format!(
            "the STL file promises {count} triangles and has bytes for {there}"
        )));
    }
    let mut mesh = RawMesh::new();
    let extra = bytes.len() as u64 - HEADER as u64 - count * RECORD as u64;
    if extra > 0 {
        mesh.notes.push(format!("{extra} bytes behind the last triangle were left out"));
    }
    mesh.vertices.reserve_exact(3 * count as usize);
    mesh.triangles.reserve_exact(count as usize);
    for (k, record) in records.take(count as usize).enumerate() {
        // 12 bytes of normal, three corners, two bytes of attribute.
        let (numbers, _) = record[12..48].as_chunks::<4>();
        let number = |k: usize| f64::from(f32::from_le_bytes(numbers[k]));
        mesh.vertices.extend([0, 3, 6].map(|k| dvec3(number(k), number(k + 1), number(k + 2))));
        mesh.face(&[0, 1, 2].map(|corner| (3 * k + corner) as u32));
    }
    Ok(mesh)
}

fn read_text(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let mut text = Cursor::new(bytes);
    let mut mesh = RawMesh::new();
    let mut corners: Vec<u32> = Vec::new();
    let mut in_solid = false;
    let mut faces = 0;
    loop {
        text.skip_space();
        let start = text.at();
        if text.peek().is_none() {
            break;
        }
        let word = text.word().to_ascii_lowercase();
        let face = |fault: Fault| fault.in_element(|| format!("face {faces}"));
        match (word.as_slice(), in_solid) {
            (b"solid", false) => {
                in_solid = true;
                text.line();
            }
            (b"facet", true) => {
                // Normals follow from the corners; exporters write some that are none.
                corners.clear();
                text.line();
            }
            (b"outer", true) => {
                if !text.word().eq_ignore_ascii_case(b"loop") {
                    return Err(face(text.unexpected("'loop'")));
                }
            }
            (b"vertex", true) => {
                let point: Result<DVec3, Fault> =
                    (|| Ok(dvec3(text.number()?, text.number()?, text.number()?)))();
                corners.push(mesh.vertices.len() as u32);
                mesh.vertices.push(point.map_err(face)?);
            }
            (b"endloop", true) => {
                mesh.face(&corners);
                corners.clear();
                faces += 1;
            }
            (b"endfacet", true) if corners.is_empty() => {}
            (b"endsolid", true) if corners.is_empty() => {
                in_solid = false;
                text.line();
            }
            _ => {
                text.skip_back_to(start);
                return Err(face(text.unexpected(if in_solid { "a facet" } else { "'solid'" })));
            }
        }
    }
    if in_solid {
        return Err(text.unexpected("'endsolid'").in_element(|| format!("face {faces}")));
    }
    Ok(mesh)
}
