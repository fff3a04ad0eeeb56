//! Find and replace over levels: what is counted, what changes and what is left alone.

use std::sync::Arc;

use levelwright::{
    defs::{Resolution, resolve},
    edit::{Edit, History, LayeredStamp, Stamp, StampPart, apply_all},
    editor::{DraftRow, PlannedChanges},
    io,
    model::{
        Builtin, Cell, DocPath, Document, FieldPath, Instance, Layer, LayerContent, Level, Location, Name, OpKind,
        Project, Tile, TileDef, Value, ValueLayer,
    },
    refactor::{NewContent, NewTile, NewValue, Plan, Replace, ReplaceCells, ReplaceKind, ReplaceValues, Request},
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
        ..Replace::default()
    };
    (project, replace)
}

#[test]
fn a_tile_is_replaced_on_every_unlocked_layer_of_its_tileset() {
    let (project, replace) = with_tiles();
    let tally = replace.tally(&project, &resolution(&project)).unwrap();
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
fn many_tiles_become_others_as_cell_by_cell() {
    let (mut project, base) = with_tiles();
    let Document::Level(level) = Arc::make_mut(project.documents.get_mut(&courtyard()).unwrap()) else { panic!() };
    let number = level.layer("ground").unwrap().0;
    let tiles = level.nth_layer_mut(number).unwrap().cells_mut().unwrap();
    // A whole chunk of them, and some turned in every way over many chunks, also outside the level.
    (0..32 * 32).for_each(|i| _ = tiles.set([32 + i % 32, i / 32], Tile::id_only(900)));
    for i in 0..4000 {
        let id = if i % 3 == 0 { 900 } else { 902 };
        tiles.set([i * 37 % 211 - 20, i * 53 % 97 - 9], Tile::new(id, i % 2 == 0, i % 5 == 0, i % 7 == 0));
    }
    let level = project.level(&courtyard()).unwrap();
    let layer = level.layer("ground").unwrap().1;
    let (grid, before) = (level.grid_of(layer), layer.cells().unwrap().tiles);
    for to in [NewTile::Tile(901), NewTile::Nothing] {
        let replace = Replace { with_tile: Some(to), within: Some(courtyard()), ..base.clone() };
        let (mut expected, mut n) = (before.clone(), 0);
        for (cell, tile) in before.iter().filter(|(_, tile)| tile.id() == Some(900)) {
            let new = match to {
                NewTile::Nothing => Tile::EMPTY,
                NewTile::Tile(id) if grid.has_cell(cell) => tile.with_id(id),
                NewTile::Tile(_) => continue,
            };
            expected.set(cell, new);
            n += 1;
        }
        let planned = plan(&project, &replace).unwrap();
        assert!(planned.edits.len() <= 8, "one for each way that they are turned: {}", planned.edits.len());
        let after = planned.tried_on(&project).unwrap();
        let after = after.level(&courtyard()).unwrap().layer("ground").unwrap().1;
        assert_eq!(*after.cells().unwrap().tiles, expected, "{to:?}");
        let tally = replace.tally(&project, &resolution(&project)).unwrap();
        let counted = tally.layers.iter().find(|it| &*it.layer == "ground").map(|it| it.n);
        assert!(n > 1000);
        assert_eq!(counted, Some(n), "{to:?}");
    }
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
    assert_eq!(replace.tally(&project, &resolution(&project)).unwrap().summary(), "1 tile in 1 level");
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
    assert_eq!(replace.tally(&project, &resolution(&project)).unwrap().summary(), "1 tile in 1 level");
    let erase = Replace { with_tile: Some(NewTile::Nothing), ..replace };
    assert_eq!(erase.tally(&project, &resolution(&project)).unwrap().summary(), "2 tiles in 1 level");
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
        def: Some("goblin".into()),
        with_def: Some("crate".into()),
        ..Replace::default()
    };
    let tally = replace.tally(&project, &resolution(&project)).unwrap();
    let (n, n_left) = (here.len() + goblins(&project, &range()).len(), there.len());
    let summary = format!("{n} entities in 2 levels; {n_left} entities on locked layers are left alone");
    assert_eq!(tally.summary(), summary);
    let level = project.level(&courtyard()).unwrap();
    let first = Location::new(courtyard(), level.entity_at(level.layer("actors").unwrap().0, &here[0].0));
    assert_eq!(tally.layers[0].location, first, "the first entity is gone to");
    let rows: Vec<_> = PlannedChanges::rows_of(tally, Vec::new(), Vec::new());
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
fn overrides_that_do_not_fit_the_new_definition_are_listed() {
    let doc = |at: &str, text: &str| (path(at), Arc::new(io::load_one(&path(at), text).0.unwrap()));
    let mut project: Project = [
        doc(
            "entities/all.ron",
            r#"{
                "goblin": (set: (Health: (max: 9.0), Loot: (gold: 3))),
                "slime": (set: (Health: (max: 2.0))),
            }"#,
        ),
        doc(
            "levels/yard.ron",
            r#"(tile_size: (16, 16), layers: [Entities(name: "actors", entities: {
                "fits": (def: "goblin", at: (1, 1), set: (Health: (max: 4.0))),
                "set": (def: "goblin", at: (1, 1), set: (Loot: (gold: 4))),
                "scale": (def: "goblin", at: (1, 1), scale: (Loot: (gold: 2.0))),
                "remove": (def: "goblin", at: (1, 1), remove: ["Loot"]),
                "own": (def: "goblin", at: (1, 1), set: (Mover: (speed: 4.0))),
                "slime": (def: "slime", at: (1, 1), remove: ["Loot"]),
            })])"#,
        ),
        doc(
            "levels/cave.ron",
            r#"(tile_size: (16, 16), layers: [
                Entities(name: "a", entities: { "there": (def: "goblin", at: (1, 1), set: (Loot: (gold: 5))) }),
                Entities(name: "b", locked: true, entities: { "kept": (def: "goblin", at: (1, 1), set: (Loot: (gold: 5))) }),
            ])"#,
        ),
    ]
    .into_iter()
    .collect();
    let replace = Replace {
        kind: ReplaceKind::Entities,
        def: Some("goblin".into()),
        with_def: Some("slime".into()),
        ..Replace::default()
    };
    let misfits = replace.misfits(&project, &resolution(&project));
    let found: Vec<(&str, String)> = misfits
        .iter()
        .map(|it| (it.location.doc.stem(), it.location.path.within_layer()[1].key().unwrap().to_string()))
        .collect();
    let expected = [("cave", "there"), ("yard", "set"), ("yard", "scale"), ("yard", "remove")];
    assert_eq!(found, expected.map(|(level, id)| (level, id.to_owned())), "{misfits:#?}");
    assert_eq!(misfits[1].message, "`slime` has no Loot: this entity would have it by itself");
    // Each of the others is what a check says when it is done.
    let request = Request::Replace(replace.clone());
    let after = request.plan(&project, &resolution(&project)).unwrap().tried_on(&project).unwrap();
    let problems = levelwright::check::check(&after, &resolution(&after), None);
    for misfit in &misfits[2..] {
        assert!(problems.iter().any(|it| it.finding.location == misfit.location), "{misfit:?}");
    }
    let tally = replace.tally(&project, &resolution(&project)).unwrap();
    let rows = PlannedChanges::rows_of(tally, misfits, Vec::new());
    let [DraftRow::Title(title), DraftRow::File(_, 1), DraftRow::Misfit(_), DraftRow::File(_, 3), ..] = rows.as_slice()
    else {
        panic!("{rows:?}")
    };
    assert_eq!(title, "4 overrides do not fit the new definition and would stay");
    let one_level = Replace { within: Some(path("levels/cave.ron")), ..replace };
    assert_eq!(one_level.misfits(&project, &resolution(&project)).len(), 1);
    apply_all(&mut project, &[Edit::Remove { doc: path("entities/all.ron"), at: FieldPath::keys(["slime"]) }]).unwrap();
    assert!(one_level.misfits(&project, &resolution(&project)).is_empty(), "there is no such definition");
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

