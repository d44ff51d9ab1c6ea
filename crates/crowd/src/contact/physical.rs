//! Contacts by rapier2d, the physical reference: bodies are discs without friction that are pushed with the velocities that agents
//! want, walls are fixed segments.
//!
//! Idea: what the projection and the guard make of a step can be compared with what a physics engine makes of it, for the same
//! crowd and the same model of movement. Bodies share pushes by their mass here, and not by who is ahead; they may overlap a little.
//! Limits: one storey; doors as they are when it begins. Cost: several times that of our own contacts.

use crate::{agents::Body, walls::Walls};
use rapier2d_f64::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Vector};
use std::fmt;
use wayfare_core::{DVec2, Id as _};
use wayfare_navmesh::NavMesh;

/// Overlaps that the engine leaves as they are [m]; its own default is 5 mm.
const ALLOWED: f64 = 5e-4;
/// How often the engine looks at all contacts in a step; its own default is 4.
const ITERATIONS: usize = 12;

/// A world of discs and walls.
pub(crate) struct Physical {
    world: PhysicsWorld,
    /// The bodies of agents, by rising number.
    handles: Vec<(u32, RigidBodyHandle)>,
}

impl fmt::Debug for Physical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Physical").field("bodies", &self.handles.len()).finish_non_exhaustive()
    }
}

impl Physical {
    pub fn new(mesh: &NavMesh, walls: &Walls) -> Self {
        let mut world = PhysicsWorld { gravity: Vector::ZERO, ..PhysicsWorld::default() };
        world.integration_parameters.normalized_allowed_linear_error = ALLOWED;
        world.integration_parameters.num_solver_iterations = ITERATIONS;
        for corner in mesh.cells().flat_map(|cell| mesh.corners(cell)) {
            if walls.is_closed(corner) {
                let [a, b] = walls.edge(corner.index() as u32).map(vector);
                world.insert_collider(ColliderBuilder::segment(a, b).friction(0.0), None);
            }
        }
        Self { world, handles: Vec::new() }
    }

    /// From where everybody would be to where the engine lets everybody be.
    pub fn resolve(&mut self, bodies: &[Body], next: &mut [DVec2], dt: f64) {
        self.follow(bodies);
        for ((body, next), &(_, handle)) in bodies.iter().zip(&*next).zip(&self.handles) {
            let rigid = &mut self.world.bodies[handle];
            rigid.set_translation(vector(body.at), true);
            rigid.set_linvel(vector((*next - body.at) / dt), true);
        }
        self.world.integration_parameters.dt = dt;
        self.world.step();
        for (next, &(_, handle)) in next.iter_mut().zip(&self.handles) {
            let at = self.world.bodies[handle].translation();
            *next = DVec2::new(at.x, at.y);
        }
    }

    /// Takes out who has left and adds who is new.
    fn follow(&mut self, bodies: &[Body]) {
        let Self { world, handles } = self;
        handles.retain(|&(id, handle)| {
            let stays = bodies.binary_search_by_key(&id, |body| body.id).is_ok();
            if !stays {
                world.remove_body(handle);
            }
            stays
        });
        for (k, body) in bodies.iter().enumerate() {
            if handles.get(k).is_none_or(|&(id, _)| id != body.id) {
                let rigid = RigidBodyBuilder::dynamic().translation(vector(body.at)).lock_rotations();
                let disc = ColliderBuilder::ball(body.radius).friction(0.0).restitution(0.0);
                handles.insert(k, (body.id, world.insert(rigid, disc).0));
            }
        }
    }
}

fn vector(p: DVec2) -> Vector {
    Vector::new(p.x, p.y)
}
