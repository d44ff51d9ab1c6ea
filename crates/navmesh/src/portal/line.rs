//! A portal as a line on which distances to features are quadratics.

use crate::{
    clearance::Feature,
    mesh::{CornerId, NavMesh},
};
use wayfare_core::DVec2;
use wayfare_geom::quadratic::Quadratic;

/// The points a + σ e, 0 ≤ σ ≤ 1, of a corner's edge; σ is a *share* of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub a: DVec2,
    pub e: DVec2,
}

impl Line {
    pub fn of(mesh: &NavMesh, corner: CornerId) -> Self {
        let [a, b] = mesh.edge(corner).map(|v| mesh.xy(v));
        Self { a, e: b - a }
    }
    pub fn point(&self, share: f64) -> DVec2 {
        self.a + self.e * share
    }
    /// The square of a feature's distance (an edge as a whole line).
    pub fn distance_squared(&self, feature: &Feature) -> Quadratic {
        let arm = self.a - feature.at;
        if feature.is_edge() {
            Quadratic::square(self.e.dot(feature.normal()), arm.dot(feature.normal()))
        } else {
            Quadratic { a: self.e.length_squared(), b: 2.0 * arm.dot(self.e), c: arm.length_squared() }
        }
    }
    /// The part of the line that lies in front of a part of an edge, but for a hair; all of it for a corner.
    pub fn window(&self, feature: &Feature, low: f64, high: f64, hair: f64) -> Option<[f64; 2]> {
        let mut window = [0.0, 1.0];
        if feature.is_edge() {
            let arm = self.a - feature.at;
            let (start, slope) = (arm.dot(feature.axis), self.e.dot(feature.axis));
            clip(&mut window, start - low + hair, slope);
            clip(&mut window, high - start + hair, -slope);
            clip(&mut window, arm.dot(feature.normal()) + hair, self.e.dot(feature.normal()));
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
