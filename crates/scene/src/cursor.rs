//! A place in a text that moves forward: what the hand-written parsers share.

use crate::error::Fault;

/// Bytes and a position in them.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At the start of `bytes`, behind a byte order mark.
    pub fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { bytes, at }
    }
    /// Offset of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }
    /// The next byte, if there is one.
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
    /// What is left.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }
    /// Passes `count` bytes, at most to the end.
    pub fn skip(&mut self, count: usize) {
        self.at = (self.at + count).min(self.bytes.len());
    }
    /// Goes back to an earlier place.
    pub fn skip_back_to(&mut self, at: usize) {
        self.at = at.min(self.at);
    }
    /// Passes white space.
    pub fn skip_space(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }
    /// Passes `byte` after white space; false (and only the space passed) if something else is there.
    pub fn take(&mut self, byte: u8) -> bool {
        self.skip_space();
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }
    /// Passes `byte` or fails.
    pub fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.take(byte) { Ok(()) } else { Err(self.unexpected(&format!("'{}'", byte as char))) }
    }
    /// Passes white space and the letters, digits and underscores after it; may be empty.
    pub fn word(&mut self) -> &'a [u8] {
        self.skip_space();
        let rest = self.rest();
        let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        self.at += length;
        &rest[..length]
    }
    /// Passes white space and a number after it. `nan` and `inf` are numbers here: the caller refuses
    /// them with the element's name.
    pub fn number(&mut self) -> Result<f64, Fault> {
        self.skip_space();
        match fast_float2::parse_partial::<f64, _>(self.rest()) {
            Ok((value, length)) if length > 0 => {
                self.at += length;
                Ok(value)
            }
            _ => Err(self.unexpected("a number")),
        }
    }
    /// Passes white space and a number without sign, fraction or exponent.
    pub fn count(&mut self) -> Result<usize, Fault> {
        self.skip_space();
        let digits = self.rest().iter().take_while(|b| b.is_ascii_digit()).count();
        let text = std::str::from_utf8(&self.rest()[..digits]).unwrap_or_default();
        let Ok(value) = text.parse() else {
            return Err(self.unexpected("a whole number"));
        };
        self.at += digits;
        Ok(value)
    }
    /// The next line without its end; `None` at the end of the text.
    pub fn line(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let length = rest.iter().position(|&b| b == b'\n');
        self.skip(length.map_or(rest.len(), |length| length + 1));
        let line = &rest[..length.unwrap_or(rest.len())];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
    /// The fault that something else than `expected` comes next.
    pub fn unexpected(&self, expected: &str) -> Fault {
        let found = match self.peek() {
            None => "the end of the file".into(),
            Some(_) => format!("'{}'", excerpt(self.rest())),
        };
        Fault::at(self.at, format!("expected {expected}, found {found}"))
    }
}

/// The first few characters of `bytes` up to white space, harmless to print.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let end = bytes.iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len());
    let end = if end == 0 { bytes.len().min(1) } else { end };
    let cut = end.min(20);
    let dots = if cut < end { "…" } else { "" };
    format!("{}{dots}", bytes[..cut].escape_ascii())
}
