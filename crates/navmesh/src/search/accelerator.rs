//! What makes searches on a large mesh fast: made once, kept in the mesh's file.
//!
//! Numbers of corners are not stored but found again by every finder, which is cheap; a fingerprint of them tells
//! whether graph and mesh belong together. Without the sections, or with ones that do not fit, a finder makes a
//! graph of its own without landmarks, so they never change an answer.
//!
//! | section | content |
//! |---|---|
//! | `acc.head` | `u32`: 1, number of corners, number of landmarks, fingerprint of the corners (low, high) |
//! | `acc.from` | `u32` per corner twice and one more: where its left and its right edges start |
//! | `acc.to` | `u32` per edge: corner and, in the two highest bits, the sides of its walls |
//! | `acc.mark` | `u32` pairs: corner of each landmark and its slot, by corner |
//! | `acc.unit` | `f64`: the unit of distances [m] |
//! | `acc.dist` | `u16`, 16 per corner: distances to the landmarks of its component [units] |

use super::{
    corner_graph::{self, CORNER_MASK, CornerGraph, Corners},
    faces::Faces,
    landmarks::{Distances, LANDMARKS, Landmarks},
};
use crate::mesh::NavMesh;
use wayfare_core::{
    MAX_COORDINATE,
    container::{Container, ContainerError, ContainerWriter},
};

/// When an accelerator is worth its while, and how it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceleratorConfig {
    /// Threads to work with, 0 for all cores; the result does not depend on it.
    pub threads: usize,
    /// From so many convex pieces outside of dead ends on the graph is faster than the plain search.
    pub min_core_cells: usize,
    /// A graph that would need more memory per corner of the mesh [bytes] is not made.
    pub max_bytes_per_corner: usize,
}

impl Default for AcceleratorConfig {
    /// On a small mesh joining both ends to the graph may cost more than it saves: with 20 to 60 pieces in the core the
    /// graph took 0.4 to 2.7 times as long as the plain search, by the map. From 100 on it won on every shared map,
    /// 1.5 to 2.7 times with 110 to 124 pieces, 2.9 to 13 times with 200 to 600.
    fn default() -> Self {
        Self { threads: 0, min_core_cells: 100, max_bytes_per_corner: 100 }
    }
}

/// The taut graph of a mesh's corners and their distances to landmarks.
///
/// It belongs to one mesh and speaks of its corners by number, in the order in which every finder finds them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accelerator {
    pub(crate) graph: CornerGraph,
    pub(crate) landmarks: Landmarks,
    fingerprint: u64,
}

impl Accelerator {
    /// Prepares a mesh that is large enough to gain from it.
    pub fn build(mesh: &NavMesh) -> Option<Self> {
        Self::build_with(mesh, &AcceleratorConfig::default())
    }

    /// Prepares a mesh unless the settings say that it is not worth it.
    pub fn build_with(mesh: &NavMesh, config: &AcceleratorConfig) -> Option<Self> {
        let faces = Faces::build(mesh, true);
        let corners = Corners::of(&faces);
        let mut accelerator = Self::graph_of(&faces, &corners, config)?;
        let component: Vec<u32> = corners
            .vertices
            .iter()
            .map(|&vertex| {
                let face = faces.edges[faces.core_fan(vertex)[0] as usize].face;
                mesh.component(faces.cell(face)).0
            })
            .collect();
        accelerator.landmarks = Landmarks::build(&faces, &corners, &component);
        Some(accelerator)
    }

    /// The graph without landmarks, if the mesh is large enough and the graph small enough.
    pub(crate) fn graph_of(faces: &Faces, corners: &Corners, config: &AcceleratorConfig) -> Option<Self> {
        if faces.core_count() < config.min_core_cells
            || corners.len() == 0
            || corners.len() > CORNER_MASK as usize
        {
            return None;
        }
        // Open ground with many obstacles has a graph that is too large: it is not made only to be thrown away.
        let most_bytes = config.max_bytes_per_corner.saturating_mul(faces.corner_count());
        let for_corners = corners.len() * (size_of::<Distances>() + 2 * size_of::<u32>());
        let most_edges = most_bytes.saturating_sub(for_corners) / size_of::<u32>();
        corner_graph::estimate_edges(faces, corners, most_edges)?;
        let graph = CornerGraph::build(faces, corners, config.threads);
        let accelerator =
            Self { graph, landmarks: Landmarks::default(), fingerprint: fingerprint(faces, corners) };
        let bytes = accelerator.bytes() + corners.len() * size_of::<Distances>();
        (bytes < most_bytes).then_some(accelerator)
    }

