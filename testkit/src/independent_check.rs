//! The invariants of a navmesh, checked from its exported JSON by code that shares nothing with ours.
//!
//! Idea: read the file, then say each invariant once, as literally as can be.
//!
//! * N1 cells have area, go round once, and turn right nowhere but at rounded split points and at ignored
//!   notches that are listed and not deeper below the cell's hull than the relaxation, or flat.
//! * N2 every edge that two cells share in opposite directions is one portal, and every portal is such an edge.
//! * N3 no vertex lies inside an edge of the same storey. N4 the areas sum up to the plan's.
//! * N5 every vertex is on the boundary, where tags or gaps meet or at a step, and its cells form one fan. N7 components are what portals
//!   connect.
//! * Cells of a storey do not overlap; the triangles of a cell's heights cover it. N8 so do those of its list, and
//!   cells that meet agree about the height. Drops lie on the boundary.
//!
//! Signs are exact. Where a point was rounded onto a wall, `2⁻⁴³` of the largest coordinate is allowed; a notch
//! is flat up to `2⁻³⁶` of it, the noise of drawn lines.
//! Cost: O(n log n) for meshes whose cells are small beside the map.

mod ground;
mod overlap;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;
use wayfare_core::DVec2;
use wayfare_geom::{predicates::orient, ring_area};

/// An exported navmesh, as its JSON says.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Exported {
    kind: String,
    version: u32,
    units: String,
    up: String,
    convex_distance: f64,
    imported: bool,
    vertices: Vec<[f64; 3]>,
    split_points: Vec<usize>,
    cells: Vec<Vec<usize>>,
    portals: Vec<Portal>,
    components: Vec<usize>,
    storeys: Vec<usize>,
    tags: Vec<usize>,
    tag_names: Vec<String>,
    heights: Vec<Vec<[usize; 3]>>,
    notches: Vec<Vec<usize>>,
    ground_points: Vec<[f64; 3]>,
    ground_triangles: Vec<[usize; 3]>,
    ground: Vec<Vec<usize>>,
    heights_error: f64,
    drops: Vec<Drop>,
    /// Cells that are stepped over.
    #[serde(default)]
    gaps: Vec<GapCell>,
    /// Portals that are steps.
    #[serde(default)]
    steps: Vec<Step>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
struct GapCell {
    cell: usize,
    rise: f64,
    width: f64,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
struct Step {
    portal: usize,
    rise: f64,
}

/// An edge at which the ground ends; nothing is below one without depth.
#[derive(Clone, Debug, Deserialize, PartialEq)]
struct Drop {
    cell: usize,
    edge: usize,
    depth: Option<f64>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
struct Portal {
    vertices: [usize; 2],
    cells: [usize; 2],
}

/// All that is wrong with an exported navmesh, each line beginning with the number of the invariant. The area
/// is compared with the plan's when that is given.
pub fn independent_check(json: &str, plan_area: Option<f64>) -> Vec<String> {
    match serde_json::from_str::<Exported>(json) {
        Ok(exported) => exported.check(plan_area),
        Err(error) => vec![format!("format: {error}")],
    }
}

impl Exported {
    /// Number of cells.
    pub fn cell_count(&self) -> usize {
        self.cells.len()
    }
    /// Area of all cells [m²].
    pub fn area(&self) -> f64 {
        (0..self.cells.len()).map(|cell| ring_area(&self.ring(cell))).sum()
    }
    /// Share of the cells that are thin: 4πA/P² under 0.1.
    pub fn thin_share(&self) -> f64 {
        let is_thin = |cell: &usize| {
            let ring = self.ring(*cell);
            let perimeter: f64 = (0..ring.len()).map(|k| ring[k].distance(ring[(k + 1) % ring.len()])).sum();
            4.0 * PI * ring_area(&ring) / perimeter.powi(2) < 0.1
        };
        (0..self.cells.len()).filter(is_thin).count() as f64 / self.cells.len().max(1) as f64
    }

