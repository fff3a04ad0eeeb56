//! The workbench: what is selected and shown follows places, names and files, and lets go of what is gone.

use std::sync::Arc;

use glam::Vec2;
use levelwright::{
    defs::resolve,
    edit::{Edit, Stamp},
    editor::{Camera, Pane, Selection, Tuning, Unfinished, ViewState, Workbench, Workspace},
    model::{
        CellSet, DocPath, Document, FieldPath, Layer, LayerContent, LevelView, Location, Name, Project, Tile,
        TileLayer, Tiles, Tileset,
    },
    refactor::{NameKind, NewLevel, ReplaceKind},
    tools::ToolKind,
};

use super::{call, opened, renamed, yard};
use crate::{build::path, world::builtin};

/// The small game on the workbench.
fn bench() -> (Workspace, Workbench) {
    let (workspace, mut bench) = (opened(), Workbench::default());
    bench.open(workspace.project(), Tuning::default());
    (workspace, bench)
}

fn machines() -> DocPath {
    path("machines/guard.ron")
}

fn goblins() -> DocPath {
    path("entities/goblins.ron")
}

fn machine(state: &str, transition: Option<usize>) -> Selection {
    Selection::Machine { doc: machines(), name: "guard".into(), state: state.into(), transition }
}

fn things(ids: &[&str]) -> Selection {
    Selection::Things { doc: yard(), ids: ids.iter().map(|id| Name::from(*id)).collect() }
}

fn layer(doc: &str, layer: &str) -> Selection {
    Selection::Layer { doc: path(doc), layer: layer.into() }
}

fn follow(bench: &mut Workbench, before: &Project, now: &Project) {
    bench.follow(before, now, &resolve(before, &builtin(), None));
}

#[test]
fn a_project_opens_at_its_first_level_and_machine() {
    let (workspace, mut bench) = bench();
    assert_eq!((bench.view.level.clone(), bench.view.focus.clone()), (Some(yard()), Some(yard())));
    assert_eq!((&bench.view.open_levels, &bench.view.machine), (&vec![yard()], &Some((machines(), "guard".into()))));
    assert_eq!(bench.take_wanted_panes(), []);
    assert_eq!(bench.selection(), &Selection::Document(yard()), "its properties are shown");
    // Of what was open before, the tool stays.
    bench.take_tool(ToolKind::Pencil);
    bench.select(things(&["g1"]));
    bench.open_level(path("levels/cave.ron"));
    bench.view.snap = false;
    bench.view.watch = Some("g1".into());
    bench.open(workspace.project(), Tuning { bookmarks: vec!["Combat.damage".into()], ..Tuning::default() });
    assert_eq!((bench.selection(), bench.view.tool), (&Selection::Document(yard()), ToolKind::Pencil));
    assert_eq!((&bench.view.open_levels, bench.view.snap, &bench.view.watch), (&vec![yard()], true, &None));
    assert_eq!(bench.tuning.bookmarks, ["Combat.damage".into()]);
}

