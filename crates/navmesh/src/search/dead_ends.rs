//! Finds the dead ends of a mesh: what a path between other places never enters.
//!
//! Idea: ground that hangs on the rest by one portal can be left only through that portal, so a
//! path that enters it without ending there could have stayed on the portal. Taking such faces away again and
//! again leaves the 2-core of the face graph; a query opens only the chains from its two ends to the core.
//! Source: Polyanya (Cui, Harabor and Grastien 2017) skips single faces of this kind; we carry it to the end,
//!   the 2-core of the face graph (k-cores: Seidman 1983). On `aurora-merged` 19,244 faces become 2,267.
//! Steps: 1. count the portals of each face  2. take away faces with one, note the way out, repeat
//! Promises: each face that was taken away has exactly one `up` edge, following it ends in the core, and each
//!   component keeps at least one core face.
//! Cost: O(n), deterministic.

use super::faces::{Faces, NONE};

/// For each face the edge that leads towards the core, [`NONE`] in the core.
pub(crate) fn find(faces: &Faces) -> Vec<u32> {
    let mut up = vec![NONE; faces.count()];
    let portals = |face: u32| {
        let (start, end) = faces.range(face);
        (start..end).filter(|&edge| faces.edges[edge as usize].twin != NONE)
    };
    let mut degree: Vec<u32> = (0..faces.count() as u32).map(|face| portals(face).count() as u32).collect();
    let mut taken = vec![false; faces.count()];
    let mut queue: Vec<u32> = (0..faces.count() as u32).filter(|&face| degree[face as usize] == 1).collect();
    let mut head = 0;
    while let Some(&face) = queue.get(head) {
        head += 1;
        // The last face of a tree has lost its only neighbour meanwhile: it is the core of its component.
        if degree[face as usize] != 1 {
            continue;
        }
        let across = |edge: u32| faces.edges[faces.edges[edge as usize].twin as usize].face;
        let Some(way_out) = portals(face).find(|&edge| !taken[across(edge) as usize]) else { continue };
        taken[face as usize] = true;
        up[face as usize] = way_out;
        let other = across(way_out) as usize;
        degree[other] -= 1;
        if degree[other] == 1 {
            queue.push(other as u32);
        }
    }
    up
}
