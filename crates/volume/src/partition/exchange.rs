//! Moves the border between two regions so that the larger one grows.
//!
//! Idea: where a region, without the face that it shares with a neighbour, would reach on into the neighbour and only one of its other planes
//!   cuts the neighbour, the border can be moved onto that plane: what lies inside of it goes to the region, the rest stays
//!   convex. The number of regions stays the same, but large ones become larger, and what is left of small ones is joined to
//!   others or left out.
//! Source: our own. The sum of the squares of all volumes grows with every change, so that it ends.
//! Steps: 1. openings by area  2. both directions: the region's whole face is open, and one plane cuts the neighbour  3. the neighbour is
//!   cut, the region made again of its half-spaces, and its volume compared  4. openings of the neighbour are dealt out.
//! Promises: both new regions lie in the two old ones and on opposite sides of a plane that both name, exactly: beyond the old
//!   border the region keeps to all half-spaces of the neighbour, before it to its own.
//! Cost: a round is linear in the openings; few rounds.

use super::{
    cells::Opening,
    merge::{body_of, fits, has_volume, is_all_open, keeps_to},
    needed::needed,
    regions::{Refused, Region, Regions},
    tree::{FLOOR, Limits, RISER_HEIGHT},
};
use crate::{
    plane::{HalfSpace, Plane, PlaneId},
    polygon,
    polytope::{Cut, Polytope},
};
use wayfare_core::{Cancelled, Context, DVec3};

/// Rounds over all openings.
const ROUNDS: usize = 4;
/// What moves is at least this share of the region that loses it.
const WORTHWHILE: f64 = 0.02;

/// Moves borders while that makes large regions larger; how many were moved.
pub(super) fn exchange(
    all: &mut Regions,
    refused: &mut Refused,
    bounds: [DVec3; 2],
    limits: &Limits,
    context: &Context,
) -> Result<usize, Cancelled> {
    let mut moved = 0;
    for _ in 0..ROUNDS {
        context.check()?;
        let before = moved;
        let attempt = |all: &Regions, opening: u32| {
            let [a, b] = all.openings[opening as usize].cells;
            // The larger one first; the smaller one may take as well, if it is the larger one then.
            let volume = |k: u32| all.regions[k as usize].as_ref().map_or(0.0, |region| region.volume);
            let (large, small) = if volume(a) >= volume(b) { (a, b) } else { (b, a) };
            let change = |to, from| change(all, opening, to, from, bounds, limits);
            change(large, small).or_else(|| change(small, large))
        };
        // 1.
        let order = all.by_area();
        refused.in_order(all, &order, attempt, |all, _, change| {
            apply(all, change, bounds, limits);
            moved += 1;
        });
        if moved == before {
            break;
        }
    }
    Ok(moved)
}

/// A border that can be moved.
struct Change {
    /// The region that grows, and its neighbour.
    to: u32,
    from: u32,
    /// The plane between them until now.
    plane: PlaneId,
    /// The half-space of the region that becomes the border.
    border: HalfSpace,
    grown: Polytope,
    /// What moves, and what stays.
    part: Polytope,
    rest: Polytope,
}