#[test]
fn going_to_a_place_selects_what_it_is_about() {
    let at = |keys: &[&str]| FieldPath::keys(keys);
    let in_layer = |index: usize, keys: &[&str]| keys.iter().fold(at(&["layers"]).index(index), |it, key| it.key(key));
    let aim = at(&["guard", "states", "Attack", "states", "Aim"]);
    let level = "levels/yard.ron";
    let cases: [(&str, FieldPath, Selection, Option<Pane>); 15] = [
        (level, in_layer(1, &["entities", "g1", "at"]), things(&["g1"]), None),
        (level, in_layer(2, &["nodes", "n2"]), things(&["n2"]), None),
        (level, in_layer(1, &["entities", "nobody"]), layer(level, "actors"), Some(Pane::Inspector)),
        (level, in_layer(0, &["chunks"]), layer(level, "ground"), Some(Pane::Inspector)),
        (level, in_layer(2, &["links"]).index(0).key("from"), layer(level, "patrol"), Some(Pane::Inspector)),
        (level, in_layer(9, &[]), Selection::Document(yard()), Some(Pane::Inspector)),
        (level, at(&["size"]), Selection::Document(yard()), Some(Pane::Inspector)),
        (
            "entities/goblins.ron",
            at(&["chief", "set", "Health", "max"]),
            Selection::definition(goblins(), "chief".into()),
            Some(Pane::Inspector),
        ),
        ("entities/goblins.ron", at(&["nobody"]), Selection::Document(goblins()), Some(Pane::Inspector)),
        ("machines/guard.ron", at(&["guard", "initial"]), machine("", None), Some(Pane::Machine)),
        (
            "machines/guard.ron",
            at(&["guard", "states", "Attack", "initial"]),
            machine("Attack", None),
            Some(Pane::Machine),
        ),
        ("machines/guard.ron", aim.clone(), machine("Attack/Aim", None), Some(Pane::Machine)),
        (
            "machines/guard.ron",
            aim.key("transitions").index(1).key("to"),
            machine("Attack/Aim", Some(1)),
            Some(Pane::Machine),
        ),
        ("tuning/combat.ron", at(&["values", "damage"]), things(&["p1"]), Some(Pane::Tuning)),
        ("project.ron", at(&["name"]), Selection::Document(path("project.ron")), Some(Pane::Inspector)),
    ];
    for (doc, at, expected, pane) in cases {
        let (workspace, mut bench) = bench();
        bench.select(things(&["p1"]));
        bench.go_to(&Location::new(path(doc), at.clone()), workspace.project());
        assert_eq!(bench.selection(), &expected, "{doc}: {at}");
        assert_eq!(bench.take_wanted_panes().first().copied(), pane, "{doc}: {at}");
        assert_eq!(bench.view.focus, Some(path(doc)), "{doc}: {at}");
    }
}

#[test]
fn going_to_a_thing_looks_at_it() {
    let (workspace, mut bench) = bench();
    let at = FieldPath::keys(["layers"]).index(1).key("entities").key("g1");
    let go = |bench: &mut Workbench| bench.go_to(&Location::new(yard(), at.clone()), workspace.project());
    go(&mut bench);
    assert_eq!(bench.view.cameras[&yard()], Camera { center: Vec2::new(60.0, 100.0), scale: 2.0 });
    bench.view.cameras.insert(yard(), Camera { center: Vec2::ZERO, scale: 0.25 });
    go(&mut bench);
    assert_eq!(bench.view.cameras[&yard()], Camera { center: Vec2::new(60.0, 100.0), scale: 1.0 });
    bench.zoom(6);
    go(&mut bench);
    assert_eq!(bench.view.cameras[&yard()].scale, 4.0, "what is near enough stays");
    bench.zoom_reset();
    assert_eq!(bench.view.cameras[&yard()].scale, 1.0);
    bench.zoom_fit();
    assert!(bench.view.cameras.is_empty());

    let elsewhere = Location { place_px: Some([500, -20]), ..Location::new(yard(), at.clone()) };
    bench.go_to(&elsewhere, workspace.project());
    assert_eq!(bench.view.cameras[&yard()].center, Vec2::new(500.0, -20.0));
    assert_eq!(bench.selection(), &things(&["g1"]));
    bench.select(Selection::Layer { doc: yard(), layer: "ground".into() });
    assert_eq!(bench.view.stopped, Some((yard(), "g1".into())), "a wall is moved on another layer");
    bench.select(things(&["p1"]));
    assert_eq!(bench.view.stopped, None);
}

#[test]
fn selecting_means_the_document_and_the_definition_to_place() {
    let (_, mut bench) = bench();
    bench.select(Selection::definition(goblins(), "chief".into()));
    assert_eq!((bench.view.focus.clone(), bench.view.place_def.as_deref()), (Some(goblins()), Some("chief")));
    bench.deselect();
    assert_eq!((bench.selection(), bench.view.focus.clone()), (&Selection::None, Some(goblins())));
    bench.open_level(path("levels/cave.ron"));
    assert_eq!(bench.take_wanted_panes(), [Pane::Level, Pane::Inspector, Pane::Inspector], "the last one first");
    assert_eq!(bench.take_wanted_panes(), []);
}

