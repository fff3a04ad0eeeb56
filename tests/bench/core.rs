//! What the core's work costs, each figure beside its baseline in the same run: `cargo bench --bench core`. Physics and
//! navigation have their own files.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::wildcard_imports,
    reason = "benches make up small numbers"
)]
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that cannot go on should say where")]

use std::{fmt::Write as _, sync::Arc};

use divan::{Bencher, black_box};
use levelwright::{
    check,
    defs::{self, Resolution},
    edit::{self, Edit, History, Owner},
    io,
    model::{
        Builtin, Cell, DocPath, Document, EntitiesFile, Layer, LayerContent, Level, Project, Tile, TileDef, TileLayer,
        Tiles, Tileset, Value,
    },
};

#[path = "../corpora/mod.rs"]
mod corpora;

fn main() {
    divan::main();
}

fn doc(path: &str) -> DocPath {
    DocPath::new(path).unwrap()
}

fn builtin() -> Builtin {
    Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }
}

/// Text of `n` definitions in families four deep, as people write them: what is inherited is not said again.
fn definitions(n: usize) -> String {
    let mut text = String::from("{\n");
    for i in 0..n {
        // Every fourth begins a family; the others inherit the one before.
        let (inherits, kind) = if i % 4 == 0 {
            (String::new(), "kind: Dynamic, ")
        } else {
            (format!("inherits: [\"def_{}\"], ", i - 1), "")
        };
        let _ = writeln!(
            text,
            "    // number {i}\n    \"def_{i}\": ({inherits}set: (Health: (max: {}.0), Body: ({kind}mass: {}.5)), \
             scale: (Walker: (speed: 1.25)), append: (Tags: (tags: [\"t{}\"]))),",
            i % 97 + 1,
            i % 13 + 1,
            i % 7,
        );
    }
    text.push_str("}\n");
    text
}

const N_DEFS: usize = 20_000;

/// Load, resolve and look again after one change, against reading the same bytes as untyped RON.
mod definitions_20k {
    use super::*;

    fn project() -> Project {
        let (document, findings) = io::load_one(&doc("entities/all.ron"), &definitions(N_DEFS));
        assert!(findings.is_empty(), "{findings:?}");
        Project::from_iter([(doc("entities/all.ron"), Arc::new(document.unwrap()))])
    }

    #[divan::bench]
    fn baseline_ron_from_str(bencher: Bencher<'_, '_>) {
        let text = definitions(N_DEFS);
        bencher.bench(|| ron::from_str::<ron::Value>(black_box(&text)).unwrap());
    }

    #[divan::bench]
    fn load(bencher: Bencher<'_, '_>) {
        let (path, text) = (doc("entities/all.ron"), definitions(N_DEFS));
        bencher.bench(|| io::load_one(black_box(&path), black_box(&text)));
    }

    #[divan::bench]
    fn load_resolve_and_check(bencher: Bencher<'_, '_>) {
        let (path, text, builtin) = (doc("entities/all.ron"), definitions(N_DEFS), builtin());
        bencher.bench(|| {
            let document = io::load_one(&path, black_box(&text)).0.unwrap();
            let project = Project::from_iter([(path.clone(), Arc::new(document))]);
            let resolution = defs::resolve(&project, black_box(&builtin), None);
            let checked = check::check_again(&project, &resolution, None, None);
            (project, resolution, checked)
        });
    }

    #[divan::bench]
    fn check(bencher: Bencher<'_, '_>) {
        let (project, builtin) = (project(), builtin());
        let resolution = defs::resolve(&project, &builtin, None);
        bencher.bench(|| check::check_again(black_box(&project), black_box(&resolution), None, None));
    }

    #[divan::bench]
    fn resolve(bencher: Bencher<'_, '_>) {
        let (project, builtin) = (project(), builtin());
        bencher.bench(|| defs::resolve(black_box(&project), black_box(&builtin), None));
    }

    fn edited(project: &Project) -> Project {
        let mut edited = project.clone();
        let owner = Owner::Def { doc: doc("entities/all.ron"), name: "def_40".into() };
        edit::apply(&mut edited, &Edit::set(owner, "Health", "max", Value::Float(3.0))).unwrap();
        edited
    }

    #[divan::bench]
    fn resolve_after_one_edit(bencher: Bencher<'_, '_>) {
        let (project, builtin) = (project(), builtin());
        let before = defs::resolve(&project, &builtin, None);
        let edited = edited(&project);
        bencher.bench(|| defs::resolve(black_box(&edited), black_box(&builtin), Some(black_box(&before))));
    }

