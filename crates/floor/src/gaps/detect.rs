//! All gaps between edges of the border (seed 002, V.B).
//!
//! Steps: 1. a tree over the edges  2. for each edge those within reach  3. the widest gap (`filler`)  4. less what stands in it
//!   (`obstacles`).
//! Cost: O(n log n + k) for k pairs within reach; edges in parallel, gaps in the order of the edges.

use super::{
    GapConfig,
    filler::{Edge, Filler, HAIR, connect},
    obstacles::Obstacles,
};
use rayon::prelude::*;
use wayfare_core::{Cancelled, Context, dvec3};
use wayfare_geom::bvh::{Aabb3, Bvh};

/// How gaps are searched for.
#[derive(Clone, Copy)]
pub(super) struct How {
    /// Each gap keeps to its own side of the bisectors at corners of the border (`filler::connect`).
    pub with_bisectors: bool,
    /// Gaps that something stands in are left out, rather than cut.
    pub only_whole: bool,
}

/// The gaps between pairs of edges for which `is_asked` holds.
pub(super) fn find_fillers(
    edges: &[Edge],
    obstacles: &Obstacles<'_>,
    config: &GapConfig,
    how: How,
    context: &Context,
    is_asked: impl Fn(&Edge, &Edge) -> bool + Sync,
) -> Result<Vec<Filler>, Cancelled> {
    let stage = context.stage("gaps", edges.len() as u64);
    let boxes: Vec<Aabb3> = edges.iter().map(|edge| Aabb3::of_points(edge.ends)).collect();
    let tree = Bvh::build(&boxes);
    let reach = dvec3(config.max_gap, config.max_gap, config.step) + HAIR;
    let found: Vec<Vec<Filler>> = (0..edges.len() as u32)
        .into_par_iter()
        .map(|number| {
            context.check()?;
            let (edge, own) = (&edges[number as usize], &boxes[number as usize]);
            let area = Aabb3 { min: own.min - reach, max: own.max + reach };
            let mut others: Vec<u32> = Vec::new();
            tree.visit(&area, |other| {
                if other > number
                    && boxes[other as usize].meets(&area)
                    && is_asked(edge, &edges[other as usize])
                {
                    others.push(other);
                }
                false
            });
            others.sort_unstable();
            let mut fillers = Vec::new();
            for other in others {
                let pair = [(number, edge), (other, &edges[other as usize])];
                if let Some(filler) = connect(pair, config, how.with_bisectors) {
                    obstacles.free_parts(&filler, edges, how.only_whole, &mut fillers);
                }
            }
            stage.advance(1);
            Ok(fillers)
        })
        .collect::<Result<_, _>>()?;
    drop(stage);
    Ok(found.into_iter().flatten().collect())
}
