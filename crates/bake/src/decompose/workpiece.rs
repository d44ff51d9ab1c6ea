//! The ground being cut: its triangulation, its notches and what is asked about them.

use super::Ground;
use wayfare_core::{DVec2, Tolerance};
use wayfare_geom::{
    Aabb2,
    predicates::orient,
    triangulation::{EdgeRole, PortalScratch, Triangulation, Wedge, WedgeScratch},
};

/// A point that splits a wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    /// Where.
    pub point: DVec2,
    /// The two ends of the whole wall, in its direction.
    pub wall: [u32; 2],
}

/// The ground, the portals chosen so far, and which vertices are notches.
#[derive(Clone)]
pub(crate) struct Workpiece {
    pub mesh: Triangulation,
    /// The ring's vertex before and after each of the plan's vertices; a split wall keeps its direction.
    ring: Vec<[u32; 2]>,
    /// Points that split walls; their vertices follow the plan's.
    pub splits: Vec<Split>,
    /// Whether a plan vertex is a notch that must be resolved; ignored notches are not.
    pub is_notch: Vec<bool>,
    /// Whether not even a flat notch is allowed at a plan vertex.
    pub is_strict: Vec<bool>,
    /// A notch up to this depth is flat [m].
    pub flat: f64,
    /// Whether the ground may overlap itself seen from above, or touch itself at different heights.
    pub may_overlap: bool,
    /// The plan's vertex of each vertex, where they differ; else empty.
    names: Vec<u32>,
    /// Vertices that the ground goes round once or more, ascending: between their lasting portals they have angles as
    /// others have.
    wide: Vec<u32>,
    /// Edges that are portals for good, ascending.
    lasting: Vec<u32>,
    pub sight: WedgeScratch,
    portals: PortalScratch,
}

/// An angle over 180 degrees at a vertex, between two of its walls and portals, counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sector {
    pub apex: u32,
    /// The outgoing wall or portal that it starts from.
    pub first: u32,
    at: DVec2,
    from: DVec2,
    to: DVec2,
    flat: f64,
}

impl Sector {
    /// The area of interest (thesis, figure 9): what lies in it splits the sector into two angles of at most
    /// 180 degrees.
    pub fn area_of_interest(&self) -> Wedge {
        Wedge { apex: self.apex, first: self.first, right: [self.to, self.at], left: [self.from, self.at] }
    }

    /// The area of interest, opened by a hair: shows what lies on its border but for rounding.
    /// [`Sector::admits`] decides.
    pub fn opened(&self) -> Wedge {
        // Wide enough for any notch called flat, and far too small to see much more.
        const HAIR: f64 = 1e-6;
        let (right, left) = (self.at - self.to, self.at - self.from);
        let (right, left) = (right - right.perp() * HAIR, left + left.perp() * HAIR);
        if right.perp_dot(left) <= 0.0 {
            return self.area_of_interest(); // almost 180 degrees wide already
        }
        Wedge {
            apex: self.apex,
            first: self.first,
            right: [self.at - right, self.at],
            left: [self.at - left, self.at],
        }
    }

    /// Whether the angle is over 180 degrees, be it flat or not.
    pub fn is_reflex(&self) -> bool {
        is_reflex(self.at, self.from, self.to, 0.0)
    }

    /// Whether a portal to `p` leaves no angle over 180 degrees, up to flat notches.
    pub fn admits(&self, p: DVec2) -> bool {
        !is_reflex(self.at, self.from, p, self.flat) && !is_reflex(self.at, p, self.to, self.flat)
    }
}

/// Whether the angle at `at` from `from` counter-clockwise to `to` is over 180 degrees and the notch that it
/// makes is deeper than `flat`.
pub(crate) fn is_reflex(at: DVec2, from: DVec2, to: DVec2, flat: f64) -> bool {
    let turn = orient(at, from, to);
    if turn > 0.0 {
        return false;
    }
    // There and back at one place is the end of a wall without thickness, with ground all round; no corner is without an angle.
    if turn == 0.0 {
        return (from - at).dot(to - at) > 0.0;
    }
    // Only an angle near 180 degrees can be flat; its depth is the height of `at` over the chord.
    let is_flat = (from - at).dot(to - at) < 0.0 && -turn <= flat * (to - from).length();
    !is_flat
}

