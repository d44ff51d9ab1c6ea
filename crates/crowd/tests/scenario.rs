//! Scenario files: what they do, and what they refuse; the tests of RiMEA and IMO that are about moving.

#[path = "crowd/support/mod.rs"]
mod support;

use std::sync::Arc;
use support::{door_room, mesh};
use wayfare_core::{DVec2, dvec3};
use wayfare_crowd::scenario::{Scenario, Simulation, Summary, Trajectories};
use wayfare_navmesh::NavMesh;

fn start(mesh: Arc<NavMesh>, text: &str) -> Simulation {
    Simulation::new(Scenario::parse(text).unwrap(), mesh).unwrap()
}

fn run(mesh: Arc<NavMesh>, text: &str) -> Summary {
    let mut simulation = start(mesh, text);
    while simulation.step(|_| ()).unwrap() {}
    let summary = simulation.summary();
    println!("{summary:?}");
    assert!(summary.max_overlap <= 0.001 && summary.off_mesh == 0);
    summary
}

/// A corridor along x of one cell, with split walls every 10 m where it is cut into cells.
fn corridor(length: f64, width: f64, cells: u32) -> Arc<NavMesh> {
    let points: Vec<_> = (0..=cells)
        .flat_map(|k| {
            let x = length * f64::from(k) / f64::from(cells);
            [dvec3(x, 0.0, 0.0), dvec3(x, width, 0.0)]
        })
        .collect();
    let polygons: Vec<Vec<u32>> = (0..cells).map(|k| vec![2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1]).collect();
    mesh(&points, &polygons)
}

#[test]
fn rimea_1_one_person_walks_forty_metres_in_its_own_time() {
    let text = "
        frame_rate = 1
        [[exit]]
        name = 'end'
        rectangle = [40.5, 0, 42, 2]
        [[spawn]]
        points = [[0.5, 1, 0]]
        speed = 1.33
        [[line]]
        name = 'start'
        from = [0.6, 0]
        to = [0.6, 2]
    ";
    let summary = run(corridor(42.0, 2.0, 4), text);
    assert_eq!((summary.agents, summary.arrived, summary.flow[0].1), (1, 1, 1));
    assert!((26.0..=34.0).contains(&summary.simulated_seconds), "{}", summary.simulated_seconds);
    // 40 m at 1.33 m/s, and a little to begin with.
    assert!((summary.simulated_seconds - 30.07).abs() < 0.5);
}

#[test]
fn rimea_2_and_3_stairs_are_walked_at_their_speed() {
    let text = "
        [[exit]]
        name = 'end'
        rectangle = [10.5, 0, 12, 2]
        [[spawn]]
        points = [[0.5, 1, 0]]
        speed = 1.0
        [[speed]]
        rectangle = [0, 0, 12, 2]
        factor = 0.5
    ";
    let summary = run(corridor(12.0, 2.0, 3), text);
    assert!((summary.simulated_seconds - 20.0).abs() < 1.0, "{}", summary.simulated_seconds);
}

#[test]
fn rimea_5_everybody_starts_at_its_own_time() {
    let text = "
        seed = 3
        duration = 120
        [[exit]]
        name = 'door'
        rectangle = [9, 0, 12, 8]
        [[spawn]]
        rectangle = [0.5, 0.5, 7.5, 7.5]
        number = 10
        pre_movement = { uniform = [10, 100] }
    ";
    let mut simulation = start(door_room(8.0, 1.0), text);
    let starts: Vec<DVec2> = simulation.crowd().agents().map(|agent| agent.at.truncate()).collect();
    let mut moved = [None::<f64>; 10];
    while simulation.step(|_| ()).unwrap() {
        let time = simulation.crowd().time();
        for agent in simulation.crowd().agents() {
            let k = agent.id.0 as usize;
            if agent.at.truncate() != starts[k] {
                moved[k].get_or_insert(time);
            }
        }
    }
    let times: Vec<f64> = moved.iter().map(|time| time.unwrap()).collect();
    assert!(times.iter().all(|time| (10.0..=100.5).contains(time)), "{times:?}");
    assert_eq!(simulation.summary().arrived, 10);
    let spread = times.iter().fold(0.0f64, |a, &b| a.max(b)) - times.iter().fold(1e9f64, |a, &b| a.min(b));
    assert!(spread > 30.0);
}

#[test]
fn rimea_6_twenty_go_round_a_corner_and_touch_no_wall() {
    let points = [(0., 0.), (10., 0.), (12., 0.), (12., 2.), (12., 10.), (10., 10.), (10., 2.), (0., 2.)];
    let points = points.map(|(x, y)| dvec3(x, y, 0.0));
    let mesh = mesh(&points, &[vec![0, 1, 2, 3, 6, 7], vec![6, 3, 4, 5]]);
    let text = "
        [[exit]]
        name = 'end'
        rectangle = [10, 9, 12, 10]
        [[spawn]]
        rectangle = [0.2, 0.2, 6, 1.8]
        number = 20
    ";
    let summary = run(mesh, text);
    assert_eq!((summary.arrived, summary.stuck), (20, 0));
}

