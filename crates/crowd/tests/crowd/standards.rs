//! Tests of RiMEA (guideline for evacuation analyses, numbering of 4.1.1) and IMO (MSC.1/Circ.1533), with their acceptance
//! numbers, in sizes that take seconds. Geometry as in the standards, fewer persons where it takes long; the full sizes are
//! ignored here and part of the full tests.

use crate::{
    run, start,
    support::{
        corridor::{Corridor, Walkers},
        oval::{LENGTH, Oval, people},
        rooms,
    },
};
use std::sync::Arc;
use wayfare_core::dvec2;
use wayfare_crowd::{CrowdConfig, scenario::Summary};
use wayfare_navmesh::NavMesh;

fn exit(name: &str, r: [f64; 4]) -> String {
    format!("[[exit]]\nname = '{name}'\nrectangle = {r:?}\n")
}

fn spawn(r: [f64; 4], number: usize, more: &str) -> String {
    format!("[[spawn]]\nrectangle = {r:?}\nnumber = {number}\n{more}\n")
}

fn line(name: &str, from: [f64; 2], to: [f64; 2]) -> String {
    format!("[[line]]\nname = '{name}'\nfrom = {from:?}\nto = {to:?}\n")
}

fn all_leave(summary: &Summary) -> f64 {
    assert_eq!((summary.arrived, summary.stuck, summary.not_placed), (summary.agents, 0, 0), "{summary:?}");
    summary.simulated_seconds
}

/// Weidmann's speed at a density [m/s], as a share of that of a free walker.
fn weidmann(density: f64) -> f64 {
    1.0 - wayfare_core::ops::exp(-1.913 * (1.0 / density - 1.0 / 5.4))
}

#[test]
fn rimea_4_speed_falls_with_density_as_that_of_people() {
    // Wish speeds differ, as those of people do; in and out of the corridor go as many.
    let (size, middle) = (dvec2(50.0, 5.0), 20.0..30.0);
    let flows = [0.5, 1.0, 2.0, 3.0].map(|filled| {
        let walkers =
            Walkers { count: (filled * 250.0) as usize, radius: 0.2, speed: [1.34, 0.26], two_ways: false };
        let mut corridor = Corridor::new(size, walkers, 1, CrowdConfig::default());
        let (mut sum, mut count, mut looks) = (0.0, 0, 0);
        for step in 0..900 {
            corridor.step();
            if step >= 300 && step % 15 == 0 {
                let inside = || corridor.walkers().filter(|agent| middle.contains(&agent.at.x));
                sum += inside().map(|agent| agent.velocity.x).sum::<f64>();
                (count, looks) = (count + inside().count(), looks + 1);
            }
        }
        let (density, speed) = (count as f64 / f64::from(looks) / 50.0, sum / count as f64);
        println!("{density:.2} persons per m²: {speed:.2} m/s, Weidmann {:.2}", 1.34 * weidmann(density));
        (density, speed)
    });
    assert!(flows.windows(2).all(|pair| pair[0].1 > pair[1].1), "speed falls: {flows:?}");
    for (density, speed) in flows {
        let people = 1.34 * weidmann(density);
        assert!((speed - people).abs() < 0.25, "{density}: {speed} and {people} m/s");
    }
    // Most pass at 1.5 to 2.2 persons per square metre.
    let passing = flows.map(|(density, speed)| density * speed);
    assert!(passing[2] > passing[0] && passing[2] > passing[3], "{passing:?}");
}

