//! Fragments of a row to floors.
//!
//! Idea: in each column fragments that touch are one solid; its top is a floor if a face that can be walked on lies
//!   within a step below it and there is head room above. Columns side by side that are alike are one block: most ground
//!   is level, most walls are upright, and few blocks are left of many columns.
//! Source: the accessible voxels of the thesis (seed 000), section 6.2.2, with true heights.
//! Cost: linear in fragments and blocks but for the few solids of a block, among which each fragment is put.

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

/// A place to stand on in columns side by side that are alike [height units].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floor {
    /// The first column.
    pub start: u32,
    /// The column behind the last.
    pub end: u32,
    /// The lowest point of the face that is walked on.
    pub low: i32,
    /// The highest point of that face.
    pub high: i32,
    /// The highest point of all that is no more than a step above that face.
    pub top: i32,
    /// The lowest point of what is above; `i32::MAX` under the open sky.
    pub ceiling: i32,
    /// The highest point of the next lower face of the same solid that can be walked on: where a riser is in the pixel, the ground at
    /// its foot. `i32::MIN` if there is none.
    pub foot: i32,
    /// Height of the face in the middle of the pixel: where feet stand.
    pub height: i32,
    /// Area tag of the face.
    pub tag: u8,
}

impl Floor {
    fn is_like(&self, other: &Self) -> bool {
        (self.low, self.high, self.top, self.ceiling, self.foot, self.height, self.tag)
            == (other.low, other.high, other.top, other.ceiling, other.foot, other.height, other.tag)
    }
}

/// Columns side by side with the same floors and solids.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The first column.
    pub start: u32,
    /// The column behind the last.
    pub end: u32,
    /// Where its floors start; they end where those of the next block start.
    floors: u32,
    /// Where its solids start.
    solids: u32,
}

/// The columns of one row; those that nothing lies in have no block.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// From left to right.
    pub blocks: Vec<Block>,
    /// The floors of all blocks, in each from below.
    pub floors: Vec<Floor>,
    /// Bottom and top of the solids, in the same order.
    solids: Vec<[i32; 2]>,
}

