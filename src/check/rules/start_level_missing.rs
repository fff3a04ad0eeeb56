//! A start level that does not exist, or a missing `project.ron`.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{DocKind, DocPath, Document, FieldPath, Finding, Location, Name, did_you_mean, mean},
};

pub(super) const RULE: Rule =
    Rule { name: "start-level-missing", doc: "The level the project starts with does not exist.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let levels = &input.resolution.levels;
    for (doc, document) in &input.project.documents {
        let Document::Project(file) = &**document else { continue };
        let name = &file.start_level;
        // A level that exists and is faulty has problems of its own.
        if levels.contains_key(name) || input.unreadable(DocKind::Level).any(|path| path.stem() == &**name) {
            continue;
        }
        let at = Location::new(doc.clone(), FieldPath::keys(["start_level"]));
        if name.is_empty() {
            if let Some(first) = levels.keys().next() {
                // A missing field cannot be marked; the name beside it can.
                let at = Location::key(doc.clone(), FieldPath::keys(["name"]));
                let finding = Finding::hint(RULE.name, at, "the project has no start level");
                out.push(Problem::new(finding).with([start_with(doc, first)]));
            }
            continue;
        }
        let near = did_you_mean(name, levels.keys().map(|name| &**name));
        let finding = Finding::error(RULE.name, at, format!("there is no level `{name}` to start with"));
        let choice = near.or_else(|| levels.keys().next().map(|name| &**name));
        let fix = choice.map(|name| start_with(doc, name));
        out.push(Problem::new(finding.with_help(mean(near))).with(fix));
    }
}

fn start_with(doc: &DocPath, level: &str) -> Fix {
    let edit = Edit::set_at(doc, FieldPath::keys(["start_level"]), &Name::from(level));
    Fix::new(format!("Start with {level}"), edit)
}
