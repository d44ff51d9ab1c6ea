//! From triangles to a [`SurfaceMesh`].
//!
//! Steps: 1. faces that are none are set aside  2. sides are joined to edges, edges of three and more faces cut
//! 3. vertices with several fans are cut into one copy per fan  4. lengths, with room for faces without area
//! 5. angles, borders, components
//! Promises H1, H2, H3, and that the same triangles give the same bits. Cost: O(n log n) for the joining, else O(n).

use super::{NONE, RawSurface, SurfaceMesh, fans, glue, lengths};
use crate::SurfaceError;
use wayfare_core::{MAX_COORDINATE, RepairReport, ops};
use wayfare_geom::TriangleMesh;

/// Half-edge numbers stay below 2^31.
const LIMIT: usize = (1 << 31) / 3;

impl SurfaceMesh {
    /// Makes a surface of any triangles. What cannot be part of one is set aside or cut, and reported:
    ///
    /// - `out-of-range-face`, `degenerate-face` (repeats a vertex), `duplicate-face` (the corners of an earlier face, in
    ///   either turn: a surface has no back): set aside.
    /// - `non-manifold-edge`: an edge of three or more faces is cut, each of its faces has a border there.
    /// - `non-manifold-vertex`: where several fans of faces meet in one vertex each gets its own copy, so that no
    ///   path leads through it. A source there is a source of all copies, a distance the smallest of them.
    /// - `zero-area-face`: kept, as the surface would have a hole; it counts as a 10⁻¹¹ of its longest side high, a side without
    ///   length as a 10⁻¹¹ of the mean side long.
    pub fn build(mesh: &TriangleMesh) -> Result<(Self, RepairReport), SurfaceError> {
        check_size(mesh.triangles.len(), mesh.vertices.len())?;
        for (vertex, p) in mesh.vertices.iter().enumerate() {
            // Written so that NaN fails.
            if !(p.abs().max_element() <= MAX_COORDINATE && p.is_finite()) {
                return Err(SurfaceError::Position { vertex, at: p.to_array() });
            }
        }
        let mut repair = RepairReport::default();
        let kept = usable_faces(&mesh.triangles, mesh.vertices.len(), true, &mut repair);
        let origins = flat(kept.iter().map(|&face| mesh.triangles[face as usize]));
        let twins = glue::by_vertices(&origins, &kept, &mut repair);
        let side = |h: usize| {
            let [p, q] = [h, next(h)].map(|h| mesh.vertices[origins[h] as usize]);
            p.distance(q)
        };
        let lengths = (0..origins.len()).map(side).collect();
        finish(mesh.vertices.len(), origins, twins, lengths, kept, repair)
    }
}

/// The surface of a [`RawSurface`].
pub fn from_raw(raw: &RawSurface) -> Result<(SurfaceMesh, RepairReport), SurfaceError> {
    let faces = raw.faces.len();
    check_size(faces, raw.vertices)?;
    if raw.lengths.len() != faces {
        return Err(SurfaceError::Count { faces, what: "triples of lengths", given: raw.lengths.len() });
    }
    let mut repair = RepairReport::default();
    let kept = usable_faces(&raw.faces, raw.vertices, raw.joints.is_none(), &mut repair);
    let origins = flat(kept.iter().map(|&face| raw.faces[face as usize]));
    let twins = match &raw.joints {
        None => glue::by_vertices(&origins, &kept, &mut repair),
        Some(joints) if joints.len() != faces => {
            return Err(SurfaceError::Count { faces, what: "triples of joints", given: joints.len() });
        }
        Some(joints) => glue::by_joints(joints, &origins, &kept)?,
    };
    let lengths: Vec<f64> = flat(kept.iter().map(|&face| raw.lengths[face as usize]));
    lengths::check(&lengths, &twins, &kept)?;
    finish(raw.vertices, origins, twins, lengths, kept, repair)
}

fn check_size(faces: usize, vertices: usize) -> Result<(), SurfaceError> {
    if faces > LIMIT || vertices > LIMIT {
        return Err(SurfaceError::TooLarge { faces, vertices, limit: LIMIT });
    }
    Ok(())
}

fn flat<T>(triples: impl Iterator<Item = [T; 3]>) -> Vec<T> {
    triples.flatten().collect()
}

/// The next side of the same face.
pub fn next(h: usize) -> usize {
    if h % 3 == 2 { h - 2 } else { h + 1 }
}

