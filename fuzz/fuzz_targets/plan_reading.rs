//! Any bytes are refused as a plan in one line, or make a floor plan that is valid, the same when permuted, written and
//! read again, and when built again from its own rings.
//!
//! The first byte chooses the door: a file of any format, polygons on a small grid, polygons whose points lie a few
//! rounding errors off lines, or a `.wayplan` file with a right checksum and these sections.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wayfare_core::{Context, DVec2, container::ContainerWriter, dvec2};
use wayfare_floor::{FloorPlan, PlanError, build_plan};
use wayfare_geom::Polygon;
use wayfare_scene::{PlanOptions, PlanSource, read_plan_bytes};

fuzz_target!(|data: &[u8]| {
    let Some((&door, data)) = data.split_first() else { return };
    let source = match door % 4 {
        0 => {
            let names = ["plan", "plan.wkt", "plan.json", "plan.map", "plan.pgm", "plan.yaml"];
            let name = names[usize::from(door / 4) % names.len()];
            // Inflated files are bounded, so that the fuzzer does not only measure memory.
            let options = PlanOptions { max_bytes: 1 << 20, ..PlanOptions::default() };
            match read_plan_bytes(data, name.as_ref(), &options) {
                Ok(source) => source,
                Err(error) => return assert!(!error.to_string().contains('\n')),
            }
        }
        1 => PlanSource::from_polygons(polygons(data, |x, y| dvec2(f64::from(x % 16), f64::from(y % 16)))),
        2 => PlanSource::from_polygons(polygons(data, off_the_line)),
        _ => {
            if let Ok(plan) = FloorPlan::from_bytes(sections(data)) {
                sound(&plan);
            }
            return;
        }
    };
    match build_plan(&source, &Context::default()) {
        Ok((plan, _)) => {
            sound(&plan);
            let mut permuted = source.clone();
            permuted.polygons.reverse();
            for polygon in &mut permuted.polygons {
                polygon.holes.reverse();
                let by = polygon.outer.len().min(1);
                polygon.outer.rotate_left(by);
            }
            let again = build_plan(&permuted, &Context::default()).expect("as before").0;
            assert!(again == plan, "the order of the input shows");
        }
        Err(PlanError::Unusable { reason }) => assert!(!reason.contains("could not be united"), "{reason}"),
        Err(_) => {}
    }
});

/// What every floor plan promises.
fn sound(plan: &FloorPlan) {
    assert_eq!(plan.check(), []);
    assert!(FloorPlan::from_bytes(plan.to_bytes()).expect("a plan of ours") == *plan);
    let [layer] = plan.layers.as_slice() else { return };
    let regions = layer.regions.iter().map(|region| Polygon {
        outer: plan.ring_points(&region.outer),
        holes: region.holes.iter().map(|hole| plan.ring_points(hole)).collect(),
    });
    let source = PlanSource::from_polygons(regions.collect());
    if let Ok((again, _)) = build_plan(&source, &Context::default()) {
        assert!((again.area() - plan.area()).abs() <= 1e-12 * plan.area().abs());
    }
}

/// Two bytes per point; the byte 255 ends a ring, 254 a polygon.
fn polygons(data: &[u8], point: impl Fn(u8, u8) -> DVec2) -> Vec<Polygon> {
    let mut polygons = Vec::new();
    for polygon in data.split(|&byte| byte == 254) {
        let mut rings = polygon
            .split(|&byte| byte == 255)
            .map(|ring| ring.chunks_exact(2).map(|pair| point(pair[0], pair[1])).collect::<Vec<_>>());
        let outer = rings.next().unwrap_or_default();
        polygons.push(Polygon { outer, holes: rings.collect() });
    }
    polygons
}

/// A few places on a turned line, up to seven rounding errors off it, or two other lines beside it.
fn off_the_line(x: u8, y: u8) -> DVec2 {
    let along = f64::from(x % 32) * 0.37;
    let aside = [0.0, 1.0, 1e-11][usize::from(y / 64) % 3];
    let mut p = dvec2(0.8 * along - 0.6 * aside + 3.3, 0.6 * along + 0.8 * aside + 7.7);
    for _ in 0..x / 32 {
        p.x = p.x.next_up();
    }
    for _ in 0..y % 8 {
        p.y = p.y.next_down();
    }
    p
}

/// A file with a right checksum whose sections have the given bytes: each a length and so many bytes.
fn sections(mut data: &[u8]) -> Vec<u8> {
    let mut file = ContainerWriter::new(*b"PLAN", 1);
    for name in ["position", "ringvert", "edgekind", "ringat", "regionat", "tag", "layerat", "tagname"] {
        let Some((&length, rest)) = data.split_first() else { break };
        let (section, rest) = rest.split_at(rest.len().min(usize::from(length)));
        file.put(name, section.iter().copied());
        data = rest;
    }
    file.to_bytes()
}
