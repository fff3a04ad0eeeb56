//! As much of a file's tree as is needed to patch the file with a form: parts that the form keeps ([`Form::Keep`]) are
//! only located. Of twenty thousand definitions one is read.

use super::{
    Entry, Field, Index, Kind, Node, Tree,
    form::{Form, Slot},
    index::{Group, GroupKind, Item, fragment},
    plan::match_keys,
    scan::Scanner,
};

/// The tree of a text, given its index, read where `form` has content and where something is removed. It can
/// only be used for patching the text with this form. `None` when the index is not that of the text.
#[must_use]
pub fn part<'t>(text: &'t str, index: &Index, form: &Form<'_>) -> Option<Tree<'t>> {
    let (root, group) = index.root();
    Some(Tree { text, root: node(text, root, group, form)? })
}

/// A value of which only the place is known.
fn unread<'t>(item: Item) -> Node<'t> {
    Node { start: item.value, end: item.end, kind: Kind::Symbol("") }
}

fn node<'t>(text: &'t str, item: Item, group: Option<&Group>, form: &Form<'_>) -> Option<Node<'t>> {
    let whole = || fragment(text, item.value as usize);
    let Some(group) = group else { return if matches!(form, Form::Keep) { Some(unread(item)) } else { whole() } };
    let is_tagged = group.open != item.value;
    let kind = match (form, group.kind) {
        (Form::Keep, _) => return Some(unread(item)),
        (Form::Tagged(_, content), _) if is_tagged => {
            let tag = Scanner::new(text, item.value as usize).word()?;
            let inside = Item { start: group.open, value: group.open, end: item.end };
            Kind::Tagged(tag, Box::new(node(text, inside, Some(group), content)?))
        }
        _ if is_tagged => return whole(),
        (Form::Optional(Some(form)), _) => return node(text, item, Some(group), form),
        (Form::Record(slots), GroupKind::Struct) => Kind::Struct(fields(text, group, slots)?),
        (Form::Map(map), GroupKind::Map) => {
            let keys: Option<Vec<Node<'t>>> = (0..group.items.len()).map(|at| group.key(text, at)).collect();
            let keys = keys?;
            let mut forms: Vec<Option<&Form<'_>>> = vec![None; keys.len()];
            for (at, (_, value)) in match_keys(keys.iter(), &map.entries).into_iter().zip(&map.entries) {
                if let Some(slot) = at.and_then(|at| forms.get_mut(at)) {
                    *slot = Some(value);
                }
            }
            let entries = keys.into_iter().zip(values(text, group, &forms));
            Kind::Map(entries.map(|(key, value)| Some(Entry { key, value: value? })).collect::<Option<_>>()?)
        }
        (Form::List(list), GroupKind::List) => {
            let Some(known) = &list.known else { return whole() };
            let mut forms: Vec<Option<&Form<'_>>> = vec![None; group.items.len()];
            for (at, form) in known.iter().zip(&list.items) {
                if let Some(slot) = at.and_then(|at| forms.get_mut(at)) {
                    *slot = Some(form);
                }
            }
            Kind::List(values(text, group, &forms).collect::<Option<_>>()?)
        }
        _ => return whole(),
    };
    Some(Node { start: item.value, end: item.end, kind })
}

fn fields<'t>(text: &'t str, group: &Group, slots: &[Slot<'_>]) -> Option<Vec<Field<'t>>> {
    let names: Option<Vec<&'t str>> = (0..group.items.len())
        .map(|at| match group.key(text, at)?.kind {
            Kind::Symbol(name) => Some(name),
            _ => None,
        })
        .collect();
    let names = names?;
    let form = |name: &&str| slots.iter().find(|slot| slot.name == *name).map(|slot| &slot.form);
    let forms: Vec<Option<&Form<'_>>> = names.iter().map(form).collect();
    let fields = group.items.iter().zip(names).zip(values(text, group, &forms));
    fields.map(|((item, name), value)| Some(Field { start: item.start, name, value: value? })).collect()
}

/// The values of a group's items. One without a form is removed, and is read because an added one may be equal to it.
fn values<'t>(text: &'t str, group: &Group, forms: &[Option<&Form<'_>>]) -> impl Iterator<Item = Option<Node<'t>>> {
    group.items.iter().zip(forms).enumerate().map(move |(at, (item, form))| match form {
        Some(form) => node(text, *item, group.group(at), form),
        None => fragment(text, item.value as usize),
    })
}
