//! Every format with good, odd and hostile input.

use flate2::{Compression, write::GzEncoder};
use std::{fs, io::Write as _, path::Path};
use wayfare_core::{DVec2, dvec2};
use wayfare_geom::Polygon;
use wayfare_scene::{PlanOptions, PlanSource, ReadError, read_plan, read_plan_bytes};

fn read_as(name: &str, bytes: &[u8]) -> Result<PlanSource, String> {
    read_plan_bytes(bytes, name.as_ref(), &PlanOptions::default()).map_err(|error| error.to_string())
}
fn read(bytes: &str) -> Result<PlanSource, String> {
    read_as("plan", bytes.as_bytes())
}
fn square(x: f64, y: f64, side: f64) -> Vec<DVec2> {
    vec![dvec2(x, y), dvec2(x + side, y), dvec2(x + side, y + side), dvec2(x, y + side)]
}
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
fn area(source: &PlanSource) -> f64 {
    source.polygons.iter().map(Polygon::area).sum()
}

mod wkt {
    use super::*;

    #[test]
    fn polygons_multipolygons_and_nested_collections_are_read() {
        let unit = [Polygon::new(square(0., 0., 1.))];
        for text in [
            "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))",
            "polygon((0 0,1 0,1 1,0 1,0 0))",
            "  SRID=25832;Polygon ( ( 0. 0e0 , +1 0 , 1.0E0 1 , 0 10e-1 , 0 0 ) ) ;\n",
            "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)))",
            "MULTIPOLYGON (EMPTY, ((0 0, 1 0, 1 1, 0 1, 0 0)))",
            "GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0)))",
            "GEOMETRYCOLLECTION (POLYGON EMPTY, GEOMETRYCOLLECTION (GEOMETRYCOLLECTION EMPTY, \
             MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)))), MULTIPOLYGON EMPTY)",
            "\u{feff}POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))",
        ] {
            assert_eq!(read(text).map(|plan| plan.polygons).as_deref(), Ok(&unit[..]), "{text}");
        }
        let two = read("POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))\nPOLYGON ((5 0, 6 0, 6 1, 5 1, 5 0))\n").unwrap();
        assert_eq!(two.polygons.len(), 2);
        let holes =
            read("POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1), (3 3, 4 3, 3 4, 3 3))");
        assert_eq!(holes.unwrap().polygons[0].holes.len(), 2);
    }

    #[test]
    fn heights_and_measures_are_left_out_with_a_note() {
        for text in [
            "POLYGON Z ((0 0 7, 1 0 7, 1 1 8, 0 1 8, 0 0 7))",
            "POLYGONZM ((0 0 7 1, 1 0 7 1, 1 1 8 1, 0 1 8 1, 0 0 7 1))",
            "POLYGON M((0 0 7, 1 0 7, 1 1 8, 0 1 8, 0 0 7))",
            "polygon ((0 0 7, 1 0 7, 1 1 8, 0 1 8, 0 0 7))",
        ] {
            let plan = read(text).unwrap();
            assert_eq!((area(&plan), plan.notes.len()), (1.0, 1), "{text}");
        }
    }

    #[test]
    fn empty_geometries_are_plans_without_polygons() {
        for text in ["POLYGON EMPTY", "MULTIPOLYGON Z EMPTY", "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION EMPTY)"]
        {
            assert_eq!(read(text), Ok(PlanSource::default()), "{text}");
        }
    }

    #[test]
    fn an_unclosed_ring_is_closed_and_reported() {
        let plan = read("POLYGON ((0 0, 1 0, 1 1, 0 1))").unwrap();
        assert_eq!((area(&plan), plan.repair.count("unclosed-ring")), (1.0, 1));
    }

