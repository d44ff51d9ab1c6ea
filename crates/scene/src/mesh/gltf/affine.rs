//! Where a node of the scene graph is.

use std::ops::Mul;
use wayfare_core::{DVec3, dvec3};

/// x ↦ `x_axis` x + `y_axis` y + `z_axis` z + `origin`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Affine {
    axes: [DVec3; 3],
    origin: DVec3,
}

impl Affine {
    pub const IDENTITY: Self = Self {
        axes: [dvec3(1.0, 0.0, 0.0), dvec3(0.0, 1.0, 0.0), dvec3(0.0, 0.0, 1.0)],
        origin: DVec3::ZERO,
    };

    /// From the columns of a matrix; its last row is (0, 0, 0, 1) by the specification.
    pub fn from_columns(m: &[f64; 16]) -> Self {
        let column = |k: usize| dvec3(m[4 * k], m[4 * k + 1], m[4 * k + 2]);
        Self { axes: [column(0), column(1), column(2)], origin: column(3) }
    }

    /// Scales, then turns by a quaternion (x, y, z, w), then moves.
    pub fn from_parts(
        translation: Option<&[f64; 3]>,
        rotation: Option<&[f64; 4]>,
        scale: Option<&[f64; 3]>,
    ) -> Self {
        let mut axes = Self::IDENTITY.axes;
        if let Some(&[x, y, z, w]) = rotation {
            // Files round quaternions; a length other than one would scale.
            let norm = x * x + y * y + z * z + w * w;
            if norm > 0.0 {
                let s = 2.0 / norm;
                axes = [
                    dvec3(1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
                    dvec3(s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)),
                    dvec3(s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)),
                ];
            }
        }
        if let Some(scale) = scale {
            for (axis, factor) in axes.iter_mut().zip(scale) {
                *axis *= *factor;
            }
        }
        Self { axes, origin: translation.map_or(DVec3::ZERO, |&t| t.into()) }
    }

    pub fn apply(&self, p: DVec3) -> DVec3 {
        self.apply_to_direction(p) + self.origin
    }

    fn apply_to_direction(&self, p: DVec3) -> DVec3 {
        self.axes[0] * p.x + self.axes[1] * p.y + self.axes[2] * p.z
    }

    /// Whether left becomes right.
    pub fn mirrors(&self) -> bool {
        self.axes[0].cross(self.axes[1]).dot(self.axes[2]) < 0.0
    }
}

impl Mul for Affine {
    type Output = Self;
    /// The place of a child in the space of the parent's parent.
    fn mul(self, child: Self) -> Self {
        Self { axes: child.axes.map(|axis| self.apply_to_direction(axis)), origin: self.apply(child.origin) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_scale_then_turn_then_move_and_a_parent_acts_last() {
        let half = 0.5f64.sqrt();
        // A quarter turn about y takes z to x.
        let child = Affine::from_parts(
            Some(&[10.0, 0.0, 0.0]),
            Some(&[0.0, half, 0.0, half]),
            Some(&[1.0, 1.0, 2.0]),
        );
        assert!((child.apply(dvec3(0.0, 0.0, 1.0)) - dvec3(12.0, 0.0, 0.0)).length() < 1e-12);
        let parent = Affine::from_columns(&[
            1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 5.0, 0.0, 1.0,
        ]);
        assert!(parent.mirrors() && !child.mirrors() && (parent * child).mirrors());
        let both = (parent * child).apply(dvec3(1.0, 2.0, 3.0));
        assert_eq!(both, parent.apply(child.apply(dvec3(1.0, 2.0, 3.0))));
    }
}
