//! Any bytes are refused, or make a mesh that can be checked, counted, located on and written again.
//!
//! The first byte chooses the door: a file as it is, a file with a right checksum and these sections, the text of a
//! `.mesh` file, or a sound mesh with some of its numbers changed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wayfare_core::{DVec2, container::ContainerWriter, dvec3};
use wayfare_navmesh::{LocateConfig, NavMesh, PathFinder, PathScratch, RawNavMesh};

fuzz_target!(|data: &[u8]| {
    let Some((&door, data)) = data.split_first() else { return };
    let mesh = match door % 4 {
        0 => NavMesh::from_bytes(data.to_vec()).ok(),
        1 => NavMesh::import_polyanya(data).ok().inspect(|mesh| assert!(mesh.check().is_empty())),
        2 => NavMesh::from_bytes(sections(data)).ok(),
        _ => changed(data).validate().ok(),
    };
    if let Some(mesh) = mesh {
        use_it(&mesh);
    }
});

/// A file with a right checksum whose sections have the given bytes: each a length and so many bytes.
fn sections(mut data: &[u8]) -> Vec<u8> {
    let mut file = ContainerWriter::new(*b"NAVM", 2);
    let names = [
        "vertices", "vflags", "cells", "corners", "across", "storeys", "tags", "taglens", "tagnames",
        "relax", "flags", "drops", "grpoints", "grtriang", "grcells", "grlists", "grerror", "acc.head",
        "acc.from", "acc.to", "acc.mark", "acc.dist",
    ];
    for name in names {
        let Some((&length, rest)) = data.split_first() else { break };
        let (section, rest) = rest.split_at(rest.len().min(length as usize));
        file.put(name, section.iter().copied());
        data = rest;
    }
    file.to_bytes()
}

/// Squares round a hole over triangles of ground, with changes of four bytes each: which array, where, and the new value
/// in two bytes. The first byte says whether there is ground under the squares, and whether some cells have many triangles.
fn changed(data: &[u8]) -> RawNavMesh {
    let points: Vec<_> = (0..25).map(|k| dvec3((k % 5) as f64, (k / 5) as f64, 0.0)).collect();
    let squares = [0, 1, 2, 3, 5, 8, 10, 11, 13, 15, 16, 17u32];
    let polygons: Vec<[u32; 4]> = squares.iter().map(|&v| [v, v + 1, v + 6, v + 5]).collect();
    let mut raw = RawNavMesh::from_polygons(&points, &polygons).expect("squares share edges");
    let vertices = raw.vertices.len();
    let (&style, data) = data.split_first().unwrap_or((&0, data));
    if style & 1 != 0 {
        add_ground(&mut raw, if style & 2 != 0 { 6 } else { 1 });
    }
    for change in data.chunks_exact(4) {
        let at = change[1] as usize;
        let vertex = at % vertices;
        let small = u32::from(change[2]) | u32::from(change[3] & 0x80) << 24;
        let number = f64::from(i16::from_le_bytes([change[2], change[3]])) / 256.0;
        let put = |items: &mut [u32]| {
            if let Some(item) = pick(items, at) {
                *item = small;
            }
        };
        match change[0] % 21 {
            0 => put(&mut raw.corners),
            1 => put(&mut raw.neighbours),
            2 => put(&mut raw.cell_starts),
            3 => put(&mut raw.storeys),
            4 => raw.vertices[vertex].x = number,
            5 => raw.vertices[vertex].y = number,
            6 => raw.vertices[vertex].z = number,
            7 => raw.vertex_flags[vertex] = change[2] & 3,
            8 => raw.convex_distance = number,
            9 => raw.imported = change[2] & 1 != 0,
            10 => raw.tags[at % squares.len()] = change[2] & 1,
            11 => put(&mut raw.ground_starts),
            12 => put(&mut raw.ground_lists),
            13 => put(raw.ground_triangles.as_flattened_mut()),
            14..=16 => {
                if let Some(point) = pick(&mut raw.ground_points, at) {
                    point[change[0] as usize % 3] = number;
                }
            }
            17 => raw.drop_depths.resize(raw.corners.len(), 0.0),
            18 => {
                if let Some(depth) = pick(&mut raw.drop_depths, at) {
                    *depth = if change[3] == 0xff { f32::INFINITY } else { number as f32 };
                }
            }
            19 => raw.heights_error = number,
            _ => raw.neighbours.truncate(at),
        }
    }
    raw
}

