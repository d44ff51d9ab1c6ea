//! Pictures and exports, read back by other means than those that wrote them.

use serde_json::Value;
use wayfare_core::{DVec3, Id as _, dvec3};
use wayfare_floor::{EdgeKind, FloorPlan, Layer, PlanVertexId, Region, Ring};
use wayfare_navmesh::{NO_CELL, NavMesh, RawNavMesh};
use wayfare_view::{COLOURS, DrawConfig, Marks, Theme, colour_cells, draw_mesh, draw_plan, export};

/// A chessboard of `columns` × `rows` squares with side `side`, every square a cell, without the squares in
/// `holes`; imported, because its inner vertices would not be allowed otherwise.
fn board(columns: usize, rows: usize, side: f64, holes: &[[usize; 2]], at: DVec3) -> NavMesh {
    let is_cell = |x: isize, y: isize| {
        let inside = (0..columns as isize).contains(&x) && (0..rows as isize).contains(&y);
        inside && !holes.contains(&[x as usize, y as usize])
    };
    let mut raw = RawNavMesh { tag_names: vec![String::new()], imported: true, ..RawNavMesh::default() };
    let mut vertex_of = vec![u32::MAX; (columns + 1) * (rows + 1)];
    let mut cell_of = vec![NO_CELL; columns * rows];
    let mut squares = Vec::new();
    for y in 0..rows {
        for x in 0..columns {
            if is_cell(x as isize, y as isize) {
                cell_of[y * columns + x] = squares.len() as u32;
                squares.push([x, y]);
            }
        }
    }
    raw.cell_starts.push(0);
    for &[x, y] in &squares {
        for [cx, cy] in [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]] {
            let vertex = &mut vertex_of[cy * (columns + 1) + cx];
            if *vertex == u32::MAX {
                *vertex = raw.vertices.len() as u32;
                raw.vertices.push(at + dvec3(cx as f64, cy as f64, 0.0) * side);
            }
            raw.corners.push(*vertex);
        }
        for [dx, dy] in [[0, -1], [1, 0], [0, 1], [-1, 0]] {
            let (nx, ny) = (x as isize + dx, y as isize + dy);
            raw.neighbours.push(if is_cell(nx, ny) {
                cell_of[ny as usize * columns + nx as usize]
            } else {
                NO_CELL
            });
        }
        raw.cell_starts.push(raw.corners.len() as u32);
    }
    raw.vertex_flags = vec![0; raw.vertices.len()];
    raw.tags = vec![0; squares.len()];
    raw.storeys = vec![0; squares.len()];
    raw.validate().expect("a board is a valid mesh")
}

fn well_formed(svg: &str) -> roxmltree::Document<'_> {
    roxmltree::Document::parse(svg).expect("the picture is well-formed XML")
}

#[test]
fn neighbours_have_different_colours_and_all_colours_are_used() {
    let mesh = board(20, 20, 1.0, &[[3, 3], [7, 9]], DVec3::ZERO);
    let colours = colour_cells(&mesh);
    for cell in mesh.cells() {
        for other in mesh.corners(cell).filter_map(|corner| mesh.neighbour(corner)) {
            assert_ne!(colours[cell.index()], colours[other.index()], "cells {cell} and {other}");
        }
    }
    for colour in 0..COLOURS as u8 {
        assert!(colours.contains(&colour), "colour {colour} is never used");
    }
}

