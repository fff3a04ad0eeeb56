//! Large levels: one document, kept in a file of its own and one for each region of tiles.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use levelwright::{
    edit::{Edit, Phase, RefKind, Stamp, TypedRefs, apply_all},
    editor::Workspace,
    io::{self, DiskChange, Folder, IntentLog, journal},
    model::{
        Cell, CellSet, DocPath, Document, FieldPath, Layer, LayerContent, Level, Project, Tile, TileLayer, Tiles,
        TuningOverlay,
    },
};
use tempfile::TempDir;

const TILESET: &str = "(image: \"t.png\", tile_size: (16, 16), tiles: {
    0: (at: (0, 0)), 1: (at: (1, 0)), 2: (at: (2, 0)), 3: (at: (3, 0)),
})\n";
const LEVEL: &str = "(
    size: (2000, 1200), // wide
    tile_size: (16, 16),
    regions: true,
    layers: [
        Tiles(name: \"ground\", tileset: \"t\"),
        Entities(name: \"actors\"),
        Tiles(name: \"deco\", tileset: \"t\"),
    ],
)
";
const FAR: &str = "(layers: { \"ground\": { (16, 0): [\"1 2\"] }, \"deco\": { (17, 1): [\". 3\"] } })\n";

fn path(text: &str) -> DocPath {
    DocPath::new(text).unwrap()
}

fn big() -> DocPath {
    path("levels/big.ron")
}

/// A project with a level of two regions.
fn project() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        ("project.ron", "(format: 1, name: \"p\", start_level: \"big\")\n"),
        ("tilesets/t.ron", TILESET),
        ("levels/big.ron", LEVEL),
        ("levels/big.regions/0_0.ron", "(layers: { \"ground\": { (0, 0): [\"1\"] } })\n"),
        ("levels/big.regions/1_0.ron", FAR),
    ];
    for (at, text) in files {
        let at = dir.path().join(at);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(at, text).unwrap();
    }
    dir
}

fn opened(dir: &TempDir) -> Workspace {
    let loaded = io::load(dir.path());
    assert!(loaded.findings.is_empty(), "{:?}", loaded.findings);
    let mut it = Workspace::default();
    it.open(dir.path().to_owned(), loaded, TuningOverlay::default());
    assert_eq!(it.unsaved(), [], "nothing has changed yet");
    it
}

fn level(it: &Workspace) -> &Level {
    it.project().level(&big()).unwrap()
}

fn tile(it: &Workspace, layer: &str, cell: Cell) -> Option<u32> {
    level(it).layer(layer).unwrap().1.tiles().unwrap().tiles.get(cell).id()
}

fn paint(it: &mut Workspace, cell: Cell, id: Option<u32>) {
    let tile = id.map_or(Tile::EMPTY, Tile::id_only);
    let edit = Edit::PaintTiles { doc: big(), layer: "ground".into(), cells: vec![(cell, tile)] };
    let (_, refused) = it.drag("Paint", &[edit], Phase::Commit);
    assert!(refused.is_none());
}

/// Save documents together, and return the files that were written or removed.
fn save(it: &mut Workspace, docs: &[DocPath]) -> Vec<String> {
    let writings: Vec<io::Writing> = docs.iter().flat_map(|doc| it.save(doc, false)).collect();
    let mut files: Vec<String> = writings.iter().map(|writing| writing.path().to_string()).collect();
    for wrote in io::run_together(writings, &IntentLog::default()).wrote {
        it.wrote(wrote).unwrap();
    }
    files.sort();
    files
}

fn changed(it: &mut Workspace, dir: &TempDir, files: &[&str]) -> io::Followed {
    it.mark_dirty(DiskChange { paths: files.iter().map(|at| path(at)).collect(), rescan: false });
    let scanned = it.scan().unwrap().run(&Folder::new(dir.path()));
    let followed = it.scanned(scanned);
    let _ = it.replace("Reload", followed.reloads.clone());
    for merged in &followed.merges {
        let _ = it.replace("Merge", vec![(merged.doc.clone(), Some(Arc::clone(&merged.document)))]);
    }
    followed
}

