//! Whatever the bytes, a reader ends with a mesh that keeps its promises or with one line of error; and what was written is
//! what is read.

use crate::writers::WRITERS;
use proptest::prelude::*;
use std::collections::HashSet;
use wayfare_core::{DVec3, MAX_COORDINATE, dvec3};
use wayfare_geom::{TriangleMesh, are_collinear};
use wayfare_scene::{SceneOptions, Up, read_mesh_bytes, read_scene_bytes};

/// Small files, so that a wrong length cannot take long.
const OPTIONS: SceneOptions = SceneOptions { up: None, scale: 1.0, max_bytes: 1 << 20 };

/// Reads bytes both ways and checks what comes out.
fn sound(bytes: &[u8], name: &str) -> Result<(), String> {
    match read_scene_bytes(bytes, name.as_ref(), &OPTIONS) {
        Ok(scene) => {
            let mesh = &scene.mesh;
            let in_range = |p: &DVec3| p.is_finite() && p.abs().max_element() <= MAX_COORDINATE;
            let is_vertex = |&v: &u32| (v as usize) < mesh.vertices.len();
            let fine = mesh.vertices.iter().all(in_range)
                && mesh.triangles.iter().flatten().all(is_vertex)
                && mesh.all_points().all(|[a, b, c]| !are_collinear(a, b, c))
                && scene.tags.len() == mesh.triangles.len()
                && scene.tags.iter().all(|&tag| usize::from(tag) < scene.tag_names.len())
                && (1..=64).contains(&scene.tag_names.len())
                && !scene.tag_names.iter().any(|name| name.contains('\n'));
            if !fine {
                return Err(format!("a broken promise: {scene:?}"));
            }
        }
        Err(error) if error.to_string().contains('\n') => return Err(format!("several lines: {error}")),
        Err(_) => {}
    }
    match read_mesh_bytes(bytes, name.as_ref(), OPTIONS.max_bytes) {
        Ok((mesh, _)) if mesh.triangles.iter().flatten().any(|&v| v as usize >= mesh.vertices.len()) => {
            Err("a vertex that is not there".into())
        }
        _ => Ok(()),
    }
}

/// A small mesh without faults.
fn roof() -> TriangleMesh {
    let vertices =
        vec![dvec3(0., 0., 0.), dvec3(4., 0., 0.), dvec3(4., 1., 4.5), dvec3(0., 1., 4.), dvec3(2., 3., 2.)];
    TriangleMesh { vertices, triangles: vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]] }
}

#[test]
fn files_cut_at_every_byte_are_refused_or_read_soundly() {
    for (name, write) in WRITERS {
        let bytes = write(&roof());
        for end in 0..bytes.len() {
            sound(&bytes[..end], "cut").unwrap();
            // Of text a shorter file may be left, and the last bytes may be filling; otherwise nothing is half read.
            let is_text = name.starts_with("obj") || matches!(name, "off" | "ply text" | "stl text");
            if end + 4 < bytes.len() && !is_text {
                let scene = read_scene_bytes(&bytes[..end], "cut".as_ref(), &OPTIONS);
                assert!(scene.is_err() || scene.unwrap().mesh.triangles.is_empty(), "{name} cut at {end}");
            }
        }
    }
}

#[test]
fn files_with_any_bit_flipped_are_refused_or_read_soundly() {
    for (name, write) in WRITERS {
        let mut bytes = write(&roof());
        for at in 0..bytes.len() {
            for bit in 0..8 {
                bytes[at] ^= 1 << bit;
                sound(&bytes, "flipped")
                    .unwrap_or_else(|error| panic!("{name}, byte {at}, bit {bit}: {error}"));
                bytes[at] ^= 1 << bit;
            }
        }
    }
}

#[test]
fn numbers_that_are_too_large_are_not_believed() {
    for (name, write) in WRITERS {
        let bytes = write(&roof());
        for at in 0..bytes.len() {
            for size in [1, 2, 4, 8] {
                let mut bytes = bytes.clone();
                for byte in bytes.iter_mut().skip(at).take(size) {
                    // A large number as text and, as bytes of the highest value, in binary.
                    *byte = if byte.is_ascii_digit() { b'9' } else { 0xff };
                }
                sound(&bytes, "huge").unwrap_or_else(|error| panic!("{name}, byte {at}: {error}"));
            }
        }
    }
}

