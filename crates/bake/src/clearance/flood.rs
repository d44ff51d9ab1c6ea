//! Which features can be nearest to a point of a cell: every feature floods from portal to portal as long as it is nearest
//! somewhere on them.
//!
//! Idea: the points that are nearest to a feature lie on its straight rays, and on the way to such a point the feature is
//! nearest, too. So it reaches a cell across a portal on which it is nearest at the very point where the ray crosses
//! it. What passes is a *beam*, an interval of the feature's rays; a beam has seen the ground all the way, so its
//! distances bound the clearance from above on any number of storeys.
//! Steps: 1. features beside a cell enter it  2. beams cross portals, nearest first, where no beam in either cell is
//!   nearer  3. once all have arrived, each crossing is looked at again: what has become hidden is taken out
//! Step 2 may let too much pass, never too little: less is known then than in the end. Step 3 makes the lists exact
//!   but for beams within a hair of being nearest, which stay, and beams thinner than a hair, which go.
//! Cost: O(beams × features near a portal); beams that pass are about as many as features in the final lists.

use super::{
    ClearanceError,
    spread::{Spread, extent, long_axis},
};
use rayon::prelude::*;
use std::{cmp::Reverse, collections::BinaryHeap};
use wayfare_core::{Context, DVec2, Id as _};
use wayfare_geom::quadratic::Quadratic;
use wayfare_navmesh::{CellId, CornerId, Feature, FeatureId, Features, NavMesh, PortalId};

/// Corners' beams narrower than this are nothing: a tenth of a picometre, ten metres away.
const THIN_TURN: f64 = 1e-14;

/// More beams than these, or than four for each feature, do not meet in a cell: they multiply, each splitting the others.
const FEW_BEAMS: usize = 64;
const MOST_BEAMS: usize = 50_000;

/// A part of a feature's rays in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Beam {
    pub feature: FeatureId,
    pub low: f64,
    pub high: f64,
    /// The edge of the cell across which it came; none in the cells beside the feature.
    pub entry: Option<CornerId>,
}

/// A portal as a line of points A + σ E, 0 ≤ σ ≤ 1.
#[derive(Clone, Copy)]
struct Line {
    a: DVec2,
    e: DVec2,
}

impl Line {
    fn of(mesh: &NavMesh, corner: CornerId) -> Self {
        // Both cells see the same line with the same bits.
        let corner = mesh.twin(corner).map_or(corner, |twin| twin.min(corner));
        let [a, b] = mesh.edge(corner).map(|v| mesh.xy(v));
        Self { a, e: b - a }
    }
    fn point(&self, sigma: f64) -> DVec2 {
        self.a + self.e * sigma
    }
    /// The square of a feature's distance (an edge as a whole line).
    fn distance_squared(&self, feature: &Feature) -> Quadratic {
        let arm = self.a - feature.at;
        if feature.is_edge() {
            Quadratic::square(self.e.dot(feature.normal()), arm.dot(feature.normal()))
        } else {
            Quadratic { a: self.e.length_squared(), b: 2.0 * arm.dot(self.e), c: arm.length_squared() }
        }
    }
    /// The part of the line that lies in a beam.
    fn window(&self, feature: &Feature, low: f64, high: f64) -> Option<[f64; 2]> {
        let arm = self.a - feature.at;
        let mut window = [0.0, 1.0];
        if feature.is_edge() {
            let (start, slope) = (arm.dot(feature.axis), self.e.dot(feature.axis));
            clip(&mut window, start - low, slope);
            clip(&mut window, high - start, -slope);
            clip(&mut window, arm.dot(feature.normal()), self.e.dot(feature.normal()));
        } else {
            // Clockwise of the first ray, counter-clockwise of the last.
            let (first, last) = (feature.ray(low), feature.ray(high));
            clip(&mut window, arm.perp_dot(first), self.e.perp_dot(first));
            clip(&mut window, -arm.perp_dot(last), -self.e.perp_dot(last));
            clip(&mut window, arm.dot(feature.axis), self.e.dot(feature.axis));
        }
        (window[0] < window[1]).then_some(window)
    }
}

