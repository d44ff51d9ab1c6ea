//! Volume meshes in forms that others read.

use super::json::{field, lines, list, point};
use std::fmt::Write as _;
use wayfare_volume::VolumeMesh;

/// A volume mesh as JSON; the keys are described in `docs/format.md`.
pub fn volume_to_json(mesh: &VolumeMesh) -> String {
    let raw = mesh.raw();
    let mut out = String::from("{\"kind\":\"volume\",\"version\":1,\"units\":\"m\",\"up\":\"z\"");
    field(&mut out, "bounds", list(raw.bounds.iter().map(point)));
    field(&mut out, "tolerance", raw.tolerance);
    field(&mut out, "depth", raw.depth);
    field(&mut out, "free_volume", raw.free_volume);
    field(&mut out, "radius", raw.radius);
    let planes = raw.planes.iter().map(|plane| {
        let normal = plane.normal;
        list([normal.x, normal.y, normal.z, plane.offset])
    });
    lines(&mut out, "planes", planes);
    let regions = mesh.regions().map(|region| {
        let first = raw.face_starts[region.0 as usize] as usize;
        let last = raw.face_starts[region.0 as usize + 1] as usize;
        let faces = (first..last).map(|face| {
            let corners = raw.corner_starts[face] as usize..raw.corner_starts[face + 1] as usize;
            format!("{{\"side\":{},\"vertices\":{}}}", raw.face_sides[face], list(&raw.corners[corners]))
        });
        format!(
            "{{\"sides\":{},\"vertices\":{},\"faces\":{},\"volume\":{},\"standing\":{},\"component\":{}}}",
            list(mesh.half_spaces(region).map(|side| side.0)),
            list(mesh.vertices(region).iter().map(point)),
            list(faces),
            mesh.volume(region),
            mesh.standing(region),
            mesh.component(region)
        )
    });
    lines(&mut out, "regions", regions);
    let portals = mesh.portals().map(|portal| {
        format!(
            "{{\"regions\":{},\"plane\":{},\"points\":{}}}",
            list(mesh.portal_regions(portal)),
            mesh.portal_plane(portal),
            list(mesh.portal_points(portal).iter().map(point))
        )
    });
    lines(&mut out, "portals", portals);
    out.push_str("\n}\n");
    out
}

/// One object per region with its faces, and one with all portals; z up, in metres.
pub fn volume_to_obj(mesh: &VolumeMesh) -> String {
    let mut out = String::from("# wayfare volume mesh: z up, metres, one object per region, portals last\n");
    let mut count = 0;
    // Writing to a string cannot fail.
    for region in mesh.regions() {
        let _ = writeln!(out, "o region{region}");
        for (_, points) in mesh.faces(region) {
            polygon(&mut out, &points, &mut count);
        }
    }
    out.push_str("o portals\n");
    for portal in mesh.portals() {
        polygon(&mut out, mesh.portal_points(portal), &mut count);
    }
    out
}

/// A face with points of its own; OBJ counts from 1.
fn polygon(out: &mut String, points: &[wayfare_core::DVec3], count: &mut usize) {
    for p in points {
        let _ = writeln!(out, "v {} {} {}", p.x, p.y, p.z);
    }
    out.push('f');
    for _ in points {
        *count += 1;
        let _ = write!(out, " {count}");
    }
    out.push('\n');
}
