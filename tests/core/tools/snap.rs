//! Lining up with what is around, as things are dragged and placed. Entities are 16 × 16 pixels here, a point is a
//! pixel.

use super::*;

fn table(kind: ToolKind, others: &[(&str, [f64; 2])]) -> Table {
    let mut table = Table::new(kind).with_entities(others);
    table.options.guides = true;
    table
}

fn place(table: &Table, id: &str) -> [f64; 2] {
    table.level().entity(id).unwrap().1.at
}

#[test]
fn a_drag_lines_up_with_edges_and_centers_in_reach() {
    // What stands there, where the entity is dragged to, where it comes to be, and on which lines.
    let cases = [
        ([101.0, 40.0], [103.0, 70.0], [101.0, 72.0], vec![[[101.0, 32.0], [101.0, 80.0]]], "centers"),
        ([101.0, 40.0], [121.0, 43.0], [117.0, 40.0], vec![], "edges that touch"),
        ([101.0, 40.0], [130.0, 70.0], [128.0, 72.0], vec![], "nothing near: the grid"),
        ([101.0, 40.0], [3.0, 70.0], [8.0, 72.0], vec![], "the level's left side"),
        ([101.0, 40.0], [160.0, 86.0], [160.0, 88.0], vec![], "the level's bottom"),
    ];
    for (other, to, end, lines, what) in cases {
        let mut table = table(ToolKind::Select, &[("other", other), ("a", [56.0, 24.0])]);
        table.run(&format!("press @56,24 drag @60,24 drag @{},{}", to[0], to[1]));
        let guides = table.out.ghost.guides.clone();
        table.run(&format!("release @{},{}", to[0], to[1]));
        assert_eq!(place(&table, "a"), end, "{what}");
        for line in &lines {
            assert!(guides.contains(line), "{what}: {guides:?}");
        }
        assert_eq!(table.history.n_done(), 1);
        assert_eq!(table.out.ghost.guides, Vec::<[[f64; 2]; 2]>::new(), "{what}: none is left");
    }
}

#[test]
fn alt_shift_and_the_option_suspend_it() {
    let others = [("other", [101.0, 40.0]), ("a", [56.0, 24.0])];
    let ends = |script: &str, guides: bool| {
        let mut table = table(ToolKind::Select, &others);
        table.options.guides = guides;
        table.run(script);
        place(&table, "a")
    };
    assert_eq!(ends("press @56,24 drag @60,24 release @103,70", true), [101.0, 72.0]);
    assert_eq!(ends("press @56,24 drag @60,24 release @103,70", false), [104.0, 72.0]);
    assert_eq!(ends("press @56,24 alt+drag @60,24 alt+release @103,70", true), [103.0, 70.0]);
    assert_eq!(ends("press @56,24 shift+drag @60,24 shift+release @103,43", true), [101.0, 24.0], "one axis stays");
}

#[test]
fn several_line_up_as_one_box_and_not_with_themselves_or_what_is_out_of_sight() {
    let mut several = table(ToolKind::Select, &[("a", [56.0, 24.0]), ("b", [73.0, 31.0]), ("other", [150.0, 24.0])]);
    several.selection = vec!["a".into(), "b".into()];
    several.run("press @56,24 drag @60,24 release @116,24");
    // Their right edge at the other's left edge.
    assert_eq!([place(&several, "a"), place(&several, "b")], [[117.0, 24.0], [134.0, 31.0]]);
    let hidden = |table: &mut Table| {
        let mut layer = Layer::clone(&table.level().layers[1]);
        let LayerContent::Entities(all) = &mut layer.content else { panic!() };
        all.shift_remove("a");
        (layer.name, layer.visible) = ("hidden".into(), false);
        let LayerContent::Entities(all) = &mut Arc::make_mut(&mut table.level_mut().layers[1]).content else {
            panic!()
        };
        all.shift_remove("other");
        table.level_mut().layers.push(Arc::new(layer));
    };
    for (other, is_hidden) in [([101.0, 40.0], true), ([101.0, -400.0], false)] {
        let mut table = table(ToolKind::Select, &[("other", other), ("a", [56.0, 24.0])]);
        if is_hidden {
            hidden(&mut table);
        }
        table.run("press @56,24 drag @60,24 release @103,70");
        assert_eq!(place(&table, "a"), [104.0, 72.0], "{other:?}");
    }
}

#[test]
fn what_is_placed_lines_up_too() {
    let mut table = table(ToolKind::Entity, &[("other", [101.0, 40.0])]);
    table.run("hover @103,70");
    assert_eq!(table.out.ghost.entity, Some(("goblin".into(), [101.0, 72.0])));
    assert!(table.out.ghost.guides.contains(&[[101.0, 32.0], [101.0, 80.0]]), "{:?}", table.out.ghost.guides);
    table.run("press @103,70 release @103,70");
    assert_eq!(table.things()[1].1, [101.0, 72.0]);
    let ghost = table.run("hover @103,70").out.ghost.clone();
    assert_eq!((ghost.entity, ghost.guides), (None, vec![]), "what was just placed is not covered");
    assert!(table.run("hover @163,70").out.ghost.entity.is_some());
    table.run("alt+press @103,50 alt+release @103,50");
    assert_eq!(table.things()[2].1, [103.0, 50.0]);
}

proptest! {
    #![proptest_config(cases(256))]
    #[test]
    fn what_is_lined_up_stays_and_never_moves_far(
        others in prop::collection::vec((0..1536_u32, 0..768_u32), 0..6),
        to in (72..1440_u32, 72..640_u32),
    ) {
        // Eighths of a pixel, as drags give them.
        let px = |(x, y): (u32, u32)| [f64::from(x) / 8.0, f64::from(y) / 8.0];
        let names = ["b", "c", "d", "e", "f", "g"];
        let mut all: Vec<(&str, [f64; 2])> = names.iter().zip(others).map(|(id, at)| (*id, px(at))).collect();
        all.push(("a", [500.0, 500.0]));
        let (mut table, to) = (table(ToolKind::Select, &all), px(to));
        table.snap_px = None;
        table.run(&format!("press @500,500 drag @400,400 release @{},{}", to[0], to[1]));
        let at = place(&table, "a");
        prop_assert!((0..2).all(|i| (at[i] - to[i]).abs() <= 6.0), "{at:?} for {to:?}");
        // Once more to the same place, by way of another.
        table.selection = vec!["a".into()];
        let level = table.level();
        let hit = level.entities().filter(|(_, _, it)| (0..2).all(|i| (it.at[i] - at[i]).abs() <= 8.0)).last();
        prop_assume!(hit.is_some_and(|(_, id, _)| **id == *"a"));
        table.run(&format!("press @{0},{1} drag @400,400 release @{0},{1}", at[0], at[1]));
        prop_assert_eq!(place(&table, "a"), at);
    }
}
