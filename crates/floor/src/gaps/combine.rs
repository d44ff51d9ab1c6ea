//! Ground and gaps become one walkable surface, from which a floor plan is made like from any other.
//!
//! Idea: a gap with width is a patch of its own that says what it is. Upright faces have no area in plan; whatever they join is at
//!   one place there, so each chain of them becomes a riser.
//! Steps: 1. faces with area, but needles  2. what lies across each of their sides: a twin, or through upright faces a riser  3. vertices, one per
//!   fan  4. the border, which keeps what is known of it.
//! Promises W2, W4 and W5 of [`WalkableSurface`]. Cost: O(n log n).

use super::{Gap, GapKind, GapSurface, filler::HAIR, sheet::Face};
use crate::{
    Stride,
    exact::{
        BorderEdge, NO_HALF_EDGE, Origin, Patch, PatchId, Plane, Riser, SurfaceTriangle, SurfaceVertexId,
        WalkableSurface, root, thin,
    },
};
use std::collections::BTreeMap;
use wayfare_core::{DVec2, DVec3, IdVec};
use wayfare_geom::{predicates::is_left, segment::distance_squared_to_segment};

/// Upright faces that are passed from one side of a riser to the other at most; there are two where something is as it should be.
const MOST_UPRIGHT: usize = 8;

/// How far from an old edge a part of it may be, for rounding [m].
const ON_EDGE: f64 = 1e-5;

/// The surface with its gaps.
pub(crate) fn with_gaps(surface: WalkableSurface, found: &GapSurface) -> WalkableSurface {
    // 1.
    let is_needle = needles(found, thin(surface.finest, surface.grid));
    let has_area = |t: &u32| !is_upright(found, *t) && !is_needle[*t as usize];
    let kept: Vec<u32> = (0..found.triangles.len() as u32).filter(has_area).collect();
    let mut number = vec![NO_HALF_EDGE; found.triangles.len()];
    for (new, &old) in (0..).zip(&kept) {
        number[old as usize] = new;
    }
    let renumbered = |h: u32| 3 * number[h as usize / 3] + h % 3;
    let (patches, patch_of_gap) = add_patches(&surface, found, &kept);
    let patch_of = |t: u32| match found.faces[t as usize] {
        Face::Ground(old) => surface.triangles[old as usize].patch,
        Face::Gap(gap) => patch_of_gap[gap as usize],
    };
    // 2.
    let mut twins = vec![NO_HALF_EDGE; 3 * kept.len()];
    let mut pairs: BTreeMap<[u32; 2], [u32; 2]> = BTreeMap::new();
    for h in kept.iter().flat_map(|&t| 3 * t..3 * t + 3) {
        let twin = found.twins[h as usize];
        if twin == NO_HALF_EDGE {
            continue;
        }
        if number[twin as usize / 3] != NO_HALF_EDGE {
            twins[renumbered(h) as usize] = renumbered(twin);
        } else if is_needle[twin as usize / 3] {
            continue;
        } else if let Some(other) = across_upright(found, &number, twin) {
            pairs.insert([h.min(other), h.max(other)], [h, other]);
        }
    }
    let ends = |h: u32| {
        let (corners, k) = (found.triangles[h as usize / 3], h as usize % 3);
        [corners[k], corners[(k + 1) % 3]]
    };
    // Risers that the ground had know what one steps over there. A wall of one edge has no upright faces.
    let known: BTreeMap<[u32; 2], &Riser> =
        surface.risers.iter().map(|riser| (surface.ends(riser.lower).map(|v| v.0), riser)).collect();
    let sides: BTreeMap<[u32; 2], u32> = kept
        .iter()
        .flat_map(|&t| 3 * t..3 * t + 3)
        .filter(|&h| found.twins[h as usize] == NO_HALF_EDGE)
        .map(|h| (ends(h), h))
        .collect();
    for (&[a, b], riser) in &known {
        let upper = surface.ends(riser.upper).map(|v| v.0);
        if upper == [b, a]
            && let (Some(&h), Some(&other)) = (sides.get(&[a, b]), sides.get(&upper))
        {
            pairs.insert([h.min(other), h.max(other)], [h, other]);
        }
    }
    let place = |h: u32| ends(h).map(|v| found.vertices[v as usize]);
    let mut is_joined = vec![false; found.twins.len()];
    let risers = pairs.into_values().filter_map(|[one, two]| {
        // Seen from above the two sides are one edge, and no other edge is.
        let ([a, b], [c, d]) = (place(one), place(two));
        let is_free = !is_joined[one as usize] && !is_joined[two as usize];
        if !is_free || a.truncate() != d.truncate() || b.truncate() != c.truncate() {
            return None;
        }
        is_joined[one as usize] = true;
        is_joined[two as usize] = true;
        let is_upward =
            known.contains_key(&ends(one)) || !known.contains_key(&ends(two)) && a.z + b.z <= c.z + d.z;
        let (lower, upper) = if is_upward { (one, two) } else { (two, one) };
        let ([a, b], [c, d]) = (place(lower), place(upper));
        let rise = [d.z - a.z, c.z - b.z];
        let over = known.get(&ends(lower)).map_or(0.0, |riser| riser.over);
        let over = over.max(rise[0].abs()).max(rise[1].abs());
        Some(Riser { lower: renumbered(lower), upper: renumbered(upper), rise, over })
    });
    let mut risers: Vec<Riser> = risers.collect();
    risers.sort_by_key(|riser| (riser.lower, riser.upper));
    // 3.
    let (vertices, corners) = number_vertices(found, &kept, &twins);
    let triangles = kept
        .iter()
        .zip(corners)
        .map(|(&t, corners)| SurfaceTriangle { corners, patch: patch_of(t) })
        .collect();
    // 4.
    let mut old: Vec<Option<BorderEdge>> = vec![None; surface.twins.len()];
    for edge in &surface.border {
        old[edge.half_edge as usize] = Some(*edge);
    }
    let edge_of = |h: u32| {
        let none = BorderEdge { half_edge: h, origin: Origin::Rim, obstacle: None };
        let triangle = kept[h as usize / 3];
        let Face::Ground(before) = found.faces[triangle as usize] else { return none };
        let part = place(3 * triangle + h % 3).map(DVec3::truncate);
        let sides = (3 * before..3 * before + 3).filter_map(|side| old[side as usize]);
        let nearest = sides
            .map(|edge| (distance_to(part, surface.segment(edge.half_edge).map(DVec3::truncate)), edge))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        match nearest {
            Some((distance, edge)) if distance <= ON_EDGE => BorderEdge { half_edge: h, ..edge },
            _ => none,
        }
    };
    let mut whole = WalkableSurface {
        vertices,
        patches,
        triangles,
        twins,
        risers,
        border: Vec::new(),
        cycle_starts: Vec::new(),
        tag_names: surface.tag_names.clone(),
        grid: surface.grid,
        finest: surface.finest,
    };
    whole.trace_border(edge_of);
    whole
}