    #[test]
    fn errors_name_the_place_and_the_element() {
        for (text, error) in [
            ("MULTIPOINT ((0 0))", "plan: line 1, column 1: MULTIPOINT has no area that can be walked on"),
            (
                "GEOMETRYCOLLECTION (POLYGON EMPTY,\n LINESTRING (0 0, 1 1))",
                "plan: line 2, column 2: LINESTRING has no area",
            ),
            (
                "POLYGON ((0 0, 1 0, 1 x, 0 0))",
                "line 1, column 23, polygon 0, ring 0: expected a number, found 'x,'",
            ),
            (
                "POLYGON ((0 0, 1 0, 1 nan, 0 0))",
                "polygon 0, ring 0, vertex 2: coordinate (1, NaN) is not a finite",
            ),
            ("POLYGON ((0 0, 1 0, -inf 1, 0 0))", "polygon 0, ring 0, vertex 2: coordinate (-inf, 1) is not"),
            ("POLYGON ((0 0, 1e999 0, 1 1, 0 0))", "polygon 0, ring 0, vertex 1: coordinate (inf, 0) is not"),
            ("POLYGON ((0 0, 1 0, 1 1, 0 0), (0 1e8, 1 1, 2 2, 0 1e8))", "polygon 0, ring 1, vertex 0"),
            ("POLYGON ((0 0, 1 0, 1 1, 0 0)", "expected ')', found the end of the file"),
            ("POLYGON (0 0, 1 0)", "column 10, polygon 0, ring 0: expected '(', found '0'"),
            ("POLYGON ((0 0 0 0 0, 1 0, 1 1))", "expected ')', found '0,'"),
            ("POLYGON", "expected '(', found the end of the file"),
            ("POLYGONE ((0 0))", "POLYGONE is unknown"),
            (
                "SRID=4326;POLYGON ((0 0, 1 0, 1 1, 0 0))",
                "the coordinates are in degrees (SRID 4326); project",
            ),
            ("POLYGON EMPTY)", "expected POLYGON"),
        ] {
            let found = read(text).unwrap_err();
            assert!(found.contains(error), "{text}: {found}");
            assert!(!found.contains('\n'));
        }
    }

    #[test]
    fn a_hundred_thousand_nested_collections_do_not_overflow_the_stack() {
        let deep = 100_000;
        let text = format!("{}POLYGON EMPTY{}", "GEOMETRYCOLLECTION(".repeat(deep), ")".repeat(deep));
        assert_eq!(read(&text), Ok(PlanSource::default()));
        assert!(read(&"GEOMETRYCOLLECTION(".repeat(deep)).is_err());
        assert!(read(&format!("POLYGON{}", "(".repeat(deep))).is_err());
    }

    #[test]
    fn the_scale_applies_before_the_limit() {
        let options = PlanOptions { scale: 0.001, ..PlanOptions::default() };
        let text = b"POLYGON ((0 0, 20000000 0, 20000000 1000, 0 1000, 0 0))";
        let plan = read_plan_bytes(text, "x.wkt".as_ref(), &options).unwrap();
        assert_eq!(area(&plan), 20000.0);
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let options = PlanOptions { scale, ..PlanOptions::default() };
            let error = read_plan_bytes(text, "x.wkt".as_ref(), &options).unwrap_err().to_string();
            assert!(error.contains("scale = "), "{error}");
        }
    }
}

mod geojson {
    use super::*;

    const UNIT: &str = "[[[0,0],[1,0],[1,1],[0,1],[0,0]]]";

