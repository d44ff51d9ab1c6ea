//! Straightest geodesics: straight over edges, and through vertices so that the angles on both sides are equal.
//!
//! Source: Polthier and Schmies 1998, "Straightest geodesics on polyhedral surfaces". Unlike shortest paths there is one from
//! every point in every direction, also through vertices with an angle over 2π. It ends at the border.
//! Cost: one step per edge.

use crate::{HalfEdgeId, Place, SurfaceError, SurfaceMesh, SurfacePath, SurfacePoint, exact::window::length};
use wayfare_core::ops;

/// A line this near to the end of an edge, relatively, leads through the vertex there.
const ON_VERTEX: f64 = 1e-12;

/// Walks straight from a point of a face, in the direction `[x, y]` of the frame of the face's first side (x along it,
/// the face above), `distance` far or to the border. The path's length says how far it came.
///
/// A start on an edge or a vertex belongs to the face that it names: a direction that leaves it at once does so over that edge,
/// or turns at the vertex into the next face of the fan.
pub fn walk_straight(
    surface: &SurfaceMesh,
    start: &SurfacePoint,
    direction: [f64; 2],
    distance: f64,
) -> Result<SurfacePath, SurfaceError> {
    let start = SurfacePoint::new(surface, start.face, start.barycentric)?;
    let norm = length(direction[0], direction[1]);
    // Written so that NaN fails.
    if !(norm > 0.0 && norm.is_finite()) {
        return Err(SurfaceError::Config {
            field: "direction",
            value: norm,
            range: "a vector that is not zero",
        });
    }
    if !(distance >= 0.0 && distance.is_finite()) {
        return Err(SurfaceError::Config { field: "distance", value: distance, range: ">= 0 m" });
    }
    let mut path = SurfacePath { points: vec![start], length: 0.0 };
    let mut walker = Walker {
        face_side: start.face.half_edges()[0],
        at: [0.0; 2],
        along: direction.map(|d| d / norm),
        entry: Entry::Start,
    };
    walker.at = start.in_frame(surface, walker.face_side);
    if let Place::Corner(corner) = start.place(surface) {
        let Some(turned) = walker.leave_corner(surface, corner) else { return Ok(path) };
        path.points[0] = SurfacePoint::at_corner(turned.face_side);
        walker = turned;
    }
    // The number of steps is bounded by the distance and the smallest height of a face; this is for rounding.
    let most = 64 + 64 * surface.face_count();
    for _ in 0..most {
        let left = distance - path.length;
        let Some((exit, t, step)) = walker.exit(surface) else { break };
        if step >= left {
            let [x, y] = [0, 1].map(|k| walker.at[k] + left * walker.along[k]);
            path.points.push(point_at(surface, walker.face_side, [x, y]));
            path.length = distance;
            return Ok(path);
        }
        path.length += step;
        let side = surface.length(exit);
        let along = t / side;
        let next = if along < ON_VERTEX {
            path.points.push(SurfacePoint::at_corner(exit));
            walker.through_vertex(surface, exit)
        } else if along > 1.0 - ON_VERTEX {
            path.points.push(SurfacePoint::at_corner(exit.next()));
            walker.through_vertex(surface, exit.next())
        } else {
            path.points.push(SurfacePoint::on_edge(exit, along));
            walker.over_edge(surface, exit, t)
        };
        match next {
            Some(next) => walker = next,
            // The border.
            None => return Ok(path),
        }
    }
    Ok(path)
}

/// Where the walk is, in the frame of a side of its face.
#[derive(Clone, Copy)]
struct Walker {
    face_side: HalfEdgeId,
    at: [f64; 2],
    along: [f64; 2],
    /// How it came in; rounding must not let it out by the same way.
    entry: Entry,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    Start,
    Side,
    Corner,
}

impl Walker {
    /// The side by which the line leaves the face, where on it, and after which distance.
    fn exit(&self, surface: &SurfaceMesh) -> Option<(HalfEdgeId, f64, f64)> {
        let base = surface.length(self.face_side);
        let apex = surface.apex(self.face_side);
        let corners = [[0.0, 0.0], [base, 0.0], apex];
        let sides = [self.face_side, self.face_side.next(), self.face_side.previous()];
        let mut best: Option<(HalfEdgeId, f64, f64)> = None;
        for k in 0..3 {
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            let edge = [q[0] - p[0], q[1] - p[1]];
            let came_in = match self.entry {
                Entry::Start => false,
                Entry::Side => k == 0,
                Entry::Corner => k != 1,
            };
            if came_in {
                continue;
            }
            // Leaving is to the right of a side.
            let outward = self.along[0] * edge[1] - self.along[1] * edge[0];
            if outward <= 0.0 {
                continue;
            }
            let to = [p[0] - self.at[0], p[1] - self.at[1]];
            let step = ((to[0] * edge[1] - to[1] * edge[0]) / outward).max(0.0);
            if best.is_none_or(|(_, _, least)| step < least) {
                let side = surface.length(sides[k]);
                let hit = [0, 1].map(|k| self.at[k] + step * self.along[k] - p[k]);
                let t = (hit[0] * edge[0] + hit[1] * edge[1]) / side;
                best = Some((sides[k], t.clamp(0.0, side), step));
            }
        }
        best
    }

