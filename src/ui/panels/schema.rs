//! A schema document in the Inspector: enums, components, messages, conditions and actions with their fields, to change by
//! hand.
//!
//! Renaming takes every use along; taking something away leaves what uses it, and the Problems pane says so with the ways
//! out. What declarations mean is the model's, what a change leaves behind `refactor`'s.

use egui::{CollapsingHeader, Id, RichText, Ui};
use egui_material_icons::icons;

use super::inspector::labeled_text_ui;
use crate::{
    edit::{Declared, Edit, TypedRefs, Word, uses},
    model::{DocPath, FieldSpec, FieldType, Name, Schema},
    refactor::{self, NameKind, Named},
    ui::{
        Action, Cx,
        theme::SMALL,
        widgets::{
            Tip as _, at_right, heading, icon_button, memo, section,
            value::{pick_ui, text_ui, value_ui},
        },
    },
};

/// Show a schema document.
pub fn schema_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, schema: &Schema) {
    heading(cx.theme, ui, icons::ICON_SCHEMA.codepoint, doc.stem(), "schema");
    enums_ui(cx, ui, doc, schema);
    let names =
        |all: Vec<&Name>, what: fn(Name) -> Declared| -> Vec<Declared> { all.into_iter().cloned().map(what).collect() };
    for (title, noun, what, all) in [
        (
            "Components",
            "component",
            Declared::Component as fn(Name) -> Declared,
            names(schema.components.keys().collect(), Declared::Component),
        ),
        ("Messages", "message", Declared::Message, names(schema.messages.keys().collect(), Declared::Message)),
        (
            "Conditions",
            "condition",
            Declared::Condition,
            names(schema.conditions.keys().collect(), Declared::Condition),
        ),
        ("Actions", "action", Declared::Action, names(schema.actions.keys().collect(), Declared::Action)),
    ] {
        section(cx.theme, ui, title);
        for declared in all {
            declared_ui(cx, ui, doc, schema, &declared);
        }
        if let Some(name) = new_ui(cx, ui, &format!("New {noun}")) {
            let (about, deprecated) = (String::new(), None);
            cx.send(Action::Edit(Edit::Declare { doc: doc.clone(), what: what(name), about, deprecated }));
        }
    }
}

/// A field for the name of something new; Enter makes it.
fn new_ui(cx: &Cx<'_>, ui: &mut Ui, label: &str) -> Option<Name> {
    let typed = labeled_text_ui(cx, ui, label, "")?.into_parts().0;
    let typed = typed.trim();
    (!typed.is_empty()).then(|| typed.into())
}

fn remove_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, word: Option<&Word>) -> bool {
    let response = icon_button(cx.theme, ui, icons::ICON_DELETE.codepoint, name, false, true);
    let response = match word {
        Some(word) => response.on_hover_ui(|ui| {
            let n = memo(cx, ui, Id::unique(("uses of a word", word)), || n_uses(cx, word));
            ui.label(match n {
                0 => "Nothing uses it".to_owned(),
                1 => "1 place uses it; Problems will offer to mend it".to_owned(),
                n => format!("{n} places use it; Problems will offer to mend them"),
            });
        }),
        None => response,
    };
    response.clicked()
}

fn n_uses(cx: &Cx<'_>, word: &Word) -> usize {
    uses(cx.project, &word.to_string(), &TypedRefs::of(&cx.resolution.schema, word.kind())).len()
}

fn enums_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, schema: &Schema) {
    section(cx.theme, ui, "Enums");
    for (name, words) in &schema.enums {
        let put = |words: Vec<Name>| Edit::PutEnum { doc: doc.clone(), name: name.clone(), words };
        CollapsingHeader::new(RichText::new(&**name).strong()).id_salt(("enum", name)).default_open(true).show(
            ui,
            |ui| {
                for word in words {
                    let is_it = Word::Enum { name: name.clone(), word: word.clone() };
                    ui.horizontal(|ui| {
                        if remove_ui(cx, ui, &format!("Remove {name}.{word}"), Some(&is_it)) {
                            cx.send(Action::Edit(put(words.iter().filter(|it| *it != word).cloned().collect())));
                        }
                        if let Some(change) = text_ui(ui, &format!("{name}.{word}"), word) {
                            rename(
                                cx,
                                &Named::new(NameKind::EnumValue, is_it.to_string()),
                                change.into_parts().0.trim(),
                            );
                        }
                    });
                }
                if let Some(word) = new_ui(cx, ui, &format!("New word of {name}")) {
                    cx.send(Action::Edit(put(words.iter().cloned().chain([word]).collect())));
                }
                if ui.small_button(format!("Remove enum {name}")).clicked() {
                    cx.send(Action::Edit(Edit::Undeclare { doc: doc.clone(), what: Declared::Enum(name.clone()) }));
                }
            },
        );
    }
    if let Some(name) = new_ui(cx, ui, "New enum") {
        cx.send(Action::Edit(Edit::PutEnum { doc: doc.clone(), name, words: Vec::new() }));
    }
}