#[test]
fn a_picture_is_well_formed_and_shows_each_cell_the_hole_and_the_path() {
    let mesh = board(4, 3, 2.0, &[[1, 1]], dvec3(100.0, -50.0, 0.0));
    let marks =
        Marks::path(vec![dvec3(101.0, -49.0, 0.0), dvec3(102.0, -46.0, 0.0), dvec3(107.0, -45.0, 0.0)]);
    let config = DrawConfig { caption: Some("<\"hall\" & co>".into()), ..DrawConfig::default() };
    let svg = draw_mesh(&mesh, &marks, &config).unwrap();
    let document = well_formed(&svg);
    let of_class =
        |class: &str| document.descendants().filter(|node| node.attribute("class") == Some(class)).count();
    let cells: usize = (0..COLOURS).map(|k| of_class(&format!("c{k}"))).sum();
    assert_eq!((cells, of_class("obstacle"), of_class("path")), (11, 1, 1));
    assert_eq!((of_class("start"), of_class("goal"), of_class("bar")), (1, 1, 1));
    assert!(document.descendants().any(|node| node.text() == Some("<\"hall\" & co>")));

    let bare = DrawConfig {
        cells: false,
        portals: false,
        obstacles: false,
        notches: false,
        scale_bar: false,
        theme: Theme::Dark,
        ..DrawConfig::default()
    };
    let svg = draw_mesh(&mesh, &Marks::default(), &bare).unwrap();
    let document = well_formed(&svg);
    for class in ["c0", "portal", "obstacle", "bar", "path"] {
        assert!(!document.descendants().any(|node| node.attribute("class") == Some(class)), "{class}");
    }
}

#[test]
fn large_meshes_stay_small_pictures_with_one_path_per_colour() {
    let mesh = board(150, 150, 1.0, &[], DVec3::ZERO);
    let svg = draw_mesh(&mesh, &Marks::default(), &DrawConfig::default()).unwrap();
    let document = well_formed(&svg);
    let paths = document.descendants().filter(|node| node.has_tag_name("path")).count();
    assert!(paths < 12, "{paths} paths");
    assert!(svg.len() < 80 * mesh.cell_count(), "{} bytes for {} cells", svg.len(), mesh.cell_count());
}

#[test]
fn a_width_that_is_no_size_of_a_picture_is_refused() {
    let mesh = board(1, 1, 1.0, &[], DVec3::ZERO);
    for width in [0.0, -5.0, f64::NAN, f64::INFINITY, 1e9] {
        let config = DrawConfig { width, ..DrawConfig::default() };
        assert!(draw_mesh(&mesh, &Marks::default(), &config).is_err(), "{width}");
    }
}

#[test]
fn json_holds_every_number_exactly() {
    let at = dvec3(0.1 + 0.2, 1.0 / 3.0, -2.5e-7);
    let mesh = board(3, 3, 1.0 / 7.0, &[[1, 1]], at);
    let json: Value = serde_json::from_str(&export::mesh_to_json(&mesh)).expect("valid JSON");
    let keys = [
        "kind",
        "version",
        "units",
        "up",
        "convex_distance",
        "imported",
        "vertices",
        "split_points",
        "cells",
        "portals",
        "components",
        "storeys",
        "tags",
        "tag_names",
        "heights",
        "notches",
        "ground_points",
        "ground_triangles",
        "ground",
        "heights_error",
        "drops",
    ];
    for key in keys {
        assert!(!json[key].is_null(), "{key} is missing");
    }
    for (k, p) in mesh.raw().vertices.iter().enumerate() {
        for axis in 0..3 {
            assert_eq!(json["vertices"][k][axis].as_f64().map(f64::to_bits), Some(p[axis].to_bits()));
        }
    }
    assert_eq!(json["cells"].as_array().map(Vec::len), Some(8));
    assert_eq!(json["portals"].as_array().map(Vec::len), Some(mesh.portals().len()));
    for portal in json["portals"].as_array().into_iter().flatten() {
        for cell in portal["cells"].as_array().into_iter().flatten() {
            let corners = json["cells"][cell.as_u64().unwrap() as usize].as_array().unwrap();
            assert!(portal["vertices"].as_array().unwrap().iter().all(|vertex| corners.contains(vertex)));
        }
    }
    for triangles in json["heights"].as_array().into_iter().flatten() {
        assert_eq!(triangles.as_array().map(Vec::len), Some(2));
    }
}

