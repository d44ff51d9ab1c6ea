//! Any polygons are refused as a plan, or every way of cutting them gives a sound mesh of the same ground.
//!
//! The first byte chooses the way of cutting and the numbers: small integers (many collinear points), a fine
//! lattice, or doubles of any kind. Then come rings: a length and so many points.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wayfare_bake::{BakeConfig, Decomposition, bake};
use wayfare_core::{Context, DVec2, dvec2};
use wayfare_floor::build_plan;
use wayfare_geom::Polygon;
use wayfare_scene::PlanSource;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let Some(polygons) = polygons(choice >> 4, data) else { return };
    let Ok((plan, _)) = build_plan(&PlanSource::from_polygons(polygons), &Context::default()) else { return };
    let convex_distance = [0.0, 0.0, 0.5, 20.0][usize::from(choice & 3)];
    let shape = [0.0, 0.0, 0.5, 1.0][usize::from(choice >> 2 & 3)];
    let decomposition = if choice & 1 == 0 { Decomposition::Best } else { Decomposition::Thesis };
    let config = BakeConfig { decomposition, convex_distance, shape };
    let mesh = bake(&plan, &config, &Context::default()).expect("a valid plan can be baked");
    assert_eq!(mesh.check(), []);
    let (cells, ground) = (mesh.area(), plan.area());
    assert!((cells - ground).abs() <= 1e-9 * ground, "{cells} m² of cells, {ground} m² of ground");
});

/// Up to four polygons with holes; `None` when a coordinate would be refused by every reader.
fn polygons(numbers: u8, mut data: &[u8]) -> Option<Vec<Polygon>> {
    let mut polygons: Vec<Polygon> = Vec::new();
    while let Some((&head, rest)) = data.split_first() {
        let size = if numbers % 3 == 2 { 16 } else { 2 };
        let count = usize::from(head & 31) + 3;
        let (bytes, rest) = rest.split_at(rest.len().min(count * size));
        let ring: Vec<DVec2> = bytes
            .chunks_exact(size)
            .map(|b| match numbers % 3 {
                0 => dvec2(f64::from(b[0] & 15), f64::from(b[1] & 15)),
                1 => dvec2(f64::from(b[0]) / 7.0, f64::from(b[1]) / 7.0),
                _ => {
                    let number = |b: &[u8]| f64::from_le_bytes(b.try_into().expect("eight bytes"));
                    dvec2(number(&b[..8]), number(&b[8..]))
                }
            })
            .collect();
        if ring.iter().any(|p| !p.is_finite() || p.abs().max_element() > 1e7) {
            return None;
        }
        match polygons.last_mut() {
            Some(last) if head & 128 != 0 => last.holes.push(ring),
            _ => polygons.push(Polygon::new(ring)),
        }
        data = rest;
    }
    Some(polygons)
}
