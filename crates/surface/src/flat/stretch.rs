//! How far a flat chart is from isometric.
//!
//! Source: Sander et al. 2001, "Texture mapping progressive meshes". Γ ≥ γ are the singular values of the map from the plane to
//! the surface: L∞ = Γ, L² = √((Γ² + γ²) / 2); 1/γ says how much the plane is larger than the surface, which L∞ does not see.

use super::{ChartMesh, slim};
use crate::SurfaceMesh;
use wayfare_core::DVec2;

/// Stretch of some faces: means weighted with the areas on the surface, and largest values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Mean of Γ.
    pub linf_mean: f64,
    /// Largest Γ.
    pub linf_max: f64,
    /// Root of the mean of L².
    pub l2_mean: f64,
    /// Largest L² of a face.
    pub l2_max: f64,
    /// Mean of 1/γ.
    pub shrink_mean: f64,
    /// Largest 1/γ.
    pub shrink_max: f64,
    /// Area on the surface.
    pub area: f64,
}

impl Stretch {
    /// Of nothing.
    pub const NONE: Self = Self {
        linf_mean: 1.0,
        linf_max: 1.0,
        l2_mean: 1.0,
        l2_max: 1.0,
        shrink_mean: 1.0,
        shrink_max: 1.0,
        area: 0.0,
    };

    /// Of a flat chart.
    pub(crate) fn of(surface: &SurfaceMesh, chart: &ChartMesh, positions: &[DVec2]) -> Self {
        let mut sum = Self { linf_mean: 0.0, l2_mean: 0.0, shrink_mean: 0.0, ..Self::NONE };
        for (rest, triangle) in slim::rest(surface, chart).iter().zip(&chart.triangles) {
            let j = slim::jacobian(rest, triangle.map(|v| positions[v as usize]));
            let (large, small) = slim::singular(j);
            let (linf, gamma) = (1.0 / small, 1.0 / large);
            let l2 = (0.5 * (linf * linf + gamma * gamma)).sqrt();
            sum.linf_mean += rest.area * linf;
            sum.l2_mean += rest.area * l2 * l2;
            sum.shrink_mean += rest.area * large;
            sum.linf_max = sum.linf_max.max(linf);
            sum.l2_max = sum.l2_max.max(l2);
            sum.shrink_max = sum.shrink_max.max(large);
            sum.area += rest.area;
        }
        let area = sum.area.max(f64::MIN_POSITIVE);
        Self {
            linf_mean: sum.linf_mean / area,
            l2_mean: (sum.l2_mean / area).sqrt(),
            shrink_mean: sum.shrink_mean / area,
            ..sum
        }
    }

    /// Of both together.
    pub fn and(self, other: Self) -> Self {
        let area = (self.area + other.area).max(f64::MIN_POSITIVE);
        let mean = |a: f64, b: f64| (a * self.area + b * other.area) / area;
        Self {
            linf_mean: mean(self.linf_mean, other.linf_mean),
            linf_max: self.linf_max.max(other.linf_max),
            l2_mean: mean(self.l2_mean * self.l2_mean, other.l2_mean * other.l2_mean).sqrt(),
            l2_max: self.l2_max.max(other.l2_max),
            shrink_mean: mean(self.shrink_mean, other.shrink_mean),
            shrink_max: self.shrink_max.max(other.shrink_max),
            area: self.area + other.area,
        }
    }
}
