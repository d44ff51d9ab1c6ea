//! Every shared scene and surface loads, and holds what an independent reader of its format finds in it.

use std::{
    io::Cursor,
    path::{Path, PathBuf},
};
use wayfare_core::{DVec3, RepairReport, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_scene::{SceneOptions, Up, read_mesh, read_scene};
use wayfare_testkit::data;

/// The files of a shared folder whose names end so, gzipped or not; empty when the data is not there.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    // Real data is never committed; its absence was said on standard error.
    let Some(root) = data::shared_data() else { return Vec::new() };
    let mut files: Vec<_> =
        std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        let name = path.to_string_lossy();
        let name = name.strip_suffix(".gz").unwrap_or(&name).to_owned();
        endings.iter().any(|ending| name.ends_with(ending))
    });
    files.sort();
    assert!(!files.is_empty(), "{folder} has no {endings:?}");
    files
}

fn mesh_of(path: &Path) -> (TriangleMesh, RepairReport) {
    read_mesh(path, 1 << 30).unwrap_or_else(|error| panic!("{error}"))
}

/// How many faces are missing in the mesh.
fn set_aside(repair: &RepairReport) -> usize {
    let gone =
        repair.repairs.iter().filter(|repair| !matches!(repair.kind, "zero-area-face" | "crossing-polygon"));
    gone.map(|repair| repair.count).sum()
}

/// The corners that `mesh` has are those of `all`, in order and to the given tolerance, but for as many as were set aside.
fn same_but_set_aside(
    name: &str,
    mesh: &TriangleMesh,
    repair: &RepairReport,
    all: &[[DVec3; 3]],
    tolerance: f64,
) {
    assert_eq!(mesh.triangles.len() + set_aside(repair), all.len(), "{name}: {repair}");
    let near =
        |a: &[DVec3; 3], b: &[DVec3; 3]| (0..3).all(|k| (a[k] - b[k]).abs().max_element() <= tolerance);
    let mut theirs = all.iter();
    for (t, ours) in mesh.all_points().enumerate() {
        assert!(
            theirs.any(|other| near(&ours, other)),
            "{name}: triangle {t} of ours is not theirs: {ours:?}"
        );
    }
}

#[test]
fn obj_files_hold_what_tobj_finds() {
    for path in files("scenes", &[".obj"]).into_iter().chain(files("surfaces", &[".obj"])) {
        let name = path.display().to_string();
        let bytes = data::read_bytes(&path).unwrap();
        let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
        let no_materials = |_: &Path| Err(tobj::LoadError::OpenFileFailed);
        let (models, _) = tobj::load_obj_buf(&mut Cursor::new(&bytes), &options, no_materials).unwrap();
        let all: Vec<[DVec3; 3]> = models
            .iter()
            .flat_map(|model| {
                let point = |k: u32| DVec3::from_slice(&model.mesh.positions[3 * k as usize..]);
                model.mesh.indices.as_chunks::<3>().0.iter().map(move |triangle| triangle.map(point))
            })
            .collect();
        let (mesh, repair) = mesh_of(&path);
        let is_triangle = |line: &[u8]| line.trim_ascii().split(u8::is_ascii_whitespace).count() == 4;
        if bytes.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"f ")).all(is_triangle) {
            same_but_set_aside(&name, &mesh, &repair, &all, 0.0);
        } else {
            // Each polygon is a fan over there; here only convex ones are. The sum of the normals does not depend on it.
            assert!(all.len() - mesh.triangles.len() <= set_aside(&repair), "{name}: {repair}");
            let sum = |triangles: &mut dyn Iterator<Item = [DVec3; 3]>| {
                triangles.fold(DVec3::ZERO, |sum, [a, b, c]| sum + (b - a).cross(c - a))
            };
            let (ours, theirs) = (sum(&mut mesh.all_points()), sum(&mut all.iter().copied()));
            assert!((ours - theirs).length() < 1e-6 * theirs.length(), "{name}: {ours} {theirs}");
            let is_theirs = |ours: &[DVec3; 3]| all.contains(ours);
            let same = mesh.all_points().filter(is_theirs).count();
            println!("{name}: {same} of {} triangles are those of fans", all.len());
            assert!(same * 10 > all.len() * 9, "{name}: {same} of {}", all.len());
        }
        let vertices = bytes.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"v ")).count();
        assert_eq!(mesh.vertices.len(), vertices, "{name}");
    }
}