/// Step 1: the faces that can be used, in order.
fn usable_faces(
    faces: &[[u32; 3]],
    vertices: usize,
    one_per_corners: bool,
    repair: &mut RepairReport,
) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::with_capacity(faces.len());
    for (number, &[a, b, c]) in faces.iter().enumerate() {
        if let Some(v) = [a, b, c].into_iter().find(|&v| v as usize >= vertices) {
            repair.note("out-of-range-face", || format!("face {number}: names vertex {v} of {vertices}"));
        } else if a == b || b == c || c == a {
            let v = if a == b { a } else { c };
            repair.note("degenerate-face", || format!("face {number}: repeats vertex {v}"));
        } else {
            kept.push(number as u32);
        }
    }
    if one_per_corners {
        let key = |&face: &u32| {
            let mut corners = faces[face as usize];
            corners.sort_unstable();
            (corners, face)
        };
        let mut sorted: Vec<([u32; 3], u32)> = kept.iter().map(key).collect();
        sorted.sort_unstable();
        let mut repeated: Vec<(u32, u32)> = Vec::new();
        for same in sorted.chunk_by(|a, b| a.0 == b.0) {
            repeated.extend(same[1..].iter().map(|again| (again.1, same[0].1)));
        }
        repeated.sort_unstable();
        for &(face, of) in &repeated {
            repair.note("duplicate-face", || format!("face {face}: has the corners of face {of}"));
        }
        kept.retain(|face| repeated.binary_search_by_key(face, |pair| pair.0).is_err());
    }
    kept
}

/// Steps 3 to 5.
fn finish(
    input_vertices: usize,
    mut origins: Vec<u32>,
    twins: Vec<u32>,
    mut lengths: Vec<f64>,
    input_faces: Vec<u32>,
    mut repair: RepairReport,
) -> Result<(SurfaceMesh, RepairReport), SurfaceError> {
    let copies = fans::cut(&mut origins, &twins, input_vertices, &mut repair);
    let double_areas = lengths::open_flat_faces(&mut lengths, &input_faces, &mut repair);
    let vertices = input_vertices + copies.len();
    let (corner_starts, corners) = corners(&origins, vertices);
    let (components, orientable) = components(&origins, &twins);
    let mut surface = SurfaceMesh {
        origins,
        twins,
        lengths,
        double_areas,
        corner_starts,
        corners,
        angles: vec![0.0; vertices],
        is_border: vec![false; vertices],
        input_vertices,
        copies,
        input_faces,
        components,
        orientable,
    };
    for h in 0..surface.origins.len() {
        let [x, y] = surface.apex(super::HalfEdgeId(h as u32));
        surface.angles[surface.origins[h] as usize] += ops::atan2(y, x);
        if surface.twins[h] == NONE {
            surface.is_border[surface.origins[h] as usize] = true;
            surface.is_border[surface.origins[next(h)] as usize] = true;
        }
    }
    Ok((surface, repair))
}

/// Half-edges by the vertex where they start.
fn corners(origins: &[u32], vertices: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; vertices + 1];
    for &v in origins {
        starts[v as usize + 1] += 1;
    }
    for v in 0..vertices {
        starts[v + 1] += starts[v];
    }
    let mut fill = starts.clone();
    let mut corners = vec![0u32; origins.len()];
    for (h, &v) in origins.iter().enumerate() {
        corners[fill[v as usize] as usize] = h as u32;
        fill[v as usize] += 1;
    }
    (starts, corners)
}

/// The component of each face, numbered by their first faces, and whether each can be oriented.
fn components(origins: &[u32], twins: &[u32]) -> (Vec<u32>, Vec<bool>) {
    let faces = origins.len() / 3;
    let mut components = vec![NONE; faces];
    let mut turned = vec![false; faces];
    let mut orientable = Vec::new();
    let mut stack = Vec::new();
    for first in 0..faces {
        if components[first] != NONE {
            continue;
        }
        let component = orientable.len() as u32;
        orientable.push(true);
        components[first] = component;
        stack.push(first);
        while let Some(face) = stack.pop() {
            for h in 3 * face..3 * face + 3 {
                let twin = twins[h];
                if twin == NONE {
                    continue;
                }
                let twin = twin as usize;
                let turn = turned[face] != (origins[twin] == origins[h]);
                let other = twin / 3;
                if components[other] == NONE {
                    components[other] = component;
                    turned[other] = turn;
                    stack.push(other);
                } else if turned[other] != turn {
                    orientable[component as usize] = false;
                }
            }
        }
    }
    (components, orientable)
}
