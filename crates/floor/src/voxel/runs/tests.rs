use super::{build::Line, *};
use crate::voxel::{
    columns::{Columns, Floor, Room, Row, Surface, drop_onto},
    raster::Fragment,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

const ROOM: Room = Room { height: 1800, step: 400 };
const COLUMNS: u32 = 7;
const SURFACES: [Surface; 3] = [
    Surface { is_walkable: true, tag: 1 },
    Surface { is_walkable: false, tag: 0 },
    Surface { is_walkable: true, tag: 2 },
];

/// Column, width, height and kind of what lies in a row.
type Stack = Vec<(u32, u32, i32, u32)>;

fn rows(stacks: &[Stack]) -> Vec<Row> {
    let mut rows = Vec::new();
    for stack in stacks {
        let fragments = stack.iter().map(|&(start, width, z, triangle)| {
            let (low, high) = (z * 200, z * 200 + 40);
            Fragment { start, end: (start + width).min(COLUMNS), low, high, middle: low, triangle }
        });
        let mut row = Row::default();
        let fragments: Vec<_> = fragments.collect();
        Columns::default().fill(&mut row, &fragments, COLUMNS, &SURFACES, ROOM);
        rows.push(row);
    }
    rows.push(Row::default());
    rows
}

fn build(rows: &[Row], from: usize, to: usize) -> Runs {
    let mut builder = RunBuilder::new(ROOM);
    if from > 0 {
        builder.begin_above(from as u32 - 1, &mut rows[from - 1].clone());
    }
    for (number, row) in rows.iter().enumerate().take(to).skip(from) {
        builder.add(number as u32, &mut row.clone());
    }
    builder.finish()
}

/// A floor pixel: row, column, height.
type Place = (u32, u32, i32);

fn place(runs: &Runs, run: u32, column: u32) -> Place {
    (runs.runs[run as usize].row, column, (runs.height(run, column) / 200.0).floor() as i32)
}

proptest! {
    #[test]
    fn runs_contacts_and_gaps_say_what_pairs_of_floors_say(
        stacks in prop::collection::vec(prop::collection::vec((0..COLUMNS, 1u32..4, 0i32..30, 0u32..3), 0..20), 1..5),
        cut in 0usize..5,
    ) {
        let rows = rows(&stacks);
        let runs = build(&rows, 0, rows.len());
        // Every floor by its place, with its tag.
        let mut floors = BTreeSet::new();
        for (number, row) in rows.iter().enumerate() {
            for floor in &row.floors {
                floors.extend(
                    (floor.start..floor.end).map(|column| (number as u32, column, floor.height / 200, floor.tag)),
                );
            }
        }
        let mut found = BTreeSet::new();
        for run in 0..runs.runs.len() as u32 {
            for (span, end) in runs.spans_of(run) {
                for column in span.column..end {
                    let (row, column, z) = place(&runs, run, column);
                    prop_assert!(found.insert((row, column, z, span.tag)), "twice");
                }
            }
        }
        prop_assert_eq!(&found, &floors);
        // Every pair of floors side by side that are connected; and what is beside the others.
        let mut across = BTreeSet::new();
        let mut ends = BTreeSet::new();
        for (number, row) in rows.iter().enumerate() {
            for (floor, column) in row.floors.iter().flat_map(|floor| (floor.start..floor.end).map(move |column| (floor, column))) {
                let at = |row: usize, column: u32, floor: &Floor| (row as u32, column, floor.height / 200);
                let here = at(number, column, floor);
                let beside = [(1i32, 0i32), (-1, 0), (0, 1), (0, -1)];
                for (dx, dy) in beside {
                    let (x, y) = (column as i32 + dx, number as i32 + dy);
                    let Some(other) = usize::try_from(y).ok().and_then(|y| rows.get(y)) else {
                        ends.insert((here, dx, dy, true));
                        continue;
                    };
                    let block = other.blocks.iter().position(|block| (block.start..block.end).contains(&(x as u32)));
                    let beside = block.map_or(&[][..], |block| &other.floors[other.floors_of(block)]);
                    match beside.iter().find(|other| ROOM.connects(floor, other)) {
                        Some(neighbour) if dx + dy > 0 => {
                            across.insert((here, at(y as usize, x as u32, neighbour)));
                        }
                        Some(_) => {}
                        None => {
                            let solids = block.map_or(&[][..], |block| other.solids_of(block));
                            ends.insert((here, dx, dy, drop_onto(solids, floor, ROOM).is_some()));
                        }
                    }
                }
            }
        }
        let (mut joined, mut open) = (BTreeSet::new(), BTreeSet::new());
        for (k, run) in runs.runs.iter().enumerate() {
            for column in run.start + 1..run.end {
                joined.insert((place(&runs, k as u32, column - 1), place(&runs, k as u32, column)));
            }
            open.insert((place(&runs, k as u32, run.start), -1, 0, run.drops[0] != WALL));
            open.insert((place(&runs, k as u32, run.end - 1), 1, 0, run.drops[1] != WALL));
        }
        for contact in &runs.contacts {
            for column in contact.start..contact.end {
                joined.insert((place(&runs, contact.below, column), place(&runs, contact.above, column)));
            }
        }
        for (gaps, dy) in [(&runs.gaps_above, 1), (&runs.gaps_below, -1)] {
            for gap in gaps {
                for column in gap.start..gap.end {
                    prop_assert!(open.insert((place(&runs, gap.run, column), 0, dy, gap.drop != WALL)));
                }
            }
        }
        prop_assert_eq!(joined, across);
        prop_assert_eq!(open, ends);
        // Bands give the same.
        let cut = cut.min(rows.len());
        let mut banded = build(&rows, 0, cut);
        banded.append(build(&rows, cut, rows.len()));
        prop_assert_eq!(banded, runs);
    }
}

#[test]
fn slopes_stay_near_the_heights_and_level_ground_is_one() {
    let floor = |start: u32, end: u32, height: i32| Floor {
        start,
        end,
        low: height,
        high: height,
        top: height,
        ceiling: i32::MAX,
        foot: i32::MIN,
        height,
        tag: 0,
    };
    let heights = |k: u32| {
        if k < 50 {
            700
        } else if k < 90 {
            700 + 13 * (k as i32 - 50)
        } else {
            3000 + (k as i32 % 7) * 37
        }
    };
    // Once pixel by pixel, once with level pixels in one.
    let single: Vec<_> = (0..120).map(|k| floor(k, k + 1, heights(k))).collect();
    let mut joined = single.clone();
    joined.dedup_by(|next, floor| {
        let is_same = next.height == floor.height;
        floor.end = if is_same { next.end } else { floor.end };
        is_same
    });
    assert!(joined.len() < 80);
    for floors in [single, joined] {
        let mut slopes = Vec::new();
        let mut line = Line::new(&floors[0]);
        slopes.extend(floors[1..].iter().filter_map(|floor| line.add(floor)));
        slopes.push(line.slope);
        assert!(slopes.len() < 45, "{}", slopes.len());
        assert_eq!((slopes[0].rise, slopes[0].height), (0.0, 700.0));
        let runs = Runs {
            runs: vec![Run { row: 0, start: 0, end: 120, slopes: 0, spans: 0, drops: [0, 0] }],
            slopes,
            ..Runs::default()
        };
        for k in 0..120 {
            assert!((runs.height(0, k) - heights(k) as f32).abs() <= SLOPE_ERROR + 0.1);
        }
    }
}