#[test]
fn binary_gltf_files_hold_what_the_gltf_crate_finds() {
    for path in files("scenes", &[".glb"]) {
        let name = path.display().to_string();
        let bytes = data::read_bytes(&path).unwrap();
        let file = gltf::Gltf::from_slice(&bytes).unwrap();
        let blob = file.blob.as_deref();
        let scene = file.default_scene().or(file.scenes().next()).unwrap();
        let mut all = Vec::new();
        let mut stack: Vec<_> = scene.nodes().map(|node| (node, identity())).collect();
        stack.reverse();
        while let Some((node, parent)) = stack.pop() {
            let place = product(parent, node.transform().matrix());
            for primitive in node.mesh().iter().flat_map(|mesh| mesh.primitives()) {
                assert_eq!(primitive.mode(), gltf::mesh::Mode::Triangles);
                let reader = primitive.reader(|_| blob);
                let points: Vec<DVec3> = reader.read_positions().unwrap().map(|p| apply(place, p)).collect();
                let indices: Vec<u32> = match reader.read_indices() {
                    Some(indices) => indices.into_u32().collect(),
                    None => (0..points.len() as u32).collect(),
                };
                // The specification: a node that mirrors turns the triangles round.
                let order = if determinant(place) < 0.0 { [0, 2, 1] } else { [0, 1, 2] };
                let triangle = |corners: &[u32; 3]| order.map(|k| points[corners[k] as usize]);
                all.extend(indices.as_chunks::<3>().0.iter().map(triangle));
            }
            stack.extend(node.children().map(|child| (child, place)).collect::<Vec<_>>().into_iter().rev());
        }
        // That crate multiplies the matrices in single precision.
        let size = all.iter().flatten().map(|p| p.abs().max_element()).fold(1.0, f64::max);
        let (mesh, repair) = mesh_of(&path);
        same_but_set_aside(&name, &mesh, &repair, &all, 1e-5 * size);
    }
}

type Matrix = [[f32; 4]; 4];

fn identity() -> Matrix {
    [[1., 0., 0., 0.], [0., 1., 0., 0.], [0., 0., 1., 0.], [0., 0., 0., 1.]]
}
/// Columns, as glTF has them.
fn product(a: Matrix, b: Matrix) -> Matrix {
    b.map(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * column[k]).sum()))
}
fn determinant([a, b, c, _]: Matrix) -> f32 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
        + c[0] * (a[1] * b[2] - a[2] * b[1])
}
fn apply(m: Matrix, [x, y, z]: [f32; 3]) -> DVec3 {
    let [a, b, c] = [0, 1, 2].map(|row| m[0][row] * x + m[1][row] * y + m[2][row] * z + m[3][row]);
    dvec3(a.into(), b.into(), c.into())
}

#[test]
fn stl_files_hold_what_stl_io_finds() {
    for path in files("scenes", &[".stl"]) {
        let bytes = data::read_bytes(&path).unwrap();
        let stl = stl_io::read_stl(&mut Cursor::new(&bytes)).unwrap();
        let point = |k: usize| {
            let p = stl.vertices[k].0;
            dvec3(p[0].into(), p[1].into(), p[2].into())
        };
        let all: Vec<_> = stl.faces.iter().map(|face| face.vertices.map(point)).collect();
        let (mesh, repair) = mesh_of(&path);
        same_but_set_aside(&path.display().to_string(), &mesh, &repair, &all, 0.0);
    }
}

