//! What is stored about crossings: the peaks of all portals, seen from either cell, in a tree of bottlenecks per cell.

use super::graph::CellGraph;
use crate::{
    clearance::{Clearance, Clearances},
    mesh::{CellId, CornerId, NavMesh},
};
use std::ops::Range;
use wayfare_core::{Defect, Id as _, defects::Defects};

/// A place where a portal is locally widest, seen from one of its cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// The portal's corner in the cell.
    pub corner: CornerId,
    /// Where it is on the corner's edge: 0 at its start, 1 at its end.
    pub share: f64,
    /// Distance to the boundary there [m].
    pub clearance: f64,
    /// The next peak towards the root of the cell's tree, as a number among all peaks; itself at a root.
    pub parent: u32,
    /// The widest way inside the cell to the parent: its smallest clearance [m]; at a root its own.
    pub width: f64,
}

/// The crossings of a mesh: what [`super::Crossings`] asks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrossingTable {
    /// Where the peaks of each cell start; one more entry than cells.
    pub(super) starts: Vec<u32>,
    /// Ordered by corner, then by share.
    pub(super) peaks: Vec<Peak>,
    /// Where the peaks of each corner start; one more entry than corners. It follows from the others.
    firsts: Vec<u32>,
}

impl CrossingTable {
    /// The peaks of a cell; parents are numbers within the cell. What a table is made of.
    pub fn peaks_in_cell(clearances: Clearances<'_>, cell: CellId) -> Vec<Peak> {
        CellGraph::new(clearances, cell, None).peaks()
    }

    /// Puts the peaks of all cells, in the order of cells, into one table.
    pub fn from_cells(mesh: &NavMesh, cells: &[Vec<Peak>]) -> Result<Self, Vec<Defect>> {
        let mut starts = vec![0];
        let mut all: Vec<Peak> = Vec::with_capacity(cells.iter().map(Vec::len).sum());
        for peaks in cells {
            let first = all.len() as u32;
            all.extend(peaks.iter().map(|peak| Peak { parent: peak.parent + first, ..*peak }));
            starts.push(all.len() as u32);
        }
        Self::new(mesh, starts, all).map_err(|message| {
            vec![Defect { invariant: "N6", element: "crossings".into(), message: message.into() }]
        })
    }

