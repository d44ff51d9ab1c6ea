//! `cargo xtask …`: set-up, demo, tests, benches and checks.
fn main() {}
