//! Floor plans as files (`.wayplan`): the sections of the container, checked on reading.
//!
//! | section | numbers |
//! |---|---|
//! | `position` | `f64` × 3 per vertex |
//! | `ringvert` | `u32` per ring corner: its vertex |
//! | `edgekind` | `u8` per ring corner: the edge that starts there is 0 a wall, 1 a drop, 2 a seam, 3 a tag border, 4 a gap or step, 5 a seam with a step, 6 too low |
//! | `edgeval` | `u32` per ring corner: the depth of a drop or the room where it is too low as `f32`, the layer across a seam, else 0 |
//! | `rises` | `f64` per edge of the kinds 4 and 5; only in plans with gaps |
//! | `gaps` | `f64` × 2 per region: rise and width of a gap, 0 and 0 for ground; only in plans with gaps |
//! | `reach` | `f64` × 3, or none: step, widest gap and height of the body that the plan was made for; only in plans with gaps |
//! | `ringat` | `u32` per ring and one more: where its corners start |
//! | `regionat` | `u32` per region and one more: where its rings start; the first is the outline |
//! | `tag` | `u8` per region |
//! | `layerat` | `u32` per layer and one more: where its regions start |
//! | `tagname` | UTF-8, names separated by line feeds |
//! | `ground` | `f64` × 3 per further point of the ground |
//! | `groundat` | `u32` per region and one more: where its triangles start |
//! | `triangle` | `u32` × 3 per triangle: vertices, then points of the ground |
//! | `error` | one `f64`: the largest error of the heights |

use crate::{EdgeKind, FloorPlan, Layer, PlanVertexId, Reach, Region, Ring, Stride};
use std::path::Path;
use wayfare_core::{
    DVec3, Defect, IdVec,
    container::{Container, ContainerError, ContainerWriter},
    defects::summary,
};

/// The kind of the container.
const KIND: [u8; 4] = *b"PLAN";
/// The version of plans without gaps, and the newest one.
const WITHOUT_GAPS: u32 = 2;
const VERSION: u32 = 3;

/// Why a `.wayplan` file is not a floor plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes are not a whole container of the right kind.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The numbers do not make a plan; the list is never empty.
    #[error("not a valid floor plan: {}", summary(.0))]
    Invalid(Vec<Defect>),
}

