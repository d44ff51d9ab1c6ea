//! What is left of each patch, as triangles whose corners are points that all patches share.
//!
//! Idea: each patch is cut by itself, by integers: its edges are brought to meet at grid points only, and what is left has
//!   a boundary whose edges are parts of segments that the scene or a cut gave. Then all patches exchange their corners: every
//!   edge is bent through the corners of all patches that its *segment* passes. So an edge that two patches have in common
//!   is the same chain of points for both, however it was cut on either side.
//! Source: snap rounding (see `geom::boolean`), which allows more hot pixels than it needs.
//! Steps: 1. for each patch: noding, the boundary of ground without cuts, the walls inside of it  2. of segments that lie on
//!   each other one stands for all: that which most patches know  3. corners exchanged  4. triangles, and why the ground
//!   ends at each edge.
//! Cost: that of noding, two sweeps and one triangulation per patch; patches in parallel.

use super::{
    cuts::{Cause, PatchEdge, Role},
    patches::Patches,
    surface::Origin,
};
use rayon::prelude::*;
use wayfare_core::{Cancelled, Context, DVec2};
use wayfare_geom::{
    boolean::{HotPixels, Node, Overlay, TooTangled, compare_ends, node_segments},
    triangulation::Filling,
};

/// What is left of a patch.
#[derive(Clone, Debug, Default)]
pub(super) struct PatchFaces {
    /// Counter-clockwise.
    pub triangles: Vec<[Node; 3]>,
    /// The edges of its boundary, ground on the left, sorted.
    pub border: Vec<FaceEdge>,
    /// Parts of walls on its ground or its boundary, from the lesser end, with the heights over the ground that they
    /// reach; sorted, each once.
    pub walls: Vec<([Node; 2], [f64; 2])>,
    /// Whether its ground could not be cut into triangles.
    pub is_lost: bool,
}

/// An edge at which a patch ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FaceEdge {
    pub ends: [Node; 2],
    pub origin: Origin,
    pub obstacle: Option<[f64; 2]>,
}

/// The boundary of a patch and the walls inside of it, before corners are exchanged.
#[derive(Clone, Debug, Default)]
struct Outline {
    edges: Vec<OutlineEdge>,
    /// Segments of the edges: offsets are in the edges.
    segments: Vec<[Node; 2]>,
}

/// An edge of a patch.
#[derive(Clone, Debug)]
struct OutlineEdge {
    ends: [Node; 2],
    /// Whether it is a wall inside and no boundary.
    is_slit: bool,
    /// The segments that it may be a part of: where they start in the outline's list, and where they end.
    candidates: [u32; 2],
    origin: Origin,
    obstacle: Option<[f64; 2]>,
    wall: Option<[f64; 2]>,
}

/// The triangles of all patches.
pub(super) fn find_faces(
    ground: &Patches,
    edges: &[Vec<PatchEdge>],
    context: &Context,
) -> Result<Result<Vec<PatchFaces>, TooTangled>, Cancelled> {
    // 1.
    let stage = context.stage("faces", 2 * edges.len() as u64);
    let outlines = edges
        .par_iter()
        .map(|edges| {
            context.check()?;
            let outline = find_outline(edges);
            stage.advance(1);
            Ok(outline)
        })
        .collect::<Result<Vec<_>, Cancelled>>()?;
    let outlines: Vec<Outline> = match outlines.into_iter().collect() {
        Ok(outlines) => outlines,
        Err(error) => return Ok(Err(error)),
    };
    // 2.
    let mut known: Vec<([Node; 2], u32)> = Vec::new();
    for (patch, outline) in outlines.iter().enumerate() {
        known.extend(outline.segments.iter().map(|&segment| (segment, patch as u32)));
    }
    known.par_sort_unstable_by(|a, b| compare_ends(&a.0, &b.0).then(a.1.cmp(&b.1)));
    known.dedup();
    let patches_of = |segment: [Node; 2]| {
        let first = known.partition_point(|entry| compare_ends(&entry.0, &segment).is_lt());
        known[first..].iter().take_while(|entry| entry.0 == segment).count()
    };
    // 3.
    let nodes = outlines.iter().flat_map(|outline| outline.edges.iter().flat_map(|edge| edge.ends));
    let corners = HotPixels::new(nodes.collect());
    context.check()?;
    let faces = outlines
        .par_iter()
        .map(|outline| {
            context.check()?;
            let faces = patch_faces(ground, outline, &corners, patches_of);
            stage.advance(1);
            Ok(faces)
        })
        .collect::<Result<Vec<_>, Cancelled>>();
    drop(stage);
    Ok(Ok(faces?))
}

