//! How much work a query may be.
//!
//! All solvers end by themselves (each says why), but not all within a time that can be foreseen. So those that carry windows count
//! them, and give up where no surface leads that is worth an answer.

use crate::SurfaceError;

/// Windows per half-edge, in the mean, after which a query is given up. The 25 shared surfaces
/// tried need up to 13, random soups and tubes without width up to 41.
const PER_HALF_EDGE: u64 = 1 << 14;
/// And so many more, for small surfaces.
const MORE: u64 = 1 << 20;

/// Counts the work of a query.
pub struct Effort {
    done: u64,
    limit: u64,
}

/// The limit of a surface with so many half-edges.
pub fn most_windows(half_edges: usize) -> u64 {
    MORE + PER_HALF_EDGE * half_edges as u64
}

impl Effort {
    /// Nothing is done yet.
    pub fn new(limit: u64) -> Self {
        Self { done: 0, limit }
    }
    /// So many windows or other steps more.
    #[inline]
    pub fn spend(&mut self, windows: u64) -> Result<(), SurfaceError> {
        self.done += windows;
        if self.done > self.limit {
            return Err(SurfaceError::TooManyWindows { limit: self.limit });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_at_its_limit() {
        let limit = most_windows(3);
        let mut effort = Effort::new(limit);
        assert_eq!(effort.spend(limit), Ok(()));
        assert_eq!(effort.spend(1), Err(SurfaceError::TooManyWindows { limit }));
    }
}
