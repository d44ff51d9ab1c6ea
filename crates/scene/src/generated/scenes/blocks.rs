//! City blocks: streets, kerbs, buildings.

use super::{
    super::random::Random,
    builder::{Builder, GeneratedScene, rectangle},
};
use wayfare_core::{DVec2, dvec2};

/// Block and street together, a street, the kerb's height [m].
const PITCH: f64 = 40.0;
const STREET: f64 = 9.0;
const KERB: f64 = 0.15;

/// A city of `count` × `count` blocks, about a hundred triangles each, the same density whatever their number: streets of
/// 9 m, pavements over kerbs of 0.15 m, four buildings to a block (boxes, angles, houses with a terrace), steps before doors, lamps.
///
/// ```
/// use wayfare_scene::generated::scenes::city_blocks;
/// let triangles = city_blocks(4).scene.mesh.triangles.len();
/// assert!((90..130).contains(&(triangles / 16)), "{triangles}");
/// ```
///
/// # Panics
/// Without blocks.
pub fn city_blocks(count: usize) -> GeneratedScene {
    assert!(count > 0, "a city has a block at least");
    let mut b = Builder::new("street");
    for k in 0..count * count {
        let corner = dvec2((k % count) as f64, (k / count) as f64) * PITCH;
        // Each block has its own numbers, whatever the size of the city.
        let seed = (k % count) as u64 | ((k / count) as u64) << 32;
        block(&mut b, corner, &mut Random::new(seed ^ 0xB10C));
    }
    b.finish()
}

fn block(b: &mut Builder, corner: DVec2, random: &mut Random) {
    b.tag("street");
    b.face(&rectangle(corner, corner + PITCH, 0.0));
    let (min, max) = (corner + STREET / 2.0, corner + PITCH - STREET / 2.0);
    b.tag("pavement");
    b.block(min.extend(-0.3), max.extend(KERB));
    // Lots of 15.5 m, a building in each, 2 m to 3.5 m from its rim.
    let lot = (PITCH - STREET) / 2.0;
    for k in 0..4 {
        let place = min + dvec2((k % 2) as f64, (k / 2) as f64) * lot;
        let low = place + dvec2(random.between(2.0, 3.5), random.between(2.0, 3.5));
        let high = place + lot - dvec2(random.between(2.0, 3.5), random.between(2.0, 3.5));
        let top = random.between(4.0, 30.0);
        let middle = (low + high) / 2.0;
        b.tag("building");
        match random.below(3) {
            0 => b.block(low.extend(KERB), high.extend(top)),
            1 => {
                let angle = [
                    low,
                    dvec2(high.x, low.y),
                    dvec2(high.x, middle.y),
                    middle,
                    dvec2(middle.x, high.y),
                    dvec2(low.x, high.y),
                ];
                b.prism(&angle, KERB, top);
            }
            _ => {
                b.block(low.extend(KERB), high.extend(3.5));
                b.block((low + 2.0).extend(3.5), (high - 2.0).extend(3.5 + top));
            }
        }
        // A step before the doors to the street, on the side that all kinds of buildings have.
        if k < 2 {
            b.tag("pavement");
            let step = dvec2(middle.x - 0.6, low.y - 0.6);
            b.block(step.extend(KERB), (step + dvec2(1.2, 0.6)).extend(2.0 * KERB));
        }
    }
    b.tag("lamp");
    let lamp = min + 0.4;
    b.block(lamp.extend(KERB), (lamp + 0.15).extend(5.0));
}
