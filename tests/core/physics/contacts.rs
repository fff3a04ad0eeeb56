//! Contacts: plates, landings, layers, rays, overlays.

use super::*;

// ---- contacts

#[test]
fn a_pressure_plate_feels_soft_steps_and_their_end() {
    let mut stage = Stage::new(&["", "", "", "##############"]);
    let plate = stage.add(&sensor(BodySpec::fixed(Shape::Box([16.0, 4.0]))), 100.0, 46.0);
    let hero = stage.add(&walker(), 60.0, 40.0);
    let (contacts, _) = stage.walk(hero, right(), 1.5);
    let felt: Vec<_> = contacts.iter().filter(|contact| contact.sensor).map(|c| (c.a, c.b.clone(), c.began)).collect();
    assert_eq!(felt, [(plate, Other::Entity(hero), true), (plate, Other::Entity(hero), false)]);
    let cargo = stage.add(&crate_of(10.0), 100.0, 38.0);
    let contacts = stage.steps(64);
    assert!(
        contacts.iter().any(|c| c.sensor && c.began && (c.a, &c.b) == (plate, &Other::Entity(cargo))),
        "{contacts:?}"
    );
    assert_eq!(stage.physics.touching(plate).len(), 1);
    stage.physics.despawn(cargo);
    let contacts = stage.steps(1);
    assert!(contacts.iter().any(|c| c.a == plate && !c.began), "{contacts:?}");
    assert!(stage.physics.touching(plate).is_empty());
}

#[test]
fn a_landing_is_as_violent_as_its_fall_and_told_once() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "", "######"]);
    let falling = stage.add(&crate_of(12.0), 50.0, 16.0);
    let contacts = stage.steps(256);
    let begins: Vec<_> = contacts.iter().filter(|contact| contact.began).collect();
    assert_eq!(begins.len(), 1, "{contacts:?}");
    let expected = (2.0_f32 * 900.0 * 90.0).sqrt();
    assert!(near(begins[0].speed, expected, expected * 0.05), "{} for {expected}", begins[0].speed);
    assert_eq!(begins[0].a, falling);
    assert!(matches!(&begins[0].b, Other::Tile { cell: [_, 7], name } if &**name == "#"), "{:?}", begins[0]);
    assert!(begins[0].normal.abs_diff_eq(Vec2::NEG_Y, 1e-3));

    let hero = stage.add(&walker(), 20.0, 40.0);
    let contacts = stage.steps(128);
    let landing: Vec<_> = contacts.iter().filter(|contact| contact.a == hero && contact.began).collect();
    let expected = (2.0_f32 * 900.0 * 64.0).sqrt();
    assert!(landing.len() == 1 && near(landing[0].speed, expected, expected * 0.05), "{landing:?}");
}

#[test]
fn a_turning_body_lands_as_violently_wherever_its_origin_is() {
    let landing = |aside: f32| {
        let mut stage = Stage::new(&["", "", "", "", "", "", "", "############"]);
        let mut spec = BodySpec { spin: 9.0, gravity_scale: 0.0, ..crate_of(16.0) };
        spec.collider = Some(ColliderSpec::new(Shape::Box([16.0, 16.0]), [f64::from(aside), 0.0]));
        // The velocity is that of its center of mass.
        spec.velocity = Vec2::new(0.0, 60.0);
        let body = stage.add(&spec, 100.0 - aside, 60.0);
        let contacts = stage.steps(64);
        let first = contacts.into_iter().find(|contact| contact.a == body && contact.began).unwrap();
        (first.speed, first.point)
    };
    let (speed, at) = landing(0.0);
    for aside in [10.0, -25.0] {
        let (off, off_at) = landing(aside);
        assert!(
            near(off, speed, 1.0) && at.distance(off_at) < 0.5,
            "{aside} px aside: {off} for {speed} at {off_at} for {at}"
        );
    }
}

