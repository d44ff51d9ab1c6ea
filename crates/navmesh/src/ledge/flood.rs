//! Whether a body that overhangs drops can get from one point to another, and how wide the widest way is.
//!
//! Idea: a face is convex, and so is what each wall near it keeps free of the body's centre ([`Stadium`]). Stadiums that
//!   meet inside the face are one obstacle. It parts the free pieces of the face's border if it touches the border
//!   in several places, and only then. So free pieces of edges are the nodes of a graph, and faces join them.
//! Steps: 1. faces; those of the two points are cut into triangles round them  2. the free pieces of each edge  3. obstacles
//!   of a face, pairs of walls that meet  4. free pieces that no obstacle parts are joined
//! The widest way is found by halving: a larger body gets nowhere where a smaller one does not.
//! A wall counts in a face, or on an edge, only if it stands in the way wherever the body is on it; so a "no" is final, and on
//! sloping ground a "yes" means that it is worth a search.
//! Cost: O(faces × walls near a face squared) a radius.

use super::{
    stadium::Stadium,
    walls::{Wall, Walls},
};
use crate::{
    PathFinder,
    everyday::{Stand, Walker},
    mesh::NavMesh,
    search::faces::NONE,
};
use std::{collections::HashMap, ops::Deref};
use wayfare_core::{DVec2, DVec3};

/// The width of a way is known to this [m].
const EXACT: f64 = 1e-7;

/// A convex piece of the ground.
struct Patch {
    points: Vec<DVec3>,
    /// What each edge is: one number for both sides of one that can be crossed.
    edges: Vec<EdgeKey>,
    /// Whether nobody can cross each edge, though its centre may be on it.
    is_drop: Vec<bool>,
}

/// An edge between faces by the lower number of its two sides, or one round a point by both ends' numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum EdgeKey {
    Face(u32),
    Spoke(u32, u32),
}

/// The ground between two points.
pub(super) struct Flood<'a> {
    walls: &'a Walls,
    patches: Vec<Patch>,
    /// Where it starts and where it ends: a point that several pieces of ground share counts in each.
    ends: Vec<DVec2>,
    starts: usize,
}

impl<'a> Flood<'a> {
    /// Step 1.
    pub fn new<M: Deref<Target = NavMesh>>(
        finder: &PathFinder<M>,
        walker: &Walker<'_>,
        walls: &'a Walls,
        ends: &[Vec<Stand>; 2],
    ) -> Self {
        let (faces, mesh) = (&finder.faces, &finder.mesh);
        let starts = ends[0].len();
        let ends: Vec<Stand> = ends.concat();
        let component = mesh.component(faces.cell(ends[0].face));
        let mut patches = Vec::new();
        for face in 0..faces.count() as u32 {
            let cell = faces.cell(face);
            if mesh.component(cell) != component {
                continue;
            }
            let (first, end) = faces.range(face);
            let is_open = |edge: u32| finder.is_open(walker, edge);
            let key = |edge: u32| {
                let twin = faces.edges[edge as usize].twin;
                EdgeKey::Face(if twin != NONE && is_open(edge) && is_open(twin) {
                    edge.min(twin)
                } else {
                    edge
                })
            };
            patches.push(Patch {
                points: (first..end)
                    .map(|edge| faces.edges[edge as usize].at)
                    .map(|p| p.extend(mesh.height(cell, p)))
                    .collect(),
                edges: (first..end).map(key).collect(),
                is_drop: (first..end).map(|edge| faces.edges[edge as usize].twin == NONE).collect(),
            });
            for (number, stand) in ends.iter().enumerate().filter(|(_, stand)| stand.face == face) {
                // Another point may lie in the same face: then in one of its triangles.
                let at = patches.iter().rposition(|patch| patch.holds(stand.at));
                let patch = patches.remove(at.unwrap_or(patches.len() - 1));
                let z = mesh.height(cell, stand.at);
                patches.extend(patch.round(stand.at.extend(z), number as u32));
            }
        }
        Self { walls, patches, ends: ends.iter().map(|stand| stand.at).collect(), starts }
    }

    /// Whether a body of a radius may get from one point to the other.
    pub fn joins(&self, radius: f64) -> bool {
        let (of_edges, parents) = (HashMap::new(), Vec::new());
        let mut pieces = Pieces { walls: self.walls, radius, ends: &self.ends, of_edges, parents };
        for patch in &self.patches {
            pieces.join(patch);
        }
        let mut roots = |numbers: std::ops::Range<usize>| -> Vec<u32> {
            let firsts = numbers.filter_map(|number| pieces.first_of(EdgeKey::Spoke(number as u32, 0)));
            let firsts: Vec<u32> = firsts.collect();
            firsts.into_iter().map(|piece| pieces.root(piece)).collect()
        };
        let (from, to) = (roots(0..self.starts), roots(self.starts..self.ends.len()));
        from.iter().any(|root| to.contains(root))
    }

