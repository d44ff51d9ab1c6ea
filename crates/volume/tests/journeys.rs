//! Journeys over two storeys against all ways over all pairs of hand-over places.

use wayfare_bake::build_clearance;
use wayfare_core::{Context, DVec3, dvec3, ops};
use wayfare_geom::TriangleMesh;
use wayfare_navmesh::{Body, LocateConfig, NavMesh, PathFinder, PathScratch, RawNavMesh};
use wayfare_scene::Scene;
use wayfare_volume::{
    FlyFinder, FlyScratch, JourneyConfig, JourneyFinder, JourneyScratch, Leg, NoFlight, VolumeConfig,
    VolumeMesh, hand_overs, partition,
};

/// Numbers that look random: a xorshift generator.
struct Random(u64);
impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below
    }
}

/// Two thin floors of squares, some of them missing, with a ramp beside them that leads from one to the other, or not.
fn storeys(seed: u64) -> (NavMesh, VolumeMesh) {
    let mut random = Random(seed * 7919 + 1);
    let mut quads: Vec<([DVec3; 4], u32)> = Vec::new();
    let square = |x: f64, y: f64, z: f64| {
        [dvec3(x, y, z), dvec3(x + 2., y, z), dvec3(x + 2., y + 2., z), dvec3(x, y + 2., z)]
    };
    for storey in 0..2 {
        for y in [0.0, 2.0, 4.0] {
            for x in [0.0, 2.0, 4.0, 6.0] {
                if random.next(4) > 0 || x == 6.0 {
                    quads.push((square(x, y, f64::from(storey) * 3.0), storey));
                }
            }
        }
    }
    quads.push(([dvec3(8., 0., 0.), dvec3(12., 0., 3.), dvec3(12., 2., 3.), dvec3(8., 2., 0.)], 0));
    let landings: &[(f64, f64)] =
        if seed.is_multiple_of(3) { &[] } else { &[(12., 0.), (12., 2.), (12., 4.), (10., 4.), (8., 4.)] };
    quads.extend(landings.iter().map(|&(x, y)| (square(x, y, 3.0), 1)));
    let (mut points, mut polygons, mut mesh) = (Vec::<DVec3>::new(), Vec::new(), TriangleMesh::default());
    for (quad, _) in &quads {
        let number = |p: &DVec3| {
            points.iter().position(|q| q == p).unwrap_or_else(|| {
                points.push(*p);
                points.len() - 1
            }) as u32
        };
        let [a, b, c, d]: [u32; 4] = quad.iter().map(number).collect::<Vec<_>>().try_into().unwrap();
        polygons.push([a, b, c, d]);
        mesh.triangles.extend([[a, b, c], [a, c, d]]);
    }
    mesh.vertices = points.clone();
    let polygons: Vec<&[u32]> = polygons.iter().map(|polygon| polygon.as_slice()).collect();
    let mut raw = RawNavMesh::from_polygons(&points, &polygons).unwrap();
    raw.storeys = quads.iter().map(|&(_, storey)| storey).collect();
    let ground = raw.validate().unwrap();
    let config =
        VolumeConfig { bounds: Some([dvec3(-1., -1., -1.), dvec3(15., 7., 6.)]), ..VolumeConfig::default() };
    let air = partition(&Scene::from_mesh(mesh), &config, &Context::default()).unwrap().0;
    (ground, air)
}

/// All places with all walks and flights between them, measured one by one.
struct AllPairs {
    /// Costs of walks, and lengths of flights; start and goal are the first two.
    walks: Vec<Vec<f64>>,
    flights: Vec<Vec<f64>>,
}