#[test]
fn obj_has_one_face_per_cell_and_one_line_per_portal() {
    let mesh = board(3, 2, 1.0, &[], DVec3::ZERO);
    let obj = export::mesh_to_obj(&mesh);
    let count = |start: &str| obj.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((count("v "), count("f "), count("l ")), (12, 6, 7));
    assert!(obj.contains("f 1 2 3 4\n"));
}

/// A second reader of binary glTF: chunks, then the bytes of an accessor.
struct Glb {
    json: Value,
    bytes: Vec<u8>,
}

impl Glb {
    fn read(file: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(&file[..4], b"glTF");
        assert_eq!((word(4), word(8)), (2, file.len()));
        assert_eq!(&file[16..20], b"JSON");
        let json = &file[20..20 + word(12)];
        let next = 20 + word(12);
        assert_eq!((next % 4, &file[next + 4..next + 8]), (0, b"BIN\0".as_slice()));
        assert_eq!(next + 8 + word(next), file.len());
        Self { json: serde_json::from_slice(json).unwrap(), bytes: file[next + 8..].to_vec() }
    }
    fn floats(&self, accessor: &Value) -> Vec<f32> {
        self.words(accessor).into_iter().map(f32::from_bits).collect()
    }
    fn words(&self, accessor: &Value) -> Vec<u32> {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let (from, length) = (view["byteOffset"].as_u64().unwrap(), view["byteLength"].as_u64().unwrap());
        let bytes = &self.bytes[from as usize..(from + length) as usize];
        let words: Vec<u32> =
            bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
        let per_item = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            other => panic!("unexpected type {other}"),
        };
        assert_eq!(words.len(), per_item * accessor["count"].as_u64().unwrap() as usize);
        words
    }
}

#[test]
fn glb_is_y_up_keeps_the_area_and_survives_places_far_away() {
    let mesh = board(5, 4, 0.5, &[[2, 2]], dvec3(1_000_000.0, -2_000_000.0, 7.25));
    let glb = Glb::read(&export::mesh_to_glb(&mesh));
    assert_eq!(glb.json["asset"]["version"], "2.0");
    let node = &glb.json["nodes"][0];
    let shift: Vec<f64> =
        node["translation"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let primitive = &glb.json["meshes"][0]["primitives"][0];
    let positions = glb.floats(&primitive["attributes"]["POSITION"]);
    let indices = glb.words(&primitive["indices"]);
    let points: Vec<DVec3> = positions
        .chunks_exact(3)
        .map(|p| dvec3(f64::from(p[0]) + shift[0], f64::from(p[1]) + shift[1], f64::from(p[2]) + shift[2]))
        .collect();
    // Back to z up: (x, −z, y); nothing moved by more than a tenth of a millimetre.
    let mut area = 0.0;
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| {
            let p = points[triangle[k] as usize];
            dvec3(p.x, -p.z, p.y)
        });
        for p in [a, b, c] {
            assert!(mesh.raw().vertices.iter().any(|q| q.distance(p) < 1e-4), "{p}");
        }
        let twice = (b - a).cross(c - a).z;
        assert!(twice > 0.0, "triangles face up");
        area += twice / 2.0;
    }
    assert!((area - mesh.area()).abs() < 1e-6, "{area}");
    let lines = glb.words(&glb.json["meshes"][1]["primitives"][0]["indices"]);
    assert_eq!(lines.len(), 2 * mesh.portals().len());
    // The stated box is the true one.
    let accessor = &glb.json["accessors"][primitive["attributes"]["POSITION"].as_u64().unwrap() as usize];
    for axis in 0..3 {
        let values = positions.iter().skip(axis).step_by(3).copied();
        assert_eq!(accessor["min"][axis].as_f64().map(|x| x as f32), values.clone().reduce(f32::min));
        assert_eq!(accessor["max"][axis].as_f64().map(|x| x as f32), values.reduce(f32::max));
    }
}

