//! Groups of layers: read, written, edited and drawn with what is in them.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use levelwright::{
    defs::resolve,
    edit::{
        Edit, LayerSpot, RefKind, Refusal, TypedRefs, apply_all, copy_layers, dropped, group_layers, merge_problem,
        stepped, ungroup, ungroup_loss,
    },
    editor::ViewState,
    explain::EntityQuery,
    io::{self, Choices, Source, Sources, codec, load_one, merge},
    model::{DocPath, Document, FieldPath, Instance, Layer, LayerContent, Level, Name, Project, Tile, Tileset, Value},
    raster::{Image, Scene},
    sim::grid::{GridChange, SolidGrid},
};

use crate::{
    build::{builtin, path},
    grid::tileset,
};

/// A level with a group in a group, with comments.
pub(crate) const YARD: &str = r##"(
    size: (40, 24), // wide
    tile_size: (16, 16),
    layers: [
        Image(name: "sky", image: "sky.png"),
        // All that is far.
        Group(
            name: "far", // in the back
            opacity: 0.5,
            tint: "#ff8000",
            offset: (16.0, 8.0),
            parallax: (0.5, 1.0),
            layers: [
                Tiles(name: "hills", tileset: "keep", chunks: { (0, 0): ["1 . 1", ". 1"] }), // green
                Group(
                    name: "town",
                    offset: (0.0, 8.0),
                    layers: [
                        Tiles(name: "houses", tileset: "keep", opacity: 0.5, tint: "#80ffff", offset: (16.0, 0.0), chunks: { (0, 0): ["1"] }),
                        // Who lives there.
                        Entities(name: "people", entities: { "p1": (def: "goblin", at: (8.0, 8.0), set: (Health: (max: 3.0))) }),
                    ],
                ),
            ],
        ),
        Tiles(name: "ground", tileset: "keep", chunks: { (0, 0): ["", "1 1 1"] }),
        Entities(name: "actors", entities: { "a1": (def: "goblin", at: (40.0, 8.0)) }),
        Waypoints(name: "patrol", nodes: { "n1": (at: (8.0, 8.0)), "n2": (at: (40.0, 8.0)) }),
    ],
)
"##;

pub(crate) fn yard() -> DocPath {
    path("levels/yard.ron")
}

pub(crate) fn read(text: &str) -> Level {
    let (document, findings) = load_one(&yard(), text);
    assert_eq!(findings, []);
    let Some(Document::Level(level)) = document else { panic!("{text}") };
    level
}

fn project_of(level: Level) -> Project {
    let mut project = Project::default();
    let goblin = r#"{ "goblin": (set: (Health: (max: 9.0))) }"#;
    let documents = [
        ("tilesets/keep.ron", Document::Tileset(Tileset { image: "keep.png".into(), ..tileset() })),
        ("entities/all.ron", load_one(&path("entities/all.ron"), goblin).0.unwrap()),
        ("levels/yard.ron", Document::Level(level)),
    ];
    project.documents.extend(documents.map(|(at, document)| (path(at), Arc::new(document))));
    project
}

pub(crate) fn project() -> Project {
    project_of(read(YARD))
}

pub(crate) fn level(project: &Project) -> &Level {
    project.level(&yard()).unwrap()
}

/// The names of all layers from the back, each after `group/` of those around it.
pub(crate) fn tree(level: &Level) -> Vec<String> {
    let name = |(number, layer): (usize, &Arc<Layer>)| {
        let around = level.groups_around(number).into_iter().map(|group| format!("{}/", group.name));
        format!("{}{}", around.collect::<String>(), layer.name)
    };
    level.all_layers().into_iter().enumerate().map(name).collect()
}

const TREE: [&str; 9] =
    ["sky", "far/hills", "far/town/houses", "far/town/people", "far/town", "far", "ground", "actors", "patrol"];

pub(crate) fn made(project: &Project, edits: &[Edit]) -> Result<Project, Refusal> {
    let mut after = project.clone();
    apply_all(&mut after, edits)?;
    Ok(after)
}

