//! Generated scenes keep the promises of a scene, their closed parts are closed, and what is said to be walkable is what
//! vertical lines through the triangles find.

use std::{collections::BTreeMap, ops::Range};
use wayfare_core::{DVec2, DVec3, dvec2, dvec3};
use wayfare_geom::{TriangleMesh, are_collinear};
use wayfare_scene::{
    SceneOptions, Up,
    generated::{
        scene_by_name,
        scenes::{
            DOOR_WIDTHS, GeneratedScene, SCENE_EXAMPLES, SCENE_NAMES, TrueFloor, Walker, door, door_floors,
            floors_by_name, generated_scene, moved_floors, true_boundary,
        },
    },
    read_scene_bytes, to_obj,
};
use wayfare_testkit::Random;

const MORE: [&str; 9] = [
    "building-1",
    "building-open-1",
    "building-6",
    "spiral-1",
    "cave-77",
    "walls-12345",
    "blocks-1",
    "slabs-9",
    "soup-2000-5",
];

fn all() -> impl Iterator<Item = (&'static str, GeneratedScene)> {
    SCENE_EXAMPLES.into_iter().chain(MORE).map(|name| (name, generated_scene(name).expect(name)))
}

#[test]
fn the_names_for_people_are_those_of_the_examples() {
    for (words, example) in SCENE_NAMES.iter().zip(SCENE_EXAMPLES) {
        let stem = words.split(|c: char| c.is_ascii_uppercase()).next().unwrap_or(words);
        let rest = example.strip_prefix(stem).unwrap_or_else(|| panic!("{words}: {example}"));
        assert!(!rest.starts_with(|c: char| c.is_ascii_alphabetic()), "{words}: {example}");
        // The largest number of the range is good, the next is not; large scenes take long.
        let most = words.split(" to ").nth(1).and_then(|end| end.trim_end_matches(')').parse::<usize>().ok());
        if let Some(most) = most.filter(|&most| most <= 100) {
            assert!(generated_scene(&format!("{stem}{most}")).is_some(), "{words}");
            assert!(generated_scene(&format!("{stem}{}", most + 1)).is_none(), "{words}");
        }
    }
}

#[test]
fn scenes_keep_the_promises_of_a_scene() {
    for (name, GeneratedScene { scene, closed_parts }) in all() {
        let mesh = &scene.mesh;
        let [min, max] = mesh.bounds().unwrap();
        println!(
            "{name}: {} triangles, {} closed parts, {:?}, {min} to {max}",
            mesh.triangles.len(),
            closed_parts.len(),
            scene.tag_names
        );
        assert_eq!(scene.tags.len(), mesh.triangles.len(), "{name}");
        assert!(scene.tag_names.is_sorted() && scene.repair.repairs.is_empty(), "{name}");
        for tag in 0..scene.tag_names.len() {
            assert!(scene.tags.contains(&(tag as u8)), "{name}: tag {tag} is not used");
        }
        assert!(mesh.all_points().all(|[a, b, c]| !are_collinear(a, b, c)), "{name}");
        let mut places: Vec<_> = mesh.vertices.iter().map(|p| p.to_array().map(f64::to_bits)).collect();
        places.sort_unstable();
        assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "{name}");
        let turned = |&[a, b, c]: &[u32; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min();
        let mut faces: Vec<_> = mesh.triangles.iter().map(turned).collect();
        faces.sort_unstable();
        assert!(faces.windows(2).all(|pair| pair[0] != pair[1]), "{name}: twice the same face");
    }
}

#[test]
fn a_scene_written_as_obj_reads_back_bit_for_bit() {
    let options = SceneOptions { up: Some(Up::Z), ..SceneOptions::default() };
    for (name, GeneratedScene { scene, .. }) in all() {
        let read = read_scene_bytes(to_obj(&scene).as_bytes(), "x.obj".as_ref(), &options).unwrap();
        // One by one, as a message with both scenes would be too long.
        assert!(read.mesh.vertices == scene.mesh.vertices, "{name}");
        assert!(read.mesh.triangles == scene.mesh.triangles, "{name}");
        assert!(read.tags == scene.tags && read.tag_names == scene.tag_names, "{name}");
        assert!(read.repair.repairs.is_empty(), "{name}: {}", read.repair);
    }
}

