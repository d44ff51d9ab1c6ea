//! Fragments of a row to floors.
//!
//! Idea: in each column fragments that touch are one solid; its top is a floor if a face that can be walked on lies
//!   within a step below it and there is head room above.
//! Source: the accessible voxels of the thesis (seed 000), section 6.2.2, with true heights.
//! Cost: a counting sort by column and a small sort in each.

use super::raster::Fragment;
use std::ops::Range;

/// What a triangle is for those who walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Whether its slope can be walked on.
    pub is_walkable: bool,
    /// Its area tag.
    pub tag: u8,
}

/// Lengths that bodies ask for [height units].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Head room that a floor must have.
    pub height: i32,
    /// The highest step.
    pub step: i32,
}

/// A place to stand on in one column [height units].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floor {
    /// The pixel's column.
    pub column: u32,
    /// The lowest point of the face that is walked on.
    pub low: i32,
    /// The highest point of all that is no more than a step above that face.
    pub top: i32,
    /// The lowest point of what is above; `i32::MAX` under the open sky.
    pub ceiling: i32,
    /// Height of the face in the middle of the pixel: where feet stand.
    pub height: i32,
    /// Area tag of the face.
    pub tag: u8,
}

/// The columns of one row.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The floors from left to right and from below.
    pub floors: Vec<Floor>,
    /// Where the floors of each column start; one more than columns.
    floor_starts: Vec<u32>,
    /// Bottom and top of the solids, in the same order.
    solids: Vec<[i32; 2]>,
    solid_starts: Vec<u32>,
}

impl Row {
    /// The floors of a column as a range of numbers.
    pub fn floors_of(&self, column: u32) -> Range<usize> {
        range(&self.floor_starts, column)
    }

    /// Whether no column has two floors.
    pub fn has_one_floor_per_column(&self) -> bool {
        self.floors.windows(2).all(|pair| pair[0].column != pair[1].column)
    }

    /// Bottom and top of the solids of a column from below.
    pub fn solids_of(&self, column: u32) -> &[[i32; 2]] {
        &self.solids[range(&self.solid_starts, column)]
    }

    /// What a body on a floor meets that goes to a column which has no floor for it: `None` for a wall, or how far it falls.
    pub fn drop_into(&self, column: u32, floor: &Floor, room: Room) -> Option<i32> {
        let knee = i64::from(floor.top) + i64::from(room.step);
        let head = i64::from(floor.top) + i64::from(room.height);
        let mut ground = None;
        for &[bottom, top] in self.solids_of(column) {
            if i64::from(top) <= knee {
                ground = Some(top);
            } else if i64::from(bottom) < head {
                return None;
            } else {
                break;
            }
        }
        let depth = ground.map_or(i64::from(i32::MAX), |ground| i64::from(floor.top) - i64::from(ground));
        // What rises is too steep to be walked on. What does not is the rim of a ledge, or a slope that one slides down.
        (depth >= 0).then_some(depth.clamp(i64::from(room.step) + 1, i64::from(i32::MAX)) as i32)
    }

    /// Puts other floors in the place of its own, from left to right and from below.
    pub fn replace_floors(&mut self, floors: Vec<Floor>, columns: u32) {
        self.floors = floors;
        self.floor_starts.clear();
        let mut next = 0;
        for column in 0..=columns {
            while self.floors.get(next).is_some_and(|floor| floor.column < column) {
                next += 1;
            }
            self.floor_starts.push(next as u32);
        }
    }

    /// Adds the floors and solids of the next column, whose fragments come from below.
    #[inline]
    fn add_column(&mut self, stack: &[Fragment], surfaces: &[Surface], room: Room) {
        let before = self.floors.len();
        let mut fragments = stack.iter().peekable();
        while let Some(first) = fragments.next() {
            // Fragments that touch are one solid; the highest face that can be walked on is its floor.
            let (bottom, mut top) = (first.low, first.high);
            let mut face = Some(first).filter(|face| surfaces[face.triangle as usize].is_walkable);
            while let Some(next) = fragments.next_if(|next| next.low <= top) {
                top = top.max(next.high);
                if surfaces[next.triangle as usize].is_walkable
                    && face.is_none_or(|face| next.high >= face.high)
                {
                    face = Some(next);
                }
            }
            // The floor below has this solid above it.
            if self.floors.len() > before
                && let Some(below) = self.floors.last_mut()
                && below.ceiling == i32::MAX
            {
                below.ceiling = bottom;
                if room.is_too_low(below) {
                    self.floors.pop();
                }
            }
            if let Some(&Fragment { column, low, high, triangle }) = face
                && i64::from(top) - i64::from(high) <= i64::from(room.step)
            {
                let (height, tag) = (low + (high - low) / 2, surfaces[triangle as usize].tag);
                self.floors.push(Floor { column, low, top, ceiling: i32::MAX, height, tag });
            }
            self.solids.push([bottom, top]);
        }
    }

