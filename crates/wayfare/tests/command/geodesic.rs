use crate::scratch::{Scratch, has_keys};
use std::fmt::Write as _;

/// A square of 4 × 4 units with a vertex in every unit: vertex 5 k + i is at (i, k).
fn square() -> String {
    let mut text = String::new();
    for k in 0..5 {
        for i in 0..5 {
            let _ = writeln!(text, "v {i} {k} 0");
        }
    }
    for k in 0..4 {
        for i in 0..4 {
            let [a, b, c, d] = [(i, k), (i + 1, k), (i + 1, k + 1), (i, k + 1)].map(|(i, k)| 5 * k + i + 1);
            let _ = writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}");
        }
    }
    text
}

fn with_square() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("square.obj", square());
    scratch
}

#[test]
fn distances_go_to_the_form_that_the_ending_says() {
    let scratch = with_square();
    scratch.run(&["geodesic", "square.obj", "--source", "0", "-o", "d.csv"]).is(0);
    let text = String::from_utf8(scratch.read("d.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1]), (26, "vertex,distance", "0,0"));
    for (vertex, line) in lines[1..].iter().enumerate() {
        let (number, distance) = line.split_once(',').unwrap();
        assert_eq!(number, vertex.to_string());
        let expected = ((vertex % 5) as f64).hypot((vertex / 5) as f64);
        assert!((distance.parse::<f64>().unwrap() - expected).abs() < 1e-12, "{line}");
    }
    scratch.run(&["geodesic", "square.obj", "--source", "0", "-o", "d.npy"]).is(0);
    let bytes = scratch.read("d.npy");
    assert!(bytes.starts_with(b"\x93NUMPY\x01\x00"));
    let last = f64::from_le_bytes(bytes[bytes.len() - 8..].try_into().unwrap());
    assert!((last - 32f64.sqrt()).abs() < 1e-12);
    scratch.run(&["geodesic", "square.obj", "--source", "0", "-o", "d.ply"]).is(0);
    let bytes = scratch.read("d.ply");
    let header = String::from_utf8_lossy(&bytes[..400]).into_owned();
    assert!(header.contains("element vertex 25") && header.contains("property double distance"));
    // What was written is read again, by its vertices.
    scratch.run(&["geodesic", "d.ply", "--source", "24", "-o", "again.csv"]).is(0);
    scratch.run(&["geodesic", "square.obj", "--source", "0", "--target", "24", "-o", "d.svg"]).is(0);
    let picture = String::from_utf8(scratch.read("d.svg")).unwrap();
    roxmltree::Document::parse(&picture).expect("XML");
    assert!(picture.contains("<polyline"));
}

#[test]
fn the_report_has_its_keys_and_paths_are_points_of_faces() {
    let scratch = with_square();
    let run = scratch.run(&["geodesic", "square.obj", "--source", "0", "--target", "13", "--json"]).is(0);
    let json = run.json();
    let keys = [
        "vertices",
        "faces",
        "method",
        "seconds",
        "windows",
        "window_memory_mb",
        "peak_memory_mb",
        "max",
        "mean",
    ];
    has_keys(&json, &keys);
    has_keys(&json["seconds"], &["prepare", "solve"]);
    assert_eq!(
        (&json["vertices"], &json["faces"], &json["method"]),
        (&25.into(), &32.into(), &"exact".into())
    );
    let target = &json["targets"][0];
    let expected = 13f64.sqrt();
    assert!((target["distance"].as_f64().unwrap() - expected).abs() < 1e-12);
    assert!((target["path"]["length"].as_f64().unwrap() - expected).abs() < 1e-12);
    let points = target["path"]["points"].as_array().unwrap();
    assert_eq!(points.len(), target["path"]["positions"].as_array().unwrap().len());
    has_keys(&points[0], &["face", "barycentric"]);
    assert_eq!(target["path"]["positions"][0], serde_json::json!([0.0, 0.0, 0.0]));
}

#[test]
fn several_sources_points_of_faces_and_a_radius() {
    let scratch = with_square();
    let run = scratch.run(&["geodesic", "square.obj", "--source", "0", "--source", "24", "--json"]).is(0);
    assert!((run.json()["max"].as_f64().unwrap() - 4.0).abs() < 1e-12);
    // The middle of the first face's longest side is the middle of the first square.
    let run = scratch
        .run(&["geodesic", "square.obj", "--source", "0:0.5,0,0.5", "--target", "31:1,0,0", "--json"])
        .is(0);
    let expected = 2.5 * 2f64.sqrt();
    assert!((run.json()["targets"][0]["distance"].as_f64().unwrap() - expected).abs() < 1e-12);
    let run = scratch.run(&["geodesic", "square.obj", "--source", "0", "--radius", "1.5", "--json"]).is(0);
    assert_eq!(run.json()["reached"], 4);
    let run =
        scratch.run(&["geodesic", "square.obj", "--source", "0", "--radius", "1.5", "--target", "24"]).is(1);
    assert!(run.out.contains("no source reaches it"), "{}", run.out);
}

#[test]
fn every_method_answers_and_is_compared() {
    let scratch = with_square();
    for (method, largest) in [("exact", 1e-12), ("gsp", 0.05), ("fast-marching", 0.1), ("dijkstra", 0.2)] {
        let arguments =
            ["geodesic", "square.obj", "--source", "1", "--method", method, "--compare", "exact", "--json"];
        let json = scratch.run(&arguments).is(0).json();
        assert_eq!(json["method"], method);
        has_keys(&json["error"], &["mean", "max", "relative_mean", "relative_max"]);
        assert!(json["error"]["max"].as_f64().unwrap() <= largest, "{json}");
    }
}

#[test]
fn components_are_infinitely_far_apart() {
    let scratch = Scratch::new();
    scratch
        .write("two.off", "OFF\n7 2 0\n0 0 0\n1 0 0\n0 1 0\n5 0 0\n6 0 0\n5 1 0\n9 9 9\n3 0 1 2\n3 3 4 5\n");
    scratch.run(&["geodesic", "two.off", "--source", "0", "-o", "d.csv"]).is(0);
    assert!(String::from_utf8(scratch.read("d.csv")).unwrap().contains("\n3,inf\n4,inf\n5,inf\n6,inf\n"));
    let run = scratch.run(&["geodesic", "two.off", "--source", "0", "--target", "4", "--json"]).is(1);
    assert_eq!(run.json()["targets"][0]["found"], false);
    assert_eq!(run.json()["targets"][0]["distance"], serde_json::Value::Null);
}

#[test]
fn what_cannot_be_asked_is_refused_in_one_line() {
    let scratch = with_square();
    scratch.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    scratch.write("loose.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n9 9 9\n3 0 1 2\n");
    let refused = |arguments: &[&str], says: &str| {
        let message = scratch.refused(arguments);
        assert!(message.contains(says), "{message}");
    };
    refused(&["geodesic", "square.obj"], "--source");
    refused(&["geodesic", "square.obj", "--source", "25"], "there is no vertex 25: the surface has 25");
    refused(&["geodesic", "square.obj", "--source", "-1"], "--source");
    refused(&["geodesic", "square.obj", "--source", "32:1,0,0"], "there is no face 32");
    refused(&["geodesic", "square.obj", "--source", "0", "--target", "99"], "there is no vertex 99");
    refused(&["geodesic", "square.obj", "--source", "0", "--radius", "-1"], "negative");
    refused(&["geodesic", "square.obj", "--source", "0", "--method", "heat"], "heat");
    refused(&["geodesic", "square.obj", "--source", "0", "-o", "d.txt"], ".ply, .csv or .npy");
    refused(&["geodesic", "square.obj", "--source", "0", "-o", "square.obj"], "is an input");
    refused(&["geodesic", "points.obj", "--source", "0"], "no faces");
    refused(&["geodesic", "loose.off", "--source", "3"], "belongs to no face");
    refused(&["geodesic", "nothing.ply", "--source", "0"], "nothing.ply");
}

/// A bowl over a square, 17 vertices wide.
fn bowl() -> String {
    let mut text = String::new();
    for k in 0..17 {
        for i in 0..17 {
            let (x, y) = (f64::from(i) - 8.0, f64::from(k) - 8.0);
            let _ = writeln!(text, "v {x} {y} {}", 0.03 * (x * x + y * y));
        }
    }
    for k in 0..16 {
        for i in 0..16 {
            let [a, b, c, d] = [(i, k), (i + 1, k), (i + 1, k + 1), (i, k + 1)].map(|(i, k)| 17 * k + i + 1);
            let _ = writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}");
        }
    }
    text
}

#[test]
fn a_surface_is_divided_into_charts_and_measured_on_its_base_mesh() {
    let scratch = Scratch::new();
    scratch.write("bowl.obj", bowl());
    let json = scratch.run(&["segment", "bowl.obj", "-o", "bowl.waysurf", "--json"]).is(0).json();
    has_keys(&json, &["charts", "base_faces", "linf", "l2", "border_mismatch", "seconds"]);
    has_keys(&json["linf"], &["mean", "max"]);
    has_keys(&json["l2"], &["mean", "max"]);
    assert!(json["linf"]["mean"].as_f64().unwrap() <= 1.005);
    assert!(json["base_faces"].as_u64().unwrap() < 512);
    let base =
        ["geodesic", "bowl.waysurf", "--source", "0", "--target", "288", "--compare", "exact", "--json"];
    for more in [&[][..], &["--borders", "scaled"]] {
        let json = scratch.run(&[&base[..], more].concat()).is(0).json();
        assert_eq!(json["method"], "base");
        assert!(json["error"]["mean"].as_f64().unwrap() < 0.02, "{}", json["error"]);
        let target = &json["targets"][0];
        let (distance, length) =
            (target["distance"].as_f64().unwrap(), target["path"]["length"].as_f64().unwrap());
        assert!((distance / length - 1.0).abs() < 0.05, "{distance} {length}");
    }
    // On a mesh without charts they are made at once; a single target is found alone.
    let args =
        ["geodesic", "bowl.obj", "--method", "base", "--max-distortion", "1.02", "--source", "0", "--json"];
    let json = scratch.run(&[&args[..], &["--target", "288"]].concat()).is(0).json();
    has_keys(&json["seconds"], &["prepare", "solve"]);
    assert!(json["targets"][0]["found"].as_bool().unwrap());
    // Everything that looks at products looks at this one.
    let json = scratch.run(&["info", "bowl.waysurf", "--json"]).is(0).json();
    assert_eq!((&json["kind"], &json["faces"]), (&"surface".into(), &512.into()));
    assert_eq!(scratch.run(&["check", "bowl.waysurf", "--json"]).is(0).json()["ok"], true);
    for output in ["bowl.json", "charts.obj", "bowl.svg"] {
        let verb = if output.ends_with("svg") { "draw" } else { "export" };
        scratch.run(&[verb, "bowl.waysurf", "-o", output]).is(0);
    }
    let text = String::from_utf8(scratch.read("charts.obj")).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("f ")).count(), 512);
    serde_json::from_slice::<serde_json::Value>(&scratch.read("bowl.json")).unwrap();
    // The same input, the same bytes; altered bytes are refused.
    scratch.run(&["segment", "bowl.obj", "-o", "again.waysurf"]).is(0);
    let mut bytes = scratch.read("bowl.waysurf");
    assert_eq!(scratch.read("again.waysurf"), bytes);
    bytes[5000] ^= 1;
    scratch.write("bad.waysurf", bytes);
    scratch.refused(&["geodesic", "bad.waysurf", "--source", "0"]);
    scratch.refused(&["bake", "bowl.waysurf", "-o", "x.way"]);
    scratch.refused(&["segment", "bowl.obj", "-o", "x.waysurf", "--max-distortion", "1"]);
    scratch.refused(&["segment", "bowl.obj", "-o", "x.ply"]);
    scratch.refused(&["geodesic", "bowl.obj", "--source", "0", "--charts", "5"]);
    scratch.refused(&["geodesic", "bowl.waysurf", "--source", "0", "--charts", "5"]);
}

