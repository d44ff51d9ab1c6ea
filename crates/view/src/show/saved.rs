//! Stages that were saved with a bake, read back into a show. The file is a show of its own; as it comes from outside, every number of it
//! is looked at.

use super::{ALIGNMENT, MAGIC, Show, stages::MOST_BOXES};
use serde_json::Value;
use wayfare_core::{DVec3, MAX_COORDINATE};

/// Numbers of a box.
const BOX: usize = 7;

/// Why stages cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SavedError(String);

/// What a file of stages may hold: the boxes of a stage, and one number for each.
const STAGES: [(&str, &str, &str, usize); 2] =
    [("floors.boxes", "floors.layer", "u32", 4), ("voxels.boxes", "voxels.kind", "u8", 1)];

impl Show {
    /// Adds the stages of a file that [`to_bytes`](Self::to_bytes) of another show made; whatever else it holds is left out.
    pub fn add_saved(&mut self, file: &[u8]) -> Result<(), SavedError> {
        let wrong = |reason: &str| SavedError(reason.to_owned());
        let rest = file.strip_prefix(MAGIC).ok_or_else(|| wrong("this is no file of stages"))?;
        let (length, rest) = rest.split_first_chunk().ok_or_else(|| wrong("it ends too early"))?;
        let length = u32::from_le_bytes(*length) as usize;
        let (about, bytes) = rest.split_at_checked(length).ok_or_else(|| wrong("it ends too early"))?;
        let about: Value =
            serde_json::from_slice(about).map_err(|error| SavedError(format!("its description: {error}")))?;
        let origin = origin(&about).ok_or_else(|| wrong("it says no origin"))?;
        let array = |name: &str, kind: &str, size: usize| -> Result<Option<&[u8]>, SavedError> {
            let place = &about["arrays"][name];
            if place.is_null() {
                return Ok(None);
            }
            let number = |key: &str| place[key].as_u64().and_then(|number| usize::try_from(number).ok());
            let part = number("at").zip(number("count")).and_then(|(at, count)| {
                let end = at.checked_add(count.checked_mul(size)?)?;
                (at % ALIGNMENT == 0 && place["type"] == kind).then_some(())?;
                bytes.get(at..end)
            });
            part.map(Some).ok_or_else(|| SavedError(format!("its array {name} is not whole")))
        };
        for (boxes, beside, kind, size) in STAGES {
            let (Some(places), Some(numbers)) = (array(boxes, "f32", 4)?, array(beside, kind, size)?) else {
                continue;
            };
            let count = numbers.len() / size;
            if places.len() != 4 * BOX * count || count > MOST_BOXES {
                return Err(SavedError(format!("its arrays {boxes} and {beside} do not fit together")));
            }
            let floats: Vec<f32> = places
                .chunks_exact(4)
                .map(|part| f32::from_le_bytes([part[0], part[1], part[2], part[3]]))
                .collect();
            if !floats.iter().all(|number| f64::from(number.abs()) <= 2.0 * MAX_COORDINATE) {
                return Err(SavedError(format!("its array {boxes} holds a number that is no length")));
            }
            let shift = (origin - self.origin).to_array();
            let moved = floats.iter().enumerate().map(|(k, &number)| match shift.get(k % BOX) {
                Some(by) => (f64::from(number) + by) as f32,
                None => number,
            });
            self.add_floats(boxes, moved);
            self.add(beside, kind, size, |bytes| bytes.extend_from_slice(numbers));
        }
        Ok(())
    }
}

fn origin(about: &Value) -> Option<DVec3> {
    let numbers: Vec<f64> = about["origin"].as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let [x, y, z] = numbers[..] else { return None };
    let origin = DVec3::new(x, y, z);
    (origin.abs().max_element() <= MAX_COORDINATE).then_some(origin)
}