fn write(dir: &TempDir, at: &str, text: &str) {
    fs::write(dir.path().join(at), text).unwrap();
}

fn files(root: &Path) -> BTreeMap<String, String> {
    let folders =
        ["levels", "levels/big.regions"].into_iter().flat_map(|at| fs::read_dir(root.join(at)).into_iter().flatten());
    let files = folders.map(|it| it.unwrap().path()).filter(|at| at.is_file());
    files.map(|at| (at.strip_prefix(root).unwrap().display().to_string(), fs::read_to_string(&at).unwrap())).collect()
}

#[test]
fn a_level_is_whole_whatever_files_it_is_in() {
    let dir = project();
    let it = opened(&dir);
    assert_eq!(tile(&it, "ground", [0, 0]), Some(1));
    assert_eq!(tile(&it, "ground", [513, 0]), Some(2));
    assert_eq!(tile(&it, "deco", [545, 32]), Some(3));
    assert_eq!(it.project().documents.keys().filter(|path| path.as_str().starts_with("levels")).count(), 1);
}

#[test]
fn a_project_is_there_to_look_at_before_its_regions_are_read() {
    let dir = project();
    let (mut loaded, _) = io::open_to_show(None, dir.path());
    assert_eq!(loaded.unread, [path("levels/big.regions/0_0.ron"), path("levels/big.regions/1_0.ron")]);
    let mut it = Workspace::default();
    it.open(dir.path().to_owned(), loaded.clone(), TuningOverlay::default());
    assert_eq!((tile(&it, "ground", [0, 0]), it.unsaved()), (None, vec![]));
    loaded.add(io::read_regions(dir.path(), &loaded.unread[1..]));
    it.open(dir.path().to_owned(), loaded.clone(), TuningOverlay::default());
    assert_eq!(["ground", "deco"].map(|layer| tile(&it, layer, [545, 32])), [None, Some(3)]);
    assert_eq!((tile(&it, "ground", [0, 0]), it.unsaved()), (None, vec![]));
    loaded.add(io::read_regions(dir.path(), &loaded.unread));
    assert!(loaded.unread.is_empty());
    assert_eq!(loaded.project, io::load(dir.path()).project);
}

