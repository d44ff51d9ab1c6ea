//! `docs/format.md` is true: a reader written from that page alone finds everything where it says.

use wayfare_core::dvec3;
use wayfare_navmesh::{Accelerator, AcceleratorConfig, NavMesh, RawNavMesh};

const PAGE: &str = include_str!("../../../docs/format.md");

fn mesh() -> NavMesh {
    let points =
        [(0., 0.), (2., 0.), (2., 1.), (1., 1.), (1., 2.), (0., 2.), (0., 1.)].map(|(x, y)| dvec3(x, y, 0.5));
    let mut raw = RawNavMesh::from_polygons(&points, &[vec![0, 1, 2, 3, 6], vec![6, 3, 4, 5]]).unwrap();
    raw.vertex_flags[6] = 1;
    raw.tag_names = vec!["grass".into(), "ice".into()];
    raw.tags = vec![1, 0];
    raw.drop_depths = vec![0.0; 9];
    raw.drop_depths[1] = 2.5;
    raw.ground_points =
        [(0., 0., 0.5), (4., 0., 1.5), (0., 4., 0.25)].map(|(x, y, z)| dvec3(x, y, z)).to_vec();
    raw.ground_triangles = vec![[0, 1, 2]];
    raw.ground_starts = vec![0, 1, 1];
    raw.ground_lists = vec![0];
    raw.heights_error = 0.125;
    raw.validate().unwrap()
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

#[test]
fn a_reader_written_from_the_page_finds_the_mesh() {
    let mesh = mesh();
    let file = mesh.to_bytes();
    assert_eq!(&file[..12], b"WAYFARE\0NAVM");
    assert_eq!((number(&file[12..16]), number(&file[16..24])), (2, file.len() as u64));
    assert_eq!(number(&file[36..40]), 0);
    let mut covered = 40 + 24 * number(&file[32..36]) as usize;
    let mut sections = Vec::new();
    for entry in file[40..covered].chunks(24) {
        let name = String::from_utf8(entry[..8].to_vec()).unwrap().trim_end_matches('\0').to_string();
        let (start, length) = (number(&entry[8..16]) as usize, number(&entry[16..24]) as usize);
        assert!(start % 8 == 0 && start >= covered && file[covered..start].iter().all(|&byte| byte == 0));
        covered = start + length;
        sections.push((name, &file[start..covered]));
    }
    assert!(file.len() == covered.next_multiple_of(8) && file[covered..].iter().all(|&byte| byte == 0));
    let section = |name: &str| sections.iter().find(|(other, _)| other == name).unwrap().1;
    let words = |name: &str| section(name).chunks(4).map(|word| number(word) as u32).collect::<Vec<_>>();
    let doubles = |name: &str| section(name).chunks(8).map(|x| f64::from_bits(number(x))).collect::<Vec<_>>();
    let raw = mesh.raw();
    assert_eq!(doubles("vertices"), raw.vertices.iter().flat_map(|p| p.to_array()).collect::<Vec<_>>());
    assert_eq!(section("vflags"), raw.vertex_flags);
    assert_eq!((words("cells"), words("corners")), (raw.cell_starts.clone(), raw.corners.clone()));
    assert_eq!((words("across"), words("storeys")), (raw.neighbours.clone(), raw.storeys.clone()));
    assert_eq!(
        (section("tags"), words("taglens"), section("tagnames")),
        (&[1, 0][..], vec![5, 3], &b"grassice"[..])
    );
    assert_eq!((doubles("relax"), words("flags")), (vec![0.0], vec![1]));
    assert_eq!(words("drops"), raw.drop_depths.iter().map(|depth| depth.to_bits()).collect::<Vec<_>>());
    assert_eq!(doubles("grpoints"), [0., 0., 0.5, 4., 0., 1.5, 0., 4., 0.25]);
    assert_eq!(
        (words("grtriang"), words("grcells"), words("grlists")),
        (vec![0, 1, 2], vec![0, 1, 1], vec![0])
    );
    assert_eq!(doubles("grerror"), [0.125]);
}

#[test]
fn the_page_names_every_section_that_is_written() {
    // Squares round a hole, with an accelerator although it is not worth it.
    let points: Vec<_> = (0..16).map(|k| dvec3((k % 4) as f64, (k / 4) as f64, 0.0)).collect();
    let polygons: Vec<_> = [0, 1, 2, 4, 6, 8, 9, 10].iter().map(|v| [*v, v + 1, v + 5, v + 4]).collect();
    let mut mesh = RawNavMesh::from_polygons(&points, &polygons).unwrap().validate().unwrap();
    let config =
        AcceleratorConfig { min_core_cells: 0, max_bytes_per_corner: usize::MAX, ..Default::default() };
    mesh.set_accelerator(Some(Accelerator::build_with(&mesh, &config).unwrap()));
    let file = mesh.to_bytes();
    let count = number(&file[32..36]) as usize;
    assert_eq!(count, 23);
    for entry in file[40..40 + 24 * count].chunks(24) {
        let name = String::from_utf8(entry[..8].to_vec()).unwrap().trim_end_matches('\0').to_string();
        assert!(PAGE.contains(&format!("| `{name}` |")), "docs/format.md does not describe section '{name}'");
    }
}
