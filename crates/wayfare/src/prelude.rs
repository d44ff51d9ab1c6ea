//! What most programs need: `use wayfare::prelude::*;`

pub use wayfare_bake::{BakeConfig, BakeError, Decomposition, bake};
pub use wayfare_core::{CancelFlag, Context, DVec2, DVec3, RepairReport, dvec2, dvec3};
pub use wayfare_floor::{FloorPlan, GroundConfig, Keep, PlanError, ScenePlan, build_plan, plan_scene};
pub use wayfare_geom::Polygon;
pub use wayfare_navmesh::{CellId, LocateConfig, Location, NavMesh, NoPath, Path, PathFinder, PathScratch};
pub use wayfare_scene::{PlanOptions, PlanSource, Scene, SceneOptions, Up, read_plan, read_scene};
pub use wayfare_view::{DrawConfig, Marks, draw_mesh, draw_plan};
