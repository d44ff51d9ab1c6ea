//! Cuts a mesh along segments, so that doors are portals and areas of another speed are whole cells.
//!
//! Idea: a convex cell that a segment passes through is cut by the segment's whole line: both parts are convex. Where the
//!   line leaves the cell, and where the segment ends, there is a vertex afterwards, in the cell beside too.
//! Steps, for each segment: 1. cells that it passes at its height  2. vertices where its line leaves the cell
//!   3. the cut  4. vertices at its ends
//! Invariants: cells keep their numbers, tags, storeys and ground; the other halves come at the end. Points that are
//!   computed are marked as split points, as they are rounded. What is nearer to the line than [`NEAR`] lies on it.
//! Cost: O(segments × cells).

use super::{
    content::{Door, Scenario},
    read::ScenarioError,
};
use wayfare_core::{DVec2, DVec3, Id as _};
use wayfare_navmesh::{CellId, NO_CELL, NavMesh, PortalId, RawNavMesh, SPLIT_POINT};

/// A vertex that is this near to a line lies on it [m].
const NEAR: f64 = 0.01;
/// A door that ends this near to a wall ends at the wall [m]: doors are drawn by hand.
const TO_WALL: f64 = 0.3;
/// A door is on ground that is at most this much higher or lower [m]: less than a storey.
const STOREY: f64 = 1.25;

impl Scenario {
    /// The mesh cut along the scenario's doors and the outlines of its areas of other speed; nothing where it need not be
    /// cut. The clearance is not cut along: it must be built again.
    pub fn cut(&self, mesh: &NavMesh) -> Result<Option<NavMesh>, ScenarioError> {
        let mut cutter = Cutter::new(mesh);
        for door in &self.doors {
            let line = DoorLine::new(door.ends);
            let [before, after] = [-TO_WALL, line.length + TO_WALL].map(|t| line.from + line.axis * t);
            if !cutter.along([line.from, line.to()], line.heights) {
                let message = format!("the door '{}' is not on the mesh", door.name);
                return Err(ScenarioError { line: door.line, message });
            }
            cutter.along([before, line.from], line.heights);
            cutter.along([line.to(), after], line.heights);
        }
        for zone in self.speeds.iter().filter_map(|speed| speed.zone.as_ref()) {
            let ring = zone.ring();
            for (&a, &b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                cutter.along([a, b], zone.heights());
            }
        }
        let cut = if cutter.vertices.len() == mesh.vertex_count() && cutter.cells.len() == mesh.cell_count() {
            None
        } else {
            let cut = cutter.into_raw().validate().map_err(|defects| ScenarioError {
                line: 0,
                message: format!("the mesh cannot be cut along doors and areas: {}", defects[0]),
            })?;
            Some(cut)
        };
        let is_of_none = |door: &&Door| portals_along(cut.as_ref().unwrap_or(mesh), door.ends).is_empty();
        if let Some(door) = self.doors.iter().find(is_of_none) {
            let message = format!("the door '{}' runs along a wall: nobody could go through it", door.name);
            return Err(ScenarioError { line: door.line, message });
        }
        Ok(cut)
    }
}

/// The line of a door, in plan.
struct DoorLine {
    from: DVec2,
    axis: DVec2,
    length: f64,
    heights: [f64; 2],
}

impl DoorLine {
    fn new(ends: [DVec3; 2]) -> Self {
        let [a, b] = ends.map(DVec3::truncate);
        let heights = [ends[0].z.min(ends[1].z) - STOREY, ends[0].z.max(ends[1].z) + STOREY];
        Self { from: a, axis: (b - a).normalize_or_zero(), length: a.distance(b), heights }
    }
    fn to(&self) -> DVec2 {
        self.from + self.axis * self.length
    }
    /// How far along the line and how far beside it a point lies [m].
    fn place(&self, p: DVec2) -> [f64; 2] {
        [self.axis.dot(p - self.from), self.axis.perp_dot(p - self.from)]
    }
}

