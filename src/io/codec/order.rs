//! Where new content is written: components in the order in which schemas declare them, the preview's own before
//! the game's; fields in the order of their component, call or message. Documents hold both in the order in which they
//! were declared; files get new ones in the schema's.
//!
//! Only what is new finds its place by this: what a file has already stays where it is.

use std::borrow::Cow;

use indexmap::IndexMap;

use crate::{
    io::ron_text::{Form, Slot},
    model::{CallSpec, FieldSpec, FieldType, Name, Schema},
};

/// The operations that hold values by component and field.
const OPERATIONS: [&str; 4] = ["set", "scale", "add", "append"];

/// Declarations, those that count first in front.
pub struct Order<'s>(pub Vec<&'s Schema>);

type Specs = IndexMap<Name, FieldSpec>;

impl<'s> Order<'s> {
    fn component(&self, name: &str) -> Option<&'s Specs> {
        self.0.iter().find_map(|schema| schema.components.get(name)).map(|spec| &spec.fields)
    }

    /// Where a component is declared: by which schema, the preview's own first, and at which place in it.
    fn place(&self, component: &str) -> Option<(usize, usize)> {
        let of = |(i, schema): (usize, &&Schema)| Some((i, schema.components.get_index_of(component)?));
        self.0.iter().rev().enumerate().find_map(of)
    }

    fn call(&self, name: &str) -> Option<&'s Specs> {
        let find = |schema: &&'s Schema| -> Option<&'s CallSpec> {
            schema.actions.get(name).or_else(|| schema.conditions.get(name))
        };
        self.0.iter().find_map(find).map(|spec| &spec.args)
    }

    fn message(&self, name: &str) -> Option<&'s Specs> {
        self.0.iter().find_map(|schema| schema.messages.get(name)).map(|spec| &spec.payload)
    }

    /// Put the fields of everything in a document's form in the order of their declarations.
    pub fn arrange(&self, form: &mut Form<'_>) {
        match form {
            Form::Optional(Some(form)) | Form::Tagged(_, form) => self.arrange(form),
            Form::Tuple(items) => items.iter_mut().for_each(|form| self.arrange(form)),
            Form::List(list) => list.items.iter_mut().for_each(|form| self.arrange(form)),
            Form::Map(map) => map.entries.iter_mut().for_each(|(_, form)| self.arrange(form)),
            Form::Call(name, slots) => {
                if let Some(specs) = self.call(name) {
                    by_specs(slots, specs);
                }
            }
            Form::Record(slots) => {
                let sent = slots.iter().find(|slot| slot.name == "send").and_then(|slot| match &slot.form {
                    Form::Str(Cow::Borrowed(name)) => Some(*name),
                    _ => None,
                });
                for slot in slots.iter_mut() {
                    match (&mut slot.form, sent) {
                        (Form::Record(components), _) if OPERATIONS.contains(&slot.name) => {
                            for component in components.iter_mut() {
                                if let (Form::Record(fields), Some(specs)) =
                                    (&mut component.form, self.component(component.name))
                                {
                                    by_specs(fields, specs);
                                }
                            }
                            by_place(components, |name| self.place(name));
                        }
                        (Form::Record(payload), Some(message)) if slot.name == "payload" => {
                            if let Some(specs) = self.message(message) {
                                by_specs(payload, specs);
                            }
                        }
                        (form, _) => self.arrange(form),
                    }
                }
            }
            _ => {}
        }
    }
}

/// Sort fields by their declarations.
fn by_specs(slots: &mut [Slot<'_>], specs: &Specs) {
    for slot in slots.iter_mut() {
        if let Some(spec) = specs.get(slot.name) {
            by_type(&mut slot.form, &spec.ty);
        }
    }
    by_place(slots, |name| specs.get_index_of(name));
}

/// Sort by where things are declared. One that is not declared stays behind the one it followed.
fn by_place<P: Ord + Copy>(slots: &mut [Slot<'_>], place: impl Fn(&str) -> Option<P>) {
    // Mostly they are in order.
    if slots.is_sorted_by_key(|slot| place(slot.name)) {
        return;
    }
    let mut last = None;
    let mut places: Vec<(&str, Option<P>)> = Vec::with_capacity(slots.len());
    for slot in slots.iter() {
        last = place(slot.name).or(last);
        places.push((slot.name, last));
    }
    slots.sort_by_key(|slot| places.iter().find(|(name, _)| *name == slot.name).and_then(|(_, at)| *at));
}

/// Sort the fields of structs inside a value.
fn by_type(form: &mut Form<'_>, ty: &FieldType) {
    // The type is asked first: most have no structs, and then the value need not be read.
    match ty {
        FieldType::Struct(specs) => {
            if let Form::Record(slots) = opened(form) {
                by_specs(slots, specs);
            }
        }
        FieldType::List(item) if has_structs(item) => {
            if let Form::List(list) = opened(form) {
                list.items.iter_mut().for_each(|form| by_type(form, item));
            }
        }
        FieldType::Map(item) if has_structs(item) => {
            if let Form::Map(map) = opened(form) {
                map.entries.iter_mut().for_each(|(_, form)| by_type(form, item));
            }
        }
        FieldType::Option(inner) => by_type(form, inner),
        _ => {}
    }
}

/// The form with a value of several parts taken apart by one level.
fn opened<'f, 'm>(form: &'f mut Form<'m>) -> &'f mut Form<'m> {
    if let Form::Value(value) = form {
        *form = Form::open(value);
    }
    form
}

fn has_structs(ty: &FieldType) -> bool {
    match ty {
        FieldType::Struct(_) => true,
        FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => has_structs(inner),
        _ => false,
    }
}
