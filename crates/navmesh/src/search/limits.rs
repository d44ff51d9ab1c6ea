//! Where a body may not go: closed portals and cells, ground with a tag that is forbidden to it, gaps and steps that are too
//! much for it.
//!
//! What is closed is a wall for the query. The tables of the mesh stay as they are, so closing and opening cost nothing:
//!
//! * a portal is crossed only if it is open and the ground behind it is allowed;
//! * round a vertex such portals split the fan into sectors, and a path turns within one. More than 180° are left in one
//!   sector at most (unless the ground goes round the vertex more than once), so that a vertex still is one node of a search.
//!   A vertex becomes a corner by limits only if it was an inner one;
//! * dead ends stay dead ends, lower bounds stay lower bounds; the graph of large meshes is left aside.

use super::{
    disc::Body,
    faces::{Faces, NONE, Span},
    path::{Closed, NoPath},
};
use crate::{
    gap::SLACK,
    mesh::{CellId, NavMesh, PortalId},
};
use wayfare_core::{DVec3, Id as _};

/// A set of area tags, by their numbers in [`NavMesh::tag_names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TagSet(u64);

impl TagSet {
    /// Every tag.
    pub const ALL: Self = Self(u64::MAX);
    /// No tag.
    pub const NONE: Self = Self(0);

    /// The set with a tag more; numbers from 64 on are none of a map.
    #[must_use]
    pub fn with(self, tag: u8) -> Self {
        Self(self.0 | Self::bit(tag))
    }

    /// The set without a tag.
    #[must_use]
    pub fn without(self, tag: u8) -> Self {
        Self(self.0 & !Self::bit(tag))
    }

    /// Whether a tag is in it.
    #[inline]
    pub fn contains(self, tag: u8) -> bool {
        self.0 & Self::bit(tag) != 0
    }

    #[inline]
    fn bit(tag: u8) -> u64 {
        1u64.checked_shl(tag.into()).unwrap_or(0)
    }
}

impl Default for TagSet {
    fn default() -> Self {
        Self::ALL
    }
}

/// Cells and portals that are closed for now: doors, a crate in the way. Closing and opening take constant time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    cells: Bits,
    portals: Bits,
}

impl Blocks {
    /// Nobody enters the cell until it is opened again.
    pub fn block_cell(&mut self, cell: CellId) {
        self.cells.set(cell.index(), true);
    }

    /// Opens a cell again.
    pub fn unblock_cell(&mut self, cell: CellId) {
        self.cells.set(cell.index(), false);
    }

    /// Whether a cell is closed.
    #[inline]
    pub fn is_cell_blocked(&self, cell: CellId) -> bool {
        self.cells.get(cell.index())
    }

    /// Nobody crosses the portal until it is opened again.
    pub fn block_portal(&mut self, portal: PortalId) {
        self.portals.set(portal.index(), true);
    }

    /// Opens a portal again.
    pub fn unblock_portal(&mut self, portal: PortalId) {
        self.portals.set(portal.index(), false);
    }

    /// Whether a portal is closed.
    #[inline]
    pub fn is_portal_blocked(&self, portal: PortalId) -> bool {
        self.portals.get(portal.index())
    }

    /// Whether everything is open.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.cells.count == 0 && self.portals.count == 0
    }

    /// Opens everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// A set of small numbers that grows to the largest.
#[derive(Clone, Debug, Default)]
struct Bits {
    words: Vec<u64>,
    count: usize,
}

impl Bits {
    fn set(&mut self, index: usize, is_in: bool) {
        let (word, bit) = (index / 64, 1u64 << (index % 64));
        if self.get(index) == is_in {
            return;
        }
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] ^= bit;
        self.count = if is_in { self.count + 1 } else { self.count - 1 };
    }

    #[inline]
    fn get(&self, index: usize) -> bool {
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }
}

impl PartialEq for Bits {
    /// Whether the same numbers are in both, however far they have grown.
    fn eq(&self, other: &Self) -> bool {
        let len = self.words.len().max(other.words.len());
        let word = |bits: &Self, k: usize| bits.words.get(k).copied().unwrap_or(0);
        (0..len).all(|k| word(self, k) == word(other, k))
    }
}

impl Eq for Bits {}

/// What a query may not enter or cross.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits<'a> {
    mesh: &'a NavMesh,
    blocks: &'a Blocks,
    tags: TagSet,
    /// The highest step and the widest gap that it manages [m].
    step: f64,
    max_gap: f64,
}

impl<'a> Limits<'a> {
    /// The limits of a query; nothing if it may go everywhere.
    pub fn of(mesh: &'a NavMesh, blocks: &'a Blocks, body: &Body) -> Option<Self> {
        let Body { tags, step, max_gap, .. } = *body;
        let is_free = tags == TagSet::ALL || (0..mesh.tag_names().len()).all(|tag| tags.contains(tag as u8));
        let limits = Self { mesh, blocks, tags, step, max_gap };
        let is_able = limits.manages_step(mesh.hardest.rise) && limits.manages_width(mesh.hardest.width);
        (!is_free || !blocks.is_empty() || !is_able).then_some(limits)
    }

