//! Random ground on a skewed lattice, cut into cells in several ways. Everything is small integers (or quarters
//! of them), so that plain integer arithmetic is an exact oracle.

use proptest::prelude::*;
use wayfare_core::{DVec2, DVec3, dvec2, dvec3};
use wayfare_navmesh::{CellId, LocateConfig, NavMesh, RawNavMesh};

/// How the squares of the ground are made into cells.
#[derive(Clone, Copy, Debug)]
enum Cut {
    Squares,
    /// Each square by one of its diagonals.
    Triangles,
    /// Runs of squares in a row, with the lattice points on their long sides.
    Runs,
}

#[derive(Clone, Debug)]
struct Ground {
    width: usize,
    mask: Vec<bool>,
    /// Decides diagonals and where runs end.
    choices: Vec<bool>,
    /// Images of the two unit vectors; positive determinant.
    frame: [[i64; 2]; 2],
}

impl Ground {
    fn height(&self) -> usize {
        self.mask.len() / self.width
    }
    fn is_ground(&self, x: isize, y: isize) -> bool {
        let inside = x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height();
        inside && self.mask[y as usize * self.width + x as usize]
    }
    /// The place of a lattice point given in quarters, in quarters.
    fn place(&self, x: i64, y: i64) -> [i64; 2] {
        let [u, v] = self.frame;
        [x * u[0] + y * v[0], x * u[1] + y * v[1]]
    }

    fn polygons(&self, cut: Cut) -> Vec<Vec<u32>> {
        let vertex = |x: usize, y: usize| (y * (self.width + 1) + x) as u32;
        let mut polygons = Vec::new();
        for y in 0..self.height() {
            let mut x = 0;
            while x < self.width {
                if !self.mask[y * self.width + x] {
                    x += 1;
                    continue;
                }
                let mut end = x + 1;
                let choice = |x: usize| self.choices[y * self.width + x];
                if matches!(cut, Cut::Runs) {
                    while end < self.width && self.mask[y * self.width + end] && choice(end) {
                        end += 1;
                    }
                }
                let below = (x..=end).map(|x| vertex(x, y));
                let above = (x..=end).rev().map(|x| vertex(x, y + 1));
                let ring: Vec<u32> = below.chain(above).collect();
                match (cut, choice(x)) {
                    (Cut::Triangles, true) => {
                        polygons.extend([vec![ring[0], ring[1], ring[2]], vec![ring[0], ring[2], ring[3]]]);
                    }
                    (Cut::Triangles, false) => {
                        polygons.extend([vec![ring[0], ring[1], ring[3]], vec![ring[1], ring[2], ring[3]]]);
                    }
                    _ => polygons.push(ring),
                }
                x = end;
            }
        }
        polygons
    }

    fn raw(&self, cut: Cut) -> RawNavMesh {
        let points = (0..=self.height()).flat_map(|y| (0..=self.width).map(move |x| (x as i64, y as i64)));
        let points = points.map(|(x, y)| self.place(x, y)).map(|[x, y]| dvec3(x as f64, y as f64, 0.0));
        RawNavMesh::from_polygons(&points.collect::<Vec<_>>(), &self.polygons(cut)).unwrap()
    }

    /// Lattice points with three squares of ground round them.
    fn notches(&self) -> usize {
        let points =
            (0..=self.height() as isize).flat_map(|y| (0..=self.width as isize).map(move |x| (x, y)));
        let around = |x, y| [(x, y), (x - 1, y), (x, y - 1), (x - 1, y - 1)];
        points
            .filter(|&(x, y)| around(x, y).iter().filter(|&&(x, y)| self.is_ground(x, y)).count() == 3)
            .count()
    }

    /// Number of pieces of ground, joined by sides, and of holes: pieces without ground, joined by sides or
    /// corners, that do not reach the rim.
    fn pieces_and_holes(&self) -> (usize, usize) {
        let (w, h) = (self.width as isize + 2, self.height() as isize + 2);
        let mut seen = vec![false; (w * h) as usize];
        let mut pieces = [0, 0];
        for seed in 0..w * h {
            let (sx, sy) = (seed % w - 1, seed / w - 1);
            if std::mem::replace(&mut seen[seed as usize], true) {
                continue;
            }
            let kind = self.is_ground(sx, sy);
            pieces[kind as usize] += 1;
            let mut stack = vec![(sx, sy)];
            while let Some((x, y)) = stack.pop() {
                for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                    let (nx, ny) = (x + dx, y + dy);
                    let inside = nx >= -1 && ny >= -1 && nx < w - 1 && ny < h - 1;
                    if !inside || kind && dx != 0 && dy != 0 || self.is_ground(nx, ny) != kind {
                        continue;
                    }
                    let at = ((ny + 1) * w + nx + 1) as usize;
                    if !std::mem::replace(&mut seen[at], true) {
                        stack.push((nx, ny));
                    }
                }
            }
        }
        (pieces[1], pieces[0] - 1)
    }
}