    /// The direction in the frame of a side of the same face.
    fn in_side(&self, surface: &SurfaceMesh, side: HalfEdgeId) -> [f64; 2] {
        let (base, [x, y]) = (surface.length(self.face_side), surface.apex(self.face_side));
        let edge = if side == self.face_side {
            [base, 0.0]
        } else if side == self.face_side.next() {
            [x - base, y]
        } else {
            [-x, -y]
        };
        let size = surface.length(side);
        let (ux, uy) = (edge[0] / size, edge[1] / size);
        [ux * self.along[0] + uy * self.along[1], ux * self.along[1] - uy * self.along[0]]
    }

    fn over_edge(&self, surface: &SurfaceMesh, exit: HalfEdgeId, t: f64) -> Option<Self> {
        let twin = surface.twin(exit)?;
        let [x, y] = self.in_side(surface, exit);
        let (at, x) = if surface.is_mirrored(exit) { (t, x) } else { (surface.length(exit) - t, -x) };
        Some(Self { face_side: twin, at: [at, 0.0], along: [x, -y], entry: Entry::Side })
    }

    /// Through the corner of the present face that begins at `corner`: half of the total angle further round.
    fn through_vertex(&self, surface: &SurfaceMesh, corner: HalfEdgeId) -> Option<Self> {
        let vertex = surface.origin(corner);
        if surface.is_border(vertex) {
            return None;
        }
        // Where the line comes from, as an angle at the corner from the side `corner` towards the side before it.
        let [x, y] = self.in_side(surface, corner);
        let from = ops::atan2(-y, -x).clamp(0.0, surface.corner_angle(corner));
        let left = surface.total_angle(vertex) * 0.5 - (surface.corner_angle(corner) - from);
        turn(surface, corner, false, left)
    }

    /// From a corner in a direction that may leave the face at once.
    fn leave_corner(&self, surface: &SurfaceMesh, corner: HalfEdgeId) -> Option<Self> {
        let [x, y] = self.in_side(surface, corner);
        let angle = ops::atan2(y, x);
        let inside = surface.corner_angle(corner);
        if angle < 0.0 {
            turn(surface, corner, true, -angle)
        } else {
            turn(surface, corner, false, angle - inside)
        }
    }
}

/// Round a vertex from the face of `h`, which starts there: out over the side before `h` (or `h` itself, backwards), and `left`
/// further [rad]; less than 0 is still inside the face.
fn turn(surface: &SurfaceMesh, h: HalfEdgeId, backwards: bool, left: f64) -> Option<Walker> {
    let vertex = surface.origin(h);
    let (mut h, mut backwards, mut left) = (h, backwards, left);
    for _ in 0..2 * surface.corners(vertex).len() + 2 {
        if left <= 0.0 {
            break;
        }
        let crossed = if backwards { h } else { h.previous() };
        let twin = surface.twin(crossed)?;
        // The side that was crossed starts at the vertex in the next face, or ends there.
        (h, backwards) = if surface.origin(twin) == vertex { (twin, false) } else { (twin.next(), true) };
        left -= surface.corner_angle(h);
    }
    // `left` is now minus what of the angle of the last face is too much.
    let angle = surface.corner_angle(h) + left.min(0.0);
    let angle = if backwards { surface.corner_angle(h) - angle } else { angle };
    Some(Walker {
        face_side: h,
        at: [0.0, 0.0],
        along: [ops::cos(angle), ops::sin(angle)],
        entry: Entry::Corner,
    })
}

/// A point of the frame of a side as one of its face.
fn point_at(surface: &SurfaceMesh, side: HalfEdgeId, [x, y]: [f64; 2]) -> SurfacePoint {
    let (base, apex) = (surface.length(side), surface.apex(side));
    let to_apex = (y / apex[1]).clamp(0.0, 1.0);
    let to_end = ((x - to_apex * apex[0]) / base).clamp(0.0, 1.0 - to_apex);
    let mut barycentric = [0.0; 3];
    barycentric[side.side()] = (1.0 - to_apex - to_end).max(0.0);
    barycentric[side.next().side()] = to_end;
    barycentric[side.previous().side()] = to_apex;
    SurfacePoint { face: side.face(), barycentric }
}