#[test]
fn a_walker_that_stood_and_walked_alone_leaves_the_ground_when_it_jumps() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "", "##############"]);
    let hero = stage.add(&walker(), 20.0, 104.0);
    // Long enough for a body to fall asleep.
    stage.steps(128);
    stage.walk(hero, right(), 1.0);
    assert!(!stage.physics.is_sleeping(hero));
    assert_eq!(stage.physics.touching(hero).len(), 1);
    let (contacts, _) = stage.walk(hero, jump(), 0.1);
    assert!(contacts.iter().any(|contact| contact.a == hero && !contact.began), "{contacts:?}");
    assert!(stage.physics.touching(hero).is_empty());
}

#[test]
fn layers_and_masks_decide_who_meets() {
    let mut stage = Stage::new(&["", "", "", "######"]);
    let mut ghost = crate_of(12.0);
    ghost.collider.as_mut().unwrap().mask = 0b10;
    let ghost = stage.add(&ghost, 20.0, 20.0);
    let mut thief = walker();
    (thief.collider.as_mut().unwrap().layer, thief.collider.as_mut().unwrap().mask) = (0b10, 0b1);
    let thief = stage.add(&thief, 60.0, 39.0);
    let mut shut = BodySpec::fixed(Shape::Box([8.0, 32.0]));
    (shut.collider.as_mut().unwrap().layer, shut.collider.as_mut().unwrap().mask) = (0b100, u32::MAX);
    stage.add(&shut, 80.0, 32.0);
    stage.walk(thief, right(), 0.5);
    assert!(stage.pos(ghost).y > 100.0, "tiles are on the first layer");
    assert!(stage.pos(thief).x > 85.0);
}

// ---- queries

#[test]
fn rays_meet_tiles_and_bodies_nearest_first() {
    let mut stage = Stage::new(&["        ", "        ", "     /# ", "   --   "]);
    let a = stage.add(&BodySpec::fixed(Shape::Circle(4.0)), 40.0, 40.0);
    let b = stage.add(&sensor(BodySpec::fixed(Shape::Box([8.0, 8.0]))), 20.0, 40.0);
    let hit = stage.physics.ray(Vec2::new(0.0, 40.0), Vec2::new(200.0, 40.0), &[]).unwrap();
    assert_eq!((hit.other, hit.normal), (Other::Entity(a), Vec2::NEG_X));
    assert!(near(hit.distance, 36.0, 1e-3));
    let hit = stage.physics.ray(Vec2::new(0.0, 40.0), Vec2::new(200.0, 40.0), &[a]).unwrap();
    assert_eq!(hit.other, Other::Tile { cell: [5, 2], name: "/".into() });
    assert!(near(hit.point.x, 88.0, 1e-3) && hit.normal.abs_diff_eq(Vec2::new(-1.0, -1.0).normalize(), 1e-4));
    assert!(stage.physics.ray(Vec2::new(0.0, 4.0), Vec2::new(200.0, 4.0), &[]).is_none());
    assert!(stage.physics.ray(Vec2::new(56.0, 80.0), Vec2::new(56.0, 20.0), &[]).is_none(), "up through a ledge");
    let down = stage.physics.ray(Vec2::new(56.0, 20.0), Vec2::new(56.0, 80.0), &[]).unwrap();
    assert!(near(down.point.y, 48.0, 1e-3));
    assert_eq!(stage.physics.overlapping_circle(Vec2::new(30.0, 40.0), 7.0), [a, b]);
    assert_eq!(stage.physics.overlapping_rect(Vec2::new(10.0, 30.0), Vec2::new(20.0, 50.0)), [b]);
}