    /// Memory of the tables, in a file as in a program [bytes].
    pub fn bytes(&self) -> usize {
        size_of_val(self.graph.starts.as_slice())
            + size_of_val(self.graph.targets.as_slice())
            + size_of_val(self.landmarks.distances.as_slice())
            + size_of_val(self.landmarks.slots.as_slice())
    }

    /// Number of corners in the graph.
    pub fn corner_count(&self) -> usize {
        self.graph.starts.len() / 2
    }

    /// Number of edges in the graph, counted in both directions.
    pub fn edge_count(&self) -> usize {
        self.graph.targets.len()
    }

    /// Whether it was made for these corners.
    pub(crate) fn fits(&self, faces: &Faces, corners: &Corners) -> bool {
        self.corner_count() == corners.len() && self.fingerprint == fingerprint(faces, corners)
    }

    /// Writes the sections.
    pub(crate) fn put(&self, file: &mut ContainerWriter) {
        let [count, marks] = [self.corner_count(), self.landmarks.slots.len()].map(|n| n as u32);
        file.put("acc.head", [1, count, marks, self.fingerprint as u32, (self.fingerprint >> 32) as u32]);
        file.put("acc.from", self.graph.starts.iter().copied());
        file.put("acc.to", self.graph.targets.iter().copied());
        file.put("acc.mark", self.landmarks.slots.iter().flat_map(|&(corner, slot)| [corner, slot]));
        file.put("acc.unit", [self.landmarks.unit]);
        file.put("acc.dist", self.landmarks.distances.iter().flatten().copied());
    }

    /// Reads the sections, if they are there. Every number is checked against its range; whether they are those of
    /// the mesh the finder sees from the fingerprint.
    pub(crate) fn get(file: &Container) -> Result<Option<Self>, ContainerError> {
        if !file.has("acc.head") {
            return Ok(None);
        }
        let damaged = |what: &str| Err(ContainerError::Damaged(format!("accelerator: {what}")));
        let &[version, count, marks, low, high] = file.get::<u32>("acc.head")?.as_slice() else {
            return damaged("the head is not five numbers");
        };
        // A later version is only slower to have.
        if version != 1 {
            return Ok(None);
        }
        let count = count as usize;
        let starts = file.get::<u32>("acc.from")?;
        let targets = file.get::<u32>("acc.to")?;
        let is_list_of_lists = starts.len() == 2 * count + 1
            && starts.first() == Some(&0)
            && starts.last().is_some_and(|&end| end as usize == targets.len())
            && starts.is_sorted();
        if !is_list_of_lists {
            return damaged("the edges' starts do not fit the edges");
        }
        if targets.iter().any(|&target| (target & CORNER_MASK) as usize >= count) {
            return damaged("an edge leads to a corner that is not there");
        }
        let pairs = file.get::<u32>("acc.mark")?;
        let slots: Vec<(u32, u32)> = pairs.as_chunks::<2>().0.iter().map(|&[a, b]| (a, b)).collect();
        let in_range =
            |&(corner, slot): &(u32, u32)| (corner as usize) < count && (slot as usize) < LANDMARKS;
        let ascend = slots.is_sorted_by(|a, b| a.0 < b.0);
        if pairs.len() != 2 * marks as usize || !slots.iter().all(in_range) || !ascend {
            return damaged("the landmarks are not corners in order");
        }
        let distances = file.get::<u16>("acc.dist")?;
        let (distances, rest) = distances.as_chunks::<LANDMARKS>();
        let right_number = distances.len() == count || distances.is_empty() && slots.is_empty();
        // The farthest corner is the largest number of units away, by way of fewer than all corners.
        let most = count as f64 * 4.0 * MAX_COORDINATE / f64::from(u16::MAX);
        let unit = match *file.get::<f64>("acc.unit")?.as_slice() {
            [unit] if unit > 0.0 && unit <= most => unit,
            [unit] if unit == 0.0 && distances.is_empty() => unit,
            _ => return damaged("the unit is not one good number"),
        };
        if !rest.is_empty() || !right_number {
            return damaged("the distances are not sixteen numbers per corner");
        }
        Ok(Some(Self {
            graph: CornerGraph { starts, targets },
            landmarks: Landmarks { slots, distances: distances.to_vec(), unit },
            fingerprint: u64::from(low) | u64::from(high) << 32,
        }))
    }
}