    /// All that follows from an edit: what the project amounts to, what is wrong with it, where in the files that
    /// stands.
    #[divan::bench]
    fn derive_after_one_edit(bencher: Bencher<'_, '_>) {
        let (project, builtin) = (project(), builtin());
        let before = defs::resolve(&project, &builtin, None);
        let checked = check::check_again(&project, &before, None, None);
        let edited = edited(&project);
        let mut sources = io::Sources::default();
        let source = io::Source::new(definitions(N_DEFS).into(), 0, Vec::new(), None);
        sources.put(doc("entities/all.ron"), source);
        let located = |problems: &[Arc<check::Problem>]| -> Vec<(u32, u32)> {
            problems.iter().map(|problem| sources.line_column(&problem.finding.location)).collect()
        };
        located(&checked.problems);
        bencher.bench(|| {
            let resolution = defs::resolve(black_box(&edited), black_box(&builtin), Some(black_box(&before)));
            let checked = check::check_again(&edited, &resolution, None, Some(black_box(&checked)));
            let located = located(&checked.problems);
            (resolution, checked, located)
        });
    }
}

/// What is not saved, handed to the journal's thread after a change: with ten thousand files this stays under a
/// millisecond.
#[divan::bench(args = [100, 10_000])]
fn unsaved_handed_over(bencher: Bencher<'_, '_>, n: usize) {
    let at = |i: usize| doc(&format!("entities/some/folder/file_{i}.ron"));
    let mut loaded = io::Loaded::default();
    for i in 0..n {
        loaded.project.documents.insert(at(i), Arc::new(Document::Entities(EntitiesFile::default())));
    }
    let follow = io::Follow::new(&loaded);
    let mut project = loaded.project;
    project.documents.insert(at(n / 2), Arc::new(Document::Entities(EntitiesFile::default())));
    assert_eq!(follow.unsaved(&project).len(), 1);
    bencher.bench(|| black_box(&follow).unsaved(black_box(&project)));
}

/// Hierarchies of the shapes of large games: 8 500 definitions, up to 7 deep.
mod corpora_8500 {
    use super::*;
    use crate::corpora::{self, Files};

    #[derive(Clone, Copy, Debug)]
    enum Shape {
        OpenRa,
        RimWorld,
    }
    use Shape::{OpenRa, RimWorld};

    impl Shape {
        fn files(self) -> Files {
            match self {
                OpenRa => corpora::openra(1),
                RimWorld => corpora::rimworld(1),
            }
        }

        fn project(self) -> Project {
            let read =
                |(path, text): (&String, &String)| (doc(path), Arc::new(io::load_one(&doc(path), text).0.unwrap()));
            self.files().iter().map(read).collect()
        }

        /// A definition that nearly all inherit, and one without descendants, with a field they have.
        fn edit(self, at_root: bool) -> (&'static str, &'static str, &'static str) {
            match (self, at_root) {
                (OpenRa, true) => ("^Template0", "Trait5", "n0"),
                (OpenRa, false) => ("actor8499", "Trait5", "n0"),
                (RimWorld, true) => ("BaseThing", "Weapon", "damage"),
                (RimWorld, false) => ("Weapon8499", "Weapon", "damage"),
            }
        }
    }

    #[divan::bench(args = [OpenRa, RimWorld])]
    fn baseline_ron_from_str(bencher: Bencher<'_, '_>, shape: Shape) {
        let files = shape.files();
        bencher.bench(|| {
            files.values().map(|text| ron::from_str::<ron::Value>(black_box(text)).unwrap()).collect::<Vec<_>>()
        });
    }

    #[divan::bench(args = [OpenRa, RimWorld])]
    fn load(bencher: Bencher<'_, '_>, shape: Shape) {
        let dir = tempfile::tempdir().unwrap();
        corpora::write(&shape.files(), dir.path());
        bencher.bench(|| io::load(black_box(dir.path())));
    }

    #[divan::bench(args = [OpenRa, RimWorld])]
    fn resolve(bencher: Bencher<'_, '_>, shape: Shape) {
        let (project, builtin) = (shape.project(), builtin());
        bencher.bench(|| defs::resolve(black_box(&project), black_box(&builtin), None));
    }