/// What a body on a floor meets that goes to a column with solids, from below, but without a floor for it: `None` for a
/// wall, or how far it falls.
pub fn drop_onto(solids: &[[i32; 2]], floor: &Floor, room: Room) -> Option<i32> {
    let knee = i64::from(floor.top) + i64::from(room.step);
    let head = i64::from(floor.top) + i64::from(room.height);
    let mut ground = None;
    for &[bottom, top] in solids {
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

impl Row {
    /// The floors of a block as a range of numbers.
    #[inline]
    pub fn floors_of(&self, block: usize) -> Range<usize> {
        let end = self.blocks.get(block + 1).map_or(self.floors.len(), |next| next.floors as usize);
        self.blocks[block].floors as usize..end
    }

    /// Bottom and top of the solids of a block from below.
    #[inline]
    pub fn solids_of(&self, block: usize) -> &[[i32; 2]] {
        let end = self.blocks.get(block + 1).map_or(self.solids.len(), |next| next.solids as usize);
        &self.solids[self.blocks[block].solids as usize..end]
    }

    /// Puts other floors in the place of its own, from left to right and from below; those of one column begin and end
    /// together.
    pub fn replace_floors(&mut self, floors: &[Floor]) {
        let old = std::mem::take(self);
        let mut rest = floors;
        for block in 0..old.blocks.len() {
            let Block { start, end, .. } = old.blocks[block];
            let mut column = start;
            while column < end {
                rest = &rest[rest.partition_point(|floor| floor.end <= column)..];
                let here = rest.partition_point(|floor| floor.start <= column);
                let until = match (here, rest.first()) {
                    (0, Some(next)) => next.start.min(end),
                    (_, Some(first)) => first.end.min(end),
                    (_, None) => end,
                };
                self.begin(column, until);
                let cut = |floor: &Floor| Floor { start: column, end: until, ..*floor };
                self.floors.extend(rest[..here].iter().map(cut));
                self.solids.extend_from_slice(old.solids_of(block));
                self.merge_last();
                column = until;
            }
        }
    }

    fn begin(&mut self, start: u32, end: u32) {
        let (floors, solids) = (self.floors.len() as u32, self.solids.len() as u32);
        self.blocks.push(Block { start, end, floors, solids });
    }

    /// Adds a block of what lies over its columns, by lower end. Fragments that touch are one solid; the face of a solid is the highest of
    /// those that can be walked on, of these the one with the highest lower end, of these that of the last triangle.
    #[inline]
    fn add_block(
        &mut self,
        Range { start, end }: Range<u32>,
        over: &[Piece],
        fragments: &[Fragment],
        surfaces: &[Surface],
        room: Room,
    ) {
        self.begin(start, end);
        let before = self.floors.len();
        let mut rest = over;
        while let Some(&Piece { low: bottom, .. }) = rest.first() {
            let mut top = i32::MIN;
            let mut face: Option<&Piece> = None;
            let mut lowest = i32::MAX;
            let mut count = 0;
            while let Some(piece) = rest.get(count)
                && (count == 0 || piece.low <= top)
            {
                top = top.max(piece.high);
                count += 1;
                if piece.is_walkable {
                    lowest = lowest.min(piece.high);
                    // They come by lower end.
                    let is_higher = |face: &Piece| {
                        let triangle = |piece: &Piece| fragments[piece.number as usize].triangle;
                        piece.high > face.high
                            || piece.high == face.high
                                && (piece.low > face.low || triangle(piece) > triangle(face))
                    };
                    if face.is_none_or(is_higher) {
                        face = Some(piece);
                    }
                }
            }
            let (own, others) = rest.split_at(count);
            rest = others;
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
            if let Some(&Piece { low, high, number, .. }) = face
                && i64::from(top) - i64::from(high) <= i64::from(room.step)
            {
                let Fragment { middle: height, triangle, .. } = fragments[number as usize];
                let tag = surfaces[triangle as usize].tag;
                let mut foot = i32::MIN;
                if lowest < low {
                    let under = own.iter().filter(|piece| piece.is_walkable && piece.high < low);
                    foot = under.map(|piece| piece.high).max().unwrap_or(foot);
                }
                self.floors.push(Floor { start, end, low, high, top, ceiling: i32::MAX, foot, height, tag });
            }
            self.solids.push([bottom, top]);
        }
        self.merge_last();
    }

    /// Lengthens the block before the last, if the last is the same and beside it.
    #[inline]
    fn merge_last(&mut self) {
        let [.., before, last] = self.blocks.as_mut_slice() else { return };
        if before.end != last.start {
            return;
        }
        let (own, new) =
            self.solids[before.solids as usize..].split_at((last.solids - before.solids) as usize);
        // Few, so that one by one is faster than as a block of memory.
        if own.len() != new.len() || !own.iter().zip(new).all(|(own, new)| own == new) {
            return;
        }
        let (own, new) =
            self.floors[before.floors as usize..].split_at_mut((last.floors - before.floors) as usize);
        if own.len() != new.len() || !own.iter().zip(&*new).all(|(own, new)| own.is_like(new)) {
            return;
        }
        before.end = last.end;
        own.iter_mut().for_each(|floor| floor.end = last.end);
        self.floors.truncate(last.floors as usize);
        self.solids.truncate(last.solids as usize);
        self.blocks.pop();
    }

    fn clear(&mut self) {
        self.blocks.clear();
        self.floors.clear();
        self.solids.clear();
    }
}

/// What of a fragment says where solids and floors are.
#[derive(Clone, Copy, Debug)]
struct Piece {
    low: i32,
    high: i32,
    /// The column behind its last.
    end: u32,
    /// The fragment.
    number: u32,
    is_walkable: bool,
}

/// In lists of fragments: there is none.
const NONE: u32 = u32::MAX;

/// Memory that is used from row to row.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// The last fragment that starts in each column, and the one before each in the same column.
    last: Vec<u32>,
    before: Vec<u32>,
    /// The fragments over the column in work and more, by lower end.
    lasting: Vec<Piece>,
    /// Those over the column in work alone, and both.
    own: Vec<Piece>,
    both: Vec<Piece>,
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
        row.clear();
        self.sort(fragments, columns);
        self.lasting.clear();
        // The first column behind something that lasts.
        let mut lasts = u32::MAX;
        let mut column = 0;
        let mut following = self.next_start(0);
        // Each turn is a block: from where something begins or ends to where something does again.
        loop {
            if column == lasts {
                self.lasting.retain(|piece| piece.end > column);
                lasts = self.lasting.iter().map(|piece| piece.end).min().unwrap_or(u32::MAX);
            }
            if self.lasting.is_empty() {
                if following == columns {
                    break;
                }
                column = following;
            }
            self.own.clear();
            if column == following {
                let mut number = self.last[column as usize];
                while number != NONE {
                    let Fragment { low, high, triangle, end, .. } = fragments[number as usize];
                    let is_walkable = surfaces[triangle as usize].is_walkable;
                    let new = Piece { low, high, end, number, is_walkable };
                    // On slopes all pixels differ: most end with the column.
                    if end == column + 1 {
                        self.own.push(new);
                    } else {
                        lasts = lasts.min(end);
                        put(&mut self.lasting, new);
                    }
                    number = self.before[number as usize];
                }
                sort(&mut self.own);
                following = self.next_start(column + 1);
            }
            let (over, end) = if self.own.is_empty() {
                (&self.lasting, lasts.min(if following == columns { u32::MAX } else { following }))
            } else if self.lasting.is_empty() {
                (&self.own, column + 1)
            } else {
                merge(&self.own, &self.lasting, &mut self.both);
                (&self.both, column + 1)
            };
            row.add_block(column..end, over, fragments, surfaces, room);
            column = end;
        }
    }

    /// By first column.
    fn sort(&mut self, fragments: &[Fragment], columns: u32) {
        self.last.clear();
        self.last.resize(columns as usize, NONE);
        self.before.clear();
        for (number, fragment) in (0..).zip(fragments) {
            self.before.push(std::mem::replace(&mut self.last[fragment.start as usize], number));
        }
    }

    /// The first column from one on in which something starts, or the number of columns.
    #[inline]
    fn next_start(&self, from: u32) -> u32 {
        let rest = &self.last[from as usize..];
        from + rest.iter().position(|&number| number != NONE).unwrap_or(rest.len()) as u32
    }
}

