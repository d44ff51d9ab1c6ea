//! A bridge over a passage: one path leads under it, one over it.

use super::{
    builder::{Builder, GeneratedScene},
    truth::{TrueFloor, Walker},
};
use wayfare_core::{DVec2, DVec3, dvec2, dvec3, ops::atan2};
use wayfare_geom::Polygon;

/// Half of the ground's side; where ramps begin and end; half of the width of the road [m].
const HALF: f64 = 18.0;
const FOOT: f64 = 14.0;
const HEAD: f64 = 3.0;
const ROAD: f64 = 2.5;
/// The road on the bridge, and its underside [m].
const DECK: f64 = 3.0;
const UNDERSIDE: f64 = 2.6;

/// A road that rises on two ramps to a bridge along the x axis, and under it a passage along the y axis, 6 m wide, 5 m
/// long and 2.6 m high.
///
/// ```
/// use wayfare_scene::generated::scenes::{Walker, bridge, bridge_floors};
/// assert_eq!(bridge().closed_parts.len(), 4);
/// // The ground, two ramps and the bridge.
/// assert_eq!(bridge_floors(&Walker::default()).len(), 4);
/// ```
pub fn bridge() -> GeneratedScene {
    let mut b = Builder::new("ground");
    b.block(dvec3(-HALF, -HALF, -0.5), dvec3(HALF, HALF, 0.));
    b.tag("road");
    for sign in [-1.0, 1.0] {
        // Seen from its front, where y is least for the right ramp.
        let profile = [dvec2(FOOT, 0.), dvec2(HEAD, DECK), dvec2(HEAD, 0.)];
        let side = |y: f64| profile.map(|p| dvec3(sign * p.x, sign * y, p.y)).to_vec();
        b.loft(&side(ROAD), &side(-ROAD));
    }
    b.block(dvec3(-HEAD, -ROAD, UNDERSIDE), dvec3(HEAD, ROAD, DECK));
    b.finish()
}

/// What can be walked on in [`bridge`], for any body.
pub fn bridge_floors(walker: &Walker) -> Vec<TrueFloor> {
    let hole =
        |from: f64, to: f64| vec![dvec2(from, -ROAD), dvec2(from, ROAD), dvec2(to, ROAD), dvec2(to, -ROAD)];
    let holes = if walker.height <= UNDERSIDE {
        vec![hole(-FOOT, -HEAD), hole(HEAD, FOOT)]
    } else {
        vec![hole(-FOOT, FOOT)]
    };
    let outer = super::super::shapes::outline(DVec2::splat(-HALF), DVec2::splat(HALF));
    let mut floors = vec![
        TrueFloor::level(Polygon { outer, holes }, 0.0),
        TrueFloor::rectangle(dvec2(-HEAD, -ROAD), dvec2(HEAD, ROAD), DECK),
    ];
    if atan2(DECK, FOOT - HEAD) <= walker.max_slope {
        for sign in [-1.0, 1.0] {
            let at = |x: f64, y: f64, z: f64| DVec3::new(sign * x, sign * y, z);
            floors.push(TrueFloor::sloped(&[
                at(FOOT, -ROAD, 0.),
                at(FOOT, ROAD, 0.),
                at(HEAD, ROAD, DECK),
                at(HEAD, -ROAD, DECK),
            ]));
        }
    }
    floors
}
