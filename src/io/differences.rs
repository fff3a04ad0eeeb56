//! The differences between two states of a project, found by comparing the content that their files would have: no
//! change of the text can be missing.
//!
//! Invariant: no differences means that no file would change, and the reverse. Parts shared by `Arc` are not
//! compared. A name that changed is one place, and what it names is compared with what it named before.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use super::{
    codec,
    common::common,
    ron_text::{self, Form, List, ListBy, Map, Slot},
};
use crate::model::{Difference, DocPath, Document, FieldPath, Level, Location, Project, Seg, Value, shortened};

/// The longest text of one side of a difference, in characters.
const MAX_TEXT: usize = 400;

/// Every difference of `after` from `before`, by file and place. Files are compared as a whole where one is new or
/// gone; one that was moved is listed as moved, and compared with what it was.
#[must_use]
pub fn differences(before: &Project, after: &Project) -> Vec<Difference> {
    let mut gone: BTreeMap<&DocPath, &Arc<Document>> = BTreeMap::new();
    let mut new: BTreeMap<&DocPath, &Arc<Document>> = BTreeMap::new();
    let mut pairs: Vec<(&DocPath, &Arc<Document>, &Arc<Document>)> = Vec::new();
    for (path, old) in &before.documents {
        match after.doc(path) {
            Some(now) if Arc::ptr_eq(old, now) => {}
            Some(now) => pairs.push((path, old, now)),
            None => _ = gone.insert(path, old),
        }
    }
    for (path, now) in &after.documents {
        if before.doc(path).is_none() {
            new.insert(path, now);
        }
    }
    let mut found = Vec::new();
    for (from, old) in gone {
        let same = |(_, now): &(&&DocPath, &&Arc<Document>)| Arc::ptr_eq(old, now) || old == **now;
        let of_kind = |(_, now): &(&&DocPath, &&Arc<Document>)| old.kind() == now.kind();
        let moved = new.iter().find(same).or_else(|| new.iter().find(of_kind)).map(|(to, now)| (*to, *now));
        let mut moved_to = None;
        if let Some((to, now)) = moved {
            new.remove(to);
            moved_to = Some(to.to_string());
            pairs.push((from, old, now));
        }
        let location = Location::doc(from.clone());
        found.push(Difference { location, before: Some(from.to_string()), after: moved_to });
    }
    for to in new.into_keys() {
        found.push(Difference { location: Location::doc(to.clone()), before: None, after: Some(to.to_string()) });
    }
    for (path, old, now) in pairs {
        let mut compare = Compare { doc: path, path: Vec::new(), found: &mut found };
        if same_layers(old, now) {
            compare.forms(&codec::form(old, Some(now)), &codec::form(now, Some(old)));
        } else {
            compare.forms(&codec::form(old, None), &codec::form(now, None));
        }
    }
    // Each file's own are in the order of its text already.
    found.sort_by(|a, b| a.location.doc.cmp(&b.location.doc));
    found
}

/// Whether a level has the same layers in the same order, so that an unchanged one is identified without its name.
fn same_layers(old: &Document, now: &Document) -> bool {
    match (old, now) {
        (Document::Level(a), Document::Level(b)) => {
            let names = |level: &Level| -> Vec<_> {
                level.all_layers().into_iter().map(|it| (it.tag(), it.name.clone(), it.children().len())).collect()
            };
            names(a) == names(b)
        }
        _ => true,
    }
}

struct Compare<'a> {
    doc: &'a DocPath,
    path: Vec<Seg>,
    found: &'a mut Vec<Difference>,
}