    fn clear(&mut self) {
        self.floors.clear();
        self.solids.clear();
        self.floor_starts.clear();
        self.solid_starts.clear();
    }
}

/// Columns outside the row are empty.
fn range(starts: &[u32], column: u32) -> Range<usize> {
    match starts.get(column as usize..column as usize + 2) {
        Some(ends) => ends[0] as usize..ends[1] as usize,
        None => 0..0,
    }
}

/// Memory that is used from row to row.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    starts: Vec<u32>,
    sorted: Vec<Fragment>,
}

impl Columns {
    /// Fills a row of `columns` pixels from its fragments.
    pub fn fill(
        &mut self,
        row: &mut Row,
        fragments: &[Fragment],
        columns: u32,
        surfaces: &[Surface],
        room: Room,
    ) {
        self.sort(fragments, columns);
        row.clear();
        row.floor_starts.reserve(columns as usize + 1);
        row.solid_starts.reserve(columns as usize + 1);
        let mut start = 0;
        for &end in &self.starts[1..=columns as usize] {
            row.floor_starts.push(row.floors.len() as u32);
            row.solid_starts.push(row.solids.len() as u32);
            let stack = &mut self.sorted[start..end as usize];
            start = end as usize;
            if stack.len() > 1 {
                sort_stack(stack);
            }
            row.add_column(stack, surfaces, room);
        }
        row.floor_starts.push(row.floors.len() as u32);
        row.solid_starts.push(row.solids.len() as u32);
    }

    /// By column.
    fn sort(&mut self, fragments: &[Fragment], columns: u32) {
        self.starts.clear();
        self.starts.resize(columns as usize + 2, 0);
        for fragment in fragments {
            self.starts[fragment.column as usize + 2] += 1;
        }
        for k in 2..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        // Each start moves to the end of its column, which is the start of the next.
        if self.sorted.len() < fragments.len() {
            self.sorted.resize(fragments.len(), Fragment { column: 0, low: 0, high: 0, triangle: 0 });
        }
        for fragment in fragments {
            let at = &mut self.starts[fragment.column as usize + 1];
            self.sorted[*at as usize] = *fragment;
            *at += 1;
        }
        self.starts.pop();
    }
}

/// Sorts the fragments of a column; most columns have very few.
#[inline]
fn sort_stack(stack: &mut [Fragment]) {
    let key = |f: &Fragment| (f.low, f.high, f.triangle);
    if stack.len() > 16 {
        stack.sort_unstable_by_key(key);
        return;
    }
    for k in 1..stack.len() {
        let mut at = k;
        while at > 0 && key(&stack[at]) < key(&stack[at - 1]) {
            stack.swap(at, at - 1);
            at -= 1;
        }
    }
}

impl Room {
    fn is_too_low(&self, floor: &Floor) -> bool {
        i64::from(floor.ceiling) - i64::from(floor.top) < i64::from(self.height)
    }