/// Sorts by lower end. Most columns have a few pieces, a few have hundreds.
#[inline]
fn sort(pieces: &mut [Piece]) {
    if pieces.len() > MANY {
        pieces.sort_unstable_by_key(|piece| piece.low);
        return;
    }
    for k in 1..pieces.len() {
        let new = pieces[k];
        let mut at = k;
        while at > 0 && pieces[at - 1].low > new.low {
            pieces[at] = pieces[at - 1];
            at -= 1;
        }
        pieces[at] = new;
    }
}

/// So many pieces are worth being sorted by something better than one by one.
const MANY: usize = 12;

/// Puts a piece among others by lower end.
#[inline]
fn put(over: &mut Vec<Piece>, new: Piece) {
    let mut at = over.len();
    over.push(new);
    while at > 0 && over[at - 1].low > new.low {
        over[at] = over[at - 1];
        at -= 1;
    }
    over[at] = new;
}

/// Puts two lists by lower end together.
#[inline]
fn merge(mut a: &[Piece], mut b: &[Piece], both: &mut Vec<Piece>) {
    both.clear();
    both.reserve(a.len() + b.len());
    while let ([first, a_rest @ ..], [second, b_rest @ ..]) = (a, b) {
        if first.low <= second.low {
            both.push(*first);
            a = a_rest;
        } else {
            both.push(*second);
            b = b_rest;
        }
    }
    both.extend_from_slice(a);
    both.extend_from_slice(b);
}

impl Room {
    fn is_too_low(&self, floor: &Floor) -> bool {
        i64::from(floor.ceiling) - i64::from(floor.top) < i64::from(self.height)
    }

    /// Whether one step leads from one floor to the other, side by side, and a body fits through between them. The step is that
    /// between the faces that are walked on: nobody climbs two steps over the rim of a thin wall between them.
    ///
    /// As the step is lower than the height, a floor has at most one such neighbour in a column.
    pub fn connects(&self, a: &Floor, b: &Floor) -> bool {
        let head = i64::from(a.ceiling.min(b.ceiling)) - i64::from(a.top.max(b.top));
        let (low, high) = (a.low.max(b.low), a.high.min(b.high));
        // Most go on at the same height.
        head >= i64::from(self.height)
            && (low <= high || self.is_step(a, b, i64::from(low) - i64::from(high)))
    }

