//! Which format a file is in: its first bytes decide, its name only where they do not.

use crate::{cursor::Cursor, json, mesh};
use std::path::Path;

/// The formats of plans and of scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Wkt,
    GeoJson,
    GridMap,
    Pgm,
    MapYaml,
    Obj,
    Stl,
    Ply,
    Off,
    Gltf,
}

impl Format {
    fn is_scene(self) -> bool {
        matches!(self, Self::Obj | Self::Stl | Self::Ply | Self::Off | Self::Gltf)
    }
}

const PLANS: &str =
    "WKT, planar GeoJSON, MovingAI .map and PGM maps with their YAML are read, gzipped or not";
const SCENES: &str = "OBJ, glTF, GLB, STL, PLY and OFF are read, gzipped or not";

/// The format of a plan, or why there is none.
pub(crate) fn detect_plan(bytes: &[u8], path: &Path) -> Result<Format, String> {
    match detect(bytes, path)? {
        Some(format) if format.is_scene() => Err("this is a 3D scene, not a plan".into()),
        Some(format) => Ok(format),
        None => Err(format!("unknown format; {PLANS}")),
    }
}

/// The format of a scene, or why there is none.
pub(crate) fn detect_scene(bytes: &[u8], path: &Path) -> Result<Format, String> {
    match detect(bytes, path)? {
        Some(format) if format.is_scene() => Ok(format),
        Some(_) => Err(format!("this is a 2D plan, not a 3D scene; {SCENES}")),
        None => Err(format!("unknown format; {SCENES}")),
    }
}

/// The format, if there is a known one.
fn detect(bytes: &[u8], path: &Path) -> Result<Option<Format>, String> {
    let extension = extension_without_gz(path);
    if bytes.starts_with(b"WAYFARE\0") {
        return Err("this is a finished wayfare product, not a plan".into());
    }
    if let [b'P', kind @ b'1'..=b'7', ..] = bytes {
        return match kind {
            b'2' | b'5' => Ok(Some(Format::Pgm)),
            _ => Err(format!("P{} images are not read, only PGM (P2 and P5)", *kind as char)),
        };
    }
    if bytes.starts_with(mesh::GLB_MAGIC) {
        return Ok(Some(Format::Gltf));
    }
    if mesh::is_binary_stl(bytes) {
        return Ok(Some(Format::Stl));
    }
    let mut text = Cursor::new(bytes);
    text.skip_space();
    match text.peek() {
        None => return Err("the file is empty".into()),
        Some(b'{') if is_gltf(text.clone(), &extension) => return Ok(Some(Format::Gltf)),
        Some(b'{') => return Ok(Some(Format::GeoJson)),
        Some(b'[') => return Err("a JSON array is no GeoJSON object".into()),
        Some(_) => {}
    }
    if matches!(extension.as_str(), "yaml" | "yml") {
        return Ok(Some(Format::MapYaml));
    }
    while text.peek() == Some(b'#') {
        text.line();
        text.skip_space();
    }
    let word = text.word();
    let lower = word.to_ascii_lowercase();
    Ok(Some(match lower.as_slice() {
        b"type" | b"height" | b"width" => Format::GridMap,
        b"mesh" => {
            return Err("a Polyanya mesh is a finished navmesh; give it a name that ends in .mesh".into());
        }
        b"image" | b"resolution" | b"origin" | b"negate" => Format::MapYaml,
        b"srid" => Format::Wkt,
        b"ply" => Format::Ply,
        b"solid" => Format::Stl,
        b"vt" | b"vn" | b"vp" | b"usemtl" | b"mtllib" => Format::Obj,
        // A letter is little to go by: garbage begins with one often enough.
        b"v" | b"f" | b"o" | b"g" | b"s" if !names_another_scene(&extension) => Format::Obj,
        _ if mesh::is_off_header(word) => Format::Off,
        _ if is_wkt_name(&lower) => Format::Wkt,
        _ => match extension.as_str() {
            "wkt" => Format::Wkt,
            "json" | "geojson" => Format::GeoJson,
            "map" => Format::GridMap,
            "pgm" => Format::Pgm,
            "obj" => Format::Obj,
            "stl" => Format::Stl,
            "ply" => Format::Ply,
            "off" => Format::Off,
            "gltf" | "glb" => Format::Gltf,
            _ => return Ok(None),
        },
    }))
}

/// Whether a file's name says that it is a scene, but no OBJ.
fn names_another_scene(extension: &str) -> bool {
    matches!(extension, "stl" | "ply" | "off" | "gltf" | "glb")
}

/// Whether a JSON object is glTF: that has an asset, GeoJSON a type; the name decides where neither is there.
fn is_gltf(mut text: Cursor, extension: &str) -> bool {
    let mut found = None;
    let _ = json::members(&mut text, |name, value| {
        found = match name {
            "asset" => Some(true),
            "type" => Some(false),
            _ => return Ok(false),
        };
        // What was looked for is found; the fault only ends the search.
        Err(value.unexpected("no more"))
    });
    found.unwrap_or(extension == "gltf")
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