/// The portals of a mesh that a door consists of: those on its segment, and what is left up to a wall.
pub(super) fn portals_along(mesh: &NavMesh, ends: [DVec3; 2]) -> Vec<PortalId> {
    let line = DoorLine::new(ends);
    // Where each portal begins and ends along the door, if it lies on the door's line.
    let on_line = mesh.portals().iter().filter_map(|(portal, corners)| {
        let places = mesh.edge(corners[0]).map(|vertex| {
            let at = mesh.position(vertex);
            let [along, beside] = line.place(at.truncate());
            let is_here = beside.abs() <= 2.0 * NEAR && (line.heights[0]..=line.heights[1]).contains(&at.z);
            is_here.then_some((along, mesh.boundary_corner(vertex).is_some()))
        });
        let [Some(a), Some(b)] = places else { return None };
        Some((portal, if a.0 <= b.0 { [a, b] } else { [b, a] }))
    });
    let on_line: Vec<_> = on_line.collect();
    let is_within = |[a, b]: &[(f64, bool); 2], from: f64, to: f64| {
        a.0 >= from - 2.0 * NEAR && b.0 <= to + 2.0 * NEAR && b.0 - a.0 > 0.0
    };
    let (near, far) = ((-TO_WALL, 0.0), (line.length, line.length + TO_WALL));
    // A rest counts only if there is a wall at its end.
    let reaches_wall = |(from, to): (f64, f64), end: usize| {
        on_line.iter().any(|(_, places)| is_within(places, from, to) && places[end].1)
    };
    let rests = [(near, 0), (far, 1)].into_iter().filter(|&(range, end)| reaches_wall(range, end));
    let rests: Vec<(f64, f64)> = rests.map(|(range, _)| range).collect();
    let is_door = |places: &[(f64, bool); 2]| {
        let is_on_it = places[1].0 > 2.0 * NEAR && places[0].0 < line.length - 2.0 * NEAR;
        is_on_it && is_within(places, -TO_WALL, line.length + TO_WALL)
            || rests.iter().any(|&(from, to)| is_within(places, from, to))
    };
    on_line.iter().filter(|(_, places)| is_door(places)).map(|(portal, _)| *portal).collect()
}

/// A cell that is being cut.
struct Cell {
    corners: Vec<u32>,
    neighbours: Vec<u32>,
    drops: Vec<f32>,
    /// The cell of the mesh that it is a part of.
    origin: CellId,
}

impl Cell {
    fn next(&self, k: usize) -> usize {
        if k + 1 == self.corners.len() { 0 } else { k + 1 }
    }
    /// The corner whose edge runs between two vertices and has this neighbour.
    fn find(&self, edge: [u32; 2], neighbour: u32) -> Option<usize> {
        (0..self.corners.len()).find(|&k| {
            [self.corners[k], self.corners[self.next(k)]] == edge && self.neighbours[k] == neighbour
        })
    }
    fn insert(&mut self, after: usize, vertex: u32) {
        self.corners.insert(after + 1, vertex);
        self.neighbours.insert(after + 1, self.neighbours[after]);
        self.drops.insert(after + 1, self.drops[after]);
    }
    /// The corners from one to another, round; the last edge leads back and has a new neighbour.
    fn part(&self, from: usize, to: usize, neighbour: u32) -> Self {
        let n = self.corners.len();
        let count = (to + n - from) % n;
        let round = || (0..=count).map(|k| (from + k) % n);
        let mut part = Self {
            corners: round().map(|k| self.corners[k]).collect(),
            neighbours: round().map(|k| self.neighbours[k]).collect(),
            drops: round().map(|k| self.drops[k]).collect(),
            origin: self.origin,
        };
        (part.neighbours[count], part.drops[count]) = (neighbour, 0.0);
        part
    }
}

/// A mesh that is being cut.
struct Cutter<'a> {
    mesh: &'a NavMesh,
    vertices: Vec<DVec3>,
    flags: Vec<u8>,
    cells: Vec<Cell>,
}

impl<'a> Cutter<'a> {
    fn new(mesh: &'a NavMesh) -> Self {
        let raw = mesh.raw();
        let cells = mesh.cells().map(|origin| {
            let range = mesh.corner_range(origin);
            let drops = raw.drop_depths.get(range.clone()).map_or(vec![0.0; range.len()], <[f32]>::to_vec);
            let corners = raw.corners[range.clone()].to_vec();
            Cell { corners, neighbours: raw.neighbours[range].to_vec(), drops, origin }
        });
        Self { mesh, vertices: raw.vertices.clone(), flags: raw.vertex_flags.clone(), cells: cells.collect() }
    }

