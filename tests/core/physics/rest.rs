//! Walkers and flyers at rest, whose steps are not computed again while nothing around them changes.

use super::zones::{wind, zone};
use super::*;
use crate::cases::n_cases;
use levelwright::model::mix;

/// A stage with walkers and flyers that mostly stand, and what may change around them.
struct Yard {
    stage: Stage,
    movers: Vec<EntityKey>,
    door: EntityKey,
    zone: EntityKey,
    blocks: Vec<EntityKey>,
}

impl Yard {
    fn new(seed: u64) -> Self {
        let mut stage = Stage::new(&[
            "#                              #",
            "#          ---                 #",
            "#   ##           ====      H   #",
            "#  /##\\      i    <>##     H   #",
            "################################",
        ]);
        let flyer = FlyerSpec { speed: 90.0, acceleration: 240.0, arrive_radius: 24.0 };
        let mut movers = Vec::new();
        for i in 0..16_u8 {
            let mut spec = match i % 4 {
                0 | 1 => walker(),
                2 => {
                    BodySpec { walker: Some(feet()), ..BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 14.0 }) }
                }
                _ => BodySpec { flyer: Some(flyer.clone()), ..BodySpec::dynamic(Shape::Circle(4.0)) },
            };
            if let Some(feet) = &mut spec.walker {
                feet.dash = Some(DashSpec {
                    speed: 120.0,
                    secs: 0.1,
                    cooldown_secs: 0.4,
                    in_air: 1,
                    keep: 0.0,
                    eight_ways: false,
                });
            }
            // Half of them go through each other, so that nothing but the yard is around them.
            if i % 2 == 0 {
                let collider = spec.collider.as_mut().unwrap();
                (collider.layer, collider.mask) = (2, 1);
            }
            // Some begin within tiles.
            let x = 26.0 + f32::from(i) * 29.0 + (mix(seed ^ u64::from(i)) % 16) as f32;
            movers.push(stage.add(&spec, x, 40.0));
        }
        let door =
            stage.add(&BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([8.0, 32.0])) }, 200.0, 16.0);
        let zone = stage.add(&zone(Shape::Box([60.0, 60.0]), wind(90.0, -300.0)), 100.0, -400.0);
        stage.add(&sensor(BodySpec::fixed(Shape::Circle(6.0))), 320.0, 56.0);
        stage.add(&crate_of(12.0), 400.0, 30.0);
        Self { stage, movers, door, zone, blocks: Vec::new() }
    }

    /// Change something, at random.
    fn change(&mut self, random: u64) {
        let key = self.movers[(random / 64 % 16) as usize];
        let Pose { pos, angle, .. } = self.stage.pose(key);
        let aside = Vec2::new((random / 1024 % 9) as f32 - 4.0, 0.0);
        match random % 12 {
            0 => {
                let block = self.stage.add(&BodySpec::fixed(Shape::Box([10.0, 6.0])), pos.x + aside.x, pos.y + 6.0);
                self.blocks.push(block);
            }
            1 => self.blocks.drain(..).for_each(|block| self.stage.physics.despawn(block)),
            2 | 3 => {
                let cell = [(pos.x / 16.0) as i32, (pos.y / 16.0) as i32 + 1];
                self.stage.set_tile(cell, if random % 12 == 2 { Tile::EMPTY } else { Tile::id_only(u32::from('#')) });
            }
            4 => {
                let pull = [500.0, 900.0, -200.0][(random / 1024 % 3) as usize];
                self.stage
                    .physics
                    .set_config(PhysicsConfig { gravity_px_s2: pull, ..self.stage.physics.config().clone() });
            }
            5 => self.stage.physics.set_pose(key, pos + aside, angle),
            6 => self.stage.physics.add_impulse(key, aside * 20.0),
            7 => self.stage.physics.set_pose(self.zone, pos, 0.0),
            8 => {
                let mut spec = self.stage.physics.spec(key).unwrap().clone();
                let size = 8.0 + (random / 1024 % 9) as f64;
                spec.collider = BodySpec::fixed(Shape::Box([size, size])).collider;
                self.stage.physics.respec(key, &spec).unwrap();
            }
            9 => _ = self.stage.add(&crate_of(9.0), pos.x + aside.x, pos.y - 30.0),
            10 => self.stage.physics.set_next_pose(self.door, Vec2::new(pos.x + aside.x, 16.0), 0.0),
            _ => {}
        }
    }

    fn step(&mut self, seed: u64, tick: u64) -> (u64, Vec<Contact>) {
        if tick % 30 == 29 {
            self.change(mix(seed ^ tick));
        }
        for (i, key) in (0..).zip(&self.movers) {
            let way = mix(seed ^ (tick / 50 * 64 + i));
            let dir = Vec2::new([-1.0, 0.0, 0.0, 0.0, 1.0][(way % 5) as usize], 0.0);
            self.stage.physics.walk(
                *key,
                WalkInput {
                    dir,
                    dash: way.is_multiple_of(3).then_some(Vec2::X),
                    drop: way.is_multiple_of(7),
                    ..WalkInput::default()
                },
            );
            self.stage.physics.fly(*key, dir * 70.0);
        }
        let contacts = self.stage.physics.step();
        (self.stage.physics.hash(), contacts)
    }
}

