//! Paths of the base mesh on the surface that it stands for.
//!
//! Idea: a path is straight in the plane of each chart. So it is walked there from face to face of the surface, towards the next
//!   point where it enters another face of the base mesh; over the border of a chart the plane is continued into the next one.
//! Source: seed 004, figure 5.4.
//! The walk is in one piece: where two charts do not quite fit, it goes on from where it is. What is missing at the end is found on the
//! surface, exactly.
//! Cost: one step per edge crossed.

use super::{
    BaseMesh,
    frame::{Similarity, clean, weights},
};
use crate::{
    ExactSolver, Field, HalfEdgeId, Place, Query, SurfaceError, SurfaceMesh, SurfacePath, SurfacePoint,
    VertexId, path::faces_of,
};
use wayfare_core::{Context, DVec2, Id as _};

/// Where the walk is: in a face of a chart, at a place of its plane.
struct Walker<'a> {
    base: &'a BaseMesh,
    surface: &'a SurfaceMesh,
    chart: usize,
    place: usize,
    at: DVec2,
    /// The side that it came in by; rounding must not let it out there.
    entered: Option<u32>,
    points: Vec<SurfacePoint>,
}

impl BaseMesh {
    /// The path to a target of a query on this base mesh, on the surface, if the target has been reached; `source` and `target` are
    /// the points of the surface that it runs between. Its length is measured on the surface: it is no shorter than the
    /// shortest, and differs from the field's distance by what the base mesh errs.
    pub fn path_to_target(
        &self,
        surface: &SurfaceMesh,
        field: &Field,
        number: usize,
        sources: &[SurfacePoint],
        target: &SurfacePoint,
    ) -> Result<Option<SurfacePath>, SurfaceError> {
        let Some(path) = field.path_to_target(&self.surface, number) else { return Ok(None) };
        // The source that it came from.
        let first = path.points.first().map(|first| self.to_surface(surface, first));
        let place = |point: &SurfacePoint| {
            let base = self.to_base(surface, point);
            path.points.first().is_some_and(|first| {
                faces_of(&self.surface, first).iter().any(|same| {
                    same.face == base.face
                        && same.barycentric.iter().zip(base.barycentric).all(|(a, b)| (a - b).abs() < 1e-9)
                })
            })
        };
        let source = sources.iter().find(|source| place(source)).copied().or(first);
        let Some(source) = source else { return Ok(None) };
        self.path_on_surface(surface, &path, &source, target).map(Some)
    }

    /// A path of the base mesh on the surface, between two points of the surface.
    pub fn path_on_surface(
        &self,
        surface: &SurfaceMesh,
        path: &SurfacePath,
        source: &SurfacePoint,
        target: &SurfacePoint,
    ) -> Result<SurfacePath, SurfaceError> {
        let mut walker = Walker {
            base: self,
            surface,
            chart: 0,
            place: 0,
            at: DVec2::ZERO,
            entered: None,
            points: vec![*source],
        };
        walker.stand(source);
        // From the plane of the piece's chart to that of the walker.
        let mut frame: Option<(usize, Similarity)> = None;
        for pair in path.points.windows(2) {
            let face = pair[0].face;
            let Some(next) = faces_of(&self.surface, &pair[1]).into_iter().find(|point| point.face == face)
            else {
                continue;
            };
            let chart = self.raw.charts[face.index()] as usize;
            let corners = self.raw.corners[face.index()];
            let place = |point: &SurfacePoint| {
                corners.iter().zip(point.barycentric).fold(DVec2::ZERO, |sum, (p, w)| sum + *p * w)
            };
            walker.prefer(chart, place(&next));
            let to_walker = if walker.chart == chart {
                Similarity::IDENTITY
            } else {
                match frame {
                    Some((known, frame)) if known == chart => frame,
                    // Just over a border of the base mesh: the plane behind it is the walker's.
                    _ => match self.side_between(&pair[0], walker.chart) {
                        Some(over) => over,
                        None => continue,
                    },
                }
            };
            let over = walker.walk(to_walker.apply(place(&next)));
            frame = Some((chart, to_walker.then(&over)));
            if let Place::Corner(h) = next.place(&self.surface) {
                let vertex = self.raw.vertices[self.surface.origin(h).index()];
                walker.snap_to_vertex(VertexId(vertex));
            }
        }
        walker.finish(target)
    }

    /// From the chart of a point of the base mesh over the side that it lies on to another chart.
    fn side_between(&self, point: &SurfacePoint, chart: usize) -> Option<Similarity> {
        let sides = point.face.half_edges().into_iter();
        let mut twins = sides.filter_map(|h| Some((h, self.surface.twin(h)?)));
        let (h, twin) = twins.find(|(_, twin)| self.raw.charts[twin.face().index()] as usize == chart)?;
        Some(self.base_crossing(h.0, twin.0))
    }
}