/// Keeps the part of an interval on which start + slope σ ≥ 0.
fn clip(window: &mut [f64; 2], start: f64, slope: f64) {
    if slope > 0.0 {
        window[0] = window[0].max(-start / slope);
    } else if slope < 0.0 {
        window[1] = window[1].min(-start / slope);
    } else if start < 0.0 {
        window[1] = f64::NEG_INFINITY;
    }
}

/// A beam that arrives at a portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    /// Bits of the square of the smaller distance at the ends: positive doubles and their bits have one order.
    key: u64,
    feature: FeatureId,
    /// The edge of the cell that it leaves.
    exit: CornerId,
    /// Bits of its rays.
    low: u64,
    high: u64,
}

/// The flood: a mesh, its features, and the beams in each cell so far.
pub(super) struct Flood<'a> {
    pub mesh: &'a NavMesh,
    pub features: &'a Features,
    pub hair: f64,
    pub beams: Vec<Vec<Beam>>,
    /// The longer direction of each cell.
    axes: Vec<DVec2>,
    /// The beams of each cell by their places; only once all have arrived.
    spreads: Vec<Spread>,
}

impl<'a> Flood<'a> {
    /// Steps 1 to 3.
    pub fn run(
        mesh: &'a NavMesh,
        features: &'a Features,
        hair: f64,
        context: &Context,
    ) -> Result<Self, ClearanceError> {
        let most = FEW_BEAMS + (4 * features.len()).min(MOST_BEAMS);
        let cells: Vec<CellId> = mesh.cells().collect();
        let axes: Vec<DVec2> = cells.par_iter().map(|&cell| long_axis(mesh, cell)).collect();
        let beams = vec![Vec::new(); mesh.cell_count()];
        let mut flood = Self { mesh, features, hair, beams, axes, spreads: Vec::new() };
        let mut heap = BinaryHeap::new();
        // 1.
        for id in features.ids() {
            let feature = features.get(id);
            let mut enter = |corner: CornerId, low: f64, high: f64| {
                let (cell, beam) =
                    (mesh.cell_of_corner(corner), Beam { feature: id, low, high, entry: None });
                flood.beams[cell.index()].push(beam);
            };
            if feature.is_edge() {
                enter(feature.corner, feature.low, feature.high);
            } else {
                features
                    .sectors(mesh, id)
                    .into_iter()
                    .for_each(|(corner, low, high)| enter(corner, low, high));
            }
        }
        let portals: Vec<Spread> = cells.par_iter().map(|&cell| flood.portals_by_place(cell)).collect();
        let arrivals = |&cell: &CellId| {
            let (mut arrivals, mut near) = (Vec::new(), Vec::new());
            for beam in &flood.beams[cell.index()] {
                flood.leave(cell, beam, &portals, &mut near, |arrival| arrivals.push(Reverse(arrival)));
            }
            arrivals
        };
        // The order in which they are pushed does not matter: no two are equal.
        heap.extend(cells.par_iter().map(arrivals).collect::<Vec<_>>().into_iter().flatten());
        // 2.
        let (mut parts, mut near) = (Vec::new(), Vec::new());
        let mut count = 0u64;
        while let Some(Reverse(arrival)) = heap.pop() {
            count += 1;
            if count.is_multiple_of(4096) {
                context.check()?;
            }
            let Some(beam) = flood.cross(&arrival, &mut parts) else { continue };
            let Some(entry) = beam.entry else { continue };
            let cell = mesh.cell_of_corner(entry);
            // Along portals in a row rays may seem to come back and cross them again and again.
            let is_there = |other: &Beam| {
                (other.feature, other.entry) == (beam.feature, beam.entry)
                    && other.low <= beam.low
                    && beam.high <= other.high
            };
            if flood.beams[cell.index()].iter().any(is_there) {
                continue;
            }
            flood.beams[cell.index()].push(beam);
            if flood.beams[cell.index()].len() > most {
                return Err(ClearanceError::TooMany(cell));
            }
            flood.leave(cell, &beam, &portals, &mut near, |arrival| heap.push(Reverse(arrival)));
        }
        context.check()?;
        // 3.
        flood.spreads = cells.par_iter().map(|&cell| flood.beams_by_place(cell)).collect();
        flood.beams = cells.par_iter().map(|&cell| flood.seen_again(cell)).collect();
        flood.spreads = cells.par_iter().map(|&cell| flood.beams_by_place(cell)).collect();
        Ok(flood)
    }