/// Give something another name wherever it is said: in data, defaults, arguments and payloads.
fn rename(cx: &Cx<'_>, what: &Named, to: &str) {
    if to == what.own_name() {
        return;
    }
    match refactor::rename(cx.project, cx.resolution, what, to) {
        Ok(plan) => cx.send(Action::Edits { label: plan.label, edits: plan.edits }),
        Err(why) => cx.send(Action::Notice(why.to_string())),
    }
}

fn declared_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, schema: &Schema, what: &Declared) {
    let (Some(fields), name) = (what.fields(schema), what.name()) else { return };
    let (about, deprecated) = match what {
        Declared::Component(name) => schema.components.get(name).map(|it| (&it.doc, &it.deprecated)),
        Declared::Message(name) => schema.messages.get(name).map(|it| (&it.doc, &it.deprecated)),
        Declared::Condition(name) => schema.conditions.get(name).map(|it| (&it.doc, &it.deprecated)),
        Declared::Action(name) => schema.actions.get(name).map(|it| (&it.doc, &it.deprecated)),
        Declared::Enum(_) => None,
    }
    .map_or_else(|| (String::new(), None), |(doc, deprecated)| (doc.clone(), deprecated.clone()));
    let mut title = RichText::new(&**name).strong();
    if deprecated.is_some() {
        title = title.strikethrough();
    }
    let header = CollapsingHeader::new(title).id_salt(("declared", what)).show(ui, |ui| {
        if let Some(change) = labeled_text_ui(cx, ui, &format!("name of {name}"), name) {
            rename(cx, &Named::declared(what), change.into_parts().0.trim());
        }
        let declare = |about: String, deprecated: Option<String>| {
            cx.send(Action::Edit(Edit::Declare { doc: doc.clone(), what: what.clone(), about, deprecated }));
        };
        if let Some(change) = labeled_text_ui(cx, ui, &format!("{name} doc"), &about) {
            declare(change.into_parts().0, deprecated.clone());
        }
        let reason = deprecated.clone().unwrap_or_default();
        if let Some(change) = labeled_text_ui(cx, ui, &format!("{name} deprecated"), &reason) {
            declare(about.clone(), Some(change.into_parts().0).filter(|why| !why.trim().is_empty()));
        }
        for (field, spec) in fields {
            ui.push_id(field, |ui| field_ui(cx, ui, doc, what, (field, spec)));
        }
        if let Some(field) = new_ui(cx, ui, &format!("New field of {name}")) {
            let spec = Box::new(FieldSpec::of(FieldType::Float));
            cx.send(Action::Edit(Edit::PutField { doc: doc.clone(), of: what.clone(), field, at: None, spec }));
        }
        if ui.small_button(format!("Remove {} {name}", what.noun())).clicked() {
            cx.send(Action::Edit(Edit::Undeclare { doc: doc.clone(), what: what.clone() }));
        }
    });
    if !about.is_empty() {
        header.header_response.tip(about);
    }
}