#[test]
fn imo_4_an_exit_with_a_cap_lets_no_more_than_that_through() {
    let text = "
        duration = 200
        [[exit]]
        name = 'door'
        rectangle = [9, 0, 14, 8]
        cap = 1.33
        [[spawn]]
        rectangle = [0.2, 0.2, 7.8, 7.8]
        number = 60
        [[line]]
        name = 'door'
        from = [8, 3.5]
        to = [8, 4.5]
    ";
    let summary = run(door_room(8.0, 1.0), text);
    assert_eq!(summary.arrived, 60);
    let flow = 60.0 / summary.simulated_seconds;
    assert!(flow <= 1.33, "{flow} persons per second");
}

#[test]
fn agents_use_the_nearer_of_two_exits() {
    let text = "
        [[exit]]
        name = 'left'
        rectangle = [0, 0, 1, 4]
        [[exit]]
        name = 'right'
        rectangle = [39, 0, 40, 4]
        [[spawn]]
        rectangle = [12, 0.5, 18, 3.5]
        number = 20
        [[spawn]]
        rectangle = [22, 0.5, 28, 3.5]
        number = 20
        [[line]]
        name = 'left'
        from = [5, 0]
        to = [5, 4]
        [[line]]
        name = 'right'
        from = [35, 0]
        to = [35, 4]
        [[area]]
        name = 'all'
        rectangle = [0, 0, 40, 4]
    ";
    let summary = run(corridor(40.0, 4.0, 4), text);
    let passages: Vec<usize> = summary.flow.iter().map(|line| line.1).collect();
    assert_eq!(passages, [20, 20]);
    assert!(summary.density[0].1 > 0.05 && summary.density[0].1 < 0.25, "{:?}", summary.density);
}

#[test]
fn agents_come_at_a_rate_and_trajectories_hold_them() {
    let text = "
        duration = 20
        frame_rate = 5
        [[exit]]
        name = 'end'
        point = [39, 2, 0]
        [[spawn]]
        rectangle = [0.5, 0.5, 3, 3.5]
        number = 1000
        rate = 2.0
        radius = { uniform = [0.15, 0.3] }
        speed = { normal = [1.3, 0.2] }
    ";
    let mut simulation = start(corridor(40.0, 4.0, 4), text);
    let mut trajectories = Trajectories { frame_rate: 5.0, ..Trajectories::default() };
    while simulation.step(|frame| trajectories.add(frame)).unwrap() {}
    let summary = simulation.summary();
    assert!((39..=41).contains(&summary.agents), "{}", summary.agents);
    let rows = &trajectories.storeys[&0];
    assert_eq!(rows.last().map(|row| row.frame), Some(99));
    let written = trajectories.to_text(0);
    assert!(written.contains("framerate: 5.0000") && written.contains("x/m"));
    assert_eq!(written.lines().filter(|line| !line.starts_with('#')).count(), rows.len());
}

#[test]
fn mistakes_are_told_with_their_line() {
    let exit = "[[exit]]\nname = 'a'\nrectangle = [0, 0, 1, 1]\n";
    let cases = [
        ("duration = 'x'", 1, "invalid type"),
        ("\nspeeed = 3", 2, "unknown field"),
        ("[[spawn]]\nnumber = 3\nrectangle = [0, 0, 1, 1]", 1, "no exit"),
        (&format!("{exit}[[spawn]]\nrectangle = [0, 0, 1, 1]"), 4, "number is missing"),
        (
            &format!("{exit}[[spawn]]\nnumber = 3\nrectangle = [0, 0, 1, 1]\nto = ['b']"),
            4,
            "no exit or goal 'b'",
        ),
        (&format!("{exit}[[spawn]]\nnumber = 3\nrectangle = [0, 0, 1, 1]\nradius = 9"), 4, "radius = 9"),
        (
            &format!(
                "{exit}[[spawn]]\nnumber = 3\nrectangle = [0, 0, 1, 1]\nradius = {{ uniform = [2, 1] }}"
            ),
            7,
            "none",
        ),
        (&format!("{exit}{exit}"), 4, "twice"),
        ("[[exit]]\nname = 'a'\npolygon = [[0, 0], [1, 1], [1, 0], [0, 1]]", 1, "crosses itself"),
        ("[[line]]\nname = 'a'\nfrom = [0, 0]\nto = [0, 0]", 1, "no length"),
        ("rate = nan", 0, "rate = NaN"),
    ];
    for (text, line, words) in cases {
        let error = Scenario::parse(text).unwrap_err();
        assert!(error.message.contains(words), "{text}: {error}");
        assert_eq!(error.line, line, "{text}: {error}");
    }
    let off =
        format!("{}[[spawn]]\npoints = [[0.5, 0.5, 0]]", exit.replace("[0, 0, 1, 1]", "[90, 0, 91, 1]"));
    let error = Simulation::new(Scenario::parse(&off).unwrap(), corridor(10.0, 2.0, 1)).unwrap_err();
    assert_eq!((error.line, error.message.as_str()), (1, "the area is not on the mesh"));
}