/// FNV-1a over all that numbers of corners depend on.
fn fingerprint(faces: &Faces, corners: &Corners) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |word: u64| hash = (hash ^ word).wrapping_mul(0x0100_0000_01b3);
    add(faces.count() as u64);
    add(faces.edges.len() as u64);
    for &vertex in &corners.vertices {
        add(u64::from(vertex));
        let at = faces.xy[vertex as usize];
        add(at.x.to_bits());
        add(at.y.to_bits());
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LocateConfig, PathFinder, PathScratch, fixtures::squares};
    use wayfare_core::dvec3;

    /// 12 × 12 squares with a pillar in each block of 3 × 3.
    fn pillars() -> NavMesh {
        squares(12, |x, y| x % 3 != 1 || y % 3 != 1).validate().unwrap()
    }

    fn built(mesh: &NavMesh) -> Accelerator {
        let always = AcceleratorConfig { threads: 1, min_core_cells: 0, max_bytes_per_corner: usize::MAX };
        Accelerator::build_with(mesh, &always).unwrap()
    }

    fn through_a_file(accelerator: &Accelerator) -> Result<Option<Accelerator>, ContainerError> {
        let mut file = ContainerWriter::new(*b"TEST", 1);
        accelerator.put(&mut file);
        Accelerator::get(&Container::from_bytes(file.to_bytes()).unwrap())
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let good = built(&pillars());
        assert_eq!(through_a_file(&good).unwrap().as_ref(), Some(&good));
        let n = good.corner_count() as u32;
        let spoil = |change: &dyn Fn(&mut Accelerator)| {
            let mut bad = good.clone();
            change(&mut bad);
            through_a_file(&bad).unwrap_err().to_string()
        };
        let cases: [&dyn Fn(&mut Accelerator); 14] = [
            &|a| a.graph.targets[3] = n,
            &|a| a.graph.targets[3] = u32::MAX,
            &|a| a.graph.starts[1] = u32::MAX,
            &|a| a.graph.starts[0] = 1,
            &|a| a.graph.targets.truncate(1),
            &|a| a.graph.starts.truncate(1),
            &|a| a.landmarks.slots[0].0 = n,
            &|a| a.landmarks.slots[0].1 = LANDMARKS as u32,
            &|a| a.landmarks.slots.swap(0, 1),
            &|a| a.landmarks.distances.truncate(1),
            &|a| a.landmarks.unit = f64::NAN,
            &|a| a.landmarks.unit = 0.0,
            &|a| a.landmarks.unit = -1.0,
            &|a| a.landmarks.unit = 1e30,
        ];
        for case in cases {
            let message = spoil(case);
            assert!(message.contains("accelerator"), "{message}");
        }
    }

    #[test]
    fn numbers_that_are_made_up_neither_hang_nor_panic() {
        let mut mesh = pillars();
        let plain = PathFinder::plain(std::sync::Arc::new(pillars()));
        let good = built(&mesh);
        let count = good.corner_count() as u32;
        let mut seed = 1u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        for round in 0..40 {
            let mut bad = good.clone();
            for target in &mut bad.graph.targets {
                *target = (random() % count) | ((random() % 4) << 30);
            }
            if round % 2 == 0 {
                bad.graph.targets.clear();
                bad.graph.starts.fill(0);
            }
            for distance in bad.landmarks.distances.as_flattened_mut() {
                *distance = (random() % 65536) as u16;
            }
            mesh.set_accelerator(through_a_file(&bad).unwrap());
            let finder = PathFinder::new(&mesh);
            assert!(finder.accelerator().is_some());
            let mut scratch = PathScratch::new();
            for _ in 0..20 {
                let mut point = || dvec3(f64::from(random() % 49) / 4.0, f64::from(random() % 49) / 4.0, 0.0);
                let (from, to) = (point(), point());
                let config = LocateConfig::default();
                let found = finder.find(from, to, &config, &mut scratch);
                let right = plain.length(from, to, &config, &mut scratch);
                assert_eq!(found.is_ok(), right.is_ok());
            }
        }
    }
}