impl AllPairs {
    fn new(ground: &NavMesh, air: &VolumeMesh, [from, to]: [DVec3; 2], radius: f64) -> Self {
        let (walk, fly) = (PathFinder::new(ground), FlyFinder::new(air));
        let locate = LocateConfig::default();
        let fits = |at: DVec3| {
            let is_clear = radius == 0.0 || fly.wall_distance(at, radius).is_none();
            (air.region_at(at).is_some() && is_clear).then_some(at)
        };
        let lift = DVec3::Z * (radius / ops::cos(air.raw().max_slope) * (1.0 + 1e-6));
        let foot = |at: DVec3| ground.locate(at, &locate).map(|place| place.point);
        // On the ground, in the air, and the way between the two where one takes off.
        let end = |at: DVec3| {
            let above = || foot(at).and_then(|foot| fits(foot + lift));
            let lifted = || above().map(|air| (air, foot(at).map_or(0.0, |foot| foot.distance(air))));
            // What is in the air is not on the ground below it.
            let is_near = |foot: &DVec3| fits(at).is_none() || foot.distance(at) <= locate.snap;
            (foot(at).filter(is_near), fits(at).map(|air| (air, 0.0)).or_else(lifted))
        };
        let mut nodes = vec![end(from), end(to)];
        for place in &ground.hand_overs().unwrap().places {
            let foot = place.point.with_z(ground.height(place.cell, place.point.truncate()));
            nodes.push((Some(foot), fits(place.point + lift).map(|air| (air, foot.distance(air)))));
        }
        let (mut ways, mut airways) = (PathScratch::new(), FlyScratch::new());
        let body = Body::disc(radius);
        let mut walked = |a: Option<DVec3>, b: Option<DVec3>| {
            Some(walk.find_for(&body, a?, b?, &locate, &mut ways).ok()?.length)
        };
        let mut flown = |a: Option<(DVec3, f64)>, b: Option<(DVec3, f64)>| {
            Some(fly.find(a?.0, b?.0, radius, 0.0, &mut airways).ok()?.length + a?.1 + b?.1)
        };
        let mut pairs = Self { walks: Vec::new(), flights: Vec::new() };
        for (k, a) in nodes.iter().enumerate() {
            pairs.walks.push(nodes.iter().map(|b| walked(a.0, b.0).unwrap_or(f64::INFINITY)).collect());
            // A body flies back as far as forth, which halves the time; a point does not always.
            let back = if radius > 0.0 { k } else { 0 };
            let mut flights: Vec<f64> = pairs.flights[..back].iter().map(|other| other[k]).collect();
            flights.extend(nodes[back..].iter().map(|b| flown(a.1, b.1).unwrap_or(f64::INFINITY)));
            pairs.flights.push(flights);
        }
        pairs
    }

    /// The cheapest way on which walking and flying alternate.
    fn cheapest(&self, fly_cost: f64) -> f64 {
        let count = self.walks.len();
        // Reached by walking, by flying.
        let mut costs = [vec![f64::INFINITY; count], vec![f64::INFINITY; count]];
        (costs[0][0], costs[1][0]) = (0.0, 0.0);
        loop {
            let before = costs.clone();
            let pairs = (0..count).flat_map(|a| (1..count).map(move |b| (a, b)));
            for (a, b) in pairs.filter(|(a, b)| a != b) {
                costs[0][b] = costs[0][b].min(before[1][a] + self.walks[a][b]);
                costs[1][b] = costs[1][b].min(before[0][a] + self.flights[a][b] * fly_cost);
            }
            if costs == before {
                return costs[0][1].min(costs[1][1]);
            }
        }
    }
}

fn holds(seed: u64, radius: f64, ends: [DVec3; 2], costs: &[f64]) -> usize {
    let (mut ground, air) = storeys(seed);
    if radius > 0.0 {
        let clearance = build_clearance(&ground, &Context::default()).unwrap();
        ground.set_clearance(Some(clearance));
    }
    let places = hand_overs(&ground, &air);
    let count = places.places.len();
    assert!(count > 20, "{count} places");
    ground.set_hand_overs(Some(places)).unwrap();
    let all = AllPairs::new(&ground, &air, ends, radius);
    let finder = JourneyFinder::new(&ground, &air).unwrap();
    let mut scratch = JourneyScratch::default();
    let mut mixed = 0;
    for &fly_cost in costs {
        let config = JourneyConfig { body: Body::disc(radius), fly_cost, ..JourneyConfig::default() };
        let expected = all.cheapest(fly_cost);
        match finder.find(ends[0], ends[1], &config, &mut scratch) {
            Ok(journey) => {
                let gap = (journey.cost - expected).abs();
                assert!(gap < 1e-9 * expected, "seed {seed} at {fly_cost}: {} for {expected}", journey.cost);
                assert!((journey.measured as usize) < count * count / 2, "{} of {count}²", journey.measured);
                let is_flight = |leg: &Leg| matches!(leg, Leg::Fly(_));
                mixed += usize::from(journey.legs.len() > 1);
                assert!(journey.legs.windows(2).all(|pair| is_flight(&pair[0]) != is_flight(&pair[1])));
            }
            Err(_) => assert_eq!(expected, f64::INFINITY, "seed {seed} at {fly_cost}"),
        }
    }
    mixed
}

