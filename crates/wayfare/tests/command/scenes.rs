//! Scenes through every verb: generated ones, files of every format, real levels where they are at hand, bad ones.

use crate::{
    bake::INFO_KEYS,
    scratch::{ROOM, Scratch, has_keys, shared_scene},
};
use std::io::Write as _;

/// In front of the building's entrance.
const OUTSIDE: &str = "13,-2,0";
/// Ground of 8 m × 6 m, y up, with a step up in the middle.
const STAGE: &str = "\
v 0 0 0\nv 8 0 0\nv 8 0 -6\nv 0 0 -6\nusemtl grass\nf 1 2 3 4\n\
v 3 .3 -2\nv 5 .3 -2\nv 5 .3 -4\nv 3 .3 -4\nusemtl stone\nf 5 6 7 8\n";

pub fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).expect("memory can be written");
    gzip.finish().expect("memory can be written")
}

#[test]
fn a_building_becomes_one_mesh_over_its_storeys() {
    let scratch = Scratch::new();
    let bake = ["bake", "generated:building-3", "-o", "b.way", "--reach-from", OUTSIDE, "--json"];
    let report = scratch.run(&bake).is(0).json();
    has_keys(&report, &INFO_KEYS);
    has_keys(&report, &["seconds", "peak_memory_mb", "repair", "notes"]);
    let stages = [
        "read",
        "columns",
        "selection",
        "layers",
        "contours",
        "ground",
        "decompose",
        "search_tables",
        "clearance",
        "write",
    ];
    has_keys(&report["seconds"], &stages);
    let sum: f64 = stages.iter().filter_map(|stage| report["seconds"][stage].as_f64()).sum();
    assert!(sum <= report["seconds"]["total"].as_f64().unwrap_or_default());
    assert_eq!((&report["storeys"], &report["components"]), (&3.into(), &1.into()));
    let notes = report["notes"].to_string();
    assert!(notes.contains("inside closed solids") && notes.contains("cannot be reached"), "{notes}");
    scratch.run(&["check", "b.way"]).is(0);

    // The storey is found by z, and so is the way up.
    let storey = |z: &str| {
        let at = format!("20,4,{z}");
        scratch.run(&["locate", "b.way", "--at", &at, "--json"]).is(0).json()["storey"].as_u64()
    };
    let storeys = [storey("0"), storey("3.24"), storey("6.48")];
    assert!(storeys[0] != storeys[1] && storeys[1] != storeys[2] && storeys[0] != storeys[2], "{storeys:?}");
    let path = ["path", "b.way", "--from", OUTSIDE, "--to", "20,4,6.48"];
    let up = scratch.run(&[&path[..], &["--json"]].concat()).is(0).json();
    let length = |key: &str| up[key].as_f64().unwrap_or_default();
    assert!(length("length") > length("plan_length") + 0.5, "{up}");
    let words = scratch.run(&path).is(0).out;
    let turns: Vec<&str> = words.lines().filter(|line| line.starts_with("  ")).collect();
    assert!(turns.len() < 30 && turns[0] == "  13, -2, 0", "{words}");
    let end = turns[turns.len() - 1];
    assert!(end.starts_with("  20, 4, 6.48") || end.starts_with("  20, 4, 6.479"), "{words}");

    // The same by rows of a file.
    scratch.write(
        "q.csv",
        "fromx,fromy,fromz,tox,toy,toz\n13,-2,0,20,4,6.48\n20,4,0,20,4,3.24\n20,4,9.72,20,4,0\n",
    );
    let answers = scratch.run(&["path", "b.way", "--queries", "q.csv", "--json"]).is(0).json();
    let results = answers["results"].as_array().expect("results");
    assert_eq!(results[0]["length"], up["length"]);
    assert!(results[1]["length"].as_f64() > Some(10.0), "{answers}");
    // The roof was left out.
    assert_eq!(results[2]["found"], false);
}

