//! Paths on the maps of the `MovingAI` benchmark set: `cargo bench --bench movingai -- MAP SCEN… MAP SCEN…`.
//!
//! One JSON line a map: how many problems, how many were answered wrong or cannot be reached, times in microseconds
//! (mean, median, 99th percentile), expansions, and the same of the `pathfinding` crate's A* with the same costs and
//! estimate, on every n-th problem where that takes long. A path counts as right when each of its steps is allowed and
//! their costs add up to the optimum stated in the file. Without arguments nothing is run.
//!
//! Source: Sturtevant, "Benchmarks for grid-based pathfinding" (format, rules, tolerance).

#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that cannot go on should say where")]

use std::{
    hint::black_box,
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use levelwright::{
    model::{Cell, Layer, LayerContent, Level, Tile, TileDef, TileLayer, TileShape, Tiles, Tileset},
    sim::{
        grid::SolidGrid,
        nav::{Agent, Floor, GridMap, GridQuery, GridSearcher},
    },
};

const WALL: u32 = 1;
/// Of the baseline in all, for a map: as many problems as fit, evenly spread.
const BASELINE: Duration = Duration::from_secs(20);
const SQRT_2: f64 = std::f64::consts::SQRT_2;

struct Problem {
    from: Cell,
    to: Cell,
    optimum: f64,
}

/// Rows of a map: whether each cell is open.
fn read_map(text: &str) -> Option<Vec<Vec<bool>>> {
    let mut lines = text.lines();
    let mut height = 0;
    loop {
        let line = lines.next()?.trim();
        match line.split_once(char::is_whitespace) {
            Some(("height", n)) => height = n.trim().parse().ok()?,
            _ if line == "map" => break,
            _ => {}
        }
    }
    let open = |line: &str| line.trim_end().chars().map(|c| matches!(c, '.' | 'G' | 'S')).collect();
    Some(lines.take(height).map(open).collect())
}

fn read_problems(text: &str) -> Vec<Problem> {
    let problem = |line: &str| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let [.., from_x, from_y, to_x, to_y, optimum] = columns.as_slice() else { return None };
        let cell = |x: &str, y: &str| Some([x.parse().ok()?, y.parse().ok()?]);
        Some(Problem { from: cell(from_x, from_y)?, to: cell(to_x, to_y)?, optimum: optimum.parse().ok()? })
    };
    text.lines().filter(|line| !line.starts_with("version")).filter_map(problem).collect()
}

fn floor_of(rows: &[Vec<bool>]) -> Floor {
    let mut tiles = Tiles::default();
    for (y, row) in (0..).zip(rows) {
        for (x, _) in (0..).zip(row).filter(|(_, is_open)| !**is_open) {
            tiles.set([x, y], Tile::id_only(WALL));
        }
    }
    let mut set = Tileset { tile_size: [16, 16], ..Tileset::default() };
    set.tiles.insert(WALL, TileDef { shape: TileShape::Full, ..TileDef::default() });
    let side = |n: usize| u32::try_from(n).unwrap();
    let level = Level {
        size: Some([side(rows.iter().map(Vec::len).max().unwrap_or(0)), side(rows.len())]),
        layers: vec![Arc::new(Layer::new("map".into(), LayerContent::Tiles(TileLayer::new("map".into(), tiles))))],
        ..Level::default()
    };
    Floor::from(Arc::new(SolidGrid::new(&level, |_| Some(&set))))
}

/// The map as the benchmark's rules see it, without anything of Levelwright.
struct Judge<'a> {
    rows: &'a [Vec<bool>],
}

impl Judge<'_> {
    fn is_open(&self, [x, y]: Cell) -> bool {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        let cell = row.and_then(|row| row.get(usize::try_from(x).ok()?));
        cell.is_some_and(|is_open| *is_open)
    }

    /// Whether a step is allowed, and whether it is diagonal.
    fn step(&self, [x, y]: Cell, [dx, dy]: [i32; 2]) -> Option<bool> {
        let is_diagonal = dx != 0 && dy != 0;
        let is_single = dx.abs() <= 1 && dy.abs() <= 1 && [dx, dy] != [0, 0];
        let is_free = self.is_open([x + dx, y + dy]) && self.is_open([x + dx, y]) && self.is_open([x, y + dy]);
        (is_single && is_free).then_some(is_diagonal)
    }

    /// The cost of a path from one cell to another, recounted; `None` when it is none.
    fn cost(&self, problem: &Problem, cells: &[Cell]) -> Option<f64> {
        if cells.first() != Some(&problem.from) || cells.last() != Some(&problem.to) || !self.is_open(problem.from) {
            return None;
        }
        let steps = cells.windows(2).map(|pair| self.step(pair[0], [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]]));
        steps.map(|is_diagonal| Some(if is_diagonal? { SQRT_2 } else { 1.0 })).sum()
    }

    /// The `pathfinding` crate's A*.
    fn baseline(&self, problem: &Problem) -> Option<f64> {
        const STRAIGHT: u64 = 470_832;
        const DIAGONAL: u64 = 665_857;
        let successors = |&[x, y]: &Cell| {
            let mut found = Vec::with_capacity(8);
            for [dx, dy] in [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]] {
                if let Some(is_diagonal) = self.step([x, y], [dx, dy]) {
                    found.push(([x + dx, y + dy], if is_diagonal { DIAGONAL } else { STRAIGHT }));
                }
            }
            found
        };
        let estimate = |&[x, y]: &Cell| {
            let (dx, dy) = (u64::from(x.abs_diff(problem.to[0])), u64::from(y.abs_diff(problem.to[1])));
            dx.min(dy) * DIAGONAL + (dx.max(dy) - dx.min(dy)) * STRAIGHT
        };
        if !self.is_open(problem.from) || !self.is_open(problem.to) {
            return None;
        }
        let (path, _) = pathfinding::prelude::astar(&problem.from, successors, estimate, |at| *at == problem.to)?;
        self.cost(problem, &path)
    }
}