/// What the file becomes by some edits, each changed line with `-` and `+`, and that it is read as what was made.
fn changed_lines(edits: &[Edit]) -> String {
    let before = project();
    let mut sources = Sources::new(Path::new(""));
    let document = before.doc(&yard()).cloned();
    sources.put(yard(), Source::new(YARD.into(), 0, Vec::new(), document));
    let after = made(&before, edits).unwrap();
    let texts = sources.texts(&before, &after);
    assert_eq!(texts.lost, [], "no comment is lost");
    let text = texts.files.into_iter().find_map(|(at, text)| text.filter(|_| at == yard())).unwrap();
    assert_eq!(&read(&text), level(&after), "{text}");
    let (old, new): (Vec<&str>, Vec<&str>) = (YARD.lines().collect(), text.lines().collect());
    let ops = similar::capture_diff_slices(similar::Algorithm::Myers, &old, &new);
    let changes = ops.iter().flat_map(|op| op.iter_changes(&old, &new));
    let lines = changes.filter(|it| it.tag() != similar::ChangeTag::Equal);
    lines.map(|it| format!("{}{}\n", it.tag(), it.value())).collect()
}

#[test]
fn a_group_is_read_with_what_is_in_it_and_written_as_it_was() {
    let level = read(YARD);
    assert_eq!(tree(&level), TREE);
    let document = Document::Level(level.clone());
    assert_eq!(read(&codec::encode(&document)), level, "in canonical form, too");
    let source = Source::new(YARD.into(), 0, Vec::new(), Some(Arc::new(document.clone())));
    assert_eq!(io::text_of(&document, Some(&source)), YARD);
    // Where things are, for edits and for problems.
    for (number, layer) in level.all_layers().into_iter().enumerate() {
        assert_eq!(level.layer(&layer.name).unwrap().0, number);
        assert_eq!(level.layer_paths()[number], level.layer_at(number));
        assert_eq!(level.layer_paths_by_name()[number], level.layer_at(&*layer.name));
        for at in [level.layer_at(number), level.layer_at(&*layer.name)] {
            let (found, it, rest) = level.layer_on(&at).unwrap();
            assert_eq!((found, &it.name, rest.len()), (number, &layer.name, 0));
        }
    }
    assert_eq!(level.layer_at("houses").to_string(), "layers.far.layers.town.layers.houses");
    assert_eq!(level.entity_at(3, "p1").to_string(), "layers[1].layers[1].layers[1].entities.p1");
    assert_eq!(level.layer_on(&level.entity_at(3, "p1")).unwrap().2.len(), 2);
    assert!(level.layer_on(&level.layer_at("nothing")).is_none());
}

#[test]
fn what_is_wrong_in_a_group_is_reported_where_it_is() {
    let line = |text: &str| {
        let (_, findings) = load_one(&yard(), text);
        let [one] = &findings[..] else { panic!("{findings:?}") };
        let before = &text[..one.location.span.unwrap().start];
        (before.lines().count(), one.message.clone())
    };
    let (at, why) = line(&YARD.replace(
        "name: \"houses\", tileset: \"keep\", opacity: 0.5",
        "name: \"houses\", tileset: \"keep\", opacity: 5.0",
    ));
    assert_eq!(at, 19, "{why}");
    let (at, why) = line(&YARD.replace("name: \"town\",", "name: \"town\", blend: Add,"));
    assert_eq!(at, 16, "a group has no blend mode: {why}");
    // As deep as a file can be read again.
    let nested = |n: usize| {
        let group = |inner: String, i| format!("Group(name: \"g{i}\", layers: [{inner}])");
        format!("(tile_size: (16, 16), layers: [{}])", (0..n).fold(String::new(), group))
    };
    assert_eq!(read(&nested(16)).all_layers().len(), 16);
    let (document, findings) = load_one(&yard(), &nested(17));
    assert!(document.is_none() && findings[0].message.contains("at most 16 deep"), "{findings:?}");
    let project = project_of(read(&nested(16)));
    assert!(
        made(&project, &group_layers((&yard(), level(&project)), &["g3".into()], &"group".into()).unwrap()).is_err()
    );
}

#[test]
fn a_change_in_a_group_is_its_characters_alone() {
    let before = level(&project()).clone();
    let set = |layer: &str, key: &str, value: f64| Edit::set_at(&yard(), before.layer_at(layer).key(key), &value);
    assert_eq!(
        changed_lines(&[set("far", "opacity", 0.25)]),
        "-            opacity: 0.5,\n+            opacity: 0.25,\n"
    );
    let paint = Edit::PaintTiles { doc: yard(), layer: "hills".into(), cells: vec![([1, 0], Tile::id_only(2))] };
    let line = "                Tiles(name: \"hills\", tileset: \"keep\", chunks: { (0, 0): [\"1 X 1\", \". 1\"] }), // green\n";
    assert_eq!(changed_lines(&[paint]), format!("-{}+{}", line.replace('X', "."), line.replace('X', "2")));
    let moved = Edit::MoveThings { doc: yard(), ids: vec!["p1".into()], by: [1.0, 0.0] };
    assert!(changed_lines(&[moved]).contains("at: (9.0, 8.0)"));
}

