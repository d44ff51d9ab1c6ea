//! What is in the way on each patch: the parts of all triangles that are over its ground and under head room, seen from above.
//!
//! Idea: over a plane, the part of a triangle between two heights is a convex polygon, seen from above, too. Patches lose
//!   the union of these polygons; that is left to the overlay (`faces.rs`), here they are only listed, as edges.
//! Source: seed 002, section III.B.
//! Where that is plainly all of it (`covered.rs`), nothing is listed.
//! Steps for each patch: 1. its outline: sides of its triangles that do not cancel  2. triangles of other patches, by the
//!   difference of the two planes: the patch with the lower number keeps what is within 1 mm of both  3. other triangles
//!   4. those that are as good as upright: walls, which are segments.
//! Where two planes part, both patches get the same points on the line: those where it crosses the sides of either.
//! Cost: O(pairs of patches and triangles whose boxes meet); patches in parallel.

use super::{
    covered::{are_boxes_apart, cover},
    cracks::Filler,
    patches::{NO_PATCH, Patches},
    surface::Plane,
};
use crate::GroundConfig;
use rayon::prelude::*;
use wayfare_core::{Cancelled, Context, DVec2, DVec3};
use wayfare_geom::{
    boolean::{Node, compare_ends, turn_sign},
    bvh::{Aabb3, Bvh},
    segment::nearest_on_segment,
};

/// Floors closer than this are one floor; what rises less over the ground is not in the way [m].
pub(super) const SAME_FLOOR: f64 = 1e-3;

/// A triangle that is not wider than this seen from above is a wall without thickness [m]; models in single floats have
/// upright walls whose corners are off by some micrometres.
pub(super) const WALL_WIDTH: f64 = 1e-5;

/// Parts narrower than so many units of the grid are walls, too: rounding moves corners by less than one unit, and edges by as much again to
/// corners that they pass. What is as narrow may come to lie there and back along one line, and then would cut nothing.
const NARROW: f64 = 4.0;

/// Patches of up to so many triangles are compared with each triangle before it is cut.
const FEW: usize = 8;

/// Up to so many walls are compared one by one.
const FEW_WALLS: usize = 24;

/// What an edge is to its patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    /// The patch's own outline: ground on the left.
    Ground,
    /// A part that cannot be stood on lies on the left.
    Cut(Cause),
    /// A wall without thickness.
    Wall(Cause),
}

/// What is in the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cause {
    /// The scene's triangle.
    pub by: u32,
    /// From where to where it reaches over the ground, within head room [m].
    pub heights: [f32; 2],
    /// Whether the edge is where it gets as high as head room.
    pub is_ceiling: bool,
}

/// An edge of what makes up a patch. Edges that lie on each other are listed one by one; `times` is how often the
/// first of them winds round for all of them together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PatchEdge {
    pub ends: [Node; 2],
    pub role: Role,
    pub times: i32,
}

/// The edges of all patches.
pub(super) fn find_edges(
    ground: &Patches,
    fillers: &[Filler],
    tree: &Bvh,
    config: &GroundConfig,
    context: &Context,
) -> Result<Vec<Vec<PatchEdge>>, Cancelled> {
    let stage = context.stage("cuts", ground.patches.len() as u64);
    let shapes: Vec<Shape> = (0..ground.patch_of.len() as u32).map(|t| shape_of(ground, t)).collect();
    let boxes: Vec<Aabb3> =
        (0..shapes.len()).map(|t| Aabb3::of_points(ground.scene.mesh.points(t))).collect();
    let edges = (0..ground.patches.len() as u32)
        .into_par_iter()
        .map(|patch| {
            context.check()?;
            let edges = Cutter::new(ground, &shapes, patch, config).edges(fillers, tree, &boxes);
            stage.advance(1);
            Ok(edges)
        })
        .collect();
    drop(stage);
    edges
}