/// Steps 2 and 3.
fn change(
    all: &Regions,
    opening: u32,
    to: u32,
    from: u32,
    bounds: [DVec3; 2],
    limits: &Limits,
) -> Option<Change> {
    let Opening { plane, cells, .. } = all.openings[opening as usize];
    if to == from || !cells.contains(&to) || !cells.contains(&from) {
        return None;
    }
    let (own, other) = (all.regions[to as usize].as_ref()?, all.regions[from as usize].as_ref()?);
    let side = HalfSpace::new(plane, cells[1] == to);
    // Not even all of it would be enough (3); a little more, since volumes are rounded.
    if own.volume < 0.9 * WORTHWHILE * other.volume {
        return None;
    }
    // 2. First, since most pairs fail here.
    let mut border = None;
    for &bound in own.half_spaces.iter().filter(|&&bound| bound != side) {
        let outward = all.outward(bound);
        if other.body.vertices.iter().any(|&p| outward.distance(p) > limits.cell)
            && border.replace(bound).is_some()
        {
            return None;
        }
    }
    let border = border?;
    if !fits(all, other, side.opposite(), own, limits.cell) {
        return None;
    }
    // 3.
    let outward = all.outward(border);
    let (_, part) = other.body.measure(&outward);
    let has_gain = part >= WORTHWHILE * other.volume && own.volume + part > (1.0 + WORTHWHILE) * other.volume;
    if !has_gain {
        return None;
    }
    if !is_all_open(all, own, side, cells, limits.cell) {
        return None;
    }
    let keys = [border.0, border.opposite().0];
    let Cut::Both([part, rest]) = other.body.cut(&outward, limits.cell, keys) else { return None };
    if rest.width() < limits.width || part.width() < limits.width || is_step(&outward, &rest) {
        return None;
    }
    let mut keys: Vec<u32> = own.body.faces.iter().chain(&part.faces).map(|face| face.key).collect();
    keys.retain(|&key| key >> 1 != plane.0);
    keys.sort_unstable();
    keys.dedup();
    let grown = body_of(all, &keys, bounds, limits.cell)?;
    let all_keep_to = |body: &Polytope, sides: &[HalfSpace]| keeps_to(all, body, sides, limits.cell);
    let without_plane = |sides: &[HalfSpace]| -> Vec<HalfSpace> {
        sides.iter().copied().filter(|side| side.plane() != plane).collect()
    };
    let is_sound = has_volume(&grown, own.volume + part.volume(), limits.cell)
        && all_keep_to(&grown, &without_plane(&own.half_spaces))
        && all_keep_to(&grown, &without_plane(&other.half_spaces))
        && all_keep_to(&rest, &other.half_spaces)
        && all_keep_to(&rest, &[border.opposite()]);
    is_sound.then_some(Change { to, from, plane, border, grown, part, rest })
}

/// Whether the rest is what a step leaves below the floor that goes on: stairs stay a chain of upright parts.
fn is_step(border: &Plane, rest: &Polytope) -> bool {
    let heights = || rest.vertices.iter().map(|p| p.z);
    let height = heights().fold(f64::NEG_INFINITY, f64::max) - heights().fold(f64::INFINITY, f64::min);
    -border.normal.z >= FLOOR && height <= RISER_HEIGHT
}

/// Step 4.
fn apply(all: &mut Regions, change: Change, bounds: [DVec3; 2], limits: &Limits) {
    let Change { to, from, plane, border, grown, part, rest } = change;
    let (Some(own), Some(other)) = (all.regions[to as usize].take(), all.regions[from as usize].take())
    else {
        return;
    };
    let outward = all.outward(border);
    let (mut to_openings, mut from_openings) = (own.openings, Vec::new());
    for k in other.openings {
        let opening = &mut all.openings[k as usize];
        if opening.cells.contains(&to) {
            // It lies inside of the grown region.
            opening.cells = [to; 2];
            continue;
        }
        let at = usize::from(opening.cells[1] == from);
        match polygon::split(&opening.points, &outward, limits.cell) {
            [Some(inside), Some(outside)] => {
                let mut added = Opening { points: inside, ..opening.clone() };
                added.cells[at] = to;
                opening.points = outside;
                let number = all.openings.len() as u32;
                let beyond = added.cells[1 - at];
                if let Some(beyond) = &mut all.regions[beyond as usize] {
                    beyond.openings.push(number);
                }
                all.openings.push(added);
                from_openings.push(k);
                to_openings.push(number);
            }
            [Some(_), None] => {
                opening.cells[at] = to;
                to_openings.push(k);
            }
            _ => from_openings.push(k),
        }
    }
    to_openings.retain(|&k| all.openings[k as usize].cells != [to; 2]);
    let section = part.faces.iter().find(|face| face.key == border.0).map(|face| part.points(face));
    if let Some(points) = section {
        let cells = if border.is_above() { [from, to] } else { [to, from] };
        let number = all.openings.len() as u32;
        // Nothing but air is around it: who passed through the neighbour passes here.
        all.openings.push(Opening { cells, plane: border.plane(), points, is_whole: true, is_wide: true });
        to_openings.push(number);
        from_openings.push(number);
    }
    to_openings.sort_unstable();
    to_openings.dedup();
    let mut of_grown: Vec<HalfSpace> = own.half_spaces.iter().chain(&other.half_spaces).copied().collect();
    of_grown.retain(|side| side.plane() != plane);
    of_grown.sort_unstable();
    of_grown.dedup();
    let mut of_rest = other.half_spaces;
    of_rest.push(border.opposite());
    for (k, body, half_spaces, openings) in
        [(to, grown, of_grown, to_openings), (from, rest, of_rest, from_openings)]
    {
        let half_spaces = needed(all, &body, &half_spaces, bounds, limits.cell);
        let volume = body.volume();
        all.replace(k, Some(Region { body, half_spaces, volume, openings }));
    }
}
