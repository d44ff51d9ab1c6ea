//! A base mesh from and to the numbers of a file, and whether it is what it promises.

use super::{BaseMesh, RawBase};
use crate::{
    SurfaceMesh,
    charted::{RawCharts, joints_of_file, joints_to_file},
    flat::{ChartMesh, FlatChart, Scratch, Stretch, is_simple, is_upright},
    mesh::NONE,
    segment::Charts,
};
use wayfare_core::{DVec2, Defect};

fn defect(invariant: &'static str, element: String, message: impl Into<String>) -> Vec<Defect> {
    vec![Defect { invariant, element, message: message.into() }]
}

impl BaseMesh {
    /// The numbers of a file.
    pub(crate) fn to_raw(&self, surface: &SurfaceMesh) -> RawCharts {
        let mut starts = vec![0u32];
        let (mut vertices, mut places) = (Vec::new(), Vec::new());
        for chart in &self.charts.charts {
            vertices.extend_from_slice(&chart.mesh.vertices);
            places.extend(chart.positions.iter().map(|p| p.to_array()));
            starts.push(vertices.len() as u32);
        }
        let (map_faces, map_weights) = self.vertex_points.iter().copied().unzip();
        RawCharts {
            of_face: surface.faces().map(|face| self.charts.chart(face) as u32).collect(),
            starts,
            vertices,
            places,
            base_vertices: self.raw.vertices.clone(),
            base_faces: self.raw.faces.clone(),
            base_charts: self.raw.charts.clone(),
            base_joints: self.raw.joints.iter().map(joints_to_file).collect(),
            map_faces,
            map_weights,
            max_distortion: self.max_distortion,
        }
    }

    /// From the numbers of a file; nothing is believed.
    pub(crate) fn from_file(surface: &SurfaceMesh, file: RawCharts) -> Result<Self, Vec<Defect>> {
        if !(file.max_distortion > 1.0 && file.max_distortion.is_finite()) {
            return Err(defect("S3", "the limit".into(), format!("it is {}", file.max_distortion)));
        }
        let charts = charts_of(surface, &file)?;
        let raw = base_of(surface, &charts, &file)?;
        let vertices = surface.vertex_count();
        if file.map_faces.len() != vertices || file.map_weights.len() != vertices {
            let message = format!("{vertices} vertices have {} places", file.map_faces.len());
            return Err(defect("S2", "the map".into(), message));
        }
        for (vertex, (&face, weights)) in file.map_faces.iter().zip(&file.map_weights).enumerate() {
            let sum: f64 = weights.iter().sum();
            let has_face = surface.corners(crate::VertexId(vertex as u32)).len() > 0;
            let is_point = (face as usize) < raw.faces.len()
                && weights.iter().all(|weight| *weight >= 0.0)
                && (sum - 1.0).abs() < 1e-9;
            if has_face && !is_point {
                return Err(defect("S2", format!("vertex {vertex}"), "it has no place on the base mesh"));
            }
            if !has_face && face != NONE {
                return Err(defect("S2", format!("vertex {vertex}"), "it has a place, but no face"));
            }
        }
        let mut made = Self::from_raw_unmapped(surface, charts, raw, file.max_distortion)
            .map_err(|error| defect("H3", "the base mesh".into(), error.to_string()))?;
        made.vertex_points = file.map_faces.into_iter().zip(file.map_weights).collect();
        Ok(made)
    }

    /// Everything that breaks S1, S2 or S3.
    pub fn check(&self, surface: &SurfaceMesh) -> Vec<Defect> {
        let mut defects = Vec::new();
        for (number, chart) in self.charts.charts.iter().enumerate() {
            let name = || format!("chart {number}");
            let is_flipped = |face: usize| !is_upright(chart.corners(face));
            if let Some(face) = (0..chart.mesh.faces.len()).find(|&face| is_flipped(face)) {
                let face = chart.mesh.faces[face];
                defects.extend(defect("S1", name(), format!("face {face} is flipped")));
            } else if !is_simple(&chart.outline()) {
                defects.extend(defect("S1", name(), "it overlaps itself"));
            }
            let mean = chart.stretch.linf_mean;
            // Rounding of a single face, which cannot be divided further.
            if mean.is_nan() || (mean > self.max_distortion && chart.mesh.faces.len() > 1) {
                let message = format!("its mean L∞ is {mean}, over {}", self.max_distortion);
                defects.extend(defect("S3", name(), message));
            }
        }
        for (face, &corners) in self.raw.corners.iter().enumerate() {
            if !is_upright(corners) {
                defects.extend(defect("S2", format!("base face {face}"), "it is flipped in its chart"));
            }
        }
        let placed = self.vertex_points.iter().filter(|point| point.0 != NONE).count();
        let needed = surface.facts().vertices;
        if placed != needed {
            let message = format!("{placed} of {needed} vertices have a place on the base mesh");
            defects.extend(defect("S2", "the map".into(), message));
        }
        defects
    }
}

