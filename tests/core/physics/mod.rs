//! Bodies: falling, bouncing, tiles, walkers, flyers, contacts, determinism.

mod bodies;
mod bullets;
mod contacts;
mod crush;
mod feel;
mod floors;
mod flush;
mod joints;
mod lifts;
mod moves;
mod parts;
mod rams;
mod rest;
mod seams;
mod walkers;
mod zones;

use std::sync::Arc;

use glam::Vec2;

use crate::walker::plain_walker;
use levelwright::{
    model::{Layer, LayerContent, Level, LevelView, Shape, Tile, TileDef, TileLayer, TileShape, Tiles, Tileset},
    sim::{
        EntityKey,
        grid::SolidGrid,
        physics::{
            BodyKind, BodySpec, ColliderSpec, Contact, DashSpec, FlyerSpec, Other, Physics, PhysicsConfig, Pose,
            SolverConfig, Touched, WalkInput, WalkerSpec,
        },
    },
};

use slotmap::SlotMap;

const DT: f32 = 1.0 / 64.0;

#[derive(Clone)]
struct Stage {
    physics: Physics,
    keys: SlotMap<EntityKey, ()>,
    level: Level,
    set: Tileset,
    grid: SolidGrid,
}

/// Tiles by letter: `#` stone, `/` and `\` slopes of 45°, `<` and `>` the two halves of a gentle rise to the right, `=`
/// the lower half of a cell, `-` a ledge, `i` ice; with a level top also `t`, the upper half, `v`, `T` and `L`,
/// triangles with their tips below, and `w`, a ledge that narrows downward; `H` a ladder, `E` one with a ledge on top,
/// `~` water, `c` and `C` belts to the right and left; `n` and `N` narrower than their cells, `b` and `B` with a bevel at
/// the left, or at both sides, `r` rounded, `m` 10 px wide.
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
    add('t', poly(&[[0.0, 0.0], [16.0, 0.0], [16.0, 8.0], [0.0, 8.0]]), false, None);
    add('v', poly(&[[0.0, 0.0], [16.0, 0.0], [8.0, 16.0]]), false, None);
    add('T', poly(&[[0.0, 0.0], [16.0, 0.0], [16.0, 16.0]]), false, None);
    add('L', poly(&[[0.0, 0.0], [16.0, 0.0], [0.0, 16.0]]), false, None);
    add('w', poly(&[[0.0, 0.0], [16.0, 0.0], [12.0, 4.0], [4.0, 4.0]]), true, None);
    add('n', poly(&[[0.0, 0.0], [15.0, 0.0], [15.0, 16.0], [0.0, 16.0]]), false, None);
    add('N', poly(&[[0.0, 0.0], [15.8, 0.0], [15.8, 16.0], [0.0, 16.0]]), false, None);
    add('b', poly(&[[0.0, 1.0], [1.0, 0.0], [16.0, 0.0], [16.0, 16.0], [0.0, 16.0]]), false, None);
    add('B', poly(&[[0.0, 1.0], [1.0, 0.0], [15.0, 0.0], [16.0, 1.0], [16.0, 16.0], [0.0, 16.0]]), false, None);
    add(
        'r',
        poly(&[[0.0, 2.0], [0.6, 0.6], [2.0, 0.0], [14.0, 0.0], [15.4, 0.6], [16.0, 2.0], [16.0, 16.0], [0.0, 16.0]]),
        false,
        None,
    );
    add('m', poly(&[[0.0, 0.0], [10.0, 0.0], [10.0, 16.0], [0.0, 16.0]]), false, None);
    let mut more = |letter: char, def: TileDef| {
        set.tiles.insert(u32::from(letter), TileDef { name: letter.into(), ..def });
    };
    let top = poly(&[[0.0, 0.0], [16.0, 0.0], [16.0, 4.0], [0.0, 4.0]]);
    more('H', TileDef { ladder: true, ..TileDef::default() });
    more('E', TileDef { ladder: true, shape: top, one_way: true, ..TileDef::default() });
    more('~', TileDef { water: true, ..TileDef::default() });
    more('c', TileDef { shape: TileShape::Full, conveyor: 60.0, ..TileDef::default() });
    more('C', TileDef { shape: TileShape::Full, conveyor: -60.0, ..TileDef::default() });
    set
}

