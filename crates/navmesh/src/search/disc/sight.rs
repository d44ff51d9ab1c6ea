//! Which corners see each other, and on which sides a disc of some radius could pass them: what a search need not
//! find out again and again, because it does not depend on the radius.
//!
//! Idea: a straight piece of a path that touches two corners exists only if they see each other at radius 0 (see
//!   [`super::explore`]). As the radius grows from 0, a piece that has both corners on the same side keeps its direction, one
//!   that crosses over turns towards its first corner, a right angle at most. It is of use only if at some radius that both corners
//!   can be touched at it does not run into the walls beside them.
//! Source: tangent visibility graphs, as [`super::super::corner_graph`]; for all radii at once it is our own.
//! Steps: 1. for each corner the headings with which a disc may pass it, and the largest one that can touch it
//!   2. for each corner walk the cones round it  3. note the corners in sight with the sides that are possible  4. note what it
//!   sees of faces ([`super::views`])
//! Promises: every straight piece between two corners on a shortest path of a disc of any radius is an edge.
//! Cost: one walk per corner, in parallel, the same result for any number of threads.

use super::{
    super::{
        cone::{Cone, Exit, Ground, Visit},
        faces::{CORNER, Edge, Faces, NONE, SEALED, WIDE},
        shares::in_shares,
    },
    explore::SLANT,
    mouths::Mouths,
    views::{Views, Wedge},
};
use crate::{
    clearance::{Clearances, FeatureId},
    mesh::{NavMesh, VertexId},
};
use std::{
    f64::consts::{FRAC_PI_2, TAU},
    sync::atomic::{AtomicU64, Ordering},
};
use wayfare_core::{DVec2, ops};

/// In an edge, the bit that says that the corner at its end lies on the right.
pub(super) const RIGHT: u32 = 1 << 31;

/// All corners with what they see.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    /// For each vertex where the edges start that have it on their left, and those that have it on their right; one more at
    /// the end.
    starts: Vec<u32>,
    /// The vertex at the end, and [`RIGHT`].
    edges: Vec<u32>,
    /// For each corner the largest disc that can turn all the way round it [m].
    widths: Vec<f64>,
    /// What corners see of faces, unless that is too much.
    pub views: Option<Views>,
    /// Tells it from all others of this program, so that what is known of one is not taken for another's.
    pub number: u64,
}

/// Numbers so far.
static NUMBERS: AtomicU64 = AtomicU64::new(0);

impl Sight {
    /// Finds what corners see with so many threads, 0 for all cores; nothing if that is too much.
    pub fn of(
        mesh: &NavMesh,
        faces: &Faces,
        clearances: &Clearances<'_>,
        mouths: &Mouths,
        threads: usize,
    ) -> Option<Self> {
        let corners = Corners::of(mesh, faces, clearances);
        let cones = count_cones(faces, &corners, mouths)?;
        let keeps_views = Views::is_worth_while(faces, cones);
        let found = in_shares(faces.vertex_count(), threads, |range| {
            let mut walk = Walk::new(faces, &corners, mouths);
            let look = |vertex| {
                let groups = walk.edges_of(vertex as u32);
                let wedges = if keeps_views { walk.wedges.clone() } else { Vec::new() };
                (groups, wedges)
            };
            range.map(look).collect()
        });
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let (starts, widths) = (vec![0], corners.narrowest);
        let mut sight = Self { starts, edges: Vec::new(), widths, views: None, number };
        let mut all_wedges = Vec::new();
        for (groups, wedges) in found {
            for group in groups {
                sight.edges.extend(group);
                sight.starts.push(sight.edges.len() as u32);
            }
            all_wedges.extend(wedges);
        }
        sight.views = keeps_views.then(|| Views::of(faces, all_wedges));
        Some(sight)
    }

    /// Whether a disc can turn round a corner from any direction to any other.
    #[inline]
    pub fn is_wide_all_round(&self, vertex: u32, radius: f64) -> bool {
        self.widths[vertex as usize] >= radius
    }

