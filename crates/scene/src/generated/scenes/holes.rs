//! A level plane with thirty holes of many shapes: what seed 002 calls the Holes environment.

use super::builder::{Builder, GeneratedScene};
use std::f64::consts::TAU;
use wayfare_core::{
    DVec2, dvec2, dvec3,
    ops::{cos, sin},
};
use wayfare_geom::ring_area;

/// Side of a tile, each with one hole in its middle [m]; tiles along x and y.
const TILE: f64 = 2.0;
const TILES: [usize; 2] = [6, 5];

/// A plane of 12 m × 10 m with thirty holes: slots, polygons, stars, crosses, bent and jagged ones. The narrowest is 5 cm wide; no place
/// in any of them is so far from its sides that a step of 1 m from side to side does not lead over it.
///
/// ```
/// use wayfare_scene::generated::scenes::{holes, holes_area};
/// let scene = holes().scene;
/// let area: f64 = scene.mesh.all_points().map(|[a, b, c]| (b - a).cross(c - a).z / 2.0).sum();
/// assert!((area + holes_area() - 120.0).abs() < 1e-9);
/// ```
pub fn holes() -> GeneratedScene {
    let mut b = Builder::new("plane");
    let shapes = shapes();
    let centre = |i: usize, k: usize| dvec2(i as f64 + 0.5, k as f64 + 0.5) * TILE;
    // The leftmost and the rightmost corner of each hole are joined to the sides of its tile; what lies above and below are
    // simple polygons. Tiles side by side share the ends of these cuts.
    let ends = |i: usize, k: usize| {
        let shape = &shapes[k * TILES[0] + i];
        let by_x = |a: &usize, b: &usize| shape[*a].x.total_cmp(&shape[*b].x);
        let all = 0..shape.len();
        [all.clone().min_by(by_x).unwrap_or(0), all.max_by(by_x).unwrap_or(0)]
    };
    let cut = |i: usize, k: usize, end: usize| {
        let shape = &shapes[k * TILES[0] + i];
        (centre(i, k) + shape[ends(i, k)[end]]).y
    };
    for k in 0..TILES[1] {
        for i in 0..TILES[0] {
            let shape = &shapes[k * TILES[0] + i];
            let at = |corner: usize| centre(i, k) + shape[corner % shape.len()];
            let [left, right] = ends(i, k);
            let (x, y) = ([i, i + 1].map(|i| i as f64 * TILE), [k, k + 1].map(|k| k as f64 * TILE));
            // Cuts that end on either side of the tile, from below.
            let side = |has_neighbour: bool, own: f64, other: f64| {
                let mut cuts = vec![own];
                cuts.extend(has_neighbour.then_some(other).filter(|&other| other != own));
                cuts.sort_unstable_by(f64::total_cmp);
                cuts
            };
            let own = [cut(i, k, 0), cut(i, k, 1)];
            let lefts = side(i > 0, own[0], if i > 0 { cut(i - 1, k, 1) } else { 0.0 });
            let rights =
                side(i + 1 < TILES[0], own[1], if i + 1 < TILES[0] { cut(i + 1, k, 0) } else { 0.0 });
            let count = shape.len();
            let chain = |from: usize, to: usize| {
                let steps = (to + count - from) % count;
                (0..=steps).map(move |step| (from + step) % count)
            };
            // Holes run counter-clockwise here: from the left to the right below.
            let mut lower = vec![dvec2(x[0], y[0]), dvec2(x[1], y[0])];
            lower.extend(rights.iter().filter(|&&c| c <= own[1]).map(|&c| dvec2(x[1], c)));
            lower.extend(chain(left, right).map(at).collect::<Vec<_>>().into_iter().rev());
            lower.extend(lefts.iter().rev().filter(|&&c| c <= own[0]).map(|&c| dvec2(x[0], c)));
            let mut upper = vec![dvec2(x[1], y[1]), dvec2(x[0], y[1])];
            upper.extend(lefts.iter().rev().filter(|&&c| c >= own[0]).map(|&c| dvec2(x[0], c)));
            upper.extend(chain(right, left).map(at).collect::<Vec<_>>().into_iter().rev());
            upper.extend(rights.iter().filter(|&&c| c >= own[1]).map(|&c| dvec2(x[1], c)));
            for polygon in [lower, upper] {
                b.face(&polygon.iter().map(|p| dvec3(p.x, p.y, 0.0)).collect::<Vec<_>>());
            }
        }
    }
    b.finish()
}

