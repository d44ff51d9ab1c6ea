//! PLY, as text and binary of both byte orders: vertices, faces and triangle strips; other elements and properties are
//! passed over.
//!
//! Source: Turk 1994, "The PLY polygon file format"; triangle strips as in the files of the Stanford repository, where
//! −1 starts a new strip. A header describes the elements, each a number of rows of scalars and lists.
//! Numbers are read as `f64`, which holds every type of the format exactly.

use super::raw::{RawMesh, vertex_number};
use crate::{cursor::Cursor, error::Fault};
use wayfare_core::dvec3;

pub(crate) fn read(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let mut text = Cursor::new(bytes);
    let header = Header::parse(&mut text)?;
    let source = match header.order {
        None => Source::Text(text),
        Some(order) => Source::Binary { rest: text.rest(), order },
    };
    let mut body = Body { source, list: Vec::new() };
    let mut mesh = RawMesh::new();
    for element in &header.elements {
        element.check_size(&body.source)?;
        match element.name.as_str() {
            "vertex" => read_vertices(element, &mut body, &mut mesh)?,
            "face" => read_faces(element, &mut body, &mut mesh)?,
            "tristrips" => read_strips(element, &mut body, &mut mesh)?,
            _ => element.skip(&mut body)?,
        }
    }
    Ok(mesh)
}

fn read_vertices(element: &Element, body: &mut Body, mesh: &mut RawMesh) -> Result<(), Fault> {
    let place = |name: &str| {
        let is_it = |property: &Property| property.name == name && property.list.is_none();
        element
            .properties
            .iter()
            .position(is_it)
            .ok_or_else(|| Fault::whole(format!("the vertices have no property {name}")))
    };
    let (x, y, z) = (place("x")?, place("y")?, place("z")?);
    mesh.vertices.reserve_exact(element.count as usize);
    let mut row = vec![0.0; element.properties.len()];
    for k in 0..element.count {
        element.row(k, body, |property, values| {
            if let [value] = values {
                row[property] = *value;
            }
        })?;
        mesh.vertices.push(dvec3(row[x], row[y], row[z]));
    }
    Ok(())
}

fn read_faces(element: &Element, body: &mut Body, mesh: &mut RawMesh) -> Result<(), Fault> {
    let Some(corners_at) = element.corners() else {
        return Err(Fault::whole("the faces have no list of vertex indices"));
    };
    let mut corners: Vec<u32> = Vec::new();
    for k in 0..element.count {
        element.row(k, body, |property, values| {
            if property == corners_at {
                corners.clear();
                corners.extend(values.iter().map(|&value| vertex_number(value as i64)));
            }
        })?;
        mesh.face(&corners);
    }
    Ok(())
}

fn read_strips(element: &Element, body: &mut Body, mesh: &mut RawMesh) -> Result<(), Fault> {
    let Some(corners_at) = element.corners() else {
        return Err(Fault::whole("the triangle strips have no list of vertex indices"));
    };
    for k in 0..element.count {
        element.row(k, body, |property, values| {
            if property != corners_at {
                return;
            }
            for strip in values.split(|&value| value == -1.0) {
                for (k, triple) in strip.windows(3).enumerate() {
                    let [a, b, c] =
                        [triple[0], triple[1], triple[2]].map(|value| vertex_number(value as i64));
                    mesh.face(&if k % 2 == 0 { [a, b, c] } else { [b, a, c] });
                }
            }
        })?;
    }
    Ok(())
}

/// What the file says about itself.
struct Header {
    /// `None` is text.
    order: Option<ByteOrder>,
    elements: Vec<Element>,
}

#[derive(Clone, Copy)]
enum ByteOrder {
    Little,
    Big,
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

struct Property {
    name: String,
    /// Type of the value, or of the items of the list.
    item: Scalar,
    /// Type of the length, if this is a list.
    list: Option<Scalar>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Header {
    /// Reads up to the end of the header's last line.
    fn parse(text: &mut Cursor) -> Result<Self, Fault> {
        let mut order = None;
        let mut has_format = false;
        let mut elements: Vec<Element> = Vec::new();
        loop {
            let at = text.at();
            let Some(line) = text.line() else {
                return Err(Fault::at(at, "the header has no end"));
            };
            let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            let fault = |message: &str| Err(Fault::at(at, format!("{message}: '{}'", printable(line))));
            match (words.next().unwrap_or_default(), words.next(), words.next(), words.next(), words.next()) {
                (b"ply", None, ..) if at == 0 || elements.is_empty() => {}
                (b"" | b"comment" | b"obj_info", ..) => {}
                (b"format", Some(format), ..) => {
                    has_format = true;
                    order = match format {
                        b"ascii" => None,
                        b"binary_little_endian" => Some(ByteOrder::Little),
                        b"binary_big_endian" => Some(ByteOrder::Big),
                        _ => return fault("unknown format"),
                    }
                }
                (b"element", Some(name), Some(count), None, _) => {
                    let Some(count) = std::str::from_utf8(count).ok().and_then(|count| count.parse().ok())
                    else {
                        return fault("the number of elements is none");
                    };
                    let name = String::from_utf8_lossy(name).into_owned();
                    elements.push(Element { name, count, properties: Vec::new() });
                }
                (b"property", Some(b"list"), Some(length), Some(item), Some(name)) => {
                    let (Some(length), Some(item)) = (Scalar::parse(length), Scalar::parse(item)) else {
                        return fault("unknown type");
                    };
                    if length.is_float() {
                        return fault("the length of a list is no whole number");
                    }
                    let name = String::from_utf8_lossy(name).into_owned();
                    let Some(element) = elements.last_mut() else {
                        return fault("a property of no element");
                    };
                    element.properties.push(Property { name, item, list: Some(length) });
                }
                (b"property", Some(item), Some(name), None, _) => {
                    let Some(item) = Scalar::parse(item) else {
                        return fault("unknown type");
                    };
                    let name = String::from_utf8_lossy(name).into_owned();
                    let Some(element) = elements.last_mut() else {
                        return fault("a property of no element");
                    };
                    element.properties.push(Property { name, item, list: None });
                }
                (b"end_header", None, ..) => break,
                _ => return fault("unknown line in the header of the PLY file"),
            }
        }
        if !has_format {
            return Err(Fault::whole("the header of the PLY file has no format"));
        }
        Ok(Self { order, elements })
    }
}

fn printable(line: &[u8]) -> String {
    line[..line.len().min(60)].escape_ascii().to_string()
}

impl Element {
    /// The list of the vertices of a face.
    fn corners(&self) -> Option<usize> {
        let is_it = |property: &Property| {
            matches!(property.name.as_str(), "vertex_indices" | "vertex_index")
                && property.list.is_some()
                && !property.item.is_float()
        };
        self.properties.iter().position(is_it)
    }