    /// The corners that may be touched next from one that lies on a side, each with the side on which it then lies.
    #[inline]
    pub fn onward(&self, vertex: u32, side: f64) -> impl Iterator<Item = (u32, f64)> {
        let k = 2 * vertex as usize + usize::from(side < 0.0);
        let edges = &self.edges[self.starts[k] as usize..self.starts[k + 1] as usize];
        edges.iter().map(|&edge| (edge & !RIGHT, if edge & RIGHT == 0 { 1.0 } else { -1.0 }))
    }
}

/// About how many cones there are to walk, by a sample of the corners; nothing if these or the edges are too many, as on open
/// ground with many obstacles.
fn count_cones(faces: &Faces, corners: &Corners, mouths: &Mouths) -> Option<usize> {
    /// One corner of so many is looked at.
    const SAMPLE: usize = 16;
    /// Edges per corner at most, on the mean: half a kilobyte of memory.
    const MOST_EDGES: usize = 128;
    /// Cones walked per corner at most, on the mean: a tenth of a millisecond.
    const MOST_CONES: usize = 1000;
    let mut walk = Walk::new(faces, corners, mouths);
    let (mut looked_at, mut edges) = (0, 0);
    let vertices = (0..faces.vertex_count()).filter(|&vertex| corners.is_corner[vertex]);
    for vertex in vertices.clone().step_by(SAMPLE) {
        looked_at += 1;
        edges += walk.edges_of(vertex as u32).iter().map(Vec::len).sum::<usize>();
        let is_far_too_much = edges > 2 * MOST_EDGES * looked_at || walk.cones > 2 * MOST_CONES * looked_at;
        if looked_at >= 2 * SAMPLE && is_far_too_much {
            return None;
        }
    }
    let is_little = edges <= MOST_EDGES * looked_at && walk.cones <= MOST_CONES * looked_at;
    is_little.then(|| walk.cones * vertices.count() / looked_at.max(1))
}

/// What is known of corners by themselves.
struct Corners {
    is_corner: Vec<bool>,
    /// For each vertex two unit vectors; a disc that has it on its left may have all headings that are not against either, one
    /// that has it on its right all that are not along either. Zero where the ground goes round more than once.
    limits: Vec<[DVec2; 2]>,
    /// The largest disc that can touch it [m], as far as that is known; 0 if it is no corner.
    largest: Vec<f64>,
    /// The largest disc that can turn all the way round it [m]; 0 if it is no corner.
    narrowest: Vec<f64>,
}

impl Corners {
    /// 1.
    fn of(mesh: &NavMesh, faces: &Faces, clearances: &Clearances<'_>) -> Self {
        let count = faces.vertex_count();
        let mut corners = Self {
            is_corner: vec![false; count],
            limits: vec![[DVec2::ZERO; 2]; count],
            largest: vec![0.0; count],
            narrowest: vec![0.0; count],
        };
        for vertex in 0..count {
            let Some(&edge) = faces.fan(vertex as u32).first() else { continue };
            let flags = faces.edges[edge as usize].flags;
            if flags & CORNER == 0 {
                continue;
            }
            corners.is_corner[vertex] = true;
            let parts = clearances.features().of_vertex(mesh, VertexId(vertex as u32));
            if parts.is_empty() {
                // A corner by rounding only, where a border ends on a wall: it is part of that wall to the clearance, but what
                // lies beyond is out of sight, so that discs of any size turn there.
                corners.largest[vertex] = f64::INFINITY;
            } else {
                let reaches = parts.clone().map(|part| clearances.highest_reach(FeatureId(part)));
                corners.largest[vertex] = reaches.fold(0.0, f64::max);
                let lowest = |part| clearances.lowest_reach(FeatureId(part));
                corners.narrowest[vertex] = parts.map(lowest).fold(f64::INFINITY, f64::min);
            }
            if flags & WIDE == 0 {
                let at = faces.xy[vertex];
                let [goes, comes] = faces.walls[vertex];
                // The direction to the centre lies on the far side of both walls: with the corner on the left it is the
                // heading turned right.
                let unit = |v: DVec2| v.normalize_or_zero();
                corners.limits[vertex] = [unit(at - comes).perp(), unit(at - goes).perp()];
            }
        }
        corners
    }

