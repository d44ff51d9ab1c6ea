//! Lanes in a crowd: everybody stays as far from the inner side of a turn as it is.
//!
//! Idea: where all cut a corner, they queue there. So in a crowd one goes along the wall on the inner side, and where that ends
//! round the post at its end, until it looks where it wants to go. That needs no memory but the direction in which one headed before.
//! On a ring with forces nobody meets at the inner corners; round a right angle a crowd takes 42 s instead of 52 (RiMEA 15).
//! Lanes are those of a stream: between two walls that are not parallel they turn from one to the other, and a portal that one passes at a
//! grazing angle is none that a stream goes through.
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

/// The least cosine between a wall and the way across a portal to which it leads after all, though at a grazing angle.
const GRAZING: f64 = 0.1;
/// How many portals are looked at for one that lies across the way.
const LOOK_AHEAD: usize = 4;

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
        let gate = self.across_the_way(gate, free);
        let across = |p: DVec2| (beyond(gate, nearest(gate, p)) - self.at).normalize_or_zero();
        if let Some(side) = side
            && let Some(wall) = self.wall_lane(gate, side, free)
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

    /// The first portal that lies across the way, or the next one. A corridor may be cut along itself: from a strip beside the exit the next
    /// portal is as long as the corridor, and its nearest point is no way on. In a jam all would leave the sides: it would get no denser
    /// than 2.5 persons per square metre.
    fn across_the_way<'a>(&'a self, next: &'a Gate, free: DVec2) -> &'a Gate {
        let is_across =
            |gate: &&Gate| gate.forward.dot(free) > ALONGSIDE || gate.forward.dot(self.heading) > ALONGSIDE;
        self.field.chain(self.gate).take(LOOK_AHEAD).find(is_across).unwrap_or(next)
    }

    /// The direction of the stream along the wall on one side of a portal, if that leads there: near the wall along it, and with the
    /// distance more and more along the wall on the other side.
    fn wall_lane(&self, gate: &Gate, side: usize, free: DVec2) -> Option<DVec2> {
        let leads = |side: usize| {
            let Beside::Wall(wall) = gate.beside[side] else { return None };
            let across = wall.dot(gate.forward);
            let leads = across > ALONGSIDE || (across > GRAZING && wall.dot(free) > ALONGSIDE);
            leads.then_some(wall)
        };
        let near = leads(side)?;
        let Some(far) = leads(1 - side) else { return Some(near) };
        let off = |side: usize, wall: DVec2| (self.at - gate.span[side]).perp_dot(wall).abs();
        let (inner, outer) = (off(side, near), off(1 - side, far));
        Some(near.lerp(far, inner / (inner + outer).max(1e-9)).normalize_or(near))
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

    /// Where one heads for at a place in a cell, on the way to an area.
    fn on_ground(
        (corners, cells): (&[(f64, f64)], &[Vec<u32>]),
        area: [DVec2; 2],
        (cell, at, heading, crowding): (u32, DVec2, DVec2, f64),
    ) -> (DVec2, bool) {
        let corners: Vec<_> = corners.iter().map(|&(x, y)| dvec3(x, y, 0.0)).collect();
        let mesh = RawNavMesh::from_polygons(&corners, cells).unwrap().validate().unwrap();
        let walls = Walls::new(&mesh, &Blocks::default(), &[]);
        let factors = vec![1.0; cells.len()];
        let ground = Ground { mesh: &mesh, walls: &walls, factors: &factors, wall_room: 0.05 };
        let field = Field::build(ground, &Goal::new(Area::rectangle(area[0], area[1])), 0.2);
        let cell = CellId(cell);
        let gate = field.best(&mesh, 1.0, cell, at).unwrap().0;
        OnTheWay { field: &field, cell, at, gate, heading, crowding }.ahead(WayPointRule::Blend)
    }

    /// A corridor of 6 m along x that turns left at x = 28.
    fn ahead(cell: u32, at: DVec2, heading: DVec2, crowding: f64) -> (DVec2, bool) {
        let corners =
            [(0., 0.), (28., 0.), (34., 0.), (0., 6.), (28., 6.), (34., 6.), (28., 25.), (34., 25.)];
        let cells = [vec![0, 1, 4, 3], vec![1, 2, 5, 4], vec![4, 5, 7, 6]];
        let end = [dvec2(28.0, 23.0), dvec2(34.0, 25.0)];
        on_ground((&corners, &cells), end, (cell, at, heading, crowding))
    }

    #[test]
    fn in_a_strip_of_a_corridor_a_crowd_goes_on_to_the_exit_and_not_into_the_next_strip() {
        // A corridor of 8 m, cut along itself beside an exit of 1 m in its end.
        let corners = [(0., 0.), (8., 0.), (8., 0.4), (8., 1.4), (0., 1.4), (0., 0.4), (9., 0.4), (9., 1.4)];
        let cells = [vec![0, 1, 2, 5], vec![5, 2, 3, 4], vec![2, 6, 7, 3]];
        let end = [dvec2(8.5, 0.4), dvec2(9.0, 1.4)];
        let (along, _) = on_ground((&corners, &cells), end, (0, dvec2(4.0, 0.25), DVec2::X, 1.0));
        assert!(along.dot(DVec2::X) > 0.95, "{along}");
    }

    #[test]
    fn between_walls_that_are_not_parallel_lanes_turn_from_one_to_the_other() {
        // A wedge that opens to the left; behind it the way turns left round the end of its left wall.
        let corners =
            [(0., 0.), (10., 0.), (10., 6.), (0., 2.), (16., 0.), (16., 6.), (10., 20.), (16., 20.)];
        let cells = [vec![0, 1, 2, 3], vec![1, 4, 5, 2], vec![2, 5, 7, 6]];
        let end = [dvec2(10.0, 19.0), dvec2(16.0, 20.0)];
        let at = |y: f64| on_ground((&corners, &cells), end, (0, dvec2(5.0, y), DVec2::X, 1.0)).0;
        let slope = |y: f64| at(y).y / at(y).x;
        // Along the left wall it is 0.4, along the right one 0.
        assert!((slope(3.75) - 0.4).abs() < 0.05, "{}", slope(3.75));
        assert!(slope(0.25).abs() < 0.05, "{}", slope(0.25));
        assert!((0.1..0.3).contains(&slope(2.0)), "{}", slope(2.0));
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
