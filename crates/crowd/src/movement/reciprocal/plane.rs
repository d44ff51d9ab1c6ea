//! The velocity nearest to a wish that lies in a disc and in all half-planes.
//!
//! Idea: half-planes are added one by one; as long as the best velocity is allowed it stays, else the new best one lies on the
//! border of the half-plane that was broken, where it is a problem of one dimension. If that has no answer, the velocity is
//! taken whose worst break of the half-planes that may be broken is least, found in the same way on the lines on
//! which two are broken as much.
//! Source: Seidel 1991, "Small-dimensional linear programming and convex hulls made easy", as in de Berg et al.,
//!   "Computational geometry", section 4.3; the second part as van den Berg et al. 2011, section 5.3.

use wayfare_core::DVec2;

/// The velocities v with (v − at) · normal ≥ 0.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HalfPlane {
    pub at: DVec2,
    /// Of length 1.
    pub normal: DVec2,
}

/// What is looked for: the nearest to a point, or the farthest in a direction.
#[derive(Clone, Copy)]
enum Aim {
    Nearest(DVec2),
    Farthest(DVec2),
}

/// The allowed velocity of a length up to `most` that is nearest to a wish. The first `hard` half-planes are not broken for the
/// sake of others.
pub(super) fn nearest_allowed(planes: &[HalfPlane], hard: usize, wish: DVec2, most: f64) -> DVec2 {
    let start = wish.clamp_length_max(most);
    match solve(planes.iter().copied(), Aim::Nearest(wish), most, start) {
        Ok(velocity) => velocity,
        Err((broken, velocity)) => break_least(planes, hard, broken, most, velocity),
    }
}

/// The best velocity, or the first half-plane that leaves none and the best one before it.
fn solve(
    planes: impl Iterator<Item = HalfPlane> + Clone,
    aim: Aim,
    most: f64,
    start: DVec2,
) -> Result<DVec2, (usize, DVec2)> {
    let mut best = start;
    for (k, plane) in planes.clone().enumerate() {
        if (best - plane.at).dot(plane.normal) >= 0.0 {
            continue;
        }
        best = on_border(planes.clone().take(k), plane, aim, most).ok_or((k, best))?;
    }
    Ok(best)
}

/// The best velocity on the border of a half-plane; nothing if the others leave none.
fn on_border(
    others: impl Iterator<Item = HalfPlane>,
    plane: HalfPlane,
    aim: Aim,
    most: f64,
) -> Option<DVec2> {
    let direction = plane.normal.perp();
    // The part of the border inside the disc.
    let middle = plane.at.dot(direction);
    let root = middle * middle + most * most - plane.at.length_squared();
    if root < 0.0 {
        return None;
    }
    let (mut low, mut high) = (-middle - root.sqrt(), -middle + root.sqrt());
    for other in others {
        let slope = direction.dot(other.normal);
        let start = (plane.at - other.at).dot(other.normal);
        // Parallel, but for rounding: allowed everywhere or nowhere.
        if slope.abs() < 1e-9 {
            if start < 0.0 {
                return None;
            }
        } else if slope > 0.0 {
            low = low.max(-start / slope);
        } else {
            high = high.min(-start / slope);
        }
    }
    if low > high {
        return None;
    }
    let share = match aim {
        Aim::Nearest(wish) => (wish - plane.at).dot(direction).clamp(low, high),
        Aim::Farthest(towards) if towards.dot(direction) > 0.0 => high,
        Aim::Farthest(_) => low,
    };
    Some(plane.at + direction * share)
}

/// From the half-plane on that left nothing: the velocity that breaks the worst least.
fn break_least(planes: &[HalfPlane], hard: usize, broken: usize, most: f64, mut best: DVec2) -> DVec2 {
    let mut deepest = 0.0;
    for (k, plane) in planes.iter().enumerate().skip(broken) {
        if (plane.at - best).dot(plane.normal) <= deepest {
            continue;
        }
        // Hard ones as they are; of the others, where this one is broken more than they are.
        let equal = |other: &HalfPlane| {
            let across = other.normal - plane.normal;
            let length = across.length();
            // Parallel ones are broken by an amount that does not depend on the velocity.
            (length > 1e-9).then(|| {
                let normal = across / length;
                let offset = other.at.dot(other.normal) - plane.at.dot(plane.normal);
                HalfPlane { at: normal * (offset / length), normal }
            })
        };
        let fixed = hard.min(k);
        let shifted = planes[..fixed].iter().copied().chain(planes[fixed..k].iter().filter_map(equal));
        let start = plane.normal * most;
        // Where rounding leaves nothing, the best so far stays.
        if let Ok(velocity) = solve(shifted, Aim::Farthest(plane.normal), most, start) {
            best = velocity;
        }
        deepest = (plane.at - best).dot(plane.normal);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_core::dvec2;

    #[test]
    fn the_nearest_allowed_velocity_is_that_of_a_search_by_brute_force() {
        let mut bits = 5u64;
        let mut unit = || {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (bits >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        let mut solved = 0;
        for _ in 0..300 {
            let planes: Vec<HalfPlane> = (0..5)
                .map(|_| HalfPlane { at: dvec2(unit(), unit()), normal: dvec2(unit(), unit()).normalize() })
                .collect();
            let wish = dvec2(unit(), unit());
            let found = nearest_allowed(&planes, 0, wish, 1.0);
            assert!(found.length() <= 1.0 + 1e-9);
            let worst =
                |v: DVec2| planes.iter().map(|plane| (plane.at - v).dot(plane.normal)).fold(0.0, f64::max);
            let lattice = (-50..=50).flat_map(|x| (-50..=50).map(move |y| dvec2(x.into(), y.into()) / 50.0));
            let inside: Vec<DVec2> = lattice.filter(|v| v.length() <= 1.0).collect();
            let least = inside.iter().map(|&v| worst(v)).fold(f64::MAX, f64::min);
            if least == 0.0 {
                solved += 1;
                assert!(worst(found) < 1e-9);
                let nearest = inside.iter().filter(|&&v| worst(v) == 0.0).map(|v| v.distance(wish));
                assert!(found.distance(wish) <= nearest.fold(f64::MAX, f64::min) + 1e-9);
            } else {
                assert!(worst(found) <= least + 0.05, "{} {least}", worst(found));
            }
        }
        assert!(solved > 50, "{solved}");
    }
}