#[test]
fn overlays_show_outlines_contacts_and_reasons() {
    let mut stage = Stage::new(&["", "", "/###"]);
    let resting = stage.add(&crate_of(16.0), 40.0, 24.0);
    stage.steps(32);
    assert_eq!(stage.physics.outlines(resting)[0].len(), 4);
    let outline = stage.physics.tile_outlines(Vec2::ZERO, Vec2::splat(100.0));
    assert_eq!(outline.len(), 4, "slope, top, right, bottom: {outline:?}");
    let contacts = stage.physics.contact_views();
    assert!(
        !contacts.is_empty()
            && contacts.iter().all(|c| c.a == resting && c.normal.y < -0.9 && near(c.point.y, 32.0, 0.5)),
        "{contacts:?}"
    );
    let weight_in_a_tick = 900.0 / 64.0;
    let sum: f32 = contacts.iter().filter_map(|contact| contact.impulse).sum();
    assert!(near(sum, weight_in_a_tick, 0.3), "the ground holds a crate of 1 kg: {sum}");
    let with: Vec<Touched> = stage.physics.contacts_of(resting).into_iter().map(|(with, _)| with).collect();
    let engine: Vec<_> = with.iter().flat_map(|with| stage.physics.engine_contacts(resting, *with)).collect();
    assert_eq!(engine, contacts, "each point belongs to one of what it touches");
    let why = stage.physics.explain_tile(resting, [2, 2]);
    assert_eq!(why.len(), 1);
    assert!(why[0].axes.len() == 8);
}

#[test]
fn the_broad_phase_has_boxes_squares_and_pairs_that_are_near() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "", "", "##########"]);
    let a = stage.add(&crate_of(16.0), 40.0, 120.0);
    let b = stage.add(&crate_of(16.0), 56.0, 120.0);
    let far = stage.add(&crate_of(16.0), 140.0, 120.0);
    stage.steps(2);
    let broad = stage.physics.broad_phase();
    assert_eq!(broad.boxes.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [a, b, far]);
    let [lo, hi] = broad.boxes[0].1;
    assert!(near(hi.x - lo.x, 16.0, 0.1) && near(hi.y - lo.y, 16.0, 0.1));
    assert_eq!(broad.pairs, [[a, b]]);
    assert_eq!(broad.cell_px, 64.0);
    // Both reach into the square that begins at 0, the second also into the next.
    let of_first = broad.cells.iter().find(|(cell, _)| *cell == [0, 1]).map(|(_, n)| *n);
    assert_eq!(of_first, Some(2), "{:?}", broad.cells);
    assert!(broad.cells.is_sorted_by_key(|([x, y], _)| [*y, *x]));
}

#[test]
fn kinematic_bodies_and_sensors_tell_what_they_meet() {
    let mut stage = Stage::new(&["          #", "          #", "          #", "          #"]);
    let kinematic =
        |shape| BodySpec { kind: BodyKind::Kinematic, velocity: Vec2::new(60.0, 0.0), ..BodySpec::fixed(shape) };
    let plate = stage.add(&sensor(BodySpec::fixed(Shape::Circle(4.0))), 80.0, 10.0);
    let rocket = stage.add(&kinematic(Shape::Box([8.0, 4.0])), 20.0, 10.0);
    let probe = stage.add(&sensor(kinematic(Shape::Box([8.0, 4.0]))), 20.0, 40.0);
    let post = stage.add(&BodySpec::fixed(Shape::Box([8.0, 8.0])), 100.0, 42.0);
    let contacts = stage.steps(256);
    let seen = |a: EntityKey, b: Option<EntityKey>| {
        let is = |other: &Other| match (other, b) {
            (Other::Entity(key), Some(b)) => *key == b,
            (Other::Tile { name, .. }, None) => &**name == "#",
            _ => false,
        };
        let found = contacts.iter().filter(|contact| contact.a == a && is(&contact.b));
        found.map(|contact| contact.began).collect::<Vec<_>>()
    };
    assert_eq!(seen(plate, Some(rocket)), [true, false]);
    assert_eq!(seen(rocket, None), [true, false], "{contacts:?}");
    assert_eq!(seen(probe, None), [true, false], "{contacts:?}");
    assert_eq!(seen(probe, Some(post)), [true, false], "{contacts:?}");
}

