//! Pieces that are as flat as possible, by variational shape approximation.
//!
//! Source: Cohen-Steiner, Alliez and Desbrun 2004, "Variational shape approximation": a piece has a proxy normal; faces flood from seeds,
//!   the one that fits its proxy best first; then proxies are fitted to their pieces and seeds moved to the best face. The
//!   metric is L²,¹: area times the squared difference of the normals.
//! We differ: pieces are kept roundish where normals do not decide, and the first seeds are each as far from the others as can be (found by growing), not random, so that the same surface
//!   gives the same pieces.
//! Cost: per round O(n log n).

use crate::{FaceId, SurfaceMesh, mesh::NONE};
use std::{cmp::Reverse, collections::BinaryHeap};
use wayfare_core::{DVec3, Id as _};

/// What pieces are made of: normals, areas and middles of the faces.
pub struct Shape {
    pub normals: Vec<DVec3>,
    pub areas: Vec<f64>,
    pub middles: Vec<DVec3>,
}

/// How much it matters that a piece is round: next to nothing beside normals, all on a plane, where every face fits.
const ROUND: f64 = 0.02;

/// A number that orders like the float; none is NaN or negative.
fn key(value: f64) -> u64 {
    value.max(0.0).to_bits()
}

/// The faces beside a face that are in the same set.
fn beside<'a>(surface: &'a SurfaceMesh, face: u32) -> impl Iterator<Item = u32> + 'a {
    let sides = FaceId::new(face as usize).half_edges();
    sides.into_iter().filter_map(|h| surface.twin(h)).map(|twin| twin.face().index() as u32)
}

/// What is known of each face of a surface while some of them are divided; made once for many divisions, each of which costs no more than
/// its own faces.
pub struct Pieces {
    /// Whether a face is among those that are divided.
    inside: Vec<bool>,
    distance: Vec<f64>,
    /// The piece of each face that was divided last.
    pub piece: Vec<u32>,
}

impl Pieces {
    /// For the faces of a surface.
    pub fn new(surface: &SurfaceMesh) -> Self {
        let faces = surface.face_count();
        Self { inside: vec![false; faces], distance: vec![f64::INFINITY; faces], piece: vec![NONE; faces] }
    }

    /// Divides faces into up to `count` connected pieces; more if they lie apart. Returns how many numbers there are; some may have no
    /// face.
    pub fn divide(
        &mut self,
        surface: &SurfaceMesh,
        shape: &Shape,
        faces: &[u32],
        count: usize,
        rounds: usize,
    ) -> usize {
        for &face in faces {
            self.inside[face as usize] = true;
            self.distance[face as usize] = f64::INFINITY;
        }
        let mut seeds = self.far_seeds(surface, shape, faces, count);
        let mut proxies: Vec<DVec3> = seeds.iter().map(|&seed| shape.normals[seed as usize]).collect();
        self.flood(surface, shape, faces, &seeds, &proxies);
        for _ in 0..rounds {
            let mut sums = vec![DVec3::ZERO; seeds.len()];
            for face in faces.iter().map(|&face| face as usize) {
                sums[self.piece[face] as usize] += shape.normals[face] * shape.areas[face];
            }
            proxies = sums.iter().map(|sum| sum.normalize_or_zero()).collect();
            let mut best = vec![(f64::INFINITY, NONE); seeds.len()];
            for &face in faces {
                let own = self.piece[face as usize] as usize;
                let error = shape.normals[face as usize].distance_squared(proxies[own]);
                if error < best[own].0 {
                    best[own] = (error, face);
                }
            }
            let moved: Vec<u32> = best
                .iter()
                .zip(&seeds)
                .map(|(best, &seed)| if best.1 == NONE { seed } else { best.1 })
                .collect();
            if moved == seeds {
                break;
            }
            seeds = moved;
            self.flood(surface, shape, faces, &seeds, &proxies);
        }
        faces.iter().for_each(|&face| self.inside[face as usize] = false);
        seeds.len()
    }

    /// Seeds far from each other: one in each part that lies apart, then again and again the face farthest from all of them, along
    /// the surface.
    fn far_seeds(&mut self, surface: &SurfaceMesh, shape: &Shape, faces: &[u32], count: usize) -> Vec<u32> {
        let mut seeds = Vec::new();
        for &face in faces {
            if self.distance[face as usize].is_infinite() {
                seeds.push(face);
                self.spread(surface, shape, face);
            }
        }
        // Distances only fall: an entry that is not true any more goes back with what is.
        let mut heap: BinaryHeap<(u64, Reverse<u32>)> =
            faces.iter().map(|&face| (key(self.distance[face as usize]), Reverse(face))).collect();
        while let Some((bits, Reverse(face))) = heap.pop() {
            let now = self.distance[face as usize];
            if seeds.len() >= count || bits == 0 {
                break;
            }
            if key(now) < bits {
                heap.push((key(now), Reverse(face)));
                continue;
            }
            seeds.push(face);
            self.spread(surface, shape, face);
        }
        seeds
    }

    /// Distances from one more face, over the middles of faces.
    fn spread(&mut self, surface: &SurfaceMesh, shape: &Shape, from: u32) {
        let mut heap: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
        self.distance[from as usize] = 0.0;
        heap.push(Reverse((0, from)));
        while let Some(Reverse((bits, face))) = heap.pop() {
            let far = f64::from_bits(bits);
            if far > self.distance[face as usize] {
                continue;
            }
            for next in beside(surface, face).filter(|&next| self.inside[next as usize]) {
                let longer = far + shape.middles[face as usize].distance(shape.middles[next as usize]);
                if longer < self.distance[next as usize] {
                    self.distance[next as usize] = longer;
                    heap.push(Reverse((key(longer), next)));
                }
            }
        }
    }

    /// Floods from the seeds, what fits best first.
    fn flood(
        &mut self,
        surface: &SurfaceMesh,
        shape: &Shape,
        faces: &[u32],
        seeds: &[u32],
        proxies: &[DVec3],
    ) {
        let total: f64 = faces.iter().map(|&face| shape.areas[face as usize]).sum();
        let size = (total / seeds.len().max(1) as f64).max(f64::MIN_POSITIVE);
        let error = |face: u32, of: u32| {
            let normals = shape.normals[face as usize].distance_squared(proxies[of as usize]);
            let seed = shape.middles[seeds[of as usize] as usize];
            let far = shape.middles[face as usize].distance_squared(seed) / size;
            key(shape.areas[face as usize] * (normals + ROUND * far))
        };
        faces.iter().for_each(|&face| self.piece[face as usize] = NONE);
        let mut heap: BinaryHeap<Reverse<(u64, u32, u32)>> = BinaryHeap::new();
        for (k, &seed) in seeds.iter().enumerate() {
            heap.push(Reverse((0, seed, k as u32)));
        }
        while let Some(Reverse((_, face, of))) = heap.pop() {
            if self.piece[face as usize] != NONE {
                continue;
            }
            self.piece[face as usize] = of;
            for next in beside(surface, face) {
                if self.inside[next as usize] && self.piece[next as usize] == NONE {
                    heap.push(Reverse((error(next, of), next, of)));
                }
            }
        }
    }
}