impl FloorPlan {
    /// Writes a `.wayplan` file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), ContainerError> {
        self.to_container().write(path)
    }

    /// The bytes of a `.wayplan` file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_container().to_bytes()
    }

    /// Reads a `.wayplan` file; a plan that is not valid is refused.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        Self::from_container(&Container::read(path)?)
    }

    /// Reads the bytes of a `.wayplan` file; a plan that is not valid is refused.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ReadError> {
        Self::from_container(&Container::from_bytes(bytes)?)
    }

    fn to_container(&self) -> ContainerWriter {
        let regions = || self.layers.iter().flat_map(|layer| &layer.regions);
        let rings = || regions().flat_map(Region::rings);
        let kinds = || rings().flat_map(|ring| &ring.kinds);
        let has_gaps = kinds().any(|kind| kind.code().0 > 3)
            || regions().any(|region| region.gap.is_some())
            || self.reach.is_some();
        let mut writer = ContainerWriter::new(KIND, if has_gaps { VERSION } else { WITHOUT_GAPS });
        writer.put("position", self.vertices.as_slice().iter().flat_map(|p| p.to_array()));
        writer.put("ringvert", rings().flat_map(|ring| &ring.vertices).map(|v| v.0));
        writer.put("edgekind", kinds().map(|kind| kind.code().0));
        writer.put("edgeval", kinds().map(|kind| kind.code().1));
        if has_gaps {
            let with_rise = kinds().filter(|kind| EdgeKind::has_rise(kind.code().0));
            writer.put("rises", with_rise.map(|kind| kind.rise()));
            let gaps = regions().map(|region| region.gap.map_or([0.0; 2], |gap| [gap.rise, gap.width]));
            writer.put("gaps", gaps.flatten());
            writer.put(
                "reach",
                self.reach.into_iter().flat_map(|reach| [reach.step, reach.max_gap, reach.height]),
            );
        }
        writer.put("ringat", starts(rings().map(|ring| ring.vertices.len())));
        writer.put("regionat", starts(regions().map(|region| 1 + region.holes.len())));
        writer.put("tag", regions().map(|region| region.tag));
        writer.put("layerat", starts(self.layers.iter().map(|layer| layer.regions.len())));
        writer.put_text("tagname", &self.tag_names.join("\n"));
        writer.put("ground", self.ground_points.iter().flat_map(|p| p.to_array()));
        writer.put("groundat", starts(regions().map(|region| region.ground.len())));
        writer.put("triangle", regions().flat_map(|region| &region.ground).flatten().copied());
        writer.put("error", [self.heights_error]);
        writer
    }

    fn from_container(file: &Container) -> Result<Self, ReadError> {
        file.expect_kind(KIND, if file.version() == WITHOUT_GAPS { WITHOUT_GAPS } else { VERSION })?;
        let plan = Self::get(file)?;
        let defects = plan.check();
        if defects.is_empty() { Ok(plan) } else { Err(ReadError::Invalid(defects)) }
    }

    /// The plan as the sections describe it, valid or not.
    fn get(file: &Container) -> Result<Self, ContainerError> {
        let vertices: IdVec<PlanVertexId, DVec3> = points(file, "position")?.into_iter().collect();
        let corners = file.get::<u32>("ringvert")?;
        let kinds = file.get::<u8>("edgekind")?;
        let values = file.get::<u32>("edgeval")?;
        if kinds.len() != corners.len() || values.len() != corners.len() {
            return damaged("edges and kinds differ in number");
        }
        let has_gaps = file.version() > WITHOUT_GAPS;
        let rises = if has_gaps { file.get::<f64>("rises")? } else { Vec::new() };
        if rises.len() != kinds.iter().filter(|&&code| EdgeKind::has_rise(code)).count() {
            return damaged("steps and their rises differ in number");
        }
        let mut rises = rises.into_iter();
        let kinds = kinds.into_iter().zip(values).map(|(code, value)| {
            let rise = if EdgeKind::has_rise(code) { rises.next().unwrap_or(0.0) } else { 0.0 };
            EdgeKind::from_code(code, value, rise)
        });
        let Some(kinds) = kinds.collect::<Option<Vec<_>>>() else {
            return damaged("an edge is of an unknown kind");
        };
        let mut rings = Vec::new();
        for range in ranges(file, "ringat", corners.len())? {
            let vertices = corners[range.clone()].iter().map(|&v| PlanVertexId(v)).collect();
            rings.push(Ring { vertices, kinds: kinds[range].to_vec() });
        }
        let tags = file.get::<u8>("tag")?;
        let region_ranges = ranges(file, "regionat", rings.len())?;
        if tags.len() != region_ranges.len() {
            return damaged("regions and tags differ in number");
        }
        let gaps = match has_gaps {
            true => file.get::<f64>("gaps")?,
            false => vec![0.0; 2 * tags.len()],
        };
        let (gaps, []) = gaps.as_chunks::<2>() else {
            return damaged("a gap has no two numbers");
        };
        if gaps.len() != tags.len() {
            return damaged("regions and gaps differ in number");
        }
        let triangles = file.get::<u32>("triangle")?;
        if !triangles.len().is_multiple_of(3) {
            return damaged("a triangle has no three corners");
        }
        let triangles: Vec<[u32; 3]> = triangles.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
        let grounds = ranges(file, "groundat", triangles.len())?;
        if tags.len() != grounds.len() {
            return damaged("regions and their ground differ in number");
        }
        let mut rings = rings.into_iter();
        let mut regions = Vec::new();
        for (((range, tag), ground), gap) in region_ranges.into_iter().zip(tags).zip(grounds).zip(gaps) {
            let mut own = rings.by_ref().take(range.len());
            let Some(outer) = own.next() else {
                return damaged("a region has no outline");
            };
            let gap = Some(Stride { rise: gap[0], width: gap[1] }).filter(|_| *gap != [0.0; 2]);
            let ground = triangles[ground].to_vec();
            regions.push(Region { outer, holes: own.collect(), tag, gap, ground });
        }
        let layer_ranges = ranges(file, "layerat", regions.len())?;
        let mut regions = regions.into_iter();
        let layers = layer_ranges
            .into_iter()
            .map(|range| Layer { regions: regions.by_ref().take(range.len()).collect() })
            .collect();
        let tag_names = file.get_text("tagname")?.split('\n').map(String::from).collect();
        let ground_points = points(file, "ground")?;
        let [heights_error] = file.get::<f64>("error")?[..] else {
            return damaged("section 'error' is not one number");
        };
        let reach = match has_gaps {
            true => file.get::<f64>("reach")?,
            false => Vec::new(),
        };
        let reach = match reach[..] {
            [] => None,
            [step, max_gap, height] => Some(Reach { step, max_gap, height }),
            _ => return damaged("section 'reach' is not three numbers"),
        };
        Ok(FloorPlan { vertices, layers, tag_names, ground_points, heights_error, reach })
    }
}

/// Points of three coordinates each.
fn points(file: &Container, section: &str) -> Result<Vec<DVec3>, ContainerError> {
    let numbers = file.get::<f64>(section)?;
    if !numbers.len().is_multiple_of(3) {
        return damaged(&format!("a point in section '{section}' has no three coordinates"));
    }
    Ok(numbers.chunks_exact(3).map(|p| DVec3::new(p[0], p[1], p[2])).collect())
}

/// Running sums of lengths, from 0.
fn starts(lengths: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut at = 0;
    let ends = lengths.map(|length| {
        at += length as u32;
        at
    });
    std::iter::once(0).chain(ends).collect()
}

/// The ranges of a list of starts: they begin at 0, never go back, and end at `end`.
fn ranges(
    file: &Container,
    section: &str,
    end: usize,
) -> Result<Vec<std::ops::Range<usize>>, ContainerError> {
    let starts = file.get::<u32>(section)?;
    let is_whole = starts.first() == Some(&0) && starts.last().is_some_and(|&last| last as usize == end);
    if !is_whole || starts.windows(2).any(|pair| pair[0] > pair[1]) {
        return damaged(&format!("section '{section}' does not cover its elements"));
    }
    Ok(starts.windows(2).map(|pair| pair[0] as usize..pair[1] as usize).collect())
}

fn damaged<T>(what: &str) -> Result<T, ContainerError> {
    Err(ContainerError::Damaged(what.into()))
}
