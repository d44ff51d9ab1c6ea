//! Meshes made of random grid maps, and the shortest paths on them by brute force.
//!
//! Grid maps are the hard case for exact search: most lines of sight pass exactly through vertices. Squares are
//! merged into rectangles at random, those are cut along random chords, and straight borders keep some vertices
//! that nobody needs, as imported meshes do.

// Every test program uses its part of this.
#![allow(dead_code, clippy::allow_attributes, reason = "shared by several test programs")]

pub mod brute;
pub mod check;
pub mod cut;
pub mod ground;

pub use cut::mesh_of_cells;
use wayfare_core::{DVec2, DVec3, dvec2};
use wayfare_navmesh::NavMesh;

/// SplitMix64 (Steele, Lea and Flood 2014): enough for tests, the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// 0 .. 1
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A grid map; squares outside are blocked.
#[derive(Clone, Debug)]
pub struct GridMap {
    pub width: usize,
    pub height: usize,
    pub free: Vec<bool>,
}

impl GridMap {
    pub fn random(random: &mut Random, width: usize, height: usize, percent_free: usize) -> Self {
        let free = (0..width * height).map(|_| random.chance(percent_free)).collect();
        Self { width, height, free }
    }
    pub fn is_free(&self, x: i64, y: i64) -> bool {
        x >= 0
            && y >= 0
            && (x as usize) < self.width
            && (y as usize) < self.height
            && self.free[y as usize * self.width + x as usize]
    }
}

/// How a map is turned into cells.
#[derive(Clone, Copy, Debug)]
pub struct Cutting {
    /// Whether squares grow into rectangles.
    pub merge: bool,
    /// Chance of each cell to be cut along a chord [%], again and again.
    pub cut: usize,
    /// Chance of a vertex in a straight border to stay [%].
    pub keep: usize,
    /// How far vertices are moved at random; above 0 only with single squares that are cut.
    pub jitter: f64,
    /// Chance of each cell to be joined with a neighbour, convex or not [%].
    pub join: usize,
    /// Turned by this angle about the origin [rad].
    pub turn: f64,
}

impl Default for Cutting {
    fn default() -> Self {
        Self { merge: true, cut: 0, keep: 0, jitter: 0.0, join: 0, turn: 0.0 }
    }
}

impl Cutting {
    /// Where a point of the map lies in the mesh.
    pub fn place(&self, p: DVec2) -> DVec2 {
        if self.turn == 0.0 { p } else { DVec2::from_angle(self.turn).rotate(p) }
    }
}

