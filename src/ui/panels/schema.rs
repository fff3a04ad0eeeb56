//! A schema document in the Inspector: enums, components, messages, conditions and actions with their fields, and the
//! custom fields of levels, layers and tiles.
//!
//! The properties of declarations and fields are shown by `record_ui`. By hand: names and words, which are renamed with
//! their uses; a field's type, which takes default and limits with it; its default, which is edited by the type, range
//! and unit beside it. Renaming takes every use along; taking something away leaves what uses it, and the Problems pane
//! lists these uses with fixes. What a change of a declaration takes is `edit::schema`'s, what it leaves behind
//! `refactor`'s.

use egui::{Id, RichText, Ui};
use egui_material_icons::icons;

use super::inspector::{Places, line_ui, record_ui};
use crate::{
    edit::{Declared, Edit, Phase, TypedRefs, Word, field_types, retyped, uses},
    editor::Action,
    model::{DocPath, FieldSpec, FieldType, FieldsOf, Name, OnCanvas, Schema, capitalized, counted},
    refactor::{self, NameKind, Named},
    ui::{
        Cx,
        theme::GRID,
        widgets::{
            Fold, IconButton, Tip as _, at_right, folding, heading, sentence,
            value::{hinted_text_ui, pick_ui, text_ui, value_ui},
            want,
        },
    },
};

/// Fields of a declaration are shown open when there are no more of them.
const FEW: usize = 3;

/// Show a schema document.
pub fn schema_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, schema: &Schema) {
    heading(cx.theme, ui, icons::ICON_SCHEMA.codepoint, doc.stem(), "schema");
    ui.label(cx.theme.caption("What this game's files can use"));
    let all = |names: Vec<&Name>, what: fn(Name) -> Declared| -> Vec<Declared> {
        names.into_iter().cloned().map(what).collect()
    };
    for (title, what, declared) in [
        ("Enums", Declared::Enum as fn(Name) -> Declared, all(schema.enums.keys().collect(), Declared::Enum)),
        ("Components", Declared::Component, all(schema.components.keys().collect(), Declared::Component)),
        ("Messages", Declared::Message, all(schema.messages.keys().collect(), Declared::Message)),
        ("Conditions", Declared::Condition, all(schema.conditions.keys().collect(), Declared::Condition)),
        ("Actions", Declared::Action, all(schema.actions.keys().collect(), Declared::Action)),
    ] {
        title_ui(cx, ui, title, declared.len());
        for it in &declared {
            match it {
                Declared::Enum(name) => enum_ui(cx, ui, doc, name, &schema.enums[name]),
                _ => declared_ui(cx, ui, doc, schema, it),
            }
        }
        let noun = what("".into()).noun();
        if let Some(name) = new_ui(ui, &format!("New {noun}"), "name") {
            want(ui.ctx(), &format!("New {} of {name}", if noun == "enum" { "word" } else { "field" }));
            cx.send(Action::Edit(what(name).declared_in(doc)));
        }
    }
    FieldsOf::ALL.into_iter().for_each(|of| custom_fields_ui(cx, ui, doc, schema, of));
}

/// The custom fields of levels, layers or tiles.
fn custom_fields_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, schema: &Schema, of: FieldsOf) {
    let (what, fields) = (Declared::Fields(of.noun().into()), of.specs(schema));
    let title = format!("{} fields", capitalized(of.noun()));
    title_ui(cx, ui, &title, fields.len());
    for (field, spec) in fields {
        ui.push_id(field, |ui| field_ui(cx, ui, doc, &what, (field, spec), fields.len() <= FEW));
    }
    if let Some(field) = new_ui(ui, &format!("New {} field", of.noun()), "name") {
        let spec = FieldSpec::of(FieldType::Str);
        cx.send(Action::Edit(Edit::insert_at(doc, what.field_place(&field), &spec)));
    }
}

/// The title of a section, with how many it has.
fn title_ui(cx: &Cx<'_>, ui: &mut Ui, title: &str, n: usize) {
    ui.add_space(GRID * 2.0);
    ui.horizontal(|ui| {
        ui.label(RichText::new(title).strong().color(cx.theme.accent));
        ui.label(cx.theme.caption(n.to_string()));
    });
    ui.spacing_mut().item_spacing.y = 2.0;
}

/// A field for the name of something new; Enter makes it.
fn new_ui(ui: &mut Ui, label: &str, what: &str) -> Option<Name> {
    let width = ui.available_width().min(320.0);
    let typed = hinted_text_ui(ui, label, "", (&format!("+ {label}: {what}, then Enter"), width))?.into_parts().0;
    let typed = typed.trim();
    (!typed.is_empty()).then(|| typed.into())
}

/// A line for a name. Returns the new one.
fn name_ui(cx: &Cx<'_>, ui: &mut Ui, label: &str, name: &str) -> Option<String> {
    let change =
        line_ui(cx, ui, ("name", "Another one is written wherever it is used"), |ui| text_ui(ui, label, name))?;
    Some(change.into_parts().0.trim().to_owned())
}

