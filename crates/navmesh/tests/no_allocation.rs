//! Warm queries allocate nothing.

mod support;

use allocation_counter::measure;
use support::{
    Cutting, GridMap, Random,
    ground::{hill, squares, with_ground},
    mesh_of,
};
use wayfare_core::DVec3;
use wayfare_navmesh::{Accelerator, AcceleratorConfig, LocateConfig, Path, PathFinder, PathScratch};

#[test]
fn on_hills_neither() {
    let mesh = with_ground(squares(3), 3.0, 40, 0.4, hill).validate().unwrap();
    let finder = PathFinder::new(&mesh);
    let (mut scratch, mut path, mut random) = (PathScratch::new(), Path::default(), Random(1));
    let config = LocateConfig::default();
    let queries: Vec<[DVec3; 2]> = (0..300)
        .map(|_| [(); 2].map(|()| DVec3::new(random.unit() * 3.2 - 0.1, random.unit() * 3.2 - 0.1, 1.0)))
        .collect();
    let mut run = || {
        let find = |query: &&[DVec3; 2]| {
            finder.find_into(query[0], query[1], &config, &mut scratch, &mut path).is_ok()
        };
        queries.iter().filter(find).count()
    };
    assert!(run() > 100);
    let allocated = measure(|| {
        run();
    });
    assert_eq!(allocated.count_total, 0);
}

#[test]
fn the_second_round_of_queries_allocates_nothing() {
    let mut random = Random(1);
    let map = GridMap::random(&mut random, 30, 30, 75);
    let mut mesh = mesh_of(&map, Cutting { cut: 30, ..Cutting::default() }, &mut random);
    let always = AcceleratorConfig { min_core_cells: 0, max_bytes_per_corner: usize::MAX, threads: 2 };
    mesh.set_accelerator(Accelerator::build_with(&mesh, &always));
    let queries: Vec<[DVec3; 2]> = (0..300)
        .map(|_| {
            let mut point = || DVec3::new(random.unit() * 31.0 - 0.5, random.unit() * 31.0 - 0.5, 0.0);
            [point(), point()]
        })
        .collect();
    let config = LocateConfig::default();
    for finder in [PathFinder::plain(&mesh), PathFinder::new(&mesh)] {
        let mut scratch = PathScratch::new();
        let mut path = Path::default();
        let mut run = || {
            let mut found = 0;
            for &[from, to] in &queries {
                let length = finder.length(from, to, &config, &mut scratch);
                let points = finder.plan_path(from, to, &config, &mut scratch).map(|path| path.points.len());
                let whole = finder.find_into(from, to, &config, &mut scratch, &mut path);
                assert_eq!((length.is_ok(), points.is_ok()), (whole.is_ok(), whole.is_ok()));
                found += usize::from(whole.is_ok());
            }
            found
        };
        assert!(run() > 100);
        let allocated = measure(|| {
            run();
        });
        assert_eq!(allocated.count_total, 0);
    }
}
