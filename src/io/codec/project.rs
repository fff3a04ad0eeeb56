//! `project.ron`

use super::record::{record, words};
use crate::model::{ProjectFile, View};

words! { "view" View { Platformer, TopDown } }

record! {
    "a project" ProjectFile {
        "format" format,
        "name" name,
        "start_level" start_level = "".into(),
        "view" view = View::Platformer,
    }
}