    /// The largest radius up to `most` of a body that may get from one point to the other, and one that may not.
    pub fn widest(&self, most: f64) -> [f64; 2] {
        let (mut free, mut tight) = (0.0, most);
        while tight - free > EXACT {
            let middle = (free + tight) / 2.0;
            if self.joins(middle) { free = middle } else { tight = middle }
        }
        [free, tight]
    }

    /// Places that are open to the first of two radii and closed to the second.
    pub fn pinches(&self, [free, tight]: [f64; 2]) -> Vec<DVec2> {
        let mut places = Vec::new();
        for patch in &self.patches {
            let (face, walls) = (patch.plan(), patch.walls(self.walls, tight));
            let of = |wall: &Wall, radius: f64| Stadium { ends: wall.plan(), radius };
            for (k, one) in walls.iter().enumerate() {
                for two in &walls[..k] {
                    if !are_near(one, two, tight) || of(one, free).meets_in(&of(two, free), &face).is_some() {
                        continue;
                    }
                    places.extend(of(one, tight).meets_in(&of(two, tight), &face));
                }
                for k in (0..face.len()).filter(|&k| patch.is_drop[k]) {
                    let edge = [face[k], face[(k + 1) % face.len()]];
                    let [before, after] = [free, tight].map(|radius| of(one, radius).on_segment(edge));
                    if let (None, Some([from, to])) = (before, after) {
                        places.push(edge[0].lerp(edge[1], (from + to) / 2.0));
                    }
                }
            }
        }
        places
    }
}

impl Patch {
    fn plan(&self) -> Vec<DVec2> {
        self.points.iter().map(|p| p.truncate()).collect()
    }

    fn holds(&self, p: DVec2) -> bool {
        let face = self.plan();
        (0..face.len())
            .all(|k| wayfare_geom::predicates::orient(face[k], face[(k + 1) % face.len()], p) >= 0.0)
    }

    /// Itself as triangles round a point in it.
    fn round(self, at: DVec3, number: u32) -> Vec<Self> {
        let count = self.points.len();
        let spoke = |k: usize| EdgeKey::Spoke(number, k as u32);
        (0..count)
            .map(|k| {
                let next = (k + 1) % count;
                Self {
                    points: vec![at, self.points[k], self.points[next]],
                    edges: vec![spoke(k), self.edges[k], spoke(next)],
                    is_drop: vec![false, self.is_drop[k], false],
                }
            })
            .collect()
    }

    /// The walls that stand in the way wherever a body is on it, and that come near enough somewhere.
    fn walls(&self, walls: &Walls, radius: f64) -> Vec<Wall> {
        let mut near = Vec::new();
        let low = self.points.iter().fold(DVec3::INFINITY, |low, &p| low.min(p));
        let high = self.points.iter().fold(DVec3::NEG_INFINITY, |high, &p| high.max(p));
        walls.for_each_near([low.truncate(), high.truncate()], [high.z, low.z], radius, |wall| {
            near.push(*wall)
        });
        near.sort_by_key(|wall| wall.number);
        near
    }
}

/// Whether two walls are near enough to keep a body from passing between them.
fn are_near(one: &Wall, two: &Wall, radius: f64) -> bool {
    let [a, b] = [one.plan(), two.plan()];
    let (low, high) = (a[0].min(a[1]) - 2.0 * radius, a[0].max(a[1]) + 2.0 * radius);
    b[0].max(b[1]).cmpge(low).all() && b[0].min(b[1]).cmple(high).all()
}

/// A stretch of an edge.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    to: f64,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    /// Free: the number of the piece.
    Free(u32),
    /// Kept free of the body by the wall of this number, and others that meet it.
    Shut(u32),
}

/// The free pieces of edges for a radius, and which of them are joined.
struct Pieces<'a> {
    walls: &'a Walls,
    radius: f64,
    ends: &'a [DVec2],
    /// Stretches of each edge, from its lower end to the higher, of spokes from their point.
    of_edges: HashMap<EdgeKey, Vec<Stretch>>,
    parents: Vec<u32>,
}