impl Walker<'_> {
    /// Stands at a point of the surface.
    fn stand(&mut self, point: &SurfacePoint) {
        let [chart, place] = self.base.charts.places[point.face.index()].map(|k| k as usize);
        (self.chart, self.place, self.entered) = (chart, place, None);
        self.at = DVec2::from_array(self.base.flat_place(point).1);
    }

    /// At the start, or at a vertex, several faces can be stood in: the one that leads to a place of a chart's plane.
    fn prefer(&mut self, chart: usize, goal: DVec2) {
        let Some(&last) = self.points.last() else { return };
        let same = faces_of(self.surface, &last);
        if same.len() < 2 || (self.entered.is_some() && self.chart == chart) {
            return;
        }
        let mut best: Option<(f64, SurfacePoint)> = None;
        for point in same {
            let [of, place] = self.base.charts.places[point.face.index()].map(|k| k as usize);
            if of != chart {
                continue;
            }
            // A small step towards the goal stays inside the face, or leaves it least.
            let corners = self.base.charts.charts[of].corners(place);
            let at = DVec2::from_array(self.base.flat_place(&point).1);
            let step = (goal - at).normalize_or_zero() * (1e-6 * (corners[1] - corners[0]).length());
            let weights = weights(corners, at + step);
            let least = weights[0].min(weights[1]).min(weights[2]);
            if best.is_none_or(|best| least > best.0) {
                best = Some((least, point));
            }
        }
        if let Some((_, point)) = best {
            if let Some(last) = self.points.last_mut() {
                *last = point;
            }
            self.stand(&point);
        }
    }

    /// Walks straight to a place of its chart's plane; returns what the plane has become on the way.
    fn walk(&mut self, goal: DVec2) -> Similarity {
        let mut goal = goal;
        let mut frame = Similarity::IDENTITY;
        // Each face is crossed once or twice at most; the bound is for rounding.
        for _ in 0..2 * self.surface.face_count() + 16 {
            let chart = &self.base.charts.charts[self.chart];
            let corners = chart.corners(self.place);
            let inside = weights(corners, goal);
            if inside.iter().all(|weight| *weight >= -1e-12) {
                self.at = goal;
                self.points.push(self.base.point_of(self.chart, self.place, clean(inside)));
                self.entered = None;
                return frame;
            }
            let along = goal - self.at;
            let mut exit: Option<(f64, usize)> = None;
            for k in 0..3 {
                let (p, q) = (corners[k], corners[(k + 1) % 3]);
                // Leaving is to the right of a side.
                let outward = along.perp_dot(q - p);
                if outward <= 0.0 || self.entered == Some(chart.mesh.sides[self.place][k]) {
                    continue;
                }
                let t = (p - self.at).perp_dot(q - p) / outward;
                if exit.is_none_or(|(least, _)| t < least) {
                    exit = Some((t, k));
                }
            }
            let Some((t, k)) = exit else { break };
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            let at = self.at + along * t.clamp(0.0, 1.0);
            let fraction = ((at - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0);
            self.at = p + (q - p) * fraction;
            let side = HalfEdgeId(chart.mesh.sides[self.place][k]);
            let start = chart.mesh.vertices[chart.mesh.triangles[self.place][k] as usize];
            // Weights as the surface has them, in the face that comes.
            let from_origin = |h: HalfEdgeId| {
                if self.surface.origin(h).0 == start { fraction } else { 1.0 - fraction }
            };
            let Some((twin, over)) = self.base.surface_crossing(self.surface, side) else {
                // The border of the surface: from here, on.
                self.points.push(SurfacePoint::on_edge(side, from_origin(side)));
                break;
            };
            self.points.push(SurfacePoint::on_edge(twin, from_origin(twin)));
            self.entered = Some(twin.0);
            let [next, place] = self.base.charts.places[twin.face().index()].map(|k| k as usize);
            if next != self.chart {
                (self.at, goal) = (over.apply(self.at), over.apply(goal));
                frame = frame.then(&over);
            }
            (self.chart, self.place) = (next, place);
        }
        frame
    }

    /// At a vertex that the path bends at, if it is a corner of the present face.
    fn snap_to_vertex(&mut self, vertex: VertexId) {
        let Some(&last) = self.points.last() else { return };
        for here in faces_of(self.surface, &last) {
            let corner = here.face.half_edges().into_iter().find(|&h| self.surface.origin(h) == vertex);
            if let Some(corner) = corner {
                if let Some(last) = self.points.last_mut() {
                    *last = here;
                }
                let point = SurfacePoint::at_corner(corner);
                self.points.push(point);
                self.stand(&point);
                return;
            }
        }
    }

    /// To the target itself.
    fn finish(mut self, target: &SurfacePoint) -> Result<SurfacePath, SurfaceError> {
        let targets = faces_of(self.surface, target);
        let Some(&last) = self.points.last() else {
            return Ok(SurfacePath { points: vec![*target], length: 0.0 });
        };
        let shared = faces_of(self.surface, &last).into_iter().find_map(|here| {
            targets.iter().find(|there| there.face == here.face).map(|there| (here, *there))
        });
        if let Some((here, there)) = shared {
            if let Some(last) = self.points.last_mut() {
                *last = here;
            }
            self.points.push(there);
        } else {
            let query = Query { targets: vec![*target], only_targets: true, ..Query::default() };
            let field = ExactSolver::new(self.surface).solve(&[last], &query, &Context::default())?;
            if let Some(rest) = field.path_to_target(self.surface, 0) {
                self.points.pop();
                self.points.extend(rest.points);
            }
        }
        Ok(SurfacePath { length: length(self.surface, &self.points), points: self.points })
    }
}

/// The length of the pieces, each in the face of its first point.
fn length(surface: &SurfaceMesh, points: &[SurfacePoint]) -> f64 {
    let piece = |pair: &[SurfacePoint]| {
        let frame = pair[0].face.half_edges()[0];
        let end = faces_of(surface, &pair[1]).into_iter().find(|point| point.face == pair[0].face);
        let ([x, y], [u, v]) = (pair[0].in_frame(surface, frame), end?.in_frame(surface, frame));
        Some(crate::exact::window::length(u - x, v - y))
    };
    points.windows(2).filter_map(piece).sum()
}
