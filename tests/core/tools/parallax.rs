//! Tools on layers that do not move with the world: what they do is where the pointer is.

use super::*;

/// A table whose layers are moved by 48 and 24 pixels where they are looked at from the level's middle, at 96, 48.
fn table(kind: ToolKind) -> Table {
    let mut table = Table::new(kind).with_entities(&[("a", [40.0, 24.0])]);
    for layer in &mut table.level_mut().layers {
        Arc::make_mut(layer).parallax = [0.5, 0.5];
    }
    table
}

#[test]
fn a_layer_is_where_its_parallax_has_it() {
    let look = |parallax| LayerLook {
        parallax,
        offset: [3.0, 4.0],
        ..LayerLook::of(&Table::new(ToolKind::Pencil).level().layers[0])
    };
    for (parallax, offset) in [([1.0, 1.0], [3.0, 4.0]), ([0.5, 0.0], [53.0, 64.0]), ([2.0, 1.5], [-97.0, -26.0])] {
        let seen = look(parallax).seen_from([100.0, 60.0]);
        assert_eq!((seen.offset, seen.parallax), (offset, [1.0; 2]));
        assert_eq!(seen.seen_from([7.0, 7.0]), seen, "once is enough");
    }
    // The middle of a canvas that shows a point there.
    for parallax in [[1.0, 1.0], [0.5, 0.25], [2.0, 4.0]] {
        let center = look(parallax).center_on([20.0, 30.0]);
        let offset = look(parallax).seen_from(center).offset;
        assert_eq!([20.0 + offset[0], 30.0 + offset[1]], center, "{parallax:?}");
    }
    assert_eq!(look([0.0; 2]).center_on([20.0, 30.0]), [23.0, 34.0]);
}

#[test]
fn a_tile_is_painted_under_the_pointer() {
    let mut table = table(ToolKind::Pencil);
    table.run("press @49,25 release @65,25");
    assert_eq!(table.picture(), ["11"]);
    table.toolbox.take(ToolKind::Lasso);
    table.run("press @50,26 drag @62,26 drag @62,38 drag @50,38 release @50,27");
    assert_eq!(table.cells.bounds(), Some(([0, 0], [0, 0])));
    table.cells = Arc::default();
    // From a layer that is elsewhere it is taken where it is seen.
    table.toolbox.take(ToolKind::Eyedropper);
    table.layer = 1;
    table.stamp = Stamp::one(tile(7));
    table.run("press @70,30 release @70,30");
    assert_eq!(table.stamp, Stamp::one(tile(1)));
}

#[test]
fn things_are_hit_placed_and_dragged_where_they_are_seen() {
    let mut table = table(ToolKind::Select);
    table.run("press @40,24 release @40,24");
    assert!(table.selection.is_empty(), "nothing is seen there");
    table.run("press @88,48 drag @96,48 release @104,56");
    assert_eq!(table.selection, ["a".into()]);
    assert_eq!(table.level().entity("a").unwrap().1.at, [56.0, 32.0]);
    table.run("press @90,40 release @120,70");
    assert_eq!(table.selection, ["a".into()], "in a frame, too");
    table.toolbox.take(ToolKind::Entity);
    table.run("hover @72,48");
    assert_eq!(table.out.ghost.entity, Some(("goblin".into(), [72.0, 48.0])));
    table.run("press @72,48 release @72,48");
    let placed = table.level().entity(&table.selection[0]).unwrap().1.at;
    assert_eq!(placed, [24.0, 24.0]);
    table.toolbox.take(ToolKind::Waypoint);
    table.layer = 2;
    table.run("press @56,32 release @56,32");
    let (_, layer) = table.level().layer("patrol").unwrap();
    assert_eq!(layer.waypoints().unwrap().nodes.values().map(|node| node.at).collect::<Vec<_>>(), [[8.0, 8.0]]);
}
