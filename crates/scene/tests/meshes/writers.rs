//! Writers of every scene format, made for the tests only: they share nothing with the readers.

use flate2::{Compression, write::GzEncoder};
use std::{fmt::Write as _, io::Write as _};
use wayfare_core::DVec3;
use wayfare_geom::TriangleMesh;

/// How to write a mesh.
type Writer = fn(&TriangleMesh) -> Vec<u8>;

/// Every way of writing, with a name.
pub const WRITERS: [(&str, Writer); 12] = [
    ("obj", |mesh| obj(mesh).into_bytes()),
    ("obj with negative numbers", |mesh| obj_backwards(mesh).into_bytes()),
    ("stl text", |mesh| stl_text(mesh).into_bytes()),
    ("stl binary", |mesh| stl_binary(mesh, b"made by a test")),
    ("stl binary called solid", |mesh| stl_binary(mesh, b"solid facet")),
    ("ply text", |mesh| ply_text(mesh).into_bytes()),
    ("ply little", |mesh| ply_binary(mesh, false)),
    ("ply big", |mesh| ply_binary(mesh, true)),
    ("off", |mesh| off(mesh).into_bytes()),
    ("glb", |mesh| glb(&gltf_json(mesh, 5125, None), Some(&gltf_bytes(mesh, 4)))),
    ("gltf with short indices", |mesh| gltf_json(mesh, 5123, Some(&gltf_bytes(mesh, 2))).into_bytes()),
    ("glb gzipped", |mesh| gzip(&glb(&gltf_json(mesh, 5125, None), Some(&gltf_bytes(mesh, 4))))),
];

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn obj(mesh: &TriangleMesh) -> String {
    let mut text = String::from("# made by a test\nmtllib a.mtl\no thing\n");
    for p in &mesh.vertices {
        writeln!(text, "v {} {} {}", p.x, p.y, p.z).unwrap();
    }
    text += "vt 0 0\nvn 0 0 1\ns off\n";
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "f {} {}/1 {}//1", a + 1, b + 1, c + 1).unwrap();
    }
    text
}

/// Ends of lines as on Windows, colours, continued lines, all of a vertex before its first face.
fn obj_backwards(mesh: &TriangleMesh) -> String {
    let mut text = String::from("g part\r\n");
    for p in &mesh.vertices {
        write!(text, "v\t{:e}  {:e} \\\r\n {:e} 0.5 0.5 0.5\r\n", p.x, p.y, p.z).unwrap();
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|v| i64::from(v) - mesh.vertices.len() as i64);
        write!(text, " f {a}/{a}/{a} {b}/{b}/{b}\\\r\n\t{c}/{c}/{c} \r\n").unwrap();
    }
    text
}

pub fn stl_text(mesh: &TriangleMesh) -> String {
    let mut text = String::from("solid a thing\n");
    for corners in mesh.all_points() {
        text += "facet normal nan 0 0\n outer loop\n";
        for p in corners {
            writeln!(text, "  vertex {} {} {}", p.x, p.y, p.z).unwrap();
        }
        text += " endloop\nendfacet\n";
    }
    text + "endsolid a thing\n"
}

pub fn stl_binary(mesh: &TriangleMesh, header: &[u8]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, 0);
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for corners in mesh.all_points() {
        bytes.extend([0; 12]);
        bytes.extend(corners.iter().flat_map(|&p| singles(p)).flat_map(f32::to_le_bytes));
        bytes.extend([7, 7]);
    }
    bytes
}

fn singles(p: DVec3) -> [f32; 3] {
    p.to_array().map(|x| x as f32)
}

/// Colours and a list before the coordinates, an unknown element in between, faces with flags.
fn ply_text(mesh: &TriangleMesh) -> String {
    let mut text = format!(
        "ply\nformat ascii 1.0\ncomment made by a test\nelement vertex {}\nproperty uchar red\nproperty list uchar int \
         ring\nproperty float32 x\nproperty float y\nproperty double z\nelement edge 2\nproperty int a\nelement face {}\n\
         property uchar flags\nproperty list uchar uint vertex_index\nend_header\n",
        mesh.vertices.len(),
        mesh.triangles.len()
    );
    for p in &mesh.vertices {
        writeln!(text, "255 2 7 8 {} {} {}", p.x, p.y, p.z).unwrap();
    }
    text += "3\n4\n";
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "0 3 {a} {b} {c}").unwrap();
    }
    text
}