#[test]
fn tags_without_a_name_survive_the_way_through_obj() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nusemtl a b\nf 1 2 4\nusemtl\nf 2 3 4\n";
    let options = SceneOptions { up: Some(Up::Z), ..SceneOptions::default() };
    let read = |text: &str| read_scene_bytes(text.as_bytes(), "x.obj".as_ref(), &options).unwrap();
    let scene = read(text);
    assert_eq!((scene.tags.as_slice(), scene.tag_names.len()), ([0, 1, 0].as_slice(), 2));
    assert_eq!(read(&to_obj(&scene)), scene);
}

/// Twice the sum of (opposite twins missing), and six times the volume.
fn closed(mesh: &TriangleMesh, part: Range<usize>) -> (usize, f64) {
    let mut edges: BTreeMap<[u32; 2], i32> = BTreeMap::new();
    let mut volume = 0.0;
    let mut doubled = 0;
    for triangle in part {
        let [a, b, c] = mesh.triangles[triangle];
        for edge in [[a, b], [b, c], [c, a]] {
            let count = edges.entry(edge).or_default();
            *count += 1;
            doubled += usize::from(*count > 1);
        }
        let [a, b, c] = mesh.points(triangle).map(|p| p - mesh.vertices[0]);
        volume += a.dot(b.cross(c));
    }
    let open = edges.keys().filter(|[a, b]| !edges.contains_key(&[*b, *a])).count();
    (open + doubled, volume)
}

#[test]
fn every_edge_of_a_closed_part_has_one_twin_and_the_part_is_outside_in_front() {
    for (name, GeneratedScene { scene, closed_parts }) in all() {
        for part in closed_parts {
            let (open, volume) = closed(&scene.mesh, part.clone());
            assert_eq!(open, 0, "{name} {part:?}");
            assert!(volume > 0.0, "{name} {part:?}: {volume}");
        }
    }
    // What has no sheets is closed as a whole, so that nobody forgets to say so.
    for name in [
        "sample",
        "building-3",
        "spiral-3",
        "cave-1",
        "bridge",
        "slabs-1",
        "platforms",
        "terrace-house",
        "town-house",
    ] {
        let GeneratedScene { scene, closed_parts } = generated_scene(name).unwrap();
        let count: usize = closed_parts.iter().map(ExactSizeIterator::len).sum();
        assert_eq!(count, scene.mesh.triangles.len(), "{name}");
    }
}

