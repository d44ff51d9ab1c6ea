//! The shared maps: where they are, which there are, and their path queries; and the shared [scenes].
//!
//! The data is not part of the repository. A test that needs it calls [`maps`] and passes when the list
//! is empty; the absence is said once on standard error.

pub mod scenes;

pub use scenes::{SceneBody, SharedScene, UpAxis, scene_named};

use flate2::read::GzDecoder;
use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};
use wayfare_core::{DVec2, dvec2};

/// Where a map comes from, which says what to expect of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MapKind {
    /// Grid of a game level: bg512, da2, dao, sc1, wc3maps512.
    Game,
    /// Grid of city streets.
    City,
    /// Made-up grid: mazes, random squares, rooms.
    Synthetic,
    /// Occupancy map of a robot.
    Occupancy,
    /// Plan of a building or its surroundings, as WKT.
    Plan,
    /// Ready convex polygons, as Polyanya `.mesh`.
    PolyMesh,
}

/// One of the shared maps.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedMap {
    /// File name without its endings, as `dao_hrt201d`.
    pub name: String,
    /// The map's file.
    pub path: PathBuf,
    /// Its path queries, if there are any.
    pub scen: Option<PathBuf>,
    /// Where it comes from.
    pub kind: MapKind,
}

impl SharedMap {
    /// Whether it shows the inside of buildings, where thin cells are rare.
    pub fn is_indoor(&self) -> bool {
        // Of the game grids, StarCraft and Warcraft are landscapes, as are a few others by name.
        match self.kind {
            MapKind::Game => !self.name.starts_with("sc1") && !self.name.starts_with("wc3"),
            MapKind::Occupancy => true,
            // Roads and barriers round an arena, 700 m across.
            MapKind::Plan => !self.name.starts_with("SiB2023"),
            MapKind::Synthetic => self.name.starts_with("rooms"),
            MapKind::City | MapKind::PolyMesh => false,
        }
    }
}

/// The folder of the shared data: `shared/data` beside or above this crate's folder. Says so on standard
/// error when there is none.
pub fn shared_data() -> Option<PathBuf> {
    let found = find_above(Path::new(env!("CARGO_MANIFEST_DIR")));
    if found.is_none() {
        eprintln!(
            "no shared data: none of the folders above {} holds shared/data, so real maps are left out",
            env!("CARGO_MANIFEST_DIR")
        );
    }
    found
}

fn find_above(start: &Path) -> Option<PathBuf> {
    start.ancestors().map(|folder| folder.join("shared/data")).find(|folder| folder.is_dir())
}

/// All shared 2D maps by kind and name; empty when the data is not there.
pub fn maps() -> Vec<SharedMap> {
    let Some(root) = shared_data() else { return Vec::new() };
    let mut maps = Vec::new();
    for path in files_below(&root, &["grid2d", "geometry2d", "polymesh2d/arena", "polymesh2d/aurora"]) {
        let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let plain = file.strip_suffix(".gz").unwrap_or(file);
        let Some((name, ending)) = plain.rsplit_once('.') else { continue };
        let kind = match (ending, name.split('_').next()) {
            ("map", Some("cities")) => MapKind::City,
            ("map", Some("mazes" | "random" | "rooms")) => MapKind::Synthetic,
            ("map", _) => MapKind::Game,
            ("pgm", _) => MapKind::Occupancy,
            // Points along outlines, made for reconstruction: no ground is described.
            ("wkt", _) if name == "buildings_outline" => continue,
            ("wkt", _) => MapKind::Plan,
            ("mesh", _) => MapKind::PolyMesh,
            _ => continue,
        };
        // Both meshes of a folder share one file of queries, named as the folder.
        let scen_stem = match kind {
            MapKind::PolyMesh => format!("{}.scen", name.trim_end_matches("-merged")),
            _ => format!("{plain}.scen"),
        };
        let scen = [scen_stem.clone(), format!("{scen_stem}.gz")];
        let scen = scen.map(|file| path.with_file_name(file)).into_iter().find(|path| path.is_file());
        maps.push(SharedMap { name: name.to_owned(), path: path.clone(), scen, kind });
    }
    maps.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    maps
}

/// The shared maps of one kind.
pub fn maps_of(kind: MapKind) -> Vec<SharedMap> {
    maps().into_iter().filter(|map| map.kind == kind).collect()
}

/// The shared map of that name.
pub fn map_named(name: &str) -> Option<SharedMap> {
    maps().into_iter().find(|map| map.name == name)
}

