//! Fills holes: what lies between edges of one cycle of the border.
//!
//! Idea: seen from above, all fillers between edges of the cycle together cover what can be stepped over; what of that is not
//!   ground becomes triangles.
//! Source: seed 002, V.D. We differ: the outer border of a piece of ground may also come close to itself; there the outside counts as
//!   the hole. New vertices take their heights from the border within reach only, not from all of a large hole.
//! Steps: 1. the cycle and its fillers on a grid, so that edges meet at grid points only  2. the union of the fillers on the side
//!   without ground  3. corners that lie on the border are vertices of the border, which is split there; others are new
//!   4. triangles.
//! Needs: a cycle that is simple in plan. Promises: faces share vertices with the ground. Where two edges of the border meet at
//!   one place in plan at different heights, upright faces join them.
//! Cost: O((n + k) log n) for k crossings of fillers.

use super::{
    Gap, GapConfig, GapKind,
    bridges::width_and_rise,
    filler::{Edge, Filler},
    sheet::Sheet,
};
use crate::exact::NO_HALF_EDGE;
use rayon::prelude::*;
use std::collections::BTreeMap;
use wayfare_core::{Cancelled, Context, DVec2, DVec3};
use wayfare_geom::{
    Aabb2,
    boolean::{Cover, CoverEdge, cover},
    ring_area,
    triangulation::{EdgeRole, Triangulation},
    validate::{RingSet, sweep_rings},
};

/// The edges of a cycle in plan, without upright ones.
struct Outline {
    /// Their numbers when the border was walked.
    half_edges: Vec<u32>,
    places: Vec<DVec2>,
}

impl Outline {
    fn new(sheet: &Sheet, cycle: &[u32]) -> Self {
        let mut outline = Self { half_edges: Vec::new(), places: Vec::new() };
        for &half_edge in cycle {
            let [a, b] = sheet.ends(sheet.now(half_edge)).map(DVec3::truncate);
            if a != b {
                outline.half_edges.push(half_edge);
                outline.places.push(a);
            }
        }
        outline
    }
}

/// Whether a cycle of the border crosses itself nowhere, seen from above.
pub(super) fn is_simple(sheet: &Sheet, cycle: &[u32]) -> bool {
    let outline = Outline::new(sheet, cycle);
    let mut rings = RingSet::new();
    rings.push(outline.places);
    rings.points().len() > 2 && sweep_rings(&rings).conflicts.is_empty()
}

/// What fills a cycle, before it is put into the sheet.
struct Filling {
    outline: Outline,
    cover: Cover,
}

/// How much of a hole must be covered for it to be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Any part of it.
    Any,
    /// All but a hair.
    All,
}

/// Fills cycles with their fillers, each as far as they cover it; returns how many could not be.
pub(super) fn fill_holes(
    sheet: &mut Sheet,
    gaps: &mut Vec<Gap>,
    cycles: &[Vec<u32>],
    (edges, fillers): (&[Edge], &[Filler]),
    config: &GapConfig,
    share: Share,
    context: &Context,
) -> Result<usize, Cancelled> {
    let cycle_of = |filler: &Filler| edges[filler.edges[0] as usize].cycle;
    let groups: Vec<&[Filler]> = fillers.chunk_by(|a, b| cycle_of(a) == cycle_of(b)).collect();
    let fillings: Vec<Option<Filling>> = groups
        .par_iter()
        .map(|group| {
            context.check()?;
            Ok(Filling::new(sheet, &cycles[cycle_of(&group[0]) as usize], edges, group))
        })
        .collect::<Result<_, _>>()?;
    let mut left = 0;
    for (filling, fillers) in fillings.iter().zip(groups) {
        let is_done = filling.as_ref().is_some_and(|filling| {
            let is_enough = share == Share::Any || filling.covers_all();
            filling.cover.rings.is_empty()
                || !is_enough
                || filling.put_into(sheet, gaps, edges, fillers, config).is_some()
        });
        left += usize::from(!is_done);
    }
    Ok(left)
}