#[test]
fn layers_that_move_into_groups_and_out_take_their_comments_along() {
    let before = level(&project()).clone();
    let into = Edit::move_layer(&yard(), &"ground".into(), Some(&"town".into()), 0);
    let lines = changed_lines(&[into]);
    assert!(
        lines
            .ends_with("-        Tiles(name: \"ground\", tileset: \"keep\", chunks: { (0, 0): [\"\", \"1 1 1\"] }),\n"),
        "{lines}"
    );
    assert!(lines.lines().filter(|line| line.starts_with('-')).count() == 1, "nothing else is changed: {lines}");
    let out = Edit::move_layer(&yard(), &"hills".into(), None, 9);
    assert!(changed_lines(&[out]).contains(
        "+        Tiles(name: \"hills\", tileset: \"keep\", chunks: { (0, 0): [\"1 . 1\", \". 1\"] }), // green"
    ));
    // A group's comments stay when its layers leave it, those of the layers go with them.
    let people = Edit::move_layer(&yard(), &"people".into(), None, 0);
    assert!(changed_lines(&[people]).contains("+        // Who lives there.\n"));
    // The layer itself is the very same.
    let houses = before.layer("houses").unwrap().1.clone();
    let project = project_of(before);
    let after = made(&project, &[Edit::move_layer(&yard(), &"houses".into(), None, 1)]).unwrap();
    assert!(Arc::ptr_eq(&houses, level(&after).layer("houses").unwrap().1));
    assert!(Arc::ptr_eq(&level(&project).layers[0], &level(&after).layers[0]));
}

#[test]
fn a_layer_has_one_name_in_its_level_at_any_depth() {
    let project = project();
    let layer = Layer::new("houses".into(), level(&project).layers[2].content.clone());
    let insert = Edit::insert_at(&yard(), level(&project).in_front_of(None), &layer);
    assert!(made(&project, &[insert]).unwrap_err().to_string().contains("already a layer `houses`"));
    let typed = TypedRefs::of(&io::builtin_schema(), RefKind::Layer);
    let rename = |from: &str, to: &str| Edit::rename(&yard(), from, to, typed.clone());
    assert!(made(&project, &[rename("ground", "people")]).is_err());
    let after = made(&project, &[rename("people", "folk"), rename("far", "back")]).unwrap();
    assert_eq!(tree(level(&after))[3..6], ["back/town/folk", "back/town", "back"]);
    // A copied group has names and ids of its own all the way down.
    let (edits, made_names) = copy_layers(&project, &yard(), &["far".into()], 7).unwrap();
    let after = made(&project, &edits).unwrap();
    let all = level(&after).all_layers();
    let names: BTreeSet<&Name> = all.iter().map(|layer| &layer.name).collect();
    assert_eq!((all.len(), names.len(), made_names), (14, 14, vec!["far_2".into()]));
    assert_eq!(
        tree(level(&after))[6..11],
        ["far_2/hills_2", "far_2/town_2/houses_2", "far_2/town_2/people_2", "far_2/town_2", "far_2"]
    );
    let people = level(&after).layer("people_2").unwrap().1.entities().unwrap();
    assert!(people.len() == 1 && !people.contains_key("p1"));
    assert_eq!(people[0].ops, level(&project).entity("p1").unwrap().1.ops);
}

#[test]
fn groups_are_made_and_taken_apart_in_steps_that_undo() {
    let project = project();
    let edits = group_layers((&yard(), level(&project)), &["houses".into()], &"group".into()).unwrap();
    let grouped = made(&project, &edits).unwrap();
    assert_eq!(tree(level(&grouped))[2..6], ["far/town/group/houses", "far/town/group", "far/town/people", "far/town"]);
    let back = made(&grouped, &ungroup((&yard(), level(&grouped)), "group").unwrap()).unwrap();
    assert_eq!(level(&back), level(&project));
    assert!(ungroup((&yard(), level(&project)), "ground").unwrap_err().to_string().contains("is no group"));
    let apart = made(&project, &ungroup((&yard(), level(&project)), "far").unwrap()).unwrap();
    assert_eq!(tree(level(&apart))[..5], ["sky", "hills", "town/houses", "town/people", "town"]);
    for ((layer, look), (old, was)) in level(&apart).looks().into_iter().zip(level(&project).looks()) {
        if layer.name == old.name {
            assert_eq!(look, was, "{} looks as it did", layer.name);
        }
    }
}

