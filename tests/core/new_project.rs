//! New projects: whole, in form, playable, and drawn.

use std::fs;

use levelwright::{
    check::{self, Images},
    defs,
    io::{self, NewError, Template, codec, load, new_project},
    model::{Builtin, DocPath, Severity},
};

#[test]
fn every_template_is_a_project_without_a_problem() {
    for template in Template::ALL {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("my game");
        let files = new_project(&root, template, "My \"own\" game").unwrap();
        let loaded = load(&root);
        assert_eq!(loaded.findings, vec![], "{template:?}");
        assert_eq!(loaded.project.file().unwrap().name, "My \"own\" game");
        let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
        let resolution = defs::resolve(&loaded.project, &builtin, None);
        let images: Images = files
            .iter()
            .filter(|path| io::files::is_image(path))
            .map(|path| {
                let image = image::open(root.join(path.as_str())).unwrap();
                (path.clone(), Ok([image.width(), image.height()]))
            })
            .collect();
        let problems: Vec<String> = check::check(&loaded.project, &resolution, Some(&images))
            .iter()
            .filter(|problem| problem.finding.severity > Severity::Hint)
            .map(|problem| format!("{:?}", problem.finding))
            .collect();
        assert_eq!(problems, Vec::<String>::new(), "{template:?}");
        for (path, source) in loaded.sources.files() {
            assert_eq!(
                codec::format(path, &source.text).unwrap(),
                &*source.text,
                "{path} of {template:?} is not in form"
            );
        }
        assert!(loaded.project.level(&DocPath::new("levels/first.ron").unwrap()).is_some());
        assert!(loaded.project.def(&DocPath::new("entities/player.ron").unwrap(), "player").is_some());
    }
}

#[test]
fn pictures_fit_their_tilesets_and_are_not_empty() {
    for template in Template::ALL {
        let dir = tempfile::tempdir().unwrap();
        let files = new_project(dir.path(), template, "p").unwrap();
        for path in files.iter().filter(|path| io::files::is_image(path)) {
            let image = image::open(dir.path().join(path.as_str())).unwrap().into_rgba8();
            assert_eq!((image.height(), image.width() % 16), (16, 0), "{path}");
            let n_colors = image.pixels().map(|pixel| pixel.0).collect::<std::collections::BTreeSet<_>>().len();
            assert!(n_colors >= 3, "{path}");
        }
    }
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("mine.txt"), "mine").unwrap();
    assert!(matches!(new_project(dir.path(), Template::Empty, "p"), Err(NewError::NotEmpty(_))));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}
