//! A cave in a block of rock: chambers, tunnels between them, one of which leads over another chamber.
//!
//! Idea: free space is the union of flat-bottomed bubbles and tubes, each a function that is positive inside; the rock is what is
//! left of a block, and its surface is drawn where the function is zero.
//! Source: Doi and Koide 1991, "An efficient method of triangulating equi-valued surfaces by using tetrahedral cells".
//!   We differ: corners keep 5 % away from the lattice points, so that no triangle is flat.
//! Steps: 1. chambers and tunnels  2. values on a lattice  3. each cube into six tetrahedra, their surfaces into the scene
//! Promises: the rock is closed. Cost: O(lattice points).

use super::{
    super::random::Random,
    builder::{Builder, GeneratedScene},
};
use wayfare_core::{DVec3, dvec3, ops::sin};

/// Chambers along a side, their distance [m].
const CHAMBERS: usize = 3;
const PITCH: f64 = 14.0;
/// A cube of the lattice [m]; cubes along the sides of the block and up.
const CUBE: f64 = 1.0;
const CUBES: [usize; 3] = [42, 42, 13];
/// The block's lower corner.
const LOW: DVec3 = dvec3(0.0, 0.0, -1.5);
/// Lattice points beyond the block; the block's sides lie in the middle between two.
const MARGIN: f64 = 1.5;
/// Over its floor, how wide (to either side) and how high a tunnel is [m].
const TUNNEL: [f64; 2] = [1.7, 3.0];

/// Free space around a segment of floor; a chamber is one without length.
struct Bubble {
    from: DVec3,
    to: DVec3,
    /// How far from either end its floor is level, so that it leads on into a chamber's [m].
    level: [f64; 2],
    half_width: f64,
    height: f64,
}

impl Bubble {
    /// Positive inside, about a distance [m].
    fn value(&self, p: DVec3) -> f64 {
        let along = (self.to - self.from).truncate();
        // A chamber has no length; any small one will do, as both of its ends are the same.
        let length = along.length().max(1e-9);
        let share = ((p - self.from).truncate().dot(along) / (length * length)).clamp(0.0, 1.0);
        let slope = (share * length - self.level[0]) / (length - self.level[0] - self.level[1]);
        let z = self.from.z + (self.to.z - self.from.z) * slope.clamp(0.0, 1.0);
        let nearest = self.from.lerp(self.to, share).truncate().extend(z);
        let side = (p - nearest).truncate().length_squared() / (self.half_width * self.half_width);
        let up = (p.z - nearest.z) / self.height;
        let bubble = (1.0 - side - up * up) * self.half_width / 2.0;
        // An uneven floor.
        let floor = nearest.z + 0.1 * sin(1.3 * p.x) * sin(1.7 * p.y);
        bubble.min(p.z - floor)
    }
}

fn bubbles(seed: u64) -> Vec<Bubble> {
    let mut random = Random::new(seed ^ 0xCA7E);
    let mut bubbles = Vec::new();
    let mut centres = Vec::new();
    for k in 0..CHAMBERS * CHAMBERS {
        let (i, j) = (k % CHAMBERS, k / CHAMBERS);
        let mut shift = || random.between(-1.5, 1.5);
        let (x, y) = (PITCH * (i as f64 + 0.5) + shift(), PITCH * (j as f64 + 0.5) + shift());
        // The way in and the chamber that is passed over lie low.
        let z = if i == j && i < 2 { 0.0 } else { random.between(0.0, 2.2) };
        let centre = dvec3(x, y, z);
        let half_width = random.between(2.5, 4.0);
        let height = random.between(3.0, 4.5);
        bubbles.push(Bubble { from: centre, to: centre, level: [0.0, 0.0], half_width, height });
        centres.push((centre, half_width));
    }
    let [half_width, height] = TUNNEL;
    let mut tunnel = |(from, at_from): (DVec3, f64), (to, at_to): (DVec3, f64)| {
        bubbles.push(Bubble { from, to, level: [at_from, at_to], half_width, height });
    };
    for k in 0..centres.len() {
        let (i, j) = (k % CHAMBERS, k / CHAMBERS);
        // A comb: all are connected; of the other neighbours, half are.
        if i + 1 < CHAMBERS && (j == 0 || random.below(2) == 0) {
            tunnel(centres[k], centres[k + 1]);
        }
        if j + 1 < CHAMBERS {
            tunnel(centres[k], centres[k + CHAMBERS]);
        }
    }
    let over = (dvec3(1.5 * PITCH, 1.5 * PITCH, 7.0), 0.0);
    tunnel(centres[CHAMBERS - 1], over);
    tunnel(over, centres[CHAMBERS * (CHAMBERS - 1)]);
    // The way in.
    tunnel(centres[0], (dvec3(-5.0, centres[0].0.y, 0.0), 0.0));
    bubbles
}

