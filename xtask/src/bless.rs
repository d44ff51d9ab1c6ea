//! `cargo xtask bless`: writes what the commands print into the documents, and redraws the pictures.

use crate::{
    pictures,
    run::{no_arguments, run_with},
};
use anyhow::Result;

pub fn run(rest: &[String]) -> Result<()> {
    no_arguments("bless", rest)?;
    // In release mode, because times are printed too.
    run_with(
        "cargo",
        &["test", "--release", "--quiet", "--package", "wayfare", "--test", "documents"],
        &[("WAYFARE_BLESS", "1")],
    )?;
    pictures::run(&[])
}
