//! Whatever the bytes, a reader ends with a plan or with one line of error; coordinates that come out are in range.

use proptest::prelude::*;
use wayfare_core::MAX_COORDINATE;
use wayfare_scene::{PlanOptions, read_plan_bytes};

/// Pieces that put random bytes where they hurt.
fn scrap() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        "POLYGON",
        "MULTIPOLYGON",
        "GEOMETRYCOLLECTION",
        "EMPTY",
        "SRID=1;",
        "Z",
        "((",
        "))",
        ",",
        " ",
        "\n",
        "1 2",
        "-1e7",
        "nan",
        "1e309",
        "0.1",
        "{",
        "}",
        "[",
        "]",
        ":",
        "\"type\"",
        "\"Polygon\"",
        "\"coordinates\"",
        "\"Feature\"",
        "\"geometry\"",
        "[[[0,0],[1,0],[1,1]]]",
        "null",
        "\"crs\"",
        "type octile\n",
        "height 2\n",
        "width 2\n",
        "map\n",
        "..\n",
        ".@\n",
        "P2\n",
        "P5\n",
        "2 2\n",
        "255\n",
        "# x\n",
        "image: x\n",
        "resolution: 1\n",
        "origin: [0,0,0]\n",
        "- 1\n",
        "\\u12",
        "\"",
        "\u{feff}",
        "\u{1f}\u{8b}",
    ]);
    let piece = prop_oneof![
        9 => words.prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in scrap(), name in prop::sample::select(vec!["a", "a.wkt", "a.json", "a.map", "a.pgm", "a.yaml"])) {
        match read_plan_bytes(&bytes, name.as_ref(), &PlanOptions::default()) {
            Ok(plan) => {
                for p in plan.polygons.iter().flat_map(|polygon| polygon.rings()).flatten() {
                    prop_assert!(p.is_finite() && p.abs().max_element() <= MAX_COORDINATE);
                }
            }
            Err(error) => prop_assert!(!error.to_string().contains('\n'), "{}", error),
        }
    }
}