    #[divan::bench(args = [OpenRa, RimWorld])]
    fn check(bencher: Bencher<'_, '_>, shape: Shape) {
        let (project, builtin) = (shape.project(), builtin());
        let resolution = defs::resolve(&project, &builtin, None);
        bencher.bench(|| check::check_again(black_box(&project), black_box(&resolution), None, None));
    }

    /// The project, what it amounts to, and the project after an edit at the root or at a leaf.
    fn edited(shape: Shape, at_root: bool) -> (Project, Resolution, Project) {
        let project = shape.project();
        let before = defs::resolve(&project, &builtin(), None);
        let edited = with_edit(&project, &before, shape.edit(at_root), 3.0);
        (project, before, edited)
    }

    fn with_edit(
        project: &Project,
        resolution: &Resolution,
        (name, component, field): (&str, &str, &str),
        value: f64,
    ) -> Project {
        let owner = Owner::Def { doc: resolution.def_docs[name].clone(), name: name.into() };
        let mut edited = project.clone();
        edit::apply(&mut edited, &Edit::set(owner, component, field, Value::Float(value))).unwrap();
        edited
    }

    const EDITS: [(Shape, bool); 4] = [(OpenRa, true), (OpenRa, false), (RimWorld, true), (RimWorld, false)];

    #[divan::bench(args = EDITS)]
    fn resolve_after_one_edit(bencher: Bencher<'_, '_>, (shape, at_root): (Shape, bool)) {
        let builtin = builtin();
        let (_, before, edited) = edited(shape, at_root);
        bencher.bench(|| defs::resolve(black_box(&edited), black_box(&builtin), Some(black_box(&before))));
    }

    /// One value of the root that everybody inherits becomes another.
    #[divan::bench(args = [OpenRa, RimWorld])]
    fn resolve_after_one_field_of_the_root(bencher: Bencher<'_, '_>, shape: Shape) {
        let builtin = builtin();
        let (_, with_nothing, project) = edited(shape, true);
        let before = defs::resolve(&project, &builtin, Some(&with_nothing));
        let other = with_edit(&project, &before, shape.edit(true), 4.0);
        bencher.bench(|| defs::resolve(black_box(&other), black_box(&builtin), Some(black_box(&before))));
    }

    #[divan::bench(args = EDITS)]
    fn check_after_one_edit(bencher: Bencher<'_, '_>, (shape, at_root): (Shape, bool)) {
        let (project, before, edited) = edited(shape, at_root);
        let checked = check::check_again(&project, &before, None, None);
        let after = defs::resolve(&edited, &builtin(), Some(&before));
        bencher.bench(|| check::check_again(black_box(&edited), black_box(&after), None, Some(black_box(&checked))));
    }
}

fn level(side: i32) -> Project {
    let mut tiles = Tiles::default();
    for chunk_y in 0..(side + 31) / 32 {
        for chunk_x in 0..(side + 31) / 32 {
            let chunk = levelwright::model::Chunk::from(&[Tile::id_only(1); 1024]);
            tiles.set_chunk([chunk_x, chunk_y], chunk);
        }
    }
    let layers = vec![Arc::new(Layer::new("ground".into(), LayerContent::Tiles(TileLayer::new("keep".into(), tiles))))];
    let size = u32::try_from(side).unwrap();
    let level = Level { size: Some([size, size]), layers, ..Level::default() };
    Project::from_iter([(doc("levels/big.ron"), Arc::new(Document::Level(level)))])
}

/// A stroke of 10 000 tiles and its undo; the baseline is the same stroke on a small level.
mod stroke_10k {
    use super::*;

    fn stroke(bencher: Bencher<'_, '_>, side: i32) {
        let project = level(side);
        // A block of 100 × 100, wrapped where the level is smaller.
        let at = |i: i32| [(i % 100 + side / 2) % side, (i / 100 + side / 2) % side];
        let cells: Vec<(Cell, Tile)> = (0..10_000).map(|i| (at(i), Tile::id_only(2))).collect();
        let paint = Edit::PaintTiles { doc: doc("levels/big.ron"), layer: "ground".into(), cells };
        bencher.bench_local(|| {
            let mut project = black_box(&project).clone();
            let mut history = History::new(1 << 30);
            history.make(&mut project, std::slice::from_ref(black_box(&paint))).unwrap();
            black_box(&mut project);
            history.undo(&mut project, None).unwrap();
            black_box((&mut project, &mut history));
        });
    }

    #[divan::bench]
    fn baseline_128_squared(bencher: Bencher<'_, '_>) {
        stroke(bencher, 128);
    }