impl Compare<'_> {
    fn note(&mut self, at_key: bool, before: Option<String>, after: Option<String>) {
        let location = Location { at_key, ..Location::new(self.doc.clone(), FieldPath(self.path.clone())) };
        self.found.push(Difference { location, before, after });
    }

    /// One side is not there.
    fn lone(&mut self, seg: Seg, before: Option<&Form<'_>>, after: Option<&Form<'_>>) {
        self.path.push(seg);
        self.note(false, before.map(text), after.map(text));
        self.path.pop();
    }

    fn within(&mut self, seg: Seg, before: &Form<'_>, after: &Form<'_>) {
        self.path.push(seg);
        self.forms(before, after);
        self.path.pop();
    }

    fn forms(&mut self, before: &Form<'_>, after: &Form<'_>) {
        match (before, after) {
            (Form::Keep, _) | (_, Form::Keep) => {}
            (Form::Value(a), Form::Value(b)) if is_same(a, b) => {}
            (Form::Value(value), _) => self.forms(&Form::open(value), after),
            (_, Form::Value(value)) => self.forms(before, &Form::open(value)),
            (Form::Custom(custom), _) => self.forms(&custom.form(None), after),
            (_, Form::Custom(custom)) => self.forms(before, &custom.form(None)),
            (Form::Optional(Some(a)), Form::Optional(Some(b))) => self.forms(a, b),
            (Form::Record(a), Form::Record(b)) => self.slots(a, b),
            // `()` is a record too.
            (Form::Record(slots), Form::Tuple(items)) if items.is_empty() => self.slots(slots, &[]),
            (Form::Tuple(items), Form::Record(slots)) if items.is_empty() => self.slots(&[], slots),
            (Form::Tagged(a, inside_a), Form::Tagged(b, inside_b)) if a == b => self.forms(inside_a, inside_b),
            (Form::Call(a, args_a), Form::Call(b, args_b)) if a == b => self.slots(args_a, args_b),
            (Form::Call(a, args_a), Form::Call(b, args_b)) if !args_a.is_empty() && has_same(args_a, args_b) => {
                self.note(false, Some((*a).to_owned()), Some((*b).to_owned()));
            }
            (Form::Tuple(a), Form::Tuple(b))
                if a.len() == b.len() && (a.iter().any(is_group) || b.iter().any(is_group)) =>
            {
                for (at, (a, b)) in a.iter().zip(b).enumerate() {
                    self.within(Seg::Index(at), a, b);
                }
            }
            (Form::List(a), Form::List(b)) => self.lists(a, b),
            (Form::Map(a), Form::Map(b)) => self.maps(a, b),
            _ => {
                if !is_equal(before, after) {
                    self.note(false, Some(text(before)), Some(text(after)));
                }
            }
        }
    }

    fn slots(&mut self, before: &[Slot<'_>], after: &[Slot<'_>]) {
        let mut fresh: Vec<&Slot<'_>> = Vec::new();
        for new in after {
            if !new.is_default && !before.iter().any(|old| old.name == new.name) {
                fresh.push(new);
            }
        }
        for old in before {
            self.path.push(Seg::Key(old.name.into()));
            match after.iter().find(|new| new.name == old.name) {
                Some(new) if old.is_default && new.is_default => {}
                Some(new) if (old.is_default || new.is_default) && !(is_group(&old.form) && is_group(&new.form)) => {
                    let shown = |slot: &Slot<'_>| (!slot.is_default).then(|| text(&slot.form));
                    self.note(false, shown(old), shown(new));
                }
                Some(new) => self.forms(&old.form, &new.form),
                None if old.is_default => {}
                None => {
                    // An equal value under a new name was renamed.
                    let same = fresh.iter().position(|new| is_equal(&old.form, &new.form));
                    let new = same.map(|at| fresh.remove(at));
                    match new {
                        Some(new) => self.note(true, Some(old.name.to_owned()), Some(new.name.to_owned())),
                        None => self.note(false, Some(text(&old.form)), None),
                    }
                }
            }
            self.path.pop();
        }
        for new in fresh {
            self.lone(Seg::Key(new.name.into()), None, Some(&new.form));
        }
    }

    fn maps(&mut self, before: &Map<'_>, after: &Map<'_>) {
        let keys = |map: &Map<'_>| -> Vec<String> { map.entries.iter().map(|(key, _)| key_text(key)).collect() };
        let (old_keys, new_keys) = (keys(before), keys(after));
        let at_new: HashMap<&str, usize> = new_keys.iter().enumerate().map(|(i, key)| (key.as_str(), i)).collect();
        let is_old: HashMap<&str, usize> = old_keys.iter().enumerate().map(|(i, key)| (key.as_str(), i)).collect();
        let mut fresh: Vec<usize> =
            (0..new_keys.len()).filter(|i| !is_old.contains_key(new_keys[*i].as_str())).collect();
        let has_gone = old_keys.iter().any(|key| !at_new.contains_key(key.as_str()));
        let fresh_texts: HashMap<String, usize> = if has_gone {
            fresh.iter().rev().map(|j| (whole_text(&after.entries[*j].1), *j)).collect()
        } else {
            HashMap::new()
        };
        let mut kept = Vec::new();
        for (i, (key, (_, value))) in old_keys.iter().zip(&before.entries).enumerate() {
            let seg = Seg::Key(key.as_str().into());
            if let Some(at) = at_new.get(key.as_str()) {
                kept.push(*at);
                self.within(seg, value, &after.entries[*at].1);
                continue;
            }
            // A key that is new where one is gone, or that names the same: it is the name that changed.
            let here = |j: &usize| {
                let next_to = |i: usize, j: usize| match (i.checked_sub(1), j.checked_sub(1)) {
                    (None, None) => true,
                    (Some(i), Some(j)) => old_keys[i] == new_keys[j] || !at_new.contains_key(old_keys[i].as_str()),
                    _ => false,
                };
                next_to(i, *j) && is_alike(value, &after.entries[*j].1)
            };
            let alike = fresh.iter().position(here);
            let same = fresh_texts.get(&whole_text(value)).and_then(|at| fresh.iter().position(|j| j == at));
            // Of several that name the same, the one in its place.
            let is_same_too = |at: usize| is_equal(value, &after.entries[fresh[at]].1);
            match alike.filter(|at| same.is_none() || is_same_too(*at)).or(same) {
                Some(found) => {
                    let at = fresh.remove(found);
                    self.path.push(seg);
                    self.note(true, Some(text(&before.entries[i].0)), Some(text(&after.entries[at].0)));
                    self.forms(value, &after.entries[at].1);
                    self.path.pop();
                    kept.push(at);
                }
                None => self.lone(seg, Some(value), None),
            }
        }
        for at in fresh {
            self.lone(Seg::Key(new_keys[at].as_str().into()), None, Some(&after.entries[at].1));
        }
        if before.is_ordered && kept.windows(2).any(|two| two[0] > two[1]) {
            self.order(&old_keys, &new_keys);
        }
    }

    /// The same things in another order.
    fn order(&mut self, before: &[String], after: &[String]) {
        let listed = |names: &[String]| shortened(&format!("order: {}", names.join(", ")), MAX_TEXT);
        self.note(true, Some(listed(before)), Some(listed(after)));
    }

    fn lists(&mut self, before: &List<'_>, after: &List<'_>) {
        match (&before.by, &after.by) {
            (ListBy::Field(field), ListBy::Field(_)) => self.named(field, before, after),
            (ListBy::Position, ListBy::Position) => {
                for at in 0..before.items.len().max(after.items.len()) {
                    match (before.items.get(at), after.items.get(at)) {
                        (Some(old), Some(new)) => self.within(Seg::Index(at), old, new),
                        (old, new) => self.lone(Seg::Index(at), old, new),
                    }
                }
            }
            _ => self.contents(&before.items, &after.items),
        }
    }

    /// Lists whose elements have names.
    fn named(&mut self, field: &str, before: &List<'_>, after: &List<'_>) {
        let names =
            |list: &List<'_>| -> Vec<Option<String>> { list.items.iter().map(|it| name_in(it, field)).collect() };
        let (old_names, new_names) = (names(before), names(after));
        if has_kept(before) || has_kept(after) {
            // An unchanged element has no name here; the caller has compared the names.
            for (at, (old, new)) in before.items.iter().zip(&after.items).enumerate() {
                self.within(Seg::Index(at), old, new);
            }
            return;
        }
        let at_new = |name: &Option<String>| new_names.iter().position(|it| name.is_some() && it == name);
        let mut fresh: Vec<usize> =
            (0..new_names.len()).filter(|j| new_names[*j].is_some() && !old_names.contains(&new_names[*j])).collect();
        let mut kept_at = Vec::new();
        for (i, item) in before.items.iter().enumerate() {
            let seg = Seg::Index(i);
            if let Some(j) = at_new(&old_names[i]) {
                kept_at.push(j);
                self.within(seg, item, &after.items[j]);
                continue;
            }
            let like = fresh.iter().position(|j| is_alike(item, &after.items[*j]));
            match like {
                Some(found) => {
                    let j = fresh.remove(found);
                    kept_at.push(j);
                    self.within(seg, item, &after.items[j]);
                }
                None => self.lone(seg, Some(item), None),
            }
        }
        for j in fresh {
            self.lone(Seg::Index(j), None, Some(&after.items[j]));
        }
        if kept_at.windows(2).any(|two| two[0] > two[1]) {
            let listed = |names: &[Option<String>]| -> Vec<String> {
                names.iter().map(|name| name.clone().unwrap_or_else(|| "…".into())).collect()
            };
            self.order(&listed(&old_names), &listed(&new_names));
        }
    }

    /// Lists whose elements are identified by content: those in both stay, those between are compared in order.
    fn contents(&mut self, before: &[Form<'_>], after: &[Form<'_>]) {
        let (old_texts, new_texts): (Vec<String>, Vec<String>) =
            (before.iter().map(whole_text).collect(), after.iter().map(whole_text).collect());
        let mut stayed = common(&old_texts, &new_texts).pairs;
        stayed.push((before.len(), after.len()));
        let (mut i, mut j) = (0, 0);
        for (next_i, next_j) in stayed {
            while i < next_i && j < next_j && is_alike(&before[i], &after[j]) {
                self.within(Seg::Index(i), &before[i], &after[j]);
                (i, j) = (i + 1, j + 1);
            }
            for (at, old) in before.iter().enumerate().take(next_i).skip(i) {
                self.lone(Seg::Index(at), Some(old), None);
            }
            for new in after.iter().take(next_j).skip(j) {
                self.lone(Seg::Index(next_i), None, Some(new));
            }
            (i, j) = (next_i + 1, next_j + 1);
        }
    }
}

