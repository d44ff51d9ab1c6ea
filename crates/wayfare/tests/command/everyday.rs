//! The everyday calls: `raycast`, `random`, `locate` with the nearest wall, `path --partial`.

use crate::scratch::{Scratch, has_keys};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn a_ray_says_how_far_it_goes_and_what_it_touches() {
    let scratch = Scratch::with_room();
    let ray = |more: &[&'static str]| [&["raycast", "room.way", "--from", "1,3", "--json"], more].concat();
    let cast = scratch.run(&ray(&["--to", "9,3", "--radius", "0.5"])).is(0).json();
    has_keys(&cast, &["arrived", "point", "cell", "distance", "fraction", "cell_ids", "contact"]);
    assert_eq!((&cast["arrived"], number(&cast["distance"])), (&false.into(), 2.5));
    assert_eq!(cast["point"], serde_json::json!([3.5, 3.0, 0.0]));
    assert_eq!(cast["contact"]["kind"], "wall");
    assert_eq!(cast["contact"]["point"], serde_json::json!([4.0, 3.0, 0.0]));
    assert_eq!(cast["contact"]["normal"], serde_json::json!([-1.0, 0.0]));
    let free = scratch.run(&ray(&["--to", "1,5.5", "--radius", "0.5"])).is(0).json();
    assert_eq!((&free["arrived"], &free["contact"]), (&true.into(), &Value::Null));
    // Along the pillar and past its corner.
    let slide = scratch.run(&ray(&["--to", "5,4", "--radius", "0.5", "--slide"])).is(0).json();
    assert!((number(&slide["point"][0]) - 3.5).abs() < 1e-8 && number(&slide["point"][1]) > 3.9, "{slide}");
    let words = scratch.run(&["raycast", "room.way", "--from", "1,3", "--to", "9,3"]).is(0).out;
    assert!(words.contains("goes 3.0000 m to 4, 3, 0; touches a wall at 4, 3, 0"), "{words}");
    let tight = scratch.run(&ray(&["--to", "9,3", "--radius", "1.5"])).is(1).json();
    assert_eq!(tight["reason"], "start-too-tight");
    scratch.refused(&["raycast", "room.way", "--from", "1,3"]);
}

#[test]
fn random_points_depend_on_the_seed_alone_and_lie_where_they_should() {
    let scratch = Scratch::with_room();
    let draw = |more: &[&str]| {
        let arguments =
            [&["random", "room.way", "--count", "50", "--radius", "0.4", "--json"], more].concat();
        scratch.run(&arguments).is(0).json()
    };
    let points = draw(&["--seed", "7"]);
    assert_eq!((&points["count"], points["points"].as_array().map(Vec::len)), (&50.into(), Some(50)));
    assert_eq!(points, draw(&["--seed", "7"]));
    assert_ne!(points, draw(&["--seed", "8"]));
    for point in points["points"].as_array().expect("points") {
        let [x, y] = [0, 1].map(|k| number(&point[k]));
        assert!((0.4..=9.6).contains(&x) && (0.4..=5.6).contains(&y), "{point}");
    }
    let near = draw(&["--within", "1,1,0,0.5"]);
    for point in near["points"].as_array().expect("points") {
        assert!((number(&point[0]) - 1.0).hypot(number(&point[1]) - 1.0) <= 0.5, "{point}");
    }
    let words = scratch.run(&["random", "room.way", "--count", "3"]).is(0).out;
    assert_eq!(words.lines().count(), 3);
    let none = scratch.run(&["random", "room.way", "--radius", "4"]).is(1).out;
    assert!(none.contains("fits nowhere"), "{none}");
    scratch.run(&["random", "room.way", "--within", "100,100,0,1"]).is(1);
    scratch.refused(&["random", "room.way", "--within", "1,1"]);
    scratch.refused(&["random", "room.way", "--component", "9"]);
}

#[test]
fn locate_tells_the_nearest_wall() {
    let scratch = Scratch::with_room();
    let place = scratch.run(&["locate", "room.way", "--at", "1,3", "--json"]).is(0).json();
    let wall = &place["wall"];
    assert_eq!((number(&wall["distance"]), &place["clearance"]), (1.0, &wall["distance"]));
    assert_eq!(wall["point"], serde_json::json!([0.0, 3.0, 0.0]));
    assert_eq!((&wall["normal"], &wall["kind"]), (&serde_json::json!([1.0, 0.0]), &"wall".into()));
}

#[test]
fn a_partial_path_goes_as_near_to_the_goal_as_can_be() {
    let scratch = Scratch::with_room();
    let go = |more: &[&'static str]| {
        [&["path", "room.way", "--from", "1,3", "--partial", "--json"], more].concat()
    };
    // Inside the pillar.
    let path = scratch.run(&go(&["--to", "5,4.5", "--snap", "0.1"])).is(0).json();
    assert_eq!(
        (&path["found"], &path["partial"], &path["reason"]),
        (&true.into(), &true.into(), &"off-mesh".into())
    );
    assert_eq!(path["reached"], serde_json::json!([5.0, 5.0, 0.0]));
    assert!((number(&path["left"]) - 0.5).abs() < 1e-12);
    // Beyond passages that are too narrow: up to the one or the other.
    let path = scratch.run(&go(&["--to", "9,3", "--radius", "0.6"])).is(0).json();
    assert_eq!((&path["partial"], &path["reason"]), (&true.into(), &"too-narrow".into()));
    let points = path["points"].as_array().expect("points");
    assert_eq!(points.last(), Some(&path["reached"]));
    let words =
        scratch.run(&["path", "room.way", "--from", "1,3", "--to", "9,3", "--radius", "0.6", "--partial"]);
    assert!(words.is(0).out.contains("m before the goal: too narrow at"));
    let whole = scratch.run(&go(&["--to", "9,3"])).is(0).json();
    assert_eq!((&whole["partial"], whole.get("reached")), (&false.into(), None));
    // Without the option nothing is different.
    let none = scratch.run(&["path", "room.way", "--from", "1,3", "--to", "9,3", "--json"]).is(0).json();
    assert_eq!(none.get("partial"), None);
}

#[test]
fn a_body_may_overhang_drops_if_it_is_told_so() {
    let scratch = Scratch::with_room();
    // A slab of 8 by 1 m with nothing beside it.
    scratch.write("slab.obj", "v 0 0 2\nv 8 0 2\nv 8 1 2\nv 0 1 2\nf 1 2 3 4\n");
    scratch.run(&["bake", "slab.obj", "-o", "slab.way", "--up", "z"]).is(0);
    let ends = ["--from", "1,0.5,2", "--to", "7,0.4,2", "--radius", "0.8", "--json"];
    let path = |more: &[&'static str]| [&["path", "slab.way"], &ends[..], more].concat();
    assert_eq!(scratch.run(&path(&[])).is(1).json()["reason"], "start-too-tight");
    let over = scratch.run(&path(&["--ledge-clearance", "0"])).is(0).json();
    assert_eq!(over["found"], true);
    assert!((number(&over["plan_length"]) - 6f64.hypot(0.1)).abs() < 1e-9, "{over}");
    let why = ["explain", "slab.way", "--from", "1,0.5,2", "--to", "7,0.4,2", "--radius", "0.8", "--json"];
    scratch.run(&why).is(1);
    scratch.run(&[&why[..], &["--ledge-clearance", "0"]].concat()).is(0);
    let ray = ["raycast", "slab.way", "--from", "1,0.5,2", "--to", "9,0.5,2", "--radius", "0.8", "--json"];
    scratch.run(&ray).is(1);
    let cast = scratch.run(&[&ray[..], &["--ledge-clearance", "0"]].concat()).is(0).json();
    assert_eq!(cast["contact"]["kind"], "drop");
    assert!((number(&cast["distance"]) - 7.0).abs() < 0.05, "{cast}");
    let place = scratch.run(&["locate", "slab.way", "--at", "1,0.5,2", "--ledge-clearance", "0", "--json"]);
    assert_eq!(place.is(0).json()["wall"], Value::Null);
    scratch.write("q.csv", "1,0.5,2,7,0.4,2\n");
    let many = ["path", "slab.way", "--queries", "q.csv", "--radius", "0.8", "--json"];
    assert_eq!(scratch.run(&many).is(0).json()["results"][0]["found"], false);
    let many = scratch.run(&[&many[..], &["--ledge-clearance", "0"]].concat()).is(0).json();
    assert_eq!(many["results"][0]["found"], true);
    scratch.refused(&path(&["--ledge-clearance", "0.3"]));
    scratch.refused(&path(&["--ledge-clearance", "0", "--prefer", "1"]));
}

#[test]
fn many_queries_may_be_partial_and_have_ends_that_do_not_fit() {
    let scratch = Scratch::with_room();
    scratch.write("q.csv", "1,3,9,3\n0.1,0.1,9,3\n1,3,5,3\n");
    let ask = |more: &[&'static str]| {
        let many = [&["path", "room.way", "--queries", "q.csv", "--radius", "0.4", "--json"], more].concat();
        scratch.run(&many).is(0).json()["results"].clone()
    };
    let found = |rows: &Value| [0, 1].map(|k| rows[k]["found"].as_bool().expect("found"));
    assert_eq!(found(&ask(&[])), [true, false]);
    assert_eq!(found(&ask(&["--snap-clear"])), [true, true]);
    let rows = ask(&["--partial"]);
    assert_eq!((&rows[0]["partial"], &rows[1]["found"]), (&false.into(), &false.into()));
    let words = scratch.run(&[
        "path",
        "room.way",
        "--from",
        "0.1,0.1",
        "--to",
        "9,3",
        "--radius",
        "0.4",
        "--snap-clear",
    ]);
    assert!(words.is(0).out.contains("m to where the body fits"));
}