#[test]
fn a_layer_is_dropped_in_front_of_others_behind_and_into_groups() {
    let project = project();
    let number = |name: &str| level(&project).layer(name).unwrap().0;
    let after = |layer: &str, on: &str, spot| {
        let edits = dropped((&yard(), level(&project)), &[layer.into()], (number(on), spot))?;
        let all = tree(level(&made(&project, &edits).unwrap()));
        let at = all.iter().position(|it| it.rsplit('/').next() == Some(layer)).unwrap();
        Some((at.checked_sub(1).map(|at| all[at].clone()).unwrap_or_default(), all[at].clone()))
    };
    use LayerSpot::{Behind, Bottom, InFront, Inside};
    let cases = [
        ("ground", "far", Inside, "far/town", "far/ground"),
        ("ground", "town", Inside, "far/town/people", "far/town/ground"),
        ("ground", "hills", InFront, "far/hills", "far/ground"),
        ("ground", "hills", Behind, "sky", "far/ground"),
        ("ground", "sky", Bottom, "", "ground"),
        ("people", "houses", Behind, "far/hills", "far/town/people"),
        ("people", "far", InFront, "far", "people"),
        ("people", "far", Behind, "sky", "people"),
        ("town", "patrol", InFront, "town/people", "town"),
        ("far", "patrol", InFront, "far/town", "far"),
    ];
    for (layer, on, spot, before, there) in cases {
        assert_eq!(after(layer, on, spot), Some((before.into(), there.into())), "{layer} {spot:?} {on}");
    }
    for (layer, on, spot) in [
        ("far", "town", Inside),
        ("far", "hills", InFront),
        ("far", "far", Inside),
        ("ground", "hills", Inside),
        ("people", "houses", InFront),
        ("town", "far", Inside),
        ("sky", "sky", Bottom),
    ] {
        assert_eq!(after(layer, on, spot), None, "{layer} {spot:?} {on}");
    }
    let into_itself = Edit::move_layer(&yard(), &"far".into(), Some(&"town".into()), 0);
    assert!(made(&project, &[into_itself]).unwrap_err().to_string().contains("cannot be put into itself"));
    let into_tiles = Edit::move_layer(&yard(), &"far".into(), Some(&"ground".into()), 0);
    assert!(made(&project, &[into_tiles]).unwrap_err().to_string().contains("is no group"));
}

#[test]
fn steps_lead_through_the_whole_tree_and_back() {
    let mut now = project();
    let mut ways = vec![tree(level(&now))];
    let step = |now: &Project, is_forward| {
        let edits = stepped((&yard(), level(now)), &["sky".into()], is_forward);
        (!edits.is_empty()).then(|| made(now, &edits).unwrap())
    };
    assert!(step(&now, false).is_none(), "it is behind all");
    let mut places = Vec::new();
    while let Some(next) = step(&now, true) {
        now = next;
        ways.push(tree(level(&now)));
        let at = level(&now).layer("sky").unwrap().0;
        places.push(level(&now).group_of(at).map_or("-".to_owned(), |group| group.name.to_string()));
    }
    assert_eq!(places, ["far", "far", "town", "town", "town", "far", "-", "-", "-", "-"]);
    while let Some(back) = step(&now, false) {
        assert_eq!(ways.pop(), Some(tree(level(&now))));
        now = back;
    }
    assert_eq!(ways, [TREE.map(str::to_owned).to_vec()]);
}

#[test]
fn beside_a_layer_is_the_one_behind_else_in_front_else_its_group() {
    let project = project();
    let level = level(&project);
    let next = |name: &str| level.next_to(&[name.into()]).map(|layer| layer.name.to_string());
    let beside = [("ground", "far"), ("sky", "far"), ("far", "sky"), ("people", "houses"), ("houses", "people")];
    for (layer, other) in beside {
        assert_eq!(next(layer).as_deref(), Some(other), "{layer}");
    }
    let alone = read("(tile_size: (16, 16), layers: [Group(name: \"a\", layers: [Entities(name: \"b\")])])");
    assert_eq!(alone.next_to(&["b".into()]).map(|layer| &*layer.name), Some("a"));
    assert!(alone.next_to(&["a".into()]).is_none());
    // Of several, none that goes, too.
    let group = level.group_of(level.layer("people").unwrap().0).unwrap().name.clone();
    assert_eq!(level.next_to(&["people".into(), "houses".into()]).map(|it| &it.name), Some(&group));
    let beside = level.next_to(&["people".into(), group.clone()]).map(|it| it.name.to_string());
    assert_eq!(beside, next(&group));
}

