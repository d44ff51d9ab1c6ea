//! Bytes of a file, inflated if they are gzip; bounded.

use crate::error::{Fault, ReadError};
use flate2::bufread::MultiGzDecoder;
use std::{borrow::Cow, fs, io::Read as _, path::Path};

/// A file that inflates more than this is suspect once it is large: deflate cannot exceed 1032, scenes and maps of
/// real places stay far below.
const SUSPECT_RATIO: u64 = 200;
/// So many bytes more are harmless whatever the ratio: an empty grid map packs as well as anything can.
const HARMLESS: u64 = 64 << 20;

/// Reads a whole file of at most `max_bytes`.
pub(crate) fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, ReadError> {
    let io = |source| ReadError::Io { path: path.into(), source };
    let file = fs::File::open(path).map_err(io)?;
    if is_endless(&file.metadata().map_err(io)?) {
        return Err(Fault::whole("this is a device, not a file").into_error(path, &[]));
    }
    let mut bytes = Vec::new();
    // One byte more than allowed tells whether there is more; pipes have no length to ask for.
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > max_bytes {
        return Err(Fault::whole(format!("the file is larger than {max_bytes} bytes")).into_error(path, &[]));
    }
    Ok(bytes)
}

/// Devices have no end, or no beginning; pipes end when their writer does.
#[cfg(unix)]
fn is_endless(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    kind.is_char_device() || kind.is_block_device()
}

/// What other systems call devices cannot be opened like a file.
#[cfg(not(unix))]
fn is_endless(_: &fs::Metadata) -> bool {
    false
}

/// Reads a whole file and inflates it if it is gzip; `max_bytes` bounds it before and after.
pub fn read_bytes(path: &Path, max_bytes: u64) -> Result<Vec<u8>, ReadError> {
    let bytes = read_file(path, max_bytes)?;
    match inflate(&bytes, max_bytes) {
        Ok(Cow::Owned(inflated)) => Ok(inflated),
        Ok(Cow::Borrowed(_)) => Ok(bytes),
        Err(fault) => Err(fault.into_error(path, &[])),
    }
}

/// Inflates gzip, recognised by its first bytes; other bytes come back as they are.
pub(crate) fn inflate(bytes: &[u8], max_bytes: u64) -> Result<Cow<'_, [u8]>, Fault> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(Cow::Borrowed(bytes));
    }
    let by_ratio = (bytes.len() as u64).saturating_mul(SUSPECT_RATIO).saturating_add(HARMLESS);
    let limit = max_bytes.min(by_ratio);
    let mut out = Vec::new();
    let read = MultiGzDecoder::new(bytes).take(limit.saturating_add(1)).read_to_end(&mut out);
    if out.len() as u64 > limit {
        return Err(Fault::whole(format!(
            "the gzip file of {} bytes inflates to over {limit} bytes; if it is to be trusted, unpack it first",
            bytes.len()
        )));
    }
    match read {
        Ok(_) => Ok(Cow::Owned(out)),
        Err(error) => Err(Fault::whole(format!("the gzip file is damaged: {error}"))),
    }
}
