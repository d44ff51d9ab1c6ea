//! Prints a generated plan as WKT: `cargo run -p wayfare-scene --example generated -- office > office.wkt`.

use std::process::ExitCode;
use wayfare_scene::{generated, to_wkt};

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_else(|| "office".into());
    let Some(plan) = generated::by_name(&name) else {
        eprintln!(
            "no plan is called '{name}'; try office, thesis-0 to thesis-9, field-1000-1 or city-1000-1"
        );
        return ExitCode::from(2);
    };
    print!("{}", to_wkt(&plan.polygons));
    ExitCode::SUCCESS
}
