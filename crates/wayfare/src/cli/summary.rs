//! What `info` prints and `bake` repeats: counts and quality of a product.

use serde::Serialize;
use std::fmt::Write as _;
use wayfare::{
    core::{DVec2, Repair, RepairReport},
    floor::{EdgeKind, FloorPlan, Region},
    geom::{Aabb2, predicates::orient},
    navmesh::{Accelerator, Clearance, NavMesh},
    scene::PlanSource,
};

/// The keys of `info --json` for a navigation mesh.
#[derive(Clone, Debug, Serialize)]
pub struct MeshSummary {
    pub kind: &'static str,
    pub cells: usize,
    pub portals: usize,
    pub vertices: usize,
    pub components: usize,
    pub storeys: usize,
    pub seams: usize,
    pub drops: usize,
    pub heights_error: f64,
    /// Gaps that one steps over, and steps.
    pub gaps: usize,
    pub risers: usize,
    pub area: f64,
    pub gap_area: f64,
    pub largest_component_area: f64,
    pub notches: usize,
    pub holes: usize,
    pub lower_bound: usize,
    pub tags: Vec<String>,
    pub split_points: usize,
    pub boundary_length: f64,
    pub thin_share: f64,
    pub ignored_notches: usize,
    pub convex_distance: f64,
    pub imported: bool,
    pub search_table_bytes: usize,
    pub clearance_bytes: usize,
    pub crossings: usize,
    pub narrowest_crossing: Option<f64>,
    /// Places that join it to free space; null if it was linked to none.
    pub hand_overs: Option<usize>,
    pub bounds: [[f64; 2]; 2],
}

impl MeshSummary {
    pub fn of(mesh: &NavMesh) -> Self {
        let facts = mesh.facts();
        Self {
            kind: "navmesh",
            cells: facts.cells,
            portals: facts.portals,
            vertices: facts.vertices,
            components: facts.components,
            storeys: facts.storeys,
            seams: facts.seams,
            drops: facts.drops,
            heights_error: facts.heights_error,
            gaps: facts.gaps,
            risers: facts.risers,
            area: facts.area,
            gap_area: facts.gap_area,
            largest_component_area: facts.largest_component_area,
            notches: facts.notches,
            holes: facts.holes,
            lower_bound: facts.lower_bound,
            tags: tags(mesh.tag_names()),
            split_points: facts.split_points,
            boundary_length: facts.boundary_length,
            thin_share: facts.thin_cells,
            ignored_notches: facts.ignored_notches,
            convex_distance: facts.convex_distance,
            imported: mesh.raw().imported,
            search_table_bytes: mesh.accelerator().map_or(0, Accelerator::bytes),
            clearance_bytes: mesh.clearance().map_or(0, Clearance::bytes),
            crossings: mesh.crossings().map_or(0, |crossings| crossings.count()),
            narrowest_crossing: mesh.crossings().and_then(|crossings| crossings.narrowest()),
            hand_overs: mesh.hand_overs().map(|all| all.places.len()),
            bounds: corners(mesh.bounds()),
        }
    }

    /// The same for people.
    pub fn words(&self) -> String {
        let mut out = format!(
            "navigation mesh: {}, {}, {}, {}\n",
            count(self.cells, "cell"),
            count(self.portals, "portal"),
            count(self.vertices, "vertex"),
            count(self.components, "component"),
        );
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "area {} m², the largest component {} m²; {}, {}",
            area(self.area),
            area(self.largest_component_area),
            count(self.notches, "notch"),
            count(self.holes, "hole"),
        );
        let _ = writeln!(
            out,
            "no {}decomposition has fewer than {}; {:.1} % of the cells are thin",
            if self.convex_distance > 0.0 { "strictly convex " } else { "" },
            count(self.lower_bound, "cell"),
            self.thin_share * 100.0
        );
        if self.convex_distance > 0.0 {
            let _ = writeln!(
                out,
                "cells are convex up to {} m: {} ignored",
                number(self.convex_distance),
                count(self.ignored_notches, "notch")
            );
        }
        out.push_str(&gap_words(self.gaps, self.risers, self.gap_area));
        out.push_str(&storey_words(self.storeys, "storey", self.seams, self.drops, self.heights_error));
        if self.clearance_bytes == 0 {
            out.push_str(
                "no clearance is stored: bodies with a radius wait until it is made, if it can be\n",
            );
        }
        if let Some(places) = self.hand_overs {
            let _ = writeln!(out, "linked to free space: {}", count(places, "hand-over place"));
        }
        if !self.tags.is_empty() {
            let _ = writeln!(out, "tags: {}", self.tags.join(", "));
        }
        out
    }
}