#[test]
fn without_a_place_to_reach_it_from_the_roof_is_ground() {
    let scratch = Scratch::new();
    scratch.run(&["bake", "generated:building-2", "-o", "all.way"]).is(0);
    scratch.run(&["locate", "all.way", "--at", "10,10,6.48"]).is(0);
    scratch.run(&["bake", "generated:building-2", "-o", "in.way", "--reach-from", OUTSIDE]).is(0);
    scratch.run(&["locate", "in.way", "--at", "10,10,6.48"]).is(1);
    // An option wins over what the file says to the contrary; two options that exclude each other are refused.
    scratch.write("from.toml", "reach-from = [[13, -2, 0]]\n");
    let file = ["bake", "generated:building-2", "-o", "x.way", "--config"];
    scratch.run(&[&file[..], &["from.toml"]].concat()).is(0);
    assert_eq!(scratch.read("x.way"), scratch.read("in.way"));
    scratch.run(&[&file[..], &["from.toml", "--keep", "all"]].concat()).is(0);
    assert_eq!(scratch.read("x.way"), scratch.read("all.way"));
    scratch.write("all.toml", "keep = \"all\"\n");
    scratch.run(&[&file[..], &["all.toml", "--reach-from", OUTSIDE]].concat()).is(0);
    assert_eq!(scratch.read("x.way"), scratch.read("in.way"));
    for keep in ["all", "largest"] {
        let both = ["bake", "generated:building-2", "-o", "y.way", "--reach-from", OUTSIDE, "--keep", keep];
        assert!(scratch.refused(&both).contains("--reach-from keeps what is reachable"));
    }
    let largest = ["bake", "generated:building-2", "-o", "l.way", "--keep", "largest", "--json"];
    assert_eq!(scratch.run(&largest).is(0).json()["components"], 1);
    let area = |more: &[&str]| {
        let bake = ["bake", "generated:building-2", "-o", "y.way", "--json"];
        scratch.run(&[&bake, more].concat()).is(0).json()["area"].as_f64().unwrap_or_default()
    };
    assert!(area(&["--keep-inside"]) > area(&[]));
}

