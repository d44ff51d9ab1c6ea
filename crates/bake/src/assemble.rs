//! From a floor plan to a navigation mesh: pieces of ground are decomposed, the cells are numbered and joined.

use crate::{
    borders::{Borders, join_borders},
    config::{BakeConfig, BakeError},
    decompose::{RegionCells, decompose_ground},
    glue::{Piece, find_pieces},
    ground_lists::GroundLists,
    storeys::find_storeys,
    surface::Surface,
    thin_walls::match_thin_walls,
};
use rayon::prelude::*;
use wayfare_core::{Context, DVec3};
use wayfare_floor::{Corners, EdgeKind, FloorPlan, PlanVertexId};
use wayfare_geom::triangulation::NONE;
use wayfare_navmesh::{NO_CELL, NavMesh, RawNavMesh, SPLIT_POINT};

/// Turns a floor plan into a navigation mesh with few convex cells.
///
/// The result depends on the plan and the settings alone, not on the number of threads.
pub fn bake(plan: &FloorPlan, config: &BakeConfig, context: &Context) -> Result<NavMesh, BakeError> {
    config.check()?;
    let corners = Corners::new(plan);
    if let Some(&corner) = corners.unmatched.first() {
        return Err(BakeError::Edge { vertex: corners.vertices[corner as usize] });
    }
    let has_shared = corners.has_shared();
    let pieces = find_pieces(&corners);
    let stage = context.stage("cells", pieces.len() as u64);
    let decompose = |piece: &Piece| {
        let (ground, walls) = piece.ground(&corners, has_shared, context)?;
        let wide = ground.wide.iter().map(|&v| corners.vertices[walls[v as usize] as usize]).collect();
        let cells = decompose_ground(ground, config, context)?;
        stage.advance(1);
        Ok(PieceCells { cells, walls, wide })
    };
    // What cannot be cut in parts is done beside what can.
    let (surface, decomposed) = rayon::join(
        || Surface::new(&corners, &pieces),
        || pieces.par_iter().map(decompose).collect::<Vec<Result<PieceCells, BakeError>>>(),
    );
    drop(stage);
    let surface = surface?;
    let decomposed = decomposed.into_iter().collect::<Result<Vec<_>, _>>()?;

    let mut assembly = Assembly::new(&corners, &surface, config);
    for piece in &decomposed {
        assembly.append(piece);
    }
    let Assembly { mut raw, mut edges, mut plan_vertices, piece_cells, .. } = assembly;
    if has_shared {
        raw.rises = join_borders(&corners, &mut raw, &mut edges);
    }
    match_thin_walls(&corners, &surface, &mut raw, &mut edges, &mut plan_vertices);
    raw.drop_depths = drop_depths(&corners, &edges);
    raw.head_rooms = head_rooms(&corners, &edges);
    let mut wide: Vec<u32> = decomposed.iter().flat_map(|piece| &piece.wide).copied().collect();
    wide.sort_unstable();
    let lists = GroundLists {
        corners: &corners,
        surface: &surface,
        piece_cells: &piece_cells,
        plan_vertices: &plan_vertices,
        wide: &wide,
    };
    context.check()?;
    lists.write(&mut raw);
    context.check()?;
    let is_wide = |vertex: u32| {
        plan_vertices.get(vertex as usize).is_some_and(|plan_vertex| wide.binary_search(plan_vertex).is_ok())
    };
    raw.storeys = if plan.layers.len() > 1 { find_storeys(&raw, is_wide) } else { vec![0; raw.cell_count()] };
    raw.validate_with(|count, work| (0..count).into_par_iter().for_each(work)).map_err(BakeError::Mesh)
}

/// The cells of a piece of ground.
struct PieceCells {
    cells: RegionCells,
    /// The corner of the plan at which the wall of each of its vertices starts.
    walls: Vec<u32>,
    /// Vertices of the plan that the ground goes round once or more.
    wide: Vec<u32>,
}

/// The mesh so far.
struct Assembly<'a> {
    corners: &'a Corners<'a>,
    surface: &'a Surface,
    raw: RawNavMesh,
    /// For each corner of a cell, the corner of the plan whose edge its edge is a part of; [`NONE`] for portals.
    edges: Vec<u32>,
    /// The number of each vertex of the plan.
    vertices: Vec<u32>,
    /// The vertex of the plan that each vertex is; [`NONE`] for points that split walls.
    plan_vertices: Vec<u32>,
    /// The first cell of each piece; one more entry than pieces.
    piece_cells: Vec<u32>,
    /// Points that split borders, so that both sides have the same.
    borders: Borders,
    has_gaps: bool,
}

