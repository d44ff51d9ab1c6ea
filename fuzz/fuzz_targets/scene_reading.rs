//! Any bytes are refused as a scene in one line, or make triangles that keep every promise; as a surface, the same.
//!
//! The first byte chooses the name, and so the format where the content does not tell; from its higher bits on the bytes
//! get the beginning that a format needs, so that the fuzzer need not find it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wayfare_core::MAX_COORDINATE;
use wayfare_geom::are_collinear;
use wayfare_scene::{Scene, SceneOptions, read_mesh_bytes, read_scene_bytes};

fuzz_target!(|data: &[u8]| {
    let Some((&door, data)) = data.split_first() else { return };
    let names = ["scene", "scene.obj", "scene.stl", "scene.ply", "scene.off", "scene.gltf", "scene.glb"];
    let name = names[usize::from(door & 7) % names.len()].as_ref();
    let beginning: &[u8] = match door >> 3 {
        1 => b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 1\n",
        2 => b"solid x\nfacet normal 0 0 1\nouter loop\n",
        3 => &[0; 80],
        4 => b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n",
        5 => b"ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
               element face 2\nproperty list uchar int vertex_indices\nend_header\n",
        6 => b"ply\nformat binary_big_endian 1.0\nelement face 9\nproperty list short ushort vertex_index\n",
        7 => b"OFF\n",
        8 => b"{\"asset\":{\"version\":\"2.0\"},",
        9 => return check(&glb(data), name),
        _ => b"",
    };
    check(&[beginning, data].concat(), name);
});

/// A binary glTF file: the first bytes say how long its JSON is.
fn glb(data: &[u8]) -> Vec<u8> {
    let (head, rest) = data.split_at(data.len().min(2));
    let length =
        usize::from(head.first().copied().unwrap_or(0)) * 4 + usize::from(head.get(1).copied().unwrap_or(0));
    let (json, binary) = rest.split_at(rest.len().min(length));
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((28 + rest.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", binary)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}

fn check(bytes: &[u8], name: &std::path::Path) {
    // What inflates or is instanced is bounded, so that the fuzzer does not only measure memory.
    let options = SceneOptions { max_bytes: 1 << 20, ..SceneOptions::default() };
    match read_scene_bytes(bytes, name, &options) {
        Ok(scene) => sound(&scene),
        Err(error) => {
            let message = error.to_string();
            assert!(!message.contains('\n') && message.len() < 600, "{message}");
        }
    }
    if let Ok((mesh, _)) = read_mesh_bytes(bytes, name, options.max_bytes) {
        assert!(mesh.triangles.iter().flatten().all(|&v| (v as usize) < mesh.vertices.len()));
        assert!(mesh.vertices.iter().all(|p| p.abs().max_element() <= MAX_COORDINATE && p.is_finite()));
    }
}

/// What every scene promises.
fn sound(scene: &Scene) {
    let mesh = &scene.mesh;
    assert!(mesh.vertices.iter().all(|p| p.abs().max_element() <= MAX_COORDINATE && p.is_finite()));
    let mut used = vec![false; mesh.vertices.len()];
    for &v in mesh.triangles.iter().flatten() {
        used[v as usize] = true;
    }
    assert!(used.iter().all(|used| *used));
    assert!(mesh.all_points().all(|[a, b, c]| !are_collinear(a, b, c)));
    let mut places: Vec<_> = mesh.vertices.iter().map(|p| p.to_array().map(f64::to_bits)).collect();
    places.sort_unstable();
    assert!(places.windows(2).all(|pair| pair[0] != pair[1]));
    assert_eq!(scene.tags.len(), mesh.triangles.len());
    assert!((1..=Scene::MAX_TAGS).contains(&scene.tag_names.len()));
    assert!(scene.tags.iter().all(|&tag| usize::from(tag) < scene.tag_names.len()));
    assert!(!scene.tag_names.iter().any(|name| name.contains('\n')));
}