    /// The corners of a cell by the intervals in which they can be of use: a portal is no farther from what is nearest on
    /// it than from its own ends, if those are at the boundary.
    fn portals_by_place(&self, cell: CellId) -> Spread {
        let (mesh, axis) = (self.mesh, self.axes[cell.index()]);
        Spread::of(mesh.corner_range(cell).map(|corner| {
            let corner = CornerId::new(corner);
            let ends = mesh.edge(corner);
            if mesh.twin(corner).is_none() {
                // Nothing leaves there: nowhere.
                return [f64::MAX; 2];
            }
            if ends.iter().any(|&end| mesh.boundary_corner(end).is_none()) {
                return [f64::NEG_INFINITY, f64::INFINITY];
            }
            let [a, b] = ends.map(|v| mesh.xy(v));
            let [low, high] = extent(axis, [a, b]);
            let more = 0.5 * a.distance(b) * (1.0 + 1e-9) + self.hair;
            [low - more, high + more]
        }))
    }

    /// The beams of a cell by where their feet are.
    fn beams_by_place(&self, cell: CellId) -> Spread {
        let axis = self.axes[cell.index()];
        Spread::of(self.beams[cell.index()].iter().map(|beam| self.feet(beam, axis)))
    }

    /// Where the feet of a beam's rays are along an axis.
    fn feet(&self, beam: &Beam, axis: DVec2) -> [f64; 2] {
        let feature = self.features.get(beam.feature);
        extent(axis, [beam.low, beam.high].map(|parameter| feature.foot(parameter)))
    }

    /// The arrivals of a beam at the portals of its cell.
    fn leave(
        &self,
        cell: CellId,
        beam: &Beam,
        portals: &[Spread],
        near: &mut Vec<u32>,
        mut arrive: impl FnMut(Arrival),
    ) {
        let (mesh, feature) = (self.mesh, self.features.get(beam.feature));
        let own = (!feature.is_edge()).then(|| mesh.corner_vertex(feature.corner));
        portals[cell.index()].near(self.feet(beam, self.axes[cell.index()]), near);
        let first = mesh.corner_range(cell).start;
        for exit in near.iter().map(|&k| CornerId::new(first + k as usize)) {
            if mesh.twin(exit).is_none() || Some(exit) == beam.entry {
                continue;
            }
            // No ray of a corner crosses a portal that begins there.
            if own.is_some_and(|own| mesh.edge(exit).contains(&own)) {
                continue;
            }
            let line = Line::of(mesh, exit);
            let Some(window) = line.window(feature, beam.low, beam.high) else { continue };
            let Some([low, high]) = self.rays(feature, beam, line, window) else { continue };
            // Most are farther away than the portal's own ends, which can be told at once.
            if !self.can_be_nearest(line, exit, feature, window) {
                continue;
            }
            let squared = line.distance_squared(feature);
            let key = squared.at(window[0]).min(squared.at(window[1])).max(0.0).to_bits();
            let [low, high] = [low, high].map(f64::to_bits);
            arrive(Arrival { key, feature: beam.feature, exit, low, high });
        }
    }