#[test]
fn every_scene_format_is_read_also_gzipped() {
    let scratch = Scratch::new();
    scratch.run(&["bake", "generated:bridge", "-o", "made.way"]).is(0);
    scratch.run(&["export", "generated:bridge", "-o", "bridge.obj"]).is(0);
    scratch.run(&["bake", "bridge.obj", "-o", "obj.way", "--up", "z"]).is(0);
    assert_eq!(scratch.read("obj.way"), scratch.read("made.way"));
    scratch.write("bridge.obj.gz", gzipped(&scratch.read("bridge.obj")));
    scratch.run(&["bake", "bridge.obj.gz", "-o", "gz.way", "--up", "z"]).is(0);
    assert_eq!(scratch.read("gz.way"), scratch.read("made.way"));

    let corners = [[0, 0, 0], [4, 0, 0], [0, 0, -4]];
    let words = |separator: &str| corners.map(|c| c.map(|x| x.to_string()).join(" ")).join(separator);
    let stl = format!(
        "solid s\nfacet normal 0 1 0\nouter loop\nvertex {}\nendloop\nendfacet\nendsolid s\n",
        words("\nvertex ")
    );
    let ply = format!(
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
         element face 1\nproperty list uchar int vertex_indices\nend_header\n{}\n3 0 1 2\n",
        words("\n")
    );
    let off = format!("OFF\n3 1 0\n{}\n3 0 1 2\n", words("\n"));
    let positions = corners.as_flattened().iter().flat_map(|&x| (x as f32).to_le_bytes()).collect::<Vec<_>>();
    let json = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"scene":0,"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"buffers":[{"byteLength":36BUFFER}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,-4],"max":[4,0,0]}]}"#;
    let mut chunk = json.replace("BUFFER", "").into_bytes();
    chunk.resize(chunk.len().next_multiple_of(4), b' ');
    let length = |bytes: usize| (bytes as u32).to_le_bytes();
    let glb = [
        b"glTF\x02\0\0\0".as_slice(),
        &length(28 + chunk.len() + positions.len()),
        &length(chunk.len()),
        b"JSON",
        &chunk,
        &length(positions.len()),
        b"BIN\0",
        &positions,
    ]
    .concat();
    // What a .gltf file names lies beside it.
    scratch.write("corners.bin", &positions);
    let gltf = json.replace("BUFFER", r#","uri":"corners.bin""#);
    for (name, bytes) in [
        ("t.stl", stl.into_bytes()),
        ("t.ply", ply.into_bytes()),
        ("t.off", off.into_bytes()),
        ("t.glb", glb.clone()),
        ("t.gltf", gltf.into_bytes()),
    ] {
        let zipped = format!("{name}.gz");
        scratch.write(name, &bytes);
        scratch.write(&zipped, gzipped(&bytes));
        for file in [name, &zipped] {
            let report = scratch.run(&["bake", file, "-o", "t.way", "--json"]).is(0).json();
            let area = report["area"].as_f64().unwrap_or_default();
            assert!((7.0..=8.0).contains(&area), "{file}: {report}");
            scratch.run(&["bake", file, "-o", "t.wayplan"]).is(0);
            assert_eq!(scratch.run(&["info", file, "--json"]).is(0).json()["triangles"], 1, "{file}");
        }
    }
    // The content decides, not the name; and what was cut is refused.
    scratch.write("t.dat", &glb);
    scratch.run(&["bake", "t.dat", "-o", "t.way"]).is(0);
    scratch.write("cut.glb", &glb[..glb.len() - 9]);
    assert!(scratch.refused(&["bake", "cut.glb", "-o", "x.way"]).contains("cut.glb"));
    scratch.refused(&["bake", "t.glb", "-o", "x.way", "--up", "z"]);
}

#[test]
fn scenes_are_described_checked_exported_and_drawn() {
    let scratch = Scratch::new();
    scratch.write("stage.obj", STAGE);
    let info = scratch.run(&["info", "stage.obj", "--json"]).is(0).json();
    assert_eq!(
        (&info["kind"], &info["triangles"], &info["closed_parts"]),
        (&"scene".into(), &4.into(), &0.into())
    );
    assert_eq!(info["bounds"], serde_json::json!([[0.0, 0.0, 0.0], [8.0, 6.0, 0.3]]));
    assert_eq!(
        (&info["walkable_area"], &info["tags"]),
        (&52.0.into(), &serde_json::json!(["grass", "stone"]))
    );
    let words = scratch.run(&["info", "stage.obj", "--scale", "2"]).is(0).out;
    assert!(
        words.contains("from (0, 0, 0) to (16, 12, 0.6)") && words.contains("tags: grass, stone"),
        "{words}"
    );
    let info = scratch.run(&["info", "generated:building-1", "--json"]).is(0).json();
    assert!(info["closed_parts"].as_u64() > Some(50), "{info}");

    scratch.write("bad.obj", STAGE.to_owned() + "f 1 1 2\nf 1 2 99\n");
    let check = scratch.run(&["check", "bad.obj", "--json"]).is(0).json();
    assert_eq!((&check["ok"], check["repair"].as_array().map(Vec::len)), (&true.into(), Some(2)));
    assert!(scratch.run(&["check", "bad.obj"]).is(0).out.contains("out-of-range-face"));
    let report = scratch.run(&["bake", "bad.obj", "-o", "bad.way", "--json"]).is(0).json();
    assert_eq!(report["repair"], check["repair"]);
    scratch.run(&["export", "bad.obj", "-o", "good.obj"]).is(0);
    scratch.run(&["bake", "good.obj", "-o", "good.way", "--up", "z"]).is(0);
    assert_eq!(scratch.read("good.way"), scratch.read("bad.way"));
    assert!(
        scratch.refused(&["export", "bad.obj", "-o", "x.glb"]).contains("wayfare bake bad.obj -o bad.way")
    );
    assert!(
        scratch
            .refused(&["path", "bad.obj", "--from", "1,1", "--to", "2,2"])
            .contains("wayfare bake bad.obj")
    );

    // As a mesh in one picture, or stage by stage and layer by layer.
    scratch.run(&["draw", "bad.obj", "-o", "mesh.svg", "--from", "1,1", "--to", "7,5"]).is(0);
    scratch.run(&["bake", "generated:bridge", "-o", "bridge.way"]).is(0);
    scratch.run(&["draw", "bridge.way", "-o", "one.svg"]).is(0);
    scratch.run(&["draw", "generated:bridge", "-o", "two.svg"]).is(0);
    assert_eq!(scratch.read("one.svg"), scratch.read("two.svg"));
    for stage in ["layers", "depth", "contours", "cells"] {
        let target = format!("{stage}.svg");
        let drawn = scratch.run(&["draw", "generated:bridge", "-o", &target, "--stage", stage, "--json"]);
        let outputs = drawn.is(0).json()["outputs"].as_array().cloned().unwrap_or_default();
        assert!(outputs.len() > 1 && !scratch.path(&target).exists(), "{outputs:?}");
        for output in &outputs {
            let svg = String::from_utf8(scratch.read(output.as_str().expect("a name"))).expect("UTF-8");
            roxmltree::Document::parse(&svg).expect("well-formed XML");
        }
        scratch.run(&["draw", "generated:bridge", "-o", &target, "--stage", stage, "--layer", "1"]).is(0);
        assert_eq!(scratch.read(&target), scratch.read(&format!("{stage}-1.svg")));
        let draw = ["draw", "generated:bridge", "-o", "x.svg", "--stage", stage, "--layer", "99"];
        let what = if stage == "cells" { "storey" } else { "layer" };
        assert!(scratch.refused(&draw).contains(&format!("there is no {what} 99")));
    }
    // Said before anything is read.
    let missing = ["draw", "missing.obj", "-o", "x.svg", "--stage", "voxels", "--layers", "single"];
    assert!(scratch.refused(&missing).contains("--pipeline thesis"));
    let voxels = ["draw", "generated:bridge", "-o", "voxels.svg", "--stage", "voxels"];
    assert!(scratch.refused(&voxels).contains("--pipeline thesis"));
    scratch.run(&[&voxels[..], &["--pipeline", "thesis", "--layer", "0"]].concat()).is(0);
    scratch.write("room.wkt", ROOM);
    assert!(
        scratch.refused(&["draw", "room.wkt", "-o", "x.svg", "--stage", "depth"]).contains("only scenes")
    );
}

#[test]
fn the_stages_are_saved_beside_the_mesh() {
    let scratch = Scratch::new();
    scratch.run(&["bake", "generated:bridge", "-o", "b.way", "--save-stages", "new/stages"]).is(0);
    let layered =
        ["layers-0.svg", "layers-1.svg", "depth-0.svg", "contours-0.svg", "contours-1.svg", "cells-1.svg"];
    for file in ["plan.wayplan", "stages.wayshow"].iter().chain(&layered) {
        assert!(!scratch.read(&format!("new/stages/{file}")).is_empty(), "{file}");
    }
    scratch.run(&["check", "new/stages/plan.wayplan"]).is(0);
    scratch.run(&["bake", "new/stages/plan.wayplan", "-o", "again.way"]).is(0);
    assert_eq!(scratch.read("again.way"), scratch.read("b.way"));
    scratch.write("file", "");
    assert!(
        scratch
            .refused(&["bake", "generated:bridge", "-o", "x.way", "--save-stages", "file"])
            .contains("folder")
    );
}

#[test]
fn settings_of_the_ground_come_from_a_file_and_options_win() {
    let scratch = Scratch::new();
    scratch.write("stage.obj", STAGE);
    let bake = |more: &[&str]| {
        let bake = ["bake", "stage.obj", "-o", "x.way", "--json", "--config", "ground.toml"];
        let report = scratch.run(&[&bake, more].concat()).is(0).json();
        (report["components"].as_u64(), report["area"].as_f64().unwrap_or_default())
    };
    scratch.write(
        "ground.toml",
        "height = 1.7\nstep = 0.2\nslope = 30\nresolution = 0.1\nsimplify = 0.1\nmin_area = 0.5\nkeep = \"all\"\n\
         keep-inside = false\nmethod = \"voxel\"\nup = \"y\"\nscale = 1.0\nshape = 0.5\npipeline = \"columns\"\n\
         layers = \"many\"\n",
    );
    // A step of 0.3 m is too high; the ground under the stone has no head room.
    assert_eq!(bake(&[]).0, Some(2));
    assert_eq!(bake(&["--step", "0.4"]).0, Some(1));
    scratch.write("ground.toml", "step = 0.2\nreach_from = [[1, 1, 0]]\n");
    let (components, area) = bake(&[]);
    assert_eq!(components, Some(1));
    assert!((area - 44.0).abs() < 1.5, "{area}");
    for (content, word) in [
        ("slope = 90\n", "degrees"),
        ("keep = \"some\"\n", "some"),
        ("reach_from = [1, 2, 3]\n", "line 1"),
        ("reach_from = [[1, 2, nan]]\n", "NaN"),
        ("reach_from = [[1e308, 0, 0]]\n", "1e308 is outside"),
        ("keep = \"reachable\"\n", "--reach-from"),
        ("method = \"exact\"\npipeline = \"thesis\"\n", "--pipeline is for --method voxel"),
    ] {
        scratch.write("ground.toml", content);
        let message = scratch.refused(&["bake", "stage.obj", "-o", "y.way", "--config", "ground.toml"]);
        assert!(message.contains(word), "{content}: {message}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes_of_a_scene() {
    let scratch = Scratch::new();
    for (scene, more) in
        [("generated:building-2", [].as_slice()), ("generated:slabs-1", &["--pipeline", "thesis"])]
    {
        for threads in ["1", "2", "7"] {
            let target = format!("t{threads}.way");
            scratch.run(&[&["bake", scene, "-o", &target, "--threads", threads], more].concat()).is(0);
            assert!(scratch.read(&target) == scratch.read("t1.way"), "{scene} with {threads} threads");
        }
    }
}

#[test]
fn both_pipelines_and_a_single_layer_can_be_asked_for() {
    let scratch = Scratch::new();
    let area_of = |scene: &str, more: &[&str]| {
        let report = scratch.run(&[&["bake", scene, "-o", "x.way", "--json"], more].concat());
        let report = report.is(0).json();
        scratch.run(&["check", "x.way"]).is(0);
        report["area"].as_f64().unwrap_or_default()
    };
    let area = |more: &[&str]| area_of("generated:bridge", more);
    let (columns, thesis) = (area(&[]), area(&["--pipeline", "thesis", "--coarse", "0.3"]));
    assert!((columns - thesis).abs() < 0.1 * columns, "{columns} {thesis}");
    assert!(area(&["--layers", "single", "--keep", "all"]) < columns);
    // The roof and the ground round it, or the larger of both.
    let seen = |more: &[&str]| area_of("generated:building-1", &[&["--layers", "single"], more].concat());
    assert!(seen(&[]) < seen(&["--keep", "all"]));
}

#[test]
fn scenes_without_ground_are_a_no_and_leave_no_file() {
    let scratch = Scratch::new();
    scratch.write("stage.obj", STAGE);
    scratch.write("wall.obj", "v 0 0 0\nv 1 0 0\nv 1 3 0\nf 1 2 3\n");
    scratch.write("nothing.obj", "# nothing\no nothing\n");
    for (arguments, word) in [
        (&["stage.obj", "--reach-from", "50,50,0"][..], "no ground at (50, 50, 0)"),
        (&["stage.obj", "--reach-from", "1,1,0", "--reach-from", "1,1,30"], "(1, 1, 30)"),
        (&["stage.obj", "--min-area", "1000"], "smaller"),
        (&["wall.obj"], "flat enough"),
        (&["nothing.obj"], "no triangle"),
    ] {
        let run = scratch.run(&[&["bake", "-o", "x.way"], arguments].concat()).is(1);
        // Where a place has no ground, others may have some.
        let is_nothing = !arguments.contains(&"--reach-from");
        assert_eq!(run.err.contains("nothing is walkable"), is_nothing, "{}", run.err);
        assert!(run.err.contains(word), "{}", run.err);
        let json = scratch.run(&[&["bake", "-o", "x.way", "--json"], arguments].concat()).is(1).json();
        has_keys(&json, &["cells", "area", "repair", "notes"]);
        assert!(json["reason"].as_str().is_some_and(|reason| reason.contains(word)), "{json}");
        scratch.run(&[&["draw", "-o", "x.svg"], arguments].concat()).is(1);
        assert_eq!(scratch.names(), ["nothing.obj", "stage.obj", "wall.obj"]);
    }
}

#[test]
fn a_scene_without_ground_tells_what_was_read_and_whether_another_axis_may_be_up() {
    let scratch = Scratch::new();
    // A floor in the plane z = 0, and a face that names one vertex twice.
    scratch.write("floor.obj", "v 0 0 0\nv 5 0 0\nv 5 5 0\nv 0 5 0\nf 1 2 3 4\nf 1 1 2\n");
    let json = scratch.run(&["bake", "floor.obj", "-o", "x.way", "--json"]).is(1).json();
    assert_eq!(json["repair"][0]["kind"], "degenerate-face");
    assert!(json["notes"][0].as_str().is_some_and(|note| note.contains("is it --up z?")), "{json}");
    let said = scratch.run(&["bake", "floor.obj", "-o", "x.way"]).is(1).err;
    assert!(said.contains("degenerate-face") && said.contains("is it --up z?"), "{said}");
    let said = scratch.run(&["gaps", "floor.obj"]).is(1).err;
    assert!(said.contains("degenerate-face") && said.contains("is it --up z?"), "{said}");
    // A building on its side has some ground, but little.
    scratch.run(&["export", "generated:building-2", "-o", "b.obj"]).is(0);
    let turned = scratch.run(&["bake", "b.obj", "-o", "x.way", "--reach-from", "13,1.5,-14"]);
    assert!(turned.code != Some(0) || turned.err.contains("is it --up z?"), "{}", turned.err);
    for (scene, up) in [("b.obj", "z"), ("floor.obj", "z"), ("generated:bridge", "")] {
        let up = ["--up", up];
        let bake = [&["bake", scene, "-o", "x.way"], &up[..if up[1].is_empty() { 0 } else { 2 }]].concat();
        assert!(!scratch.run(&bake).is(0).err.contains("--up"));
    }
}

#[test]
fn bad_scenes_and_options_that_do_not_fit_are_refused() {
    let scratch = Scratch::with_room();
    scratch.write("stage.obj", STAGE);
    scratch.run(&["bake", "room.wkt", "-o", "room.wayplan"]).is(0);
    scratch.write("empty.obj", "");
    scratch.write("words.txt", "the quick brown fox");
    scratch.write("words.obj", "the quick brown fox\n");
    scratch.write("half.stl", b"binary of no length\0\0\0");
    scratch.write("nan.off", "OFF\n3 1 0\n0 0 zero\n1 0 0\n0 0 1\n3 0 1 2\n");
    scratch.write("far.obj", "v 0 0 0\nv 1e308 0 0\nv 0 0 1\nf 1 2 3\n");
    for (arguments, word) in [
        (&["empty.obj"][..], "empty"),
        (&["words.txt"], "so are OBJ"),
        (&["half.stl"], "half.stl"),
        (&["nan.off"], "line 3"),
        (&["words.obj"], "line 1, column 1: this is no OBJ"),
        (&["far.obj"], "vertex 2: coordinate (1e308, "),
        (&["missing.glb"], "missing.glb"),
        (&["generated:castle-3"], "building-STOREYS (1 to 50)"),
        (&["generated:blocks-201"], "blocks-N (1 to 200)"),
        (&["generated:bridge", "--scale", "2"], "--scale"),
        (&["stage.obj", "--resolution", "0"], "resolution"),
        (&["stage.obj", "--resolution", "nan"], "resolution"),
        (&["stage.obj", "--resolution", "1e-9"], "error: stage.obj: the scene is 8.0 m wide"),
        (&["stage.obj", "--step", "1.8"], "step"),
        (&["stage.obj", "--height", "-1"], "height"),
        (&["stage.obj", "--slope", "95"], "slope = 95 is outside 0 .. 90 degrees"),
        (&["stage.obj", "--slope", "nan"], "slope"),
        (&["stage.obj", "--simplify", "-1"], "simplify"),
        (&["stage.obj", "--min-area", "nan"], "min_area"),
        (&["stage.obj", "--keep", "reachable"], "--reach-from"),
        (&["stage.obj", "--keep", "nothing"], "largest"),
        (&["stage.obj", "--reach-from", "1,x,0"], "reach-from"),
        (&["stage.obj", "--method", "exact", "--layers", "single"], "--layers single is for --method voxel"),
        (&["stage.obj", "--coarse", "1"], "--pipeline thesis"),
        (&["stage.obj", "--planar"], "--planar is for plan files"),
        (&["stage.obj", "--up", "x"], "--up"),
        (&["stage.obj", "--scale", "0"], "scale"),
        (&["room.wkt", "--up", "z"], "--up is for scenes"),
        (&["room.wkt", "--height", "1.8"], "--height is for scenes; room.wkt is a plan file"),
        (&["room.wayplan", "--scale", "2"], "a floor plan"),
        (&["room.wayplan", "--reach-from", "1,1"], "--reach-from is for scenes"),
        (&["room.way"], "already a navigation mesh"),
    ] {
        let message = scratch.refused(&[&["bake", "-o", "x.way"], arguments].concat());
        assert!(message.contains(word), "{arguments:?}: {message}");
    }
    assert!(
        scratch.refused(&["draw", "room.way", "-o", "x.svg", "--stage", "cells"]).contains("finished mesh")
    );
    assert!(scratch.refused(&["info", "room.way", "--up", "z"]).contains("--up is for scenes"));
}

#[test]
fn real_scenes_become_good_meshes() {
    let scratch = Scratch::new();
    let quake = ["--up", "z", "--scale", "0.0254", "--height", "1.4224", "--step", "0.4572"];
    for (name, options) in [
        ("house.obj.gz", [].as_slice()),
        ("nav_test.obj.gz", &["--keep", "largest"]),
        ("openarena_oa_dm1.obj.gz", &quake),
    ] {
        let Some(file) = shared_scene(name) else { continue };
        let bake = [&["bake", file.as_str(), "-o", "x.way", "--json"], options].concat();
        let report = scratch.run(&bake).is(0).json();
        assert!(report["area"].as_f64() > Some(100.0), "{name}: {report}");
        scratch.run(&["check", "x.way"]).is(0);
        let again = [&["bake", file.as_str(), "-o", "y.way", "--threads", "1"], options].concat();
        scratch.run(&again).is(0);
        assert!(scratch.read("x.way") == scratch.read("y.way"), "{name}");
    }
}
