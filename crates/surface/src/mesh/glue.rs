//! Which sides are one edge.

use super::{NONE, build::next};
use crate::SurfaceError;
use wayfare_core::RepairReport;

/// Joins sides with the same two vertices; three or more are cut. `faces` are the input's numbers.
pub fn by_vertices(origins: &[u32], faces: &[u32], repair: &mut RepairReport) -> Vec<u32> {
    let key = |h: usize| {
        let (a, b) = (origins[h], origins[next(h)]);
        (u64::from(a.min(b)) << 32 | u64::from(a.max(b)), h as u32)
    };
    let mut sides: Vec<(u64, u32)> = (0..origins.len()).map(key).collect();
    sides.sort_unstable();
    let mut twins = vec![NONE; origins.len()];
    for edge in sides.chunk_by(|a, b| a.0 == b.0) {
        match *edge {
            [] | [_] => {}
            [(_, a), (_, b)] => (twins[a as usize], twins[b as usize]) = (b, a),
            [(_, h), ..] => repair.note("non-manifold-edge", || {
                let h = h as usize;
                let (a, b, face) = (origins[h], origins[next(h)], faces[h / 3]);
                format!("from vertex {a} to {b}: {} faces, the first is face {face}", edge.len())
            }),
        }
    }
    twins
}

/// Joins sides as somebody says, if it can be; joints to faces that were set aside are borders.
pub fn by_joints(
    joints: &[[Option<u32>; 3]],
    origins: &[u32],
    faces: &[u32],
) -> Result<Vec<u32>, SurfaceError> {
    let mut new_face = vec![NONE; joints.len()];
    for (new, &old) in faces.iter().enumerate() {
        new_face[old as usize] = new as u32;
    }
    let mut twins = vec![NONE; origins.len()];
    for (new, &old) in faces.iter().enumerate() {
        for (side, &joint) in joints[old as usize].iter().enumerate() {
            let Some(twin) = joint else { continue };
            let bad =
                |reason| Err(SurfaceError::Joint { face: old as usize, side, twin: twin as usize, reason });
            let (other, other_side) = (twin as usize / 3, twin as usize % 3);
            let Some(back) = joints.get(other) else { return bad("there is no such half-edge") };
            if back[other_side] != Some(3 * old + side as u32) {
                return bad("it is joined to another");
            }
            if other == old as usize && other_side == side {
                return bad("it is the same side");
            }
            if new_face[other] == NONE {
                continue;
            }
            let (h, twin) = (3 * new + side, 3 * new_face[other] as usize + other_side);
            let ends = [origins[h], origins[next(h)]];
            let [a, b] = [origins[twin], origins[next(twin)]];
            if ends != [a, b] && ends != [b, a] {
                return bad("they have different vertices");
            }
            twins[h] = twin as u32;
        }
    }
    Ok(twins)
}