/// The larger distance of the ends of a segment to another.
fn distance_to(part: [DVec2; 2], [a, b]: [DVec2; 2]) -> f64 {
    part.into_iter().map(|p| distance_squared_to_segment(p, a, b)).fold(0.0, f64::max).sqrt()
}

/// Thin faces of gaps at the border. Fillers begin up to a hair behind an edge, so that beside an edge that goes on nearly straight they are
/// needles, which lie over the ground by rounding; nobody steps over what is as thin.
fn needles(found: &GapSurface, thin: f64) -> Vec<bool> {
    let is_gap = |t: u32| matches!(found.faces[t as usize], Face::Gap(_)) && !is_upright(found, t);
    let mut is_needle = vec![false; found.triangles.len()];
    let mut waiting: Vec<u32> = (0..found.triangles.len() as u32).filter(|&t| is_gap(t)).collect();
    while let Some(t) = waiting.pop() {
        let (longest, height) = longest_side(found, t);
        let beyond = found.twins[longest as usize];
        let is_free = beyond == NO_HALF_EDGE || is_needle[beyond as usize / 3];
        if is_needle[t as usize] || height >= thin || !is_free {
            continue;
        }
        is_needle[t as usize] = true;
        // Others come to lie at the border.
        let twins = &found.twins[3 * t as usize..3 * t as usize + 3];
        waiting.extend(twins.iter().filter(|&&h| h != NO_HALF_EDGE).map(|&h| h / 3).filter(|&t| is_gap(t)));
    }
    is_needle
}

/// The longest side of a face, seen from above, and how far its third corner is from it.
fn longest_side(found: &GapSurface, t: u32) -> (u32, f64) {
    let corners = found.points(t as usize).map(DVec3::truncate);
    let length = |k: usize| corners[k].distance(corners[(k + 1) % 3]);
    let k = (0..3).max_by(|&a, &b| length(a).total_cmp(&length(b))).unwrap_or(0);
    let [a, b, c] = corners;
    (3 * t + k as u32, (b - a).perp_dot(c - a) / length(k))
}

