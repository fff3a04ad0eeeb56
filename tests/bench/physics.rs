//! What a physics step costs: a pyramid beside bare rapier2d, a heap that lands, and a crowd on a large level.
//!
//! A program of its own rather than a `divan` one, because it tells ratios within one run and 99th percentiles. A word
//! after `--` runs only what has it in its name: `cargo bench --bench physics -- boxes`.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::wildcard_imports,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::type_complexity,
    clippy::field_reassign_with_default,
    reason = "tests and benches make up small numbers and short texts"
)]
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a measurement prints and may stop")]

use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

use glam::Vec2;
use levelwright::{
    model::{Layer, LayerContent, Level, LevelView, Shape, Tile, TileDef, TileLayer, TileShape, Tiles, Tileset},
    sim::{
        EntityKey,
        grid::SolidGrid,
        physics::{BodySpec, Physics, PhysicsConfig, SolverConfig, WalkInput},
    },
};
use rapier2d::prelude::{ColliderBuilder, IntegrationParameters, PhysicsWorld, RigidBodyBuilder, SpringCoefficients};
use slotmap::SlotMap;

#[path = "../corpora/walker.rs"]
mod walker;

use walker::plain_walker;

const BASE: u16 = 100;
const BOX: f32 = 16.0;

fn main() {
    let word = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    if "pyramid".contains(&word) {
        pyramid();
    }
    if "500 balls".contains(&word) {
        landing();
    }
    for (name, walkers) in [("500 walkers", true), ("500 loose boxes", false)] {
        for edits in [false, true].into_iter().filter(|_| name.contains(&word)) {
            crowd(name, walkers, edits);
        }
    }
}

fn places() -> impl Iterator<Item = Vec2> {
    (0..BASE).flat_map(|row| {
        (0..BASE - row).map(move |i| {
            let x = f32::from(i) * (BOX + 1.0) + f32::from(row) * (BOX + 1.0) / 2.0;
            Vec2::new(x, -BOX / 2.0 - f32::from(row) * (BOX + 0.1))
        })
    })
}

fn report(name: &str, mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!("{name:<44} median {:>9.3?}  p99 {:>9.3?}  max {:>9.3?}", at(50), at(99), at(100));
    times.iter().sum()
}

/// The pyramid in rapier2d alone.
fn bare_pyramid(softness: impl Fn(f32) -> SpringCoefficients<f32>) -> PhysicsWorld {
    let mut bare = PhysicsWorld::default();
    bare.gravity = Vec2::new(0.0, 900.0);
    bare.integration_parameters = IntegrationParameters {
        dt: 1.0 / 64.0,
        length_unit: 16.0,
        contact_softness: softness(30.0),
        static_contact_softness: softness(60.0),
        ..IntegrationParameters::default()
    };
    let ground = bare.bodies.insert(RigidBodyBuilder::fixed().translation(Vec2::new(800.0, 50.0)));
    bare.colliders.insert_with_parent(ColliderBuilder::cuboid(4000.0, 50.0), ground, &mut bare.bodies);
    for place in places() {
        let body = bare.bodies.insert(RigidBodyBuilder::dynamic().translation(place));
        let collider = ColliderBuilder::cuboid(BOX / 2.0, BOX / 2.0).friction(0.6).mass(1.0);
        bare.colliders.insert_with_parent(collider, body, &mut bare.bodies);
    }
    bare
}

/// Beside rapier2d with the contact damping of this program, which is the price of what is around the solver, and with
/// rapier's own damping, with which stacks give way a little and are cheaper.
fn pyramid() {
    let softness = |damping_ratio| move |natural_frequency| SpringCoefficients { natural_frequency, damping_ratio };
    let mut same = bare_pyramid(softness(config().solver.damping));
    let mut default = bare_pyramid(softness(10.0));

    let mut ours = Physics::new(config());
    let mut keys: SlotMap<EntityKey, ()> = SlotMap::with_key();
    let ground = BodySpec::fixed(Shape::Box([8000.0, 100.0]));
    ours.spawn(keys.insert(()), &ground, Vec2::new(800.0, 50.0), 0.0).unwrap();
    let spec = BodySpec::dynamic(Shape::Box([f64::from(BOX), f64::from(BOX)]));
    for place in places() {
        ours.spawn(keys.insert(()), &spec, place, 0.0).unwrap();
    }
    let mut times = [(); 3].map(|()| Vec::new());
    for _ in 0..240 {
        let steps: [&mut dyn FnMut(); 3] =
            [&mut || black_box(&mut same).step(), &mut || black_box(&mut default).step(), &mut || {
                _ = black_box(black_box(&mut ours).step());
            }];
        for (step, times) in steps.into_iter().zip(&mut times) {
            let start = Instant::now();
            step();
            times.push(start.elapsed());
        }
    }
    let names = ["bare rapier2d, damped alike", "bare rapier2d", "ours"];
    let mut sums = [Duration::ZERO; 3];
    for ((name, times), sum) in names.into_iter().zip(times).zip(&mut sums) {
        *sum = report(&format!("pyramid of 5 050, {name}"), times);
    }
    let [same, default, ours] = sums.map(|sum| sum.as_secs_f64());
    println!("ratio {:.3}, to rapier2d with its own damping {:.3}", ours / same, ours / default);
}

