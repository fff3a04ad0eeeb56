//! The right button with tools that take no brush by it: what is selected, and what the menu is about.

use super::*;

const WITH_MENU: [ToolKind; 10] = [
    ToolKind::Select,
    ToolKind::SelectCells,
    ToolKind::Lasso,
    ToolKind::Wand,
    ToolKind::SelectSame,
    ToolKind::Entity,
    ToolKind::Waypoint,
    ToolKind::Repeat,
    ToolKind::Link,
    ToolKind::Probe,
];

#[test]
fn a_right_click_selects_what_is_under_the_pointer_and_changes_nothing() {
    for kind in WITH_MENU {
        let mut table = Table::new(kind).with_entities(&[("a", [16.0, 16.0]), ("b", [60.0, 16.0])]);
        table = table.with_nodes(&[("n", [100.0, 40.0])], &[]);
        let mut topic = |script: &str| {
            let menu = table.run(script).out.menu;
            table.run("right+drag @70,70 right+release @70,70");
            assert!(table.out.menu.is_none() && !table.toolbox.is_busy(), "{kind:?}: it is opened once");
            (menu, table.selection.join(" "))
        };
        assert_eq!(topic("right+press @16,16"), (Some(MenuTopic::Things), "a".into()), "{kind:?}");
        assert_eq!(topic("right+press @100,40"), (Some(MenuTopic::Things), "n".into()), "{kind:?}");
        assert_eq!(topic("right+press @150,90"), (Some(MenuTopic::Ground), String::new()), "{kind:?}");
        table.selection = vec!["a".into(), "b".into()];
        table.run("right+press @60,16");
        assert_eq!(table.selection.join(" "), "a b", "{kind:?}: one of several that are selected keeps them");
        assert_eq!(table.history.n_done(), 0, "{kind:?}");
    }
}

#[test]
fn selected_cells_are_meant_before_things_by_tools_that_select_cells() {
    let cells: CellSet = [[0, 0], [1, 1]].into_iter().collect();
    for (kind, topic) in [(ToolKind::Wand, MenuTopic::Cells), (ToolKind::Select, MenuTopic::Things)] {
        let mut table = Table::new(kind).with_entities(&[("a", [24.0, 24.0])]);
        table.cells = Arc::new(cells.clone());
        assert_eq!(table.run("right+press 1,1").out.menu, Some(topic), "{kind:?}");
        table.selection = Vec::new();
        table.run("right+press 0,0");
        assert_eq!(
            (table.out.menu, &table.out.selection),
            (Some(MenuTopic::Cells), &None),
            "{kind:?}: a layer stays selected"
        );
        table.selection = vec!["a".into()];
        assert_eq!(table.run("right+press 0,0").out.menu, Some(MenuTopic::Cells), "{kind:?}");
        assert!(table.selection.is_empty(), "commands would mean what is selected else");
        assert_eq!(table.run("right+press 5,5").out.menu, Some(MenuTopic::Ground), "{kind:?}");
        assert_eq!(*table.cells, cells, "{kind:?}: they stay selected");
    }
}

#[test]
fn the_right_button_cancels_a_gesture_and_opens_no_menu() {
    let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [16.0, 16.0])]);
    table.run("press @16,16 drag @60,60 right+press @60,60");
    assert_eq!((table.out.menu, table.things()[0].1), (None, [16.0, 16.0]));
    for kind in ToolKind::ALL.into_iter().filter(|kind| !WITH_MENU.contains(kind)) {
        assert_eq!(blob_table_with(kind).run("right+press 1,1").out.menu, None, "{kind:?} takes a brush by it");
    }
}

fn blob_table_with(kind: ToolKind) -> Table {
    let mut table = blob_table();
    table.toolbox.take(kind);
    table
}

#[test]
fn things_can_move_to_other_unlocked_layers_of_their_kind() {
    let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [16.0, 16.0])]);
    table = table.with_nodes(&[("n", [8.0, 8.0])], &[]);
    let mut add = |name: &str, is_locked: bool| {
        let content =
            LayerContent::Entities([(name.into(), Arc::new(Instance::new("goblin".into(), [0.0; 2])))].into());
        let layer = Layer { locked: is_locked, ..Layer::new(name.into(), content) };
        table.level_mut().layers.push(Arc::new(layer));
    };
    add("props", false);
    add("sealed", true);
    add("sky", false);
    let names = |ids: &[&str]| {
        let ids: Vec<Name> = ids.iter().map(|id| (*id).into()).collect();
        layers_to_move_to(table.level(), &ids).iter().map(|layer| &*layer.name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&["a"]), "sky props", "front to back, without its own and what is locked");
    assert_eq!(names(&["a", "sky"]), "sky props actors", "of two layers, each can take the others");
    assert_eq!([names(&["n"]), names(&["a", "n"]), names(&[])], [""; 3]);
}
