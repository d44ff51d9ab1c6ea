//! Well-known text: `POLYGON`, `MULTIPOLYGON` and `GEOMETRYCOLLECTION`, nested as deep as a file likes.
//!
//! Source: OGC 06-103r4, section 7, and the `SRID=n;` prefix of PostGIS. Several geometries one after
//! the other are read as a collection. Heights and measures (`Z`, `M`, `ZM`) are left out with a note.
//! No recursion: a collection in a collection only counts a level up. Cost: O(file).

use crate::{
    PlanOptions, PlanSource,
    collect::Collector,
    cursor::{Cursor, excerpt},
    degrees,
    error::Fault,
};

pub(crate) fn read(bytes: &[u8], options: &PlanOptions) -> Result<PlanSource, Fault> {
    let mut text = Cursor::new(bytes);
    let mut plan = Collector::new(options);
    // Open collections around the place.
    let mut level = 0usize;
    loop {
        // 1. A geometry begins here.
        let opened = geometry(&mut text, &mut plan, options)?;
        level += usize::from(opened);
        if opened {
            continue;
        }
        // 2. It ended: so do collections, until a comma or the end of all of them.
        loop {
            if level == 0 {
                text.skip_space();
                while text.take(b';') || text.take(b',') {}
                text.skip_space();
                if text.peek().is_none() {
                    // Well-known text has no rule about degrees, so small plans are taken as they are.
                    let suspicion = degrees::suspicion(plan.raw_bounds(), options);
                    let mut source = plan.finish();
                    source.notes.extend(suspicion);
                    return Ok(source);
                }
                break;
            }
            if text.take(b',') {
                break;
            }
            if !text.take(b')') {
                return Err(text.unexpected("',' or ')' after a geometry"));
            }
            level -= 1;
        }
    }
}

/// Reads a geometry; true if it is a collection whose first member comes next.
fn geometry(text: &mut Cursor, plan: &mut Collector, options: &PlanOptions) -> Result<bool, Fault> {
    text.skip_space();
    let at = text.at();
    let mut name = text.word().to_ascii_uppercase();
    if name == b"SRID" {
        text.expect(b'=')?;
        let srid = text.count()?;
        text.expect(b';')?;
        degrees::refuse_srid(srid, options).map_err(|message| Fault::at(at, message))?;
        text.skip_space();
        name = text.word().to_ascii_uppercase();
    }
    // `POLYGON Z`, `POLYGONZ`, `POLYGON ZM` and so on.
    let suffix = [&b"ZM"[..], b"Z", b"M"].into_iter().find_map(|suffix| name.strip_suffix(suffix));
    if let Some(stem) = suffix
        && is_area(stem)
    {
        name = stem.to_vec();
    } else if is_area(&name) {
        let mut ahead = text.clone();
        if matches!(ahead.word().to_ascii_uppercase().as_slice(), b"Z" | b"M" | b"ZM") {
            *text = ahead;
        }
    }
    match name.as_slice() {
        b"POLYGON" => {
            if !empty(text) {
                polygon(text, plan)?;
            }
            Ok(false)
        }
        b"MULTIPOLYGON" => {
            if empty(text) {
                return Ok(false);
            }
            text.expect(b'(')?;
            loop {
                if !empty(text) {
                    polygon(text, plan)?;
                }
                if !text.take(b',') {
                    break;
                }
            }
            text.expect(b')')?;
            Ok(false)
        }
        b"GEOMETRYCOLLECTION" => {
            if empty(text) {
                return Ok(false);
            }
            text.expect(b'(')?;
            Ok(true)
        }
        b"" => Err(text.unexpected("POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION")),
        _ => {
            let known = [
                "POINT",
                "MULTIPOINT",
                "LINESTRING",
                "MULTILINESTRING",
                "LINEARRING",
                "CIRCULARSTRING",
                "COMPOUNDCURVE",
                "CURVEPOLYGON",
                "MULTICURVE",
                "MULTISURFACE",
                "CURVE",
                "SURFACE",
                "POLYHEDRALSURFACE",
                "TIN",
                "TRIANGLE",
            ];
            let kind = excerpt(&name);
            let what = if known.contains(&kind.as_str()) {
                "has no area that can be walked on"
            } else {
                "is unknown"
            };
            Err(Fault::at(
                at,
                format!("{kind} {what}; POLYGON, MULTIPOLYGON and GEOMETRYCOLLECTION are read"),
            ))
        }
    }
}

fn is_area(name: &[u8]) -> bool {
    matches!(name, b"POLYGON" | b"MULTIPOLYGON" | b"GEOMETRYCOLLECTION")
}

/// Passes the word `EMPTY` if it comes next.
fn empty(text: &mut Cursor) -> bool {
    let mut ahead = text.clone();
    let there = ahead.word().eq_ignore_ascii_case(b"EMPTY");
    if there {
        *text = ahead;
    }
    there
}

fn polygon(text: &mut Cursor, plan: &mut Collector) -> Result<(), Fault> {
    text.expect(b'(')?;
    loop {
        if !empty(text) {
            ring(text, plan).map_err(|fault| fault.in_element(|| plan.element()))?;
        }
        plan.end_ring();
        if !text.take(b',') {
            break;
        }
    }
    text.expect(b')').map_err(|fault| fault.in_element(|| plan.element()))?;
    plan.end_polygon();
    Ok(())
}

fn ring(text: &mut Cursor, plan: &mut Collector) -> Result<(), Fault> {
    text.expect(b'(')?;
    loop {
        text.skip_space();
        let at = text.at();
        let (x, y) = (text.number()?, text.number()?);
        // A height, a measure, or both.
        let mut extra = false;
        for _ in 0..2 {
            text.skip_space();
            if matches!(text.peek(), Some(b',' | b')')) {
                break;
            }
            text.number()?;
            extra = true;
        }
        plan.vertex(at, x, y, extra)?;
        if !text.take(b',') {
            break;
        }
    }
    text.expect(b')')
}