    #[divan::bench]
    fn on_16_million_tiles(bencher: Bencher<'_, '_>) {
        stroke(bencher, 4096);
    }
}

/// One value set, and taken back.
mod history {
    use super::*;

    #[divan::bench]
    fn step_and_undo(bencher: Bencher<'_, '_>) {
        let mut file = EntitiesFile::default();
        for i in 0..500 {
            file.defs.insert(format!("def_{i}").as_str().into(), Arc::default());
        }
        let path = doc("entities/all.ron");
        let mut project = Project::from_iter([(path.clone(), Arc::new(Document::Entities(file)))]);
        let owner = Owner::Def { doc: path, name: "def_250".into() };
        let set = Edit::set(owner, "Health", "max", Value::Float(3.0));
        bencher.bench_local(|| {
            let mut history = History::new(1 << 20);
            history.make(&mut project, std::slice::from_ref(black_box(&set))).unwrap();
            black_box(&mut project);
            history.undo(&mut project, None).unwrap();
            black_box((&mut project, &mut history));
        });
    }
}

/// A nested machine with a guard, ten thousand times, against the same one written for `statig`.
mod dispatch_10k_agents {
    use super::*;
    use levelwright::{
        model::{Call, Condition, Fields, Machine, Name, Schema, State, Transition, Trigger},
        sim::behavior::{BuiltinAction, Cursor, Host, MsgId, Program, Question, Symbols, compile, run},
    };

    const N_AGENTS: usize = 10_000;
    /// In turn: goes in, stays for the guard, goes on inside, bubbles up and out.
    const MESSAGES: [&str; 4] = ["seen", "hurt", "tick", "lost"];

    /// What an agent was given and did last: both sides write the same entries, one for a message and one for a
    /// transition.
    #[derive(Default)]
    struct Ring {
        entries: [(u8, u8); 16],
        n_written: usize,
    }

    /// An entry's first part where a message was answered by no state, or is none.
    const NOBODY: u8 = b'-';

    impl Ring {
        fn write(&mut self, entry: (u8, u8)) {
            self.entries[self.n_written % 16] = entry;
            self.n_written += 1;
        }

        fn handled(&mut self, by: Option<&str>) {
            self.write((by.map_or(NOBODY, initial), NOBODY));
        }

        fn transition(&mut self, from: &str, to: &str) {
            self.write((initial(from), initial(to)));
        }
    }

    /// The letter by which an entry names a state.
    fn initial(state: &str) -> u8 {
        state.as_bytes().first().copied().unwrap_or(NOBODY)
    }

    /// Answers from one number and writes its ring: what is measured is the routing.
    struct Agent {
        life: u32,
        ring: Ring,
    }

    impl Host for Agent {
        fn ask(&mut self, _: &Program, _: &mut Cursor, _: &Question) -> bool {
            self.life < 20
        }
        fn act(&mut self, _: &Program, _: &Cursor, _: u16, _: &BuiltinAction) {}
        fn start_timer(&mut self, _: u16, _: u32, _: u16, _: f64) {}
        fn handled(&mut self, by: Option<&Name>) {
            self.ring.handled(by.map(|state| &**state));
        }
        fn transition(&mut self, from: &Name, to: &Name, _: Option<MsgId>) {
            self.ring.transition(from, to);
        }
        fn entered(&mut self, _: &Name) {}
        fn exited(&mut self, _: &Name) {}
        fn problem(&mut self, text: String) {
            panic!("{text}");
        }
    }

    fn program() -> (Program, [MsgId; 4]) {
        let on = |message: &str, guard: Option<Condition>, to: &str| Transition {
            trigger: Trigger::On(message.into()),
            guard,
            actions: Vec::new(),
            to: to.into(),
        };
        let leaf = |transitions| State { transitions, ..State::default() };
        let low = Condition::Call(Call { name: "LowLife".into(), args: Fields::new() });
        let attack = State {
            initial: Some("Aim".into()),
            transitions: vec![on("lost", None, "Patrol"), on("hurt", Some(low), "Flee")],
            states: [
                ("Aim".into(), leaf(vec![on("tick", None, "Attack/Fire")])),
                ("Fire".into(), leaf(vec![on("tick", None, "Attack/Aim")])),
            ]
            .into(),
            ..State::default()
        };
        let root = State {
            initial: Some("Patrol".into()),
            states: [
                ("Patrol".into(), leaf(vec![on("seen", None, "Attack")])),
                ("Attack".into(), attack),
                ("Flee".into(), leaf(Vec::new())),
            ]
            .into(),
            ..State::default()
        };
        let (mut symbols, mut findings) = (Symbols::default(), Vec::new());
        let machine = Machine { root, ..Machine::default() };
        let program = compile(
            &"sentry".into(),
            &machine,
            &doc("machines/m.ron"),
            &Schema::default(),
            &mut symbols,
            &mut findings,
        );
        let messages = MESSAGES.map(|name| symbols.get(name).unwrap());
        (program, messages)
    }

