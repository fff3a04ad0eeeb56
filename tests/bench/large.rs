//! A level of 16 384 by 16 384 cells, one layer full and seven with a tenth of it: until the first picture of it, until all of it is
//! there, what it takes of memory, a stroke with undo, a save after a stroke, and the operations on all of its tiles.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on should say where")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::Instant,
};

use camino::Utf8PathBuf;
use divan::{Bencher, black_box};
use egui_kittest::{Harness, wgpu::WgpuTestRenderer};
use levelwright::{
    app::App,
    edit::{Edit, History, Phase, apply, apply_all, merge_down},
    editor::{Camera, Workspace},
    io::{self, IntentLog, Sources, run_together, text_of},
    model::{
        CellSet, Chunk, DocPath, Document, Layer, LayerContent, Level, Project, Tile, TileLayer, Tiles, TuningOverlay,
    },
    refactor::{Placement, Resize},
};

fn main() {
    divan::main();
}

const SIDE: i32 = 16_384;

fn doc() -> DocPath {
    DocPath::new("levels/first.ron").unwrap()
}

fn hash(of: [i32; 3]) -> u32 {
    of.iter().fold(0x811C_9DC5, |sum: u32, it| (sum ^ it.cast_unsigned()).wrapping_mul(0x0100_0193).rotate_left(13))
}

/// Runs of a few tiles, as ground and walls are.
fn chunk(seed: i32) -> Arc<Chunk> {
    let tile = |i: usize| {
        let run = i32::try_from(i / 5).unwrap();
        Tile::id_only(hash([seed, run, 7]) % 8 + 1)
    };
    Arc::new(Chunk::from(&std::array::from_fn(tile)))
}

fn level() -> Level {
    let chunks: Vec<Arc<Chunk>> = (0..512).map(chunk).collect();
    let layer = |number: i32| {
        let mut tiles = Tiles::default();
        for at in (0..SIDE / 32).flat_map(|x| (0..SIDE / 32).map(move |y| [x, y])) {
            let hash = hash([at[0], at[1], number]);
            if number == 0 || hash % 10 == 0 {
                tiles.share_chunk(at, Arc::clone(&chunks[hash as usize / 10 % chunks.len()]));
            }
        }
        let content = LayerContent::Tiles(TileLayer::new("ground".into(), tiles));
        Arc::new(Layer::new(format!("l{number}").into(), content))
    };
    let layers = (0..8).map(layer).collect();
    Level { size: Some([SIDE.unsigned_abs(); 2]), regions: true, layers, ..Level::default() }
}

/// The project's folder, which the benches share and do not change.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<(PathBuf, tempfile::TempDir)> = OnceLock::new();
    let (root, _) = FOLDER.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("game");
        io::new_project(&root, io::Template::Platformer, "A new game").unwrap();
        let project = Project::from_iter([(doc(), Arc::new(Document::Level(level())))]);
        for (path, document) in Sources::new(&root).by_file(&project, &project).0.documents {
            let at = root.join(path.as_str());
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            fs::write(at, text_of(&document, None)).unwrap();
        }
        (root, dir)
    });
    root
}

/// The window, opened on it, and the folder of its journals.
fn opened() -> (Harness<'static, App>, tempfile::TempDir) {
    let journals = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(folder().to_owned()).unwrap();
    let at = Some(journals.path().to_owned());
    let builder = Harness::builder().with_size([1280.0, 800.0]).renderer(WgpuTestRenderer::new());
    (builder.build_eframe(move |cc| App::new(cc, Some(root), at)), journals)
}

/// Until a picture is drawn with the tiles in the middle of what is seen.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn until_the_first_picture(bencher: Bencher<'_, '_>) {
    folder();
    bencher.bench_local(|| {
        let (mut harness, journals) = opened();
        let start = Instant::now();
        let is_there = |app: &App| {
            let editor = app.editor();
            let camera: Option<&Camera> = editor.view().cameras.get(&doc());
            let shown = editor.project().level(&doc()).zip(camera);
            shown.is_some_and(|(level, camera)| {
                let cell = level.grid().cell_at([camera.center.x, camera.center.y].map(f64::from));
                !level.layers[0].tiles().unwrap().tiles.get(cell).is_empty()
            })
        };
        while !is_there(harness.state()) {
            assert!(start.elapsed().as_secs() < 120, "the level does not open");
            harness.run_steps(1);
        }
        (black_box(harness.render().unwrap()), harness, journals)
    });
}

/// Until it can be edited.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn until_all_of_it_is_read(bencher: Bencher<'_, '_>) {
    folder();
    bencher.bench_local(|| {
        let (mut harness, journals) = opened();
        let start = Instant::now();
        while !harness.state().editor().is_settled() {
            assert!(start.elapsed().as_secs() < 600, "the level does not open");
            harness.run_steps(1);
        }
        (harness, journals)
    });
}

