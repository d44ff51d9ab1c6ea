//! Prints a generated plan as WKT, a generated scene as OBJ:
//! `cargo run -p wayfare-scene --example generated -- office > office.wkt`.

use std::process::ExitCode;
use wayfare_scene::{
    generated::{self, scenes::SCENE_EXAMPLES},
    to_obj, to_wkt,
};

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_else(|| "office".into());
    if let Some(plan) = generated::by_name(&name) {
        print!("{}", to_wkt(&plan.polygons));
    } else if let Some(scene) = generated::scene_by_name(&name) {
        print!("{}", to_obj(&scene));
    } else {
        eprintln!(
            "nothing is called '{name}'; try a plan: office, thesis-0 to thesis-9, field-1000-1, city-1000-1"
        );
        eprintln!("or a scene: {}", SCENE_EXAMPLES.join(", "));
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}
