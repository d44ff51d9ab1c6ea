//! As much of JSON as GeoJSON needs: members of an object, elements of an array, skipping.
//!
//! Source: RFC 8259. Values that nobody asks for are passed over, not built: memory is bounded by what the
//! caller keeps. No recursion: brackets are kept on a stack in memory.

use crate::{cursor::Cursor, error::Fault};

/// Calls `member` for each member of the object that comes next, with its name and the text at its value;
/// `member` returns whether it has passed the value, otherwise it is skipped.
pub(crate) fn members<'a>(
    text: &mut Cursor<'a>,
    mut member: impl FnMut(&str, &mut Cursor<'a>) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    text.expect(b'{')?;
    if text.take(b'}') {
        return Ok(());
    }
    loop {
        let name = string(text)?;
        text.expect(b':')?;
        text.skip_space();
        if !member(&name, text)? {
            skip_value(text)?;
        }
        if text.take(b'}') {
            return Ok(());
        }
        text.expect(b',')?;
    }
}

/// Calls `element` at each element of the array that comes next; it must pass the element.
pub(crate) fn elements<'a>(
    text: &mut Cursor<'a>,
    mut element: impl FnMut(&mut Cursor<'a>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    text.expect(b'[')?;
    if text.take(b']') {
        return Ok(());
    }
    loop {
        text.skip_space();
        element(text)?;
        if text.take(b']') {
            return Ok(());
        }
        text.expect(b',')?;
    }
}

/// Passes `null` if it comes next.
pub(crate) fn null(text: &mut Cursor) -> bool {
    text.skip_space();
    let there = text.rest().starts_with(b"null");
    if there {
        text.skip(4);
    }
    there
}

/// Passes a string; escapes are undone, broken ones are kept as they are.
pub(crate) fn string(text: &mut Cursor) -> Result<String, Fault> {
    text.skip_space();
    let start = text.at();
    text.expect(b'"')?;
    let rest = text.rest();
    let mut end = 0;
    loop {
        match rest.get(end) {
            None => return Err(Fault::at(start, "a string has no end")),
            Some(b'"') => break,
            Some(b'\\') => end += 2,
            Some(_) => end += 1,
        }
    }
    text.skip(end + 1);
    let raw = String::from_utf8_lossy(&rest[..end]);
    if !raw.contains('\\') {
        return Ok(raw.into_owned());
    }
    let mut plain = String::with_capacity(raw.len());
    let mut letters = raw.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some('u') => {
                    let digits: String = letters.by_ref().take(4).collect();
                    let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                    plain.push(code.unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                Some(other) => plain.push(other),
                None => {}
            },
            letter => plain.push(letter),
        }
    }
    Ok(plain)
}

/// Passes any value. Brackets must match; the rest is only looked at as far as is needed for that.
pub(crate) fn skip_value(text: &mut Cursor) -> Result<(), Fault> {
    let mut open: Vec<u8> = Vec::new();
    loop {
        text.skip_space();
        match text.peek() {
            None => return Err(text.unexpected("a value")),
            Some(b'"') => {
                string(text)?;
            }
            Some(bracket @ (b'{' | b'[')) => {
                open.push(if bracket == b'{' { b'}' } else { b']' });
                text.skip(1);
            }
            Some(bracket @ (b'}' | b']')) => {
                if open.pop() != Some(bracket) {
                    return Err(text.unexpected("a value"));
                }
                text.skip(1);
            }
            Some(b',' | b':') if !open.is_empty() => text.skip(1),
            Some(_) => {
                let plain = |b: &&u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
                let length = text.rest().iter().take_while(plain).count();
                if length == 0 {
                    return Err(text.unexpected("a value"));
                }
                text.skip(length);
            }
        }
        if open.is_empty() {
            return Ok(());
        }
    }
}
