//! Bodies: falling, bouncing, tiles, walkers, flyers, contacts, determinism.

use std::sync::Arc;

use glam::Vec2;
use levelwright::{
    model::{Layer, LayerContent, Level, Shape, Tile, TileDef, TileLayer, TileShape, Tiles, Tileset, View},
    sim::{
        EntityKey,
        grid::SolidGrid,
        physics::{BodyKind, BodySpec, Contact, FlyerSpec, Other, Physics, PhysicsConfig, Pose, WalkInput, WalkerSpec},
    },
};
use slotmap::SlotMap;

const DT: f32 = 1.0 / 64.0;

struct Stage {
    physics: Physics,
    keys: SlotMap<EntityKey, ()>,
    level: Level,
    set: Tileset,
    grid: SolidGrid,
}

/// Tiles by letter: `#` stone, `/` and `\` slopes of 45°, `<` and `>` the two halves of a gentle rise to the right, `=` the
/// lower half of a cell, `-` a ledge, `i` ice.
fn letters() -> Tileset {
    let mut set = Tileset { tile_size: [16, 16], ..Tileset::default() };
    let poly = |points: &[[f64; 2]]| TileShape::Polygon(points.to_vec());
    let mut add = |letter: char, shape: TileShape, one_way: bool, friction: Option<f64>| {
        let def = TileDef { name: letter.into(), shape, one_way, friction, ..TileDef::default() };
        set.tiles.insert(u32::from(letter), def);
    };
    add('#', TileShape::Full, false, None);
    add('i', TileShape::Full, false, Some(0.0));
    add('/', poly(&[[0.0, 16.0], [16.0, 0.0], [16.0, 16.0]]), false, None);
    add('\\', poly(&[[0.0, 0.0], [16.0, 16.0], [0.0, 16.0]]), false, None);
    add('<', poly(&[[0.0, 16.0], [16.0, 8.0], [16.0, 16.0]]), false, None);
    add('>', poly(&[[0.0, 8.0], [16.0, 0.0], [16.0, 16.0], [0.0, 16.0]]), false, None);
    add('=', poly(&[[0.0, 8.0], [16.0, 8.0], [16.0, 16.0], [0.0, 16.0]]), false, None);
    add('-', poly(&[[0.0, 0.0], [16.0, 0.0], [16.0, 4.0], [0.0, 4.0]]), true, None);
    set
}

fn platformer() -> PhysicsConfig {
    PhysicsConfig {
        view: View::Platformer,
        gravity_px_s2: 900.0,
        pixels_per_meter: 16.0,
        dt_secs: 1.0 / 64.0,
        top_down_damping: 6.0,
        contact_speed: 1.0,
    }
}

impl Stage {
    fn new(rows: &[&str]) -> Self {
        Self::with(rows, platformer())
    }

    fn top_down(rows: &[&str]) -> Self {
        Self::with(rows, PhysicsConfig { view: View::TopDown, ..platformer() })
    }

    fn with(rows: &[&str], config: PhysicsConfig) -> Self {
        let mut tiles = Tiles::default();
        for (y, row) in (0..).zip(rows) {
            for (x, letter) in (0..).zip(row.chars()).filter(|(_, letter)| !matches!(letter, ' ' | '.')) {
                tiles.set([x, y], Tile::id_only(u32::from(letter)));
            }
        }
        let content = LayerContent::Tiles(TileLayer { tileset: "set".into(), collide: true, tiles });
        let layers = vec![Arc::new(Layer::new("ground".into(), content))];
        let level = Level { size: None, layers, ..Level::default() };
        let set = letters();
        let grid = SolidGrid::new(&level, |_| Some(&set));
        let mut physics = Physics::new(config);
        physics.set_grid(&grid);
        Self { physics, keys: SlotMap::with_key(), level, set, grid }
    }

    fn add(&mut self, spec: &BodySpec, x: f32, y: f32) -> EntityKey {
        let key = self.keys.insert(());
        self.physics.spawn(key, spec, Vec2::new(x, y), 0.0).unwrap();
        key
    }

    fn pose(&self, key: EntityKey) -> Pose {
        self.physics.pose(key).unwrap()
    }

    fn pos(&self, key: EntityKey) -> Vec2 {
        self.pose(key).pos
    }

    fn steps(&mut self, n: usize) -> Vec<Contact> {
        (0..n).flat_map(|_| self.physics.step()).collect()
    }

    /// Walk for a time; all contacts, and the poses after each tick.
    fn walk(&mut self, key: EntityKey, input: WalkInput, secs: f32) -> (Vec<Contact>, Vec<Pose>) {
        let n = (secs / self.physics.config().dt_secs).round() as usize;
        let (mut contacts, mut poses) = (Vec::new(), Vec::new());
        for i in 0..n {
            self.physics.walk(key, if i == 0 { input } else { WalkInput { jump: None, ..input } });
            contacts.extend(self.physics.step());
            poses.push(self.pose(key));
        }
        (contacts, poses)
    }
}

