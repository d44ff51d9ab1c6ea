//! The same crowd to the last bit, for any number of threads and after a stop.

use crate::support::{Random, brute_overlap, door_room, exit_crowd, mesh};
use wayfare_crowd::{
    Crowd, CrowdConfig, MovementChoice, WayPointRule,
    movement::{forces::ForcesConfig, reciprocal::ReciprocalConfig},
};

fn bits(crowd: &Crowd) -> Vec<u64> {
    let numbers =
        crowd.agents().flat_map(|a| [a.at.x, a.at.y, a.at.z, a.velocity.x, a.velocity.y, a.heading.x]);
    numbers.map(f64::to_bits).collect()
}

#[test]
fn one_two_and_seven_threads_give_the_same_bits() {
    let mut random = Random(5);
    let people: Vec<f64> = (0..1200).map(|_| random.between(0.15, 0.25)).collect();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut exit = exit_crowd(20.0, 2.0, &people, 1.34, 1, CrowdConfig::default());
            for _ in 0..240 {
                exit.crowd.step(1.0 / 60.0);
            }
            bits(&exit.crowd)
        })
    };
    let one = run(1);
    assert!(one == run(2), "two threads");
    assert!(one == run(7), "seven threads");
}

#[test]
fn every_model_of_movement_keeps_bodies_apart_and_can_be_saved() {
    let models = [
        MovementChoice::Forces(ForcesConfig::default()),
        MovementChoice::Reciprocal(ReciprocalConfig::default()),
    ];
    let rules = [WayPointRule::Centre, WayPointRule::Dynamic, WayPointRule::Funnel];
    for (movement, way_points) in models.into_iter().zip(rules) {
        let config = CrowdConfig { movement: movement.clone(), way_points, seed: 1 };
        let mut exit = exit_crowd(10.0, 1.5, &[0.2; 60], 1.34, 1, config);
        let mut other = None;
        for step in 0..3600 {
            exit.crowd.step(1.0 / 60.0);
            if step % 60 == 0 {
                let (bodies, walls) = brute_overlap(&exit.crowd);
                assert!(bodies < 0.001 && walls < 0.001, "{movement:?}: {bodies} {walls}");
            }
            if step == 120 {
                other = Some(Crowd::from_bytes(exit.crowd.to_bytes(), door_room(10.0, 1.5)).unwrap());
            } else if let Some(other) = other.as_mut().filter(|_| step < 300) {
                other.step(1.0 / 60.0);
                assert!(bits(other) == bits(&exit.crowd), "{movement:?} {step}");
            }
        }
        assert!(exit.crowd.len() < 20, "{movement:?}: {} are left", exit.crowd.len());
    }
}

#[test]
fn a_crowd_that_was_saved_goes_on_as_if_nothing_had_been() {
    let mut random = Random(6);
    let people: Vec<f64> = (0..250).map(|_| random.between(0.15, 0.25)).collect();
    let mut exit = exit_crowd(12.0, 1.0, &people, 1.34, 1, CrowdConfig { seed: 7, ..CrowdConfig::default() });
    let step = |crowd: &mut Crowd| (0..150).for_each(|_| crowd.step(1.0 / 60.0));
    step(&mut exit.crowd);
    let bytes = exit.crowd.to_bytes();
    let mut other = Crowd::from_bytes(bytes.clone(), door_room(12.0, 1.0)).unwrap();
    assert!(other.to_bytes() == bytes);
    for _ in 0..4 {
        step(&mut exit.crowd);
        step(&mut other);
        assert!(bits(&exit.crowd) == bits(&other));
    }
    assert_eq!(exit.crowd.time().to_bits(), other.time().to_bits());
    assert!(exit.crowd.len() < 250);
    // On another mesh, or with an altered byte, it is refused.
    assert!(Crowd::from_bytes(bytes.clone(), mesh(&[], &[])).is_err());
    let mut altered = bytes;
    altered[200] ^= 1;
    assert!(Crowd::from_bytes(altered, door_room(12.0, 1.0)).is_err());
}
