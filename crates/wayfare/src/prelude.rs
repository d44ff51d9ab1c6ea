//! What most programs need: `use wayfare::prelude::*;`

pub use wayfare_bake::{BakeConfig, BakeError, Decomposition, bake};
pub use wayfare_core::{CancelFlag, Context, DVec2, DVec3, RepairReport, dvec2, dvec3};
pub use wayfare_floor::{FloorPlan, PlanError, build_plan};
pub use wayfare_geom::Polygon;
pub use wayfare_navmesh::{CellId, LocateConfig, Location, NavMesh, NoPath, Path, PathFinder, PathScratch};
pub use wayfare_scene::{PlanOptions, PlanSource, read_plan};
pub use wayfare_view::{DrawConfig, Marks, draw_mesh, draw_plan};