/// A part of an edge, from its lesser end; whether the edge runs that way; the edge.
type Label<'a> = ([Node; 2], bool, &'a PatchEdge);

/// Step 1.
fn find_outline(edges: &[PatchEdge]) -> Result<Outline, TooTangled> {
    if edges.is_empty() {
        return Ok(Outline::default());
    }
    let ends = |edge: &PatchEdge| [edge.ends[0].min(edge.ends[1]), edge.ends[0].max(edge.ends[1])];
    let mut segments: Vec<[Node; 2]> = edges.iter().map(ends).filter(|[a, b]| a != b).collect();
    segments.sort_unstable_by(compare_ends);
    segments.dedup();
    let chains = node_segments(&segments)?;
    let mut overlay = Overlay::default();
    let mut labels: Vec<Label> = Vec::new();
    let mut turned = Vec::new();
    for edge in edges {
        let key = ends(edge);
        let place = segments.binary_search_by(|segment| compare_ends(segment, &key));
        let chain = place.map_or(&[][..], |k| chains.of(k));
        turned.clear();
        turned.extend(chain.iter().rev());
        let chain = if edge.ends[0] < edge.ends[1] { chain } else { &turned };
        match edge.role {
            Role::Ground => overlay.add_chain(chain, [edge.times, 0]),
            Role::Cut(_) => overlay.add_chain(chain, [0, edge.times]),
            Role::Wall(_) => overlay.mark_chain(chain),
        }
        labels.extend(chain.windows(2).map(|ends| {
            let [a, b] = [ends[0], ends[1]];
            ([a.min(b), a.max(b)], a < b, edge)
        }));
    }
    let (rings, slits) = overlay.boundary_and_marked(|[ground, cuts]| ground > 0 && cuts == 0);
    labels.sort_by(|a, b| compare_ends(&a.0, &b.0));
    let mut outline = Outline::default();
    let sides = rings.iter().flat_map(|ring| {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(&a, &b)| ([a, b], false))
    });
    for (side, is_slit) in sides.chain(slits.iter().map(|&slit| (slit, true))) {
        let key = [side[0].min(side[1]), side[0].max(side[1])];
        let first = labels.partition_point(|label| compare_ends(&label.0, &key).is_lt());
        let count = labels[first..].iter().take_while(|label| label.0 == key).count();
        let labels = &labels[first..first + count];
        let start = outline.segments.len() as u32;
        outline.segments.extend(labels.iter().map(|label| ends(label.2)));
        let (origin, obstacle) = why(side, labels);
        let wall = wall_heights(labels);
        let candidates = [start, outline.segments.len() as u32];
        let origin = if is_slit { Origin::Slit } else { origin };
        outline.edges.push(OutlineEdge { ends: side, is_slit, candidates, origin, obstacle, wall });
    }
    Ok(outline)
}

