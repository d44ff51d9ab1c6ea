//! Crossings: how large a body may be that goes from one portal of a cell to another without leaving the cell.
//!
//! Definition: the clearance of the crossing from portal P to portal Q of cell C is the largest radius r for which a curve
//! inside the closed cell joins a point of P to a point of Q, and no point of the curve is nearer to the boundary than r.
//! Obstacles count wherever they are, also beyond portals; it is the same in both directions. It is exact where seed 001,
//! section 3, takes the smallest distance between the obstacles on the left and those on the right: that
//! distance may lie outside the cell, or be measured to a place that the crossing never comes near.
//!
//! Crossings do not compose, neither of two cells (seed 001 assumes it; `docs/any-body.md`) nor inside one: where a post
//! stands behind the middle of P, one may come from Q to the one half of P and from R to the other, but not
//! from Q to R. So the table does not hold pairs of portals but the *peaks* of each portal, the places where it is
//! locally widest, in one tree of bottlenecks per cell: from any point of a portal one can go along it up to a peak, so
//! peaks answer for portals, and memory is linear where a cell has hundreds of portals.
//!
//! Source: Oliva and Pelechano 2015, section 3, for the question; the answer is the widest way on the Voronoi diagram of
//! the boundary inside one cell ([`graph`]).

mod graph;
mod io;
mod table;

pub use table::{CrossingTable, Peak};

use crate::{
    clearance::Clearances,
    mesh::{CellId, CornerId, NavMesh},
};
use wayfare_core::DVec2;

/// Questions about the crossings of cells.
#[derive(Clone, Copy, Debug)]
pub struct Crossings<'a> {
    pub(crate) clearances: Clearances<'a>,
    pub(crate) table: &'a CrossingTable,
}

impl NavMesh {
    /// The crossings of cells, if they were made for this mesh.
    pub fn crossings(&self) -> Option<Crossings<'_>> {
        let clearances = self.clearances()?;
        Some(Crossings { clearances, table: clearances.data().crossings()? })
    }
}

impl<'a> Crossings<'a> {
    /// What is stored.
    pub fn table(&self) -> &'a CrossingTable {
        self.table
    }

    /// The largest radius [m] of a body that can go from one portal of a cell to another inside the cell, both named by
    /// their corner in the cell; from a portal to itself, the largest that fits on it. Nothing if the corners are not
    /// two portals of one cell. Costs O(peaks of the two × log of the peaks of the cell).
    pub fn between(&self, from: CornerId, to: CornerId) -> Option<f64> {
        let mesh = self.clearances.mesh;
        let cell = mesh.cell_of_corner(from);
        if mesh.cell_of_corner(to) != cell || mesh.twin(from).is_none() || mesh.twin(to).is_none() {
            return None;
        }
        let pairs = |k| self.table.peaks_of(to).map(move |l| self.table.bottleneck(k, l));
        Some(self.table.peaks_of(from).flat_map(pairs).fold(0.0, f64::max))
    }

    /// The largest radius [m] of a body that can go from a point of a cell to one of its portals inside the cell.
    /// Unlike [`Crossings::between`] it is worked out when asked, in some ten microseconds for most cells.
    pub fn from_point(&self, cell: CellId, from: DVec2, to: CornerId) -> Option<f64> {
        let mesh = self.clearances.mesh;
        if mesh.cell_of_corner(to) != cell || mesh.twin(to).is_none() {
            return None;
        }
        Some(graph::CellGraph::new(self.clearances, cell, Some(from)).widest_from_point(to))
    }

    /// Number of crossings of the mesh: pairs of portals of one cell, either direction once.
    pub fn count(&self) -> usize {
        let mesh = self.clearances.mesh;
        let portals = |cell| mesh.corners(cell).filter(|&corner| mesh.twin(corner).is_some()).count();
        mesh.cells().map(portals).map(|n| n * n.saturating_sub(1) / 2).sum()
    }

    /// The smallest clearance of a crossing of two different portals [m]; nothing if no cell has two.
    pub fn narrowest(&self) -> Option<f64> {
        let mesh = self.clearances.mesh;
        let least = mesh.cells().filter_map(|cell| {
            let peaks = self.table.peaks(cell);
            let portals = || mesh.corners(cell).filter(|&corner| mesh.twin(corner).is_some());
            portals().nth(1)?;
            // With a peak for each portal all pairs are as wide as the tree at least, and one is no wider.
            if portals().count() == peaks.len()
                && peaks.windows(2).all(|pair| pair[0].corner != pair[1].corner)
            {
                let links = peaks.iter().enumerate().filter(|(k, peak)| !self.table.is_root(cell, *k, peak));
                let roots = peaks.len() - links.clone().count();
                return Some(if roots > 1 {
                    0.0
                } else {
                    links.map(|(_, peak)| peak.width).fold(f64::MAX, f64::min)
                });
            }
            let pairs = portals().flat_map(|a| portals().filter(move |&b| a < b).map(move |b| (a, b)));
            pairs.filter_map(|(a, b)| self.between(a, b)).min_by(f64::total_cmp)
        });
        least.min_by(f64::total_cmp)
    }
}