fn ball(radius: f64) -> BodySpec {
    BodySpec::dynamic(Shape::Circle(radius))
}

fn crate_of(size: f64) -> BodySpec {
    BodySpec::dynamic(Shape::Box([size, size]))
}

fn surface(mut spec: BodySpec, friction: f32, restitution: f32) -> BodySpec {
    let collider = spec.collider.as_mut().unwrap();
    (collider.friction, collider.restitution) = (friction, restitution);
    spec
}

fn sensor(mut spec: BodySpec) -> BodySpec {
    spec.collider.as_mut().unwrap().sensor = true;
    spec
}

fn feet() -> WalkerSpec {
    WalkerSpec {
        speed: 80.0,
        acceleration: 800.0,
        air_control: 0.6,
        jump_speed: 300.0,
        max_slope_rad: 50_f32.to_radians(),
        step_height: 4.0,
        coyote_secs: 0.08,
    }
}

fn walker() -> BodySpec {
    BodySpec { walker: Some(feet()), ..BodySpec::dynamic(Shape::Box([12.0, 16.0])) }
}

fn right() -> WalkInput {
    WalkInput { dir: Vec2::X, ..WalkInput::default() }
}

fn jump() -> WalkInput {
    WalkInput { jump: Some(300.0), ..WalkInput::default() }
}

fn near(a: f32, b: f32, within: f32) -> bool {
    (a - b).abs() <= within
}

// ---- SEMANTICS.md §4, worked

#[test]
fn free_fall_is_symplectic() {
    let config = PhysicsConfig { gravity_px_s2: 10.0, dt_secs: 0.1, ..platformer() };
    for pixels_per_meter in [1.0, 16.0, 100.0] {
        let mut stage = Stage::with(&[], PhysicsConfig { pixels_per_meter, ..config.clone() });
        let falling = stage.add(&ball(4.0), 0.0, 0.0);
        stage.steps(10);
        assert!(near(stage.pos(falling).y, 5.5, 1e-4), "{:?}", stage.pos(falling));
        assert!(near(stage.pose(falling).vel.y, 10.0, 1e-4));
    }
}

#[test]
fn two_masses_share_their_impulse() {
    let config = PhysicsConfig { gravity_px_s2: 0.0, ..platformer() };
    for shape in [Shape::Circle(8.0), Shape::Box([16.0, 16.0])] {
        let mut stage = Stage::with(&[], config.clone());
        let body = |mass: f32, restitution: f32| {
            surface(BodySpec { mass, ..BodySpec::dynamic(shape.clone()) }, 0.0, restitution)
        };
        let a = stage.add(&BodySpec { velocity: Vec2::new(4.0, 0.0), ..body(1.0, 0.25) }, 0.0, 0.0);
        let b = stage.add(&body(3.0, 1.0), 18.0, 0.0);
        stage.steps(192);
        let (va, vb) = (stage.pose(a).vel.x, stage.pose(b).vel.x);
        assert!(near(va, -0.5, 0.01) && near(vb, 1.5, 0.01), "{shape:?}: {va} {vb}");
    }
}

#[test]
fn a_static_partner_has_infinite_mass_and_parting_bodies_are_left_alone() {
    let config = PhysicsConfig { gravity_px_s2: 0.0, ..platformer() };
    let mut stage = Stage::with(&[], config);
    let wall = surface(BodySpec::fixed(Shape::Box([16.0, 64.0])), 0.0, 1.0);
    let wall = stage.add(&wall, 30.0, 0.0);
    let moving = BodySpec { velocity: Vec2::new(60.0, 0.0), ..surface(ball(8.0), 0.0, 0.25) };
    let a = stage.add(&moving, 0.0, 0.0);
    let parting = BodySpec { velocity: Vec2::new(0.0, -60.0), ..surface(ball(8.0), 0.0, 1.0) };
    let b = stage.add(&parting, 30.0, -40.0);
    let contacts = stage.steps(64);
    assert!(near(stage.pose(a).vel.x, -30.0, 0.3), "{:?}", stage.pose(a));
    assert!(near(stage.pose(b).vel.y, -60.0, 0.01));
    assert_eq!(stage.pos(wall), Vec2::new(30.0, 0.0));
    let begins: Vec<_> = contacts.iter().filter(|contact| contact.began).collect();
    assert_eq!(begins.len(), 1, "{contacts:?}");
    let contact = begins[0];
    assert_eq!((contact.a, &contact.b), (wall, &Other::Entity(a)));
    assert!(near(contact.speed, 60.0, 0.1) && contact.normal.abs_diff_eq(Vec2::X, 1e-3), "{contact:?}");
}

// ---- tiles

fn flat(width: usize) -> Vec<String> {
    let mut rows = vec![String::new(); 8];
    rows.extend([0, 1].map(|_| "#".repeat(width)));
    rows
}

