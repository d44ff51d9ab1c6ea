//! Writes polygons as well-known text.

use std::fmt::Write as _;
use wayfare_core::DVec2;
use wayfare_geom::Polygon;

/// The polygons as one `MULTIPOLYGON` (one `POLYGON` if there is one), a ring per line; numbers are written so
/// that reading gives the same bits back.
///
/// ```
/// # use wayfare_core::dvec2;
/// # use wayfare_geom::Polygon;
/// let triangle = Polygon::new(vec![dvec2(0.0, 0.0), dvec2(1.5, 0.0), dvec2(0.0, 0.1)]);
/// assert_eq!(wayfare_scene::to_wkt(&[triangle]), "POLYGON ((0 0, 1.5 0, 0 0.1, 0 0))\n");
/// ```
pub fn to_wkt(polygons: &[Polygon]) -> String {
    let mut out = String::new();
    match polygons {
        [] => out.push_str("POLYGON EMPTY"),
        [one] => {
            out.push_str("POLYGON ");
            polygon(&mut out, one);
        }
        many => {
            out.push_str("MULTIPOLYGON (");
            for (k, one) in many.iter().enumerate() {
                out.push_str(if k > 0 { ",\n" } else { "" });
                polygon(&mut out, one);
            }
            out.push(')');
        }
    }
    out.push('\n');
    out
}

fn polygon(out: &mut String, polygon: &Polygon) {
    for (k, ring) in polygon.rings().enumerate() {
        out.push_str(if k > 0 { ",\n  " } else { "(" });
        self::ring(out, ring);
    }
    out.push(')');
}

fn ring(out: &mut String, ring: &[DVec2]) {
    if ring.is_empty() {
        out.push_str("EMPTY");
        return;
    }
    for (k, p) in ring.iter().chain(&ring[..1]).enumerate() {
        let comma = if k > 0 { ", " } else { "(" };
        // Writing to a string cannot fail.
        let _ = write!(out, "{comma}{} {}", p.x, p.y);
    }
    out.push(')');
}
