//! The show as the page reads it: by the specification in `docs/viewer.md`, not by the code that writes it.

use serde_json::Value;
use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::{Context, DVec3, Id as _};
use wayfare_floor::{GroundConfig, plan_scene};
use wayfare_navmesh::{CellId, PortalId};
use wayfare_scene::generated::scene_by_name;
use wayfare_view::{Show, page, page_with_show};

struct Read {
    about: Value,
    arrays: Vec<u8>,
}

impl Read {
    fn of(bytes: &[u8]) -> Self {
        assert_eq!(&bytes[..8], b"WAYSHOW1");
        let length = u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes")) as usize;
        assert_eq!((12 + length) % 8, 0, "arrays begin at a multiple of eight");
        let about = serde_json::from_slice(&bytes[12..12 + length]).expect("JSON");
        Self { about, arrays: bytes[12 + length..].to_vec() }
    }

    fn bytes(&self, name: &str, kind: &str, size: usize) -> &[u8] {
        let array = &self.about["arrays"][name];
        assert_eq!(array["type"], kind, "{name}");
        let [at, count] = ["at", "count"].map(|key| array[key].as_u64().expect("a number") as usize);
        assert_eq!(at % 8, 0);
        &self.arrays[at..at + count * size]
    }

    fn floats(&self, name: &str) -> Vec<f32> {
        let four = |part: &[u8]| f32::from_le_bytes(part.try_into().expect("four bytes"));
        self.bytes(name, "f32", 4).chunks(4).map(four).collect()
    }

    fn numbers(&self, name: &str) -> Vec<u32> {
        let four = |part: &[u8]| u32::from_le_bytes(part.try_into().expect("four bytes"));
        self.bytes(name, "u32", 4).chunks(4).map(four).collect()
    }
}

#[test]
fn a_show_holds_the_scene_the_plan_and_the_mesh() {
    let scene = scene_by_name("building-3").expect("a scene");
    // Far away: positions are relative to the middle, so that millimetres are left.
    let shift = DVec3::new(1e6, -2e6, 100.0);
    let mut scene = scene;
    scene.mesh.vertices.iter_mut().for_each(|p| *p += shift);
    let plan = plan_scene(&scene, &GroundConfig::default(), &Context::default()).expect("a plan").plan;
    let mut mesh = bake(&plan, &BakeConfig::default(), &Context::default()).expect("a mesh");
    mesh.set_clearance(Some(build_clearance(&mesh, &Context::default()).expect("clearance")));
    let bounds = scene.mesh.bounds().expect("a box");
    let mut show = Show::new("a </script> building", bounds);
    show.add_scene(&scene);
    show.add_plan(&plan, Some(&mesh));
    show.add_mesh(&mesh);
    show.set("live", true);
    let read = Read::of(&show.to_bytes());
    assert_eq!(read.about["title"], "a </script> building");
    assert_eq!(read.about["live"], true);
    let origin: Vec<f64> = read.about["origin"]
        .as_array()
        .expect("a place")
        .iter()
        .map(|x| x.as_f64().expect("a number"))
        .collect();
    let near = |p: &[f32], q: DVec3| (0..3).all(|k| (f64::from(p[k]) + origin[k] - q[k]).abs() < 1e-4);

    let points = read.floats("scene.positions");
    assert_eq!(points.len(), 3 * scene.mesh.vertices.len());
    assert!(points.chunks(3).zip(&scene.mesh.vertices).all(|(p, &q)| near(p, q)));
    assert_eq!(read.numbers("scene.triangles").len(), 3 * scene.mesh.triangles.len());

    // The triangles of the cells cover their area, and say whose they are.
    let (points, corners, owners) =
        (read.floats("cells.positions"), read.numbers("cells.triangles"), read.numbers("cells.cell"));
    assert_eq!(owners.len() * 3, points.len());
    let mut areas = vec![0.0; mesh.cell_count()];
    for triangle in corners.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|k| &points[3 * triangle[k] as usize..][..3]);
        assert!(triangle.iter().all(|&k| owners[k as usize] == owners[triangle[0] as usize]));
        let cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        areas[owners[triangle[0] as usize] as usize] += f64::from(cross) / 2.0;
    }
    for cell in mesh.cells() {
        assert!((areas[cell.index()] - mesh.cell_area(cell)).abs() < 1e-2, "cell {cell}");
    }
    for name in ["cell.component", "cell.storey"] {
        assert_eq!(read.numbers(name).len(), mesh.cell_count());
    }
    let ends = read.floats("portals.positions");
    assert_eq!(ends.len(), 6 * mesh.portals().len());
    let critical = read.floats("portals.critical");
    let clearances = mesh.clearances().expect("clearance");
    for (k, &[corner, _]) in mesh.portals().as_slice().iter().enumerate() {
        let [a, b] = mesh.edge(corner).map(|vertex| mesh.position(vertex));
        assert!(near(&ends[6 * k..], a) && near(&ends[6 * k + 3..], b));
        assert_eq!(critical[k], clearances.data().critical_radius(PortalId::new(k)) as f32);
    }
    let walls = read.bytes("boundary.kind", "u8", 1);
    assert_eq!(read.floats("boundary.positions").len(), 6 * walls.len());
    assert_eq!(walls.len(), mesh.boundary().edge_count());
    // Each edge is one of the cell that it names: both ends are among its corners.
    let owners = read.numbers("boundary.cell");
    assert_eq!(owners.len(), walls.len());
    let corners_of = |cell: u32| -> Vec<DVec3> {
        mesh.cell_vertices(CellId::new(cell as usize)).map(|vertex| mesh.position(vertex)).collect()
    };
    for (ends, &cell) in read.floats("boundary.positions").chunks(6).zip(&owners) {
        let corners = corners_of(cell);
        assert!(ends.chunks(3).all(|end| corners.iter().any(|&corner| near(end, corner))));
    }
    let (ends, owners) = (read.floats("plan.positions"), read.numbers("plan.cell"));
    assert_eq!(read.numbers("plan.layer").iter().max(), Some(&(plan.layers.len() as u32 - 1)));
    let kinds = read.bytes("plan.kind", "u8", 1);
    for ((ends, &cell), &kind) in ends.chunks(6).zip(&owners).zip(kinds) {
        assert_ne!(cell, u32::MAX, "every edge of the plan is found again in the mesh");
        // Walls and drops are edges of their cell; seams may have gone into one.
        assert!(kind >= 2 || corners_of(cell).iter().any(|&corner| near(ends, corner)));
    }
    assert!(kinds.contains(&0) && kinds.contains(&2), "walls, and seams between layers");

    // In one page, whatever is in it.
    match page_with_show(&show) {
        Some(html) => {
            assert_eq!(html.matches("id=\"show\"").count(), 1);
            assert!(!html.contains("src=\"page.js\"") && !html.contains("href=\"page.css\""));
            assert!(!html.contains("http://") || !html.contains("<script src"), "nothing from elsewhere");
        }
        None => assert!(page().is_none()),
    }
}