#[test]
fn a_box_slides_over_seams_without_catching() {
    let rows = flat(100);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    for spec in [crate_of(16.0), crate_of(12.0), BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 16.0 })] {
        let mut stage = Stage::new(&rows);
        let half = spec.collider.as_ref().unwrap().convex.aabb().hi.y;
        let spec = BodySpec { velocity: Vec2::new(300.0, 0.0), ..surface(spec, 0.0, 0.0) };
        let slider = stage.add(&spec, 40.0, 128.0 - half);
        for _ in 0..(1000.0 / 300.0 / DT) as usize {
            stage.physics.step();
            let Pose { pos, vel, .. } = stage.pose(slider);
            assert!(near(pos.y, 128.0 - half, 0.5), "{pos}");
            assert!(near(vel.x, 300.0, 1.0), "{vel} at {pos}");
        }
        assert!(stage.pos(slider).x > 1030.0);
    }
}

#[test]
fn a_ball_rolls_down_a_slope_onto_the_flat() {
    let mut stage = Stage::new(&[
        "\\",
        "#\\",
        "##\\                                        #",
        "###########################################",
    ]);
    let roller = stage.add(&surface(ball(6.0), 0.6, 0.0), 12.0, -4.0);
    let mut fastest = 0.0_f32;
    stage.steps(24);
    for _ in 0..66 {
        stage.physics.step();
        let Pose { pos, vel, .. } = stage.pose(roller);
        assert!(vel.x > fastest - 5.0, "it caught at {pos}: {vel} after {fastest}");
        fastest = fastest.max(vel.x);
    }
    assert!(fastest > 120.0 && stage.pos(roller).x > 60.0, "{fastest} {:?}", stage.pos(roller));
}

#[test]
fn friction_is_each_tiles_own() {
    let rows = ["", "", "############################", "iiiiiiiiiiiiiiiiiiiiiiiiiiii"];
    let slide = |rows: &[&str], y: f32| {
        let mut stage = Stage::new(rows);
        let slider = stage.add(&BodySpec { velocity: Vec2::new(100.0, 0.0), ..crate_of(16.0) }, 20.0, y);
        stage.steps(96);
        stage.pose(slider).vel.x
    };
    assert!(slide(&rows[..3], 24.0) < 1.0, "stone stops it");
    assert!(slide(&["", "", rows[3]], 24.0) > 95.0, "ice does not");
}

#[test]
fn ledges_let_bodies_through_from_below_and_hold_them_from_above() {
    let mut stage = Stage::new(&["", "", "", "", "------", "", "", "", "######"]);
    let thrown = BodySpec { velocity: Vec2::new(0.0, -420.0), ..crate_of(10.0) };
    let thrown = stage.add(&thrown, 40.0, 120.0);
    let mut highest = f32::INFINITY;
    for _ in 0..128 {
        stage.physics.step();
        highest = highest.min(stage.pos(thrown).y);
    }
    assert!(highest < 40.0, "{highest}");
    assert!(near(stage.pos(thrown).y, 59.0, 1.0), "{:?}", stage.pos(thrown));
}

#[test]
fn digging_a_tile_away_drops_what_rests_on_it() {
    let mut stage = Stage::new(&["", "", "###", "", "", "###"]);
    let resting = stage.add(&crate_of(12.0), 24.0, 26.0);
    stage.steps(256);
    assert!(near(stage.pos(resting).y, 26.0, 0.5));
    let Stage { level, set, grid, physics, .. } = &mut stage;
    let mut layer = (*level.layers[0]).clone();
    let LayerContent::Tiles(tiles) = &mut layer.content else { panic!() };
    (0..3).for_each(|x| assert!(tiles.tiles.set([x, 2], Tile::EMPTY)));
    level.layers[0] = Arc::new(layer);
    grid.update(level, |_| Some(&*set));
    physics.update_chunk(grid, [0, 0]);
    stage.steps(128);
    assert!(near(stage.pos(resting).y, 74.0, 0.5), "{:?}", stage.pos(resting));
}

#[test]
fn a_crate_comes_to_rest_and_a_pile_stays() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "", "##########"]);
    let pile: Vec<_> = (0..6_u8).map(|i| stage.add(&crate_of(14.0), 80.0, 105.0 - f32::from(i) * 14.5)).collect();
    stage.steps(320);
    let before: Vec<_> = pile.iter().map(|key| stage.pos(*key)).collect();
    assert!(pile.iter().all(|key| stage.physics.is_sleeping(*key)));
    stage.steps(320);
    for (key, before) in pile.iter().zip(before) {
        assert!(stage.pos(*key).distance(before) < 0.1 && near(before.x, 80.0, 0.5), "{before}");
    }
}

// ---- walkers