/// A cave in a block of 42 m by 42 m by 13 m: nine chambers, tunnels between them, one of them over the middle chamber, and a way
/// in from a piece of ground before the block. All can be reached on slopes below 45 degrees.
///
/// ```
/// use wayfare_scene::generated::scenes::cave;
/// assert_eq!(cave(1).scene.tag_names, ["ground", "rock"]);
/// ```
pub fn cave(seed: u64) -> GeneratedScene {
    // 1. Chambers and tunnels.
    let bubbles = bubbles(seed);
    let high = LOW + dvec3(CUBES[0] as f64, CUBES[1] as f64, CUBES[2] as f64) * CUBE;
    let value = |p: DVec3| {
        let block = (p - LOW).min(high - p).min_element();
        if block <= 0.0 {
            return block;
        }
        bubbles.iter().fold(block, |rock, bubble| rock.min(-bubble.value(p)))
    };
    // 2. Values; points are counted along x first.
    let size = CUBES.map(|cubes| cubes + 2 * (MARGIN + 0.5) as usize);
    let position = |[i, j, k]: [usize; 3]| LOW + (dvec3(i as f64, j as f64, k as f64) - MARGIN) * CUBE;
    let index = |[i, j, k]: [usize; 3]| i + size[0] * (j + size[1] * k);
    let points =
        (0..size[2]).flat_map(|k| (0..size[1]).flat_map(move |j| (0..size[0]).map(move |i| [i, j, k])));
    let values: Vec<f64> = points.clone().map(|at| value(position(at))).collect();
    // 3. Tetrahedra round the diagonal of each cube: the axes in any order.
    let mut b = Builder::new("rock");
    b.solid(|b| {
        for at in points.filter(|at| (0..3).all(|axis| at[axis] + 1 < size[axis])) {
            for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                let mut corner = at;
                let corners: [[usize; 3]; 4] = std::array::from_fn(|k| {
                    if k > 0 {
                        corner[order[k - 1]] += 1;
                    }
                    corner
                });
                // From the lower point to the higher one, so that all tetrahedra at an edge find the same bits.
                let cut = |p: usize, q: usize| {
                    let (p, q) = (corners[p.min(q)], corners[p.max(q)]);
                    let (low, high) = (values[index(p)], values[index(q)]);
                    position(p).lerp(position(q), (low / (low - high)).clamp(0.05, 0.95))
                };
                draw(b, corners.map(|corner| values[index(corner)] > 0.0), corners.map(position), cut);
            }
        }
    });
    b.tag("ground");
    b.block(dvec3(-8.0, 0.0, -0.5), dvec3(0.3, PITCH, 0.0));
    b.finish()
}

/// The surface in a tetrahedron, seen from outside of the solid.
fn draw(b: &mut Builder, is_solid: [bool; 4], corners: [DVec3; 4], cut: impl Fn(usize, usize) -> DVec3) {
    let solid: Vec<usize> = (0..4).filter(|&k| is_solid[k]).collect();
    let free: Vec<usize> = (0..4).filter(|&k| !is_solid[k]).collect();
    let ring = match (&solid[..], &free[..]) {
        (&[a], &[b, c, d]) | (&[b, c, d], &[a]) => vec![cut(a, b), cut(a, c), cut(a, d)],
        (&[a, b], &[c, d]) => vec![cut(a, c), cut(a, d), cut(b, d), cut(b, c)],
        _ => return,
    };
    // The first solid corner lies behind the first triangle, and so behind the other one.
    let normal = (ring[1] - ring[0]).cross(ring[2] - ring[0]);
    let is_turned = normal.dot(corners[solid[0]] - ring[0]) > 0.0;
    for k in 2..ring.len() {
        let [p, q, r] = [ring[0], ring[k - 1], ring[k]];
        b.triangle(if is_turned { [p, r, q] } else { [p, q, r] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tunnel_is_steeper_than_can_be_walked() {
        for seed in 0..200 {
            for tunnel in bubbles(seed).iter().filter(|bubble| bubble.from != bubble.to) {
                let run = (tunnel.to - tunnel.from).truncate().length() - tunnel.level[0] - tunnel.level[1];
                // Less than 1 for the uneven floor, which adds 0.1 · 1.7 at most.
                assert!((tunnel.to.z - tunnel.from.z).abs() < 0.8 * run, "seed {seed}");
            }
        }
    }
}