#[test]
fn what_is_in_a_locked_group_is_locked() {
    let free = project();
    let lock = |layer: &str| Edit::set_at(&yard(), level(&free).layer_at(layer).key("locked"), &true);
    let project = made(&free, &[lock("far")]).unwrap();
    let at = |layer: &str| level(&project).layer_at(layer);
    let new = Layer::new("new".into(), level(&project).layers[2].content.clone());
    let place = |id: &str| Edit::place(&yard(), &"people".into(), id.into(), Instance::new("goblin".into(), [0.0; 2]));
    for edit in [
        Edit::PaintTiles { doc: yard(), layer: "houses".into(), cells: vec![([0, 0], Tile::id_only(2))] },
        Edit::MoveThings { doc: yard(), ids: vec!["p1".into()], by: [1.0, 0.0] },
        place("p2"),
        Edit::set_at(&yard(), at("houses").key("collide"), &false),
        Edit::Remove { doc: yard(), at: at("houses") },
        Edit::Remove { doc: yard(), at: at("far") },
        Edit::insert_at(&yard(), at("town").key("layers").index(0), &new),
        Edit::Move { doc: yard(), at: at("houses"), to: 1 },
        Edit::move_layer(&yard(), &"houses".into(), None, 0),
        Edit::move_layer(&yard(), &"ground".into(), Some(&"town".into()), 0),
    ] {
        assert!(made(&free, std::slice::from_ref(&edit)).is_ok(), "{edit:?}");
        let why = made(&project, std::slice::from_ref(&edit)).unwrap_err().to_string();
        assert!(why.contains("layer `far` is locked"), "{edit:?}: {why}");
    }
    // How it looks may be changed, as that of a locked layer; and a group may be moved as a whole.
    let open = [
        Edit::set_at(&yard(), at("houses").key("opacity"), &0.75_f64),
        Edit::set_at(&yard(), at("far").key("locked"), &false),
        Edit::move_layer(&yard(), &"far".into(), None, 9),
    ];
    assert!(made(&project, &open).is_ok());
    assert!(ungroup((&yard(), level(&project)), "far").unwrap_err().to_string().contains("Unlock “far”"));
    // What is locked in it keeps a group from being deleted.
    let project = made(&free, &[lock("people")]).unwrap();
    let remove = Edit::Remove { doc: yard(), at: level(&project).layer_at("far") };
    assert!(made(&project, &[remove]).unwrap_err().to_string().contains("layer `people` is locked"));
    // Lock all but one: whole groups, and not those around it.
    let others = |name: &str, locked| -> Vec<String> {
        level(&free).others_to_lock(name, locked).into_iter().map(ToString::to_string).collect()
    };
    assert_eq!(others("houses", true), ["sky", "hills", "people", "ground", "actors", "patrol"]);
    assert_eq!(others("ground", true), ["sky", "far", "actors", "patrol"]);
    let edits: Vec<Edit> = others("houses", true).iter().map(|name| lock(name)).collect();
    assert!(level(&made(&free, &edits).unwrap()).are_others_locked("houses"));
}

/// The level in pixels.
fn picture(project: &Project) -> Image {
    let resolution = resolve(project, &builtin(), None);
    let sheet = Arc::new(Image::from_png(&std::fs::read("sample_data/tilesets/keep.png").unwrap()).unwrap());
    let images = |_: &str| Some(sheet.clone());
    let scene = Scene::of_level(project, &resolution, level(project), &|_, _| None, &images, 0.0);
    scene.render(1.0, [10, 20, 30, 255], 0.0).unwrap()
}

#[test]
fn a_group_is_drawn_as_if_each_of_its_layers_had_its_look() {
    let grouped = project();
    // The same by hand: products and sums.
    let flat = read(
        r##"(size: (40, 24), tile_size: (16, 16), layers: [
            Image(name: "sky", image: "sky.png"),
            Tiles(name: "hills", tileset: "keep", opacity: 0.5, tint: "#ff8000", offset: (16.0, 8.0), chunks: { (0, 0): ["1 . 1", ". 1"] }),
            Tiles(name: "houses", tileset: "keep", opacity: 0.25, tint: "#808000", offset: (32.0, 16.0), chunks: { (0, 0): ["1"] }),
            Entities(name: "people", opacity: 0.5, tint: "#ff8000", offset: (16.0, 16.0), entities: { "p1": (def: "goblin", at: (8.0, 8.0)) }),
            Tiles(name: "ground", tileset: "keep", chunks: { (0, 0): ["", "1 1 1"] }),
            Entities(name: "actors", entities: { "a1": (def: "goblin", at: (40.0, 8.0)) }),
        ])"##,
    );
    let expected = picture(&project_of(flat));
    assert_eq!(picture(&grouped), expected);
    let apart = made(&grouped, &ungroup((&yard(), level(&grouped)), "far").unwrap()).unwrap();
    let apart = made(&apart, &ungroup((&yard(), level(&apart)), "town").unwrap()).unwrap();
    assert_eq!((level(&apart).layers.len(), picture(&apart)), (7, expected.clone()));
    let hide = Edit::set_at(&yard(), level(&grouped).layer_at("far").key("visible"), &false);
    let hidden = made(&grouped, &[hide]).unwrap();
    assert_ne!(picture(&hidden), expected);
    assert!(!level(&hidden).look_of(level(&hidden).layer("houses").unwrap().1).visible);
    let apart = made(&hidden, &ungroup((&yard(), level(&hidden)), "far").unwrap()).unwrap();
    assert_eq!(picture(&apart), picture(&hidden));
}