#[test]
fn a_level_that_is_opened_or_clicked_beside_everything_is_selected_itself() {
    let (_, mut bench) = bench();
    let cave = path("levels/cave.ron");
    bench.select(things(&["g1"]));
    bench.open_level(cave.clone());
    assert_eq!(bench.selection(), &Selection::Document(cave.clone()));
    assert_eq!(bench.take_wanted_panes(), [Pane::Level, Pane::Inspector]);
    bench.open_level(yard());
    bench.select(things(&["g1"]));
    let _ = bench.take_wanted_panes();
    bench.select(things(&[]));
    assert_eq!((bench.selection(), bench.view.focus.clone()), (&Selection::Document(yard()), Some(yard())));
    assert_eq!(bench.take_wanted_panes(), [], "a click beside everything brings no pane to the front");
}

#[test]
fn everything_is_selected_on_the_active_layer_and_on_no_other() {
    let (mut workspace, mut bench) = bench();
    let work_on = |bench: &mut Workbench, layer: &str| {
        bench.view.active_layer.insert(yard(), layer.into());
    };
    for (layer, ids) in [("actors", ["g1", "p1"]), ("patrol", ["n1", "n2"])] {
        work_on(&mut bench, layer);
        bench.select_all(workspace.project()).unwrap();
        assert_eq!(bench.selection(), &things(&ids), "{layer}");
    }
    // Cells are another selection: what was selected elsewhere must not be copied or deleted in their place.
    bench.select(things(&["p1"]));
    work_on(&mut bench, "ground");
    let cells = Arc::new(CellSet::rectangle([0, 0], [3, 3]));
    bench.select_cells(&yard(), cells.clone());
    assert_eq!(bench.selection(), &Selection::None);
    assert_eq!(bench.view.cells_meant(bench.selection()), Some((&yard(), &cells)));
    bench.select(things(&["p1"]));
    assert_eq!(bench.view.cells_meant(bench.selection()), None, "what was selected last is meant");
    bench.select(Selection::None);
    bench.select_cells(&yard(), Arc::default());
    assert_eq!(bench.view.cells_meant(bench.selection()), None);
    // Nor what a click would not hit.
    let lock = Edit::set_at(&yard(), FieldPath::keys(["layers", "actors", "locked"]), &true);
    let _ = workspace.step(None, &[lock]).unwrap();
    work_on(&mut bench, "actors");
    let why = bench.select_all(workspace.project()).unwrap_err();
    assert_eq!(why, "“actors” is locked: unlock it to select what is on it");
    bench.open_level(path("levels/cave.ron"));
    assert_eq!(bench.select_all(workspace.project()).unwrap_err(), "There is nothing on “actors” to select");
    bench.work_in(Pane::Machine, workspace.project());
    bench.select(machine("Attack", None));
    assert!(bench.select_all(workspace.project()).is_err());
    assert_eq!(bench.selection(), &machine("Attack", None), "another pane's selection is left alone");
}

#[test]
fn an_eye_hides_a_layer_in_the_window_and_else_follows_the_document() {
    let (workspace, mut bench) = bench();
    let level = workspace.project().level(&yard()).unwrap();
    let (_, actors) = level.layer("actors").unwrap();
    let in_game = |is_drawn: bool| Layer { visible: is_drawn, ..(**actors).clone() };
    let view = &mut bench.view;
    assert!(view.shows(&yard(), level, &in_game(true)) && !view.shows(&yard(), level, &in_game(false)));
    view.show_layer(&yard(), actors, false);
    assert!(!view.shows(&yard(), level, &in_game(true)));
    view.show_layer(&yard(), actors, true);
    assert!(!view.shows(&yard(), level, &in_game(false)), "an open eye of a drawn layer goes with the document");
    view.show_layer(&yard(), &in_game(false), true);
    assert!(view.shows(&yard(), level, &in_game(false)), "what the game does not draw can be looked at");
    // What is hidden here is not selected unseen.
    view.show_layer(&yard(), actors, false);
    view.active_layer.insert(yard(), "actors".into());
    let why = bench.select_all(workspace.project()).unwrap_err();
    assert_eq!(why, "“actors” is hidden: show it to select what is on it");
}

