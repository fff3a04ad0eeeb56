//! What is done with several layers at once, and which are selected.

use std::collections::BTreeSet;

use levelwright::{
    edit::{
        Edit, LayerSpot, MergeDown, copy_layers, dropped, group_layers, merge_down, merge_problem, n_covered, stepped,
    },
    editor::{LayerPick, Tuning, ViewState, Workbench},
    model::{Level, Name, Project, Tile},
};

use crate::groups::{level, made, project, read, tree, yard};

fn names(text: &str) -> Vec<Name> {
    text.split_whitespace().map(Into::into).collect()
}

fn after(project: &Project, edits: &[Edit]) -> String {
    tree(level(&made(project, edits).unwrap())).join(" ")
}

#[test]
fn layers_are_grouped_where_the_front_one_is() {
    let project = project();
    let grouped = |layers: &str| {
        let edits = group_layers((&yard(), level(&project)), &names(layers), &"new".into()).unwrap();
        after(&project, &edits)
    };
    let cases = [
        ("patrol sky", "far/hills far/town/houses far/town/people far/town far ground actors new/sky new/patrol new"),
        // What is in one of them goes with it.
        (
            "town people ground",
            "sky far/hills far new/town/houses new/town/people new/town new/ground new actors patrol",
        ),
        ("houses ground hills", "sky far/town/people far/town far new/hills new/houses new/ground new actors patrol"),
    ];
    for (layers, expected) in cases {
        assert_eq!(grouped(layers), expected, "{layers}");
    }
    assert!(group_layers((&yard(), level(&project)), &[], &"new".into()).is_err());
    assert!(group_layers((&yard(), level(&project)), &names("ground nothing"), &"new".into()).is_err());
}

#[test]
fn layers_that_are_dropped_come_next_to_each_other() {
    let project = project();
    let drop = |layers: &str, on: &str, spot| {
        let number = level(&project).layer(on).unwrap().0;
        let edits = dropped((&yard(), level(&project)), &names(layers), (number, spot))?;
        Some(after(&project, &edits))
    };
    use LayerSpot::{Behind, Bottom, InFront, Inside};
    let town = "far/town/houses far/town/people far/town";
    let cases = [
        ("sky actors", "patrol", InFront, format!("far/hills {town} far ground patrol sky actors")),
        ("sky actors", "actors", Behind, format!("far/hills {town} far ground sky actors patrol")),
        ("actors sky", "actors", InFront, format!("far/hills {town} far ground sky actors patrol")),
        (
            "hills actors",
            "town",
            Inside,
            "sky far/town/houses far/town/people far/town/hills far/town/actors far/town far ground patrol".to_owned(),
        ),
        (
            "people ground",
            "sky",
            Bottom,
            "people ground sky far/hills far/town/houses far/town far actors patrol".to_owned(),
        ),
        ("ground patrol", "hills", Behind, format!("sky far/ground far/patrol far/hills {town} far actors")),
    ];
    for (layers, on, spot, expected) in cases {
        assert_eq!(drop(layers, on, spot), Some(expected), "{layers} {spot:?} {on}");
    }
    for (layers, on, spot) in [("ground actors", "actors", InFront), ("sky far", "town", Inside), ("", "sky", InFront)]
    {
        assert_eq!(drop(layers, on, spot), None, "{layers} {spot:?} {on}");
    }
}

#[test]
fn layers_that_step_keep_their_order() {
    let mut now = project();
    let step = |now: &Project, layers: &str, is_forward| {
        let edits = stepped((&yard(), level(now)), &names(layers), is_forward);
        (!edits.is_empty()).then(|| made(now, &edits).unwrap())
    };
    let before = tree(level(&now));
    assert!(step(&now, "actors patrol", true).is_none(), "they are in front of all, in this order");
    assert!(step(&now, "sky far", false).is_none());
    let mut n = 0;
    while let Some(next) = step(&now, "ground actors", false) {
        now = next;
        n += 1;
        let all = tree(level(&now));
        let at = |name: &str| all.iter().position(|it| it.rsplit('/').next() == Some(name)).unwrap();
        assert!(at("ground") < at("actors"), "{all:?}");
    }
    assert_eq!(tree(level(&now))[..2], ["ground", "actors"]);
    for _ in 0..n {
        now = step(&now, "ground actors", true).unwrap();
    }
    assert_eq!(tree(level(&now)), before);
}

#[test]
fn copies_stand_in_front_of_their_own_with_names_and_ids_of_their_own() {
    let project = project();
    let (edits, copies) = copy_layers(&project, &yard(), &names("actors people town"), 7).unwrap();
    assert_eq!(copies, names("town_2 actors_2"));
    let copied = made(&project, &edits).unwrap();
    let all = level(&copied).all_layers();
    assert_eq!(all.len(), level(&project).all_layers().len() + 4);
    let ids: Vec<&Name> = level(&copied).entities().map(|(_, id, _)| id).collect();
    assert_eq!((ids.len(), ids.iter().collect::<BTreeSet<_>>().len()), (4, 4));
}