#[test]
fn each_source_has_a_row_of_its_own_for_any_number_of_threads() {
    let scratch = with_square();
    scratch.write("sources.txt", "\u{feff}# corners\n0\n  24 # the last\n\n0:0.5,0,0.5\n");
    let base = ["geodesic", "square.obj", "--sources", "sources.txt", "--source", "12", "--each"];
    let csv = |threads: &str| {
        scratch.run(&[&base[..], &["-o", "rows.csv", "--threads", threads]].concat()).is(0);
        String::from_utf8(scratch.read("rows.csv")).unwrap()
    };
    let text = csv("1");
    assert_eq!(csv("2"), text);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("vertex,12,0,24,\"0:0.5,0,0.5\""));
    for (vertex, line) in lines.enumerate() {
        let values: Vec<f64> = line.split(',').map(|value| value.parse().unwrap()).collect();
        let at = |x: f64, y: f64| ((vertex % 5) as f64 - x).hypot((vertex / 5) as f64 - y);
        let expected = [vertex as f64, at(2.0, 2.0), at(0.0, 0.0), at(4.0, 4.0), at(0.5, 0.5)];
        for (value, expected) in values.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-12, "{line}");
        }
    }
    assert_eq!(text.lines().count(), 26);
    // NumPy's form: sources by vertices.
    scratch.run(&[&base[..], &["-o", "rows.npy"]].concat()).is(0);
    let bytes = scratch.read("rows.npy");
    assert!(String::from_utf8_lossy(&bytes[..128]).contains("'shape': (4, 25)"));
    let value = |row: usize, vertex: usize| {
        let start = 128 + 8 * (25 * row + vertex);
        f64::from_le_bytes(bytes[start..start + 8].try_into().unwrap())
    };
    assert!((value(1, 24) - 32f64.sqrt()).abs() < 1e-12 && value(2, 24) == 0.0);
    let json = scratch.run(&[&base[..], &["--compare", "dijkstra", "--json"]].concat()).is(0).json();
    assert_eq!(json["each"].as_array().unwrap().len(), 4);
    has_keys(&json["each"][3], &["source", "reached", "max", "mean"]);
    assert_eq!(
        (&json["each"][3]["source"], &json["each"][3]["reached"]),
        (&"0:0.5,0,0.5".into(), &25.into())
    );
    assert!(json["error"]["max"].as_f64().unwrap() > 0.01);
}

