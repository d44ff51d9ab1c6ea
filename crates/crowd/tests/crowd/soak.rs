//! Live use by lot, for a long time: on random ground agents come, go, are put and sent elsewhere, doors open and close, ground gets slower, and
//! the crowd is saved and read again. In every step nobody overlaps, nobody is in a wall or a shut door, and everybody is in its cell.

use crate::support::{Random, brute_overlap, rooms};
use std::sync::Arc;
use wayfare_core::{DVec2, Id as _, dvec2};
use wayfare_crowd::{
    AgentId, Area, AtEnd, Crowd, CrowdConfig, CrowdError, Goal, Journey, JourneyId, Leg, MovementChoice,
    NewAgent, WayPointRule,
    movement::{forces::ForcesConfig, reciprocal::ReciprocalConfig},
};
use wayfare_geom::segment::nearest_on_segment;
use wayfare_navmesh::{CellId, NavMesh, PortalId};

const DT: f64 = 1.0 / 60.0;
/// The ground is so large [m].
const SIDE: f64 = 16.0;
/// A millimetre.
const MOST: f64 = 0.001;

/// Squares of 2 m, a quarter of which are missing, some of them narrower: rooms with doors of every width.
fn ground(random: &mut Random) -> Arc<NavMesh> {
    let mut squares = Vec::new();
    for k in 0..64 {
        let (x, y) = (f64::from(k % 8) * 2.0, f64::from(k / 8) * 2.0);
        match (random.unit() * 8.0) as u32 {
            0 | 1 => {}
            2 => squares.push([x, y + random.between(0.1, 0.7), x + 2.0, y + random.between(1.3, 1.9)]),
            _ => squares.push([x, y, x + 2.0, y + 2.0]),
        }
    }
    rooms(&squares)
}

fn place(random: &mut Random) -> DVec2 {
    dvec2(random.between(0.0, SIDE), random.between(0.0, SIDE))
}

struct Soak {
    random: Random,
    mesh: Arc<NavMesh>,
    crowd: Crowd,
    journeys: Vec<JourneyId>,
    /// Doors that were told to close, and since when nobody has stood in them.
    shut: Vec<PortalId>,
    done: usize,
}

