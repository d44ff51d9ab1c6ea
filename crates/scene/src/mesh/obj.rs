//! Wavefront OBJ: positions, faces and material names; all else is passed over, unless most of the file is something else.
//!
//! Source: the OBJ specification of the Advanced Visualizer, appendix B1. One pass over the bytes, numbers where they
//! stand; a million triangles take about a tenth of a second. Faces may name vertices by numbers from 1 on, or
//! backwards from the last one by negative numbers.

use super::raw::{NO_VERTEX, RawMesh, vertex_number};
use crate::{cursor::excerpt, error::Fault};
use memchr::memchr;
use wayfare_core::dvec3;

pub(crate) fn read(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut text = Text { bytes, at };
    let mut mesh = RawMesh::new();
    mesh.first = 1;
    let mut corners = Vec::new();
    let mut faces = 0;
    let (mut keywords, mut others, mut first_other) = (0, 0, None);
    while text.at < bytes.len() {
        text.skip_blank();
        match text.rest() {
            [b'v', b' ' | b'\t', ..] => {
                text.at += 1;
                let element = || format!("vertex {}", mesh.vertices.len() + 1);
                let [x, y, z] = text.point().map_err(|fault| fault.in_element(element))?;
                mesh.vertices.push(dvec3(x, y, z));
            }
            [b'f', b' ' | b'\t', ..] => {
                text.at += 1;
                corners.clear();
                while let Some(corner) = text
                    .corner(mesh.vertices.len())
                    .map_err(|fault| fault.in_element(|| format!("face {}", faces + 1)))?
                {
                    corners.push(corner);
                }
                mesh.face(&corners);
                faces += 1;
            }
            [b'u', b's', b'e', b'm', b't', b'l', b' ' | b'\t' | b'\r' | b'\n', ..] | b"usemtl" => {
                let line = text.line();
                mesh.material(&String::from_utf8_lossy(&line[6..]));
                continue;
            }
            [b'#', ..] => {
                // A backslash at the end of a comment is part of a path, not a continuation.
                text.at = memchr(b'\n', text.rest()).map_or(bytes.len(), |end| text.at + end + 1);
                continue;
            }
            [] | [b'\n', ..] => {}
            rest if is_keyword(rest) => keywords += 1,
            _ => {
                others += 1;
                first_other.get_or_insert(text.at);
            }
        }
        text.line();
    }
    let lines = mesh.vertices.len() + faces + keywords + others;
    match first_other {
        Some(at) if others > lines / 2 => {
            let word = excerpt(&bytes[at..]);
            let message = format!(
                "this is no OBJ: {others} of {lines} lines begin with no word of OBJ, the first with '{word}'"
            );
            Err(Fault::at(at, message))
        }
        _ => Ok(mesh),
    }
}

/// Whether a line begins with a word of the specification.
fn is_keyword(line: &[u8]) -> bool {
    let length = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    KEYWORDS.iter().any(|keyword| line[..length] == *keyword.as_bytes())
}

/// The words that lines begin with; a file may have some of others, but is none of OBJ if most of its lines have.
const KEYWORDS: [&str; 45] = [
    "v",
    "vt",
    "vn",
    "vp",
    "f",
    "l",
    "p",
    "o",
    "g",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "cstype",
    "deg",
    "bmat",
    "step",
    "curv",
    "curv2",
    "surf",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "call",
    "csh",
    "fo",
    "bsp",
    "bzp",
    "cdc",
    "cdp",
    "res",
];

struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Text<'a> {
    #[inline]
    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Passes white space inside a line; a backslash before the end of a line is white space, too.
    #[inline]
    fn skip_blank(&mut self) {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\r', ..] => self.at += 1,
                [b'\\', b'\n', ..] => self.at += 2,
                [b'\\', b'\r', b'\n', ..] => self.at += 3,
                _ => return,
            }
        }
    }

    /// Passes the rest of the line with all its continuations and returns it without the last end of line.
    fn line(&mut self) -> &'a [u8] {
        let start = self.at;
        loop {
            let Some(length) = memchr(b'\n', self.rest()) else {
                self.at = self.bytes.len();
                return &self.bytes[start..];
            };
            let end = self.at + length;
            self.at = end + 1;
            let line = &self.bytes[start..end];
            if !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\") {
                return line;
            }
        }
    }

    #[inline]
    fn point(&mut self) -> Result<[f64; 3], Fault> {
        let mut point = [0.0; 3];
        for ordinate in &mut point {
            self.skip_blank();
            match fast_float2::parse_partial::<f64, _>(self.rest()) {
                Ok((value, length)) if length > 0 => {
                    *ordinate = value;
                    self.at += length;
                }
                _ => return Err(self.unexpected("a number")),
            }
        }
        Ok(point)
    }

    /// The vertex of the next corner of a face, `None` at the end of the line; `count` vertices came before.
    #[inline]
    fn corner(&mut self, count: usize) -> Result<Option<u32>, Fault> {
        self.skip_blank();
        let is_negative = match self.rest() {
            [] | [b'\n' | b'#', ..] => return Ok(None),
            [b'-', ..] => {
                self.at += 1;
                true
            }
            _ => false,
        };
        let digits = self.rest();
        let mut number: i64 = 0;
        let mut length = 0;
        while let Some(digit @ b'0'..=b'9') = digits.get(length) {
            // Ten digits hold all vertices there can be; the rest must only not overflow.
            number = (number * 10 + i64::from(digit - b'0')).min(1 << 40);
            length += 1;
        }
        if length == 0 {
            return Err(self.unexpected("the number of a vertex"));
        }
        // Numbers of texture coordinates and normals.
        while let Some(b'/' | b'0'..=b'9' | b'-') = digits.get(length) {
            length += 1;
        }
        self.at += length;
        if !matches!(digits.get(length), None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'\\')) {
            return Err(self.unexpected("the number of a vertex"));
        }
        let index = if is_negative { count as i64 - number } else { number - 1 };
        // "-0" is as wrong as "0".
        Ok(Some(if number == 0 { NO_VERTEX } else { vertex_number(index) }))
    }

    fn unexpected(&self, expected: &str) -> Fault {
        let found = match self.rest() {
            [] => "the end of the file".into(),
            [b'\n', ..] => "the end of the line".into(),
            rest => format!("'{}'", excerpt(rest)),
        };
        Fault::at(self.at, format!("expected {expected}, found {found}"))
    }
}
