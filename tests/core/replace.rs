//! Find and replace over levels: what is counted, what changes and what is left alone.

use std::sync::Arc;

use levelwright::{
    defs::{Resolution, resolve},
    edit::{Edit, History, apply_all},
    editor::{DraftRow, PlannedChanges},
    io,
    model::{Builtin, DocPath, FieldPath, Instance, Level, Location, Name, Project, Tile, TileDef},
    refactor::{NewTile, Plan, Replace, ReplaceKind, Request},
};

fn path(at: &str) -> DocPath {
    DocPath::new(at).unwrap()
}

fn courtyard() -> DocPath {
    path("levels/courtyard.ron")
}

fn range() -> DocPath {
    path("levels/range.ron")
}

fn resolution(project: &Project) -> Resolution {
    resolve(project, &Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }, None)
}

fn plan(project: &Project, replace: &Replace) -> Result<Plan, String> {
    Request::Replace(replace.clone()).plan(project, &resolution(project)).map_err(|why| why.to_string())
}

fn paint(doc: &DocPath, layer: &str, cells: &[([i32; 2], Tile)]) -> Edit {
    Edit::PaintTiles { doc: doc.clone(), layer: layer.into(), cells: cells.to_vec() }
}

fn lock(doc: &DocPath, layer: &str) -> Edit {
    Edit::set_at(doc, FieldPath::keys(["layers", layer, "locked"]), &true)
}

fn tile(project: &Project, doc: &DocPath, layer: &str, cell: [i32; 2]) -> Tile {
    project.level(doc).unwrap().layer(layer).unwrap().1.tiles().unwrap().tiles.get(cell)
}

/// The sample with tile 900 on three layers of two levels, once on a locked one, and tile 901 to put in its place.
fn with_tiles() -> (Project, Replace) {
    let mut project = io::load("sample_data".as_ref()).project;
    let keep = path("tilesets/keep.ron");
    let sheet = project.tileset(&keep).unwrap().tiles.values().next().unwrap().clone();
    let named = |id: u32, name: &str| {
        let tile = TileDef { name: name.into(), ..sheet.clone() };
        Edit::insert_at(&keep, FieldPath::keys(["tiles", &id.to_string()]), &tile)
    };
    let turned = Tile::new(900, true, false, true);
    let edits = [
        named(900, "ore"),
        named(901, "gold"),
        paint(&courtyard(), "ground", &[([2, 1], Tile::id_only(900)), ([60, 2], turned)]),
        paint(&courtyard(), "front", &[([4, 4], Tile::id_only(900))]),
        paint(&range(), "walls", &[([1, 1], Tile::id_only(900))]),
        lock(&courtyard(), "front"),
        // The same number in another tileset is another tile.
        paint(&path("levels/dungeon.ron"), "decor", &[([1, 1], Tile::id_only(900))]),
    ];
    apply_all(&mut project, &edits).unwrap();
    let replace = Replace {
        kind: ReplaceKind::Tiles,
        tileset: Some("keep".into()),
        tile: Some(900),
        with_tile: Some(NewTile::Tile(901)),
        def: None,
        with_def: None,
        within: None,
    };
    (project, replace)
}

#[test]
fn a_tile_is_replaced_on_every_unlocked_layer_of_its_tileset() {
    let (project, replace) = with_tiles();
    let tally = replace.tally(&project).unwrap();
    let counted: Vec<_> = tally.layers.iter().map(|it| (it.doc.stem(), &*it.layer, it.n, it.is_locked)).collect();
    let expected = [("courtyard", "ground", 2, false), ("courtyard", "front", 1, true), ("range", "walls", 1, false)];
    assert_eq!(counted, expected);
    assert_eq!(tally.summary(), "3 tiles in 2 levels; 1 tile on a locked layer is left alone");
    let at = project.level(&courtyard()).unwrap().layer("ground").unwrap().0;
    assert_eq!(tally.layers[0].location, Location::new(courtyard(), FieldPath::keys(["layers"]).index(at)));

    let plan = plan(&project, &replace).unwrap();
    assert_eq!(plan.label, "Replace ore with gold (3 tiles)");
    let after = plan.tried_on(&project).unwrap();
    assert_eq!(tile(&after, &courtyard(), "ground", [2, 1]), Tile::id_only(901));
    assert_eq!(tile(&after, &courtyard(), "ground", [60, 2]), Tile::new(901, true, false, true), "flips stay");
    assert_eq!(tile(&after, &range(), "walls", [1, 1]), Tile::id_only(901));
    assert_eq!(tile(&after, &courtyard(), "front", [4, 4]), Tile::id_only(900), "locked");
    let dungeon = path("levels/dungeon.ron");
    assert!(Arc::ptr_eq(project.doc(&dungeon).unwrap(), after.doc(&dungeon).unwrap()));
}