/// A corner of a polygon over a patch.
#[derive(Clone, Copy, Debug)]
struct Corner {
    node: Node,
    place: DVec2,
    /// Height over the patch's plane [m].
    over: f64,
    /// What the edge that starts here is.
    edge: Edge,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Edge {
    Side,
    Low,
    High,
}

/// What a triangle looks like from above.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// It has an area.
    Wide,
    /// It has none on the grid.
    Flat,
    /// It is as good as upright, and no ground.
    Wall,
}

fn shape_of(ground: &Patches, triangle: u32) -> Shape {
    let [a, b, c] = ground.scene.mesh.triangles[triangle as usize];
    if ground.patch_of[triangle as usize] == NO_PATCH {
        let place = |v: u32| ground.scene.mesh.vertices[v as usize].truncate();
        let (a, b, c) = (place(a), place(b), place(c));
        let longest = (b - a).length().max((c - b).length()).max((a - c).length());
        if (b - a).perp_dot(c - a).abs() <= WALL_WIDTH * longest {
            return Shape::Wall;
        }
    }
    let node = |v: u32| ground.nodes[v as usize];
    if turn_sign(node(a), node(b), node(c)) == 0 { Shape::Flat } else { Shape::Wide }
}

/// Cuts things over one patch.
struct Cutter<'a> {
    ground: &'a Patches<'a>,
    /// By triangle of the scene.
    shapes: &'a [Shape],
    /// The patch's triangles on the grid, if they are few.
    few: Vec<[Node; 3]>,
    /// Room for the polygon in hand, and for it before its last cut.
    polygon: Vec<Corner>,
    uncut: Vec<Corner>,
    patch: u32,
    plane: Plane,
    height: f64,
    subjects: Vec<PatchEdge>,
    cuts: Vec<PatchEdge>,
    walls: Vec<PatchEdge>,
}

impl<'a> Cutter<'a> {
    fn new(ground: &'a Patches<'a>, shapes: &'a [Shape], patch: u32, config: &GroundConfig) -> Self {
        let own = &ground.patches[patch as usize];
        let few = if own.scene_triangles.len() <= FEW { &own.scene_triangles[..] } else { &[] };
        Self {
            ground,
            shapes,
            few: few.iter().map(|&t| nodes_of(ground, t)).collect(),
            polygon: Vec::new(),
            uncut: Vec::new(),
            patch,
            plane: own.plane,
            height: config.height,
            subjects: Vec::with_capacity(3 * own.scene_triangles.len()),
            cuts: Vec::new(),
            walls: Vec::new(),
        }
    }

