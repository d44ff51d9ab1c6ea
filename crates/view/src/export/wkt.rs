//! A floor plan as well-known text: a plan file that other programs, and `wayfare bake`, read.

use std::fmt::Write as _;
use wayfare_floor::{FloorPlan, Region, Ring};

/// All regions as one `MULTIPOLYGON`; heights and tags are left out, for which the form has no place.
pub fn plan_to_wkt(plan: &FloorPlan) -> String {
    let regions: Vec<&Region> = plan.layers.iter().flat_map(|layer| &layer.regions).collect();
    if regions.is_empty() {
        return "MULTIPOLYGON EMPTY\n".into();
    }
    let mut out = String::from("MULTIPOLYGON (");
    for (k, region) in regions.into_iter().enumerate() {
        out.push_str(if k > 0 { ",\n(" } else { "\n(" });
        for (k, ring) in region.rings().enumerate() {
            out.push_str(if k > 0 { ", " } else { "" });
            write_ring(&mut out, plan, ring);
        }
        out.push(')');
    }
    out.push_str("\n)\n");
    out
}

fn write_ring(out: &mut String, plan: &FloorPlan, ring: &Ring) {
    let points = plan.ring_points(ring);
    // Rings of this form repeat their first point at the end.
    for (k, p) in points.iter().chain(points.first()).enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{}{} {}", if k > 0 { ", " } else { "(" }, p.x, p.y);
    }
    out.push(')');
}
