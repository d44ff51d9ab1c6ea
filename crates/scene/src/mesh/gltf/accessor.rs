//! Numbers out of the buffers of a glTF file; every offset and length is checked.

use super::{
    buffers::Buffers,
    document::{Accessor, Document},
};
use crate::error::Fault;
use wayfare_core::{DVec3, dvec3};

/// Types of numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn parse(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }
    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }
    /// The number in as many bytes as it takes.
    #[inline]
    fn value(self, bytes: &[u8]) -> f64 {
        let mut word = [0; 4];
        word[..self.size()].copy_from_slice(&bytes[..self.size()]);
        let [a, b, ..] = word;
        match self {
            Self::I8 => f64::from(a as i8),
            Self::U8 => f64::from(a),
            Self::I16 => f64::from(i16::from_le_bytes([a, b])),
            Self::U16 => f64::from(u16::from_le_bytes([a, b])),
            Self::U32 => f64::from(u32::from_le_bytes(word)),
            Self::F32 => f64::from(f32::from_le_bytes(word)),
        }
    }
    /// What one stands for, where integers mean fractions.
    fn full(self) -> f64 {
        match self {
            Self::I8 => f64::from(i8::MAX),
            Self::U8 => f64::from(u8::MAX),
            Self::I16 => f64::from(i16::MAX),
            Self::U16 => f64::from(u16::MAX),
            Self::U32 => f64::from(u32::MAX),
            Self::F32 => 1.0,
        }
    }
}

/// Elements of `size` bytes, `stride` bytes apart.
struct Rows<'a> {
    bytes: &'a [u8],
    stride: usize,
    size: usize,
    count: usize,
}

impl<'a> Rows<'a> {
    fn iter(&self) -> impl Iterator<Item = &'a [u8]> {
        let (bytes, size, stride) = (self.bytes, self.size, self.stride);
        (0..self.count).map(move |k| &bytes[k * stride..k * stride + size])
    }
}

impl Buffers<'_> {
    /// The number of elements of an accessor, if the file can hold as many.
    pub fn count(&self, document: &Document, accessor: u32) -> Result<u64, Fault> {
        let count = find(document, accessor)?.count;
        // An accessor without bytes is zeros: only the file's size bounds how many.
        if count > self.total() || count >= u64::from(u32::MAX) {
            return Err(of(accessor, format!("has {count} elements in buffers of {} bytes", self.total())));
        }
        Ok(count)
    }

    /// Positions.
    pub fn points(&self, document: &Document, number: u32) -> Result<Vec<DVec3>, Fault> {
        let accessor = find(document, number)?;
        let component = self.check(accessor, "VEC3").map_err(|message| of(number, message))?;
        if component == Component::U32 {
            return Err(of(number, "positions are no 32-bit integers"));
        }
        let unit = if accessor.normalized { component.full() } else { 1.0 };
        let least = if accessor.normalized { -1.0 } else { f64::NEG_INFINITY };
        let point = |row: &[u8]| {
            let ordinate = |k: usize| {
                let value = component.value(&row[k * component.size()..]) / unit;
                // The most negative integer is a little under −1. NaN stays.
                if value < least { least } else { value }
            };
            dvec3(ordinate(0), ordinate(1), ordinate(2))
        };
        self.elements(document, number, accessor, 3 * component.size(), point, DVec3::ZERO)
    }

    /// Indices of vertices.
    pub fn indices(&self, document: &Document, number: u32) -> Result<Vec<u32>, Fault> {
        let accessor = find(document, number)?;
        let component = self.check(accessor, "SCALAR").map_err(|message| of(number, message))?;
        if !matches!(component, Component::U8 | Component::U16 | Component::U32) || accessor.normalized {
            return Err(of(number, "indices are unsigned integers"));
        }
        self.elements(document, number, accessor, component.size(), |row| component.value(row) as u32, 0)
    }

    fn check(&self, accessor: &Accessor, shape: &str) -> Result<Component, String> {
        if &*accessor.shape != shape {
            return Err(format!("is of type {}, not {shape}", accessor.shape.escape_default()));
        }
        Component::parse(accessor.component_type)
            .ok_or_else(|| format!("component type {} is not known", accessor.component_type))
    }

    /// All elements, sparse ones put in.
    fn elements<T: Copy>(
        &self,
        document: &Document,
        number: u32,
        accessor: &Accessor,
        size: usize,
        element: impl Fn(&[u8]) -> T,
        zero: T,
    ) -> Result<Vec<T>, Fault> {
        let fault = |message: String| of(number, message);
        let count = self.count(document, number)?;
        let mut elements: Vec<T> = match accessor.buffer_view {
            None => vec![zero; count as usize],
            Some(view) => {
                let rows = self.rows(document, view, accessor.byte_offset, size, count).map_err(fault)?;
                rows.iter().map(&element).collect()
            }
        };
        if let Some(sparse) = &accessor.sparse {
            if sparse.count > count {
                return Err(fault(format!("replaces {} of {count} elements", sparse.count)));
            }
            let component = sparse.indices.component_type.and_then(Component::parse);
            let Some(component @ (Component::U8 | Component::U16 | Component::U32)) = component else {
                return Err(fault("its sparse indices are no unsigned integers".into()));
            };
            let part = &sparse.indices;
            let places = self
                .rows(document, part.buffer_view, part.byte_offset, component.size(), sparse.count)
                .map_err(fault)?;
            let part = &sparse.values;
            let values =
                self.rows(document, part.buffer_view, part.byte_offset, size, sparse.count).map_err(fault)?;
            for (place, value) in places.iter().zip(values.iter()) {
                let place = component.value(place) as usize;
                match elements.get_mut(place) {
                    Some(old) => *old = element(value),
                    None => return Err(fault(format!("replaces element {place} of {count}"))),
                }
            }
        }
        Ok(elements)
    }

    /// `count` elements of `size` bytes in a view.
    fn rows(
        &self,
        document: &Document,
        number: u32,
        offset: u64,
        size: usize,
        count: u64,
    ) -> Result<Rows<'_>, String> {
        let Some(view) = document.buffer_views.get(number as usize) else {
            return Err(format!("buffer view {number} is not in the file"));
        };
        let Some(buffer) = self.get(view.buffer) else {
            return Err(format!("buffer {} of view {number} is not in the file", view.buffer));
        };
        let outside = || format!("buffer view {number} is too short, or reaches beyond its buffer");
        let end = view.byte_offset.saturating_add(view.byte_length);
        if end > buffer.len() as u64 {
            return Err(outside());
        }
        let bytes = &buffer[view.byte_offset as usize..end as usize];
        let stride = view.byte_stride.unwrap_or(size as u64);
        if stride < size as u64 {
            return Err(format!(
                "buffer view {number} has a stride of {stride} bytes for elements of {size}"
            ));
        }
        // The last element need not be followed by a gap.
        let length = match count.checked_sub(1) {
            None => 0,
            Some(gaps) => gaps.saturating_mul(stride).saturating_add(size as u64),
        };
        if offset.saturating_add(length) > bytes.len() as u64 {
            return Err(outside());
        }
        Ok(Rows { bytes: &bytes[offset as usize..], stride: stride as usize, size, count: count as usize })
    }
}

fn find(document: &Document, accessor: u32) -> Result<&Accessor, Fault> {
    document.accessors.get(accessor as usize).ok_or_else(|| of(accessor, "is not in the file"))
}

fn of(accessor: u32, message: impl Into<String>) -> Fault {
    Fault::of(format!("accessor {accessor}"), message)
}