    /// Whether a feature is somewhere on a part of a portal no farther than the portal's own ends.
    fn can_be_nearest(&self, line: Line, corner: CornerId, feature: &Feature, [from, to]: [f64; 2]) -> bool {
        let ends = self.mesh.edge(corner);
        if ends.iter().any(|&end| self.mesh.boundary_corner(end).is_none()) {
            return true;
        }
        let own = line.distance_squared(feature);
        let whole = line.e.length_squared();
        let hair = 2.0 * self.hair * own.at(from).max(own.at(to)).max(0.0).sqrt();
        let mut is_near = false;
        for (at, low, high) in [(0.0, from, to.min(0.5)), (1.0, from.max(0.5), to)] {
            let end = Quadratic { a: whole, b: -2.0 * at * whole, c: at * whole + hair };
            if low < high {
                own.minus(&end).for_each_sign(low, high, |_, _, is_nearer| is_near |= is_nearer);
            }
        }
        is_near
    }

    /// The rays of a beam that cross a part of a line; nothing if they are thinner than a hair.
    fn rays(&self, feature: &Feature, beam: &Beam, line: Line, window: [f64; 2]) -> Option<[f64; 2]> {
        let [a, b] = window.map(|sigma| feature.parameter(line.point(sigma)).clamp(beam.low, beam.high));
        let thin = if feature.is_edge() { self.hair } else { THIN_TURN };
        ((a - b).abs() > thin).then_some([a.min(b), a.max(b)])
    }

    /// The part of an arriving beam that no known beam is nearer than, as it enters the next cell.
    fn cross(&self, arrival: &Arrival, parts: &mut Vec<[f64; 2]>) -> Option<Beam> {
        let feature = self.features.get(arrival.feature);
        let entry = self.mesh.twin(arrival.exit)?;
        let [low, high] = [arrival.low, arrival.high].map(f64::from_bits);
        let beam = Beam { feature: arrival.feature, low, high, entry: Some(entry) };
        let line = Line::of(self.mesh, arrival.exit);
        self.unhidden(&beam, line, entry, parts);
        let (first, last) = (parts.first()?, parts.last()?);
        let [low, high] = self.rays(feature, &beam, line, [first[0], last[1]])?;
        Some(Beam { low, high, ..beam })
    }

    /// The beams of a cell, each without the rays that have turned out not to be nearest where they came in.
    fn seen_again(&self, cell: CellId) -> Vec<Beam> {
        let (mut left, mut parts) = (Vec::new(), Vec::new());
        for beam in &self.beams[cell.index()] {
            let Some(entry) = beam.entry else {
                left.push(*beam);
                continue;
            };
            let (feature, line) = (self.features.get(beam.feature), Line::of(self.mesh, entry));
            self.unhidden(beam, line, entry, &mut parts);
            for &part in &parts {
                if let Some([low, high]) = self.rays(feature, beam, line, part) {
                    left.push(Beam { low, high, ..*beam });
                }
            }
        }
        left.sort_by(|a, b| {
            a.feature.cmp(&b.feature).then(a.low.total_cmp(&b.low)).then(a.high.total_cmp(&b.high))
        });
        left
    }