#[test]
fn a_jump_is_as_high_as_its_speed_says_at_any_tick_length() {
    for hz in [30.0, 64.0, 144.0, 240.0] {
        let config = PhysicsConfig { dt_secs: 1.0 / hz, ..platformer() };
        let mut stage = Stage::with(&["", "", "", "", "", "######"], config);
        let hero = stage.add(&walker(), 40.0, 72.0);
        stage.steps(4);
        assert!(stage.physics.on_ground(hero));
        let from = stage.pos(hero).y;
        let (_, poses) = stage.walk(hero, jump(), 1.0);
        let top = poses.iter().map(|pose| pose.pos.y).fold(f32::INFINITY, f32::min);
        let expected = 300.0 * 300.0 / (2.0 * 900.0);
        assert!(near(from - top, expected, expected * 0.01), "{hz} Hz: {}", from - top);
        assert!(stage.physics.on_ground(hero) && near(stage.pos(hero).y, from, 0.1));
    }
}

#[test]
fn walking_reaches_its_speed_and_stops_again() {
    for hz in [32.0, 64.0, 200.0] {
        let config = PhysicsConfig { dt_secs: 1.0 / hz, ..platformer() };
        let rows = flat(40);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut stage = Stage::with(&rows, config);
        let hero = stage.add(&walker(), 40.0, 119.0);
        stage.steps(8);
        let (_, poses) = stage.walk(hero, right(), 2.0);
        let last = poses.last().unwrap();
        // A tenth of a second to get there, at half the speed.
        assert!(near(last.pos.x, 40.0 + 80.0 * 1.95, 1.0), "{hz} Hz: {}", last.pos.x);
        assert!(near(last.vel.x, 80.0, 0.01) && near(last.pos.y, 120.0, 0.1), "{last:?}");
        let (_, poses) = stage.walk(hero, WalkInput::default(), 0.5);
        assert_eq!(poses.last().unwrap().vel, Vec2::ZERO);
    }
}

#[test]
fn walkers_go_up_and_down_slopes_without_leaving_the_ground() {
    let rows = [
        "                            ",
        "                            ",
        "      /##\\                  ",
        "     /####\\      <>#########",
        "############################",
    ];
    for shape in [Shape::Box([12.0, 16.0]), Shape::Capsule { radius: 6.0, height: 18.0 }, Shape::Circle(8.0)] {
        let mut stage = Stage::new(&rows);
        let spec = BodySpec { walker: Some(feet()), ..BodySpec::dynamic(shape.clone()) };
        let hero = stage.add(&spec, 20.0, 50.0);
        stage.steps(32);
        let mut highest = f32::INFINITY;
        for i in 0..64 * 5 {
            stage.physics.walk(hero, right());
            stage.physics.step();
            let Pose { pos, vel, .. } = stage.pose(hero);
            assert!(stage.physics.on_ground(hero), "{shape:?} left the ground at {pos} with {vel}");
            assert!(i < 10 || near(vel.length(), 80.0, 1.0), "{shape:?} slowed at {pos} to {vel}");
            highest = highest.min(pos.y);
        }
        assert!(highest < 28.0, "{shape:?} got over the hill: {highest}");
        assert!(stage.pos(hero).x > 300.0, "{shape:?}: {:?}", stage.pos(hero));
    }
}

#[test]
fn steep_slopes_and_walls_stop_walkers_low_steps_do_not() {
    let steep = BodySpec { walker: Some(WalkerSpec { max_slope_rad: 30_f32.to_radians(), ..feet() }), ..walker() };
    let mut stage = Stage::new(&["", "", "       /###", "###########"]);
    let hero = stage.add(&steep, 40.0, 39.0);
    stage.steps(8);
    stage.walk(hero, right(), 2.0);
    assert!(near(stage.pos(hero).x, 112.0 - 6.0, 0.5) && near(stage.pos(hero).y, 40.0, 0.2), "{:?}", stage.pos(hero));

    let mut stage = Stage::new(&["            #", "     =======#", "#############"]);
    let stepper = BodySpec { walker: Some(WalkerSpec { step_height: 9.0, ..feet() }), ..walker() };
    let hero = stage.add(&stepper, 40.0, 23.0);
    stage.steps(8);
    let (_, poses) = stage.walk(hero, right(), 3.0);
    assert!(near(stage.pos(hero).x, 192.0 - 6.0, 0.5) && near(stage.pos(hero).y, 16.0, 0.2), "{:?}", stage.pos(hero));
    assert!(poses[12..90].iter().all(|pose| pose.vel.x > 79.0), "a step does not slow it");

    // Round feet would land on the corner of the step and slide off it.
    let mut stage = Stage::new(&["            #", "     =======#", "#############"]);
    let round = BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 16.0 });
    let stepper = BodySpec { walker: Some(WalkerSpec { step_height: 9.0, ..feet() }), ..round };
    let hero = stage.add(&stepper, 40.0, 23.0);
    stage.steps(8);
    stage.walk(hero, right(), 3.0);
    assert!(near(stage.pos(hero).x, 192.0 - 5.0, 0.5) && near(stage.pos(hero).y, 16.0, 0.2), "{:?}", stage.pos(hero));

    let mut stage = Stage::new(&["", "     =======#", "#############"]);
    let hero = stage.add(&walker(), 40.0, 23.0);
    stage.steps(8);
    let (contacts, poses) = stage.walk(hero, right(), 2.0);
    assert!(near(stage.pos(hero).x, 74.0, 0.5), "8 px are a wall to 4: {:?}", stage.pos(hero));
    assert_eq!(poses.last().unwrap().vel, Vec2::ZERO);
    let bumps: Vec<_> = contacts.iter().filter(|c| c.began && c.normal.x < -0.9).collect();
    assert_eq!(bumps.len(), 1, "{contacts:?}");
    assert!(
        near(bumps[0].speed, 80.0, 1.0) && bumps[0].b == Other::Tile { cell: [5, 1], name: "=".into() },
        "{bumps:?}"
    );
}