fn square_plan() -> FloorPlan {
    let ring = |first: u32| Ring {
        vertices: (first..first + 4).map(PlanVertexId).collect(),
        kinds: vec![EdgeKind::Wall; 4],
    };
    let points = [(0., 0.), (4., 0.), (4., 4.), (0., 4.), (1., 1.), (1., 2.), (2., 2.), (2., 1.)];
    FloorPlan {
        vertices: points.into_iter().map(|(x, y)| dvec3(x, y, 0.0)).collect(),
        layers: vec![Layer {
            regions: vec![Region { outer: ring(0), holes: vec![ring(4)], ..Region::default() }],
        }],
        tag_names: vec![String::new()],
        ..FloorPlan::default()
    }
}

#[test]
fn a_floor_plan_is_drawn_and_exported() {
    let plan = square_plan();
    let svg = draw_plan(&plan, &Marks::default(), &DrawConfig::default()).unwrap();
    well_formed(&svg);
    let json: Value = serde_json::from_str(&export::plan_to_json(&plan)).unwrap();
    assert_eq!(json["layers"][0]["regions"][0]["holes"][0]["vertices"], serde_json::json!([4, 5, 6, 7]));
    assert_eq!(
        export::plan_to_wkt(&plan),
        "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0),\n  (1 1, 1 2, 2 2, 2 1, 1 1))\n"
    );
    // A plan without ground is still a picture.
    well_formed(&draw_plan(&FloorPlan::default(), &Marks::default(), &DrawConfig::default()).unwrap());
}

#[test]
fn ignored_notches_are_marked_and_exported_and_their_cells_keep_their_area() {
    let points = [(0., 0.), (2., 0.05), (4., 0.), (4., 3.), (0., 3.)].map(|(x, y)| dvec3(x, y, 0.0));
    let mut raw = RawNavMesh::from_polygons(&points, &[vec![0, 1, 2, 3, 4]]).expect("one cell");
    raw.convex_distance = 0.1;
    let mesh = raw.validate().expect("the notch is shallower than the relaxation");
    let svg = draw_mesh(&mesh, &Marks::default(), &DrawConfig::default()).unwrap();
    let marks =
        well_formed(&svg).descendants().filter(|node| node.attribute("class") == Some("notch")).count();
    assert_eq!(marks, 1);
    let json: Value = serde_json::from_str(&export::mesh_to_json(&mesh)).unwrap();
    assert_eq!((&json["notches"], &json["convex_distance"]), (&serde_json::json!([[1]]), &0.1.into()));
    let area: f64 = json["heights"][0]
        .as_array()
        .expect("triangles")
        .iter()
        .map(|triangle| {
            let [a, b, c] = [0, 1, 2].map(|k| points[triangle[k].as_u64().unwrap() as usize]);
            (b - a).cross(c - a).z / 2.0
        })
        .sum();
    assert!((area - mesh.area()).abs() < 1e-12);
}

/// Two cells of 2 × 1 m on a roof whose ridge crosses both, with a drop at the left.
fn roof() -> NavMesh {
    let points = [(0., 0.), (2., 0.), (2., 1.), (0., 1.), (2., 2.), (0., 2.)].map(|(x, y)| dvec3(x, y, 0.0));
    let mut raw = RawNavMesh::from_polygons(&points, &[[0, 1, 2, 3], [3, 2, 4, 5]]).expect("two cells");
    raw.ground_points = [(0., 0., 0.), (1., 0., 1.), (2., 0., 0.), (2., 2., 0.), (1., 2., 1.), (0., 2., 0.)]
        .map(|(x, y, z)| dvec3(x, y, z))
        .to_vec();
    raw.ground_triangles = vec![[0, 1, 4], [0, 4, 5], [1, 2, 3], [1, 3, 4]];
    raw.ground_starts = vec![0, 4, 8];
    raw.ground_lists = vec![0, 1, 2, 3, 0, 1, 2, 3];
    raw.drop_depths = vec![0.0, 0.0, 0.0, 2.5, 0.0, 0.0, 0.0, f32::INFINITY];
    raw.heights_error = 0.03;
    let mesh = raw.validate().expect("a roof is a valid mesh");
    assert_eq!(mesh.check(), []);
    mesh
}

