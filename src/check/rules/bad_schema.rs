//! A declaration of the game's own that contradicts itself.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::{Declared, Edit},
    model::{DocPath, FieldPath, FieldSpec, FieldType, FieldsOf, Finding, Location, Name, did_you_mean, mean},
};

pub(super) const RULE: Rule = Rule {
    name: "bad-schema",
    doc: "A declaration contradicts itself: a default that does not fit, an unknown enum, an empty range.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, schema) in input.schemas() {
        let components = schema.components.keys().cloned().map(Declared::Component);
        let messages = schema.messages.keys().cloned().map(Declared::Message);
        let conditions = schema.conditions.keys().cloned().map(Declared::Condition);
        let actions = schema.actions.keys().cloned().map(Declared::Action);
        let custom = FieldsOf::ALL.map(|of| Declared::Fields(of.noun().into()));
        for of in components.chain(messages).chain(conditions).chain(actions).chain(custom) {
            for (name, spec) in of.fields(schema).into_iter().flatten() {
                field(input, doc, &of, (name, spec), out);
            }
        }
    }
}

fn field(input: &Input<'_>, doc: &DocPath, of: &Declared, (name, spec): (&Name, &FieldSpec), out: &mut Vec<Problem>) {
    let schema = input.schema();
    let at = of.field_place(name);
    let put = |label: String, spec: FieldSpec| Fix::new(label, Edit::set_at(doc, of.field_place(name), &spec));
    let mut find = |path: FieldPath, message: String, help: Option<String>, fix: Option<Fix>| {
        let at = Location::new(doc.clone(), path);
        out.push(Problem::new(Finding::error(RULE.name, at, message).with_help(help)).with(fix));
    };
    let mut enums = Vec::new();
    unknown_enums(&spec.ty, &mut enums);
    enums.retain(|name| !schema.enums.contains_key(name));
    for unknown in &enums {
        let near = did_you_mean(unknown, schema.enums.keys().map(|name| &**name));
        let fix = near.map(|near| {
            let ty = with_enum(&spec.ty, unknown, near);
            put(format!("Use {near}"), FieldSpec { ty, ..spec.clone() })
        });
        find(at.key("type"), format!("there is no enum `{unknown}`"), mean(near), fix);
    }
    unfit_parts(&spec.ty, &mut |message, help| find(at.key("type"), message, Some(help), None));
    let nowhere = || put("Remove canvas".into(), FieldSpec { canvas: None, ..spec.clone() });
    if let Some(way) = spec.canvas {
        if !way.fits(&spec.ty) {
            let message = format!("{} cannot be shown as {way:?}", spec.ty.describe());
            find(at.key("canvas"), message, Some(TAKES.into()), Some(nowhere()));
        } else if !matches!(of, Declared::Component(_)) {
            let message = "only fields of components are shown on the canvas".into();
            find(at.key("canvas"), message, None, Some(nowhere()));
        }
    }
    if spec.lines && spec.ty != FieldType::Str {
        let fix = put("Turn lines off".into(), FieldSpec { lines: false, ..spec.clone() });
        find(at.key("lines"), format!("{} has no lines", spec.ty.describe()), Some("a Str has".into()), Some(fix));
    }
    if let Some(beside) = &spec.at {
        let fields = if let Declared::Component(name) = of { schema.components.get(name) } else { None };
        let is_pair = |spec: &FieldSpec| spec.ty == FieldType::Vec2;
        let pairs = || fields.into_iter().flat_map(|it| &it.fields).filter(|(_, spec)| is_pair(spec));
        let fix = |at: Option<&str>| {
            let label = at.map_or_else(|| "Remove at".into(), |at| format!("Use {at}"));
            put(label, FieldSpec { at: at.map(Name::from), ..spec.clone() })
        };
        if !spec.can_be_moved() {
            let message = format!("{} has no place that a field could move", spec.ty.describe());
            find(at.key("at"), message, Some("a Shape and a List(Vec2) have".into()), Some(fix(None)));
        } else if pairs().all(|(name, _)| name != beside) {
            let near = did_you_mean(beside, pairs().map(|(name, _)| &**name));
            find(at.key("at"), format!("there is no pair `{beside}` beside it"), mean(near), Some(fix(near)));
        }
    }
    if let Some((min, max)) = spec.min.zip(spec.max).filter(|(min, max)| min > max) {
        let message = format!("the smallest allowed, {min}, is above the largest, {max}");
        let fix = put("Exchange min and max".into(), FieldSpec { min: spec.max, max: spec.min, ..spec.clone() });
        find(at.key("min"), message, None, Some(fix));
    } else if let Some(default) = spec.default.as_ref().filter(|_| enums.is_empty()) {
        for type_error in schema.type_errors(spec, default) {
            let path = at.key("default").join(&type_error.path);
            let near = super::out_of_range::nearest(default, spec.min, spec.max);
            let fix = if near == *default {
                put("Remove the default".into(), FieldSpec { default: None, ..spec.clone() })
            } else {
                put(format!("Use {near}, the nearest allowed"), FieldSpec { default: Some(near), ..spec.clone() })
            };
            find(path, format!("the default does not fit: {}", type_error.message), type_error.help, Some(fix));
        }
    }
}

/// The types that each way of showing a field on the canvas needs.
const TAKES: &str = "Path takes a List(Vec2), Outline that or a Shape, Size a Vec2, Text a Str";

/// Check how the canvas is to show the fields of records: `report` takes a message and the advice.
fn unfit_parts(ty: &FieldType, report: &mut dyn FnMut(String, String)) {
    match ty {
        FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => unfit_parts(inner, report),
        FieldType::Struct(specs) => {
            for (name, spec) in specs {
                if let Some(way) = spec.canvas.filter(|way| !way.fits(&spec.ty)) {
                    let message = format!("`{name}` in it is {}, which cannot be shown as {way:?}", spec.ty.describe());
                    report(message, TAKES.into());
                }
                let is_pair = |at: &Name| specs.get(at).is_some_and(|spec| spec.ty == FieldType::Vec2);
                if let Some(beside) = spec.at.as_ref().filter(|at| !is_pair(at)) {
                    let message = format!("there is no pair `{beside}` beside `{name}` in it");
                    report(message, "`at` names a Vec2 of the same record".into());
                }
                unfit_parts(&spec.ty, report);
            }
        }
        _ => {}
    }
}

/// A type with another enum in place of one.
fn with_enum(ty: &FieldType, from: &str, to: &str) -> FieldType {
    let renamed = |name: &Name| if **name == *from { to.into() } else { name.clone() };
    let inside = |ty: &FieldType| Box::new(with_enum(ty, from, to));
    match ty {
        FieldType::Enum(name) => FieldType::Enum(renamed(name)),
        FieldType::Flags(name) => FieldType::Flags(renamed(name)),
        FieldType::List(ty) => FieldType::List(inside(ty)),
        FieldType::Map(ty) => FieldType::Map(inside(ty)),
        FieldType::Option(ty) => FieldType::Option(inside(ty)),
        FieldType::Struct(specs) => {
            let field = |(name, spec): (&Name, &FieldSpec)| {
                (name.clone(), FieldSpec { ty: with_enum(&spec.ty, from, to), ..spec.clone() })
            };
            FieldType::Struct(specs.iter().map(field).collect())
        }
        plain => plain.clone(),
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
