//! Coarse layers: accessible voxels, ordered flooding from below, merging.
//!
//! Source: thesis (seed 000), section 6.2.2, second approach.
//!   We differ: the thesis asks for empty voxels that hold a body on top of the voxel; standing low in its voxel, it needs up to
//!   two less, and a door of 2.1 m is closed to a body of 1.8 m by voxels of 0.4 m. We ask for those that a
//!   body fills in any case; the fine depth maps decide.
//! Steps: 1. [`accessible_voxels`]: positive, with empty voxels enough above for a body  2. [`ordered_flooding`]: from the
//!   lowest up, each voxel hands its layer on to its neighbours, unless their column has that layer already; where it meets
//!   another layer, the two become one if they do not overlap.
//! Promises: a layer has one voxel per column at most; layers are numbered by their first voxel in the order of flooding.
//! Cost: O(n log n) in accessible voxels, and for each pair of layers that meet the smaller one once.

use super::coarse::{NONE, Voxels};
use std::collections::BTreeSet;

/// A voxel that a body can stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its column, as a number among the columns that are not empty.
    pub place: u32,
    /// Its level.
    pub level: i32,
}

/// The voxels of a scene that bodies can stand on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accessible {
    /// By column, then from below.
    pub voxels: Vec<Standing>,
    /// Where those of each column start; one more than columns.
    starts: Vec<u32>,
}

/// Section 6.2.2: positive voxels with `head` empty ones above them.
pub fn accessible_voxels(voxels: &Voxels, head: i32) -> Accessible {
    let mut accessible = Accessible::default();
    for place in 0..voxels.places.len() as u32 {
        accessible.starts.push(accessible.voxels.len() as u32);
        let spans = voxels.spans_of(place);
        for (k, span) in spans.iter().enumerate().filter(|(_, span)| span.is_positive) {
            let room = spans.get(k + 1).map_or(i64::MAX, |next| i64::from(next.from) - i64::from(span.to));
            if room >= i64::from(head) {
                accessible.voxels.push(Standing { place, level: span.to - 1 });
            }
        }
    }
    accessible.starts.push(accessible.voxels.len() as u32);
    accessible
}

impl Accessible {
    /// The numbers of a column's accessible voxels, from below.
    pub fn of_column(&self, place: u32) -> std::ops::Range<u32> {
        self.starts[place as usize]..self.starts[place as usize + 1]
    }

    /// Whether the voxel of a column at a level is accessible.
    pub fn holds(&self, place: u32, level: i32) -> bool {
        self.of_column(place).any(|k| self.voxels[k as usize].level == level)
    }

    /// The accessible voxels beside one, no more than `reach` levels higher or lower.
    pub fn beside<'a>(
        &'a self,
        voxels: &'a Voxels,
        voxel: u32,
        reach: i32,
    ) -> impl Iterator<Item = u32> + 'a {
        let Standing { place, level } = self.voxels[voxel as usize];
        let columns = voxels.places[place as usize].beside.into_iter().filter(|&place| place != NONE);
        columns.flat_map(|place| self.of_column(place)).filter(move |&other| {
            let rise = i64::from(self.voxels[other as usize].level) - i64::from(level);
            rise.abs() <= i64::from(reach)
        })
    }
}

/// The layer of each accessible voxel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoarseLayers {
    /// Its layer.
    pub of: Vec<u32>,
    /// Number of layers.
    pub count: u32,
}

/// Section 6.2.2.2: puts accessible voxels into layers; neighbours are up to `reach` levels apart.
pub fn ordered_flooding(voxels: &Voxels, accessible: &Accessible, reach: i32) -> CoarseLayers {
    let mut order: Vec<u32> = (0..accessible.voxels.len() as u32).collect();
    order.sort_by_key(|&voxel| {
        let Standing { place, level } = accessible.voxels[voxel as usize];
        let place = voxels.places[place as usize];
        (level, place.column, place.row)
    });
    let mut sets = Sets {
        accessible,
        of: vec![NONE; accessible.voxels.len()],
        members: Vec::new(),
        overlaps: BTreeSet::new(),
    };
    for &voxel in &order {
        let mut layer = sets.of[voxel as usize];
        if layer == NONE {
            layer = sets.members.len() as u32;
            sets.members.push(vec![voxel]);
            sets.of[voxel as usize] = layer;
        }
        for other in accessible.beside(voxels, voxel, reach) {
            match sets.of[other as usize] {
                NONE if !sets.is_over(accessible.voxels[other as usize].place, layer) => {
                    sets.of[other as usize] = layer;
                    sets.members[layer as usize].push(other);
                }
                NONE => {}
                met if met != layer => layer = sets.merge(layer, met),
                _ => {}
            }
        }
    }
    // Numbered by the first voxel of each.
    let mut number = vec![NONE; sets.members.len()];
    let mut count = 0;
    for &voxel in &order {
        let number = &mut number[sets.of[voxel as usize] as usize];
        if *number == NONE {
            *number = count;
            count += 1;
        }
    }
    CoarseLayers { of: sets.of.iter().map(|&layer| number[layer as usize]).collect(), count }
}

/// Layers in work.
struct Sets<'a> {
    accessible: &'a Accessible,
    of: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// Pairs that overlap: they always will, for layers only grow.
    overlaps: BTreeSet<[u32; 2]>,
}