#[test]
fn a_body_is_listed_with_what_it_touches_each_once() {
    let mut stage = Stage::new(&["", "", "###"]);
    let low = stage.add(&crate_of(16.0), 24.0, 24.0);
    let high = stage.add(&crate_of(16.0), 24.0, 8.0);
    let far = stage.add(&crate_of(16.0), 300.0, 0.0);
    stage.steps(32);
    let met = |key| -> Vec<_> {
        stage.physics.contacts_of(key).into_iter().map(|(with, normal)| (with, normal.y.signum())).collect()
    };
    assert_eq!(met(high), [(Touched::Body(low), -1.0)]);
    let below = met(low);
    assert_eq!(below[0], (Touched::Body(high), 1.0), "the normal is toward the body that was asked about");
    assert!(below[1..].contains(&(Touched::Tile([1, 2]), -1.0)), "{below:?}");
    assert!(met(far).is_empty());
    let why = stage.physics.explain_touched(low, Touched::Tile([1, 2]));
    assert!(why[0].mtv.is_some_and(|mtv| mtv.y.abs() < 0.5 && mtv.x == 0.0), "{why:?}");
    assert!(!stage.physics.explain_touched(low, Touched::Body(far))[0].touches);
    assert_eq!(stage.physics.explain_touched(low, Touched::Tile([1, 0])), [], "there is no tile");
}

#[test]
fn a_body_that_changes_goes_on_touching_what_it_touches() {
    let mut stage = Stage::new(&["", "", "", "##############"]);
    let plate = stage.add(&sensor(BodySpec::fixed(Shape::Box([16.0, 4.0]))), 100.0, 46.0);
    let hero = stage.add(&walker(), 100.0, 39.0);
    let shelf = stage.add(&BodySpec::fixed(Shape::Box([32.0, 8.0])), 40.0, 36.0);
    let cargo = stage.add(&surface(crate_of(10.0), 0.5, 0.0), 40.0, 26.0);
    let n = stage.steps(64).iter().filter(|contact| contact.began).count();
    assert!(n >= 3, "both land, one on the plate: {n}");
    let spec = |stage: &Stage, key| stage.physics.spec(key).unwrap().clone();

    let mut quick = spec(&stage, hero);
    let feet = quick.walker.as_mut().unwrap();
    (feet.speed, quick.mass, quick.gravity_scale) = (200.0, 3.0, 0.5);
    stage.physics.respec(hero, &quick).unwrap();
    let mut wide = spec(&stage, plate);
    wide.collider = Some(ColliderSpec::new(Shape::Box([20.0, 4.0]), [2.0, 0.0]));
    let wide = sensor(wide);
    stage.physics.respec(plate, &wide).unwrap();
    let mut heavy = spec(&stage, cargo);
    (heavy.mass, heavy.damping, heavy.lock_rotation) = (8.0, 0.5, true);
    heavy.collider = Some(ColliderSpec { friction: 0.0, ..ColliderSpec::new(Shape::Box([14.0, 10.0]), [0.0; 2]) });
    stage.physics.respec(cargo, &heavy).unwrap();
    assert_eq!(stage.steps(32), [], "nothing ends or begins");
    assert_eq!(stage.physics.touching(plate).len(), 1);
    assert_eq!(stage.physics.outlines(plate)[0][0], Vec2::new(92.0, 44.0));

    // Its new mass, width and friction count: it slides to where only its wider side still stands on the shelf.
    stage.physics.add_impulse(cargo, Vec2::new(8.0 * 40.0, 0.0));
    stage.steps(1);
    assert!(near(stage.pose(cargo).vel.x, 40.0, 1.0), "{:?}", stage.pose(cargo));
    stage.steps(28);
    assert!(stage.pos(cargo).x > 55.0 && near(stage.pos(cargo).y, 27.0, 0.5), "{:?}", stage.pose(cargo));
    stage.physics.set_pose(shelf, Vec2::new(400.0, 0.0), 0.0);

    // What becomes of another kind is another body.
    let solid = BodySpec { collider: Some(ColliderSpec::new(Shape::Box([20.0, 4.0]), [0.0; 2])), ..wide };
    stage.physics.respec(plate, &solid).unwrap();
    let ended = stage.steps(1).iter().any(|contact| contact.a == plate && contact.sensor && !contact.began);
    assert!(ended);
}
