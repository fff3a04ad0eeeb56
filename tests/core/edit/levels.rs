//! Levels: tiles, locked layers, sizes.

use super::*;

/// Seed 810000: a cell that is painted and painted back.
#[test]
fn a_cell_painted_back_is_not_changed() {
    let mut project = project();
    let before = project.clone();
    let was =
        before.level(&path("levels/yard.ron")).unwrap().layer("ground").unwrap().1.tiles().unwrap().tiles.get([13, 14]);
    let cells = [([13, 14], Tile::new(1, false, false, false)), ([13, 14], was)];
    apply(
        &mut project,
        &Edit::PaintTiles { doc: path("levels/yard.ron"), layer: "ground".into(), cells: cells.into() },
    )
    .unwrap();
    assert!(same_pointers(&project, &before));
}

#[test]
fn a_stroke_copies_the_chunks_it_touches_and_no_more() {
    let mut project = project();
    let before = project.clone();
    make(
        &mut project,
        &Edit::PaintTiles {
            doc: yard(),
            layer: name("ground"),
            cells: vec![([3, 20], Tile::id_only(2)), ([99, 20], Tile::id_only(2))],
        },
    );
    assert_eq!(tiles(&project).get([3, 20]), Tile::id_only(2));
    assert_eq!(tiles(&project).get([99, 20]), Tile::EMPTY, "outside the level nothing is painted");
    assert!(!Arc::ptr_eq(tiles(&before).chunk([0, 0]).unwrap(), tiles(&project).chunk([0, 0]).unwrap()));
    assert!(Arc::ptr_eq(tiles(&before).chunk([1, 0]).unwrap(), tiles(&project).chunk([1, 0]).unwrap()));
    assert!(Arc::ptr_eq(&level(&before).layers[1], &level(&project).layers[1]));
}

#[test]
fn a_locked_layer_refuses_with_its_name() {
    let mut project = project();
    make(&mut project, &Edit::set_at(&yard(), of_layer("actors", "locked"), &true));
    let owner = Owner::Instance { doc: yard(), layer: name("actors"), id: name("a1") };
    for edit in [
        Edit::MoveThings { doc: yard(), ids: vec![name("a1")], by: [1.0, 0.0] },
        Edit::DeleteThings { doc: yard(), ids: vec![name("a1")] },
        Edit::SetDef { doc: yard(), layer: name("actors"), ids: vec![name("a1")], def: name("crate") },
        Edit::set(owner, "Health", "max", number(1.0)),
        Edit::set_at(&yard(), placed("actors", "a1", "rotation"), &1.0),
        Edit::Remove { doc: yard(), at: FieldPath::keys(["layers", "actors"]) },
    ] {
        let refusal = apply(&mut project, &edit).unwrap_err().to_string();
        assert!(refusal.contains("`actors` is locked"), "{refusal}");
    }
    make(&mut project, &Edit::set_at(&yard(), of_layer("actors", "locked"), &false));
    make(&mut project, &Edit::DeleteThings { doc: yard(), ids: vec![name("a1"), name("n2")] });
    assert!(level(&project).layers[2].waypoints().unwrap().links.is_empty(), "links of a deleted waypoint go with it");
}

#[test]
fn resizing_moves_everything_and_erases_what_falls_out() {
    let mut project = project();
    make(&mut project, &Edit::ResizeLevel { doc: yard(), size: Some([10, 24]), shift: [-2, 1] });
    assert_eq!(tiles(&project).iter().count(), 10);
    assert_eq!(tiles(&project).get([9, 21]), Tile::id_only(1));
    assert_eq!(level(&project).entity("a1").unwrap().1.at, [8.0 - 32.0, 64.0 + 16.0]);
    assert_eq!(level(&project).layers[2].waypoints().unwrap().nodes["n1"].at, [-24.0, 24.0]);
}
