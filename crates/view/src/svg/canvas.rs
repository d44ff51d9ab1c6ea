//! From metres, y up, to pixels, y down; and numbers as short as they can be.

use std::fmt::Write as _;
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::Aabb2;

/// Room round the map [px].
const MARGIN: f64 = 24.0;
/// How far the backdrop reaches beyond the map [px].
const BORDER: f64 = 10.0;
/// Room below the map for the scale bar and the caption [px].
const FOOTER: f64 = 40.0;
/// Room for a legend above them [px].
pub(super) const LEGEND: f64 = 26.0;
/// Room for a line of text above a map that is one of several [px].
const HEADING: f64 = 22.0;
/// A map is never drawn taller than this many widths: a long corridor is made smaller instead.
const TALLEST: f64 = 1.5;

/// Where the map lies in the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canvas {
    /// Pixels per metre.
    pub scale: f64,
    /// Width of the picture [px].
    pub width: f64,
    /// Height of the picture [px].
    pub height: f64,
    /// Width and height of the map [px].
    drawn: DVec2,
    /// Middle of the map [m].
    centre: DVec2,
    /// Where the middle of the map lies [px].
    middle: DVec2,
}

impl Canvas {
    /// Fits a map into a picture of the given width.
    pub fn new(bounds: Aabb2, width: f64, footer: bool) -> Self {
        let size = bounds.size();
        let room = dvec2(width - 2.0 * MARGIN, width * TALLEST);
        let fit = room / size;
        // A map without width or height fits whatever the scale; one without both is a point.
        let scale = match fit.x.min(fit.y) {
            scale if scale.is_finite() && scale > 0.0 => scale,
            _ => 1.0,
        };
        let drawn = (size * scale).max(DVec2::ONE);
        let height = (2.0 * MARGIN + drawn.y + if footer { FOOTER } else { 0.0 }).ceil();
        let centre = if size == DVec2::ZERO && bounds.min.x > bounds.max.x {
            DVec2::ZERO
        } else {
            (bounds.min + bounds.max) / 2.0
        };
        Self { scale, width, height, drawn, centre, middle: dvec2(width / 2.0, MARGIN + drawn.y / 2.0) }
    }

    /// Maps one below the other at one scale, with room for a line of text above each if asked for; and the whole picture.
    pub fn stacked(maps: &[Aabb2], width: f64, headings: bool, footer: bool) -> (Vec<Self>, Self) {
        let largest = maps.iter().fold(DVec2::ZERO, |size, map| size.max(map.size()));
        let whole = Self::new(Aabb2 { min: DVec2::ZERO, max: largest }, width, footer);
        let mut down = 0.0;
        let place = |map: &Aabb2| {
            let drawn = (map.size() * whole.scale).max(DVec2::ONE);
            let top = down + MARGIN + if headings { HEADING } else { 0.0 };
            down = top + drawn.y;
            let middle = dvec2(width / 2.0, top + drawn.y / 2.0);
            Self { drawn, centre: (map.min + map.max) / 2.0, middle, ..whole }
        };
        let canvases: Vec<Self> = maps.iter().map(place).collect();
        let height = (down + MARGIN + if footer { FOOTER } else { 0.0 }).ceil();
        (canvases.into_iter().map(|canvas| Self { height, ..canvas }).collect(), Self { height, ..whole })
    }

    /// The upper left corner of the map [px].
    pub fn corner(&self) -> DVec2 {
        self.middle - self.drawn / 2.0
    }

    /// The same with room for a legend between the map and what stands below it.
    pub fn with_legend(self) -> Self {
        Self { height: self.height + LEGEND, ..self }
    }

    /// Where a point of the map is drawn [px].
    pub fn place(&self, p: DVec2) -> DVec2 {
        let from_centre = (p - self.centre) * self.scale;
        dvec2(self.middle.x + from_centre.x, self.middle.y - from_centre.y)
    }

    /// Paints what cannot be walked on, in and round the map: the ground is laid over it.
    pub fn backdrop(&self, out: &mut String) {
        let (size, border) = (self.drawn + 2.0 * BORDER, self.middle - self.drawn / 2.0 - BORDER);
        out.push_str(&format!(
            "<rect class=\"obstacle\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n",
            number(border.x),
            number(border.y),
            number(size.x),
            number(size.y)
        ));
    }

