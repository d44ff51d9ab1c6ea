//! Finds paths: what is asked, what comes back, and the steps between.

use super::{
    body::Body,
    corridor::Gate,
    distance::nearest_on_polygon,
    gates::{Gates, Shrunk},
    portal_tree::PortalTrees,
    quick::{Quick, QuickDoors},
    rims::{self, past_rims},
    roam::{Roaming, widest},
    search::{Search, Task},
    straight::straight,
    through::regions_along,
    walls::Walls,
    windows::{LONGER, Route, grid_distance, improve, pulled_again},
};
use crate::mesh::{PortalId, RegionId, VolumeMesh};
use std::sync::OnceLock;
use wayfare_core::DVec3;
use wayfare_geom::bvh::Aabb3;

/// How much the search hurries to the goal: paths became half a percent longer than with 1, before they were improved, in two
/// thirds of the time.
const FORWARD: f64 = 1.02;
/// The same for the first search among boxes, whose path is taken only if it is short enough.
const HURRIED: f64 = 1.07;
/// Where the search took up no more portals than these, the path is near: a careful search costs little more.
const FEW: u32 = 16;

/// A path through the air.
#[derive(Clone, Debug, PartialEq)]
pub struct Flight {
    /// From start to goal, with every point at which it bends.
    pub points: Vec<DVec3>,
    /// Its length [m].
    pub length: f64,
    /// The regions that it goes through.
    pub regions: Vec<RegionId>,
    /// The radius that was asked for [m].
    pub radius: f64,
    /// Distance to walls along it [m], where a radius was asked for and walls are near.
    pub clearance: Option<f64>,
    /// Portals that the search took up.
    pub expanded: u32,
    /// How far start and goal were moved into the nearest region [m].
    pub snapped: [f64; 2],
}

/// A place in free space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlyPlace {
    /// The region that holds it.
    pub region: RegionId,
    /// The place: the point that was asked for, or the nearest one of the region.
    pub point: DVec3,
    /// How far apart the two are [m].
    pub distance: f64,
}

/// Which end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where it begins.
    Start,
    /// Where it leads.
    Goal,
}

/// Why there is no path.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoFlight {
    /// An end lies in no region and too far from the nearest.
    OffMesh {
        /// The end.
        end: End,
        /// Where it is.
        at: DVec3,
        /// The nearest point of a region, and its distance [m], if one is near.
        nearest: Option<(DVec3, f64)>,
    },
    /// The body does not fit at an end.
    TooTight {
        /// The end.
        end: End,
        /// Where it is.
        at: DVec3,
        /// Distance to the nearest wall there [m].
        available: f64,
    },
    /// No portals lead from start to goal.
    Disconnected {
        /// The start.
        at: DVec3,
    },
    /// There is no floor to stand on below the goal.
    NoFloor {
        /// The goal.
        at: DVec3,
    },
    /// The body does not fit through.
    TooNarrow {
        /// Where the widest way that was found is narrowest.
        at: DVec3,
        /// The radius that fits there [m].
        available: f64,
    },
}

/// Why there is no path, before it is known what would fit.
pub(super) enum Lost<'a> {
    No(NoFlight),
    Narrow(Roaming<'a>),
}

impl From<NoFlight> for Lost<'_> {
    fn from(no: NoFlight) -> Self {
        Self::No(no)
    }
}

/// Memory of searches, to be used again; one per thread.
#[derive(Debug, Default)]
pub struct FlyScratch {
    pub(super) search: Search,
    pub(super) quick: Quick,
    /// Portals as a body of `radius` may use them.
    shrunk: Vec<Shrunk>,
    radius: f64,
}

impl FlyScratch {
    /// Empty memory.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Finds paths on one mesh.
#[derive(Debug)]
pub struct FlyFinder<'a> {
    mesh: &'a VolumeMesh,
    gates: Vec<Gate>,
    /// Whether all gates are rectangles across an axis.
    rectangles: bool,
    trees: PortalTrees,
    /// The portals once more, if all are rectangles.
    quick: Option<QuickDoors>,
    walls: OnceLock<Walls>,
}

impl<'a> FlyFinder<'a> {
    /// A finder for a mesh.
    pub fn new(mesh: &'a VolumeMesh) -> Self {
        let gates: Vec<Gate> =
            mesh.portals().map(|portal| Gate::new(mesh.portal_points(portal).to_vec())).collect();
        let trees = PortalTrees::new(mesh, &gates);
        let rectangles = gates.iter().all(|gate| gate.across().is_some());
        let quick = rectangles.then(|| QuickDoors::new(&trees, mesh.raw().bounds));
        Self { mesh, gates, rectangles, quick, trees, walls: OnceLock::new() }
    }