    /// Whether a disc can touch one corner after the other on these sides, at some radius.
    fn may_touch(&self, [from, to]: [u32; 2], arm: DVec2, sides: [f64; 2]) -> bool {
        let length = arm.length();
        // How far the piece turns, to the left.
        let widest = 2.0 * self.largest[from as usize].min(self.largest[to as usize]);
        let sine = (widest / length).min(1.0);
        let most = if sides[0] == sides[1] { 0.0 } else { ops::atan2(sine, (1.0 - sine * sine).sqrt()) };
        let (mut low, mut high) = if sides[0] > 0.0 { (0.0, most) } else { (-most, 0.0) };
        for (vertex, side) in [(from, sides[0]), (to, sides[1])] {
            for limit in self.limits[vertex as usize].into_iter().filter(|limit| *limit != DVec2::ZERO) {
                let limit = limit * side;
                // Headings up to a right angle from it.
                let mut middle = ops::atan2(arm.perp_dot(limit), arm.dot(limit));
                let reach = FRAC_PI_2 + 2.0 * SLANT;
                if middle + reach < low {
                    middle += TAU;
                } else if middle - reach > high {
                    middle -= TAU;
                }
                (low, high) = (low.max(middle - reach), high.min(middle + reach));
            }
        }
        low <= high
    }
}

/// Finds the corners in sight of one.
struct Walk<'a> {
    ground: Ground<'a>,
    corners: &'a Corners,
    mouths: &'a Mouths,
    root: u32,
    /// Cones still to be walked, each with the mouth that it came out of ([`Wedge::mouth`]).
    stack: Vec<(Cone, u32)>,
    /// That of the cone that is being walked.
    mouth: u32,
    seen: Vec<u32>,
    /// What the root sees of faces.
    wedges: Vec<(u32, Wedge)>,
    /// Number of cones walked so far.
    cones: usize,
}

impl<'a> Walk<'a> {
    fn new(faces: &'a Faces, corners: &'a Corners, mouths: &'a Mouths) -> Self {
        let ground = Ground { faces, orient: faces.orient, start: DVec2::ZERO, limits: None };
        let (stack, seen, wedges) = (Vec::new(), Vec::new(), Vec::new());
        Self { ground, corners, mouths, root: 0, stack, mouth: NONE, seen, wedges, cones: 0 }
    }

    fn edges_of(&mut self, vertex: u32) -> [Vec<u32>; 2] {
        let ground = self.ground;
        let mut groups = [Vec::new(), Vec::new()];
        self.wedges.clear();
        if !self.corners.is_corner[vertex as usize] {
            return groups;
        }
        // 2. and 4.
        (self.root, self.mouth) = (vertex, NONE);
        for &edge in ground.faces.fan(vertex) {
            let face = ground.faces.edges[edge as usize].face;
            self.wedges.push((face, Wedge::all_round(vertex)));
        }
        ground.look_round(vertex, |_| true, self);
        while let Some((cone, mouth)) = self.stack.pop() {
            self.cones += 1;
            self.mouth = mouth;
            let face = ground.faces.edges[cone.edge as usize].face;
            self.wedges.push((face, Wedge::of(&cone, mouth)));
            ground.cross(&cone, &ground.view(&cone), self);
        }
        if self.corners.largest[vertex as usize] == 0.0 {
            self.seen.clear();
        }
        // 3. A vertex on the border of two cones is seen by both.
        self.seen.sort_unstable();
        self.seen.dedup();
        for other in self.seen.drain(..) {
            let arm = ground.faces.xy[other as usize] - ground.faces.xy[vertex as usize];
            for (group, side) in groups.iter_mut().zip([1.0, -1.0]) {
                for (bit, other_side) in [(0, 1.0), (RIGHT, -1.0)] {
                    if self.corners.may_touch([vertex, other], arm, [side, other_side]) {
                        group.push(other | bit);
                    }
                }
            }
        }
        groups
    }
}