#[test]
fn bent_ground_is_exported_in_pieces_that_share_points() {
    let mesh = roof();
    let surface = 4.0 * 2f64.sqrt();
    let area = |points: &[DVec3]| {
        let arm = |k: usize| points[k] - points[0];
        (2..points.len()).map(|k| arm(k - 1).cross(arm(k)).length() / 2.0).sum::<f64>()
    };
    let obj = export::mesh_to_obj(&mesh);
    let numbers =
        |line: &str| line.split(' ').skip(1).map(|word| word.parse::<f64>().unwrap()).collect::<Vec<_>>();
    let of =
        |start: &str| obj.lines().filter(|line| line.starts_with(start)).map(numbers).collect::<Vec<_>>();
    let points: Vec<DVec3> = of("v ").iter().map(|p| dvec3(p[0], p[1], p[2])).collect();
    let faces: Vec<Vec<DVec3>> =
        of("f ").iter().map(|face| face.iter().map(|k| points[*k as usize - 1]).collect()).collect();
    assert!((faces.iter().map(|face| area(face)).sum::<f64>() - surface).abs() < 1e-9);
    // The six vertices; six corners of the roof, and five points on the portal: its ends and three creases.
    assert_eq!(points.len(), 6 + 6 + 5);

    let glb = Glb::read(&export::mesh_to_glb(&mesh));
    let primitive = &glb.json["meshes"][0]["primitives"][0];
    let positions = glb.floats(&primitive["attributes"]["POSITION"]);
    let place = |k: u32| {
        let at = k as usize * 3;
        dvec3(positions[at].into(), positions[at + 1].into(), positions[at + 2].into())
    };
    let indices = glb.words(&primitive["indices"]);
    let glb_area: f64 = indices.chunks_exact(3).map(|t| area(&[place(t[0]), place(t[1]), place(t[2])])).sum();
    assert!((glb_area - surface).abs() < 1e-5, "{glb_area}");

    let json: Value = serde_json::from_str(&export::mesh_to_json(&mesh)).unwrap();
    assert_eq!(json["ground"], serde_json::json!([[0, 1, 2, 3], [0, 1, 2, 3]]));
    assert_eq!(json["heights"], serde_json::json!([[], []]));
    assert_eq!(json["ground_triangles"].as_array().map(Vec::len), Some(4));
    assert_eq!((&json["ground_points"][1][2], &json["heights_error"]), (&1.into(), &0.03.into()));
    assert_eq!(
        json["drops"],
        serde_json::json!([
            {"cell": 0, "edge": 3, "depth": 2.5}, {"cell": 1, "edge": 3, "depth": null}
        ])
    );
}