    fn own(&self) -> &'a [u32] {
        &self.ground.patches[self.patch as usize].scene_triangles
    }

    fn edges(mut self, fillers: &[Filler], tree: &Bvh, boxes: &[Aabb3]) -> Vec<PatchEdge> {
        let (patch, ground) = (self.patch, self.ground);
        let first = fillers.partition_point(|filler| filler.patch < patch);
        let fillers = || fillers[first..].iter().take_while(|filler| filler.patch == patch);
        let own = self.own().iter().map(|&t| boxes[t as usize]);
        let mut area = own.fold(Aabb3::EMPTY, Aabb3::union);
        area.min.z -= SAME_FLOOR;
        area.max.z += self.height;
        let mut others = Vec::new();
        tree.visit(&area, |triangle| {
            let is_other = ground.patch_of[triangle as usize] != patch;
            if is_other && boxes[triangle as usize].meets(&area) {
                others.push(triangle);
            }
            false
        });
        others.sort_unstable();
        if fillers().all(|filler| filler.cut_by.is_some()) && self.is_covered(&others) {
            return Vec::new();
        }
        // 1.
        for &triangle in self.own() {
            self.add_ground(&nodes_of(self.ground, triangle));
        }
        for filler in fillers() {
            match filler.cut_by {
                None => self.add_ground(&filler.ring),
                Some(by) => {
                    let cause = Cause { by, heights: [0.0, 0.0], is_ceiling: false };
                    for (k, &a) in filler.ring.iter().enumerate() {
                        let ends = [a, filler.ring[(k + 1) % 4]];
                        self.cuts.push(PatchEdge { ends, role: Role::Cut(cause), times: 1 });
                    }
                }
            }
        }
        // 2. to 4.
        for triangle in others {
            let other = self.ground.patch_of[triangle as usize];
            if other != NO_PATCH {
                self.cut_by_ground(triangle, other);
            } else if self.shapes[triangle as usize] == Shape::Wall {
                self.cut_by_wall(triangle);
            } else {
                self.cut_by_thing(triangle);
            }
        }
        let mut edges = netted(self.subjects);
        edges.extend(netted(self.cuts));
        edges.extend(without_covered(self.walls, self.ground.grid.spacing()));
        edges
    }

    /// Whether nothing is left of a small patch: over each of its triangles lie some of one other patch, or of what is no ground, that
    /// are in the way with all that they are.
    fn is_covered(&self, others: &[u32]) -> bool {
        if self.few.is_empty() {
            return false;
        }
        let mut lids: Vec<(u32, [Node; 3])> = Vec::new();
        for &triangle in others.iter().filter(|&&triangle| self.shapes[triangle as usize] == Shape::Wide) {
            let other = self.ground.patch_of[triangle as usize];
            let (low, corners) = if other == NO_PATCH {
                (SAME_FLOOR, self.polygon(triangle, &self.over_plane()))
            } else {
                (self.least_over(other), self.polygon(triangle, &self.over_ground(other)))
            };
            if corners.iter().all(|corner| low < corner.over && corner.over < self.height) {
                lids.push((other, corners.map(|corner| corner.node)));
            }
        }
        lids.sort_by_key(|lid| lid.0);
        let of_one = || lids.chunk_by(|a, b| a.0 == b.0);
        self.few.iter().all(|own| of_one().any(|lids| cover(lids.iter().map(|lid| &lid.1), own)))
    }

    fn add_ground(&mut self, ring: &[Node]) {
        for (k, &a) in ring.iter().enumerate() {
            let ends = [a, ring[(k + 1) % ring.len()]];
            self.subjects.push(PatchEdge { ends, role: Role::Ground, times: 1 });
        }
    }

    /// Whether a triangle is beside all of a small patch, seen from above, or at most touches it.
    fn keeps_apart(&self, triangle: u32) -> bool {
        // A wall has no inside; it counts where it touches.
        if self.few.is_empty() || self.shapes[triangle as usize] != Shape::Wide {
            return false;
        }
        let theirs = nodes_of(self.ground, triangle);
        self.few.iter().all(|ours| {
            are_boxes_apart(ours, &theirs) || is_beyond_side(ours, &theirs) || is_beyond_side(&theirs, ours)
        })
    }

    /// Step 2.
    fn cut_by_ground(&mut self, triangle: u32, other: u32) {
        let low = self.least_over(other);
        let over = self.over_ground(other);
        let corners = self.polygon(triangle, &over);
        if is_out(&corners, low, self.height) || self.keeps_apart(triangle) {
            return;
        }
        self.clip(&corners, low);
        let mut polygon = std::mem::take(&mut self.polygon);
        // Where the planes part, the line is the same for both.
        let Some(start) = polygon.iter().position(|corner| corner.edge == Edge::Low) else {
            self.add_cut(triangle, &polygon);
            self.polygon = polygon;
            return;
        };
        let (from, to) = (polygon[start], polygon[(start + 1) % polygon.len()]);
        let way = to.place - from.place;
        let mut between: Vec<(f64, Corner)> = Vec::new();
        for &own in self.own() {
            let corners = self.polygon(own, &over);
            for k in 0..3 {
                if let Some(at) = crossing(self.ground, &corners[k], &corners[(k + 1) % 3], low) {
                    let along = (at.place - from.place).dot(way);
                    if along > 0.0
                        && along < way.length_squared()
                        && at.node != from.node
                        && at.node != to.node
                    {
                        between.push((along, Corner { edge: Edge::Low, ..at }));
                    }
                }
            }
        }
        between.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.node.cmp(&b.1.node)));
        between.dedup_by_key(|entry| entry.1.node);
        let points = between.into_iter().map(|entry| entry.1);
        polygon.splice(start + 1..start + 1, points);
        self.add_cut(triangle, &polygon);
        self.polygon = polygon;
    }

    /// How high over this patch another has to be so that it is in the way, and not the same floor.
    fn least_over(&self, other: u32) -> f64 {
        if other > self.patch { SAME_FLOOR } else { -SAME_FLOOR }
    }

    /// How high another patch's plane is over this one's; the same to the bit, but for the sign, seen from the other.
    fn over_ground(&self, other: u32) -> impl Fn(DVec3) -> f64 + use<'a> {
        let theirs = self.ground.patches[other as usize].plane;
        let (ours, is_higher) = (self.plane, other > self.patch);
        move |p: DVec3| {
            let (ours, theirs) = (ours.height_at(p.truncate()), theirs.height_at(p.truncate()));
            if is_higher { theirs - ours } else { -(ours - theirs) }
        }
    }

    fn over_plane(&self) -> impl Fn(DVec3) -> f64 + use<> {
        let plane = self.plane;
        move |p: DVec3| p.z - plane.height_at(p.truncate())
    }

    fn polygon(&self, triangle: u32, over: &impl Fn(DVec3) -> f64) -> [Corner; 3] {
        let [a, b, c] = self.ground.corners(triangle);
        let corner = |v: u32| {
            let p = self.ground.scene.mesh.vertices[v as usize];
            let node = self.ground.nodes[v as usize];
            Corner { node, place: p.truncate(), over: over(p), edge: Edge::Side }
        };
        [corner(a), corner(b), corner(c)]
    }

    /// Step 3.
    fn cut_by_thing(&mut self, triangle: u32) {
        let corners = self.polygon(triangle, &self.over_plane());
        if is_out(&corners, SAME_FLOOR, self.height) || self.keeps_apart(triangle) {
            return;
        }
        self.clip(&corners, SAME_FLOOR);
        let polygon = std::mem::take(&mut self.polygon);
        if is_narrow(&polygon, NARROW * self.ground.grid.spacing()) {
            self.cut_by_wall(triangle);
        } else {
            self.add_cut(triangle, &polygon);
            self.polygon = polygon;
        }
    }

    /// Makes the part of a triangle between a height and head room the polygon in hand.
    fn clip(&mut self, corners: &[Corner; 3], low: f64) {
        clip_by(self.ground, corners, low, 1.0, Edge::Low, &mut self.uncut);
        clip_by(self.ground, &self.uncut, self.height, -1.0, Edge::High, &mut self.polygon);
    }

    fn add_cut(&mut self, triangle: u32, polygon: &[Corner]) {
        let heights = heights(polygon);
        for (k, corner) in polygon.iter().enumerate() {
            let next = &polygon[(k + 1) % polygon.len()];
            if corner.node != next.node {
                let cause = Cause { by: triangle, heights, is_ceiling: corner.edge == Edge::High };
                let ends = [corner.node, next.node];
                self.cuts.push(PatchEdge { ends, role: Role::Cut(cause), times: 1 });
            }
        }
    }

    /// Step 4. Where a wall leans by some micrometres, its foot is what counts.
    fn cut_by_wall(&mut self, triangle: u32) {
        let corners = self.polygon(triangle, &self.over_plane());
        if is_out(&corners, -SAME_FLOOR, self.height) {
            return;
        }
        self.clip(&corners, -SAME_FLOOR);
        let polygon = &self.polygon;
        let heights = heights(polygon);
        if polygon.is_empty() || f64::from(heights[1]) <= SAME_FLOOR {
            return;
        }
        let sides = [0, 1, 2].map(|k| corners[(k + 1) % 3].place - corners[k].place);
        let along = sides.into_iter().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        let along = along.unwrap_or_default().normalize_or_zero();
        let place = |corner: &Corner| (corner.place - corners[0].place).dot(along);
        let end = |sign: f64| {
            let most = polygon.iter().map(|corner| sign * place(corner)).fold(f64::NEG_INFINITY, f64::max);
            let near = polygon.iter().filter(|corner| sign * place(corner) >= most - WALL_WIDTH);
            near.min_by(|a, b| a.over.total_cmp(&b.over).then(a.node.cmp(&b.node))).map(|corner| corner.node)
        };
        if let (Some(a), Some(b)) = (end(-1.0), end(1.0))
            && a != b
        {
            let cause = Cause { by: triangle, heights, is_ceiling: false };
            self.walls.push(PatchEdge { ends: [a.min(b), a.max(b)], role: Role::Wall(cause), times: 0 });
        }
    }
}