/// A stamp of the project with rows of tiles for layers of tileset `keep`; 0 is no tile.
fn put_stamp(project: &mut Project, name: &str, size: [u32; 2], parts: &[(&str, &[u32])]) -> DocPath {
    let part = |(layer, ids): &(&str, &[u32])| {
        let tiles = ids.iter().map(|id| if *id == 0 { Tile::EMPTY } else { Tile::id_only(*id) }).collect();
        let tiles = Stamp::new(size, tiles).unwrap();
        StampPart { layer: (*layer).into(), tileset: Some("keep".into()), tiles }
    };
    let stamp = LayeredStamp::new(parts.iter().map(part).collect()).unwrap();
    let doc = path(&format!("stamps/{name}.ron"));
    let file = Document::Stamp(stamp.to_file(1.0).unwrap());
    apply_all(project, &[Edit::put_document(doc.clone(), file)]).unwrap();
    doc
}

#[test]
fn a_stamp_is_found_where_all_its_tiles_are_and_another_stands_on_its_ground() {
    let (mut project, _) = with_tiles();
    let find = put_stamp(&mut project, "bush", [2, 2], &[("ground", &[0, 0, 900, 901]), ("front", &[901, 0, 0, 0])]);
    let tall = put_stamp(&mut project, "tall", [2, 3], &[("ground", &[901, 0, 0, 0, 901, 901])]);
    let tiles = |ids: &[([i32; 2], u32)]| ids.iter().map(|(at, id)| (*at, Tile::id_only(*id))).collect::<Vec<_>>();
    let [ore, gold] = [900, 901];
    apply_all(
        &mut project,
        &[
            Edit::set_at(&courtyard(), FieldPath::keys(["layers", "front", "locked"]), &false),
            // Whole at (10, 2) and (12, 2); at (20, 2) without what is on the other layer, at (30, 2) with a turned
            // tile.
            paint(&courtyard(), "ground", &tiles(&[([10, 3], ore), ([11, 3], gold), ([12, 3], ore), ([13, 3], gold)])),
            paint(&courtyard(), "front", &tiles(&[([10, 2], gold), ([12, 2], gold), ([30, 2], gold)])),
            paint(&courtyard(), "ground", &tiles(&[([20, 3], ore), ([21, 3], gold), ([31, 3], gold)])),
            paint(&courtyard(), "ground", &[([30, 3], Tile::new(ore, true, false, false))]),
        ],
    )
    .unwrap();
    let replace = Replace {
        kind: ReplaceKind::Stamps,
        stamp: Some(find.clone()),
        with_stamp: Some(NewContent::Stamp(tall)),
        ..Replace::default()
    };
    let count = |project: &Project, it: &Replace| it.tally(project, &resolution(project)).unwrap().summary();
    assert_eq!(count(&project, &replace), "2 stamps in 1 level");
    let planned = plan(&project, &replace).unwrap();
    assert_eq!(planned.label, "Replace stamp bush with tall (2 stamps)");
    let after = planned.tried_on(&project).unwrap();
    let id = |project: &Project, layer: &str, cell| tile(project, &courtyard(), layer, cell).id();
    for x in [10, 12] {
        assert_eq!(id(&after, "ground", [x, 1]), Some(gold), "one row taller, on the same ground");
        assert_eq!([x, x + 1].map(|x| id(&after, "ground", [x, 3])), [Some(gold); 2]);
        assert_eq!(id(&after, "front", [x, 2]), None, "the other layer's tiles are gone");
    }
    assert_eq!(id(&after, "ground", [20, 3]), Some(ore), "not all of it is here");
    assert_eq!(id(&after, "front", [30, 2]), Some(gold), "turned");
    assert_eq!(count(&after, &replace), "0 stamps in 0 levels", "none is left");

    let erase = Replace { with_stamp: Some(NewContent::Nothing), ..replace.clone() };
    let after = plan(&project, &erase).unwrap().tried_on(&project).unwrap();
    assert_eq!([10, 11, 12, 13].map(|x| id(&after, "ground", [x, 3])), [None; 4]);
    apply_all(&mut project, &[lock(&courtyard(), "front")]).unwrap();
    assert_eq!(count(&project, &erase), "0 stamps in 0 levels; 2 stamps on locked layers are left alone");
    let why = "every stamp bush is on a locked layer; unlock “front” of courtyard to replace it";
    assert_eq!(plan(&project, &erase).unwrap_err(), why);
}

