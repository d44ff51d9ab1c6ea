//! Our contacts beside those of a physics engine: the same crowds, the same movement.

#[path = "crowd/support/mod.rs"]
mod support;

use std::sync::Arc;
use support::{brute_overlap, exit_crowd, rooms, run};
use wayfare_core::{DVec2, dvec2};
use wayfare_crowd::{
    AtEnd, Crowd, CrowdConfig, Goal, Journey, MovementChoice, NewAgent, movement::forces::ForcesConfig,
};
use wayfare_navmesh::NavMesh;

const RADIUS: f64 = 0.2;

/// Agents that just walk on towards a point, whatever is in the way; where they are after some seconds, by ours and by the engine.
fn pressed(mesh: &Arc<NavMesh>, starts: &[DVec2], goal: DVec2, seconds: f64) -> [Vec<DVec2>; 2] {
    [false, true].map(|by_rapier| {
        let blind = ForcesConfig {
            avoidance: 0.0,
            personal_space: 0.0,
            wall_space: 0.0,
            stop: 0.0,
            ..ForcesConfig::default()
        };
        let config = CrowdConfig { movement: MovementChoice::Forces(blind), ..CrowdConfig::default() };
        let mut crowd = Crowd::new(mesh.clone(), config);
        if by_rapier {
            crowd.use_rapier();
        }
        let goal = crowd.add_goal(Goal::point(goal.extend(0.0), 0.02));
        let journey = crowd.add_journey(Journey { at_end: AtEnd::Stay, ..Journey::exit(goal) }).unwrap();
        for at in starts {
            let at = at.extend(0.0);
            crowd.add(NewAgent { at, radius: RADIUS, speed: 1.34, journey, starts_at: 0.0 }).unwrap();
        }
        for _ in 0..(60.0 * seconds) as usize {
            crowd.step(1.0 / 60.0);
        }
        crowd.agents().map(|agent| agent.at.truncate()).collect()
    })
}

#[test]
fn who_is_pressed_into_a_corner_touches_both_walls() {
    let mesh = rooms(&[[0.0, 0.0, 4.0, 4.0]]);
    for ends in pressed(&mesh, &[dvec2(2.0, 1.5)], dvec2(0.05, 0.05), 4.0) {
        assert!(ends[0].distance(DVec2::splat(RADIUS)) < 0.01, "{ends:?}");
    }
}

#[test]
fn a_column_pressed_against_a_wall_stands_body_to_body() {
    // As wide as a body: there is no way past each other.
    let mesh = rooms(&[[0.0, 0.0, 8.0, 0.404]]);
    let starts: Vec<DVec2> = (0..5).map(|k| dvec2(7.5 - 0.9 * f64::from(k), 0.202)).collect();
    for ends in pressed(&mesh, &starts, dvec2(0.05, 0.202), 8.0) {
        for (k, end) in ends.iter().rev().enumerate() {
            let by_rule = RADIUS * (2.0 * k as f64 + 1.0);
            assert!((end.x - by_rule).abs() < 0.025, "{k}: {end} and {by_rule}");
        }
    }
}

#[test]
fn who_walks_obliquely_against_a_wall_slides_along_it() {
    // The goal is behind a thin wall; what is left of the speed is the part along the wall.
    let mesh = rooms(&[[0.0, 0.0, 6.0, 2.0]]);
    let [ours, engine] = pressed(&mesh, &[dvec2(0.5, 0.201)], dvec2(5.0, 0.05), 1.5);
    assert!(ours[0].distance(engine[0]) < 0.02, "{ours:?} {engine:?}");
    assert!(ours[0].x > 2.2 && (ours[0].y - RADIUS).abs() < 0.01, "{ours:?}");
}

#[test]
fn a_crowd_at_a_door_passes_as_with_an_engine_and_overlaps_less() {
    let people = [RADIUS; 300];
    let measured = [false, true].map(|by_rapier| {
        let mut exit = exit_crowd(10.0, 1.2, &people, 1.34, 1, CrowdConfig::default());
        if by_rapier {
            exit.crowd.use_rapier();
        }
        let measured = run(&mut exit.crowd, 25.0, 10.0, 7);
        println!(
            "{}: {:.2} p/(m s), overlap {:.2e} m, walls {:.2e} m, off {}, {:.2} us",
            if by_rapier { "rapier" } else { "ours" },
            measured.flow(1.2),
            measured.max_overlap,
            measured.max_wall_overlap,
            measured.off_mesh,
            measured.micros()
        );
        measured
    });
    let [ours, engine] = &measured;
    assert!(ours.max_overlap <= 1e-6 && ours.max_overlap <= engine.max_overlap);
    assert!(engine.max_overlap < 0.02 && engine.off_mesh == 0, "{}", engine.max_overlap);
    let ratio = ours.flow(1.2) / engine.flow(1.2);
    assert!((0.75..=1.33).contains(&ratio), "{ratio}");
}

#[test]
fn a_packed_room_moves_as_the_engine_moves_it() {
    // Everybody wants to the middle of one side: a second later they are where the engine has them.
    let [ours, engine] = [false, true].map(|by_rapier| {
        let mut exit = exit_crowd(8.0, 1.2, &[RADIUS; 200], 1.34, 3, CrowdConfig::default());
        if by_rapier {
            exit.crowd.use_rapier();
        }
        for _ in 0..60 {
            exit.crowd.step(1.0 / 60.0);
        }
        println!("{:?}", brute_overlap(&exit.crowd));
        exit.crowd.agents().map(|agent| (agent.id, agent.at)).collect::<Vec<_>>()
    });
    let apart: Vec<f64> = ours
        .iter()
        .filter_map(|(id, at)| {
            engine.iter().find(|(other, _)| other == id).map(|(_, other)| at.distance(*other))
        })
        .collect();
    let mean = apart.iter().sum::<f64>() / apart.len() as f64;
    println!("{} of {}: {mean:.3} m apart", apart.len(), ours.len());
    assert!(apart.len() > 150 && mean < 0.05, "{mean}");
}