/// The keys of `info --json` for a floor plan.
#[derive(Clone, Debug, Serialize)]
pub struct PlanSummary {
    pub kind: &'static str,
    /// Cells and portals come with a mesh.
    pub cells: Option<usize>,
    pub portals: Option<usize>,
    pub vertices: usize,
    pub layers: usize,
    pub components: usize,
    pub storeys: usize,
    pub seams: usize,
    pub drops: usize,
    pub heights_error: f64,
    /// Gaps that one steps over, and steps.
    pub gaps: usize,
    pub risers: usize,
    pub area: f64,
    pub gap_area: f64,
    pub largest_component_area: f64,
    pub notches: usize,
    pub holes: usize,
    pub lower_bound: usize,
    pub tags: Vec<String>,
    pub bounds: [[f64; 2]; 2],
}

impl PlanSummary {
    pub fn of(plan: &FloorPlan) -> Self {
        let regions = || plan.layers.iter().flat_map(|layer| &layer.regions);
        let edges = |kind: fn(EdgeKind) -> bool| {
            let kinds = regions().flat_map(Region::rings).flat_map(|ring| &ring.kinds);
            kinds.filter(|&&edge| kind(edge)).count()
        };
        let areas = component_areas(plan);
        let components = areas.len();
        let notches = regions().flat_map(Region::rings).map(|ring| notches(&plan.ring_points(ring))).sum();
        let holes = regions().map(|region| region.holes.len()).sum();
        Self {
            kind: "floorplan",
            cells: None,
            portals: None,
            vertices: plan.vertices.len(),
            layers: plan.layers.len(),
            components,
            storeys: plan.layers.len(),
            // Both layers name each seam edge.
            seams: edges(|kind| matches!(kind, EdgeKind::Seam { .. })) / 2,
            drops: edges(|kind| matches!(kind, EdgeKind::Drop { .. })),
            heights_error: plan.heights_error,
            gaps: regions().filter(|region| region.gap.is_some()).count(),
            risers: edges(|kind| kind.rise() > 0.0) / 2,
            area: plan.area(),
            gap_area: plan.gap_area(),
            largest_component_area: areas.into_iter().fold(0.0, f64::max),
            notches,
            holes,
            lower_bound: (usize::div_ceil(notches, 2) + components).saturating_sub(holes),
            tags: tags(&plan.tag_names),
            bounds: corners(Aabb2::of_points(plan.vertices.as_slice().iter().map(|p| p.truncate()))),
        }
    }

    /// The same for people.
    pub fn words(&self) -> String {
        let mut out = format!(
            "floor plan: {}, {}, {}; area {} m², the largest component {} m²\n",
            count(self.vertices, "vertex"),
            count(self.components, "component"),
            count(self.holes, "hole"),
            area(self.area),
            area(self.largest_component_area)
        );
        out.push_str(&gap_words(self.gaps, self.risers, self.gap_area));
        out.push_str(&storey_words(self.layers, "layer", self.seams, self.drops, self.heights_error));
        out
    }
}

/// Gaps and steps; nothing where there are none.
fn gap_words(gaps: usize, risers: usize, gap_area: f64) -> String {
    match (gaps, risers) {
        (0, 0) => String::new(),
        _ => format!(
            "{} to step over, {} m²; {}\n",
            count(gaps, "gap"),
            area(gap_area),
            count(risers, "riser")
        ),
    }
}

