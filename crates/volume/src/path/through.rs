//! Which regions a path goes through.
//!
//! Idea: every region holds an interval of a straight part. From the end of one interval the path goes on in the region beyond a
//!   portal whose interval reaches farthest; where it runs through an edge, so that there is none, a region that lies beside
//!   both comes between.

use crate::mesh::{RegionId, VolumeMesh};
use wayfare_core::DVec3;
use wayfare_geom::bvh::Aabb3;

/// A part of a straight line in a region, as shares of the line.
struct Part {
    begin: f64,
    end: f64,
    region: RegionId,
}

/// The regions along a path that begins in one, in order.
pub(super) fn regions_along(mesh: &VolumeMesh, start: RegionId, points: &[DVec3]) -> Vec<RegionId> {
    let mut along = vec![start];
    let mut current = start;
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let parts = parts(mesh, from, to);
        let small = 4.0 * mesh.raw().tolerance / from.distance(to).max(f64::MIN_POSITIVE);
        let mut reached = 0.0;
        while reached < 1.0 - small {
            let goes_on = |part: &&Part| part.begin <= reached + small && part.end > reached + small;
            let rank = |part: &Part| match part.region {
                region if region == current => 2,
                region if is_beside(mesh, current, region) => 1,
                _ => 0,
            };
            let better = |a: &&Part, b: &&Part| {
                (rank(a).cmp(&rank(b))).then(a.end.total_cmp(&b.end)).then(b.region.0.cmp(&a.region.0))
            };
            let Some(next) = parts.iter().filter(goes_on).max_by(better) else { break };
            reached = next.end;
            if next.region == current {
                continue;
            }
            if rank(next) == 0 {
                let mut beyond = mesh.portals_of(current).map(|portal| mesh.across(portal, current));
                along.extend(beyond.find(|&region| is_beside(mesh, region, next.region)));
            }
            along.push(next.region);
            current = next.region;
        }
    }
    along
}

fn is_beside(mesh: &VolumeMesh, one: RegionId, other: RegionId) -> bool {
    mesh.portals_of(one).any(|portal| mesh.across(portal, one) == other)
}

/// What regions hold of a straight line.
fn parts(mesh: &VolumeMesh, from: DVec3, to: DVec3) -> Vec<Part> {
    let tolerance = mesh.raw().tolerance;
    let mut parts = Vec::new();
    mesh.tree.visit(&Aabb3 { min: from.min(to) - tolerance, max: from.max(to) + tolerance }, |region| {
        let (mut begin, mut end) = (0.0f64, 1.0f64);
        for plane in mesh.outward_planes(RegionId(region)) {
            let (a, b) = (plane.distance(from), plane.distance(to));
            if a > tolerance && b > tolerance {
                return false;
            }
            if a > 0.0 && b < 0.0 {
                begin = begin.max(a / (a - b));
            } else if a < 0.0 && b > 0.0 {
                end = end.min(a / (a - b));
            }
        }
        if begin <= end {
            parts.push(Part { begin, end, region: RegionId(region) });
        }
        false
    });
    parts
}