/// Pieces that put random bytes where they hurt.
fn scrap() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        "v 0 0 0\n",
        "v 1 0 0\n",
        "v 0 1 0\n",
        "v nan 0 0\n",
        "v 1e9 0 0\n",
        "f 1 2 3\n",
        "f 1 2 3 4\n",
        "f -1 -2 -3\n",
        "f 0 1 2\n",
        "f 1 2 99999999999\n",
        "f 1/2/3",
        "usemtl a\n",
        "usemtl\n",
        "#",
        "\\\n",
        "solid x\n",
        "facet normal 0 0 1\n",
        "outer loop\n",
        "vertex 1 2 3\n",
        "vertex 0 0 0\n",
        "vertex 4 1 0\n",
        "endloop\n",
        "endfacet\n",
        "endsolid\n",
        "ply\n",
        "format ascii 1.0\n",
        "format binary_little_endian 1.0\n",
        "element vertex 3\n",
        "element face 1\n",
        "element x 9999999\n",
        "property float x\n",
        "property float y\n",
        "property float z\n",
        "property list uchar int vertex_indices\n",
        "end_header\n",
        "0 0 0\n",
        "1 0 0\n",
        "0 1 0\n",
        "3 0 1 2\n",
        "OFF\n",
        "3 1 0\n",
        "4 4 4\n",
        "NOFF ",
        "-1",
        " ",
        "\n",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"asset\":{\"version\":\"2.0\"}",
        "\"nodes\":[{\"children\":[0]}]",
        "\"meshes\":[]",
        "\"nodes\"",
        "glTF\u{2}\0\0\0",
    ]);
    let piece = prop_oneof![
        9 => words.prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// Triangles on a small lattice: many degenerate and many the same.
fn soup() -> impl Strategy<Value = TriangleMesh> {
    let vertices = prop::collection::vec((-4i8..5, -1i8..2, -4i8..5), 3..12);
    let triangles = prop::collection::vec(any::<[u8; 3]>(), 0..30);
    (vertices, triangles).prop_map(|(vertices, triangles)| {
        let count = vertices.len() as u32;
        let vertices =
            vertices.into_iter().map(|(x, y, z)| dvec3(x.into(), y.into(), z.into()) / 8.0 + 0.0).collect();
        let triangles =
            triangles.into_iter().map(|triangle| triangle.map(|v| u32::from(v) % count)).collect();
        TriangleMesh { vertices, triangles }
    })
}

/// What must be left of a soup, by brute force: coordinates are eighths, so that products are exact.
fn expected(mesh: &TriangleMesh) -> Vec<[DVec3; 3]> {
    let mut seen = HashSet::new();
    let is_new = |corners: &[DVec3; 3]| {
        let [a, b, c] = corners.map(|p| format!("{p}"));
        let turns = [[&a, &b, &c], [&b, &c, &a], [&c, &a, &b]];
        seen.insert(format!("{:?}", turns.iter().min()))
    };
    mesh.all_points().filter(|[a, b, c]| (b - a).cross(c - a) != DVec3::ZERO).filter(is_new).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in scrap(), name in prop::sample::select(vec!["a", "a.obj", "a.stl", "a.ply", "a.off", "a.gltf", "a.glb"])) {
        prop_assert_eq!(sound(&bytes, name), Ok(()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_in_any_format_is_read_again(mesh in soup()) {
        let expected = expected(&mesh);
        for (name, write) in WRITERS {
            let bytes = write(&mesh);
            let options = SceneOptions { up: (!name.contains("gl")).then_some(Up::Z), ..OPTIONS };
            let scene = read_scene_bytes(&bytes, "thing".as_ref(), &options).unwrap();
            let up = options.up.unwrap_or(Up::Y);
            let turned: Vec<_> = expected.iter().map(|corners| corners.map(|p| up.turn(p))).collect();
            let found: Vec<_> = scene.mesh.all_points().collect();
            prop_assert_eq!(found, turned, "{}", name);
            let set_aside = scene.repair.count("degenerate-face") + scene.repair.count("duplicate-face");
            prop_assert_eq!(scene.mesh.triangles.len() + set_aside, mesh.triangles.len(), "{}", name);

            let (read, _) = read_mesh_bytes(&bytes, "thing".as_ref(), 1 << 20).unwrap();
            if !name.starts_with("stl") {
                prop_assert_eq!(&read.vertices, &mesh.vertices, "{}", name);
            }
        }
    }
}