#[test]
fn regions_that_are_seen_are_read_first() {
    let dir = project();
    for at in ["0_1", "2_0", "5_5"] {
        write(&dir, &format!("levels/big.regions/{at}.ron"), "(layers: { \"ground\": {} })\n");
    }
    let (loaded, _) = io::open_to_show(None, dir.path());
    let next = |near: Option<(&DocPath, Cell)>, most| {
        let names = loaded.next_regions(near, most).into_iter();
        names.map(|path| path.stem().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(next(None, 9), "0_0 1_0 2_0 0_1 5_5", "row by row");
    assert_eq!(next(Some((&big(), [5, 4])), 9), "5_5 2_0 1_0 0_1 0_0");
    assert_eq!(next(Some((&big(), [1, 0])), 3), "1_0 0_0 2_0");
    assert_eq!(next(Some((&path("levels/other.ron"), [5, 5])), 1), "0_0");
}

#[test]
fn what_a_drag_does_is_compared_with_files_when_it_ends() {
    let dir = project();
    let mut it = opened(&dir);
    let stroke = |id| {
        let cells = vec![([514, 0], Tile::id_only(id))];
        [Edit::PaintTiles { doc: big(), layer: "ground".into(), cells }]
    };
    let _ = it.drag("Paint", &stroke(3), Phase::Preview);
    assert_eq!((it.unsaved(), it.is_modified(&big())), (vec![], false));
    let _ = it.drag("Paint", &[], Phase::Commit);
    assert_eq!((it.unsaved(), it.is_modified(&big())), (vec![big()], true));
    let _ = it.drag("Paint", &stroke(1), Phase::Preview);
    assert_eq!(it.unsaved(), [big()]);
    let _ = it.drag("Paint", &stroke(1), Phase::Cancel);
    let _ = it.undo(false, None).unwrap();
    assert_eq!((it.unsaved(), it.is_modified(&big())), (vec![], false));
    let _ = it.drag("Paint", &stroke(2), Phase::Preview);
    assert!(it.end_drag().is_some());
    assert_eq!(save(&mut it, &[big()]), ["levels/big.regions/1_0.ron"]);
}

#[test]
fn a_level_that_grows_large_keeps_its_tiles_in_regions_from_then_on() {
    let small = path("levels/small.ron");
    let layers =
        vec![Arc::new(Layer::new("ground".into(), LayerContent::Tiles(TileLayer::new("t".into(), Tiles::default()))))];
    let level = Level { size: None, layers, ..Level::default() };
    let mut project: Project = [(small.clone(), Arc::new(Document::Level(level)))].into_iter().collect();
    let fill = |[w, h]: [i32; 2]| Edit::FillTiles {
        doc: small.clone(),
        layer: "ground".into(),
        cells: Arc::new(CellSet::rectangle([0, 0], [w - 1, h - 1])),
        stamp: Stamp::one(Tile::id_only(1)),
        anchor: [0, 0],
    };
    let has_regions = |project: &Project| project.level(&small).unwrap().regions;
    apply_all(&mut project, &[fill([1024, 1024])]).unwrap();
    assert!(!has_regions(&project), "a million cells are one file");
    let before = project.clone();
    apply_all(&mut project, &[fill([1056, 1024])]).unwrap();
    assert!(has_regions(&project));
    // Who wants one file all the same has it.
    let whole = Edit::set_at(&small, FieldPath::keys(["regions"]), &false);
    apply_all(&mut project, &[whole, fill([1088, 1024])]).unwrap();
    assert!(!has_regions(&project));
    let mut bounded = before;
    let resize = |size| Edit::ResizeLevel { doc: small.clone(), size: Some(size), shift: [0, 0] };
    apply_all(&mut bounded, &[resize([1000, 1000])]).unwrap();
    assert!(!has_regions(&bounded));
    apply_all(&mut bounded, &[resize([1025, 1024])]).unwrap();
    assert!(has_regions(&bounded));
}

#[test]
fn a_save_writes_the_regions_that_changed() {
    let dir = project();
    let before = files(dir.path());
    let mut it = opened(&dir);
    paint(&mut it, [514, 0], Some(3));
    assert_eq!(it.unsaved(), [big()]);
    assert!(it.is_modified(&big()));
    assert_eq!(save(&mut it, &[big()]), ["levels/big.regions/1_0.ron"]);
    assert_eq!(it.unsaved(), []);
    let after = files(dir.path());
    assert_eq!(before["levels/big.ron"], after["levels/big.ron"]);
    assert_eq!(before["levels/big.regions/0_0.ron"], after["levels/big.regions/0_0.ron"]);
    let again = opened(&dir);
    assert_eq!(level(&again), level(&it));
    // Undone, it is another again, and saved as it was.
    let _ = it.undo(false, None).unwrap();
    assert_eq!(it.unsaved(), [big()]);
    save(&mut it, &[big()]);
    assert_eq!(tile(&opened(&dir), "ground", [514, 0]), None);
    // A new region is a new file, an empty one none.
    paint(&mut it, [100, 600], Some(1));
    paint(&mut it, [0, 0], None);
    assert_eq!(save(&mut it, &[big()]), ["levels/big.regions/0_0.ron", "levels/big.regions/0_1.ron"]);
    let names: Vec<String> = files(dir.path()).into_keys().collect();
    assert_eq!(names, ["levels/big.regions/0_1.ron", "levels/big.regions/1_0.ron", "levels/big.ron"]);
    // What is no tile is in the level's own file, whose comments stay.
    let _ = it.step(None, &[Edit::set_at(&big(), FieldPath::keys(["layers", "deco", "opacity"]), &0.5_f64)]).unwrap();
    assert_eq!(save(&mut it, &[big()]), ["levels/big.ron"]);
    assert!(files(dir.path())["levels/big.ron"].contains("// wide"));
}

#[test]
fn tiles_move_between_one_file_and_several() {
    let dir = project();
    let mut it = opened(&dir);
    let set = |to: bool| Edit::set_at(&big(), FieldPath::keys(["regions"]), &to);
    let _ = it.step(None, &[set(false)]).unwrap();
    let whole = level(&it).clone();
    save(&mut it, &[big()]);
    assert_eq!(it.unsaved(), []);
    let now = files(dir.path());
    assert_eq!(now.len(), 1, "{now:?}");
    assert!(now["levels/big.ron"].contains("(17, 1)"));
    let again = opened(&dir);
    assert_eq!(*level(&again), whole);
    let _ = it.step(None, &[set(true)]).unwrap();
    save(&mut it, &[big()]);
    assert_eq!(files(dir.path()).len(), 3);
    assert!(!files(dir.path())["levels/big.ron"].contains("(17, 1)"));
    assert_eq!(level(&opened(&dir)), level(&it));
}

#[test]
fn what_another_program_does_to_a_region_is_taken_over() {
    let dir = project();
    let mut it = opened(&dir);
    write(&dir, "levels/big.regions/1_0.ron", "(layers: { \"ground\": { (16, 0): [\"1 2 3\"] } })\n");
    let followed = changed(&mut it, &dir, &["levels/big.regions/1_0.ron"]);
    assert_eq!(followed.reloads.len(), 1);
    assert_eq!(tile(&it, "ground", [514, 0]), Some(3));
    assert_eq!(tile(&it, "deco", [545, 32]), None);
    assert_eq!(it.unsaved(), []);
    // Both sides changed cells of one region: both stay.
    paint(&mut it, [515, 0], Some(0));
    paint(&mut it, [1, 0], Some(0));
    write(&dir, "levels/big.regions/1_0.ron", "(layers: { \"ground\": { (16, 0): [\"0 2 3\"] } })\n");
    write(&dir, "levels/big.regions/1_1.ron", "(layers: { \"ground\": { (16, 16): [\"3\"] } })\n");
    let followed = changed(&mut it, &dir, &["levels/big.regions/1_0.ron", "levels/big.regions/1_1.ron"]);
    assert_eq!((followed.reloads.len(), followed.merges.len()), (1, 1));
    let shown: Vec<_> = [[512, 0], [515, 0], [1, 0], [512, 512]].map(|cell| tile(&it, "ground", cell)).into();
    assert_eq!(shown, [Some(0), Some(0), Some(0), Some(3)]);
    assert_eq!(save(&mut it, &[big()]), ["levels/big.regions/0_0.ron", "levels/big.regions/1_0.ron"]);
    assert_eq!(level(&opened(&dir)), level(&it));
    // A file that is gone takes its tiles along.
    fs::remove_file(dir.path().join("levels/big.regions/1_1.ron")).unwrap();
    changed(&mut it, &dir, &["levels/big.regions/1_1.ron"]);
    assert_eq!(tile(&it, "ground", [512, 512]), None);
    assert_eq!(it.unsaved(), []);
}

#[test]
fn a_region_that_both_changed_in_one_cell_is_asked_about() {
    let dir = project();
    let mut it = opened(&dir);
    paint(&mut it, [512, 0], Some(0));
    write(
        &dir,
        "levels/big.regions/1_0.ron",
        "(layers: { \"ground\": { (16, 0): [\"3 2\"] }, \"deco\": { (17, 1): [\". 3\"] } })\n",
    );
    changed(&mut it, &dir, &["levels/big.regions/1_0.ron"]);
    let file = path("levels/big.regions/1_0.ron");
    assert_eq!(it.files().questioned(&big()), Some(file.clone()));
    let choices = io::Choices::all(levelwright::model::Side::Theirs);
    let followed = it.answer(&file, &choices);
    let _ = it.replace("Reload", followed.reloads);
    for merged in followed.merges {
        let _ = it.replace("Merge", vec![(merged.doc, Some(merged.document))]);
    }
    assert_eq!(tile(&it, "ground", [512, 0]), Some(3));
    assert_eq!(it.files().questioned(&big()), None);
}

#[test]
fn a_broken_region_is_reported_and_never_overwritten() {
    let dir = project();
    write(&dir, "levels/big.regions/1_0.ron", "(layers: { \"ground\": { (16, 0): [\"1 x\"] } })\n");
    let loaded = io::load(dir.path());
    let found: Vec<String> = loaded.findings.iter().map(|it| format!("{}: {}", it.location.doc, it.message)).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("levels/big.regions/1_0.ron: "), "{found:?}");
    let mut it = Workspace::default();
    it.open(dir.path().to_owned(), loaded, TuningOverlay::default());
    assert_eq!(it.unsaved(), []);
    assert!(it.is_broken(&big()));
    assert_eq!(tile(&it, "ground", [0, 0]), Some(1));
    paint(&mut it, [600, 0], Some(2));
    let writings = it.save(&big(), false);
    let together = io::run_together(writings, &IntentLog::default());
    assert!(together.wrote.iter().all(|it| it.result.is_err()));
    assert!(files(dir.path())["levels/big.regions/1_0.ron"].contains("1 x"));
    // A file that breaks while it is open leaves its tiles in use.
    let dir = project();
    let mut it = opened(&dir);
    write(&dir, "levels/big.regions/1_0.ron", "(layers: {");
    let followed = changed(&mut it, &dir, &["levels/big.regions/1_0.ron"]);
    assert_eq!(followed.broken.len(), 1);
    assert_eq!(tile(&it, "ground", [513, 0]), Some(2));
    assert_eq!(it.unsaved(), []);
}

#[test]
fn a_level_takes_its_regions_along() {
    let dir = project();
    let mut it = opened(&dir);
    let to = path("levels/vast.ron");
    let _ = it
        .step(None, &[Edit::MoveDocument { doc: big(), to: to.clone(), typed: TypedRefs::none(RefKind::Level) }])
        .unwrap();
    assert_eq!(it.unsaved(), [big(), to.clone(), path("project.ron")]);
    save(&mut it, &[to.clone(), path("project.ron"), big()]);
    assert_eq!(it.unsaved(), []);
    let names: Vec<String> = files(dir.path()).into_keys().collect();
    assert_eq!(names, ["levels/vast.ron"]);
    assert_eq!(fs::read_dir(dir.path().join("levels/vast.regions")).unwrap().count(), 2);
    assert_eq!(io::load(dir.path()).project.level(&to), it.project().level(&to));
    let _ = it.replace("Delete", vec![(to.clone(), None)]);
    save(&mut it, &[to]);
    assert_eq!(it.unsaved(), []);
    assert!(!dir.path().join("levels/vast.regions").exists(), "nor is its folder left");
}

#[test]
fn the_journal_restores_what_was_painted() {
    let dir = project();
    let mut it = opened(&dir);
    paint(&mut it, [514, 0], Some(3));
    let mut kept = journal::Journal::default();
    let header = kept.whole(dir.path().to_str().unwrap(), 0);
    let text = header + &kept.line(it.files().unsaved(it.project()), 1).unwrap();
    assert!(text.len() < 4000, "only the region that changed is kept");
    let replayed = journal::read(text.as_bytes()).unwrap();
    let recovered: Vec<_> =
        replayed.entries.iter().filter_map(|(path, entry)| journal::Recovered::of(path, entry)).collect();
    let mut again = opened(&dir);
    let followed = again.restore(&recovered);
    let _ = again.replace("Restore", followed.reloads);
    assert_eq!(tile(&again, "ground", [514, 0]), Some(3));
    assert_eq!(again.unsaved(), [big()]);
    assert_eq!(save(&mut again, &[big()]), ["levels/big.regions/1_0.ron"]);
}

#[test]
fn regions_of_no_level_are_left_alone() {
    let dir = project();
    write(&dir, "levels/big.ron", &LEVEL.replace("    regions: true,\n", ""));
    let loaded = io::load(dir.path());
    let rules: Vec<&str> = loaded.findings.iter().map(|it| &*it.rule).collect();
    assert_eq!(rules, ["region-without-level"; 2]);
    let mut it = Workspace::default();
    it.open(dir.path().to_owned(), loaded, TuningOverlay::default());
    assert_eq!((tile(&it, "ground", [0, 0]), it.unsaved()), (None, vec![]));
    paint(&mut it, [3, 3], Some(1));
    assert_eq!(save(&mut it, &[big()]), ["levels/big.ron"]);
    assert_eq!(files(dir.path()).len(), 3);
    // They are not overwritten unseen when the level is to have regions after all.
    let _ = it.step(None, &[Edit::set_at(&big(), FieldPath::keys(["regions"]), &true)]).unwrap();
    let writings = it.save(&big(), false);
    let wrote = io::run_together(writings, &IntentLog::default()).wrote;
    assert!(wrote.iter().all(|it| it.result.is_err()));
    assert!(files(dir.path())["levels/big.regions/1_0.ron"].contains("1 2"));
}

#[test]
fn tiles_of_a_layer_that_the_level_lacks_stay_in_their_files() {
    let dir = project();
    write(&dir, "levels/big.ron", &LEVEL.replace("\"deco\"", "\"front\""));
    let loaded = io::load(dir.path());
    let found: Vec<String> = loaded.findings.iter().map(|it| format!("{}: {}", it.location.doc, it.message)).collect();
    assert!(matches!(&found[..], [one] if one.contains("1_0.ron: this has tiles of a layer `deco`")), "{found:?}");
    let mut it = Workspace::default();
    it.open(dir.path().to_owned(), loaded, TuningOverlay::default());
    assert_eq!(it.unsaved(), []);
    paint(&mut it, [513, 0], Some(3));
    assert_eq!(save(&mut it, &[big()]), ["levels/big.regions/1_0.ron"]);
    paint(&mut it, [512, 0], None);
    paint(&mut it, [513, 0], None);
    save(&mut it, &[big()]);
    assert!(files(dir.path())["levels/big.regions/1_0.ron"].contains("\"deco\""), "also when nothing else is left");
    // The layer comes back, and its tiles with it.
    write(&dir, "levels/big.ron", LEVEL);
    changed(&mut it, &dir, &["levels/big.ron"]);
    assert_eq!((tile(&it, "deco", [545, 32]), it.unsaved()), (Some(3), vec![]));
    assert_eq!(level(&opened(&dir)), level(&it));
}

#[test]
fn a_level_that_is_gone_while_it_was_painted_on_is_asked_about() {
    let dir = project();
    let mut it = opened(&dir);
    paint(&mut it, [514, 0], Some(3));
    fs::remove_file(dir.path().join("levels/big.ron")).unwrap();
    it.mark_dirty(DiskChange { rescan: true, ..DiskChange::default() });
    let scanned = it.scan().unwrap().run(&Folder::new(dir.path()));
    let followed = it.scanned(scanned);
    assert!(followed.reloads.is_empty());
    assert_eq!(it.files().questioned(&big()), Some(big()));
    it.postpone(&big());
    assert!(it.is_postponed(&big()));
    it.resume(&big());
    assert!(!it.is_postponed(&big()));
    // Kept, it is written again.
    let followed = it.answer(&big(), &io::Choices::all(levelwright::model::Side::Mine));
    assert!(followed.reloads.is_empty());
    assert_eq!(it.unsaved(), [big()]);
    save(&mut it, &[big()]);
    assert_eq!((it.unsaved(), level(&opened(&dir))), (vec![], level(&it)));
}

#[test]
fn what_was_put_off_about_a_region_is_asked_again_for_its_level() {
    let dir = project();
    let mut it = opened(&dir);
    paint(&mut it, [512, 0], Some(0));
    write(&dir, "levels/big.regions/1_0.ron", &FAR.replace("1 2", "3 2"));
    changed(&mut it, &dir, &["levels/big.regions/1_0.ron"]);
    it.postpone(&path("levels/big.regions/1_0.ron"));
    assert!(it.is_postponed(&big()));
    it.resume(&big());
    assert!(!it.is_postponed(&big()));
}

#[test]
fn the_journal_has_what_was_before_a_drag() {
    let dir = project();
    let mut it = opened(&dir);
    let edit = Edit::PaintTiles { doc: big(), layer: "ground".into(), cells: vec![([3, 3], Tile::id_only(2))] };
    let _ = it.drag("Paint", &[edit], Phase::Preview);
    assert_eq!(it.files().unsaved(it.before_drag()).len(), 0);
    assert_eq!(it.files().unsaved(it.project()).len(), 1);
}

#[test]
fn chunks_belong_into_their_region_and_cells_are_what_their_layer_holds() {
    let dir = project();
    write(&dir, "levels/big.regions/0_0.ron", "(layers: { \"ground\": { (16, 0): [\"1\"] } })\n");
    let found = io::load(dir.path()).findings;
    assert!(matches!(&found[..], [one] if one.message.contains("another region's file")), "{found:?}");
    let dir = project();
    write(&dir, "levels/big.ron", &LEVEL.replace("Tiles(name: \"deco\", tileset: \"t\")", "Values(name: \"deco\")"));
    write(&dir, "levels/big.regions/1_0.ron", &FAR.replace(". 3", ". 3h 7"));
    let it = opened(&dir);
    let value = level(&it).layer("deco").unwrap().1.values().unwrap().values.get([546, 32]);
    assert_eq!(value.id(), Some(7));
    let resolution = levelwright::defs::resolve(it.project(), &crate::build::builtin(), None);
    let problems = levelwright::check::check(it.project(), &resolution, None);
    let all: Vec<String> =
        problems.iter().map(|it| format!("{}: {}", it.finding.location.doc, it.finding.message)).collect();
    let expected = "levels/big.regions/1_0.ron: cell (545, 32) of layer `deco` has no value";
    assert!(all.iter().any(|it| it.starts_with(expected)), "{all:?}");
}

#[test]
fn tiles_of_layers_in_groups_are_in_regions_too() {
    let dir = project();
    let deco = "Tiles(name: \"deco\", tileset: \"t\")";
    write(&dir, "levels/big.ron", &LEVEL.replace(deco, &format!("Group(name: \"far\", layers: [{deco}])")));
    let mut it = opened(&dir);
    assert_eq!(tile(&it, "deco", [545, 32]), Some(3));
    let paint = Edit::PaintTiles { doc: big(), layer: "deco".into(), cells: vec![([0, 0], Tile::id_only(2))] };
    let _ = it.step(None, &[paint]).unwrap();
    assert_eq!(save(&mut it, &[big()]), ["levels/big.regions/0_0.ron"]);
    assert_eq!(tile(&opened(&dir), "deco", [0, 0]), Some(2));
    // A layer that leaves its group leaves its tiles where they are.
    let _ = it.step(None, &[Edit::move_layer(&big(), &"deco".into(), None, 0)]).unwrap();
    let saved = save(&mut it, &[big()]);
    assert!(saved.contains(&"levels/big.ron".to_owned()), "{saved:?}");
    assert_eq!((tile(&opened(&dir), "deco", [545, 32]), it.unsaved()), (Some(3), vec![]));
    assert_eq!(level(&opened(&dir)), level(&it));
}

#[test]
#[cfg(feature = "cli")]
fn region_files_are_put_in_form_too() {
    let dir = project();
    let far = dir.path().join("levels/big.regions/1_0.ron");
    let fmt = |args: &[&str]| crate::cli::run(&[&["fmt", dir.path().to_str().unwrap()], args].concat());
    assert_eq!(fmt(&[]).code, 0);
    let formed = fs::read_to_string(&far).unwrap();
    let clean = fmt(&["--check"]);
    assert_eq!((clean.code, clean.out.as_str()), (0, "0 of 5 files not in form\n"));
    write(&dir, "levels/big.regions/1_0.ron", &formed.replace("layers:", "layers   :"));
    let found = fmt(&["--check"]);
    assert_eq!((found.code, found.out.as_str()), (1, "levels/big.regions/1_0.ron\n1 of 5 files not in form\n"));
    assert_eq!((fmt(&[]).code, fs::read_to_string(&far).unwrap()), (0, formed));
    // What is saved is in form.
    let mut it = opened(&dir);
    paint(&mut it, [600, 5], Some(2));
    let _ = save(&mut it, &[big()]);
    assert_eq!(fmt(&["--check"]).code, 0);
}