/// A line about what only grounds on several heights have; nothing for a level one.
fn storey_words(storeys: usize, thing: &str, seams: usize, drops: usize, heights_error: f64) -> String {
    let several = (storeys > 1).then(|| format!("{}, {}", count(storeys, thing), count(seams, "seam")));
    let drops = (drops > 0).then(|| count(drops, "drop"));
    let error = (heights_error > 0.0).then(|| format!("heights within {} m", length(heights_error)));
    let words: Vec<String> = several.into_iter().chain(drops).chain(error).collect();
    if words.is_empty() { String::new() } else { format!("{}\n", words.join(", ")) }
}

/// The area of each set of regions that share edges [m²].
pub fn component_areas(plan: &FloorPlan) -> Vec<f64> {
    let regions: Vec<&Region> = plan.layers.iter().flat_map(|layer| &layer.regions).collect();
    let mut shared = Vec::new();
    for (k, region) in regions.iter().enumerate() {
        for ring in region.rings() {
            for (i, _) in ring.kinds.iter().enumerate().filter(|(_, kind)| kind.is_shared()) {
                let (a, b) = (ring.vertices[i].0, ring.vertices[(i + 1) % ring.vertices.len()].0);
                // The other layer of a seam names the same two vertices.
                shared.push(((a.min(b), a.max(b)), k));
            }
        }
    }
    shared.sort_unstable();
    // The lowest region of each set leads it.
    let mut leader: Vec<usize> = (0..regions.len()).collect();
    fn lead(leader: &mut [usize], mut k: usize) -> usize {
        while leader[k] != k {
            leader[k] = leader[leader[k]];
            k = leader[k];
        }
        k
    }
    for pair in shared.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let (a, b) = (lead(&mut leader, pair[0].1), lead(&mut leader, pair[1].1));
        leader[a.max(b)] = a.min(b);
    }
    let mut areas = vec![0.0; regions.len()];
    for (k, region) in regions.iter().enumerate() {
        // Gaps join ground but are none.
        if region.gap.is_none() {
            let rings = region.rings().map(|ring| wayfare::geom::ring_area(&plan.ring_points(ring)));
            areas[lead(&mut leader, k)] += rings.sum::<f64>();
        }
    }
    (0..regions.len()).filter(|&k| leader[k] == k).map(|k| areas[k]).collect()
}

/// The corners of a ring, with the ground on its left, at which it turns right.
fn notches(ring: &[DVec2]) -> usize {
    let at = |k: usize| ring[k % ring.len()];
    (0..ring.len()).filter(|&k| orient(at(k), at(k + 1), at(k + 2)) < 0.0).count()
}

/// The keys of `info --json` for a plan file. What only a floor plan tells is null where none can be made of it.
#[derive(Clone, Debug, Serialize)]
pub struct SourceSummary {
    pub kind: &'static str,
    pub polygons: usize,
    pub cells: Option<usize>,
    pub portals: Option<usize>,
    pub vertices: usize,
    pub components: Option<usize>,
    pub storeys: Option<usize>,
    pub seams: Option<usize>,
    pub drops: Option<usize>,
    pub heights_error: Option<f64>,
    pub area: Option<f64>,
    pub largest_component_area: Option<f64>,
    pub notches: Option<usize>,
    pub holes: Option<usize>,
    pub lower_bound: Option<usize>,
    pub tags: Vec<String>,
    pub bounds: [[f64; 2]; 2],
    pub repair: Vec<RepairSummary>,
    pub notes: Vec<String>,
}