    /// Appends a ring or chain of points to the data of a `<path>`.
    pub fn trace(&self, data: &mut String, points: impl IntoIterator<Item = DVec2>, closed: bool) {
        let mut last = None;
        for p in points {
            let p = self.place(p);
            let (x, y) = (milli(p.x), milli(p.y));
            match last {
                None => {
                    data.push('M');
                    push_number(data, x, true);
                    push_number(data, y, false);
                }
                // Steps are taken between rounded places, so that rounding never adds up.
                Some((from_x, from_y)) => match (x - from_x, y - from_y) {
                    (0, 0) => {}
                    (dx, 0) => {
                        data.push('h');
                        push_number(data, dx, true);
                    }
                    (0, dy) => {
                        data.push('v');
                        push_number(data, dy, true);
                    }
                    (dx, dy) => {
                        data.push('l');
                        push_number(data, dx, true);
                        push_number(data, dy, false);
                    }
                },
            }
            last = Some((x, y));
        }
        if closed && last.is_some() {
            data.push('z');
        }
    }
}

/// Thousandths of a pixel.
fn milli(pixels: f64) -> i64 {
    (pixels * 1000.0).round() as i64
}

/// Writes thousandths as a decimal number without needless zeros; a blank only where one is needed.
fn push_number(out: &mut String, milli: i64, first: bool) {
    if !first && milli >= 0 {
        out.push(' ');
    }
    if milli < 0 {
        out.push('-');
    }
    let (whole, part) = (milli.unsigned_abs() / 1000, milli.unsigned_abs() % 1000);
    if whole > 0 || part == 0 {
        // Writing to a string cannot fail.
        let _ = write!(out, "{whole}");
    }
    if part > 0 {
        let digits = format!("{part:03}");
        out.push('.');
        out.push_str(digits.trim_end_matches('0'));
    }
}

/// A number for an attribute, to a thousandth.
pub(super) fn number(value: f64) -> String {
    let mut out = String::new();
    push_number(&mut out, milli(value), true);
    out
}

/// Text for the inside of an element or an attribute.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML knows no other control characters, not even escaped.
            '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                out.push('\u{fffd}');
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        let written: Vec<String> = [0.0, 1.0, -1.0, 0.5, -0.25, 12.3456, 1e-9, 100.0].map(number).into();
        assert_eq!(written, ["0", "1", "-1", ".5", "-.25", "12.346", "0", "100"]);
    }

    #[test]
    fn a_ring_is_traced_in_steps_that_close_exactly() {
        let canvas = Canvas::new(Aabb2 { min: dvec2(0.0, 0.0), max: dvec2(3.0, 3.0) }, 348.0, false);
        assert_eq!((canvas.scale, canvas.width, canvas.height), (100.0, 348.0, 348.0));
        let mut data = String::new();
        canvas.trace(&mut data, [(0., 0.), (3., 0.), (1.5, 3.)].map(|(x, y)| dvec2(x, y)), true);
        assert_eq!(data, "M24 324h300l-150-300z");
    }

    #[test]
    fn maps_without_width_or_height_or_anything_still_fit() {
        for bounds in [
            Aabb2::EMPTY,
            Aabb2 { min: dvec2(5.0, 5.0), max: dvec2(5.0, 5.0) },
            Aabb2 { min: dvec2(5.0, 5.0), max: dvec2(5.0, 500.0) },
        ] {
            let canvas = Canvas::new(bounds, 1000.0, true);
            assert!(canvas.height <= 1600.0 && canvas.place(dvec2(5.0, 5.0)).is_finite(), "{bounds:?}");
        }
    }

    #[test]
    fn maps_stand_one_below_the_other_at_one_scale() {
        let map = |low: f64, x: f64, y: f64| Aabb2 { min: dvec2(low, 0.0), max: dvec2(low + x, y) };
        let (canvases, whole) =
            Canvas::stacked(&[map(0.0, 3.0, 2.0), map(7.0, 1.0, 1.0)], 348.0, true, false);
        assert_eq!((whole.scale, whole.height), (100.0, 24.0 + 22.0 + 200.0 + 24.0 + 22.0 + 100.0 + 24.0));
        assert_eq!(canvases[0].corner(), dvec2(24.0, 46.0));
        assert_eq!(canvases[1].corner(), dvec2(124.0, 46.0 + 200.0 + 46.0));
        assert_eq!(canvases[1].place(dvec2(7.0, 1.0)), canvases[1].corner());
    }

    #[test]
    fn text_cannot_break_out_of_its_element() {
        assert_eq!(escape("<a href=\"x\">&\u{1}</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;\u{fffd}&lt;/a&gt;");
    }
}