#[test]
fn no_cell_counts_for_two_stamps_and_a_level_that_lacks_a_layer_is_named() {
    let (mut project, _) = with_tiles();
    let pair = put_stamp(&mut project, "pair", [2, 1], &[("ground", &[900, 900])]);
    let roof = put_stamp(&mut project, "roof", [1, 1], &[("attic", &[900])]);
    let row: Vec<_> = (10..15).map(|x| ([x, 5], Tile::id_only(900))).collect();
    apply_all(&mut project, &[paint(&courtyard(), "ground", &row)]).unwrap();
    let of = |find: Option<&DocPath>, with_stamp| Replace {
        kind: ReplaceKind::Stamps,
        stamp: find.cloned(),
        with_stamp,
        ..Replace::default()
    };
    let erase = of(Some(&pair), Some(NewContent::Nothing));
    let after = plan(&project, &erase).unwrap().tried_on(&project).unwrap();
    let left: Vec<_> = (10..15).filter(|x| !tile(&after, &courtyard(), "ground", [*x, 5]).is_empty()).collect();
    assert_eq!(left, [14], "two pairs of five, from the left");
    let cases = [
        (of(None, None), "choose the stamp to find"),
        (of(Some(&pair), None), "choose the stamp to replace it with, or nothing"),
        (of(Some(&pair), Some(NewContent::Stamp(pair.clone()))), "both are the same stamp"),
        (of(Some(&path("stamps/none.ron")), Some(NewContent::Nothing)), "there is no stamp `none`"),
        (
            of(Some(&pair), Some(NewContent::Stamp(roof.clone()))),
            "stamp `roof` cannot be painted in courtyard: it has no tile layer “attic”",
        ),
        (of(Some(&roof), Some(NewContent::Nothing)), "there is no stamp roof in any level"),
    ];
    for (replace, why) in cases {
        assert_eq!(plan(&project, &replace).unwrap_err(), why);
    }
}

