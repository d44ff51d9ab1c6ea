//! The command through its real binary, in scratch folders: every verb, good and bad.

mod advice;
mod bad_files;
mod bad_options;
mod bake;
mod bodies;
mod crowd;
mod demo;
mod everyday;
mod gaps;
mod geodesic;
mod limits;
mod path;
mod prefer;
mod products;
mod scenes;
mod scratch;
mod stopping;
mod view;
mod volume;