fn field_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, of: &Declared, (field, spec): (&Name, &FieldSpec)) {
    let whole = format!("{}.{field}", of.name());
    let put = |spec: FieldSpec| {
        let (doc, of, field) = (doc.clone(), of.clone(), field.clone());
        cx.send(Action::Edit(Edit::PutField { doc, of, field, at: None, spec: Box::new(spec) }));
    };
    ui.horizontal(|ui| {
        let word = match of {
            Declared::Component(component) => Some(Word::Field { component: component.clone(), field: field.clone() }),
            _ => None,
        };
        if remove_ui(cx, ui, &format!("Remove {whole}"), word.as_ref()) {
            cx.send(Action::Edit(Edit::RemoveField { doc: doc.clone(), of: of.clone(), field: field.clone() }));
        }
        if let Some(change) = text_ui(ui, &format!("{whole} name"), field) {
            rename(cx, &Named::part(of, field), change.into_parts().0.trim());
        }
    });
    ui.indent("details", |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new("type").size(SMALL).color(cx.theme.text_weak));
            let types = types(cx, &spec.ty);
            let names: Vec<&Name> = types.iter().map(|(name, _)| name).collect();
            let picked = pick_ui(cx, ui, &format!("{whole} type"), &spec.ty.to_string(), names.into_iter());
            if let Some((_, ty)) = picked.and_then(|picked| types.iter().find(|(name, _)| *name == picked)) {
                // A default of another type means nothing any more.
                put(FieldSpec { ty: ty.clone(), default: None, ..spec.clone() });
            }
        });
        ui.horizontal(|ui| {
            ui.label(RichText::new("default").size(SMALL).color(cx.theme.text_weak));
            let default = spec.default_value();
            if let Some(change) = value_ui(cx, ui, &format!("{whole} default"), spec, &default)
                && let (value, crate::ui::Phase::Commit) = change.into_parts()
            {
                put(FieldSpec { default: Some(value), ..spec.clone() });
            }
            if spec.default.is_none() {
                ui.label(RichText::new("not said").size(SMALL).color(cx.theme.text_weak));
            }
        });
        if let Some(change) = labeled_text_ui(cx, ui, &format!("{whole} doc"), &spec.doc) {
            put(FieldSpec { doc: change.into_parts().0, ..spec.clone() });
        }
        CollapsingHeader::new(RichText::new("More").size(SMALL)).id_salt("more").show(ui, |ui| {
            more_ui(cx, ui, &whole, spec, &put);
        });
    });
}

fn more_ui(cx: &Cx<'_>, ui: &mut Ui, whole: &str, spec: &FieldSpec, put: &dyn Fn(FieldSpec)) {
    let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
    let limit = |ui: &mut Ui, key: &str, now: Option<f64>, with: &dyn Fn(Option<f64>) -> FieldSpec| {
        let Some(change) = labeled_text_ui(cx, ui, &format!("{whole} {key}"), &number(now)) else { return };
        let text = change.into_parts().0;
        match text.trim() {
            "" => put(with(None)),
            text => match text.parse::<f64>().ok().filter(|x| x.is_finite()) {
                Some(x) => put(with(Some(x))),
                None => cx.send(Action::Notice(format!("“{text}” is not a number"))),
            },
        }
    };
    if spec.ty.is_number() {
        limit(ui, "min", spec.min, &|min| FieldSpec { min, ..spec.clone() });
        limit(ui, "max", spec.max, &|max| FieldSpec { max, ..spec.clone() });
        limit(ui, "step", spec.step, &|step| FieldSpec { step, ..spec.clone() });
    }
    let said = |text: String| Some(text).filter(|text| !text.trim().is_empty());
    if let Some(change) = labeled_text_ui(cx, ui, &format!("{whole} unit"), spec.unit.as_deref().unwrap_or_default()) {
        put(FieldSpec { unit: said(change.into_parts().0), ..spec.clone() });
    }
    let reason = spec.deprecated.as_deref().unwrap_or_default();
    if let Some(change) = labeled_text_ui(cx, ui, &format!("{whole} deprecated"), reason) {
        put(FieldSpec { deprecated: said(change.into_parts().0), ..spec.clone() });
    }
    let mut tunable = spec.tunable;
    if ui.checkbox(&mut tunable, "On the tuning page").changed() {
        put(FieldSpec { tunable, ..spec.clone() });
    }
    if spec.default.is_some() {
        at_right(ui, |ui| {
            if ui.small_button(format!("Say no default for {whole}")).clicked() {
                put(FieldSpec { default: None, ..spec.clone() });
            }
        });
    }
}

/// The types to choose from, as files write them: the plain ones, words of every enum, lists of these, and the one there is.
fn types(cx: &Cx<'_>, now: &FieldType) -> Vec<(Name, FieldType)> {
    let mut one: Vec<FieldType> = FieldType::PLAIN.to_vec();
    one.extend(cx.resolution.schema.enums.keys().cloned().map(FieldType::Enum));
    let flags = cx.resolution.schema.enums.keys().cloned().map(FieldType::Flags);
    let lists = one.iter().cloned().map(|item| FieldType::List(Box::new(item)));
    let options = one.iter().cloned().map(|inner| FieldType::Option(Box::new(inner)));
    let mut all: Vec<FieldType> = one.iter().cloned().chain(flags).chain(lists).chain(options).collect();
    if !all.contains(now) {
        all.insert(0, now.clone());
    }
    all.into_iter().map(|ty| (ty.to_string().as_str().into(), ty)).collect()
}