/// A button that removes something, with the number of its uses.
fn remove_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, word: Option<&Word>) -> bool {
    let response = IconButton::new(icons::ICON_DELETE.codepoint, name).quiet().show(cx.theme, ui);
    let response = response.tip_ui(|ui| {
        ui.label(name);
        let Some(word) = word else { return };
        let n = cx.derived.memos().get(("uses of a declaration", word), || n_uses(cx, word));
        let text = match *n {
            0 => "Nothing uses it".to_owned(),
            1 => "Used in 1 place; Problems will offer a fix".to_owned(),
            n => format!("Used in {n} places; Problems will offer fixes"),
        };
        ui.label(RichText::new(text).color(cx.theme.text_weak));
    });
    response.clicked()
}

fn n_uses(cx: &Cx<'_>, word: &Word) -> usize {
    uses(cx.project, &word.to_string(), &TypedRefs::of(&cx.resolution.schema, word.kind())).len()
}

/// Rename something wherever it is used: in data, defaults, arguments and payloads.
fn rename(cx: &Cx<'_>, what: &Named, to: &str) {
    if to == what.own_name() {
        return;
    }
    match refactor::rename(cx.project, cx.resolution, what, to) {
        Ok(plan) => cx.send(Action::Edits { label: plan.label, edits: plan.edits }),
        Err(why) => cx.send(Action::Notice(sentence(&why.to_string()))),
    }
}

/// The button at the end of a declaration's heading.
fn undeclare_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, what: &Declared) -> bool {
    let word = match what {
        Declared::Component(name) => Some(Word::Component(name.clone())),
        Declared::Message(name) => Some(Word::Message(name.clone())),
        _ => None,
    };
    if remove_ui(cx, ui, &format!("Remove {} {}", what.noun(), what.name()), word.as_ref()) {
        cx.send(Action::Edit(Edit::Remove { doc: doc.clone(), at: what.place() }));
    }
    false
}

fn enum_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, name: &Name, words: &[Name]) {
    let put = |words: Vec<Name>| {
        cx.send(Action::Edit(Edit::set_at(doc, Declared::Enum(name.clone()).place(), &words)));
    };
    let fold = Fold {
        title: name,
        name: &format!("Enum {name}"),
        about: &words.join(", "),
        is_struck: false,
        is_open_at_first: words.len() <= 2 * FEW,
        is_forced: false,
    };
    let what = Declared::Enum(name.clone());
    folding(
        cx.theme,
        ui,
        Id::unique(("enum", name)),
        fold,
        |ui| undeclare_ui(cx, ui, doc, &what),
        |ui| {
            for word in words {
                let is_it = Word::Enum { name: name.clone(), word: word.clone() };
                ui.push_id(word, |ui| {
                    ui.horizontal(|ui| {
                        at_right(ui, |ui| {
                            if remove_ui(cx, ui, &format!("Remove {name}.{word}"), Some(&is_it)) {
                                put(words.iter().filter(|it| *it != word).cloned().collect());
                            }
                            let width = ui.available_width().min(320.0 - 24.0);
                            if let Some(change) = hinted_text_ui(ui, &format!("{name}.{word}"), word, ("", width)) {
                                rename(
                                    cx,
                                    &Named::new(NameKind::EnumValue, is_it.to_string()),
                                    change.into_parts().0.trim(),
                                );
                            }
                        });
                    });
                });
            }
            let label = format!("New value of {name}");
            if let Some(word) = new_ui(ui, &label, "word") {
                want(ui.ctx(), &label);
                put(words.iter().cloned().chain([word]).collect());
            }
        },
    );
}

fn declared_ui(cx: &Cx<'_>, ui: &mut Ui, doc: &DocPath, schema: &Schema, what: &Declared) {
    let (Some(fields), Some((about, deprecated)), name) = (what.fields(schema), what.about(schema), what.name()) else {
        return;
    };
    let count = match fields.len() {
        0 => "no fields".to_owned(),
        n => counted(n, "field"),
    };
    let fold = Fold {
        title: name,
        name,
        about: &if about.is_empty() { count } else { format!("{count} · {about}") },
        is_struck: deprecated.is_some(),
        is_open_at_first: fields.is_empty(),
        is_forced: false,
    };
    folding(
        cx.theme,
        ui,
        Id::unique(("declared", what)),
        fold,
        |ui| undeclare_ui(cx, ui, doc, what),
        |ui| {
            if let Some(to) = name_ui(cx, ui, &format!("name of {name}"), name) {
                rename(cx, &Named::declared(what), &to);
            }
            let (all, prefix) = ([what.place()], format!("{name} "));
            let hidden = ["fields", "payload", "args", "response"];
            record_ui(cx, ui, Places { prefix: &prefix, ..Places::new(doc, &all, &hidden) });
            for (field, spec) in fields {
                ui.push_id(field, |ui| field_ui(cx, ui, doc, what, (field, spec), fields.len() <= FEW));
            }
            if let Some(field) = new_ui(ui, &format!("New field of {name}"), "name") {
                let spec = FieldSpec::of(FieldType::Float);
                cx.send(Action::Edit(Edit::insert_at(doc, what.field_place(&field), &spec)));
            }
            ui.add_space(GRID);
        },
    );
}