#[test]
fn tiles_in_groups_are_solid_where_they_are_seen() {
    let set = tileset();
    let grid = |level: &Level| SolidGrid::new(level, |name| (name == "keep").then_some(&set));
    let grouped = project();
    let apart = made(&grouped, &ungroup((&yard(), level(&grouped)), "far").unwrap()).unwrap();
    let apart = made(&apart, &ungroup((&yard(), level(&apart)), "town").unwrap()).unwrap();
    let (a, b) = (grid(level(&grouped)), grid(level(&apart)));
    let solid = |grid: &SolidGrid| -> Vec<[i32; 2]> {
        let all = (0..24).flat_map(|y| (0..40).map(move |x| [x, y]));
        all.filter(|cell| grid.cell(*cell).is_solid()).collect()
    };
    assert_eq!(solid(&a), solid(&b));
    assert!(solid(&a).contains(&[2, 1]), "the house, two cells to the right and one down");
    // A group that is moved moves what is solid.
    let mut followed = a;
    let moved = Edit::set_at(&yard(), level(&grouped).layer_at("far").key("offset"), &[64.0_f64, 0.0]);
    let after = made(&grouped, &[moved]).unwrap();
    let change = followed.update(level(&after), |name| (name == "keep").then_some(&set));
    assert_eq!(change, GridChange::All);
    assert_eq!(solid(&followed), solid(&grid(level(&after))));
}

#[test]
fn entities_in_groups_are_resolved_found_and_explained_at_their_place() {
    let project = project();
    let resolution = resolve(&project, &builtin(), None);
    let hit = EntityQuery::parse("layer:people").unwrap().find(&project, &resolution, None).remove(0);
    let location = hit.location(&project);
    assert_eq!((&*hit.id, location.path.to_string().as_str()), ("p1", "layers[1].layers[1].layers[1].entities.p1"));
    let it = level(&project).entity("p1").unwrap().1;
    let (resolved, _) = resolution.instance(&yard(), &level(&project).layer_at(3), &"p1".into(), it);
    let by = resolved.components["Health"].fields["max"].provenance.last().unwrap().location().unwrap();
    assert_eq!(by.path, location.path.key("set").key("Health").key("max"));
}

#[test]
fn both_programs_may_change_a_group() {
    let base = Arc::new(Document::Level(read(YARD)));
    let theirs = Arc::new(Document::Level(read(
        &YARD.replace("name: \"hills\", tileset: \"keep\",", "name: \"hills\", tileset: \"keep\", opacity: 0.75,"),
    )));
    let at = |layer: &str| level(&project()).layer_at(layer);
    let mine = [
        Edit::set_at(&yard(), at("far").key("opacity"), &0.25_f64),
        Edit::PaintTiles { doc: yard(), layer: "hills".into(), cells: vec![([7, 0], Tile::id_only(2))] },
        Edit::move_layer(&yard(), &"ground".into(), Some(&"town".into()), 0),
    ];
    let mine = made(&project(), &mine).unwrap();
    let merged = merge(Some(&base), mine.doc(&yard()).unwrap(), &theirs, &Choices::default());
    assert_eq!(merged.contests, []);
    let Document::Level(merged) = &*merged.document else { panic!() };
    assert_eq!(tree(merged)[1..3], ["far/hills", "far/town/ground"]);
    let hills = merged.layer("hills").unwrap().1;
    assert_eq!((hills.opacity, hills.tiles().unwrap().tiles.get([7, 0]).id()), (0.75, Some(2)));
    assert_eq!(merged.layer("far").unwrap().1.opacity, 0.25);
}