fn platformer() -> PhysicsConfig {
    PhysicsConfig {
        view: LevelView::Platformer,
        gravity_px_s2: 900.0,
        pixels_per_meter: 16.0,
        dt_secs: 1.0 / 64.0,
        top_down_damping: 6.0,
        contact_speed: 1.0,
        crush_depth: 3.0,
        solver: SolverConfig {
            iterations: 16.0,
            exact_pairs: 2500.0,
            stiffness_hz: 250.0,
            damping: 30.0,
            push_out_speed: 48.0,
            sleep_speed: 0.16,
            sleep_secs: 0.5,
        },
    }
}

impl Stage {
    fn new(rows: &[&str]) -> Self {
        Self::with(rows, platformer())
    }

    fn top_down(rows: &[&str]) -> Self {
        Self::with(rows, PhysicsConfig { view: LevelView::TopDown, ..platformer() })
    }

    fn with(rows: &[&str], config: PhysicsConfig) -> Self {
        Self::of_cells(None, rows, config)
    }

    /// The same on a layer with cells of its own, on a level with cells of 16 pixels.
    fn of_cells(tile_size: Option<[u32; 2]>, rows: &[&str], config: PhysicsConfig) -> Self {
        let mut tiles = Tiles::default();
        for (y, row) in (0..).zip(rows) {
            for (x, letter) in (0..).zip(row.chars()).filter(|(_, letter)| !matches!(letter, ' ' | '.')) {
                tiles.set([x, y], Tile::id_only(u32::from(letter)));
            }
        }
        let content = LayerContent::Tiles(TileLayer { tile_size, ..TileLayer::new("set".into(), tiles) });
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

    /// Put a tile into a cell of the first chunk.
    fn set_tile(&mut self, cell: [i32; 2], tile: Tile) {
        let mut layer = (*self.level.layers[0]).clone();
        let LayerContent::Tiles(tiles) = &mut layer.content else { panic!() };
        tiles.tiles.set(cell, tile);
        self.level.layers[0] = Arc::new(layer);
        self.grid.update(&self.level, |_| Some(&self.set));
        self.physics.update_chunk(&self.grid, [0, 0]);
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
    spec.collider.as_mut().unwrap().parts[0].sensor = true;
    spec
}

fn feet() -> WalkerSpec {
    plain_walker(50_f32.to_radians())
}

fn walker() -> BodySpec {
    BodySpec { walker: Some(feet()), ..BodySpec::dynamic(Shape::Box([12.0, 16.0])) }
}

/// What a letter of a row stands for that a platform pushes: walkers with flat or round feet, a light or a heavy crate, a
/// ball.
fn in_row(letter: char) -> BodySpec {
    let round = BodySpec { walker: Some(feet()), ..BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 18.0 }) };
    match letter {
        'w' => BodySpec { mass: 40.0, ..walker() },
        'r' => BodySpec { mass: 40.0, ..round },
        'c' => BodySpec { mass: 8.0, ..crate_of(15.0) },
        'h' => BodySpec { mass: 20.0, ..crate_of(15.0) },
        'b' => BodySpec { mass: 24.0, ..BodySpec::dynamic(Shape::Circle(7.5)) },
        odd => panic!("no body for {odd:?}"),
    }
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

// ---- tiles

fn flat(width: usize) -> Vec<String> {
    let mut rows = vec![String::new(); 8];
    rows.extend([0, 1].map(|_| "#".repeat(width)));
    rows
}

fn platform(one_way: bool) -> BodySpec {
    let mut spec = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([48.0, 8.0])) };
    spec.collider.as_mut().unwrap().one_way = one_way;
    spec
}