/// Read by this thread alone, so that what it takes of memory can be counted; that is printed.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn memory_of_all_of_it(bencher: Bencher<'_, '_>) {
    folder();
    bencher.bench_local(|| {
        let mut workspace = Workspace::default();
        let taken = allocation_counter::measure(|| {
            let (mut loaded, _) = io::open_to_show(None, folder());
            let read = loaded.unread.iter().flat_map(|path| io::read_regions(folder(), std::slice::from_ref(path)));
            let read = read.collect();
            loaded.add(read);
            workspace.open(folder().to_owned(), loaded, TuningOverlay::default());
        });
        let [now, most] = [taken.bytes_current, taken.bytes_max.cast_signed()].map(|bytes| bytes >> 20);
        println!("a level of {SIDE}²: {now} MiB in memory, {most} MiB at most while it is read");
        workspace
    });
}

fn stroke(id: u32) -> Edit {
    let block = (0..10_000).map(|i| ([1700 + i % 100, 1700 + i / 100], Tile::id_only(id)));
    Edit::PaintTiles { doc: doc(), layer: "l0".into(), cells: block.collect() }
}

fn project() -> Project {
    Project::from_iter([(doc(), Arc::new(Document::Level(level())))])
}

#[divan::bench]
fn a_stroke_and_its_undo(bencher: Bencher<'_, '_>) {
    let (mut project, mut history, edits) = (project(), History::default(), [stroke(3)]);
    bencher.bench_local(|| {
        history.make(&mut project, black_box(&edits)).unwrap();
        history.undo(&mut project, None).unwrap();
    });
}

/// A workspace of it whose files are in a folder of their own.
fn workspace() -> (Workspace, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let sources = Sources::new(dir.path());
    let project = project();
    let files = sources.by_file(&project, &project).0.documents;
    let mut loaded = io::Loaded { project, sources, ..io::Loaded::default() };
    for (path, document) in files {
        loaded.sources.put(path, io::Source::new("".into(), 0, Vec::new(), Some(document)));
    }
    let mut workspace = Workspace::default();
    workspace.open(dir.path().to_owned(), loaded, TuningOverlay::default());
    (workspace, dir)
}

/// A frame of a drag, and what the window asks for in each.
#[divan::bench]
fn a_frame_of_a_stroke(bencher: Bencher<'_, '_>) {
    let (mut workspace, _dir) = workspace();
    let edits = [stroke(3)];
    bencher.bench_local(|| {
        let changed = workspace.drag("Paint", black_box(&edits), Phase::Preview);
        black_box((changed.0.has_documents, workspace.unsaved(), workspace.is_modified(&doc())));
    });
}

#[divan::bench(sample_count = 20)]
fn a_save_after_a_stroke(bencher: Bencher<'_, '_>) {
    let (mut workspace, dir) = workspace();
    fs::create_dir_all(dir.path().join("levels/first.regions")).unwrap();
    let mut id = 0;
    bencher.bench_local(|| {
        id = id % 7 + 1;
        let _ = workspace.step(None, black_box(&[stroke(id)])).unwrap();
        let writings = workspace.save(&doc(), true);
        assert_eq!(writings.len(), 1);
        for wrote in run_together(writings, &IntentLog::default()).wrote {
            black_box(workspace.wrote(wrote).unwrap());
        }
    });
}

fn resized(size: [i32; 2], shift: [i32; 2]) -> Edit {
    Edit::ResizeLevel { doc: doc(), size: Some(size.map(i32::unsigned_abs)), shift }
}

fn applied(bencher: Bencher<'_, '_>, edit: &Edit) {
    let project = project();
    bencher.bench_local(|| {
        let mut edited = project.clone();
        apply(&mut edited, black_box(edit)).unwrap();
        edited
    });
}

#[divan::bench(sample_count = 5)]
fn resize_by_whole_chunks(bencher: Bencher<'_, '_>) {
    applied(bencher, &resized([SIDE + 64, SIDE], [64, 0]));
}

#[divan::bench(sample_count = 5)]
fn resize_by_a_few_cells(bencher: Bencher<'_, '_>) {
    applied(bencher, &resized([SIDE + 7, SIDE + 7], [7, 7]));
}

#[divan::bench(sample_count = 5)]
fn count_what_a_resize_erases(bencher: Bencher<'_, '_>) {
    let level = level();
    let resize =
        Resize { doc: doc(), size: Some([SIDE.unsigned_abs() / 2 + 5; 2]), placement: Placement::Shift([0, 0]) };
    bencher.bench_local(|| black_box(&resize).outside(black_box(&level)));
}

#[divan::bench(sample_count = 5)]
fn fit_to_content(bencher: Bencher<'_, '_>) {
    let level = level();
    bencher.bench_local(|| Resize::to_content(doc(), black_box(&level)));
}

#[divan::bench(sample_count = 5)]
fn merge_two_layers(bencher: Bencher<'_, '_>) {
    let project = project();
    bencher.bench_local(|| {
        let mut edited = project.clone();
        let doc = doc();
        let merge = merge_down((&doc, edited.level(&doc).unwrap()), black_box(&["l1".into()])).unwrap();
        apply_all(&mut edited, &merge.edits).unwrap();
        edited
    });
}

#[divan::bench(sample_count = 5)]
fn fill_a_quarter(bencher: Bencher<'_, '_>) {
    let cells = Arc::new(CellSet::rectangle([0, 0], [SIDE / 2 - 1, SIDE / 2 - 1]));
    let stamp = levelwright::edit::Stamp::one(Tile::id_only(5));
    applied(bencher, &Edit::FillTiles { doc: doc(), layer: "l0".into(), cells, stamp, anchor: [0, 0] });
}