#[test]
fn rimea_7_and_imo_7_speeds_are_those_of_the_age() {
    // Men of 30 to 50 years.
    let text = exit("end", [28.0, 0.0, 30.0, 60.0])
        + &spawn([0.5, 0.5, 8.0, 59.5], 50, "speed = { uniform = [0.97, 1.62] }");
    let simulation = start(rooms(&[[0.0, 0.0, 30.0, 60.0]]), &text);
    let speeds: Vec<f64> = simulation.crowd().agents().map(|agent| agent.speed).collect();
    assert!(speeds.len() == 50 && speeds.iter().all(|speed| (0.97..=1.62).contains(speed)));
    // The mean falls with the age.
    let times = [1.62, 1.54, 1.48, 1.41, 1.27, 1.07].map(|speed| {
        let text = exit("end", [20.5, 0.0, 22.0, 2.0])
            + &format!("[[spawn]]\npoints = [[0.5, 1, 0]]\nspeed = {speed}\n");
        let seconds = all_leave(&run(rooms(&[[0.0, 0.0, 22.0, 2.0]]), &text));
        assert!((20.0 / seconds - speed).abs() <= 0.06, "{speed}: {seconds}");
        seconds
    });
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn rimea_8_faster_persons_leave_sooner() {
    let mesh = rooms(&[[0.0, 0.0, 12.0, 8.0], [12.0, 3.4, 13.0, 4.6], [13.0, 0.0, 16.0, 8.0]]);
    let times = [0.5, 0.75, 1.0].map(|speed| {
        let text = exit("end", [14.0, 0.0, 16.0, 8.0])
            + &spawn([0.2, 0.2, 11.8, 7.8], 50, &format!("speed = {speed}"));
        all_leave(&run(mesh.clone(), &text))
    });
    assert!(times[0] > times[1] && times[1] > times[2], "{times:?}");
}

/// A room of 30 × 20 m with doors of 1 m, two in each long wall.
fn room_of_four_doors() -> (Arc<NavMesh>, [[f64; 4]; 4]) {
    let exits = [
        [8.0, -4.0, 12.0, -2.0],
        [18.0, -4.0, 22.0, -2.0],
        [8.0, 22.0, 12.0, 24.0],
        [18.0, 22.0, 22.0, 24.0],
    ];
    let mut ground = vec![[0.0, 0.0, 30.0, 20.0]];
    for (x, y) in [(9.5, -1.0), (19.5, -1.0), (9.5, 20.0), (19.5, 20.0)] {
        ground.push([x, y, x + 1.0, y + 1.0]);
    }
    ground.extend([
        [8.0, -4.0, 12.0, -1.0],
        [18.0, -4.0, 22.0, -1.0],
        [8.0, 21.0, 12.0, 24.0],
        [18.0, 21.0, 22.0, 24.0],
    ]);
    (rooms(&ground), exits)
}

fn half_of_the_doors(persons: usize) -> f64 {
    let (mesh, exits) = room_of_four_doors();
    let time = |count: usize| {
        let doors: String = (0..count).map(|k| exit(&format!("door {k}"), exits[k])).collect();
        all_leave(&run(
            mesh.clone(),
            &(format!("duration = 900\n{doors}") + &spawn([0.2, 0.2, 29.8, 19.8], persons, "")),
        ))
    };
    let (all, half) = (time(4), time(2));
    println!("4 doors {all} s, 2 doors {half} s");
    half / all
}

#[test]
fn rimea_9_and_imo_9_half_of_the_doors_take_twice_the_time() {
    let ratio = half_of_the_doors(260);
    assert!((1.6..=2.4).contains(&ratio), "{ratio}");
}

#[test]
#[ignore = "a minute; part of the full tests"]
fn rimea_9_and_imo_9_in_full() {
    let ratio = half_of_the_doors(1000);
    assert!((1.6..=2.4).contains(&ratio), "{ratio}");
}

#[test]
fn rimea_10_and_imo_10_everybody_takes_the_exit_of_its_cabin() {
    // Six cabins of 3 m on either side of a corridor of 1.2 m with an exit at each end.
    let mut ground = vec![[-4.0, 0.0, 22.0, 1.2]];
    let mut text = exit("main", [-4.0, 0.0, -2.5, 1.2]) + &exit("secondary", [20.5, 0.0, 22.0, 1.2]);
    for cabin in 0..12 {
        let x = 3.0 * f64::from(cabin % 6);
        let (low, high, door) = if cabin < 6 { (1.4, 4.4, [1.2, 1.4]) } else { (-3.2, -0.2, [-0.2, 0.0]) };
        ground.push([x + 0.1, low, x + 2.9, high]);
        ground.push([x + 1.0, door[0], x + 1.9, door[1]]);
        let main = ![4, 5, 10, 11].contains(&cabin);
        let to = format!("to = ['{}']", if main { "main" } else { "secondary" });
        text += &spawn([x + 0.3, low + 0.5, x + 2.7, low + 2.8], if cabin == 2 { 1 } else { 2 }, &to);
    }
    let summary = run(rooms(&ground), &text);
    all_leave(&summary);
    assert_eq!([summary.exits[0].1, summary.exits[1].1], [15, 8]);
}

#[test]
fn rimea_11_the_nearer_exit_is_preferred_and_the_other_is_not_empty() {
    let ground = [
        [0.0, 0.0, 30.0, 20.0],
        [7.0, 20.0, 8.0, 21.0],
        [22.0, 20.0, 23.0, 21.0],
        [5.0, 21.0, 10.0, 24.0],
        [20.0, 21.0, 25.0, 24.0],
    ];
    let text = String::from("duration = 900\n")
        + &exit("near", [5.0, 22.0, 10.0, 24.0])
        + &exit("far", [20.0, 22.0, 25.0, 24.0])
        + &spawn([0.2, 0.2, 14.8, 19.8], 300, "");
    let summary = run(rooms(&ground), &text);
    all_leave(&summary);
    let [near, far] = [summary.exits[0].1, summary.exits[1].1];
    assert!(near > far && far >= 30, "{near} near, {far} far");
}

/// Two rooms of 10 m with a bottleneck between; where it begins and ends, and a goal so far behind it.
fn bottleneck(width: f64, length: f64, goal: f64, persons: usize) -> Summary {
    let far = 10.0 + length;
    let (low, high) = (5.0 - 0.5 * width, 5.0 + 0.5 * width);
    let mesh = rooms(&[[0.0, 0.0, 10.0, 10.0], [10.0, low, far, high], [far, 0.0, far + 12.0, 10.0]]);
    let text = String::from("duration = 900\n")
        + &exit("end", [far + goal, 0.0, far + 12.0, 10.0])
        + &spawn([0.2, 0.2, 9.8, 9.8], persons, "")
        + &line("in", [10.0, low], [10.0, high]);
    run(mesh, &text)
}

#[test]
fn rimea_12_bottlenecks_do_what_they_should() {
    // a: a goal that is nearer to the bottleneck is reached no later.
    let times = [0.5, 5.0, 10.0].map(|goal| all_leave(&bottleneck(1.0, 0.4, goal, 60)));
    assert!(times[0] <= times[1] + 0.5 && times[1] <= times[2] + 0.5, "{times:?}");
    // b: a long bottleneck lets room 1 be empty no sooner.
    let [short, long] = [0.2, 5.0].map(|length| bottleneck(1.0, length, 1.0, 60).flow[0].2.unwrap());
    assert!(long <= short + 0.05, "{short} and {long} persons per metre and second");
    // d: a wider bottleneck lets more through.
    let flows = [0.8, 1.0, 1.2].map(|width| width * bottleneck(width, 5.0, 1.0, 60).flow[0].2.unwrap());
    assert!(flows[0] < flows[1] && flows[1] < flows[2], "{flows:?}");
}

#[test]
fn rimea_12c_the_second_of_two_bottlenecks_has_the_smaller_queue() {
    let mesh = rooms(&[
        [0.0, 0.0, 10.0, 10.0],
        [10.0, 4.5, 10.4, 5.5],
        [10.4, 0.0, 20.4, 10.0],
        [20.4, 4.5, 20.8, 5.5],
        [20.8, 0.0, 26.0, 10.0],
    ]);
    let text = String::from("duration = 900\n")
        + &exit("end", [22.0, 0.0, 26.0, 10.0])
        + &spawn([0.2, 0.2, 9.8, 9.8], 80, "")
        + &line("first", [10.2, 4.5], [10.2, 5.5])
        + &line("second", [20.6, 4.5], [20.6, 5.5])
        + "[[area]]\nname = 'first'\nrectangle = [7, 3, 10, 7]\n[[area]]\nname = 'second'\nrectangle = [17.4, 3, 20.4, 7]\n";
    let summary = run(mesh, &text);
    all_leave(&summary);
    let [first, second] = [0, 1].map(|k| summary.flow[k].2.unwrap());
    assert!(first - second >= -0.05, "{first} and {second} persons per second");
    assert!(summary.density[0].1 > summary.density[1].1, "{:?}", summary.density);
}

#[test]
fn rimea_13_and_imo_11_persons_queue_before_the_stairs() {
    let mesh = rooms(&[
        [0.0, 0.0, 10.0, 10.0],
        [10.0, 4.0, 22.0, 6.0],
        [22.0, 4.0, 28.0, 6.0],
        [28.0, 2.0, 34.0, 8.0],
    ]);
    let text = String::from("duration = 45\n")
        + &exit("end", [30.0, 2.0, 34.0, 8.0])
        + &spawn([0.2, 0.2, 9.8, 9.8], 150, "")
        + "[[speed]]\nrectangle = [22, 4, 28, 6]\nfactor = 0.4\n"
        + &line("corridor", [12.0, 4.0], [12.0, 6.0])
        + &line("stairs", [22.5, 4.0], [22.5, 6.0])
        + "[[area]]\nname = 'before'\nrectangle = [18, 4, 22, 6]\n[[area]]\nname = 'corridor'\nrectangle = [12, 4, 16, 6]\n";
    let summary = run(mesh, &text);
    let [corridor, stairs] = [0, 1].map(|k| summary.flow[k].2.unwrap());
    assert!(corridor - stairs > 0.05, "{corridor} and {stairs} persons per metre and second");
    assert!(summary.density[0].1 > summary.density[1].1, "{:?}", summary.density);
}

#[test]
fn rimea_14_a_long_flat_way_is_taken_where_the_short_one_is_slow() {
    // Straight on over stairs it is 20 m, round it is 36.
    let mesh = rooms(&[
        [0.0, 0.0, 4.0, 10.0],
        [4.0, 0.0, 24.0, 2.0],
        [4.0, 8.0, 24.0, 10.0],
        [24.0, 0.0, 28.0, 10.0],
    ]);
    let passages = [0.9, 0.3].map(|factor| {
        let text = exit("end", [26.0, 0.0, 28.0, 2.0])
            + &spawn([0.2, 0.2, 3.8, 3.0], 20, "")
            + &format!("[[speed]]\nrectangle = [4, 0, 24, 2]\nfactor = {factor}\n")
            + &line("stairs", [14.0, 0.0], [14.0, 2.0])
            + &line("flat", [14.0, 8.0], [14.0, 10.0]);
        let summary = run(mesh.clone(), &text);
        all_leave(&summary);
        [summary.flow[0].1, summary.flow[1].1]
    });
    assert_eq!(passages, [[20, 0], [0, 20]]);
}

/// Seconds on the short way, round the corner and on the long way, for so many who start on 20 × 6 m.
fn round_a_corner(persons: usize, seed: u64) -> [f64; 3] {
    let time = |ground: &[[f64; 4]], end: [f64; 4]| {
        let text = format!("duration = 600\nseed = {seed}\n")
            + &exit("end", end)
            + &spawn([0.2, 0.2, 19.8, 5.8], persons, "");
        all_leave(&run(rooms(ground), &text))
    };
    // The corner is as long as the short one along its inner side, as the long one along an arc at its outer side.
    let short = time(&[[0.0, 0.0, 48.0, 6.0]], [46.0, 0.0, 48.0, 6.0]);
    let long = time(&[[0.0, 0.0, 57.0, 6.0]], [55.0, 0.0, 57.0, 6.0]);
    let corner = time(&[[0.0, 0.0, 34.0, 6.0], [28.0, 0.0, 34.0, 25.0]], [28.0, 23.0, 34.0, 25.0]);
    println!("{persons}, seed {seed}: {short} s, {corner} s, {long} s");
    [short, corner, long]
}

#[test]
fn rimea_15_a_corner_takes_longer_than_a_short_way_and_no_longer_than_a_long_one() {
    let [short, corner, long] = round_a_corner(150, 0);
    assert!(short <= corner && corner <= long, "{short} {corner} {long}");
}

#[test]
#[ignore = "a minute; part of the full tests"]
fn rimea_15_in_full() {
    for seed in 1..=3 {
        let [short, corner, long] = round_a_corner(500, seed);
        assert!(short <= corner && corner <= long, "seed {seed}: {short} {corner} {long}");
    }
}

#[test]
fn rimea_16_in_single_file_speeds_are_those_of_people() {
    for count in [10, 20, 30, 40, 50, 60] {
        let config = CrowdConfig { seed: 1, ..CrowdConfig::default() };
        let mut oval = Oval::new(count, 0.2, [1.34, 0.26], config);
        let mut gained = 0.0;
        for step in 0..5400 {
            let by = oval.step();
            gained += if step >= 3600 { by } else { 0.0 };
        }
        let (density, speed) = (count as f64 / LENGTH, gained / count as f64 / 30.0);
        let [slow, middle, fast] = people(density);
        println!("{density:.2} per m: {speed:.2} m/s, people {slow:.2} {middle:.2} {fast:.2}");
        assert!((slow..=fast).contains(&speed), "{density} per m: {speed} m/s, people {slow} to {fast}");
    }
}

#[test]
fn imo_1_to_3_and_5_and_6_are_those_of_rimea() {
    let text = exit("end", [40.5, 0.0, 42.0, 2.0]) + "[[spawn]]\npoints = [[0.5, 1, 0]]\nspeed = 1.0\n";
    let seconds = all_leave(&run(rooms(&[[0.0, 0.0, 42.0, 2.0]]), &text));
    assert!((seconds - 40.0).abs() < 0.8, "{seconds}");
}

#[test]
fn imo_8_counter_flow_takes_longer_the_more_come() {
    let mesh = rooms(&[[0.0, 0.0, 10.0, 10.0], [10.0, 4.0, 20.0, 6.0], [20.0, 0.0, 30.0, 10.0]]);
    let times = [0, 10, 40].map(|others| {
        let mut text = String::from("duration = 900\nstop_after_arrived = 1000\n")
            + &exit("right", [27.0, 0.0, 30.0, 10.0])
            + &exit("left", [0.0, 0.0, 3.0, 10.0])
            + &spawn([3.2, 0.2, 9.0, 9.8], 40, "to = ['right']");
        if others > 0 {
            text += &spawn([21.0, 0.2, 26.8, 9.8], others, "to = ['left']");
        }
        let summary = run(mesh.clone(), &text);
        assert_eq!(summary.arrived, 40 + others, "{summary:?}");
        summary.simulated_seconds
    });
    println!("{times:?}");
    assert!(times[0] < times[1] && times[1] < times[2], "{times:?}");
}