#[test]
fn a_whole_list_of_layers_and_a_whole_group_are_checked() {
    let free = project();
    let tiles = |name: &str| Arc::new(Layer::new(name.into(), level(&free).layers[2].content.clone()));
    let group = |name: &str, layers: Vec<Arc<Layer>>| {
        let mut group = Layer::new(name.into(), level(&free).layers[1].content.clone());
        let LayerContent::Group(content) = &mut group.content else { panic!() };
        content.layers = layers;
        Arc::new(group)
    };
    let entities =
        |name: &str| Arc::new(Layer::new(name.into(), level(&free).layer("people").unwrap().1.content.clone()));
    let renamed = |name: &str, id: &str| {
        let mut layer = Layer::new(name.into(), level(&free).layer("people").unwrap().1.content.clone());
        let LayerContent::Entities(all) = &mut layer.content else { panic!() };
        let (_, it) = all.pop().unwrap();
        all.insert(id.into(), it);
        Arc::new(layer)
    };
    // Put in as one layer.
    let put = |layer: &Layer, project: &Project| {
        made(project, &[Edit::insert_at(&yard(), level(project).in_front_of(None), layer)]).map(|_| ())
    };
    let why = |layer: &Layer| put(layer, &free).unwrap_err().to_string();
    assert_eq!(put(&group("new", vec![tiles("a"), group("b", vec![tiles("c")])]), &free), Ok(()));
    assert!(why(&group("new", vec![tiles("a"), tiles("a")])).contains("`a`"));
    assert!(why(&group("new", vec![tiles("a"), group("b", vec![tiles("a")])])).contains("`a`"));
    assert!(why(&group("new", vec![tiles("new")])).contains("`new`"));
    assert!(why(&group("new", vec![tiles("a"), tiles("ground")])).contains("`ground`"));
    assert!(why(&group("new", vec![entities("a")])).contains("the id `p1`"));
    assert!(why(&group("new", vec![renamed("a", "p2"), renamed("b", "p2")])).contains("the id `p2`"));
    assert_eq!(put(&group("new", vec![renamed("a", "p2"), renamed("b", "p3")]), &free), Ok(()));
    // Lists are put together of such edits, and none is set as a whole.
    let layer_at = |name: &str| level(&free).layer_at(name);
    for at in [FieldPath::keys(["layers"]), layer_at("far").key("layers"), layer_at("town").key("layers")] {
        let old = level(&free).layer_on(&at).map_or(&*level(&free).layers, |(_, group, _)| group.children());
        for more in [vec![tiles("a")], vec![tiles("a"), tiles("a")], vec![tiles("actors")]] {
            let layers: Vec<Arc<Layer>> = old.iter().cloned().chain(more).collect();
            let why = made(&free, &[Edit::set_at(&yard(), at.clone(), &layers)]).unwrap_err().to_string();
            assert_eq!(why, format!("`{at}` is changed by an edit of its own"));
        }
    }
}

#[test]
fn the_custom_fields_of_a_group_that_is_taken_apart_are_named() {
    let mut yard = read(YARD);
    assert_eq!(ungroup_loss(&yard, "far"), None);
    let group = Arc::make_mut(&mut yard.layers[1]);
    group.fields = [("mood".into(), Value::Int(1)), ("wind".into(), Value::Bool(true))].into();
    let said = "The custom fields of far are gone with it: mood, wind; undo brings them back";
    assert_eq!(ungroup_loss(&yard, "far").as_deref(), Some(said));
    assert_eq!(ungroup_loss(&yard, "town"), None, "what is in it keeps its own");
}

#[test]
fn an_export_has_layers_flat_with_the_look_of_their_groups() {
    let grouped = project();
    let exported = |project: &Project| -> serde_json::Value {
        let resolution = resolve(project, &builtin(), None);
        let links = |_: &DocPath, _: usize, _: &mut dyn FnMut(levelwright::model::Link) -> bool| {};
        let export = io::export::export(project, &resolution, &links, io::export::Format::Json).unwrap();
        let mut text = Vec::new();
        io::export::put(&export, &mut text).unwrap();
        let mut game: serde_json::Value = serde_json::from_slice(&text).unwrap();
        game["levels"]["yard"].take()
    };
    let yard_json = exported(&grouped);
    let layers = yard_json["layers"].as_array().unwrap();
    let names: Vec<&str> = layers.iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["sky", "hills", "houses", "people", "ground", "actors", "patrol"]);
    let houses = &layers[2];
    assert_eq!(houses["groups"], serde_json::json!(["far", "town"]));
    assert_eq!(houses["opacity"], 0.25);
    assert_eq!(houses["tint"], "#808000");
    assert_eq!(
        (&houses["offset"], &houses["parallax"]),
        (&serde_json::json!([32.0, 16.0]), &serde_json::json!([0.5, 1.0]))
    );
    assert_eq!(houses["tiles"]["chunks"].as_array().unwrap().len(), 1);
    assert_eq!(layers[3]["entities"][0]["id"], "p1");
    assert_eq!(yard_json["groups"], serde_json::json!([{ "name": "far" }, { "name": "town", "groups": ["far"] }]));
    // Without groups nothing of them is there, and the rest is the same.
    let apart = made(&grouped, &ungroup((&yard(), level(&grouped)), "far").unwrap()).unwrap();
    let apart = made(&apart, &ungroup((&yard(), level(&apart)), "town").unwrap()).unwrap();
    let mut without = yard_json.clone();
    without.as_object_mut().unwrap().remove("groups");
    for layer in without["layers"].as_array_mut().unwrap() {
        layer.as_object_mut().unwrap().remove("groups");
    }
    assert_eq!(exported(&apart), without);
}

