//! A declaration of the game's own contradicts itself.

use indexmap::IndexMap;

use crate::{
    check::{
        Problem, Rule,
        input::{Input, mean},
    },
    model::{DocPath, FieldPath, FieldSpec, FieldType, Finding, Location, Name, did_you_mean},
};

pub(super) const RULE: Rule = Rule {
    name: "bad-schema",
    doc: "A declaration contradicts itself: a default that does not fit, an unknown enum, an empty range.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, schema) in input.schemas() {
        let section = |section: &str, name: &Name, list: &str| FieldPath::keys([section, name, list]);
        for (name, spec) in &schema.components {
            fields(input, doc, &section("components", name, "fields"), &spec.fields, out);
        }
        for (name, spec) in &schema.messages {
            fields(input, doc, &section("messages", name, "payload"), &spec.payload, out);
        }
        for (name, spec) in &schema.conditions {
            fields(input, doc, &section("conditions", name, "args"), &spec.args, out);
        }
        for (name, spec) in &schema.actions {
            fields(input, doc, &section("actions", name, "args"), &spec.args, out);
        }
    }
}

fn fields(
    input: &Input<'_>,
    doc: &DocPath,
    base: &FieldPath,
    specs: &IndexMap<Name, FieldSpec>,
    out: &mut Vec<Problem>,
) {
    let schema = input.schema();
    let mut find = |path: FieldPath, message: String, help: Option<String>| {
        let at = Location::new(doc.clone(), path);
        out.push(Problem::new(Finding::error(RULE.name, at, message).with_help(help)));
    };
    for (name, spec) in specs {
        let at = base.key(name);
        let mut enums = Vec::new();
        unknown_enums(&spec.ty, &mut enums);
        enums.retain(|name| !schema.enums.contains_key(name));
        for name in &enums {
            let near = did_you_mean(name, schema.enums.keys().map(|name| &**name));
            find(at.key("type"), format!("there is no enum `{name}`"), mean(near));
        }
        if let Some((min, max)) = spec.min.zip(spec.max).filter(|(min, max)| min > max) {
            find(at.key("min"), format!("the smallest allowed, {min}, is above the largest, {max}"), None);
        } else if let Some(default) = spec.default.as_ref().filter(|_| enums.is_empty()) {
            for misfit in schema.misfits(spec, default) {
                let path = FieldPath(at.key("default").0.into_iter().chain(misfit.path.0).collect());
                find(path, format!("the default does not fit: {}", misfit.message), misfit.help);
            }
        }
    }
}

fn unknown_enums(ty: &FieldType, out: &mut Vec<Name>) {
    match ty {
        FieldType::Enum(name) | FieldType::Flags(name) => out.push(name.clone()),
        FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => unknown_enums(inner, out),
        FieldType::Struct(fields) => fields.values().for_each(|spec| unknown_enums(&spec.ty, out)),
        _ => {}
    }
}
