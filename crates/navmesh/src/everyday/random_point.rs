//! A point by lot, evenly by area, where a body fits.
//!
//! Idea: draw from triangles by area, and again if the body does not fit there. Where it hardly fits anywhere that would
//! take for ever: then the triangles are cut finer, those in which it fits nowhere are left out, and points are drawn from
//! the rest. The distance to the boundary changes no faster than one goes, so that one distance tells
//! for a whole triangle.
//! Steps: 1. the triangles: all, those of a component, or those near a point  2. draw, [`TRIES`] times at most
//!   3. cut and leave out until half of the rest is free, or [`MOST_PIECES`] are left  4. draw again, [`LAST_TRIES`] times at most
//! Invariants: no place where the body fits is left out, so every one is drawn as often as any other.
//! Cost: O(log n) for each draw; in a circle O(faces in it); step 3 O(n), only where less than one place in fifty is free.

use super::{
    Stand, Walker,
    areas::{Areas, Piece, Pieces},
};
use crate::{
    Body, End, LocateConfig, Location, NoPath, PathFinder,
    mesh::{ComponentId, NavMesh},
};
use std::{
    collections::BTreeSet,
    ops::{Deref, Range},
};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::segment::nearest_on_segment;

/// Draws before triangles are cut.
const TRIES: usize = 200;
/// Draws after that. Of triangles that have been cut finely nearly half of each counts.
const LAST_TRIES: usize = 20_000;
/// Triangles that are cut no further, all together.
const MOST_PIECES: usize = 1 << 17;
/// Cuts one after the other: triangles become 4000 times smaller.
const MOST_CUTS: usize = 12;

/// Which ground a point is drawn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Within {
    /// All of it.
    Everywhere,
    /// A component.
    Component(ComponentId),
    /// What lies in a circle in plan and is joined to the ground at its centre within the circle: not the
    /// storey above, unless stairs in the circle lead there.
    Circle {
        /// Its centre, located like every point.
        centre: DVec3,
        /// Its radius [m].
        radius: f64,
    },
}

/// Draws points from some ground where a body fits, evenly by area in plan; made by [`PathFinder::random_points`].
#[derive(Clone, Debug)]
pub struct RandomPoints<'a, M> {
    finder: &'a PathFinder<M>,
    walker: Walker<'a>,
    within: Within,
    /// Triangles of its own, if those of the finder will not do.
    own: Option<Pieces>,
    range: Range<usize>,
    is_cut: bool,
}

impl<M: Deref<Target = NavMesh>> PathFinder<M> {
    /// A point by lot, evenly by area in plan, where a body fits; nothing if it fits nowhere.
    ///
    /// `random` gives 64 random bits with each call; the same bits give the same point. Fails if the centre of
    /// the circle is off the mesh. For many points [`PathFinder::random_points`] is quicker.
    pub fn random_point(
        &self,
        body: &Body,
        within: &Within,
        config: &LocateConfig,
        random: impl FnMut() -> u64,
    ) -> Result<Option<Location>, NoPath> {
        Ok(self.random_points(body, within, config)?.draw(random))
    }

