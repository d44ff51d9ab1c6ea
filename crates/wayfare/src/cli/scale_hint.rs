//! Whether a scene looks as if its file were not in metres.

use super::settings::Settings;
use wayfare::scene::Scene;

/// Whoever walks more ground than this flies [m²]: 10 km² in plan. A house in millimetres is larger.
const VAST: f64 = 1e7;
/// A body is about as high [m]; ground that is less long and wide holds no way.
const BODY: f64 = 1.8;

/// What to ask if the box of a scene is far larger or smaller than what bodies walk in, and nobody said its scale.
pub fn scale_hint(scene: &Scene, settings: &Settings) -> Option<String> {
    let [low, high] = scene.mesh.bounds()?;
    let size = high - low;
    if settings.scale.is_some() || !(size.x * size.y > VAST || size.max_element() < BODY) {
        return None;
    }
    // Three digits, however large or small.
    let [x, y, z] = size.to_array().map(|length| {
        let places = (2.0 - length.abs().max(1e-9).log10().floor()).max(0.0) as usize;
        format!("{length:.places$}")
    });
    Some(format!(
        "the scene is {x} m by {y} m and {z} m high; if its file is not in metres, say so with --scale, 0.01 for centimetres"
    ))
}