fn ground() -> impl Strategy<Value = Ground> {
    let frames = [[[1, 0], [0, 1]], [[3, 1], [-1, 2]], [[0, 2], [-2, 0]], [[5, 3], [2, 4]]];
    (1usize..9, 1usize..9, 0.3f64..1.0, prop::sample::select(frames.to_vec())).prop_flat_map(
        |(width, height, density, frame)| {
            let bits = |p| prop::collection::vec(prop::bool::weighted(p), width * height);
            (bits(density), bits(0.6)).prop_map(move |(mask, choices)| Ground { width, mask, choices, frame })
        },
    )
}

const CUTS: [Cut; 3] = [Cut::Squares, Cut::Triangles, Cut::Runs];

/// The cells that contain a point given in quarters; exact.
fn cells_by_hand(ground: &Ground, polygons: &[Vec<u32>], [px, py]: [i64; 2]) -> Vec<u32> {
    let contains = |polygon: &Vec<u32>| {
        let lattice = ground.width as i64 + 1;
        let corner = |&v: &u32| ground.place(4 * (i64::from(v) % lattice), 4 * (i64::from(v) / lattice));
        let corners: Vec<[i64; 2]> = polygon.iter().map(corner).collect();
        (0..corners.len()).all(|k| {
            let ([ax, ay], [bx, by]) = (corners[k], corners[(k + 1) % corners.len()]);
            (bx - ax) * (py - ay) - (by - ay) * (px - ax) >= 0
        })
    };
    (0..polygons.len()).filter(|&k| contains(&polygons[k])).map(|k| k as u32).collect()
}

