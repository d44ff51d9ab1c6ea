//! The page that was built, if one was, and a show in one file with it.

use super::Show;

/// The files of the page.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// `index.html`.
    pub html: &'static str,
    /// `page.js`.
    pub script: &'static str,
    /// `page.css`.
    pub style: &'static str,
}

// Made by the build script: `PAGE`, of what lies in `viewer/dist`.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What to do where no page was built.
pub const NO_PAGE: &str =
    "this wayfare was built without its page: run `cargo xtask page`, then build it again";

/// The lines of the page that one file replaces by what they name.
const STYLE: &str = "<link rel=\"stylesheet\" href=\"page.css\">";
const SCRIPT: &str = "<script src=\"page.js\"></script>";

/// The page, if one was built.
pub fn page() -> Option<Page> {
    PAGE
}

/// One page that shows a show by itself, from disk and without network; nothing if no page was built.
pub fn page_with_show(show: &Show) -> Option<String> {
    let Page { html, script, style } = page()?;
    let data = base64(&show.to_bytes());
    // Within a script element only its own end ends it.
    let script = script.replace("</script", "<\\/script");
    let html = html.replace(STYLE, &format!("<style>{style}</style>"));
    let (before, after) = html.split_once(SCRIPT)?;
    Some(format!(
        "{before}<script type=\"application/octet-stream;base64\" id=\"show\">{data}</script>\n<script>{script}</script>{after}"
    ))
}

/// Bytes as text (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let at = |k: usize| u32::from(part.get(k).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            let is_used = digit <= part.len();
            let value = (bits >> (18 - 6 * digit)) & 63;
            text.push(if is_used { char::from(DIGITS[value as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_bytes_is_that_of_the_standard() {
        // RFC 4648, section 10.
        let pairs = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in pairs {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
