//! One portal for each notch that is left.
//!
//! Source: thesis (seed 000), sections 4 and 4.2. Steps for a notch: 1. look into its area of interest for the
//!   closest element  2. a vertex: join it  3. a wall: join the nearest point of it  4. only a portal in sight:
//!   two portals.
//! We differ: shortest portals are made first, so that long ones come late and find their work done; a vertex
//!   somewhat farther than the nearest wall is preferred to a new point on that wall.

use super::workpiece::{Sector, Split, Workpiece};
use std::{cmp::Reverse, collections::BinaryHeap, ops::ControlFlow};
use wayfare_core::DVec2;
use wayfare_geom::{
    predicates::orient,
    segment::nearest_on_segment,
    triangulation::{EdgeRole, NONE, Sight, Sighting, Wedge},
};

/// How far a look goes, in triangles, before the nearest thing found so far is taken.
const FARTHEST_LOOK: usize = 4096;

/// How far the first look of a notch goes. Most find something on the way; the others come last, when the portals made
/// by then have shortened their way.
const FIRST_LOOK: usize = 64;

/// Looks of one notch before it is given two diagonals, which always resolve it: rounding must not make it look for ever. Two are usual.
const MOST_LOOKS: u8 = 32;

/// How much longer a portal to a vertex may be than one to a new point on a wall.
const VERTEX_PREFERENCE: f64 = 1.5;

/// What a notch can be joined to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mate {
    Vertex(u32),
    /// Two vertices, both needed.
    Both([u32; 2]),
    /// A point of a wall.
    Wall(u32, DVec2),
    /// Nothing in the area of interest can be joined: two diagonals are needed.
    Two,
    /// Not found yet: who wants to know must look farther.
    Unknown,
}

/// Order of work: shortest first. Lengths are not negative, so their bits sort like them. Ties, of which a long row
/// of equal niches has many, are broken by a number without pattern: from one end to the other, each portal would
/// cross all diagonals that are left.
type Job = Reverse<(u64, u32, u32)>;

fn job(distance_squared: f64, v: u32) -> Job {
    Reverse((distance_squared.to_bits(), (v ^ v >> 15).wrapping_mul(0x9E37_79B1), v))
}

/// Resolves every notch that still has an angle over 180 degrees. Where one portal would be more than `stretch`
/// times as long as the shortest diagonal of the notch, two diagonals are taken instead.
pub(crate) fn resolve(piece: &mut Workpiece, stretch: f64) {
    let mut jobs: BinaryHeap<Job> = BinaryHeap::new();
    let mut mates = vec![None; piece.plan_vertex_count()];
    let mut looks = vec![0; piece.plan_vertex_count()];
    for v in 0..piece.plan_vertex_count() as u32 {
        if piece.is_notch[v as usize] {
            plan_job(piece, v, stretch, FIRST_LOOK, &mut mates, &mut jobs);
        }
    }
    while let Some(Reverse((.., v))) = jobs.pop() {
        let Some(mate) = mates[v as usize].take() else { continue };
        if piece.reflex_sector(v).is_none() {
            continue;
        }
        if !join(piece, v, mate) || piece.reflex_sector(v).is_some() {
            looks[v as usize] += 1;
            if looks[v as usize] < MOST_LOOKS {
                plan_job(piece, v, stretch, FARTHEST_LOOK, &mut mates, &mut jobs);
            } else {
                join(piece, v, Mate::Two);
            }
        }
    }
}

fn plan_job(
    piece: &mut Workpiece,
    v: u32,
    stretch: f64,
    farthest: usize,
    mates: &mut [Option<Mate>],
    jobs: &mut BinaryHeap<Job>,
) {
    let Some(sector) = piece.reflex_sector(v) else { return };
    if piece.is_wide(v) {
        // A place may lie in several of its sectors, so that it cannot say where a portal would run.
        mates[v as usize] = Some(Mate::Two);
        jobs.push(job(0.0, v));
        return;
    }
    let (distance_squared, mut mate) = find_mate(piece, &sector, farthest);
    if stretch.is_finite() && !matches!(mate, Mate::Unknown) {
        let mesh = &piece.mesh;
        let length_squared = |h: u32| (mesh.point(mesh.target(h)) - mesh.point(v)).length_squared();
        let diagonals = mesh.leaving(v).filter(|&h| mesh.role(h) == EdgeRole::Diagonal);
        let shortest = diagonals.map(length_squared).fold(f64::INFINITY, f64::min);
        if distance_squared > shortest * stretch * stretch {
            mate = Mate::Two;
        }
    }
    mates[v as usize] = Some(mate);
    jobs.push(job(distance_squared, v));
}

/// The best thing to join the apex of a reflex sector to, and the square of its distance.
fn find_mate(piece: &mut Workpiece, sector: &Sector, farthest: usize) -> (f64, Mate) {
    let mut sight = std::mem::take(&mut piece.sight);
    let wedge = sector.opened();
    let mut best: Option<(f64, Mate)> = None;
    let mut nearest_portal = f64::INFINITY;
    let is_all = piece.mesh.look(&wedge, farthest, &mut sight, |seen| {
        if let Some((distance_squared, _)) = best
            && seen.distance_squared > distance_squared * (VERTEX_PREFERENCE * VERTEX_PREFERENCE)
        {
            return ControlFlow::Break(());
        }
        match seen.sight {
            Sight::Vertex(v) if sector.admits(piece.mesh.point(v)) => {
                best = Some((seen.distance_squared, Mate::Vertex(v)));
                return ControlFlow::Break(());
            }
            Sight::Edge(h) if piece.mesh.role(h) == EdgeRole::Wall => {
                if best.is_none()
                    && let Some(point) = point_on_wall(piece, sector, &wedge, h, &seen)
                {
                    best = Some((seen.distance_squared, Mate::Wall(h, point)));
                }
            }
            Sight::Edge(_) => nearest_portal = nearest_portal.min(seen.distance_squared),
            Sight::Vertex(_) => {}
        }
        ControlFlow::Continue(())
    });
    piece.sight = sight;
    let nothing = if is_all || farthest == FARTHEST_LOOK {
        (nearest_portal, Mate::Two)
    } else {
        (f64::INFINITY, Mate::Unknown)
    };
    best.unwrap_or(nothing)
}

