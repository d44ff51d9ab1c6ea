//! The leaves of the tree as cells, and the openings between them.
//!
//! Steps: 1. leaves are numbered, planes with the same numbers become one  2. the section of every inner node goes down both
//!   of its sides: where a leaf below and a leaf above meet  3. walls in the plane are taken away.
//! Promises: an opening lies in the plane that bounds both of its cells, on opposite sides.

use super::tree::{Leaf, Limits, Node, box_planes};
use crate::{
    plane::{HalfSpace, Plane, PlaneId},
    polygon,
    polytope::Polytope,
};
use rayon::prelude::*;
use std::collections::HashMap;
use wayfare_core::DVec3;

/// A leaf with the half-spaces of its way from the root.
pub(super) struct Cell {
    /// Keys of faces are half-spaces.
    pub(super) body: Polytope,
    pub(super) half_spaces: Vec<HalfSpace>,
    pub(super) is_free: bool,
    pub(super) volume: f64,
}

/// A place where one goes from one cell into another.
#[derive(Clone)]
pub(super) struct Opening {
    /// Below and above the plane.
    pub(super) cells: [u32; 2],
    pub(super) plane: PlaneId,
    pub(super) points: Vec<DVec3>,
    /// Whether no wall was taken away from what the two cells share.
    pub(super) is_whole: bool,
    /// Whether a body passes, here or through a wider opening of which this is a part; decided by the flood.
    pub(super) is_wide: bool,
}

pub(super) struct Cells {
    pub(super) planes: Vec<Plane>,
    pub(super) cells: Vec<Cell>,
    pub(super) openings: Vec<Opening>,
}

/// Steps 1 to 3.
pub(super) fn collect(tree: Node, bounds: [DVec3; 2], limits: &Limits) -> Cells {
    let sides = box_planes(bounds[0], bounds[1]);
    let mut planes: Vec<Plane> = sides.iter().map(|side| side.0).collect();
    let mut way: Vec<HalfSpace> =
        sides.iter().zip(0..).map(|(side, k)| HalfSpace::new(PlaneId(k), side.1)).collect();
    let mut known: HashMap<[u64; 4], PlaneId> = HashMap::new();
    let mut cells = Vec::new();
    let mut numbered = Numbered { planes: &mut planes, known: &mut known, cells: &mut cells };
    let tree = numbered.number(tree, &mut way);
    let mut inner = Vec::new();
    list(&tree, &mut inner);
    let openings = inner.par_iter().map(|node| openings_of(node, limits)).collect::<Vec<_>>();
    Cells { planes, cells, openings: openings.into_iter().flatten().collect() }
}

/// The tree with leaves by number.
enum Branch {
    Leaf(u32),
    Inner(Box<Split>),
}

struct Split {
    plane: Plane,
    id: PlaneId,
    section: Vec<DVec3>,
    walls: Vec<Vec<DVec3>>,
    parts: [Branch; 2],
}

struct Numbered<'a> {
    planes: &'a mut Vec<Plane>,
    known: &'a mut HashMap<[u64; 4], PlaneId>,
    cells: &'a mut Vec<Cell>,
}

impl Numbered<'_> {
    /// Step 1.
    fn number(&mut self, node: Node, way: &mut Vec<HalfSpace>) -> Branch {
        let node = match node {
            Node::Leaf(leaf) => {
                self.cells.push(cell_of(leaf, way));
                return Branch::Leaf(self.cells.len() as u32 - 1);
            }
            Node::Inner(node) => *node,
        };
        let normal = node.plane.normal;
        let bits = [normal.x, normal.y, normal.z, node.plane.offset].map(|c| (c + 0.0).to_bits());
        let id = *self.known.entry(bits).or_insert_with(|| {
            self.planes.push(node.plane);
            PlaneId(self.planes.len() as u32 - 1)
        });
        let mut go = |part, above| {
            way.push(HalfSpace::new(id, above));
            let branch = self.number(part, way);
            way.pop();
            branch
        };
        let [below, above] = node.parts;
        let parts = [go(below, false), go(above, true)];
        let (plane, section, walls) = (node.plane, node.section, node.walls);
        Branch::Inner(Box::new(Split { plane, id, section, walls, parts }))
    }
}

/// Keys of faces that were depths of the way become half-spaces.
fn cell_of(leaf: Leaf, way: &[HalfSpace]) -> Cell {
    let mut body = leaf.cell;
    for face in &mut body.faces {
        let depth = if face.key < 6 { face.key } else { face.key / 2 };
        face.key = way[depth as usize].0;
    }
    let mut half_spaces = way.to_vec();
    half_spaces.sort_unstable();
    half_spaces.dedup();
    let volume = body.volume();
    Cell { body, half_spaces, is_free: leaf.is_free, volume }
}

fn list<'a>(branch: &'a Branch, out: &mut Vec<&'a Split>) {
    if let Branch::Inner(node) = branch {
        out.push(node);
        list(&node.parts[0], out);
        list(&node.parts[1], out);
    }
}

/// Steps 2 and 3 for one node.
fn openings_of(node: &Split, limits: &Limits) -> Vec<Opening> {
    let mut below = Vec::new();
    descend(&node.parts[0], node.section.clone(), limits, &mut below);
    let mut out = Vec::new();
    let mut both = Vec::new();
    let boxes: Vec<[DVec3; 2]> = node.walls.iter().map(|wall| box_of(wall)).collect();
    for (low, points) in below {
        descend(&node.parts[1], points, limits, &mut both);
        for (high, points) in both.drain(..) {
            let own = box_of(&points);
            let mut pieces = vec![points];
            let mut is_whole = true;
            for (wall, area) in node.walls.iter().zip(&boxes) {
                let apart =
                    area[0].cmpgt(own[1] + limits.piece).any() || own[0].cmpgt(area[1] + limits.piece).any();
                if !apart && polygon::subtract(&mut pieces, wall, node.plane.normal, limits.piece) {
                    is_whole = false;
                    if pieces.is_empty() {
                        break;
                    }
                }
            }
            // What nothing passes is no opening.
            pieces.retain(|piece| polygon::width(piece) > limits.width / 10.0);
            if !is_whole {
                polygon::unite(&mut pieces, node.plane.normal, limits.piece);
            }
            let cells = [low, high];
            out.extend(pieces.into_iter().map(|points| Opening {
                cells,
                plane: node.id,
                points,
                is_whole,
                is_wide: false,
            }));
        }
    }
    out
}

fn box_of(points: &[DVec3]) -> [DVec3; 2] {
    let low = points.iter().fold(DVec3::INFINITY, |low, p| low.min(*p));
    [low, points.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p))]
}

/// The parts of a polygon in the side of a cell that bound the leaves below a branch.
fn descend(branch: &Branch, points: Vec<DVec3>, limits: &Limits, out: &mut Vec<(u32, Vec<DVec3>)>) {
    match branch {
        Branch::Leaf(number) => out.push((*number, points)),
        Branch::Inner(node) => {
            let parts = polygon::split(&points, &node.plane, limits.cell);
            for (branch, part) in node.parts.iter().zip(parts) {
                if let Some(part) = part {
                    descend(branch, part, limits, out);
                }
            }
        }
    }
}
