//! Layers that are moved into groups and out of them by one side of a merge, or by both.

use std::{collections::BTreeSet, sync::Arc};

use levelwright::{
    edit::{Edit, free_name, group_layers, ungroup},
    io::{Choices, Merged, merge},
    model::{Document, Layer, LayerContent, Level, Name, Project, Side, Tile},
};

use crate::{
    groups::{YARD, level, made, project, read, tree, yard},
    ron_text::TestRng,
};

/// What two sides make of the yard, merged: both ways round.
fn merged(mine: &[Edit], theirs: &[Edit]) -> [Merged; 2] {
    let base = Arc::new(Document::Level(read(YARD)));
    let [mine, theirs] = [mine, theirs].map(|edits| made(&project(), edits).unwrap().doc(&yard()).unwrap().clone());
    let merge = |a, b| merge(Some(&base), a, b, &Choices::default());
    [merge(&mine, &theirs), merge(&theirs, &mine)]
}

fn level_of(merged: &Merged) -> &Level {
    let Document::Level(level) = &*merged.document else { panic!() };
    level
}

#[test]
fn a_layer_that_one_side_moves_and_the_other_changes_is_merged_as_one() {
    let paint =
        |layer: &str| Edit::PaintTiles { doc: yard(), layer: layer.into(), cells: vec![([7, 0], Tile::id_only(2))] };
    let to = |layer: &str, group: Option<&str>, at| {
        Edit::move_layer(&yard(), &layer.into(), group.map(Into::into).as_ref(), at)
    };
    let grouped = |layer: &str| group_layers((&yard(), level(&project())), &[layer.into()], &"group".into()).unwrap();
    let apart = |group: &str| ungroup((&yard(), level(&project())), group).unwrap();
    let cases = [
        (
            "hills",
            vec![to("hills", None, 1)],
            "sky hills far/town/houses far/town/people far/town far ground actors patrol",
        ),
        (
            "hills",
            vec![to("hills", None, 9)],
            "sky far/town/houses far/town/people far/town far ground actors patrol hills",
        ),
        (
            "hills",
            vec![to("hills", Some("town"), 1)],
            "sky far/town/houses far/town/hills far/town/people far/town far ground actors patrol",
        ),
        (
            "ground",
            vec![to("ground", Some("far"), 1)],
            "sky far/hills far/ground far/town/houses far/town/people far/town far actors patrol",
        ),
        ("houses", vec![to("town", None, 0)], "town/houses town/people town sky far/hills far ground actors patrol"),
        (
            "houses",
            vec![to("houses", Some("far"), 0)],
            "sky far/houses far/hills far/town/people far/town far ground actors patrol",
        ),
        (
            "ground",
            grouped("ground"),
            "sky far/hills far/town/houses far/town/people far/town far group/ground group actors patrol",
        ),
        (
            "houses",
            grouped("town"),
            "sky far/hills far/group/town/houses far/group/town/people far/group/town far/group far ground actors patrol",
        ),
        ("houses", apart("town"), "sky far/hills far/houses far/people far ground actors patrol"),
        ("hills", apart("far"), "sky hills town/houses town/people town ground actors patrol"),
    ];
    for (painted, edits, expected) in cases {
        let alone = made(&project(), &edits).unwrap();
        assert_eq!(tree(level(&alone)).join(" "), expected);
        for merged in merged(&edits, &[paint(painted)]) {
            assert_eq!(merged.contests, [], "{edits:?}");
            let after = level_of(&merged);
            assert_eq!(tree(after).join(" "), expected);
            let both = made(&alone, &[paint(painted)]).unwrap();
            assert_eq!(after, level(&both), "{edits:?}");
            assert!(merged.n_mine > 0 && merged.n_theirs > 0, "both are said to have changed something");
        }
    }
    // What both changed differently is asked for at the layer's new place alone.
    let other = Edit::PaintTiles { doc: yard(), layer: "hills".into(), cells: vec![([7, 0], Tile::id_only(3))] };
    for merged in merged(&[to("hills", None, 1), paint("hills")], &[other]) {
        let paths: Vec<String> = merged.contests.iter().map(|it| it.path.to_string()).collect();
        assert_eq!(paths, ["layers.hills.chunks.(0, 0)"]);
    }
}