#[test]
fn it_is_one_step_and_undo_gives_the_same_documents_back() {
    let (mut project, replace) = with_tiles();
    let before = project.clone();
    let plan = plan(&project, &replace).unwrap();
    let mut history = History::default();
    history.make(&mut project, &plan.edits).unwrap();
    assert_eq!(history.n_done(), 1);
    assert!(!Arc::ptr_eq(before.doc(&range()).unwrap(), project.doc(&range()).unwrap()));
    history.undo(&mut project, None).unwrap();
    for (doc, was) in &before.documents {
        assert!(Arc::ptr_eq(was, project.doc(doc).unwrap()), "{doc}");
    }
}

#[test]
fn a_tile_is_erased_and_one_level_is_looked_in_alone() {
    let (project, replace) = with_tiles();
    let replace = Replace { with_tile: Some(NewTile::Nothing), within: Some(range()), ..replace };
    assert_eq!(replace.tally(&project).unwrap().summary(), "1 tile in 1 level");
    let plan = plan(&project, &replace).unwrap();
    assert_eq!(plan.label, "Erase ore (1 tile)");
    let after = plan.tried_on(&project).unwrap();
    assert!(tile(&after, &range(), "walls", [1, 1]).is_empty());
    assert!(Arc::ptr_eq(project.doc(&courtyard()).unwrap(), after.doc(&courtyard()).unwrap()));
}

#[test]
fn tiles_beyond_the_sides_of_a_level_are_erased_but_not_replaced() {
    let (mut project, replace) = with_tiles();
    // As a file written by hand may have it.
    let mut level = project.level(&range()).unwrap().clone();
    let size = level.size.unwrap();
    level.size = None;
    let put = |project: &mut Project, level: &Level| {
        let document = levelwright::model::Document::Level(level.clone());
        apply_all(project, &[Edit::put_document(range(), document)]).unwrap();
    };
    put(&mut project, &level);
    apply_all(&mut project, &[paint(&range(), "walls", &[([-3, -3], Tile::id_only(900))])]).unwrap();
    let mut level = project.level(&range()).unwrap().clone();
    level.size = Some(size);
    put(&mut project, &level);
    let replace = Replace { within: Some(range()), ..replace };
    assert_eq!(replace.tally(&project).unwrap().summary(), "1 tile in 1 level");
    let erase = Replace { with_tile: Some(NewTile::Nothing), ..replace };
    assert_eq!(erase.tally(&project).unwrap().summary(), "2 tiles in 1 level");
    let after = plan(&project, &erase).unwrap().tried_on(&project).unwrap();
    assert!(tile(&after, &range(), "walls", [-3, -3]).is_empty());
}