#[test]
fn values_of_placed_entities_become_another_or_are_inherited_again() {
    let mut project = io::load("sample_data".as_ref()).project;
    let health = || {
        let mut values = ReplaceValues::default();
        let resolution = resolution(&project);
        let spec = resolution.schema.field("Health", "max").unwrap();
        values.choose_field(&"Health".into(), &"max".into(), spec);
        values
    };
    let max = |project: &Project, id: &str| {
        let level = project.level(&courtyard()).unwrap();
        let (at, instance) =
            level.layers.iter().enumerate().find_map(|(at, layer)| Some((at, layer.entities()?.get(id)?))).unwrap();
        let (resolved, _) = resolution(project).instance(&courtyard(), &level.layer_at(at), &id.into(), instance);
        resolved.get("Health", "max").unwrap().as_f64().unwrap()
    };
    let base = Replace {
        kind: ReplaceKind::Values,
        values: ReplaceValues {
            is: "< 7".into(),
            of: "def:fast_goblin".into(),
            with: Some(NewValue::Value(Value::Float(9.0))),
            ..health()
        },
        within: Some(courtyard()),
        ..Replace::default()
    };
    assert_eq!(max(&project, "i9o4iv"), 6.0);
    let planned = plan(&project, &base).unwrap();
    let after = planned.tried_on(&project).unwrap();
    assert_eq!(max(&after, "i9o4iv"), 9.0);
    let n = base.tally(&project, &resolution(&project)).unwrap().layers.iter().map(|it| it.n).sum::<usize>();
    assert_eq!(planned.label, format!("Set Health.max to 9.0 ({n} value{})", if n == 1 { "" } else { "s" }));
    assert!(after.doc(&path("entities/goblins.ron")).is_some_and(|doc| {
        project.doc(&path("entities/goblins.ron")).is_some_and(|before| Arc::ptr_eq(before, doc))
    }));
    let other = Replace { values: ReplaceValues { is: "9".into(), ..base.values.clone() }, ..base.clone() };
    assert_eq!(
        plan(&after, &other).unwrap_err(),
        "there is no value of Health.max that is 9 in courtyard",
        "they are 9"
    );

    let reset = Replace {
        values: ReplaceValues {
            is: String::new(),
            of: String::new(),
            with: Some(NewValue::Inherited),
            ..base.values.clone()
        },
        ..base.clone()
    };
    let back = plan(&project, &reset).unwrap().tried_on(&project).unwrap();
    let own = |project: &Project| {
        let level = project.level(&courtyard()).unwrap();
        let declares = |it: &Instance| OpKind::VALUED.iter().any(|op| it.ops.declared(*op, "Health", "max").is_some());
        level.entities().filter(|(_, _, it)| declares(it)).count()
    };
    assert!(own(&project) > 0 && own(&back) == 0);
    assert_eq!(plan(&back, &reset).unwrap_err(), "there is no own value of Health.max in courtyard");

    let v = |change: fn(&mut ReplaceValues)| {
        let mut it = base.clone();
        change(&mut it.values);
        it
    };
    let cases = [
        (v(|it| it.field = None), "choose the field whose values are replaced"),
        (v(|it| it.field = Some(("Health".into(), "most".into()))), "there is no field `Health.most`"),
        (v(|it| it.with = None), "choose the value to replace it with"),
        (v(|it| it.is = "> many".into()), "“many” is no number to compare with by “>”"),
        (v(|it| it.is = ">".into()), "Write a value after “>”"),
        (v(|it| it.of = "tag:".into()), "Write a name after “tag:”"),
    ];
    for (replace, why) in cases {
        assert_eq!(plan(&project, &replace).unwrap_err(), why);
    }
    apply_all(&mut project, &[lock(&courtyard(), "actors")]).unwrap();
    assert!(plan(&project, &base).unwrap_err().contains("is on a locked layer"));
}

