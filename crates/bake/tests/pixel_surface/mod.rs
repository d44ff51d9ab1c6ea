//! Surfaces of unit squares in layers, and the floor plans of them: a generator and, by flooding, an oracle.
//!
//! Squares of one layer that lie side by side hang together. A square may also hang together with the one above its
//! upper side (seen on the plan) in another layer, where neither layer has the square that would be in the way.

use std::collections::{BTreeMap, BTreeSet};
use wayfare_core::{DVec3, Id as _, dvec2};
use wayfare_floor::{EdgeKind, FloorPlan, Layer, PlanVertexId, Region, Ring};
use wayfare_testkit::random::Random;

/// Layer, x, y.
pub type Square = (usize, i32, i32);

/// Squares with tags, and seams by the square below.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    pub squares: BTreeMap<Square, u8>,
    /// The layer above the upper side of a square, where it is another one.
    seams: BTreeMap<Square, usize>,
    /// The same from the square above.
    seams_below: BTreeMap<Square, usize>,
}

/// Steps to the right, up, left, down; side `k` of a square lies there and its edge is run counter-clockwise.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
/// Where the edge of each side begins, from the lower left corner.
const BEGINS: [(i32, i32); 4] = [(1, 0), (1, 1), (0, 1), (0, 0)];

impl Surface {
    /// The square beyond a side.
    pub fn beyond(&self, square: Square, side: usize) -> Option<Square> {
        let (layer, x, y) = square;
        let (dx, dy) = STEPS[side];
        let (u, v) = (x + dx, y + dy);
        if side == 1
            && let Some(&above) = self.seams.get(&square)
        {
            return Some((above, u, v));
        }
        if side == 3
            && let Some(&below) = self.seams_below.get(&square)
        {
            return Some((below, u, v));
        }
        self.squares.contains_key(&(layer, u, v)).then_some((layer, u, v))
    }

    /// Joins a square to the one above it in another layer, if nothing is in the way.
    pub fn try_seam(&mut self, (layer, x, y): Square, above: usize) -> bool {
        let has = |square: Square| self.squares.contains_key(&square);
        let fits = layer != above
            && has((layer, x, y))
            && has((above, x, y + 1))
            && !has((layer, x, y + 1))
            && !has((above, x, y))
            && !self.seams.contains_key(&(layer, x, y))
            && !self.seams_below.contains_key(&(above, x, y + 1));
        if fits {
            self.seams.insert((layer, x, y), above);
            self.seams_below.insert((above, x, y + 1), layer);
        }
        fits
    }

    /// A ramp that winds round the square of side 2 at the origin, in two layers per turn from `first` on: the lower
    /// half, then the upper one.
    pub fn add_spiral(&mut self, first: usize, turns: usize) {
        let around = || {
            (-3..3).flat_map(|x| (-3..3).map(move |y| (x, y))).filter(|&(x, y)| x.min(y) < -1 || x.max(y) > 0)
        };
        for (turn, (x, y)) in (0..turns).flat_map(|turn| around().map(move |place| (turn, place))) {
            self.squares.insert((first + 2 * turn + usize::from(y >= 0), x, y), 0);
        }
        for turn in 0..turns {
            for x in [1, 2] {
                assert!(self.try_seam((first + 2 * turn, x, -1), first + 2 * turn + 1));
                assert!(turn == 0 || self.try_seam((first + 2 * turn, -1 - x, -1), first + 2 * turn - 1));
            }
        }
    }

    /// Layers of squares laid at random, joined wherever chance wants it.
    pub fn random(seed: u64, layers: usize, size: i32, density: f64, tags: u8) -> Self {
        let mut random = Random::new(seed);
        let mut surface = Self::default();
        for layer in 0..layers {
            for (x, y) in (0..size).flat_map(|x| (0..size).map(move |y| (x, y))) {
                if random.chance(density) {
                    // Patches of tags, some squares wide.
                    let tag = ((x / 3 * 7 + y / 4 * 5 + layer as i32) % i32::from(tags.max(1))) as u8;
                    surface.squares.insert((layer, x, y), tag);
                }
            }
        }
        let squares: Vec<Square> = surface.squares.keys().copied().collect();
        for square in squares {
            let above = random.below(layers);
            if random.chance(0.8) {
                surface.try_seam(square, above);
            }
        }
        surface
    }

