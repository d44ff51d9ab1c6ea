//! The YAML file beside an occupancy map of ROS: where the image is and what its greys mean.
//!
//! Source: documentation of `map_server`, section "YAML format". Only what such files use of YAML is
//! understood: `key: value` lines, comments, quotes, lists in brackets or as dashed lines.

use crate::error::Fault;

/// What the greys of an image mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Darkness over `occupied_thresh` is a wall, under `free_thresh` is free, between is unknown.
    Trinary,
    /// As trinary, with degrees of occupancy between; those are not free either.
    Scale,
    /// The value is the occupancy in percent, over 100 is unknown.
    Raw,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MapYaml {
    /// The image, as the file names it.
    pub image: Option<String>,
    /// Side of a pixel [m].
    pub resolution: f64,
    /// Lower left corner [m] and turn [rad].
    pub origin: [f64; 3],
    pub negate: bool,
    pub occupied_thresh: f64,
    pub free_thresh: f64,
    pub mode: Mode,
}

impl Default for MapYaml {
    /// What the tools of ROS write by default.
    fn default() -> Self {
        Self {
            image: None,
            resolution: 0.05,
            origin: [0.0; 3],
            negate: false,
            occupied_thresh: 0.65,
            free_thresh: 0.196,
            mode: Mode::Trinary,
        }
    }
}

impl MapYaml {
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let mut map = Self::default();
        let mut has_resolution = false;
        // The key whose list continues in dashed lines, and where the list is.
        let mut open_list: Option<(usize, Vec<f64>)> = None;
        let mut at = 0;
        for line in bytes.split(|&b| b == b'\n') {
            let start = at;
            at += line.len() + 1;
            let line = String::from_utf8_lossy(line);
            let line = without_comment(line.strip_prefix('\u{feff}').unwrap_or(&line)).trim();
            if line.is_empty() || line == "---" || line == "..." || line.starts_with('%') {
                continue;
            }
            if let Some(item) = line.strip_prefix('-')
                && let Some((_, items)) = &mut open_list
            {
                items.push(number(item.trim(), start)?);
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                return Err(Fault::at(start, "expected 'key: value'"));
            };
            let value = value.trim();
            match key.trim().trim_matches(['"', '\'']) {
                "image" => map.image = Some(value.trim_matches(['"', '\'']).to_owned()),
                "resolution" => {
                    map.resolution = number(value, start)?;
                    has_resolution = true;
                }
                "origin" if value.is_empty() => open_list = Some((start, Vec::new())),
                "origin" => {
                    let list = value.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
                    let list = list.ok_or_else(|| Fault::at(start, "expected origin: [x, y, yaw]"))?;
                    let items: Result<Vec<f64>, Fault> =
                        list.split(',').map(|item| number(item.trim(), start)).collect();
                    map.origin = three(&items?, start)?;
                }
                "negate" => {
                    map.negate = match value.to_ascii_lowercase().as_str() {
                        "0" | "false" | "no" | "off" => false,
                        "1" | "true" | "yes" | "on" => true,
                        _ => {
                            return Err(Fault::at(
                                start,
                                format!("negate is '{}', not 0 or 1", short(value)),
                            ));
                        }
                    }
                }
                "occupied_thresh" => map.occupied_thresh = share(value, "occupied_thresh", start)?,
                "free_thresh" => map.free_thresh = share(value, "free_thresh", start)?,
                "mode" => {
                    map.mode = match value.trim_matches(['"', '\'']).to_ascii_lowercase().as_str() {
                        "trinary" => Mode::Trinary,
                        "scale" => Mode::Scale,
                        "raw" => Mode::Raw,
                        _ => {
                            let message = format!("mode is '{}', not trinary, scale or raw", short(value));
                            return Err(Fault::at(start, message));
                        }
                    }
                }
                // Others are for other programs.
                _ => {}
            }
        }
        if let Some((start, items)) = open_list {
            map.origin = three(&items, start)?;
        }
        if !has_resolution {
            return Err(Fault::whole("the YAML names no resolution"));
        }
        // Written so that NaN fails.
        if !(map.resolution > 0.0 && map.resolution.is_finite()) {
            return Err(Fault::whole(format!("resolution = {} is not over 0 m per pixel", map.resolution)));
        }
        if let Some(bad) = map.origin.iter().find(|value| !value.is_finite()) {
            return Err(Fault::whole(format!("the origin has the coordinate {bad}")));
        }
        Ok(map)
    }

    /// Whether a pixel is free, for each value from 0 to `max_value`.
    pub fn free_values(&self, max_value: u16) -> Vec<bool> {
        let is_free = |value: u16| {
            let light = f64::from(value) / f64::from(max_value);
            let darkness = if self.negate { light } else { 1.0 - light };
            match self.mode {
                Mode::Trinary | Mode::Scale => darkness < self.free_thresh,
                // The percentage is the value as if of 255.
                Mode::Raw => {
                    let percent = (light * 255.0).round();
                    percent <= 100.0 && percent < 100.0 * self.free_thresh
                }
            }
        };
        (0..=max_value).map(is_free).collect()
    }
}

/// The line up to a `#` that starts it or follows white space.
fn without_comment(line: &str) -> &str {
    let mut before = ' ';
    for (at, letter) in line.char_indices() {
        if letter == '#' && before.is_whitespace() {
            return &line[..at];
        }
        before = letter;
    }
    line
}

fn short(value: &str) -> String {
    value.chars().filter(|letter| !letter.is_control()).take(20).collect()
}

fn number(value: &str, at: usize) -> Result<f64, Fault> {
    fast_float2::parse(value).map_err(|_| Fault::at(at, format!("'{}' is not a number", short(value))))
}

fn share(value: &str, key: &str, at: usize) -> Result<f64, Fault> {
    let share = number(value, at)?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err(Fault::at(at, format!("{key} = {share} is outside 0 .. 1")))
    }
}

fn three(items: &[f64], at: usize) -> Result<[f64; 3], Fault> {
    match *items {
        [x, y] => Ok([x, y, 0.0]),
        [x, y, yaw] => Ok([x, y, yaw]),
        _ => Err(Fault::at(at, format!("the origin has {} numbers, not x, y and yaw", items.len()))),
    }
}
