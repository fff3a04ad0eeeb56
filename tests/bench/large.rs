//! A level of 16 384 by 16 384 cells with eight layers: what it takes of memory, a stroke with undo, a save after a
//! stroke, and the operations on all of its tiles. Until it is seen: `canvas`.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on should say where")]

use std::{fs, sync::Arc};

use divan::{Bencher, black_box};
use levelwright::{
    edit::{Edit, History, Phase, Stamp, apply, apply_all, merge_down},
    editor::Workspace,
    io::{self, IntentLog, Sources, run_together},
    model::{CellSet, Document, Project, Tile, TuningOverlay},
    refactor::{Placement, Resize},
};

#[path = "../corpora/vast.rs"]
mod vast;

use vast::{SIDE, doc, folder, level};

fn main() {
    divan::main();
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
    let stamp = Stamp::one(Tile::id_only(5));
    applied(bencher, &Edit::FillTiles { doc: doc(), layer: "l0".into(), cells, stamp, anchor: [0, 0] });
}