    /// The same squares in layers by rows: each row lies in the layer that `layer_of` says. Only for one layer.
    pub fn in_rows(&self, layer_of: impl Fn(i32) -> usize) -> Self {
        let mut rows = Self::default();
        for (&(_, x, y), &tag) in &self.squares {
            rows.squares.insert((layer_of(y), x, y), tag);
        }
        for &(_, x, y) in self.squares.keys() {
            if self.squares.contains_key(&(0, x, y + 1)) && layer_of(y) != layer_of(y + 1) {
                assert!(rows.try_seam((layer_of(y), x, y), layer_of(y + 1)));
            }
        }
        rows
    }

    /// The number of connected parts.
    pub fn component_count(&self) -> usize {
        let mut seen = BTreeSet::new();
        let mut count = 0;
        for &start in self.squares.keys() {
            if !seen.insert(start) {
                continue;
            }
            count += 1;
            let mut stack = vec![start];
            while let Some(square) = stack.pop() {
                stack.extend(
                    (0..4).filter_map(|side| self.beyond(square, side)).filter(|&next| seen.insert(next)),
                );
            }
        }
        count
    }

    /// Whether the ground goes round two points more than once. A mesh tells edges apart by their two vertices, and two
    /// such points may be joined by edges on several sheets.
    pub fn winds_between_two_points(&self) -> bool {
        let tracer = Tracer::new(self);
        let mut squares: BTreeMap<Square, usize> = BTreeMap::new();
        for &point in tracer.point_of.values() {
            *squares.entry(point).or_default() += 1;
        }
        squares.values().filter(|&&count| count > 4).count() > 1
    }

    /// The floor plan; heights come from a function of the place and the layer of the lowest square there.
    pub fn plan(&self, height: impl Fn(Square) -> f64) -> FloorPlan {
        Tracer::new(self).plan(height)
    }
}

/// A corner of a square: corners of squares that hang together at a place are one point.
type Corner = (Square, usize);

struct Tracer<'a> {
    surface: &'a Surface,
    point_of: BTreeMap<Corner, Square>,
    region_of: BTreeMap<Square, usize>,
    regions: Vec<Vec<Square>>,
}

impl<'a> Tracer<'a> {
    fn new(surface: &'a Surface) -> Self {
        let mut tracer =
            Self { surface, point_of: BTreeMap::new(), region_of: BTreeMap::new(), regions: Vec::new() };
        // Points: named by the least corner that they hold, as layer and place.
        for &square in surface.squares.keys() {
            for corner in 0..4 {
                if tracer.point_of.contains_key(&(square, corner)) {
                    continue;
                }
                let mut fan = BTreeSet::from([(square, corner)]);
                let mut stack = vec![(square, corner)];
                while let Some((square, corner)) = stack.pop() {
                    // The sides that meet at a corner: the one that begins there, and the one before it. Across the
                    // first the corner is the end of the side opposite, across the second its beginning.
                    let before = (corner + 3) % 4;
                    let first = surface.beyond(square, corner).map(|next| (next, (corner + 3) % 4));
                    let second = surface.beyond(square, before).map(|next| (next, (before + 2) % 4));
                    stack.extend([first, second].into_iter().flatten().filter(|&next| fan.insert(next)));
                }
                let number = tracer.point_of.len() as i32;
                for corner in fan {
                    tracer.point_of.insert(corner, (square.0, number, 0));
                }
            }
        }
        for &start in surface.squares.keys() {
            if tracer.region_of.contains_key(&start) {
                continue;
            }
            let number = tracer.regions.len();
            let mut squares = vec![start];
            tracer.region_of.insert(start, number);
            let mut at = 0;
            while at < squares.len() {
                for side in 0..4 {
                    if let Some(next) = surface.beyond(squares[at], side)
                        && next.0 == start.0
                        && surface.squares[&next] == surface.squares[&start]
                        && !tracer.region_of.contains_key(&next)
                    {
                        tracer.region_of.insert(next, number);
                        squares.push(next);
                    }
                }
                at += 1;
            }
            tracer.regions.push(squares);
        }
        tracer
    }

    /// The kind of a side, and the region beyond; none inside a region.
    fn kind(&self, square: Square, side: usize) -> Option<(EdgeKind, Option<usize>)> {
        match self.surface.beyond(square, side) {
            None if (square.1 + 2 * square.2) % 5 == 0 => Some((EdgeKind::Drop { depth: 1.5 }, None)),
            None => Some((EdgeKind::Wall, None)),
            Some(next) if self.region_of[&next] == self.region_of[&square] => None,
            Some(next) if next.0 == square.0 => Some((EdgeKind::TagBorder, Some(self.region_of[&next]))),
            Some(next) => Some((EdgeKind::seam(next.0 as u32), Some(self.region_of[&next]))),
        }
    }

