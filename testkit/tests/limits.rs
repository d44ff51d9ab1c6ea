//! Discs and limits: what is closed is a wall for the whole body, as if it were not part of the mesh.

#[path = "../../crates/navmesh/tests/support/cut.rs"]
mod cut;
use crate::support::{baked, floor_plan};
use cut::cut;
use wayfare_bake::build_clearance;
use wayfare_core::{Context, DVec2, Id as _, dvec2};
use wayfare_geom::Polygon;
use wayfare_navmesh::{Body, LocateConfig, NavMesh, NoPath, PathFinder, PathScratch, PortalId, TagSet};
use wayfare_testkit::{Random, TestPlan, generators};

fn with_clearance(mut mesh: NavMesh) -> Option<NavMesh> {
    let clearance = build_clearance(&mesh, &Context::default()).ok()?;
    mesh.set_clearance(Some(clearance));
    Some(mesh)
}

/// The unit squares of a grid that pass a test, each a cell, so that many vertices are inner ones.
fn squares(n: u32, is_ground: impl Fn(u32, u32) -> bool) -> NavMesh {
    let points: Vec<DVec2> =
        (0..=n).flat_map(|y| (0..=n).map(move |x| dvec2(f64::from(x), f64::from(y)))).collect();
    let places = (0..n).flat_map(|y| (0..n).map(move |x| (x, y)));
    let corners = places.filter(|&(x, y)| is_ground(x, y)).map(|(x, y)| y * (n + 1) + x);
    let cells: Vec<Vec<u32>> = corners.map(|v| vec![v, v + 1, v + n + 2, v + n + 1]).collect();
    // One vertex per fan.
    let polygons = wayfare_navmesh::RawNavMesh::from_polygons(
        &points.iter().map(|p| p.extend(0.0)).collect::<Vec<_>>(),
        &cells,
    );
    let mut raw = polygons.unwrap();
    raw.imported = true;
    raw.validate().unwrap()
}

#[test]
fn inner_vertices_are_no_obstacles() {
    let mut random = Random::new(3);
    let (mut scratch, config) = (PathScratch::new(), LocateConfig { snap: 0.0, ..LocateConfig::default() });
    let (mut found, mut worst) = (0, 0.0f64);
    for _ in 0..12 {
        // Pillars in a hall, no two of which touch.
        let pillars: Vec<(u32, u32)> =
            (0..9).filter(|_| random.unit() < 0.7).map(|k| (1 + k % 3 * 3, 1 + k / 3 * 3)).collect();
        let fine = with_clearance(squares(9, |x, y| !pillars.contains(&(x, y)))).unwrap();
        let corner = |x: u32, y: u32| dvec2(x.into(), y.into());
        let hole = |&(x, y): &(u32, u32)| {
            vec![corner(x, y), corner(x, y + 1), corner(x + 1, y + 1), corner(x + 1, y)]
        };
        let outer = vec![corner(0, 0), corner(9, 0), corner(9, 9), corner(0, 9)];
        let polygon = Polygon { outer, holes: pillars.iter().map(hole).collect() };
        let plan = TestPlan { name: "pillars".into(), polygons: vec![polygon] };
        let coarse = with_clearance(baked(&floor_plan(&plan), 0.0)).unwrap();
        let finders = [PathFinder::new(&fine), PathFinder::new(&coarse)];
        for _ in 0..60 {
            let mut place = || dvec2(random.between(0.1, 8.9), random.between(0.1, 8.9)).extend(0.0);
            let (from, to) = (place(), place());
            for radius in [0.3, 0.7, 0.95] {
                let mut find =
                    |k: usize| finders[k].find_for(&Body::disc(radius), from, to, &config, &mut scratch);
                match (find(0), find(1)) {
                    (Ok(one), Ok(two)) => {
                        found += 1;
                        worst = worst.max((one.plan_length - two.plan_length).abs());
                    }
                    (Err(_), Err(_)) => {}
                    (one, two) => panic!("{from} {to} {radius}: {one:?} {two:?}"),
                }
            }
        }
    }
    assert!(found > 400 && worst < 1e-9, "{found} found, off by {worst}");
}

