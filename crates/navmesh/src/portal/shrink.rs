//! The part of a portal that a body may use, given where it comes from and where it goes next.
//!
//! Idea: the free part of a portal is where the distance to the boundary is at least the radius. The list of a cell holds every
//! feature that is nearest to some point of it, so each feature of the list blocks an interval of the portal and what
//! is left is exact. It may be left in several *runs*, with an obstacle behind the portal between them: then the run
//! is taken that the crossing before can arrive at and the crossing after can leave from, which the peaks of the
//! portal tell in the trees of both cells.
//! Source: Oliva and Pelechano 2015, section 4. Its cases are kinds of features here: 1 the portal's own ends, 2 corners of
//!   the portals that come next, 3 walls, 4 (ours) notches that a relaxed cell ignores. Its recursion through portals is in
//!   the lists, which hold what lies beyond portals; its rules of direction are the choice of the run. They
//!   cut off at the first obstacle on each side, which is the same run as long as the rules have the right side.
//! Steps: 1. below the critical radius only the ends count  2. runs round the peaks that fit  3. those that the crossings before
//!   and after can use  4. the longest of them
//! Cost: O(features of the cell) for each peak, most portals have one; nothing is allocated.

use super::Line;
use crate::{
    clearance::FREE_SLACK,
    crossing::Crossings,
    mesh::{CornerId, NavMesh},
};
use wayfare_core::DVec2;

/// A way through a portal: where a body comes from and where it goes next, inside the two cells of the portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The portal by which it came into the cell, as a corner of that cell; nothing where it starts there.
    pub from: Option<CornerId>,
    /// The portal, as a corner of the cell that it leaves.
    pub through: CornerId,
    /// The portal by which it will leave the next cell, as a corner of that cell; nothing where it stays there.
    pub to: Option<CornerId>,
}

impl Passage {
    /// Through a portal from anywhere to anywhere.
    pub fn through(through: CornerId) -> Self {
        Self { from: None, through, to: None }
    }
    /// Through the k-th of the portals of a corridor, each named by its corner in the cell that is left.
    pub fn of_corridor(mesh: &NavMesh, portals: &[CornerId], k: usize) -> Option<Self> {
        let before = k.checked_sub(1).and_then(|k| portals.get(k));
        let from = before.and_then(|&corner| mesh.twin(corner));
        Some(Self { from, through: *portals.get(k)?, to: portals.get(k + 1).copied() })
    }
}

/// A part of a portal, as shares of its corner's edge: 0 at its start, 1 at its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Where it begins: to the right of a body that leaves the cell.
    pub low: f64,
    /// Where it ends: to the left.
    pub high: f64,
}

impl Span {
    /// Its two ends in plan, right and left of a body that leaves the corner's cell.
    pub fn ends(&self, mesh: &NavMesh, corner: CornerId) -> [DVec2; 2] {
        let line = Line::of(mesh, corner);
        [self.low, self.high].map(|share| line.point(share))
    }
    /// Its length as a share of the portal.
    pub fn length(&self) -> f64 {
        self.high - self.low
    }
}

/// A portal with the radius cut off at both ends, as video games do: the comparison of the paper. It may be too near to
/// other obstacles, unlike [`Crossings::exact_shrink`]. Nothing is left of a portal that is shorter than the body.
#[inline]
pub fn simple_shrink(mesh: &NavMesh, corner: CornerId, radius: f64) -> Option<Span> {
    let cut = (radius - FREE_SLACK).max(0.0) / Line::of(mesh, corner).e.length();
    (cut <= 0.5).then_some(Span { low: cut, high: 1.0 - cut })
}