/// Whether a face has no area in plan.
fn is_upright(found: &GapSurface, t: u32) -> bool {
    let Face::Gap(gap) = found.faces[t as usize] else { return false };
    let [a, b, c] = found.points(t as usize).map(DVec3::truncate);
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    match found.gaps[gap as usize].kind {
        GapKind::Riser => true,
        GapKind::Bridge => !is_left(a, b, c) || (b - a).perp_dot(c - a) <= HAIR * longest,
        GapKind::Hole => !is_left(a, b, c),
    }
}

/// What lies across upright faces that are entered by a side: out by the longer of the two others, seen from above.
fn across_upright(found: &GapSurface, number: &[u32], mut side: u32) -> Option<u32> {
    let length = |h: u32| {
        let (corners, k) = (found.triangles[h as usize / 3], h as usize % 3);
        let [a, b] = [corners[k], corners[(k + 1) % 3]].map(|v| found.vertices[v as usize].truncate());
        a.distance(b)
    };
    for _ in 0..MOST_UPRIGHT {
        let next = WalkableSurface::next(side);
        let others = [next, WalkableSurface::next(next)];
        let out = if length(others[0]) >= length(others[1]) { others[0] } else { others[1] };
        side = found.twins[out as usize];
        if side == NO_HALF_EDGE {
            return None;
        }
        if number[side as usize / 3] != NO_HALF_EDGE {
            return Some(side);
        }
    }
    None
}

/// The patches of the ground, and one for each gap with width; and the patch of each gap. A gap has the tag of the first ground beside it.
fn add_patches(
    surface: &WalkableSurface,
    found: &GapSurface,
    kept: &[u32],
) -> (IdVec<PatchId, Patch>, Vec<PatchId>) {
    let mut patches = surface.patches.clone();
    let mut patch_of_gap = vec![None; found.gaps.len()];
    let mut is_tagged = vec![false; found.gaps.len()];
    for &t in kept {
        let Face::Gap(gap) = found.faces[t as usize] else { continue };
        let patch = *patch_of_gap[gap as usize].get_or_insert_with(|| {
            let Gap { rise, width, .. } = found.gaps[gap as usize];
            // A gap is wider than nothing, or it were a riser.
            let gap = Some(Stride { rise, width: width.max(HAIR) });
            let plane = plane_of(found.points(t as usize));
            patches.push(Patch { plane, tag: 0, scene_triangles: Vec::new(), gap })
        });
        let beside = (3 * t..3 * t + 3).find_map(|h| {
            let face = found.faces.get(found.twins[h as usize] as usize / 3)?;
            let Face::Ground(ground) = face else { return None };
            Some(surface.patches[surface.triangles[*ground as usize].patch].tag)
        });
        if let (Some(tag), false) = (beside, is_tagged[gap as usize]) {
            is_tagged[gap as usize] = true;
            patches[patch].tag = tag;
        }
    }
    let none = PatchId(u32::MAX);
    (patches, patch_of_gap.into_iter().map(|patch| patch.unwrap_or(none)).collect())
}

/// The plane of a face that is not upright.
fn plane_of([a, b, c]: [DVec3; 3]) -> Plane {
    let normal = (b - a).cross(c - a);
    Plane { origin: a.truncate(), height: a.z, slope: -normal.truncate() / normal.z }
}

/// Step 3: corners that meet across twins are one vertex.
fn number_vertices(
    found: &GapSurface,
    kept: &[u32],
    twins: &[u32],
) -> (IdVec<SurfaceVertexId, DVec3>, Vec<[SurfaceVertexId; 3]>) {
    let mut parent: Vec<u32> = (0..twins.len() as u32).collect();
    for (h, &twin) in (0..).zip(twins) {
        if twin != NO_HALF_EDGE {
            // The corner at which the one starts is that at which the other ends.
            let [a, b] = [h, WalkableSurface::next(twin)].map(|corner| root(&mut parent, corner));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    let mut vertices = IdVec::<SurfaceVertexId, DVec3>::default();
    let mut number = vec![SurfaceVertexId(u32::MAX); parent.len()];
    let mut corners = vec![[SurfaceVertexId(0); 3]; kept.len()];
    for corner in 0..parent.len() {
        let first = root(&mut parent, corner as u32) as usize;
        if first == corner {
            number[corner] = vertices.push(found.points(kept[corner / 3] as usize)[corner % 3]);
        }
        corners[corner / 3][corner % 3] = number[first];
    }
    (vertices, corners)
}