    /// The mesh.
    pub fn mesh(&self) -> &'a VolumeMesh {
        self.mesh
    }

    pub(super) fn walls(&self) -> &Walls {
        self.walls.get_or_init(|| Walls::new(self.mesh))
    }

    /// Distance of a point from what bounds free space [m], if it is below `reach`.
    pub fn wall_distance(&self, p: DVec3, reach: f64) -> Option<f64> {
        self.walls().distance(p, reach)
    }

    /// Whether a ball gets straight from one point of a region to another.
    pub(crate) fn is_clear(&self, a: DVec3, b: DVec3, radius: f64) -> bool {
        self.walls().is_clear(a, b, radius)
    }

    /// A short path for a ball: every point of it is at least `radius` from every wall. Ends that lie in no region are
    /// moved by up to `snap` [m].
    pub fn find(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        snap: f64,
        scratch: &mut FlyScratch,
    ) -> Result<Flight, NoFlight> {
        self.find_or_lose(from, to, radius, snap, scratch).map_err(|lost| match lost {
            Lost::No(no) => no,
            Lost::Narrow(roaming) => {
                let (available, at) = widest(roaming);
                NoFlight::TooNarrow { at, available }
            }
        })
    }

    /// The same without the search for what would fit where the body does not.
    pub(crate) fn find_quickly(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        scratch: &mut FlyScratch,
    ) -> Option<Flight> {
        self.find_or_lose(from, to, radius, 0.0, scratch).ok()
    }

    fn find_or_lose(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        snap: f64,
        scratch: &mut FlyScratch,
    ) -> Result<Flight, Lost<'_>> {
        let ends = [(End::Start, from), (End::Goal, to)];
        let [start, goal] = ends.map(|(end, at)| {
            self.locate(at, snap).ok_or_else(|| NoFlight::OffMesh { end, at, nearest: self.nearest(at) })
        });
        let FlyPlace { region: start, point: from, distance: moved_from } = start?;
        let FlyPlace { region: goal, point: to, distance: moved_to } = goal?;
        if radius > 0.0 {
            for (end, at) in [(End::Start, from), (End::Goal, to)] {
                if let Some(available) = self.walls().distance(at, radius) {
                    return Err(NoFlight::TooTight { end, at, available }.into());
                }
            }
        }
        if self.mesh.component(start) != self.mesh.component(goal) {
            return Err(NoFlight::Disconnected { at: from }.into());
        }
        let FlyScratch { search, shrunk, radius: known, quick } = scratch;
        if *known != radius || shrunk.len() != self.gates.len() {
            *known = radius;
            shrunk.clear();
            shrunk.resize(self.gates.len(), Shrunk::Unknown);
        }
        let task = Task {
            mesh: self.mesh,
            trees: &self.trees,
            regions: [start, goal],
            ends: [from, to],
            limit: f64::INFINITY,
            forward: FORWARD,
            most: u32::MAX,
            quick: self.quick.as_ref(),
        };
        let clearance = |points: &[DVec3]| {
            let near =
                points.windows(2).filter_map(|pair| self.walls().nearest(pair[0], pair[1], 8.0 * radius));
            near.map(|pair| pair[0].distance(pair[1])).min_by(f64::total_cmp)
        };
        let flight = |mut points: Vec<DVec3>, regions: Option<Vec<RegionId>>, expanded: u32| {
            points.dedup();
            Flight {
                length: points.windows(2).map(|pair| pair[0].distance(pair[1])).sum(),
                regions: regions.unwrap_or_else(|| regions_along(self.mesh, start, &points)),
                radius,
                clearance: if radius > 0.0 { clearance(&points) } else { None },
                expanded,
                snapped: [moved_from, moved_to],
                points,
            }
        };
        let mut expanded = 0;
        if radius > 0.0 {
            // Forth as back: the end with the smaller coordinates is where it begins.
            let is_turned = to.to_array() < from.to_array();
            let task = match is_turned {
                true => Task { regions: [goal, start], ends: [to, from], ..task },
                false => task,
            };
            let mut body = Body { finder: self, task, radius, search, quick, shrunk, expanded: 0 };
            let mut points = body.path()?;
            expanded = body.expanded;
            if is_turned {
                points.reverse();
            }
            return Ok(flight(points, None, expanded));
        }
        if !self.rectangles && self.walls().is_clear(from, to, self.mesh.raw().tolerance) {
            return Ok(flight(vec![from, to], None, 0));
        }
        let mut gates = self.gates_of_a_point();
        let route = short(&task, &mut gates, search, quick, &mut expanded);
        let Route { taut, corridor } = route.ok_or(NoFlight::Disconnected { at: from })?;
        let points = taut.points(from, to);
        Ok(flight(points, Some(corridor.regions), expanded))
    }

    /// All portals as they are.
    pub(super) fn gates_of_a_point(&self) -> Gates<'_> {
        Gates {
            whole: &self.gates,
            rectangles: self.rectangles,
            shrunk: None,
            shrink: &|_| None,
            closed: Vec::new(),
        }
    }

    /// The portals as a body may use them.
    pub(super) fn gates_of_a_body<'b>(
        &'b self,
        shrunk: &'b mut [Shrunk],
        shrink: &'b dyn Fn(PortalId) -> Option<Gate>,
    ) -> Gates<'b> {
        Gates { shrunk: Some(shrunk), shrink, ..self.gates_of_a_point() }
    }

    /// The part of a portal that the centre of a ball may use: away from the edges near which there are walls.
    pub(super) fn shrink(&self, portal: PortalId, radius: f64) -> Option<Gate> {
        let outline = self.mesh.portal_points(portal);
        let normal = self.mesh.plane(self.mesh.portal_plane(portal)).normal;
        let mut points = outline.to_vec();
        // Edges without length have no plane; the others come in order.
        for edge in crate::polygon::edge_planes(outline, normal) {
            let on = |p: &&DVec3| edge.distance(**p).abs() <= self.mesh.raw().tolerance;
            let ends: Vec<DVec3> = outline.iter().filter(on).copied().collect();
            let (Some(&a), Some(&b)) = (ends.first(), ends.last()) else { continue };
            if self.walls().is_clear(a, b, radius) {
                continue;
            }
            let [inside, _] = crate::polygon::split(&points, &edge.moved(-radius), 0.0);
            points = inside?;
        }
        (points.len() >= 3).then(|| Gate::new(points))
    }

    /// The region that holds a point, or the nearest within `snap` [m].
    pub fn locate(&self, at: DVec3, snap: f64) -> Option<FlyPlace> {
        match self.mesh.region_at(at) {
            Some(region) => Some(FlyPlace { region, point: at, distance: 0.0 }),
            None => self.nearest_within(at, snap),
        }
    }

    /// The nearest point of a region, wherever it is.
    fn nearest(&self, at: DVec3) -> Option<(DVec3, f64)> {
        let [low, high] = self.mesh.raw().bounds;
        let reach = (high - low).length() + at.distance(at.clamp(low, high));
        self.nearest_within(at, reach).map(|place| (place.point, place.distance))
    }

    fn nearest_within(&self, at: DVec3, reach: f64) -> Option<FlyPlace> {
        let area = Aabb3 { min: at - reach, max: at + reach };
        let mut best: Option<(f64, u32, DVec3)> = None;
        self.mesh.tree.visit(&area, |region| {
            for (_, face) in self.mesh.faces(RegionId(region)) {
                let point = nearest_on_polygon(&face, at);
                let distance = point.distance(at);
                if distance <= reach
                    && best.is_none_or(|(other, number, _)| (distance, region) < (other, number))
                {
                    best = Some((distance, region, point));
                }
            }
            false
        });
        best.map(|(distance, region, point)| FlyPlace { region: RegionId(region), point, distance })
    }
}

