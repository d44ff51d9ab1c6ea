//! A scene to a floor plan by exact geometry, from the first stage to the last.

use super::{
    assemble::{Assembled, Parts, assemble},
    clean::clean,
    layers::{Layers, find_layers},
    select::{remove_inside, select},
    surface::WalkableSurface,
    walkable::find_walkable_by,
};
use crate::{
    FloorPlan, GroundConfig, PlanError, PlanVertexId, Reach, Region, ScenePlan,
    gaps::{GapConfig, find_gaps, with_gaps},
    voxel::obstacles::triangle_tree,
};
use wayfare_core::{Cancelled, Context};
use wayfare_geom::{
    bvh::Bvh,
    predicates::{is_between, orient},
    validate::{RingSet, join_touching, sweep_rings},
};
use wayfare_scene::Scene;

/// How far each of two edges that lie on each other moves in a plan [units of the grid]: nanometres in a building, so that areas
/// stay right to 10⁻⁹.
const WIDTHS: [f64; 3] = [12.0, 0.5, 64.0];

/// What vertices that get into trouble try instead, one after the other [of the width].
const SHARES: [f64; 6] = [1.0, 0.4, 0.0, 1.7, 0.15, 3.1];

/// How often they try before what is in each other's way is put into different layers, and how often that is done.
const TRIES: usize = 6;
const PARTINGS: usize = 8;

/// How often ground on both sides of a step is put into different layers before the step is taken for even ground.
const STEP_PARTINGS: usize = 4;

/// The walkable surface that a plan is made of: what is kept of it; and what was left out and why.
pub fn find_surface(
    scene: &Scene,
    config: &GroundConfig,
    context: &Context,
) -> Result<(WalkableSurface, Vec<String>), PlanError> {
    let (surface, mut notes) = find_whole(scene, &triangle_tree(scene), config, context)?;
    let surface = select(surface, config, &mut notes)?;
    Ok((surface, notes))
}

/// All of the walkable surface but what lies inside of solids.
fn find_whole(
    scene: &Scene,
    tree: &Bvh,
    config: &GroundConfig,
    context: &Context,
) -> Result<(WalkableSurface, Vec<String>), PlanError> {
    let (surface, mut notes) = find_walkable_by(scene, tree, config, context)?;
    let stage = context.stage("selection", 0);
    let surface = clean(surface, config, &mut notes);
    let surface = remove_inside(surface, scene, tree, config, &mut notes);
    drop(stage);
    context.check()?;
    Ok((surface, notes))
}

/// The ground of a scene as a floor plan, by exact geometry; with the gaps that a body steps over, if it does.
pub fn plan_exact(scene: &Scene, config: &GroundConfig, context: &Context) -> Result<ScenePlan, PlanError> {
    let tree = triangle_tree(scene);
    let (surface, mut notes) = find_whole(scene, &tree, config, context)?;
    let gaps = GapConfig::of_ground(config.max_gap, config);
    if config.max_gap > 0.0 && gaps.check().is_err() {
        notes.push("gaps are not looked for: the reach of the body is half of its height or more".into());
    } else if config.max_gap > 0.0 {
        let found = find_gaps(&surface, &scene.mesh, &gaps, context)?;
        let whole = with_gaps(surface.clone(), &found);
        let planned = plan_surface(whole, notes.clone(), scene, &tree, config, context);
        match planned {
            Err(PlanError::Unusable { reason }) => notes.push(format!("gaps are left out: {reason}")),
            planned => return planned,
        }
    }
    plan_surface(surface, notes, scene, &tree, config, context)
}

/// The same without gaps, and with steps as even ground: less is known of the ground, and less can be in each other's way.
pub fn plan_exact_plainly(
    scene: &Scene,
    config: &GroundConfig,
    context: &Context,
) -> Result<ScenePlan, PlanError> {
    let tree = triangle_tree(scene);
    let (mut surface, notes) = find_whole(scene, &tree, config, context)?;
    surface.risers.iter_mut().for_each(|riser| riser.over = 0.0);
    plan_surface(surface, notes, scene, &tree, &GroundConfig { max_gap: 0.0, ..config.clone() }, context)
}

