//! Regions that hang together become one piece of ground.
//!
//! Idea: the thesis (seed 000, section 6.2.4) cuts every layer by itself and then merges cells across seams, removes
//!   vertices that are inside now and cuts round them again. We glue the triangulations before the first portal is
//!   chosen: a seam is then a diagonal like any other, a cell may span layers, and since seams end at the boundary no
//!   vertex is ever inside.
//! Steps: 1. regions with one tag joined by seams are one piece  2. triangulate each region  3. glue
//! Needs F1, F2. Cost: that of the triangulations; regions of a piece are triangulated in parallel.

use crate::{config::BakeError, decompose::Ground};
use rayon::prelude::*;
use wayfare_core::Context;
use wayfare_floor::Corners;
use wayfare_geom::triangulation::{NONE, Triangulation};

/// Regions that are cut as one.
pub(crate) struct Piece {
    /// The regions, ascending.
    pub regions: Vec<u32>,
    /// Seams between them: corners on both sides.
    seams: Vec<[u32; 2]>,
}

/// The pieces of a plan, in the order of their lowest regions.
pub(crate) fn find_pieces(corners: &Corners) -> Vec<Piece> {
    let count = corners.regions.len();
    let mut parent: Vec<u32> = (0..count as u32).collect();
    let mut seams = Vec::new();
    for (corner, &other) in corners.across.iter().enumerate() {
        let corner = corner as u32;
        if other != NONE && corner < other && corners.is_seam(corner) {
            let [a, b] = [corner, other].map(|corner| root(&mut parent, corners.region(corner) as u32));
            // The lowest region stands for its piece.
            parent[a.max(b) as usize] = a.min(b);
            seams.push([corner, other]);
        }
    }
    let mut number = vec![NONE; count];
    let mut pieces: Vec<Piece> = Vec::new();
    for region in 0..count as u32 {
        let lowest = root(&mut parent, region) as usize;
        if number[lowest] == NONE {
            number[lowest] = pieces.len() as u32;
            pieces.push(Piece { regions: Vec::new(), seams: Vec::new() });
        }
        number[region as usize] = number[lowest];
        pieces[number[lowest] as usize].regions.push(region);
    }
    for seam in seams {
        pieces[number[corners.region(seam[0])] as usize].seams.push(seam);
    }
    pieces
}

fn root(parent: &mut [u32], mut region: u32) -> u32 {
    while parent[region as usize] != region {
        parent[region as usize] = parent[parent[region as usize] as usize];
        region = parent[region as usize];
    }
    region
}

impl Piece {
    /// The ground of a piece, and the corner at which the wall of each of its vertices starts.
    pub fn ground(
        &self,
        corners: &Corners,
        has_shared: bool,
        context: &Context,
    ) -> Result<(Ground, Vec<u32>), BakeError> {
        let build = |region: u32| {
            context.check()?;
            let rings: Vec<_> =
                corners.regions[region as usize].rings().map(|ring| corners.plan.ring_points(ring)).collect();
            Ok::<_, BakeError>(Triangulation::build(&rings)?)
        };
        let own = |region: u32| corners.starts[region as usize]..corners.starts[region as usize + 1];
        let (mesh, walls, wide): (_, Vec<u32>, _) = match self.regions[..] {
            [region] if self.seams.is_empty() => (build(region)?, own(region).collect(), Vec::new()),
            _ => {
                let parts =
                    self.regions.par_iter().map(|&region| build(region)).collect::<Result<Vec<_>, _>>()?;
                let all: Vec<u32> = self.regions.iter().flat_map(|&region| own(region)).collect();
                // Regions ascend, so their corners do.
                let place = |corner: u32| all.partition_point(|&other| other < corner) as u32;
                let seams: Vec<[u32; 2]> = self.seams.iter().map(|seam| seam.map(place)).collect();
                let glued = Triangulation::glue(&parts, &seams)?;
                let walls = glued.wall_corners.iter().map(|&corner| all[corner as usize]).collect();
                (glued.mesh, walls, glued.wide)
            }
        };
        let names = if has_shared {
            walls.iter().map(|&corner| corners.vertices[corner as usize]).collect()
        } else {
            Vec::new()
        };
        let has_heights =
            self.regions.iter().any(|&region| !corners.regions[region as usize].ground.is_empty());
        Ok((Ground { mesh, names, wide, may_overlap: has_heights || !self.seams.is_empty() }, walls))
    }
}
