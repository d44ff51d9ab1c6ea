//! The surface in its layers as a floor plan.
//!
//! Steps: 1. vertices: those of the surface, of which a step makes one of the lower and the higher ones, at the higher place
//!   2. regions: what hangs together in one layer with one tag, in one gap or none, without steps; rings  3. kinds of edges
//!   4. edges that lie on each other get the same vertices (`nodes.rs`), corners on straight lines go (`straighten.rs`)
//!   5. the ground's triangles, with slopes at steps (`raise.rs`)  6. canonical order.
//! Nothing else moves: the two sides of a wall without thickness, and of a step, lie where they lie.
//! Promises F1 to F5. Cost: O(n log n).

use super::{
    chords::Chords,
    layers::Layers,
    nodes::find_nodes,
    raise::Raised,
    straighten::straighten,
    surface::{BorderEdge, NO_HALF_EDGE, Origin, WalkableSurface, root},
};
use crate::{EdgeKind, FloorPlan, GroundConfig, Layer, PlanVertexId, Region, Ring, Stride};
use wayfare_core::{DVec2, DVec3, IdVec};
use wayfare_geom::{
    bvh::{Aabb3, Bvh},
    predicates::{is_left, orient},
    ring_area,
    triangulation::Triangulation,
};
use wayfare_scene::Scene;

/// How far beyond an edge is looked what is there [m].
const BESIDE: f64 = 0.02;

/// Heights differ by this much where ground is joined flat and stays as it is [m].
pub(super) const HEIGHTS_ERROR: f64 = 2e-3;

/// What the plan is made of.
pub(super) struct Parts<'a> {
    pub surface: &'a WalkableSurface,
    pub layers: &'a Layers,
    /// The vertex of the plan-to-be at each corner of a triangle.
    pub corners: Vec<[u32; 3]>,
    /// Where these vertices are.
    pub points: Vec<DVec3>,
    /// The region of each triangle.
    pub region_of: Vec<u32>,
    /// How high the step across each half-edge is [m]; 0 without one.
    rises: Vec<f64>,
    /// Whether steps are kept level where higher ground begins at their ends.
    pub level_steps: bool,
}

