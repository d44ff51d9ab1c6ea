//! A slice through a volume mesh: the regions that a level plane cuts, and the portals between them.

use super::{DrawConfig, DrawError, Marks, canvas::Canvas, furniture, route};
use crate::COLOURS;
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::Aabb2;
use wayfare_volume::VolumeMesh;

/// Draws what lies at one height [m] as SVG: regions in colours that differ between neighbours, portals as lines; paths seen
/// from above.
pub fn draw_volume(
    mesh: &VolumeMesh,
    height: f64,
    marks: &Marks,
    config: &DrawConfig,
) -> Result<String, DrawError> {
    config.check()?;
    let [low, high] = mesh.raw().bounds;
    let bounds = Aabb2 { min: low.truncate(), max: high.truncate() };
    let canvas = Canvas::new(bounds, config.width, furniture::has_footer(config));
    let title = format!("slice at {height} m through {} regions", mesh.region_count());
    let mut out = furniture::open(&canvas, &title, config);
    if config.obstacles {
        canvas.backdrop(&mut out);
    }
    let colours = colours(mesh);
    for region in mesh.regions() {
        let area = mesh.region_box(region);
        if area.min.z > height || area.max.z < height {
            continue;
        }
        let ring = section(mesh.faces(region).map(|(_, points)| points), height);
        if ring.len() < 3 {
            continue;
        }
        let mut data = String::new();
        canvas.trace(&mut data, ring, true);
        let class = if config.cells { format!("c{}", colours[region.0 as usize]) } else { "ground".into() };
        out.push_str(&format!(
            "<path class=\"{class}\" d=\"{data}\"><title>region {region}</title></path>\n"
        ));
    }
    let (mut walls, mut portals) = (String::new(), String::new());
    for region in mesh.regions() {
        for (_, points) in mesh.faces(region) {
            if let Some(cut) = cut(&points, height) {
                canvas.trace(&mut walls, cut, false);
            }
        }
    }
    super::mesh::path(&mut out, "wall", Some(0.75), &walls);
    if config.portals {
        for portal in mesh.portals() {
            if let Some(cut) = cut(mesh.portal_points(portal), height) {
                canvas.trace(&mut portals, cut, false);
            }
        }
        super::mesh::path(&mut out, "portal", Some(1.5), &portals);
    }
    route::draw(&mut out, &canvas, marks, |_| true);
    furniture::close(&mut out, &canvas, config);
    Ok(out)
}

/// Where the outline of a convex polygon crosses a height, if it does so twice.
fn cut(points: &[DVec3], height: f64) -> Option<[DVec2; 2]> {
    let mut found = Vec::with_capacity(2);
    for (k, p) in points.iter().enumerate() {
        let q = points[(k + 1) % points.len()];
        if (p.z <= height) != (q.z <= height) {
            let share = (height - p.z) / (q.z - p.z);
            found.push(p.truncate() + (q - *p).truncate() * share);
        }
    }
    <[DVec2; 2]>::try_from(found).ok()
}

/// The outline of a convex body's section at a height.
fn section(faces: impl Iterator<Item = Vec<DVec3>>, height: f64) -> Vec<DVec2> {
    let mut ring: Vec<DVec2> = faces.filter_map(|points| cut(&points, height)).flatten().collect();
    let centre = ring.iter().sum::<DVec2>() / ring.len().max(1) as f64;
    let angle = |p: &DVec2| wayfare_core::ops::atan2(p.y - centre.y, p.x - centre.x);
    ring.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    ring.dedup();
    ring
}

/// A colour for each region, another than its neighbours' where there are enough.
fn colours(mesh: &VolumeMesh) -> Vec<usize> {
    let mut colours = vec![usize::MAX; mesh.region_count()];
    for region in mesh.regions() {
        let mut uses = [0usize; COLOURS];
        for portal in mesh.portals_of(region) {
            let other = colours[mesh.across(portal, region).0 as usize];
            if let Some(count) = uses.get_mut(other) {
                *count += 1;
            }
        }
        let best = (0..COLOURS).min_by_key(|&k| (uses[k], (k + region.0 as usize) % COLOURS));
        colours[region.0 as usize] = best.unwrap_or(0);
    }
    colours
}