    /// Cuts along a segment on ground of some heights; whether there is any.
    fn along(&mut self, [a, b]: [DVec2; 2], heights: [f64; 2]) -> bool {
        let length = a.distance(b);
        let axis = (b - a).normalize_or_zero();
        let mut is_on_ground = false;
        for cell in 0..self.cells.len() {
            // 1.
            let places = self.places(cell, a, axis);
            let Some([enters, leaves]) = chord(&places) else { continue };
            let (from, to) = (enters.max(0.0), leaves.min(length));
            if to - from <= NEAR {
                continue;
            }
            let middle = a + axis * (0.5 * (from + to));
            let height = self.mesh.height(self.cells[cell].origin, middle);
            if !(heights[0]..=heights[1]).contains(&height) {
                continue;
            }
            is_on_ground = true;
            // 2. From the last on, so that numbers before stay the same.
            for k in (0..places.len()).rev() {
                let next = places[(k + 1) % places.len()];
                if places[k][1] * next[1] < 0.0 {
                    self.insert(cell, k, places[k][1] / (places[k][1] - next[1]));
                }
            }
            // 3.
            self.split(cell, a, axis);
            // 4.
            for end in [0.0, length] {
                let places = self.places(cell, a, axis);
                let count = places.len();
                let holds = |&k: &usize| {
                    let ([s, beside], [t, beside_too]) = (places[k], places[(k + 1) % count]);
                    beside == 0.0 && beside_too == 0.0 && s.min(t) + NEAR < end && end < s.max(t) - NEAR
                };
                if let Some(k) = (0..count).find(holds) {
                    let (s, t) = (places[k][0], places[(k + 1) % count][0]);
                    self.insert(cell, k, (end - s) / (t - s));
                }
            }
        }
        is_on_ground
    }

    /// How far along a line and how far beside it the corners of a cell lie; 0 beside where they are near.
    fn places(&self, cell: usize, from: DVec2, axis: DVec2) -> Vec<[f64; 2]> {
        let place = |&vertex: &u32| {
            let offset = self.vertices[vertex as usize].truncate() - from;
            let beside = axis.perp_dot(offset);
            [axis.dot(offset), if beside.abs() <= NEAR { 0.0 } else { beside }]
        };
        self.cells[cell].corners.iter().map(place).collect()
    }

    /// A new vertex on the edge of a corner, in both cells beside it.
    fn insert(&mut self, cell: usize, k: usize, share: f64) {
        let Cell { corners, neighbours, origin, .. } = &self.cells[cell];
        let (edge, other) = ([corners[k], corners[self.cells[cell].next(k)]], neighbours[k]);
        let [a, b] = edge.map(|vertex| self.vertices[vertex as usize].truncate());
        let at = a.lerp(b, share);
        let vertex = self.vertices.len() as u32;
        self.vertices.push(at.extend(self.mesh.height(*origin, at)));
        self.flags.push(SPLIT_POINT);
        self.cells[cell].insert(k, vertex);
        if let Some(beside) = self.cells.get_mut(other as usize)
            && let Some(twin) = beside.find([edge[1], edge[0]], cell as u32)
        {
            beside.insert(twin, vertex);
        }
    }

    /// Cuts a cell along a line that has vertices where it leaves the cell.
    fn split(&mut self, cell: usize, from: DVec2, axis: DVec2) {
        let places = self.places(cell, from, axis);
        let n = places.len();
        let side = |k: usize| places[k % n][1];
        // From the last corner on the line before the left side to the first one after it. A relaxed cell may have several.
        let mut begins = (0..n).filter(|&k| side(k) == 0.0 && side(k + 1) > 0.0);
        let (Some(begin), None) = (begins.next(), begins.next()) else { return };
        let Some(end) = (begin + 1..begin + n).find(|&k| side(k) <= 0.0) else { return };
        let is_cut = side(end) == 0.0 && (end..begin + n).any(|k| side(k) < 0.0);
        if !is_cut {
            return;
        }
        let new = self.cells.len() as u32;
        let (left, right) =
            (self.cells[cell].part(begin, end % n, new), self.cells[cell].part(end % n, begin, cell as u32));
        // Who was beside the right part has a new neighbour.
        for k in 0..right.corners.len() - 1 {
            let edge = [right.corners[k + 1], right.corners[k]];
            if let Some(other) = self.cells.get_mut(right.neighbours[k] as usize)
                && let Some(twin) = other.find(edge, cell as u32)
            {
                other.neighbours[twin] = new;
            }
        }
        self.cells[cell] = left;
        self.cells.push(right);
    }