#[test]
fn a_new_level_is_offered_like_the_one_shown() {
    let (mut workspace, mut bench) = bench();
    let set = Tileset { tile_size: [8, 8], ..Tileset::default() };
    let put = |name: &str| Edit::put_document(path(&format!("tilesets/{name}.ron")), Document::Tileset(set.clone()));
    let see = Edit::set_at(&yard(), FieldPath::keys(["view"]), &Some(LevelView::TopDown));
    let _ = workspace.step(None, &[put("aaa"), put("zzz"), see]).unwrap();
    let new = bench.new_level(workspace.project());
    assert_eq!((new.name.as_str(), new.tileset.as_deref(), new.tile_size), ("level", Some("t"), [16, 16]));
    assert_eq!((new.view, new.size), (LevelView::TopDown, Some(NewLevel::SIZE)), "as the one shown is seen");
    // The tileset that was worked with last comes first, whatever level is shown.
    let tiles = TileLayer::new("zzz".into(), Tiles::default());
    let layer = Layer::new("far".into(), LayerContent::Tiles(tiles));
    let _ = workspace.step(None, &[Edit::insert_at(&yard(), FieldPath::keys(["layers"]).index(0), &layer)]).unwrap();
    bench.work_on(&yard(), "far".into(), workspace.project());
    bench.open_level(path("levels/cave.ron"));
    assert_eq!(bench.view.tilesets(workspace.project()), ["zzz".into(), "aaa".into(), "t".into()]);
    let new = bench.new_level(workspace.project());
    assert_eq!((new.tileset.as_deref(), new.tile_size), (Some("zzz"), [8, 8]));
    assert_eq!(new.view, LevelView::Platformer, "as the project has it, where the level shown declares none");
}

#[test]
fn a_layer_shown_alone_gives_way_to_what_was_shown() {
    let (workspace, mut bench) = bench();
    let level = workspace.project().level(&yard()).unwrap();
    let view = &mut bench.view;
    let alone = |view: &ViewState| {
        let all = level.layers.iter().filter(|layer| view.shows_alone(&yard(), level, &layer.name));
        all.map(|layer| layer.name.to_string()).collect::<Vec<_>>()
    };
    let shown = |view: &ViewState| level.layers.iter().filter(|layer| view.shows(&yard(), level, layer)).count();
    let n = level.layers.len();
    assert!(n > 2 && shown(view) == n && alone(view).is_empty());
    view.show_layer(&yard(), &level.layers[2], false);
    for name in ["ground", "actors", "patrol"] {
        view.show_alone(&yard(), level, name);
        assert_eq!(alone(view), [name]);
    }
    view.show_alone(&yard(), level, "patrol");
    assert_eq!((shown(view), view.shows(&yard(), level, &level.layers[2])), (n - 1, false), "as before the first");
    // An eye that is opened meanwhile is of what is shown next time.
    view.show_alone(&yard(), level, "ground");
    view.show_layer(&yard(), &level.layers[1], true);
    assert!(alone(view).is_empty());
    view.show_alone(&yard(), level, "ground");
    view.show_alone(&yard(), level, "ground");
    assert_eq!(shown(view), 2);
    // One that is alone because the others were hidden one by one: all are shown.
    view.show_alone(&yard(), level, "ground");
    view.eyes_before.clear();
    view.show_alone(&yard(), level, "ground");
    assert_eq!(shown(view), n);
}