    /// Fails if the file cannot hold as many rows as are promised.
    fn check_size(&self, body: &Source) -> Result<(), Fault> {
        let (row, left) = match body {
            // A digit and a space each.
            Source::Text(text) => (2 * self.properties.len(), text.rest().len() + 1),
            Source::Binary { rest, .. } => {
                let sizes =
                    self.properties.iter().map(|property| property.list.unwrap_or(property.item).size());
                (sizes.sum(), rest.len())
            }
        };
        // Rows without properties take no room, and only then is their number not bounded here; they are not read.
        if self.count.saturating_mul(row as u64) > left as u64 {
            return Err(Fault::of(
                format!("element {}", self.name.escape_default()),
                format!("{} are promised, {left} bytes follow", self.count),
            ));
        }
        Ok(())
    }

    /// Passes all rows.
    fn skip(&self, body: &mut Body) -> Result<(), Fault> {
        if !self.properties.is_empty() {
            for k in 0..self.count {
                self.row(k, body, |_, _| ())?;
            }
        }
        Ok(())
    }

    /// Reads row `k` and hands over the values of each property.
    #[inline]
    fn row(&self, k: u64, body: &mut Body, mut each: impl FnMut(usize, &[f64])) -> Result<(), Fault> {
        let mut list = std::mem::take(&mut body.list);
        let mut read = || {
            for (number, property) in self.properties.iter().enumerate() {
                let Some(length) = property.list else {
                    each(number, &[body.source.value(property.item)?]);
                    continue;
                };
                let length = body.source.value(length)?;
                list.clear();
                // Memory grows with what is read: a length that is a lie ends with the file.
                for _ in 0..body.source.list_length(length)? {
                    list.push(body.source.value(property.item)?);
                }
                each(number, &list);
            }
            Ok(())
        };
        let done =
            read().map_err(|fault: Fault| fault.in_element(|| format!("{} {k}", self.name.escape_default())));
        body.list = list;
        done
    }
}

impl Scalar {
    fn parse(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }
    fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// What follows the header, and memory for one list.
struct Body<'a> {
    source: Source<'a>,
    list: Vec<f64>,
}

enum Source<'a> {
    Text(Cursor<'a>),
    Binary { rest: &'a [u8], order: ByteOrder },
}

impl Source<'_> {
    #[inline]
    fn value(&mut self, scalar: Scalar) -> Result<f64, Fault> {
        let (rest, order) = match self {
            Self::Text(text) => return text.number(),
            Self::Binary { rest, order } => (rest, *order),
        };
        let size = scalar.size();
        let Some((taken, left)) = rest.split_at_checked(size) else {
            return Err(ends_early());
        };
        *rest = left;
        // The least byte first.
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(taken);
        if matches!(order, ByteOrder::Big) {
            bytes[..size].reverse();
        }
        let [a, b, c, d, ..] = bytes;
        Ok(match scalar {
            Scalar::I8 => f64::from(a as i8),
            Scalar::U8 => f64::from(a),
            Scalar::I16 => f64::from(i16::from_le_bytes([a, b])),
            Scalar::U16 => f64::from(u16::from_le_bytes([a, b])),
            Scalar::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Scalar::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Scalar::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Scalar::F64 => f64::from_le_bytes(bytes),
        })
    }

    /// A length that has been read, if it can be one.
    fn list_length(&self, length: f64) -> Result<u64, Fault> {
        if length >= 0.0 && length <= f64::from(u32::MAX) && length.fract() == 0.0 {
            return Ok(length as u64);
        }
        let message = format!("a list cannot have {length} items");
        Err(match self {
            Self::Text(text) => Fault::at(text.at(), message),
            Self::Binary { .. } => Fault::of("", message),
        })
    }
}

fn ends_early() -> Fault {
    Fault::of("", "the file ends early")
}