fn pick<T>(items: &mut [T], at: usize) -> Option<&mut T> {
    let length = items.len().max(1);
    items.get_mut(at % length)
}

/// Waves of `n` × `n` squares of two triangles under each cell.
fn add_ground(raw: &mut RawNavMesh, n: u32) {
    let side = 4 * n + 1;
    raw.ground_points.extend((0..side * side).map(|k| {
        let (x, y) = (f64::from(k % side) / f64::from(n), f64::from(k / side) / f64::from(n));
        dvec3(x, y, (x * 2.0).sin() * y / 4.0)
    }));
    raw.ground_starts.push(0);
    for cell in 0..raw.cell_count() {
        let corners = raw.cell_starts[cell] as usize..raw.cell_starts[cell + 1] as usize;
        let ring = raw.corners[corners].iter().map(|&v| raw.vertices[v as usize]);
        let low = ring.reduce(|a, b| a.min(b)).unwrap_or_default();
        for square in 0..n * n {
            let v = (low.y as u32 * n + square / n) * side + low.x as u32 * n + square % n;
            for triangle in [[v, v + 1, v + side + 1], [v, v + side + 1, v + side]] {
                raw.ground_lists.push(raw.ground_triangles.len() as u32);
                raw.ground_triangles.push(triangle);
            }
        }
        raw.ground_starts.push(raw.ground_lists.len() as u32);
    }
    for k in 0..raw.vertices.len() {
        let p = raw.vertices[k];
        raw.vertices[k].z = (p.x * 2.0).sin() * p.y / 4.0;
    }
}

fn use_it(mesh: &NavMesh) {
    let is_sound = mesh.check().is_empty();
    let facts = mesh.facts();
    assert!(facts.area.is_finite());
    let bytes = mesh.to_bytes();
    let again = NavMesh::from_bytes(bytes.clone()).expect("what was written can be read");
    assert!(again.to_bytes() == bytes);
    let config = LocateConfig { snap: 2.0, ..LocateConfig::default() };
    let finder = PathFinder::new(mesh);
    let mut scratch = PathScratch::new();
    let mut before = mesh.vertices().next().map(|v| mesh.position(v)).unwrap_or_default();
    let edges = mesh.portals().iter().map(|(_, sides)| mesh.edge(sides[0]).map(|v| mesh.xy(v)));
    let middles = edges.map(|[a, b]| (a + b) / 2.0);
    let cells =
        mesh.cells().map(|cell| mesh.cell_points(cell).sum::<DVec2>() / mesh.corners(cell).len() as f64);
    for p in mesh.vertices().map(|v| mesh.xy(v)).chain(middles).chain(cells) {
        for cell in mesh.cells_at(p, f64::NEG_INFINITY..=f64::INFINITY) {
            assert!(mesh.contains(cell, p) && mesh.height(cell, p).is_finite());
        }
        if let Some(location) = mesh.locate(p.extend(0.0), &config) {
            assert!(!is_sound || mesh.contains(location.cell, location.point.truncate()));
            assert!(location.distance.is_finite());
            let path = finder.find(location.point, before, &config, &mut scratch);
            assert!(
                path.is_ok_and(|path| path.length.is_finite()) || !is_sound || mesh.component_count() > 1
            );
            before = location.point;
        }
    }
    for vertex in mesh.vertices() {
        assert!(mesh.fan(vertex).count() > 0);
        let p = mesh.position(vertex);
        assert!(mesh.cells_at(p.truncate(), f64::NEG_INFINITY..=f64::INFINITY).next().is_some());
    }
}
