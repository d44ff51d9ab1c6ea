//! Closed cells, closed portals and forbidden tags against meshes from which all that was cut away.

mod support;

use support::{Cutting, GridMap, Random, cut::cut, mesh_of};
use wayfare_core::{DVec2, DVec3, Id as _, dvec3};
use wayfare_navmesh::{
    Body, CellId, Closed, LocateConfig, NavMesh, NoPath, PathFinder, PathScratch, PortalId, TagSet,
};

#[test]
fn paths_are_those_of_a_mesh_without_what_is_closed() {
    let mut random = Random(7);
    let config = LocateConfig { snap: 0.0, ..LocateConfig::default() };
    let (mut scratch, mut other) = (PathScratch::new(), PathScratch::new());
    let (mut found, mut refused) = (0, 0);
    for round in 0..400 {
        let map = GridMap::random(&mut random, 9, 8, 85);
        let cutting = Cutting {
            merge: round % 3 != 0,
            cut: [0, 30, 60][round % 3],
            keep: 20,
            join: if round % 4 == 3 { 30 } else { 0 },
            turn: if round % 5 == 4 { 0.3 } else { 0.0 },
            jitter: 0.0,
        };
        let mut raw = mesh_of(&map, cutting, &mut random).raw().clone();
        raw.tag_names = ["floor", "grass", "water"].map(String::from).into();
        raw.tags.iter_mut().for_each(|tag| *tag = random.below(8).saturating_sub(5) as u8);
        let mesh = raw.validate().unwrap();
        let tags = [TagSet::ALL, TagSet::ALL.without(1), TagSet::NONE.with(0).with(1)][random.below(3)];
        let mut finder = PathFinder::new(&mesh);
        for cell in mesh.cells().filter(|_| random.chance(8)).collect::<Vec<_>>() {
            finder.blocks_mut().block_cell(cell);
        }
        for portal in 0..mesh.portals().len() {
            // A wall that stands free in the ground cannot be cut into the oracle's mesh.
            let ends = mesh.edge(mesh.portals()[PortalId::new(portal)][0]);
            let is_free_standing = ends.iter().all(|&vertex| mesh.boundary_corner(vertex).is_none());
            if random.chance(12) && !is_free_standing {
                finder.blocks_mut().block_portal(PortalId::new(portal));
            }
        }
        let Some(rest) = cut(&mesh, finder.blocks(), |cell| tags.contains(mesh.tag(cell))) else { continue };
        let oracle = PathFinder::plain(&rest);
        let body = Body { tags, ..Body::default() };
        for _ in 0..60 {
            let mut place =
                || cutting.place(DVec2::new(random.unit() * 9.0, random.unit() * 8.0)).extend(0.0);
            let (from, to) = (place(), place());
            let path = finder.find_for(&body, from, to, &config, &mut scratch);
            match (path, oracle.find(from, to, &config, &mut other)) {
                (Ok(path), Ok(true_path)) => {
                    found += 1;
                    let off = path.plan_length - true_path.plan_length;
                    assert!(
                        off.abs() < 1e-9,
                        "round {round} {from} {to}: {} {}",
                        path.plan_length,
                        true_path.plan_length
                    );
                    let closed = path.cells.iter().find(|&&cell| {
                        finder.blocks().is_cell_blocked(cell) || !tags.contains(mesh.tag(cell))
                    });
                    assert_eq!(closed, None, "round {round} {from} {to} {path:?}");
                    for pair in path.cells.windows(2) {
                        let is_open = mesh.corners(pair[0]).any(|corner| {
                            mesh.neighbour(corner) == Some(pair[1])
                                && !finder.blocks().is_portal_blocked(mesh.portal_at(corner).unwrap())
                        });
                        assert!(is_open, "round {round} {from} {to} {pair:?} {path:?}");
                    }
                }
                (Err(why), Err(other)) => {
                    refused += 1;
                    match why {
                        NoPath::Blocked { what: Closed::Cell(cell), .. } => {
                            assert!(finder.blocks().is_cell_blocked(cell));
                        }
                        NoPath::Blocked { what: Closed::Portal(portal), at } => {
                            assert!(finder.blocks().is_portal_blocked(portal));
                            let [a, b] = mesh.edge(mesh.portals()[portal][0]).map(|vertex| mesh.xy(vertex));
                            let off = wayfare_geom::segment::distance_squared_to_segment(at.truncate(), a, b);
                            assert!(off < 1e-12, "{at} is not on the portal");
                        }
                        NoPath::TagForbidden { tag, .. } => assert!(!tags.contains(tag)),
                        NoPath::Unreachable { from, to } => assert_ne!(from, to, "{other}"),
                        NoPath::OffMesh { .. } => assert!(matches!(other, NoPath::OffMesh { .. })),
                        why => panic!("{why}"),
                    }
                }
                (one, two) => panic!("round {round} {from} {to}: {one:?} {two:?}"),
            }
        }
    }
    assert!(found > 2000 && refused > 2000, "{found} found, {refused} refused");
}

