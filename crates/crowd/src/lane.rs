//! Lanes in a crowd: everybody stays as far from the inner side of a turn as it is.
//!
//! Idea: where all cut a corner, they queue there. So in a crowd one goes along the wall on the inner side, and where that ends
//! round the post at its end, until it looks where it wants to go. That needs no memory but the direction in which one headed before.
//! On a ring with forces nobody meets at the inner corners; round a right angle a crowd takes 42 s instead of 52 (RiMEA 15).
//! Tried: heading for the point of the next portal that is as far from the post. That is a chord, and lanes spiral inwards.
//! Cost: O(1).

use crate::{
    field::{Beside, Gate},
    way_point::{OnTheWay, beyond, nearest},
};
use wayfare_core::DVec2;

/// The least cosine between a wall and the way across a portal for which the wall leads there; walls beside doors do not.
/// Also between where one headed and the way round a post that it is on. Not measured further.
const ALONGSIDE: f64 = 0.5;
/// How far before a corner people begin to look for gaps [m]. With 6 m about 400 persons take a second longer than RiMEA 15
/// allows, with 10 m no longer (means of four seeds).
const BEFORE_CORNER: f64 = 10.0;

/// Where somebody in a crowd goes.
pub(crate) struct Lane {
    /// The direction, of length 1.
    pub along: DVec2,
    /// Whether it leads round a corner, now or soon.
    pub turns: bool,
}

impl OnTheWay<'_> {
    /// The lane to the next portal, given on which side the way turns (0 right, 1 left) and the direction of the free way.
    pub fn lane(&self, gate: &Gate, side: Option<usize>, free: DVec2) -> Lane {
        let across = |p: DVec2| (beyond(gate, nearest(gate, p)) - self.at).normalize_or_zero();
        if let Some(side) = side
            && let Beside::Wall(wall) = gate.beside[side]
            && wall.dot(gate.forward) > ALONGSIDE
        {
            let before = (gate.span[0] - self.at).dot(gate.forward);
            let next = self.field.gate(gate.next);
            let is_corner = next.is_some_and(|next| matches!(next.beside[side], Beside::Post(_)));
            // Where that would pass beside the portal, to its nearer end.
            let along = across(self.at + wall * (before / wall.dot(gate.forward)));
            return Lane { along, turns: is_corner && before < BEFORE_CORNER };
        }
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let Beside::Post(post) = gate.beside[side] else { continue };
            let arm = self.at - post;
            let along = sign * arm.perp().normalize_or_zero();
            // Who is farther away than the portal is wide, does not come round it, or already looks where it wants to go, is not on its way round.
            if sign * along.perp_dot(free) > 0.0
                && along.dot(self.heading) > ALONGSIDE
                && arm.length() < post.distance(gate.span[1 - side])
            {
                return Lane { along, turns: true };
            }
        }
        Lane { along: across(self.at), turns: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        field::{Field, Ground},
        goal::{Area, Goal},
        walls::Walls,
        way_point::WayPointRule,
    };
    use wayfare_core::{dvec2, dvec3};
    use wayfare_navmesh::{Blocks, CellId, RawNavMesh};

    /// A corridor of 6 m along x that turns left at x = 28.
    fn ahead(cell: u32, at: DVec2, heading: DVec2, crowding: f64) -> (DVec2, bool) {
        let corners =
            [(0., 0.), (28., 0.), (34., 0.), (0., 6.), (28., 6.), (34., 6.), (28., 25.), (34., 25.)];
        let corners = corners.map(|(x, y)| dvec3(x, y, 0.0));
        let cells = [vec![0, 1, 4, 3], vec![1, 2, 5, 4], vec![4, 5, 7, 6]];
        let mesh = RawNavMesh::from_polygons(&corners, &cells).unwrap().validate().unwrap();
        let walls = Walls::new(&mesh, &Blocks::default(), &[]);
        let ground = Ground { mesh: &mesh, walls: &walls, factors: &[1.0; 3] };
        let goal = Goal::new(Area::rectangle(dvec2(28.0, 23.0), dvec2(34.0, 25.0)));
        let field = Field::build(ground, &goal, 0.2);
        let cell = CellId(cell);
        let gate = field.best(&mesh, 1.0, cell, at).unwrap().0;
        OnTheWay { field: &field, cell, at, gate, heading, crowding }.ahead(WayPointRule::Blend)
    }

    #[test]
    fn in_a_crowd_one_goes_along_the_wall_and_round_the_post() {
        // Before the corner, alone: to the corner. In a crowd: straight on.
        let (free, turns) = ahead(0, dvec2(24.0, 2.0), DVec2::X, 0.0);
        assert!(free.y > 0.5 && !turns);
        let (crowded, turns) = ahead(0, dvec2(24.0, 2.0), DVec2::X, 1.0);
        assert!(crowded.distance(DVec2::X) < 1e-9 && turns);
        assert!(!ahead(0, dvec2(5.0, 2.0), DVec2::X, 1.0).1, "the corner is far");
        // Behind it, alone: straight to the goal. In a crowd: at a right angle to the post.
        assert!(ahead(1, dvec2(28.5, 3.0), DVec2::X, 0.0).0.distance(DVec2::Y) < 1e-6);
        let (round, turns) = ahead(1, dvec2(28.5, 3.0), DVec2::X, 1.0);
        assert!(round.dot(dvec2(0.5, -3.0)).abs() < 1e-9 && round.x > 0.9 && turns);
        // Who already looks where it wants to go is done.
        assert!(ahead(1, dvec2(28.5, 3.0), DVec2::Y, 1.0).0.distance(DVec2::Y) < 1e-6);
        // In the last cell nothing turns.
        assert!(ahead(2, dvec2(30.0, 8.0), DVec2::Y, 1.0).0.distance(DVec2::Y) < 1e-6);
    }
}
