//! Gaps that are left out: where they are in the way of a mesh that holds.

use super::{Gap, GapKind, GapSurface, sheet::Face};
use crate::exact::{NO_HALF_EDGE, NearGaps};
use wayfare_core::{DVec2, DVec3};
use wayfare_geom::{predicates::is_left, segment::distance_squared_to_segment};

impl GapSurface {
    /// Which gaps there are that come near none of some places; steps that the ground already knows are none.
    pub(crate) fn wanted(&self, near: &[NearGaps]) -> Vec<bool> {
        let is_gap = |gap: &Gap| gap.kind != GapKind::Riser;
        let mut wanted: Vec<bool> = self.gaps.iter().map(is_gap).collect();
        for (triangle, face) in self.faces.iter().enumerate() {
            let Face::Gap(gap) = *face else { continue };
            let corners = self.points(triangle).map(DVec3::truncate);
            let is_near =
                |place: &NearGaps| distance_squared(place.at, corners) <= place.within * place.within;
            if wanted[gap as usize] && near.iter().any(is_near) {
                wanted[gap as usize] = false;
            }
        }
        wanted
    }

    /// The same without the gaps near some places: their sides are border again. The steps of the ground stay.
    pub(crate) fn without(&self, near: &[NearGaps]) -> Self {
        let wanted = self.wanted(near);
        let is_kept = |face: &Face| match *face {
            Face::Ground(_) => true,
            Face::Gap(gap) => wanted[gap as usize] || self.gaps[gap as usize].kind == GapKind::Riser,
        };
        let mut number = vec![NO_HALF_EDGE; self.faces.len()];
        let kept: Vec<usize> = (0..self.faces.len()).filter(|&t| is_kept(&self.faces[t])).collect();
        for (new, &old) in (0..).zip(&kept) {
            number[old] = new;
        }
        let twin = |h: usize| match self.twins[h] {
            NO_HALF_EDGE => NO_HALF_EDGE,
            twin if number[twin as usize / 3] == NO_HALF_EDGE => NO_HALF_EDGE,
            twin => 3 * number[twin as usize / 3] + twin % 3,
        };
        Self {
            vertices: self.vertices.clone(),
            triangles: kept.iter().map(|&t| self.triangles[t]).collect(),
            faces: kept.iter().map(|&t| self.faces[t]).collect(),
            twins: kept.iter().flat_map(|&t| 3 * t..3 * t + 3).map(twin).collect(),
            gaps: self.gaps.clone(),
            report: self.report,
        }
    }
}

/// The square of the distance of a place from a triangle in plan, which may have no area.
fn distance_squared(p: DVec2, corners: [DVec2; 3]) -> f64 {
    let sides = [0, 1, 2].map(|k| [corners[k], corners[(k + 1) % 3]]);
    if sides.iter().all(|&[a, b]| is_left(a, b, p)) {
        return 0.0;
    }
    sides.iter().map(|&[a, b]| distance_squared_to_segment(p, a, b)).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaps::{GapConfig, find_gaps, surface_of_triangles};
    use wayfare_core::{Context, dvec2};
    use wayfare_scene::generated::scenes::generated_scene;

    #[test]
    fn gaps_near_a_place_go_one_by_one_and_leave_the_others_as_they_are() {
        let scene = generated_scene("holes").unwrap().scene;
        let config = GapConfig { max_gap: 1.0, step: 0.0, height: 2.5 };
        let surface = surface_of_triangles(&scene.mesh);
        let found = find_gaps(&surface, &scene.mesh, &config, &Context::default()).unwrap();
        let area = |found: &GapSurface, gap: u32| -> f64 {
            let own = (0..found.faces.len()).filter(|&t| found.faces[t] == Face::Gap(gap));
            own.map(|t| {
                let [a, b, c] = found.points(t).map(DVec3::truncate);
                (b - a).perp_dot(c - a) / 2.0
            })
            .sum()
        };
        // A point inside the first face of each gap: that gap goes, at least, and with a place far away none does.
        let count = found.gaps.len() as u32;
        for gap in 0..count {
            let face = found.faces.iter().position(|face| *face == Face::Gap(gap)).unwrap();
            let at = found.points(face).map(DVec3::truncate).iter().sum::<DVec2>() / 3.0;
            let left = found.without(&[NearGaps { at, within: 0.0 }]);
            assert_eq!(left.check(1.0, 0.0), Vec::<String>::new());
            for other in 0..count {
                let expected = if other == gap { 0.0 } else { area(&found, other) };
                assert_eq!(area(&left, other), expected, "{gap} {other}");
            }
        }
        assert_eq!(found.without(&[NearGaps { at: dvec2(-50.0, 0.0), within: 1.0 }]), found);
        let none = found.without(&[NearGaps { at: dvec2(6.0, 5.0), within: 20.0 }]);
        assert!(none.faces.iter().all(|face| matches!(face, Face::Ground(_))));
    }
}
