//! Meshes in the format `.mesh`, version 2, of Polyanya (Cui, Harabor and Grastien 2017).
//!
//! The file lists vertices (position and the polygons round them) and polygons (their vertices and, for each, the
//! polygon across the edge *before* it). Any white space separates numbers.
//! Steps: 1. read numbers, trusting no count  2. turn clockwise polygons  3. find neighbours by shared edges and
//!   compare with the file's  4. store vertices once per fan  5. validate and check.
//! Cells keep the numbers of the polygons, so that defects name them; vertices are renumbered from step 4 on.

use crate::{
    convex, join,
    mesh::{NavMesh, tolerance},
    raw::{NO_CELL, RawNavMesh},
};
use wayfare_core::{
    DVec2, Defect, MAX_COORDINATE,
    defects::{Defects, summary},
    dvec2,
};
use wayfare_geom::Aabb2;

/// Notches of an imported polygon that are no deeper than this part of the map's extent are rounding of its
/// coordinates: many such files were computed in `f32`, which keeps 24 bits; this leaves four of them.
const ROUNDING: f64 = 1.0 / (1 << 20) as f64;

/// Why a `.mesh` file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The text is not in the format.
    #[error("line {line}: {message}")]
    Text {
        /// The line, from 1 on.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// The polygons do not make a mesh; cells are numbered as the file's polygons. The list is never empty.
    #[error("not a valid mesh: {}", summary(.0))]
    Invalid(Vec<Defect>),
}

impl NavMesh {
    /// Imports a Polyanya `.mesh` file, version 2. The whole mesh is checked, as by [`NavMesh::check`].
    ///
    /// Inner vertices are allowed and the mesh is marked as imported. Polygons that the rounding of their
    /// coordinates left slightly concave are taken as relaxed cells.
    pub fn import_polyanya(text: &[u8]) -> Result<Self, ImportError> {
        // 1. and 2.
        let mut raw = Reader { text, at: 0 }.mesh()?;
        // 3.
        let mut defects = Defects::default();
        let corner_cells = raw.corner_cells();
        let twins = join::match_edges(&raw, &corner_cells, &mut defects);
        if defects.count() > 0 {
            return Err(ImportError::Invalid(defects.into_vec("N0")));
        }
        // 4.
        join::split_fans(&mut raw, &corner_cells, &twins);
        // 5.
        raw.convex_distance = relaxation(&raw);
        let mesh = raw.validate().map_err(ImportError::Invalid)?;
        let defects = mesh.check();
        if defects.is_empty() { Ok(mesh) } else { Err(ImportError::Invalid(defects)) }
    }
}

/// The depth of the deepest notch that is rounding [m].
fn relaxation(raw: &RawNavMesh) -> f64 {
    let bounds = Aabb2::of_points(raw.vertices.iter().map(|p| p.truncate()));
    let limit = (bounds.extent() * ROUNDING).max(tolerance(bounds).on_line);
    let depths = (0..raw.cell_count()).map(|cell| {
        let ring = ring(raw, cell);
        convex::deepest_notch(&ring)
    });
    depths.filter(|&depth| depth <= limit).fold(0.0, f64::max)
}

