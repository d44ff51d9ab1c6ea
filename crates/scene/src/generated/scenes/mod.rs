//! 3D scenes made by the program itself: for the demo, for examples, tests and measurements; and what can truly be walked on in
//! them.
//!
//! Each is a function of its parameters alone: the same call gives the same bits everywhere. All are in metres, z up, with area
//! tags, and keep the promises of [`Scene`]. Parts that enclose something are closed and look outwards
//! ([`GeneratedScene::closed_parts`]).
//!
//! | name | scene | truth |
//! | --- | --- | --- |
//! | `sample` | the thesis's sample scene: two layers, stairs, a cube, a cone, a torus | |
//! | `building-STOREYS` (1 to 50) | rooms, doors, stairs, furniture, a roof | yes |
//! | `building-open-STOREYS` | the same with walls without thickness | |
//! | `spiral-TURNS` (1 to 100) | a ramp round a column | |
//! | `cave-SEED` | chambers and tunnels in rock, with overhangs | |
//! | `bridge` | one path under a bridge, one over it | yes |
//! | `walls-SEED` | thin walls at odd angles with doors of known widths | yes |
//! | `door-WIDTH` (metres, over 0 and below 8) | a wall with one door | yes |
//! | `blocks-N` (1 to 200) | N × N city blocks | |
//! | `terrain-N` (1 to 2000) | N × N quads of rolling hills | yes |
//! | `slabs-SEED` | slabs at many heights, some through each other | yes |
//! | `soup-TRIANGLES-SEED` (1 to 4,000,000) | random triangles | |
//! | `holes` | a plane with thirty holes of many shapes | |
//! | `platforms` | floating platforms with steps that meet, overlap and stand apart | |
//! | `terrace-house` | two storeys, thresholds, open stairs, planks, railings, beams | |
//! | `town-house` | two storeys on a road, with a kerb, steps, railings and a low roof | |

mod blocks;
mod bridge;
mod builder;
mod building;
mod cave;
mod holes;
mod houses;
mod platforms;
mod raster;
mod sample;
mod slabs;
mod soup;
mod spiral;
mod stairs;
mod terrain;
mod truth;
mod walls;

pub use blocks::city_blocks;
pub use bridge::{bridge, bridge_floors};
pub use builder::GeneratedScene;
pub use building::{WallKind, building, building_floors};
pub use cave::cave;
pub use holes::{holes, holes_area};
pub use houses::{terrace_house, town_house};
pub use platforms::platforms;
pub use sample::sample;
pub use slabs::{slabs, slabs_floors};
pub use soup::soup;
pub use spiral::spiral;
pub use terrain::{terrain, terrain_floors, terrain_height};
pub use truth::{Ground, TrueFloor, Walker, moved_floors, true_boundary};
pub use walls::{DOOR_WIDTHS, door, door_floors, thin_walls, thin_walls_floors};

use crate::Scene;

/// The names in one word each, with what may stand for their parameters; for messages to people.
pub const SCENE_NAMES: [&str; 16] = [
    "sample",
    "building-STOREYS (1 to 50)",
    "building-open-STOREYS (1 to 50)",
    "spiral-TURNS (1 to 100)",
    "cave-SEED",
    "bridge",
    "walls-SEED",
    "door-WIDTH (metres, over 0 and below 8)",
    "blocks-N (1 to 200)",
    "terrain-N (1 to 2000)",
    "slabs-SEED",
    "soup-TRIANGLES-SEED (1 to 4000000)",
    "holes",
    "platforms",
    "terrace-house",
    "town-house",
];

/// A name of each kind, in the order of the table above, of scenes that are small.
pub const SCENE_EXAMPLES: [&str; 16] = [
    "sample",
    "building-3",
    "building-open-2",
    "spiral-3",
    "cave-1",
    "bridge",
    "walls-1",
    "door-0.9",
    "blocks-3",
    "terrain-40",
    "slabs-1",
    "soup-500-1",
    "holes",
    "platforms",
    "terrace-house",
    "town-house",
];

/// What a name says.
#[derive(Clone, Copy)]
enum Named {
    Sample,
    Building(usize, WallKind),
    Spiral(usize),
    Cave(u64),
    Bridge,
    Walls(u64),
    Door(f64),
    Blocks(usize),
    Terrain(usize),
    Slabs(u64),
    Soup(usize, u64),
    Holes,
    Platforms,
    TerraceHouse,
    TownHouse,
}

