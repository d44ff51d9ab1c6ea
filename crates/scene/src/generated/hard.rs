//! Plans whose walls are fine where the ground is wide: every corner faces thousands of others across open space.

use super::shapes::regular;
use crate::PlanSource;
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::Polygon;

/// A square room of 10 m whose upper wall is a saw with 5 m long teeth; about so many vertices.
pub fn sawtooth(vertices: usize) -> PlanSource {
    let teeth = vertices.saturating_sub(3).max(1);
    let tip = |k: usize| dvec2(10.0 - 10.0 * k as f64 / teeth as f64, if k % 2 == 1 { 15.0 } else { 10.0 });
    let mut outer = vec![dvec2(0.0, 0.0), dvec2(10.0, 0.0)];
    outer.extend((0..teeth).map(tip));
    outer.push(dvec2(0.0, 10.0));
    PlanSource::from_polygons(vec![Polygon::new(outer)])
}

/// A square room of 10 m with one round column of 1 m, drawn with so many vertices less the room's four.
pub fn fine_column(vertices: usize) -> PlanSource {
    let outer = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)].map(|(x, y)| dvec2(x, y)).to_vec();
    let column = regular(DVec2::ZERO, 1.0, vertices.saturating_sub(4).max(3), 0.0);
    PlanSource::from_polygons(vec![Polygon { outer, holes: vec![column] }])
}