fn charts_of(surface: &SurfaceMesh, file: &RawCharts) -> Result<Charts, Vec<Defect>> {
    let count = file.starts.len().saturating_sub(1);
    let whole = || "the charts".to_owned();
    if file.of_face.len() != surface.face_count() {
        let message = format!("{} faces have {} charts", surface.face_count(), file.of_face.len());
        return Err(defect("S1", whole(), message));
    }
    let is_sorted = file.starts.is_sorted() && file.starts.first() == Some(&0);
    let end = file.starts.last().map_or(0, |&end| end as usize);
    if !is_sorted || end != file.vertices.len() || end != file.places.len() {
        return Err(defect("S1", whole(), "their vertices and places do not fit together"));
    }
    let mut faces: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (face, &chart) in file.of_face.iter().enumerate() {
        match faces.get_mut(chart as usize) {
            Some(faces) => faces.push(face as u32),
            None => return Err(defect("S1", format!("face {face}"), format!("there is no chart {chart}"))),
        }
    }
    let mut scratch = Scratch::new(surface);
    let mut charts = Vec::with_capacity(count);
    for (number, faces) in faces.into_iter().enumerate() {
        let name = format!("chart {number}");
        let mesh = (!faces.is_empty()).then(|| ChartMesh::build(surface, faces, &mut scratch)).flatten();
        let Some(mesh) = mesh else { return Err(defect("S1", name, "it is no disc")) };
        let range = file.starts[number] as usize..file.starts[number + 1] as usize;
        if mesh.vertices != file.vertices[range.clone()] {
            return Err(defect("S1", name, "its vertices are not those of its faces"));
        }
        let positions: Vec<DVec2> = file.places[range].iter().map(|&p| DVec2::from_array(p)).collect();
        if !positions.iter().all(|p| p.abs().max_element() <= 1e100) {
            return Err(defect("S1", name, "a place is not finite"));
        }
        let stretch = Stretch::of(surface, &mesh, &positions);
        charts.push(FlatChart { mesh, positions, stretch });
    }
    Ok(Charts::new(surface, charts))
}

fn base_of(surface: &SurfaceMesh, charts: &Charts, file: &RawCharts) -> Result<RawBase, Vec<Defect>> {
    let faces = file.base_faces.len();
    if file.base_charts.len() != faces || file.base_joints.len() != faces {
        return Err(defect("S2", "the base mesh".into(), "its lists have different lengths"));
    }
    let is_rising = file.base_vertices.windows(2).all(|pair| pair[0] < pair[1]);
    let is_known = file.base_vertices.last().is_none_or(|&last| (last as usize) < surface.vertex_count());
    if !is_rising || !is_known || !file.base_charts.is_sorted() {
        return Err(defect("S2", "the base mesh".into(), "its vertices or charts are not in order"));
    }
    let mut base = RawBase {
        vertices: file.base_vertices.clone(),
        faces: file.base_faces.clone(),
        charts: file.base_charts.clone(),
        joints: file.base_joints.iter().map(joints_of_file).collect(),
        ..RawBase::default()
    };
    for (face, (vertices, &chart)) in base.faces.iter().zip(&base.charts).enumerate() {
        let place = |&vertex: &u32| {
            let chart = charts.charts.get(chart as usize)?;
            let vertex = *base.vertices.get(vertex as usize)?;
            let local = chart.mesh.vertices.binary_search(&vertex).ok()?;
            Some(chart.positions[local])
        };
        let &[a, b, c] = vertices;
        let [Some(p), Some(q), Some(r)] = [a, b, c].map(|vertex| place(&vertex)) else {
            let message = "a corner is no vertex of its chart";
            return Err(defect("S2", format!("base face {face}"), message));
        };
        base.corners.push([p, q, r]);
        base.lengths.push([p.distance(q), q.distance(r), r.distance(p)]);
    }
    for (face, joints) in base.joints.iter().enumerate() {
        let is_known = |joint: &Option<u32>| joint.is_none_or(|twin| (twin as usize) < 3 * faces);
        if !joints.iter().all(is_known) {
            return Err(defect("H1", format!("base face {face}"), "it is joined to what is not there"));
        }
    }
    base.border_mismatch = base.mismatch();
    Ok(base)
}