impl Crossings<'_> {
    /// The part of a portal that a body of a radius may use on a passage: every point of it is free, and the portal beside
    /// it is not. Nothing if the body cannot make the passage inside the two cells.
    pub fn exact_shrink(&self, passage: Passage, radius: f64) -> Option<Span> {
        let least = radius - FREE_SLACK;
        let mut best: Option<Span> = None;
        for peak in self.table.peaks_of(passage.through) {
            if self.table.all_peaks()[peak].clearance < least || !self.comes_from(passage.from, peak, least) {
                continue;
            }
            let Some(span) = self.run(passage.through, peak, least) else { continue };
            if best.is_some_and(|best| best.length() >= span.length()) {
                continue;
            }
            if self.goes_to(passage, span, least) {
                best = Some(span);
            }
        }
        best
    }

    /// Whether a portal of the same cell can be left for a peak, or nothing is asked.
    fn comes_from(&self, from: Option<CornerId>, peak: usize, least: f64) -> bool {
        from.is_none_or(|from| {
            self.table.peaks_of(from).any(|start| self.table.bottleneck(start, peak) >= least)
        })
    }

    /// Whether the next portal can be reached from a run, or nothing is asked.
    fn goes_to(&self, passage: Passage, span: Span, least: f64) -> bool {
        let Some(to) = passage.to else { return true };
        self.peaks_beyond(passage.through, span)
            .any(|peak| self.table.peaks_of(to).any(|end| self.table.bottleneck(peak, end) >= least))
    }

    /// The peaks of the next cell that lie on a part of a portal.
    fn peaks_beyond(&self, through: CornerId, span: Span) -> impl Iterator<Item = usize> + '_ {
        let mesh = self.clearances.mesh;
        // Seen from the other cell the portal runs backwards, and shares are rounded.
        let slack = self.clearances.data().rounding() / Line::of(mesh, through).e.length();
        let twin = mesh.twin(through);
        let peaks = twin.map_or(0..0, |twin| self.table.peaks_of(twin));
        peaks.filter(move |&peak| {
            let share = 1.0 - self.table.all_peaks()[peak].share;
            (span.low - slack..=span.high + slack).contains(&share)
        })
    }

    /// Steps 1 and 2: the free part of a portal round one of its peaks.
    pub(crate) fn run(&self, corner: CornerId, peak: usize, least: f64) -> Option<Span> {
        let (mesh, data) = (self.clearances.mesh, self.clearances.data());
        let share = self.table.all_peaks()[peak].share;
        let portal = mesh.portal_at(corner)?;
        let ends_are_walls = mesh.edge(corner).iter().all(|&end| mesh.boundary_corner(end).is_some());
        if ends_are_walls && least <= data.critical_radius(portal) {
            let cut = least.max(0.0) / Line::of(mesh, corner).e.length();
            return (cut <= 0.5).then_some(Span { low: cut, high: 1.0 - cut });
        }
        self.run_by_features(corner, share, least)
    }

    /// Step 2 without step 1.
    fn run_by_features(&self, corner: CornerId, share: f64, least: f64) -> Option<Span> {
        let (mesh, data) = (self.clearances.mesh, self.clearances.data());
        let line = Line::of(mesh, corner);
        let (squared, hair) = (line.e.length_squared(), data.hair());
        let mut run = Span { low: 0.0, high: 1.0 };
        // What lies on the peak's left shortens the left, and the other way round; at the peak itself nothing is.
        let mut block = |from: f64, to: f64| {
            if 0.5 * (from + to) < share {
                run.low = run.low.max(to);
            } else {
                run.high = run.high.min(from);
            }
        };
        // Both cells have what is nearest on the portal.
        let cells =
            [Some(corner), mesh.twin(corner)].into_iter().flatten().map(|corner| mesh.cell_of_corner(corner));
        let cell = cells.min_by_key(|&cell| data.list(cell).len())?;
        for (id, low, high) in data.list_with_ranges(cell) {
            let feature = data.features().get(id);
            let arm = line.a - feature.at;
            if feature.is_edge() {
                let (start, slope) = (arm.dot(feature.normal()), line.e.dot(feature.normal()));
                // Most are too far away, or turn their back.
                if start.min(start + slope) >= least || start.max(start + slope) < -hair {
                    continue;
                }
                let Some([from, to]) = line.window(feature, low, high, hair) else { continue };
                let (near, far) = (start + slope * from, start + slope * to);
                let end = (least - start) / slope;
                match (near < least, far < least) {
                    (true, true) => block(from, to),
                    (true, false) => block(from, end.clamp(from, to)),
                    (false, true) => block(end.clamp(from, to), to),
                    (false, false) => {}
                }
            } else {
                // The chord that the line cuts off the circle round the corner.
                let half = least * least * squared - arm.perp_dot(line.e).powi(2);
                if half <= 0.0 || least <= 0.0 {
                    continue;
                }
                let (middle, half) = (-arm.dot(line.e) / squared, half.sqrt() / squared);
                let (from, to) = ((middle - half).max(0.0), (middle + half).min(1.0));
                if from < to {
                    block(from, to);
                }
            }
        }
        (run.low <= run.high).then_some(run)
    }
}
