//! `cargo xtask …`: set-up, demo, tests, benches, pictures and checks of the workspace.
//!
//! Small on purpose: it is the first thing that a newcomer compiles.

mod architecture;
mod bench;
mod bless;
mod check;
mod demo;
mod deny_list;
mod fuzz;
mod page;
mod pictures;
mod repository;
mod run;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  demo [OPTIONS]                    build the wayfare command and run `wayfare demo`
  test [--full]                     install what the tests need, run all checks and all tests
  check                             format, lints, documents, deny list, architecture
  fuzz [TARGET] [--seconds N]       fuzz one target or each in turn (needs the nightly toolchain)
  bench [NAME]                      measure and write the tables in docs/results
  bench crowd [SECTION…] [--full]   parts of the table of crowds; without --full in less time
  bless                             write what the commands print into the documents, redraw pictures
  page                              build the viewer's page with npm
  pictures                          redraw docs/pictures from generated plans
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    let outcome = match command {
        "demo" => demo::run(rest),
        "test" => test::run(rest),
        "check" => check::run(rest),
        "fuzz" => fuzz::run(rest),
        "bench" => bench::run(rest),
        "bless" => bless::run(rest),
        "page" => page::run(rest),
        "pictures" => pictures::run(rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(anyhow::anyhow!("there is no command '{other}'; `cargo xtask help` lists them")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
