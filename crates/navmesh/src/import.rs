//! Meshes in the format `.mesh`, version 2, of Polyanya (Cui, Harabor and Grastien 2017).
//!
//! The file lists vertices (position and the polygons round them) and polygons (their vertices and, for each, the
//! polygon across the edge *before* it). Any white space separates numbers.
//! Steps: 1. read numbers, trusting no count  2. turn clockwise polygons  3. find neighbours by shared edges and
//!   compare with the file's  4. store vertices once per fan  5. validate and check.
//! Cells keep the numbers of the polygons, so that defects name them; vertices are renumbered from step 4 on.

use crate::{
    convex,
    defects::Defects,
    io::summary,
    join,
    mesh::{CellId, NavMesh, tolerance},
    raw::{NO_CELL, RawNavMesh},
};
use wayfare_core::{DVec2, Defect, Id as _, MAX_COORDINATE, dvec2};
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
        let corner_cells = (0..raw.cell_count())
            .flat_map(|cell| std::iter::repeat_n(CellId::new(cell), raw.corner_range(cell).len()))
            .collect();
        let twins = join::match_edges(&raw, &corner_cells, &mut defects);
        if defects.count() > 0 {
            return Err(ImportError::Invalid(defects.into_vec()));
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
        let (header, version) = (self.word("the header")?, self.word("the version")?);
        if header != "mesh" {
            return Err(self.error(format!("the file begins with '{header:.40}', expected 'mesh'")));
        }
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
            return Err(
                self.error(format!("{what} lies at ({x}, {y}), beyond {MAX_COORDINATE:e} or not a number"))
            );
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