/// A hall with a gallery over a part of it, and a ramp that joins them: storeys 0 and 1, one seam, drops at the gallery.
fn gallery() -> NavMesh {
    let points = [
        // hall: two cells
        (0., 0., 0.),
        (6., 0., 0.),
        (6., 4., 0.),
        (0., 4., 0.),
        (3., 0., 0.),
        (3., 4., 0.),
        // ramp and landing
        (9., 0., 1.5),
        (9., 4., 1.5),
        (11., 0., 1.5),
        (11., 4., 1.5),
        // upper ramp
        (11., 6., 3.),
        (9., 6., 3.),
        // gallery
        (1., 6., 3.),
        (1., 2., 3.),
        (5., 2., 3.),
    ]
    .map(|(x, y, z)| dvec3(x, y, z));
    let cells = [
        vec![0, 4, 5, 3],
        vec![4, 1, 2, 5],
        vec![1, 6, 7, 2],
        vec![6, 8, 9, 7],
        vec![7, 9, 10, 11],
        vec![7, 11, 12, 13, 14],
    ];
    let mut raw = RawNavMesh::from_polygons(&points, &cells).expect("six cells");
    raw.storeys = vec![0, 0, 0, 0, 1, 1];
    raw.drop_depths = vec![0.0; raw.corners.len()];
    let gallery = raw.cell_starts[5] as usize;
    for (k, depth) in [(2, f32::INFINITY), (3, 3.0), (4, 3.0)] {
        raw.drop_depths[gallery + k] = depth;
    }
    raw.validate().unwrap_or_else(|defects| panic!("{defects:?}"))
}

#[test]
fn storeys_are_painted_from_below_and_drops_are_no_walls() {
    let mesh = gallery();
    let svg = draw_mesh(&mesh, &Marks::default(), &DrawConfig::default()).unwrap();
    let document = well_formed(&svg);
    let groups: Vec<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    assert_eq!(groups, ["storey0", "storey1"]);
    let of_class =
        |class: &str| document.descendants().filter(|n| n.attribute("class") == Some(class)).count();
    assert_eq!((of_class("wall"), of_class("drop"), of_class("seam")), (2, 1, 2));
    assert_eq!((0..COLOURS).map(|k| of_class(&format!("c{k}"))).sum::<usize>(), 6);

    let alone = DrawConfig { storey: Some(1), ..DrawConfig::default() };
    let svg = draw_mesh(&mesh, &Marks::default(), &alone).unwrap();
    let document = well_formed(&svg);
    assert!(svg.contains("navigation mesh with 2 cells") && svg.contains(", storey 1"));
    assert!(document.descendants().all(|node| node.attribute("id").is_none()));
    // Of a path that climbs to the gallery each storey has its own end.
    let turns = [(1., 1., 0.), (6., 2., 0.), (9., 2., 1.5), (10., 4., 1.5), (10., 5., 2.25)];
    let marks = Marks::path(turns.map(|(x, y, z)| dvec3(x, y, z)).to_vec());
    for (storey, end, other) in [(0, "start", "goal"), (1, "goal", "start")] {
        let config = DrawConfig { storey: Some(storey), ..DrawConfig::default() };
        let svg = draw_mesh(&mesh, &marks, &config).unwrap();
        assert!(svg.contains(&format!("class=\"{end}\"")) && !svg.contains(&format!("class=\"{other}\"")));
        assert!(svg.contains("class=\"path\"") && !svg.contains("2 5"));
    }
    let missing = DrawConfig { storey: Some(7), ..DrawConfig::default() };
    let error = draw_mesh(&mesh, &Marks::default(), &missing).unwrap_err();
    assert_eq!(error.to_string(), "there is no storey 7; there are: 0, 1");
}

#[test]
fn a_plan_shows_its_kinds_of_edges_and_single_layers() {
    let mut plan = square_plan();
    let kinds = &mut plan.layers[0].regions[0].outer.kinds;
    kinds[1] = EdgeKind::Drop { depth: 2.0 };
    kinds[2] = EdgeKind::seam(1);
    kinds[3] = EdgeKind::TagBorder;
    let draw = |storey| draw_plan(&plan, &Marks::default(), &DrawConfig { storey, ..DrawConfig::default() });
    let svg = draw(None).unwrap();
    let document = well_formed(&svg);
    for class in ["wall", "drop", "seam", "border"] {
        assert!(document.descendants().any(|node| node.attribute("class") == Some(class)), "{class}");
    }
    assert_eq!(draw(Some(0)).unwrap(), svg);
    assert_eq!(draw(Some(1)).unwrap_err().to_string(), "there is no layer 1; there are: 0");
}
