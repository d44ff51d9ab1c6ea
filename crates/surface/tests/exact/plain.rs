use crate::shapes::{assert_near, bumpy, field, grid, surface};
use proptest::prelude::*;
use wayfare_core::dvec3;
use wayfare_testkit::{PlainGeodesic, Random};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_plain_solver_finds_the_same_on_closed_surfaces(seed: u64, noise in 0.0..1.2f64, n in 3u32..6) {
        let mesh = bumpy(n, noise, seed);
        let surface = surface(&mesh);
        let plain = PlainGeodesic::new(&mesh);
        let source = (seed % mesh.vertices.len() as u64) as usize;
        let found = field(&surface, source);
        for (vertex, &expected) in plain.distances(source).iter().enumerate() {
            assert_near(found.distances[vertex], expected, || format!("{source} to {vertex}"));
        }
    }

    #[test]
    fn the_plain_solver_finds_the_same_on_surfaces_with_borders(seed: u64, noise in 0.0..3.0f64, n in 2u32..7) {
        let mut random = Random::new(seed);
        let height: Vec<f64> = (0..64).map(|_| random.unit() * noise).collect();
        let mesh = grid(n, |x, y| dvec3(x, y, height[(8.0 * y + x) as usize % 64]));
        let surface = surface(&mesh);
        let plain = PlainGeodesic::new(&mesh);
        let source = (seed % mesh.vertices.len() as u64) as usize;
        let found = field(&surface, source);
        for (vertex, &expected) in plain.distances(source).iter().enumerate() {
            assert_near(found.distances[vertex], expected, || format!("{source} to {vertex}"));
        }
    }

    #[test]
    fn distances_are_symmetric_and_no_detour_is_shorter(seed: u64, noise in 0.0..1.5f64, n in 4u32..10) {
        let mesh = bumpy(n, noise, seed);
        let surface = surface(&mesh);
        let count = mesh.vertices.len() as u64;
        let [a, b, c] = [seed % count, seed / 7 % count, seed / 1009 % count].map(|v| v as usize);
        let [from_a, from_b] = [a, b].map(|v| field(&surface, v).distances);
        assert_near(from_a[b], from_b[a], || format!("{a} to {b}"));
        prop_assert!(from_a[c] <= from_a[b] + from_b[c] + 1e-12);
        prop_assert!(from_a[b] >= mesh.vertices[a].distance(mesh.vertices[b]) - 1e-12);
    }
}
