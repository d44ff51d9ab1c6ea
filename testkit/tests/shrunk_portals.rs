//! Shrunk portals against distances by brute force, and the table of them against none.

use crate::support::{cut_in_ways, report};
use std::sync::atomic::{AtomicUsize, Ordering};
use wayfare_core::DVec2;
use wayfare_geom::segment::nearest_on_segment;
use wayfare_navmesh::{CellId, CornerId, FREE_SLACK, NavMesh, Passage, ShrinkTable, Span, simple_shrink};
use wayfare_testkit::{Random, generators};

fn boundary(mesh: &NavMesh) -> Vec<[DVec2; 2]> {
    mesh.boundary().chains().flatten().map(|&corner| mesh.edge(corner).map(|v| mesh.xy(v))).collect()
}

fn distance(edges: &[[DVec2; 2]], p: DVec2) -> f64 {
    edges.iter().map(|&[a, b]| nearest_on_segment(p, a, b).distance(p)).fold(f64::INFINITY, f64::min)
}

fn portals(mesh: &NavMesh, cell: CellId) -> Vec<CornerId> {
    mesh.corners(cell).filter(|&corner| mesh.twin(corner).is_some()).collect()
}

/// A random way through a random portal: from a portal of its cell, or none, to a portal of the next cell, or none.
fn passage(mesh: &NavMesh, random: &mut Random) -> Option<Passage> {
    let all = mesh.portals();
    let sides = *all.iter().nth(random.below(all.len().max(1)))?.1;
    let through = sides[random.below(2)];
    let one = |cell: CellId, not: CornerId, random: &mut Random| {
        let mut portals = portals(mesh, cell);
        portals.retain(|&corner| corner != not);
        if portals.is_empty() || random.chance(0.3) {
            None
        } else {
            Some(portals[random.below(portals.len())])
        }
    };
    let from = one(mesh.cell_of_corner(through), through, random);
    let twin = mesh.twin(through)?;
    let to = one(mesh.cell_of_corner(twin), twin, random);
    Some(Passage { from, through, to })
}

#[test]
fn every_point_of_a_shrunk_portal_is_free_and_the_portal_beside_it_is_not() {
    let checked = [const { AtomicUsize::new(0) }; 3];
    let found = report(&generators::mixed(21, 50, 60), |plan| {
        let mut lines = Vec::new();
        let mut random = Random::new(4);
        for (name, mesh) in cut_in_ways(plan, &[0.0, 0.1]) {
            let (edges, crossings) = (boundary(&mesh), mesh.crossings().expect("they were made"));
            for _ in 0..60 {
                let Some(passage) = passage(&mesh, &mut random) else { break };
                let [a, b] = mesh.edge(passage.through).map(|v| mesh.xy(v));
                let radius = a.distance(b) * 0.5 * random.between(0.01, 1.05);
                let at = |share: f64| distance(&edges, a + (b - a) * share);
                checked[0].fetch_add(1, Ordering::Relaxed);
                // Crossings tell whether there is anything left.
                let fits =
                    |from, to| crossings.between(from, to).is_none_or(|room| room >= radius - FREE_SLACK);
                let twin = mesh.twin(passage.through).expect("a portal");
                let can_pass = passage.from.is_none_or(|from| fits(from, passage.through))
                    && passage.to.is_none_or(|to| fits(twin, to))
                    && fits(passage.through, passage.through);
                let Some(span) = crossings.exact_shrink(passage, radius) else {
                    // Each crossing alone may be wide enough by different parts of the portal.
                    if can_pass
                        && crossings.table().peaks(mesh.cell_of_corner(twin)).len()
                            == portals(&mesh, mesh.cell_of_corner(twin)).len()
                    {
                        lines.push(format!("{name}: nothing for {radius} on {passage:?}"));
                    }
                    continue;
                };
                checked[1].fetch_add(1, Ordering::Relaxed);
                if !can_pass {
                    lines.push(format!("{name}: {span:?} for {radius} on {passage:?}, which is too narrow"));
                }
                let least = (0..=40)
                    .map(|k| at(span.low + span.length() * f64::from(k) / 40.0))
                    .fold(f64::INFINITY, f64::min);
                // A micrometre beside it, or what is left there.
                let step = 1e-6 / a.distance(b);
                let beside = [span.low - step, span.high + step]
                    .into_iter()
                    .filter(|share| (0.0..=1.0).contains(share));
                let most = beside.map(at).fold(0.0, f64::max);
                if least < radius - 2.0 * FREE_SLACK || most >= radius {
                    lines.push(format!(
                        "{name}: {span:?} for {radius} on {passage:?}: {least} in it, {most} beside it"
                    ));
                }
                let simple = simple_shrink(&mesh, passage.through, radius);
                let portal = mesh.portal_at(passage.through).expect("a portal");
                let critical = mesh.clearance().expect("it was made").critical_radius(portal);
                if radius < critical {
                    checked[2].fetch_add(1, Ordering::Relaxed);
                    if simple.is_none_or(|simple| {
                        (simple.low - span.low).abs() + (simple.high - span.high).abs() > 1e-9
                    }) {
                        lines.push(format!("{name}: {span:?}, but {simple:?} below the critical radius"));
                    }
                }
                if simple.is_some_and(|simple| simple.low > span.low + step || simple.high < span.high - step)
                {
                    lines.push(format!("{name}: {span:?} is longer than {simple:?}"));
                }
            }
        }
        lines.truncate(4);
        lines
    });
    assert_eq!(found, "");
    let checked = checked.map(AtomicUsize::into_inner);
    assert!(checked[0] > 5_000 && checked[1] > 2_000 && checked[2] > 500, "{checked:?}");
}

#[test]
fn a_table_answers_what_is_answered_without() {
    for plan in generators::mixed(22, 8, 60) {
        for (name, mesh) in cut_in_ways(&plan, &[0.0, 0.1]) {
            let crossings = mesh.crossings().expect("they were made");
            let table = ShrinkTable::new(256);
            let bits = |span: Option<Span>| span.map(|span| [span.low, span.high].map(f64::to_bits));
            std::thread::scope(|scope| {
                for seed in 0..3 {
                    let (mesh, table, name) = (&mesh, &table, &name);
                    scope.spawn(move || {
                        let mut random = Random::new(seed);
                        for _ in 0..2_000 {
                            let Some(passage) = passage(mesh, &mut random) else { break };
                            let radius = [0.05, 0.2, 0.5][random.below(3)];
                            let (with, without) = (
                                table.exact_shrink(&crossings, passage, radius),
                                crossings.exact_shrink(passage, radius),
                            );
                            assert_eq!(bits(with), bits(without), "{name}: {passage:?} {radius}");
                        }
                    });
                }
            });
            let [hits, misses] = table.hits_and_misses();
            assert!(mesh.portals().is_empty() || hits > misses / 10, "{name}: {hits} {misses}");
        }
    }
}