/// A wall as others are compared with it.
struct Line {
    wall: PatchEdge,
    ends: [DVec2; 2],
    length: f64,
    top: f32,
}

impl Line {
    fn of(wall: PatchEdge, unit: f64) -> Self {
        let ends = wall.ends.map(|node| DVec2::new(node.x as f64, node.y as f64) * unit);
        let top = match wall.role {
            Role::Wall(cause) => cause.heights[1],
            _ => 0.0,
        };
        Self { wall, ends, length: ends[0].distance(ends[1]), top }
    }

    /// Whether another lies along it and reaches no higher.
    fn covers(&self, other: &Self) -> bool {
        let [a, b] = self.ends;
        // More than the distance, so that rounding does not matter.
        let (least, most) = (a.min(b) - 2.0 * WALL_WIDTH, a.max(b) + 2.0 * WALL_WIDTH);
        self.top >= other.top
            && other.ends.iter().all(|p| p.cmpge(least).all() && p.cmple(most).all())
            && other.ends.iter().all(|&p| p.distance(nearest_on_segment(p, a, b)) <= WALL_WIDTH)
    }
}

/// Walls without those that lie along longer ones and reach no higher: faces of a wall are cut off at head room somewhere along it.
fn without_covered(walls: Vec<PatchEdge>, unit: f64) -> Vec<PatchEdge> {
    let mut lines: Vec<Line> = walls.into_iter().map(|wall| Line::of(wall, unit)).collect();
    lines.sort_by(|a, b| {
        let by_length = b.length.total_cmp(&a.length);
        by_length.then_with(|| compare_ends(&a.wall.ends, &b.wall.ends)).then_with(|| b.top.total_cmp(&a.top))
    });
    if lines.len() <= FEW_WALLS {
        let is_kept = |k: &usize| !lines[..*k].iter().any(|longer| longer.covers(&lines[*k]));
        return (0..lines.len()).filter(is_kept).map(|k| lines[k].wall).collect();
    }
    let boxes: Vec<Aabb3> =
        lines.iter().map(|line| Aabb3::of_points(line.ends.map(|p| p.extend(0.0)))).collect();
    let tree = Bvh::build(&boxes);
    let is_covered = |k: usize| {
        let grown = DVec3::splat(WALL_WIDTH);
        let area = Aabb3 { min: boxes[k].min - grown, max: boxes[k].max + grown };
        tree.visit(&area, |other| (other as usize) < k && lines[other as usize].covers(&lines[k]))
    };
    (0..lines.len()).filter(|&k| !is_covered(k)).map(|k| lines[k].wall).collect()
}