impl Filling {
    /// Steps 1 and 2.
    fn new(sheet: &Sheet, cycle: &[u32], edges: &[Edge], fillers: &[Filler]) -> Option<Self> {
        let outline = Outline::new(sheet, cycle);
        let quad = |filler: &Filler| {
            let [[a0, b0], [a1, b1]] = filler.corners(edges).map(|c| c.map(DVec3::truncate));
            [a1, a0, b0, b1]
        };
        let parts: Vec<[DVec2; 4]> = fillers.iter().map(quad).collect();
        let cover = cover(&outline.places, &parts).ok()?;
        Some(Self { outline, cover })
    }

    /// Whether nothing is left of the hole, to a millionth of it.
    fn covers_all(&self) -> bool {
        let hole = -ring_area(&self.outline.places);
        let places = |ring: &Vec<CoverEdge>| ring.iter().map(|edge| edge.from).collect::<Vec<_>>();
        let covered: f64 = self.cover.rings.iter().map(|ring| ring_area(&places(ring))).sum();
        hole > 0.0 && covered >= hole * (1.0 - 1e-6)
    }

    /// Steps 3 and 4; nothing is changed if the triangulation fails, which would be a mistake of ours.
    fn put_into(
        &self,
        sheet: &mut Sheet,
        gaps: &mut Vec<Gap>,
        edges: &[Edge],
        fillers: &[Filler],
        config: &GapConfig,
    ) -> Option<()> {
        let rings = &self.cover.rings;
        // Others may have split triangles of this cycle's edges.
        let half_edges: Vec<u32> = self.outline.half_edges.iter().map(|&h| sheet.now(h)).collect();
        let places: Vec<Vec<DVec2>> =
            rings.iter().map(|ring| ring.iter().map(|edge| edge.from).collect()).collect();
        let mesh = Triangulation::build(&places).ok()?;
        // 3. The vertices of the border where edges of the rings that run back along it start and end.
        let mut on_side: BTreeMap<u32, BTreeMap<u32, u32>> = BTreeMap::new();
        for (side, places) in rings.iter().flatten().filter_map(|edge| edge.on_outline) {
            let (half_edge, chain) = (half_edges[side as usize], &self.cover.chains[side as usize]);
            let marks = on_side.entry(side).or_default();
            for place in places {
                marks.entry(place).or_insert_with(|| match place as usize {
                    0 => sheet.from(half_edge),
                    place if place + 1 == chain.len() => sheet.to(half_edge),
                    place => {
                        let z = height_along(sheet.ends(half_edge), chain[place]);
                        sheet.add_point(chain[place].extend(z))
                    }
                });
            }
        }
        // Marks without those at the ends of the side.
        let inner =
            |side: u32, mark: u32| 0 < mark && (mark as usize) < self.cover.chains[side as usize].len() - 1;
        let splits = on_side.iter().map(|(&side, marks)| {
            let vertices = marks.iter().filter(|mark| inner(side, *mark.0)).map(|mark| *mark.1);
            (half_edges[side as usize], vertices.collect())
        });
        let splits: BTreeMap<u32, Vec<u32>> = splits.collect();
        let heights = Heights::new(sheet, &half_edges, config);
        let parts = sheet.split_border(&splits);
        // For each corner: its vertex, and for the edge that leaves it the part of the border with its ends there.
        let mut vertices: Vec<u32> = Vec::with_capacity(mesh.vertex_count());
        let mut borders: Vec<Option<Border>> = Vec::with_capacity(mesh.vertex_count());
        for ring in rings {
            let border = |edge: &CoverEdge| {
                let (side, [start, end]) = edge.on_outline?;
                let marks = on_side.get(&side)?;
                let (&from, &to) = (marks.get(&start)?, marks.get(&end)?);
                // The part of the side that begins where the edge ends.
                let before = marks.keys().filter(|&&mark| mark <= end && inner(side, mark)).count();
                let part = *parts.get(&half_edges[side as usize])?.get(before)?;
                Some(Border { from, to, part })
            };
            let own: Vec<Option<Border>> = ring.iter().map(border).collect();
            for (k, edge) in ring.iter().enumerate() {
                let before = own[(k + ring.len() - 1) % ring.len()];
                let known = before.map(|border| border.to).or(own[k].map(|border| border.from));
                vertices
                    .push(known.unwrap_or_else(|| sheet.add_point(edge.from.extend(heights.at(edge.from)))));
            }
            borders.extend(own);
        }
        // 4.
        let mut seen = vec![false; mesh.half_edge_count()];
        for start in 0..mesh.half_edge_count() as u32 {
            if !mesh.is_inside(start) || seen[start as usize] {
                continue;
            }
            let gap = gaps.len() as u32;
            let mut bounds = Aabb2::EMPTY;
            let mut waiting = vec![start];
            while let Some(h) = waiting.pop() {
                if std::mem::replace(&mut seen[h as usize], true) {
                    continue;
                }
                let around = [h, mesh.next(h), mesh.prev(h)];
                let corners = around.map(|side| vertices[mesh.origin(side) as usize]);
                let mut joined = [NO_HALF_EDGE; 3];
                for (k, &side) in around.iter().enumerate() {
                    seen[side as usize] = true;
                    bounds = bounds.with(mesh.point(mesh.origin(side)));
                    if mesh.role(side) != EdgeRole::Wall {
                        waiting.push(side ^ 1);
                    } else if let Some(border) = borders[mesh.origin(side) as usize] {
                        let own = [corners[k], corners[(k + 1) % 3]];
                        joined[k] = join_heights(sheet, own, border, gap);
                    }
                }
                sheet.add_gap_face(corners, joined, gap);
            }
            let ways = fillers.iter().map(|filler| filler.corners(edges)).filter(|corners| {
                Aabb2::of_points(corners.iter().flatten().map(|p| p.truncate())).touches(bounds)
            });
            let [width, rise] = ways.flatten().fold([0.0, 0.0], |[width, rise]: [f64; 2], [a, b]| {
                let own = width_and_rise(b - a);
                [width.max(own[0]), rise.max(own[1])]
            });
            gaps.push(Gap { kind: GapKind::Hole, rise, width, area: 0.0, sides: None });
        }
        Some(())
    }
}