#[test]
fn entities_become_those_of_another_definition_and_keep_what_they_declare() {
    let mut project = io::load("sample_data".as_ref()).project;
    let goblins = |project: &Project, doc: &DocPath| -> Vec<(Name, Instance)> {
        let all = project.level(doc).unwrap().entities();
        all.filter(|(_, _, it)| &*it.def == "goblin").map(|(_, id, it)| (id.clone(), (**it).clone())).collect()
    };
    let dungeon = path("levels/dungeon.ron");
    let (here, there) = (goblins(&project, &courtyard()), goblins(&project, &dungeon));
    let own = here.iter().find(|(_, it)| it.ops.remove.iter().any(|entry| entry == "Shield")).unwrap().clone();
    assert!(here.len() > 1 && there.len() > 1);
    apply_all(&mut project, &[lock(&dungeon, "actors")]).unwrap();
    let replace = Replace {
        kind: ReplaceKind::Entities,
        tileset: None,
        tile: None,
        with_tile: None,
        def: Some("goblin".into()),
        with_def: Some("crate".into()),
        within: None,
    };
    let tally = replace.tally(&project).unwrap();
    let (n, n_left) = (here.len() + goblins(&project, &range()).len(), there.len());
    let summary = format!("{n} entities in 2 levels; {n_left} entities on locked layers are left alone");
    assert_eq!(tally.summary(), summary);
    let level = project.level(&courtyard()).unwrap();
    let first = Location::new(courtyard(), level.entity_at(level.layer("actors").unwrap().0, &here[0].0));
    assert_eq!(tally.layers[0].location, first, "the first entity is gone to");
    let rows: Vec<_> = PlannedChanges::rows_of(tally, Vec::new());
    let [DraftRow::File(doc, n_here), DraftRow::Layer(..), DraftRow::File(_, 0), DraftRow::Layer(_, left), ..] =
        rows.as_slice()
    else {
        panic!("{rows:?}")
    };
    assert_eq!((doc, *n_here, left.is_locked), (&courtyard(), here.len(), true));

    let plan = plan(&project, &replace).unwrap();
    assert_eq!(plan.label, format!("Replace goblin with crate ({n} entities)"));
    let after = plan.tried_on(&project).unwrap();
    assert!(goblins(&after, &courtyard()).is_empty());
    assert_eq!(goblins(&after, &dungeon), there, "locked");
    let now = after.level(&courtyard()).unwrap().entity(&own.0).unwrap().1;
    assert_eq!(**now, Instance { def: "crate".into(), ..own.1 }, "only its definition is another");
}

#[test]
fn it_says_why_there_is_nothing_to_replace() {
    let (mut project, tiles) = with_tiles();
    let entities = Replace {
        kind: ReplaceKind::Entities,
        def: Some("goblin".into()),
        with_def: Some("crate".into()),
        ..tiles.clone()
    };
    let t = |change: fn(&mut Replace)| {
        let mut it = tiles.clone();
        change(&mut it);
        it
    };
    let e = |change: fn(&mut Replace)| {
        let mut it = entities.clone();
        change(&mut it);
        it
    };
    let cases = [
        (t(|it| it.tileset = None), "choose the tileset whose tiles are replaced"),
        (t(|it| it.tile = None), "choose the tile to find"),
        (t(|it| it.with_tile = None), "choose the tile to replace it with, or nothing"),
        (t(|it| it.with_tile = Some(NewTile::Tile(900))), "both are the same tile"),
        (t(|it| it.with_tile = Some(NewTile::Tile(77_777))), "tileset `keep` has no tile 77777"),
        (t(|it| it.tile = Some(901)), "both are the same tile"),
        (t(|it| it.tile = Some(77_777)), "there is no tile 77777 of keep in any level"),
        (t(|it| it.within = Some(path("levels/dungeon.ron"))), "there is no tile ore of keep in dungeon"),
        (e(|it| it.def = None), "choose the definition of the entities to find"),
        (e(|it| it.with_def = None), "choose the definition to replace it with"),
        (e(|it| it.with_def = Some("goblin".into())), "both are the same definition"),
        (e(|it| it.with_def = Some("nobody".into())), "there is no definition `nobody`"),
        (e(|it| it.def = Some("nobody".into())), "there is no entity of nobody in any level"),
    ];
    for (replace, why) in cases {
        assert_eq!(plan(&project, &replace).unwrap_err(), why);
    }
    let only_locked = Replace { within: Some(courtyard()), ..tiles };
    apply_all(&mut project, &[lock(&courtyard(), "ground")]).unwrap();
    let why = plan(&project, &only_locked).unwrap_err();
    assert_eq!(why, "every tile ore of keep is on a locked layer; unlock “ground” of courtyard to replace it");
}

#[test]
fn tiles_of_another_tileset_are_chosen_anew() {
    let (_, mut replace) = with_tiles();
    replace.choose_tileset("keep".into());
    assert_eq!(replace.tile, Some(900), "it is the same tileset");
    replace.choose_tileset("dungeon".into());
    assert_eq!((replace.tileset.as_deref(), replace.tile, replace.with_tile), (Some("dungeon"), None, None));
}
