//! Finds parts of a container that were renamed: a new part is an old one under another key, and keeps its place, its
//! comments and its spelling.
//!
//! A rename often changes more than the key: a definition may name itself, a state may lead to itself. A reference to
//! the key counts as equal when it names the new key, and a part counts as the same when more than half of it is equal.

use super::{
    Kind, Node,
    form::{Form, inside_some},
    pieces::Part,
    plan::Plan,
};

/// Where a key is gone and a new one has the same value, or nearly, it was renamed: it keeps its place and its
/// comments.
pub(super) fn find_renamed(text: &str, parts: &[Part<'_, '_>], plan: &mut [Plan<'_, '_>]) {
    /// More than this at once is not renaming.
    const MAX_RENAMED: usize = 32;
    let mut is_gone = vec![true; parts.len()];
    let mut n_new = 0;
    for planned in plan.iter() {
        match planned {
            Plan::Old { at, .. } => is_gone[*at] = false,
            Plan::New(..) => n_new += 1,
        }
    }
    let mut gone: Vec<usize> = (0..parts.len()).filter(|at| is_gone[*at]).collect();
    if n_new == 0 || gone.is_empty() || n_new.max(gone.len()) > MAX_RENAMED {
        return;
    }
    for planned in plan.iter_mut() {
        let Plan::New(key, form) = planned else { continue };
        if let Some(at) = gone.iter().position(|at| form.is_written_by(parts[*at].value)) {
            *planned = Plan::Old { at: gone.remove(at), key: key.take(), form: None };
        }
    }
    // Of what is left, the likest first.
    let mut likest: Vec<(u64, usize, usize)> = Vec::new();
    for (i, planned) in plan.iter().enumerate() {
        let Plan::New(Some(key), form) = planned else { continue };
        for at in &gone {
            let old = parts[*at].key.and_then(|(start, end)| text.get(start..end)).unwrap_or_default();
            let mut like = Like { old: bare(old), new: bare(key), n_same: 0, n_all: 0, is_open: false };
            like.compare(form, parts[*at].value);
            if !like.is_open && like.n_same * 2 > like.n_all {
                likest.push((like.n_same * 1000 / like.n_all, i, *at));
            }
        }
    }
    // Stable: of equals the first in the file.
    likest.sort_by_key(|(share, ..)| std::cmp::Reverse(*share));
    for (_, i, at) in likest {
        if let Some(planned) = plan.get_mut(i)
            && let Plan::New(key, form) = planned
            && let Some(place) = gone.iter().position(|free| *free == at)
        {
            gone.remove(place);
            *planned = Plan::Old { at, key: key.take(), form: Some(*form) };
        }
    }
}

/// A key without its quotes, as names have it.
fn bare(key: &str) -> &str {
    key.trim_matches(['"', '#']).trim_start_matches("r#\"")
}

/// How much of a form a file has already, counted in scalars.
struct Like<'a> {
    /// The key that is gone, and the one that may be its new name.
    old: &'a str,
    new: &'a str,
    n_same: u64,
    n_all: u64,
    /// Whether the form keeps content that this part of the file does not have.
    is_open: bool,
}

impl Like<'_> {
    fn count(&mut self, is_same: bool) {
        self.n_all += 1;
        self.n_same += u64::from(is_same);
    }

    /// Whether a text differs only in naming the new key.
    fn is_same_text(&self, form: &str, node: &str) -> bool {
        form == node || (!self.old.is_empty() && node.contains(self.old) && node.replace(self.old, self.new) == form)
    }

    fn compare(&mut self, form: &Form<'_>, node: &Node<'_>) {
        match (form, &node.kind) {
            (Form::Keep, _) => self.is_open = true,
            (Form::Value(value), _) => self.compare(&Form::open(value), node),
            (Form::Custom(custom), _) if custom.is_written_by(node) => self.count(true),
            (Form::Custom(custom), _) => self.compare(&custom.form(Some(node)), node),
            (Form::Optional(Some(form)), _) => self.compare(form, inside_some(node).unwrap_or(node)),
            (Form::Str(a), Kind::Str(b)) => {
                let is_same = self.is_same_text(a, b);
                self.count(is_same);
            }
            (Form::Word(a), Kind::Symbol(b)) => {
                let is_same = self.is_same_text(a, b);
                self.count(is_same);
            }
            (Form::Tagged(tag, content), Kind::Tagged(word, inside)) => {
                self.count(tag == word);
                self.compare(content, inside);
            }
            (Form::Tuple(forms), Kind::Tuple(nodes)) => self.each(forms, nodes),
            (Form::List(list), Kind::List(nodes)) => self.each(&list.items, nodes),
            (Form::Call(tag, slots), Kind::Tagged(word, inside)) => {
                self.count(tag == word);
                self.slots(slots, inside);
            }
            (Form::Record(slots), Kind::Struct(_)) => self.slots(slots, node),
            (Form::Map(map), Kind::Map(entries)) => {
                let mut n_met = 0;
                for (key, value) in &map.entries {
                    let found = entries.iter().find(|entry| {
                        let is_new = |a: &str, b: &str| a == self.new && b == self.old;
                        key.is_written_by(&entry.key)
                            || match (key, &entry.key.kind) {
                                (Form::Str(a), Kind::Str(b)) => is_new(a, b),
                                (Form::Word(a), Kind::Symbol(b)) => is_new(a, b),
                                _ => false,
                            }
                    });
                    match found {
                        Some(entry) => {
                            n_met += 1;
                            self.compare(value, &entry.value);
                        }
                        None => self.count(false),
                    }
                }
                self.n_all += entries.len().saturating_sub(n_met) as u64;
            }
            _ => self.count(form.is_written_by(node)),
        }
    }

    fn each(&mut self, forms: &[Form<'_>], nodes: &[Node<'_>]) {
        for (form, node) in forms.iter().zip(nodes) {
            self.compare(form, node);
        }
        self.n_all += forms.len().abs_diff(nodes.len()) as u64;
    }

    fn slots(&mut self, slots: &[super::Slot<'_>], node: &Node<'_>) {
        let Kind::Struct(fields) = &node.kind else { return };
        let mut n_met = 0;
        for slot in slots {
            match fields.iter().find(|field| field.name == slot.name) {
                Some(field) => {
                    n_met += 1;
                    self.compare(&slot.form, &field.value);
                }
                None if slot.is_default => {}
                None => self.count(false),
            }
        }
        self.n_all += fields.len().saturating_sub(n_met) as u64;
    }
}