#[test]
fn a_ceiling_stops_a_jump() {
    let mut stage = Stage::new(&["####", "", "", "####"]);
    let hero = stage.add(&walker(), 30.0, 39.0);
    stage.steps(8);
    let (_, poses) = stage.walk(hero, jump(), 0.5);
    let top = poses.iter().position(|pose| pose.pos.y < 24.1).unwrap();
    assert!(poses[top + 1..].iter().all(|pose| pose.vel.y >= 0.0), "it falls at once: {:?}", &poses[top..top + 4]);
    assert!(poses.iter().all(|pose| pose.pos.y >= 24.0));
}

#[test]
fn coyotes_may_jump_a_moment_after_the_edge() {
    let try_after = |secs: f32| {
        let mut stage = Stage::new(&["", "", "", "####"]);
        let hero = stage.add(&walker(), 50.0, 39.0);
        stage.steps(8);
        while stage.physics.on_ground(hero) {
            stage.walk(hero, right(), DT);
        }
        stage.walk(hero, right(), secs);
        stage.walk(hero, jump(), DT);
        stage.pose(hero).vel.y < 0.0
    };
    assert!(try_after(0.05) && !try_after(0.12));
}

#[test]
fn ledges_are_jumped_through_and_dropped_through() {
    let mut stage = Stage::new(&["", "", "", "------", "", "", "######"]);
    let hero = stage.add(&walker(), 40.0, 87.0);
    stage.steps(8);
    stage.walk(hero, WalkInput { jump: Some(360.0), ..WalkInput::default() }, 1.2);
    assert!(near(stage.pos(hero).y, 40.0, 0.2), "on the ledge: {:?}", stage.pos(hero));
    stage.walk(hero, WalkInput { drop: true, ..WalkInput::default() }, DT);
    stage.walk(hero, WalkInput::default(), 1.0);
    assert!(near(stage.pos(hero).y, 88.0, 0.2), "on the floor: {:?}", stage.pos(hero));
    stage.walk(hero, WalkInput { drop: true, ..WalkInput::default() }, 1.0);
    assert!(near(stage.pos(hero).y, 88.0, 0.2), "nothing drops through stone");
    // Sideways a ledge is air.
    let mut stage = Stage::new(&["    ----", "########"]);
    let hero = stage.add(&walker(), 20.0, 7.0);
    stage.steps(8);
    stage.walk(hero, right(), 0.8);
    assert!(stage.pos(hero).x > 75.0, "{:?}", stage.pos(hero));
}

fn platform(one_way: bool) -> BodySpec {
    let mut spec = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([48.0, 8.0])) };
    spec.collider.as_mut().unwrap().one_way = one_way;
    spec
}

#[test]
fn platforms_carry_walkers_and_crates() {
    for one_way in [false, true] {
        let mut stage = Stage::new(&[]);
        let lift = stage.add(&platform(one_way), 100.0, 100.0);
        let hero = stage.add(&walker(), 90.0, 87.0);
        let cargo = stage.add(&crate_of(10.0), 112.0, 91.0);
        stage.steps(32);
        assert!(stage.physics.on_ground(hero));
        let mut at = Vec2::new(100.0, 100.0);
        for i in 0..256 {
            let vel = match i / 64 {
                0 => Vec2::new(60.0, 0.0),
                1 => Vec2::new(0.0, -60.0),
                2 => Vec2::new(0.0, 90.0),
                _ => Vec2::new(-40.0, -40.0),
            };
            at += vel * DT;
            stage.physics.set_next_pose(lift, at, 0.0);
            stage.physics.step();
            assert!(stage.physics.on_ground(hero), "tick {i}: {:?} on {at}", stage.pose(hero));
            let offset = stage.pos(hero) - at;
            assert!(near(offset.x, -10.0, 0.2) && near(offset.y, -12.0, 0.2), "tick {i}, one way {one_way}: {offset}");
            assert!((stage.pose(hero).vel - vel).length() < 1.0, "{:?} {vel}", stage.pose(hero).vel);
        }
        assert!(
            near(stage.pos(cargo).y, at.y - 9.0, 1.5) && near(stage.pos(cargo).x, at.x + 12.0, 8.0),
            "{} {at}",
            stage.pos(cargo)
        );
        // Who jumps off takes the platform's speed along.
        stage.physics.set_next_pose(lift, at + Vec2::new(2.0, 0.0), 0.0);
        stage.walk(hero, jump(), DT);
        assert!(near(stage.pose(hero).vel.x, 128.0, 60.0), "{:?}", stage.pose(hero));
    }
}

