use super::{regions::twice_area, *};
use crate::voxel::{
    columns::{Columns, Room, Row, Surface},
    layers::find_layers,
    raster::Fragment,
    runs::RunBuilder,
};
use proptest::prelude::*;

/// Low steps, and steps so high that ground may wind round a corner.
const ROOMS: [Room; 2] = [Room { height: 1800, step: 400 }, Room { height: 1800, step: 1500 }];
const COLUMNS: u32 = 9;

fn surface(rows: &[Vec<(u32, i32, u32)>], room: Room) -> Runs {
    let surfaces = [1, 2, 3].map(|tag| Surface { is_walkable: true, tag });
    let mut builder = RunBuilder::new(room);
    for (number, row) in rows.iter().chain([&Vec::new()]).enumerate() {
        let fragments: Vec<_> = row
            .iter()
            .map(|&(start, z, triangle)| Fragment {
                start,
                end: start + 1,
                low: z * 300,
                high: z * 300,
                middle: z * 300,
                triangle,
            })
            .collect();
        let mut filled = Row::default();
        Columns::default().fill(&mut filled, &fragments, COLUMNS, &surfaces, room);
        builder.add(number as u32, &mut filled);
    }
    builder.finish()
}

fn cross(o: [i32; 2], a: [i32; 2], b: [i32; 2]) -> i64 {
    let d = |p: [i32; 2], k: usize| i64::from(p[k]) - i64::from(o[k]);
    d(a, 0) * d(b, 1) - d(a, 1) * d(b, 0)
}

/// Whether two segments have a point in common.
fn meet([a, b]: [[i32; 2]; 2], [c, d]: [[i32; 2]; 2]) -> bool {
    let sides = [cross(a, b, c), cross(a, b, d), cross(c, d, a), cross(c, d, b)].map(i64::signum);
    let is_in = |p: [i32; 2], a: [i32; 2], b: [i32; 2]| {
        (0..2).all(|k| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]))
    };
    sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0
        || sides[0] == 0 && is_in(c, a, b)
        || sides[1] == 0 && is_in(d, a, b)
        || sides[2] == 0 && is_in(a, c, d)
        || sides[3] == 0 && is_in(b, c, d)
}

/// How often a region goes round a point that lies on no edge.
fn winding(region: &RegionContour, p: [i32; 2]) -> i32 {
    let mut winding = 0;
    for ring in &region.rings {
        for (k, a) in ring.corners.iter().enumerate() {
            let b = ring.corners[(k + 1) % ring.corners.len()].at;
            if (a.at[1] <= p[1]) != (b[1] <= p[1]) && (cross(a.at, b, p) > 0) == (b[1] > a.at[1]) {
                winding += if b[1] > a.at[1] { 1 } else { -1 };
            }
        }
    }
    winding
}

fn check(rows: &[Vec<(u32, i32, u32)>]) {
    for room in ROOMS {
        check_in(rows, room);
    }
}

