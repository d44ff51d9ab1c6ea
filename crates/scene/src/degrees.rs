//! Coordinates in degrees are refused: a plan is flat and in metres.
//!
//! The rule and its reasons are in `docs/decisions/0003-degrees-are-refused.md`.

use crate::PlanOptions;
use wayfare_core::DVec2;
use wayfare_geom::Aabb2;

const ADVICE: &str = "project it to metres first (for example with ogr2ogr -t_srs EPSG:25832), or say --planar \
                      if the numbers are planar after all";

/// Geographic reference systems by EPSG number that are met in the wild: WGS 84 (also its 3D form),
/// ETRS89, NAD83, NAD27, GDA94, GDA2020, JGD2011, CGCS2000, OSGB 36, DHDN.
const GEOGRAPHIC: [usize; 11] = [4326, 4979, 4258, 4269, 4267, 4283, 7844, 6668, 4490, 4277, 4314];

/// Refuses a geographic EPSG number.
pub(crate) fn refuse_srid(srid: usize, options: &PlanOptions) -> Result<(), String> {
    if !options.planar && GEOGRAPHIC.contains(&srid) {
        return Err(format!("the coordinates are in degrees (SRID {srid}); {ADVICE}"));
    }
    Ok(())
}

/// Refuses the name of a geographic reference system, as `urn:ogc:def:crs:OGC:1.3:CRS84` or `EPSG:4326`.
pub(crate) fn refuse_name(name: &str, options: &PlanOptions) -> Result<(), String> {
    let digits = name.rsplit(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty());
    let geographic = name.to_ascii_uppercase().contains("CRS84")
        || name.to_ascii_uppercase().contains("EPSG")
            && digits.and_then(|d| d.parse().ok()).is_some_and(|d: usize| GEOGRAPHIC.contains(&d));
    if geographic && !options.planar {
        let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
        return Err(format!("the coordinates are in degrees (crs {name}); {ADVICE}"));
    }
    Ok(())
}

/// Refuses coordinates that look like degrees.
pub(crate) fn refuse_tiny(raw: Aabb2, options: &PlanOptions) -> Result<(), String> {
    match suspicion(raw, options) {
        Some(suspicion) => Err(format!("{suspicion}; {ADVICE}")),
        None => Ok(()),
    }
}

/// Says of coordinates that all are possible longitudes and latitudes and, taken for metres, make a plan smaller
/// than a metre, that they look like degrees.
pub(crate) fn suspicion(raw: Aabb2, options: &PlanOptions) -> Option<String> {
    let possible =
        raw.min.cmpge(DVec2::new(-180.0, -90.0)).all() && raw.max.cmple(DVec2::new(180.0, 90.0)).all();
    let size = raw.size().max_element();
    (!options.planar && possible && size > 0.0 && size * options.scale < 1.0).then(|| {
        format!(
            "the coordinates look like degrees (longitude {} to {}, latitude {} to {}): taken for metres the plan \
             would be {:.2} m wide",
            raw.min.x,
            raw.max.x,
            raw.min.y,
            raw.max.y,
            size * options.scale
        )
    })
}