/// Whether a convex polygon is narrower than a width [m], or half of it.
fn is_narrow(polygon: &[Corner], width: f64) -> bool {
    let Some(first) = polygon.first() else { return false };
    let (mut twice, mut longest) = (0.0, 0.0f64);
    for (k, corner) in polygon.iter().enumerate() {
        let next = polygon[(k + 1) % polygon.len()].place;
        twice += (corner.place - first.place).perp_dot(next - first.place);
        longest = longest.max((next - corner.place).length_squared());
    }
    twice.abs() <= width * longest.sqrt()
}

/// From where to where corners reach over the ground.
fn heights(polygon: &[Corner]) -> [f32; 2] {
    let over = polygon.iter().map(|corner| corner.over);
    let low = over.clone().fold(f64::INFINITY, f64::min);
    [low.max(0.0) as f32, over.fold(0.0, f64::max) as f32]
}

/// The corners of a triangle on the grid, counter-clockwise.
fn nodes_of(ground: &Patches, triangle: u32) -> [Node; 3] {
    let [a, b, c] = ground.corners(triangle);
    [ground.nodes[a as usize], ground.nodes[b as usize], ground.nodes[c as usize]]
}

/// Whether a triangle lies beyond a side of another, which is counter-clockwise.
fn is_beyond_side(one: &[Node; 3], two: &[Node; 3]) -> bool {
    (0..3).any(|k| two.iter().all(|&p| turn_sign(one[k], one[(k + 1) % 3], p) <= 0))
}