    /// All that is wrong.
    pub fn check(&self, plan_area: Option<f64>) -> Vec<String> {
        let mut defects = self.check_format();
        if !defects.is_empty() {
            // Nothing below may index out of range.
            return defects;
        }
        let rounding = self.rounding();
        let split: BTreeSet<usize> = self.split_points.iter().copied().collect();
        for cell in 0..self.cells.len() {
            defects.extend(
                self.check_shape(cell, &split, rounding).map(|what| format!("N1: cell {cell} {what}")),
            );
            defects.extend(
                self.check_heights(cell, rounding).map(|what| format!("heights: cell {cell} {what}")),
            );
        }
        self.check_portals(&mut defects);
        if let Some(expected) = plan_area {
            let area = self.area();
            if (area - expected).abs() > 1e-9 * expected {
                defects.push(format!("N4: the cells' area is {area}, the plan's {expected}"));
            }
        }
        self.check_vertices(&mut defects);
        self.check_components(&mut defects);
        ground::check(self, &mut defects);
        overlap::check(self, &split, rounding, &mut defects);
        defects
    }

    fn xy(&self, vertex: usize) -> DVec2 {
        let [x, y, _] = self.vertices[vertex];
        DVec2::new(x, y)
    }
    fn ring(&self, cell: usize) -> Vec<DVec2> {
        self.cells[cell].iter().map(|&v| self.xy(v)).collect()
    }
    fn edges(&self, cell: usize) -> impl Iterator<Item = [usize; 2]> + '_ {
        let corners = &self.cells[cell];
        (0..corners.len()).map(move |k| [corners[k], corners[(k + 1) % corners.len()]])
    }
    /// How far a rounded point may lie off its wall.
    fn rounding(&self) -> f64 {
        let extent = self.vertices.iter().flat_map(|[x, y, _]| [x.abs(), y.abs()]).fold(0.0, f64::max);
        extent * 2f64.powi(-43)
    }

    fn check_format(&self) -> Vec<String> {
        let mut defects = Vec::new();
        let mut expect = |ok: bool, what: &str| {
            if !ok {
                defects.push(format!("format: {what}"));
            }
        };
        expect(self.kind == "navmesh" && self.version == 2, "kind or version");
        expect(self.units == "m" && self.up == "z", "units or up axis");
        expect(self.vertices.iter().flatten().all(|x| x.is_finite()), "a coordinate is not finite");
        expect(self.convex_distance >= 0.0, "convex_distance is negative");
        for (list, count) in [
            ("components", self.components.len()),
            ("storeys", self.storeys.len()),
            ("tags", self.tags.len()),
            ("heights", self.heights.len()),
            ("notches", self.notches.len()),
            ("ground", self.ground.len()),
        ] {
            expect(count == self.cells.len(), &format!("{list} has {count} entries"));
        }
        let vertices = self.cells.iter().flatten().chain(&self.split_points);
        let vertices = vertices.chain(self.portals.iter().flat_map(|portal| &portal.vertices));
        let vertices = vertices.chain(self.notches.iter().flatten());
        let mut vertices = vertices.chain(self.heights.iter().flatten().flatten());
        expect(vertices.all(|&v| v < self.vertices.len()), "a vertex is not there");
        let mut points = self.ground_triangles.iter().flatten();
        expect(points.all(|&k| k < self.ground_points.len()), "a ground point is not there");
        let mut triangles = self.ground.iter().flatten();
        expect(triangles.all(|&t| t < self.ground_triangles.len()), "a ground triangle is not there");
        expect(self.ground_points.iter().flatten().all(|x| x.is_finite()), "a ground point is not finite");
        expect(self.heights_error >= 0.0, "heights_error is negative");
        let mut cells = self.portals.iter().flat_map(|portal| portal.cells);
        expect(cells.all(|cell| cell < self.cells.len()), "a cell is not there");
        expect(self.tags.iter().all(|&tag| tag < self.tag_names.len()), "a tag has no name");
        let mut gaps = self.gaps.iter();
        expect(gaps.all(|gap| gap.cell < self.cells.len()), "a gap is no cell");
        expect(self.gaps.iter().all(|gap| gap.rise >= 0.0 && gap.width >= 0.0), "a gap has no size");
        let mut steps = self.steps.iter();
        expect(steps.all(|step| step.portal < self.portals.len() && step.rise > 0.0), "a step is no portal");
        defects
    }

