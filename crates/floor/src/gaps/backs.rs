//! Edges of the ground that lie back to back keep the same points.
//!
//! Idea: gaps split edges at points that are rounded. Where the ground goes on beyond such an edge without being joined (a wall without
//!   thickness, ground of another height), the edge there would stay straight, and one side would lie over the other by rounding.
//! Steps: every split in turn: edges of the border with the same ends, the other way round and not a whole body higher or lower, get
//!   points at the same places.
//! Cost: O(n log n).

use super::sheet::{Face, Sheet};
use std::collections::{BTreeMap, BTreeSet};
use wayfare_core::{DVec2, DVec3};

/// The ends of an edge, seen from above.
type Key = [[u64; 2]; 2];

fn key(ends: [DVec2; 2]) -> Key {
    // Adding zero makes −0 and 0 the same place.
    ends.map(|p| [(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits()])
}

/// Splits the backs of all edges that were split.
pub(super) fn split_backs(sheet: &mut Sheet, height: f64) {
    let splits = std::mem::take(&mut sheet.splits);
    let mut border: BTreeMap<Key, BTreeSet<u32>> = BTreeMap::new();
    for triangle in 0..sheet.triangles.len() {
        enter(sheet, triangle, &mut border);
    }
    for split in splits {
        let [a, b] = split.ends;
        let wanted = key([b, a].map(DVec3::truncate));
        let backs: Vec<u32> = border.get(&wanted).into_iter().flatten().copied().collect();
        for back in backs {
            // It may have been renumbered when another side of its triangle was split.
            let ends = sheet.ends(back);
            let is_there = sheet.is_border(back) && key(ends.map(DVec3::truncate)) == wanted;
            if !is_there || (ends[0].z - b.z).abs().min((ends[1].z - a.z).abs()) >= height {
                continue;
            }
            let vertices = split.at.iter().rev().map(|p| sheet.add_point(on_edge(ends, *p))).collect();
            let first = sheet.triangles.len();
            sheet.split_border(&BTreeMap::from([(back, vertices)]));
            for triangle in (first..sheet.triangles.len()).chain([back as usize / 3]) {
                enter(sheet, triangle, &mut border);
            }
        }
    }
}

/// Enters the border edges of a triangle of the ground.
fn enter(sheet: &Sheet, triangle: usize, border: &mut BTreeMap<Key, BTreeSet<u32>>) {
    if matches!(sheet.faces[triangle], Face::Ground(_)) {
        let sides = (3 * triangle as u32..3 * triangle as u32 + 3).filter(|&h| sheet.is_border(h));
        for h in sides {
            border.entry(key(sheet.ends(h).map(DVec3::truncate))).or_default().insert(h);
        }
    }
}

/// A place with the height of an edge there.
fn on_edge([a, b]: [DVec3; 2], p: DVec3) -> DVec3 {
    let way = (b - a).truncate();
    let share = ((p - a).truncate().dot(way) / way.length_squared()).clamp(0.0, 1.0);
    p.with_z(a.z + (b.z - a.z) * share)
}
