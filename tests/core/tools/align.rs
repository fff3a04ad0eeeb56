//! Aligning and distributing things. Entities are 16 × 16 pixels here.

use super::*;

/// The places of all things after an alignment, each once more to see that it changes nothing.
fn aligned(table: &mut Table, alignment: Alignment) -> Vec<[f64; 2]> {
    table.selection = table.things().into_iter().map(|(id, _)| Name::from(&*id)).collect();
    let out = table.cx(|cx| align(cx, alignment)).unwrap();
    assert!(out.edits.iter().all(|edit| matches!(edit, Edit::MoveThings { .. })) && out.phase == Phase::Commit);
    apply_all(&mut table.project, &out.edits).unwrap();
    let again = table.cx(|cx| align(cx, alignment)).unwrap_err();
    assert_eq!(again, "They are where this would put them already", "{alignment:?}");
    table.things().into_iter().map(|(_, at)| at).collect()
}

fn table() -> Table {
    let entities = [("a", [16.0, 16.0]), ("b", [50.0, 30.0])];
    Table::new(ToolKind::Select).with_entities(&entities).with_nodes(&[("n", [100.0, 80.0])], &[])
}

#[test]
fn edges_and_centers_are_aligned_by_extent() {
    let cases = [
        (Alignment::Left, [[16.0, 16.0], [16.0, 30.0], [8.0, 80.0]]),
        (Alignment::Right, [[92.0, 16.0], [92.0, 30.0], [100.0, 80.0]]),
        (Alignment::Top, [[16.0, 16.0], [50.0, 16.0], [100.0, 8.0]]),
        (Alignment::Bottom, [[16.0, 72.0], [50.0, 72.0], [100.0, 80.0]]),
        (Alignment::CentersHorizontally, [[54.0, 16.0], [54.0, 30.0], [54.0, 80.0]]),
        (Alignment::CentersVertically, [[16.0, 44.0], [50.0, 44.0], [100.0, 44.0]]),
    ];
    for (alignment, places) in cases {
        assert_eq!(aligned(&mut table(), alignment), places, "{alignment:?}");
    }
}

#[test]
fn gaps_become_equal_and_the_ends_stay() {
    let places = aligned(&mut table(), Alignment::DistributeHorizontally);
    assert_eq!(places, [[16.0, 16.0], [62.0, 30.0], [100.0, 80.0]], "gaps of 30 pixels");
    let entities = [("c", [80.0, 0.0]), ("a", [0.0, 0.0]), ("b", [0.0, 10.0]), ("d", [0.0, 20.0])];
    let mut table = Table::new(ToolKind::Select).with_entities(&entities);
    let ys: Vec<f64> = aligned(&mut table, Alignment::DistributeVertically).iter().map(|at| at[1]).collect();
    assert_eq!(ys, [0.0, 6.625, 13.375, 20.0], "they overlap equally, in eighths of a pixel");
}

#[test]
fn turned_things_and_layers_that_are_moved_count_as_they_are_seen() {
    let mut table = Table::new(ToolKind::Select).with_entities(&[("a", [16.0, 16.0])]);
    let LayerContent::Entities(all) = &mut Arc::make_mut(&mut table.level_mut().layers[1]).content else { panic!() };
    Arc::make_mut(&mut all[0]).rotation = 45.0;
    let mut table = table.with_nodes(&[("n", [100.0, 40.0])], &[]);
    Arc::make_mut(&mut table.level_mut().layers[2]).offset = [4.0, 0.0];
    // Half its diagonal is 11.3 pixels.
    assert_eq!(aligned(&mut table, Alignment::Left), [[16.0, 16.0], [0.625, 40.0]]);
}

#[test]
fn too_few_or_locked_things_are_refused() {
    let mut table = table();
    table.selection = vec!["a".into()];
    let refused = |table: &Table, alignment| table.cx(|cx| align(cx, alignment)).unwrap_err();
    assert_eq!(refused(&table, Alignment::Top), "Select at least two entities or waypoints first");
    table.selection = vec!["a".into(), "n".into()];
    assert_eq!(refused(&table, Alignment::DistributeVertically), "Select at least three entities or waypoints first");
    Arc::make_mut(&mut table.level_mut().layers[2]).locked = true;
    assert_eq!(refused(&table, Alignment::Top), "“patrol” is locked: unlock it to work on it");
}