const TILES: &str = r#"(size: (8, 2), tile_size: (16, 16), layers: [
    Tiles(name: "a", tileset: "keep", chunks: { (0, 0): ["1 1"] }),
    Tiles(name: "b", tileset: "keep", chunks: { (0, 0): ["2 . 2"] }),
    Tiles(name: "c", tileset: "keep", chunks: { (0, 0): ["3 3 3 3"] }),
    Tiles(name: "d", tileset: "keep", opacity: 0.5),
    Group(name: "g", layers: [Tiles(name: "e", tileset: "keep")]),
])"#;

#[test]
fn layers_next_to_each_other_are_merged_into_the_one_behind() {
    let level: Level = read(TILES);
    let problem = |layers: &str| merge_problem(&level, &names(layers));
    assert_eq!((problem("a b c"), problem("b")), (None, None));
    assert_eq!(problem("a c").unwrap(), "Layers “c” and “a” are not next to each other");
    assert_eq!(problem("a").unwrap(), "No layer is behind “a”");
    assert_eq!(problem("e").unwrap(), "No layer is behind “e” in “g”");
    assert_eq!(problem("b c d").unwrap(), "Layers “d” and “b” differ in opacity, tint, blend mode or visibility");
    assert_eq!(problem("d g").unwrap(), "“g” is a group; merge the layers in it");
    let mut project = project();
    let document = levelwright::model::Document::Level(level.clone());
    project.documents.insert(yard(), std::sync::Arc::new(document));
    let MergeDown { edits, into } = merge_down((&yard(), &level), &names("c a b")).unwrap();
    // One tile of `a` by `b`, that one and two more by `c`.
    assert_eq!((&*into, n_covered(&level, &names("c a b"))), ("a", 4));
    let merged = made(&project, &edits).unwrap();
    assert_eq!(tree(crate::groups::level(&merged)), ["a", "d", "g/e", "g"]);
    let tiles = &crate::groups::level(&merged).layer("a").unwrap().1.tiles().unwrap().tiles;
    assert_eq!(
        [0, 1, 2, 3, 4].map(|x| tiles.get([x, 0])),
        [3, 3, 3, 3, 0].map(|id| if id == 0 { Tile::EMPTY } else { Tile::id_only(id) })
    );
}

#[test]
fn layers_are_picked_as_rows_of_a_list() {
    let project = project();
    let level = level(&project);
    let mut view = ViewState::default();
    view.active_layer.insert(yard(), "ground".into());
    let pick = |view: &mut ViewState, layer: &str, pick| {
        let (all, active) = view.picked(&yard(), level, &layer.into(), pick);
        view.active_layer.insert(yard(), active.clone());
        view.picked_layers.insert(yard(), all);
        let meant: Vec<String> = view.layers_meant(&yard(), level).iter().map(ToString::to_string).collect();
        (meant.join(" "), active.to_string())
    };
    use LayerPick::{Alone, Reached, Toggled};
    let steps = [
        ("sky", Toggled, "sky ground", "sky"),
        ("ground", Toggled, "sky", "sky"),
        ("sky", Toggled, "sky", "sky"),
        ("ground", Alone, "ground", "ground"),
        ("town", Reached, "town far ground", "town"),
        ("patrol", Reached, "ground actors patrol", "patrol"),
        ("actors", Toggled, "ground patrol", "patrol"),
        ("patrol", Toggled, "ground", "ground"),
    ];
    for (layer, how, expected, active) in steps {
        assert_eq!(pick(&mut view, layer, how), (expected.into(), active.into()), "{layer} {how:?}");
    }
    // What is in a folded group has no row.
    view.fold(&yard(), &"far".into(), true);
    assert_eq!(pick(&mut view, "sky", Reached).0, "sky far ground");
    // With another active layer they are selected no longer.
    view.active_layer.insert(yard(), "patrol".into());
    assert_eq!(view.layers_meant(&yard(), level), names("patrol"));
}

#[test]
fn selected_layers_are_the_same_after_renames_and_undo() {
    let project = project();
    let mut bench = Workbench::default();
    bench.open(&project, Tuning::default());
    bench.view.picked_layers.insert(yard(), names("ground town"));
    bench.work_on(&yard(), "town".into(), &project);
    let typed = levelwright::edit::TypedRefs::of(&levelwright::io::builtin_schema(), levelwright::edit::RefKind::Layer);
    let renamed = made(&project, &[Edit::rename(&yard(), "ground", "soil", typed)]).unwrap();
    let builtin = crate::build::builtin();
    let resolution = levelwright::defs::resolve(&project, &builtin, None);
    bench.follow(&project, &renamed, &resolution);
    assert_eq!(bench.view.layers_meant(&yard(), level(&renamed)), names("town soil"));
    bench.follow(&renamed, &project, &resolution);
    // Deleted and back again.
    let remove = Edit::Remove { doc: yard(), at: level(&project).layer_at("ground") };
    let less = made(&project, &[remove]).unwrap();
    bench.follow(&project, &less, &resolution);
    assert_eq!(bench.view.layers_meant(&yard(), level(&less)), names("town"));
    bench.follow(&less, &project, &resolution);
    assert_eq!(bench.view.layers_meant(&yard(), level(&project)), names("town ground"));
    // Another active layer ends it for good.
    bench.work_on(&yard(), "sky".into(), &project);
    bench.work_on(&yard(), "town".into(), &project);
    assert_eq!(bench.view.layers_meant(&yard(), level(&project)), names("town"));
}
