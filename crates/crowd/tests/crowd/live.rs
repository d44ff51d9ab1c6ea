//! Agents come, go, and are sent elsewhere while the crowd walks.

use crate::support::{brute_overlap, exit_crowd, mesh};
use wayfare_core::{dvec2, dvec3};
use wayfare_crowd::{
    AgentId, Area, AtEnd, Crowd, CrowdConfig, CrowdError, Goal, Journey, JourneyId, Leg, NewAgent,
};
use wayfare_navmesh::PortalId;

const DT: f64 = 1.0 / 60.0;

fn walk(crowd: &mut Crowd, seconds: f64) {
    for _ in 0..(seconds * 60.0) as usize {
        crowd.step(DT);
    }
}

/// A corridor of 20 m from left to right, of two cells, and a way round it: a ring of four cells.
fn ring() -> Crowd {
    let points = [(0., 0.), (20., 0.), (20., 10.), (0., 10.), (2., 2.), (18., 2.), (18., 8.), (2., 8.)];
    let points = points.map(|(x, y)| dvec3(x, y, 0.0));
    let cells = [vec![0, 1, 5, 4], vec![1, 2, 6, 5], vec![2, 3, 7, 6], vec![3, 0, 4, 7]];
    Crowd::new(mesh(&points, &cells), CrowdConfig::default())
}

fn newcomer(x: f64, y: f64, journey: JourneyId) -> NewAgent {
    NewAgent { at: dvec3(x, y, 0.0), radius: 0.25, speed: 1.3, journey, starts_at: 0.0 }
}

#[test]
fn agents_are_added_removed_put_elsewhere_and_sent_elsewhere() {
    let mut crowd = ring();
    let right = crowd.add_goal(Goal::point(dvec3(19.0, 1.0, 0.0), 0.5));
    let left = crowd.add_goal(Goal::point(dvec3(1.0, 9.0, 0.0), 0.5));
    let stay = |goal| Journey { legs: vec![Leg { goal, wait: 0.0 }], at_end: AtEnd::Stay };
    let (right, left) = (crowd.add_journey(stay(right)).unwrap(), crowd.add_journey(stay(left)).unwrap());
    let a = crowd.add(newcomer(1.0, 1.0, right)).unwrap();
    let b = crowd.add(newcomer(1.0, 0.4, right)).unwrap();
    let c = crowd.add(newcomer(2.0, 1.0, right)).unwrap();
    walk(&mut crowd, 2.0);
    assert!(crowd.agent(a).unwrap().at.x > 2.5);
    crowd.remove(b).unwrap();
    assert_eq!((crowd.len(), crowd.agent(b)), (2, None));
    assert_eq!(crowd.remove(b), Err(CrowdError::Unknown { kind: "agent", number: 1 }));
    crowd.teleport(a, dvec3(10.0, 9.0, 0.0)).unwrap();
    crowd.retarget(c, left).unwrap();
    walk(&mut crowd, 25.0);
    let [a, c] = [a, c].map(|id| crowd.agent(id).unwrap().at.truncate());
    assert!(a.distance(dvec2(19.0, 1.0)) <= 0.6, "{a}");
    assert!(c.distance(dvec2(1.0, 9.0)) <= 0.6, "{c}");
    // Numbers are not used again.
    assert_eq!(crowd.add(newcomer(1.0, 1.0, right)), Ok(AgentId(3)));
}

#[test]
fn places_that_are_taken_tight_or_off_the_ground_are_refused() {
    let mut crowd = ring();
    let goal = crowd.add_goal(Goal::point(dvec3(19.0, 1.0, 0.0), 0.5));
    let journey = crowd.add_journey(Journey::exit(goal)).unwrap();
    let first = crowd.add(newcomer(1.0, 1.0, journey)).unwrap();
    let refused = |crowd: &mut Crowd, x: f64, y: f64| crowd.add(newcomer(x, y, journey)).unwrap_err();
    assert!(matches!(refused(&mut crowd, 1.2, 1.2), CrowdError::Taken { other: 0, .. }));
    assert!(matches!(refused(&mut crowd, 5.0, 0.1), CrowdError::TooTight { .. }));
    assert!(matches!(refused(&mut crowd, 10.0, 5.0), CrowdError::OffMesh { .. }));
    assert!(matches!(refused(&mut crowd, f64::NAN, 5.0), CrowdError::OffMesh { .. }));
    let nan = NewAgent { radius: f64::NAN, ..newcomer(5.0, 1.0, journey) };
    assert!(matches!(crowd.add(nan), Err(CrowdError::Range { field: "radius", .. })));
    let other = NewAgent { journey: JourneyId(7), ..newcomer(5.0, 1.0, journey) };
    assert_eq!(crowd.add(other), Err(CrowdError::Unknown { kind: "journey", number: 7 }));
    assert!(crowd.teleport(first, dvec3(10.0, 5.0, 0.0)).is_err());
    assert_eq!(crowd.add_journey(Journey::default()), Err(CrowdError::EmptyJourney));
    assert_eq!(crowd.len(), 1);
}

