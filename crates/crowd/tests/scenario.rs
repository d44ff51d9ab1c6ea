//! Scenario files: what they do, and what they refuse; the tests of RiMEA and IMO that are about moving.

#[path = "crowd/spawns.rs"]
mod spawns;
#[path = "crowd/standards.rs"]
mod standards;
#[path = "crowd/support/mod.rs"]
mod support;

use std::sync::Arc;
use support::{door_room, mesh, rooms};
use wayfare_bake::build_clearance;
use wayfare_core::{Context, DVec2, dvec3};
use wayfare_crowd::scenario::{Scenario, Simulation, Summary, Trajectories};
use wayfare_navmesh::NavMesh;

fn start(mesh: Arc<NavMesh>, text: &str) -> Simulation {
    let scenario = Scenario::parse(text).unwrap();
    let mesh = match scenario.cut(&mesh).unwrap() {
        Some(mut cut) => {
            assert_eq!(cut.check(), []);
            cut.set_clearance(Some(build_clearance(&cut, &Context::default()).unwrap()));
            Arc::new(cut)
        }
        None => mesh,
    };
    Simulation::new(scenario, mesh).unwrap()
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

/// IMO 4: a hundred persons leave a room of 8 × 5 m through 1 m. Persons per second over the whole time.
fn imo_4(cap: &str) -> f64 {
    let text = format!(
        "duration = 200\n[[exit]]\nname = 'door'\nrectangle = [9, 0, 14, 5]\n{cap}\n[[spawn]]\nrectangle = [0.2, 0.2, 7.8, 4.8]\nnumber = 100"
    );
    let summary = run(rooms(&[[0.0, 0.0, 8.0, 5.0], [8.0, 2.0, 8.2, 3.0], [8.2, 0.0, 14.0, 5.0]]), &text);
    assert_eq!((summary.agents, summary.arrived, summary.stuck), (100, 100, 0));
    100.0 / summary.simulated_seconds
}

#[test]
fn imo_4_an_exit_with_a_cap_lets_no_more_than_that_through() {
    let flow = imo_4("cap = 1.33");
    assert!((1.2..=1.33).contains(&flow), "{flow} persons per second");
    // Without it as many as through doors of people: more than the standard allows.
    let flow = imo_4("");
    println!("IMO 4 without a cap: {flow:.2} persons per second");
    assert!((1.3..=1.9).contains(&flow), "{flow} persons per second without a cap");
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

/// A ring of four cells round a block of 16 × 6 m.
fn ring() -> Arc<NavMesh> {
    let points = [(0., 0.), (20., 0.), (20., 10.), (0., 10.), (2., 2.), (18., 2.), (18., 8.), (2., 8.)];
    let points = points.map(|(x, y)| dvec3(x, y, 0.0));
    mesh(&points, &[vec![0, 1, 5, 4], vec![1, 2, 6, 5], vec![2, 3, 7, 6], vec![3, 0, 4, 7]])
}

#[test]
fn a_door_amid_a_cell_closes_in_time_and_agents_go_the_other_way() {
    let text = |turns: &str| {
        format!(
            "
        [[exit]]
        name = 'end'
        rectangle = [18, 3, 20, 5]
        [[spawn]]
        rectangle = [2, 0.2, 8, 1.8]
        number = 20
        [[door]]
        name = 'across'
        from = [10, 0.1, 0]
        to = [10, 1.95, 0]
        {turns}
        [[line]]
        name = 'below'
        from = [12, 0]
        to = [12, 2]
        [[line]]
        name = 'above'
        from = [12, 8]
        to = [12, 10]
    "
        )
    };
    let open = run(ring(), &text(""));
    assert_eq!((open.arrived, open.flow[0].1, open.flow[1].1), (20, 20, 0));
    // Some are through, some stand in the door when it closes.
    let closed = run(ring(), &text("close_at = [4.5]"));
    let [below, above] = [0, 1].map(|k| closed.flow[k].1);
    assert_eq!((closed.arrived, below + above), (20, 20));
    assert!(below > 0 && above > 5, "{below} below, {above} above");
    assert!(closed.simulated_seconds > open.simulated_seconds + 10.0);
    // Closed for good, and on the way round too: nobody gets through, and all are told to be stuck.
    let shut =
        text("closed = true\n[[door]]\nname = 'round'\nfrom = [10, 8, 0]\nto = [10, 10, 0]\nclosed = true")
            .replacen("[[exit]]", "duration = 12\n[[exit]]", 1);
    let shut = run(ring(), &shut);
    assert_eq!((shut.arrived, shut.stuck), (0, 20));
    // And open again at last.
    let later = run(
        ring(),
        &text(
            "closed = true\nopen_at = [3]\n[[door]]\nname = 'round'\nfrom = [10, 8, 0]\nto = [10, 10, 0]\nclosed = true",
        ),
    );
    assert_eq!((later.arrived, later.flow[0].1), (20, 20));
}

#[test]
fn two_exits_share_the_load_and_each_has_its_own_cap() {
    let text = "
        [[exit]]
        name = 'near'
        rectangle = [0, 0, 2, 4]
        cap = 1.0
        [[exit]]
        name = 'far'
        rectangle = [38, 0, 40, 4]
        cap = 2.0
        [[spawn]]
        rectangle = [2, 0.2, 12, 3.8]
        number = 90
    ";
    let mesh = corridor(40.0, 4.0, 4);
    let shared = run(mesh.clone(), text);
    let [near, far] = [0, 1].map(|k| shared.exits[k].1);
    assert_eq!((near + far, shared.arrived), (90, 90));
    assert!((25..=60).contains(&near), "{near} left near, {far} far");
    // Who only looks at the distance queues at the near one.
    let alone = run(mesh, &format!("exit_choice = 'distance'{text}"));
    assert_eq!(alone.exits[0].1, 90);
    assert!(alone.simulated_seconds >= 88.0 && shared.simulated_seconds < 0.8 * alone.simulated_seconds);
}

#[test]
fn groups_arrive_together() {
    let text = |group: usize| {
        format!(
            "
        seed = 5
        [[exit]]
        name = 'end'
        rectangle = [78, 0, 80, 4]
        [[spawn]]
        rectangle = [0.5, 0.2, 8, 3.8]
        number = 15
        speed = {{ uniform = [0.6, 1.6] }}
        group = {group}
    "
        )
    };
    let spread = |group: usize| {
        let mut simulation = start(corridor(80.0, 4.0, 4), &text(group));
        let mut left = [0.0; 15];
        while simulation.step(|_| ()).unwrap() {
            for gone in &simulation.crowd().report().left {
                left[gone.id as usize] = simulation.crowd().time();
            }
        }
        assert_eq!(simulation.summary().arrived, 15);
        let spread = |group: &[f64]| {
            let [first, last] = [f64::min, f64::max].map(|pick| group.iter().copied().reduce(pick).unwrap());
            last - first
        };
        left.chunks(3).map(spread).fold(0.0, f64::max)
    };
    let (together, alone) = (spread(3), spread(1));
    println!("{together} s together, {alone} s alone");
    assert!(together <= 10.0 && alone > 25.0, "{together} s together, {alone} s alone");
}

#[test]
fn groups_that_wait_keep_no_door_shut() {
    // A room, a door of 0.9 m and a corridor of 2 m.
    let points = [
        [(0., 0.), (6., 0.), (6., 3.), (6., 3.9), (6., 6.), (0., 6.)].as_slice(),
        &[(6.2, 3.), (6.2, 3.9), (6.2, 2.5), (30., 2.5), (30., 4.5), (6.2, 4.5)],
    ];
    let points: Vec<_> = points.concat().into_iter().map(|(x, y)| dvec3(x, y, 0.0)).collect();
    let mesh = mesh(&points, &[vec![0, 1, 2, 3, 4, 5], vec![2, 6, 7, 3], vec![8, 9, 10, 11, 7, 6]]);
    let seconds = |group: usize| {
        let text = format!(
            "
        seed = 2
        [[exit]]
        name = 'end'
        rectangle = [28, 2.5, 30, 4.5]
        cap = 1.33
        [[spawn]]
        rectangle = [0.3, 0.3, 5.7, 5.7]
        number = 42
        rate = 2
        group = {group}
        pre_movement = {{ uniform = [0, 30] }}
    "
        );
        let summary = run(mesh.clone(), &text);
        assert_eq!((summary.arrived, summary.stuck), (42, 0));
        summary.simulated_seconds
    };
    let [alone, together] = [1, 3].map(seconds);
    println!("{alone} s alone, {together} s in groups");
    assert!(together <= 1.35 * alone, "{alone} s alone, {together} s in groups");
}

#[test]
fn who_waits_at_a_goal_moves_up_and_lets_others_in() {
    // Three beside each other fill the corridor: where they wait at the rim of the goal nobody else comes in.
    let text = |wait: f64| {
        format!(
            "
        seed = 2
        [[goal]]
        name = 'kiosk'
        point = [20, 1, 0]
        radius = 1.5
        [[exit]]
        name = 'end'
        rectangle = [38, 0, 40, 2]
        [[spawn]]
        rectangle = [0.3, 0.3, 8, 1.7]
        number = 40
        rate = 2
        via = [{{ goal = 'kiosk', wait = {wait} }}]
    "
        )
    };
    let [through, waiting] = [0.0, 5.0].map(|wait| {
        let summary = run(corridor(40.0, 2.0, 4), &text(wait));
        assert_eq!((summary.arrived, summary.stuck), (40, 0));
        summary.simulated_seconds
    });
    println!("{through} s through, {waiting} s with a wait");
    // Ten have room in the goal, so that 40 take 20 s to be served.
    assert!(waiting <= through + 30.0, "{through} s through, {waiting} s with a wait");
}

#[test]
fn who_queues_or_waits_is_not_stuck_but_who_stands_before_a_wall_is() {
    // An exit that lets one through every 20 s: most stand for all of the last ten.
    let queue = |more: &str| {
        format!(
            "
        duration = 60
        [[exit]]
        name = 'door'
        rectangle = [11, 0, 12, 8]
        cap = 0.05
        [[spawn]]
        rectangle = [0.3, 0.3, 7.7, 7.7]
        number = 30
        {more}
    "
        )
    };
    for more in ["", "group = 3", "pre_movement = { uniform = [0, 100] }"] {
        let summary = run(door_room(8.0, 1.0), &queue(more));
        assert!(summary.arrived < 5);
        assert_eq!(summary.stuck, 0, "{more}");
    }
    // Larger than the door: they have no way.
    let large = run(door_room(8.0, 1.0), &queue("radius = 0.6").replace("30", "5"));
    assert_eq!((large.arrived, large.stuck), (0, 5));
}

#[test]
fn a_run_that_is_saved_goes_on_to_the_last_bit() {
    // Whatever a run remembers: groups on their way in, a queue that waits for room, a door that turns, exits to choose from.
    let text = "
        seed = 4
        duration = 60
        frame_rate = 5
        [[goal]]
        name = 'kiosk'
        point = [10, 1, 0]
        radius = 0.8
        [[exit]]
        name = 'left'
        rectangle = [0, 0, 1, 2]
        cap = 0.7
        [[exit]]
        name = 'right'
        rectangle = [29, 0, 30, 2]
        [[spawn]]
        rectangle = [13, 0.3, 15, 1.7]
        number = 30
        rate = 3
        group = { uniform = [1, 4] }
        radius = { uniform = [0.15, 0.3] }
        speed = { normal = [1.34, 0.26], min = 0.6 }
        pre_movement = { uniform = [0, 5] }
        via = [{ goal = 'kiosk', wait = 2 }]
        [[spawn]]
        points = [[5, 0.5, 0], [20, 1.5, 0]]
        [[door]]
        name = 'd'
        from = [24, 0, 0]
        to = [24, 2, 0]
        close_at = [4, 30]
        open_at = [25]
        [[line]]
        name = 'l'
        from = [8, 0]
        to = [8, 2]
        [[area]]
        name = 'a'
        rectangle = [5, 0, 12, 2]
    ";
    let mut whole = start(corridor(30.0, 2.0, 3), text);
    let go = |simulation: &mut Simulation, until: f64| {
        let mut trajectories = Trajectories::default();
        while simulation.crowd().time() < until && simulation.step(|frame| trajectories.add(frame)).unwrap() {
        }
        trajectories.storeys
    };
    let folder = std::env::temp_dir().join(format!("wayfare-saved-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for k in 0..4 {
        go(&mut whole, [0.0, 2.51, 11.0, 27.3][k]);
        let file = folder.join(format!("{k}.waycrowd"));
        whole.write(&file, text).unwrap();
        let (again, kept) = Simulation::from_bytes(std::fs::read(&file).unwrap()).unwrap();
        assert_eq!((kept.as_str(), again.summary()), (text, whole.summary()));
        // What was saved and read is saved as the same bytes.
        again.write(&folder.join("again"), text).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(folder.join("again")).unwrap());
    }
    let rest = go(&mut whole, 100.0);
    let (mut again, _) = Simulation::from_bytes(std::fs::read(folder.join("3.waycrowd")).unwrap()).unwrap();
    assert_eq!(go(&mut again, 100.0), rest);
    // From the beginning on, and from amid those who come.
    for k in 0..3 {
        let file = folder.join(format!("{k}.waycrowd"));
        let (mut early, _) = Simulation::from_bytes(std::fs::read(file).unwrap()).unwrap();
        go(&mut early, 100.0);
        assert_eq!(early.crowd().to_bytes(), whole.crowd().to_bytes());
        assert_eq!(early.summary(), whole.summary());
    }
    assert_eq!(again.crowd().to_bytes(), whole.crowd().to_bytes());
    assert!(whole.summary().arrived > 10 && rest.values().any(|rows| rows.len() > 100));
    // A crowd by itself is no run, nor is one with another scenario.
    whole.crowd().write_with_mesh(&folder.join("crowd")).unwrap();
    let refused = |name: &str| {
        Simulation::from_bytes(std::fs::read(folder.join(name)).unwrap()).unwrap_err().to_string()
    };
    assert!(refused("crowd").contains("without its scenario"));
    whole
        .write(
            &folder.join("other"),
            &text.replace("name = 'a'", "name = 'a'\n[[goal]]\nname = 'b'\npoint = [1, 1, 0]"),
        )
        .unwrap();
    whole.write(&folder.join("less"), &text.replace("number = 30", "number = 3")).unwrap();
    assert!(refused("other").contains("not a valid crowd") && refused("less").contains("not a valid crowd"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn ground_is_slower_exactly_where_it_is_said_to_be() {
    let text = "
        [[exit]]
        name = 'end'
        rectangle = [40.5, 0, 42, 2]
        [[spawn]]
        points = [[0.5, 1, 0]]
        speed = 1.0
        [[speed]]
        rectangle = [10, -1, 20, 3]
        factor = 0.5
        [[speed]]
        polygon = [[30, -1], [35, -1], [35, 3], [30, 3]]
        factor = 0.25
    ";
    // 25 m at 1 m/s, 10 at a half and 5 at a quarter, on a mesh of one cell.
    let summary = run(corridor(42.0, 2.0, 1), text);
    assert!((summary.simulated_seconds - 65.0).abs() < 1.5, "{}", summary.simulated_seconds);
}

#[test]
fn nobody_goes_to_and_fro_where_the_speed_changes() {
    // A corridor in strips beside pillars: which strip is the best one changes with every step beside the border of the area.
    let ground = || {
        rooms(&[
            [0.0, 0.0, 11.0, 2.0],
            [11.0, 0.0, 28.0, 0.8],
            [11.4, 0.8, 28.0, 1.2],
            [11.0, 1.2, 28.0, 2.0],
            [28.0, 0.0, 40.0, 2.0],
        ])
    };
    let seconds = |factor: f64| {
        let text = format!(
            "
            seed = 2
            duration = 200
            [[exit]]
            name = 'end'
            rectangle = [0.1, 0.1, 2, 1.9]
            [[spawn]]
            rectangle = [25, 0.2, 35, 1.8]
            number = 30
            [[speed]]
            rectangle = [10, 0, 18, 2]
            factor = {factor}
        "
        );
        run(ground(), &text).simulated_seconds
    };
    let alike = seconds(1.0);
    for factor in [0.99_f64, 1.01, 0.8, 2.0] {
        // What the area itself costs, and a tenth.
        let longest = 1.1 * (alike + 8.0 / 1.34 * (1.0 / factor - 1.0).max(0.0) + 1.0);
        let found = seconds(factor);
        assert!(found <= longest, "{factor}: {found} s, {longest} at most");
    }
}

#[test]
fn runs_end_when_they_are_told_to() {
    let text = "
        duration = 100
        stop_after_arrived = 3
        [[exit]]
        name = 'end'
        rectangle = [9, 0, 10, 4]
        [[spawn]]
        rectangle = [0.5, 0.5, 2, 3.5]
        rate = 0.5
        from = 2
        until = 22
    ";
    let enough = run(corridor(10.0, 4.0, 1), text);
    assert_eq!(enough.arrived, 3);
    let all = run(corridor(10.0, 4.0, 1), &text.replace("stop_after_arrived = 3", ""));
    assert_eq!((all.agents, all.arrived), (11, 11));
    assert!((27.0..35.0).contains(&all.simulated_seconds), "{}", all.simulated_seconds);
    let text = text.replace("stop_after_arrived = 3", "stop_when_empty = false").replace("100", "40");
    assert!((run(corridor(10.0, 4.0, 1), &text).simulated_seconds - 40.0).abs() < 0.1);
}

#[test]
fn exits_that_end_where_the_mesh_is_cut_are_entered() {
    // The cell before the exit has only an edge in common with it.
    let exit = |rectangle: &str, more: &str| {
        format!(
            "duration = 120\n[[exit]]\nname = 'e'\nrectangle = {rectangle}\n{more}\n[[spawn]]\nrectangle = [1, 1, 5, 9]\nnumber = 5"
        )
    };
    for (rectangle, more) in [
        ("[38, 2, 40, 8]", "[[speed]]\nrectangle = [30, 2, 38, 8]\nfactor = 0.5"),
        ("[38, 2, 40, 8]", "[[speed]]\nrectangle = [10, 2, 20, 8]\nfactor = 1"),
        ("[38, 4, 40, 6]", "[[speed]]\nrectangle = [30, 4, 38, 6]\nfactor = 1"),
        ("[38, 2, 40, 8]", "[[door]]\nname = 'd'\nfrom = [38, 2, 0]\nto = [38, 8, 0]"),
        ("[38, 2, 40, 8]", "[[door]]\nname = 'd'\nfrom = [36, 2, 0]\nto = [37, 2, 0]"),
    ] {
        let summary = run(corridor(40.0, 10.0, 1), &exit(rectangle, more));
        assert_eq!((summary.arrived, summary.stuck), (5, 0), "{more}");
        assert!(summary.simulated_seconds < 45.0, "{more}: {} s", summary.simulated_seconds);
    }
    // Beyond the wall, and touching it.
    let scenario = Scenario::parse(&exit("[40, 2, 42, 8]", "")).unwrap();
    let error = Simulation::new(scenario, corridor(40.0, 10.0, 1)).unwrap_err();
    assert_eq!(error.to_string(), "line 2: the area is not on the mesh");
}

#[test]
fn mistakes_are_told_with_their_line() {
    let exit = "[[exit]]\nname = 'a'\nrectangle = [0, 0, 1, 1]\n";
    let spawn = "[[spawn]]\nnumber = 3\nrectangle = [0, 0, 1, 1]\n";
    let with = |more: &str| format!("{exit}{spawn}{more}");
    let cases = [
        ("duration = 'x'", 1, "invalid type"),
        ("\nspeeed = 3", 2, "unknown field"),
        ("\n\nrate = nan", 3, "rate = NaN"),
        ("rate = 20\nframe_rate = 30", 2, "frame_rate = 30"),
        ("way_points = 'x'", 1, "unknown variant"),
        ("movement = 'x'", 1, "unknown variant"),
        ("exit_choice = 'x'", 1, "unknown variant"),
        (exit, 1, "nobody comes"),
        (spawn, 1, "no exit"),
        (&format!("{exit}[[spawn]]\nrectangle = [0, 0, 1, 1]"), 4, "number is missing"),
        (&format!("{exit}[[spawn]]\nnumber = 2\nz = 1"), 4, "give one of"),
        (&format!("{exit}[[spawn]]\nnumber = 2\npoints = [[1, 1, 0]]"), 5, "each point is for one"),
        (&with("to = ['b']"), 7, "no exit or goal 'b'"),
        (&with("via = [{ goal = 'c' }]"), 7, "no exit or goal 'c'"),
        (&with("via = [{ goal = 'a', wait = -1 }]"), 7, "wait = -1"),
        (&with("radius = 9"), 7, "radius = 9"),
        (&with("\ngroup = 0"), 8, "group = 0"),
        (&with("until = 3"), 7, "needs a rate"),
        (&with("rate = 1\nfrom = 9\nuntil = 3"), 9, "until = 3"),
        (&with("radius = { uniform = [2, 1] }"), 7, "uniform = [2, 1]: the first number is the least"),
        (&with("radius = { normal = [0.2, -0.1] }"), 7, "normal = [0.2, -0.1]: the deviation is negative"),
        (
            &with("radius = { normal = [0.2, 0.05], min = 0.3, max = 0.1 }"),
            7,
            "min = 0.3 is more than max = 0.1",
        ),
        (&with("radius = { normal = [0.2, 5] }"), 7, "radius may be as small as -14.8"),
        (&with("radius = { uniform = [0.2, 9] }"), 7, "radius may be as large as 9"),
        (&with("number = -1").replacen("number = 3\n", "", 1), 6, "number = -1"),
        (&with("number = 2.5").replacen("number = 3\n", "", 1), 6, "whole number"),
        ("stop_after_arrived = -2", 1, "stop_after_arrived = -2 is less than 0"),
        ("seed = -2", 1, "seed = -2 is less than 0"),
        ("duration = 1e300", 1, "duration = 1e300 is outside"),
        (&with("speed = { among = [] }"), 7, "among needs"),
        (&with("radius = { among = [0.2, nan] }"), 7, "must be finite"),
        (&with("group = 1.5"), 7, "group = 1.5 is not a whole number"),
        (&with("speed = { uniform = [1, 2], min = 1.5 }"), 7, "limits of normal"),
        (&with("speed = { uniform = [1, 2], normal = [1, 2] }"), 7, "give one of"),
        (&format!("{exit}{exit}"), 5, "twice"),
        (&with("[[door]]\nname = 'd'\nfrom = [0, 0, 0]\nto = [0, 0, 0]"), 10, "less than 5 cm"),
        (
            &with("[[door]]\nname = 'd'\nfrom = [0, 0, 0]\nto = [0, 1, 0]\nclose_at = [1, -1]"),
            11,
            "close_at = -1",
        ),
        (&with("[[speed]]\nfactor = 1"), 7, "give one of tag"),
        (&with("[[speed]]\ntag = 'x'\nfactor = 0"), 9, "factor = 0"),
        ("[[exit]]\nname = 'a'\npolygon = [\n[0, 0], [1, 1],\n[1, 0], [0, 1]]", 3, "crosses itself"),
        ("[[exit]]\nname = 'a'\npoint = [0, inf, 0]", 3, "coordinate"),
        ("[[exit]]\nname = 'a'\npoint = [0, 0, 0]\nradius = -1", 4, "radius = -1"),
        ("[[exit]]\nname = 'a'\npoint = [0, 0, 0]\ncap = 0", 4, "cap = 0"),
        ("[[exit]]\nname = 'a'", 2, "needs one of"),
        ("[[line]]\nname = 'a'\nfrom = [0, 0]\nto = [0, 0]", 4, "no length"),
        ("[[area]]\nname = 'a'", 1, "give rectangle or polygon"),
        ("[[line]]\nname = 'a'\nfrom = [0, 0, 0]\nto = [0, 1]", 3, "a list of 2 numbers"),
        ("[[exit]]\nname = 'a'\nrectangle = [0, 0, 1]", 3, "a list of 4 numbers"),
        ("[[exit]]\nname = 'a'\nrectangle = [0, 0, 1, 1, 1]", 3, "a list of 4 numbers"),
        (&with("radius = { uniform = [0.1, 0.2, 0.3] }"), 7, "a list of 2 numbers"),
        ("[exit]\nname = 'a'", 1, "[[exit]]"),
    ];
    for (text, line, words) in cases {
        let error = Scenario::parse(text).unwrap_err();
        assert!(error.message.contains(words), "{text}: {error}");
        assert_eq!(error.line, line, "{text}: {error}");
    }
    let refused = |text: &str| {
        let scenario = Scenario::parse(text).unwrap();
        let mesh = corridor(10.0, 2.0, 1);
        let error = match scenario.cut(&mesh) {
            Ok(cut) => Simulation::new(scenario, cut.map_or(mesh, Arc::new)).unwrap_err(),
            Err(error) => error,
        };
        (error.line, error.message)
    };
    let off = |message: &str, line: usize| (line, message.to_owned());
    assert_eq!(
        refused(&with("").replacen("[0, 0, 1, 1]", "[90, 0, 91, 1]", 1)),
        off("the area is not on the mesh", 1)
    );
    let elsewhere = "[[spawn]]\nnumber = 3\nrectangle = [0, 9, 1, 10]\n";
    assert_eq!(refused(&format!("{exit}{elsewhere}")), off("the area is not on the mesh", 4));
    assert_eq!(
        refused(&with("[[door]]\nname = 'd'\nfrom = [0, 5, 0]\nto = [0, 6, 0]")),
        off("the door 'd' is not on the mesh", 7)
    );
    assert_eq!(
        refused(&with("[[door]]\nname = 'd'\nfrom = [2, 0, 0]\nto = [6, 0, 0]")),
        off("the door 'd' runs along a wall: nobody could go through it", 7)
    );
    assert_eq!(
        refused(&with("[[speed]]\ntag = 'x'\nfactor = 0.5")),
        off("the mesh has no tag 'x'; it has: no tags", 7)
    );
    let line = |from: &str, to: &str, more: &str| {
        with(&format!("[[line]]\nname = 'l'\nfrom = {from}\nto = {to}\n{more}"))
    };
    assert_eq!(refused(&line("[200, 8]", "[200, 9]", "")), off("the line 'l' is not on the mesh", 7));
    assert_eq!(refused(&line("[5, 0]", "[5, 2]", "z = 4")), off("the line 'l' is not on the mesh", 7));
    assert_eq!(
        refused(&with("[[area]]\nname = 'b'\nrectangle = [500, 500, 600, 600]")),
        off("the area is not on the mesh", 7)
    );
    // It touches the mesh from outside.
    assert_eq!(
        refused(&with("").replacen("[0, 0, 1, 1]", "[10, 0, 12, 2]", 1)),
        off("the area is not on the mesh", 1)
    );
    // Partly on it, along a wall, and the other way round.
    for (from, to) in
        [("[5, -3]", "[5, 9]"), ("[0, 0]", "[10, 0]"), ("[10, 2]", "[0, 2]"), ("[-5, 1]", "[50, 1]")]
    {
        start(corridor(10.0, 2.0, 1), &line(from, to, "z = 0"));
    }
    assert_eq!(
        refused(&with("[[speed]]\nrectangle = [0, 5, 1, 6]\nfactor = 0.5")),
        off("the area is not on the mesh", 7)
    );
}