/// Everything that holds names, on a workbench.
fn full() -> (Workspace, Workbench) {
    let (workspace, mut bench) = bench();
    let camera = Camera { center: Vec2::ONE, scale: 3.0 };
    bench.view.cameras.insert(yard(), camera);
    bench.view.active_layer.insert(yard(), "actors".into());
    bench.view.eyes.entry(yard()).or_default().insert("actors".into(), false);
    bench.view.eyes_before = bench.view.eyes.clone();
    let (from, to) = ("Patrol".into(), "Attack/Aim".into());
    bench.view.unfinished.push(Unfinished { doc: machines(), machine: "guard".into(), from, to });
    bench.select(Selection::definition(goblins(), "goblin".into()));
    (workspace, bench)
}

#[test]
fn names_are_followed_over_renames_and_back() {
    let (workspace, mut bench) = full();
    let before = workspace.project();
    let selections = [
        (NameKind::Def, "goblin", "gnome", Selection::definition(goblins(), "gnome".into())),
        (NameKind::Layer, "yard/actors", "people", layer("levels/yard.ron", "people")),
        (NameKind::State, "guard/Attack", "Fight", machine("Fight/Aim", Some(1))),
    ];
    let was = [
        Selection::definition(goblins(), "goblin".into()),
        layer("levels/yard.ron", "actors"),
        machine("Attack/Aim", Some(1)),
    ];
    for ((kind, name, to, expected), was) in selections.into_iter().zip(was) {
        let now = renamed(before, kind, name, to);
        bench.select(was.clone());
        follow(&mut bench, before, &now);
        assert_eq!(bench.selection(), &expected);
        match kind {
            NameKind::Def => assert_eq!(bench.view.place_def.as_deref(), Some("gnome")),
            NameKind::Layer => {
                assert_eq!(&*bench.view.active_layer[&yard()], "people");
                assert_eq!(bench.view.eyes[&yard()], [("people".into(), false)].into());
                assert_eq!(bench.view.eyes_before, bench.view.eyes);
            }
            _ => assert_eq!(&*bench.view.unfinished[0].to, "Fight/Aim"),
        }
        follow(&mut bench, &now, before);
        assert_eq!(bench.selection(), &was);
        assert_eq!((bench.view.place_def.as_deref(), &*bench.view.active_layer[&yard()]), (Some("goblin"), "actors"));
        assert_eq!(&*bench.view.unfinished[0].to, "Attack/Aim");
        assert_eq!(bench.view.eyes[&yard()], [("actors".into(), false)].into());
    }
    // The machine itself: what is selected and shown of it, and what is drawn in it.
    let now = renamed(before, NameKind::Machine, "guard", "watch");
    bench.select(machine("Attack", None));
    follow(&mut bench, before, &now);
    let Selection::Machine { name, state, .. } = bench.selection() else { panic!("{:?}", bench.selection()) };
    assert_eq!((&**name, &**state), ("watch", "Attack"));
    assert_eq!(bench.view.machine, Some((machines(), "watch".into())));
    assert_eq!(&*bench.view.unfinished[0].machine, "watch");
}

#[test]
fn files_are_followed_where_they_move() {
    let (workspace, mut bench) = full();
    let before = workspace.project();
    let now = renamed(before, NameKind::Level, "yard", "court");
    bench.select(things(&["g1"]));
    let camera = bench.view.cameras[&yard()];
    follow(&mut bench, before, &now);
    let court = path("levels/court.ron");
    assert_eq!(bench.selection(), &Selection::Things { doc: court.clone(), ids: vec!["g1".into()] });
    assert_eq!((bench.view.level.as_ref(), bench.view.focus.as_ref()), (Some(&court), Some(&court)));
    assert_eq!(bench.view.open_levels, std::slice::from_ref(&court));
    assert_eq!(bench.view.cameras.into_iter().collect::<Vec<_>>(), [(court.clone(), camera)]);
    assert!(bench.view.eyes.contains_key(&court) && !bench.view.eyes.contains_key(&yard()));
    assert_eq!(bench.view.active_layer.into_iter().collect::<Vec<_>>(), [(court, "actors".into())]);

    let (workspace, mut bench) = full();
    let before = workspace.project();
    let (orcs, brains) = (path("entities/orcs.ron"), path("machines/brains.ron"));
    let now = renamed(before, NameKind::File, "entities/goblins", "orcs");
    follow(&mut bench, before, &now);
    assert_eq!(bench.selection(), &Selection::definition(orcs.clone(), "goblin".into()));
    assert_eq!((bench.view.focus.as_ref(), bench.view.place_def.as_deref()), (Some(&orcs), Some("goblin")));
    let now = renamed(before, NameKind::File, "machines/guard", "brains");
    follow(&mut bench, before, &now);
    assert_eq!(bench.view.machine, Some((brains.clone(), "guard".into())));
    assert_eq!(bench.view.unfinished[0].doc, brains);
}

