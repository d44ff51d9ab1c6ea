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
    /// The radius of each agent, by its number, where it is known [m].
    pub radii: Vec<f64>,
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
            self.set_radius(agent.id.0, agent.radius);
        }
    }

    fn set_radius(&mut self, id: u32, radius: f64) {
        let id = id as usize;
        if self.radii.len() <= id {
            self.radii.resize(id + 1, radius);
        }
        self.radii[id] = radius;
    }

    /// Adds what PeTrack text tells of a storey: ours, or that of others in metres or centimetres. Heights that are not told are
    /// NaN.
    pub fn add_text(&mut self, text: &str) -> Result<(), TextError> {
        let (mut storey, mut scale) = (0, 1.0);
        for (k, line) in text.lines().enumerate() {
            let wrong = |message: &str| TextError { line: k + 1, message: message.to_owned() };
            if let Some(comment) = line.trim_start().strip_prefix('#') {
                if let Some(rest) = comment.split("framerate").nth(1) {
                    let number =
                        rest.split(|c: char| !c.is_ascii_digit() && c != '.').find(|word| !word.is_empty());
                    let rate = number.and_then(|word| word.parse::<f64>().ok()).filter(|rate| *rate > 0.0);
                    self.frame_rate = rate.ok_or_else(|| wrong("the frame rate is no number"))?;
                }
                if comment.contains("x/cm") || comment.contains("in cm") {
                    scale = 0.01;
                }
                if let Some(number) =
                    comment.split("storey ").nth(1).and_then(|rest| rest.trim().parse().ok())
                {
                    storey = number;
                }
                continue;
            }
            let mut words = line.split_ascii_whitespace();
            let Some(id) = words.next() else { continue };
            let (Ok(id), Some(Ok(frame))) = (id.parse::<u32>(), words.next().map(str::parse::<u64>)) else {
                return Err(wrong("expected the numbers of an agent and of a frame"));
            };
            let mut at = [f64::NAN; 3];
            for (slot, word) in at.iter_mut().zip(words) {
                *slot = scale * word.parse::<f64>().map_err(|_| wrong("expected a coordinate"))?;
            }
            if !(at[0].is_finite() && at[1].is_finite()) {
                return Err(wrong("expected x and y"));
            }
            self.storeys.entry(storey).or_default().push(Row { frame, id, at, heading: [1.0, 0.0] });
        }
        if !(self.frame_rate > 0.0 && self.frame_rate.is_finite()) {
            return Err(TextError { line: 0, message: "no line tells the framerate".into() });
        }
        Ok(())
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

/// What is wrong with the text of trajectories.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct TextError {
    /// The line, from 1 on; 0 where it has no line.
    pub line: usize,
    /// What is wrong.
    pub message: String,
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
    use super::{Row, Trajectories, ground_wkt};
    use rusqlite::{Connection, params};
    use std::path::Path;
    use wayfare_navmesh::NavMesh;

    const TABLES: &str = "
        CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,
            pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
        CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
        CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
        CREATE INDEX frame_id_idx ON trajectory_data(frame, id);
        CREATE TABLE wayfare_agents (id INTEGER NOT NULL UNIQUE PRIMARY KEY, radius REAL NOT NULL);";

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
                ("wayfare_storey", storey.to_string()),
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
                let mut agents: Vec<u32> = rows.iter().map(|row| row.id).collect();
                agents.sort_unstable();
                agents.dedup();
                let mut agent_of = all.prepare("INSERT INTO wayfare_agents VALUES (?1, ?2)")?;
                for id in agents {
                    agent_of.execute(params![id, self.radii.get(id as usize)])?;
                }
                let mut frame_of = all.prepare("INSERT INTO frame_data VALUES (?1, 0)")?;
                let last = rows.last().map_or(0, |row| row.frame);
                for frame in 0..=last {
                    frame_of.execute(params![frame as i64])?;
                }
            }
            all.commit()
        }

        /// Adds what a file tells of a storey: ours, or one of JuPedSim. It does not tell heights, which are NaN.
        pub fn add_sqlite(&mut self, path: &Path) -> rusqlite::Result<()> {
            let file = Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            let metadata = |key: &str| -> rusqlite::Result<Option<f64>> {
                let found = file.query_row("SELECT value FROM metadata WHERE key = ?1", [key], |row| {
                    row.get::<_, String>(0)
                });
                match found {
                    Ok(text) => Ok(text.parse().ok()),
                    Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
                    Err(error) => Err(error),
                }
            };
            let rate = metadata("fps")?.filter(|rate| *rate > 0.0 && rate.is_finite());
            self.frame_rate = rate.ok_or(rusqlite::Error::InvalidColumnName("fps".into()))?;
            let storey = metadata("wayfare_storey")?.map_or(0, |storey| storey as u32);
            let mut rows = file.prepare(
                "SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data ORDER BY frame, id",
            )?;
            let rows = rows.query_map([], |row| {
                Ok(Row {
                    frame: row.get::<_, u32>(0)?.into(),
                    id: row.get(1)?,
                    at: [row.get(2)?, row.get(3)?, f64::NAN],
                    heading: [row.get(4)?, row.get(5)?],
                })
            })?;
            let own = self.storeys.entry(storey).or_default();
            for row in rows {
                own.push(row?);
            }
            // Ours tell the radii.
            if file.table_exists(None, "wayfare_agents")? {
                let mut agents = file.prepare("SELECT id, radius FROM wayfare_agents")?;
                let agents =
                    agents.query_map([], |row| Ok((row.get::<_, u32>(0)?, row.get::<_, f64>(1)?)))?;
                for agent in agents {
                    let (id, radius) = agent?;
                    if id < 10_000_000 && radius > 0.0 && radius.is_finite() {
                        self.set_radius(id, radius);
                    }
                }
            }
            Ok(())
        }
    }
}