#[test]
fn cells_are_found_where_they_are_seen() {
    let project = project();
    let level = level(&project);
    let number = |name: &str| level.layer(name).map(|(number, _)| number);
    for (name, offset, cell) in [
        ("ground", [0.0, 0.0], [2, 1]),
        ("hills", [16.0, 8.0], [1, 1]),
        ("houses", [32.0, 16.0], [0, 0]),
        // Without cells of its own it works in those of the level.
        ("people", [0.0, 0.0], [2, 1]),
    ] {
        assert_eq!(level.cells_offset(number(name), [0.0; 2]), offset, "{name}");
        assert_eq!(level.cell_under(number(name), [40.0, 31.0], [0.0; 2]), cell, "{name}");
    }
    assert_eq!(level.cell_under(None, [40.0, 31.0], [0.0; 2]), [2, 1]);
}

#[test]
fn one_walk_tells_of_every_layer_what_is_asked_of_one() {
    let mut project = project();
    let at = level(&project).layer_at("far").key("locked");
    apply_all(&mut project, &[Edit::set_at(&yard(), at, &true)]).unwrap();
    let level = level(&project);
    for hidden in ["", "sky", "far", "town", "people"] {
        let mut view = ViewState::default();
        if let Some((_, layer)) = level.layer(hidden) {
            view.show_layer(&yard(), layer, false);
        }
        let seen = view.layers_seen(&yard(), level);
        assert_eq!(seen.len(), level.all_layers().len());
        for (i, it) in seen.iter().enumerate() {
            assert_eq!(it.number, i);
            assert!(Arc::ptr_eq(it.layer, level.nth_layer(i).unwrap()));
            assert_eq!(it.look, level.look_of(it.layer), "{}", it.layer.name);
            assert_eq!(it.is_shown, view.shows(&yard(), level, it.layer), "{} without {hidden}", it.layer.name);
            let around = level.groups_around(i).into_iter().map(|group| &group.name);
            assert!(it.groups.iter().map(|group| &group.name).eq(around), "{}", it.layer.name);
        }
    }
}

#[test]
fn the_window_hides_and_shows_groups_as_a_whole() {
    let project = project();
    let level = level(&project);
    let mut view = ViewState::default();
    let shown = |view: &ViewState| -> Vec<&str> {
        let all = level.all_layers().into_iter().filter(|layer| !layer.is_group() && view.shows(&yard(), level, layer));
        all.map(|layer| &*layer.name).collect()
    };
    let it = |name: &str| level.layer(name).unwrap().1.clone();
    view.show_layer(&yard(), &it("people"), false);
    view.show_layer(&yard(), &it("far"), false);
    assert_eq!(shown(&view), ["sky", "ground", "actors", "patrol"]);
    view.show_layer(&yard(), &it("far"), true);
    assert_eq!(shown(&view), ["sky", "hills", "houses", "ground", "actors", "patrol"]);
    view.show_alone(&yard(), level, "town");
    assert_eq!(shown(&view), ["houses"], "what was hidden in it stays so");
    assert!(view.shows_alone(&yard(), level, "town"));
    view.show_alone(&yard(), level, "hills");
    assert_eq!(shown(&view), ["hills"]);
    view.show_alone(&yard(), level, "hills");
    assert_eq!(shown(&view), ["sky", "hills", "houses", "ground", "actors", "patrol"]);
    // Merging is of layers in one group.
    let why = |name: &str| merge_problem(level, &[name.into()]).unwrap();
    assert_eq!(why("far"), "“far” is a group; merge the layers in it");
    assert_eq!(why("hills"), "No layer is behind “hills” in “far”");
}
