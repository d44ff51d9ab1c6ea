//! The ground's triangles as one surface over all regions: who borders on whom, and what lies on the plan's edges.
//!
//! A region is level or comes with triangles. Where level ground hangs together with ground that is not, or with level
//! ground of another height, it gets triangles, too: those of its triangulation, with the points that its neighbours
//! have on shared edges.
//! Steps: 1. points on the edges of regions with triangles  2. pieces that need triangles  3. triangles of level regions
//!   4. neighbours, by the numbers of shared points
//! Needs F5. Cost: linear, but for the triangulations.

use crate::{config::BakeError, glue::Piece};
use wayfare_core::DVec2;
use wayfare_floor::{Corners, Region, match_sides};
use wayfare_geom::triangulation::{NONE, Triangulation};

/// The triangles of all pieces that are not level.
pub(crate) struct Surface {
    /// Corners of triangles, as in [`Region::ground`].
    pub triangles: Vec<[u32; 3]>,
    /// Where the triangles of each piece start; one more entry than pieces. Level pieces have none.
    pub starts: Vec<u32>,
    /// The triangle beyond each side, in the same piece; [`NONE`] without.
    pub beyond: Vec<[u32; 3]>,
    /// The ground points on each edge of the plan, from the corner on: offsets and flat list.
    chain_starts: Vec<u32>,
    chain_points: Vec<u32>,
}

impl Surface {
    /// The surface of a plan; nothing at all where every piece is level.
    pub fn new(corners: &Corners, pieces: &[Piece]) -> Result<Self, BakeError> {
        // The triangles that there are, and who is beside whom among them.
        let mut surface = Self {
            triangles: Vec::new(),
            starts: vec![0],
            beyond: Vec::new(),
            chain_starts: Vec::new(),
            chain_points: Vec::new(),
        };
        let mut owners = Vec::new();
        let mut is_any_level = false;
        for piece in pieces {
            if !is_level(corners, piece) {
                for &region in &piece.regions {
                    let ground = &corners.regions[region as usize].ground;
                    if !ground.iter().all(|triangle| corners.has_points(triangle)) {
                        return Err(BakeError::Ground { region });
                    }
                    is_any_level |= ground.is_empty();
                    surface.triangles.extend(ground);
                    owners.resize(surface.triangles.len(), region);
                }
            }
            surface.starts.push(surface.triangles.len() as u32);
        }
        surface.beyond = match_sides(&surface.triangles, &owners);
        // 1.
        let mut chains: Vec<Vec<u32>> = Vec::new();
        if !surface.triangles.is_empty() {
            chains = corners.ground_on_edges_of(&surface.triangles, &owners, &surface.beyond);
            for corner in 0..chains.len() {
                let other = corners.across[corner] as usize;
                if chains[corner].is_empty() && chains.get(other).is_some_and(|chain| !chain.is_empty()) {
                    chains[corner] = chains[other].iter().rev().copied().collect();
                }
            }
        }
        let ends = chains.iter().scan(0, |end, chain| {
            *end += chain.len() as u32;
            Some(*end)
        });
        surface.chain_starts = std::iter::once(0).chain(ends).collect();
        surface.chain_points = chains.into_iter().flatten().collect();
        // 2. and 3.
        if is_any_level {
            surface.lay_all(corners, pieces, &mut owners)?;
            surface.beyond = match_sides(&surface.triangles, &owners);
        }
        // 4.
        for range in surface.starts.windows(2) {
            for next in surface.beyond[range[0] as usize..range[1] as usize].iter_mut().flatten() {
                if !(range[0]..range[1]).contains(next) {
                    *next = NONE;
                }
            }
        }
        Ok(surface)
    }

    /// The ground points on the edge of a corner, in its direction.
    fn chain(&self, corner: u32) -> &[u32] {
        match self.chain_starts.get(corner as usize..corner as usize + 2) {
            Some(&[start, end]) => &self.chain_points[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The height of a point on the edge of a corner: linear between the ground's points on it.
    pub fn height_on_edge(&self, corners: &Corners, corner: u32, point: DVec2) -> f64 {
        let [first, last] = corners.ends(corner);
        let chain = self.chain(corner).iter().chain(std::iter::once(&last)).map(|&k| corners.ground_point(k));
        let mut a = corners.ground_point(first);
        let way = (corners.ground_point(last) - a).truncate();
        let mut from = a;
        for b in chain {
            (a, from) = (from, b);
            if (b.truncate() - point).dot(way) >= 0.0 {
                break;
            }
        }
        let b = from;
        let (along, whole) = ((point - a.truncate()).length(), (b - a).truncate().length());
        if whole > 0.0 { a.z + (b.z - a.z) * (along / whole) } else { a.z }
    }

    /// Step 3: all triangles once more, those of level regions among them.
    fn lay_all(
        &mut self,
        corners: &Corners,
        pieces: &[Piece],
        owners: &mut Vec<u32>,
    ) -> Result<(), BakeError> {
        self.triangles.clear();
        self.starts.truncate(1);
        owners.clear();
        for piece in pieces {
            if !is_level(corners, piece) {
                for &region in &piece.regions {
                    let ground = &corners.regions[region as usize].ground;
                    if ground.is_empty() {
                        self.lay_level(corners, region)?;
                    } else {
                        self.triangles.extend(ground);
                    }
                    owners.resize(self.triangles.len(), region);
                }
            }
            self.starts.push(self.triangles.len() as u32);
        }
        Ok(())
    }

    /// Step 3 for one region.
    fn lay_level(&mut self, corners: &Corners, region: u32) -> Result<(), BakeError> {
        let (mut rings, mut names): (Vec<Vec<DVec2>>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut corner = corners.starts[region as usize];
        for ring in corners.regions[region as usize].rings() {
            let first = names.len();
            for vertex in &ring.vertices {
                names.push(vertex.0);
                names.extend(self.chain(corner));
                corner += 1;
            }
            rings.push(names[first..].iter().map(|&k| corners.ground_point(k).truncate()).collect());
        }
        let mesh = Triangulation::build(&rings)?;
        for h in (0..mesh.half_edge_count() as u32).filter(|&h| mesh.is_inside(h)) {
            let sides = [h, mesh.next(h), mesh.prev(h)];
            if h < sides[1] && h < sides[2] {
                self.triangles.push(sides.map(|h| names[mesh.origin(h) as usize]));
            }
        }
        Ok(())
    }
}

/// Whether no region of a piece has triangles and all of it lies at one height.
fn is_level(corners: &Corners, piece: &Piece) -> bool {
    let regions = || piece.regions.iter().map(|&region| corners.regions[region as usize]);
    let mut heights = regions()
        .flat_map(Region::rings)
        .flat_map(|ring| &ring.vertices)
        .map(|&vertex| corners.plan.vertices[vertex].z);
    let first = heights.next();
    regions().all(|region| region.ground.is_empty()) && heights.all(|height| Some(height) == first)
}