    /// The closed chains of sides round a region.
    fn rings(&self, region: usize) -> Vec<Vec<(Square, usize)>> {
        let mut seen = BTreeSet::new();
        let mut rings = Vec::new();
        for &square in &self.regions[region] {
            for side in 0..4 {
                if self.kind(square, side).is_none() || seen.contains(&(square, side)) {
                    continue;
                }
                let mut ring = Vec::new();
                let mut at = (square, side);
                while seen.insert(at) {
                    ring.push(at);
                    let (mut square, mut side) = (at.0, (at.1 + 1) % 4);
                    while self.kind(square, side).is_none() {
                        square = self.surface.beyond(square, side).expect("inside a region");
                        side = (side + 3) % 4;
                    }
                    at = (square, side);
                }
                rings.push(ring);
            }
        }
        rings
    }

    fn plan(&self, height: impl Fn(Square) -> f64) -> FloorPlan {
        let all: Vec<Vec<Vec<(Square, usize)>>> =
            (0..self.regions.len()).map(|region| self.rings(region)).collect();
        // Points at which some ring turns or its edges change are vertices.
        let mut kept = BTreeSet::new();
        for ring in all.iter().flatten() {
            for (k, &(square, side)) in ring.iter().enumerate() {
                let before = ring[(k + ring.len() - 1) % ring.len()];
                if before.1 != side || self.kind(before.0, before.1) != self.kind(square, side) {
                    kept.insert(self.point_of[&(square, side)]);
                }
            }
        }
        let mut plan =
            FloorPlan { tag_names: vec!["".into(), "grass".into(), "mud".into()], ..FloorPlan::default() };
        let mut numbers: BTreeMap<Square, PlanVertexId> = BTreeMap::new();
        let mut positions: BTreeMap<Square, DVec3> = BTreeMap::new();
        for (&((layer, x, y), corner), &point) in &self.point_of {
            let (u, v) = (x + BEGINS[corner].0, y + BEGINS[corner].1);
            positions.entry(point).or_insert(dvec2(u.into(), v.into()).extend(height((layer, u, v))));
        }
        let layer_count = self.surface.squares.keys().map(|square| square.0 + 1).max().unwrap_or(0);
        plan.layers = vec![Layer::default(); layer_count];
        for (region, rings) in all.iter().enumerate() {
            let mut traced: Vec<Ring> = Vec::new();
            for ring in rings {
                let mut vertices = Vec::new();
                let mut kinds = Vec::new();
                for &(square, side) in ring.iter().filter(|side| kept.contains(&self.point_of[side])) {
                    let point = self.point_of[&(square, side)];
                    let id = *numbers.entry(point).or_insert_with(|| plan.vertices.push(positions[&point]));
                    vertices.push(id);
                    kinds.push(self.kind(square, side).expect("a side of a ring").0);
                }
                traced.push(Ring { vertices, kinds });
            }
            let area = |ring: &Ring| wayfare_geom::ring_area(&plan.ring_points(ring));
            let outer = traced.iter().position(|ring| area(ring) > 0.0).expect("an outline");
            let outer = traced.remove(outer);
            let square = self.regions[region][0];
            let tag = self.surface.squares[&square];
            plan.layers[square.0].regions.push(Region { outer, holes: traced, tag, ..Region::default() });
        }
        self.lay_ground(&mut plan, &numbers, &positions);
        plan
    }

    /// Two triangles for each square.
    fn lay_ground(
        &self,
        plan: &mut FloorPlan,
        numbers: &BTreeMap<Square, PlanVertexId>,
        positions: &BTreeMap<Square, DVec3>,
    ) {
        let count = plan.vertices.len() as u32;
        let mut others: BTreeMap<Square, u32> = BTreeMap::new();
        let mut in_layer = vec![0; plan.layers.len()];
        for squares in &self.regions {
            let layer = squares[0].0;
            let region = &mut plan.layers[layer].regions[in_layer[layer]];
            in_layer[layer] += 1;
            for &square in squares {
                let [a, b, c, d] = [3, 0, 1, 2].map(|corner| {
                    let point = self.point_of[&(square, corner)];
                    numbers.get(&point).map_or_else(
                        || {
                            *others.entry(point).or_insert_with(|| {
                                plan.ground_points.push(positions[&point]);
                                count + plan.ground_points.len() as u32 - 1
                            })
                        },
                        |id| id.index() as u32,
                    )
                });
                region.ground.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
}
