//! From a file to a [`PlanSource`].

use crate::{
    PlanOptions, PlanSource, ReadError,
    error::Fault,
    format::{Format, detect_plan},
    geojson, grid_map,
    map_yaml::MapYaml,
    pgm, unpack, wkt,
};
use std::path::{Path, PathBuf};

/// Reads a 2D plan; the format is found by content, then by name.
///
/// An occupancy map may be named by its YAML file or by its image; the image looks for a YAML file of the same
/// name beside it.
pub fn read_plan(path: &Path, options: &PlanOptions) -> Result<PlanSource, ReadError> {
    check(path, options)?;
    read_plan_beside(&unpack::read_bytes(path, options.max_bytes)?, path, options)
}

/// Reads a 2D plan whose bytes are at hand; what belongs to it lies beside `path`, as for [`read_plan`].
pub fn read_plan_beside(bytes: &[u8], path: &Path, options: &PlanOptions) -> Result<PlanSource, ReadError> {
    check(path, options)?;
    let bytes = unpack::inflate(bytes, options.max_bytes).map_err(|fault| fault.into_error(path, &[]))?;
    match detect_in(&bytes, path)? {
        Format::MapYaml => {
            let map = MapYaml::parse(&bytes).map_err(|fault| fault.into_error(path, &bytes))?;
            let Some(image) = map.image.as_ref().filter(|image| !image.is_empty()) else {
                return Err(Fault::whole("the YAML names no image").into_error(path, &bytes));
            };
            let image_path = path.with_file_name(image);
            let image = unpack::read_bytes(&image_path, options.max_bytes)?;
            if detect_plan(&image, &image_path) != Ok(Format::Pgm) {
                let message = "the image of the map is not a PGM; convert it, for example with ImageMagick";
                return Err(Fault::whole(message).into_error(&image_path, &[]));
            }
            pgm::read(&image, &map, options).map_err(|fault| fault.into_error(&image_path, &image))
        }
        Format::Pgm => {
            let Some(yaml) = yaml_beside(path) else {
                return read_image_alone(&bytes, path, options);
            };
            let text = unpack::read_bytes(&yaml, options.max_bytes)?;
            let map = MapYaml::parse(&text).map_err(|fault| fault.into_error(&yaml, &text))?;
            pgm::read(&bytes, &map, options).map_err(|fault| fault.into_error(path, &bytes))
        }
        _ => read_plan_bytes(&bytes, path, options),
    }
}

/// Reads a 2D plan from memory; `name` is used in messages and, where the content does not tell, for the
/// format. No other file is opened: an occupancy map is read with the usual settings.
pub fn read_plan_bytes(bytes: &[u8], name: &Path, options: &PlanOptions) -> Result<PlanSource, ReadError> {
    check(name, options)?;
    let bytes = unpack::inflate(bytes, options.max_bytes).map_err(|fault| fault.into_error(name, &[]))?;
    let read = match detect_in(&bytes, name)? {
        Format::Wkt => wkt::read(&bytes, options),
        Format::GeoJson => geojson::read(&bytes, options),
        Format::GridMap => grid_map::read(&bytes, options),
        Format::Pgm => return read_image_alone(&bytes, name, options),
        Format::MapYaml => MapYaml::parse(&bytes)
            .and_then(|_| Err(Fault::whole("the YAML of a map is nothing without its image"))),
        _ => Err(Fault::whole("this is a 3D scene, not a plan")),
    };
    read.map_err(|fault| fault.into_error(name, &bytes))
}

fn check(path: &Path, options: &PlanOptions) -> Result<(), ReadError> {
    options.check().map_err(|message| Fault::whole(message).into_error(path, &[]))
}

fn detect_in(bytes: &[u8], path: &Path) -> Result<Format, ReadError> {
    detect_plan(bytes, path).map_err(|message| Fault::whole(message).into_error(path, &[]))
}

fn read_image_alone(bytes: &[u8], path: &Path, options: &PlanOptions) -> Result<PlanSource, ReadError> {
    let map = MapYaml::default();
    let mut source = pgm::read(bytes, &map, options).map_err(|fault| fault.into_error(path, bytes))?;
    source.notes.push(format!(
        "no YAML beside the image: taken are {} m per pixel, free under {}, occupied over {}",
        map.resolution, map.free_thresh, map.occupied_thresh
    ));
    Ok(source)
}

/// The YAML file beside `map.pgm` or `map.pgm.gz`.
fn yaml_beside(image: &Path) -> Option<PathBuf> {
    let name = image.file_name()?.to_str()?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    ["yaml", "yml"]
        .into_iter()
        .map(|ending| image.with_file_name(format!("{stem}.{ending}")))
        .find(|path| path.is_file())
}
