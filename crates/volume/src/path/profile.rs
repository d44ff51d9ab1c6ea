//! How much room there is along a path.

use super::finder::FlyFinder;
use wayfare_core::DVec3;

impl FlyFinder<'_> {
    /// Room along a path: pairs of the distance from its start, along it, and the distance to the nearest wall there [m]; at every
    /// point, and where it is least between two.
    pub fn profile(&self, points: &[DVec3]) -> Vec<[f64; 2]> {
        let mut profile = Vec::new();
        let mut flown = 0.0;
        for (k, &point) in points.iter().enumerate() {
            let [_, wall] = self.nearest_wall(point, point);
            let room = point.distance(wall);
            if let Some(&before) = k.checked_sub(1).and_then(|before| points.get(before)) {
                let [at, wall] = self.nearest_wall(before, point);
                let (least, ends) =
                    (at.distance(wall), profile.last().map_or(room, |last: &[f64; 2]| last[1].min(room)));
                if least < ends && at != before && at != point {
                    profile.push([flown + before.distance(at), least]);
                }
                flown += before.distance(point);
            }
            profile.push([flown, room]);
        }
        profile
    }

    /// The nearest points of a segment and of all walls.
    fn nearest_wall(&self, a: DVec3, b: DVec3) -> [DVec3; 2] {
        let [low, high] = self.mesh().raw().bounds;
        // Most walls are near: what is looked at grows until there is one. What bounds free space is within its box.
        let most = 2.0 * (high - low).length() + (a - low).length();
        let mut reach = most / 64.0;
        loop {
            match self.walls().nearest(a, b, reach) {
                Some(pair) => return pair,
                None if reach > most => return [a, a + DVec3::Z * most],
                None => reach *= 4.0,
            }
        }
    }
}