#[test]
fn differences_are_written_and_drawn() {
    let scratch = with_square();
    let base = ["geodesic", "square.obj", "--source", "0", "--method", "dijkstra", "--compare", "exact"];
    let more = ["-o", "d.ply", "--histogram", "errors.svg", "--json"];
    let json = scratch.run(&[&base[..], &more].concat()).is(0).json();
    let spread = &json["error"]["histogram"];
    let numbers = |key: &str| -> Vec<f64> {
        spread[key].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    };
    let (upper, vertices) = (numbers("upper"), numbers("vertices"));
    assert_eq!(vertices.iter().sum::<f64>(), 25.0);
    assert!((upper.last().unwrap() - json["error"]["max"].as_f64().unwrap()).abs() < 1e-12);
    // Along rows, columns and the diagonal edges lead straight there: these 13 have no error.
    assert!(vertices[0] >= 13.0 && vertices[0] < 25.0, "{vertices:?}");
    let picture = String::from_utf8(scratch.read("errors.svg")).unwrap();
    roxmltree::Document::parse(&picture).expect("XML");
    assert!(picture.contains("dijkstra against exact"));
    let bytes = scratch.read("d.ply");
    let end = bytes.windows(11).position(|window| window == b"end_header\n").unwrap() + 11;
    assert!(String::from_utf8_lossy(&bytes[..end]).contains("property double difference"));
    // Vertex 7 is at (2, 1): along edges it is 1 + √2 away.
    let at = end + 40 * 7 + 32;
    let difference = f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    assert!((difference - (1.0 + 2f64.sqrt() - 5f64.sqrt())).abs() < 1e-12, "{difference}");
}