impl Soak {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let mesh = ground(&mut random);
        let movement = match seed % 3 {
            0 => MovementChoice::Forces(ForcesConfig::default()),
            1 => MovementChoice::default(),
            _ => MovementChoice::Reciprocal(ReciprocalConfig::default()),
        };
        let rules = [WayPointRule::Blend, WayPointRule::Dynamic, WayPointRule::Funnel, WayPointRule::Centre];
        let config = CrowdConfig { movement, way_points: rules[(seed / 3) as usize % 4], seed };
        let mut crowd = Crowd::new(mesh.clone(), config);
        let journeys = (0..6)
            .map(|k| {
                let legs = (0..1 + k % 2)
                    .map(|_| {
                        let at = place(&mut random);
                        let goal = match k % 3 {
                            0 => Goal::point(at.extend(0.0), 0.6),
                            _ => Goal::new(Area::rectangle(at, at + DVec2::splat(1.5))),
                        };
                        Leg { goal: crowd.add_goal(goal), wait: random.between(0.0, 1.0) }
                    })
                    .collect();
                let at_end = [AtEnd::Leave, AtEnd::Repeat, AtEnd::Stay][(random.unit() * 3.0) as usize];
                crowd.add_journey(Journey { legs, at_end }).unwrap()
            })
            .collect();
        Self { random, mesh, crowd, journeys, shut: Vec::new(), done: 0 }
    }

    fn someone(&mut self) -> Option<AgentId> {
        let k = (self.random.unit() * self.crowd.len() as f64) as usize;
        self.crowd.agents().nth(k).map(|agent| agent.id)
    }

    /// One thing that a user may do. What is refused must be refused for a reason, and change nothing.
    fn meddle(&mut self) {
        let lot = (self.random.unit() * 100.0) as u32;
        let journey = self.journeys[(self.random.unit() * self.journeys.len() as f64) as usize];
        let at = place(&mut self.random).extend(0.0);
        let result = match lot {
            0..45 => {
                let agent = NewAgent {
                    at,
                    radius: self.random.between(0.1, 0.45),
                    speed: self.random.between(0.3, 2.0),
                    journey,
                    starts_at: self.crowd.time() + self.random.between(-1.0, 1.0),
                };
                self.crowd.add(agent).map(|_| ())
            }
            45..55 => self.someone().map_or(Ok(()), |id| self.crowd.remove(id)),
            55..70 => self.someone().map_or(Ok(()), |id| self.crowd.teleport(id, at)),
            70..85 => self.someone().map_or(Ok(()), |id| self.crowd.retarget(id, journey)),
            85..97 => {
                let portal = PortalId::new((self.random.unit() * self.mesh.portals().len() as f64) as usize);
                let closes = self.random.unit() < 0.6;
                self.shut.retain(|&other| other != portal);
                if closes {
                    self.shut.push(portal);
                }
                self.crowd.set_closed([portal], closes)
            }
            97 => {
                let cell = CellId::new((self.random.unit() * self.mesh.cell_count() as f64) as usize);
                self.crowd.set_speed_factor([cell], self.random.between(0.1, 2.0))
            }
            _ => {
                let bytes = self.crowd.to_bytes();
                self.crowd = Crowd::from_bytes(bytes.clone(), self.mesh.clone()).unwrap();
                assert!(self.crowd.to_bytes() == bytes, "what is read is what was written");
                Ok(())
            }
        };
        match result {
            Ok(()) => self.done += 1,
            Err(CrowdError::Taken { .. } | CrowdError::TooTight { .. } | CrowdError::OffMesh { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }

    /// Nobody is on both sides of a door that was shut while nobody stood in it, and nobody comes to stand in it.
    fn look_at_doors(&self, before: &[(AgentId, DVec2)]) {
        for &portal in &self.shut {
            let [a, b] = self.mesh.edge(self.mesh.portals()[portal][0]).map(|v| self.mesh.xy(v));
            let room = |p: DVec2| nearest_on_segment(p, a, b).distance(p);
            let now = self.crowd.agents().map(|agent| (agent.id, agent.radius, agent.at.truncate()));
            let was_in = |&(id, at): &(AgentId, DVec2)| {
                self.crowd.agent(id).is_some_and(|agent| room(at) < agent.radius)
            };
            // Somebody in it keeps it open, by however little.
            if before.iter().any(was_in) {
                continue;
            }
            for (id, radius, at) in now {
                assert!(room(at) >= radius - MOST, "{id:?} is in a shut door");
            }
        }
    }

    fn run(&mut self, steps: usize) {
        for step in 0..steps {
            if self.random.unit() < 0.3 || self.crowd.len() < 20 {
                self.meddle();
            }
            let before: Vec<_> = self.crowd.agents().map(|agent| (agent.id, agent.at.truncate())).collect();
            self.crowd.step(DT);
            let defects = self.crowd.check();
            assert!(defects.is_empty(), "step {step}: {defects:?}");
            assert_eq!(self.crowd.report().off_mesh, 0, "step {step}");
            self.look_at_doors(&before);
            if step % 25 == 0 {
                let (bodies, walls) = brute_overlap(&self.crowd);
                assert!(bodies <= MOST && walls <= MOST, "step {step}: {bodies} {walls}");
            }
        }
    }
}

fn soak(seeds: std::ops::Range<u64>, steps: usize) {
    for seed in seeds {
        let mut soak = Soak::new(seed);
        soak.run(steps);
        println!("seed {seed}: {} done, {} agents at the end", soak.done, soak.crowd.len());
        assert!(soak.done > steps / 20 && soak.crowd.len() > 5, "seed {seed}: something happened");
    }
}

#[test]
fn whatever_is_done_to_a_crowd_nobody_overlaps_and_nobody_is_lost() {
    soak(0..6, 500);
}

#[test]
#[ignore = "minutes; part of the full tests"]
fn whatever_is_done_to_a_crowd_for_thousands_of_steps_nobody_overlaps_and_nobody_is_lost() {
    soak(6..30, 5000);
}
