//! Detour's side: a mesh baked for one radius, as RecastDemo does it, and paths on it.

use recastnavigation_rs::{XError, detour::*, recast::*};
use wayfare_core::{DVec3, dvec3};
use wayfare_scene::Scene;

/// RecastDemo's body and settings, in metres and degrees.
pub const HEIGHT: f32 = 2.0;
pub const STEP: f32 = 0.9;
pub const SLOPE_DEG: f32 = 45.0;
const CELL_HEIGHT: f32 = 0.2;
const SIMPLIFICATION_ERROR: f32 = 1.3;
const MIN_REGION: i32 = 8 * 8;
const MERGE_REGION: i32 = 20 * 20;
const LONGEST_EDGE: f32 = 12.0;
const CORNERS: i32 = 6;
const DETAIL_CELLS: f32 = 6.0;

/// Polygons and points of a path at most.
const MOST: usize = 2048;

/// z up to y up.
pub fn turned(p: DVec3) -> [f32; 3] {
    [p.x as f32, p.z as f32, -p.y as f32]
}

/// y up to z up.
pub fn turned_back([x, y, z]: [f32; 3]) -> DVec3 {
    dvec3(x.into(), (-z).into(), y.into())
}

/// A mesh for a radius; pixels are half of it.
pub fn build(scene: &Scene, radius: f32) -> Result<DtNavMesh, XError> {
    let vertices: Vec<[f32; 3]> = scene.mesh.vertices.iter().map(|&p| turned(p)).collect();
    let triangles: Vec<[i32; 3]> = scene.mesh.triangles.iter().map(|t| t.map(|k| k as i32)).collect();
    let cell = radius / 2.0;
    let height = (HEIGHT / CELL_HEIGHT).ceil() as i32;
    let step = (STEP / CELL_HEIGHT + 1e-4).floor() as i32;
    let mut context = RcContext::new(false);
    let (min, max) = rc_calc_bounds(&vertices);
    let (width, depth) = rc_calc_grid_size(&min, &max, cell);
    let mut field = RcHeightfield::new();
    rc_create_heightfield(&mut context, &mut field, width, depth, &min, &max, cell, CELL_HEIGHT)?;
    let mut areas = vec![0; triangles.len()];
    rc_mark_walkable_triangles(&mut context, SLOPE_DEG, &vertices, &triangles, &mut areas)?;
    rc_rasterize_triangles_1(&mut context, &vertices, &triangles, &areas, &mut field, step)?;
    rc_filter_low_hanging_walkable_obstacles(&mut context, step, &mut field);
    rc_filter_ledge_spans(&mut context, height, step, &mut field);
    rc_filter_walkable_low_height_spans(&mut context, height, &mut field);
    let mut compact = RcCompactHeightfield::new();
    rc_build_compact_heightfield(&mut context, height, step, &field, &mut compact)?;
    rc_erode_walkable_area(&mut context, (radius / cell).round() as i32, &mut compact)?;
    rc_build_distance_field(&mut context, &mut compact)?;
    rc_build_regions(&mut context, &mut compact, 0, MIN_REGION, MERGE_REGION)?;
    let mut contours = RcContourSet::new();
    let edge = (LONGEST_EDGE / cell) as i32;
    let walls = RcBuildContoursFlags::RC_CONTOUR_TESS_WALL_EDGES;
    rc_build_contours(&mut context, &mut compact, SIMPLIFICATION_ERROR, edge, &mut contours, walls)?;
    let mut polygons = RcPolyMesh::new();
    rc_build_poly_mesh(&mut context, &contours, CORNERS, &mut polygons)?;
    let mut detail = RcPolyMeshDetail::new();
    rc_build_poly_mesh_detail(
        &mut context,
        &polygons,
        &compact,
        cell * DETAIL_CELLS,
        CELL_HEIGHT,
        &mut detail,
    )?;
    polygons.flags_mut().fill(1);
    let mut params = DtNavMeshCreateParams {
        verts: Some(polygons.verts()),
        polys: Some(polygons.polys()),
        poly_areas: Some(polygons.areas()),
        poly_flags: Some(polygons.flags()),
        nvp: polygons.nvp(),
        detail_meshes: Some(detail.meshes()),
        detail_verts: Some(detail.verts()),
        detail_tris: Some(detail.tris()),
        walkable_height: HEIGHT,
        walkable_radius: radius,
        walkable_climb: STEP,
        bmin: polygons.bmin,
        bmax: polygons.bmax,
        cs: cell,
        ch: CELL_HEIGHT,
        build_bv_tree: true,
        ..DtNavMeshCreateParams::default()
    };
    DtNavMesh::with_data(dt_create_nav_mesh_data(&mut params)?)
}

/// An end of a path: a polygon and a point of it.
pub type Place = (DtPolyRef, [f32; 3]);

/// Paths on a mesh.
pub struct Detour {
    query: DtNavMeshQuery,
    filter: DtQueryFilter,
    polygons: Vec<DtPolyRef>,
    points: Vec<[f32; 3]>,
}

impl Detour {
    pub fn new(mesh: &DtNavMesh) -> Result<Self, XError> {
        Ok(Self {
            query: DtNavMeshQuery::with_mesh(mesh, MOST)?,
            filter: DtQueryFilter::default(),
            polygons: vec![DtPolyRef::default(); MOST],
            points: vec![[0.0; 3]; MOST],
        })
    }

    /// The nearest place of the mesh within half a metre in plan.
    pub fn locate(&self, at: [f32; 3]) -> Option<Place> {
        let found = self.query.find_nearest_poly_1(&at, &[0.5, HEIGHT, 0.5], &self.filter).ok()?;
        (!found.0.is_null()).then_some(found)
    }

    /// The corner points of a path; nothing if there is none.
    pub fn path(&mut self, from: Place, to: Place) -> Option<&[[f32; 3]]> {
        let Self { query, filter, polygons, points } = self;
        let count = query.find_path(from.0, to.0, &from.1, &to.1, filter, polygons).ok()?;
        let corridor = &polygons[..count];
        if corridor.last() != Some(&to.0) {
            return None;
        }
        let options = Default::default();
        let count = query.find_straight_path(&from.1, &to.1, corridor, points, None, None, options).ok()?;
        Some(&points[..count])
    }
}
