//! A declared response that cannot be plotted: an unknown smoothing, an unknown or missing argument, a name of nothing.

use crate::{
    check::{Problem, Rule, input::Input},
    model::{Call, DocPath, FieldPath, Finding, Location, SMOOTHERS, SmootherSpec, Value, did_you_mean, mean, read_by},
};

pub(super) const RULE: Rule = Rule {
    name: "bad-response",
    doc: "What a constant or component smooths cannot be plotted: an unknown kind of smoothing, or a constant that is missing.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let constants = || {
        let pages = input.resolution.pages.iter();
        pages.flat_map(|page| page.values.iter().map(|(name, ..)| format!("{}.{name}", page.name)))
    };
    for (doc, page) in input.pages() {
        for (name, constant) in &page.values {
            let Some(response) = &constant.response else { continue };
            let at = FieldPath::keys(["values", name, "response"]);
            let is_known = |name: &str| {
                let full = if name.contains('.') { name.to_owned() } else { format!("{}.{name}", page.page) };
                input.resolution.tunable(&full).is_some_and(|it| it.value.as_f64().is_some())
            };
            let own = page.values.keys().map(ToString::to_string);
            complain((doc, &at), response, &is_known, own.chain(constants()), out);
        }
    }
    for (doc, schema) in input.schemas() {
        for (name, spec) in &schema.components {
            let Some(response) = &spec.response else { continue };
            let at = FieldPath::keys(["components", name, "response"]);
            // The built-in fields of a component that a game extends are its fields as well.
            let fields = input.schema().components.get(name).map(|spec| &spec.fields);
            let is_known = |name: &str| {
                let is_field = fields.and_then(|it| it.get(name)).is_some_and(|field| field.ty.is_number());
                is_field || input.resolution.tunable(name).is_some_and(|it| it.value.as_f64().is_some())
            };
            let own = fields.into_iter().flat_map(|it| it.keys()).map(ToString::to_string);
            complain((doc, &at), response, &is_known, own.chain(constants()), out);
        }
    }
}

fn complain(
    (doc, at): (&DocPath, &FieldPath),
    response: &Call,
    is_known: &dyn Fn(&str) -> bool,
    names: impl Iterator<Item = String>,
    out: &mut Vec<Problem>,
) {
    let mut find = |path: FieldPath, message: String, near: Option<&str>| {
        let location = Location::new(doc.clone(), path);
        out.push(Problem::new(Finding::warning(RULE.name, location, message).with_help(mean(near))));
    };
    let Some(spec) = SmootherSpec::of(&response.name) else {
        let near = did_you_mean(&response.name, SMOOTHERS.iter().map(|spec| spec.name));
        find(at.clone(), format!("there is no smoothing `{}`", response.name), near);
        return;
    };
    for name in response.args.keys().filter(|name| !spec.args().any(|arg| arg == &***name)) {
        let near = did_you_mean(name, spec.args());
        find(at.key(name), format!("`{}` has no `{name}`", spec.name), near);
    }
    for name in spec.required.iter().filter(|name| !response.args.contains_key(**name)) {
        find(at.clone(), format!("`{}` needs `{name}`", spec.name), None);
    }
    let names: Vec<String> = names.collect();
    let lost: Vec<&str> = read_by(response).filter(|name| !is_known(name)).collect();
    for (arg, value) in &response.args {
        if let Value::Str(name) = value
            && lost.contains(&name.as_str())
            && spec.args().any(|known| known == &**arg)
            && &**arg != "unit"
        {
            let near = did_you_mean(name, names.iter().map(String::as_str));
            find(at.key(arg), format!("there is no number called `{name}`"), near);
        }
    }
}
