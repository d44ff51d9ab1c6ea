//! Recast's side: triangles to polygons and detail mesh, as RecastDemo does it, and what there is to say about the result.

use crate::case::{CELL_HEIGHT, RESOLUTION, SLOPE_DEG, Walker};
use glam::{UVec3, Vec3A};
use rerecast::{AreaType, BuildContoursFlags, DetailNavmesh, HeightfieldBuilder, PolygonNavmesh, TriMesh};
use std::error::Error;
use wayfare_core::{DVec3, dvec3};
use wayfare_geom::ring_area;
use wayfare_scene::Scene;

/// RecastDemo's settings that have nothing to do with the body: voxels, polygons of six corners, samples every six cells.
const MIN_REGION_AREA: u16 = 8 * 8;
const MERGE_REGION_AREA: u16 = 20 * 20;
const MAX_EDGE_LENGTH: u16 = (12.0 / RESOLUTION) as u16;
const SIMPLIFICATION_ERROR: f32 = 1.3;
const CORNERS: u16 = 6;
const DETAIL_SAMPLE_CELLS: f64 = 6.0;
const DETAIL_ERROR_CELLS: f64 = 1.0;

/// The triangles as the crate wants them: y up, `f32`.
pub fn to_trimesh(scene: &Scene) -> TriMesh {
    let turn = |p: &DVec3| Vec3A::new(p.x as f32, p.z as f32, -p.y as f32);
    TriMesh {
        vertices: scene.mesh.vertices.iter().map(turn).collect(),
        indices: scene.mesh.triangles.iter().map(|t| UVec3::from_array(*t)).collect(),
        area_types: vec![AreaType::NOT_WALKABLE; scene.mesh.triangles.len()],
    }
}

/// The whole build, from triangles to polygons with heights; the radius is in cells.
pub fn build(
    mut triangles: TriMesh,
    walker: Walker,
    radius: u16,
) -> Result<(PolygonNavmesh, DetailNavmesh), Box<dyn Error>> {
    let height = (walker.height / CELL_HEIGHT).ceil() as u16;
    let step = (walker.step / CELL_HEIGHT + 1e-9).floor() as u16;
    triangles.mark_walkable_triangles((SLOPE_DEG as f32).to_radians());
    let aabb = triangles.compute_aabb().ok_or("no triangles")?;
    let mut field =
        HeightfieldBuilder { aabb, cell_size: RESOLUTION as f32, cell_height: CELL_HEIGHT as f32 }.build()?;
    field.rasterize_triangles(&triangles, step)?;
    field.filter_low_hanging_walkable_obstacles(step);
    field.filter_ledge_spans(height, step);
    field.filter_walkable_low_height_spans(height);
    let mut compact = field.into_compact(height, step)?;
    compact.erode_walkable_area(radius);
    compact.build_distance_field();
    compact.build_regions(0, MIN_REGION_AREA, MERGE_REGION_AREA)?;
    let contours =
        compact.build_contours(SIMPLIFICATION_ERROR, MAX_EDGE_LENGTH, BuildContoursFlags::default());
    let polygons = contours.into_polygon_mesh(CORNERS)?;
    let detail = DetailNavmesh::new(
        &polygons,
        &compact,
        (DETAIL_SAMPLE_CELLS * RESOLUTION) as f32,
        (DETAIL_ERROR_CELLS * CELL_HEIGHT) as f32,
    )?;
    Ok((polygons, detail))
}

/// The largest radius that is tried, in cells.
const MOST_RADIUS: u16 = 4;

/// The smallest radius in cells, from one on, with which the build succeeds, and what it gives. On some ground rerecast fails: a contour
/// cannot be cut into triangles, and it gives up.
pub fn build_at_smallest_radius(
    triangles: &TriMesh,
    walker: Walker,
    from: u16,
) -> Result<(u16, PolygonNavmesh, DetailNavmesh), Box<dyn Error>> {
    let mut reason = None;
    for radius in from..=MOST_RADIUS {
        match build(triangles.clone(), walker, radius) {
            Ok((polygons, detail)) => return Ok((radius, polygons, detail)),
            Err(error) => reason = Some(error),
        }
    }
    Err(reason.unwrap_or_else(|| "no radius was tried".into()))
}

/// Polygons that can be reached from each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Component {
    pub polygons: usize,
    /// In plan [m²].
    pub area: f64,
    /// The middle of its largest polygon, z up.
    pub place: DVec3,
}

/// The number of each polygon's component, by the neighbours that the polygons name.
pub fn component_numbers(mesh: &PolygonNavmesh) -> Vec<usize> {
    let (count, corners) = (mesh.polygon_count(), usize::from(mesh.max_vertices_per_polygon));
    let mut numbers = vec![usize::MAX; count];
    let mut components = 0;
    for start in 0..count {
        if numbers[start] != usize::MAX {
            continue;
        }
        numbers[start] = components;
        let mut waiting = vec![start];
        while let Some(polygon) = waiting.pop() {
            for &next in &mesh.polygon_neighbors[polygon * corners..(polygon + 1) * corners] {
                if let Some(number) = numbers.get_mut(usize::from(next)).filter(|n| **n == usize::MAX) {
                    *number = components;
                    waiting.push(usize::from(next));
                }
            }
        }
        components += 1;
    }
    numbers
}

/// The components.
pub fn components(mesh: &PolygonNavmesh) -> Vec<Component> {
    let numbers = component_numbers(mesh);
    let count = numbers.iter().max().map_or(0, |most| most + 1);
    let (mut components, mut largest) = (vec![Component::default(); count], vec![0.0; count]);
    for (polygon, &number) in numbers.iter().enumerate() {
        let points = points(mesh, polygon);
        let area = area(&points);
        let component = &mut components[number];
        component.polygons += 1;
        component.area += area;
        if area > largest[number] {
            largest[number] = area;
            component.place = points.iter().sum::<DVec3>() / points.len() as f64;
        }
    }
    components
}

/// The component with most area.
pub fn largest(components: &[Component]) -> Component {
    components.iter().copied().max_by(|a, b| a.area.total_cmp(&b.area)).unwrap_or_default()
}

/// The corners of a polygon, z up.
fn points(mesh: &PolygonNavmesh, polygon: usize) -> Vec<DVec3> {
    let corners = usize::from(mesh.max_vertices_per_polygon);
    let [size, height] = [mesh.cell_size, mesh.cell_height].map(f64::from);
    let min = mesh.aabb.min;
    let place = |v: &u16| {
        let v = mesh.vertices[usize::from(*v)];
        let [x, y, z] = [v.x, v.y, v.z].map(f64::from);
        dvec3(f64::from(min.x) + x * size, -(f64::from(min.z) + z * size), f64::from(min.y) + y * height)
    };
    let chunk = &mesh.polygons[polygon * corners..(polygon + 1) * corners];
    chunk.iter().take_while(|v| **v != PolygonNavmesh::NO_INDEX).map(place).collect()
}

/// The area of a polygon in plan [m²].
fn area(points: &[DVec3]) -> f64 {
    let ring: Vec<_> = points.iter().map(|p| p.truncate()).collect();
    ring_area(&ring).abs()
}