// ---- refusals

#[test]
fn what_makes_no_sense_is_refused_with_a_reason() {
    let mut stage = Stage::new(&[]);
    let key = stage.keys.insert(());
    let at = Vec2::ZERO;
    let mut flat = crate_of(16.0);
    flat.collider.as_mut().unwrap().parts[0].convex.points.iter_mut().for_each(|p| p.y = 0.0);
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
        stage.physics.add_impulse(mad, Vec2::splat(f32::MAX));
        stage.steps(1);
        faults.extend(stage.physics.drain_faults());
    }
    assert!(faults.len() <= 1 && faults.iter().all(|fault| fault.key == mad), "{faults:?}");
    assert!(stage.pos(mad).is_finite() && stage.pos(other).is_finite());
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
                physics.walk(*key, WalkInput { dir, jump: leap, drop: way.is_multiple_of(7), ..WalkInput::default() });
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
fn a_body_that_becomes_static_stands_still() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "######"]);
    let moving = BodySpec { velocity: Vec2::new(20.0, 0.0), spin: 2.0, gravity_scale: 0.0, ..crate_of(20.0) };
    let key = stage.add(&moving, 40.0, 40.0);
    stage.steps(4);
    assert!(stage.pose(key).vel.x > 10.0 && stage.pose(key).spin > 1.0);
    // One that keeps its angle does not turn, and moves on.
    stage.physics.respec(key, &BodySpec { lock_rotation: true, ..moving.clone() }).unwrap();
    assert!(stage.pose(key).vel.x > 10.0 && stage.pose(key).spin == 0.0);
    stage.physics.respec(key, &BodySpec { spin: 1.0, ..moving.clone() }).unwrap();
    stage.physics.respec(key, &BodySpec { kind: BodyKind::Static, ..moving.clone() }).unwrap();
    let still = stage.pose(key);
    assert_eq!((still.vel, still.spin), (Vec2::ZERO, 0.0));
    stage.steps(16);
    assert_eq!(stage.pose(key), still);
    // Nor does it move later by what it did before, or one that is static from the start.
    stage.physics.respec(key, &moving).unwrap();
    assert_eq!(stage.pose(key), still);
    let wall = stage.add(&BodySpec { kind: BodyKind::Static, ..moving }, 80.0, 40.0);
    assert_eq!((stage.pose(wall).vel, stage.pose(wall).spin), (Vec2::ZERO, 0.0));
    let hero = stage.add(&walker(), 80.0, 21.0);
    stage.steps(32);
    assert!(stage.physics.on_ground(hero) && near(stage.pos(hero).x, 80.0, 0.1), "{:?}", stage.pose(hero));
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
    let moving = BodySpec { velocity: Vec2::new(64.0, 0.0), ..platform(false) };
    let belt = stage.add(&moving, 4000.0, 4000.0);
    stage.steps(1);
    assert!(why(&mut stage).is_some_and(|why| why.contains("pairs of bodies")));
    assert_eq!(stage.pos(keys[7]), before, "the solver did not see them");
    assert_eq!(stage.pos(belt).x, 4000.0, "nothing moved");
    let legs = stage.add(&walker(), 4000.0, 4100.0);
    stage.physics.walk(legs, right());
    stage.physics.set_velocity(keys[7], Vec2::X);
    stage.steps(1);
    assert_eq!((stage.pos(legs).x, stage.pose(keys[7]).vel), (4000.0, Vec2::X), "nor does who walks");
    // It goes on once they are fewer.
    keys.iter().for_each(|key| stage.physics.despawn(*key));
    let belt_x = stage.pos(belt).x;
    stage.steps(4);
    assert_eq!((stage.pos(belt).x - belt_x, stage.pose(belt).vel.x), (4.0, 64.0));
    // By moving there; sensors stop no body.
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