#[test]
fn layers_that_both_sides_move_are_where_one_of_them_has_them_and_only_there() {
    let to = |layer: &str, group: Option<&str>, at| {
        Edit::move_layer(&yard(), &layer.into(), group.map(Into::into).as_ref(), at)
    };
    let removed = |layer: &str| Edit::Remove { doc: yard(), at: level(&project()).layer_at(layer) };
    let apart = |group: &str| ungroup((&yard(), level(&project())), group).unwrap();
    let opacity = |group: &str| Edit::set_at(&yard(), level(&project()).layer_at(group).key("opacity"), &0.25_f64);
    let group = |name: &str| {
        let mut group = Layer::new(name.into(), read(YARD).layers[1].content.clone());
        let LayerContent::Group(content) = &mut group.content else { panic!() };
        content.layers.clear();
        Edit::insert_at(&yard(), level(&project()).in_front_of(None), &group)
    };
    // By what each side does, where a layer is: merged into mine, and into theirs.
    let cases = [
        (vec![to("hills", None, 0)], vec![to("hills", Some("town"), 0)], "hills", ["hills", "far/town/hills"]),
        (vec![to("hills", None, 0)], vec![to("hills", None, 4)], "hills", ["hills", "hills"]),
        (
            vec![to("ground", Some("far"), 0)],
            vec![to("ground", Some("town"), 0)],
            "ground",
            ["far/ground", "far/town/ground"],
        ),
        // Into a group that the other side takes apart, deletes or moves.
        (vec![to("ground", Some("far"), 0)], apart("far"), "ground", ["ground", "ground"]),
        (vec![to("ground", Some("town"), 0)], apart("far"), "ground", ["town/ground", "town/ground"]),
        (vec![to("ground", Some("far"), 0)], vec![removed("far")], "ground", ["ground", "ground"]),
        (vec![to("ground", Some("town"), 0)], vec![to("town", None, 0)], "ground", ["town/ground", "town/ground"]),
        (
            vec![to("ground", Some("town"), 0)],
            vec![to("ground", Some("far"), 0), removed("town")],
            "ground",
            ["far/ground", "far/ground"],
        ),
        // Out of a group that the other side deletes.
        (vec![to("hills", None, 0)], vec![removed("far")], "hills", ["hills", "hills"]),
        (vec![to("hills", None, 0), opacity("far")], vec![removed("far")], "hills", ["hills", "hills"]),
        // Both into new groups, of one name and of others.
        (
            vec![group("new"), to("hills", Some("new"), 0)],
            vec![group("new"), to("ground", Some("new"), 0)],
            "hills",
            ["new/hills", "new/hills"],
        ),
        (
            vec![group("a"), to("hills", Some("a"), 0)],
            vec![group("b"), to("hills", Some("b"), 0)],
            "hills",
            ["a/hills", "b/hills"],
        ),
        (
            vec![group("a"), to("town", Some("a"), 0), to("sky", Some("town"), 0)],
            vec![to("town", None, 0), removed("far")],
            "sky",
            ["a/town/sky", "town/sky"],
        ),
    ];
    for (mine, theirs, layer, expected) in cases {
        let sides = [&mine, &theirs].map(|edits| made(&project(), edits).unwrap());
        for (merged, expected) in merged(&mine, &theirs).iter().zip(expected) {
            let all = tree(level_of(merged));
            let places: Vec<&String> = all.iter().filter(|it| it.rsplit('/').next() == Some(layer)).collect();
            assert_eq!(places, [expected], "{mine:?} {theirs:?}: {all:?}");
            all_once(level_of(merged), &sides);
        }
    }
}

/// Every layer that both sides have is there, and none is there twice.
fn all_once(merged: &Level, sides: &[Project; 2]) {
    let names = |level: &Level| -> Vec<Name> { level.all_layers().into_iter().map(|it| it.name.clone()).collect() };
    let all = names(merged);
    let once: BTreeSet<&Name> = all.iter().collect();
    assert_eq!(once.len(), all.len(), "{:?}", tree(merged));
    let [mine, theirs] = sides.each_ref().map(|side| names(level(side)));
    assert!(mine.iter().filter(|it| theirs.contains(it)).all(|it| once.contains(it)), "{:?}", tree(merged));
}

#[test]
fn whatever_both_sides_move_no_layer_is_lost_or_there_twice() {
    let random = TestRng::new(7);
    for _ in 0..400 {
        let mut sides = [project(), project()];
        for side in &mut sides {
            for _ in 0..=random.below(4) {
                let names: Vec<Name> = level(side).all_layers().into_iter().map(|it| it.name.clone()).collect();
                let [layer, group] =
                    [random.below(names.len().max(1)), random.below(names.len().max(1))].map(|at| names.get(at));
                let (Some(layer), Some(group)) = (layer, group) else {
                    break;
                };
                let group = Some(group).filter(|it| level(side).layer(it).unwrap().1.is_group());
                let edits = match random.below(8) {
                    0 => vec![Edit::Remove { doc: yard(), at: level(side).layer_at(&**layer) }],
                    1 => {
                        let name = free_name("group", |name| level(side).layer(name).is_some());
                        group_layers((&yard(), level(side)), std::slice::from_ref(layer), &name).unwrap()
                    }
                    2 => ungroup((&yard(), level(side)), layer).unwrap_or_default(),
                    3 => vec![Edit::set_at(
                        &yard(),
                        level(side).layer_at(&**layer).key("offset"),
                        &[9.0, f64::from(u8::try_from(random.below(9)).unwrap())],
                    )],
                    _ => vec![Edit::move_layer(&yard(), layer, group, random.below(4))],
                };
                if let Ok(after) = made(side, &edits) {
                    *side = after;
                }
            }
        }
        let base = Arc::new(Document::Level(read(YARD)));
        let [mine, theirs] = sides.each_ref().map(|side| side.doc(&yard()).unwrap());
        for choices in [Choices::all(Side::Mine), Choices::all(Side::Theirs)] {
            let after = merge(Some(&base), mine, theirs, &choices);
            all_once(level_of(&after), &sides);
        }
        let [of_mine, of_theirs] =
            [(&base, mine), (mine, &base)].map(|(a, b)| merge(Some(&base), a, b, &Choices::default()));
        assert_eq!((&of_mine.document, &of_theirs.document), (mine, mine));
    }
}