fn config() -> PhysicsConfig {
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

/// Balls that fall into a heap, in a pit of tiles.
fn landing() {
    let (width, depth) = (40, 60);
    let is_ground = |[x, y]: [i32; 2]| x == 0 || x == width - 1 || y == depth - 1;
    let (level, set) = level_of([width, depth], is_ground);
    let mut physics = Physics::new(config());
    physics.set_grid(&SolidGrid::new(&level, |_| Some(&set)));
    let mut keys: SlotMap<EntityKey, ()> = SlotMap::with_key();
    let ball = BodySpec::dynamic(Shape::Circle(6.0));
    for i in 0..500_u16 {
        let pos =
            Vec2::new(30.0 + f32::from(i % 40) * 14.5 + f32::from(i / 40 % 2) * 3.0, 400.0 - f32::from(i / 40) * 15.0);
        physics.spawn(keys.insert(()), &ball, pos, 0.0).unwrap();
    }
    let mut times = Vec::new();
    for _ in 0..192 {
        let start = Instant::now();
        black_box(black_box(&mut physics).step());
        times.push(start.elapsed());
    }
    report("500 balls that fall and land", times);
}

/// A level of whole cells.
fn level_of([w, h]: [i32; 2], is_ground: impl Fn([i32; 2]) -> bool) -> (Level, Tileset) {
    let mut set = Tileset { tile_size: [16, 16], ..Tileset::default() };
    set.tiles.insert(1, TileDef { shape: TileShape::Full, ..TileDef::default() });
    let mut tiles = Tiles::default();
    for cell in (0..h).flat_map(|y| (0..w).map(move |x| [x, y])).filter(|cell| is_ground(*cell)) {
        tiles.set(cell, Tile::id_only(1));
    }
    let content = LayerContent::Tiles(TileLayer::new("set".into(), tiles));
    let layers = vec![Arc::new(Layer::new("ground".into(), content))];
    (Level { size: Some([w as u32, h as u32]), layers, ..Level::default() }, set)
}

fn crowd(name: &str, walkers: bool, edits: bool) {
    let (mut level, set) = level_of([1000, 1000], |[x, y]| {
        let is_bump = || y % 8 == 3 && levelwright::model::mix((y * 1000 + x) as u64).is_multiple_of(20);
        y % 8 > 3 || x % 100 == 0 || is_bump()
    });
    let mut grid = SolidGrid::new(&level, |_| Some(&set));
    let start = Instant::now();
    let mut physics = Physics::new(config());
    physics.set_grid(&grid);
    let built = start.elapsed();
    let mut keys: SlotMap<EntityKey, ()> = SlotMap::with_key();
    let walk = walkers.then(|| plain_walker(0.9));
    let spec = BodySpec { walker: walk, ..BodySpec::dynamic(Shape::Box([12.0, 14.0])) };
    let movers: Vec<EntityKey> = (0..500_u16)
        .map(|i| {
            let key = keys.insert(());
            let pos = Vec2::new(f32::from(i % 25) * 620.0 + 40.0, f32::from(i / 25) * 6.0 * 128.0 + 30.0);
            physics.spawn(key, &spec, pos, 0.0).unwrap();
            key
        })
        .collect();
    let mut times = Vec::new();
    for tick in 0..1000_u64 {
        for (i, key) in (0..).zip(&movers) {
            let way = levelwright::model::mix(tick / 64 * 512 + i);
            let dir = Vec2::new(if way.is_multiple_of(2) { 1.0 } else { -1.0 }, 0.0);
            let jump = ((tick + i) % 32 == 0).then_some(300.0);
            physics.walk(*key, WalkInput { dir, jump, ..WalkInput::default() });
            if !walkers && (tick + i) % 16 == 0 {
                physics.add_impulse(*key, Vec2::new(dir.x * 120.0, -60.0));
            }
        }
        let cell = [(tick as i32 * 37) % 1000, (tick as i32 * 53) % 1000];
        if edits {
            let mut layer = (*level.layers[0]).clone();
            if let LayerContent::Tiles(tiles) = &mut layer.content {
                let now = if tiles.tiles.get(cell).is_empty() { Tile::id_only(1) } else { Tile::EMPTY };
                tiles.tiles.set(cell, now);
            }
            level.layers[0] = Arc::new(layer);
            grid.update(&level, |_| Some(&set));
        }
        let start = Instant::now();
        if edits {
            physics.update_chunk(black_box(&grid), cell.map(|c| c.div_euclid(32)));
        }
        black_box(&mut physics).step();
        times.push(start.elapsed());
    }
    let edited = if edits { ", an edit a step" } else { "" };
    report(&format!("{name} on 500 000 tiles{edited}"), times);
    println!("    taking the level over: {built:.3?}");
}