/// A part of the border beside an edge of what fills the hole: the part runs back, from `to` to `from`.
#[derive(Clone, Copy)]
struct Border {
    from: u32,
    to: u32,
    part: u32,
}

/// Upright faces between an edge of what fills the hole and the border at the same place in plan, where they have not the same
/// vertices; returns what the edge is to be joined to.
fn join_heights(sheet: &mut Sheet, [p, q]: [u32; 2], border: Border, gap: u32) -> u32 {
    let Border { from, to, part } = border;
    if [p, q] == [from, to] {
        return part;
    }
    // The edge runs from p to q, the part from `to` to `from`; the sides named by nothing are joined by their ends.
    if p == from {
        sheet.add_gap_face([q, p, to], [NO_HALF_EDGE, part, NO_HALF_EDGE], gap);
    } else if q == to {
        sheet.add_gap_face([q, p, from], [NO_HALF_EDGE, NO_HALF_EDGE, part], gap);
    } else {
        sheet.add_gap_face([q, p, from], [NO_HALF_EDGE; 3], gap);
        sheet.add_gap_face([q, from, to], [NO_HALF_EDGE, part, NO_HALF_EDGE], gap);
    }
    NO_HALF_EDGE
}

/// The height of an edge over the place of it that is nearest to a point.
fn height_along([a, b]: [DVec3; 2], p: DVec2) -> f64 {
    let (from, way) = (a.truncate(), (b - a).truncate());
    let share = ((p - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
    a.z + (b.z - a.z) * share
}

/// Heights of new vertices: means of those of the border, weighted by one over the distance.
struct Heights {
    border: Vec<DVec3>,
    reach: f64,
}

impl Heights {
    fn new(sheet: &Sheet, half_edges: &[u32], config: &GapConfig) -> Self {
        let border = half_edges.iter().map(|&h| sheet.ends(h)[0]).collect();
        Self { border, reach: config.max_gap }
    }

    fn at(&self, p: DVec2) -> f64 {
        let mean = |reach: f64| {
            let (mut sum, mut weights) = (0.0, 0.0);
            for vertex in &self.border {
                let distance = vertex.truncate().distance(p);
                if distance <= reach {
                    // At a vertex itself that one decides.
                    let weight = 1.0 / distance.max(1e-9);
                    sum += weight * vertex.z;
                    weights += weight;
                }
            }
            (weights > 0.0).then(|| sum / weights)
        };
        mean(self.reach).or_else(|| mean(f64::INFINITY)).unwrap_or(0.0)
    }
}