fn distance_by_hand(mesh: &NavMesh, cell: CellId, p: DVec2) -> f64 {
    let corners: Vec<DVec2> = mesh.cell_points(cell).collect();
    let edges = (0..corners.len()).map(|k| (corners[k], corners[(k + 1) % corners.len()]));
    let inside = edges.clone().all(|(a, b)| (b - a).perp_dot(p - a) >= 0.0);
    let along =
        |a: DVec2, b: DVec2| a + (b - a) * ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    if inside { 0.0 } else { edges.map(|(a, b)| along(a, b).distance(p)).fold(f64::INFINITY, f64::min) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_cut_of_one_ground_is_sound_and_has_the_same_facts(ground in ground()) {
        let (pieces, holes) = ground.pieces_and_holes();
        for cut in CUTS {
            let mesh = ground.raw(cut).validate().unwrap();
            prop_assert_eq!(mesh.check(), vec![]);
            let facts = mesh.facts();
            prop_assert_eq!((facts.notches, facts.components, facts.holes), (ground.notches(), pieces, holes));
            let square = ground.place(1, 0)[0] * ground.place(0, 1)[1] - ground.place(1, 0)[1] * ground.place(0, 1)[0];
            prop_assert_eq!(facts.area, square as f64 * ground.mask.iter().filter(|&&g| g).count() as f64);
            let bytes = mesh.to_bytes();
            let again = NavMesh::from_bytes(bytes.clone()).unwrap();
            prop_assert_eq!(again.raw(), mesh.raw());
            prop_assert_eq!(again.to_bytes(), bytes);
        }
    }

    #[test]
    fn every_point_is_located_as_by_hand(ground in ground(), snap in 0.0f64..3.0) {
        for cut in CUTS {
            let mesh = ground.raw(cut).validate().unwrap();
            let polygons = ground.polygons(cut);
            let config = LocateConfig { snap, ..LocateConfig::default() };
            for (y, x) in (-3..=4 * ground.height() as i64 + 3).flat_map(|y| (-3..=4 * ground.width as i64 + 3).map(move |x| (y, x))) {
                let quarters = ground.place(x, y);
                let p = dvec2(quarters[0] as f64 / 4.0, quarters[1] as f64 / 4.0);
                let expected = cells_by_hand(&ground, &polygons, quarters);
                let found: Vec<u32> = mesh.cells_at(p, -1.0..=1.0).map(|cell| cell.0).collect();
                prop_assert_eq!(&found, &expected);
                let location = mesh.locate(p.extend(0.5), &config);
                if let Some(&lowest) = expected.first() {
                    let location = location.unwrap();
                    prop_assert_eq!((location.cell.0, location.point, location.distance), (lowest, p.extend(0.0), 0.5));
                    prop_assert_eq!(mesh.cells_of(&location).map(|cell| cell.0).collect::<Vec<_>>(), expected);
                    continue;
                }
                let aside = mesh.cells().map(|cell| distance_by_hand(&mesh, cell, p)).fold(f64::INFINITY, f64::min);
                let nearest = (aside * aside + 0.25).sqrt();
                match location {
                    None => prop_assert!(nearest > snap - 1e-12),
                    Some(location) => {
                        prop_assert!((location.distance - nearest).abs() < 1e-12 && nearest <= snap + 1e-12);
                        prop_assert!(mesh.contains(location.cell, location.point.truncate()));
                        prop_assert!((location.point.distance(p.extend(0.5)) - location.distance).abs() < 1e-12);
                    }
                }
            }
        }
    }

    #[test]
    fn changed_data_is_refused_or_makes_a_mesh_that_can_be_used(
        ground in ground(),
        cut in prop::sample::select(CUTS.to_vec()),
        changes in prop::collection::vec((0..12u8, any::<prop::sample::Index>(), -3i32..20, any::<bool>()), 1..6),
    ) {
        let mut raw = ground.raw(cut);
        for (array, index, value, wild) in changes {
            mutate(&mut raw, array, index, value, wild);
        }
        match raw.validate() {
            Err(defects) => prop_assert!(!defects.is_empty()),
            Ok(mesh) => {
                // Cells may lie on each other now; nothing may panic or run away.
                let _ = mesh.check();
                let facts = mesh.facts();
                prop_assert!(facts.area.is_finite());
                let again = NavMesh::from_bytes(mesh.to_bytes()).unwrap();
                prop_assert_eq!(again.raw(), mesh.raw());
                for cell in mesh.cells() {
                    let middle = mesh.cell_points(cell).sum::<DVec2>() / mesh.corners(cell).len() as f64;
                    let z = mesh.height(cell, middle);
                    prop_assert!(z.is_finite());
                    if let Some(location) = mesh.locate(middle.extend(z), &LocateConfig::default()) {
                        prop_assert!(mesh.contains(location.cell, location.point.truncate()));
                    }
                }
                for vertex in mesh.vertices() {
                    prop_assert!(mesh.fan(vertex).count() > 0);
                }
            }
        }
    }
}

fn mutate(raw: &mut RawNavMesh, array: u8, index: prop::sample::Index, value: i32, wild: bool) {
    let word = if wild { value.wrapping_mul(0x3779_97f5) as u32 } else { value as u32 };
    let number = if wild { f64::from_bits(u64::from(word) << 40) } else { f64::from(value) };
    fn at<T>(items: &mut [T], index: prop::sample::Index) -> Option<&mut T> {
        if items.is_empty() { None } else { Some(index.get_mut(items)) }
    }
    let set = |items: &mut [u32]| {
        if let Some(item) = at(items, index) {
            *item = word;
        }
    };
    match array {
        0 => set(&mut raw.corners),
        1 => set(&mut raw.neighbours),
        2 => set(&mut raw.cell_starts),
        3 => set(&mut raw.storeys),
        4 | 5 => {
            if let Some(p) = at(&mut raw.vertices, index) {
                *p = [p.with_x(number), p.with_y(number), p.with_z(number), DVec3::splat(number)]
                    [value.rem_euclid(4) as usize];
            }
        }
        6 => {
            if let Some(flags) = at(&mut raw.vertex_flags, index) {
                *flags = (word & 1) as u8 | if wild { word as u8 } else { 0 };
            }
        }
        7 => {
            if let Some(tag) = at(&mut raw.tags, index) {
                *tag = word as u8;
            }
        }
        8 => raw.convex_distance = number,
        9 => raw.imported = !raw.imported,
        10 => {
            // Two cells change places, neighbours do not follow.
            if raw.corners.len() > 8 {
                let len = raw.corners.len();
                raw.corners.rotate_left(1 + index.index(len - 1));
            }
        }
        _ => {
            raw.neighbours.truncate(index.index(raw.neighbours.len() + 1));
        }
    }
}