    /// The parts of a portal on which no other beam is clearly nearer than this one.
    fn unhidden(&self, beam: &Beam, line: Line, entry: CornerId, parts: &mut Vec<[f64; 2]>) {
        parts.clear();
        let feature = self.features.get(beam.feature);
        parts.extend(line.window(feature, beam.low, beam.high));
        let Some(&[first, last]) = parts.first() else { return };
        let own = line.distance_squared(feature);
        // Nearer by a hair is not clearly nearer: d − hair in squares, with the largest d.
        let hair = 2.0 * self.hair * own.at(first).max(own.at(last)).max(0.0).sqrt();
        let mut left = Vec::new();
        let Some(twin) = self.mesh.twin(entry) else { return };
        let mut cells = [entry, twin].map(|corner| self.mesh.cell_of_corner(corner));
        // The shorter list first: it may do.
        cells.sort_by_key(|cell| self.beams[cell.index()].len());
        // A rival that is nearer somewhere on the portal has its foot no farther from there.
        let farthest = own.at(first).max(own.at(last)).max(0.0).sqrt() * (1.0 + 1e-9) + self.hair;
        let [a, b] = [line.point(first), line.point(last)];
        let near = |cell: &CellId| {
            let mut near = Vec::new();
            match self.spreads.get(cell.index()) {
                Some(spread) => {
                    let [low, high] = extent(self.axes[cell.index()], [a, b]);
                    spread.near([low - farthest, high + farthest], &mut near);
                }
                None => near.extend(0..self.beams[cell.index()].len() as u32),
            }
            near
        };
        let near = cells
            .iter()
            .flat_map(|cell| near(cell).into_iter().map(|k| &self.beams[cell.index()][k as usize]));
        for other in near {
            if other.feature == beam.feature {
                continue;
            }
            let rival = self.features.get(other.feature);
            let Some([from, to]) = line.window(rival, other.low, other.high) else { continue };
            let mut difference = line.distance_squared(rival).minus(&own);
            difference.c += hair;
            left.clear();
            for &[low, high] in parts.iter() {
                let (inner_low, inner_high) = (low.max(from), high.min(to));
                if inner_low >= inner_high {
                    left.push([low, high]);
                    continue;
                }
                let mut keep = |low: f64, high: f64| match left.last_mut() {
                    _ if low >= high => {}
                    Some(last) if last[1] == low => last[1] = high,
                    _ => left.push([low, high]),
                };
                keep(low, inner_low);
                difference.for_each_sign(inner_low, inner_high, |low, high, is_nearer| {
                    if !is_nearer {
                        keep(low, high);
                    }
                });
                keep(inner_high, high);
            }
            std::mem::swap(parts, &mut left);
            if parts.is_empty() {
                return;
            }
        }
    }

    /// The largest radius up to which only the two ends of a portal narrow it: the smallest clearance on it where
    /// something else is nearer than both of them; infinite if nothing is.
    pub fn critical_radius(&self, portal: PortalId) -> f64 {
        let [here, there] = self.mesh.portals()[portal];
        let line = Line::of(self.mesh, here);
        let whole = line.e.length_squared();
        // Walls at right angles to the portal are exactly as far as its end; rounding must not make them nearer.
        let hair = 2.0 * self.hair * whole.sqrt() + 1e-12 * whole;
        let ends = [(0.0, 0.5), (1.0, 0.5)].map(|(at, middle)| {
            let end = Quadratic { a: whole, b: -2.0 * at * whole, c: at * at * whole };
            (end, f64::min(at, middle), f64::max(at, middle))
        });
        let mut least = f64::INFINITY;
        // Nearer than an end is no farther than half the portal is long.
        let reach = 0.5 * whole.sqrt() + hair.sqrt();
        let (ends_of_line, mut near) = ([line.point(0.0), line.point(1.0)], Vec::new());
        let mut beams = Vec::new();
        for cell in [here, there].map(|corner| self.mesh.cell_of_corner(corner).index()) {
            let [low, high] = extent(self.axes[cell], ends_of_line);
            self.spreads[cell].near([low - reach, high + reach], &mut near);
            beams.extend(near.iter().map(|&k| self.beams[cell][k as usize]));
        }
        for beam in beams {
            let feature = self.features.get(beam.feature);
            let Some([from, to]) = line.window(feature, beam.low, beam.high) else { continue };
            let squared = line.distance_squared(feature);
            for (end, low, high) in ends {
                let (low, high) = (low.max(from), high.min(to));
                if low < high {
                    let mut difference = squared.minus(&end);
                    difference.c += hair;
                    difference.for_each_sign(low, high, |low, high, is_nearer| {
                        if is_nearer {
                            let turning = (-squared.b / (2.0 * squared.a)).clamp(low, high);
                            let at = if turning.is_nan() { low } else { turning };
                            for at in [low, at, high] {
                                least = least.min(squared.at(at));
                            }
                        }
                    });
                }
            }
        }
        least.max(0.0).sqrt()
    }
}