impl Pieces<'_> {
    fn root(&mut self, mut piece: u32) -> u32 {
        while self.parents[piece as usize] != piece {
            let up = self.parents[self.parents[piece as usize] as usize];
            self.parents[piece as usize] = up;
            piece = up;
        }
        piece
    }

    fn unite(&mut self, one: u32, two: u32) {
        let (one, two) = (self.root(one), self.root(two));
        self.parents[one.max(two) as usize] = one.min(two);
    }

    /// The piece of a spoke at its point.
    fn first_of(&self, key: EdgeKey) -> Option<u32> {
        let stretches = self.of_edges.get(&key)?;
        match stretches.first()?.what {
            What::Free(piece) => Some(piece),
            What::Shut(_) => None,
        }
    }

    /// Step 2: the stretches of an edge in the direction in which it is asked.
    fn stretches(&mut self, key: EdgeKey, [a, b]: [DVec3; 2]) -> Vec<Stretch> {
        // Both sides see the same.
        let is_turned = match key {
            EdgeKey::Spoke(number, _) => a.truncate() != self.ends[number as usize],
            EdgeKey::Face(_) => (b.x, b.y) < (a.x, a.y),
        };
        let (from, to) = if is_turned { (b, a) } else { (a, b) };
        let stretches = match self.of_edges.get(&key) {
            Some(stretches) => stretches.clone(),
            None => {
                let stretches = self.find_stretches([from, to]);
                self.of_edges.insert(key, stretches.clone());
                stretches
            }
        };
        if !is_turned {
            return stretches;
        }
        let starts = std::iter::once(0.0).chain(stretches.iter().map(|stretch| stretch.to));
        let mut turned: Vec<_> = starts
            .zip(&stretches)
            .map(|(from, stretch)| Stretch { to: 1.0 - from, what: stretch.what })
            .collect();
        turned.reverse();
        turned
    }

    fn find_stretches(&mut self, [a, b]: [DVec3; 2]) -> Vec<Stretch> {
        let (edge, (low, high)) = ([a.truncate(), b.truncate()], (a.min(b), a.max(b)));
        let mut shut: Vec<(f64, f64, u32)> = Vec::new();
        let radius = self.radius;
        self.walls.for_each_near([low.truncate(), high.truncate()], [high.z, low.z], radius, |wall| {
            let part = Stadium { ends: wall.plan(), radius }.on_segment(edge);
            shut.extend(part.map(|[from, to]| (from, to, wall.number)));
        });
        shut.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut done = 0.0;
        for (from, to, wall) in shut {
            if from > done {
                stretches.push(Stretch { to: from, what: What::Free(self.parents.len() as u32) });
                self.parents.push(self.parents.len() as u32);
                done = from;
            }
            if to > done {
                match stretches.last_mut() {
                    Some(Stretch { to: end, what: What::Shut(_) }) => *end = to,
                    _ => stretches.push(Stretch { to, what: What::Shut(wall) }),
                }
                done = to;
            }
        }
        if done < 1.0 {
            stretches.push(Stretch { to: 1.0, what: What::Free(self.parents.len() as u32) });
            self.parents.push(self.parents.len() as u32);
        }
        stretches
    }

    /// Steps 3 and 4: joins what is joined in a patch.
    fn join(&mut self, patch: &Patch) {
        let face = patch.plan();
        let walls = patch.walls(self.walls, self.radius);
        let radius = self.radius;
        // 3.
        let mut obstacle: Vec<usize> = (0..walls.len()).collect();
        for one in 0..walls.len() {
            for two in 0..one {
                let [a, b] = [one, two].map(|k| Stadium { ends: walls[k].plan(), radius });
                if obstacle[one] != obstacle[two]
                    && are_near(&walls[one], &walls[two], radius)
                    && a.meets_in(&b, &face).is_some()
                {
                    let (from, to) = (obstacle[one], obstacle[two]);
                    obstacle.iter_mut().filter(|it| **it == from).for_each(|it| *it = to);
                }
            }
        }
        // 4. Once round the border: what is free, and the obstacles between.
        let mut free: Vec<(usize, u32)> = Vec::new();
        let mut touched: Vec<(usize, usize)> = Vec::new();
        let (mut place, mut last) = (0, None);
        let mut first = None;
        for k in 0..face.len() {
            let edge = [patch.points[k], patch.points[(k + 1) % face.len()]];
            for stretch in self.stretches(patch.edges[k], edge) {
                match (stretch.what, last) {
                    // On across a vertex.
                    (What::Free(piece), Some(What::Free(before))) => self.unite(piece, before),
                    (What::Free(piece), _) => free.push((place, piece)),
                    (What::Shut(wall), _) => {
                        if let Ok(wall) = walls.binary_search_by_key(&wall, |wall| wall.number) {
                            touched.push((obstacle[wall], place));
                        }
                    }
                }
                place += 1;
                first = first.or(Some(stretch.what));
                last = Some(stretch.what);
            }
        }
        if let (Some(What::Free(one)), Some(What::Free(two))) = (first, last) {
            self.unite(one, two);
        }
        touched.sort_unstable();
        let mut labels = vec![0usize; free.len()];
        for group in touched.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let mut pairs: Vec<(usize, usize)> = Vec::with_capacity(free.len());
            for (label, &(place, _)) in labels.iter().zip(&free) {
                pairs.push((*label, group.iter().filter(|touch| touch.1 < place).count() % group.len()));
            }
            let mut known = pairs.clone();
            known.sort_unstable();
            known.dedup();
            labels = pairs.iter().map(|pair| known.partition_point(|other| other < pair)).collect();
        }
        let mut order: Vec<usize> = (0..free.len()).collect();
        order.sort_by_key(|&k| labels[k]);
        for pair in order.windows(2).filter(|pair| labels[pair[0]] == labels[pair[1]]) {
            self.unite(free[pair[0]].1, free[pair[1]].1);
        }
    }
}
