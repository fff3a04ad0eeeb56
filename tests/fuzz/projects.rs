//! Whole projects in memory with damaged documents: resolved, checked, fixed, renamed in, exported and run.

use std::{collections::BTreeMap, sync::Arc};

use levelwright::{
    check::{self, Images, Which},
    defs::{self, Resolution},
    edit::apply_all,
    io::{
        self, Sources,
        export::{Format, export, put},
        load_one,
        report::Report,
        same, source_of, text_of,
    },
    model::{Builtin, DocPath, Link, LinkBy, Project, Severity},
    raster::Image,
    refactor::{self, NameKind, Named},
    sim::{Input, Options, World, grid::SolidGrid, nav, scenario::Runner},
};

use super::{
    corpus::{Dice, Files, projects},
    guard, mutate,
};

/// Memory: a world with its physics takes some megabytes, whatever is in it.
const MEMORY: (u64, u64) = (100, 64 << 20);

/// Ticks that each level is run for.
const N_TICKS: usize = 6;

struct Opened {
    project: Project,
    sources: Sources,
    images: Images,
}

fn open(files: &Files) -> Opened {
    let (mut project, mut sources, mut images) = (Project::default(), Sources::default(), Images::new());
    for (path, bytes) in files {
        let Some(path) = DocPath::new(path) else { continue };
        if path.kind().is_none() {
            let size = Image::from_png(bytes).map(|image| [image.width(), image.height()]);
            images.insert(path, size.map_err(|why| why.to_string().into()));
            continue;
        }
        let source = source_of(&path, bytes.clone());
        match &source.document {
            Some(document) => _ = project.documents.insert(path.clone(), Arc::clone(document)),
            None => _ = images.insert(path.clone(), Err("damaged".into())),
        }
        sources.put(path, source);
    }
    Opened { project, sources, images }
}

fn builtin() -> Builtin {
    Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }
}

fn n_errors(project: &Project, images: &Images) -> usize {
    let resolution = defs::resolve(project, &builtin(), None);
    let problems = check::check(project, &resolution, Some(images));
    problems.iter().filter(|problem| problem.finding.severity == Severity::Error).count()
}

fn run(test: &'static str, n: u32, which: std::ops::Range<usize>, of_values: usize) {
    guard::run(test, n, MEMORY, |dice| {
        let files = mutate::project(&projects()[which.start + dice.below(which.len())], of_values, dice);
        let mut dice = Dice::new("within", dice.below(usize::MAX) as u64);
        (files.clone(), move || one(&files, &mut dice))
    });
}

fn one(files: &Files, dice: &mut Dice) {
    let Opened { project, sources, images } = open(files);
    let builtin = builtin();
    let resolution = defs::resolve(&project, &builtin, None);
    let problems = check::check(&project, &resolution, Some(&images));
    let report = Report::with_fixes(problems.iter().map(|problem| (&problem.finding, Vec::new())), &sources);
    for problem in &report.problems {
        let text = sources.text(&DocPath::new(&problem.file).unwrap());
        let n_lines = text.map_or(1, |text| text.lines().count() + 1);
        assert!((1..=n_lines).contains(&(problem.line as usize)) && problem.column >= 1, "{problem}");
        assert!(!problem.to_string().contains(['\n', '\r']), "{problem:?}");
    }
    for name in resolution.defs.keys() {
        assert!(resolution.history(name).is_some());
    }
    for problem in &problems {
        for fix in &problem.fixes {
            let mut fixed = project.clone();
            let applied = apply_all(&mut fixed, &fix.edits);
            assert!(applied.is_ok(), "{}: `{}` is refused: {applied:?}", problem.finding.message, fix.label);
        }
    }
    fix(&project, &sources, &images, Which::Safe);
    if let Some(problem) = (!problems.is_empty()).then(|| dice.pick(&problems)) {
        fix(&project, &sources, &images, Which::All(&problem.finding.rule));
    }
    rename(&project, &resolution, &images, dice);
    let grid = |level| SolidGrid::new(level, |name| project.tileset(resolution.tilesets.get(name)?));
    let links = |doc: &DocPath, layer: usize, each: &mut dyn FnMut(Link) -> bool| {
        let Some(level) = project.level(doc) else { return };
        let Some(graph) = level.layers.get(layer).and_then(|layer| layer.waypoints()) else { return };
        nav::each_link_by_name(graph, &grid(level), each);
    };
    for format in [Format::Json, Format::Ron] {
        let mut text = Vec::new();
        put(&export(&project, &resolution, &links, format).unwrap(), &mut text).unwrap();
        if format == Format::Json {
            assert!(serde_json::from_slice::<serde_json::Value>(&text).is_ok());
        }
    }
    for name in resolution.levels.keys() {
        let Ok(world) = World::compile(&project, &resolution, name, Options::default()) else { continue };
        simulate(world);
    }
    for doc in resolution.scenarios.values() {
        let Some(levelwright::model::Document::Scenario(scenario)) = project.doc(doc).map(|doc| &**doc) else {
            continue;
        };
        let world = World::compile(&project, &resolution, &scenario.level, Options::default());
        let Ok(world) = world else { continue };
        let mut runner = Runner::new(world, scenario.secs, Some(scenario), Some(2));
        for _ in 0..N_TICKS {
            if runner.step().is_none() {
                break;
            }
        }
        drop(runner.outcomes());
    }
}