#[test]
fn a_door_opens_and_closes() {
    // Three rooms in a row.
    let points: Vec<DVec3> =
        (0..4).flat_map(|x| [dvec3(f64::from(x), 0.0, 0.0), dvec3(f64::from(x), 1.0, 0.0)]).collect();
    let cells: [&[u32]; 3] = [&[0, 2, 3, 1], &[2, 4, 5, 3], &[4, 6, 7, 5]];
    let mesh = wayfare_navmesh::RawNavMesh::from_polygons(&points, &cells).unwrap().validate().unwrap();
    let mut finder = PathFinder::new(&mesh);
    let mut scratch = PathScratch::new();
    let config = LocateConfig::default();
    let (from, to) = (dvec3(0.5, 0.5, 0.0), dvec3(2.5, 0.5, 0.0));
    let mut find = |finder: &PathFinder<&NavMesh>| finder.find(from, to, &config, &mut scratch);
    assert!(find(&finder).is_ok());
    let door = mesh
        .corners(CellId(1))
        .find_map(|corner| mesh.portal_at(corner).filter(|_| mesh.neighbour(corner) == Some(CellId(2))));
    finder.blocks_mut().block_portal(door.unwrap());
    assert_eq!(
        find(&finder),
        Err(NoPath::Blocked { at: dvec3(2.0, 0.5, 0.0), what: Closed::Portal(door.unwrap()) })
    );
    finder.blocks_mut().unblock_portal(door.unwrap());
    assert!(finder.blocks().is_empty() && find(&finder).is_ok());
    finder.blocks_mut().block_cell(CellId(2));
    assert_eq!(find(&finder), Err(NoPath::Blocked { at: to, what: Closed::Cell(CellId(2)) }));
    finder.blocks_mut().clear();
    assert!(find(&finder).is_ok());
}

#[test]
fn a_closed_portal_in_open_ground_is_walked_round() {
    // Four by four squares; the portal between the two in the middle of the upper and lower half.
    let points: Vec<DVec3> =
        (0..5).flat_map(|y| (0..5).map(move |x| dvec3(f64::from(x), f64::from(y), 0.0))).collect();
    let squares = (0..4).flat_map(|y| (0..4).map(move |x| y * 5 + x));
    let cells: Vec<Vec<u32>> = squares.map(|v| vec![v, v + 1, v + 6, v + 5]).collect();
    let mut raw = wayfare_navmesh::RawNavMesh::from_polygons(&points, &cells).unwrap();
    raw.imported = true;
    let mesh = raw.validate().unwrap();
    let mut finder = PathFinder::new(&mesh);
    let between = |a: u32, b: u32| {
        let corner = mesh.corners(CellId(a)).find(|&corner| mesh.neighbour(corner) == Some(CellId(b)));
        mesh.portal_at(corner.unwrap()).unwrap()
    };
    // From (1, 2) to (3, 2), on the line y = 2.
    finder.blocks_mut().block_portal(between(5, 9));
    finder.blocks_mut().block_portal(between(6, 10));
    let (from, to) = (dvec3(1.75, 1.0, 0.0), dvec3(1.75, 3.0, 0.0));
    let path = finder.find(from, to, &LocateConfig::default(), &mut PathScratch::new()).unwrap();
    assert_eq!(path.points, [from, dvec3(1.0, 2.0, 0.0), to]);
    assert!(path.cells.windows(2).all(|pair| ![[5, 9], [6, 10]].contains(&[pair[0].0, pair[1].0])));
}
