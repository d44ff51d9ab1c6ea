//! A crowd that moves: where each body is in each frame.

use super::Show;
use serde_json::json;
use wayfare_core::DVec3;

/// Bodies in frames of the same distance in time.
#[derive(Clone, Copy, Debug)]
pub struct ShownCrowd<'a> {
    /// Frames per second; > 0.
    pub frame_rate: f64,
    /// In each frame the bodies that are there, by rising number, and where.
    pub frames: &'a [Vec<(u32, DVec3)>],
    /// The radius of each body, by its number [m].
    pub radii: &'a [f64],
}

impl Show {
    /// Adds a crowd, which the page plays along a time line.
    ///
    /// # Panics
    /// If a frame names a body that has no radius.
    pub fn add_crowd(&mut self, crowd: &ShownCrowd<'_>) {
        let ShownCrowd { frame_rate, frames, radii } = *crowd;
        let rows = || frames.iter().flatten();
        assert!(rows().all(|&(body, _)| (body as usize) < radii.len()), "every body has a radius");
        let mut starts = vec![0u32];
        for frame in frames {
            starts.push(starts.last().copied().unwrap_or(0) + frame.len() as u32);
        }
        self.add_numbers("crowd.starts", starts);
        self.add_numbers("crowd.body", rows().map(|&(body, _)| body));
        let places: Vec<f32> = rows().flat_map(|&(_, at)| self.place(at)).collect();
        self.add_floats("crowd.positions", places);
        self.add_floats("crowd.radii", radii.iter().map(|&radius| radius as f32));
        self.set("crowd", json!({ "frame_rate": frame_rate }));
    }
}
