//! Levels as wholes: a new one with what is wrong in its form, a copy, a deletion with what it leaves behind.

use levelwright::{
    defs::{Resolution, resolve},
    io,
    model::{Builtin, DocKind, DocPath, LevelView, Project},
    refactor::{NewLevel, NewLevelField, Request},
};

fn sample() -> (Project, Resolution) {
    let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
    let project = io::load("sample_data".as_ref()).project;
    let resolution = resolve(&project, &builtin, None);
    (project, resolution)
}

fn path(at: &str) -> DocPath {
    DocPath::new(at).unwrap()
}

fn cellar(tileset: Option<&str>) -> NewLevel {
    let tileset = tileset.map(Into::into);
    NewLevel { name: "cellar".into(), size: Some([20, 10]), tile_size: [16, 16], tileset, view: LevelView::TopDown }
}

#[test]
fn a_new_level_has_what_was_asked_for() {
    let (project, resolution) = sample();
    let request = Request::NewLevel(cellar(Some("keep")));
    let after = request.plan(&project, &resolution).unwrap().tried_on(&project).unwrap();
    let level = after.level(&path("levels/cellar.ron")).unwrap();
    assert_eq!((level.size, level.tile_size, level.view), (Some([20, 10]), [16, 16], Some(LevelView::TopDown)));
    let layers: Vec<_> = level.layers.iter().map(|layer| (&*layer.name, layer.tag())).collect();
    assert_eq!(layers, [("ground", "Tiles"), ("actors", "Entities")], "the entities before the ground");
    assert_eq!(level.layers[0].tiles().map(|tiles| &*tiles.tileset), Some("keep"));
    let plain = NewLevel { size: None, view: LevelView::Platformer, ..cellar(None) };
    let after = Request::NewLevel(plain).plan(&project, &resolution).unwrap().tried_on(&project).unwrap();
    let level = after.level(&path("levels/cellar.ron")).unwrap();
    assert_eq!((level.size, level.view, level.layers.len()), (None, None, 1), "the project's view is not repeated");
}

#[test]
fn a_form_says_at_each_field_what_is_wrong() {
    let (project, resolution) = sample();
    let named = |name: &str| NewLevel { name: name.into(), ..cellar(None) };
    let long = "L".repeat(201);
    let cases = [
        (named(&long), NewLevelField::Name, "`LLLLLLLLLLLLLLLLLLLL…` is too long for a file's name: 200 bytes at most"),
        (named(""), NewLevelField::Name, "Write the level's name"),
        (named("courtyard"), NewLevelField::Name, "There is already a file `levels/courtyard.ron`"),
        (named("COURTYARD"), NewLevelField::Name, "There is already a file `levels/courtyard.ron`"),
        (
            named("a/b"),
            NewLevelField::Name,
            "`a/b` cannot be a file's name: it has a letter that files cannot have everywhere",
        ),
        (
            NewLevel { size: Some([0, 4]), ..cellar(None) },
            NewLevelField::Size,
            "A level is 1 to 1048576 cells wide and high",
        ),
        (
            NewLevel { tile_size: [16, 0], ..cellar(None) },
            NewLevelField::TileSize,
            "A cell is 1 to 1048576 pixels wide and high",
        ),
    ];
    for (new, field, why) in cases {
        for other in [NewLevelField::Name, NewLevelField::Size, NewLevelField::TileSize] {
            assert_eq!(new.problem(other, &project).as_deref(), (other == field).then_some(why), "{new:?}");
        }
        assert_eq!(Request::NewLevel(new).plan(&project, &resolution).unwrap_err().to_string(), why);
    }
    assert_eq!(cellar(None).first_problem(&project), None);
}

#[test]
fn a_copy_is_the_same_level_beside_it_and_a_deletion_shows_what_uses_it() {
    let (project, resolution) = sample();
    let doc = path("levels/courtyard.ron");
    let copy = |to: &str| Request::DuplicateFile { doc: doc.clone(), to: to.into() };
    let after = copy("night").plan(&project, &resolution).unwrap().tried_on(&project).unwrap();
    assert_eq!(after.level(&path("levels/night.ron")), project.level(&doc));
    assert!(copy("courtyard").plan(&project, &resolution).is_err() && copy(" ").plan(&project, &resolution).is_err());

    let delete = Request::DeleteFile { doc: doc.clone() };
    let after = delete.plan(&project, &resolution).unwrap().tried_on(&project).unwrap();
    assert_eq!(after.level(&doc), None);
    let marked = delete.left_behind((&project, &after), &resolution).unwrap();
    let left = io::differences(&after, &marked);
    assert!(left.iter().any(|it| it.location.doc == path("project.ron")), "{left:?}");
    assert!(delete.plan(&after, &resolution).is_err(), "it is gone");
}

#[test]
fn what_uses_a_deleted_tileset_or_tuning_page_is_found() {
    let (project, resolution) = sample();
    let left = |doc: &str| {
        let delete = Request::DeleteFile { doc: path(doc) };
        let after = delete.plan(&project, &resolution).unwrap().tried_on(&project).unwrap();
        assert!(after.doc(&path(doc)).is_none());
        let marked = delete.left_behind((&project, &after), &resolution).unwrap();
        io::differences(&after, &marked).len()
    };
    assert!(left("tilesets/keep.ron") > 0);
    let page = project.documents.keys().find(|doc| doc.kind() == Some(DocKind::Tuning)).unwrap();
    left(page.as_str());
    for doc in ["project.ron", "entities/monsters.ron", "machines/none.ron"] {
        assert!(Request::DeleteFile { doc: path(doc) }.plan(&project, &resolution).is_err(), "{doc}");
    }
    let page = Request::DuplicateFile { doc: page.clone(), to: "copy".into() };
    assert!(page.plan(&project, &resolution).is_err(), "its constants would be there twice");
}
