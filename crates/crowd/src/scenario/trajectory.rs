//! Trajectories as files that others read: PeTrack text, JuPedSim's SQLite (feature `sqlite`).
//!
//! PedPy, which both are made for, is planar: each storey has a file of its own, and text has the height as its last column.

use super::simulation::Frame;
use std::{collections::BTreeMap, fmt::Write as _};
use wayfare_core::DVec2;
use wayfare_navmesh::NavMesh;

/// One agent at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Number of the frame.
    pub frame: u64,
    /// Number of the agent.
    pub id: u32,
    /// Where it is.
    pub at: [f64; 3],
    /// Where it heads for, of length 1.
    pub heading: [f64; 2],
}

/// The trajectories of a run, by storeys.
#[derive(Clone, Debug, Default)]
pub struct Trajectories {
    /// Frames per second.
    pub frame_rate: f64,
    /// The rows of each storey, by frame, then by agent.
    pub storeys: BTreeMap<u32, Vec<Row>>,
}

impl Trajectories {
    /// Adds a moment.
    pub fn add(&mut self, frame: Frame<'_>) {
        let mesh = frame.crowd.mesh();
        for agent in frame.crowd.agents() {
            // One who stands looks where it walked, or along x.
            let heading = agent.heading.normalize_or(agent.velocity.normalize_or(DVec2::X));
            let row =
                Row { frame: frame.number, id: agent.id.0, at: agent.at.into(), heading: heading.into() };
            self.storeys.entry(mesh.storey(agent.cell)).or_default().push(row);
        }
    }

    /// PeTrack text of a storey.
    pub fn to_text(&self, storey: u32) -> String {
        let mut out = format!("# wayfare crowd, storey {storey}\n# framerate: {:.4}\n", self.frame_rate);
        out += "# id frame x/m y/m z/m\n";
        for row in self.storeys.get(&storey).into_iter().flatten() {
            let [x, y, z] = row.at;
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{} {} {x:.4} {y:.4} {z:.4}", row.id, row.frame);
        }
        out
    }
}

/// The ground of a storey as polygons in well-known text, one for each cell; their union is the walkable area.
pub fn ground_wkt(mesh: &NavMesh, storey: u32) -> Vec<String> {
    let cells = mesh.cells().filter(|&cell| mesh.storey(cell) == storey);
    let polygon = |cell| {
        let mut points: Vec<String> = mesh.cell_points(cell).map(|p| format!("{} {}", p.x, p.y)).collect();
        points.extend(points.first().cloned());
        format!("POLYGON (({}))", points.join(", "))
    };
    cells.map(polygon).collect()
}

/// JuPedSim's SQLite files, version 2.
#[cfg(feature = "sqlite")]
mod sqlite {
    use super::{Trajectories, ground_wkt};
    use rusqlite::{Connection, params};
    use std::path::Path;
    use wayfare_navmesh::NavMesh;

    const TABLES: &str = "
        CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,
            pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
        CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
        CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
        CREATE INDEX frame_id_idx ON trajectory_data(frame, id);";

    impl Trajectories {
        /// Writes a storey to a file that is not there yet.
        pub fn write_sqlite(&self, path: &Path, mesh: &NavMesh, storey: u32) -> rusqlite::Result<()> {
            let mut file = Connection::open(path)?;
            // The file is renamed when it is whole: nothing has to survive a crash before.
            file.pragma_update(None, "synchronous", "OFF")?;
            file.pragma_update(None, "journal_mode", "MEMORY")?;
            let all = file.transaction()?;
            all.execute_batch(TABLES)?;
            let bounds = mesh.bounds();
            let numbers = [
                ("version", "2".to_owned()),
                ("fps", self.frame_rate.to_string()),
                ("xmin", bounds.min.x.to_string()),
                ("xmax", bounds.max.x.to_string()),
                ("ymin", bounds.min.y.to_string()),
                ("ymax", bounds.max.y.to_string()),
            ];
            for (key, value) in numbers {
                all.execute("INSERT INTO metadata VALUES (?1, ?2)", params![key, value])?;
            }
            for wkt in ground_wkt(mesh, storey) {
                all.execute("INSERT INTO geometry VALUES (?1, ?2)", params![0, wkt])?;
            }
            {
                let rows = self.storeys.get(&storey).map(Vec::as_slice).unwrap_or_default();
                let mut row_of =
                    all.prepare("INSERT INTO trajectory_data VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
                for row in rows {
                    let ([x, y, _], [u, v]) = (row.at, row.heading);
                    row_of.execute(params![row.frame as i64, row.id, x, y, u, v])?;
                }
                let mut frame_of = all.prepare("INSERT INTO frame_data VALUES (?1, 0)")?;
                let last = rows.last().map_or(0, |row| row.frame);
                for frame in 0..=last {
                    frame_of.execute(params![frame as i64])?;
                }
            }
            all.commit()
        }
    }
}