/// The plan of a surface, of what is kept of it.
fn plan_surface(
    surface: WalkableSurface,
    mut notes: Vec<String>,
    scene: &Scene,
    tree: &Bvh,
    config: &GroundConfig,
    context: &Context,
) -> Result<ScenePlan, PlanError> {
    let mut surface = select(surface, config, &mut notes)?;
    let mut first = None;
    let mut foes: Vec<[u32; 2]> = Vec::new();
    for parting in 0..PARTINGS {
        let stage = context.stage("layers", 0);
        let layers = part_steps(&mut surface, &mut foes, context)?;
        drop(stage);
        let _stage = context.stage("plan", 0);
        let width = WIDTHS[parting.min(2 * WIDTHS.len() - 1) % WIDTHS.len()] * surface.grid;
        let mut tries: Vec<usize> = vec![0; 3 * surface.triangles.len()];
        for round in 0..TRIES {
            context.check()?;
            let share_of = |v: u32| SHARES[tries.get(v as usize).copied().unwrap_or(0) % SHARES.len()];
            let stays = |v: u32| tries.get(v as usize).is_some_and(|&tries| tries > 0);
            let made = assemble(Parts::new(&surface, &layers), scene, tree, config, width, share_of, stays);
            let Some(defect) = made.plan.check().into_iter().next() else {
                if layers.lost_joins > 0 {
                    let lost = layers.lost_joins;
                    notes.push(format!("joins of ground that would lie on other edges, given up: {lost}"));
                }
                let GroundConfig { step, max_gap, height, .. } = *config;
                let reach = Some(Reach { step, max_gap, height });
                return Ok(ScenePlan { plan: FloorPlan { reach, ..made.plan }, notes });
            };
            first = first.or(Some(defect));
            let trouble = find_trouble(&made);
            for &vertex in &trouble.vertices {
                let name = made.names[vertex as usize] as usize;
                tries.get_mut(name).into_iter().for_each(|tries| *tries += 1 + name % 2);
            }
            for &vertex in &trouble.inner {
                tries.get_mut(vertex as usize).into_iter().for_each(|tries| *tries = (*tries).max(1));
            }
            if round + 1 == TRIES || trouble.vertices.is_empty() {
                foes.extend(trouble.edges.iter().map(|pair| pair.map(|h| h / 3)).filter(|[a, b]| a != b));
                break;
            }
        }
    }
    let defect = first.map(|defect| defect.to_string()).unwrap_or_default();
    Err(PlanError::Unusable { reason: format!("the ground of the scene makes no floor plan: {defect}") })
}

/// Layers in which the two sides of every step are in different regions: where ground goes round the end of a step, the sides are put
/// into different layers. Where that cannot be, the step is taken for even ground.
fn part_steps(
    surface: &mut WalkableSurface,
    foes: &mut Vec<[u32; 2]>,
    context: &Context,
) -> Result<Layers, Cancelled> {
    for round in 0.. {
        let layers = find_layers(surface, foes, context)?;
        let own = Parts::new(surface, &layers).steps_to_themselves();
        if own.is_empty() {
            return Ok(layers);
        }
        for riser in own {
            let riser = &mut surface.risers[riser];
            if round < STEP_PARTINGS {
                foes.push([riser.lower / 3, riser.upper / 3]);
            } else {
                riser.over = 0.0;
            }
        }
    }
    unreachable!("steps end")
}

/// What meets in a layer where it must not.
#[derive(Default)]
struct Trouble {
    /// Vertices of the plan.
    vertices: Vec<u32>,
    /// Pairs of half-edges.
    edges: Vec<[u32; 2]>,
    /// The parts' vertices on straight edges that are in the way.
    inner: Vec<u32>,
}

fn find_trouble(made: &Assembled) -> Trouble {
    let mut trouble = Trouble::default();
    let mut start = 0;
    for layer in &made.plan.layers {
        let layer_start = start;
        // Every region by itself, then the layer; borders of tags lie on each other and say nothing there.
        for region in &layer.regions {
            trouble.look_at(made, std::slice::from_ref(region), start);
            start += region.rings().map(|ring| ring.vertices.len()).sum::<usize>();
        }
        trouble.look_at(made, &layer.regions, layer_start);
    }
    trouble.vertices.sort_unstable();
    trouble.vertices.dedup();
    trouble
}

impl Trouble {
    /// Adds what meets among regions; `start` is the number of their first edge.
    fn look_at(&mut self, made: &Assembled, regions: &[Region], start: usize) {
        let plan = &made.plan;
        let (mut rings, mut ends) = (RingSet::new(), Vec::new());
        let mut is_short = false;
        for ring in regions.iter().flat_map(Region::rings) {
            let points = plan.ring_points(ring);
            rings.push(points.iter().copied());
            for (k, &a) in ring.vertices.iter().enumerate() {
                let next = (k + 1) % points.len();
                ends.push([a.0, ring.vertices[next].0]);
                if points[k] == points[next] {
                    is_short = true;
                    self.vertices.extend([a.0, ring.vertices[next].0]);
                }
            }
        }
        // An edge without length would upset the sweep.
        if is_short {
            return;
        }
        let sweep = sweep_rings(&rings);
        for conflict in &sweep.conflicts {
            self.vertices.extend(conflict.edges.iter().flat_map(|&edge| ends[edge as usize]));
            self.edges.push(conflict.edges.map(|edge| made.edges[start + edge as usize]));
            self.inner.extend(conflict.edges.iter().flat_map(|&edge| &made.inner[start + edge as usize]));
        }
        let fans = if sweep.conflicts.is_empty() { join_touching(&rings, &sweep) } else { None };
        for p in fans.into_iter().flat_map(|fans| fans.changed) {
            let is_there = |k: &usize| plan.vertices[PlanVertexId(ends[*k][0])].truncate() == p;
            let there: Vec<usize> = (0..ends.len()).filter(is_there).collect();
            self.vertices.extend(there.iter().map(|&k| ends[k][0]));
            self.edges.extend(there.windows(2).map(|pair| [0, 1].map(|k| made.edges[start + pair[k]])));
            // Or a vertex lies on an edge.
            let passes = |ends: &[u32; 2]| {
                let [a, b] = ends.map(|v| plan.vertices[PlanVertexId(v)].truncate());
                a != p && b != p && orient(a, b, p) == 0.0 && is_between(a, b, p)
            };
            let passing = (0..ends.len()).filter(|&k| passes(&ends[k]));
            if let Some(&at) = there.first() {
                self.edges.extend(passing.map(|k| [at, k].map(|k| made.edges[start + k])));
            }
        }
    }
}