    /// Whether one step leads from one floor to the other, side by side, and a body fits through between them.
    ///
    /// As the step is lower than the height, a floor has at most one such neighbour in a column.
    pub fn connects(&self, a: &Floor, b: &Floor) -> bool {
        let rise = i64::from(a.low.max(b.low)) - i64::from(a.top.min(b.top));
        let head = i64::from(a.ceiling.min(b.ceiling)) - i64::from(a.top.max(b.top));
        rise <= i64::from(self.step) && head >= i64::from(self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ROOM: Room = Room { height: 18, step: 4 };
    const SURFACES: [Surface; 3] = [
        Surface { is_walkable: true, tag: 1 },
        Surface { is_walkable: false, tag: 0 },
        Surface { is_walkable: true, tag: 2 },
    ];

    fn floors(fragments: &[(u32, i32, i32, u32)]) -> Vec<Floor> {
        let fragments: Vec<Fragment> = fragments
            .iter()
            .map(|&(column, low, high, triangle)| Fragment { column, low, high, triangle })
            .collect();
        let mut row = Row::default();
        Columns::default().fill(&mut row, &fragments, 8, &SURFACES, ROOM);
        row.floors
    }

    #[test]
    fn a_floor_needs_a_face_to_walk_on_and_head_room() {
        let floor = |top, ceiling, tag| Floor { column: 3, low: 0, top, ceiling, height: 0, tag };
        assert_eq!(floors(&[(3, 0, 1, 0)]), [floor(1, i32::MAX, 1)]);
        assert_eq!(floors(&[(3, 0, 1, 1)]), []);
        // A ceiling at 19 leaves just enough, one at 18 does not.
        assert_eq!(floors(&[(3, 19, 25, 1), (3, 0, 1, 0)]), [floor(1, 19, 1)]);
        assert_eq!(floors(&[(3, 18, 25, 1), (3, 0, 1, 0)]), []);
        // A kerb is stepped on, a wall is not.
        assert_eq!(floors(&[(3, 0, 5, 1), (3, 0, 1, 0)]), [floor(5, i32::MAX, 1)]);
        assert_eq!(floors(&[(3, 0, 6, 1), (3, 0, 1, 0)]), []);
        // Two storeys, with different tags.
        let upper = Floor { column: 3, low: 30, top: 31, ceiling: i32::MAX, height: 30, tag: 2 };
        assert_eq!(floors(&[(3, 30, 31, 2), (3, 0, 1, 0)]), [floor(1, 30, 1), upper]);
    }

    #[test]
    fn beside_a_floor_is_a_wall_or_a_drop() {
        let drop = |solids: &[(u32, i32, i32, u32)]| {
            let fragments: Vec<_> = solids
                .iter()
                .map(|&(column, low, high, triangle)| Fragment { column, low, high, triangle })
                .collect();
            let mut row = Row::default();
            Columns::default().fill(&mut row, &fragments, 8, &SURFACES, ROOM);
            let floor = Floor { column: 2, low: 100, top: 100, ceiling: i32::MAX, height: 100, tag: 0 };
            row.drop_into(3, &floor, ROOM)
        };
        assert_eq!(drop(&[]), Some(i32::MAX));
        assert_eq!(drop(&[(3, 0, 40, 1)]), Some(60));
        assert_eq!(drop(&[(3, 0, 40, 1), (3, 118, 120, 1)]), Some(60));
        // In the way of the head, of the knees, and ground that rises too steeply.
        assert_eq!(drop(&[(3, 0, 40, 1), (3, 117, 120, 1)]), None);
        assert_eq!(drop(&[(3, 0, 105, 1)]), None);
        assert_eq!(drop(&[(3, 0, 102, 1)]), None);
        // The rim of a ledge, and a slope that goes down too steeply.
        assert_eq!(drop(&[(3, 0, 100, 1)]), Some(5));
        assert_eq!(drop(&[(3, 0, 96, 1)]), Some(5));
    }

    proptest! {
        #[test]
        fn floors_are_those_of_every_height_tried(
            stack in prop::collection::vec((0u32..3, 0i32..90, 0i32..12, 0u32..3), 0..12)
        ) {
            let stack: Vec<_> = stack.into_iter().map(|(column, low, size, tri)| (column, low, low + size, tri)).collect();
            let found = floors(&stack);
            let mut expected = Vec::new();
            for column in 0..3 {
                let here: Vec<_> = stack.iter().filter(|f| f.0 == column).collect();
                let is_solid = |z: i32| here.iter().any(|f| f.1 <= z && z <= f.2);
                // A top is the end of a solid height; heights next to each other touch only if one fragment has both.
                let joined = |z: i32| here.iter().any(|f| f.1 <= z && z < f.2);
                for top in (0..110).filter(|&z| is_solid(z) && !joined(z)) {
                    let mut bottom = top;
                    while joined(bottom - 1) {
                        bottom -= 1;
                    }
                    let ceiling = (top + 1..110).find(|&z| is_solid(z)).unwrap_or(i32::MAX);
                    let walked = here
                        .iter()
                        .filter(|f| bottom <= f.1 && f.2 <= top && SURFACES[f.3 as usize].is_walkable)
                        .map(|f| f.2)
                        .max();
                    let has_room = i64::from(ceiling) - i64::from(top) >= 18;
                    if has_room && walked.is_some_and(|walked| top - walked <= 4) {
                        expected.push((column, top, ceiling));
                    }
                }
            }
            let found: Vec<_> = found.iter().map(|f| (f.column, f.top, f.ceiling)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