impl SourceSummary {
    pub fn of(source: &PlanSource, plan: Option<&PlanSummary>) -> Self {
        let points = source.polygons.iter().flat_map(|polygon| polygon.rings()).flatten();
        Self {
            kind: "plan",
            polygons: source.polygons.len(),
            cells: None,
            portals: None,
            vertices: source.vertex_count(),
            components: plan.map(|plan| plan.components),
            storeys: plan.map(|plan| plan.storeys),
            seams: plan.map(|plan| plan.seams),
            drops: plan.map(|plan| plan.drops),
            heights_error: plan.map(|plan| plan.heights_error),
            area: plan.map(|plan| plan.area),
            largest_component_area: plan.map(|plan| plan.largest_component_area),
            notches: plan.map(|plan| plan.notches),
            holes: plan.map(|plan| plan.holes),
            lower_bound: plan.map(|plan| plan.lower_bound),
            tags: plan.map(|plan| plan.tags.clone()).unwrap_or_default(),
            bounds: corners(Aabb2::of_points(points.copied())),
            repair: repairs(&source.repair),
            notes: source.notes.clone(),
        }
    }

    /// The same for people.
    pub fn words(&self) -> String {
        let [[left, bottom], [right, top]] = self.bounds;
        let mut out = format!(
            "plan file: {}, {}, from ({}, {}) to ({}, {})\n",
            count(self.polygons, "polygon"),
            count(self.vertices, "vertex"),
            number(left),
            number(bottom),
            number(right),
            number(top),
        );
        for note in &self.notes {
            let _ = writeln!(out, "note: {note}");
        }
        out.push_str(&repair_words(&self.repair));
        out
    }
}

/// One kind of repair.
#[derive(Clone, Debug, Serialize)]
pub struct RepairSummary {
    pub kind: &'static str,
    pub count: usize,
    pub first: String,
}

/// The repairs as they are printed.
pub fn repairs(report: &RepairReport) -> Vec<RepairSummary> {
    let copy = |repair: &Repair| RepairSummary {
        kind: repair.kind,
        count: repair.count,
        first: repair.first.clone(),
    };
    report.repairs.iter().map(copy).collect()
}

/// The repairs for people, one per line.
pub fn repair_words(repairs: &[RepairSummary]) -> String {
    repairs.iter().map(|r| format!("repaired: {} × {} (first: {})\n", r.count, r.kind, r.first)).collect()
}

/// `1 cell`, `2 cells`.
pub fn count(number: usize, thing: &str) -> String {
    match (number, thing) {
        (1, _) => format!("1 {thing}"),
        (_, "vertex") => format!("{number} vertices"),
        (_, "notch") => format!("{number} notches"),
        _ => format!("{number} {thing}s"),
    }
}

/// A length [m] to a tenth of a millimetre; shorter ones with three digits, however short.
pub fn length(metres: f64) -> String {
    rounded(metres, 4)
}

/// A coordinate [m] to a tenth of a millimetre at most.
pub fn coordinate(metres: f64) -> String {
    let text = format!("{metres:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// An area [m²] to 0.001; smaller ones with three digits.
pub fn area(square_metres: f64) -> String {
    rounded(square_metres, 3)
}

/// A number with so many decimals; three digits that count where those would be fewer.
pub fn rounded(value: f64, decimals: usize) -> String {
    let fixed = format!("{value:.decimals$}");
    let digits = fixed.trim_start_matches(['-', '0', '.']).len();
    if value == 0.0 || digits >= 3 || fixed.parse() == Ok(value) {
        return fixed;
    }
    let short: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    number(short)
}

/// A number as it is; very large and very small ones with an exponent.
pub fn number(value: f64) -> String {
    if value == 0.0 || (1e-6..1e9).contains(&value.abs()) { value.to_string() } else { format!("{value:e}") }
}

/// The names of the tags; a map without tags has the single name "".
fn tags(names: &[String]) -> Vec<String> {
    if names == [""] { Vec::new() } else { names.to_vec() }
}

/// Lower left and upper right corner; zeros for the box of nothing.
fn corners(bounds: Aabb2) -> [[f64; 2]; 2] {
    if bounds.min.x > bounds.max.x { [[0.0; 2]; 2] } else { [bounds.min.to_array(), bounds.max.to_array()] }
}