    /// Takes peaks over if every number is in its range; else says what is not.
    pub(super) fn new(mesh: &NavMesh, starts: Vec<u32>, peaks: Vec<Peak>) -> Result<Self, &'static str> {
        let mut table = Self { starts, peaks, firsts: Vec::new() };
        if let Some(fault) = table.fault(mesh) {
            return Err(fault);
        }
        let corners = mesh.raw().corners.len();
        table.firsts = Vec::with_capacity(corners + 1);
        let mut next = 0;
        for corner in 0..=corners {
            while table.peaks.get(next).is_some_and(|peak| peak.corner.index() < corner) {
                next += 1;
            }
            table.firsts.push(next as u32);
        }
        Ok(table)
    }

    /// The peaks of a cell's portals.
    pub fn peaks(&self, cell: CellId) -> &[Peak] {
        &self.peaks[self.range(cell)]
    }
    /// All peaks.
    pub fn all_peaks(&self) -> &[Peak] {
        &self.peaks
    }
    /// Memory of the arrays, the same as in a file [bytes].
    pub fn bytes(&self) -> usize {
        4 * self.starts.len() + 32 * self.peaks.len()
    }

    fn range(&self, cell: CellId) -> Range<usize> {
        let [from, to] = [0, 1].map(|next| self.starts[cell.index() + next] as usize);
        from..to
    }

    /// The numbers of the peaks of a portal in the cell of its corner.
    #[inline]
    pub(crate) fn peaks_of(&self, corner: CornerId) -> Range<usize> {
        self.firsts[corner.index()] as usize..self.firsts[corner.index() + 1] as usize
    }

    /// Whether the k-th peak of a cell has no parent.
    pub(super) fn is_root(&self, cell: CellId, k: usize, peak: &Peak) -> bool {
        peak.parent as usize == self.starts[cell.index()] as usize + k
    }

    /// The widest way inside a cell between two of its peaks, 0 if there is none.
    pub(crate) fn bottleneck(&self, mut a: usize, mut b: usize) -> f64 {
        let peaks = &self.peaks[..];
        let is_root = |k: usize| peaks[k].parent as usize == k;
        let mut least = peaks[a].clearance.min(peaks[b].clearance);
        while a != b {
            // Widths fall towards the root: the wider link comes first on the way to the common one.
            let climber =
                if is_root(b) || !is_root(a) && peaks[a].width >= peaks[b].width { &mut a } else { &mut b };
            if is_root(*climber) {
                return 0.0;
            }
            least = least.min(peaks[*climber].width);
            *climber = peaks[*climber].parent as usize;
        }
        least
    }

    /// The first thing that is out of range.
    fn fault(&self, mesh: &NavMesh) -> Option<&'static str> {
        let Self { starts, peaks, .. } = self;
        let fits = starts.len() == mesh.cell_count() + 1
            && starts.first() == Some(&0)
            && starts.last().is_some_and(|&end| end as usize == peaks.len())
            && starts.is_sorted();
        if !fits {
            return Some("the peaks do not fit the cells of the mesh");
        }
        let is_length = |x: f64| (0.0..1e8).contains(&x);
        for cell in mesh.cells() {
            let (corners, range) = (mesh.corner_range(cell), self.range(cell));
            let of_cell = &peaks[range.clone()];
            for peak in of_cell {
                if !corners.contains(&peak.corner.index()) || mesh.twin(peak.corner).is_none() {
                    return Some("a peak lies on no portal of its cell");
                }
                if !(0.0..=1.0).contains(&peak.share) || !is_length(peak.clearance) || !is_length(peak.width)
                {
                    return Some("a peak is out of range");
                }
                if !range.contains(&(peak.parent as usize)) {
                    return Some("a peak hangs in the tree of another cell");
                }
            }
            let before = |a: &Peak, b: &Peak| (a.corner, a.share) <= (b.corner, b.share);
            if !of_cell.is_sorted_by(before) {
                return Some("the peaks of a cell are out of order");
            }
            // Every way up must end: widths fall, and equals are left to a count of steps.
            for k in range.clone() {
                let (mut at, mut left) = (k, range.len());
                while peaks[at].parent as usize != at {
                    let parent = peaks[at].parent as usize;
                    let is_below =
                        peaks[parent].parent as usize == parent || peaks[parent].width <= peaks[at].width;
                    if left == 0 || !is_below {
                        return Some("the tree of a cell's peaks is none");
                    }
                    (at, left) = (parent, left - 1);
                }
            }
        }
        None
    }

    /// N6: the peaks of every cell are made again and compared.
    pub(crate) fn check_into(&self, mesh: &NavMesh, clearance: &Clearance, defects: &mut Defects) {
        let clearances = Clearances { mesh, data: clearance };
        let most = clearance.rounding();
        for cell in mesh.cells() {
            let (stored, real) = (self.peaks(cell), Self::peaks_in_cell(clearances, cell));
            let first = self.starts[cell.index()];
            let same = |(a, b): (&Peak, &Peak)| {
                a.corner == b.corner
                    && a.parent == b.parent + first
                    && [a.share - b.share, a.clearance - b.clearance, a.width - b.width]
                        .iter()
                        .all(|x| x.abs() <= most)
            };
            if stored.len() != real.len() || !stored.iter().zip(&real).all(same) {
                defects.add("N6", format_args!("cell {cell}"), || {
                    "the clearance of its crossings is not that of the mesh".to_owned()
                });
            }
        }
    }
}