/// A point of the wall `h` that the apex sees, is near and exactly splits the sector; `None` if rounding leaves
/// no such point, or if the wall is seen only past a vertex (which is nearer and serves as well).
pub(crate) fn point_on_wall(
    piece: &Workpiece,
    sector: &Sector,
    wedge: &Wedge,
    h: u32,
    seen: &Sighting,
) -> Option<DVec2> {
    let mesh = &piece.mesh;
    let eye = mesh.point(sector.apex);
    let (a, b) = (mesh.point(mesh.origin(h)), mesh.point(mesh.target(h)));
    let part = mesh.visible_part(wedge, h, seen.right, seen.left);
    let nearest = nearest_on_segment(eye, part[0], part[1]);
    let middle = (part[0] + part[1]) / 2.0;
    // From the nearest point towards the middle of the part in sight: the first that is right.
    for step in [0.0, 1e-15, 1e-13, 1e-11, 1e-9, 1e-6, 1e-3, 0.1, 0.5, 1.0] {
        let p = nearest + (middle - nearest) * step;
        // Not one of the wall's own ends, and the triangles that the split makes must not be turned over.
        let apex = mesh.point(mesh.origin(mesh.prev(h)));
        let proper = p != a && p != b && orient(a, p, apex) > 0.0 && orient(p, b, apex) > 0.0;
        if proper && sector.admits(p) && is_within(piece, eye, seen, p) {
            return Some(p);
        }
    }
    None
}

/// Whether `p` lies strictly between the vertices that bound what is seen.
fn is_within(piece: &Workpiece, eye: DVec2, seen: &Sighting, p: DVec2) -> bool {
    (seen.right == NONE || orient(eye, piece.mesh.point(seen.right), p) > 0.0)
        && (seen.left == NONE || orient(eye, piece.mesh.point(seen.left), p) < 0.0)
}

/// Makes the portal if it is still free; the notch need not be resolved afterwards.
pub(crate) fn join(piece: &mut Workpiece, v: u32, mate: Mate) -> bool {
    match mate {
        Mate::Vertex(w) => piece.insert(v, w),
        Mate::Both([a, b]) => piece.insert(v, a) && piece.insert(v, b),
        Mate::Wall(h, point) => {
            // The wall may have been split since: then the look is repeated.
            let target_side = piece.mesh.target(h);
            let (a, b) = (piece.mesh.point(piece.mesh.origin(h)), piece.mesh.point(target_side));
            let between = (point - a).dot(b - a) > 0.0 && (point - b).dot(a - b) > 0.0;
            if !between || !is_free(piece, v, h, point) {
                return false;
            }
            let wall = whole_wall(piece, h);
            let w = piece.mesh.split_wall(h, point);
            piece.splits.push(Split { point, wall });
            piece.insert(v, w)
        }
        Mate::Two => {
            join_two(piece, v);
            true
        }
        Mate::Unknown => false,
    }
}

/// Whether the apex of `v`'s sector still sees `point` on the wall `h`.
fn is_free(piece: &mut Workpiece, v: u32, h: u32, point: DVec2) -> bool {
    let Some(sector) = piece.reflex_sector(v) else { return false };
    let eye = piece.mesh.point(v);
    let distance_squared = (point - eye).length_squared();
    let mut sight = std::mem::take(&mut piece.sight);
    let mut free = false;
    piece.mesh.look(&sector.opened(), FARTHEST_LOOK, &mut sight, |seen| {
        // A wall is seen in several parts where a vertex stands before it.
        if seen.sight == Sight::Edge(h) && sector.admits(point) && is_within(piece, eye, &seen, point) {
            free = true;
            return ControlFlow::Break(());
        }
        // What is nearer has been seen; a little room for rounding.
        if seen.distance_squared > distance_squared * 1.000_001 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    piece.sight = sight;
    free
}

/// The ends of the plan's wall that the wall `h` is a part of.
fn whole_wall(piece: &Workpiece, h: u32) -> [u32; 2] {
    let plan = piece.plan_vertex_count();
    let (a, b) = (piece.mesh.origin(h) as usize, piece.mesh.target(h) as usize);
    let from = if a < plan { a as u32 } else { piece.splits[a - plan].wall[0] };
    let to = if b < plan { b as u32 } else { piece.splits[b - plan].wall[1] };
    [from, to]
}

/// Two neighbouring diagonals of the fan, one on each side of the area of interest, resolve any notch.
fn join_two(piece: &mut Workpiece, v: u32) {
    let Some(sector) = piece.reflex_sector(v) else { return };
    let mesh = &mut piece.mesh;
    let [from, at] = sector.area_of_interest().left;
    let mut last_within = NONE;
    let mut h = mesh.prev(sector.first);
    while mesh.role(h) == EdgeRole::Diagonal {
        h ^= 1;
        if orient(at, from, mesh.point(mesh.target(h))) < 0.0 {
            mesh.make_portal(h);
            break;
        }
        last_within = h;
        h = mesh.prev(h);
    }
    if last_within != NONE {
        mesh.make_portal(last_within);
    }
}