#[test]
fn charts_are_drawn_side_by_side() {
    let scratch = Scratch::new();
    scratch.write("bowl.obj", bowl());
    let json = scratch.run(&["segment", "bowl.obj", "-o", "bowl.waysurf", "--json"]).is(0).json();
    scratch.run(&["draw", "bowl.waysurf", "-o", "layout.svg", "--layout"]).is(0);
    let picture = String::from_utf8(scratch.read("layout.svg")).unwrap();
    let document = roxmltree::Document::parse(&picture).expect("XML");
    let charts = document.descendants().filter(|node| node.attribute("class") == Some("chart")).count();
    assert_eq!(Some(charts as u64), json["charts"].as_u64());
    let message = scratch.refused(&["draw", "generated:sample", "-o", "x.svg", "--layout"]);
    assert!(message.contains("--layout is for a surface with charts"), "{message}");
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let scratch = with_square();
    scratch.write("empty.txt", "# nothing\n");
    scratch.write("bad.txt", "3\nthree\n");
    let refused = |arguments: &[&str], says: &str| {
        let message = scratch.refused(&[&["geodesic", "square.obj"], arguments].concat());
        assert!(message.contains(says), "{message}");
    };
    refused(&["--sources", "empty.txt"], "there is no source in it");
    refused(&["--sources", "bad.txt"], "bad.txt, line 2");
    refused(&["--sources", "missing.txt"], "missing.txt");
    refused(&["--sources", "bad.txt", "-o", "bad.txt"], "is an input");
    refused(&["--source", "0", "--each", "-o", "rows.ply"], ".npy or .csv");
    refused(&["--source", "0", "--each", "--target", "3"], "--target");
    refused(&["--source", "0", "--histogram", "x.svg"], "--compare");
    refused(&["--source", "0", "--compare", "gsp", "--histogram", "x.png"], "a histogram is written as .svg");
    refused(
        &["--source", "0", "--compare", "gsp", "--histogram", "x.svg", "-o", "x.svg"],
        "cannot hold both",
    );
    refused(
        &["--source", "0", "--each", "--method", "base", "--borders", "scaled"],
        "--each knows averaged borders alone",
    );
}