impl Sets<'_> {
    /// Whether a layer has a voxel in a column.
    fn is_over(&self, place: u32, layer: u32) -> bool {
        self.accessible.of_column(place).any(|voxel| self.of[voxel as usize] == layer)
    }

    /// Makes two layers one, if they do not overlap; gives the layer of the first then.
    fn merge(&mut self, own: u32, met: u32) -> u32 {
        let pair = [own.min(met), own.max(met)];
        if self.overlaps.contains(&pair) {
            return own;
        }
        let [small, large] = if self.members[own as usize].len() < self.members[met as usize].len() {
            [own, met]
        } else {
            [met, own]
        };
        let mut small_members = self.members[small as usize].iter();
        if small_members.any(|&voxel| self.is_over(self.accessible.voxels[voxel as usize].place, large)) {
            self.overlaps.insert(pair);
            return own;
        }
        let members = std::mem::take(&mut self.members[small as usize]);
        for &voxel in &members {
            self.of[voxel as usize] = large;
        }
        self.members[large as usize].extend(members);
        large
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Tower, towers};
    use super::*;
    use proptest::prelude::*;

    const REACH: i32 = 1;
    const HEAD: i32 = 3;

    /// The thesis's words, taken literally on a list of all voxels.
    fn plain_flooding(cells: &[(i32, u32, u32)]) -> Vec<u32> {
        let mut order: Vec<usize> = (0..cells.len()).collect();
        order.sort_by_key(|&k| cells[k]);
        let mut of = vec![NONE; cells.len()];
        let mut next = 0;
        for &k in &order {
            if of[k] == NONE {
                of[k] = next;
                next += 1;
            }
            for (dx, dy) in [(1i32, 0i32), (-1, 0), (0, 1), (0, -1)] {
                let (level, x, y) = cells[k];
                let mut found: Vec<usize> = (0..cells.len())
                    .filter(|&o| {
                        let other = cells[o];
                        other.1 as i32 == x as i32 + dx
                            && other.2 as i32 == y as i32 + dy
                            && (other.0 - level).abs() <= REACH
                    })
                    .collect();
                found.sort_by_key(|&o| cells[o].0);
                for o in found {
                    let in_column = |layer: u32, at: usize| {
                        (0..cells.len())
                            .any(|j| (cells[j].1, cells[j].2) == (cells[at].1, cells[at].2) && of[j] == layer)
                    };
                    if of[o] == NONE {
                        if !in_column(of[k], o) {
                            of[o] = of[k];
                        }
                    } else if of[o] != of[k] {
                        let (own, met) = (of[k], of[o]);
                        let overlap = (0..cells.len()).any(|j| of[j] == met && in_column(own, j));
                        if !overlap {
                            of.iter_mut().filter(|layer| **layer == met).for_each(|layer| *layer = own);
                        }
                    }
                }
            }
        }
        of
    }

    proptest! {
        #[test]
        fn accessible_voxels_and_layers_are_those_of_the_definition(
            pieces in prop::collection::vec((0u32..5, 0u32..5, 0i32..12, 1i32..3, any::<bool>()), 1..60)
        ) {
            let pieces: Vec<Tower> =
                pieces.into_iter().map(|(column, row, from, size, is_positive)| Tower { column, row, from, to: from + size, is_positive }).collect();
            let voxels = towers(&pieces);
            let accessible = accessible_voxels(&voxels, HEAD);
            let mut expected = Vec::new();
            for row in 0..5 {
                for column in 0..5 {
                    let at = |level: i32| pieces.iter().filter(move |t| (t.column, t.row) == (column, row) && (t.from..t.to).contains(&level));
                    for level in 0..14 {
                        if at(level).any(|t| t.is_positive) && (1..=HEAD).all(|k| at(level + k).next().is_none()) {
                            expected.push((level, column, row));
                        }
                    }
                }
            }
            let found: Vec<_> = accessible.voxels.iter().map(|s| {
                let place = voxels.places[s.place as usize];
                (s.level, place.column, place.row)
            }).collect();
            prop_assert_eq!(&found, &expected);
            let layers = ordered_flooding(&voxels, &accessible, REACH);
            let plain = plain_flooding(&expected);
            for j in 0..plain.len() {
                prop_assert!(layers.of[j] < layers.count);
                for k in 0..j {
                    prop_assert_eq!(layers.of[j] == layers.of[k], plain[j] == plain[k]);
                    prop_assert!(layers.of[j] != layers.of[k] || accessible.voxels[j].place != accessible.voxels[k].place);
                }
            }
        }
    }

    #[test]
    fn a_floor_and_a_gallery_joined_by_stairs_are_two_layers() {
        // The floor along y = 0 under a gallery along y = 0 four levels up; stairs beside both along y = 1.
        let slab = |column: u32, row: u32, level: i32| Tower {
            column,
            row,
            from: level,
            to: level + 1,
            is_positive: true,
        };
        let mut pieces: Vec<Tower> = (0..6).flat_map(|x| [slab(x, 0, 0), slab(x, 0, 5)]).collect();
        pieces.extend((0..6).map(|x| slab(x, 1, x as i32)));
        let voxels = towers(&pieces);
        let accessible = accessible_voxels(&voxels, HEAD);
        assert_eq!(accessible.voxels.len(), 18);
        let layers = ordered_flooding(&voxels, &accessible, REACH);
        assert_eq!(layers.count, 2);
        // The stairs belong to the floor, for it comes first.
        let of = |column: u32, row: u32, level: i32| {
            let place = voxels.places.iter().position(|p| (p.column, p.row) == (column, row)).unwrap() as u32;
            let voxel = accessible.of_column(place).find(|&k| accessible.voxels[k as usize].level == level);
            layers.of[voxel.unwrap() as usize]
        };
        assert_eq!([of(0, 0, 0), of(5, 1, 5), of(3, 1, 3)], [0; 3]);
        assert_eq!([of(0, 0, 5), of(5, 0, 5)], [1; 2]);
    }
}
