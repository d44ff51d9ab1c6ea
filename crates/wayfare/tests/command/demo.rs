//! `demo`: the whole way, and every file that it names.

use crate::scratch::{Scratch, has_keys};

#[test]
fn the_demo_writes_good_products_and_tells_a_story() {
    let scratch = Scratch::new();
    let story = scratch.run(&["demo"]).is(0);
    assert!(story.out.contains("convex cells") && story.out.contains("wayfare-demo/"), "{}", story.out);
    let report = scratch.run(&["demo", "-o", "other/folder", "--json"]).is(0).json();
    has_keys(&report, &["folder", "files", "scene", "mesh", "layers", "lengths", "micros", "office", "ring"]);
    assert_eq!(report["mesh"]["storeys"], 3);
    for file in report["files"].as_array().expect("files") {
        let name = file.as_str().expect("a name");
        let [one, two] =
            ["wayfare-demo", "other/folder"].map(|folder| scratch.read(&format!("{folder}/{name}")));
        assert!(!one.is_empty(), "{name}");
        // Times differ from run to run and are in this one only.
        if name != "path.json" {
            assert!(one == two, "{name} differs between two runs");
        }
    }
    // Pages, or why there are none.
    let has_page = scratch.path("wayfare-demo/building.html").exists();
    let words =
        if has_page { "building.html; open it in a browser" } else { "built without the viewer's page" };
    assert!(story.out.contains(words), "{}", story.out);
    let lengths = ["length", "relaxed_length"].map(|key| report["office"][key].as_f64().expect("a length"));
    assert!((lengths[0] - lengths[1]).abs() < 1e-9 * lengths[0], "{lengths:?}");
    let products = ["building.way", "building.wayplan", "office.way", "relaxed.way", "office.wayplan"];
    for product in products.into_iter().chain(["building.wayvol", "platforms.way", "ring.waysurf"]) {
        scratch.run(&["check", &format!("wayfare-demo/{product}")]).is(0);
    }
    // The command of the story finds the same path, and every command of it works.
    let again = ["path", "wayfare-demo/building.way", "--from", "-2,8,0", "--to", "20,4,6.48", "--json"];
    assert_eq!(scratch.run(&again).is(0).json()["length"], report["lengths"][2]);
    let flight = ["path", "wayfare-demo/building.wayvol", "--from", "-2,8,1.2", "--to", "20,4,7.68"];
    let flight = scratch.run(&[&flight[..], &["--radius", "0.25", "--json"]].concat()).is(0).json();
    assert_eq!(flight["length"], report["air"]["length"]);
    let strides = [
        "path",
        "wayfare-demo/platforms.way",
        "--from",
        "1.5,1.5,0",
        "--to",
        "5.2,4.8,1.8",
        "--radius",
        "0.2",
    ];
    let strides = |more: &[&str]| scratch.run(&[&strides[..], more, &["--json"]].concat()).is(0).json();
    assert_eq!(strides(&[])["length"], report["platforms"]["length"]);
    // Who takes no more than one step at once keeps clear of the inner corner.
    assert!(strides(&["--step", "0.2"])["length"].as_f64() > report["platforms"]["length"].as_f64());
    // Nine rises of 0.2 m as the scene is built: five steps, then four over slots.
    let crossed = ["steps", "gaps_crossed"].map(|key| report["platforms"][key].as_u64().expect("a number"));
    assert_eq!(crossed, [5, 4]);
    scratch.run(&["draw", "wayfare-demo/building.way", "-o", "mine.svg", "--storey", "2"]).is(0);
    // Vertices of the surface that was written have kept their numbers.
    let target = report["ring"]["farthest_vertex"].to_string();
    for ring in ["wayfare-demo/ring.waysurf", "wayfare-demo/ring.obj"] {
        let measure = ["geodesic", ring, "--source", "0", "--target", &target, "--method", "exact", "--json"];
        let found = scratch.run(&measure).is(0).json();
        assert_eq!(found["targets"][0]["distance"], report["ring"]["farthest"], "{ring}");
    }
    assert!(report["ring"]["mean_error"].as_f64().is_some_and(|error| error < 0.005), "{}", report["ring"]);
    // The scene that was written bakes to the mesh that was written.
    let bake = ["bake", "wayfare-demo/building.obj", "-o", "b.way", "--up", "z", "--reach-from", "-2,8,0"];
    scratch.run(&bake).is(0);
    assert!(scratch.read("b.way") == scratch.read("wayfare-demo/building.way"));
    // And the plan that was written bakes to the mesh that was written.
    scratch.run(&["bake", "wayfare-demo/office.wkt", "-o", "office.way"]).is(0);
    assert_eq!(scratch.read("office.way"), scratch.read("wayfare-demo/office.way"));
}
