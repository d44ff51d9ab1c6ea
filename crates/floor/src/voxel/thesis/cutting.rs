//! The cutting shape of a layer: below which height a layer's own ground lies, for each coarse column.
//!
//! Idea: nothing may stand in the voxels above an accessible one, as many as a body is high; a plane on top of them
//!   cuts the layer off from all that is above it.
//! Source: thesis (seed 000), section 6.2.3. We differ: the thesis expands a layer by one voxel; tips of corners and strips along
//!   walls may reach farther, so we go on over voxels that hold walkable faces of no other layer, [`RINGS`] times.
//! Steps: 1. columns with a voxel of the layer  2. contour expansion: columns beside them with an obstacle, that is a
//!   negative voxel or a positive one that is not accessible, ring by ring  3. a plane over each
//! Promises: each layer has one plane per column at most; cuts are in the order of columns.
//! Cost: O(n log n) in the voxels of all layers with their rings.

use super::{
    coarse::{NONE, Voxels},
    layers::{Accessible, CoarseLayers},
};

/// Rings of expansion; the thesis has 1. More find a little more in narrow places and cost memory round every small layer.
pub const RINGS: u32 = 4;

/// What made a cut; the red channel of the thesis's cutting shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CutKind {
    /// An obstacle beside the layer (0.0).
    Expanded,
    /// An accessible voxel at the border to another layer (0.5).
    Portal,
    /// An accessible voxel (1.0).
    Accessible,
}

/// The cutting plane over one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The column, as a number among those that are not empty.
    pub place: u32,
    /// The level of the voxel that made it.
    pub level: i32,
    /// The height under which the layer's ground lies [height units].
    pub plane: i32,
    /// What made it.
    pub kind: CutKind,
}

/// The cuts of one layer, by column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CuttingShape {
    /// By column, one each at most.
    pub cuts: Vec<Cut>,
}

/// How far things are looked for, in levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Between neighbours.
    pub rise: i32,
    /// Empty voxels above an accessible one.
    pub head: i32,
    /// Rings of expansion.
    pub rings: u32,
}

/// Section 6.2.3: the cutting shape of each layer.
pub fn cutting_shapes(
    voxels: &Voxels,
    accessible: &Accessible,
    layers: &CoarseLayers,
    portals: &[bool],
    reach: Reach,
) -> Vec<CuttingShape> {
    let plane = |level: i32| {
        let level = i64::from(level) + 1 + i64::from(reach.head);
        (level * i64::from(voxels.side)).min(i64::from(i32::MAX)) as i32
    };
    let mut shapes = vec![CuttingShape::default(); layers.count as usize];
    for ((voxel, &layer), &is_portal) in accessible.voxels.iter().zip(&layers.of).zip(portals) {
        let kind = if is_portal { CutKind::Portal } else { CutKind::Accessible };
        let cut = Cut { place: voxel.place, level: voxel.level, plane: plane(voxel.level), kind };
        shapes[layer as usize].cuts.push(cut);
    }
    // The layer that has each column, of those done so far.
    let mut owner = vec![NONE; voxels.places.len()];
    for (layer, shape) in shapes.iter_mut().enumerate() {
        expand(voxels, accessible, shape, (layer as u32, &mut owner), reach, plane);
        shape.cuts.sort_unstable_by_key(|cut| cut.place);
    }
    shapes
}

/// Step 2: adds the columns round a layer.
fn expand(
    voxels: &Voxels,
    accessible: &Accessible,
    shape: &mut CuttingShape,
    (layer, owner): (u32, &mut [u32]),
    reach: Reach,
    plane: impl Fn(i32) -> i32,
) {
    shape.cuts.iter().for_each(|cut| owner[cut.place as usize] = layer);
    let mut ring: Vec<(u32, i32)> = shape.cuts.iter().map(|cut| (cut.place, cut.level)).collect();
    let mut met: Vec<(u32, Obstacle)> = Vec::new();
    for _ in 0..reach.rings {
        met.clear();
        for &(place, level) in &ring {
            let beside = voxels.places[place as usize].beside;
            for other in beside.into_iter().filter(|&other| other != NONE && owner[other as usize] != layer) {
                met.extend(
                    obstacle(voxels, accessible, other, level, reach.rise).map(|obstacle| (other, obstacle)),
                );
            }
        }
        ring.clear();
        // The best of each column first.
        met.sort_unstable();
        for &(place, obstacle) in &met {
            if owner[place as usize] == layer {
                continue;
            }
            owner[place as usize] = layer;
            let Obstacle { kind, level } = obstacle;
            shape.cuts.push(Cut { place, level, plane: plane(level), kind: CutKind::Expanded });
            if kind == ObstacleKind::Positive {
                ring.push((place, level));
            }
        }
        if ring.is_empty() {
            break;
        }
    }
}