/// Whether two values are written alike.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

fn is_equal(a: &Form<'_>, b: &Form<'_>) -> bool {
    match (a, b) {
        (Form::Keep, _) | (_, Form::Keep) => matches!((a, b), (Form::Keep, Form::Keep)),
        (Form::Int(_) | Form::Float(_) | Form::Dotted(_), Form::Int(_) | Form::Float(_) | Form::Dotted(_)) => {
            number(a) == number(b)
        }
        _ => whole_text(a) == whole_text(b),
    }
}

fn number(form: &Form<'_>) -> Option<f64> {
    match form {
        #[expect(clippy::cast_precision_loss, reason = "data is written as numbers people read")]
        Form::Int(i) => Some(*i as f64),
        Form::Float(x) | Form::Dotted(x) => Some(*x),
        _ => None,
    }
}

/// Whether one could have become the other: both of the same sort, with the same word where they have one.
fn is_alike(a: &Form<'_>, b: &Form<'_>) -> bool {
    let is_renamed = || matches!((a, b), (Form::Call(_, a), Form::Call(_, b)) if has_same(a, b));
    sort(a) == sort(b) && (word(a) == word(b) || is_renamed())
}

/// Whether two calls have the same arguments.
fn has_same(a: &[Slot<'_>], b: &[Slot<'_>]) -> bool {
    let is_same = |(a, b): (&Slot<'_>, &Slot<'_>)| a.name == b.name && is_equal(&a.form, &b.form);
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}

