//! How long a million triangles take to read: `cargo run --release -p wayfare-scene --example read_speed [FILE]`.

use std::{fmt::Write as _, time::Instant};
use wayfare_scene::{SceneOptions, read_mesh_bytes, read_scene_bytes};

fn main() {
    let (name, bytes) = match std::env::args().nth(1) {
        Some(path) => {
            let bytes = std::fs::read(&path).expect("a file that can be read");
            (path, bytes)
        }
        None => ("terrain.obj".into(), terrain(708).into_bytes()),
    };
    println!("{name}: {:.1} MB", bytes.len() as f64 / 1e6);
    let name = name.as_ref();
    for _ in 0..9 {
        let start = Instant::now();
        let scene = read_scene_bytes(&bytes, name, &SceneOptions::default()).expect("a scene");
        let scene_time = start.elapsed();
        let start = Instant::now();
        let (mesh, _) = read_mesh_bytes(&bytes, name, u64::MAX).expect("a mesh");
        println!(
            "read_scene {scene_time:.3?} ({} vertices, {} triangles; {}), read_mesh {:.3?} ({} vertices)",
            scene.mesh.vertices.len(),
            scene.mesh.triangles.len(),
            scene.repair,
            start.elapsed(),
            mesh.vertices.len()
        );
    }
}

/// Rolling ground over `side` × `side` squares, with the digits that exporters write.
fn terrain(side: u32) -> String {
    let mut text = String::from("# terrain\no ground\nusemtl grass\n");
    for k in 0..=side {
        for i in 0..=side {
            let (x, z) = (f64::from(i) * 0.37, f64::from(k) * 0.37);
            let y = 3.0 * ((0.05 * x).sin() + (0.07 * z).cos());
            writeln!(text, "v {x:.6} {y:.6} {z:.6}").expect("text grows");
        }
    }
    for k in 0..side {
        for i in 0..side {
            let a = k * (side + 1) + i + 1;
            let (b, c, d) = (a + 1, a + side + 1, a + side + 2);
            writeln!(text, "f {a} {c} {b}\nf {b} {c} {d}").expect("text grows");
        }
    }
    text
}
