//! Velocities that keep agents apart: against another implementation of the same, and its edges.

use glam::Vec2;
use levelwright::sim::{
    avoid::{Mover, avoid},
    random::Stream,
};
use std::borrow::Cow;

fn other_crate(me: &Mover, others: &[Mover], preferred: Vec2, max_speed: f32, dt: f32, ahead: f32) -> Vec2 {
    let v = |v: Vec2| dodgy_2d::Vec2::new(v.x, v.y);
    let agent = |it: &Mover, responsibility: f32| dodgy_2d::Agent {
        position: v(it.pos),
        velocity: v(it.vel),
        radius: it.radius,
        avoidance_responsibility: responsibility,
    };
    // There it is a ratio: as much as the other takes on, or all of it.
    let others: Vec<Cow<'_, dodgy_2d::Agent>> =
        others.iter().map(|it| Cow::Owned(agent(it, (1.0 - it.share) / it.share))).collect();
    let options = dodgy_2d::AvoidanceOptions { obstacle_margin: 0.0, time_horizon: ahead, obstacle_time_horizon: 0.0 };
    let found = agent(me, 1.0).compute_avoiding_velocity(&others, &[], v(preferred), max_speed, dt, &options);
    Vec2::new(found.x, found.y)
}

#[test]
fn velocities_are_those_of_dodgy_2d() {
    let mut n_same = 0;
    for seed in 0..2000_u64 {
        let mut stream = Stream::new(seed, "crowd");
        let mut vec = |most: f64| Vec2::new(stream.range(-most, most) as f32, stream.range(-most, most) as f32);
        let me = Mover { pos: vec(10.0), vel: vec(80.0), radius: 6.0, share: 0.5 };
        let preferred = vec(80.0);
        // Also some that overlap, and more than leave a way out.
        let n = 1 + seed % 9;
        let others: Vec<Mover> = (0..n)
            .map(|i| Mover { pos: vec(60.0), vel: vec(80.0), radius: 6.0, share: if i % 3 == 0 { 1.0 } else { 0.5 } })
            .collect();
        let ours = avoid(&me, &others, preferred, 80.0, 1.0 / 64.0, 0.7);
        assert!(ours.is_finite() && ours.length() < 80.5, "{seed}: {ours}");
        let theirs = other_crate(&me, &others, preferred, 80.0, 1.0 / 64.0, 0.7);
        n_same += u32::from(ours.distance(theirs) < 0.1);
    }
    // Where no velocity is allowed, rounding decides between ways out that are about as good.
    assert!(n_same >= 1980, "{n_same} of 2000");
}

#[test]
fn in_one_place_they_part_and_alone_one_goes_as_it_likes() {
    let me = Mover { pos: Vec2::ZERO, vel: Vec2::ZERO, radius: 5.0, share: 0.5 };
    let ahead = Vec2::new(50.0, 0.0);
    assert_eq!(avoid(&me, &[], ahead, 80.0, 0.02, 1.0), ahead);
    assert_eq!(avoid(&me, &[], ahead * 3.0, 80.0, 0.02, 1.0), Vec2::new(80.0, 0.0));
    let on_me = avoid(&me, &[me], Vec2::ZERO, 80.0, 0.02, 1.0);
    assert!(on_me.length() > 10.0 && on_me.is_finite());
    let many = vec![me; 20];
    assert!(avoid(&me, &many, ahead, 80.0, 0.02, 1.0).is_finite());
}