/// Whether a recounted cost is the optimum. An optimum of 0 between different cells means that there is no path.
fn is_right(problem: &Problem, cost: Option<f64>) -> bool {
    let has_path = problem.optimum > 0.0 || problem.from == problem.to;
    match cost {
        Some(cost) => has_path && (cost - problem.optimum).abs() <= 0.01 + 1e-5 * problem.optimum,
        None => !has_path,
    }
}

/// Mean, median and 99th percentile, in microseconds.
fn times_us(mut times: Vec<Duration>) -> [f64; 3] {
    times.sort_unstable();
    let us = |time: Duration| (time.as_secs_f64() * 1e8).round() / 100.0;
    let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)));
    let mean = times.iter().sum::<Duration>() / u32::try_from(times.len().max(1)).unwrap_or(u32::MAX);
    [us(mean), us(at(50).copied().unwrap_or_default()), us(at(99).copied().unwrap_or_default())]
}

fn run(map_path: &str, scenarios: &[String]) -> Result<serde_json::Value, String> {
    let read = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let rows = read_map(&read(map_path)?).ok_or_else(|| format!("{map_path}: no map of the octile format"))?;
    let mut problems = Vec::new();
    for path in scenarios {
        problems.extend(read_problems(&read(path)?));
    }
    let floor = floor_of(&rows);
    let map = GridMap::new(&floor, &Agent::point("walk")).ok_or_else(|| format!("{map_path}: too large"))?;
    let judge = Judge { rows: &rows };
    let mut searcher = GridSearcher::default();
    let (mut times, mut n_expanded) = (Vec::new(), 0_u64);
    let (mut n_wrong, mut n_unreachable) = (0, 0);
    // What is worked out when first needed is not part of a search.
    if let Some(first) = problems.first() {
        let _ = searcher.find(&map, &GridQuery::new(first.from, first.to));
    }
    for problem in &problems {
        let query = GridQuery::new(black_box(problem.from), black_box(problem.to));
        let begun = Instant::now();
        let path = black_box(searcher.find(black_box(&map), &query));
        times.push(begun.elapsed());
        n_expanded += u64::from(searcher.stats().expanded);
        n_unreachable += usize::from(path.is_none());
        let cost = path.as_ref().and_then(|path| judge.cost(problem, &path.cells));
        // A path that is none is wrong, too.
        n_wrong += usize::from(cost.is_none() != path.is_none() || !is_right(problem, cost));
    }
    let mut baseline = Vec::new();
    let mut ours = Vec::new();
    let mut n_baseline_wrong = 0;
    // Problems come in order of their length: those measured are spread over all of them.
    let begun = Instant::now();
    let n = problems.len();
    let stride = [7919, 7907, 7901, 7883].into_iter().find(|stride| gcd(*stride, n) == 1).unwrap_or(1);
    for i in (0..n).map(|i| i * stride % n) {
        if begun.elapsed() > BASELINE {
            break;
        }
        let start = Instant::now();
        let cost = black_box(judge.baseline(black_box(&problems[i])));
        baseline.push(start.elapsed());
        ours.push(times[i]);
        n_baseline_wrong += usize::from(!is_right(&problems[i], cost));
    }
    let ([mean, p50, p99], n_baseline) = (times_us(times), baseline.len());
    let ratio =
        |of: fn([f64; 3]) -> f64, ours: [f64; 3], theirs: [f64; 3]| (of(theirs) / of(ours) * 10.0).round() / 10.0;
    let (of_ours, of_baseline) = (times_us(ours), times_us(baseline));
    Ok(serde_json::json!({
        "map": Path::new(map_path).file_name().and_then(|name| name.to_str()),
        "problems": n,
        "wrong": n_wrong,
        "unreachable": n_unreachable,
        "mean_us": mean,
        "p50_us": p50,
        "p99_us": p99,
        "expanded": n_expanded,
        "baseline": {
            "crate": "pathfinding",
            "problems": n_baseline,
            "wrong": n_baseline_wrong,
            "mean_us": of_baseline[0],
            "p50_us": of_baseline[1],
            "p99_us": of_baseline[2],
        },
        "times_faster": { "mean": ratio(|it| it[0], of_ours, of_baseline), "p50": ratio(|it| it[1], of_ours, of_baseline) },
    }))
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn main() -> ExitCode {
    let mut maps: Vec<(String, Vec<String>)> = Vec::new();
    // Cargo adds options of its own.
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        let is_map = Path::new(&argument).extension().is_some_and(|extension| extension == "map");
        match maps.last_mut() {
            Some((_, scenarios)) if !is_map => scenarios.push(argument),
            _ => maps.push((argument, Vec::new())),
        }
    }
    for (map, scenarios) in maps {
        match run(&map, &scenarios) {
            Ok(line) => println!("{line}"),
            Err(why) => {
                eprintln!("error: {why}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