/// A mesh of the free squares.
pub fn mesh_of(map: &GridMap, cutting: Cutting, random: &mut Random) -> NavMesh {
    let (w, h) = (map.width as i64, map.height as i64);
    // 1. Rectangles.
    let mut owner = vec![usize::MAX; map.free.len()];
    let mut count = 0;
    for y in 0..h {
        for x in 0..w {
            if !map.is_free(x, y) || owner[(y * w + x) as usize] != usize::MAX {
                continue;
            }
            let (mut x1, mut y1) = (x + 1, y + 1);
            if cutting.merge {
                let room = |owner: &[usize], x: i64, y: i64| {
                    map.is_free(x, y) && owner[(y * w + x) as usize] == usize::MAX
                };
                loop {
                    let right = (y..y1).all(|j| room(&owner, x1, j)) && random.chance(80);
                    if right {
                        x1 += 1;
                    }
                    let down = (x..x1).all(|i| room(&owner, i, y1)) && random.chance(80);
                    if down {
                        y1 += 1;
                    }
                    if !right && !down {
                        break;
                    }
                }
            }
            for j in y..y1 {
                for i in x..x1 {
                    owner[(j * w + i) as usize] = count;
                }
            }
            count += 1;
        }
    }
    // 2. Rings of lattice points; a vertex is a lattice point and the fan of free squares at it.
    let at = |x: i64, y: i64| map.is_free(x, y).then(|| owner[(y * w + x) as usize]);
    let kept: Vec<bool> = (0..(w + 1) * (h + 1)).map(|_| random.chance(cutting.keep)).collect();
    let mut rings: Vec<Vec<(i64, i64, usize)>> = vec![Vec::new(); count];
    for (id, ring) in rings.iter_mut().enumerate() {
        let squares = (0..w * h).filter(|&k| owner[k as usize] == id);
        let (x0, y0, x1, y1) = squares.fold((w, h, 0, 0), |(a, b, c, d), k| {
            let (x, y) = (k % w, k / w);
            (a.min(x), b.min(y), c.max(x + 1), d.max(y + 1))
        });
        // Counter-clockwise with y up; each unit edge with the square across.
        let mut border = Vec::new();
        border.extend((x0..x1).map(|x| ((x, y0), at(x, y0 - 1))));
        border.extend((y0..y1).map(|y| ((x1, y), at(x1, y))));
        border.extend((x0..x1).rev().map(|x| ((x + 1, y1), at(x, y1))));
        border.extend((y0..y1).rev().map(|y| ((x0, y + 1), at(x0 - 1, y))));
        let n = border.len();
        for k in 0..n {
            let ((x, y), across) = border[k];
            let is_end = (x == x0 || x == x1) && (y == y0 || y == y1);
            if is_end || across != border[(k + n - 1) % n].1 || kept[(y * (w + 1) + x) as usize] {
                // The square of this rectangle at the point tells the fan.
                let square = (x.clamp(x0, x1 - 1), y.clamp(y0, y1 - 1));
                ring.push((x, y, fan_of(map, x, y, square)));
            }
        }
    }
    let mut keys: Vec<(i64, i64, usize)> = rings.iter().flatten().copied().collect();
    keys.sort_unstable();
    keys.dedup();
    let offsets: Vec<DVec2> = (0..(w + 1) * (h + 1))
        .map(|_| dvec2(random.unit() - 0.5, random.unit() - 0.5) * 2.0 * cutting.jitter)
        .collect();
    let positions: Vec<DVec2> = keys
        .iter()
        .map(|&(x, y, _)| dvec2(x as f64, y as f64) + offsets[(y * (w + 1) + x) as usize])
        .collect();
    let mut cells: Vec<Vec<u32>> = rings
        .iter()
        .map(|ring| ring.iter().map(|key| keys.binary_search(key).unwrap() as u32).collect())
        .collect();
    // 3. Chords.
    let mut k = 0;
    while k < cells.len() {
        if cells[k].len() > 3 && (cutting.jitter > 0.0 || random.chance(cutting.cut)) {
            let ring = cells[k].clone();
            let n = ring.len();
            let (i, len) = (random.below(n), 2 + random.below(n - 3));
            let one: Vec<u32> = (0..=len).map(|k| ring[(i + k) % n]).collect();
            let two: Vec<u32> = (len..=n).map(|k| ring[(i + k) % n]).collect();
            let area = |ring: &[u32]| {
                let points: Vec<DVec2> = ring.iter().map(|&v| positions[v as usize]).collect();
                wayfare_geom::ring_area(&points)
            };
            if area(&one) > 1e-9 && area(&two) > 1e-9 {
                cells[k] = one;
                cells.push(two);
                continue;
            }
        }
        k += 1;
    }
    // 4. Cells that are not convex.
    let mut k = 0;
    while k < cells.len() {
        if random.chance(cutting.join)
            && let Some((j, both)) = (0..cells.len()).find_map(|j| Some((j, joined(&cells[k], &cells[j])?)))
        {
            cells[k] = both;
            cells.swap_remove(j);
            k = 0;
            continue;
        }
        k += 1;
    }
    let positions: Vec<DVec2> = positions.into_iter().map(|p| cutting.place(p)).collect();
    mesh_of_cells(&positions, &cells, if cutting.join > 0 { 1000.0 } else { 1e-6 })
}

/// The union of two rings that share exactly one edge and no other vertex.
fn joined(one: &[u32], two: &[u32]) -> Option<Vec<u32>> {
    let (n, m) = (one.len(), two.len());
    if one == two || one.iter().filter(|v| two.contains(v)).count() != 2 {
        return None;
    }
    let (i, j) = (0..n).find_map(|i| {
        Some((i, (0..m).find(|&j| two[j] == one[(i + 1) % n] && two[(j + 1) % m] == one[i])?))
    })?;
    let mut both: Vec<u32> = (0..n).map(|k| one[(i + 1 + k) % n]).collect();
    both.extend((0..m - 2).map(|k| two[(j + 2 + k) % m]));
    Some(both)
}

/// The lowest-numbered square of the fan that a square belongs to, seen from a lattice point: 0 .. 3 clockwise
/// from the upper right.
fn fan_of(map: &GridMap, x: i64, y: i64, square: (i64, i64)) -> usize {
    let around = [(x, y), (x, y - 1), (x - 1, y - 1), (x - 1, y)];
    let own = around.iter().position(|&s| s == square).unwrap();
    let free = around.map(|(x, y)| map.is_free(x, y));
    if free.iter().all(|&f| f) {
        return 0;
    }
    let mut k = own;
    while free[(k + 3) % 4] {
        k = (k + 3) % 4;
    }
    k
}

