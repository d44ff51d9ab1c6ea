//! The region being cut: its triangulation, its notches and what is asked about them.

use wayfare_core::DVec2;
use wayfare_geom::{
    predicates::orient,
    triangulation::{EdgeRole, Triangulation, TriangulationError, Wedge, WedgeScratch},
};

/// A point that splits a wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    /// Where.
    pub point: DVec2,
    /// The two ends of the whole wall, in its direction.
    pub wall: [u32; 2],
}

/// A region, the portals chosen so far, and which vertices are notches.
pub(crate) struct Workpiece {
    pub mesh: Triangulation,
    /// The ring's vertex before and after each of the plan's vertices; a split wall keeps its direction.
    ring: Vec<[u32; 2]>,
    /// Points that split walls; their vertices follow the plan's.
    pub splits: Vec<Split>,
    /// Whether a plan vertex is a notch that must be resolved.
    pub is_notch: Vec<bool>,
    pub sight: WedgeScratch,
    pub crossed: Vec<u32>,
}

impl Workpiece {
    pub fn new(rings: &[Vec<DVec2>]) -> Result<Self, TriangulationError> {
        let mesh = Triangulation::build(rings)?;
        let mut ring_neighbours = Vec::with_capacity(mesh.vertex_count());
        for ring in rings {
            let (start, n) = (ring_neighbours.len(), ring.len());
            ring_neighbours
                .extend((0..n).map(|k| [start + (k + n - 1) % n, start + (k + 1) % n].map(|v| v as u32)));
        }
        let is_notch = (0..mesh.vertex_count())
            .map(|v| {
                let [before, after] = ring_neighbours[v].map(|v| mesh.point(v));
                orient(before, mesh.point(v as u32), after) < 0.0
            })
            .collect();
        Ok(Self {
            mesh,
            ring: ring_neighbours,
            splits: Vec::new(),
            is_notch,
            sight: WedgeScratch::default(),
            crossed: Vec::new(),
        })
    }

    /// Number of the plan's own vertices.
    pub fn plan_vertex_count(&self) -> usize {
        self.ring.len()
    }

    /// The plan's vertices before and after a plan vertex.
    pub fn ring_neighbours(&self, v: u32) -> [u32; 2] {
        self.ring[v as usize]
    }

    /// The area of interest of a notch without portals (thesis, figure 9).
    pub fn area_of_interest(&self, v: u32) -> Wedge {
        let [before, after] = self.ring_neighbours(v).map(|n| self.mesh.point(n));
        let p = self.mesh.point(v);
        Wedge { apex: v, first: self.mesh.wall(v), right: [before, p], left: [after, p] }
    }

    /// Whether `p` lies in the area of interest of a notch without portals.
    pub fn is_of_interest(&self, v: u32, p: DVec2) -> bool {
        let [before, after] = self.ring_neighbours(v).map(|n| self.mesh.point(n));
        let at = self.mesh.point(v);
        orient(before, at, p) >= 0.0 && orient(at, after, p) >= 0.0
    }

    /// The direction in which an outgoing wall or portal leaves: a split wall keeps that of the whole wall.
    fn direction_point(&self, v: u32, h: u32) -> DVec2 {
        let target = self.mesh.target(h);
        if self.mesh.role(h) == EdgeRole::Wall && (v as usize) < self.ring.len() {
            return self.mesh.point(self.ring[v as usize][1]);
        }
        self.mesh.point(target)
    }

    /// Where the incoming wall of a vertex comes from; a split wall keeps the direction of the whole wall.
    fn incoming_point(&self, v: u32, incoming: u32) -> DVec2 {
        if (v as usize) < self.ring.len() {
            return self.mesh.point(self.ring[v as usize][0]);
        }
        self.mesh.point(self.mesh.origin(incoming))
    }

    /// The angle over 180 degrees that is left at a plan vertex between two of its walls and portals.
    pub fn reflex_sector(&self, v: u32) -> Option<Wedge> {
        let p = self.mesh.point(v);
        let mut first = self.mesh.wall(v);
        let mut from = self.direction_point(v, first);
        let mut h = first;
        loop {
            let before = self.mesh.prev(h);
            match self.mesh.role(before) {
                EdgeRole::Diagonal => h = before ^ 1,
                role => {
                    let is_last = role == EdgeRole::Wall;
                    let to = if is_last {
                        self.incoming_point(v, before)
                    } else {
                        self.mesh.point(self.mesh.origin(before))
                    };
                    if orient(p, from, to) < 0.0 {
                        return Some(Wedge { apex: v, first, right: [to, p], left: [from, p] });
                    }
                    if is_last {
                        return None;
                    }
                    h = before ^ 1;
                    (first, from) = (h, to);
                }
            }
        }
    }

    /// Whether all angles at `v` stay at most 180 degrees when its portal `h` (outgoing) is taken away.
    pub fn is_dispensable_at(&self, v: u32, h: u32) -> bool {
        if v as usize >= self.ring.len() {
            return true; // a point on a straight wall
        }
        let p = self.mesh.point(v);
        // Counter-clockwise to the next wall or portal.
        let mut before = self.mesh.prev(h);
        while self.mesh.role(before) == EdgeRole::Diagonal {
            before = self.mesh.prev(before ^ 1);
        }
        let to = match self.mesh.role(before) {
            EdgeRole::Wall => self.incoming_point(v, before),
            _ => self.mesh.point(self.mesh.origin(before)),
        };
        // Clockwise to the wall or portal before.
        let mut after = self.mesh.next(h ^ 1);
        while self.mesh.role(after) == EdgeRole::Diagonal {
            after = self.mesh.next(after ^ 1);
        }
        orient(p, self.direction_point(v, after), to) >= 0.0
    }
}
