//! Crossings as optional sections of a `.way` file; `docs/format.md` describes every byte for others.

use super::table::{CrossingTable, Peak};
use crate::mesh::{CornerId, NavMesh};
use wayfare_core::container::{Container, ContainerError, ContainerWriter};

impl CrossingTable {
    /// Writes the sections.
    pub(crate) fn put(&self, file: &mut ContainerWriter) {
        file.put("clr.xcel", self.starts.iter().copied());
        file.put("clr.xtre", self.peaks.iter().flat_map(|peak| [peak.corner.0, peak.parent]));
        file.put("clr.xnum", self.peaks.iter().flat_map(|peak| [peak.share, peak.clearance, peak.width]));
    }

    /// Reads the sections, if they are there. Every number is checked against its range.
    pub(crate) fn get(file: &Container, mesh: &NavMesh) -> Result<Option<Self>, ContainerError> {
        if !file.has("clr.xcel") {
            return Ok(None);
        }
        let damaged = |what: &str| ContainerError::Damaged(format!("crossings: {what}"));
        let (ids, numbers) = (file.get::<u32>("clr.xtre")?, file.get::<f64>("clr.xnum")?);
        let ((ids, rest), (numbers, others)) = (ids.as_chunks::<2>(), numbers.as_chunks::<3>());
        if ids.len() != numbers.len() || !rest.is_empty() || !others.is_empty() {
            return Err(damaged("the peaks are not as many numbers as they should be"));
        }
        let peak = |(&[corner, parent], &[share, clearance, width]): (&[u32; 2], &[f64; 3])| Peak {
            corner: CornerId(corner),
            share,
            clearance,
            parent,
            width,
        };
        let peaks = ids.iter().zip(numbers).map(peak).collect();
        Self::new(mesh, file.get("clr.xcel")?, peaks).map(Some).map_err(damaged)
    }
}
