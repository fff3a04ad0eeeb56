//! Places of several entities and waypoints changed together.

use levelwright::{
    edit::apply_all,
    io,
    model::{DocPath, Name, read_typed},
    refactor::{PlaceField, place_edits, place_values},
};

#[test]
fn each_gets_the_number_or_what_the_operation_makes_of_its_own() {
    let before = io::load("sample_data".as_ref()).project;
    let doc = DocPath::new("levels/courtyard.ron").unwrap();
    let level = before.level(&doc).unwrap();
    let entities: Vec<Name> = level.entities().take(3).map(|(_, id, _)| id.clone()).collect();
    let nodes = level.layers.iter().find_map(|layer| layer.waypoints()).unwrap().nodes.keys().take(2).cloned();
    let ids: Vec<Name> = entities.into_iter().chain(nodes).collect();
    type After = fn(f64) -> f64;
    let cases: [(&str, PlaceField, After); 7] = [
        ("48", PlaceField::X, |_| 48.0),
        ("+=16", PlaceField::X, |x| x + 16.0),
        ("-=0.5", PlaceField::Y, |y| y - 0.5),
        ("×2", PlaceField::Y, |y| y * 2.0),
        ("50%", PlaceField::X, |x| x * 0.5),
        ("+90", PlaceField::Rotation, |turn| turn + 90.0),
        ("=8*2", PlaceField::Y, |_| 16.0),
    ];
    for (text, field, after) in cases {
        let mut project = before.clone();
        let edits = place_edits(&project, &doc, &ids, field, &read_typed(text, None).unwrap()).unwrap();
        apply_all(&mut project, &edits).unwrap();
        for other in PlaceField::ALL {
            let [was, is] = [&before, &project].map(|it| place_values(it.level(&doc).unwrap(), &ids, other));
            let wanted: Vec<f64> = was.iter().map(|x| if other == field { after(*x) } else { *x }).collect();
            assert_eq!(is, wanted, "{text}: {other:?}");
            assert_eq!(is.len(), if other == PlaceField::Rotation { 3 } else { 5 }, "waypoints do not turn");
        }
        let again = place_edits(&project, &doc, &ids, field, &read_typed("+0", None).unwrap()).unwrap();
        assert!(again.is_empty(), "{text}: what stays is no edit");
    }
}