impl<'a> Parts<'a> {
    pub fn new(surface: &'a WalkableSurface, layers: &'a Layers, level_steps: bool) -> Self {
        // 1.
        let mut parent: Vec<u32> = (0..layers.across.len() as u32).collect();
        for (h, &other) in layers.across.iter().enumerate() {
            if other != NO_HALF_EDGE {
                // The corner at which the one starts is that at which the other ends.
                let [a, b] = [h as u32, WalkableSurface::next(other)].map(|corner| root(&mut parent, corner));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let mut number = vec![u32::MAX; parent.len()];
        let mut points: Vec<DVec3> = Vec::new();
        let mut corners = vec![[0; 3]; surface.triangles.len()];
        for corner in 0..parent.len() {
            let at = root(&mut parent, corner as u32) as usize;
            let p = surface.vertices[surface.triangles[corner / 3].corners[corner % 3]];
            if number[at] == u32::MAX {
                number[at] = points.len() as u32;
                points.push(p);
            }
            corners[corner / 3][corner % 3] = number[at];
            let z = &mut points[number[at] as usize].z;
            *z = z.max(p.z);
        }
        // 2.
        let mut rises = vec![0.0; layers.across.len()];
        for riser in surface.risers.iter().filter(|riser| riser.is_step()) {
            rises[riser.lower as usize] = riser.over;
            rises[riser.upper as usize] = riser.over;
        }
        let mut parent: Vec<u32> = (0..surface.triangles.len() as u32).collect();
        let tag = |t: u32| {
            let patch = surface.triangles[t as usize].patch;
            (surface.patches[patch].tag, surface.gap_of(t))
        };
        for (h, &other) in layers.across.iter().enumerate() {
            let [a, b] = [h as u32 / 3, other / 3];
            if other != NO_HALF_EDGE
                && rises[h] == 0.0
                && layers.layer_of[a as usize] == layers.layer_of[b as usize]
                && tag(a) == tag(b)
            {
                let [a, b] = [a, b].map(|t| root(&mut parent, t));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let region_of = (0..parent.len() as u32).map(|t| root(&mut parent, t)).collect();
        Self { surface, layers, corners, points, region_of, rises, level_steps }
    }

    /// The vertices at the ends of a half-edge.
    pub fn ends(&self, h: u32) -> [u32; 2] {
        let (corners, k) = (self.corners[h as usize / 3], h as usize % 3);
        [corners[k], corners[(k + 1) % 3]]
    }

    /// Whether a half-edge bounds its region.
    pub fn is_rim(&self, h: u32) -> bool {
        let other = self.layers.across[h as usize];
        other == NO_HALF_EDGE
            || self.rises[h as usize] > 0.0
            || self.region_of[h as usize / 3] != self.region_of[other as usize / 3]
    }

    /// Whether the triangles of two half-edges at one place are cut into cells as one piece: seams between layers are glued, steps and the
    /// borders of tags and gaps are not.
    pub fn is_one_piece(&self, h: u32, other: u32) -> bool {
        let kind = |h: u32| {
            (
                self.surface.patches[self.surface.triangles[h as usize / 3].patch].tag,
                self.surface.gap_of(h / 3),
            )
        };
        self.rises[h as usize] == 0.0 && kind(h) == kind(other)
    }

    /// Whether a half-edge is a side of what fills a gap.
    pub fn is_gap(&self, h: u32) -> bool {
        self.surface.gap_of(h / 3).is_some()
    }

    /// Whether a half-edge is joined by a step.
    pub fn is_riser(&self, h: u32) -> bool {
        self.layers.across[h as usize] != self.surface.twins[h as usize]
    }

    /// The half-edge of the rim after another, round the same fan of the region.
    fn next_on_rim(&self, h: u32) -> u32 {
        let mut at = WalkableSurface::next(h);
        while !self.is_rim(at) {
            at = WalkableSurface::next(self.layers.across[at as usize]);
        }
        at
    }

    /// The rings of all regions as half-edges, by region.
    fn rings(&self) -> Vec<(u32, Vec<u32>)> {
        let mut rings = Vec::new();
        let mut is_done = vec![false; self.layers.across.len()];
        for start in 0..is_done.len() as u32 {
            let (mut at, mut ring) = (start, Vec::new());
            while self.is_rim(at) && !is_done[at as usize] {
                is_done[at as usize] = true;
                ring.push(at);
                at = self.next_on_rim(at);
            }
            if !ring.is_empty() {
                rings.push((self.region_of[start as usize / 3], ring));
            }
        }
        rings.sort();
        rings
    }
}

/// A plan and what it was made from.
pub(super) struct Assembled {
    pub plan: FloorPlan,
    /// Which of the parts' vertices each vertex of the plan is.
    pub names: Vec<u32>,
    /// The parts' vertices that lie on each edge of the plan's rings, in their order.
    pub inner: Vec<Vec<u32>>,
}

/// The plan of a surface in layers; `stays` says which vertices remain corners.
pub(super) fn assemble(
    mut parts: Parts,
    scene: &Scene,
    tree: &Bvh,
    config: &GroundConfig,
    stays: impl Fn(u32) -> bool,
) -> Assembled {
    let rings = parts.rings();
    // 3.
    let mut edges: Vec<Option<BorderEdge>> = vec![None; parts.layers.across.len()];
    for edge in &parts.surface.border {
        edges[edge.half_edge as usize] = Some(*edge);
    }
    let gap = |h: u32| parts.surface.gap_of(h / 3);
    let kind = |h: u32| match parts.layers.across[h as usize] {
        NO_HALF_EDGE => end_kind(&parts, h, edges[h as usize], scene, tree, config),
        other => match [h, other].map(|h| parts.layers.layer_of[h as usize / 3]) {
            [here, there] if here != there => EdgeKind::Seam { layer: there, rise: parts.rises[h as usize] },
            _ if parts.rises[h as usize] > 0.0 || [h, other].map(gap)[0] != [h, other].map(gap)[1] => {
                EdgeKind::Gap { rise: parts.rises[h as usize] }
            }
            _ => EdgeKind::TagBorder,
        },
    };
    let mut kinds = vec![EdgeKind::Wall; parts.layers.across.len()];
    for &h in rings.iter().flat_map(|(_, ring)| ring) {
        kinds[h as usize] = kind(h);
    }
    // 4.
    let chords = Chords::of(&parts);
    let nodes = find_nodes(&mut parts, &chords);
    let steps = |h: u32| {
        let on = nodes[h as usize].iter().copied();
        std::iter::once(parts.ends(h)[0]).chain(on).map(move |vertex| RingStep { vertex, half_edge: h })
    };
    let lines: Vec<Vec<RingStep>> =
        rings.iter().map(|(_, ring)| ring.iter().flat_map(|&h| steps(h)).collect()).collect();
    let is_gone = straighten(&mut parts, &lines, &chords, |h| kinds[h as usize], stays);
    let raised = Raised::new(&mut parts, &nodes);
    // 5. and 6.
    let mut regions: Vec<Shape> = Vec::new();
    let mut lines = lines.iter();
    for own in rings.chunk_by(|a, b| a.0 == b.0) {
        let region = own[0].0;
        let mut shape = Shape {
            layer: parts.layers.layer_of[region as usize],
            tag: parts.surface.patches[parts.surface.triangles[region as usize].patch].tag,
            gap: parts.surface.patches[parts.surface.triangles[region as usize].patch].gap,
            region,
            rings: lines
                .by_ref()
                .take(own.len())
                .map(|steps| {
                    let mut line = Line::default();
                    steps.iter().for_each(|step| line.push(step.vertex, kinds[step.half_edge as usize]));
                    line.straightened(&is_gone)
                })
                .collect(),
            rims: own
                .iter()
                .map(|(_, ring)| {
                    let points = |h: u32| std::iter::once(parts.ends(h)[0]).chain(raised.between(h));
                    ring.iter().flat_map(|&h| points(h)).collect()
                })
                .collect(),
        };
        shape.put_in_order(&parts.points);
        regions.push(shape);
    }
    let least = |shape: &Shape| shape.rings[0].least(&parts.points);
    regions.sort_by(|a, b| {
        let [p, q] = [a, b].map(least);
        a.layer.cmp(&b.layer).then(order(p, q)).then(a.region.cmp(&b.region))
    });
    number(&parts, regions, &raised)
}

/// A vertex of a ring and the half-edge that it starts or lies on.
pub(super) struct RingStep {
    pub vertex: u32,
    pub half_edge: u32,
}

/// A ring to be.
#[derive(Clone, Debug, Default)]
struct Line {
    vertices: Vec<u32>,
    kinds: Vec<EdgeKind>,
    /// The vertices that lie on each edge.
    inner: Vec<Vec<u32>>,
}

impl Line {
    fn push(&mut self, vertex: u32, kind: EdgeKind) {
        self.vertices.push(vertex);
        self.kinds.push(kind);
        self.inner.push(Vec::new());
    }
    /// The line without vertices that are no corners any more; drops become as deep as the deepest.
    fn straightened(self, is_gone: &[bool]) -> Self {
        let is_corner = |v: u32| !is_gone.get(v as usize).copied().unwrap_or(false);
        let count = self.vertices.len();
        let start = self.vertices.iter().position(|&v| is_corner(v)).unwrap_or(0);
        let mut line = Self::default();
        for k in (0..count).map(|k| (start + k) % count) {
            let (vertex, kind) = (self.vertices[k], self.kinds[k]);
            if is_corner(vertex) || line.vertices.is_empty() {
                line.push(vertex, kind);
                continue;
            }
            line.inner.last_mut().into_iter().for_each(|inner| inner.push(vertex));
            if let (Some(EdgeKind::Drop { depth: most }), EdgeKind::Drop { depth }) =
                (line.kinds.last_mut(), kind)
            {
                *most = most.max(depth);
            }
        }
        line
    }
    fn area(&self, points: &[DVec3]) -> f64 {
        let ring: Vec<DVec2> = self.vertices.iter().map(|&v| points[v as usize].truncate()).collect();
        ring_area(&ring)
    }
    fn least(&self, points: &[DVec3]) -> DVec3 {
        self.vertices.first().map_or(DVec3::ZERO, |&v| points[v as usize])
    }
}

/// A region to be.
struct Shape {
    layer: u32,
    tag: u8,
    gap: Option<Stride>,
    /// The name of its triangles' region.
    region: u32,
    /// The outline first.
    rings: Vec<Line>,
    /// All points of the ground on the rings, in no order of the rings.
    rims: Vec<Vec<u32>>,
}

fn order(p: DVec3, q: DVec3) -> std::cmp::Ordering {
    p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z))
}

impl Shape {
    /// The outline first, rings from their least vertices, holes in the order of theirs.
    fn put_in_order(&mut self, points: &[DVec3]) {
        for ring in &mut self.rings {
            let at = |k: &usize| points[ring.vertices[*k] as usize];
            let start = (0..ring.vertices.len()).min_by(|a, b| order(at(a), at(b))).unwrap_or(0);
            ring.vertices.rotate_left(start);
            ring.kinds.rotate_left(start);
            ring.inner.rotate_left(start);
        }
        let outer = (0..self.rings.len())
            .max_by(|&a, &b| self.rings[a].area(points).total_cmp(&self.rings[b].area(points)));
        self.rings.swap(0, outer.unwrap_or(0));
        self.rings[1..].sort_by(|a, b| order(a.least(points), b.least(points)));
    }
}

impl Shape {
    /// Ground that has the region's rim right, and nothing inside: where triangles a hair wide cannot be helped otherwise.
    fn plain_ground(&self, parts: &Parts) -> Option<Vec<[u32; 3]>> {
        let lines = &self.rims;
        let names: Vec<u32> = lines.iter().flatten().copied().collect();
        let rings: Vec<Vec<DVec2>> = lines
            .iter()
            .map(|line| line.iter().map(|&v| parts.points[v as usize].truncate()).collect())
            .collect();
        let mesh = Triangulation::build(&rings).ok()?;
        let firsts = (0..mesh.half_edge_count() as u32)
            .filter(|&h| mesh.is_inside(h) && h < mesh.next(h) && h < mesh.prev(h));
        // A ring that touches itself may leave a corner without a name; then there is no plain ground either.
        let corners = |h: u32| {
            let [a, b, c] =
                [h, mesh.next(h), mesh.prev(h)].map(|h| names.get(mesh.origin(h) as usize).copied());
            Some([a?, b?, c?])
        };
        firsts.map(corners).collect()
    }
}

/// Step 6: numbers in the order of the regions.
fn number(parts: &Parts, shapes: Vec<Shape>, raised: &Raised<'_>) -> Assembled {
    let mut plan = FloorPlan { tag_names: parts.surface.tag_names.clone(), ..FloorPlan::default() };
    plan.layers = vec![Layer::default(); parts.layers.count as usize];
    let mut number = vec![u32::MAX; parts.points.len()];
    let mut vertices = IdVec::<PlanVertexId, DVec3>::default();
    let (mut names, mut inner) = (Vec::new(), Vec::new());
    for vertex in shapes.iter().flat_map(|shape| &shape.rings).flat_map(|ring| &ring.vertices) {
        let number = &mut number[*vertex as usize];
        if *number == u32::MAX {
            *number = vertices.push(parts.points[*vertex as usize]).0;
            names.push(*vertex);
        }
    }
    let count = vertices.len() as u32;
    let mut own: Vec<Vec<u32>> = vec![Vec::new(); parts.region_of.len()];
    for (triangle, &region) in parts.region_of.iter().enumerate() {
        own[region as usize].push(triangle as u32);
    }
    for shape in shapes {
        let mut triangles: Vec<[u32; 3]> =
            own[shape.region as usize].iter().flat_map(|&t| raised.triangles(parts, t)).collect();
        flip_turned(&parts.points, &mut triangles);
        if triangles.iter().any(|triangle| !is_counter_clockwise(&parts.points, triangle)) {
            triangles = shape.plain_ground(parts).unwrap_or(triangles);
        }
        inner.extend(shape.rings.iter().flat_map(|ring| ring.inner.iter().cloned()));
        let height = |&v: &u32| parts.points[v as usize].z;
        let level = triangles.first().map(|corners| height(&corners[0]));
        let is_level = triangles.iter().flatten().all(|v| Some(height(v)) == level);
        let mut id = |v: u32| {
            let number = &mut number[v as usize];
            if *number == u32::MAX {
                *number = count + plan.ground_points.len() as u32;
                plan.ground_points.push(parts.points[v as usize]);
            }
            *number
        };
        let ground = if is_level {
            Vec::new()
        } else {
            triangles.iter().map(|triangle| triangle.map(&mut id)).collect()
        };
        let mut rings = shape.rings.into_iter().map(|ring| Ring {
            vertices: ring.vertices.iter().map(|&v| PlanVertexId(number[v as usize])).collect(),
            kinds: ring.kinds,
        });
        let outer = rings.next().unwrap_or_default();
        let Shape { tag, gap, .. } = shape;
        let region = Region { outer, holes: rings.collect(), tag, gap, ground };
        plan.layers[shape.layer as usize].regions.push(region);
    }
    plan.vertices = vertices;
    let has_ground =
        plan.layers.iter().flat_map(|layer| &layer.regions).any(|region| !region.ground.is_empty());
    plan.heights_error = if has_ground { HEIGHTS_ERROR } else { 0.0 };
    Assembled { plan, names, inner }
}

fn is_counter_clockwise(points: &[DVec3], corners: &[u32; 3]) -> bool {
    let [a, b, c] = corners.map(|v| points[v as usize].truncate());
    is_left(a, b, c)
}

/// Moving vertices by a hair can turn triangles over that are a hair wide. Their longest side then is given to the two others,
/// together with the triangle on its other side.
fn flip_turned(points: &[DVec3], triangles: &mut [[u32; 3]]) {
    let at = |v: u32| points[v as usize].truncate();
    let is_good = |corners: &[u32; 3]| is_counter_clockwise(points, corners);
    let mut bad: Vec<usize> = (0..triangles.len()).filter(|&t| !is_good(&triangles[t])).collect();
    let mut tries = 8 * bad.len();
    while let Some(t) = bad.pop().filter(|_| tries > 0) {
        tries -= 1;
        let corners = triangles[t];
        if is_good(&corners) {
            continue;
        }
        let length = |k: &usize| at(corners[*k]).distance(at(corners[(k + 1) % 3]));
        let mut sides = [0, 1, 2];
        sides.sort_by(|a, b| length(b).total_cmp(&length(a)));
        for k in sides {
            let [a, b, c] = [k, (k + 1) % 3, (k + 2) % 3].map(|k| corners[k]);
            let has_side = |other: &[u32; 3]| (0..3).any(|k| other[k] == b && other[(k + 1) % 3] == a);
            let Some(other) = triangles.iter().position(has_side) else { continue };
            let Some(&d) = triangles[other].iter().find(|&&v| v != a && v != b) else { continue };
            let new = [[a, d, c], [d, b, c]];
            if new.iter().all(is_good)
                || new.iter().filter(|new| !is_good(new)).count() == 1 && tries.is_multiple_of(2)
            {
                [triangles[t], triangles[other]] = new;
                bad.extend([t, other]);
                break;
            }
        }
    }
}

/// What lies beyond an edge that is joined to nothing.
fn end_kind(
    parts: &Parts,
    h: u32,
    edge: Option<BorderEdge>,
    scene: &Scene,
    tree: &Bvh,
    config: &GroundConfig,
) -> EdgeKind {
    if let Some(BorderEdge { origin, obstacle, .. }) = edge {
        match (origin, obstacle) {
            (_, Some([low, high])) if high > config.step => {
                let is_hanging = low > config.step && low < config.height;
                return if is_hanging { EdgeKind::Low { height: low as f32 } } else { EdgeKind::Wall };
            }
            (Origin::HeadRoom { .. }, _) => return EdgeKind::Low { height: config.height as f32 },
            (Origin::Slit, _) => return EdgeKind::Wall,
            _ => {}
        }
    }
    let [a, b] = parts.surface.segment(h);
    let (middle, way) = ((a + b) / 2.0, (b - a).truncate());
    let out = -way.perp().normalize_or_zero() * BESIDE;
    let p = middle.truncate() + out;
    let column = Aabb3 { min: p.extend(f64::NEG_INFINITY), max: p.extend(middle.z + config.height) };
    // The highest face under a step up, and whether one is higher.
    let (mut below, mut is_wall) = (f64::NEG_INFINITY, false);
    tree.visit(&column, |triangle| {
        let [a, b, c] = scene.mesh.points(triangle as usize);
        let sides = [(b, c), (c, a), (a, b)].map(|(u, v)| orient(u.truncate(), v.truncate(), p));
        if sides.iter().all(|&side| side >= 0.0) || sides.iter().all(|&side| side <= 0.0) {
            let sum: f64 = sides.iter().sum();
            let z = (a.z * sides[0] + b.z * sides[1] + c.z * sides[2]) / sum;
            if sum != 0.0 && z <= middle.z + config.step {
                below = below.max(z);
            } else if sum != 0.0 && z < middle.z + config.height {
                is_wall = true;
            }
        }
        false
    });
    // Ground at the same height that is not joined has something between.
    let depth = (middle.z - below) as f32;
    if is_wall || depth <= 0.0 { EdgeKind::Wall } else { EdgeKind::Drop { depth } }
}