#[test]
fn platforms_push_who_stands_in_their_way() {
    let mut stage = Stage::new(&["", "", "", "############"]);
    let wall = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([8.0, 24.0])) };
    let wall = BodySpec { velocity: Vec2::new(40.0, 0.0), ..wall };
    stage.add(&wall, 20.0, 35.0);
    let hero = stage.add(&walker(), 40.0, 39.0);
    stage.steps(64);
    assert!(near(stage.pos(hero).x, 70.0, 1.0), "{:?}", stage.pos(hero));
}

#[test]
fn walkers_push_crates_and_are_slowed_by_them() {
    let mut stage = Stage::new(&["", "", "", "##############################"]);
    let hero = stage.add(&BodySpec { mass: 10.0, ..walker() }, 40.0, 39.0);
    let light = stage.add(&surface(BodySpec { mass: 2.0, ..crate_of(14.0) }, 0.3, 0.0), 80.0, 40.0);
    let heavy = stage.add(&BodySpec { mass: 5000.0, ..crate_of(14.0) }, 300.0, 40.0);
    stage.steps(16);
    stage.walk(hero, right(), 1.5);
    assert!(stage.pos(light).x > 100.0, "{:?}", stage.pos(light));
    assert!(stage.pos(hero).x < stage.pos(light).x - 12.5, "not inside it");
    stage.walk(hero, right(), 4.0);
    assert!(near(stage.pos(heavy).x, 300.0, 1.0), "{:?}", stage.pos(heavy));
    assert!(stage.pos(hero).x < 282.0, "{:?}", stage.pos(hero));
}

#[test]
fn seen_from_above_all_eight_ways_are_as_fast() {
    let mut stage = Stage::top_down(&["#########", "#       #", "#       #", "#       #", "#       #", "#########"]);
    let hero = stage.add(&walker(), 40.0, 40.0);
    let (_, poses) = stage.walk(hero, WalkInput { dir: Vec2::ONE, ..WalkInput::default() }, 0.4);
    assert!(near(poses.last().unwrap().vel.length(), 80.0, 0.1), "{:?}", poses.last());
    // Into the wall at the bottom: it slides to the corner.
    let (contacts, poses) = stage.walk(hero, WalkInput { dir: Vec2::ONE, ..WalkInput::default() }, 3.0);
    let last = poses.last().unwrap();
    assert!(near(last.pos.x, 122.0, 0.2) && near(last.pos.y, 72.0, 0.2), "{last:?}");
    assert_eq!(contacts.iter().filter(|contact| contact.began).count(), 2, "{contacts:?}");
    let loose = stage.add(&BodySpec { velocity: Vec2::new(30.0, 0.0), ..ball(4.0) }, 40.0, 40.0);
    stage.steps(128);
    assert!(stage.pose(loose).vel.length() < 0.01, "the floor brakes it");
}

#[test]
fn flyers_gain_speed_evenly_and_slide_on_walls() {
    let mut stage = Stage::new(&["############", "", "", "", "", "", "############"]);
    let wings = FlyerSpec { speed: 100.0, acceleration: 200.0, arrive_radius: 24.0 };
    let bat = BodySpec { flyer: Some(wings), ..BodySpec::dynamic(Shape::Circle(5.0)) };
    let bat = stage.add(&bat, 20.0, 50.0);
    stage.physics.fly(bat, Vec2::new(60.0, -80.0));
    stage.steps(16);
    assert!(near(stage.pose(bat).vel.length(), 50.0, 0.5));
    stage.steps(80);
    let Pose { pos, vel, .. } = stage.pose(bat);
    assert!(near(pos.y, 21.0, 0.1) && near(vel.x, 60.0, 0.1) && near(vel.y, 0.0, 0.1), "{pos} {vel}");
}

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

// ---- refusals