#[test]
fn a_closed_door_makes_agents_go_round_and_an_open_one_lets_them_through() {
    for closed in [false, true] {
        let mut crowd = ring();
        let goal = crowd.add_goal(Goal::point(dvec3(19.0, 4.0, 0.0), 0.5));
        let journey = crowd.add_journey(Journey::exit(goal)).unwrap();
        for k in 0..10 {
            crowd.add(newcomer(6.0 - 0.6 * f64::from(k), 1.0, journey)).unwrap();
        }
        walk(&mut crowd, 3.0);
        // The portal between the first and the second cell.
        let portal = crowd.mesh().portals().iter().find_map(|(portal, corners)| {
            let cells = corners.map(|corner| crowd.mesh().cell_of_corner(corner).0);
            (cells == [0, 1]).then_some(portal)
        });
        crowd.set_closed([portal.unwrap()], closed).unwrap();
        let mut seconds = 3.0;
        while !crowd.is_empty() && seconds < 120.0 {
            walk(&mut crowd, 0.5);
            seconds += 0.5;
            assert!(brute_overlap(&crowd).0 < 0.001);
        }
        assert!(crowd.is_empty(), "{} are left", crowd.len());
        // Straight on it is 14 m, round it is some 40.
        assert!((seconds > 25.0) == closed, "{seconds}");
    }
    assert!(ring().set_closed([PortalId(99)], true).is_err());
}

#[test]
fn a_journey_leads_from_goal_to_goal_and_waits() {
    let mut crowd = ring();
    let middle = crowd.add_goal(Goal::point(dvec3(10.0, 1.0, 0.0), 0.5));
    let end = crowd.add_goal(Goal::new(Area::rectangle(dvec2(17.5, -1.0), dvec2(21.0, 3.0))));
    let legs = vec![Leg { goal: middle, wait: 5.0 }, Leg { goal: end, wait: 0.0 }];
    let journey = crowd.add_journey(Journey { legs, at_end: AtEnd::Leave }).unwrap();
    let late = NewAgent { starts_at: 2.0, ..newcomer(3.0, 1.0, journey) };
    let id = crowd.add(late).unwrap();
    walk(&mut crowd, 1.9);
    assert_eq!(crowd.agent(id).unwrap().at, dvec3(3.0, 1.0, 0.0));
    walk(&mut crowd, 10.0);
    let agent = crowd.agent(id).unwrap();
    assert_eq!(agent.leg, 1);
    assert!((agent.at.x - 9.6).abs() < 0.5, "{}", agent.at);
    walk(&mut crowd, 10.0);
    assert!(crowd.is_empty());
}

#[test]
fn long_and_senseless_steps_are_survived() {
    let mut exit = exit_crowd(8.0, 1.0, &[0.2; 60], 1.34, 1, CrowdConfig::default());
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY, 0.5, 2.0, 1e-9] {
        exit.crowd.step(dt);
        let (bodies, walls) = brute_overlap(&exit.crowd);
        assert!(bodies < 0.001 && walls < 0.001, "{dt}: {bodies} {walls}");
    }
}

#[test]
fn who_is_carried_goes_on_as_fast_and_who_is_teleported_stands_first() {
    let mut crowd = ring();
    let goal = crowd.add_goal(Goal::point(dvec3(19.0, 1.0, 0.0), 0.5));
    let journey = crowd.add_journey(Journey::exit(goal)).unwrap();
    let walks = crowd.add(newcomer(1.0, 1.0, journey)).unwrap();
    walk(&mut crowd, 2.0);
    let speed = |crowd: &Crowd| crowd.agent(walks).unwrap().velocity.length();
    assert!(speed(&crowd) > 1.29);
    crowd.carry(walks, dvec3(8.0, 1.2, 0.0)).unwrap();
    crowd.step(DT);
    assert!(speed(&crowd) > 1.29, "{}", speed(&crowd));
    assert!(crowd.carry(walks, dvec3(10.0, 5.0, 0.0)).is_err());
    crowd.teleport(walks, dvec3(3.0, 1.0, 0.0)).unwrap();
    crowd.step(DT);
    assert!(speed(&crowd) < 0.3, "{}", speed(&crowd));
}

/// Two rooms with a wall of 4 cm between. One walks up to the wall from `x`; behind it, where the way would go on, somebody stands, or nobody.
fn seconds_up_to_a_thin_wall(x: f64, is_there: bool) -> f64 {
    let points = [(0., 0.), (10., 0.), (10., 2.), (0., 2.), (10.04, 0.), (14., 0.), (14., 2.), (10.04, 2.)];
    let points = points.map(|(x, y)| dvec3(x, y, 0.0));
    let mesh = mesh(&points, &[vec![0, 1, 2, 3], vec![4, 5, 6, 7]]);
    let mut crowd = Crowd::new(mesh, CrowdConfig::default());
    let goal = crowd.add_goal(Goal::point(dvec3(9.7, 1.0, 0.0), 0.1));
    let journey = crowd.add_journey(Journey::exit(goal)).unwrap();
    crowd.add(newcomer(x, 1.0, journey)).unwrap();
    if is_there {
        let behind = NewAgent { starts_at: 1e6, ..newcomer(10.3, 1.0, journey) };
        crowd.add(behind).unwrap();
    }
    while crowd.len() > usize::from(is_there) && crowd.time() < 60.0 {
        crowd.step(DT);
    }
    crowd.time()
}

#[test]
fn somebody_behind_a_thin_wall_slows_nobody_down() {
    // From near, and from so far that the wall is not known at the beginning.
    for k in 0..30 {
        let x = 5.4 + 0.1 * f64::from(k);
        assert_eq!(seconds_up_to_a_thin_wall(x, true), seconds_up_to_a_thin_wall(x, false), "from {x}");
    }
}