#[test]
fn what_is_gone_is_let_go_of() {
    let remove = |doc: DocPath, at: &[&str]| Edit::Remove { doc, at: FieldPath::keys(at) };
    let delete = |ids: &[&str]| Edit::DeleteThings { doc: yard(), ids: ids.iter().map(|id| Name::from(*id)).collect() };
    let put_away = |doc: DocPath| Edit::PutDocument { doc, document: None };
    let both = Selection::Definitions { all: vec![(goblins(), "goblin".into()), (goblins(), "chief".into())] };
    let state = |state: &str| Edit::RemoveState { doc: machines(), machine: "guard".into(), state: state.into() };
    let transition = Edit::Remove {
        doc: machines(),
        at: FieldPath::keys(["guard", "states", "Attack", "states", "Aim", "transitions"]).index(0),
    };
    let cases: Vec<(Selection, Edit, Selection)> = vec![
        (both, remove(goblins(), &["chief"]), Selection::definition(goblins(), "goblin".into())),
        (Selection::definition(goblins(), "chief".into()), remove(goblins(), &["chief"]), Selection::None),
        (things(&["g1", "n1"]), delete(&["n1"]), things(&["g1"])),
        (things(&["g1"]), delete(&["g1"]), Selection::None),
        (things(&["g1"]), delete(&["p1"]), things(&["g1"])),
        (layer("levels/yard.ron", "patrol"), remove(yard(), &["layers", "patrol"]), Selection::None),
        (Selection::Document(yard()), put_away(yard()), Selection::None),
        (things(&["g1"]), put_away(yard()), Selection::None),
        (machine("Attack/Aim", Some(0)), state("Attack"), machine("", None)),
        (machine("Attack/Aim", Some(1)), transition.clone(), machine("Attack/Aim", None)),
        (machine("Attack/Aim", Some(0)), transition, machine("Attack/Aim", Some(0))),
        (machine("Attack", None), put_away(machines()), Selection::None),
        (machine("Attack", None), call("A"), machine("Attack", None)),
    ];
    for (selected, edit, left) in cases {
        let (mut workspace, mut bench) = bench();
        bench.select(selected.clone());
        let _ = workspace.step(None, std::slice::from_ref(&edit)).unwrap();
        bench.reconcile(&workspace);
        assert_eq!(bench.selection(), &left, "{selected:?} after {edit:?}");
    }
}

#[test]
fn levels_and_machines_that_are_gone_are_shown_no_longer() {
    let (mut workspace, mut bench) = bench();
    let (attic, cave) = (path("levels/attic.ron"), path("levels/cave.ron"));
    [&attic, &cave, &yard()].into_iter().for_each(|level| bench.open_level(level.clone()));
    let gone = [yard(), machines()].map(|doc| Edit::PutDocument { doc, document: None });
    let _ = workspace.step(None, &gone).unwrap();
    bench.reconcile(&workspace);
    assert_eq!((&bench.view.open_levels, &bench.view.level), (&vec![attic.clone(), cave], &Some(attic)));
    assert_eq!(bench.view.machine, None);
    let (mut workspace, mut bench) = self::bench();
    let _ = workspace.step(None, &gone).unwrap();
    bench.reconcile(&workspace);
    assert_eq!((bench.view.open_levels.len(), &bench.view.level), (0, &None));
}

