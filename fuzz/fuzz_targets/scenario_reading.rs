//! Any text is refused as a scenario in one line, or runs on a small mesh without a panic and without overlap; any bytes are
//! refused as a saved crowd, or go on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};
use wayfare_core::{container::ContainerWriter, dvec3};
use wayfare_crowd::{
    Crowd,
    scenario::{Scenario, Simulation},
};
use wayfare_navmesh::{NavMesh, RawNavMesh};

/// An L-shaped room of two cells.
static MESH: LazyLock<Arc<NavMesh>> = LazyLock::new(|| {
    let corners = [(0., 0.), (8., 0.), (8., 4.), (4., 4.), (4., 8.), (0., 8.), (0., 4.)];
    let corners = corners.map(|(x, y)| dvec3(x, y, 0.));
    let raw = RawNavMesh::from_polygons(&corners, &[vec![0, 1, 2, 3, 6], vec![6, 3, 4, 5]]);
    Arc::new(raw.expect("edges match").validate().expect("sound cells"))
});

/// What runs as it is, so that what is put behind it comes to run too, and not only to be read.
const SOUND: &str = "duration = 1\n[[exit]]\nname = 'a'\nrectangle = [0, 6, 4, 8]\n[[door]]\nname = 'd'\nfrom = [4, 0, 0]\nto = [4, 4, 0]\n\
    close_at = [0.5]\n[[speed]]\nfactor = 0.5\npolygon = [[1, 1], [3, 2], [2, 3]]\n[[line]]\nname = 'l'\nfrom = [0, 4]\nto = [4, 4]\n\
    [[spawn]]\nnumber = 9\nrectangle = [5, 1, 8, 3]\n";

fuzz_target!(|data: &[u8]| {
    let Some((&door, data)) = data.split_first() else { return };
    if door % 4 == 0 {
        if let Ok(mut crowd) = Crowd::from_bytes(sections(data), MESH.clone()) {
            crowd.step(1.0 / 60.0);
        }
        return;
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    let text = if door % 4 == 1 { format!("{SOUND}{text}") } else { text.to_owned() };
    let mut scenario = match Scenario::parse(&text) {
        Ok(scenario) => scenario,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    // Short runs of few: the reader is what is tried here.
    scenario.duration = scenario.duration.min(1.0);
    if scenario.rate > 100.0 || scenario.spawns.iter().map(|spawn| spawn.number).sum::<usize>() > 50 {
        return;
    }
    let mesh = match scenario.cut(&MESH) {
        Ok(cut) => cut.map_or_else(|| MESH.clone(), Arc::new),
        Err(_) => return,
    };
    let Ok(mut simulation) = Simulation::new(scenario, mesh) else { return };
    while simulation.step(|_| ()).is_ok_and(|goes_on| goes_on) {}
    assert!(simulation.summary().max_overlap <= 1e-3);
});

/// A file with a right checksum whose sections have the given bytes: each a length and so many bytes.
fn sections(mut data: &[u8]) -> Vec<u8> {
    let mut file = ContainerWriter::new(*b"CRWD", 2);
    let size = [MESH.cell_count(), MESH.raw().corners.len(), MESH.portals().len()];
    file.put("mesh", size.map(|count| count as u32));
    let names = [
        "clock", "time", "movement", "goals", "areas", "areanums", "journeys", "legs", "closed", "closing", "factors",
        "fields", "ids", "bodies", "minds", "tasks", "groups",
    ];
    for name in names {
        let Some((&length, rest)) = data.split_first() else { break };
        let (section, rest) = rest.split_at(rest.len().min(usize::from(length)));
        file.put(name, section.iter().copied());
        data = rest;
    }
    file.to_bytes()
}