/// A voxel that is not accessible; the better first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Obstacle {
    kind: ObstacleKind,
    level: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ObstacleKind {
    /// Holds walkable faces.
    Positive,
    /// Holds walkable faces just under an accessible voxel: they belong to another layer, or to this one elsewhere.
    Below,
    /// Holds faces too steep.
    Negative,
}

/// The best obstacle of a column, no more than `rise` levels from one; of one kind the nearest, then the lowest.
fn obstacle(voxels: &Voxels, accessible: &Accessible, place: u32, level: i32, rise: i32) -> Option<Obstacle> {
    let obstacles = voxels.spans_of(place).iter().filter_map(|span| {
        let (kind, top) = match span.is_positive {
            false => (ObstacleKind::Negative, span.to - 1),
            true if accessible.holds(place, span.to - 1) => (ObstacleKind::Below, span.to - 2),
            true => (ObstacleKind::Positive, span.to - 1),
        };
        (span.from <= top).then(|| Obstacle { kind, level: level.clamp(span.from, top) })
    });
    let rise_to = |obstacle: &Obstacle| (i64::from(obstacle.level) - i64::from(level)).abs();
    obstacles
        .filter(|obstacle| rise_to(obstacle) <= i64::from(rise))
        .min_by_key(|obstacle| (obstacle.kind, rise_to(obstacle), obstacle.level))
}

#[cfg(test)]
mod tests {
    use super::super::layers::{accessible_voxels, ordered_flooding};
    use super::super::portals::portal_voxels;
    use super::super::testing::{Tower, towers};
    use super::*;

    fn shapes(pieces: &[Tower], rings: u32) -> (Voxels, Vec<CuttingShape>) {
        let reach = Reach { rise: 1, head: 2, rings };
        let voxels = towers(pieces);
        let accessible = accessible_voxels(&voxels, reach.head);
        let layers = ordered_flooding(&voxels, &accessible, reach.rise);
        let portals = portal_voxels(&voxels, &accessible, &layers, reach.rise);
        let shapes = cutting_shapes(&voxels, &accessible, &layers, &portals, reach);
        (voxels, shapes)
    }

    #[test]
    fn a_layer_grows_over_the_obstacles_round_it_and_is_cut_above_the_head() {
        let tower = |column, from, to, is_positive| Tower { column, row: 2, from, to, is_positive };
        // Along x: a free floor, two columns under a low shelf, then a wall; behind it a floor that is not in touch.
        let mut pieces: Vec<Tower> = (0..6).map(|x| tower(x, 0, 1, true)).collect();
        pieces.extend([tower(3, 2, 3, true), tower(4, 2, 3, true), tower(5, 1, 6, false)]);
        let (voxels, all) = shapes(&pieces, RINGS);
        let cuts = |shape: &CuttingShape| -> Vec<_> {
            shape
                .cuts
                .iter()
                .map(|c| (voxels.places[c.place as usize].column, c.level, c.plane / 4096, c.kind))
                .collect()
        };
        use CutKind::{Accessible, Expanded};
        let floor = [
            (0, 0, 3, Accessible),
            (1, 0, 3, Accessible),
            (2, 0, 3, Accessible),
            (3, 0, 3, Expanded),
            (4, 0, 3, Expanded),
            (5, 0, 3, Expanded),
        ];
        assert_eq!(cuts(&all[0]), floor);
        // The thesis looks one voxel far.
        let (_, one) = shapes(&pieces, 1);
        assert_eq!(cuts(&one[0]), floor[..4]);
        // The shelf is a layer of its own, with the wall beside it.
        assert_eq!(cuts(&all[1]), [(3, 2, 5, Accessible), (4, 2, 5, Accessible), (5, 2, 5, Expanded)]);
    }

    #[test]
    fn every_layer_has_one_cut_per_column_at_most() {
        let slab = |column: u32, row: u32, level: i32| Tower {
            column,
            row,
            from: level,
            to: level + 1,
            is_positive: true,
        };
        let mut pieces: Vec<Tower> = (0..6).flat_map(|x| [slab(x, 0, 0), slab(x, 0, 5)]).collect();
        pieces.extend((0..6).flat_map(|x| [slab(x, 1, x as i32), slab(x, 2, 1)]));
        let (_, shapes) = shapes(&pieces, RINGS);
        for shape in &shapes {
            assert!(shape.cuts.is_sorted_by(|a, b| a.place < b.place));
        }
    }
}