/// What sort of thing it is; numbers are one.
fn sort(form: &Form<'_>) -> u8 {
    match form {
        Form::Keep => 0,
        Form::Value(value) => sort(&Form::open(value)),
        Form::Bool(_) => 1,
        Form::Int(_) | Form::Float(_) | Form::Dotted(_) => 2,
        Form::Str(_) => 3,
        Form::Word(_) => 4,
        Form::Optional(_) => 5,
        Form::Tuple(_) => 6,
        Form::Record(_) => 7,
        Form::Tagged(..) => 8,
        Form::Call(..) => 9,
        Form::List(_) => 10,
        Form::Map(_) => 11,
        Form::Custom(_) => 12,
    }
}

/// The word before its content.
fn word(form: &Form<'_>) -> Option<String> {
    match form {
        Form::Tagged(word, _) | Form::Call(word, _) => Some((*word).to_owned()),
        Form::Value(Value::Tagged(word, _)) => Some(word.to_string()),
        _ => None,
    }
}

fn has_kept(list: &List<'_>) -> bool {
    list.items.iter().any(|it| matches!(it, Form::Keep))
}

/// Whether it has parts that are compared one by one.
fn is_group(form: &Form<'_>) -> bool {
    match form {
        Form::Value(value) => matches!(value, Value::Struct(_) | Value::Map(_) | Value::List(_) | Value::Tagged(..)),
        Form::Optional(Some(inner)) => is_group(inner),
        Form::Record(_) | Form::Tagged(..) | Form::Call(..) | Form::List(_) | Form::Map(_) | Form::Custom(_) => true,
        _ => false,
    }
}

/// What a path calls a map's key.
fn key_text(form: &Form<'_>) -> String {
    match form {
        Form::Str(text) => text.to_string(),
        Form::Word(word) => (*word).to_owned(),
        Form::Value(value) => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
        other => whole_text(other),
    }
}

/// What names an element, with its tag.
fn name_in(form: &Form<'_>, field: &str) -> Option<String> {
    match form {
        Form::Tagged(tag, inside) => Some(format!("{tag} {}", name_in(inside, field)?)),
        Form::Record(slots) => slots.iter().find(|slot| slot.name == field).map(|slot| key_text(&slot.form)),
        _ => None,
    }
}

fn whole_text(form: &Form<'_>) -> String {
    ron_text::inline(form)
}

fn text(form: &Form<'_>) -> String {
    shortened(&whole_text(form), MAX_TEXT)
}
