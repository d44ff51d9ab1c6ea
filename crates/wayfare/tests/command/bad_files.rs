//! Files that cannot be used: exit code 2, one clear line, nothing left behind.

use crate::scratch::{ROOM, Scratch};
use std::{fmt::Write as _, fs, path::Path, process::Stdio};
use wayfare::core::container::{Container, ContainerWriter};

#[test]
fn plans_that_cannot_be_used_are_refused_with_the_place() {
    let scratch = Scratch::new();
    scratch.write("old.way", "an old file that must stay");
    for (name, content, word) in [
        ("empty.wkt", "", "empty"),
        ("blank.wkt", " \n\n ", "empty"),
        ("nan.wkt", "POLYGON ((0 0, 1 0, nan 1, 0 0))", "nan"),
        ("inf.geojson", r#"{"type":"Polygon","coordinates":[[[0,0],[1e400,0],[1,1],[0,0]]]}"#, "inf.geojson"),
        ("far.wkt", "POLYGON ((0 0, 20000000 0, 1 1, 0 0))", "far.wkt"),
        ("cut.wkt", "POLYGON ((0 0, 10 0, 10", "cut.wkt"),
        ("words.txt", "the quick brown fox", "so are OBJ, glTF, GLB, STL, PLY and OFF scenes"),
        (
            "degrees.geojson",
            r#"{"type":"Polygon","coordinates":[[[13.37,52.51],[13.38,52.51],[13.38,52.52],[13.37,52.51]]]}"#,
            "planar",
        ),
        ("short.map", "type octile\nheight 9\nwidth 9\nmap\n...\n", "short.map"),
        ("huge.map", "type octile\nheight 4000000000\nwidth 4000000000\nmap\n...\n", "huge.map"),
        ("none.pgm", "P5\n9 9\n255\n", "none.pgm"),
        ("bad.mesh", "mesh\n2\n3 1\n0 0 1 0\n", "bad.mesh"),
        ("json.json", "{\"type\": [", "json.json"),
        ("gzip.wkt.gz", "\u{1f}not gzip", "gzip.wkt.gz"),
    ] {
        scratch.write(name, content);
        let message = scratch.refused(&["bake", name, "-o", "x.way"]);
        assert!(message.contains(word), "{name}: {message}");
        let message = scratch.refused(&["bake", name, "-o", "old.way", "--json"]);
        assert!(message.contains(word), "{name}: {message}");
        assert!(!scratch.path("x.way").exists(), "{name}");
    }
}

#[test]
fn a_spike_of_a_million_vertices_without_area_ends_soon_and_well() {
    let scratch = Scratch::new();
    let mut spike = String::from("POLYGON ((");
    for k in (0..500_000).chain((1..500_000).rev()) {
        // Writing to a string cannot fail.
        let _ = write!(spike, "{} 0, ", f64::from(k) * 0.01);
    }
    spike.push_str("0 0))");
    scratch.write("spike.wkt", spike);
    let message = scratch.refused(&["bake", "spike.wkt", "-o", "x.way"]);
    assert!(message.contains("no area"), "{message}");
}

#[test]
fn products_that_were_cut_or_altered_are_refused_by_every_verb() {
    let scratch = Scratch::with_room();
    scratch.run(&["bake", "room.wkt", "-o", "room.wayplan"]).is(0);
    for product in ["room.way", "room.wayplan"] {
        let good = scratch.read(product);
        let bad = format!("bad.{}", product.rsplit('.').next().unwrap_or_default());
        let mut variants: Vec<Vec<u8>> = Vec::new();
        variants.extend(
            [0, 1, 7, 8, 39, 40, good.len() / 2, good.len() - 1].map(|length| good[..length].to_vec()),
        );
        for at in (8..good.len()).step_by(good.len() / 23) {
            let mut altered = good.clone();
            altered[at] ^= 1 << (at % 8);
            variants.push(altered);
        }
        variants.push([good.as_slice(), b"more"].concat());
        for (number, variant) in variants.into_iter().enumerate() {
            scratch.write(&bad, variant);
            // Each verb with some of them: all of them with all verbs would only take longer.
            let verbs: [&[&str]; 6] = [
                &["info", &bad],
                &["check", &bad],
                &["export", &bad, "-o", "x.json"],
                &["draw", &bad, "-o", "x.svg"],
                &["locate", &bad, "--at", "1,1"],
                &["path", &bad, "--from", "1,1", "--to", "9,5"],
            ];
            let message = scratch.refused(verbs[number % verbs.len()]);
            assert!(message.contains(&bad), "{message}");
        }
    }
}

#[test]
fn a_changed_mesh_with_a_right_checksum_is_found_by_check() {
    let scratch = Scratch::with_room();
    let file = Container::read(&scratch.path("room.way")).expect("a good file");
    let mut changed = ContainerWriter::new(file.kind(), file.version());
    let mut vertices = file.get::<f64>("vertices").expect("positions");
    vertices[0] += 5.0;
    vertices[1] += 3.0;
    changed.put("vertices", vertices);
    for name in ["vflags", "tags"] {
        changed.put(name, file.get::<u8>(name).expect("a section"));
    }
    for name in [
        "cells", "corners", "across", "storeys", "taglens", "flags", "drops", "grtriang", "grcells",
        "grlists",
    ] {
        changed.put(name, file.get::<u32>(name).expect("a section"));
    }
    changed.put_text("tagnames", &file.get_text("tagnames").expect("a section"));
    for name in ["relax", "grpoints", "grerror"] {
        changed.put(name, file.get::<f64>(name).expect("a section"));
    }
    changed.write(&scratch.path("changed.way")).expect("a scratch file");
    let report = scratch.run(&["check", "changed.way", "--json"]).is(1).json();
    assert_eq!(report["ok"], false);
    crate::scratch::has_keys(&report["defects"][0], &["invariant", "element", "message"]);
    assert!(scratch.run(&["check", "changed.way"]).is(1).out.contains("not ok"));
    // Everybody else refuses it.
    scratch.refused(&["info", "changed.way"]);
}

/// A copy of a product with one section changed, and a right checksum.
fn forge<T: wayfare::core::container::Scalar>(
    from: &Path,
    to: &Path,
    section: &str,
    change: impl Fn(&mut [T]),
) {
    let bytes = fs::read(from).expect("a good file");
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes")) as usize;
    let file = Container::from_bytes(bytes.clone()).expect("a good file");
    let mut changed = ContainerWriter::new(file.kind(), file.version());
    let count = u32::from_le_bytes(bytes[32..36].try_into().expect("4 bytes")) as usize;
    for row in (0..count).map(|k| 40 + 24 * k) {
        let name = String::from_utf8_lossy(&bytes[row..row + 8]).trim_end_matches('\0').to_owned();
        if name == section {
            let mut numbers = file.get::<T>(&name).expect("a section");
            change(&mut numbers);
            changed.put(&name, numbers);
        } else {
            let start = word(row + 8);
            changed.put(&name, bytes[start..start + word(row + 16)].iter().copied());
        }
    }
    changed.write(to).expect("a scratch file");
}

#[test]
fn forged_search_tables_are_found_by_check() {
    let scratch = Scratch::new();
    scratch.run(&["demo", "-q"]).is(0);
    let (good, bad) = (scratch.path("wayfare-demo/office.way"), scratch.path("bad.way"));
    let report = |word: &str| {
        let report = scratch.run(&["check", "bad.way", "--json"]).is(1).json();
        let defect = &report["defects"][0];
        assert_eq!((&report["ok"], &defect["element"]), (&false.into(), &"search tables".into()));
        assert!(defect["message"].as_str().is_some_and(|message| message.contains(word)), "{report}");
    };
    forge::<u32>(&good, &bad, "acc.to", |targets| targets.fill(targets[0]));
    report("edges");
    forge::<u16>(&good, &bad, "acc.dist", |distances| distances[40] ^= 1);
    report("distances");
    forge::<u32>(&good, &bad, "acc.head", |head| head[3] ^= 1);
    report("another mesh");
    for unit in [1e30, 0.0, -1.0, f64::NAN] {
        forge::<f64>(&good, &bad, "acc.unit", |numbers| numbers[0] = unit);
        assert!(scratch.refused(&["check", "bad.way"]).contains("unit"));
    }
}

#[test]
fn a_changed_floor_plan_with_a_right_checksum_is_found_by_check() {
    let scratch = Scratch::new();
    scratch.write("ell.wkt", "POLYGON ((0 0, 4 0, 4 2, 2 2, 2 4, 0 4, 0 0))");
    scratch.run(&["bake", "ell.wkt", "-o", "ell.wayplan"]).is(0);
    // Two corners change places: the outline crosses itself.
    forge::<f64>(&scratch.path("ell.wayplan"), &scratch.path("bad.wayplan"), "position", |numbers| {
        let (left, right) = numbers.split_at_mut(6);
        left[..3].swap_with_slice(&mut right[..3]);
    });
    let report = scratch.run(&["check", "bad.wayplan", "--json"]).is(1).json();
    assert_eq!((&report["ok"], &report["defects"][0]["invariant"]), (&false.into(), &"F1".into()));
    assert!(scratch.run(&["check", "bad.wayplan"]).is(1).out.contains("not ok"));
    let message = scratch.refused(&["bake", "bad.wayplan", "-o", "x.way"]);
    assert!(message.contains("not a valid floor plan: F1") && !message.contains("altered"), "{message}");
}

#[test]
fn a_product_with_a_damaged_beginning_is_known_by_its_name() {
    let scratch = Scratch::with_room();
    let mut bytes = scratch.read("room.way");
    bytes[0] ^= 1;
    scratch.write("bad.way", bytes);
    let message = scratch.refused(&["info", "bad.way"]);
    assert!(message.contains("beginning of the file is damaged; bake it again"), "{message}");
}

#[cfg(unix)]
#[test]
fn devices_are_refused_and_pipes_are_read() {
    let scratch = Scratch::with_room();
    scratch.write("zero.yaml", "image: /dev/zero\nresolution: 1\n");
    for input in ["/dev/zero", "zero.yaml"] {
        let message = scratch.refused(&["info", input]);
        assert!(message.contains("/dev/zero: this is a device"), "{message}");
    }
    scratch.refused(&["bake", "room.wkt", "-o", "x.way", "--config", "/dev/zero"]);
    scratch.refused(&["path", "room.way", "--queries", "/dev/zero"]);
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    std::io::Write::write_all(&mut writer, ROOM.as_bytes()).expect("a small text");
    drop(writer);
    let output = scratch.command(&["info", "/dev/stdin"]).stdin(reader).output().expect("a run");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn no_verb_writes_over_its_input() {
    let scratch = Scratch::with_room();
    scratch.write("plan.way", ROOM);
    scratch.write("plan.svg", ROOM);
    scratch.write("plan.wkt", ROOM);
    scratch.write("q.csv", "1,1,2,2\n");
    scratch.write("config.way", "shape = 0.5\n");
    fs::copy(scratch.path("room.way"), scratch.path("mesh.json")).expect("a copy");
    for arguments in [
        &["bake", "plan.way", "-o", "plan.way"] as &[&str],
        &["bake", "plan.way", "-o", "./plan.way"],
        &["bake", "room.wkt", "-o", "config.way", "--config", "config.way"],
        &["draw", "plan.svg", "-o", "plan.svg"],
        &["export", "plan.wkt", "-o", "plan.wkt"],
        &["export", "mesh.json", "-o", "mesh.json"],
        &["path", "mesh.json", "--from", "1,1", "--to", "2,2", "-o", "mesh.json"],
        &["path", "room.way", "--queries", "q.csv", "-o", "q.csv"],
    ] {
        let message = scratch.refused(arguments);
        assert!(message.contains("is an input"), "{arguments:?}: {message}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("plan.way", scratch.path("link.way")).expect("a link");
        assert!(scratch.refused(&["bake", "plan.way", "-o", "link.way"]).contains("is an input"));
        // A link to another file stays a link.
        scratch.write("old.way", "old");
        std::os::unix::fs::symlink("old.way", scratch.path("other.way")).expect("a link");
        scratch.run(&["bake", "room.wkt", "-o", "other.way"]).is(0);
        assert!(scratch.path("other.way").is_symlink());
        assert_eq!(scratch.read("old.way"), scratch.read("room.way"));
    }
}

#[test]
fn paths_that_cannot_be_read_or_written_are_refused() {
    let scratch = Scratch::with_room();
    fs::create_dir(scratch.path("folder.way")).expect("a scratch folder");
    fs::create_dir(scratch.path("folder.svg")).expect("a scratch folder");
    for arguments in [
        ["bake", "missing.wkt", "-o", "x.way"],
        ["bake", "folder.way", "-o", "x.way"],
        ["bake", "room.wkt/inside.wkt", "-o", "x.way"],
        ["bake", "room.wkt", "-o", "no/such/folder/x.way"],
        ["bake", "room.wkt", "-o", "folder.way"],
        ["bake", "room.wkt", "-o", "room.wkt/x.way"],
        ["bake", "room.wkt", "-o", "x.obj"],
        ["bake", "room.wkt", "-o", "x"],
        ["bake", "room.way", "-o", "x.way"],
        ["export", "room.way", "-o", "x.txt"],
        ["export", "room.way", "-o", "x.wkt"],
        ["export", "room.wkt", "-o", "x.glb"],
        ["export", "room.way", "-o", "no/such/folder/x.obj"],
        ["draw", "room.way", "-o", "x.png"],
        ["draw", "room.way", "-o", "folder.svg"],
        ["demo", "--quiet", "-o", "room.wkt"],
    ] {
        scratch.refused(&arguments);
    }
    for verb in ["info", "check"] {
        scratch.refused(&[verb, "missing.way"]);
        scratch.refused(&[verb, "folder.way"]);
    }
    scratch.refused(&["check", "room.wkt"]);
    scratch.refused(&["locate", "room.wkt", "--at", "1,1"]);
    let message = scratch.refused(&["path", "room.wkt", "--from", "1,1", "--to", "2,2"]);
    assert!(message.contains("wayfare bake room.wkt"), "{message}");
}

#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_none() {
    let scratch = Scratch::with_room();
    if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
        let output =
            scratch.command(&["info", "room.way"]).stdout(Stdio::from(full)).output().expect("a run");
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.starts_with("error: ") && message.lines().count() == 1, "{message}");
    }
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = scratch.command(&["info", "room.way"]).stdout(writer).output().expect("a run");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn an_existing_output_is_replaced_whole() {
    let scratch = Scratch::with_room();
    scratch.write("x.way", "old");
    scratch.run(&["bake", "room.wkt", "-o", "x.way"]).is(0);
    assert_eq!(scratch.read("x.way"), scratch.read("room.way"));
    scratch.write("bad.wkt", ROOM.replace("10 6", "10 six"));
    scratch.refused(&["bake", "bad.wkt", "-o", "x.way"]);
    assert_eq!(scratch.read("x.way"), scratch.read("room.way"));
}
