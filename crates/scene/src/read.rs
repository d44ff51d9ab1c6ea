//! From a file to a [`PlanSource`].

use crate::{
    PlanOptions, PlanSource, ReadError,
    error::Fault,
    format::{Format, detect},
    grid_map, unpack, wkt,
};
use std::path::Path;

/// Reads a 2D plan; the format is found by content, then by name. See the crate's documentation.
pub fn read_plan(path: &Path, options: &PlanOptions) -> Result<PlanSource, ReadError> {
    let bytes = unpack::read_file(path, options.max_bytes)?;
    read_plan_bytes(&bytes, path, options)
}

/// Reads a 2D plan from memory; `name` is used in messages and, where the content does not tell, for the
/// format.
pub fn read_plan_bytes(bytes: &[u8], name: &Path, options: &PlanOptions) -> Result<PlanSource, ReadError> {
    let whole = |message: String| Fault::whole(message).into_error(name, &[]);
    options.check().map_err(whole)?;
    let bytes = unpack::inflate(bytes, options.max_bytes).map_err(|fault| fault.into_error(name, &[]))?;
    let read = match detect(&bytes, name).map_err(whole)? {
        Format::Wkt => wkt::read(&bytes, options),
        Format::GridMap => grid_map::read(&bytes, options),
        Format::GeoJson | Format::Pgm | Format::MapYaml => {
            return Err(whole("this format is not read yet".into()));
        }
    };
    read.map_err(|fault| fault.into_error(name, &bytes))
}