/// Steps 3 and 4.
fn patch_faces(
    ground: &Patches,
    outline: &Outline,
    corners: &HotPixels,
    patches_of: impl Fn([Node; 2]) -> usize,
) -> PatchFaces {
    if outline.edges.is_empty() {
        return PatchFaces::default();
    }
    let mut overlay = Overlay::default();
    let mut labels: Vec<([Node; 2], &OutlineEdge)> = Vec::new();
    let mut chain = Vec::new();
    for edge in &outline.edges {
        let [from, to] = edge.candidates.map(|k| k as usize);
        // Ties are broken by position. Most edges are a part of one segment only, if of several edges.
        let candidates = &outline.segments[from..to];
        let segment = if candidates.iter().all(|segment| *segment == candidates[0]) {
            candidates.first()
        } else {
            candidates.iter().max_by_key(|&&segment| (patches_of(segment), segment))
        };
        chain.clear();
        chain.push(edge.ends[0]);
        if let Some(&segment) = segment {
            chain.extend(corners.between(segment, edge.ends));
        }
        chain.push(edge.ends[1]);
        if edge.is_slit {
            overlay.mark_chain(&chain);
        } else {
            overlay.add_chain(&chain, [1, 0]);
        }
        labels.extend(chain.windows(2).map(|ends| ([ends[0], ends[1]], edge)));
    }
    let (rings, slits) = overlay.boundary_and_marked(|[ground, _]| ground > 0);
    labels.sort_by(|a, b| compare_ends(&a.0, &b.0));
    let nodes: Vec<Node> = rings.iter().flatten().chain(slits.iter().flatten()).copied().collect();
    let place = |node: &Node| ground.grid.place(*node);
    // A slit is a ring that goes there and back.
    let lines: Vec<Vec<DVec2>> = rings
        .iter()
        .map(|ring| ring.iter().map(place).collect())
        .chain(slits.iter().map(|slit| slit.iter().map(place).collect()))
        .collect();
    let Ok(filling) = Filling::new(&lines) else {
        return PatchFaces { is_lost: true, ..PatchFaces::default() };
    };
    let triangles: Vec<[Node; 3]> =
        filling.triangles().iter().map(|corners| corners.map(|k| nodes[k as usize])).collect();
    let (mut border, mut walls) = (Vec::new(), Vec::new());
    let sides = rings.iter().flat_map(|ring| {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(&a, &b)| [a, b])
    });
    for side in sides {
        if let Ok(k) = labels.binary_search_by(|label| compare_ends(&label.0, &side)) {
            let OutlineEdge { origin, obstacle, wall, .. } = *labels[k].1;
            border.push(FaceEdge { ends: side, origin, obstacle });
            walls.extend(wall.map(|heights| ([side[0].min(side[1]), side[0].max(side[1])], heights)));
        }
    }
    for slit in slits {
        let ways = [slit, [slit[1], slit[0]]];
        let found =
            ways.iter().find_map(|way| labels.binary_search_by(|label| compare_ends(&label.0, way)).ok());
        walls.extend(found.and_then(|k| labels[k].1.wall).map(|heights| (slit, heights)));
    }
    border.sort_by(|a, b| compare_ends(&a.ends, &b.ends));
    walls.sort_by(|a, b| compare_ends(&a.0, &b.0));
    walls.dedup_by_key(|wall| wall.0);
    PatchFaces { triangles, border, walls, is_lost: false }
}

/// From where to where walls reach over an edge.
fn wall_heights(labels: &[Label]) -> Option<[f64; 2]> {
    let walls = labels.iter().filter_map(|label| match label.2.role {
        Role::Wall(cause) => Some(cause.heights.map(f64::from)),
        _ => None,
    });
    walls.reduce(|[low, high], [l, h]| [low.min(l), high.max(h)])
}

/// Why the ground ends at an edge: what has a cut on the other side of it. And what stands there.
fn why(ends: [Node; 2], labels: &[Label]) -> (Origin, Option<[f64; 2]>) {
    let is_forward = ends[0] < ends[1];
    let causes = labels.iter().filter_map(|label| match label.2.role {
        Role::Cut(cause) if label.1 != is_forward => Some(cause),
        _ => None,
    });
    let lowest = |a: Cause, b: Cause| {
        let is_less = (a.is_ceiling, a.heights[0], a.by) <= (b.is_ceiling, b.heights[0], b.by);
        if is_less { a } else { b }
    };
    let mut obstacle = wall_heights(labels);
    for cause in causes.clone() {
        let [low, high] = cause.heights.map(f64::from);
        obstacle = Some(obstacle.map_or([low, high], |all| [all[0].min(low), all[1].max(high)]));
    }
    let origin = match causes.reduce(lowest) {
        None => Origin::Rim,
        Some(Cause { by, is_ceiling: true, .. }) => Origin::HeadRoom { by },
        Some(Cause { by, .. }) => Origin::Cut { by },
    };
    (origin, obstacle)
}