    /// N1 of one cell.
    fn check_shape(&self, cell: usize, split: &BTreeSet<usize>, rounding: f64) -> Option<String> {
        let corners = &self.cells[cell];
        let ring = self.ring(cell);
        let n = ring.len();
        if corners.iter().collect::<BTreeSet<_>>().len() < n.max(3) {
            return Some(format!("has {n} corners, not all different"));
        }
        if ring_area(&ring) <= 0.0 {
            return Some(format!("has area {}", ring_area(&ring)));
        }
        let mut turned = 0.0;
        let mut on_hull = Vec::new();
        for k in 0..n {
            let at = [(k + n - 1) % n, k, (k + 1) % n];
            let [a, b, c] = at.map(|k| ring[k]);
            turned += (b - a).angle_to(c - b);
            let is_notch = self.notches[cell].contains(&corners[k]);
            if orient(a, b, c) >= 0.0 {
                if is_notch {
                    return Some(format!("lists vertex {} as a notch, but it is none", corners[k]));
                }
                continue;
            }
            if is_notch {
                if on_hull.is_empty() {
                    on_hull = hull(&ring);
                }
                let depth = depth_below_hull(&ring, &on_hull, k);
                let flat = rounding * 2f64.powi(43 - 36);
                if depth > self.convex_distance + flat {
                    return Some(format!("has a notch {depth} deep, {} is allowed", self.convex_distance));
                }
                continue;
            }
            // A rounded split point makes a hair of a notch at itself or at a neighbour.
            let off = [distance_from_line(b, c, a), distance_from_line(a, c, b), distance_from_line(a, b, c)];
            let rounded = (0..3).any(|i| split.contains(&corners[at[i]]) && off[i] <= rounding);
            if !rounded {
                return Some(format!("turns right at vertex {} by {}", corners[k], off[1]));
            }
        }
        ((turned - 2.0 * PI).abs() > 1e-6).then(|| format!("turns by {turned} rad instead of once round"))
    }

    fn check_heights(&self, cell: usize, rounding: f64) -> Option<String> {
        if !self.ground[cell].is_empty() {
            let both = !self.heights[cell].is_empty();
            return both.then(|| "has triangles of its own and in a list".to_owned());
        }
        let mut area = 0.0;
        let own: BTreeSet<usize> = self.cells[cell].iter().copied().collect();
        for triangle in &self.heights[cell] {
            if triangle.iter().any(|v| !own.contains(v)) {
                return Some(format!("has a triangle {triangle:?} with a foreign vertex"));
            }
            let [a, b, c] = triangle.map(|v| self.xy(v));
            let twice = (b - a).perp_dot(c - a);
            if twice < -rounding * (b - a).length().max((c - a).length()) {
                return Some(format!("has a triangle {triangle:?} that runs clockwise"));
            }
            area += twice / 2.0;
        }
        let expected = ring_area(&self.ring(cell));
        let perimeter: f64 = self.edges(cell).map(|[a, b]| self.xy(a).distance(self.xy(b))).sum();
        ((area - expected).abs() > 1e-9 * expected + rounding * perimeter)
            .then(|| format!("has area {expected}, its triangles {area}"))
    }

    /// N2.
    fn check_portals(&self, defects: &mut Vec<String>) {
        let mut owner = BTreeMap::new();
        for cell in 0..self.cells.len() {
            for edge in self.edges(cell) {
                if let Some(other) = owner.insert(edge, cell) {
                    defects.push(format!("N2: cells {other} and {cell} both have the edge {edge:?}"));
                }
            }
        }
        let mut shared = BTreeSet::new();
        for (&[a, b], &cell) in &owner {
            if let Some(&other) = owner.get(&[b, a]).filter(|_| a < b) {
                shared.insert(([a, b], [cell.min(other), cell.max(other)]));
            }
        }
        let mut named = BTreeSet::new();
        for (k, portal) in self.portals.iter().enumerate() {
            let ([mut a, mut b], [mut c, mut d]) = (portal.vertices, portal.cells);
            ((a, b), (c, d)) = ((a.min(b), a.max(b)), (c.min(d), c.max(d)));
            if !shared.contains(&([a, b], [c, d])) {
                defects.push(format!("N2: portal {k} is no edge that cells {c} and {d} share"));
            }
            if !named.insert(([a, b], [c, d])) {
                defects.push(format!("N2: portal {k} is there twice"));
            }
        }
        for (edge, cells) in shared.difference(&named) {
            defects.push(format!("N2: cells {cells:?} share the edge {edge:?}, but there is no portal"));
        }
    }

