//! Writes scenes as Wavefront OBJ.

use crate::Scene;
use std::fmt::Write as _;

/// The scene as OBJ text, z up, area tags as `usemtl`; numbers are written so that reading it with z up gives the same
/// scene bit for bit, if it keeps the promises of [`Scene`].
///
/// ```
/// use wayfare_scene::{SceneOptions, Up, generated::scene_by_name, read_scene_bytes, to_obj};
/// let bridge = scene_by_name("bridge").unwrap();
/// let options = SceneOptions { up: Some(Up::Z), ..SceneOptions::default() };
/// let read = read_scene_bytes(to_obj(&bridge).as_bytes(), "bridge.obj".as_ref(), &options).unwrap();
/// assert_eq!(read, bridge);
/// ```
pub fn to_obj(scene: &Scene) -> String {
    let mut out = String::from("# z up, metres\n");
    // Writing to a string cannot fail.
    for p in &scene.mesh.vertices {
        let _ = writeln!(out, "v {} {} {}", p.x, p.y, p.z);
    }
    let mut last = None;
    for (triangle, &tag) in scene.mesh.triangles.iter().zip(&scene.tags) {
        if last != Some(tag) {
            // Readers without a name for it have the empty one, so it needs no line before the first face.
            let name = scene.tag_names.get(usize::from(tag)).map_or("", String::as_str);
            if !(last.is_none() && name.is_empty()) {
                let _ = writeln!(out, "usemtl {name}");
            }
            last = Some(tag);
        }
        let [a, b, c] = triangle.map(|vertex| vertex + 1);
        let _ = writeln!(out, "f {a} {b} {c}");
    }
    out
}
