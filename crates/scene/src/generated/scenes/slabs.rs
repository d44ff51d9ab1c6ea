//! Slabs that overlap at many heights, some of them running through each other.

use super::{
    super::random::Random,
    builder::{Builder, GeneratedScene},
    raster::{Squares, free_floors, metres},
    truth::{TrueFloor, Walker},
};
use wayfare_core::{DVec2, dvec2};

/// Slabs besides the lowest one, which is as large as the whole scene.
const COUNT: usize = 24;
/// The scene [dm].
const ALL: Squares = Squares { x: [0, 200], y: [0, 200] };
/// Tops are multiples of this [m]: one or two of them are a step, three are not; no two slabs have the same top.
const UNIT: f64 = 0.17;
const THICKNESS: f64 = 0.25;

struct Slab {
    squares: Squares,
    top: f64,
}

fn slabs_of(seed: u64) -> Vec<Slab> {
    let mut random = Random::new(seed ^ 0x51AB);
    // Each height once, in random order.
    let mut heights: Vec<usize> = (1..=COUNT).collect();
    for k in (1..COUNT).rev() {
        heights.swap(k, random.below(k + 1));
    }
    let mut slabs = vec![Slab { squares: ALL, top: 0.0 }];
    for height in heights {
        let size = [0, 1].map(|_| 20 + random.below(60) as i32);
        let corner = size.map(|size| random.below((200 - size) as usize) as i32);
        slabs.push(Slab { squares: Squares::new(corner, size), top: UNIT * height as f64 });
    }
    slabs
}

/// A ground of 20 m by 20 m and 24 slabs of 2 m to 8 m above it, each 0.25 m thick, at heights 0.17 m apart: neighbours in
/// height run through each other where they overlap.
///
/// ```
/// use wayfare_scene::generated::scenes::slabs;
/// assert_eq!(slabs(1).closed_parts.len(), 25);
/// assert_ne!(slabs(1), slabs(2));
/// ```
pub fn slabs(seed: u64) -> GeneratedScene {
    let mut b = Builder::new("slab");
    for slab in slabs_of(seed) {
        b.block(slab.squares.min().extend(slab.top - THICKNESS), slab.squares.max().extend(slab.top));
    }
    b.finish()
}

/// What can be walked on in [`slabs`], for any body.
///
/// Where two floors a step apart meet under a ceiling that leaves room over each but not over the higher one from the lower one's
/// side, a sheet marks the piece of rim that cannot be passed.
pub fn slabs_floors(seed: u64, walker: &Walker) -> Vec<TrueFloor> {
    let slabs = slabs_of(seed);
    // Over a square, above a top: the underside of the next slab; that of a slab that covers the top counts as none.
    let ceiling = |x: i32, y: i32, top: f64| {
        let above = slabs.iter().filter(|slab| slab.squares.contains(x, y) && slab.top > top);
        above.map(|slab| slab.top - THICKNESS).fold(f64::INFINITY, f64::min)
    };
    let is_free = |slab: &Slab, x: i32, y: i32| {
        slab.squares.contains(x, y) && ceiling(x, y, slab.top) >= slab.top + walker.height
    };
    let mut floors = Vec::new();
    for slab in &slabs {
        let mut own = free_floors(slab.squares, slab.top, |x, y| is_free(slab, x, y));
        // A passage needs head room under the lower of both ceilings and over the higher of both tops.
        let is_shut = |here: [i32; 2], there: [i32; 2]| {
            let leads_low = |other: &Slab| {
                let low = ceiling(here[0], here[1], slab.top).min(ceiling(there[0], there[1], other.top));
                low < slab.top.max(other.top) + walker.height
            };
            let is_step = |other: &&Slab| {
                (other.top - slab.top).abs() <= walker.step && is_free(other, there[0], there[1])
            };
            is_free(slab, here[0], here[1]) && slabs.iter().filter(is_step).any(leads_low)
        };
        let sheets = shut_edges(slab.squares, is_shut);
        for [a, b] in sheets {
            let middle = (a + b) / 2.0;
            // On a rim: of the region whose own square it belongs to.
            if let Some(floor) = own.iter_mut().find(|floor| floor.contains(middle)) {
                floor.sheets.push([a, b]);
            }
        }
        floors.extend(own);
    }
    floors
}

/// Sides of squares inside of `squares` across which `is_shut(here, there)`.
fn shut_edges(squares: Squares, is_shut: impl Fn([i32; 2], [i32; 2]) -> bool) -> Vec<[DVec2; 2]> {
    let at = |x: i32, y: i32| dvec2(metres(x), metres(y));
    let mut edges = Vec::new();
    for y in squares.y[0]..squares.y[1] {
        for x in squares.x[0]..squares.x[1] {
            let sides = [
                ([x - 1, y], [at(x, y), at(x, y + 1)]),
                ([x + 1, y], [at(x + 1, y), at(x + 1, y + 1)]),
                ([x, y - 1], [at(x, y), at(x + 1, y)]),
                ([x, y + 1], [at(x, y + 1), at(x + 1, y + 1)]),
            ];
            edges
                .extend(sides.into_iter().filter(|(there, _)| is_shut([x, y], *there)).map(|(_, edge)| edge));
        }
    }
    edges
}