#[test]
fn scenes_are_the_same_bits_everywhere() {
    // Fowler, Noll and Vo's hash; minted once, to be the same on every machine.
    let hash = |name: &str| {
        let scene = scene_by_name(name).unwrap();
        to_obj(&scene).bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let hashes: Vec<(&str, u64)> = SCENE_EXAMPLES.iter().map(|&name| (name, hash(name))).collect();
    assert_eq!(hashes, HASHES);
}

const HASHES: [(&str, u64); 16] = [
    ("sample", 0xf3a1_73cb_3024_821f),
    ("building-3", 0x7a13_315d_3506_1f5f),
    ("building-open-2", 0xb6eb_ee70_de5e_7603),
    ("spiral-3", 0x62df_d233_3e51_faca),
    ("cave-1", 0x0094_9367_9c1e_a3ec),
    ("bridge", 0x7174_39e2_99a1_0698),
    ("walls-1", 0x934f_21c1_e03a_411e),
    ("door-0.9", 0x4071_e4b6_c4e7_4eec),
    ("blocks-3", 0xfe94_d233_41fe_eb28),
    ("terrain-40", 0x762c_cfad_4bf2_5b05),
    ("slabs-1", 0x89a7_5ace_f8ee_bb7f),
    ("soup-500-1", 0x1850_c527_45e3_9bb0),
    ("holes", 0x7b9a_ceee_013d_0fcc),
    ("platforms", 0x7711_92b2_7c72_f096),
    ("terrace-house", 0x8f60_ab27_a7c0_5c6a),
    ("town-house", 0x4454_d64a_eef6_8091),
];

#[test]
fn strange_names_give_no_scene() {
    for name in [
        "",
        "sample-1",
        "building",
        "building-0",
        "building-51",
        "building-open",
        "spiral-101",
        "cave-",
        "cave--1",
        "door-0",
        "door-NaN",
        "door-8",
        "door-inf",
        "blocks-201",
        "terrain-2001",
        "soup-0-1",
        "soup-5",
        "soup-99999999999-1",
    ] {
        assert!(generated_scene(name).is_none(), "{name}");
        assert!(floors_by_name(name, &Walker::default()).is_none(), "{name}");
    }
}

/// The floors over a point by a vertical line through all triangles; `None` if it comes near an edge.
fn floors_by_line(scene: &GeneratedScene, p: DVec2, walker: &Walker) -> Option<Vec<f64>> {
    let mut hits: Vec<(f64, bool, i32)> = Vec::new();
    for (k, [a, b, c]) in scene.scene.mesh.all_points().enumerate() {
        let sides = [(a, b), (b, c), (c, a)].map(|(a, b)| {
            let (a, b) = (a.truncate(), b.truncate());
            (b - a).perp_dot(p - a) / (b - a).length().max(1e-9)
        });
        if sides.iter().all(|side| *side > -1e-6) || sides.iter().all(|side| *side < 1e-6) {
            let normal = (b - a).cross(c - a);
            if normal.z.abs() < 1e-9 || sides.iter().any(|side| side.abs() < 1e-6) {
                return None;
            }
            let z = a.z - normal.truncate().dot(p - a.truncate()) / normal.z;
            let is_flat = normal.truncate().length() <= normal.z.abs() * tan(walker.max_slope);
            let is_closed = scene.closed_parts.iter().any(|part| part.contains(&k));
            hits.push((z, is_flat, if is_closed { normal.z.signum() as i32 } else { 0 }));
        }
    }
    hits.sort_unstable_by(|p, q| p.0.total_cmp(&q.0));
    let mut floors: Vec<f64> = Vec::new();
    for &(z, is_flat, _) in &hits {
        let above = hits.iter().filter(|hit| hit.0 > z + 1e-9);
        // Inside of solids there is more rock to leave than to enter.
        let inside: i32 = above.clone().map(|hit| hit.2).sum();
        let is_new = floors.last().is_none_or(|last| z > last + 1e-9);
        if is_new
            && is_flat
            && inside <= 0
            && above.map(|hit| hit.0).all(|ceiling| ceiling >= z + walker.height - 1e-9)
        {
            floors.push(z);
        }
    }
    Some(floors)
}

fn tan(angle: f64) -> f64 {
    wayfare_core::ops::sin(angle) / wayfare_core::ops::cos(angle)
}

fn same_floors(name: &str, scene: &GeneratedScene, floors: &[TrueFloor], walker: &Walker, samples: usize) {
    let [min, max] = scene.scene.mesh.bounds().unwrap();
    let mut random = Random::new(7);
    let mut compared = 0;
    for _ in 0..samples {
        let p = dvec2(random.between(min.x - 1.0, max.x + 1.0), random.between(min.y - 1.0, max.y + 1.0));
        let Some(found) = floors_by_line(scene, p, walker) else { continue };
        let mut stated: Vec<f64> =
            floors.iter().filter(|floor| floor.contains(p)).map(|floor| floor.ground.height(p)).collect();
        stated.sort_unstable_by(f64::total_cmp);
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        let same = found.len() == stated.len() && found.iter().zip(&stated).all(near);
        assert!(same, "{name} at {p}, {walker:?}: found {found:?}, stated {stated:?}");
        compared += found.len();
    }
    assert!(compared > samples / 4, "{name}: {compared} of {samples}");
}

#[test]
fn true_floors_are_those_that_vertical_lines_find() {
    let adult = Walker::default();
    let walkers = [
        adult,
        Walker { height: 1.0, step: 0.2, ..adult },
        Walker { height: 2.1, step: 0.44, max_slope: 0.2 },
    ];
    for name in [
        "building-1",
        "building-3",
        "bridge",
        "walls-1",
        "walls-8",
        "door-0.9",
        "terrain-30",
        "slabs-1",
        "slabs-2",
    ] {
        for walker in walkers {
            let Some(floors) = floors_by_name(name, &walker) else {
                assert!(name.starts_with("terrain") && walker.max_slope < 0.75, "{name}");
                continue;
            };
            same_floors(name, &generated_scene(name).unwrap(), &floors, &walker, 600);
        }
    }
    let tall = Walker { height: 2.7, ..adult };
    same_floors(
        "bridge",
        &generated_scene("bridge").unwrap(),
        &floors_by_name("bridge", &tall).unwrap(),
        &tall,
        2000,
    );
}

#[test]
fn turned_doors_have_turned_floors() {
    let walker = Walker::default();
    let (turn, shift) = (0.7, dvec3(31.0, -7.0, 2.0));
    let floors = moved_floors(&door_floors(0.9, &walker), turn, shift);
    same_floors("door", &door(0.9).moved(turn, shift), &floors, &walker, 2000);
    let bridge = moved_floors(&floors_by_name("bridge", &walker).unwrap(), turn, shift);
    same_floors("bridge", &generated_scene("bridge").unwrap().moved(turn, shift), &bridge, &walker, 2000);
}

#[test]
fn boundaries_of_true_floors_leave_out_what_leads_on() {
    let walker = Walker::default();
    let length = |name: &str, step: f64| -> f64 {
        let boundary = true_boundary(&floors_by_name(name, &walker).unwrap(), step);
        boundary.iter().map(|[a, b]: &[DVec3; 2]| (*a - *b).truncate().length()).sum()
    };
    // The ground, both ramps with 11 m of sides each, the bridge; 5 m of ramp meet the ground twice, the bridge twice; and
    // each side of a ramp is within a step of the ground for 0.4 m · 11/3.
    let (whole, inside) =
        (4. * 36. + 2. * (2. * 11. + 2. * 5.) + 2. * (2. * 11. + 2. * 5.) + 2. * (6. + 5.), 5.);
    let open = 2. * (2. * inside + 2. * inside) + 2. * 2. * 2. * 0.4 * 11. / 3.;
    assert!(
        (length("bridge", 0.4) - (whole - open)).abs() < 1e-9,
        "{} {}",
        length("bridge", 0.4),
        whole - open
    );
    // A door's floor has no open rims, but its sheets are counted.
    let doors: f64 = DOOR_WIDTHS.iter().sum();
    assert!(doors < 4.0 && length("walls-1", 0.4) > 80.0 + 5.0 * 19.0);
}

/// Across sides of lattice squares: where slabs meet within a step and a body's height is free over both, nothing stops it.
#[test]
fn boundaries_of_slabs_are_where_vertical_lines_find_no_way_on() {
    let mut random = Random::new(11);
    let (mut shut, mut open, mut low) = (0, 0, 0);
    for (seed, height) in [(1, 1.2), (36, 1.2), (50, 1.8), (3, 0.8)] {
        let name = format!("slabs-{seed}");
        let scene = generated_scene(&name).unwrap();
        let walker = Walker { height, ..Walker::default() };
        let floors = floors_by_name(&name, &walker).unwrap();
        let boundary = true_boundary(&floors, walker.step);
        // Sides that are said to be shut by a low ceiling, from where they begin, and any others.
        let begin = |sheet: &[DVec2; 2]| (sheet[0] * 10.0).round();
        let mut corners: Vec<DVec2> =
            floors.iter().flat_map(|floor| floor.sheets.iter().map(begin)).collect();
        random.shuffle(&mut corners);
        corners.truncate(200);
        corners.extend((0..700).map(|_| dvec2(random.below(199) as f64, random.below(199) as f64)));
        let heights = |p: DVec2| {
            let tops = floors_by_line(&scene, p, &walker).expect("squares' middles are no edges");
            let everything = floors_by_line(&scene, p, &Walker { height: 1e-6, ..walker }).unwrap();
            let ceiling = move |z: f64| {
                everything.iter().copied().filter(|top| *top > z).fold(f64::INFINITY, f64::min) - 0.25
            };
            (tops, ceiling)
        };
        for corner in corners {
            let corner = corner - dvec2(random.below(2) as f64, random.below(2) as f64);
            // Off the middle, where the diagonals of faces pass.
            let side = if random.chance(0.5) { dvec2(1.0, 0.0) } else { dvec2(0.0, 1.0) };
            let (here, there) =
                ((corner + dvec2(0.51, 0.47)) / 10.0, (corner + side + dvec2(0.51, 0.47)) / 10.0);
            let middle = (corner + 0.5 + side / 2.0) / 10.0;
            let ((from, ceiling), (to, other_ceiling)) = (heights(here), heights(there));
            for &z in &from {
                let is_boundary = boundary.iter().any(|[a, b]| {
                    let (p, q) = (a.truncate(), b.truncate());
                    let off = (q - p).perp_dot(middle - p) / p.distance(q);
                    let is_beside = (p - middle).dot(q - middle) < 0.0;
                    (a.z - z).abs() < 1e-9 && off.abs() < 1e-9 && is_beside
                });
                let steps: Vec<f64> = to.iter().copied().filter(|to| (to - z).abs() <= walker.step).collect();
                let leads_on = |&to: &f64| ceiling(z).min(other_ceiling(to)) >= z.max(to) + walker.height;
                let is_open = steps.iter().any(leads_on);
                assert_eq!(is_boundary, !is_open, "{name} between {here} and {there} at {z}");
                shut += usize::from(!is_open);
                open += usize::from(is_open);
                low += usize::from(!is_open && !steps.is_empty());
            }
        }
    }
    println!("{open} sides open, {shut} shut, {low} of them for want of head room only");
    assert!(shut > 50 && open > 1000 && low > 20);
}