fn check_in(rows: &[Vec<(u32, i32, u32)>], room: Room) {
    let runs = surface(rows, room);
    let layers = find_layers(&runs, &wayfare_core::Context::default()).unwrap();
    let strips = Strips::new(&runs, &layers);
    let contours = find_contours(&runs, &strips);
    // Edges: the region, and both corners.
    let mut edges: Vec<(&RegionContour, Corner, Corner)> = Vec::new();
    for region in &contours.regions {
        for (k, ring) in region.rings.iter().enumerate() {
            assert_eq!(twice_area(&ring.corners) > 0, k == 0, "one outline comes first: {ring:?}");
            let next = ring.corners.iter().cycle().skip(1);
            edges.extend(ring.corners.iter().zip(next).map(|(a, b)| (region, *a, *b)));
        }
    }
    for (k, (region, a, b)) in edges.iter().enumerate() {
        assert_ne!(a.at, b.at, "an edge has no length");
        let twins = edges.iter().filter(|(_, c, d)| {
            a.shared.is_some() && b.shared.is_some() && c.shared == b.shared && d.shared == a.shared
        });
        let twins: Vec<_> = twins.filter(|(_, c, _)| c.border.is_shared()).collect();
        match a.border {
            Border::Seam(layer) => {
                assert_eq!(twins.len(), 1, "{a:?} {b:?}");
                assert_eq!((twins[0].0.layer, twins[0].1.border), (layer, Border::Seam(region.layer)));
                assert_ne!(layer, region.layer);
            }
            Border::Tag => {
                assert_eq!(twins.len(), 1, "{a:?} {b:?}");
                assert!(twins[0].0.layer == region.layer && twins[0].0.tag != region.tag);
            }
            _ => assert!(twins.is_empty()),
        }
        for (other, c, d) in &edges[..k] {
            if other.layer != region.layer {
                continue;
            }
            let is_twin = a.border.is_shared() && twins.iter().any(|twin| twin.1 == *c);
            let same = |a: &Corner, b: &Corner| a.shared.is_some() && a.shared == b.shared || a == b;
            let touching = [(a, c), (a, d), (b, c), (b, d)].into_iter().filter(|(a, b)| same(a, b)).count();
            if is_twin || touching == 0 {
                assert!(is_twin || !meet([a.at, b.at], [c.at, d.at]), "{a:?} {b:?} meets {c:?} {d:?}");
            } else {
                // Edges with a common corner do not lie on each other.
                let (o, p, q) = if same(a, c) {
                    (a, b, d)
                } else if same(a, d) {
                    (a, b, c)
                } else if same(b, c) {
                    (b, a, d)
                } else {
                    (b, a, c)
                };
                let dot: i64 =
                    (0..2).map(|k| i64::from(p.at[k] - o.at[k]) * i64::from(q.at[k] - o.at[k])).sum();
                assert!(cross(o.at, p.at, q.at) != 0 || dot < 0, "{o:?} {p:?} {q:?} fold");
            }
        }
    }
    // Every pixel lies in the region of its floor alone, as far as its layer goes.
    for layer in 0..layers.count {
        for row in 0..rows.len() as u32 {
            for column in 0..COLUMNS {
                let mut floors = strips.strips.iter().filter(|strip| {
                    strip.layer == layer && strip.row == row && (strip.start..strip.end).contains(&column)
                });
                let (floor, second) = (floors.next(), floors.next());
                assert!(second.is_none(), "two floors in one layer");
                let middle = [column, row].map(|k| k as i32 * PARTS + PARTS / 2);
                let regions = contours.regions.iter().filter(|region| region.layer == layer);
                let around: Vec<_> = regions.filter(|region| winding(region, middle) != 0).collect();
                assert!(around.iter().all(|region| winding(region, middle) == 1));
                assert_eq!(
                    around.iter().map(|region| region.tag).collect::<Vec<_>>(),
                    floor.map(|f| f.tag).into_iter().collect::<Vec<_>>()
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn rings_are_simple_shared_where_ground_goes_on_and_hold_their_pixels(
        rows in prop::collection::vec(prop::collection::vec((0..COLUMNS, 0i32..16, 0u32..6), 0..40), 1..7),
    ) {
        // Mostly one tag.
        let rows: Vec<Vec<_>> = rows
            .into_iter()
            .map(|row| row.into_iter().map(|(c, z, tag)| (c, z, tag.saturating_sub(3))).collect())
            .collect();
        check(&rows);
    }

    #[test]
    fn ground_that_winds_over_itself_is_cut_into_layers(
        heights in prop::collection::vec(prop::collection::vec(-1i32..3, COLUMNS as usize), 4..9),
        turns in 1i32..4, tags in prop::collection::vec(0u32..2, 3),
    ) {
        // A field of small steps, several times over itself: neighbouring storeys are joined on one side.
        let mut rows = Vec::new();
        for (y, row) in heights.iter().enumerate() {
            let mut stack = Vec::new();
            for turn in 0..turns {
                for (x, &h) in row.iter().enumerate() {
                    if h >= 0 {
                        // Rises towards the next storey along the first rows.
                        let ramp = if x < 2 { 7 * y as i32 / heights.len() as i32 } else { 0 };
                        stack.push((x as u32, turn * 7 + h / 2 + ramp, tags[turn as usize]));
                    }
                }
            }
            rows.push(stack);
        }
        check(&rows);
    }
}
