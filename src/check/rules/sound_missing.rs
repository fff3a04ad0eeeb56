//! A sound file that does not exist, or cannot be read.

use crate::{
    check::{Fix, Images, Problem, Rule, input::Input, references},
    edit::Edit,
    model::{DocPath, FieldType, Finding, Location, mean},
};

pub(super) const RULE: Rule = Rule {
    name: "sound-missing",
    doc: "An entity or machine plays a sound that is not there or cannot be read.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let Some(files) = input.images else { return };
    references::declared_names(input, &mut |declared| {
        if *declared.ty == FieldType::Sound {
            let change = |near: &str| declared.replaced_by(near);
            out.extend(look(input, files, declared.location(), declared.name, change));
        }
    });
    references::argument_names(input, &mut |argument| {
        if *argument.ty == FieldType::Sound {
            let change = |near: &str| argument.replaced_by(near);
            out.extend(look(input, files, argument.location(), argument.name, change));
        }
    });
}

fn look(
    input: &Input<'_>,
    files: &Images,
    at: Location,
    declared: &str,
    change: impl Fn(&str) -> Edit,
) -> Option<Problem> {
    let error = |message: String| Problem::new(Finding::error(RULE.name, at.clone(), message));
    let Some(path) = DocPath::new(declared) else {
        return Some(error(format!("`{declared}` is not a path inside the project")));
    };
    match files.get(&path) {
        Some(Err(why)) if why.is_empty() => None,
        _ if !path.is_sound() => {
            Some(error(format!("`{path}` is no sound: its name ends neither in .wav nor in .ogg")))
        }
        Some(Ok(_)) => None,
        Some(Err(why)) => Some(error(format!("`{path}` cannot be read: {why}"))),
        None => {
            let sounds = files.keys().filter(|path| path.is_sound());
            let near = input.near(path.as_str(), sounds.map(DocPath::as_str));
            let message = format!("there is no sound `{path}`");
            let fix = near.map(|near| Fix::new(format!("Use {near}"), change(near)));
            Some(Problem::new(Finding::error(RULE.name, at, message).with_help(mean(near))).with(fix))
        }
    }
}
