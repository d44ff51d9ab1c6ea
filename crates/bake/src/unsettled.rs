//! Clearance that is added to a mesh, or why and where it cannot be.

use crate::{ClearanceError, build_clearance};
use wayfare_core::{Cancelled, Context, DVec2, Defect, MAX_COORDINATE};
use wayfare_navmesh::{CellId, Features, LocateConfig, NavMesh, PortalId, VertexId};

/// Why a mesh has no clearance.
pub struct Unsettled {
    /// What is wrong, and where.
    pub words: String,
    /// The place, if it is known.
    pub at: Option<DVec2>,
}

impl Unsettled {
    /// What a user is told: the mesh is good without.
    pub fn note(&self) -> String {
        format!("clearance is left out: {}", self.words)
    }
}

/// Stores the distances to the boundary with a mesh, for bodies of any radius; or tells why they cannot be made.
pub fn add_clearance(mesh: &mut NavMesh, context: &Context) -> Result<Option<Unsettled>, Cancelled> {
    match build_clearance(mesh, context) {
        Ok(clearance) => {
            mesh.set_clearance(Some(clearance));
            Ok(None)
        }
        Err(ClearanceError::Cancelled(cancelled)) => Err(cancelled),
        Err(error) => Ok(Some(unsettled(mesh, &error))),
    }
}

/// Why the distances to the boundary could not be made, as far as it helps: where.
fn unsettled(mesh: &NavMesh, error: &ClearanceError) -> Unsettled {
    let at = match error {
        ClearanceError::Disagreement { at, .. } => Some(*at),
        ClearanceError::Endless(feature) => Some(Features::of(mesh).get(*feature).at),
        ClearanceError::TooMany(cell) => {
            let corners: Vec<DVec2> =
                mesh.corners(*cell).map(|corner| mesh.xy(mesh.edge(corner)[0])).collect();
            Some(corners.iter().sum::<DVec2>() / corners.len().max(1) as f64)
        }
        ClearanceError::Wrong(defects) => defects.iter().find_map(|defect| place_of(mesh, defect)),
        _ => None,
    };
    let place = at.map_or_else(String::new, |at| {
        // A place on the boundary lies beside its cells by rounding.
        let anywhere = LocateConfig { snap: 4.0 * MAX_COORDINATE, ..LocateConfig::default() };
        let height = mesh.locate(at.extend(0.0), &anywhere).map_or(0.0, |place| place.point.z);
        format!(" near ({:.3}, {:.3}, {height:.3})", at.x, at.y)
    });
    Unsettled { words: format!("the distances to walls{place} could not be settled"), at }
}

/// Where the element of a mesh is that a defect names.
pub fn place_of(mesh: &NavMesh, defect: &Defect) -> Option<DVec2> {
    let (kind, number) = defect.element.split_once(' ')?;
    let number: u32 = number.parse().ok()?;
    match kind {
        "vertex" => mesh.vertices().find(|vertex| vertex.0 == number).map(|vertex: VertexId| mesh.xy(vertex)),
        "cell" => {
            let cell: CellId = mesh.cells().find(|cell| cell.0 == number)?;
            let corners: Vec<DVec2> = mesh.cell_points(cell).collect();
            Some(corners.iter().sum::<DVec2>() / corners.len().max(1) as f64)
        }
        "portal" => {
            let portal: PortalId = mesh.portals().ids().find(|portal| portal.0 == number)?;
            let [a, b] = mesh.edge(mesh.portals()[portal][0]).map(|vertex| mesh.xy(vertex));
            Some((a + b) / 2.0)
        }
        "feature" => {
            let features = Features::of(mesh);
            features.ids().find(|feature| feature.0 == number).map(|feature| features.get(feature).at)
        }
        _ => None,
    }
}