    fn into_raw(self) -> RawNavMesh {
        let old = self.mesh.raw();
        let mut raw = RawNavMesh {
            vertices: self.vertices,
            vertex_flags: self.flags,
            cell_starts: vec![0],
            tag_names: old.tag_names.clone(),
            convex_distance: old.convex_distance,
            ground_points: old.ground_points.clone(),
            ground_triangles: old.ground_triangles.clone(),
            heights_error: old.heights_error,
            // A cut may end amid the ground.
            imported: true,
            ..RawNavMesh::default()
        };
        let has_lists = !old.ground_starts.is_empty();
        if has_lists {
            raw.ground_starts.push(0);
        }
        for cell in &self.cells {
            let origin = cell.origin.index();
            raw.corners.extend(&cell.corners);
            raw.neighbours.extend(&cell.neighbours);
            raw.cell_starts.push(raw.corners.len() as u32);
            raw.tags.push(old.tags[origin]);
            raw.storeys.push(old.storeys[origin]);
            raw.gaps.extend(old.gaps.get(origin));
            if !old.drop_depths.is_empty() {
                raw.drop_depths.extend(&cell.drops);
            }
            if has_lists {
                let list = old.ground_starts[origin] as usize..old.ground_starts[origin + 1] as usize;
                raw.ground_lists.extend(&old.ground_lists[list]);
                raw.ground_starts.push(raw.ground_lists.len() as u32);
            }
        }
        debug_assert!(
            raw.neighbours.iter().all(|&other| other == NO_CELL || (other as usize) < self.cells.len())
        );
        raw
    }
}

/// Where a line enters and leaves a cell whose corners lie there.
fn chord(places: &[[f64; 2]]) -> Option<[f64; 2]> {
    let mut range: Option<[f64; 2]> = None;
    let mut add = |t: f64| range = Some(range.map_or([t; 2], |[low, high]| [low.min(t), high.max(t)]));
    for (&[s, beside], &[t, beside_too]) in places.iter().zip(places.iter().cycle().skip(1)) {
        if beside == 0.0 {
            add(s);
        } else if beside * beside_too < 0.0 {
            add(s + (t - s) * (beside / (beside - beside_too)));
        }
    }
    range
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec3;

    /// Two rooms of 4 m side by side: x from 0 to 8.
    fn rooms() -> NavMesh {
        let points =
            [(0., 0.), (4., 0.), (8., 0.), (8., 4.), (4., 4.), (0., 4.)].map(|(x, y)| dvec3(x, y, 0.));
        let raw = RawNavMesh::from_polygons(&points, &[vec![0, 1, 4, 5], vec![1, 2, 3, 4]]).unwrap();
        raw.validate().unwrap()
    }

    fn cut(lines: &[[f64; 4]]) -> NavMesh {
        let mesh = rooms();
        let mut cutter = Cutter::new(&mesh);
        for &[a, b, c, d] in lines {
            assert!(cutter.along([DVec2::new(a, b), DVec2::new(c, d)], [-1.0, 1.0]));
        }
        let cut = cutter.into_raw().validate().unwrap();
        assert_eq!(cut.check(), []);
        assert!((cut.area() - 32.0).abs() < 1e-9);
        cut
    }

    #[test]
    fn a_segment_from_wall_to_wall_halves_a_cell() {
        let mesh = cut(&[[2.0, 0.0, 2.0, 4.0]]);
        assert_eq!((mesh.cell_count(), mesh.portals().len()), (3, 2));
        let door = portals_along(&mesh, [dvec3(2.0, 0.1, 0.0), dvec3(2.0, 3.9, 0.0)]);
        assert_eq!(door.len(), 1, "what is left up to the wall belongs to the door");
    }

    #[test]
    fn a_segment_amid_the_ground_becomes_a_portal_of_its_own() {
        let mesh = cut(&[[2.0, 1.0, 2.0, 3.0], [1.0, 2.0, 7.0, 2.5]]);
        let door = portals_along(&mesh, [dvec3(2.0, 1.0, 0.0), dvec3(2.0, 3.0, 0.0)]);
        let length = |portal: &PortalId| {
            let [a, b] = mesh.edge(mesh.portals()[*portal][0]).map(|v| mesh.xy(v));
            a.distance(b)
        };
        assert!((door.iter().map(length).sum::<f64>() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_segment_along_a_portal_or_near_a_corner_makes_no_slivers() {
        let mesh = cut(&[[4.0, 1.0, 4.0, 3.0]]);
        assert_eq!((mesh.cell_count(), mesh.portals().len()), (2, 3));
        let mesh = cut(&[[0.005, 0.0, 4.0, 3.995]]);
        assert_eq!(mesh.cell_count(), 3);
        assert_eq!(mesh.vertex_count(), 6);
    }

    #[test]
    fn cuts_that_cross_leave_a_sound_mesh() {
        let lines: Vec<[f64; 4]> =
            (0..12).map(f64::from).map(|k| [0.3 * k, 0.1 * k, 8.0 - 0.7 * k, 4.0 - 0.03 * k * k]).collect();
        let mesh = cut(&lines);
        assert!(mesh.cell_count() > 30);
    }
}
