//! Questions about clearance allocate nothing.

use allocation_counter::measure;
use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec2, Id as _};
use wayfare_floor::build_plan;
use wayfare_navmesh::{
    Body, CellId, Corridor, LocateConfig, PathFinder, PathScratch, ShrinkTable, Walker, WayPoints, Within,
};
use wayfare_scene::generated::office;

#[test]
fn questions_about_clearance_allocate_nothing() {
    let (plan, _) = build_plan(&office(), &Context::default()).expect("a plan");
    let mut mesh = bake(&plan, &BakeConfig::default(), &Context::default()).expect("a mesh");
    let clearance = build_clearance(&mesh, &Context::default()).expect("a clearance");
    mesh.set_clearance(Some(clearance));
    let clearances = mesh.clearances().expect("just made");
    let middle = |cell: CellId| {
        let sum = mesh.cell_points(cell).fold(DVec2::ZERO, |sum, p| sum + p);
        (cell, sum / mesh.corner_range(cell).len() as f64)
    };
    let (mut room, mut passed) = (0.0, 0);
    let allocated = measure(|| {
        for k in 0..mesh.cell_count() {
            let (from, to) = (middle(CellId::new(k)), middle(CellId::new(k * 7 % mesh.cell_count())));
            room += clearances.at(from.0, from.1).map_or(0.0, |place| place.distance);
            room += clearances.along(from.0, from.1, to.1).distance;
            room += clearances.widest(from, to).map_or(0.0, |widest| widest.radius);
            passed += usize::from(clearances.is_reachable(from, to, 0.3));
        }
        for id in clearances.features().ids().filter(|&id| !clearances.features().get(id).is_edge()) {
            let corner = clearances.features().get(id);
            room += clearances.turn(id, corner.ray(corner.low), corner.ray(corner.high));
        }
    });
    assert_eq!(allocated.count_total, 0);
    assert!(room > 1.0 && passed > 10, "{room} {passed}");
}

#[test]
fn bodies_that_go_and_slide_allocate_nothing() {
    let (plan, _) = build_plan(&office(), &Context::default()).expect("a plan");
    let mut mesh = bake(&plan, &BakeConfig::default(), &Context::default()).expect("a mesh");
    let clearance = build_clearance(&mesh, &Context::default()).expect("a clearance");
    mesh.set_clearance(Some(clearance));
    let (finder, config) = (PathFinder::new(&mesh), LocateConfig::default());
    let middle = |k: usize| {
        let points = mesh.cell_points(CellId::new(k % mesh.cell_count()));
        let count = points.len() as f64;
        (points.fold(DVec2::ZERO, |sum, p| sum + p) / count).extend(0.0)
    };
    let mut places = finder.random_points(&Body::disc(0.2), &Within::Everywhere, &config).expect("ground");
    let mut hits = 0;
    let allocated = measure(|| {
        for k in 0..mesh.cell_count() {
            for radius in [0.0, 0.2] {
                let (body, from, to) = (Body::disc(radius), middle(k), middle(k * 7 + 3));
                let cast = finder.raycast(&body, from, to, &config);
                hits += usize::from(cast.is_ok_and(|cast| cast.contact.is_some()));
                let moved = finder.move_along(&body, from, to, &config);
                hits += usize::from(moved.is_ok_and(|moved| moved.contact.is_some()));
                hits +=
                    usize::from(finder.nearest_wall(&body, from, &config).is_ok_and(|wall| wall.is_some()));
            }
            let mut bits = k as u64;
            let place = places.draw(|| {
                bits = bits.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                bits
            });
            hits += usize::from(place.is_some());
        }
    });
    assert_eq!(allocated.count_total, 0);
    assert!(hits > 200, "{hits}");
}

#[test]
fn shrunk_portals_and_way_points_allocate_nothing() {
    let (plan, _) = build_plan(&office(), &Context::default()).expect("a plan");
    let mut mesh = bake(&plan, &BakeConfig::default(), &Context::default()).expect("a mesh");
    let clearance = build_clearance(&mesh, &Context::default()).expect("a clearance");
    mesh.set_clearance(Some(clearance));
    let middle = |cell: CellId| mesh.cell_points(cell).sum::<DVec2>() / mesh.corner_range(cell).len() as f64;
    let finder = PathFinder::new(&mesh);
    let mut scratch = PathScratch::default();
    let mut corridors = Vec::new();
    for k in 0..mesh.cell_count() {
        let [from, to] = [k, k * 7 % mesh.cell_count()].map(|k| middle(CellId::new(k)).extend(0.0));
        let path = finder.find_for(&Body::disc(0.3), from, to, &LocateConfig::default(), &mut scratch);
        corridors.extend(path.ok().and_then(|path| Corridor::of_path(&mesh, &path)));
    }
    assert!(corridors.len() > 10);
    let crossings = mesh.crossings().expect("just made");
    let table = ShrinkTable::new(1024);
    let allocated = measure(|| {
        for way_points in [WayPoints::new(crossings), WayPoints::with_table(crossings, &table)] {
            for corridor in &corridors {
                let mut walker = Walker::new(corridor, 0.3);
                for k in 0..200 {
                    let [dynamic, taut] =
                        [way_points.dynamic(&walker, corridor), way_points.taut(&walker, corridor)];
                    let to = walker.at.lerp(if k % 2 == 0 { dynamic.at } else { taut.at }, 0.3);
                    way_points.walk(&mut walker, corridor, to);
                }
            }
        }
    });
    assert_eq!(allocated.count_total, 0);
    assert!(table.hits_and_misses()[0] > 100);
}
