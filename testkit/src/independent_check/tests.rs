use super::*;
use crate::{data, generators, hertel_mehlhorn, zoo};
use serde_json::{Value, json};

/// A room of 2 × 2 cells less one: three unit squares in an L.
fn ell() -> Value {
    let points = [[0., 0.], [1., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.], [0., 1.]];
    json!({
        "kind": "navmesh", "version": 2, "units": "m", "up": "z", "convex_distance": 0.0, "imported": false,
        "vertices": points.map(|[x, y]| [x, y, 0.0]),
        "split_points": [],
        "cells": [[0, 1, 4, 7], [1, 2, 3, 4], [7, 4, 5, 6]],
        "portals": [{"vertices": [1, 4], "cells": [0, 1]}, {"vertices": [4, 7], "cells": [0, 2]}],
        "components": [0, 0, 0], "storeys": [0, 0, 0], "tags": [0, 0, 0], "tag_names": [""],
        "heights": [[[0, 1, 4], [0, 4, 7]], [[1, 2, 3], [1, 3, 4]], [[7, 4, 5], [7, 5, 6]]],
        "notches": [[], [], []],
        "ground_points": [], "ground_triangles": [], "ground": [[], [], []], "heights_error": 0.0, "drops": [],
    })
}
fn defects(mesh: &Value) -> String {
    independent_check(&mesh.to_string(), Some(3.0)).join("; ")
}
/// The defects after one change.
fn changed(pointer: &str, value: Value) -> String {
    let mut mesh = ell();
    *mesh.pointer_mut(pointer).expect("a place in the mesh") = value;
    defects(&mesh)
}

#[test]
fn a_sound_mesh_passes() {
    assert_eq!(defects(&ell()), "");
    assert_eq!(independent_check(&ell().to_string(), Some(3.1)).len(), 1, "N4");
}

#[test]
fn every_broken_invariant_is_found() {
    let found = |text: String, expected: &str| assert!(text.contains(expected), "{expected}: {text}");
    found(changed("/kind", json!("soup")), "format");
    found(changed("/cells/0/0", json!(8)), "format: a vertex is not there");
    found(changed("/tags/0", json!(1)), "format: a tag");
    found(changed("/vertices/0/0", json!(0.75)), "N4");
    found(changed("/vertices/1", json!([1.0, 1.5, 0.0])), "N1: cell 0 turns right at vertex 1");
    found(changed("/cells/0", json!([7, 4, 1, 0])), "N1: cell 0 has area -1");
    found(changed("/portals/0/vertices", json!([1, 3])), "N2: portal 0 is no edge");
    found(changed("/portals/0/cells", json!([0, 2])), "N2: portal 0 is no edge");
    found(changed("/portals", json!([])), "N2: cells [0, 1] share the edge [1, 4], but there is no portal");
    found(changed("/components/1", json!(1)), "N7: cells 0 and 1 are connected");
    found(changed("/heights/0", json!([[0, 1, 4]])), "heights: cell 0 has area 1, its triangles 0.5");
    found(changed("/heights/0/0/0", json!(2)), "foreign vertex");
    found(changed("/notches/0", json!([4])), "N1: cell 0 lists vertex 4 as a notch");
}

