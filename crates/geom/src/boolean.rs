//! The union of polygons on an integer grid: the only place that knows `i_overlay`.
//!
//! Idea: round all coordinates once to a grid whose spacing is a power of two, unite the polygons with
//! integer arithmetic, and hand the boundary back. The grid is as fine as doubles allow: every grid
//! point of the extent is a double, exactly, so nothing is rounded on the way back, and only points
//! where edges cross are new.
//! Meaning: a point belongs to a polygon if its outline winds round it (non-zero rule) and none of its
//! holes does; the union is over all polygons. A figure of eight is both its loops, whichever way they run.
//! Steps: 1. the grid  2. polygons that are not simple by themselves: outline minus holes, each on its own
//!   3. all together  4. the boundary as rings; vertices that were in the input get their own coordinates
//!   back if asked for.
//! Cost: O((n + k) log n) for k crossings. The engine repeats its search for crossings while rounding makes
//!   new ones; its snapping radius grows fast enough here that bundles of almost parallel edges end in a
//!   few rounds (with the engine's own setting they were seen to take minutes).

use crate::{
    Aabb2,
    predicates::segments_touch,
    validate::{DefectKind, Examination, RingSet},
};
use i_overlay::{
    core::{
        fill_rule::FillRule,
        overlay::{IntOverlayOptions, Overlay, ShapeType},
        overlay_rule::OverlayRule,
        solver::{Precision, Solver, Strategy},
    },
    i_float::int::point::IntPoint,
};
use wayfare_core::{DVec2, dvec2};

/// Grid coordinates have at most this many bits beside the sign: each is a double, exactly.
const BITS: i32 = 53;

/// The snapping radius starts at 2 units and is fourfold in each round (the engine counts powers of two of the
/// square). See "Cost" above.
const PRECISION: Precision = Precision { start: 2, progression: 4 };

/// A grid of points that are doubles in both coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    spacing: f64,
}

impl Grid {
    /// The finest grid for coordinates up to `extent` from the origin.
    pub fn of_extent(extent: f64) -> Self {
        // The least power of two above the extent; 1 m where there is none.
        let exponent = if extent > 0.0 && extent.is_finite() { exponent_above(extent) } else { 0 };
        Self { spacing: power_of_two(exponent - BITS) }
    }
    /// A grid with `factor` times this one's spacing; `factor` is a power of two.
    pub fn coarser(self, factor: f64) -> Self {
        Self { spacing: self.spacing * factor }
    }
    /// Distance of neighbouring grid points [m].
    pub fn spacing(self) -> f64 {
        self.spacing
    }
    /// The nearest grid point, in units.
    fn round(self, p: DVec2) -> IntPoint<i64> {
        // Dividing by a power of two is exact; ties go to the even number, the same on every machine.
        let unit = |x: f64| (x / self.spacing).round_ties_even() as i64;
        IntPoint::new(unit(p.x), unit(p.y))
    }
    /// A grid point as doubles, exactly.
    fn place(self, p: IntPoint<i64>) -> DVec2 {
        dvec2(p.x as f64 * self.spacing, p.y as f64 * self.spacing)
    }
}

fn exponent_above(extent: f64) -> i32 {
    let mut exponent = (extent.log2().floor() as i32).clamp(-300, 300);
    // The logarithm may be off by one at powers of two.
    while power_of_two(exponent) <= extent {
        exponent += 1;
    }
    while power_of_two(exponent - 1) > extent && exponent > -300 {
        exponent -= 1;
    }
    exponent
}

fn power_of_two(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

/// The boundary of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// Rings with the union on their left, on the grid; they cross nowhere, and have a vertex wherever they
    /// touch.
    pub rings: RingSet,
    /// The grid.
    pub grid: Grid,
}

/// The finest grid that holds all points of rings.
pub fn finest_grid(rings: &RingSet) -> Grid {
    Grid::of_extent(Aabb2::of_points(rings.points().iter().copied()).extent())
}