pub fn ply_binary(mesh: &TriangleMesh, is_big: bool) -> Vec<u8> {
    fn put<const N: usize>(bytes: &mut Vec<u8>, is_big: bool, mut little: [u8; N]) {
        if is_big {
            little.reverse();
        }
        bytes.extend(little);
    }
    let order = if is_big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\nformat binary_{order}_endian 1.0\nobj_info x\nelement vertex {}\nproperty float x\nproperty float y\n\
         property float z\nproperty list ushort short extra\nproperty double w\nelement face {}\nproperty list int int \
         vertex_indices\nproperty char flag\nend_header\n",
        mesh.vertices.len(),
        mesh.triangles.len()
    )
    .into_bytes();
    for &p in &mesh.vertices {
        for x in singles(p) {
            put(&mut bytes, is_big, x.to_le_bytes());
        }
        put(&mut bytes, is_big, 1u16.to_le_bytes());
        put(&mut bytes, is_big, (-5i16).to_le_bytes());
        put(&mut bytes, is_big, 0.5f64.to_le_bytes());
    }
    for triangle in &mesh.triangles {
        put(&mut bytes, is_big, 3u32.to_le_bytes());
        for v in triangle {
            put(&mut bytes, is_big, v.to_le_bytes());
        }
        bytes.push(255);
    }
    bytes
}

pub fn off(mesh: &TriangleMesh) -> String {
    let mut text =
        format!("COFF # colours\n# made by a test\n{} {} 0\n\n", mesh.vertices.len(), mesh.triangles.len());
    for p in &mesh.vertices {
        writeln!(text, "{} {} {} 255 0 0 1 # red", p.x, p.y, p.z).unwrap();
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "3 {a} {b} {c} 0.5 0.5 0.5").unwrap();
    }
    text
}

/// Positions, then indices of the given size.
pub fn gltf_bytes(mesh: &TriangleMesh, size: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        mesh.vertices.iter().flat_map(|&p| singles(p)).flat_map(f32::to_le_bytes).collect();
    bytes.extend(mesh.triangles.iter().flatten().flat_map(|v| v.to_le_bytes()[..size].to_vec()));
    bytes
}

/// One mesh in one node; with its buffer in the text if it is given.
pub fn gltf_json(mesh: &TriangleMesh, component: u32, buffer: Option<&[u8]>) -> String {
    let size = if component == 5125 { 4 } else { 2 };
    let (positions, indices) = (12 * mesh.vertices.len(), 3 * size * mesh.triangles.len());
    let uri = match buffer {
        Some(bytes) => format!("\"uri\":\"data:application/octet-stream;base64,{}\",", base64(bytes)),
        None => String::new(),
    };
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":9}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3"}},
        {{"bufferView":1,"componentType":{component},"count":{},"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{positions}}},{{"buffer":0,"byteOffset":{positions},"byteLength":{indices}}}],
        "buffers":[{{{uri}"byteLength":{}}}]}}"#,
        mesh.vertices.len(),
        3 * mesh.triangles.len(),
        positions + indices
    )
}

pub fn glb(json: &str, binary: Option<&[u8]>) -> Vec<u8> {
    let mut chunks = Vec::new();
    for (kind, bytes, fill) in [(b"JSON", Some(json.as_bytes()), b' '), (b"BIN\0", binary, 0)] {
        let Some(bytes) = bytes else { continue };
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), fill);
        chunks.extend((bytes.len() as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(bytes);
    }
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((12 + chunks.len() as u32).to_le_bytes());
    file.extend(chunks);
    file
}

fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, k| bits << 8 | u32::from(*group.get(k).unwrap_or(&0)));
        for k in 0..4 {
            let letter = letters[(bits >> (18 - 6 * k) & 63) as usize] as char;
            text.push(if k <= group.len() { letter } else { '=' });
        }
    }
    text
}