    /// Prepares to draw many random points for a body.
    pub fn random_points(
        &self,
        body: &Body,
        within: &Within,
        config: &LocateConfig,
    ) -> Result<RandomPoints<'_, M>, NoPath> {
        let walker = self.walker(body)?;
        let areas = self.areas();
        // 1.
        let (own, range) = match *within {
            Within::Everywhere => (None, 0..areas.all.pieces.len()),
            Within::Component(component) => (None, areas.component(component)),
            Within::Circle { centre, radius } => {
                let near = self.pieces_near(&walker, centre, radius, config)?;
                let range = 0..near.pieces.len();
                (Some(near), range)
            }
        };
        Ok(RandomPoints { finder: self, walker, within: *within, own, range, is_cut: false })
    }

    fn areas(&self) -> &Areas {
        self.areas.get_or_init(|| Areas::of(&self.mesh, &self.faces))
    }

    /// Smaller triangles that hold all places of some where a body fits.
    fn cut(&self, walker: &Walker<'_>, within: &Within, pieces: &[Piece]) -> Pieces {
        // How much a body has to spare at a point, and by how far the point is in the circle.
        let spare = |face: u32, at: DVec2, reach: f64| {
            let room = walker.radius.map_or(f64::INFINITY, |radius| {
                self.room(walker, Stand { face, at }, radius + reach) - radius + walker.slack
            });
            room.min(within.reach(at))
        };
        let (mut whole, mut mixed) = (Vec::new(), pieces.to_vec());
        mixed.retain(|piece| walker.may_be_in(self.faces.cell(piece.face)));
        for _ in 0..MOST_CUTS {
            let mut finer = Vec::new();
            for piece in &mixed {
                let (centre, reach) = piece.ball();
                let spare = spare(piece.face, centre, reach);
                if spare >= reach {
                    whole.push(*piece);
                } else if spare >= -reach {
                    finer.extend(piece.quarters());
                }
            }
            mixed = finer;
            let area = |pieces: &[Piece]| pieces.iter().map(Piece::area).sum::<f64>();
            // Every second draw is good enough.
            if area(&mixed) <= area(&whole) || whole.len() + mixed.len() > MOST_PIECES {
                break;
            }
        }
        mixed.retain(|piece| {
            let (centre, reach) = piece.ball();
            spare(piece.face, centre, reach) >= -reach
        });
        let mut all = Pieces::default();
        whole.into_iter().chain(mixed).for_each(|piece| all.push(piece));
        all
    }

    /// The ground that is joined to a point within a circle round it, cut off at the square round the circle.
    fn pieces_near(
        &self,
        walker: &Walker<'_>,
        centre: DVec3,
        radius: f64,
        config: &LocateConfig,
    ) -> Result<Pieces, NoPath> {
        let off_mesh = NoPath::OffMesh { which: End::Start, at: centre };
        let location = self.mesh.locate(centre, config).ok_or(off_mesh)?;
        // The circle stays where it was asked for.
        let (middle, mut pieces) = (centre.truncate(), Pieces::default());
        let faces = &self.faces;
        let cells = self.mesh.cells_of(&location).filter(|&cell| walker.may_be_in(cell));
        let mut seen: BTreeSet<u32> = cells.flat_map(|cell| faces.faces_of(cell)).collect();
        let mut waiting: Vec<u32> = seen.iter().rev().copied().collect();
        let mut ring = Vec::new();
        while let Some(face) = waiting.pop() {
            let (first, end) = faces.range(face);
            ring.clear();
            ring.extend(faces.edges[first as usize..end as usize].iter().map(|edge| edge.at));
            for edge in first..end {
                let [a, b] = [edge, faces.next(edge)].map(|edge| faces.edges[edge as usize].at);
                if nearest_on_segment(middle, a, b).distance(middle) <= radius && self.is_open(walker, edge) {
                    let next = faces.edges[faces.edges[edge as usize].twin as usize].face;
                    if seen.insert(next) {
                        waiting.push(next);
                    }
                }
            }
            for (axis, sign) in [(DVec2::X, 1.0), (DVec2::X, -1.0), (DVec2::Y, 1.0), (DVec2::Y, -1.0)] {
                ring = clipped(&ring, |p| radius - sign * (p - middle).dot(axis));
            }
            pieces.push_fan(face, ring.iter().copied());
        }
        Ok(pieces)
    }
}

impl<M: Deref<Target = NavMesh>> RandomPoints<'_, M> {
    /// A point by lot; nothing if the body fits nowhere. `random` gives 64 random bits with each call; the same bits for
    /// all points give the same points.
    pub fn draw(&mut self, mut random: impl FnMut() -> u64) -> Option<Location> {
        // 2.
        let tries = if self.is_cut { LAST_TRIES } else { TRIES };
        let found = self.try_some(tries, &mut random);
        if found.is_some() || self.is_cut {
            return found;
        }
        // 3. and 4.
        let pieces = self.pieces().pieces.get(self.range.clone()).unwrap_or_default();
        let cut = self.finder.cut(&self.walker, &self.within, pieces);
        self.range = 0..cut.pieces.len();
        (self.own, self.is_cut) = (Some(cut), true);
        self.try_some(LAST_TRIES, &mut random)
    }

    fn pieces(&self) -> &Pieces {
        self.own.as_ref().unwrap_or_else(|| &self.finder.areas().all)
    }

    /// The first of some draws at which the body fits.
    fn try_some(&self, tries: usize, random: &mut impl FnMut() -> u64) -> Option<Location> {
        let (finder, walker) = (self.finder, &self.walker);
        let mut unit = || (random() >> 11) as f64 / (1u64 << 53) as f64;
        for _ in 0..tries {
            let piece = self.pieces().at(self.range.clone(), unit())?;
            let at = piece.point(unit(), unit());
            let stand = finder.settled(Stand { face: piece.face, at });
            let cell = finder.faces.cell(stand.face);
            if self.within.reach(stand.at) >= 0.0 && walker.may_be_in(cell) && finder.fits(walker, stand) {
                let (point, cell) = finder.on_ground(stand);
                let (component, storey) = (finder.mesh.component(cell), finder.mesh.storey(cell));
                return Some(Location { cell, point, distance: 0.0, component, storey });
            }
        }
        None
    }
}

impl Within {
    /// How far a point of the ground is inside the circle [m]; negative outside.
    fn reach(&self, p: DVec2) -> f64 {
        match self {
            Self::Circle { centre, radius } => radius - p.distance(centre.truncate()),
            Self::Everywhere | Self::Component(_) => f64::INFINITY,
        }
    }
}

/// The part of a convex ring where a linear function is not negative (Sutherland and Hodgman 1974).
fn clipped(ring: &[DVec2], inside: impl Fn(DVec2) -> f64) -> Vec<DVec2> {
    let mut left = Vec::with_capacity(ring.len() + 1);
    for (k, &b) in ring.iter().enumerate() {
        let a = ring[if k == 0 { ring.len() - 1 } else { k - 1 }];
        let (from, to) = (inside(a), inside(b));
        if (from < 0.0) != (to < 0.0) {
            left.push(a + (b - a) * (from / (from - to)));
        }
        if to >= 0.0 {
            left.push(b);
        }
    }
    left
}
