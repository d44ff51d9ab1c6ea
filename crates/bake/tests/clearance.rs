//! Clearance in files, and for any number of threads.

use wayfare_bake::{BakeConfig, bake, build_clearance};
use wayfare_core::Context;
use wayfare_floor::build_plan;
use wayfare_navmesh::{Clearance, ClearanceParts, FeatureId, NavMesh, NodeLink};
use wayfare_scene::generated::office;

fn mesh() -> NavMesh {
    let (plan, _) = build_plan(&office(), &Context::default()).expect("a plan");
    let mut mesh = bake(&plan, &BakeConfig::default(), &Context::default()).expect("a mesh");
    let clearance = build_clearance(&mesh, &Context::default()).expect("a clearance");
    mesh.set_clearance(Some(clearance));
    mesh
}

#[test]
fn clearance_survives_its_file_and_passes_the_check() {
    let mesh = mesh();
    assert_eq!(mesh.check(), []);
    let bytes = mesh.to_bytes();
    let again = NavMesh::from_bytes(bytes.clone()).expect("what was written");
    assert_eq!(again.clearance(), mesh.clearance());
    assert_eq!(again.to_bytes(), bytes);
}

#[test]
fn the_same_bytes_come_from_any_number_of_threads() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| mesh().to_bytes())
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn parts_that_are_out_of_range_are_refused_and_false_ones_found() {
    let mesh = mesh();
    let good = mesh.clearance().expect("it was made").parts().clone();
    let spoil = |change: &dyn Fn(&mut ClearanceParts)| {
        let mut bad = good.clone();
        change(&mut bad);
        Clearance::new(&mesh, bad)
    };
    assert!(spoil(&|_| ()).is_ok());
    let nodes = good.nodes.len() as u32;
    let refused: [&dyn Fn(&mut ClearanceParts); 16] = [
        &|p| p.list_starts[1] = u32::MAX,
        &|p| _ = p.list_starts.pop(),
        &|p| p.lists[0] = FeatureId(u32::MAX),
        &|p| p.ranges.push([0.0, 1.0]),
        &|p| p.arc_starts[0] = 1,
        &|p| _ = p.arcs.pop(),
        &|p| p.arcs[0].from = f64::NAN,
        &|p| p.arcs[0].from = 1e30,
        &|p| p.arcs[0].partner = None,
        &|p| p.arcs[0].partner = Some(FeatureId(u32::MAX)),
        &|p| p.arcs[0].node = nodes,
        &|p| p.nodes[0].at.x = f64::INFINITY,
        &|p| p.nodes[0].clearance = -1.0,
        &|p| p.nodes[0].parent = nodes,
        &|p| p.nodes[0].link = NodeLink::Arc(u32::MAX >> 1),
        &|p| p.critical_radii[0] = f64::NAN,
    ];
    for (k, change) in refused.into_iter().enumerate() {
        assert!(spoil(change).is_err(), "case {k}");
    }
    // A circle of parents would never end.
    let circle = |p: &mut ClearanceParts| {
        for (node, parent) in [(0, 1), (1, 2), (2, 0)] {
            p.nodes[node].parent = parent;
            p.nodes[node].link = NodeLink::Node(parent);
        }
    };
    assert!(spoil(&circle).is_err());
    // In range, but not those of the mesh.
    let found: [&dyn Fn(&mut ClearanceParts); 4] =
        [&|p| p.nodes[5].clearance += 0.1, &|p| p.nodes[5].at.x += 0.1, &|p| p.nodes[5].width += 0.1, &|p| {
            p.arcs[1].partner = p.arcs[40].partner.or(Some(FeatureId(0)))
        }];
    for (k, change) in found.into_iter().enumerate() {
        let wrong = spoil(change).expect("in range");
        assert!(wrong.check(&mesh).iter().any(|defect| defect.invariant == "N6"), "case {k}");
    }
}