    #[inline]
    fn manages_step(&self, rise: f64) -> bool {
        rise <= self.step + SLACK
    }

    #[inline]
    fn manages_width(&self, width: f64) -> bool {
        width <= self.max_gap + SLACK
    }

    /// Whether it steps over the gap that a cell is a part of, if it is one.
    #[inline]
    fn manages_gap(&self, cell: CellId) -> bool {
        let gap = self.mesh.gap(cell);
        gap.is_none_or(|gap| self.manages_step(gap.rise) && self.manages_width(gap.width))
    }

    /// Whether a portal is open and its step not too high.
    #[inline]
    fn allows_portal(&self, portal: PortalId) -> bool {
        !self.blocks.is_portal_blocked(portal) && self.manages_step(self.mesh.portal_rise(portal))
    }

    /// The mesh that they are of.
    pub fn mesh(&self) -> &'a NavMesh {
        self.mesh
    }

    /// Whether a cell may be entered.
    #[inline]
    pub fn allows_cell(&self, cell: CellId) -> bool {
        !self.blocks.is_cell_blocked(cell)
            && self.tags.contains(self.mesh.tag(cell))
            && self.manages_gap(cell)
    }

    /// Why a body may not be in a cell, at a point that it asked for.
    pub fn why_not_in(&self, cell: CellId, at: DVec3) -> NoPath {
        if self.blocks.is_cell_blocked(cell) {
            NoPath::Blocked { at, what: Closed::Cell(cell) }
        } else if let Some(gap) = self.mesh.gap(cell).filter(|_| !self.manages_gap(cell)) {
            match self.manages_step(gap.rise) {
                true => NoPath::GapTooWide { at, needed: gap.width, available: self.max_gap },
                false => NoPath::StepTooHigh { at, needed: gap.rise, available: self.step },
            }
        } else {
            NoPath::TagForbidden { at, tag: self.mesh.tag(cell) }
        }
    }

    /// Why it may not cross a portal.
    pub fn why_not_across(&self, portal: PortalId, into: CellId, at: DVec3) -> NoPath {
        if self.blocks.is_portal_blocked(portal) {
            NoPath::Blocked { at, what: Closed::Portal(portal) }
        } else if !self.manages_step(self.mesh.portal_rise(portal)) {
            NoPath::StepTooHigh { at, needed: self.mesh.portal_rise(portal), available: self.step }
        } else {
            self.why_not_in(into, at)
        }
    }

    /// Whether a portal may be crossed into a cell.
    #[inline]
    pub fn allows_crossing(&self, portal: PortalId, into: CellId) -> bool {
        self.allows_portal(portal) && self.allows_cell(into)
    }

    /// Whether a face may be entered across an edge of it.
    #[inline]
    pub fn may_enter_by(&self, faces: &Faces, edge: u32) -> bool {
        let portal = faces.portals[edge as usize];
        let face = faces.edges[edge as usize].face;
        (portal == NONE || self.allows_portal(PortalId(portal))) && self.allows_cell(faces.cell(face))
    }

    /// The part of a vertex's fan round one of its faces, if it spans more than 180°.
    pub fn sector(&self, faces: &Faces, vertex: u32, face: u32) -> Option<Sector> {
        let fan = faces.fan(vertex);
        let n = fan.len();
        let own = fan.iter().position(|&edge| faces.edges[edge as usize].face == face)?;
        let is_open = |edge: u32| {
            let twin = faces.edges[edge as usize].twin;
            twin != NONE && self.may_enter_by(faces, twin)
        };
        // Clockwise across the edge that starts at the vertex, counter-clockwise across the one that ends there.
        let (mut first, mut len) = (own, 1);
        while len < n && is_open(fan[first]) {
            first = (first + n - 1) % n;
            len += 1;
        }
        while len < n && is_open(faces.previous(fan[(first + len - 1) % n])) {
            len += 1;
        }
        // All round an inner vertex: no wall at all.
        if len == n && is_open(fan[first]) {
            return None;
        }
        let mut sector = Sector { first: first as u32, len: len as u32, span: Span::default() };
        sector.span = faces.span(sector.edges(faces, vertex));
        sector.span.is_reflex.then_some(sector)
    }
}

/// Neighbouring faces round a vertex, from wall to wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sector {
    first: u32,
    len: u32,
    pub span: Span,
}

impl Sector {
    /// Its part of the fan, counter-clockwise.
    pub fn edges<'f>(
        &self,
        faces: &'f Faces,
        vertex: u32,
    ) -> impl DoubleEndedIterator<Item = u32> + Clone + use<'f> {
        let fan = faces.fan(vertex);
        let (first, len) = (self.first as usize, self.len as usize);
        (first..first + len).map(move |k| fan[k % fan.len()])
    }
}
