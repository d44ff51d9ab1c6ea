//! Places where a body leaves the ground for the air, and comes back to it: what joins a navmesh to a volume mesh.

use crate::mesh::{CellId, NavMesh};
use wayfare_core::{
    DVec3, MAX_COORDINATE,
    container::{Container, ContainerError, ContainerWriter},
};

/// Sections of a `.way` file.
const CELLS: &str = "hocells";
const REGIONS: &str = "horegs";
const POINTS: &str = "hopoints";
const VOLUME: &str = "hovolume";

/// A place of the ground with free space over it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandOver {
    /// The cell that one stands on.
    pub cell: CellId,
    /// The region of the volume mesh that begins there, by its number.
    pub region: u32,
    /// The place, on the ground.
    pub point: DVec3,
}

/// All places of one navmesh that join it to one volume mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HandOvers {
    /// The places, ascending by cell and region.
    pub places: Vec<HandOver>,
    /// Number of regions of the volume mesh: another one has not the same.
    pub regions: u32,
}

impl NavMesh {
    /// The places that join it to a volume mesh, if it was linked to one.
    pub fn hand_overs(&self) -> Option<&HandOvers> {
        self.hand_overs.as_ref()
    }

    /// Links the mesh to a volume mesh, also in its file. Says what is wrong with a place.
    pub fn set_hand_overs(&mut self, hand_overs: Option<HandOvers>) -> Result<(), String> {
        if let Some(all) = &hand_overs {
            all.check(self.cell_count())?;
        }
        self.hand_overs = hand_overs;
        Ok(())
    }
}

impl HandOvers {
    fn check(&self, cells: usize) -> Result<(), String> {
        for (k, place) in self.places.iter().enumerate() {
            let HandOver { cell, region, point } = *place;
            let is_sound = (cell.0 as usize) < cells
                && region < self.regions
                && point.is_finite()
                && point.abs().max_element() <= MAX_COORDINATE;
            if !is_sound {
                return Err(format!("hand-over place {k} is out of range: {place:?}"));
            }
        }
        Ok(())
    }

    pub(crate) fn put(&self, file: &mut ContainerWriter) {
        file.put(CELLS, self.places.iter().map(|place| place.cell.0));
        file.put(REGIONS, self.places.iter().map(|place| place.region));
        file.put(POINTS, self.places.iter().flat_map(|place| place.point.to_array()));
        file.put(VOLUME, [self.regions]);
    }

    pub(crate) fn get(file: &Container, cells: usize) -> Result<Option<Self>, ContainerError> {
        if !file.has(VOLUME) {
            return Ok(None);
        }
        let damaged = |what: &str| ContainerError::Damaged(what.into());
        let (own, regions) = (file.get::<u32>(CELLS)?, file.get::<u32>(REGIONS)?);
        let points = file.get::<f64>(POINTS)?;
        let (points, []) = points.as_chunks::<3>() else {
            return Err(damaged("section 'hopoints' is not made of triples"));
        };
        let &[count] = file.get::<u32>(VOLUME)?.as_slice() else {
            return Err(damaged("section 'hovolume' is not one number"));
        };
        if own.len() != regions.len() || own.len() != points.len() {
            return Err(damaged("the sections of hand-over places have different lengths"));
        }
        let place = |((&cell, &region), &point): ((&u32, &u32), &[f64; 3])| HandOver {
            cell: CellId(cell),
            region,
            point: DVec3::from_array(point),
        };
        let places = own.iter().zip(&regions).zip(points).map(place).collect();
        let all = Self { places, regions: count };
        all.check(cells).map_err(|what| damaged(&what))?;
        Ok(Some(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{ell, mesh};
    use wayfare_core::dvec3;

    #[test]
    fn places_come_back_from_the_file_and_those_out_of_range_are_refused() {
        let mut linked = mesh(ell());
        let place = HandOver { cell: CellId(1), region: 3, point: dvec3(1.0, 2.0, 0.5) };
        let all = |place| HandOvers { places: vec![place], regions: 4 };
        linked.set_hand_overs(Some(all(place))).unwrap();
        let read = NavMesh::from_bytes(linked.to_bytes()).unwrap();
        assert_eq!(read.hand_overs(), Some(&all(place)));
        for bad in [
            HandOver { cell: CellId(9), ..place },
            HandOver { region: 4, ..place },
            HandOver { point: dvec3(f64::NAN, 0.0, 0.0), ..place },
        ] {
            assert!(linked.set_hand_overs(Some(all(bad))).is_err());
        }
        linked.set_hand_overs(None).unwrap();
        assert_eq!(NavMesh::from_bytes(linked.to_bytes()).unwrap().hand_overs(), None);
    }
}
