//! Occupancy maps: portable greymaps, plain (P2) and raw (P5), 8 and 16 bits.
//!
//! Source: the Netpbm specification of PGM; the meaning of the greys is in `map_yaml`. Row 0 of the image is its
//! top, so rows are taken from the last to the first: y is up. Unknown ground is not walkable.
//! Cost: O(file).

use crate::{
    PlanOptions, PlanSource,
    contour::{MAX_SQUARES, trace},
    cursor::Cursor,
    error::Fault,
    map_yaml::MapYaml,
    raster::check_corners,
};
use std::borrow::Cow;
use wayfare_core::{
    DVec2, dvec2,
    ops::{cos, sin},
};

pub(crate) fn read(bytes: &[u8], map: &MapYaml, options: &PlanOptions) -> Result<PlanSource, Fault> {
    let image = Image::parse(bytes)?;
    let [x0, y0, yaw] = map.origin;
    let (s, c) = (sin(yaw), cos(yaw));
    let place = |x: f64, y: f64| -> DVec2 {
        let p = dvec2(x, y) * map.resolution;
        (dvec2(x0, y0) + dvec2(c * p.x - s * p.y, s * p.x + c * p.y)) * options.scale
    };
    let (width, height) = (image.width, image.height);
    check_corners(width, height, place)?;
    let free_values = map.free_values(image.max_value);
    // A value over the largest is not free.
    let is_free = |value: u16| free_values.get(usize::from(value)).copied().unwrap_or(false);
    let fill = |row: usize, free: &mut [bool]| {
        let top_row = height - 1 - row;
        for (x, free) in free.iter_mut().enumerate() {
            *free = is_free(image.value(top_row * width + x));
        }
    };
    Ok(PlanSource::from_polygons(trace(width, height, fill, |x, y| place(x.into(), y.into()))))
}

struct Image<'a> {
    width: usize,
    height: usize,
    max_value: u16,
    /// One or two bytes per pixel, the high byte first.
    pixels: Cow<'a, [u8]>,
}

impl<'a> Image<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Self, Fault> {
        let mut text = Cursor::new(bytes);
        let is_raw = match text.word() {
            b"P5" => true,
            b"P2" => false,
            _ => return Err(Fault::at(0, "the image is not a PGM (P2 or P5)")),
        };
        let width = header_number(&mut text)?;
        let height = header_number(&mut text)?;
        let at = text.at();
        let max_value = header_number(&mut text)?;
        let max_value = match u16::try_from(max_value) {
            Ok(value @ 1..) => value,
            _ => return Err(Fault::at(at, format!("the largest grey is {max_value}, not 1 to 65535"))),
        };
        let pixels = (width as u64).saturating_mul(height as u64);
        let size = if max_value > 255 { 2 } else { 1 };
        let at = text.at();
        if pixels > MAX_SQUARES {
            return Err(Fault::at(at, format!("{width} × {height} pixels are too many")));
        }
        let count = pixels as usize;
        if is_raw {
            // One white space, then the raster.
            text.skip(1);
            let raster = text.rest();
            let needed = count * size;
            let Some(raster) = raster.get(..needed) else {
                let message =
                    format!("{width} × {height} pixels need {needed} bytes, {} follow", raster.len());
                return Err(Fault::at(at, message));
            };
            return Ok(Self { width, height, max_value, pixels: Cow::Borrowed(raster) });
        }
        // A number and a space each, at least.
        if count > text.rest().len().div_ceil(2) {
            let message =
                format!("{width} × {height} pixels are promised, {} bytes follow", text.rest().len());
            return Err(Fault::at(at, message));
        }
        let mut raster = Vec::with_capacity(count * size);
        for k in 0..count {
            let pixel = |fault: Fault| fault.in_element(|| format!("pixel ({}, {})", k % width, k / width));
            let at = text.at();
            let value = header_number(&mut text).map_err(pixel)?;
            match u16::try_from(value) {
                Ok(value) if value <= max_value => raster.extend_from_slice(&value.to_be_bytes()[2 - size..]),
                _ => {
                    return Err(pixel(Fault::at(
                        at,
                        format!("{value} is over the largest grey {max_value}"),
                    )));
                }
            }
        }
        Ok(Self { width, height, max_value, pixels: Cow::Owned(raster) })
    }

    fn value(&self, k: usize) -> u16 {
        if self.max_value > 255 {
            u16::from_be_bytes([self.pixels[2 * k], self.pixels[2 * k + 1]])
        } else {
            u16::from(self.pixels[k])
        }
    }
}

/// A number behind white space and comments.
fn header_number(text: &mut Cursor) -> Result<usize, Fault> {
    text.skip_space();
    while text.peek() == Some(b'#') {
        text.line();
        text.skip_space();
    }
    text.count()
}
