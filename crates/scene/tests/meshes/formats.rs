//! Every scene format with good, odd and bad input.

use crate::writers;
use std::{fmt::Write as _, fs};
use wayfare_core::{DVec3, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_scene::{Scene, SceneOptions, Up, read_mesh_bytes, read_scene, read_scene_bytes};

fn read_as(name: &str, bytes: &[u8]) -> Result<Scene, String> {
    // z up, so that coordinates stay as they are, but for glTF, which asks for y.
    let up = (!bytes.starts_with(b"glTF") && !bytes.starts_with(b"{")).then_some(Up::Z);
    let options = SceneOptions { up, ..SceneOptions::default() };
    read_scene_bytes(bytes, name.as_ref(), &options).map_err(|error| error.to_string())
}
fn read(text: &str) -> Result<Scene, String> {
    read_as("scene", text.as_bytes())
}
fn points(scene: &Scene) -> Vec<[DVec3; 3]> {
    scene.mesh.all_points().collect()
}
fn area(scene: &Scene) -> f64 {
    (0..scene.mesh.triangles.len()).map(|triangle| scene.mesh.normal(triangle).length() / 2.0).sum()
}

const CORNERS: &str = "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\n";

mod all_formats {
    use super::*;

    #[test]
    fn y_up_is_turned_and_units_are_scaled() {
        let text = "v 1 2 3\nv 2 2 3\nv 1 2 2\nf 1 2 3\n";
        let options = SceneOptions { scale: 0.5, ..SceneOptions::default() };
        let scene = read_scene_bytes(text.as_bytes(), "a".as_ref(), &options).unwrap();
        assert_eq!(
            scene.mesh.vertices,
            [dvec3(0.5, -1.5, 1.0), dvec3(1.0, -1.5, 1.0), dvec3(0.5, -1.0, 1.0)]
        );
        assert!(scene.mesh.normal(0).z > 0.0);
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let options = SceneOptions { scale, ..SceneOptions::default() };
            assert!(read_scene_bytes(text.as_bytes(), "a".as_ref(), &options).is_err());
        }
    }

    #[test]
    fn bad_faces_are_set_aside_and_counted_with_the_first_of_each() {
        let text = format!(
            "{CORNERS}v nan 0 0\nv 2 2 0\nf 1 2 3\nf 1 1 2\nf 1 6 3\nf 2 3 1\nf 3 2 1\nf 1 2 5\nf 1 2 4 5\nf 1 2 99\nf 0 1 2\n\
             f 1 2\nf 1 3 4\n"
        );
        let scene = read(&text).unwrap();
        assert_eq!(scene.mesh.triangles.len(), 3);
        assert_eq!(
            scene.repair.to_string(),
            "3 × degenerate-face (first: face 2: repeats vertex 1); 2 × non-finite-face (first: face 6: vertex 5 is not finite); \
             2 × out-of-range-face (first: face 8: names vertex 99 of 6); 1 × duplicate-face (first: face 4: has the corners of \
             face 1, at (4.0, 0.0, 0.0))"
        );
        // A surface keeps its vertices, and faces without area.
        let (mesh, repair) = read_mesh_bytes(text.as_bytes(), "a".as_ref(), 1000).unwrap();
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (6, 4));
        assert_eq!((repair.count("zero-area-face"), repair.count("degenerate-face")), (1, 2));
        assert_eq!(mesh.vertices[4], DVec3::ZERO);
        // Its vertices and faces are asked for by numbers from 0 on, so they are told so.
        let degenerate = repair.repairs.iter().find(|known| known.kind == "degenerate-face").unwrap();
        assert_eq!(degenerate.first, "face 1: repeats vertex 0");
    }

    #[test]
    fn faces_are_numbered_as_in_the_file_behind_polygons_too() {
        let text = format!("{CORNERS}v 9 9 9\nf 1 2 3 4\nf 1 2 5\nf 4 3 2 1\nf 2 2 5\n");
        assert_eq!(read(&text).unwrap().repair.repairs[0].first, "face 4: repeats vertex 2");
    }

    #[test]
    fn faces_that_cross_themselves_are_reported_as_such_and_flat_ones_as_flat() {
        let scene = read(&format!("{CORNERS}v 8 0 0\nv 9 0 0\nf 1 2 4 3\nf 1 2 5 6\n")).unwrap();
        assert_eq!(
            scene.repair.to_string(),
            "1 × crossing-polygon (first: face 1); 1 × degenerate-face (first: face 2: has no area, at (0.0, 0.0, 0.0))"
        );
        assert_eq!((scene.mesh.triangles.len(), area(&scene)), (2, 16.0));
    }

    #[test]
    fn coordinates_out_of_range_are_refused_with_their_vertex() {
        let error = read("v 0 0 0\nv 1e8 0 0\nf 1 1 2").unwrap_err();
        assert_eq!(error, "scene: vertex 2: coordinate (100000000.0, 0.0, 0.0) is over 1e7 m");
        let error = read("v 0 0 0\nv 0 1e308 -1e-300\nf 1 1 2").unwrap_err();
        assert_eq!(error, "scene: vertex 2: coordinate (0.0, 1e308, -1e-300) is over 1e7 m");
        // Where it lies in space counts, and is said.
        let options = SceneOptions { scale: 1e3, ..SceneOptions::default() };
        let error = read_scene_bytes(b"v 0 20000 1\nf 1 1 1", "a".as_ref(), &options).unwrap_err();
        assert!(error.to_string().contains("(0.0, -1000.0, 20000000.0)"), "{error}");
        let options = SceneOptions { scale: 1e-3, ..SceneOptions::default() };
        assert!(read_scene_bytes(b"v 0 0 0\nv 1e8 0 0\nf 1 1 2", "a".as_ref(), &options).is_ok());
    }

    #[test]
    fn what_is_no_scene_says_so() {
        for (name, bytes, expected) in [
            ("a.obj", &b""[..], "the file is empty"),
            ("a", b"hello", "unknown format; OBJ, glTF, GLB, STL, PLY and OFF are read"),
            ("a.obj", b"POLYGON ((0 0, 1 0, 1 1))", "a 2D plan, not a 3D scene"),
            ("a", br#"{"type":"Polygon"}"#, "a 2D plan"),
            ("a", b"WAYFARE\0", "a finished wayfare product"),
        ] {
            let error = read_as(name, bytes).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        let plan =
            wayfare_scene::read_plan_bytes(b"v 0 0 0\n", "a.wkt".as_ref(), &Default::default()).unwrap_err();
        assert!(plan.to_string().contains("a 3D scene, not a plan"));
    }

    #[test]
    fn a_scene_without_faces_is_empty_and_says_so() {
        let scene = read("v 0 0 0\n").unwrap();
        assert!(scene.mesh.triangles.is_empty() && scene.mesh.vertices.is_empty());
        assert_eq!((scene.tag_names.len(), scene.notes.len()), (1, 1));
    }
}

mod obj {
    use super::*;

    #[test]
    fn faces_may_come_before_their_vertices_and_polygons_may_have_notches() {
        // An L, with a corner on a straight edge.
        let ring = "v 0 0 0\nv 2 0 0\nv 4 0 0\nv 4 1 0\nv 1 1 0\nv 1 4 0\nv 0 4 0\n";
        let face = "f 1 2 3 4 5 6 7\n";
        for text in [format!("{ring}{face}"), format!("{face}{ring}")] {
            let scene = read(&text).unwrap();
            assert_eq!((scene.mesh.triangles.len(), area(&scene)), (5, 7.0));
            assert!((0..5).all(|triangle| scene.mesh.normal(triangle).z > 0.0));
            assert!(scene.repair.is_empty());
        }
    }

    #[test]
    fn a_file_of_other_lines_is_no_obj_whatever_its_name() {
        let noise: Vec<u8> = (0..20_000u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for bytes in [&noise[..], b"the quick\nbrown fox\n", b"# text\n\nv 0 0 0\njumps\nover\n"] {
            let error = read_as("a.obj", bytes).unwrap_err();
            assert!(error.contains("no OBJ") && error.len() < 200, "{error}");
        }
        // A letter of OBJ at the beginning does not make one of a file that has another format's name.
        for (name, format) in [("a.stl", "STL"), ("a.ply", "PLY"), ("a.off", "number"), ("a.glb", "glTF")] {
            let error = read_as(name, b"g \xf0\x8b4q, and so on").unwrap_err();
            assert!(error.contains(format) && !error.contains("OBJ"), "{name}: {error}");
        }
        // Nothing in it, or a few words of somebody's own, is OBJ all the same.
        assert!(read_as("a.obj", b"# empty\nmtllib a.mtl\no nothing\n").unwrap().mesh.triangles.is_empty());
        assert_eq!(points(&read(&format!("{CORNERS}vendor 1 2\nf 1 2 3\nlayer 7\n")).unwrap()).len(), 1);
    }

    #[test]
    fn material_names_are_sorted_tags_and_none_is_the_empty_name() {
        let text = format!(
            "{CORNERS}f 1 2 3\nusemtl wet  grass \nf 1 3 4\nusemtl asphalt\nf 4 3 2\nusemtl unused\n"
        );
        let scene = read(&text).unwrap();
        assert_eq!(scene.tag_names, ["", "asphalt", "wet  grass"]);
        assert_eq!(scene.tags, [0, 2, 1]);
        assert_eq!(read(&format!("{CORNERS}f 1 2 3\n")).unwrap().tag_names, [""]);
    }

    #[test]
    fn more_than_64_materials_share_the_empty_name_with_a_note() {
        let mut text = String::new();
        for k in 0..70 {
            write!(text, "v {k} 0 0\nv {k} 1 0\nv {k} 0 1\nusemtl m{k:02}\nf -1 -2 -3\n").unwrap();
        }
        let scene = read(&text).unwrap();
        assert_eq!((scene.tag_names.len(), scene.mesh.triangles.len()), (Scene::MAX_TAGS, 70));
        assert_eq!((scene.tag_names[0].as_str(), scene.tag_names[63].as_str()), ("", "m62"));
        assert_eq!((scene.tags[0], scene.tags[62], scene.tags[63]), (1, 63, 0));
        assert!(scene.notes[0].starts_with("of 70 materials, those after 'm62'"), "{:?}", scene.notes);
    }

    #[test]
    fn what_cannot_be_read_names_line_and_column() {
        for (text, expected) in [
            ("v 0 0\n", "scene: line 1, column 6, vertex 1: expected a number, found the end of the line"),
            ("v 0 0 x", "scene: line 1, column 7, vertex 1: expected a number, found 'x'"),
            (
                "v 0 0 0\nf 1 a 3",
                "scene: line 2, column 5, face 1: expected the number of a vertex, found 'a'",
            ),
            ("f 1.5 2 3", "scene: line 1, column 4, face 1: expected the number of a vertex, found '.5'"),
        ] {
            assert_eq!(read(text).unwrap_err(), expected);
        }
    }

    #[test]
    fn lines_that_matter_to_others_are_passed_over() {
        let text = format!(
            "\u{feff}# C:\\path\\\nmtllib x.mtl\n{CORNERS}vt 0 0\nvn 0 0 1\nvp 1\ns 1\nl 1 2\np 1\ncurv 0 1 \\\n 2 3\ng a\no b\n\
             f 1 2 3 # a face\nfoo\nf  1 3 4"
        );
        assert_eq!(area(&read(&text).unwrap()), 16.0);
    }
}

mod stl {
    use super::*;

    #[test]
    fn several_solids_and_odd_letters_are_read() {
        let facet =
            "FACET normal 0 0 1\nouter loop\nvertex 0 0 0 vertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
        let other = facet.replace("vertex 0 1", "vertex 0 -1");
        let scene = read(&format!("solid\n{facet}endsolid\nSolid b\n{other}endsolid b")).unwrap();
        assert_eq!((scene.mesh.triangles.len(), scene.mesh.vertices.len()), (2, 4));
    }

    #[test]
    fn text_that_ends_early_or_has_other_words_is_refused() {
        for (text, expected) in [
            (
                "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0",
                "line 4, column 13, face 0: expected 'endsolid'",
            ),
            ("solid a\nfacet\nouter ring", "line 3, column 11, face 0: expected 'loop'"),
            (
                "solid a\nfacet\nouter loop\nvertex 0 0\nendloop",
                "line 5, column 1, face 0: expected a number",
            ),
            ("solid a\nblob", "line 2, column 1, face 0: expected a facet, found 'blob'"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_binary_file_that_is_too_short_is_refused_and_one_that_is_too_long_noted() {
        let mesh = TriangleMesh {
            vertices: vec![dvec3(0., 0., 0.), dvec3(1., 0., 0.), dvec3(0., 1., 0.)],
            triangles: vec![[0, 1, 2]],
        };
        let mut bytes = writers::stl_binary(&mesh, b"x");
        let error = read_as("a.stl", &bytes[..bytes.len() - 1]).unwrap_err();
        assert!(error.contains("promises 1 triangles and has bytes for 0"), "{error}");
        bytes.extend(b"more");
        assert_eq!(
            read_as("a.stl", &bytes).unwrap().notes,
            ["4 bytes behind the last triangle were left out"]
        );
    }
}

mod ply {
    use super::*;

    const HEADER: &str =
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n";

    #[test]
    fn polygons_and_strips_are_split() {
        let corners = "0 0 0\n4 0 0\n4 4 0\n0 4 0\n";
        let faces = format!(
            "{HEADER}element face 1\nproperty list uchar int vertex_indices\nend_header\n{corners}4 0 1 2 3\n"
        );
        let strips = format!(
            "{HEADER}element tristrips 1\nproperty list int int vertex_indices\nend_header\n{corners}8 0 1 3 2 -1 0 1 2\n"
        );
        for (text, triangles) in [(faces, 2), (strips, 3)] {
            let scene = read(&text).unwrap();
            assert_eq!(scene.mesh.triangles.len(), triangles);
            assert!((0..triangles).all(|triangle| scene.mesh.normal(triangle).z > 0.0));
        }
    }

    #[test]
    fn headers_and_bodies_that_cannot_be_are_refused() {
        for (text, expected) in [
            ("ply\nformat ascii 1.0\nelement vertex 1\n".to_owned(), "the header has no end"),
            ("ply\nend_header\n".into(), "has no format"),
            (
                "ply\nformat ascii 1.0\nproperty float x\nend_header\n".into(),
                "line 3, column 1: a property of no element",
            ),
            (format!("{HEADER}property half w\nend_header\n"), "unknown type: 'property half w'"),
            (
                format!(
                    "{HEADER}element face 9999999999\nproperty list uchar int vertex_indices\nend_header\n"
                ),
                "element vertex: 4 are promised",
            ),
            (
                format!("{HEADER}property list float int a\nend_header\n"),
                "the length of a list is no whole number",
            ),
            (
                HEADER.replace("float z", "float w") + "end_header\n1 2 3\n1 2 3\n1 2 3\n1 2 3\n",
                "no property z",
            ),
            (
                format!("{HEADER}end_header\n1 2 3\n1 2 3\n1 2 3\n1 2 \n"),
                "vertex 3: expected a number, found the end of the file",
            ),
            (HEADER.replace('4', "18446744073709551615") + "end_header\n", "are promised"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn rows_without_properties_take_no_time() {
        let text = "ply\nformat binary_little_endian 1.0\nelement nothing 18446744073709551615\nend_header\n";
        assert!(read(text).unwrap().mesh.triangles.is_empty());
    }
}

mod off {
    use super::*;

    #[test]
    fn headers_with_and_without_a_word_are_read() {
        let body = "4 1 0\n0 0 0\n4 0 0 # corner\n\n4 4 0\n0 4 0\n4 0 1 2 3 255 0 0\n";
        for (name, header) in
            [("a", "OFF\n"), ("a", "OFF "), ("a", "# first\nNOFF\n"), ("a", "STCNOFF\n"), ("a.off", "")]
        {
            let scene = read_as(name, format!("{header}{body}").as_bytes()).unwrap();
            assert_eq!(area(&scene), 16.0, "{header}");
        }
    }

    #[test]
    fn what_is_not_read_is_said() {
        for (text, expected) in [
            ("OFF BINARY\n", "binary OFF is not read"),
            ("4OFF\n1 0 0\n", "another dimension"),
            ("OFF\n99999999 1 0\n0 0 0\n", "99999999 vertices and 1 faces are promised, 7 bytes follow"),
            (
                "OFF\n1 1 0\n0 0 zero\n 3 0 0 0\n",
                "line 3, column 5, vertex 0: expected a number, found 'zero'",
            ),
            ("OFF\n1 1 0\n0 0 0\n3 0 0\n", "face 0: expected a whole number, found the end of the file"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(read("OFF\n1 1 0\n0 0 0\n3 0 -1 7\n").unwrap().repair.count("out-of-range-face"), 1);
    }
}

mod gltf {
    use super::*;

    /// A triangle in the xz plane, facing up: (0,0,0), (0,0,1), (1,0,0), then its indices as bytes.
    fn bytes() -> Vec<u8> {
        let positions = [0f32, 0., 0., 0., 0., 1., 1., 0., 0.];
        positions.into_iter().flat_map(f32::to_le_bytes).chain([0, 1, 2, 0]).collect()
    }
    /// A file with the members given, over the bytes above.
    fn file(members: &str) -> Vec<u8> {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":40}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":4}}],{members}}}"#
        );
        writers::glb(&json, Some(&bytes()))
    }
    const ACCESSORS: &str = r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
        {"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}]"#;
    const MESH: &str = r#""meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]"#;

    fn read_file(members: &str) -> Result<Scene, String> {
        read_as("a.glb", &file(members))
    }

    #[test]
    fn nodes_place_turn_and_mirror_their_meshes() {
        // Twice the same mesh: moved by a parent, and mirrored.
        let scene = read_file(&format!(
            r#"{ACCESSORS},{MESH},"nodes":[{{"children":[1,2],"translation":[10,5,0]}},{{"mesh":0,"rotation":[0,1,0,0]}},
            {{"mesh":0,"matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}},{{"mesh":0}}],"scenes":[{{}},{{"nodes":[0]}}],"scene":1"#
        ))
        .unwrap();
        let turned = [dvec3(10., 0., 5.), dvec3(10., 1., 5.), dvec3(9., 0., 5.)];
        let mirrored = [dvec3(10., 0., 5.), dvec3(9., 0., 5.), dvec3(10., -1., 5.)];
        for (found, expected) in points(&scene).iter().zip([turned, mirrored]) {
            assert!((0..3).all(|k| (found[k] - expected[k]).length() < 1e-12), "{found:?}");
        }
        assert_eq!(scene.mesh.triangles.len(), 2);
        assert!((0..2).all(|triangle| scene.mesh.normal(triangle).z > 0.0));
    }

    #[test]
    fn scenes_and_nodes_may_be_missing() {
        for members in [
            "",
            r#","nodes":[{"mesh":0}]"#,
            r#","nodes":[{"children":[1]},{"mesh":0}],"scenes":[{"nodes":[0]}]"#,
        ] {
            assert_eq!(read_file(&format!("{ACCESSORS},{MESH}{members}")).unwrap().mesh.triangles.len(), 1);
        }
    }

    #[test]
    fn strips_fans_and_vertices_without_indices_are_triangles_and_lines_are_noted() {
        let positions: Vec<u8> = [(0, 0), (0, 1), (1, 0), (1, 1)]
            .iter()
            .flat_map(|&(x, z)| [x as f32, 0.0, z as f32])
            .flat_map(f32::to_le_bytes)
            .collect();
        for (mode, triangles) in [(4, 1), (5, 2), (6, 2), (1, 0), (0, 0)] {
            let json = format!(
                r#"{{"asset":{{"version":"2.1"}},"buffers":[{{"byteLength":48}}],"bufferViews":[{{"buffer":0,"byteLength":48}}],
                "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}}],
                "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"mode":{mode}}}]}}]}}"#
            );
            let scene = read_as("a", &writers::glb(&json, Some(&positions))).unwrap();
            assert_eq!(scene.mesh.triangles.len(), triangles, "mode {mode}");
            // In a strip both face up; this fan has its notch at the hub and turns over.
            let up = (0..triangles).filter(|&triangle| scene.mesh.normal(triangle).z > 0.0).count();
            assert_eq!(up, if mode == 6 { 1 } else { triangles }, "mode {mode}");
            assert_eq!(scene.notes.iter().any(|note| note.contains("points or lines")), mode < 4);
        }
    }

    #[test]
    fn material_names_are_tags() {
        let primitive =
            |material: &str| format!(r#"{{"primitives":[{{"attributes":{{"POSITION":0}}{material}}}]}}"#);
        let meshes =
            ["", r#","material":0"#, r#","material":1"#, r#","material":2"#].map(primitive).join(",");
        let nodes = [0, 1, 2, 3].map(|k| format!(r#"{{"mesh":{k},"translation":[0,{k},0]}}"#)).join(",");
        let scene = read_file(&format!(
            r#"{ACCESSORS},"materials":[{{"name":"grass\n"}},{{}},{{"name":"asphalt"}}],"meshes":[{meshes}],"nodes":[{nodes}]"#
        ))
        .unwrap();
        assert_eq!(
            (scene.tag_names, scene.tags),
            (["", "asphalt", "grass"].map(String::from).to_vec(), vec![0, 2, 0, 1])
        );
    }

    #[test]
    fn sparse_and_quantised_positions_are_read() {
        // Zeros but for two vertices, in bytes that mean fractions of 127.
        let binary = [1u8, 2, 0, 0, 0, 0, 127, 127, 0x80, 0];
        let json = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":10}],"extensionsRequired":["KHR_mesh_quantization"],
            "bufferViews":[{"buffer":0,"byteLength":10}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
            "accessors":[{"componentType":5120,"normalized":true,"count":3,"type":"VEC3","sparse":{"count":2,
            "indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0,"byteOffset":4}}}]}"#;
        let scene = read_as("a", &writers::glb(json, Some(&binary))).unwrap();
        assert_eq!(points(&scene), [[dvec3(0., 0., 0.), dvec3(0., -1., 0.), dvec3(1., 0., -1.)]]);
    }

    #[test]
    fn an_index_of_another_primitive_is_out_of_range() {
        let accessors = ACCESSORS.replace("5126,\"count\":3", "5126,\"count\":2");
        let scene = read_file(&format!(r#"{accessors},{MESH},"nodes":[{{"mesh":0}},{{"mesh":0}}]"#)).unwrap();
        assert_eq!(scene.repair.count("out-of-range-face"), 2);
    }

    #[test]
    fn what_is_not_read_or_cannot_be_is_refused() {
        for (members, expected) in [
            (
                format!(r#"{ACCESSORS},{MESH},"extensionsRequired":["KHR_draco_mesh_compression"]"#),
                "compressed; export it without",
            ),
            (format!(r#"{ACCESSORS},{MESH},"extensionsRequired":["EXT_meshopt_compression"]"#), "compressed"),
            (
                format!(r#"{ACCESSORS},{MESH},"extensionsRequired":["ACME_x"]"#),
                "requires ACME_x, which is not read",
            ),
            (
                format!(r#"{ACCESSORS},{MESH},"nodes":[{{"children":[0]}}],"scenes":[{{"nodes":[0]}}]"#),
                "node 0: is reached twice",
            ),
            (format!(r#"{ACCESSORS},{MESH},"nodes":[{{"children":[7]}}]"#), "node 7: there are 1 nodes"),
            (format!(r#"{ACCESSORS},{MESH},"nodes":[{{"mesh":3}}]"#), "mesh 3: is not in the file"),
            (format!(r#"{ACCESSORS},{MESH},"nodes":[{{}}],"scene":4"#), "scene 4: is not in the file"),
            (
                format!(
                    "{},{MESH}",
                    ACCESSORS.replace("\"count\":3,\"type\":\"VEC3\"", "\"count\":4,\"type\":\"VEC3\"")
                ),
                "accessor 0: buffer view 0 is too short",
            ),
            (
                format!(
                    "{},{MESH}",
                    ACCESSORS
                        .replace("\"bufferView\":0,", "\"count\":1000000000,")
                        .replace("\"count\":3,\"type\":\"VEC3\"", "\"type\":\"VEC3\"")
                ),
                "accessor 0: has 1000000000 elements in buffers of 40 bytes",
            ),
            (
                format!("{},{MESH}", ACCESSORS.replace("5121", "5126")),
                "accessor 1: indices are unsigned integers",
            ),
            (
                format!("{},{MESH}", ACCESSORS.replace("VEC3", "VEC2")),
                "accessor 0: is of type VEC2, not VEC3",
            ),
            (
                format!("{ACCESSORS},{}", MESH.replace("\"indices\":1", "\"mode\":9")),
                "mesh 0, primitive 0: mode 9",
            ),
        ] {
            let error = read_file(&members).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        let old = writers::glb(r#"{"asset":{"version":"1.0"}}"#, None);
        assert!(read_as("a", &old).unwrap_err().contains("glTF version '1.0'"));
        let mut old = file(ACCESSORS);
        old[4] = 1;
        assert!(read_as("a", &old).unwrap_err().contains("GLB version 1 is not read"));
        let options = SceneOptions { up: Some(Up::Z), ..SceneOptions::default() };
        let error =
            read_scene_bytes(&file(&format!("{ACCESSORS},{MESH}")), "a".as_ref(), &options).unwrap_err();
        assert!(error.to_string().contains("y up by its specification"));
    }

    #[test]
    fn instances_make_no_more_than_is_allowed() {
        let nodes = vec![r#"{"mesh":0}"#; 1000].join(",");
        let bytes = file(&format!(r#"{ACCESSORS},{MESH},"nodes":[{nodes}]"#));
        let read = |max_bytes| {
            let options = SceneOptions { max_bytes, ..SceneOptions::default() };
            read_scene_bytes(&bytes, "a".as_ref(), &options).map_err(|error| error.to_string())
        };
        assert_eq!(read(1000 * 84).unwrap().repair.count("duplicate-face"), 999);
        assert!(read(1000 * 84 - 1).unwrap_err().contains("too large"));
    }

    #[test]
    fn a_small_file_does_not_make_a_mesh_of_gigabytes() {
        // The same triangle 30,000 times in a primitive of 4,000 triangles that stands in as many nodes: 1.4 GB from 0.7 MB.
        let nodes = vec![r#"{"mesh":0}"#; 30_000].join(",");
        let indices = r#"{"bufferView":1,"componentType":5123,"count":12000,"type":"SCALAR"}"#;
        let accessors = format!(
            r#""accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},{indices}]"#
        );
        let views =
            r#""bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24000}]"#;
        let data =
            [[0u8; 36].to_vec(), [0u16, 1, 2].repeat(4000).iter().flat_map(|k| k.to_le_bytes()).collect()]
                .concat();
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},{accessors},{views},"buffers":[{{"byteLength":{}}}],{MESH},"nodes":[{nodes}]}}"#,
            data.len()
        );
        let error =
            read_scene_bytes(&writers::glb(&json, Some(&data)), "a".as_ref(), &SceneOptions::default())
                .unwrap_err();
        assert!(error.to_string().contains("too large for its size"), "{error}");
    }

    #[test]
    fn nodes_may_be_nested_deeply() {
        let mut nodes: String = (1..100_000).map(|child| format!(r#"{{"children":[{child}]}},"#)).collect();
        nodes += r#"{"mesh":0}"#;
        let scene = read_file(&format!(r#"{ACCESSORS},{MESH},"nodes":[{nodes}]"#)).unwrap();
        assert_eq!(scene.mesh.triangles.len(), 1);
    }

    #[test]
    fn buffers_beside_the_file_are_found_and_others_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        fs::write(folder.path().join("secret.bin"), bytes()).unwrap();
        fs::write(folder.path().join("in/my data.bin"), bytes()).unwrap();
        let path = folder.path().join("in/a.gltf");
        let json = |uri: &str, length: usize| {
            format!(
                r#"{{"buffers":[{{"uri":"{uri}","byteLength":{length}}}],"bufferViews":[{{"buffer":0,"byteLength":36}},
                {{"buffer":0,"byteOffset":36,"byteLength":4}}],{ACCESSORS},{MESH},"asset":{{"version":"2.0"}}}}"#
            )
        };
        let read = |uri: &str, length: usize| {
            fs::write(&path, json(uri, length)).unwrap();
            read_scene(&path, &SceneOptions::default()).map_err(|error| error.to_string())
        };
        assert_eq!(read("my%20data.bin", 40).unwrap().mesh.triangles.len(), 1);
        assert!(read("my data.bin", 41).unwrap_err().contains("buffer 0: promises 41 bytes and has 40"));
        assert!(read("../secret.bin", 40).unwrap_err().contains("is not a file beside the glTF file"));
        assert!(read("none.bin", 40).unwrap_err().contains("none.bin"));
        let error = read_as("a.gltf", json("my data.bin", 40).as_bytes()).unwrap_err();
        assert!(error.contains("read the glTF file by its path"), "{error}");
    }
}