fn ring(raw: &RawNavMesh, cell: usize) -> Vec<DVec2> {
    let corners = &raw.corners[raw.corner_range(cell)];
    corners.iter().map(|&v| raw.vertices[v as usize].truncate()).collect()
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn mesh(&mut self) -> Result<RawNavMesh, ImportError> {
        let header = self.word("the header")?;
        if header != "mesh" {
            return Err(self.error(format!("the file begins with '{header:.40}', expected 'mesh'")));
        }
        let version = self.word("the version")?;
        if version != "2" {
            return Err(self.error(format!("version {version:.40} is not known, expected 2")));
        }
        let vertices: u32 = self.number("the number of vertices")?;
        let polygons: u32 = self.number("the number of polygons")?;
        let mut raw = RawNavMesh {
            cell_starts: vec![0],
            tag_names: vec![String::new()],
            imported: true,
            ..RawNavMesh::default()
        };
        for vertex in 0..vertices {
            let position = self.vertex(vertex, polygons)?;
            raw.vertices.push(position.extend(0.0));
            raw.vertex_flags.push(0);
        }
        let mut last_polygon = vec![NO_CELL; raw.vertices.len()];
        for polygon in 0..polygons {
            self.polygon(polygon, polygons, &mut raw, &mut last_polygon)?;
        }
        self.skip_space();
        if self.at < self.text.len() {
            return Err(self.error(format!("there is more after the last of {polygons} polygons")));
        }
        if polygons == 0 {
            return Err(self.error("there is no polygon".into()));
        }
        raw.tags = vec![0; polygons as usize];
        raw.storeys = vec![0; polygons as usize];
        Ok(raw)
    }

    fn vertex(&mut self, vertex: u32, polygons: u32) -> Result<DVec2, ImportError> {
        let what = format!("vertex {vertex}");
        let position = dvec2(self.number(&what)?, self.number(&what)?);
        let range = -MAX_COORDINATE..=MAX_COORDINATE;
        if !(range.contains(&position.x) && range.contains(&position.y)) {
            let DVec2 { x, y } = position;
            return Err(self
                .error(format!("{what} lies at ({x:?}, {y:?}), beyond {MAX_COORDINATE:e} or not a number")));
        }
        // The polygons round the vertex follow from the polygons' own lists.
        let around: u32 = self.number(&what)?;
        for _ in 0..around {
            self.polygon_or_none(&what, polygons)?;
        }
        Ok(position)
    }

    fn polygon(
        &mut self,
        polygon: u32,
        polygons: u32,
        raw: &mut RawNavMesh,
        last_polygon: &mut [u32],
    ) -> Result<(), ImportError> {
        let what = format!("polygon {polygon}");
        let start = raw.corners.len();
        let corners: u32 = self.number(&what)?;
        if corners < 3 {
            return Err(self.error(format!("{what} has {corners} vertices, expected 3 or more")));
        }
        for _ in 0..corners {
            let vertex: u32 = self.number(&what)?;
            match last_polygon.get_mut(vertex as usize) {
                None => {
                    let count = last_polygon.len();
                    return Err(self.error(format!("{what} names vertex {vertex}, there are {count}")));
                }
                Some(last) if *last == polygon => {
                    return Err(self.error(format!("{what} names vertex {vertex} twice")));
                }
                Some(last) => *last = polygon,
            }
            raw.corners.push(vertex);
        }
        for _ in 0..corners {
            let across = self.polygon_or_none(&what, polygons)?;
            if across == polygon {
                return Err(self.error(format!("{what} names itself as its neighbour")));
            }
            raw.neighbours.push(across);
        }
        let Ok(end) = u32::try_from(raw.corners.len()) else {
            return Err(self.error(format!("{what} has more corners than ids can tell apart")));
        };
        raw.cell_starts.push(end);
        // The file's neighbour k lies across the edge to vertex k, ours across the edge from it.
        if convex::is_clockwise(&ring(raw, polygon as usize)) {
            raw.corners[start..].reverse();
            raw.neighbours[start..].reverse();
        } else {
            raw.neighbours[start..].rotate_left(1);
        }
        Ok(())
    }

    fn polygon_or_none(&mut self, what: &str, polygons: u32) -> Result<u32, ImportError> {
        match self.number::<i64>(what)? {
            -1 => Ok(NO_CELL),
            polygon if (0..i64::from(polygons)).contains(&polygon) => Ok(polygon as u32),
            polygon => Err(self.error(format!("{what} names polygon {polygon}, there are {polygons}"))),
        }
    }

    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, ImportError> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.error(format!("{what}: '{word:.40}' is not the number expected here")))
    }

    fn word(&mut self, what: &str) -> Result<&'a str, ImportError> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.error(format!("the file ends before {what} is complete")));
        }
        self.at += length;
        std::str::from_utf8(&rest[..length]).map_err(|_| self.error(format!("{what}: not a text file")))
    }

    fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn error(&self, message: String) -> ImportError {
        let line = 1 + self.text[..self.at].iter().filter(|&&byte| byte == b'\n').count();
        ImportError::Text { line, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::VertexId;

    /// The example of the format's description.
    const EXAMPLE: &str = "mesh\n2\n4 2\n0.0 0.0 2 0 -1\n1.5 0.0 3 0 1 -1\n1.5 1.5 2 1 -1\n0.0 1.5 3 -1 1 0\n\
                           3 0 1 3 -1 -1 1\n3 1 2 3 0 -1 -1\n";

    fn import(text: &str) -> Result<NavMesh, String> {
        NavMesh::import_polyanya(text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_example_of_the_format_is_two_triangles() {
        let mesh = import(EXAMPLE).unwrap();
        assert_eq!((mesh.cell_count(), mesh.portals().len(), mesh.area()), (2, 1, 2.25));
        assert!(mesh.raw().imported);
        // White space does not matter.
        let words: Vec<&str> = EXAMPLE.split_whitespace().collect();
        assert_eq!(import(&words.join("\r\n\t")).unwrap().raw(), mesh.raw());
    }

    #[test]
    fn a_clockwise_polygon_is_turned_with_its_neighbours() {
        let turned = EXAMPLE.replace("3 1 2 3 0 -1 -1", "3 1 3 2 -1 0 -1");
        let mesh = import(&turned).unwrap();
        assert_eq!((mesh.area(), mesh.portals().len()), (2.25, 1));
    }

    #[test]
    fn wrong_neighbours_are_told_with_their_polygons() {
        let none = import(&EXAMPLE.replace("3 1 2 3 0 -1 -1", "3 1 2 3 -1 -1 -1")).unwrap_err();
        assert!(none.contains(
            "cell 0: and cell 1 share the edge between vertices 1 and 3 but name cell 1 and boundary"
        ));
        let shifted = import(&EXAMPLE.replace("3 1 2 3 0 -1 -1", "3 1 2 3 -1 0 -1")).unwrap_err();
        assert!(
            shifted.contains("N2: cell 1: names cell 0 across its edge between vertices 1 and 2"),
            "{shifted}"
        );
    }

    #[test]
    fn whatever_is_wrong_in_the_text_is_told_with_its_line() {
        for (from, to, words) in [
            ("mesh", "mash", "line 1: the file begins with 'mash', expected 'mesh'"),
            ("\n2\n", "\n1\n", "line 2: version 1 is not known, expected 2"),
            ("4 2\n", "-4 2\n", "line 3: the number of vertices: '-4' is not the number expected here"),
            ("4 2\n", "4 4000000000\n", "line 10: the file ends before polygon 2 is complete"),
            ("4 2\n", "5 2\n", "line 8: vertex 4 names polygon 3, there are 2"),
            ("1.5 1.5", "1.5 nan", "line 6: vertex 2 lies at (1.5, NaN), beyond 1e7 or not a number"),
            ("1.5 1.5", "1.5 2e7", "line 6: vertex 2 lies at (1.5, 20000000.0), beyond 1e7 or not a number"),
            ("1.5 1.5 2 1", "1.5 1.5 2 2", "line 6: vertex 2 names polygon 2, there are 2"),
            (
                "1.5 1.5 2 1 -1",
                "1.5 1.5 99999999 1 -1",
                "line 7: vertex 2: '0.0' is not the number expected here",
            ),
            ("3 1 2 3", "2 1 2 3", "line 9: polygon 1 has 2 vertices, expected 3 or more"),
            ("3 1 2 3", "3 1 2 4", "line 9: polygon 1 names vertex 4, there are 4"),
            ("3 1 2 3", "3 1 2 1", "line 9: polygon 1 names vertex 1 twice"),
            ("0 -1 -1\n", "1 -1 -1\n", "line 9: polygon 1 names itself as its neighbour"),
            ("0 -1 -1\n", "0 -1 -1 7\n", "line 9: there is more after the last of 2 polygons"),
            ("0 -1 -1\n", "0 -1", "line 9: the file ends before polygon 1 is complete"),
        ] {
            let error = import(&EXAMPLE.replacen(from, to, 1)).unwrap_err();
            assert_eq!(error, words, "{to:?}");
        }
        assert!(import("").unwrap_err().contains("the file ends before the header is complete"));
        assert!(import("mesh 2 0 0").unwrap_err().contains("there is no polygon"));
        assert!(
            NavMesh::import_polyanya(&[0xff, 0xfe, 0x00])
                .unwrap_err()
                .to_string()
                .contains("not a text file")
        );
    }

    #[test]
    fn a_hanging_vertex_is_reported() {
        // A long polygon below two short ones; its upper edge has no polygon of its own.
        let text = "mesh 2  8 3  0 0 0  2 0 0  2 1 0  0 1 0  1 1 0  1 2 0  0 2 0  2 2 0
            4 0 1 2 3 -1 -1 -1 -1   4 3 4 5 6 -1 -1 2 -1   4 4 2 7 5 1 -1 -1 -1";
        assert!(import(text).unwrap_err().contains("N3: vertex 4: hangs at (1, 1) on the edge of cell 0"));
    }

    #[test]
    fn ground_that_touches_itself_has_a_vertex_per_fan_and_unused_vertices_are_dropped() {
        let text =
            "mesh 2  6 2  0 0 0  7 7 0  1 0 0  0 1 0  2 0 0  2 -1 0   3 0 2 3 -1 -1 -1  3 2 5 4 -1 -1 -1";
        let mesh = import(text).unwrap();
        assert_eq!((mesh.vertex_count(), mesh.component_count()), (6, 2));
        assert_eq!(mesh.xy(VertexId(1)), mesh.xy(VertexId(5)));
    }

    #[test]
    fn coordinates_rounded_to_single_precision_are_taken_as_relaxed_cells() {
        // The point (1/3, 1) of the straight upper side, in f32, lies below it when the side is slanted.
        let y = |x: f64| 1.0 + x / 7.0;
        let middle = (1.0f64 / 3.0, y(1.0 / 3.0) - 1e-7);
        let text = format!(
            "mesh 2  5 1  0 0 0  1 0 0  1 {} 0  {} {} 0  0 {} 0   5 0 1 2 3 4 -1 -1 -1 -1 -1",
            y(1.0),
            middle.0,
            middle.1,
            y(0.0)
        );
        let mesh = import(&text).unwrap();
        assert_eq!(mesh.facts().ignored_notches, 1);
        assert!(mesh.raw().convex_distance > 0.0 && mesh.raw().convex_distance < 1e-6);
        let deep = import(&text.replace(&middle.1.to_string(), "0.9")).unwrap_err();
        assert!(deep.contains("N1: cell 0, corner 3: is a notch"), "{deep}");
    }
}
