#![doc = include_str!("../README.md")]

pub mod guide;
pub mod prelude;

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}

pub use wayfare_bake as bake;
pub use wayfare_core as core;
pub use wayfare_crowd as crowd;
pub use wayfare_floor as floor;
pub use wayfare_geom as geom;
pub use wayfare_navmesh as navmesh;
pub use wayfare_scene as scene;
pub use wayfare_surface as surface;
pub use wayfare_view as view;
pub use wayfare_volume as volume;
