//! MovingAI grid maps (`.map`): a header of four lines, then one character per square.
//!
//! Source: N. Sturtevant 2012, "Benchmarks for grid-based pathfinding", section "file formats".
//! Column i, row k counted from the top of the file is the square [i, i+1] × [k, k+1]: nothing is
//! flipped. `.`, `G` and `S` are passable. Cost: O(file).

use crate::{
    PlanOptions, PlanSource,
    contour::{MAX_SQUARES, trace},
    cursor::Cursor,
    error::Fault,
    raster::check_corners,
};
use wayfare_core::dvec2;

pub(crate) fn read(bytes: &[u8], options: &PlanOptions) -> Result<PlanSource, Fault> {
    let mut text = Cursor::new(bytes);
    let (mut width, mut height) = (None, None);
    // 1. The header, in any order, up to the word `map`.
    loop {
        text.skip_space();
        let at = text.at();
        match text.word().to_ascii_lowercase().as_slice() {
            b"type" => {
                text.word();
            }
            b"height" => height = Some(text.count()?),
            b"width" => width = Some(text.count()?),
            b"map" => break,
            _ => {
                let mut here = text.clone();
                here.skip_back_to(at);
                return Err(here.unexpected("'type', 'height', 'width' or 'map'"));
            }
        }
    }
    text.line();
    let at = text.at();
    let (Some(width), Some(height)) = (width, height) else {
        return Err(Fault::at(at, "the header names no height or no width"));
    };
    if (width as u64).saturating_mul(height as u64) > (text.rest().len() as u64).min(MAX_SQUARES) {
        let rest = text.rest().len();
        return Err(Fault::at(at, format!("{width} × {height} squares are promised, {rest} bytes follow")));
    }
    check_corners(width, height, |x, y| dvec2(x, y) * options.scale)?;
    // 2. The rows.
    let mut rows = Vec::with_capacity(height);
    let mut unknown = 0usize;
    for row in 0..height {
        let at = text.at();
        let Some(line) = text.line() else {
            return Err(Fault::at(at, format!("the map ends after {row} of {height} rows")));
        };
        if line.len() < width || !line[width..].iter().all(u8::is_ascii_whitespace) {
            let message = format!("the row has {} squares, {width} are promised", line.len());
            return Err(Fault::at(at, message).in_element(|| format!("row {row}")));
        }
        let line = &line[..width];
        unknown += line.iter().filter(|square| !b".GS@OTW".contains(square)).count();
        rows.push(line);
    }
    text.skip_space();
    if text.peek().is_some() {
        return Err(text.unexpected(&format!("the end of the file after {height} rows")));
    }
    let fill = |row: usize, free: &mut [bool]| {
        for (free, square) in free.iter_mut().zip(rows[row]) {
            *free = matches!(square, b'.' | b'G' | b'S');
        }
    };
    let place = |x: u32, y: u32| dvec2(x.into(), y.into()) * options.scale;
    let mut source = PlanSource::from_polygons(trace(width, height, fill, place));
    if unknown > 0 {
        source.notes.push(format!("{unknown} squares of unknown kinds were taken for blocked"));
    }
    Ok(source)
}