    /// Whether a step leads from one floor to the other, which is so much higher than the first ends.
    fn is_step(&self, a: &Floor, b: &Floor, mut rise: i64) -> bool {
        // Ground that rises from the foot of a ledge is higher beside the pixel with the ledge than at its foot.
        let [upper, lower] = if a.low > b.low { [a, b] } else { [b, a] };
        if (lower.low..lower.high).contains(&upper.foot) {
            rise = i64::from(upper.low) - i64::from(upper.foot);
        }
        rise <= i64::from(self.step)
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
            .map(|&(start, low, high, triangle)| Fragment {
                start,
                end: start + 1,
                low,
                high,
                middle: low,
                triangle,
            })
            .collect();
        let mut row = Row::default();
        Columns::default().fill(&mut row, &fragments, 8, &SURFACES, ROOM);
        row.floors
    }

    #[test]
    fn a_floor_needs_a_face_to_walk_on_and_head_room() {
        let floor = |top, ceiling, tag| Floor {
            start: 3,
            end: 4,
            low: 0,
            high: 1,
            top,
            ceiling,
            foot: i32::MIN,
            height: 0,
            tag,
        };
        assert_eq!(floors(&[(3, 0, 1, 0)]), [floor(1, i32::MAX, 1)]);
        assert_eq!(floors(&[(3, 0, 1, 1)]), []);
        // A ceiling at 19 leaves just enough, one at 18 does not.
        assert_eq!(floors(&[(3, 19, 25, 1), (3, 0, 1, 0)]), [floor(1, 19, 1)]);
        assert_eq!(floors(&[(3, 18, 25, 1), (3, 0, 1, 0)]), []);
        // A kerb is stepped on, a wall is not.
        assert_eq!(floors(&[(3, 0, 5, 1), (3, 0, 1, 0)]), [floor(5, i32::MAX, 1)]);
        assert_eq!(floors(&[(3, 0, 6, 1), (3, 0, 1, 0)]), []);
        // Two storeys, with different tags.
        let upper = Floor { height: 30, low: 30, high: 31, ..floor(31, i32::MAX, 2) };
        assert_eq!(floors(&[(3, 30, 31, 2), (3, 0, 1, 0)]), [floor(1, 30, 1), upper]);
    }

    #[test]
    fn two_steps_are_not_one_though_a_rim_stands_between_them() {
        // A rim of 3 on ground at 0, and ground at 4, 5 or 7 beside it.
        let low = floors(&[(3, 0, 0, 0), (3, 0, 3, 1)])[0];
        let connects = |height: i32| ROOM.connects(&low, &floors(&[(4, height, height, 0)])[0]);
        assert_eq!([4, 5, 7].map(connects), [true, false, false]);
    }

    #[test]
    fn a_ledge_is_as_high_as_its_foot_is_low() {
        // A slope that rises away from a ledge at 10: in the pixel of the ledge from 4 to 5, in the next from 5 to 7.
        let slope = |low: i32, high: i32| floors(&[(4, low, high, 0)])[0];
        let ledge = |foot: &[(u32, i32, i32, u32)]| {
            let riser = (3, 4, 10, 1);
            floors(&[foot, &[riser, (3, 10, 10, 0)]].concat())[0]
        };
        assert_eq!(ledge(&[(3, 4, 5, 0)]).foot, 5);
        assert!(!ROOM.connects(&ledge(&[(3, 4, 5, 0)]), &slope(5, 7)));
        assert!(!ROOM.connects(&slope(5, 7), &ledge(&[(3, 4, 5, 0)])));
        assert!(ROOM.connects(&ledge(&[(3, 4, 6, 0)]), &slope(5, 7)), "a step from its foot");
        assert!(ROOM.connects(&ledge(&[]), &slope(5, 7)), "its foot is not in the pixel");
        assert!(ROOM.connects(&ledge(&[(3, 2, 4, 0)]), &slope(6, 7)), "what is below is not the same ground");
    }

