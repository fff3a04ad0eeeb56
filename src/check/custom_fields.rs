//! Custom fields: the values of levels, layers and tiles for fields that schemas declare for them, and values that do
//! not fit.

use crate::{
    edit::{Edit, without_part},
    model::{
        DocKind, DocPath, FieldPath, FieldSpec, Fields, FieldsOf, Finding, Location, Name, Seg, TypeError,
        TypeErrorKind, Value, mean,
    },
};

use super::{
    Fix, Problem,
    input::Input,
    references,
    rules::{meant, nearest_at, new_word},
};

/// A level, layer or tile with values of custom fields.
#[derive(Clone)]
pub(super) struct Holder<'i> {
    pub of: FieldsOf,
    pub doc: &'i DocPath,
    /// The path of its fields, by numbers.
    pub at: FieldPath,
    /// The path by which they are edited, by names.
    place: FieldPath,
    pub fields: &'i Fields,
}

impl Holder<'_> {
    /// The edit that changes its fields.
    fn changed(&self, change: impl FnOnce(&mut Fields)) -> Edit {
        let mut fields = self.fields.clone();
        change(&mut fields);
        Edit::set_at(self.doc, self.place.clone(), &fields)
    }

    /// The edit that sets a part of a field's value.
    pub(super) fn put(&self, field: &str, inner: &FieldPath, value: Value) -> Edit {
        self.changed(|fields| {
            fields.get_mut(field).into_iter().for_each(|it| references::put(it, &inner.0, value.clone()));
        })
    }

    /// The edit that renames a field in its place.
    fn renamed(&self, field: &Name, to: &str) -> Edit {
        let name = |name: &Name| if name == field { to.into() } else { name.clone() };
        self.changed(|fields| *fields = fields.iter().map(|(it, value)| (name(it), value.clone())).collect())
    }

    /// The edit that removes a field, or a part of its value.
    fn without(&self, field: &str, inner: &FieldPath) -> Edit {
        self.changed(|fields| {
            let left = fields.get(field).filter(|_| !inner.0.is_empty()).map(|value| without_part(value, inner));
            match left.filter(|left| !matches!(left, Value::Struct(parts) if parts.is_empty())) {
                Some(left) => drop(fields.insert(field.into(), left)),
                None => drop(fields.shift_remove(field)),
            }
        })
    }
}

/// Call `meet` for every level and layer in scope, and every tile, that has custom fields.
pub(super) fn each<'i>(input: &Input<'i>, meet: &mut dyn FnMut(&Holder<'i>)) {
    let mut look = |of, doc: &'i DocPath, (at, place): (FieldPath, FieldPath), fields: &'i Fields| {
        if !fields.is_empty() {
            meet(&Holder { of, doc, at: at.key("fields"), place: place.key("fields"), fields });
        }
    };
    for (doc, level) in input.levels() {
        look(FieldsOf::Level, doc, (FieldPath::root(), FieldPath::root()), &level.fields);
        let layers = level.all_layers();
        if layers.iter().all(|layer| layer.fields.is_empty()) {
            continue;
        }
        let ways = level.layer_paths().into_iter().zip(level.layer_paths_by_name());
        for (layer, ways) in layers.into_iter().zip(ways) {
            look(FieldsOf::Layer, doc, ways, &layer.fields);
        }
    }
    for (doc, tileset) in input.tilesets() {
        for (id, tile) in tileset.tiles.iter().filter(|(_, tile)| !tile.fields.is_empty()) {
            let way = FieldPath::keys(["tiles"]).key(&id.to_string());
            look(FieldsOf::Tile, doc, (way.clone(), way), &tile.fields);
        }
    }
}

/// Report values of custom fields that break a rule about types.
pub(super) fn look(input: &Input<'_>, kind: TypeErrorKind, out: &mut Vec<Problem>) {
    each(input, &mut |holder| {
        let specs = holder.of.specs(input.schema());
        for (field, value) in holder.fields {
            let Some(spec) = specs.get(field) else {
                if kind == TypeErrorKind::UnknownField {
                    out.push(unknown(input, holder, field));
                }
                continue;
            };
            let errors = input.schema().type_errors(spec, value).into_iter().filter(|it| it.kind == kind);
            out.extend(errors.map(|error| does_not_fit(input, holder, (field, spec, value), error)));
        }
    });
}

fn unknown(input: &Input<'_>, holder: &Holder<'_>, field: &Name) -> Problem {
    let of = holder.of;
    let free = of.specs(input.schema()).keys().filter(|name| !holder.fields.contains_key(*name));
    let near = input.near(field, free.map(|name| &**name));
    let at = Location::key(holder.doc.clone(), holder.at.key(field));
    let message = format!("no schema declares a field `{field}` for {}s", of.noun());
    let declare = || format!("declare it in schemas/, in `{}`", of.section());
    let help = mean(near).or_else(|| input.may_be_in(DocKind::Schema)).unwrap_or_else(declare);
    let rename = near.map(|near| Fix::new(format!("Rename to {near}"), holder.renamed(field, near)));
    let remove = Fix::new(format!("Remove {field}"), holder.without(field, &FieldPath::root()));
    let rule = TypeErrorKind::UnknownField.rule();
    Problem::new(Finding::error(rule, at, message).with_help(Some(help))).with(rename).with(Some(remove))
}

fn does_not_fit(
    input: &Input<'_>,
    holder: &Holder<'_>,
    (field, spec, value): (&Name, &FieldSpec, &Value),
    error: TypeError,
) -> Problem {
    let whole = format!("{}.{field}", holder.of.noun());
    let inner = error.path;
    let at = holder.at.key(field).join(&inner);
    let is_key = error.kind == TypeErrorKind::UnknownField;
    let at = if is_key { Location::key(holder.doc.clone(), at) } else { Location::new(holder.doc.clone(), at) };
    let message = format!("`{}`: {}", inner.on_from(&whole), error.message);
    let finding = Finding::error(error.kind.rule(), at, message).with_help(error.help);
    let write = |new: Value, label: String| Fix::new(label, holder.put(field, &inner, new));
    let part = value.at(&inner);
    let (mend, word) = match error.kind {
        TypeErrorKind::UnknownField => (None, None),
        TypeErrorKind::WrongType => {
            let meant = part.and_then(|part| meant(part, &finding));
            let mend = meant.map(|new| write(new.clone(), format!("Write {new}")));
            (mend, new_word(input, &spec.ty, value, &inner))
        }
        TypeErrorKind::OutOfRange => {
            let near = part.and_then(|part| nearest_at(spec, &inner, part));
            (near.map(|near| write(near.clone(), format!("Use {near}, the nearest allowed"))), None)
        }
    };
    // An element of a list has no default of its own.
    let is_reached = inner.0.iter().all(|seg| matches!(seg, Seg::Key(_)));
    let label = match inner.0.last() {
        Some(Seg::Key(key)) if is_key => format!("Remove {key}"),
        _ => format!("Reset {whole} to its default"),
    };
    let left = if is_reached && is_key { inner } else { FieldPath::root() };
    let reset = Fix::new(label, holder.without(field, &left));
    Problem::new(finding).with(mend).with(word).with(Some(reset))
}
