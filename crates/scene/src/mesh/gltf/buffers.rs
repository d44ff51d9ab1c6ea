//! The bytes behind a glTF file: its own chunk, data in the text, files beside it.

use super::document::Document;
use crate::{error::Fault, unpack};
use std::{
    borrow::Cow,
    path::{Component, Path},
};

/// Where other files that a glTF file names may be.
pub(crate) enum Beside<'a> {
    /// In this folder and those below it.
    Folder(&'a Path),
    /// Nowhere: the file came from memory.
    Nothing,
}

/// All buffers of a file, each as long as it says.
pub(super) struct Buffers<'a> {
    all: Vec<Cow<'a, [u8]>>,
}

impl<'a> Buffers<'a> {
    /// The bytes of buffers that are not part of the file itself.
    pub fn owned_bytes(&self) -> u64 {
        let own = |bytes: &Cow<'_, [u8]>| if matches!(bytes, Cow::Owned(_)) { bytes.len() as u64 } else { 0 };
        self.all.iter().map(own).sum()
    }

    /// Gets every buffer; at most `max_bytes` of them.
    pub fn load(
        document: &'a Document,
        chunk: Option<&'a [u8]>,
        beside: &Beside,
        max_bytes: u64,
    ) -> Result<Self, Fault> {
        let mut all: Vec<Cow<'a, [u8]>> = Vec::new();
        let mut left = max_bytes;
        for (k, buffer) in document.buffers.iter().enumerate() {
            let fault = |message: String| Fault::of(format!("buffer {k}"), message);
            let bytes = match (&buffer.uri, chunk) {
                (None, Some(chunk)) if k == 0 => Cow::Borrowed(chunk),
                // Nobody may use it: an extension fills it.
                (None, _) => Cow::Borrowed(&[][..]),
                (Some(uri), _) => Cow::Owned(match uri.strip_prefix("data:") {
                    Some(data) => decode_data(data).ok_or_else(|| fault("its data is not base64".into()))?,
                    None => read_beside(uri, beside, left).map_err(fault)?,
                }),
            };
            let length = buffer.byte_length;
            if buffer.uri.is_some() || (k == 0 && chunk.is_some()) {
                if length > bytes.len() as u64 {
                    return Err(fault(format!("promises {length} bytes and has {}", bytes.len())));
                }
                left = left.checked_sub(length).ok_or_else(|| fault(format!("is over {max_bytes} bytes")))?;
            }
            let end = (length as usize).min(bytes.len());
            all.push(match bytes {
                Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..end]),
                Cow::Owned(mut bytes) => {
                    bytes.truncate(end);
                    Cow::Owned(bytes)
                }
            });
        }
        Ok(Self { all })
    }

    /// A buffer's bytes.
    pub fn get(&self, buffer: u32) -> Option<&[u8]> {
        self.all.get(buffer as usize).map(|bytes| &**bytes)
    }

    /// Bytes of all buffers.
    pub fn total(&self) -> u64 {
        self.all.iter().map(|bytes| bytes.len() as u64).sum()
    }
}

fn read_beside(uri: &str, beside: &Beside, max_bytes: u64) -> Result<Vec<u8>, String> {
    let name = decode_percent(uri).ok_or("its URI is not UTF-8")?;
    let shown = name.escape_debug();
    let Beside::Folder(folder) = beside else {
        return Err(format!("lies in another file ({shown}): read the glTF file by its path"));
    };
    let path = Path::new(&name);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    // A backslash or a colon leads outside on some systems.
    if !is_inside || name.is_empty() || name.contains([':', '\\', '\0']) {
        return Err(format!("'{shown}' is not a file beside the glTF file"));
    }
    unpack::read_file(&folder.join(path), max_bytes).map_err(|error| error.to_string())
}

/// `%20` is a space.
fn decode_percent(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let digit = |k: usize| after.get(k).and_then(|&digit| (digit as char).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (first, digit(0), digit(1)) {
            bytes.push((16 * high + low) as u8);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

/// What stands behind `data:`, which must be base64 (RFC 4648).
fn decode_data(data: &str) -> Option<Vec<u8>> {
    let (kind, text) = data.split_once(',')?;
    if !kind.ends_with(";base64") {
        return None;
    }
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut bits = 0u32;
        for k in 0..4 {
            let six = match group.get(k) {
                None => 0,
                Some(letter @ b'A'..=b'Z') => letter - b'A',
                Some(letter @ b'a'..=b'z') => letter - b'a' + 26,
                Some(digit @ b'0'..=b'9') => digit - b'0' + 52,
                Some(b'+') => 62,
                Some(b'/') => 63,
                Some(_) => return None,
            };
            bits = bits << 6 | u32::from(six);
        }
        let count = match group.len() {
            4 => 3,
            3 => 2,
            2 => 1,
            _ => return None,
        };
        bytes.extend_from_slice(&bits.to_be_bytes()[1..=count]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_each_length_is_decoded_and_other_text_refused() {
        let plain = b"any carnal pleasure";
        for (length, text) in [
            (19, "YW55IGNhcm5hbCBwbGVhc3VyZQ=="),
            (18, "YW55IGNhcm5hbCBwbGVhc3Vy"),
            (17, "YW55IGNhcm5hbCBwbGVhc3U="),
        ] {
            let data = format!("application/octet-stream;base64,{text}");
            assert_eq!(decode_data(&data).as_deref(), Some(&plain[..length]));
        }
        for bad in ["", "base64,AAAA", ";base64,A", ";base64,A*==", "text/plain,AAAA"] {
            assert_eq!(decode_data(bad), None, "{bad}");
        }
    }

    #[test]
    fn only_files_in_the_folder_are_opened() {
        let folder = std::env::temp_dir();
        for uri in ["../x.bin", "/etc/hostname", "a/../../x", "%2e%2e/x", "C:\\x", "file:///etc/hostname", ""]
        {
            let error = read_beside(uri, &Beside::Folder(&folder), 100).unwrap_err();
            assert!(error.contains("is not a file beside"), "{uri}: {error}");
        }
        assert_eq!(decode_percent("a%20b%zz").as_deref(), Some("a b%zz"));
    }
}