#[test]
fn closing_a_level_shows_the_one_beside_it() {
    let (_, mut bench) = bench();
    let (attic, cave) = (path("levels/attic.ron"), path("levels/cave.ron"));
    [&attic, &cave].into_iter().for_each(|level| bench.open_level(level.clone()));
    // On the strip: yard, attic, cave.
    bench.open_level(attic.clone());
    assert_eq!(bench.view.open_levels, [yard(), attic.clone(), cave.clone()]);
    assert_eq!(bench.next_level(), Some(&cave));
    bench.close_level(&yard());
    assert_eq!(bench.view.level, Some(attic.clone()), "another one");
    bench.close_level(&attic);
    assert_eq!((bench.view.level.clone(), bench.next_level()), (Some(cave.clone()), Some(&cave)));
    bench.open_level(yard());
    assert_eq!(bench.next_level(), Some(&cave), "after the last comes the first");
    bench.close_level(&yard());
    assert_eq!(bench.view.level, Some(cave.clone()), "the one before, where it was the last");
    bench.close_level(&cave);
    assert_eq!((&bench.view.level, bench.view.open_levels.len(), bench.next_level()), (&None, 0, None));
    bench.close_level(&cave);
}

#[test]
fn a_machine_that_is_shown_anew_is_shown_whole() {
    let (_, mut bench) = bench();
    bench.view.machine_camera = Some(Camera::default());
    bench.open_machine(machines(), "guard".into());
    assert!(bench.view.machine_camera.is_some(), "it was shown already");
    assert_eq!((bench.selection(), bench.view.focus.clone()), (&machine("", None), Some(machines())));
    bench.open_machine(machines(), "other".into());
    assert_eq!(bench.view.machine_camera, None);
}

#[test]
fn save_and_undo_mean_what_the_pane_that_is_worked_in_shows() {
    let (workspace, mut bench) = bench();
    let work_in = |bench: &mut Workbench, pane| {
        bench.work_in(pane, workspace.project());
        assert_eq!(bench.view.working, pane);
        bench.view.focus.clone().unwrap()
    };
    assert_eq!(work_in(&mut bench, Pane::Machine), machines());
    assert_eq!(work_in(&mut bench, Pane::Level), yard());
    assert_eq!(work_in(&mut bench, Pane::Definitions), goblins(), "any file of definitions stands for all");
    bench.view.focus = Some(path("entities/player.ron"));
    assert_eq!(work_in(&mut bench, Pane::Definitions), path("entities/player.ron"));
    bench.view.level = None;
    assert_eq!(work_in(&mut bench, Pane::Level), path("entities/player.ron"), "nothing is shown in it");
}

#[test]
fn find_and_replace_begins_with_what_is_selected_or_painted_with() {
    let (workspace, mut bench) = bench();
    let project = workspace.project();
    let set = project.all::<Tileset>().next().unwrap();
    let id = *set.1.tiles.keys().next().unwrap();
    bench.view.stamp = Stamp::one(Tile::id_only(id));
    let of_tiles = project.level(&yard()).unwrap().layers.iter().find(|layer| layer.tiles().is_some()).unwrap();
    bench.work_on(&yard(), of_tiles.name.clone(), project);
    let tiles = bench.replace(project);
    assert_eq!((tiles.kind, tiles.tile, tiles.with_tile), (ReplaceKind::Tiles, Some(id), None));
    assert_eq!(tiles.tileset.as_ref(), Some(&of_tiles.tiles().unwrap().tileset));
    bench.view.stamp = Stamp::one(Tile::id_only(99_999));
    assert_eq!(bench.replace(project).tile, None, "the brush's tile is of another tileset");
    let (_, entity, instance) = project.level(&yard()).unwrap().entities().next().unwrap();
    bench.select(things(&[entity]));
    let entities = bench.replace(project);
    assert_eq!((entities.kind, entities.def.as_ref()), (ReplaceKind::Entities, Some(&instance.def)));
    assert_eq!((entities.with_def, entities.within), (None, None));
}

