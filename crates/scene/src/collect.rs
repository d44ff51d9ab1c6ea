//! Collects rings of coordinates from a parser: scales, checks, closes, and names elements.

use crate::{PlanOptions, PlanSource, error::Fault};
use wayfare_core::{DVec2, MAX_COORDINATE, dvec2};
use wayfare_geom::{Aabb2, Polygon};

/// A plan in the making.
pub(crate) struct Collector {
    source: PlanSource,
    scale: f64,
    polygon: Polygon,
    ring: Vec<DVec2>,
    rings: usize,
    /// Box round all raw coordinates (before scaling).
    raw: Aabb2,
    extra_ordinates: bool,
}

impl Collector {
    pub fn new(options: &PlanOptions) -> Self {
        Self {
            source: PlanSource::default(),
            scale: options.scale,
            polygon: Polygon::default(),
            ring: Vec::new(),
            rings: 0,
            raw: Aabb2::EMPTY,
            extra_ordinates: false,
        }
    }

    /// Adds a vertex, read at byte `at`; `extra` says that it had a height or a measure, too.
    pub fn vertex(&mut self, at: usize, x: f64, y: f64, extra: bool) -> Result<(), Fault> {
        let p = dvec2(x, y) * self.scale;
        // Written so that NaN fails.
        if !(p.x.abs() <= MAX_COORDINATE && p.y.abs() <= MAX_COORDINATE) {
            let message = if p.is_finite() {
                // Huge numbers have an exponent so, not hundreds of digits.
                format!("coordinate ({x:?}, {y:?}) is over {MAX_COORDINATE:e} m")
            } else {
                format!("coordinate ({x}, {y}) is not a finite number")
            };
            return Err(Fault::at(at, message)
                .in_element(|| format!("{}, vertex {}", self.element(), self.ring.len())));
        }
        self.raw = self.raw.with(dvec2(x, y));
        self.extra_ordinates |= extra;
        // Adding zero makes one zero of both.
        self.ring.push(p + 0.0);
        Ok(())
    }

    /// The ring being read, in words.
    pub fn element(&self) -> String {
        format!("polygon {}, ring {}", self.source.polygons.len(), self.rings)
    }

    /// Ends the ring; the first ring of a polygon is its outline.
    pub fn end_ring(&mut self) {
        let mut ring = std::mem::take(&mut self.ring);
        match ring.as_slice() {
            [first, .., last] if first == last => {
                ring.pop();
            }
            [] | [_] => {}
            _ => {
                let element = self.element();
                self.source.repair.note("unclosed-ring", || element);
            }
        }
        if self.rings == 0 {
            self.polygon.outer = ring;
        } else {
            self.polygon.holes.push(ring);
        }
        self.rings += 1;
    }

    /// Ends the polygon.
    pub fn end_polygon(&mut self) {
        self.rings = 0;
        let polygon = std::mem::take(&mut self.polygon);
        if !polygon.is_empty() {
            self.source.polygons.push(polygon);
        }
    }

    /// Box round all coordinates as they stand in the file.
    pub fn raw_bounds(&self) -> Aabb2 {
        self.raw
    }

    /// The plan.
    pub fn finish(mut self) -> PlanSource {
        if self.extra_ordinates {
            self.source.notes.push("heights and measures of the vertices were left out".into());
        }
        self.source
    }
}
