//! Where agents go: areas of the ground, and journeys from one to the next.

use wayfare_core::{DVec2, DVec3, id_type};
use wayfare_geom::segment::nearest_on_segment;

id_type!(
    /// A goal of a crowd.
    GoalId
);
id_type!(
    /// A journey of a crowd.
    JourneyId
);

/// A part of the ground.
#[derive(Clone, Debug, PartialEq)]
pub enum Area {
    /// What is within a distance of a point of the ground.
    Disc {
        /// The point; its height tells the storey.
        centre: DVec3,
        /// How far it reaches in plan [m]; > 0.
        radius: f64,
    },
    /// A convex polygon in plan, counter-clockwise.
    Convex {
        /// Its corners.
        ring: Vec<DVec2>,
        /// The heights of the ground that counts, lowest and highest [m].
        heights: [f64; 2],
    },
}

impl Area {
    /// A rectangle in plan on ground of any height.
    pub fn rectangle(low: DVec2, high: DVec2) -> Self {
        let ring = vec![low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
        Self::Convex { ring, heights: [f64::NEG_INFINITY, f64::INFINITY] }
    }

    /// Whether a point of the ground lies in it.
    pub fn contains(&self, at: DVec2, z: f64) -> bool {
        match self {
            // A storey is higher than a body, and nobody is a body away from the ground.
            Self::Disc { centre, radius } => {
                at.distance_squared(centre.truncate()) <= radius * radius && (z - centre.z).abs() <= 1.0
            }
            Self::Convex { ring, heights } => {
                (heights[0]..=heights[1]).contains(&z) && is_in_convex(ring, at)
            }
        }
    }
}

/// Whether a point lies in a counter-clockwise convex ring. A rounded answer will do: whoever stands on the edge of an
/// area may or may not have arrived.
pub(crate) fn is_in_convex(ring: &[DVec2], p: DVec2) -> bool {
    let ends = ring.iter().cycle().skip(1);
    ring.len() >= 3 && ring.iter().zip(ends).all(|(&a, &b)| (b - a).perp_dot(p - a) >= 0.0)
}

/// The point of a counter-clockwise convex ring, a segment or a point that is nearest.
pub(crate) fn nearest_in_convex(ring: &[DVec2], p: DVec2) -> DVec2 {
    if is_in_convex(ring, p) {
        return p;
    }
    let ends = ring.iter().cycle().skip(1);
    let feet = ring.iter().zip(ends).map(|(&a, &b)| nearest_on_segment(p, a, b));
    let nearest = feet.min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p)));
    nearest.unwrap_or(p)
}

/// Where agents want to be: in any of some areas, whichever is nearest to walk to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Goal {
    /// The areas.
    pub areas: Vec<Area>,
    /// The most agents that arrive per second, as at an exit with a turnstile; nothing: any number. The others stand in the
    /// area and wait.
    pub cap: Option<f64>,
}

impl Goal {
    /// One area.
    pub fn new(area: Area) -> Self {
        Self { areas: vec![area], cap: None }
    }
    /// A point of the ground; an agent that is within `radius` has arrived.
    pub fn point(centre: DVec3, radius: f64) -> Self {
        Self::new(Area::Disc { centre, radius })
    }
    /// Whether an agent there has arrived.
    pub fn contains(&self, at: DVec2, z: f64) -> bool {
        self.areas.iter().any(|area| area.contains(at, z))
    }
}

/// A goal on a journey.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Where to.
    pub goal: GoalId,
    /// How long agents stay there [s]; 0 or more.
    pub wait: f64,
}

/// What agents do at the end of a journey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtEnd {
    /// They are taken out of the crowd, as at an exit.
    #[default]
    Leave,
    /// They stay where they are, and are still bodies.
    Stay,
    /// They begin again.
    Repeat,
}

/// Goals in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journey {
    /// The goals; one at least.
    pub legs: Vec<Leg>,
    /// What comes after the last.
    pub at_end: AtEnd,
}

impl Journey {
    /// To one goal, where agents leave.
    pub fn exit(goal: GoalId) -> Self {
        Self { legs: vec![Leg { goal, wait: 0.0 }], at_end: AtEnd::Leave }
    }
}
