//! The Python side: packages, and a process that is asked line by line.

use anyhow::{Context as _, Result, bail};
use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};
use wayfare_scene::read_mesh;
use wayfare_surface::{Method, SurfaceMesh, SurfacePoint, distances};

/// The argument of a child of this program that tells its memory.
pub const MEMORY: &str = "--memory";

/// A running Python process.
pub struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: PathBuf,
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A Python with the packages; installed on the first run.
fn python() -> Result<PathBuf> {
    let folder = here().join("target/venv");
    let python = folder.join("bin/python");
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    let is_there =
        Command::new(&python).args(["-c", "import pygeodesic, potpourri3d"]).stderr(Stdio::null()).status();
    if !is_there.is_ok_and(|status| status.success()) {
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "-r"])
            .arg(here().join("requirements.txt")))?;
    }
    Ok(python)
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.stdout(Stdio::null()).status().with_context(|| format!("cannot run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}

impl Worker {
    /// Starts Python.
    pub fn start() -> Result<Self> {
        let mut child = Command::new(python()?)
            .arg(here().join("worker.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start Python")?;
        let input = child.stdin.take().context("a pipe")?;
        let output = BufReader::new(child.stdout.take().context("a pipe")?);
        let folder = here().join("target/exchange");
        fs::create_dir_all(&folder)?;
        Ok(Self { child, input, output, folder })
    }

    fn ask(&mut self, line: &str) -> Result<Vec<f64>> {
        writeln!(self.input, "{line}")?;
        self.input.flush()?;
        let mut answer = String::new();
        if self.output.read_line(&mut answer)? == 0 {
            bail!("Python ended at '{line}'");
        }
        Ok(answer.split_whitespace().filter_map(|word| word.parse().ok()).collect())
    }

    /// Hands a mesh over.
    pub fn mesh(&mut self, mesh: &wayfare_geom::TriangleMesh) -> Result<()> {
        let (vertices, faces) = (self.folder.join("vertices.f64"), self.folder.join("faces.i64"));
        let bytes: Vec<u8> =
            mesh.vertices.iter().flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes).collect();
        fs::write(&vertices, bytes)?;
        let numbers = mesh.triangles.iter().flatten().map(|&v| i64::from(v));
        fs::write(&faces, numbers.flat_map(i64::to_le_bytes).collect::<Vec<u8>>())?;
        self.ask(&format!("mesh {} {}", vertices.display(), faces.display()))?;
        Ok(())
    }

    fn distances(&self) -> Result<Vec<f64>> {
        let bytes = fs::read(self.folder.join("distances.f64"))?;
        Ok(bytes
            .chunks_exact(8)
            .map(|b| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
            .collect())
    }

    /// Seconds and distances of pygeodesic.
    pub fn exact(&mut self, source: usize) -> Result<(f64, Vec<f64>)> {
        let file = self.folder.join("distances.f64");
        let answer = self.ask(&format!("exact {source} {}", file.display()))?;
        Ok((*answer.first().context("seconds")?, self.distances()?))
    }

    /// Seconds to prepare and to solve, and distances of potpourri3d.
    pub fn heat(&mut self, source: usize) -> Result<(f64, f64, Vec<f64>)> {
        let file = self.folder.join("distances.f64");
        let answer = self.ask(&format!("heat {source} {}", file.display()))?;
        match answer[..] {
            [prepare, solve] => {
                // The file is complete when the next question is answered.
                self.ask("memory")?;
                Ok((prepare, solve, self.distances()?))
            }
            _ => bail!("Python answered {answer:?}"),
        }
    }

    /// Peak memory of a fresh process with one surface, and before it [MB].
    pub fn memory(path: &Path) -> Result<[f64; 2]> {
        let mut worker = Self::start()?;
        let before = *worker.ask("memory")?.first().context("memory")?;
        worker.mesh(&read_mesh(path, 1 << 32)?.0)?;
        let file = worker.folder.join("distances.f64");
        let answer = worker.ask(&format!("exact 0 {}", file.display()))?;
        Ok([*answer.get(1).context("memory")?, before])
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It ends by itself when its input does; waiting would need that first.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processor time of this process.
pub fn processor_time() -> Result<Duration> {
    let text = fs::read_to_string("/proc/self/schedstat").context("this bench needs Linux")?;
    let nanoseconds =
        text.split_whitespace().next().and_then(|word| word.parse().ok()).context("a number")?;
    Ok(Duration::from_nanos(nanoseconds))
}

/// What a child of this program says of its own peak memory with one surface, and before it [MB].
pub fn own_memory(path: &Path) -> Result<[f64; 2]> {
    let output = Command::new(std::env::current_exe()?).arg(MEMORY).arg(path).output()?;
    let text = String::from_utf8(output.stdout)?;
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().ok().context("two numbers")
}

/// The child: solves one surface and prints its peak memory.
pub fn tell_memory(path: &Path) -> Result<()> {
    let before = peak()?;
    let (mesh, _) = read_mesh(path, 1 << 32)?;
    let (surface, _) = SurfaceMesh::build(&mesh)?;
    distances(&surface, &SurfacePoint::at_input_vertex(&surface, 0)?, Method::Exact)?;
    println!("{} {before}", peak()?);
    Ok(())
}

fn peak() -> Result<f64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).context("no VmHWM")?;
    let kilobytes: f64 = line.split_whitespace().nth(1).context("a number")?.parse()?;
    Ok(kilobytes / 1024.0)
}
