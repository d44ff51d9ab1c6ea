//! `cargo xtask bench volume`: free space as convex regions, and paths through voxel maps.
//!
//! Prints Markdown; progress goes to standard error. Arguments: `stairs`, `rooms`, `scenes`, `threads` or `voxels` for one part of it, a part of a name
//! for one scene or map, and for maps a number of queries, and `lengths` to leave out grid searches and refinements.

mod measure;
mod path_nodes;
mod rooms;
mod scenes;
mod stairs;
mod threads;
mod voxels;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let part = |name: &str| wanted.first().is_none_or(|first| first == name);
    let name = wanted.get(1).map_or("", String::as_str);
    println!("# Free space in three dimensions\n");
    if part("stairs") {
        stairs::print()?;
    }
    if part("rooms") {
        rooms::print(name)?;
    }
    if part("scenes") {
        scenes::print(name)?;
    }
    if part("threads") {
        threads::print(name)?;
    }
    if part("voxels") {
        let rows = wanted.get(2).map_or(Ok(10_000), |rows| rows.parse())?;
        voxels::print(name, rows, wanted.get(3).is_none_or(|last| last != "lengths"))?;
    }
    Ok(())
}