#[test]
fn ground_that_does_not_fit_and_drops_at_portals_are_found() {
    let found = |mesh: &Value, expected: &str| {
        let text = defects(mesh);
        assert!(text.contains(expected), "{expected}: {text}");
    };
    // A slope under the first two cells; the third keeps its own triangles.
    let mut mesh = ell();
    mesh["ground_points"] = json!([[0., 0., 0.], [2., 0., 0.], [2., 1., 1.], [0., 1., 1.]]);
    mesh["ground_triangles"] = json!([[0, 1, 2], [0, 2, 3]]);
    mesh["ground"] = json!([[0, 1], [0, 1], []]);
    mesh["heights"][0] = json!([]);
    mesh["heights"][1] = json!([]);
    for v in 3..8 {
        mesh["vertices"][v][2] = json!(1.0);
    }
    mesh["drops"] = json!([{"cell": 1, "edge": 0, "depth": null}, {"cell": 1, "edge": 1, "depth": 0.5}]);
    assert_eq!(defects(&mesh), "");
    let change = |pointer: &str, value: Value| {
        let mut mesh = mesh.clone();
        *mesh.pointer_mut(pointer).expect("a place in the mesh") = value;
        mesh
    };
    found(&change("/ground/1", json!([0])), "N8: cell 1 has area 1, its ground 0.75");
    found(&change("/ground/1", json!([0, 1, 1])), "N8: ground triangles 1 and 1 of cell 1 overlap");
    found(&change("/ground/1", json!([2])), "format: a ground triangle is not there");
    found(&change("/ground_triangles/0", json!([1, 0, 2])), "N0: ground triangle 0");
    found(&change("/ground_points/1/2", json!(0.01)), "N8: vertex 2 is at 0");
    found(&change("/heights/0", json!([[0, 1, 4]])), "has triangles of its own and in a list");
    found(&change("/drops/0/edge", json!(3)), "N0: a drop lies on the portal");
    found(&change("/drops/0/edge", json!(4)), "format: there is no edge 4 of cell 1");
    found(&change("/drops/1/depth", json!(-0.5)), "has no depth");
    // A second sheet for the second cell that leaves the first one by a slope along the portal.
    let mut torn = mesh.clone();
    let tilted = [[0., 0., 0.], [2., 0., 0.], [2., 1., 1.], [0., 1., 1.], [1., 0.5, 0.9]];
    torn["ground_points"] = json!(tilted);
    torn["ground_triangles"] = json!([[0, 1, 2], [0, 2, 3], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]);
    torn["ground"][1] = json!([2, 3, 4]);
    found(&torn, "N8: portal 0 has a step of 0.4");
}

#[test]
fn ground_that_falls_steeply_beside_a_portal_is_no_step_at_it() {
    // All at 1 m, but for a pit in the second cell whose bottom comes within half a micrometre of the portal.
    let mut mesh = ell();
    for v in 0..8 {
        mesh["vertices"][v][2] = json!(1.0);
    }
    let corners = [[0., 0., 1.], [1., 0., 1.], [1., 1., 1.], [0., 1., 1.], [2., 0., 1.], [2., 1., 1.]];
    mesh["ground_points"] = json!(corners);
    mesh["ground_points"].as_array_mut().expect("points").push(json!([1.0 + 5e-7, 0.5, 0.2]));
    mesh["ground_triangles"] = json!([[0, 1, 2], [0, 2, 3], [1, 6, 2], [1, 4, 6], [4, 5, 6], [5, 2, 6]]);
    mesh["ground"] = json!([[0, 1], [2, 3, 4, 5], []]);
    mesh["heights"][0] = json!([]);
    mesh["heights"][1] = json!([]);
    assert_eq!(defects(&mesh), "");
    // On the portal it is one.
    mesh["ground_points"][6][0] = json!(1.0);
    mesh["ground_triangles"] = json!([[0, 1, 2], [0, 2, 3], [1, 4, 6], [4, 5, 6], [5, 2, 6]]);
    mesh["ground"] = json!([[0, 1], [2, 3, 4], []]);
    assert!(defects(&mesh).contains("N8: portal 0 has a step of 0.8"), "{}", defects(&mesh));
}