#[test]
fn what_makes_no_sense_is_refused_with_a_reason() {
    let mut stage = Stage::new(&[]);
    let key = stage.keys.insert(());
    let at = Vec2::ZERO;
    let mut flat = crate_of(16.0);
    flat.collider.as_mut().unwrap().convex.points.iter_mut().for_each(|p| p.y = 0.0);
    assert!(stage.physics.spawn(key, &flat, at, 0.0).unwrap_err().contains("size"));
    let weightless = BodySpec { mass: 0.0, ..ball(4.0) };
    assert!(stage.physics.spawn(key, &weightless, at, 0.0).unwrap_err().contains("mass"));
    let racing = BodySpec { velocity: Vec2::new(f32::NAN, 0.0), ..ball(4.0) };
    assert!(stage.physics.spawn(key, &racing, at, 0.0).is_err());
    assert!(stage.physics.spawn(key, &ball(4.0), Vec2::new(f32::INFINITY, 0.0), 0.0).is_err());
    assert!(!stage.physics.contains(key));
    let fine = stage.add(&ball(4.0), 0.0, 0.0);
    stage.physics.add_impulse(fine, Vec2::new(f32::NAN, 0.0));
    stage.physics.set_pose(fine, Vec2::splat(f32::NAN), 0.0);
    stage.physics.set_velocity(fine, Vec2::splat(f32::INFINITY));
    stage.steps(2);
    assert!(stage.pos(fine).is_finite() && stage.physics.drain_faults().is_empty());
}

#[test]
fn a_body_that_runs_away_is_taken_out_and_told_once() {
    let mut stage = Stage::new(&["", "", "####"]);
    let mad = stage.add(&ball(4.0), 30.0, 10.0);
    let other = stage.add(&ball(4.0), 50.0, 10.0);
    stage.physics.set_velocity(mad, Vec2::splat(3e38));
    stage.physics.add_impulse(mad, Vec2::splat(3e38));
    let mut faults = Vec::new();
    for _ in 0..8 {
        stage.physics.add_force(mad, Vec2::splat(f32::MAX));
        stage.steps(1);
        faults.extend(stage.physics.drain_faults());
    }
    assert!(faults.len() <= 1 && faults.iter().all(|fault| fault.key == mad), "{faults:?}");
    assert!(stage.pos(mad).is_finite() && stage.pos(other).is_finite());
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
    assert_eq!(stage.physics.outline(resting).unwrap().len(), 4);
    let outline = stage.physics.tile_outlines(Vec2::ZERO, Vec2::splat(100.0));
    assert_eq!(outline.len(), 4, "slope, top, right, bottom: {outline:?}");
    let contacts = stage.physics.contact_views();
    assert!(
        !contacts.is_empty()
            && contacts.iter().all(|c| c.a == resting && c.normal.y < -0.9 && near(c.point.y, 32.0, 0.5)),
        "{contacts:?}"
    );
    let why = stage.physics.explain_tile(resting, [2, 2]);
    assert_eq!(why.len(), 1);
    assert!(why[0].axes.len() == 8);
}

// ---- determinism

fn busy() -> (Stage, Vec<EntityKey>) {
    let mut stage = Stage::new(&[
        "                                        ",
        "          ---                           ",
        "                   ====                 ",
        "   /####\\             <>##      /\\      ",
        "########################################",
        "########################################",
    ]);
    let mut keys = Vec::new();
    for i in 0..40_u8 {
        let x = 20.0 + f32::from(i) * 14.0;
        let spec = match i % 4 {
            0 => surface(ball(5.0), 0.5, 0.7),
            1 => crate_of(11.0),
            2 => walker(),
            _ => BodySpec {
                flyer: Some(FlyerSpec { speed: 90.0, acceleration: 240.0, arrive_radius: 24.0 }),
                ..BodySpec::dynamic(Shape::Circle(4.0))
            },
        };
        keys.push(stage.add(&spec, x, 10.0 + f32::from(i % 5) * 3.0));
    }
    let lift = stage.add(&platform(true), 300.0, 40.0);
    keys.push(lift);
    (stage, keys)
}

fn drive(physics: &mut Physics, keys: &[EntityKey], from: u64, n: u64) -> Vec<u64> {
    (from..from + n)
        .map(|tick| {
            for (i, key) in (0..).zip(keys) {
                let way = levelwright::model::mix(tick / 40 * 64 + i);
                let dir = Vec2::new([-1.0, 0.0, 1.0][(way % 3) as usize], [-1.0, 1.0][(way / 3 % 2) as usize]);
                let leap = (way.is_multiple_of(5)).then_some(300.0);
                physics.walk(*key, WalkInput { dir, jump: leap, drop: way.is_multiple_of(7) });
                physics.fly(*key, dir * 70.0);
            }
            physics.set_next_pose(keys[40], Vec2::new(300.0 + (tick % 128) as f32, 40.0), 0.0);
            let contacts = physics.step();
            contacts.iter().fold(physics.hash(), |hash, c| levelwright::model::mix(hash ^ u64::from(c.speed.to_bits())))
        })
        .collect()
}

#[test]
fn equal_runs_are_equal_bit_for_bit_with_a_snapshot_in_the_middle() {
    let (mut one, keys) = busy();
    let (mut two, same) = busy();
    assert_eq!(keys, same);
    let first = drive(&mut one.physics, &keys, 0, 400);
    assert_eq!(first, drive(&mut two.physics, &keys, 0, 400));
    let snapshot = one.physics.clone();
    let rest = drive(&mut one.physics, &keys, 400, 600);
    let mut restored = snapshot.clone();
    assert_eq!(restored.hash(), two.physics.hash());
    assert_eq!(drive(&mut restored, &keys, 400, 600), rest);
    assert_eq!(drive(&mut two.physics, &keys, 400, 600), rest);
    let mut again = snapshot;
    assert_eq!(drive(&mut again, &keys, 400, 600), rest);
    assert!(keys.iter().all(|key| one.physics.pose(*key).unwrap().pos.is_finite()));
}