#[test]
fn a_tool_taken_for_a_while_is_given_back_with_what_it_painted() {
    let (workspace, mut bench) = bench();
    let project = workspace.project();
    let [one, two, three] = [1, 2, 3].map(|id| Stamp::one(Tile::id_only(id)));
    assert!(!bench.give_back(project), "nothing was taken for a while");
    bench.take_tool(ToolKind::Pencil);
    bench.view.stamp = one.clone();
    bench.borrow_tool(ToolKind::Stamp);
    bench.view.stamp = two.clone();
    // Another one over it: the way back is to what was chosen.
    bench.borrow_tool(ToolKind::Eyedropper);
    assert!(bench.give_back(project));
    assert_eq!((bench.view.tool, &bench.view.stamp), (ToolKind::Pencil, &one));
    assert!(!bench.give_back(project), "once");
    // What is chosen to paint with meanwhile stays.
    bench.borrow_tool(ToolKind::Stamp);
    bench.view.stamp = three.clone();
    bench.keep_brush();
    assert!(bench.give_back(project));
    assert_eq!((bench.view.tool, &bench.view.stamp), (ToolKind::Pencil, &three));
    // A tool that is chosen is no tool for a while.
    bench.borrow_tool(ToolKind::Stamp);
    bench.take_tool(ToolKind::Bucket);
    assert!(!bench.give_back(project));
    assert_eq!(bench.view.tool, ToolKind::Bucket);
}

#[test]
fn what_is_missing_to_a_tool_is_said_with_where_to_choose_it() {
    let (workspace, mut bench) = bench();
    let project = workspace.project();
    let doc = bench.view.level.clone().unwrap();
    let level = project.level(&doc).unwrap();
    let tiles = level.all_layers().into_iter().find(|layer| layer.cells().is_some()).unwrap().name.clone();
    bench.work_on(&doc, tiles, project);
    let missing = |bench: &Workbench| bench.missing(project).map(|(pane, _)| pane);
    for tool in ToolKind::ALL {
        bench.take_tool(tool);
        bench.view.stamp = Stamp::one(Tile::EMPTY);
        bench.view.place_def = None;
        let needs_choice = tool.paints_brush() || tool == ToolKind::Entity;
        assert_eq!(missing(&bench), needs_choice.then_some(Pane::Palette), "{tool:?}");
        bench.view.stamp = Stamp::one(Tile::id_only(1));
        bench.view.place_def = Some("goblin".into());
        assert_eq!(missing(&bench), None, "{tool:?}");
    }
    bench.take_tool(ToolKind::Entity);
    bench.view.place_def = Some("nobody".into());
    assert_eq!(missing(&bench), Some(Pane::Palette), "there is none of that name");
}

#[test]
fn what_was_open_is_opened_again_where_it_is_still_there() {
    let (workspace, mut bench) = bench();
    let mut project = workspace.project().clone();
    for name in ["levels/cave.ron", "levels/tower.ron"] {
        project.documents.insert(path(name), project.doc(&yard()).unwrap().clone());
        bench.open_level(path(name));
    }
    bench.open_level(path("levels/cave.ron"));
    let tabs = bench.tabs();
    let again = |project: &Project| {
        let mut bench = Workbench::default();
        bench.open(project, Tuning::default());
        bench.reopen(&tabs, project);
        assert_eq!(bench.take_wanted_panes(), [], "the layout stays as it was kept");
        (bench.view.open_levels.clone(), bench.view.level.clone())
    };
    let all = vec![yard(), path("levels/cave.ron"), path("levels/tower.ron")];
    assert_eq!(again(&project), (all, Some(path("levels/cave.ron"))));
    project.documents.remove(&path("levels/cave.ron"));
    assert_eq!(again(&project), (vec![yard(), path("levels/tower.ron")], Some(yard())));
    project.documents.remove(&yard());
    project.documents.remove(&path("levels/tower.ron"));
    let (open, shown) = again(&project);
    assert!(!open.is_empty() && shown == open.first().cloned(), "the level that a project opens at");
}