/// A level's text with `n` of what layers hold: rows of tiles, entities with values of their own.
fn large_level(n: usize) -> String {
    let row = format!("[{}],", "\"32*1\", ".repeat(32));
    let chunks = (0..n).map(|i| format!("({i}, 0): {row}")).collect::<Vec<_>>().concat();
    let entity = |i: usize| format!("\"e{i}\": (def: \"thing\", at: ({i}.0, 0.0), set: (Sprite: (z: {i}))),");
    let entities: String = (0..n).map(entity).collect();
    format!(
        "(tile_size: (16, 16), layers: [Tiles(name: \"t\", tileset: \"t\", chunks: {{ {chunks} }}), \
         Entities(name: \"e\", entities: {{ {entities} }}), Waypoints(name: \"w\")])"
    )
}

#[test]
fn memory_for_an_export_does_not_grow_with_what_layers_hold() {
    let taken = |n: usize, format: Format| {
        let level = large_level(n);
        let files = [
            ("project.ron", "(format: 1, name: \"T\", start_level: \"large\")"),
            ("tilesets/t.ron", "(image: \"t.png\", tile_size: (16, 16), tiles: { 1: (at: (0, 0)) })"),
            ("entities/thing.ron", "{ \"thing\": (set: (Sprite: (image: \"t.png\"), Body: (), Health: ())) }"),
            ("levels/large.ron", &level),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        let opened = open(&files.into_iter().collect());
        assert_eq!(opened.project.documents.len(), 4);
        let resolution = defs::resolve(&opened.project, &builtin(), None);
        let links = |_: &DocPath, _: usize, each: &mut dyn FnMut(Link) -> bool| {
            for i in 0..n {
                let name = |i: usize| format!("n{i}").as_str().into();
                let link = Link { from: name(i), to: name(i + 1), cost: Some(1.0), one_way: false, by: LinkBy::Auto };
                if !each(link) {
                    break;
                }
            }
        };
        let mut written = Counted(0);
        let taken = allocation_counter::measure(|| {
            let export = export(&opened.project, &resolution, &links, format).unwrap();
            put(&export, &mut written).unwrap();
        });
        (taken.bytes_max, written.0)
    };
    for format in [Format::Json, Format::Ron] {
        let ((few, few_bytes), (many, many_bytes)) = (taken(10, format), taken(1_000, format));
        assert!(many_bytes > few_bytes + (2 << 20), "{format:?}: {few_bytes} and {many_bytes} bytes were written");
        assert!(many < few + (64 << 10), "{format:?}: {few} bytes of memory for few, {many} for many");
    }
}

/// How many bytes were written.
struct Counted(usize);

impl std::io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The same from a moment of it as from its beginning.
fn simulate(mut world: World) {
    let keys = |tick: usize| Input::NONE.with([Input::RIGHT, Input::JUMP, Input::LEFT][tick % 3]);
    let mut begun = None;
    for tick in 0..N_TICKS {
        if tick == 2 {
            begun = Some(world.snapshot());
        }
        world.step(&keys(tick));
        drop(world.drain_events());
    }
    let hash = world.hash();
    if let Some(begun) = begun {
        world.restore(&begun);
        for tick in 2..N_TICKS {
            world.step(&keys(tick));
        }
        assert_eq!(world.hash(), hash, "a restored world goes on as before");
    }
}

/// Fixed once and for all, never to the worse, and what is saved is what was fixed.
fn fix(project: &Project, sources: &Sources, images: &Images, which: Which<'_>) {
    let mut fixed = project.clone();
    let made = check::fix(&mut fixed, &builtin(), Some(images), which);
    if made.edits.is_empty() {
        assert!(made.problems.is_empty());
        return;
    }
    if which == Which::Safe {
        let (before, after) = (n_errors(project, images), n_errors(&fixed, images));
        assert!(after <= before, "{after} errors after the fixes, {before} before: {:?}", made.edits);
    }
    let again = check::fix(&mut fixed.clone(), &builtin(), Some(images), which);
    assert!(again.edits.is_empty(), "{which:?}: fixed and yet to be fixed: {:?}\nfirst: {:?}", again.edits, made.edits);
    saved(project, &fixed, sources);
}

/// Every document that changed can be written and read back.
fn saved(before: &Project, after: &Project, sources: &Sources) {
    for (path, document) in &after.documents {
        if before.doc(path).is_some_and(|old| Arc::ptr_eq(old, document)) {
            continue;
        }
        let text = text_of(document, sources.get(path));
        match load_one(path, &text) {
            (Some(read), _) => assert!(same(&read, document), "{path} reads back as another:\n{text}"),
            (None, findings) => panic!("{path} cannot be read back: {findings:?}\n{text}"),
        }
    }
}

/// Something is renamed; where nothing was wrong before nothing is wrong after.
fn rename(project: &Project, resolution: &Resolution, images: &Images, dice: &mut Dice) {
    let kind = *dice.pick(&NameKind::ALL);
    let all: Vec<String> = refactor::names(project, resolution, kind).into_iter().collect();
    if all.is_empty() {
        return;
    }
    let what = Named::new(kind, dice.pick(&all).as_str());
    let Ok(plan) = refactor::rename(project, resolution, &what, "renamed_here") else { return };
    let Ok(after) = plan.tried_on(project) else { return };
    let moved: BTreeMap<_, _> = after.documents.iter().filter(|(path, _)| project.doc(path).is_some()).collect();
    assert!(moved.len() + 1 >= project.documents.len());
    let (before, now) = (n_errors(project, images), n_errors(&after, images));
    assert!(before > 0 || now == 0, "renaming {} makes errors", what.describe());
}

#[test]
fn values_of_small_projects() {
    run("values_of_small_projects", 120, 0..4, 8);
}

#[test]
fn anything_of_small_projects() {
    run("anything_of_small_projects", 100, 0..4, 4);
}

#[test]
fn values_of_the_sample_game() {
    run("values_of_the_sample_game", 4, 4..5, 8);
}
