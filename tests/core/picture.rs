//! Pictures that the user names: read from anywhere, added to the project without replacing anything.

use std::fs;

use levelwright::io::{add_picture, read_picture};

use crate::build::path;

#[test]
fn a_picture_is_found_in_the_project_and_elsewhere() {
    let (project, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let root = project.path();
    fs::create_dir_all(root.join("art/.hidden")).unwrap();
    for place in [root.join("art/a.png"), root.join("art/.hidden/a.png"), elsewhere.path().join("a.png")] {
        fs::write(place, b"pixels").unwrap();
    }
    let inside = |named: &std::path::Path| {
        let found = read_picture(root, named).unwrap();
        assert_eq!(found.bytes, b"pixels");
        found.inside
    };
    assert_eq!(inside("art/a.png".as_ref()), Some(path("art/a.png")));
    assert_eq!(inside("art/../art/a.png".as_ref()), Some(path("art/a.png")));
    assert_eq!(inside(&root.join("art/a.png")), Some(path("art/a.png")));
    assert_eq!(inside("art/.hidden/a.png".as_ref()), None, "the project does not see it");
    assert_eq!(inside(&elsewhere.path().join("a.png")), None);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(elsewhere.path().join("a.png"), root.join("art/link.png")).unwrap();
        assert_eq!(inside("art/link.png".as_ref()), None, "it is elsewhere");
    }
}

#[test]
fn what_is_no_file_is_refused_with_the_reason() {
    let project = tempfile::tempdir().unwrap();
    let why = |named: &str| read_picture(project.path(), named.as_ref()).unwrap_err();
    assert_eq!(why("nothing.png"), "there is no such file");
    assert_eq!(why("."), "this is not a file");
    #[cfg(unix)]
    assert_eq!(why("/dev/zero"), "this is not a file");
    let huge = fs::File::create(project.path().join("huge.png")).unwrap();
    huge.set_len((64 << 20) + 1).unwrap();
    assert_eq!(why("huge.png"), "the file has 67108865 bytes; the most is 67108864");
}

#[test]
fn a_picture_takes_the_place_of_no_other_file() {
    let project = tempfile::tempdir().unwrap();
    let root = project.path();
    let at = path("tilesets/keep.png");
    add_picture(root, &at, b"pixels").unwrap();
    assert_eq!(fs::read(root.join("tilesets/keep.png")).unwrap(), b"pixels");
    add_picture(root, &at, b"pixels").unwrap();
    let why = add_picture(root, &at, b"others").unwrap_err();
    assert_eq!(why, "there is already a file `tilesets/keep.png`; choose another name");
    assert_eq!(fs::read(root.join("tilesets/keep.png")).unwrap(), b"pixels");
    assert_eq!(fs::read_dir(root.join("tilesets")).unwrap().count(), 1, "nothing is left beside it");
}

#[cfg(unix)]
#[test]
fn a_place_that_cannot_be_written_says_why() {
    let (project, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let root = project.path();
    fs::write(root.join("file"), "").unwrap();
    let why = add_picture(root, &path("file/keep.png"), b"pixels").unwrap_err();
    assert!(why.starts_with("`file/keep.png` cannot be written: "), "{why}");
    std::os::unix::fs::symlink(elsewhere.path(), root.join("tilesets")).unwrap();
    let why = add_picture(root, &path("tilesets/keep.png"), b"pixels").unwrap_err();
    assert_eq!(why, "this link leads outside the project; it is not followed");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}