    #[divan::bench]
    fn levelwright(bencher: Bencher<'_, '_>) {
        let (program, messages) = program();
        let mut agents: Vec<(Cursor, Agent)> =
            (0..N_AGENTS).map(|_| (Cursor::new(&program), Agent { life: 100, ring: Ring::default() })).collect();
        for (cursor, agent) in &mut agents {
            run::start(&program, cursor, agent);
        }
        bencher.counter(divan::counter::ItemsCount::new(N_AGENTS * MESSAGES.len())).bench_local(|| {
            for message in messages {
                for (cursor, agent) in &mut agents {
                    run::dispatch(black_box(&program), cursor, black_box(message), agent);
                }
            }
            black_box(&mut agents);
        });
        assert!(agents.iter().all(|(_, agent)| agent.ring.n_written > 0));
    }

    #[allow(unreachable_pub, reason = "the macro makes public types of these")]
    mod by_statig {
        use statig::prelude::*;

        use super::Ring;

        #[derive(Clone, Copy)]
        pub enum Event {
            Seen,
            Hurt,
            Tick,
            Lost,
        }

        pub struct Sentry {
            pub life: u32,
            pub(super) ring: Ring,
        }

        #[state_machine(initial = "State::patrol()", after_transition = "Self::after_transition")]
        impl Sentry {
            fn after_transition(&mut self, source: &State, target: &State, _context: &mut ()) {
                self.ring.transition(name(source), name(target));
            }

            #[state]
            fn patrol(&mut self, event: &Event) -> Outcome<State> {
                match event {
                    Event::Seen => {
                        self.ring.handled(Some("Patrol"));
                        Transition(State::aim())
                    }
                    _ => {
                        self.ring.handled(None);
                        Super
                    }
                }
            }

            #[state(superstate = "attack")]
            fn aim(&mut self, event: &Event) -> Outcome<State> {
                match event {
                    Event::Tick => {
                        self.ring.handled(Some("Attack/Aim"));
                        Transition(State::fire())
                    }
                    _ => Super,
                }
            }

            #[state(superstate = "attack")]
            fn fire(&mut self, event: &Event) -> Outcome<State> {
                match event {
                    Event::Tick => {
                        self.ring.handled(Some("Attack/Fire"));
                        Transition(State::aim())
                    }
                    _ => Super,
                }
            }

            #[superstate]
            fn attack(&mut self, event: &Event) -> Outcome<State> {
                match event {
                    Event::Lost => {
                        self.ring.handled(Some("Attack"));
                        Transition(State::patrol())
                    }
                    Event::Hurt if self.life < 20 => {
                        self.ring.handled(Some("Attack"));
                        Transition(State::flee())
                    }
                    _ => {
                        self.ring.handled(None);
                        Super
                    }
                }
            }

            #[state]
            fn flee(&mut self) -> Outcome<State> {
                self.ring.handled(None);
                Super
            }
        }

        fn name(state: &State) -> &'static str {
            match state {
                State::Patrol { .. } => "Patrol",
                State::Aim { .. } => "Attack/Aim",
                State::Fire { .. } => "Attack/Fire",
                State::Flee { .. } => "Flee",
            }
        }
    }

    #[divan::bench]
    fn baseline_statig(bencher: Bencher<'_, '_>) {
        use by_statig::{Event, Sentry};
        use statig::prelude::*;

        let sentry = || Sentry { life: 100, ring: Ring::default() }.state_machine();
        let mut agents: Vec<_> = (0..N_AGENTS).map(|_| sentry()).collect();
        for agent in &mut agents {
            agent.init();
        }
        let events = [Event::Seen, Event::Hurt, Event::Tick, Event::Lost];
        bencher.counter(divan::counter::ItemsCount::new(N_AGENTS * events.len())).bench_local(|| {
            for event in &events {
                for agent in &mut agents {
                    agent.handle(black_box(event));
                }
            }
            black_box(&mut agents);
        });
        // Both sides answer alike: the same entries, but for those of the start.
        let (program, messages) = program();
        let (mut cursor, mut ours) = (Cursor::new(&program), Agent { life: 100, ring: Ring::default() });
        run::start(&program, &mut cursor, &mut ours);
        ours.ring = Ring::default();
        let mut theirs = sentry();
        theirs.init();
        for (message, event) in messages.into_iter().zip(&events) {
            run::dispatch(&program, &mut cursor, message, &mut ours);
            theirs.handle(event);
        }
        assert_eq!(ours.ring.entries, theirs.inner().ring.entries);
    }
}