#[test]
fn inner_and_hanging_vertices_and_overlaps_are_found() {
    // A square cut into four triangles round its middle.
    let mut mesh = ell();
    let points = [[0., 0.], [2., 0.], [2., 2.], [0., 2.], [1., 1.]];
    mesh["vertices"] = json!(points.map(|[x, y]| [x, y, 0.0]));
    mesh["cells"] = json!([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]);
    mesh["heights"] = json!([[[0, 1, 4]], [[1, 2, 4]], [[2, 3, 4]], [[3, 0, 4]]]);
    let portal = |v: usize| json!({"vertices": [v, 4], "cells": [v, (v + 3) % 4]});
    mesh["portals"] = json!([portal(0), portal(1), portal(2), portal(3)]);
    for list in ["components", "storeys", "tags"] {
        mesh[list] = json!([0, 0, 0, 0]);
    }
    mesh["notches"] = json!([[], [], [], []]);
    mesh["ground"] = json!([[], [], [], []]);
    let check = |mesh: &Value, area: f64| independent_check(&mesh.to_string(), Some(area)).join("; ");
    assert_eq!(check(&mesh, 4.0), "N5: vertex 4 is an inner vertex");
    mesh["imported"] = json!(true);
    assert_eq!(check(&mesh, 4.0), "");

    // Two squares side by side, one of half the height: its corner hangs in the other's edge.
    let points = [[0., 0.], [1., 0.], [1., 2.], [0., 2.], [1., 0.], [2., 0.], [2., 1.], [1., 1.]];
    mesh["vertices"] = json!(points.map(|[x, y]| [x, y, 0.0]));
    mesh["cells"] = json!([[0, 1, 2, 3], [4, 5, 6, 7]]);
    mesh["heights"] = json!([[[0, 1, 2], [0, 2, 3]], [[4, 5, 6], [4, 6, 7]]]);
    mesh["portals"] = json!([]);
    mesh["components"] = json!([0, 1]);
    for list in ["storeys", "tags"] {
        mesh[list] = json!([0, 0]);
    }
    mesh["notches"] = json!([[], []]);
    mesh["ground"] = json!([[], []]);
    assert_eq!(check(&mesh, 3.0), "N3: vertex 7 lies inside the edge [1, 2] of cell 0");
    for v in [4, 7] {
        mesh["vertices"][v][0] = json!(0.5);
    }
    assert!(check(&mesh, 3.5).ends_with("overlap: cells 0 and 1 have 0.5 m² in common"));
    mesh["storeys"] = json!([0, 1]);
    assert_eq!(check(&mesh, 3.5), "", "cells of different storeys may lie over each other");
}

#[test]
fn a_notch_may_be_as_deep_as_the_relaxation() {
    let mut mesh = ell();
    // All of the L in one cell: the notch is √2 / 2 below the hull.
    mesh["cells"] = json!([[0, 1, 2, 3, 4, 5, 6, 7]]);
    mesh["heights"] = json!([[[0, 1, 4], [1, 2, 3], [1, 3, 4], [0, 4, 7], [7, 4, 5], [7, 5, 6]]]);
    mesh["portals"] = json!([]);
    for list in ["components", "storeys", "tags"] {
        mesh[list] = json!([0]);
    }
    mesh["notches"] = json!([[4]]);
    mesh["ground"] = json!([[]]);
    mesh["convex_distance"] = json!(0.7072);
    assert_eq!(defects(&mesh), "");
    mesh["convex_distance"] = json!(0.7070);
    assert!(defects(&mesh).contains("N1: cell 0 has a notch 0.707"));
    mesh["notches"] = json!([[]]);
    mesh["ground"] = json!([[]]);
    assert!(defects(&mesh).contains("N1: cell 0 turns right at vertex 4"));
}

#[test]
fn a_vertex_that_stands_for_two_fans_is_found() {
    let points = [[0., 0.], [1., 0.], [1., 1.], [0., 1.], [2., 1.], [2., 2.], [1., 2.]];
    let vertices: Vec<DVec2> = points.map(|[x, y]| DVec2::new(x, y)).to_vec();
    let mesh = crate::PlainMesh::of_polygons(vertices, vec![vec![0, 1, 2, 3], vec![2, 4, 5, 6]]);
    let check =
        |mesh: &crate::PlainMesh| independent_check(&mesh.to_json().to_string(), Some(2.0)).join("; ");
    assert_eq!(check(&mesh), "N5: vertex 2 stands for 2 fans");
    assert_eq!(check(&mesh.split_fans()), "");
}

#[test]
fn hertel_mehlhorn_cells_pass() {
    for plan in generators::mixed(21, 36, 300).iter().chain(&zoo::all()) {
        let cells = hertel_mehlhorn(&plan.rings()).unwrap();
        let defects = independent_check(&cells.to_json().to_string(), Some(plan.area()));
        assert_eq!(defects, Vec::<String>::new(), "{}", plan.name);
    }
}

#[test]
fn the_shared_meshes_pass_as_imported() {
    for map in data::maps_of(data::MapKind::PolyMesh) {
        let mesh = crate::PlainMesh::parse(&data::read_text(&map.path).unwrap()).unwrap().split_fans();
        let mut json = mesh.to_json();
        json["imported"] = json!(true);
        assert_eq!(independent_check(&json.to_string(), None), Vec::<String>::new(), "{}", map.name);
    }
}
