//! Free space: its regions, of which some have floor under them, and the portals between them.

use super::{Show, ShownRegions};
use wayfare_core::DVec3;
use wayfare_volume::VolumeMesh;

/// What regions are, by whether there is floor under them.
const KINDS: [&str; 2] = ["air", "a body can stand in it"];

impl Show {
    /// Adds the regions and portals of free space.
    pub fn add_volume(&mut self, mesh: &VolumeMesh) {
        let faces: Vec<Vec<Vec<DVec3>>> =
            mesh.regions().map(|region| mesh.faces(region).map(|(_, points)| points).collect()).collect();
        let neighbours: Vec<[u32; 2]> =
            mesh.portals().map(|portal| mesh.portal_regions(portal).map(|region| region.0)).collect();
        let portals: Vec<Vec<DVec3>> =
            mesh.portals().map(|portal| mesh.portal_points(portal).to_vec()).collect();
        let kinds: Vec<u8> = mesh.regions().map(|region| u8::from(mesh.standing(region) > 0.0)).collect();
        self.add_regions(&ShownRegions {
            faces: &faces,
            neighbours: &neighbours,
            portals: &portals,
            kinds: &kinds,
            kind_names: &KINDS,
        });
    }
}