#[test]
fn ply_files_hold_what_ply_rs_finds() {
    use ply_rs_bw::ply::{DefaultElement, Property};
    for path in files("surfaces", &[".ply"]) {
        let bytes = data::read_bytes(&path).unwrap();
        let ply =
            ply_rs_bw::parser::Parser::<DefaultElement>::new().read_ply(&mut Cursor::new(&bytes)).unwrap();
        let number = |element: &DefaultElement, name: &str| match element[name] {
            Property::Float(value) => value.into(),
            Property::Double(value) => value,
            ref other => panic!("{other:?}"),
        };
        let vertices: Vec<DVec3> = ply.payload["vertex"]
            .iter()
            .map(|vertex| dvec3(number(vertex, "x"), number(vertex, "y"), number(vertex, "z")))
            .collect();
        let corners = |face: &DefaultElement| -> [DVec3; 3] {
            let list = face.iter().find(|(name, _)| name.starts_with("vertex_ind")).unwrap().1;
            let list: Vec<usize> = match list {
                Property::ListInt(list) => list.iter().map(|&k| k as usize).collect(),
                Property::ListUInt(list) => list.iter().map(|&k| k as usize).collect(),
                other => panic!("{other:?}"),
            };
            assert_eq!(list.len(), 3);
            [0, 1, 2].map(|k| vertices[list[k]])
        };
        let all: Vec<_> = ply.payload["face"].iter().map(corners).collect();
        let (mesh, repair) = mesh_of(&path);
        assert_eq!(mesh.vertices.len(), vertices.len());
        // In text we keep the digits that single precision drops.
        let size = vertices.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
        let is_text = bytes[..40].windows(5).any(|word| word == b"ascii");
        let tolerance = if is_text { 1e-7 * size } else { 0.0 };
        same_but_set_aside(&path.display().to_string(), &mesh, &repair, &all, tolerance);
    }
}

/// By splitting lines into words, which is all that plain OFF needs.
#[test]
fn off_files_hold_what_their_words_say() {
    for path in files("surfaces", &[".off"]) {
        let name = path.display().to_string();
        let text = String::from_utf8(data::read_bytes(&path).unwrap()).unwrap();
        let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).skip(1);
        let mut numbers = || -> Vec<f64> {
            lines.next().unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect()
        };
        let counts = numbers();
        let vertices: Vec<DVec3> = (0..counts[0] as usize).map(|_| DVec3::from_slice(&numbers())).collect();
        let mut all = Vec::new();
        for _ in 0..counts[1] as usize {
            let face = numbers();
            assert_eq!(face[0], 3.0, "{name}");
            all.push([1, 2, 3].map(|k| vertices[face[k] as usize]));
        }
        let (mesh, repair) = mesh_of(&path);
        assert_eq!(mesh.vertices, vertices, "{name}");
        same_but_set_aside(&name, &mesh, &repair, &all, 0.0);
    }
}

#[test]
fn every_scene_loads_and_keeps_its_promises() {
    for path in files("scenes", &[".obj", ".glb", ".stl"]) {
        let is_gltf = path.to_string_lossy().contains(".glb");
        for up in [None, Some(Up::Z)] {
            let options = SceneOptions { up, ..SceneOptions::default() };
            let scene = read_scene(&path, &options);
            if is_gltf && up == Some(Up::Z) {
                assert!(scene.unwrap_err().to_string().contains("y up"));
                continue;
            }
            let scene = scene.unwrap_or_else(|error| panic!("{error}"));
            let mesh = &scene.mesh;
            assert!(mesh.triangles.len() > 10 && scene.tags.len() == mesh.triangles.len(), "{path:?}");
            assert!(scene.tags.iter().all(|&tag| usize::from(tag) < scene.tag_names.len()));
            let mut used = vec![false; mesh.vertices.len()];
            mesh.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
            assert!(used.iter().all(|used| *used), "{path:?}");
            let mut places: Vec<_> = mesh.vertices.iter().map(|p| p.to_array().map(f64::to_bits)).collect();
            places.sort_unstable();
            assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "{path:?}");
            let [min, max] = mesh.bounds().unwrap();
            println!(
                "{} {:?}: {} vertices, {} triangles, {} tags, size {}; {} {:?}",
                path.file_name().unwrap().display(),
                up.unwrap_or(Up::Y),
                mesh.vertices.len(),
                mesh.triangles.len(),
                scene.tag_names.len(),
                max - min,
                scene.repair,
                scene.notes
            );
        }
    }
}
