use crate::fixtures::{ell, lines, mesh, raw, split, squares};

#[test]
fn sound_meshes_have_no_defects() {
    assert_eq!(mesh(ell()).check(), []);
    assert_eq!(mesh(squares(3, |x, y| (x, y) != (1, 1))).check(), []);
    // Touching in corners, inside and out.
    assert_eq!(mesh(squares(4, |x, y| (x + y) % 2 == 0)).check(), []);
    assert_eq!(mesh(squares(4, |x, y| !(x == y && (1..3).contains(&x)))).check(), []);
}

#[test]
fn a_vertex_on_another_cells_edge_hangs() {
    // One long cell below two short ones that it does not know.
    let points = [(0., 0.), (2., 0.), (2., 1.), (0., 1.), (1., 1.), (1., 2.), (0., 2.), (2., 2.)];
    let mesh = mesh(raw(&points, &[&[0, 1, 2, 3], &[3, 4, 5, 6], &[4, 2, 7, 5]]));
    assert_eq!(
        lines(&mesh.check()),
        ["N3: vertex 4: hangs at (1, 1) on the edge of cell 0 between vertices 2 and 3"]
    );
}

#[test]
fn a_split_point_may_lie_on_the_other_side_of_a_wall_without_thickness() {
    // Split points are made on walls: across one is the other side of the same wall, be it exactly there or a hair beside it.
    for y in [1.0, 1f64.next_up()] {
        let points = [(0., 0.), (2., 0.), (2., 1.), (0., 1.), (1., y), (1., 2.), (0., 2.), (2., 2.)];
        let two_sides = raw(&points, &[&[0, 1, 2, 3], &[3, 4, 5, 6], &[4, 2, 7, 5]]);
        assert_eq!(lines(&mesh(split(two_sides.clone(), &[4])).check()), Vec::<String>::new(), "{y}");
        // A vertex of the plan hangs there.
        let found = lines(&mesh(two_sides).check());
        assert!(!found.is_empty() || y != 1.0, "{y}");
    }
}

#[test]
fn cells_that_lie_on_each_other_are_found_however_they_do() {
    let square = [(0., 0.), (4., 0.), (4., 4.), (0., 4.)];
    let cases: [(&[(f64, f64)], &str); 5] = [
        (&[(1., 1.), (2., 1.), (1., 2.)], "inside cell 0: cells overlap"),
        (&[(3., 3.), (5., 3.), (5., 5.), (3., 5.)], "that crosses one of cell"),
        // A cross: no vertex lies inside the other.
        (&[(1., -1.), (2., -1.), (2., 5.), (1., 5.)], "that crosses one of cell"),
        // The same cell again, and one that shares a corner and lies inside.
        (&[(0., 0.), (4., 0.), (4., 4.), (0., 4.)], "overlap at (0, 0)"),
        (&[(0., 0.), (3., 1.), (1., 3.)], "overlap at (0, 0)"),
    ];
    for (other, words) in cases {
        let points: Vec<_> = square.iter().chain(other).copied().collect();
        let second: Vec<u32> = (4..points.len() as u32).collect();
        let both = raw(&points, &[&[0, 1, 2, 3], &second]);
        let found = lines(&mesh(both.clone()).check());
        assert!(found.iter().any(|line| line.contains(words)), "{other:?}: {found:?}");
        // On another storey they may.
        let apart = crate::RawNavMesh { storeys: vec![0, 1], ..both };
        assert_eq!(mesh(apart).check(), [], "{other:?}");
    }
}

#[test]
fn a_fan_that_goes_round_twice_is_found() {
    // Nine triangles of 60° round the origin, the later ones over the first.
    let mut points = vec![(0., 0.)];
    let circle = [(2., 0.), (1., 2.), (-1., 2.), (-2., 0.), (-1., -2.), (1., -2.)];
    points.extend((0..10).map(|k| circle[k % 6]));
    let triangles: Vec<[u32; 3]> = (0..9).map(|k| [0, k + 1, k + 2]).collect();
    let cells = |n: usize| triangles[..n].iter().map(|t| t.as_slice()).collect::<Vec<_>>();
    assert_eq!(mesh(raw(&points, &cells(5))).check(), []);
    // Once round, without closing.
    assert_eq!(mesh(raw(&points, &cells(6))).check(), []);
    for n in 7..=9 {
        let found = lines(&mesh(raw(&points, &cells(n))).check());
        assert!(
            found.contains(&"N1: vertex 0: the cells round it span more than 360°".into()),
            "{n}: {found:?}"
        );
    }
}

#[test]
fn a_relaxed_cell_must_not_cross_itself() {
    // Notches from below and from above that reach past each other.
    let points = [
        (0., 0.),
        (4., 0.),
        (4.5, 7.),
        (5., 0.),
        (9., 0.),
        (9., 9.),
        (8., 9.),
        (4.5, 2.),
        (1., 9.),
        (0., 9.),
    ];
    let polygon: Vec<u32> = (0..points.len() as u32).collect();
    let relaxed = crate::RawNavMesh { convex_distance: 7.0, ..raw(&points, &[&polygon]) };
    let found = lines(&mesh(relaxed.clone()).check());
    assert_eq!(found[0], "N1: cell 0: crosses or touches itself at its edges 2 and 6");
    let mut simple = relaxed;
    simple.vertices[2].y = 1.5;
    assert_eq!(mesh(simple).check(), []);
}

#[test]
fn a_large_relaxed_cell_is_checked_like_a_small_one() {
    // A comb with 100 teeth; then one tooth is bent over its neighbour.
    let mut points = vec![(0., -1.), (400., -1.)];
    for tooth in (0..100).rev() {
        let x = 4.0 * tooth as f64;
        points.extend([(x + 3., 0.), (x + 2., 2.), (x + 1., 2.), (x, 0.)]);
    }
    let polygon: Vec<u32> = (0..points.len() as u32).collect();
    let mut comb = crate::RawNavMesh { convex_distance: 3.0, ..raw(&points, &[&polygon]) };
    assert_eq!(mesh(comb.clone()).check(), []);
    comb.vertices[2 + 4 * 50 + 1].x += 6.0;
    comb.vertices[2 + 4 * 50 + 2].x += 6.0;
    let found = mesh(comb).check();
    assert!(!found.is_empty() && found.iter().all(|defect| defect.element == "cell 0"), "{found:?}");
}
