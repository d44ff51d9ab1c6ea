//! OFF, the object file format of Geomview: text, with or without colours, normals and texture coordinates.
//!
//! Source: Geomview manual, "OFF files". What stands behind the coordinates of a vertex or the corners of a face is
//! passed over to the end of the line; comments start with `#`.

use super::raw::{RawMesh, vertex_number};
use crate::{cursor::Cursor, error::Fault};
use wayfare_core::dvec3;

/// The header words: parts for texture coordinates, colours and normals may come before `OFF`.
pub(crate) fn is_header(word: &[u8]) -> bool {
    word.strip_suffix(b"OFF")
        .is_some_and(|parts| parts.len() <= 5 && parts.iter().all(|part| b"STCN4n".contains(part)))
}

pub(crate) fn read(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let mut text = Cursor::new(bytes);
    skip_comments(&mut text);
    let start = text.at();
    let header = text.word();
    if is_header(header) {
        if header.iter().any(|part| b"4n".contains(part)) {
            return Err(Fault::at(start, "OFF files of another dimension than three are not read"));
        }
    } else {
        // The word may be missing.
        text.skip_back_to(start);
    }
    skip_comments(&mut text);
    if text.rest().starts_with(b"BINARY") {
        return Err(Fault::at(text.at(), "binary OFF is not read; convert it to text or to PLY"));
    }
    let at = text.at();
    let vertices = text.count()?;
    skip_comments(&mut text);
    let faces = text.count()?;
    // The number of edges, which nobody keeps right, and comments.
    text.line();
    // The shortest vertex is "0 0 0", the shortest face "0", each with an end of line.
    let left = text.rest().len() + 1;
    let needed = vertices.saturating_mul(6).saturating_add(faces.saturating_mul(2));
    if needed > left {
        return Err(Fault::at(
            at,
            format!("{vertices} vertices and {faces} faces are promised, {left} bytes follow"),
        ));
    }
    let mut mesh = RawMesh::new();
    mesh.vertices.reserve_exact(vertices);
    for k in 0..vertices {
        let element = |fault: Fault| fault.in_element(|| format!("vertex {k}"));
        skip_comments(&mut text);
        let mut number = || text.number().map_err(element);
        mesh.vertices.push(dvec3(number()?, number()?, number()?));
        text.line();
    }
    mesh.triangles.reserve(faces);
    let mut corners = Vec::new();
    for k in 0..faces {
        let element = |fault: Fault| fault.in_element(|| format!("face {k}"));
        skip_comments(&mut text);
        let count = text.count().map_err(element)?;
        corners.clear();
        for _ in 0..count {
            text.skip_space();
            let is_negative = text.take(b'-');
            let number = text.count().map_err(element)?;
            corners.push(if is_negative { vertex_number(-1) } else { vertex_number(number as i64) });
        }
        mesh.face(&corners);
        text.line();
    }
    Ok(mesh)
}

fn skip_comments(text: &mut Cursor) {
    text.skip_space();
    while text.peek() == Some(b'#') {
        text.line();
        text.skip_space();
    }
}
