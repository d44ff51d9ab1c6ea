//! Planar GeoJSON: polygons, multi-polygons and collections of them, as geometries or features.
//!
//! Source: RFC 7946, and the `crs` member of its 2008 forerunner. By the letter GeoJSON is in degrees; plans are
//! planar, so degrees are found out and refused (see `degrees`). Members may come in any order: where the type
//! comes after the coordinates, the place is kept and read when the type is known.
//! Cost: O(file × depth of collections), depth bounded.

use crate::{
    PlanOptions, PlanSource,
    collect::Collector,
    cursor::{Cursor, excerpt},
    degrees,
    error::Fault,
    json::{elements, members, null, skip_value, string},
};

/// Collections in collections: RFC 7946 says to avoid even one.
const MAX_DEPTH: usize = 16;

pub(crate) fn read(bytes: &[u8], options: &PlanOptions) -> Result<PlanSource, Fault> {
    let mut text = Cursor::new(bytes);
    let mut plan = Collector::new(options);
    let mut reader = Reader { plan: &mut plan, options, features: 0 };
    reader.object(&mut text, 0)?;
    let features = reader.features;
    text.skip_space();
    if text.peek().is_some() {
        return Err(text.unexpected("the end of the file"));
    }
    degrees::refuse_tiny(plan.raw_bounds(), options).map_err(Fault::whole)?;
    let mut source = plan.finish();
    if features > 0 && source.polygons.is_empty() {
        source.notes.push(format!("none of the {features} features has a geometry"));
    }
    Ok(source)
}

struct Reader<'r> {
    plan: &'r mut Collector,
    options: &'r PlanOptions,
    features: usize,
}

/// Where the members of an object are.
#[derive(Default)]
struct Members<'a> {
    kind: Option<String>,
    coordinates: Option<Cursor<'a>>,
    geometry: Option<Cursor<'a>>,
    geometries: Option<Cursor<'a>>,
    features: Option<Cursor<'a>>,
}

impl Reader<'_> {
    /// A geometry, a feature or a collection.
    fn object(&mut self, text: &mut Cursor, depth: usize) -> Result<(), Fault> {
        text.skip_space();
        let start = text.at();
        if depth > MAX_DEPTH {
            return Err(Fault::at(start, format!("collections are nested more than {MAX_DEPTH} deep")));
        }
        let mut found = Members::default();
        let options = self.options;
        members(text, |name, value| {
            let slot = match name {
                "type" => {
                    found.kind = Some(string(value)?);
                    return Ok(true);
                }
                "crs" => {
                    reference_system(value, options)?;
                    return Ok(true);
                }
                "coordinates" => &mut found.coordinates,
                "geometry" => &mut found.geometry,
                "geometries" => &mut found.geometries,
                "features" => &mut found.features,
                _ => return Ok(false),
            };
            *slot = Some(value.clone());
            Ok(false)
        })?;
        let kind = found.kind.ok_or_else(|| Fault::at(start, "the object has no type"))?;
        let lacks = |member: &str| Fault::at(start, format!("the {kind} has no {member}"));
        match kind.as_str() {
            "Polygon" => {
                let mut at = found.coordinates.ok_or_else(|| lacks("coordinates"))?;
                self.polygon(&mut at)
            }
            "MultiPolygon" => {
                let mut at = found.coordinates.ok_or_else(|| lacks("coordinates"))?;
                elements(&mut at, |at| self.polygon(at))
            }
            "GeometryCollection" => {
                let mut at = found.geometries.ok_or_else(|| lacks("geometries"))?;
                elements(&mut at, |at| self.object(at, depth + 1))
            }
            "Feature" => {
                let number = self.features;
                self.features += 1;
                let mut at = found.geometry.ok_or_else(|| lacks("geometry"))?;
                if null(&mut at) {
                    return Ok(());
                }
                self.object(&mut at, depth + 1)
                    .map_err(|fault| fault.in_element(|| format!("feature {number}")))
            }
            "FeatureCollection" => {
                let mut at = found.features.ok_or_else(|| lacks("features"))?;
                elements(&mut at, |at| self.object(at, depth + 1))
            }
            "Point" | "MultiPoint" | "LineString" | "MultiLineString" => Err(Fault::at(
                start,
                format!(
                    "{kind} has no area that can be walked on; Polygon, MultiPolygon and collections are read"
                ),
            )),
            other => Err(Fault::at(start, format!("type '{}' is unknown", excerpt(other.as_bytes())))),
        }
    }

    fn polygon(&mut self, text: &mut Cursor) -> Result<(), Fault> {
        elements(text, |ring| {
            elements(ring, |position| self.position(position))
                .map_err(|fault| fault.in_element(|| self.plan.element()))?;
            self.plan.end_ring();
            Ok(())
        })?;
        self.plan.end_polygon();
        Ok(())
    }

    fn position(&mut self, text: &mut Cursor) -> Result<(), Fault> {
        let at = text.at();
        text.expect(b'[')?;
        let x = text.number()?;
        text.expect(b',')?;
        let y = text.number()?;
        let mut is_higher = false;
        while text.take(b',') {
            text.number()?;
            is_higher = true;
        }
        text.expect(b']')?;
        self.plan.vertex(at, x, y, is_higher)
    }
}

/// Passes a `crs` member and refuses degrees.
fn reference_system(text: &mut Cursor, options: &PlanOptions) -> Result<(), Fault> {
    let at = text.at();
    if text.peek() != Some(b'{') {
        return skip_value(text);
    }
    members(text, |name, value| {
        if name != "properties" || value.peek() != Some(b'{') {
            return Ok(false);
        }
        members(value, |name, value| {
            if name != "name" || value.peek() != Some(b'"') {
                return Ok(false);
            }
            degrees::refuse_name(&string(value)?, options).map_err(|message| Fault::at(at, message))?;
            Ok(true)
        })?;
        Ok(true)
    })
}