impl Named {
    fn parse(name: &str) -> Option<Self> {
        let number = |text: &str, most: usize| text.parse().ok().filter(|number| (1..=most).contains(number));
        let parts: Vec<&str> = name.split('-').collect();
        Some(match parts.as_slice() {
            ["sample"] => Self::Sample,
            ["building", storeys] => Self::Building(number(storeys, 50)?, WallKind::Solid),
            ["building", "open", storeys] => Self::Building(number(storeys, 50)?, WallKind::Sheet),
            ["spiral", turns] => Self::Spiral(number(turns, 100)?),
            ["cave", seed] => Self::Cave(seed.parse().ok()?),
            ["bridge"] => Self::Bridge,
            ["walls", seed] => Self::Walls(seed.parse().ok()?),
            ["door", width] => Self::Door(width.parse().ok().filter(|&width| width > 0.0 && width < 8.0)?),
            ["blocks", count] => Self::Blocks(number(count, 200)?),
            ["terrain", count] => Self::Terrain(number(count, 2000)?),
            ["slabs", seed] => Self::Slabs(seed.parse().ok()?),
            ["soup", count, seed] => Self::Soup(number(count, 4_000_000)?, seed.parse().ok()?),
            ["holes"] => Self::Holes,
            ["platforms"] => Self::Platforms,
            ["terrace", "house"] => Self::TerraceHouse,
            ["town", "house"] => Self::TownHouse,
            _ => return None,
        })
    }
}

/// The generated scene of a name, with its closed parts; the names are in the [module's table](self).
///
/// ```
/// use wayfare_scene::generated::scenes::generated_scene;
/// assert_eq!(generated_scene("bridge").unwrap().closed_parts.len(), 4);
/// assert!(generated_scene("building-0").is_none() && generated_scene("castle").is_none());
/// ```
pub fn generated_scene(name: &str) -> Option<GeneratedScene> {
    Some(match Named::parse(name)? {
        Named::Sample => sample(),
        Named::Building(storeys, walls) => building(storeys, walls),
        Named::Spiral(turns) => spiral(turns),
        Named::Cave(seed) => cave(seed),
        Named::Bridge => bridge(),
        Named::Walls(seed) => thin_walls(seed),
        Named::Door(width) => door(width),
        Named::Blocks(count) => city_blocks(count),
        Named::Terrain(count) => terrain(count),
        Named::Slabs(seed) => slabs(seed),
        Named::Soup(triangles, seed) => soup(triangles, seed),
        Named::Holes => holes(),
        Named::Platforms => platforms(),
        Named::TerraceHouse => terrace_house(),
        Named::TownHouse => town_house(),
    })
}

/// The generated scene of a name; the names are in the [module's table](self).
///
/// ```
/// use wayfare_scene::generated::scene_by_name;
/// assert_eq!(scene_by_name("terrain-10").unwrap().mesh.triangles.len(), 200);
/// assert!(scene_by_name("terrain-0").is_none());
/// ```
pub fn scene_by_name(name: &str) -> Option<Scene> {
    Some(generated_scene(name)?.scene)
}

/// What can truly be walked on in the scene of a name; `None` where that is not known in closed form, for the scene or
/// for this body.
///
/// ```
/// use wayfare_scene::generated::scenes::{Walker, floors_by_name};
/// let floors = floors_by_name("building-2", &Walker::default()).unwrap();
/// // Table tops and the roof included.
/// assert!(floors.len() > 60);
/// assert!(floors_by_name("cave-1", &Walker::default()).is_none());
/// ```
pub fn floors_by_name(name: &str, walker: &Walker) -> Option<Vec<TrueFloor>> {
    match Named::parse(name)? {
        Named::Building(storeys, WallKind::Solid) => building_floors(storeys, walker),
        Named::Bridge => Some(bridge_floors(walker)),
        Named::Walls(seed) => Some(thin_walls_floors(seed, walker)),
        Named::Door(width) => Some(door_floors(width, walker)),
        Named::Terrain(count) => terrain_floors(count, walker),
        Named::Slabs(seed) => Some(slabs_floors(seed, walker)),
        _ => None,
    }
}
