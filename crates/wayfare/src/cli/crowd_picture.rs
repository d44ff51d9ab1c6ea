//! Pictures of crowds: what a run or a saved moment gives to draw.

use std::collections::BTreeMap;
use wayfare::{
    core::DVec2,
    crowd::{
        Crowd,
        scenario::{Row, Simulation, Trajectories},
    },
    navmesh::NavMesh,
    view::{CrowdPicture, DrawConfig, DrawError, DrawnBody, DrawnDensity, DrawnLine, DrawnTrack, draw_crowd},
};

/// What is drawn of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Trajectories,
    Density,
}

/// Side of a square of the density [m].
const SQUARE: f64 = 0.5;

/// An SVG picture of the ground and of what happened on it.
pub fn picture(
    mesh: &NavMesh,
    simulation: &Simulation,
    trajectories: &Trajectories,
    kind: Kind,
) -> Result<String, DrawError> {
    let drawn = match kind {
        Kind::Trajectories => CrowdPicture::Tracks(tracks(trajectories)),
        Kind::Density => CrowdPicture::Density { side: SQUARE, squares: densities(trajectories) },
    };
    let lines: Vec<DrawnLine> = simulation
        .scenario()
        .lines
        .iter()
        .flat_map(|line| line.storeys(mesh).into_iter().map(|storey| (storey, line.ends)))
        .collect();
    let simulated = simulation.summary();
    let caption = format!(
        "{} persons, {} arrived in {:.1} s",
        simulated.agents, simulated.arrived, simulated.simulated_seconds
    );
    draw_crowd(mesh, &drawn, &lines, &DrawConfig { caption: Some(caption), ..DrawConfig::default() })
}

/// An SVG picture of a saved crowd, with a caption or without.
pub fn draw_moment(crowd: &Crowd, has_caption: bool, config: &DrawConfig) -> Result<String, DrawError> {
    let mesh = crowd.mesh();
    let bodies = crowd.agents().map(|agent| DrawnBody {
        storey: mesh.storey(agent.cell),
        at: agent.at.truncate(),
        radius: agent.radius,
    });
    let bodies = CrowdPicture::Bodies(bodies.collect());
    let caption = has_caption.then(|| format!("{} persons after {:.1} s", crowd.len(), crowd.time()));
    draw_crowd(mesh, &bodies, &[], &DrawConfig { caption, ..config.clone() })
}

/// The ways of all, by storey, then by agent; one who was on another storey meanwhile comes back elsewhere, with a track of its
/// own.
fn tracks(trajectories: &Trajectories) -> Vec<DrawnTrack> {
    let mut tracks = Vec::new();
    for (&storey, rows) in &trajectories.storeys {
        let mut ways: BTreeMap<u32, Vec<&Row>> = BTreeMap::new();
        for row in rows {
            ways.entry(row.id).or_default().push(row);
        }
        for (id, way) in ways {
            let radius = trajectories.radii.get(id as usize).copied().unwrap_or_default();
            for piece in way.chunk_by(|before, row| before.frame + 1 == row.frame) {
                let points = piece.iter().map(|row| DVec2::new(row.at[0], row.at[1])).collect();
                tracks.push(DrawnTrack { storey, radius, points });
            }
        }
    }
    tracks
}

/// The mean density of each square on which anybody ever was.
fn densities(trajectories: &Trajectories) -> Vec<DrawnDensity> {
    let frames = trajectories.storeys.values().flatten().map(|row| row.frame + 1).max().unwrap_or(1);
    let per_row = 1.0 / (frames as f64 * SQUARE * SQUARE);
    let mut densities: BTreeMap<(u32, [i64; 2]), f64> = BTreeMap::new();
    for (&storey, rows) in &trajectories.storeys {
        for row in rows {
            let square = [row.at[0], row.at[1]].map(|x| (x / SQUARE).floor() as i64);
            *densities.entry((storey, square)).or_default() += per_row;
        }
    }
    densities
        .into_iter()
        .map(|((storey, [x, y]), density)| {
            let corner = DVec2::new(x as f64, y as f64) * SQUARE;
            DrawnDensity { storey, corner, density }
        })
        .collect()
}
