//! What a file of 20 000 definitions costs its reader and its writer: one edit saved, one place found, beside reading
//! and writing the whole.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench is its own documentation")]

use std::{fmt::Write as _, fs, path::Path, sync::Arc};

use divan::{Bencher, black_box};
use levelwright::{
    io::{IntentLog, Source, Sources, codec, content_hash, load_one, ron_text, run_together, text_of},
    model::{DocPath, Document, EntityDef, FieldPath, Location, Value},
};

fn main() {
    divan::main();
}

const N_DEFS: usize = 20_000;

fn path() -> DocPath {
    DocPath::new("entities/all.ron").unwrap()
}

/// Definitions as people write them, comments between them.
fn text() -> String {
    let mut out = String::from("// All that lives here.\n{\n");
    for i in 0..N_DEFS {
        if i.is_multiple_of(5) {
            out.push_str("    // A family of its own.\n");
        }
        let parent = i / 8;
        writeln!(out, "    \"thing_{i}\": (\n        inherits: [\"thing_{parent}\"],").unwrap();
        writeln!(out, "        set: (Health: (max: {}.0), Walker: (speed: 1{}.5)), // quick", i % 90, i % 70).unwrap();
        out.push_str("        append: (Brain: (machines: [\"panic\"])),\n    ),\n");
    }
    out.push_str("}\n");
    out
}

/// A folder in memory where there is one: what is measured is not the disk.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
}

struct Bench {
    sources: Sources,
    document: Arc<Document>,
    _folder: tempfile::TempDir,
}

fn bench() -> Bench {
    let folder = folder();
    fs::create_dir(folder.path().join("entities")).unwrap();
    fs::write(folder.path().join("entities/all.ron"), text()).unwrap();
    let loaded = levelwright::io::load(folder.path());
    let document = Arc::clone(loaded.project.doc(&path()).unwrap());
    Bench { sources: loaded.sources, document, _folder: folder }
}

fn changed(document: &Document, change: impl FnOnce(&mut levelwright::model::EntitiesFile)) -> Arc<Document> {
    let mut document = document.clone();
    let Document::Entities(file) = &mut document else { unreachable!() };
    change(file);
    Arc::new(document)
}

fn faster(document: &Document, speed: f64) -> Arc<Document> {
    changed(document, |file| {
        Arc::make_mut(&mut file.defs["thing_12345"]).ops.set["Walker"]["speed"] = Value::Float(speed);
    })
}

/// What a save had to do before: read the whole, compare the whole, read the result.
#[divan::bench]
fn baseline_read_whole_patch_read_again(bencher: Bencher<'_, '_>) {
    let bench = bench();
    let text = bench.sources.text(&path()).unwrap();
    let document = faster(&bench.document, 99.0);
    bencher.bench(|| {
        let new = ron_text::patch(&ron_text::parse(black_box(text)).unwrap(), &codec::form(black_box(&document), None))
            .unwrap();
        assert!(ron_text::parse(&new).is_ok());
        new
    });
}

#[divan::bench]
fn baseline_parse(bencher: Bencher<'_, '_>) {
    let text = text();
    bencher.counter(divan::counter::BytesCount::new(text.len())).bench(|| ron_text::parse(black_box(&text)));
}

#[divan::bench]
fn baseline_write_anew(bencher: Bencher<'_, '_>) {
    let bench = bench();
    bencher.bench(|| text_of(black_box(&bench.document), None));
}

/// The whole of a save in a folder in memory: the file read and compared, its text changed, checked and written.
#[divan::bench]
fn save_one_value(bencher: Bencher<'_, '_>) {
    let mut bench = bench();
    let mut speed = 0.0;
    bencher.bench_local(|| {
        speed += 1.0;
        bench.document = faster(&bench.document, speed);
        let writing = bench.sources.writing(&path(), Some(black_box(&bench.document)), false);
        let wrote = run_together(vec![writing], &IntentLog::default()).wrote.remove(0);
        bench.sources.put(wrote.path, wrote.result.unwrap().unwrap());
        black_box(&mut bench.sources);
    });
}

/// What making the edited document itself costs, which `save_one_value` holds too.
#[divan::bench]
fn of_which_the_edit(bencher: Bencher<'_, '_>) {
    let bench = bench();
    bencher.bench(|| faster(black_box(&bench.document), black_box(3.0)));
}

#[divan::bench]
fn text_of_one_value(bencher: Bencher<'_, '_>) {
    let bench = bench();
    let document = faster(&bench.document, 99.0);
    bencher.bench(|| text_of(black_box(&document), bench.sources.get(black_box(&path()))));
}

#[divan::bench]
fn text_of_one_definition_more(bencher: Bencher<'_, '_>) {
    let bench = bench();
    let document = changed(&bench.document, |file| {
        file.defs.shift_insert(777, "brand_new".into(), Arc::new(EntityDef::default()));
    });
    bencher.bench(|| text_of(black_box(&document), bench.sources.get(black_box(&path()))));
}

#[divan::bench]
fn text_of_one_definition_less(bencher: Bencher<'_, '_>) {
    let bench = bench();
    let document = changed(&bench.document, |file| drop(file.defs.shift_remove("thing_777")));
    bencher.bench(|| text_of(black_box(&document), bench.sources.get(black_box(&path()))));
}