#[test]
fn fast_bodies_do_not_tunnel_and_buried_ones_stay_put() {
    for (speed, bullet) in [(600.0, false), (1500.0, false), (4000.0, true)] {
        let mut stage = Stage::with(&["#                  #"], PhysicsConfig { gravity_px_s2: 0.0, ..platformer() });
        let shot = BodySpec { velocity: Vec2::new(speed, 0.0), bullet, ..surface(ball(2.0), 0.0, 0.0) };
        let shot = stage.add(&shot, 40.0, 8.0);
        let contacts = stage.steps(64);
        assert!(stage.pos(shot).x < 304.0, "{speed}: {:?}", stage.pos(shot));
        let hits: Vec<_> = contacts.iter().filter(|contact| contact.began).collect();
        assert!(hits.len() == 1 && near(hits[0].speed, speed, speed * 0.02), "{speed}: {hits:?}");
        assert_eq!(hits[0].b, Other::Tile { cell: [19, 0], name: "#".into() });
    }
    let mut stage = Stage::new(&["####", "####", "####"]);
    let buried = stage.add(&crate_of(8.0), 30.0, 22.0);
    stage.steps(64);
    assert_eq!(stage.pos(buried), Vec2::new(30.0, 22.0));
}

#[test]
fn kinematic_bodies_and_sensors_tell_what_they_meet() {
    let mut stage = Stage::new(&["          #", "          #", "          #", "          #"]);
    let told = |shape| BodySpec { kind: BodyKind::Kinematic, velocity: Vec2::new(60.0, 0.0), ..BodySpec::fixed(shape) };
    let plate = stage.add(&sensor(BodySpec::fixed(Shape::Circle(4.0))), 80.0, 10.0);
    let rocket = stage.add(&told(Shape::Box([8.0, 4.0])), 20.0, 10.0);
    let probe = stage.add(&sensor(told(Shape::Box([8.0, 4.0]))), 20.0, 40.0);
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
fn a_spec_changes_under_way_and_pose_and_velocity_stay() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "######"]);
    let key = stage.add(&BodySpec { velocity: Vec2::new(10.0, 0.0), ..crate_of(12.0) }, 30.0, 10.0);
    stage.steps(16);
    let before = stage.pose(key);
    stage.physics.respec(key, &crate_of(20.0)).unwrap();
    assert_eq!(stage.pose(key), before);
    assert!(stage.physics.respec(key, &BodySpec { mass: f32::NAN, ..crate_of(8.0) }).is_err());
    stage.steps(128);
    assert!(near(stage.pos(key).y, 86.0, 0.5), "{:?}", stage.pos(key));
    let hero = stage.add(&walker(), 60.0, 87.0);
    stage.steps(4);
    let mut spec = walker();
    spec.walker.as_mut().unwrap().speed = 40.0;
    stage.physics.respec(hero, &spec).unwrap();
    assert!(stage.physics.on_ground(hero), "it still stands");
    stage.walk(hero, right(), 0.5);
    assert!(near(stage.pose(hero).vel.x, 40.0, 0.1));
}

#[test]
fn bodies_that_converge_reach_the_solver_only_up_to_the_limit() {
    let loose = BodySpec { gravity_scale: 0.0, ..ball(4.0) };
    let apart = |spec: &BodySpec| {
        let mut stage = Stage::top_down(&[]);
        let keys: Vec<_> =
            (0..1100_u16).map(|i| stage.add(spec, f32::from(i % 40) * 20.0, f32::from(i / 40) * 20.0)).collect();
        (stage, keys)
    };
    let why = |stage: &mut Stage| stage.physics.take_overload();
    // By being put there, as a migration does.
    let (mut stage, keys) = apart(&loose);
    stage.steps(1);
    assert_eq!(why(&mut stage), None);
    keys.iter().for_each(|key| stage.physics.set_pose(*key, Vec2::splat(40.0), 0.0));
    let before = stage.pos(keys[7]);
    stage.steps(1);
    assert!(why(&mut stage).is_some_and(|why| why.contains("pairs of bodies")));
    assert_eq!(stage.pos(keys[7]), before, "the solver did not see them");
    // By moving there; sensors stop nobody.
    let (mut stage, keys) = apart(&sensor(loose));
    let crowded = (0..60).find_map(|_| {
        for key in &keys {
            let way = Vec2::splat(40.0) - stage.pos(*key);
            stage.physics.set_velocity(*key, way / DT);
        }
        stage.steps(1);
        why(&mut stage)
    });
    assert!(crowded.is_some_and(|why| why.contains("pairs of bodies")));
}