#[test]
fn a_step_that_is_not_computed_again_has_the_results_that_it_would_have_had() {
    for seed in 0..u64::from(n_cases(6)) {
        let (mut plain, mut computed) = (Yard::new(seed), Yard::new(seed));
        for tick in 0..400 {
            // After a change of the settings, every step is computed.
            let config = computed.stage.physics.config().clone();
            computed.stage.physics.set_config(config.clone());
            assert_eq!(*computed.stage.physics.config(), config);
            assert_eq!(plain.step(seed, tick), computed.step(seed, tick), "seed {seed}, tick {tick}");
        }
    }
}

#[test]
fn who_rests_moves_when_the_ground_gravity_or_a_zone_changes() {
    let lighter = |stage: &mut Stage| {
        let key = stage.keys.keys().last().unwrap();
        stage.physics.respec(key, &BodySpec { gravity_scale: -1.0, ..walker() }).unwrap();
    };
    let no_block = |stage: &mut Stage| stage.physics.despawn(stage.keys.keys().next().unwrap());
    let lift = |stage: &mut Stage| _ = stage.add(&zone(Shape::Box([40.0, 40.0]), wind(0.0, -1800.0)), 40.0, 40.0);
    // Where it stands, and whether it falls.
    let changes: [(&str, fn(&mut Stage), f32, bool); 5] = [
        ("its own gravity pulls up", lighter, 40.0, false),
        ("the tile below is dug away", |stage| stage.set_tile([2, 3], Tile::EMPTY), 40.0, true),
        ("gravity pulls up", |stage| pull(stage, -900.0), 40.0, false),
        ("a zone lifts it", lift, 40.0, false),
        ("what it stands on is gone", no_block, 56.0, true),
    ];
    for (what, change, x, is_down) in changes {
        let mut stage = Stage::new(&["", "", "", "#####"]);
        stage.add(&BodySpec::fixed(Shape::Box([16.0, 4.0])), 56.0, 30.0);
        let key = stage.add(&walker(), x, 18.0);
        stage.steps(60);
        let before = stage.pos(key);
        stage.steps(10);
        assert_eq!(stage.pos(key), before, "{what}");
        change(&mut stage);
        stage.steps(10);
        let moved = stage.pos(key).y - before.y;
        assert!(if is_down { moved > 4.0 } else { moved < -4.0 }, "{what}: {moved}");
    }
}

fn pull(stage: &mut Stage, gravity_px_s2: f32) {
    let config = PhysicsConfig { gravity_px_s2, ..stage.physics.config().clone() };
    stage.physics.set_config(config);
}