#[test]
fn a_point_travels_as_cheaply_as_over_all_pairs_of_places() {
    let mut mixed = 0;
    for seed in 1..=6 {
        let ends = [dvec3(7.0, 1.0, 0.0), dvec3(6.3, 1.5, 3.0)];
        mixed += holds(seed, 0.0, ends, &[0.5, 1.0, 1.5, 3.0, 8.0]);
        let ends = [dvec3(7.0, 1.5, 1.0), dvec3(10.0, 0.5, 1.5)];
        mixed += holds(seed, 0.0, ends, &[1.2, 3.0]);
    }
    assert!(mixed > 10, "{mixed} both walk and fly");
}

#[test]
fn a_ball_travels_as_cheaply_as_over_all_pairs_of_places() {
    for seed in [2, 3] {
        holds(seed, 0.2, [dvec3(7.0, 1.0, 0.0), dvec3(6.3, 1.5, 3.0)], &[1.0, 3.0]);
    }
}

/// Two rooms with a door between them, on squares of ground.
fn rooms(door: f64) -> (NavMesh, VolumeMesh) {
    let mut mesh = TriangleMesh::default();
    let mut wall = |low: DVec3, high: DVec3| {
        let first = mesh.vertices.len() as u32;
        let pick = |k: u32, bit: u32, axis: usize| if k >> bit & 1 == 0 { low[axis] } else { high[axis] };
        mesh.vertices.extend((0..8).map(|k| dvec3(pick(k, 0, 0), pick(k, 1, 1), pick(k, 2, 2))));
        for q in [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]] {
            let [a, b, c, d] = q.map(|k: u32| k + first);
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    };
    wall(dvec3(6.0, 0.0, 0.0), dvec3(6.3, 3.0 - door / 2.0, 3.0));
    wall(dvec3(6.0, 3.0 + door / 2.0, 0.0), dvec3(6.3, 6.0, 3.0));
    wall(dvec3(0.0, 0.0, -0.2), dvec3(12.3, 6.0, 0.0));
    let (mut points, mut polygons): (Vec<DVec3>, Vec<[u32; 4]>) = (Vec::new(), Vec::new());
    let mut square = |x: [f64; 2], y: [f64; 2]| {
        let corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])];
        polygons.push(corners.map(|(x, y)| {
            let p = dvec3(x, y, 0.0);
            points.iter().position(|q| *q == p).unwrap_or_else(|| {
                points.push(p);
                points.len() - 1
            }) as u32
        }));
    };
    for x in [0.0, 2.0, 4.0, 6.3, 8.3, 10.3] {
        for y in [0.0, 2.0, 4.0] {
            square([x, x + 2.0], [y, y + 2.0]);
        }
    }
    let polygons: Vec<&[u32]> = polygons.iter().map(|polygon| polygon.as_slice()).collect();
    let ground = RawNavMesh::from_polygons(&points, &polygons).unwrap().validate().unwrap();
    let bounds = Some([dvec3(0., 0., -0.2), dvec3(12.3, 6., 3.)]);
    let config = VolumeConfig { bounds, reach_from: Some(dvec3(1., 1., 1.)), ..VolumeConfig::default() };
    let air = partition(&Scene::from_mesh(mesh), &config, &Context::default()).unwrap().0;
    (ground, air)
}

/// Every pair of places in the two rooms was tried once: minutes where a body roams long for each.
#[test]
fn a_body_that_is_too_wide_for_the_door_is_not_looked_for_between_all_places() {
    let (mut ground, air) = rooms(0.9);
    let clearance = build_clearance(&ground, &Context::default()).unwrap();
    ground.set_clearance(Some(clearance));
    let places = hand_overs(&ground, &air);
    let count = places.places.len();
    assert!(count > 60, "{count} places");
    ground.set_hand_overs(Some(places)).unwrap();
    let finder = JourneyFinder::new(&ground, &air).unwrap();
    let mut scratch = JourneyScratch::default();
    let [from, to] = [dvec3(1.0, 1.0, 0.0), dvec3(11.3, 5.0, 0.0)];
    let mut with = |radius: f64| {
        let config = JourneyConfig { body: Body::disc(radius), ..JourneyConfig::default() };
        finder.find(from, to, &config, &mut scratch)
    };
    assert!(with(0.44).is_ok());
    let no = with(0.46).unwrap_err();
    assert!(matches!(no.fly, Some(NoFlight::TooNarrow { .. })), "{:?}", no.fly);
    assert!((no.measured as usize) < 3 * count, "{} paths were looked for, for {count} places", no.measured);
}