    #[test]
    fn geometries_features_and_collections_are_read() {
        let polygon = format!(r#"{{"type":"Polygon","coordinates":{UNIT}}}"#);
        for text in [
            polygon.clone(),
            format!(r#" {{ "coordinates" : {UNIT} , "bbox":[0,0,1,1], "type" : "Polygon" }} "#),
            format!(r#"{{"type":"MultiPolygon","coordinates":[{UNIT},[]]}}"#),
            format!(r#"{{"type":"GeometryCollection","geometries":[{polygon}]}}"#),
            format!(r#"{{"type":"Feature","properties":{{"a":[1,{{"b":"}}]"}}]}},"geometry":{polygon}}}"#),
            format!(
                r#"{{"type":"FeatureCollection","features":[{{"type":"Feature","geometry":null,"properties":null}},
                   {{"type":"Feature","geometry":{polygon},"properties":{{"name":"caf\u00e9 \"x\""}}}}]}}"#
            ),
            format!(
                r#"{{"crs":{{"type":"name","properties":{{"name":"urn:ogc:def:crs:EPSG::25832"}}}},
                   "type":"Polygon","coordinates":{UNIT}}}"#
            ),
        ] {
            let plan = read(&text).unwrap();
            assert_eq!(plan.polygons, [Polygon::new(square(0., 0., 1.))], "{text}");
        }
    }

