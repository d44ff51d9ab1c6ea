//! What a body may use of each portal.

use super::corridor::{Across, Bend, ENOUGH, ENOUGH_AMONG_BOXES, Gate, Taut, pull_roughly, pull_to};
use crate::mesh::PortalId;
use wayfare_core::DVec3;

/// A portal as a body of some radius may use it; found when it is first asked for.
#[derive(Clone, Debug, Default)]
pub(super) enum Shrunk {
    #[default]
    Unknown,
    /// The body does not fit.
    Closed,
    Open(Gate),
}

/// The portals of one query. A portal is looked at through [`Gates::get`] only after [`Gates::open`] said that it is there.
pub(super) struct Gates<'a> {
    /// All portals as they are.
    pub(super) whole: &'a [Gate],
    /// Whether all of them are rectangles across an axis, as those between boxes are.
    pub(super) rectangles: bool,
    /// The parts that a body may use; `None` for a point.
    pub(super) shrunk: Option<&'a mut [Shrunk]>,
    /// Makes such a part.
    pub(super) shrink: &'a dyn Fn(PortalId) -> Option<Gate>,
    /// Portals that are not to be used, whatever their size.
    pub(super) closed: Vec<PortalId>,
}

impl Gates<'_> {
    /// Whether the body gets through a portal at all.
    pub(super) fn open(&mut self, portal: PortalId) -> bool {
        let Some(shrunk) = &mut self.shrunk else { return true };
        let slot = &mut shrunk[portal.0 as usize];
        if let Shrunk::Unknown = slot {
            *slot = (self.shrink)(portal).map_or(Shrunk::Closed, Shrunk::Open);
        }
        matches!(slot, Shrunk::Open(_)) && !self.closed.contains(&portal)
    }

    /// Whether a point goes through boxes.
    pub(super) fn are_boxes(&self) -> bool {
        self.rectangles && self.shrunk.is_none()
    }

    /// The part of a portal that the body may use.
    #[inline]
    pub(super) fn get(&self, portal: PortalId) -> &Gate {
        let whole = &self.whole[portal.0 as usize];
        match &self.shrunk {
            None => whole,
            Some(shrunk) => match &shrunk[portal.0 as usize] {
                Shrunk::Open(gate) => gate,
                _ => whole,
            },
        }
    }

    /// The parts of several portals.
    pub(super) fn all(&self, portals: &[PortalId]) -> Vec<&Gate> {
        portals.iter().map(|&portal| self.get(portal)).collect()
    }

    /// The shortest path through several portals, from one that bends about there.
    pub(super) fn pull(&self, [from, to]: [DVec3; 2], portals: &[PortalId], bends: Vec<Bend>) -> Taut {
        if self.are_boxes() {
            pull_to(ENOUGH_AMONG_BOXES, from, &self.rectangles(portals), to, bends)
        } else {
            pull_to(ENOUGH, from, &self.all(portals), to, bends)
        }
    }

    /// About that, for a point among boxes.
    pub(super) fn pull_roughly(
        &self,
        [from, to]: [DVec3; 2],
        portals: &[PortalId],
        bends: Vec<Bend>,
    ) -> Taut {
        pull_roughly(from, &self.rectangles(portals), to, bends)
    }

    /// The rectangles that several portals are, side by side in memory.
    fn rectangles(&self, portals: &[PortalId]) -> Vec<Across> {
        portals.iter().filter_map(|portal| self.whole[portal.0 as usize].across()).collect()
    }
}
