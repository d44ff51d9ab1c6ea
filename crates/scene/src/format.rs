//! Which format a file is in: its first bytes decide, its name only where they do not.

use crate::cursor::Cursor;
use std::path::Path;

/// The formats of plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Wkt,
    GeoJson,
    GridMap,
    Pgm,
    MapYaml,
}

const UNDERSTOOD: &str =
    "WKT, planar GeoJSON, MovingAI .map and PGM maps with their YAML are read, gzipped or not";

/// The format, or why there is none.
pub(crate) fn detect(bytes: &[u8], path: &Path) -> Result<Format, String> {
    let mut text = Cursor::new(bytes);
    text.skip_space();
    let Some(first) = text.peek() else {
        return Err("the file is empty".into());
    };
    let extension = extension_without_gz(path);
    if bytes.starts_with(b"WAYFARE\0") {
        return Err("this is a finished wayfare product, not a plan".into());
    }
    if let [b'P', kind @ b'1'..=b'7', ..] = bytes {
        return match kind {
            b'2' | b'5' => Ok(Format::Pgm),
            _ => Err(format!("P{} images are not read, only PGM (P2 and P5)", *kind as char)),
        };
    }
    match first {
        b'{' => return Ok(Format::GeoJson),
        b'[' => return Err("a JSON array is no GeoJSON object".into()),
        _ => {}
    }
    if matches!(extension.as_str(), "yaml" | "yml") {
        return Ok(Format::MapYaml);
    }
    let word = text.word().to_ascii_lowercase();
    match word.as_slice() {
        b"type" | b"height" | b"width" => Ok(Format::GridMap),
        b"mesh" => Err("a Polyanya mesh is a finished navmesh; give it a name that ends in .mesh".into()),
        b"image" | b"resolution" | b"origin" | b"negate" => Ok(Format::MapYaml),
        b"srid" => Ok(Format::Wkt),
        _ if is_wkt_name(&word) => Ok(Format::Wkt),
        _ => match extension.as_str() {
            "wkt" => Ok(Format::Wkt),
            "json" | "geojson" => Ok(Format::GeoJson),
            "map" => Ok(Format::GridMap),
            "pgm" => Ok(Format::Pgm),
            _ => Err(format!("unknown format; {UNDERSTOOD}")),
        },
    }
}

/// Names of well-known text start with one of these; the reader says which it can use.
fn is_wkt_name(word: &[u8]) -> bool {
    let stems: [&[u8]; 10] = [
        b"polygon",
        b"multi",
        b"geometrycollection",
        b"point",
        b"linestring",
        b"curvepolygon",
        b"circularstring",
        b"polyhedralsurface",
        b"triangle",
        b"tin",
    ];
    stems.iter().any(|stem| word.starts_with(stem))
}

/// The ending of the name in small letters, without `.gz`.
pub(crate) fn extension_without_gz(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map(|(_, extension)| extension.to_string()).unwrap_or_default()
}
