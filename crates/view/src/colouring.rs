//! Colours for cells so that no two neighbours have the same.
//!
//! Idea: take the cell with the fewest remaining neighbours away, again and again; colour in the reverse
//! order. Seen from above the cells of a storey are a planar map, where some cell always has at most five
//! neighbours, so six colours are enough.
//! Source: smallest-last ordering, Matula and Beck 1983, "Smallest-last ordering and clustering and graph
//!   coloring algorithms". We differ: among the free colours we take the one that fewest cells at the same
//!   corners have, then the one used least, so that colours spread evenly.
//! Steps: 1. neighbours without repeats  2. take away by degree  3. colour in reverse
//! Cost: O(corners × cells at a corner), deterministic. Where storeys are joined into a map that is not
//! planar, a colour may have to repeat: the one with the fewest clashes is taken.

use wayfare_core::Id as _;
use wayfare_navmesh::NavMesh;

/// How many colours there are.
pub const COLOURS: usize = 6;

/// A colour 0 .. [`COLOURS`] for each cell; cells that share a portal differ.
pub fn colour_cells(mesh: &NavMesh) -> Vec<u8> {
    // 1. neighbours without repeats
    let neighbours: Vec<Vec<u32>> = mesh
        .cells()
        .map(|cell| {
            let mut list: Vec<u32> =
                mesh.corners(cell).filter_map(|corner| mesh.neighbour(corner)).map(|other| other.0).collect();
            list.sort_unstable();
            list.dedup();
            list
        })
        .collect();
    let mut cells_at: Vec<Vec<u32>> = vec![Vec::new(); mesh.vertex_count()];
    for cell in mesh.cells() {
        for vertex in mesh.cell_vertices(cell) {
            cells_at[vertex.index()].push(cell.0);
        }
    }
    colour(&neighbours, |cell| {
        let corners = mesh.cell_vertices(wayfare_navmesh::CellId::new(cell));
        corners.flat_map(|vertex| &cells_at[vertex.index()]).copied().collect()
    })
}

/// A colour 0 .. [`COLOURS`] for each of `count` things of which some pairs are neighbours and should differ; where that takes more colours,
/// as in space it may, few pairs are alike.
pub fn colour_neighbours(count: usize, pairs: &[[u32; 2]]) -> Vec<u8> {
    let mut neighbours = vec![Vec::new(); count];
    for &[one, two] in pairs.iter().filter(|[one, two]| one != two) {
        neighbours[one as usize].push(two);
        neighbours[two as usize].push(one);
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    colour(&neighbours, |_| Vec::new())
}

/// A colour 0 .. [`COLOURS`] for each chart of a surface, by its number; charts on both sides of an edge differ, if that is possible.
/// `chart` says the chart of a triangle, if it has one.
pub fn colour_charts(triangles: &[[u32; 3]], chart: impl Fn(usize) -> Option<u32>) -> Vec<u8> {
    let mut sides: Vec<[u32; 3]> = Vec::with_capacity(3 * triangles.len());
    for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
        let Some(chart) = chart(triangle) else { continue };
        sides.extend([(a, b), (b, c), (c, a)].map(|(p, q)| [p.min(q), p.max(q), chart]));
    }
    sides.sort_unstable();
    let pairs: Vec<[u32; 2]> = sides
        .windows(2)
        .filter(|pair| pair[0][..2] == pair[1][..2])
        .map(|pair| [pair[0][2], pair[1][2]])
        .collect();
    let count = sides.iter().map(|side| side[2] as usize + 1).max().unwrap_or(0);
    colour_neighbours(count, &pairs)
}

/// Steps 2 and 3; `touching` are those that should differ if that is possible.
fn colour(neighbours: &[Vec<u32>], touching: impl Fn(usize) -> Vec<u32>) -> Vec<u8> {
    let count = neighbours.len();

    // 2. take away by degree
    let mut degree: Vec<usize> = neighbours.iter().map(Vec::len).collect();
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); degree.iter().max().map_or(0, |most| most + 1)];
    for cell in (0..count).rev() {
        buckets[degree[cell]].push(cell as u32);
    }
    let mut taken = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut lowest = 0;
    while order.len() < count {
        let Some(cell) = buckets[lowest].pop() else {
            lowest += 1;
            continue;
        };
        let cell = cell as usize;
        // A cell is pushed again whenever its degree drops; only the latest entry counts.
        if taken[cell] || degree[cell] != lowest {
            continue;
        }
        taken[cell] = true;
        order.push(cell);
        for &other in &neighbours[cell] {
            let other = other as usize;
            if !taken[other] {
                degree[other] -= 1;
                buckets[degree[other]].push(other as u32);
                lowest = lowest.min(degree[other]);
            }
        }
    }

    // 3. colour in reverse
    const NONE: u8 = u8::MAX;
    let mut colours = vec![NONE; count];
    let mut used = [0usize; COLOURS];
    for &cell in order.iter().rev() {
        let mut clashes = [0usize; COLOURS];
        let mut touches = [0usize; COLOURS];
        let add = |list: &[u32], sums: &mut [usize; COLOURS]| {
            for &other in list {
                if let Some(sum) = sums.get_mut(usize::from(colours[other as usize])) {
                    *sum += 1;
                }
            }
        };
        add(&neighbours[cell], &mut clashes);
        add(&touching(cell), &mut touches);
        let best = (0..COLOURS).min_by_key(|&k| (clashes[k], touches[k], used[k], k)).unwrap_or(0);
        used[best] += 1;
        colours[cell] = best as u8;
    }
    colours
}
