//! `schema`: JSON Schemas of the exports and of the JSON mirrors of a project's files, and the mirrors.

use std::{collections::BTreeMap, fs};

use camino::Utf8Path;
use clap::ValueEnum as _;
use serde_json::json;

use super::{
    args::{Completion, FileKind},
    project::Open,
    report::{CommandReport, Failure},
};
use crate::{
    io::{
        self, completion, export,
        mirror::{self, NameOf, Vocabulary},
    },
    model::DocPath,
};

/// `schema [--out DIR] [--project PROJECT] [--kind KIND]`
pub(super) fn schema(
    out: Option<&Utf8Path>,
    project: Option<&Open>,
    kind: Option<FileKind>,
) -> Result<CommandReport, Failure> {
    let vocabulary = vocabulary(project);
    let mut report = CommandReport::default();
    let Some(dir) = out else {
        report.text = match kind.and_then(|kind| kind.to_possible_value()) {
            Some(kind) => {
                let file = format!("{}.schema.json", kind.get_name());
                let all = mirror::schemas(&vocabulary).into_iter();
                all.filter(|(name, _)| *name == file).map(|(_, text)| text).collect()
            }
            None => export::json_schema(),
        };
        report.json = serde_json::from_str(&report.text).unwrap_or_default();
        return Ok(report);
    };
    let of_files = mirror::schemas(&vocabulary).into_iter().map(|(name, text)| (format!("project/{name}"), text));
    let mut files = Vec::new();
    for (name, text) in std::iter::once(("export.schema.json".to_owned(), export::json_schema())).chain(of_files) {
        let path = dir.join(&name);
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, &text))
            .map_err(|err| Failure::problem(format!("cannot write `{path}`: {err}")))?;
        report.line(path.as_str());
        files.push(path);
    }
    report.json = json!({ "files": files });
    Ok(report)
}

/// `schema --complete HOW [--project PROJECT]`
pub(super) fn complete(project: Option<&Open>, how: Completion) -> Result<CommandReport, Failure> {
    let vocabulary = vocabulary(project);
    let mut report = CommandReport::default();
    match how {
        Completion::Vscode => {
            report.text = completion::snippets(&vocabulary);
            report.json = serde_json::from_str(&report.text).unwrap_or_default();
        }
        Completion::Words => {
            report.text = completion::words(&vocabulary);
            report.json = json!({ "words": report.text.lines().collect::<Vec<_>>() });
        }
    }
    Ok(report)
}

/// The words and names of a project; without one, the built-in words.
fn vocabulary(project: Option<&Open>) -> Vocabulary {
    let Some(open) = project else {
        return Vocabulary { schema: io::builtin_schema(), names: BTreeMap::new() };
    };
    let resolution = &open.resolution;
    let all = |names: &mut dyn Iterator<Item = &crate::model::Name>| names.map(ToString::to_string).collect();
    let pages = resolution.pages.iter();
    let constants = pages.flat_map(|page| page.values.iter().map(move |(name, ..)| format!("{}.{name}", page.name)));
    let tiles = resolution.tilesets.iter().filter_map(|(name, doc)| Some((name, open.project.tileset(doc)?)));
    let tiles = tiles.flat_map(|(name, tileset)| {
        let named = tileset.tiles.values().filter(|tile| !tile.name.is_empty());
        named.map(move |tile| format!("{name}/{}", tile.name))
    });
    let files = |is_sound: bool| {
        let all = open.images.iter().filter(move |(path, size)| size.is_ok() && path.is_sound() == is_sound);
        all.map(|(path, _)| path.to_string()).collect()
    };
    let names = [
        (NameOf::Def, all(&mut resolution.def_docs.keys())),
        (NameOf::Machine, all(&mut resolution.machines.keys())),
        (NameOf::Tileset, all(&mut resolution.tilesets.keys())),
        (NameOf::Level, all(&mut resolution.levels.keys())),
        (NameOf::Tile, tiles.collect()),
        (NameOf::Tunable, constants.collect()),
        (NameOf::Image, files(false)),
        (NameOf::Sound, files(true)),
    ];
    Vocabulary { schema: (*resolution.schema).clone(), names: names.into() }
}

/// `schema --twin FILE`
pub(super) fn mirror(file: &Utf8Path) -> Result<CommandReport, Failure> {
    let text = io::files::read_named(file.as_std_path())
        .map_err(|err| Failure::problem(format!("cannot read `{file}`: {err}")))?;
    let name = DocPath::new(file.file_name().unwrap_or_default());
    let name = name.ok_or_else(|| Failure::new(format!("`{file}` is no file of a project")))?;
    match mirror::mirror(&name, &text) {
        Ok(json) => Ok(CommandReport { text: export::pretty(&json), json, ..CommandReport::default() }),
        Err(findings) => {
            let mut sources = io::Sources::new(Utf8Path::new("").as_std_path());
            sources.put(name, io::Source::new(text.into(), 0, Vec::new(), None));
            let mut problems = io::report::Report::new(&findings, &sources).problems;
            // Under the name it was asked for by.
            problems.iter_mut().for_each(|problem| problem.file = file.to_string());
            let json = json!({ "problems": problems });
            Ok(CommandReport { json, problems, failed: true, ..CommandReport::default() })
        }
    }
}
