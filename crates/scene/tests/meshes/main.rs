//! Readers of 3D scenes and surfaces.

mod any_bytes;
mod formats;
mod writers;