#[test]
fn discs_keep_off_what_is_closed_as_if_it_were_cut_away() {
    let mut random = Random::new(11);
    let (mut scratch, mut other) = (PathScratch::new(), PathScratch::new());
    let config = LocateConfig { snap: 0.0, ..LocateConfig::default() };
    let (mut found, mut refused, mut ties, mut worst) = (0, 0, 0, 0.0f64);
    let mut meshes: Vec<NavMesh> = Vec::new();
    for (k, plan) in generators::mixed(5, 40, 100).iter().enumerate() {
        meshes.extend(with_clearance(baked(&floor_plan(plan), if k % 3 == 2 { 0.3 } else { 0.0 })));
    }
    for _ in 0..30 {
        let free: Vec<bool> = (0..64).map(|_| random.unit() < 0.9).collect();
        meshes.extend(with_clearance(squares(8, |x, y| free[(y * 8 + x) as usize])));
    }
    for (round, mesh) in meshes.iter_mut().enumerate() {
        // Every cell by itself has a tag, in the raw mesh; the clearance stays what it is.
        let clearance = mesh.clearance().cloned();
        let mut raw = mesh.raw().clone();
        raw.tag_names = ["floor", "grass"].map(String::from).into();
        raw.tags.iter_mut().for_each(|tag| *tag = u8::from(random.unit() < 0.1));
        *mesh = raw.validate().unwrap();
        mesh.set_clearance(clearance);
        let mesh = &*mesh;
        let tags = if round % 2 == 0 { TagSet::ALL } else { TagSet::ALL.without(1) };
        let mut finder = PathFinder::new(mesh);
        for cell in mesh.cells().filter(|_| random.unit() < 0.06).collect::<Vec<_>>() {
            finder.blocks_mut().block_cell(cell);
        }
        for portal in (0..mesh.portals().len()).map(PortalId::new) {
            let ends = mesh.edge(mesh.portals()[portal][0]);
            let is_free_standing = ends.iter().all(|&vertex| mesh.boundary_corner(vertex).is_none());
            if random.unit() < 0.08 && !is_free_standing {
                finder.blocks_mut().block_portal(portal);
            }
        }
        let Some(rest) = cut(mesh, finder.blocks(), |cell| tags.contains(mesh.tag(cell))) else { continue };
        let Some(rest) = with_clearance(rest) else { continue };
        let oracle = PathFinder::plain(&rest);
        let bounds = mesh.bounds();
        let size = (mesh.area() / mesh.cell_count() as f64).sqrt();
        for _ in 0..80 {
            let mut place = || {
                let share = dvec2(random.unit(), random.unit());
                (bounds.min + (bounds.max - bounds.min) * share).extend(0.0)
            };
            let (from, to) = (place(), place());
            let radius = size * random.between(0.02, 0.5);
            let body = Body { tags, ..Body::disc(radius) };
            let path = finder.find_for(&body, from, to, &config, &mut scratch);
            match (path, oracle.find_for(&Body::disc(radius), from, to, &config, &mut other)) {
                (Ok(path), Ok(truth)) => {
                    found += 1;
                    let off = (path.plan_length - truth.plan_length).abs() / truth.plan_length.max(1e-9);
                    worst = worst.max(off);
                    assert!(
                        off < 1e-3,
                        "round {round} {from} {to} {radius}: {} {}",
                        path.plan_length,
                        truth.plan_length
                    );
                    ties += usize::from(off > 1e-9);
                }
                (Err(why), Err(truth)) => {
                    refused += 1;
                    // The mesh that is cut knows at once that nothing connects the ends.
                    if matches!(truth, NoPath::Unreachable { .. }) {
                        continue;
                    }
                    let is_tight = |why: &NoPath| matches!(why, NoPath::TooTight { .. });
                    assert_eq!(
                        is_tight(&why),
                        is_tight(&truth),
                        "round {round} {from} {to} {radius}: {why:?} {truth:?}"
                    );
                }
                (one, two) => panic!("round {round} {from} {to} {radius}: {one:?} {two:?}"),
            }
        }
    }
    assert!(found > 500 && refused > 500, "{found} found, {refused} refused");
    // Arcs round corners that only limits make are refused where they are tight to 0.0003 of the radius.
    assert!(ties * 1000 < found, "{ties} of {found} are off, worst {worst}");
}