/// A page of a tile layer: what the canvas makes once for each that comes into view.
mod tile_page {
    use super::*;
    use levelwright::raster::{ChunkSums, Image, PageKind, Pyramid, TileAtlas, TilePage};

    /// The pictures of a tileset of 16 px for a square sheet, which a thread makes when it is drawn first or was saved
    /// anew.
    #[divan::bench(args = [512, 2048])]
    fn atlas(bencher: Bencher<'_, '_>, side: u32) {
        let mut tileset = Tileset { tile_size: [16, 16], ..Tileset::default() };
        let n = side / 16;
        for id in 0..n * n {
            tileset.tiles.insert(id, TileDef { at: [id % n, id / n], ..TileDef::default() });
        }
        let sheet = Image::filled(side, side, [90, 120, 60, 200]).unwrap();
        bencher.bench_local(|| TileAtlas::new(black_box(&tileset), black_box(&sheet)));
    }

    /// The sizes of the picture of an image layer.
    #[divan::bench(args = [512, 2048])]
    fn pyramid(bencher: Bencher<'_, '_>, side: u32) {
        let picture = Image::filled(side, side, [90, 120, 60, 200]).unwrap();
        bencher.bench_local(|| Pyramid::of(black_box(&picture)));
    }

    /// A page made when it is first seen: of tiles, of the means of single cells, and of 64 by 64 cells.
    #[divan::bench(args = [PageKind::Tiles, PageKind::Colors(0), PageKind::Colors(6)])]
    fn first_seen(bencher: Bencher<'_, '_>, kind: PageKind) {
        let mut tileset = Tileset { tile_size: [16, 16], ..Tileset::default() };
        for id in 0..64 {
            tileset.tiles.insert(id, TileDef { at: [id % 8, id / 8], ..TileDef::default() });
        }
        let atlas = TileAtlas::new(&tileset, &Image::filled(128, 128, [90, 120, 60, 255]).unwrap());
        let side = i32::try_from(kind.page_cells().min(2048)).unwrap();
        let mut tiles = Tiles::default();
        let tile = |x: i32, y: i32| Tile::id_only(u32::try_from((x * 7 + y) % 64).unwrap());
        tiles.paint((0..side).flat_map(|y| (0..side).map(move |x| ([x, y], tile(x, y)))));
        bencher
            .with_inputs(|| (TilePage::new(kind, [0, 0]).unwrap(), ChunkSums::default()))
            .bench_refs(|(page, sums)| page.update(black_box(&tiles), black_box(&atlas), sums, &mut { usize::MAX }));
    }

    /// The whole of 16 384 by 16 384 cells from afar, after it was seen from nearer.
    #[divan::bench]
    fn seen_from_farther(bencher: Bencher<'_, '_>) {
        let mut tileset = Tileset { tile_size: [16, 16], ..Tileset::default() };
        tileset.tiles.insert(1, TileDef::default());
        let atlas = TileAtlas::new(&tileset, &Image::filled(16, 16, [90, 120, 60, 255]).unwrap());
        let (mut tiles, mut sums) = (Tiles::default(), ChunkSums::default());
        let chunk = Arc::new(levelwright::model::Chunk::from(&[Tile::id_only(1); 1024]));
        (0..512).flat_map(|x| (0..512).map(move |y| [x, y])).for_each(|at| tiles.share_chunk(at, Arc::clone(&chunk)));
        for at in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            let mut near = TilePage::new(PageKind::Colors(5), at).unwrap();
            assert!(near.update(&tiles, &atlas, &mut sums, &mut { usize::MAX }).1);
        }
        bencher.with_inputs(|| TilePage::new(PageKind::Colors(6), [0, 0]).unwrap()).bench_local_refs(|page| {
            assert!(page.update(black_box(&tiles), &atlas, &mut sums, &mut 0).1, "no chunk is looked into again");
        });
    }
}