    #[test]
    fn heights_are_left_out_with_a_note() {
        let plan =
            read(r#"{"type":"Polygon","coordinates":[[[0,0,5],[1,0,5],[1,1,5],[0,1,5],[0,0,5]]]}"#).unwrap();
        assert_eq!((area(&plan), plan.notes.len()), (1.0, 1));
    }

    #[test]
    fn degrees_are_refused_with_advice_unless_called_planar() {
        let by_crs = |name: &str| {
            format!(
                r#"{{"type":"Polygon","crs":{{"type":"name","properties":{{"name":"{name}"}}}},
                   "coordinates":[[[0,0],[100,0],[100,50],[0,0]]]}}"#
            )
        };
        let tiny =
            r#"{"type":"Polygon","coordinates":[[[8.68,50.11],[8.69,50.11],[8.69,50.12],[8.68,50.11]]]}"#;
        for text in [
            by_crs("urn:ogc:def:crs:OGC:1.3:CRS84"),
            by_crs("EPSG:4326"),
            by_crs("urn:x-ogc:def:crs:EPSG:4258"),
            tiny.into(),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains("degrees") && error.contains("--planar"), "{error}");
            let planar = PlanOptions { planar: true, ..PlanOptions::default() };
            assert!(read_plan_bytes(text.as_bytes(), Path::new("x"), &planar).is_ok());
        }
        assert!(read(&by_crs("EPSG:25832")).is_ok());
        assert!(read(&by_crs("EPSG:3857")).is_ok());
        // A plan in millimetres of a metre is no longer tiny when scaled.
        let scaled = PlanOptions { scale: 1000.0, ..PlanOptions::default() };
        assert!(read_plan_bytes(tiny.as_bytes(), Path::new("x"), &scaled).is_ok());
        // Ten metres near the origin are possible degrees, too, but more likely a room.
        assert!(read(r#"{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,8],[0,0]]]}"#).is_ok());
    }

    #[test]
    fn errors_name_the_place_and_the_element() {
        for (text, error) in [
            ("{", "expected '\"', found the end of the file"),
            ("{}", "the object has no type"),
            (r#"{"type":"Polygon"}"#, "the Polygon has no coordinates"),
            (r#"{"type":"Point","coordinates":[0,0]}"#, "Point has no area"),
            (r#"{"type":"Castle","coordinates":[0,0]}"#, "type 'Castle' is unknown"),
            (r#"{"type":"Polygon","coordinates":[[[0,0],[1,"x"]]]}"#, "polygon 0, ring 0: expected a number"),
            (
                r#"{"type":"Polygon","coordinates":[[[0,0],[1,NaN]]]}"#,
                "polygon 0, ring 0, vertex 1: coordinate (1, NaN)",
            ),
            (r#"{"type":"Polygon","coordinates":[[[0,0],[1e8,0]]]}"#, "polygon 0, ring 0, vertex 1"),
            (r#"{"type":"Polygon","coordinates":[[0,0],[1,0]]}"#, "expected '['"),
            (r#"{"type":"Polygon","coordinates":[[[0]]]}"#, "expected ','"),
            (r#"{"type":"Polygon","coordinates":[]} 7"#, "expected the end of the file, found '7'"),
            (r#"{"type":"Polygon","coordinates":[}"#, "expected a value"),
            (r#"{"type":"Feature","properties":{}}"#, "the Feature has no geometry"),
            ("[1, 2]", "a JSON array is no GeoJSON object"),
            (r#"{"type":"Poly"#, "a string has no end"),
        ] {
            let found = read(text).unwrap_err();
            assert!(found.contains(error), "{text}: {found}");
            assert!(!found.contains('\n'));
        }
        let lines = "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\",\"geometry\":\n{\"type\":\"LineString\",\"coordinates\":[]}}]}";
        assert!(read(lines).unwrap_err().contains("line 3, column 1, feature 0: LineString has no area"));
    }

    #[test]
    fn deep_nesting_is_refused_or_passed_over() {
        let deep = 100_000;
        let objects = r#"{"type":"GeometryCollection","geometries":["#.repeat(deep);
        assert!(read(&objects).is_err());
        let closed = format!("{objects}{}", "]}".repeat(deep));
        assert!(read(&closed).unwrap_err().contains("nested more than"));
        let junk = format!(
            r#"{{"junk":{}{},"type":"Polygon","coordinates":[]}}"#,
            "[".repeat(deep),
            "]".repeat(deep)
        );
        assert!(read(&junk).is_ok());
    }
}

mod grid_map {
    use super::*;

    #[test]
    fn rows_count_from_the_top_and_nothing_is_flipped() {
        let plan = read("type octile\nheight 2\nwidth 3\nmap\n@.G\n@S@\n").unwrap();
        assert_eq!((area(&plan), plan.polygons.len()), (3.0, 1));
        let bounds = plan.polygons[0].bounds();
        assert_eq!((bounds.min, bounds.max), (dvec2(1., 0.), dvec2(3., 2.)));
        // The square at the end of the first row is the one with y from 0 to 1.
        assert!(plan.polygons[0].outer.contains(&dvec2(3., 0.)));
        assert!(!plan.polygons[0].outer.contains(&dvec2(3., 2.)));
    }

    #[test]
    fn odd_but_readable_maps_are_read() {
        for text in [
            "type octile\r\nheight 2\r\nwidth 2\r\nmap\r\n..\r\n.T\r\n",
            "height 2\nwidth 2\ntype octile\nmap\n..\n.W",
            "type octile\nheight 2\nwidth 2\nmap\n..  \n.@\n\n\n",
        ] {
            assert_eq!(area(&read(text).unwrap()), 3.0, "{text:?}");
        }
        let strange = read("type octile\nheight 1\nwidth 3\nmap\n.?!\n").unwrap();
        assert_eq!((area(&strange), strange.notes.len()), (1.0, 1));
        assert_eq!(read("type octile\nheight 0\nwidth 0\nmap\n"), Ok(PlanSource::default()));
    }

    #[test]
    fn squares_are_a_metre_unless_scaled() {
        let options = PlanOptions { scale: 0.5, ..PlanOptions::default() };
        let plan = read_plan_bytes(b"type octile\nheight 1\nwidth 2\nmap\n..\n", "x.map".as_ref(), &options)
            .unwrap();
        assert_eq!(plan.polygons[0].bounds().max, dvec2(1.0, 0.5));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, error) in [
            ("type octile\nheight 2\nwidth 2\nmap\n..\n", "squares are promised"),
            (
                "type octile\nheight 2\nwidth 2\nmap\n....\n",
                "line 5, column 1, row 0: the row has 4 squares, 2 are",
            ),
            (
                "type octile\nheight 2\nwidth 2\nmap\n..\n.\n\n",
                "line 6, column 1, row 1: the row has 1 squares",
            ),
            (
                "type octile\nheight 1\nwidth 2\nmap\n..\n..\n",
                "line 6, column 1: expected the end of the file after 1 rows",
            ),
            ("type octile\nheight x\nwidth 2\nmap\n", "line 2, column 8: expected a whole number, found 'x'"),
            ("type octile\nheight -1\nwidth 2\nmap\n", "expected a whole number"),
            ("type octile\nwidth 2\nmap\n", "names no height"),
            (
                "type octile\nfoo 2\n",
                "line 2, column 1: expected 'type', 'height', 'width' or 'map', found 'foo'",
            ),
            ("type octile\nheight 99999999999999999999999\n", "expected a whole number"),
            (
                "type octile\nheight 4294967296\nwidth 4294967296\nmap\n..\n",
                "4294967296 × 4294967296 squares are",
            ),
        ] {
            let found = read(text).unwrap_err();
            assert!(found.contains(error), "{text}: {found}");
        }
    }
}

mod pgm {
    use super::*;

    /// Two columns, three rows from the top: free, wall; unknown, free; free, free.
    const PLAIN: &str = "P2\n# a comment\n2 3 # another\n255\n254 0\n205 254\n254 254\n";

    #[test]
    fn the_first_row_is_the_top_and_only_free_is_walkable() {
        let plan = read(PLAIN).unwrap();
        assert_eq!(plan.notes.len(), 1);
        assert_eq!(plan.polygons.len(), 2, "the upper left pixel touches nothing");
        let upper = plan.polygons.iter().find(|polygon| polygon.outer.len() == 4).unwrap();
        assert_eq!((upper.bounds().min, upper.bounds().max), (dvec2(0.0, 0.1), dvec2(0.05, 0.05 * 3.0)));
    }

    #[test]
    fn plain_and_raw_eight_and_sixteen_bits_are_the_same() {
        let plain = read(PLAIN).unwrap();
        let raw8 = [b"P5 2 3 255\n".as_slice(), &[254, 0, 205, 254, 254, 254]].concat();
        let wide =
            |values: [u16; 6]| values.iter().flat_map(|value| value.to_be_bytes()).collect::<Vec<u8>>();
        let values = [254u16, 0, 205, 254, 254, 254].map(|value| value * 257);
        let raw16 = [b"P5\n2\n3\n65535\n".as_slice(), &wide(values)].concat();
        for bytes in [raw8, raw16] {
            assert_eq!(read_as("x.pgm", &bytes).unwrap(), plain);
        }
    }

    #[test]
    fn the_yaml_sets_resolution_origin_turn_and_thresholds() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).unwrap();
        let plan = |name: &str| read_plan(&folder.path().join(name), &PlanOptions::default());
        file("map.pgm", PLAIN.as_bytes());
        file("packed.pgm.gz", &gzip(PLAIN.as_bytes()));
        let yaml = "# made by hand\nimage: map.pgm\nresolution: 0.5 # m\norigin: [-1.0, 2, 0.0]\nnegate: 0\n\
                    occupied_thresh: 0.65\nfree_thresh: 0.196\nfoo: [1, {2: 3}]\n";
        file("other.yaml", yaml.as_bytes());
        file("packed.yaml", yaml.as_bytes());
        let by_yaml = plan("other.yaml").unwrap();
        assert!(by_yaml.notes.is_empty());
        assert_eq!(area(&by_yaml), 4.0 * 0.25);
        let bounds = by_yaml.polygons[0].bounds();
        assert_eq!((bounds.min, bounds.max.x), (dvec2(-1.0, 2.0), 0.0));
        // The image finds the YAML of its own name, and only that.
        assert_eq!(plan("packed.pgm.gz").unwrap(), by_yaml);
        assert_eq!(plan("map.pgm").unwrap().notes.len(), 1);
        // A quarter turn.
        let turned = yaml.replace("[-1.0, 2, 0.0]", "\n  - -1.0\n  - 2\n  - 1.5707963267948966");
        file("turned.yaml", turned.as_bytes());
        let turned = plan("turned.yaml").unwrap();
        let bounds = turned.polygons.iter().map(Polygon::bounds).reduce(|a, b| a.union(b)).unwrap();
        assert!(
            (bounds.min - dvec2(-2.5, 2.0)).length() < 1e-12
                && (bounds.max - dvec2(-1.0, 3.0)).length() < 1e-12
        );
        // Negated: dark is free.
        file("negated.yaml", yaml.replace("negate: 0", "negate: true").as_bytes());
        assert_eq!(area(&plan("negated.yaml").unwrap()), 0.25);
        // Raw: the value is the occupancy in percent.
        file("raw.yaml", format!("{yaml}mode: raw\n").as_bytes());
        assert_eq!(area(&plan("raw.yaml").unwrap()), 0.25);
        // A free threshold over the grey of unknown ground.
        file("loose.yaml", yaml.replace("0.196", "0.3").as_bytes());
        assert_eq!(area(&plan("loose.yaml").unwrap()), 5.0 * 0.25);
    }

    #[test]
    fn errors_name_the_file_and_the_place() {
        for (text, error) in [
            ("P2\n2 2\n255\n1 2 3\n", "pixel (1, 1): expected a whole number, found the end of the file"),
            ("P2\n20 2\n255\n1 2 3\n", "20 × 2 pixels are promised, 7 bytes follow"),
            ("P2\n2 2\n255\n1 2 3    x\n", "pixel (1, 1): expected a whole number"),
            ("P2\n2 2\n100\n1 2 3 101\n", "pixel (1, 1): 101 is over the largest grey 100"),
            ("P2\n2 2\n0\n1 2 3 4\n", "the largest grey is 0"),
            ("P2\n2 2\n65536\n1 2 3 4\n", "the largest grey is 65536"),
            ("P5\n2 2\n255\nabc", "2 × 2 pixels need 4 bytes, 3 follow"),
            ("P5\n2 2\n1000\nabcdefg", "2 × 2 pixels need 8 bytes, 7 follow"),
            ("P5\n99999999 99999999\n255\nabc", "pixels are too many"),
            ("P5\n2", "expected a whole number, found the end of the file"),
            ("P6\n1 1\n255\nabc", "P6 images are not read"),
        ] {
            let found = read(text).unwrap_err();
            assert!(found.contains(error), "{text}: {found}");
        }
        let folder = tempfile::tempdir().unwrap();
        let good = "image: map.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n";
        fs::write(folder.path().join("map.pgm"), PLAIN).unwrap();
        for (yaml, error) in [
            (good.replace("0.05", "-1"), "resolution = -1 is not over 0"),
            (good.replace("0.05", "nan"), "resolution = NaN is not over 0"),
            (good.replace("0.05", "fine"), "line 2, column 1: 'fine' is not a number"),
            (good.replace("resolution", "solution"), "names no resolution"),
            (good.replace("image", "picture"), "names no image"),
            (good.replace("map.pgm", "gone.pgm"), "gone.pgm"),
            (good.replace("[0, 0, 0]", "[0, 0, 0, 0]"), "the origin has 4 numbers"),
            (good.replace("[0, 0, 0]", "[0, inf, 0]"), "the origin has the coordinate inf"),
            (good.replace("[0, 0, 0]", "[0, 1e8, 0]"), "lies at (0.0, 100000000.0), over 1e7 m"),
            (good.replace("0.05", "1e300"), "lies at (2e300, 0.0), over 1e7 m"),
            (format!("{good}free_thresh: 2\n"), "free_thresh = 2 is outside 0 .. 1"),
            (format!("{good}mode: purple\n"), "mode is 'purple'"),
            (format!("{good}negate: maybe\n"), "negate is 'maybe'"),
            (format!("{good}what\n"), "expected 'key: value'"),
        ] {
            let path = folder.path().join("x.yaml");
            fs::write(&path, &yaml).unwrap();
            let found = read_plan(&path, &PlanOptions::default()).unwrap_err().to_string();
            assert!(found.contains(error), "{yaml}: {found}");
        }
        fs::write(folder.path().join("x.yaml"), good.replace("map.pgm", "x.yaml")).unwrap();
        let found =
            read_plan(&folder.path().join("x.yaml"), &PlanOptions::default()).unwrap_err().to_string();
        assert!(found.contains("is not a PGM"), "{found}");
    }

    #[test]
    fn the_willow_map_has_the_area_of_its_free_pixels() {
        let Some(map) = wayfare_testkit::data::map_named("willow_full_0.05") else { return };
        let bytes = wayfare_testkit::data::read_bytes(&map.path).unwrap();
        let pixels = &bytes[bytes.len() - 1165 * 945..];
        let free = pixels.iter().filter(|&&value| f64::from(255 - value) / 255.0 < 0.196).count();
        let plan = read_plan(&map.path, &PlanOptions::default()).unwrap();
        assert!(free > 100_000);
        assert!((area(&plan) - free as f64 * 0.0025).abs() < 1e-6);
    }
}

#[test]
fn files_that_are_no_plans_say_what_would_be() {
    for (name, bytes, error) in [
        ("x.wkt", b"".as_slice(), "x.wkt: the file is empty"),
        ("x.wkt", b" \n\t ", "the file is empty"),
        ("x.foo", b"hello", "unknown format; WKT, planar GeoJSON, MovingAI .map and PGM maps"),
        ("x.wkt", b"hello", "line 1, column 1: hello is unknown"),
        ("x.bin", b"\x00\x01\x02", "unknown format"),
        ("x.way", b"WAYFARE\0NAVM", "a finished wayfare product"),
        ("x.txt", b"mesh\n2\n", "Polyanya mesh"),
        ("x.gz", b"\x1f\x8b\x08\x00", "the gzip file is damaged"),
    ] {
        let found = read_as(name, bytes).unwrap_err();
        assert!(found.to_lowercase().contains(&error.to_lowercase()), "{name}: {found}");
    }
    let missing = read_plan("no/such/file.wkt".as_ref(), &PlanOptions::default()).unwrap_err();
    assert!(matches!(missing, ReadError::Io { .. }) && missing.to_string().contains("no/such/file.wkt"));
    assert!(read_plan(env!("CARGO_MANIFEST_DIR").as_ref(), &PlanOptions::default()).is_err());
}

#[test]
fn gzipped_files_are_found_by_content_and_bounded() {
    let text = b"POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))";
    assert_eq!(area(&read_as("whatever", &gzip(text)).unwrap()), 1.0);
    let twice = [gzip(&text[..10]), gzip(&text[10..])].concat();
    assert_eq!(area(&read_as("members", &twice).unwrap()), 1.0);
    let cut = gzip(text);
    assert!(read_as("cut", &cut[..cut.len() - 9]).unwrap_err().contains("damaged"));
    let options = PlanOptions { max_bytes: 1000, ..PlanOptions::default() };
    let bomb = gzip(&vec![b' '; 100_000]);
    let error = read_plan_bytes(&bomb, "bomb".as_ref(), &options).unwrap_err().to_string();
    assert!(error.contains("inflates to over 1000 bytes"), "{error}");
    // Also where the file may be large: 200 times its size and 64 MiB.
    let bomb = gzip(&vec![b' '; 100 << 20]);
    let error = read_as("bomb", &bomb).unwrap_err();
    let limit = 200 * bomb.len() + (64 << 20);
    assert!(limit < 100 << 20 && error.contains(&format!("inflates to over {limit} bytes")), "{error}");
    assert!(error.contains("unpack it first"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("big.wkt");
    fs::write(&path, vec![b' '; 2000]).unwrap();
    assert!(read_plan(&path, &options).unwrap_err().to_string().contains("larger than 1000 bytes"));
}