/// Unites examined polygons.
pub fn unite(examined: &Examination, grid: Grid) -> Union {
    let Examination { rings, names, .. } = examined;
    let is_suspect = suspects(examined);
    let mut all = overlay(rings.points().len());
    let mut first = 0;
    for polygon in names.chunk_by(|a, b| a.polygon == b.polygon) {
        let numbers = first..first + polygon.len();
        first = numbers.end;
        if !numbers.clone().any(|ring| is_suspect[ring]) {
            for ring in numbers {
                all.add_path_iter(grid_points(rings, ring, grid), ShapeType::Subject);
            }
            continue;
        }
        // 2. By itself: the inside of the outline less the insides of the holes.
        let mut one = overlay(0);
        let outline = numbers.start;
        one.add_path_iter(grid_points(rings, outline, grid), ShapeType::Subject);
        for hole in numbers.skip(1) {
            if is_suspect[hole] {
                // Loops that run opposite ways must not cancel those of another hole.
                let mut own = overlay(0);
                own.add_path_iter(grid_points(rings, hole, grid), ShapeType::Subject);
                for contour in own.overlay(OverlayRule::Subject, FillRule::NonZero).into_iter().flatten() {
                    one.add_contour(&contour, ShapeType::Clip);
                }
            } else {
                one.add_path_iter(grid_points(rings, hole, grid).rev(), ShapeType::Clip);
            }
        }
        for contour in one.overlay(OverlayRule::Difference, FillRule::NonZero).into_iter().flatten() {
            all.add_contour(&contour, ShapeType::Subject);
        }
    }
    // 3. Outlines wind +1 round their inside, holes −1: the union is where the sum is positive.
    let mut united = RingSet::new();
    for contour in all.overlay(OverlayRule::Subject, FillRule::Positive).into_iter().flatten() {
        united.push(contour.into_iter().map(|p| grid.place(p)));
    }
    Union { rings: united, grid }
}

/// Rings that may not be simple, or not lie where they belong in their own polygon.
fn suspects(examined: &Examination) -> Vec<bool> {
    let mut is_suspect = vec![false; examined.rings.len()];
    for conflict in &examined.sweep.conflicts {
        for edge in conflict.edges {
            // Also a conflict with another polygon: it may have hidden one inside this polygon.
            is_suspect[examined.rings.ring_of(edge as usize)] = true;
        }
    }
    for defect in &examined.defects {
        if matches!(defect.kind, DefectKind::HoleOutside | DefectKind::NestedHole)
            && let Ok(ring) = examined.names.binary_search(&defect.ring)
        {
            is_suspect[ring] = true;
        }
    }
    is_suspect
}

impl Union {
    /// The rings with the coordinates that their vertices had in the input, where they were in the input.
    /// A vertex moves by less than the grid's spacing, so rings may cross by a hair after it: check them.
    pub fn with_input_coordinates(&self, input: &RingSet) -> RingSet {
        let key = |p: DVec2| {
            let p = self.grid.round(p);
            (p.x, p.y)
        };
        let bits = |p: DVec2| (p.x.to_bits(), p.y.to_bits());
        // Of several input points on one grid point the same one is taken whatever order they came in.
        let mut input: Vec<((i64, i64), DVec2)> = input.points().iter().map(|&p| (key(p), p)).collect();
        input.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(bits(a.1).cmp(&bits(b.1))));
        input.dedup_by_key(|entry| entry.0);
        let mut rings = self.rings.clone();
        for p in rings.points_mut() {
            if let Ok(found) = input.binary_search_by_key(&key(*p), |entry| entry.0) {
                *p = input[found].1;
            }
        }
        rings
    }
}

/// About how many pairs of edges meet other than at common ends, judged from a sample; hostile input has so many
/// that no union can be built in any memory.
///
/// The sample is fixed by the number of edges alone. With the default of 2²⁰ pairs, rings of a million edges with
/// two million crossings give 4 hits, ten million give 20: enough to tell thousands from billions.
pub fn estimate_crossings(rings: &RingSet) -> f64 {
    const SAMPLE: u64 = 1 << 20;
    let points = rings.points();
    let count = points.len() as u64;
    let edge = |k: u64| {
        let range = rings.range(rings.ring_of(k as usize));
        let after = k as usize + 1;
        [points[k as usize], points[if after == range.end { range.start } else { after }]]
    };
    let meet = |e: u64, f: u64| {
        let ([a, b], [c, d]) = (edge(e), edge(f));
        let boxes = Aabb2::of_points([a, b]).touches(Aabb2::of_points([c, d]));
        let common = a == c || a == d || b == c || b == d;
        boxes && !common && segments_touch(a, b, c, d)
    };
    let pairs = count.saturating_mul(count.saturating_sub(1)) / 2;
    if pairs <= SAMPLE {
        return (0..count).map(|e| (0..e).filter(|&f| meet(e, f)).count() as f64).sum();
    }
    let mut state = count;
    let mut random = || {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        ((state >> 32) * count) >> 32
    };
    let hits = (0..SAMPLE).filter(|_| {
        let (e, f) = (random(), random());
        e != f && meet(e, f)
    });
    hits.count() as f64 * (pairs as f64 / SAMPLE as f64)
}

fn overlay(capacity: usize) -> Overlay<i64> {
    let solver = Solver { strategy: Strategy::Auto, precision: PRECISION, multithreading: None };
    // All points are kept: touching rings must keep the points where they touch.
    Overlay::new_custom(capacity, IntOverlayOptions::keep_output_points(), solver)
}

fn grid_points(
    rings: &RingSet,
    ring: usize,
    grid: Grid,
) -> impl DoubleEndedIterator<Item = IntPoint<i64>> + use<'_> {
    rings.ring(ring).iter().map(move |&p| grid.round(p))
}