#[divan::bench]
fn hash_of_the_file(bencher: Bencher<'_, '_>) {
    let text = text();
    bencher.counter(divan::counter::BytesCount::new(text.len())).bench(|| content_hash(black_box(text.as_bytes())));
}

#[divan::bench]
fn find_a_place_once_asked(bencher: Bencher<'_, '_>) {
    let bench = bench();
    let at = Location::new(path(), FieldPath::keys(["thing_12345", "set", "Walker", "speed"]));
    let _ = bench.sources.line_column(&at);
    bencher.bench(|| black_box(&bench.sources).line_column(black_box(&at)));
}

#[divan::bench]
fn find_the_first_place(bencher: Bencher<'_, '_>) {
    let text: Arc<str> = text().into();
    let document = Arc::new(load_one(&path(), &text).0.unwrap());
    let at = Location::new(path(), FieldPath::keys(["thing_12345", "set", "Walker", "speed"]));
    bencher
        .with_inputs(|| {
            let mut sources = Sources::default();
            let source = Source::new(Arc::clone(&text), 0, Vec::new(), Some(Arc::clone(&document)));
            sources.put(path(), source);
            sources
        })
        .bench_refs(|sources| sources.line_column(black_box(&at)));
}

/// A level of 16 384² with tiles everywhere, of which one region is on disk.
mod large_level {
    use levelwright::{
        edit::{Edit, apply_all},
        io::{Loaded, ProjectFiles, text_of},
        model::{Chunk, Document, Layer, LayerContent, Level, Project, Tile, TileLayer, Tiles},
    };

    use super::{Arc, Bencher, DocPath, IntentLog, Source, Sources, black_box, content_hash, run_together};

    const SIDE: i32 = 16_384;

    struct Open {
        project: Project,
        files: ProjectFiles,
        _dir: tempfile::TempDir,
    }

    fn doc() -> DocPath {
        DocPath::new("levels/big.ron").unwrap()
    }

    fn open() -> Open {
        let chunk: Arc<Chunk> =
            Arc::new(Chunk::from(&std::array::from_fn(|i| Tile::id_only(u32::try_from(i * 7 % 13).unwrap()))));
        let mut tiles = Tiles::default();
        (0..SIDE / 32).flat_map(|x| (0..SIDE / 32).map(move |y| [x, y])).for_each(|at| {
            tiles.share_chunk(at, Arc::clone(&chunk));
        });
        let content = LayerContent::Tiles(TileLayer::new("keep".into(), tiles));
        let layers = vec![Arc::new(Layer::new("ground".into(), content))];
        let size = Some([SIDE.unsigned_abs(); 2]);
        let level = Level { size, regions: true, layers, ..Level::default() };
        let project = Project::from_iter([(doc(), Arc::new(Document::Level(level)))]);
        let dir = tempfile::tempdir().unwrap();
        let mut sources = Sources::new(dir.path());
        for (path, document) in sources.by_file(&project, &project).0.documents {
            let (mut text, mut hash) = (String::new(), 0);
            if path.as_str().ends_with("/3_3.ron") {
                text = text_of(&document, None);
                hash = content_hash(text.as_bytes());
                let at = dir.path().join(path.as_str());
                std::fs::create_dir_all(at.parent().unwrap()).unwrap();
                std::fs::write(at, &text).unwrap();
            }
            sources.put(path, Source::new(text.into(), hash, Vec::new(), Some(document)));
        }
        let files = ProjectFiles::new(&Loaded { project: project.clone(), sources, ..Loaded::default() });
        assert!(files.modified(&project).is_empty());
        Open { project, files, _dir: dir }
    }

    fn stroke(id: u32) -> Edit {
        let block = (0..10_000).map(|i| ([1700 + i % 100, 1700 + i / 100], Tile::id_only(id)));
        Edit::PaintTiles { doc: doc(), layer: "ground".into(), cells: block.collect() }
    }

    /// A stroke of 100×100 tiles, and a save of it: region compared, written anew, put in place.
    #[divan::bench]
    fn save_a_stroke(bencher: Bencher<'_, '_>) {
        let mut open = open();
        let mut id = 0;
        bencher.bench_local(|| {
            id = (id + 1) % 50;
            apply_all(&mut open.project, black_box(&[stroke(id)])).unwrap();
            open.files.project_changed(&open.project);
            let writings = open.files.save(&doc(), &open.project, false);
            assert_eq!(writings.len(), 1);
            for wrote in run_together(writings, &IntentLog::default()).wrote {
                black_box(open.files.wrote(wrote, &open.project).unwrap());
            }
        });
    }

    /// Of which what follows from each frame of a drag.
    #[divan::bench]
    fn of_which_find_what_changed(bencher: Bencher<'_, '_>) {
        let mut open = open();
        let mut id = 0;
        bencher.bench_local(|| {
            id = (id + 1) % 50;
            apply_all(&mut open.project, black_box(&[stroke(id)])).unwrap();
            open.files.project_changed(black_box(&open.project));
            black_box(open.files.modified(&open.project));
        });
    }
}