/// A point on the finer lattice of `FINE` steps per square.
pub const FINE: i64 = 4;
pub type Fine = (i64, i64);

pub fn to_metres(p: Fine) -> DVec3 {
    DVec3::new(p.0 as f64, p.1 as f64, 0.0) / FINE as f64
}

impl GridMap {
    /// Whether a point lies on free ground.
    pub fn holds(&self, p: Fine) -> bool {
        let squares = |c: i64| {
            if c.rem_euclid(FINE) == 0 { vec![c / FINE - 1, c / FINE] } else { vec![c.div_euclid(FINE)] }
        };
        squares(p.0).into_iter().any(|x| squares(p.1).into_iter().any(|y| self.is_free(x, y)))
    }

    /// Whether one can go straight from `p` to `q`; integers only.
    pub fn is_visible(&self, p: Fine, q: Fine) -> bool {
        let (dx, dy) = (q.0 - p.0, q.1 - p.1);
        if dx == 0 && p.0 % FINE == 0 {
            return self.is_line_free(p.1.min(q.1), p.1.max(q.1), |k| [(p.0 / FINE - 1, k), (p.0 / FINE, k)]);
        }
        if dy == 0 && p.1 % FINE == 0 {
            return self.is_line_free(p.0.min(q.0), p.0.max(q.0), |k| [(k, p.1 / FINE - 1), (k, p.1 / FINE)]);
        }
        let side = |x: i64, y: i64| (dx * (y * FINE - p.1) - dy * (x * FINE - p.0)).signum();
        let range = |a: i64, b: i64| a.min(b).div_euclid(FINE) - 1..=a.max(b).div_euclid(FINE) + 1;
        for x in range(p.0, q.0) {
            for y in range(p.1, q.1) {
                let overlaps = |a: i64, b: i64, k: i64| a.max(b) > k * FINE && a.min(b) < (k + 1) * FINE;
                let sides = [side(x, y), side(x + 1, y), side(x, y + 1), side(x + 1, y + 1)];
                let is_inside = overlaps(p.0, q.0, x) && overlaps(p.1, q.1, y);
                if is_inside && sides.contains(&1) && sides.contains(&-1) && !self.is_free(x, y) {
                    return false;
                }
                // Through a lattice point where two blocked squares touch.
                let strictly = |a: i64, b: i64, k: i64| a.max(b) > k * FINE && a.min(b) < k * FINE;
                if side(x, y) == 0 && strictly(p.0, q.0, x) && strictly(p.1, q.1, y) {
                    let beside = if (dx > 0) == (dy > 0) {
                        [(x - 1, y), (x, y - 1)]
                    } else {
                        [(x, y), (x - 1, y - 1)]
                    };
                    if beside.iter().all(|&(x, y)| !self.is_free(x, y)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn is_line_free(&self, from: i64, to: i64, beside: impl Fn(i64) -> [(i64, i64); 2]) -> bool {
        let mut before: Option<[bool; 2]> = None;
        for k in from.div_euclid(FINE)..=(to - 1).div_euclid(FINE).max(from.div_euclid(FINE)) {
            if from == to {
                return true;
            }
            let free = beside(k).map(|(x, y)| self.is_free(x, y));
            if !free[0] && !free[1] {
                return false;
            }
            if let Some(before) = before
                && !(before[0] && free[0] || before[1] && free[1])
            {
                return false;
            }
            before = Some(free);
        }
        true
    }

    /// Shortest length from `p` to `q` over all corners, by Dijkstra on the visibility graph.
    pub fn shortest(&self, p: Fine, q: Fine) -> Option<f64> {
        let mut nodes = vec![p, q];
        for y in 0..=self.height as i64 {
            for x in 0..=self.width as i64 {
                let around = [(x, y), (x, y - 1), (x - 1, y - 1), (x - 1, y)];
                if around.iter().filter(|&&(x, y)| self.is_free(x, y)).count() == 3 {
                    nodes.push((x * FINE, y * FINE));
                }
            }
        }
        let n = nodes.len();
        let mut length = vec![f64::INFINITY; n];
        let mut done = vec![false; n];
        length[0] = 0.0;
        loop {
            let k = (0..n).filter(|&k| !done[k]).min_by(|&a, &b| length[a].total_cmp(&length[b]))?;
            if length[k] == f64::INFINITY {
                return None;
            }
            if k == 1 {
                return Some(length[1]);
            }
            done[k] = true;
            for j in 0..n {
                if !done[j] && self.is_visible(nodes[k], nodes[j]) {
                    let step = (to_metres(nodes[k]) - to_metres(nodes[j])).length();
                    length[j] = length[j].min(length[k] + step);
                }
            }
        }
    }
}