impl Visit for Walk<'_> {
    fn vertex(&mut self, edge: &Edge, _: bool) {
        if edge.vertex != self.root && self.corners.largest[edge.vertex as usize] > 0.0 {
            self.seen.push(edge.vertex);
        }
    }

    fn exit(&mut self, exit: Exit<'_>) {
        let twin = exit.edge.twin;
        if twin == NONE {
            return;
        }
        let cone = Cone { root: self.root, left: exit.left, right: exit.right, edge: twin };
        // Out of a dead end.
        let is_mouth = self.ground.faces.edges[twin as usize].flags & SEALED != 0;
        let is_larger = || self.mouth == NONE || self.mouths.radius(twin) > self.mouths.radius(self.mouth);
        self.stack.push((cone, if is_mouth && is_larger() { twin } else { self.mouth }));
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::cone::START, *};
    use crate::fixtures::pillars_and_dead_ends;
    use std::collections::BTreeSet;

    /// Walks the cones of a point.
    struct Look {
        corners: BTreeSet<u32>,
        stack: Vec<Cone>,
    }

    impl Visit for Look {
        fn vertex(&mut self, edge: &Edge, _: bool) {
            if edge.flags & CORNER != 0 {
                self.corners.insert(edge.vertex);
            }
        }

        fn exit(&mut self, exit: Exit<'_>) {
            if exit.edge.twin != NONE {
                let Exit { left, right, edge, .. } = exit;
                self.stack.push(Cone { root: START, left, right, edge: edge.twin });
            }
        }
    }

    #[test]
    fn points_are_told_the_corners_that_their_cones_find() {
        let mesh = pillars_and_dead_ends().validate().unwrap();
        let faces = Faces::build(&mesh, true);
        let count = faces.vertex_count();
        let is_corner = |vertex: u32| faces.edges[faces.fan(vertex)[0] as usize].flags & CORNER != 0;
        let corners = Corners {
            is_corner: (0..count as u32).map(is_corner).collect(),
            limits: vec![[DVec2::ZERO; 2]; count],
            largest: vec![1.0; count],
            narrowest: vec![0.0; count],
        };
        let mouths = Mouths::open(&faces);
        let mut walk = Walk::new(&faces, &corners, &mouths);
        let mut wedges = Vec::new();
        for vertex in 0..count as u32 {
            walk.edges_of(vertex);
            wedges.append(&mut walk.wedges);
        }
        let views = Views::of(&faces, wedges);
        let (mut seed, mut seen) = (1u32, 0);
        for face in (0..faces.count() as u32).cycle().take(20 * faces.count()) {
            let (start, end) = faces.range(face);
            let (mut p, mut sum) = (DVec2::ZERO, 0.0);
            for edge in &faces.edges[start as usize..end as usize] {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let weight = f64::from(seed >> 8) + 1.0;
                (p, sum) = (p + edge.at * weight, sum + weight);
            }
            p /= sum;
            let ground = Ground { faces: &faces, orient: faces.orient.with(p), start: p, limits: None };
            let mut look = Look { corners: BTreeSet::new(), stack: Vec::new() };
            ground.look_around(face, &mut look);
            while let Some(cone) = look.stack.pop() {
                ground.cross(&cone, &ground.view(&cone), &mut look);
            }
            let (mut told, mut exact) = (BTreeSet::new(), BTreeSet::new());
            views.for_each(face, p, |corner| {
                told.insert(corner.vertex());
                if corner.holds(&ground, p) {
                    exact.insert(corner.vertex());
                }
            });
            assert_eq!(exact, look.corners, "{p}");
            assert!(told.is_superset(&exact));
            seen += exact.len();
        }
        assert!(seen > 20 * faces.count());
    }
}