fn files_below(root: &Path, folders: &[&str]) -> Vec<PathBuf> {
    let entries = folders.iter().filter_map(|folder| fs::read_dir(root.join(folder)).ok()).flatten();
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files
}

/// The bytes of a file, unpacked if it is gzipped.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = fs::read(path)?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    GzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked)?;
    Ok(unpacked)
}

/// The text of a file, unpacked if it is gzipped.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_bytes(path)?).map_err(io::Error::other)
}

/// One path query of a `.scen` file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScenQuery {
    /// Column and row of the start square.
    pub from: [u32; 2],
    /// Column and row of the goal square.
    pub to: [u32; 2],
    /// Length of the shortest path over square centres by steps of 1 and √2 without cutting corners.
    pub octile: f64,
    /// Half a unit of the last decimal that the file gives of it.
    pub rounding: f64,
}

impl ScenQuery {
    /// Start and goal as the centres of their squares.
    pub fn centres(&self) -> [DVec2; 2] {
        [self.from, self.to].map(|[i, k]| dvec2(f64::from(i) + 0.5, f64::from(k) + 0.5))
    }
    /// Start and goal as the corners of their squares that the numbers name (`.mesh` queries mean these).
    pub fn corners(&self) -> [DVec2; 2] {
        [self.from, self.to].map(|[i, k]| dvec2(f64::from(i), f64::from(k)))
    }
}

/// The queries of a `.scen` file of version 1; an error names the line.
pub fn parse_scen(text: &str) -> Result<Vec<ScenQuery>, String> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let version = lines.next().map_or("", |(_, line)| line.trim());
    if !matches!(version, "version 1" | "version 1.0") {
        return Err(format!("line 1: expected `version 1`, found `{version}`"));
    }
    let parse = |line: &str| -> Option<ScenQuery> {
        // The map's name may hold blanks, so the numbers are counted from the end.
        let mut words = line.split_whitespace().rev();
        let word = words.next()?;
        let octile = word.parse().ok()?;
        let decimals = word.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let rounding = 0.5 / 10f64.powi(i32::try_from(decimals).ok()?);
        let mut whole = || words.next()?.parse::<u32>().ok();
        let (gy, gx, sy, sx) = (whole()?, whole()?, whole()?, whole()?);
        Some(ScenQuery { from: [sx, sy], to: [gx, gy], octile, rounding })
    };
    lines
        .map(|(k, line)| parse(line).ok_or_else(|| format!("line {}: not a query: `{line}`", k + 1)))
        .collect()
}

/// The queries of a shared map; empty when it has none.
///
/// # Panics
/// When the file cannot be read as a `.scen` file: the shared data is ours.
pub fn queries(map: &SharedMap) -> Vec<ScenQuery> {
    let Some(path) = &map.scen else { return Vec::new() };
    let text = read_text(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    parse_scen(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_of_scen_files_are_read() {
        let tabs = "version 1\n0\tmaps/a b.map\t49\t49\t1\t11\t3\t12\t2.41421\n";
        let expected = ScenQuery { from: [1, 11], to: [3, 12], octile: 2.41421, rounding: 0.5e-5 };
        assert_eq!(parse_scen(tabs), Ok(vec![expected]));
        assert_eq!(expected.centres(), [dvec2(1.5, 11.5), dvec2(3.5, 12.5)]);
        assert_eq!(parse_scen("version 1.0\n62 m.map 5 5 1 1 2 2 1.41\n").map(|q| q.len()), Ok(1));
        assert!(parse_scen("version 2\n").is_err());
        assert_eq!(parse_scen("version 1\nx\n").unwrap_err(), "line 2: not a query: `x`");
    }

    #[test]
    fn every_shared_grid_has_queries_and_every_kind_is_there() {
        let all = maps();
        if all.is_empty() {
            return;
        }
        for kind in [
            MapKind::Game,
            MapKind::City,
            MapKind::Synthetic,
            MapKind::Occupancy,
            MapKind::Plan,
            MapKind::PolyMesh,
        ] {
            assert!(all.iter().any(|map| map.kind == kind), "{kind:?}");
        }
        for map in all.iter().filter(|map| !matches!(map.kind, MapKind::Occupancy | MapKind::Plan)) {
            assert!(queries(map).len() > 100, "{}", map.name);
        }
        assert!(map_named("arena-merged").is_some_and(|map| map.kind == MapKind::PolyMesh));
    }
}