    #[test]
    fn beside_a_floor_is_a_wall_or_a_drop() {
        let floor = Floor {
            start: 2,
            end: 3,
            low: 100,
            high: 100,
            top: 100,
            ceiling: i32::MAX,
            foot: i32::MIN,
            height: 100,
            tag: 0,
        };
        let drop = |solids: &[[i32; 2]]| drop_onto(solids, &floor, ROOM);
        assert_eq!(drop(&[]), Some(i32::MAX));
        assert_eq!(drop(&[[0, 40]]), Some(60));
        assert_eq!(drop(&[[0, 40], [118, 120]]), Some(60));
        // In the way of the head, of the knees, and ground that rises too steeply.
        assert_eq!(drop(&[[0, 40], [117, 120]]), None);
        assert_eq!(drop(&[[0, 105]]), None);
        assert_eq!(drop(&[[0, 102]]), None);
        // The rim of a ledge, and a slope that goes down too steeply.
        assert_eq!(drop(&[[0, 100]]), Some(5));
        assert_eq!(drop(&[[0, 96]]), Some(5));
    }

    proptest! {
        #[test]
        fn floors_are_those_of_every_height_tried(
            stack in prop::collection::vec((0u32..4, 1u32..4, 0i32..90, 0i32..12, 0u32..3), 0..12)
        ) {
            let fragment = |(start, width, low, size, triangle)| {
                Fragment { start, end: start + width, low, high: low + size, middle: low, triangle }
            };
            let stack: Vec<Fragment> = stack.into_iter().map(fragment).collect();
            let mut row = Row::default();
            Columns::default().fill(&mut row, &stack, 8, &SURFACES, ROOM);
            // In which order they come does not matter.
            let mut turned = Row::default();
            let backward: Vec<Fragment> = stack.iter().rev().copied().collect();
            Columns::default().fill(&mut turned, &backward, 8, &SURFACES, ROOM);
            prop_assert_eq!(&row.floors, &turned.floors);
            prop_assert_eq!(&row.solids, &turned.solids);
            // Blocks are in order, and none is like the one before it.
            for (k, pair) in row.blocks.windows(2).enumerate() {
                prop_assert!(pair[0].end <= pair[1].start);
                let is_same = |a: &[Floor], b: &[Floor]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_like(b));
                prop_assert!(
                    pair[0].end < pair[1].start
                        || row.solids_of(k) != row.solids_of(k + 1)
                        || !is_same(&row.floors[row.floors_of(k)], &row.floors[row.floors_of(k + 1)])
                );
            }
            let mut found = Vec::new();
            for (k, block) in row.blocks.iter().enumerate() {
                for column in block.start..block.end {
                    for floor in &row.floors[row.floors_of(k)] {
                        prop_assert_eq!((floor.start, floor.end), (block.start, block.end));
                        found.push((column, floor.top, floor.ceiling, (floor.high, floor.low)));
                    }
                }
            }
            let mut expected = Vec::new();
            for column in 0..8 {
                let here: Vec<_> = stack.iter().filter(|f| (f.start..f.end).contains(&column)).collect();
                let is_solid = |z: i32| here.iter().any(|f| f.low <= z && z <= f.high);
                // A top is the end of a solid height; heights next to each other touch only if one fragment has both.
                let joined = |z: i32| here.iter().any(|f| f.low <= z && z < f.high);
                for top in (0..110).filter(|&z| is_solid(z) && !joined(z)) {
                    let mut bottom = top;
                    while joined(bottom - 1) {
                        bottom -= 1;
                    }
                    let ceiling = (top + 1..110).find(|&z| is_solid(z)).unwrap_or(i32::MAX);
                    let walked = here
                        .iter()
                        .filter(|f| bottom <= f.low && f.high <= top && SURFACES[f.triangle as usize].is_walkable)
                        .map(|f| (f.high, f.low))
                        .max();
                    let has_room = i64::from(ceiling) - i64::from(top) >= 18;
                    if let Some(walked) = walked.filter(|walked| has_room && top - walked.0 <= 4) {
                        expected.push((column, top, ceiling, walked));
                    }
                }
            }
            prop_assert_eq!(found, expected);
        }
    }
}
