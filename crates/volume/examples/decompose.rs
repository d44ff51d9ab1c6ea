//! Decomposes shared scenes and prints what came out: `cargo run --release --example decompose -- NAME...`
use std::time::Instant;
use wayfare_core::Context;
use wayfare_scene::{SceneOptions, Up, read_scene};
use wayfare_testkit::data::scenes::{UpAxis, scenes};
use wayfare_volume::{VolumeConfig, partition};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "scene triangles planes cells parts winding regions portals merged 98 99.5 99.9 coverage seconds check"
    );
    for shared in scenes() {
        if !wanted.iter().any(|name| shared.name.contains(name.as_str())) {
            continue;
        }
        let up = if shared.up == UpAxis::Y { Up::Y } else { Up::Z };
        let is_gltf = shared.path.to_string_lossy().contains(".glb");
        let options =
            SceneOptions { up: (!is_gltf).then_some(up), scale: shared.scale, ..SceneOptions::default() };
        let scene = match read_scene(&shared.path, &options) {
            Ok(scene) => scene,
            Err(error) => {
                println!("{}: {error}", shared.name);
                continue;
            }
        };
        let begin = Instant::now();
        let config = VolumeConfig { radius: shared.body.radius, ..VolumeConfig::default() };
        match partition(&scene, &config, &Context::default()) {
            Ok((mesh, report)) => {
                let seconds = begin.elapsed().as_secs_f64();
                let defects = (mesh.check().len(), mesh.check_scene(&scene.mesh).len());
                println!(
                    "{} {} {} {} {} {:?} {} {} {} {:?} {:?} {:?} {:.5} {seconds:.2} {defects:?} lost {:.5} comps {} box {:.3}",
                    shared.name,
                    scene.mesh.triangles.len(),
                    report.planes,
                    report.cells,
                    report.parts,
                    report.winding,
                    mesh.region_count(),
                    mesh.portal_count(),
                    report.merged,
                    mesh.regions_for(0.98),
                    mesh.regions_for(0.995),
                    mesh.regions_for(0.999),
                    mesh.coverage(),
                    report.undecided_volume / mesh.raw().free_volume,
                    mesh.component_count(),
                    {
                        let size = mesh.raw().bounds[1] - mesh.raw().bounds[0];
                        mesh.total_volume() / (size.x * size.y * size.z)
                    },
                );
            }
            Err(error) => println!("{}: {error}", shared.name),
        }
    }
}