    /// N5: every vertex is used, has an edge on the boundary or cells with different tags or gaps, or is the end of a step; and its
    /// cells form one fan.
    fn check_vertices(&self, defects: &mut Vec<String>) {
        let mut tags = vec![BTreeSet::new(); self.vertices.len()];
        let gaps: BTreeSet<usize> = self.gaps.iter().map(|gap| gap.cell).collect();
        for (number, (cell, tag)) in self.cells.iter().zip(&self.tags).enumerate() {
            // Gaps are borders to each other, too.
            let gap = gaps.contains(&number).then_some(number);
            for &v in cell {
                tags[v].insert((tag, gap));
            }
        }
        let mut is_step = vec![false; self.vertices.len()];
        for step in &self.steps {
            self.portals[step.portal].vertices.iter().for_each(|&v| is_step[v] = true);
        }
        let mut corners = vec![0; self.vertices.len()];
        let mut portals = vec![0; self.vertices.len()];
        for &v in self.cells.iter().flatten() {
            corners[v] += 1;
        }
        for &v in self.portals.iter().flat_map(|portal| &portal.vertices) {
            portals[v] += 1;
        }
        // A fan of k cells has k - 1 portals between them; a full turn has k.
        for v in 0..self.vertices.len() {
            match (corners[v], portals[v]) {
                (0, _) => defects.push(format!("N5: vertex {v} belongs to no cell")),
                (cells, portals)
                    if portals == cells && !self.imported && tags[v].len() < 2 && !is_step[v] =>
                {
                    defects.push(format!("N5: vertex {v} is an inner vertex"));
                }
                (cells, portals) if portals + 1 < cells => {
                    defects.push(format!("N5: vertex {v} stands for {} fans", cells - portals));
                }
                _ => {}
            }
        }
    }

    /// N7.
    fn check_components(&self, defects: &mut Vec<String>) {
        let mut across = vec![Vec::new(); self.cells.len()];
        for portal in &self.portals {
            let [c, d] = portal.cells;
            across[c].push(d);
            across[d].push(c);
        }
        let mut reached = vec![false; self.cells.len()];
        let mut numbers = BTreeSet::new();
        for seed in 0..self.cells.len() {
            if reached[seed] {
                continue;
            }
            if !numbers.insert(self.components[seed]) {
                defects.push(format!("N7: component {} is not connected", self.components[seed]));
            }
            let mut open = vec![seed];
            reached[seed] = true;
            while let Some(cell) = open.pop() {
                if self.components[cell] != self.components[seed] {
                    defects.push(format!("N7: cells {seed} and {cell} are connected"));
                }
                for &next in &across[cell] {
                    if !std::mem::replace(&mut reached[next], true) {
                        open.push(next);
                    }
                }
            }
        }
    }
}

fn distance_from_line(a: DVec2, b: DVec2, p: DVec2) -> f64 {
    (b - a).perp_dot(p - a).abs() / (b - a).length()
}

/// How far corner `k` of a ring lies below the edge of the ring's convex hull that bridges it.
fn depth_below_hull(ring: &[DVec2], on_hull: &[bool], k: usize) -> f64 {
    let n = ring.len();
    let before = (1..n).map(|step| (k + n - step) % n).find(|&corner| on_hull[corner]);
    let after = (1..n).map(|step| (k + step) % n).find(|&corner| on_hull[corner]);
    match (before, after) {
        // Two corners at one point of the hull, where the ground touches itself.
        (Some(a), Some(b)) if ring[a] == ring[b] => ring[k].distance(ring[a]),
        (Some(a), Some(b)) if !on_hull[k] => distance_from_line(ring[a], ring[b], ring[k]),
        _ => f64::INFINITY,
    }
}

/// Whether each corner of a ring is on its convex hull, by walking from one to the next that has all others on its
/// left (Jarvis 1973).
fn hull(ring: &[DVec2]) -> Vec<bool> {
    let lowest =
        |a: &usize, b: &usize| ring[*a].y.total_cmp(&ring[*b].y).then(ring[*a].x.total_cmp(&ring[*b].x));
    let mut on_hull = vec![false; ring.len()];
    let mut at = (0..ring.len()).min_by(lowest).unwrap_or(0);
    while !std::mem::replace(&mut on_hull[at], true) {
        let others = (0..ring.len()).filter(|&k| k != at);
        at = others
            .reduce(|best, k| {
                let side = orient(ring[at], ring[best], ring[k]);
                let farther = ring[at].distance_squared(ring[k]) > ring[at].distance_squared(ring[best]);
                if side < 0.0 || side == 0.0 && farther { k } else { best }
            })
            .unwrap_or(at);
    }
    on_hull
}