/// What a field is, in a line: `Float = 2.0 hp, 0 to 50`.
fn summary(spec: &FieldSpec) -> String {
    let unit = spec.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let default = spec.default.as_ref().map(|value| format!(" = {value}{unit}")).unwrap_or_default();
    let range = match (spec.min, spec.max) {
        (Some(min), Some(max)) => format!(", {min} to {max}"),
        (Some(min), None) => format!(", from {min}"),
        (None, Some(max)) => format!(", up to {max}"),
        (None, None) => String::new(),
    };
    format!("{}{default}{range}", spec.ty)
}

fn field_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    doc: &DocPath,
    of: &Declared,
    (field, spec): (&Name, &FieldSpec),
    is_open_at_first: bool,
) {
    let whole = format!("{}.{field}", of.name());
    let fold = Fold {
        title: field,
        name: &format!("Field {whole}"),
        about: &summary(spec),
        is_struck: spec.deprecated.is_some(),
        is_open_at_first,
        is_forced: false,
    };
    let remove = |ui: &mut Ui| {
        let word = match of {
            Declared::Component(component) => Some(Word::Field { component: component.clone(), field: field.clone() }),
            _ => None,
        };
        if remove_ui(cx, ui, &format!("Remove {whole}"), word.as_ref()) {
            cx.send(Action::Edit(Edit::Remove { doc: doc.clone(), at: of.field_place(field) }));
        }
        false
    };
    let put = |spec: FieldSpec| {
        cx.send(Action::Edit(Edit::set_at(doc, of.field_place(field), &spec)));
    };
    folding(cx.theme, ui, Id::unique(("declared field", of, field)), fold, remove, |ui| {
        if let Some(to) = name_ui(cx, ui, &format!("{whole} name"), field) {
            rename(cx, &Named::part(of, field), &to);
        }
        type_ui(cx, ui, &whole, spec, &put);
        default_ui(cx, ui, &whole, spec, &put);
        let (all, prefix) = ([of.field_place(field)], format!("{whole} "));
        let hidden = ["type", "default", "min", "max", "step"];
        let has_numbers = spec.ty.is_number()
            || matches!(spec.ty, FieldType::Vec2 | FieldType::Shape | FieldType::Option(_))
            || spec.ty == FieldType::List(Box::new(FieldType::Vec2));
        let mut hidden = if has_numbers { hidden[..2].to_vec() } else { hidden.to_vec() };
        // What says nothing about values of this type is left out, unless a file says it all the same.
        let ways = [OnCanvas::Path, OnCanvas::Outline, OnCanvas::Text, OnCanvas::Size];
        let can_be_shown = ways.iter().any(|way| way.fits(&spec.ty));
        let mut hide = |key, is_useless: bool| hidden.extend(is_useless.then_some(key));
        hide("lines", spec.ty != FieldType::Str && !spec.lines);
        hide("canvas", !can_be_shown && spec.canvas.is_none());
        hide("at", !spec.can_be_moved() && spec.at.is_none());
        record_ui(cx, ui, Places { prefix: &prefix, ..Places::new(doc, &all, &hidden) });
        ui.add_space(GRID);
    });
}

fn type_ui(cx: &Cx<'_>, ui: &mut Ui, whole: &str, spec: &FieldSpec, put: &dyn Fn(FieldSpec)) {
    let types = field_types(&cx.resolution.schema, &spec.ty);
    let names: Vec<Name> = types.iter().map(|ty| ty.to_string().as_str().into()).collect();
    let (name, now) = (format!("{whole} type"), spec.ty.to_string());
    let picked = line_ui(cx, ui, ("type", "What values it takes"), |ui| pick_ui(cx, ui, &name, &now, names.iter()));
    let at = picked.and_then(|picked| names.iter().position(|name| *name == picked));
    if let Some(ty) = at.and_then(|at| types.get(at)) {
        put(retyped(spec, ty.clone()));
    }
}

fn default_ui(cx: &Cx<'_>, ui: &mut Ui, whole: &str, spec: &FieldSpec, put: &dyn Fn(FieldSpec)) {
    line_ui(cx, ui, ("default", "Its value where none is declared"), |ui| {
        at_right(ui, |ui| {
            if spec.default.is_some() {
                let name = format!("Remove the default of {whole}");
                if IconButton::new(icons::ICON_UNDO.codepoint, &name).quiet().show(cx.theme, ui).tip(&name).clicked() {
                    put(FieldSpec { default: None, ..spec.clone() });
                }
            } else {
                ui.label(cx.theme.caption("the type's own"));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let default = spec.default_value();
                if let Some(change) = value_ui(cx, ui, &format!("{whole} default"), spec, &default)
                    && let (value, Phase::Commit) = change.into_parts()
                {
                    put(FieldSpec { default: Some(value), ..spec.clone() });
                }
            });
        });
    });
}
