//! The triangles of a scene.

use super::Show;
use wayfare_scene::Scene;

impl Show {
    /// Adds the scene.
    pub fn add_scene(&mut self, scene: &Scene) {
        let mesh = &scene.mesh;
        let positions: Vec<f32> = mesh.vertices.iter().flat_map(|&p| self.place(p)).collect();
        self.add_floats("scene.positions", positions);
        self.add_numbers("scene.triangles", mesh.triangles.iter().flatten().copied());
        self.add_bytes("scene.tags", scene.tags.iter().copied());
    }
}
