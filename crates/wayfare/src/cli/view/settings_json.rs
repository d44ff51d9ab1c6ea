//! Settings of a bake as the page sees them, and as options of a command line.

use super::super::settings::Settings;
use serde_json::{Map, Value, json};
use wayfare::{bake::BakeConfig, floor::GroundConfig};

impl Settings {
    /// Every setting that the page offers, with its default where nothing was said; only a scene has ground to find.
    pub fn in_force(&self, is_scene: bool) -> Value {
        let mut all = defaults(self, is_scene);
        all.extend(self.said());
        all.into()
    }

    /// The same without what says no more than the default, so that the command line stays short.
    pub fn without_defaults(self) -> Self {
        let defaults = defaults(&self, true);
        let mut said = self.said();
        said.retain(|key, value| defaults.get(key) != Some(value));
        // Both came out of settings, so they go back into them.
        serde_json::from_value(said.into()).unwrap_or(self)
    }

    /// The same, but files are read as other settings say.
    pub fn reading_as(self, other: &Self) -> Self {
        Self { up: other.up, scale: other.scale, planar: other.planar, ..self }
    }

    /// As words of a command line.
    pub fn arguments(&self) -> Vec<String> {
        let word = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts.iter().map(Value::to_string).collect::<Vec<_>>().join(","),
            other => other.to_string(),
        };
        let mut words = Vec::new();
        for (key, value) in self.said() {
            match value {
                Value::Bool(true) => words.push(format!("--{key}")),
                Value::Bool(false) => {}
                Value::Array(places) => {
                    words.extend(places.iter().flat_map(|place| [format!("--{key}"), word(place)]));
                }
                value => words.extend([format!("--{key}"), word(&value)]),
            }
        }
        words
    }

    /// What was said, by the names of the options.
    fn said(&self) -> Map<String, Value> {
        let Ok(Value::Object(mut said)) = serde_json::to_value(self) else { return Map::new() };
        said.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
        said
    }
}

fn defaults(settings: &Settings, is_scene: bool) -> Map<String, Value> {
    let (ground, cells) = (GroundConfig::default(), BakeConfig::default());
    let resolution = settings.resolution.unwrap_or(ground.resolution);
    let mut all = Map::new();
    let mut add = |key: &str, value: Value| all.insert(key.to_owned(), value);
    if is_scene {
        add("height", json!(ground.height));
        add("step", json!(ground.step));
        add("slope", json!(45.0));
        add("faces", json!("both"));
        add("resolution", json!(resolution));
        add("simplify", json!(resolution));
        add("min-area", json!(ground.min_area));
        add("keep", json!(if settings.reach_from.is_empty() { "all" } else { "reachable" }));
        add("keep-inside", json!(false));
        add("pipeline", json!("columns"));
        add("layers", json!("many"));
    }
    add("convex-distance", json!(cells.convex_distance));
    add("decomposition", json!("best"));
    add("shape", json!(cells.shape));
    // A default that follows another setting is none of its own.
    if is_scene && settings.resolution.is_some_and(|value| value != ground.resolution) {
        all.insert("resolution".into(), json!(ground.resolution));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_left_out_of_the_command_line_and_everything_else_is_in() {
        let settings: Settings = serde_json::from_value(json!({
            "height": 1.8, "step": 0.25, "resolution": 0.2, "simplify": 0.2, "keep": "reachable",
            "reach-from": [[1.0, 2.5, 0.0], [3.0, 0.0, -1.0]], "keep-inside": true, "faces": "both", "slope": 45.0,
        }))
        .unwrap();
        let words = settings.clone().without_defaults().arguments().join(" ");
        assert_eq!(
            words,
            "--keep-inside --reach-from 1.0,2.5,0.0 --reach-from 3.0,0.0,-1.0 --resolution 0.2 --step 0.25"
        );
        let all = settings.in_force(true);
        assert_eq!(
            (&all["step"], &all["simplify"], &all["pipeline"]),
            (&json!(0.25), &json!(0.2), &json!("columns"))
        );
        assert!(Settings::default().in_force(false).get("height").is_none());
        assert!(Settings::default().without_defaults().arguments().is_empty());
    }

    #[test]
    fn the_defaults_of_the_page_are_those_of_the_library() {
        let settings: Settings = serde_json::from_value(Settings::default().in_force(true)).unwrap();
        assert_eq!(settings.ground_config().unwrap(), GroundConfig::default());
        assert_eq!(settings.bake_config().unwrap(), BakeConfig::default());
    }
}
