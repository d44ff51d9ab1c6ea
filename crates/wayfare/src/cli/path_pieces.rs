//! The pieces of a path as they are printed: straight, round a corner, stepped, flown.

use serde::Serialize;
use wayfare::{
    core::DVec3,
    geom::segment::distance_squared_to_segment,
    navmesh::{self, NavMesh, PlanPiece, Stride},
};

/// A piece of a path on the ground: straight, round a corner, or over a gap or a step.
#[derive(Clone, Serialize)]
pub struct Segment {
    pub kind: &'static str,
    pub from: [f64; 3],
    pub to: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub centre: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// How far it turns [rad], to the left if positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<f64>,
    /// How high one steps [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rise: Option<f64>,
    /// How far one steps, seen from above [m]; 0 for a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
}

impl Segment {
    fn line(from: DVec3, to: DVec3) -> Self {
        let (from, to) = (from.to_array(), to.to_array());
        Self { kind: "line", from, to, centre: None, radius: None, turn: None, rise: None, width: None }
    }
    /// A straight piece through the air.
    pub fn fly(from: DVec3, to: DVec3) -> Self {
        Self { kind: "fly", ..Self::line(from, to) }
    }
    fn gap(stride: &Stride) -> Self {
        let (rise, width) = (Some(stride.rise), Some(stride.width));
        Self { kind: "gap", rise, width, ..Self::line(stride.from, stride.to) }
    }
    /// Its length in plan, straight from end to end.
    pub fn chord(&self) -> f64 {
        DVec3::from_array(self.from).truncate().distance(DVec3::from_array(self.to).truncate())
    }
}

/// The pieces of a path: what is walked, and what is stepped in between.
pub fn segments(mesh: &NavMesh, path: &navmesh::Path) -> Vec<Segment> {
    let walked = walked_segments(path);
    let strides = path.strides(mesh);
    if strides.is_empty() { walked } else { cut_by_strides(walked, &strides) }
}

/// Puts strides into a path. What is walked ends where a stride begins, and goes on where it ends.
fn cut_by_strides(walked: Vec<Segment>, strides: &[Stride]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut strides = strides.iter().peekable();
    // Where the path goes on, if a stride has just begun.
    let mut landing: Option<DVec3> = None;
    for mut segment in walked {
        let whole = segment.chord();
        if let Some(at) = landing.filter(|&at| segment.holds(at)) {
            segment.from = at.to_array();
            landing = None;
        }
        while landing.is_none()
            && let Some(stride) = strides.next_if(|stride| segment.holds(stride.from))
        {
            let before = segment.up_to(stride.from, whole);
            segments.extend(Some(before).filter(|part| part.from != part.to));
            segments.push(Segment::gap(stride));
            if segment.holds(stride.to) {
                segment.from = stride.to.to_array();
            } else {
                landing = Some(stride.to);
            }
        }
        let is_nothing = segment.chord() <= SAME && segments.last().is_some_and(|last| last.kind == "gap");
        if landing.is_none() && !is_nothing {
            segments.push(segment.up_to(DVec3::from_array(segment.to), whole));
        }
    }
    segments
}

/// How far places that are one may be apart by rounding, and how far a chord is from its arc at most [m].
const SAME: f64 = 1e-7;
const OFF_ARC: f64 = 5e-3;

impl Segment {
    /// Whether a place lies on it, seen from above.
    fn holds(&self, p: DVec3) -> bool {
        let [from, to, p] =
            [DVec3::from_array(self.from), DVec3::from_array(self.to), p].map(DVec3::truncate);
        match (self.centre, self.radius, self.turn) {
            (Some(centre), Some(radius), Some(turn)) => {
                let centre = DVec3::from_array(centre).truncate();
                let [from, to, p] = [from, to, p].map(|p| p - centre);
                let is_between = from.perp_dot(p) * turn >= -SAME && p.perp_dot(to) * turn >= -SAME;
                is_between && (p.length() - radius).abs() <= OFF_ARC
            }
            _ => distance_squared_to_segment(p, from, to) <= SAME * SAME,
        }
    }

    /// The part of it up to a place on it; of an arc a part as large as that of its chord, whose `whole` is as long.
    fn up_to(&self, end: DVec3, whole: f64) -> Self {
        let part = Self { to: end.to_array(), ..self.clone() };
        let share = if whole > 0.0 { part.chord() / whole } else { 1.0 };
        Self { turn: self.turn.map(|turn| turn * share), ..part }
    }
}

/// The pieces of a path in plan with heights: an arc is one, a line one from point to point of the ground.
fn walked_segments(path: &navmesh::Path) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut rest = path.points.as_slice();
    for piece in &path.pieces {
        // Ends of pieces are points of the path.
        let end = piece.ends()[1];
        let count = rest.iter().skip(1).position(|p| p.truncate() == end).map_or(rest.len(), |k| k + 2);
        let (own, _) = rest.split_at(count.min(rest.len()));
        rest = &rest[own.len().saturating_sub(1)..];
        match (*piece, own) {
            (PlanPiece::Arc { centre, radius, turn, .. }, [from, .., to]) => segments.push(Segment {
                kind: "arc",
                from: from.to_array(),
                to: to.to_array(),
                centre: Some(centre.extend(from.z).to_array()),
                radius: Some(radius),
                turn: Some(turn),
                rise: None,
                width: None,
            }),
            _ => segments.extend(own.windows(2).map(|pair| Segment::line(pair[0], pair[1]))),
        }
    }
    segments
}
