//! The charts of a surface side by side in the plane.
//!
//! Idea: shelves. The tallest charts first, from left to right until a shelf is as wide as the whole is to be, then on to the
//! next. Charts keep their size, so that the layout is a map in one scale.

use wayfare_core::{DVec2, dvec2};
use wayfare_surface::{ChartedSurface, Charts, FaceId, SurfaceMesh};

/// Room between charts, as a share of the width of all.
const GAP: f64 = 0.01;

/// Where the charts lie.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartLayout {
    /// The corners of each face of the surface, by its number.
    pub corners: Vec<[DVec2; 3]>,
    /// Width and height of all, from the origin.
    pub size: DVec2,
}

/// Lays the charts of a surface side by side, in the unit of the file.
pub fn lay_out_charts(charted: &ChartedSurface) -> ChartLayout {
    lay_out(charted.surface(), charted.base().charts())
}

fn lay_out(surface: &SurfaceMesh, charts: &Charts) -> ChartLayout {
    let flat = |face: FaceId| charts.flat(face).map(|[x, y]| dvec2(x, y));
    let mut boxes = vec![[DVec2::INFINITY, DVec2::NEG_INFINITY]; charts.count()];
    for face in surface.faces() {
        let [low, high] = &mut boxes[charts.chart(face)];
        for p in flat(face) {
            (*low, *high) = (low.min(p), high.max(p));
        }
    }
    let sizes: Vec<DVec2> = boxes.iter().map(|[low, high]| (*high - *low).max(DVec2::ZERO)).collect();
    let (places, size) = shelves(&sizes);
    let corners = surface.faces().map(|face| {
        let chart = charts.chart(face);
        flat(face).map(|p| p - boxes[chart][0] + places[chart])
    });
    ChartLayout { corners: corners.collect(), size }
}

/// The lower left corner of each box, and the size of all.
fn shelves(sizes: &[DVec2]) -> (Vec<DVec2>, DVec2) {
    let area: f64 = sizes.iter().map(|size| size.x * size.y).sum();
    let widest = sizes.iter().map(|size| size.x).fold(0.0, f64::max);
    // About a square, with some room lost at the ends of shelves.
    let width = (1.2 * area).sqrt().max(widest);
    let gap = GAP * width;
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|&a, &b| sizes[b].y.total_cmp(&sizes[a].y).then(a.cmp(&b)));
    let mut places = vec![DVec2::ZERO; sizes.len()];
    let (mut at, mut shelf, mut all) = (DVec2::ZERO, 0.0f64, DVec2::ZERO);
    for k in order {
        if at.x > 0.0 && at.x + sizes[k].x > width {
            at = dvec2(0.0, at.y + shelf + gap);
            shelf = 0.0;
        }
        places[k] = at;
        all = all.max(at + sizes[k]);
        at.x += sizes[k].x + gap;
        shelf = shelf.max(sizes[k].y);
    }
    (places, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn boxes_do_not_overlap_and_little_room_is_lost(
            sizes in prop::collection::vec((0.1..9.0f64, 0.1..9.0f64), 1..40)
        ) {
            let sizes: Vec<DVec2> = sizes.into_iter().map(|(x, y)| dvec2(x, y)).collect();
            let (places, all) = shelves(&sizes);
            for k in 0..sizes.len() {
                prop_assert!(places[k].min_element() >= 0.0 && (places[k] + sizes[k]).cmple(all).all());
                for l in 0..k {
                    let apart = (places[k] + sizes[k]).cmplt(places[l]).any() || (places[l] + sizes[l]).cmplt(places[k]).any();
                    prop_assert!(apart, "{k} and {l}");
                }
            }
            let area: f64 = sizes.iter().map(|size| size.x * size.y).sum();
            prop_assert!(all.x * all.y < 4.0 * area + 200.0, "{all} for {area}");
        }
    }
}