impl<'a> Assembly<'a> {
    fn new(corners: &'a Corners<'a>, surface: &'a Surface, config: &BakeConfig) -> Self {
        let raw = RawNavMesh {
            cell_starts: vec![0],
            tag_names: corners.plan.tag_names.clone(),
            convex_distance: config.convex_distance,
            heights_error: corners.plan.heights_error,
            reach: corners.plan.reach.map(|reach| [reach.step, reach.max_gap, reach.height]),
            ..RawNavMesh::default()
        };
        let vertices = vec![NONE; corners.plan.vertices.len()];
        Self {
            corners,
            surface,
            raw,
            edges: Vec::new(),
            vertices,
            plan_vertices: Vec::new(),
            piece_cells: vec![0],
            borders: Borders::default(),
            has_gaps: corners.regions.iter().any(|region| region.gap.is_some()),
        }
    }

    /// Adds the cells of a piece: its vertices of the plan that are new first, then the points that split its walls.
    fn append(&mut self, piece: &PieceCells) {
        let PieceCells { cells, walls, .. } = piece;
        let (corners, raw) = (self.corners, &mut self.raw);
        let mut numbers = Vec::with_capacity(walls.len() + cells.splits.len());
        for &corner in walls {
            let vertex = corners.vertices[corner as usize];
            let number = &mut self.vertices[vertex as usize];
            if *number == NONE {
                *number = raw.vertices.len() as u32;
                raw.vertices.push(corners.plan.vertices[PlanVertexId(vertex)]);
                raw.vertex_flags.push(0);
                self.plan_vertices.push(vertex);
            }
            numbers.push(*number);
        }
        for split in &cells.splits {
            let edge = walls[split.wall[0] as usize];
            let number = raw.vertices.len() as u32;
            let number = self.borders.split(corners, edge, split.point, number);
            if number as usize == raw.vertices.len() {
                let z = self.surface.height_on_edge(corners, edge, split.point);
                raw.vertices.push(DVec3::new(split.point.x, split.point.y, z));
                raw.vertex_flags.push(SPLIT_POINT);
                self.plan_vertices.push(NONE);
            }
            numbers.push(number);
        }
        let (corner_base, first_cell) = (raw.corners.len() as u32, raw.tags.len() as u32);
        raw.cell_starts.extend(cells.starts[1..].iter().map(|&start| corner_base + start));
        raw.corners.extend(cells.corners.iter().map(|&v| numbers[v as usize]));
        let neighbour = |&n: &u32| if n == NO_CELL { NO_CELL } else { first_cell + n };
        raw.neighbours.extend(cells.neighbours.iter().map(neighbour));
        self.edges.extend(cells.corners.iter().zip(&cells.neighbours).map(|(&v, &n)| match n {
            NO_CELL => {
                let start =
                    cells.splits.get((v as usize).wrapping_sub(walls.len())).map_or(v, |split| split.wall[0]);
                walls[start as usize]
            }
            _ => NONE,
        }));
        let tag = walls.first().map_or(0, |&corner| corners.regions[corners.region(corner)].tag);
        raw.tags.extend(std::iter::repeat_n(tag, cells.len()));
        if self.has_gaps {
            let gap = walls.first().and_then(|&corner| corners.regions[corners.region(corner)].gap);
            let gap = gap.map_or([0.0; 2], |gap| [gap.rise, gap.width]);
            raw.gaps.extend(std::iter::repeat_n(gap, cells.len()));
        }
        self.piece_cells.push(raw.tags.len() as u32);
    }
}

/// How much room there is beyond each edge of a cell where there is too little; empty where there is none.
fn head_rooms(corners: &Corners, edges: &[u32]) -> Vec<f32> {
    let room = |&edge: &u32| match corners.kinds.get(edge as usize) {
        Some(EdgeKind::Low { height }) => *height,
        _ => 0.0,
    };
    if corners.kinds.iter().any(|kind| matches!(kind, EdgeKind::Low { .. })) {
        edges.iter().map(room).collect()
    } else {
        Vec::new()
    }
}

/// How deep it goes down at each edge of a cell; empty where it goes down nowhere.
fn drop_depths(corners: &Corners, edges: &[u32]) -> Vec<f32> {
    let depth = |&edge: &u32| match corners.kinds.get(edge as usize) {
        Some(EdgeKind::Drop { depth }) => *depth,
        _ => 0.0,
    };
    if corners.kinds.iter().any(|kind| matches!(kind, EdgeKind::Drop { .. })) {
        edges.iter().map(depth).collect()
    } else {
        Vec::new()
    }
}
