//! A room with a pillar as points, baked, and a shortest path round the pillar.
//!
//! `cargo run --example first_path`

use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ring = |points: &[[f64; 2]]| points.iter().map(|&[x, y]| dvec2(x, y)).collect();
    let room = Polygon {
        outer: ring(&[[0.0, 0.0], [10.0, 0.0], [10.0, 6.0], [0.0, 6.0]]),
        holes: vec![ring(&[[4.0, 1.0], [6.0, 1.0], [6.0, 5.0], [4.0, 5.0]])],
    };
    let context = Context::default();
    let (plan, _repair) = build_plan(&PlanSource::from_polygons(vec![room]), &context)?;
    let mesh = bake(&plan, &BakeConfig::default(), &context)?;
    let finder = PathFinder::new(&mesh);
    let mut scratch = PathScratch::new();
    let path =
        finder.find(dvec3(1.0, 3.0, 0.0), dvec3(9.0, 3.0, 0.0), &LocateConfig::default(), &mut scratch)?;
    println!("{} cells, {:.3} m: {:?}", mesh.cell_count(), path.length, path.points);
    // Two ways round the pillar are equally short: 2 × √(3² + 2²) + 2.
    assert!((path.length - 2.0 * 13f64.sqrt() - 2.0).abs() < 1e-12);
    Ok(())
}
