//! Rectangles of path nodes, for the comparison in table 1 of the paper.
//!
//! Idea: a box on every triangle that one can stand on, from its centroid: it grows sideways until it meets geometry or another box or
//!   the ground below it ends, then upwards to whatever is over it.
//! Source: Ratcliff 2008, "Automatic path node generation for arbitrary 3D environments", as Hale and Youngblood 2009 retell it;
//!   the walk between rectangles is left out, as only their number and their volume are compared.
//! Cost: growth by small steps against all triangles: for small worlds.

use wayfare_core::{DVec3, dvec3};
use wayfare_geom::TriangleMesh;

/// How much a side grows at once, and how far the ground may lie below a box [m].
const STEP: f64 = 0.01;
const DROP: f64 = 0.3;
/// Boxes may touch geometry by so much [m].
const TOUCH: f64 = 1e-6;
/// A new box is this wide and high [m].
const SEED: f64 = 0.02;

/// Number of boxes and their volume.
pub fn path_nodes(mesh: &TriangleMesh, bounds: [DVec3; 2]) -> (usize, f64) {
    let mut boxes: Vec<[DVec3; 2]> = Vec::new();
    for [a, b, c] in mesh.all_points() {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        if normal.z.abs() < std::f64::consts::FRAC_1_SQRT_2 {
            continue;
        }
        let centre = (a + b + c) / 3.0;
        let rise = SEED * normal.truncate().length() / normal.z.abs();
        let low = centre - dvec3(SEED / 2.0, SEED / 2.0, -rise);
        let seed = [low, low + SEED];
        if is_open(mesh, bounds, &boxes, &seed) {
            boxes.push(grown(mesh, bounds, &boxes, seed));
        }
    }
    let volume = boxes.iter().map(|[low, high]| (*high - *low).element_product()).sum();
    (boxes.len(), volume)
}

fn grown(mesh: &TriangleMesh, bounds: [DVec3; 2], others: &[[DVec3; 2]], mut own: [DVec3; 2]) -> [DVec3; 2] {
    let mut is_growing = [true; 4];
    while is_growing.contains(&true) {
        for (side, growing) in is_growing.iter_mut().enumerate().filter(|(_, growing)| **growing) {
            let (axis, end) = (side / 2, side % 2);
            let mut next = own;
            next[end][axis] += if end == 0 { -STEP } else { STEP };
            let mut edge = (next[0] + next[1]) / 2.0;
            edge[axis] = next[end][axis];
            edge.z = own[0].z;
            *growing = is_open(mesh, bounds, others, &next) && has_ground(mesh, edge);
            if *growing {
                own = next;
            }
        }
    }
    let mut next = own;
    while is_open(mesh, bounds, others, &next) {
        own = next;
        next[1].z += STEP;
    }
    own
}

/// Whether there is ground not far below.
fn has_ground(mesh: &TriangleMesh, p: DVec3) -> bool {
    mesh.all_points().any(|[a, b, c]| {
        let side = |s: DVec3, t: DVec3| (t - s).truncate().perp_dot((p - s).truncate());
        let sides = [side(a, b), side(b, c), side(c, a)];
        if !(sides.iter().all(|x| *x >= 0.0) || sides.iter().all(|x| *x <= 0.0)) {
            return false;
        }
        let normal = (b - a).cross(c - a);
        let height = a.z - normal.truncate().dot((p - a).truncate()) / normal.z;
        height <= p.z + TOUCH && height >= p.z - DROP
    })
}

/// Whether a box lies in the room, outside of the others, and has no geometry in it.
fn is_open(mesh: &TriangleMesh, bounds: [DVec3; 2], others: &[[DVec3; 2]], own: &[DVec3; 2]) -> bool {
    let [low, high] = [own[0] + TOUCH, own[1] - TOUCH];
    let meets = |other: &[DVec3; 2]| other[0].cmplt(high).all() && other[1].cmpgt(low).all();
    own[0].cmpge(bounds[0] - TOUCH).all()
        && own[1].cmple(bounds[1] + TOUCH).all()
        && !others.iter().any(meets)
        && !mesh.all_points().any(|triangle| is_in(&triangle, low, high))
}

/// Whether something of a triangle lies in a box: it is cut by the box's sides.
fn is_in(triangle: &[DVec3; 3], low: DVec3, high: DVec3) -> bool {
    let mut points = triangle.to_vec();
    for axis in 0..3 {
        for (sign, bound) in [(1.0, high[axis]), (-1.0, -low[axis])] {
            let over = |p: &DVec3| sign * p[axis] - bound;
            let pairs: Vec<[DVec3; 2]> =
                (0..points.len()).map(|k| [points[k], points[(k + 1) % points.len()]]).collect();
            points.clear();
            for [p, q] in pairs {
                let (dp, dq) = (over(&p), over(&q));
                if dp <= 0.0 {
                    points.push(p);
                }
                if dp * dq < 0.0 {
                    points.push(p + (q - p) * (dp / (dp - dq)));
                }
            }
        }
    }
    !points.is_empty()
}