#[test]
fn a_value_of_value_layers_becomes_another_or_none() {
    let mut project = io::load("sample_data".as_ref()).project;
    let heat = |number: usize, name: &str, cells: &[(Cell, u32)]| {
        let layer = Layer::new(name.into(), LayerContent::Values(ValueLayer::with_one()));
        let cells = cells.iter().map(|(cell, id)| (*cell, Tile::id_only(*id))).collect();
        [
            Edit::insert_at(&courtyard(), FieldPath::keys(["layers"]).index(number), &layer),
            Edit::PaintTiles { doc: courtyard(), layer: name.into(), cells },
        ]
    };
    apply_all(&mut project, &heat(0, "heat", &[([0, 0], 1), ([1, 0], 2), ([40, 3], 1)])).unwrap();
    apply_all(&mut project, &heat(1, "wind", &[([5, 5], 1)])).unwrap();
    let values = |project: &Project, layer: &str, cells: &[Cell]| {
        let (_, layer) = project.level(&courtyard()).unwrap().layer(layer).unwrap();
        let values = &layer.values().unwrap().values;
        cells.iter().map(|cell| values.get(*cell).id()).collect::<Vec<_>>()
    };
    let base = Replace {
        kind: ReplaceKind::Cells,
        cells: ReplaceCells { layer: Some("heat".into()), is: 1, with: 7 },
        ..Replace::default()
    };
    let planned = plan(&project, &base).unwrap();
    assert_eq!(planned.label, "Replace value 1 on heat with 7 (2 cells)");
    let after = planned.tried_on(&project).unwrap();
    assert_eq!(values(&after, "heat", &[[0, 0], [1, 0], [40, 3]]), [Some(7), Some(2), Some(7)]);
    assert_eq!(values(&after, "wind", &[[5, 5]]), [Some(1)], "another layer");
    let erased = Replace { cells: ReplaceCells { layer: None, is: 1, with: 0 }, ..base.clone() };
    let planned = plan(&project, &erased).unwrap();
    assert_eq!(planned.label, "Erase value 1 (3 cells)");
    let after = planned.tried_on(&project).unwrap();
    assert_eq!(
        (values(&after, "heat", &[[0, 0], [1, 0]]), values(&after, "wind", &[[5, 5]])),
        (vec![None, Some(2)], vec![None])
    );
    let why = |cells| plan(&project, &Replace { cells, ..base.clone() }).unwrap_err();
    let of = |is, with| ReplaceCells { layer: None, is, with };
    assert_eq!(why(of(0, 1)), "choose the value to find");
    assert_eq!(why(of(2, 2)), "both are the same value");
    assert_eq!(why(of(1, 70_000)), "a value is a number from 1 to 65535");
    assert_eq!(why(of(9, 1)), "there is no value 9 in any level");
}
