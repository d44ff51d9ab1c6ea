//! Plans, [scenes] and a surface made by the program itself: for the demo, for examples, tests and measurements.
//!
//! Each is a function of its parameters alone: the same call gives the same bits everywhere. All plans are clean
//! (F1 holds for them as they are), in metres, and connected.

mod city;
mod cross;
mod field;
mod hard;
mod office;
mod random;
mod ring;
pub mod scenes;
mod series;
mod shapes;

pub use city::city;
pub use cross::cross;
pub use field::obstacle_field;
pub use hard::{fine_column, sawtooth};
pub use office::office;
pub use ring::bumpy_ring;
pub use scenes::scene_by_name;
pub use series::{THESIS_VERTICES, thesis_series};

use crate::PlanSource;

/// The generated plan of a name: `office`, `thesis-0` to `thesis-9`, `field-VERTICES-SEED`,
/// `city-VERTICES-SEED` or `cross-OBSTACLES-SEED`.
///
/// ```
/// use wayfare_scene::generated::by_name;
/// assert_eq!(by_name("field-1000-7").unwrap().vertex_count(), 1000);
/// assert!(by_name("castle").is_none());
/// ```
pub fn by_name(name: &str) -> Option<PlanSource> {
    let parts: Vec<&str> = name.split('-').collect();
    match parts.as_slice() {
        ["office"] => Some(office()),
        ["thesis", number] => thesis_series().into_iter().nth(number.parse().ok()?),
        ["cross", obstacles, seed] => {
            let (obstacles, seed) = (obstacles.parse().ok()?, seed.parse().ok()?);
            (obstacles <= 1000).then(|| cross(obstacles, seed))
        }
        [kind @ ("field" | "city"), vertices, seed] => {
            let (vertices, seed) = (vertices.parse().ok()?, seed.parse().ok()?);
            if !(16..=10_000_000).contains(&vertices) {
                return None;
            }
            Some(if *kind == "field" { obstacle_field(vertices, seed) } else { city(vertices, seed) })
        }
        _ => None,
    }
}
