//! The things that a Quake level holds besides its walls, from the text beside the shared levels.
//!
//! Source: the entity text of a `.bsp` file: blocks in braces of lines with a key and a value, both in quotes.

use crate::data::{self, scenes::SharedScene};
use wayfare_core::{DVec3, dvec3};

/// One thing: its keys and values, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entity {
    /// Keys with their values.
    pub pairs: Vec<(String, String)>,
}

impl Entity {
    /// The value of a key, the last one if it is there several times.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.pairs.iter().rev().find(|pair| pair.0 == key).map(|pair| pair.1.as_str())
    }
    /// What it is.
    pub fn class(&self) -> &str {
        self.value("classname").unwrap_or_default()
    }
    /// Where it is, in units of the level.
    pub fn origin(&self) -> Option<DVec3> {
        let mut numbers = self.value("origin")?.split_whitespace().map(|word| word.parse::<f64>().ok());
        let mut next = || numbers.next()?;
        let point = dvec3(next()?, next()?, next()?);
        (numbers.next().is_none() && point.is_finite()).then_some(point)
    }
    /// Whether players appear here: `info_player_start`, `info_player_deathmatch`, those of double domination
    /// (`info_player_dd`, also by team) and of teams (`team_CTF_redplayer`, `team_CTF_redspawn` and their blue twins). The place from
    /// which the end of a match is watched (`info_player_intermission`) is none.
    pub fn is_player_spawn(&self) -> bool {
        let class = self.class();
        matches!(
            class,
            "info_player_start" | "info_player_deathmatch" | "team_CTF_redplayer" | "team_CTF_blueplayer"
        ) || matches!(class, "team_CTF_redspawn" | "team_CTF_bluespawn")
            || class.starts_with("info_player_dd")
    }
}

/// The entities of a text; an error names the line.
pub fn parse_entities(text: &str) -> Result<Vec<Entity>, String> {
    let mut entities = Vec::new();
    let mut open: Option<Entity> = None;
    for (k, line) in text.lines().enumerate() {
        let error = |what: &str| format!("line {}: {what}: `{line}`", k + 1);
        match (line.trim(), &mut open) {
            // The text of a .bsp file ends with a zero byte.
            ("" | "\0", _) => {}
            ("{", None) => open = Some(Entity::default()),
            ("}", Some(entity)) => {
                entities.push(std::mem::take(entity));
                open = None;
            }
            (pair, Some(entity)) => {
                let mut words = pair.split('"');
                // Nothing, the key, blanks, the value, nothing.
                let parts = [(); 5].map(|()| words.next());
                let [Some(""), Some(key), Some(between), Some(value), Some("")] = parts else {
                    return Err(error("expected a key and a value in quotes"));
                };
                if !between.trim().is_empty() || words.next().is_some() {
                    return Err(error("expected a key and a value in quotes"));
                }
                entity.pairs.push((key.into(), value.into()));
            }
            (_, None) => return Err(error("expected `{`")),
        }
    }
    match open {
        Some(_) => Err("the last entity is not closed".into()),
        None => Ok(entities),
    }
}

/// A place where players appear.
#[derive(Clone, Debug, PartialEq)]
pub struct SpawnPoint {
    /// What kind of place it is.
    pub class: String,
    /// Its origin in metres, z up.
    pub origin: DVec3,
    /// Where a player's feet are when its own origin is there; it may fall from there to the ground.
    pub feet: DVec3,
}

/// From a player's feet to its origin [units]: the box of a player of Quake III reaches from −24 to +32.
const FEET_TO_ORIGIN: f64 = 24.0;

/// The spawn points of players in a shared level; empty when it has none.
///
/// # Panics
/// When the text cannot be read: the shared data is ours.
pub fn spawn_points(scene: &SharedScene) -> Vec<SpawnPoint> {
    let Some(path) = &scene.entities else { return Vec::new() };
    // Names of levels are in any encoding.
    let bytes = data::read_bytes(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let entities = parse_entities(&String::from_utf8_lossy(&bytes))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let spawn = |entity: &Entity| {
        let origin = entity.origin()?;
        let feet = scene.place(origin - DVec3::Z * FEET_TO_ORIGIN);
        Some(SpawnPoint { class: entity.class().into(), origin: scene.place(origin), feet })
    };
    entities.iter().filter(|entity| entity.is_player_spawn()).filter_map(spawn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_values_and_origins_are_read() {
        let text = "{\n\"classname\" \"info_player_start\"\n\"origin\" \"1 -2.5 3\"\n}\n{\n\"classname\" \"light\"\n}\n\0";
        let entities = parse_entities(text).unwrap();
        assert_eq!(entities.len(), 2);
        assert_eq!(entities[0].origin(), Some(dvec3(1., -2.5, 3.)));
        assert!(entities[0].is_player_spawn() && !entities[1].is_player_spawn());
        assert_eq!(entities[1].origin(), None);
        let class = |name: &str| Entity { pairs: vec![("classname".into(), name.into())] }.is_player_spawn();
        assert!(
            class("team_CTF_bluespawn") && class("info_player_dd_red") && !class("info_player_intermission")
        );
    }

    #[test]
    fn broken_texts_name_the_line() {
        for (text, place) in [
            ("\"a\" \"b\"\n", "line 1"),
            ("{\n{\n", "line 2"),
            ("{\n\"a\" \"b\n}\n", "line 2"),
            ("{\n\"a\" x \"b\"\n}\n", "line 2"),
            ("{\n\"a\" \"b\" \"c\"\n}\n", "line 2"),
            ("{\n", "not closed"),
        ] {
            let error = parse_entities(text).unwrap_err();
            assert!(error.contains(place), "{text:?}: {error}");
        }
    }

    #[test]
    fn every_shared_level_has_spawn_points_inside_its_walls() {
        for scene in data::scenes::scenes().iter().filter(|scene| scene.entities.is_some()) {
            let spawns = spawn_points(scene);
            println!("{}: {} spawn points", scene.name, spawns.len());
            assert!(spawns.len() >= 4, "{}", scene.name);
            assert!(spawns.iter().all(|spawn| (spawn.origin.z - spawn.feet.z - 0.6096).abs() < 1e-9));
        }
    }
}