/// A short path, and how many portals the searches took up for it.
pub(super) fn short(
    task: &Task,
    gates: &mut Gates,
    search: &mut Search,
    quick: &mut Quick,
    expanded: &mut u32,
) -> Option<Route> {
    if gates.are_boxes() {
        return among_boxes(task, gates, search, quick, expanded);
    }
    search.begin(task);
    let corridor = search.next(task, gates);
    *expanded += search.expanded;
    Some(improve(Route::through(corridor?, task.ends, gates), task, gates, search, quick))
}

/// The same for a point among boxes.
///
/// A search in a hurry comes first. What it finds is taken if it is no longer than moves along axes and diagonals would be with
/// nothing in the way: no path over a grid of any size is shorter. Most are.
fn among_boxes(
    task: &Task,
    gates: &mut Gates,
    search: &mut Search,
    quick: &mut Quick,
    expanded: &mut u32,
) -> Option<Route> {
    if let Some(corridor) = straight(task, gates) {
        return Some(Route::through(corridor, task.ends, gates));
    }
    let mut first = |forward: f64, limit: f64, gain: f64| {
        let task = Task { forward, limit, ..*task };
        let corridor = quick.find(&task);
        *expanded += quick.expanded;
        let route = past_rims(Route::through(corridor?, task.ends, gates), &task, gates, gain);
        Some((route, quick.expanded))
    };
    let (mut route, taken_up) = first(HURRIED, task.limit, rims::GAIN_IN_A_HURRY)?;
    let bar = grid_distance(task.ends);
    if taken_up > FEW && route.taut.length <= bar {
        route = pulled_again(route, task, gates);
        if route.taut.length <= bar {
            return Some(route);
        }
    }
    if let Some((careful, _)) = first(1.0, route.taut.length * (1.0 + LONGER), rims::GAIN)
        && careful.taut.length < route.taut.length
    {
        route = careful;
    }
    Some(improve(route, task, gates, search, quick))
}