/// Two rooms with a door of 0.9 m, linked.
fn linked_rooms() -> (NavMesh, VolumeMesh) {
    let (mut ground, air) = rooms(0.9);
    let clearance = build_clearance(&ground, &Context::default()).unwrap();
    ground.set_clearance(Some(clearance));
    ground.set_hand_overs(Some(hand_overs(&ground, &air))).unwrap();
    (ground, air)
}

#[test]
fn a_flight_from_the_ground_begins_at_the_asked_point_or_says_how_far_from_it() {
    let (ground, air) = linked_rooms();
    let finder = JourneyFinder::new(&ground, &air).unwrap();
    let mut scratch = JourneyScratch::default();
    let config = JourneyConfig { body: Body::disc(0.2), fly_cost: 0.2, ..JourneyConfig::default() };
    for (from, start, snapped) in [
        (dvec3(1.0, 1.0, 0.0), dvec3(1.0, 1.0, 0.0), 0.0),
        (dvec3(1.0, 1.0, 0.1), dvec3(1.0, 1.0, 0.0), 0.1),
        (dvec3(1.0, 1.0, 1.5), dvec3(1.0, 1.0, 1.5), 0.0),
    ] {
        let to = dvec3(5.0, 5.0, 0.0);
        let journey = finder.find(from, to, &config, &mut scratch).unwrap();
        let [Leg::Fly(flight)] = journey.legs.as_slice() else { panic!("{:?}", journey.legs) };
        assert_eq!((flight.points[0], *flight.points.last().unwrap()), (start, to));
        assert!(
            (flight.snapped[0] - snapped).abs() < 1e-9 && flight.snapped[1] == 0.0,
            "{:?}",
            flight.snapped
        );
        let length: f64 = flight.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        assert!((journey.length - length).abs() < 1e-9 && (journey.cost - 0.2 * length).abs() < 1e-9);
    }
}

#[test]
fn a_walk_says_how_far_its_ends_were_moved_onto_the_ground() {
    let (ground, air) = linked_rooms();
    let finder = JourneyFinder::new(&ground, &air).unwrap();
    let mut scratch = JourneyScratch::default();
    let config = JourneyConfig { body: Body::disc(0.2), fly_cost: 100.0, ..JourneyConfig::default() };
    for (from, to, snapped) in [
        (dvec3(1.0, 1.0, 0.0), dvec3(5.0, 5.0, 0.0), [0.0, 0.0]),
        (dvec3(1.0, 1.0, 0.3), dvec3(5.0, 5.0, 0.0), [0.3, 0.0]),
        (dvec3(1.0, 1.0, 0.0), dvec3(5.0, 5.0, 0.4), [0.0, 0.4]),
    ] {
        let journey = finder.find(from, to, &config, &mut scratch).unwrap();
        let [Leg::Walk(path)] = journey.legs.as_slice() else { panic!("{:?}", journey.legs) };
        for end in [0, 1] {
            assert!((path.snapped[end] - snapped[end]).abs() < 1e-9, "{:?}", path.snapped);
        }
    }
}

fn points_of(leg: &Leg) -> &[DVec3] {
    match leg {
        Leg::Walk(path) => &path.points,
        Leg::Fly(flight) => &flight.points,
    }
}

#[test]
fn a_goal_in_the_air_is_reached_whatever_flying_costs() {
    let (ground, air) = linked_rooms();
    let finder = JourneyFinder::new(&ground, &air).unwrap();
    let mut scratch = JourneyScratch::default();
    let (low, high) = (dvec3(1.0, 1.0, 0.0), dvec3(5.0, 5.0, 1.2));
    for fly_cost in [0.2, 1.0, 3.0, 100.0] {
        let config = JourneyConfig { body: Body::disc(0.2), fly_cost, ..JourneyConfig::default() };
        for (from, to) in [(low, high), (high, low)] {
            let journey = finder.find(from, to, &config, &mut scratch).unwrap();
            let points: Vec<DVec3> = journey.legs.iter().flat_map(|leg| points_of(leg).to_vec()).collect();
            assert_eq!((points[0], points[points.len() - 1]), (from, to), "{fly_cost}");
            // Where flying is dear it is walked most of the way.
            assert_eq!(fly_cost > 1.0, journey.legs.iter().any(|leg| matches!(leg, Leg::Walk(_))));
        }
    }
}
