//! Exact distances against closed forms, a plain solver, and themselves.

mod closed_forms;
mod needles;
mod paths;
mod plain;
mod queries;
mod shapes;
mod shared;
