//! Where a scenario puts its agents: how many find room, how fast, and on which storeys.

use crate::{corridor, start, support::mesh};
use wayfare_core::dvec3;

#[test]
fn thousands_are_placed_in_a_moment() {
    let text = "
        [[exit]]
        name = 'end'
        rectangle = [99, 0, 100, 100]
        [[spawn]]
        rectangle = [0, 0, 60, 60]
        number = 8000
        [[spawn]]
        rectangle = [61, 0, 64, 3]
        number = 100
        radius = 0.25
    ";
    let simulation = start(corridor(100.0, 100.0, 1), text);
    // 100 discs of that size have no room on 9 m².
    let summary = simulation.summary();
    assert_eq!(simulation.crowd().len(), summary.agents);
    assert!(summary.agents >= 8018 && summary.agents + summary.not_placed == 8100, "{summary:?}");
}

#[test]
fn five_hundred_find_room_where_by_lot_they_do_not() {
    // By lot, and in what is left of a lattice then, 390 do.
    let text = "
        [[exit]]
        name = 'end'
        rectangle = [45, 0, 48, 6]
        [[spawn]]
        rectangle = [0.2, 0.2, 19.8, 5.8]
        number = 500
    ";
    let simulation = start(corridor(48.0, 6.0, 1), text);
    assert_eq!((simulation.summary().agents, simulation.summary().not_placed), (500, 0));
    assert_eq!(simulation.crowd().check(), []);
    // They stand all over the area, and not in rows.
    let right = simulation.crowd().agents().filter(|agent| agent.at.x > 10.0).count();
    assert!((235..=265).contains(&right), "{right}");
    let heights = simulation.crowd().agents().map(|agent| agent.at.y.to_bits());
    assert!(heights.collect::<std::collections::BTreeSet<_>>().len() > 400);
}

#[test]
fn a_spawn_without_a_height_is_on_all_storeys() {
    let floor = |z: f64| [(0.0, 0.0), (10.0, 0.0), (10.0, 5.0), (0.0, 5.0)].map(|(x, y)| dvec3(x, y, z));
    let building = || {
        let points: Vec<_> = [0.0, 3.0, 6.0].into_iter().flat_map(floor).collect();
        mesh(&points, &[vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8, 9, 10, 11]])
    };
    // By lot, more than find room by lot, and in groups.
    for (number, more) in [(60, ""), (900, ""), (60, "group = 3")] {
        let text = format!(
            "duration = 1\n[[exit]]\nname = 'e'\npoint = [9, 4, 0]\n[[spawn]]\nrectangle = [0.2, 0.2, 9.8, 4.8]\nnumber = {number}\n{more}"
        );
        let mut simulation = start(building(), &text);
        simulation.step(|_| ()).unwrap();
        let mut storeys = [0; 3];
        for agent in simulation.crowd().agents() {
            storeys[(agent.at.z / 3.0).round() as usize] += 1;
        }
        assert!(storeys.iter().all(|&count| 6 * count >= number), "{number}: {storeys:?}");
    }
}

#[test]
fn an_area_that_reaches_far_beyond_the_mesh_is_filled_where_it_is_on_it() {
    let text = "
        [[exit]]
        name = 'end'
        rectangle = [46, 0, 48, 6]
        [[spawn]]
        rectangle = [-1e7, -1e7, 1e7, 1e7]
        number = 300
        [[spawn]]
        polygon = [[-9e6, -9e6], [9e6, -9e6], [3, 3], [9e6, 9e6], [-9e6, 9e6]]
        number = 20
    ";
    let clock = std::time::Instant::now();
    let simulation = start(corridor(48.0, 6.0, 1), text);
    assert_eq!((simulation.summary().agents, simulation.summary().not_placed), (320, 0));
    assert_eq!(simulation.crowd().check(), []);
    assert!(clock.elapsed().as_secs() < 5, "{:?}", clock.elapsed());
}
