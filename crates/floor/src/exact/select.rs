//! Which parts of the surface are kept: not inside of solids, reached, largest, not too small.

use super::surface::{BorderEdge, NO_HALF_EDGE, Riser, SurfaceTriangle, SurfaceVertexId, WalkableSurface};
use crate::{GroundConfig, Keep, PlanError, voxel::solids::Solids};
use wayfare_core::{DVec2, DVec3, IdVec};
use wayfare_geom::{bvh::Bvh, predicates::orient, segment::nearest_on_segment};
use wayfare_scene::Scene;

/// Places per component at which is looked whether they are inside of a solid.
const WITNESSES: usize = 9;

/// How far from a place to reach the ground from the ground may be, beside it [m].
const SNAP: f64 = 0.5;

/// Leaves out what is not wanted; adds to the notes what was left out.
pub(super) fn select(
    surface: WalkableSurface,
    config: &GroundConfig,
    notes: &mut Vec<String>,
) -> Result<WalkableSurface, PlanError> {
    let component_of = surface.components(true);
    let areas = areas(&surface, &component_of);
    let reached = places(&surface, &component_of, config)?;
    let mut keep = vec![config.keep == Keep::All; areas.len()];
    match config.keep {
        Keep::All => {}
        Keep::Largest => {
            // The first of equally large ones.
            let largest = (0..areas.len()).max_by(|&a, &b| areas[a].total_cmp(&areas[b]).then(b.cmp(&a)));
            largest.into_iter().for_each(|component| keep[component] = true);
        }
        Keep::Reachable => reached.iter().for_each(|&component| keep[component as usize] = true),
    }
    let sum = |wanted: &dyn Fn(usize) -> bool| {
        (0..areas.len()).filter(|&component| wanted(component)).map(|component| areas[component]).sum::<f64>()
    };
    let unwanted = sum(&|component| !keep[component]);
    if unwanted > 0.0 {
        let words = if config.keep == Keep::Largest {
            "other pieces of ground"
        } else {
            "ground that cannot be reached"
        };
        notes.push(format!("{words} left out: {unwanted:.1} m²"));
    }
    let is_small = |component: usize| {
        keep[component] && areas[component] < config.min_area && !reached.contains(&(component as u32))
    };
    let small = (0..areas.len()).filter(|&component| is_small(component)).count();
    if small > 0 {
        notes.push(format!(
            "pieces of ground smaller than {} m² left out: {small}, {:.2} m² together",
            config.min_area,
            sum(&is_small)
        ));
    }
    let keep: Vec<bool> = (0..areas.len()).map(|component| keep[component] && !is_small(component)).collect();
    if !keep.contains(&true) {
        let reason = format!("every piece of ground is smaller than {} m²", config.min_area);
        return Err(PlanError::NothingWalkable { reason });
    }
    Ok(surface.filtered(|triangle| keep[component_of[triangle] as usize]))
}

/// The area of each component's ground in plan, without gaps [m²].
fn areas(surface: &WalkableSurface, component_of: &[u32]) -> Vec<f64> {
    let mut areas = vec![0.0; component_of.iter().max().map_or(0, |&last| last as usize + 1)];
    for (triangle, &component) in component_of.iter().enumerate() {
        if surface.gap_of(triangle as u32).is_none() {
            let [a, b, c] = surface.points(triangle).map(DVec3::truncate);
            areas[component as usize] += (b - a).perp_dot(c - a) / 2.0;
        }
    }
    areas
}

/// Leaves out what lies inside of solids, if it is not all of it.
pub(super) fn remove_inside(
    surface: WalkableSurface,
    scene: &Scene,
    tree: &Bvh,
    config: &GroundConfig,
    notes: &mut Vec<String>,
) -> WalkableSurface {
    let solids = Solids::of(scene);
    // What goes in and out of solids is joined by steps at most.
    let component_of = surface.components(false);
    let areas = areas(&surface, &component_of);
    let mut own: Vec<Vec<u32>> = vec![Vec::new(); areas.len()];
    for (triangle, &component) in component_of.iter().enumerate() {
        own[component as usize].push(triangle as u32);
    }
    let is_inside: Vec<bool> = own
        .iter()
        .map(|own| {
            let count = own.len().min(WITNESSES);
            let inside = (0..count).filter(|k| {
                let [a, b, c] = surface.points(own[k * own.len() / count] as usize);
                // A little off the middle, where edges of faces are rare; halfway up to the ceiling there is no face.
                let p = a * 0.3412 + b * 0.3255 + c * 0.3333 + DVec3::Z * (config.height / 2.0);
                solids.winding(tree, p) > 0
            });
            2 * inside.count() > count
        })
        .collect();
    let sum = |is: bool| (0..areas.len()).filter(|&k| is_inside[k] == is).map(|k| areas[k]).sum::<f64>();
    let (inside, outside) = (sum(true), sum(false));
    if inside == 0.0 {
        return surface;
    }
    if outside == 0.0 || !config.remove_inside {
        let why = if config.remove_inside { "there is no other, so it is kept" } else { "kept as asked" };
        notes.push(format!("ground inside closed solids: {inside:.1} m²; {why}"));
        return surface;
    }
    notes.push(format!("ground inside closed solids left out: {inside:.1} m²"));
    surface.filtered(|triangle| !is_inside[component_of[triangle] as usize])
}