impl Workpiece {
    pub fn new(ground: Ground) -> Self {
        let Ground { mesh, names, wide, may_overlap } = ground;
        let mut ring_neighbours = vec![[0; 2]; mesh.vertex_count()];
        for v in 0..mesh.vertex_count() as u32 {
            let after = mesh.target(mesh.wall(v));
            ring_neighbours[v as usize][1] = after;
            ring_neighbours[after as usize][0] = v;
        }
        let lasting = if wide.is_empty() {
            Vec::new()
        } else {
            (0..mesh.edge_count() as u32).filter(|&e| mesh.role(e << 1) == EdgeRole::Portal).collect()
        };
        let extent = Aabb2::of_points(mesh.points().iter().copied()).extent();
        let flat = Tolerance::of_extent(extent).flat;
        let mut is_notch: Vec<bool> = (0..mesh.vertex_count())
            .map(|v| {
                let [before, after] = ring_neighbours[v].map(|v| mesh.point(v));
                is_reflex(mesh.point(v as u32), after, before, flat)
            })
            .collect();
        for &v in &wide {
            is_notch[v as usize] = true;
        }
        Self {
            is_strict: vec![false; mesh.vertex_count()],
            mesh,
            ring: ring_neighbours,
            splits: Vec::new(),
            is_notch,
            flat,
            may_overlap,
            names,
            wide,
            lasting,
            sight: WedgeScratch::default(),
            portals: PortalScratch::default(),
        }
    }

    /// Whether the ground goes round a vertex once or more; what it sees of a place is not one thing then.
    pub fn is_wide(&self, v: u32) -> bool {
        !self.wide.is_empty() && self.wide.binary_search(&v).is_ok()
    }

    /// Whether a portal must not be taken away.
    pub fn is_lasting(&self, edge: u32) -> bool {
        !self.lasting.is_empty() && self.lasting.binary_search(&edge).is_ok()
    }

    /// A number that is equal for equal vertices of the mesh to be.
    pub fn name(&self, v: u32) -> u32 {
        self.names.get(v as usize).copied().unwrap_or(!v)
    }

    /// Number of the plan's own vertices.
    pub fn plan_vertex_count(&self) -> usize {
        self.ring.len()
    }

    /// The plan's vertices before and after a plan vertex.
    pub fn ring_neighbours(&self, v: u32) -> [u32; 2] {
        self.ring[v as usize]
    }

    /// The whole angle of a plan vertex.
    pub fn whole_sector(&self, v: u32) -> Sector {
        let [to, from] = self.ring_neighbours(v).map(|n| self.mesh.point(n));
        Sector { apex: v, first: self.mesh.wall(v), at: self.mesh.point(v), from, to, flat: self.flat_at(v) }
    }

    /// The direction in which an outgoing wall or portal leaves: a split wall keeps that of the whole wall.
    fn outgoing_point(&self, v: u32, h: u32) -> DVec2 {
        match self.mesh.role(h) {
            EdgeRole::Wall => self.mesh.point(self.ring[v as usize][1]),
            _ => self.mesh.point(self.mesh.target(h)),
        }
    }

    /// Where an incoming wall or portal comes from; a split wall keeps the direction of the whole wall.
    fn incoming_point(&self, v: u32, h: u32) -> DVec2 {
        match self.mesh.role(h) {
            EdgeRole::Wall => self.mesh.point(self.ring[v as usize][0]),
            _ => self.mesh.point(self.mesh.origin(h)),
        }
    }

    fn sector(&self, v: u32, first: u32, last: u32) -> Option<Sector> {
        let at = self.mesh.point(v);
        let (from, to) = (self.outgoing_point(v, first), self.incoming_point(v, last));
        let flat = self.flat_at(v);
        is_reflex(at, from, to, flat).then_some(Sector { apex: v, first, at, from, to, flat })
    }

    fn flat_at(&self, v: u32) -> f64 {
        if self.is_strict[v as usize] { 0.0 } else { self.flat }
    }

    /// The angle over 180 degrees that is left at a notch between two of its walls and portals.
    pub fn reflex_sector(&self, v: u32) -> Option<Sector> {
        let mut first = self.mesh.wall(v);
        loop {
            let mut last = self.mesh.prev(first);
            while self.mesh.role(last) == EdgeRole::Diagonal {
                last = self.mesh.prev(last ^ 1);
            }
            let sector = self.sector(v, first, last);
            if sector.is_some() || self.mesh.role(last) == EdgeRole::Wall {
                return sector;
            }
            first = last ^ 1;
        }
    }

    /// The angle over 180 degrees that there would be at `v` without its portal `h` (outgoing).
    pub fn sector_without(&self, v: u32, h: u32) -> Option<Sector> {
        if self.is_notch.get(v as usize) != Some(&true) {
            return None; // convex, ignored, or a point on a straight wall
        }
        let mut last = self.mesh.prev(h);
        while self.mesh.role(last) == EdgeRole::Diagonal {
            last = self.mesh.prev(last ^ 1);
        }
        let mut first = self.mesh.next(h ^ 1);
        while self.mesh.role(first) == EdgeRole::Diagonal {
            first = self.mesh.next(first ^ 1);
        }
        self.sector(v, first, last)
    }

    /// Cuts along the segment between two vertices, if nothing is in the way.
    pub fn insert(&mut self, v: u32, w: u32) -> bool {
        self.mesh.insert_portal(v, w, &mut self.portals).is_some()
    }
}
