//! Who sees the goal flies straight.
//!
//! Idea: from box to box along the straight line: where the line leaves a box it must pass a portal of it. Most often it comes to a
//!   wall soon, and nothing is lost; else no search could find anything shorter.
//! Where the line runs through an edge or along a face, and no portal is surely passed, nothing is said.
//! Cost: a look into a tree of portals for each box on the line.

use super::{
    gates::Gates,
    search::{Corridor, Task},
};

/// The boxes and portals along the straight line from start to goal; `None` if a wall is there, or may be.
pub(super) fn straight(task: &Task, gates: &Gates) -> Option<Corridor> {
    let [from, to] = task.ends;
    let along = to - from;
    let mut corridor = Corridor { regions: vec![task.regions[0]], portals: Vec::new(), bends: Vec::new() };
    let mut region = task.regions[0];
    while region != task.regions[1] {
        // The side through which the line leaves the box, and where.
        let area = task.mesh.region_box(region);
        let mut exit = (f64::INFINITY, 0, 0.0);
        for axis in (0..3).filter(|&axis| along[axis] != 0.0) {
            let side = if along[axis] > 0.0 { area.max[axis] } else { area.min[axis] };
            let share = (side - from[axis]) / along[axis];
            if share < exit.0 {
                exit = (share, axis, side);
            }
        }
        let (share, axis, side) = exit;
        if share >= 1.0 {
            return None;
        }
        let mut at = (from + along * share).clamp(area.min, area.max);
        at[axis] = side;
        let mut next = None;
        task.trees.touching(region.0, at, |door| {
            let leaves = door
                .across(gates)
                .is_some_and(|(across, corners)| across == axis && corners[0][axis] == side);
            if leaves && door.is_passed(gates, from, to) {
                next = Some((door.into, door.portal()));
            }
            next.is_some()
        });
        let (into, portal) = next?;
        corridor.regions.push(into);
        corridor.portals.push(portal);
        region = into;
    }
    Some(corridor)
}