/// The area of all holes of [`holes`] [m²].
pub fn holes_area() -> f64 {
    shapes().iter().map(|shape| ring_area(shape)).sum()
}

/// Outlines round the origin, counter-clockwise.
fn shapes() -> Vec<Vec<DVec2>> {
    let turned = |shape: Vec<DVec2>, turn: f64| -> Vec<DVec2> {
        let (s, c) = (sin(turn), cos(turn));
        shape.into_iter().map(|p| dvec2(p.x * c - p.y * s, p.x * s + p.y * c)).collect()
    };
    let slot = |length: f64, width: f64, turn: f64| {
        let (x, y) = (length / 2.0, width / 2.0);
        turned(vec![dvec2(-x, -y), dvec2(x, -y), dvec2(x, y), dvec2(-x, y)], turn)
    };
    let round = |corners: usize, radius: f64, turn: f64| -> Vec<DVec2> {
        let angle = |k: usize| turn + TAU * k as f64 / corners as f64;
        (0..corners).map(|k| dvec2(cos(angle(k)), sin(angle(k))) * radius).collect()
    };
    let star = |points: usize, outer: f64, inner: f64, turn: f64| -> Vec<DVec2> {
        let at = |k: usize| {
            let angle = turn + TAU * k as f64 / (2 * points) as f64;
            dvec2(cos(angle), sin(angle)) * if k.is_multiple_of(2) { outer } else { inner }
        };
        (0..2 * points).map(at).collect()
    };
    let listed = |points: &[[f64; 2]], size: f64, turn: f64| {
        turned(points.iter().map(|&[x, y]| dvec2(x, y) * size).collect(), turn)
    };
    let cross = [
        [-1., -3.],
        [1., -3.],
        [1., -1.],
        [3., -1.],
        [3., 1.],
        [1., 1.],
        [1., 3.],
        [-1., 3.],
        [-1., 1.],
        [-3., 1.],
        [-3., -1.],
        [-1., -1.],
    ];
    let ell = [[-2., -2.], [2., -2.], [2., -1.], [-1., -1.], [-1., 2.], [-2., 2.]];
    let horseshoe = [[-2., -2.], [2., -2.], [2., 2.], [1., 2.], [1., -1.], [-1., -1.], [-1., 2.], [-2., 2.]];
    let tee = [[-0.5, -2.], [0.5, -2.], [0.5, 1.], [2., 1.], [2., 2.], [-2., 2.], [-2., 1.], [-0.5, 1.]];
    let zigzag = [[-3., 0.], [-1., -1.], [1., 0.], [3., -1.], [3., 0.], [1., 1.], [-1., 0.], [-3., 1.]];
    let arrow = [[-2., -0.5], [0., -0.5], [0., -1.5], [2., 0.], [0., 1.5], [0., 0.5], [-2., 0.5]];
    let hook =
        [[-2., -2.], [2., -2.], [2., 0.5], [0.5, 0.5], [0.5, -0.2], [1.2, -0.2], [1.2, -1.2], [-2., -1.2]];
    vec![
        slot(1.6, 0.05, 0.0),
        slot(1.6, 0.1, 0.3),
        slot(1.5, 0.2, 1.2),
        slot(1.5, 0.3, 0.0),
        slot(1.4, 0.45, 2.0),
        slot(1.2, 0.6, 0.7),
        slot(1.0, 0.8, 0.0),
        slot(0.65, 0.65, 0.4),
        round(3, 0.5, 0.2),
        round(3, 0.2, 1.0),
        round(5, 0.45, 0.1),
        round(6, 0.45, 0.0),
        round(8, 0.25, 0.2),
        round(12, 0.48, 0.1),
        round(24, 0.48, 0.0),
        round(16, 0.08, 0.1),
        star(5, 0.6, 0.25, 0.3),
        star(4, 0.6, 0.2, 0.1),
        star(7, 0.5, 0.3, 0.0),
        star(12, 0.48, 0.38, 0.05),
        listed(&cross, 0.16, 0.0),
        listed(&cross, 0.2, 0.4),
        listed(&ell, 0.3, 0.2),
        listed(&ell, 0.2, 2.4),
        listed(&horseshoe, 0.25, 0.0),
        listed(&horseshoe, 0.3, 3.5),
        listed(&tee, 0.25, 0.6),
        listed(&zigzag, 0.25, 0.15),
        listed(&arrow, 0.3, 1.9),
        listed(&hook, 0.3, 0.3),
    ]
}