/// The components at the places to reach the ground from.
fn places(
    surface: &WalkableSurface,
    component_of: &[u32],
    config: &GroundConfig,
) -> Result<Vec<u32>, PlanError> {
    let mut found = Vec::new();
    for &place in &config.reach_from {
        match nearest(surface, config, place) {
            Some(triangle) => found.push(component_of[triangle]),
            None => return Err(PlanError::NoGroundAt { place }),
        }
    }
    if config.keep == Keep::Reachable && found.is_empty() {
        let reason = "to keep what is reachable, say from where".into();
        return Err(PlanError::Unusable { reason });
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The triangle straight below a place within a body's height or above it within a step; else the nearest one beside it.
fn nearest(surface: &WalkableSurface, config: &GroundConfig, place: DVec3) -> Option<usize> {
    let at = place.truncate();
    let mut best: Option<(f64, f64, usize)> = None;
    for triangle in 0..surface.triangles.len() {
        let corners = surface.points(triangle).map(DVec3::truncate);
        let sides = [0, 1, 2].map(|k| [corners[k], corners[(k + 1) % 3]]);
        let on = if sides.iter().all(|&[a, b]| orient(a, b, at) >= 0.0) {
            at
        } else {
            let points = sides.map(|[a, b]| nearest_on_segment(at, a, b));
            let closer = |p: DVec2, q: DVec2| if q.distance(at) < p.distance(at) { q } else { p };
            points.into_iter().fold(points[0], closer)
        };
        let away = on.distance(at);
        let below = place.z - surface.patches[surface.triangles[triangle].patch].plane.height_at(on);
        let is_near = away <= SNAP && below <= config.height && -below <= config.step.max(SNAP);
        if is_near && best.is_none_or(|best| (away, below.abs()) < (best.0, best.1)) {
            best = Some((away, below.abs(), triangle));
        }
    }
    best.map(|best| best.2)
}

impl WalkableSurface {
    /// The surface without some of its components, or without what is not joined flat to the rest.
    pub(super) fn filtered(self, wanted: impl Fn(usize) -> bool) -> Self {
        let mut number = vec![NO_HALF_EDGE; self.triangles.len()];
        let mut vertex_number = vec![NO_HALF_EDGE; self.vertices.len()];
        let mut vertices = IdVec::<SurfaceVertexId, _>::default();
        let mut triangles = Vec::new();
        for (k, triangle) in self.triangles.iter().enumerate().filter(|entry| wanted(entry.0)) {
            number[k] = triangles.len() as u32;
            let corners = triangle.corners.map(|vertex| {
                let number = &mut vertex_number[vertex.0 as usize];
                if *number == NO_HALF_EDGE {
                    *number = vertices.push(self.vertices[vertex]).0;
                }
                SurfaceVertexId(*number)
            });
            triangles.push(SurfaceTriangle { corners, ..*triangle });
        }
        let moved = |h: u32| match number.get(h as usize / 3) {
            Some(&t) if t != NO_HALF_EDGE => 3 * t + h % 3,
            _ => NO_HALF_EDGE,
        };
        let kept = (0..self.twins.len()).filter(|h| number[h / 3] != NO_HALF_EDGE);
        let twins = kept.map(|h| moved(self.twins[h])).collect();
        let (mut border, mut cycle_starts) = (Vec::new(), vec![0]);
        for cycle in
            self.cycles().filter(|cycle| cycle.iter().all(|edge| moved(edge.half_edge) != NO_HALF_EDGE))
        {
            border.extend(cycle.iter().map(|edge| BorderEdge { half_edge: moved(edge.half_edge), ..*edge }));
            cycle_starts.push(border.len() as u32);
        }
        let risers = self.risers.iter().map(|riser| Riser {
            lower: moved(riser.lower),
            upper: moved(riser.upper),
            ..*riser
        });
        let risers = risers.filter(|riser| riser.lower != NO_HALF_EDGE && riser.upper != NO_HALF_EDGE);
        let risers = risers.collect();
        Self { vertices, triangles, twins, border, cycle_starts, risers, ..self }
    }
}