/// Whether no part of a triangle is between two heights.
fn is_out([a, b, c]: &[Corner; 3], low: f64, high: f64) -> bool {
    a.over <= low && b.over <= low && c.over <= low || a.over >= high && b.over >= high && c.over >= high
}

/// The part of a convex polygon over (`sign` 1) or under (−1) a height.
fn clip_by(
    ground: &Patches,
    polygon: &[Corner],
    level: f64,
    sign: f64,
    edge: Edge,
    clipped: &mut Vec<Corner>,
) {
    clipped.clear();
    let is_in = |corner: &Corner| sign * (corner.over - level) > 0.0;
    if polygon.iter().all(is_in) {
        clipped.extend_from_slice(polygon);
        return;
    }
    for (k, corner) in polygon.iter().enumerate() {
        let next = &polygon[(k + 1) % polygon.len()];
        if is_in(corner) {
            clipped.push(*corner);
        }
        if is_in(corner) != is_in(next) {
            // The edge of the clip starts where the polygon is left.
            let kind = if is_in(corner) { edge } else { corner.edge };
            clipped.push(Corner { edge: kind, ..at_level(ground, corner, next, level) });
        }
    }
}

/// Where an edge crosses a height, if its ends are on different sides.
fn crossing(ground: &Patches, a: &Corner, b: &Corner, level: f64) -> Option<Corner> {
    ((a.over > level) != (b.over > level)).then(|| at_level(ground, a, b, level))
}

/// The point of an edge at a height; the same to the bit in either direction.
fn at_level(ground: &Patches, a: &Corner, b: &Corner, level: f64) -> Corner {
    let (a, b) = if a.node <= b.node { (a, b) } else { (b, a) };
    let share = ((level - a.over) / (b.over - a.over)).clamp(0.0, 1.0);
    let place = a.place + (b.place - a.place) * share;
    Corner { node: ground.grid.round(place), place, over: level, edge: Edge::Side }
}

/// Edges that lie on each other, each group with its sum on the first; groups that cancel are left out.
fn netted(mut edges: Vec<PatchEdge>) -> Vec<PatchEdge> {
    let key = |edge: &PatchEdge| [edge.ends[0].min(edge.ends[1]), edge.ends[0].max(edge.ends[1])];
    edges.sort_by(|a, b| compare_ends(&key(a), &key(b)));
    let mut kept = Vec::new();
    for group in edges.chunk_by_mut(|a, b| key(a) == key(b)) {
        let sign = |edge: &PatchEdge| if edge.ends[0] < edge.ends[1] { edge.times } else { -edge.times };
        let sum: i32 = group.iter().map(sign).sum();
        if sum == 0 {
            continue;
        }
        // The first runs the way that is left over.
        let first = group.iter().position(|edge| sign(edge).signum() == sum.signum()).unwrap_or(0);
        group.swap(0, first);
        for (k, edge) in group.iter_mut().enumerate() {
            edge.times = if k == 0 { sum.abs() } else { 0 };
        }
        kept.extend_from_slice(group);
    }
    kept
}
