//! Two platforms with a gap between them: walked on, and flown between.

use wayfare_core::{Context, DVec3, dvec3};
use wayfare_geom::TriangleMesh;
use wayfare_navmesh::NavMesh;
use wayfare_scene::Scene;
use wayfare_volume::{
    JourneyConfig, JourneyFinder, JourneyScratch, Leg, VolumeConfig, VolumeMesh, hand_overs, partition,
};

/// Platforms of 4 × 4 m at x = 0 and x = 6.
fn platforms() -> (NavMesh, VolumeMesh) {
    let mut text = String::from("mesh\n2\n8 2\n");
    let mut mesh = TriangleMesh::default();
    for (k, x) in [0.0, 6.0].into_iter().enumerate() {
        let first = mesh.vertices.len() as u32;
        for (dx, y) in [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)] {
            text += &format!("{} {y} 2 -1 {k}\n", x + dx);
            mesh.vertices.push(dvec3(x + dx, y, 0.0));
        }
        mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    text += "4 0 1 2 3 -1 -1 -1 -1\n4 4 5 6 7 -1 -1 -1 -1\n";
    let ground = NavMesh::import_polyanya(text.as_bytes()).unwrap();
    let config =
        VolumeConfig { bounds: Some([dvec3(-1., -1., -3.), dvec3(11., 5., 5.)]), ..VolumeConfig::default() };
    let air = partition(&Scene::from_mesh(mesh), &config, &Context::default()).unwrap().0;
    (ground, air)
}

#[test]
fn what_cannot_be_walked_is_flown_and_the_rest_is_walked() {
    let (mut ground, air) = platforms();
    assert!(JourneyFinder::new(&ground, &air).is_none(), "it is not linked");
    let places = hand_overs(&ground, &air);
    assert!(places.places.len() >= 2);
    for place in &places.places {
        assert!(place.point.z.abs() < 1e-9);
        assert_eq!(ground.locate(place.point, &Default::default()).unwrap().cell, place.cell);
        assert!(air.standing(wayfare_volume::RegionId(place.region)) > 0.0);
    }
    ground.set_hand_overs(Some(places)).unwrap();
    let finder = JourneyFinder::new(&ground, &air).unwrap();
    let (config, mut scratch) = (JourneyConfig::default(), JourneyScratch::default());
    let (from, to) = (dvec3(0.5, 2.0, 0.0), dvec3(9.5, 2.0, 0.0));
    let journey = finder.find(from, to, &config, &mut scratch).unwrap();
    let [Leg::Walk(first), Leg::Fly(gap), Leg::Walk(last)] = journey.legs.as_slice() else {
        panic!("{:?}", journey.legs)
    };
    assert_eq!((first.points[0], *last.points.last().unwrap()), (from, to));
    assert_eq!(first.points.last(), gap.points.first());
    assert_eq!(gap.points.last(), last.points.first());
    assert!(gap.length < 3.5, "over the gap and little more: {}", gap.length);
    assert!(journey.length >= 9.0 - 1e-9 && journey.length < 11.0, "{}", journey.length);
    assert!((journey.cost - first.length - last.length - 3.0 * gap.length).abs() < 1e-9);
    // Into the air, and under the platform, where nobody can stand.
    let up = finder.find(from, dvec3(9.5, 2.0, 4.0), &config, &mut scratch).unwrap();
    assert!(matches!(up.legs.as_slice(), [Leg::Walk(_), Leg::Fly(_)]), "{:?}", up.legs);
    // Who flies for nothing does not walk.
    let cheap = JourneyConfig { fly_cost: 0.5, ..config };
    let flown = finder.find(from, to, &cheap, &mut scratch).unwrap();
    assert!(matches!(flown.legs.as_slice(), [Leg::Fly(_)]), "{:?}", flown.legs);
    assert!((flown.length - 9.0).abs() < 1e-6);
    let none = finder.find(from, DVec3::splat(99.0), &config, &mut scratch).unwrap_err();
    assert!(none.walk.is_some() && none.fly.is_some());
}
