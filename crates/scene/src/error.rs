//! Why a file could not be read: always one line, with the file and the place in it.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// Why a plan or a scene could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system did not hand the file over.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file as a whole cannot be used: empty, unknown, too large, or in degrees.
    #[error("{}: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it and what to try.
        message: String,
    },
    /// Something in the file cannot be used.
    #[error("{}: {place}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        place: Place,
        /// What is wrong there.
        message: String,
    },
}

/// A place in a text or image file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Line, counted from 1; 0 where lines mean nothing.
    pub line: usize,
    /// Column in bytes, counted from 1; 0 where columns mean nothing.
    pub column: usize,
    /// The element, as `polygon 3, ring 0, vertex 12` (counted from 0); may be empty.
    pub element: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}", self.line)?;
            if self.column > 0 {
                write!(f, ", column {}", self.column)?;
            }
        }
        if !self.element.is_empty() {
            write!(f, "{}{}", if self.line > 0 { ", " } else { "" }, self.element)?;
        }
        Ok(())
    }
}

/// A fault found by a parser, before the file's name and the line are known.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Offset of the byte at fault; `None` if the file as a whole is.
    pub at: Option<usize>,
    pub element: String,
    pub message: String,
}

impl Fault {
    /// A fault at a byte.
    pub fn at(at: usize, message: impl Into<String>) -> Self {
        Self { at: Some(at), element: String::new(), message: message.into() }
    }
    /// A fault of the whole file.
    pub fn whole(message: impl Into<String>) -> Self {
        Self { at: None, element: String::new(), message: message.into() }
    }
    /// A fault of an element of a file where bytes and lines mean nothing.
    pub fn of(element: impl Into<String>, message: impl Into<String>) -> Self {
        Self { at: None, element: element.into(), message: message.into() }
    }
    /// Names the element, unless an inner one is named already.
    pub fn in_element(mut self, element: impl FnOnce() -> String) -> Self {
        if self.element.is_empty() {
            self.element = element();
        }
        self
    }
    /// The error for the reader's caller; counts lines in `bytes`.
    pub fn into_error(self, path: &Path, bytes: &[u8]) -> ReadError {
        let path = path.to_path_buf();
        let Some(at) = self.at else {
            if !self.element.is_empty() {
                let place = Place { element: self.element, ..Place::default() };
                return ReadError::Content { path, place, message: self.message };
            }
            return ReadError::File { path, message: self.message };
        };
        let before = &bytes[..at.min(bytes.len())];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&b| b != b'\n').count();
        let place = Place { line, column, element: self.element };
        ReadError::Content { path, place, message: self.message }
    }
}
