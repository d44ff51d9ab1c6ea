//! The faces that a straight line has crossed, as far as it needs to know them.
//!
//! A shortest path meets no face twice: between two of its points in a face it could run straight. So a line that is about to enter
//! a face that it has crossed is of no use, however little farther it is. Without that rule lines wind round a cone of angle α
//! up to π/α times: at the tip the bundle that touches it is as far as the tip, however often it went round, so that no vertex filters it.
//! Where the faces have no area α is 10⁻⁸ or less.

use crate::mesh::NONE;

/// What a line knows of its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trail {
    /// Faces crossed since the source, its own included; at least so many.
    crossed: u32,
    /// One of those faces, or [`NONE`]: the last one whose number in the row was a power of two. Who goes round in circles comes by it
    /// again in at most as many steps as it took to get there, or as the circle has (Brent 1980, "An improved Monte Carlo factorization
    /// algorithm", for cycles).
    mark: u32,
}

impl Trail {
    /// At the first side, of the face that the source lies in.
    pub const START: Self = Self { crossed: 1, mark: NONE };

    /// What it is when it has crossed a face.
    #[inline]
    pub fn across(self, face: u32) -> Self {
        let mark = if self.crossed.is_power_of_two() { face } else { self.mark };
        Self { crossed: self.crossed + 1, mark }
    }
    /// Whether it has crossed a face, as far as can be told, or as many faces as there are.
    #[inline]
    pub fn returns_to(self, face: u32, faces: u32) -> bool {
        self.mark == face || self.crossed >= faces
    }
    /// Of two lines from one source, which may have come over different faces, on both sides of a vertex in a plane.
    pub fn join(self, other: Self) -> Self {
        let mark = if self.mark == other.mark { self.mark } else { NONE };
        Self { crossed: self.crossed.min(other.crossed), mark }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps until a row of faces, of which those after `before` repeat, is found to return.
    fn steps(before: u32, circle: u32, faces: u32) -> u32 {
        let face = |k: u32| if k < before { k } else { before + (k - before) % circle };
        let mut trail = Trail::START;
        let mut k = 0;
        loop {
            trail = trail.across(face(k));
            k += 1;
            if trail.returns_to(face(k), faces) {
                return k;
            }
        }
    }

    #[test]
    fn circles_are_found_soon_and_other_rows_end_with_the_faces() {
        for (before, circle) in [(0, 1), (0, 3), (5, 3), (100, 7), (3, 100), (500, 3)] {
            let found = steps(before, circle, u32::MAX);
            assert!(found >= before + circle, "{before}, {circle}: {found} is too soon");
            assert!(found <= 2 * before.max(circle) + circle + 1, "{before}, {circle}: {found} is late");
        }
        assert_eq!(steps(u32::MAX, 1, 1000), 999);
    }
}
