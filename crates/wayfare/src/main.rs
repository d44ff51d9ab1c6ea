//! The `wayfare` command; everything is in the module `cli`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
