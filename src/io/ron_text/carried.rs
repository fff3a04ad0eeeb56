//! Comments of entries that go: kept by entry, so that they can go along to where an equal entry comes, and listed where they
//! go for good.
//!
//! A comment belongs to an entry when it stands on the entry's line or directly above it, or inside it. An entry that comes is
//! equal to one that goes when both have the same key, below the same key, and the same value; which file they are in does
//! not matter. Invariant: nothing is kept of an entry without a comment, so a change that drops none costs nothing here.

use std::cell::RefCell;

use super::{
    Kind, Node, Tree,
    form::Form,
    index::fragment,
    moved::moved,
    pieces::{Part, comment_len, head_end, own_pieces},
    scan::Scanner,
};

/// A comment in a text, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its first byte.
    pub at: usize,
    /// The comment, with its marks.
    pub text: String,
}

/// An entry that goes, with the comments in it and beside it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key it stands below; empty at the top.
    parent: String,
    /// Its key; an element of a list has none.
    key: Option<String>,
    /// Comments directly above it.
    lead: Vec<String>,
    /// Its text, from the key on.
    body: String,
    /// Where its value begins in that.
    value_at: usize,
    /// The indentation of the line it begins on.
    indent: String,
    /// Comments behind it on its line.
    trail: Vec<String>,
    /// First byte of all that, and one past the last.
    range: (usize, usize),
    /// How many entries inside it follow it in [`Dropped::entries`].
    n_inside: usize,
}

impl Entry {
    /// Whether a comment of its text is one of its own, or inside it.
    #[must_use]
    pub fn has(&self, remark: &Remark) -> bool {
        (self.range.0..self.range.1).contains(&remark.at)
    }
}

/// What goes from a text.
#[derive(Clone, Debug, Default)]
pub struct Dropped {
    /// Entries with comments; each before those inside it.
    pub entries: Vec<Entry>,
    /// Every comment, in the order of the text.
    pub remarks: Vec<Remark>,
}

impl Dropped {
    /// All of a text.
    #[must_use]
    pub fn whole(tree: &Tree<'_>) -> Self {
        let mut out = Self { entries: Vec::new(), remarks: remarks(tree.text, 0, tree.text.len()) };
        out.inside(tree.text, "", &tree.root);
        out
    }

    /// A part of a container goes, with its comments, from `from` to `stop`.
    pub(super) fn part(&mut self, text: &str, parent: &str, part: &Part<'_, '_>, (from, stop): (usize, usize)) {
        let found = remarks(text, from, stop);
        if !found.is_empty() {
            self.remarks.extend(found);
            self.entry(text, parent, part, (from, stop));
        }
    }

    /// Something else takes the place of a value.
    pub(super) fn value(&mut self, text: &str, parent: &str, node: &Node<'_>) {
        let (start, end) = node.range();
        let found = remarks(text, start, end);
        if !found.is_empty() {
            self.remarks.extend(found);
            self.inside(text, parent, node);
        }
    }

    fn entry(&mut self, text: &str, parent: &str, part: &Part<'_, '_>, (from, stop): (usize, usize)) {
        let texts = |from, to| remarks(text, from, to).into_iter().map(|remark| remark.text).collect();
        let key = part.key.and_then(|(start, end)| text.get(start..end)).map(bare);
        let line = text.get(..part.start).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let at = self.entries.len();
        self.entries.push(Entry {
            parent: parent.to_owned(),
            key: key.clone(),
            lead: texts(from, part.start),
            body: text.get(part.start..part.end).unwrap_or_default().to_owned(),
            value_at: part.value.range().0 - part.start,
            indent: line.get(..indent).unwrap_or_default().to_owned(),
            trail: texts(part.end, stop),
            range: (from, stop),
            n_inside: 0,
        });
        self.inside(text, key.as_deref().unwrap_or(parent), part.value);
        let n_inside = self.entries.len() - at - 1;
        if let Some(entry) = self.entries.get_mut(at) {
            entry.n_inside = n_inside;
        }
    }

    /// The parts of a value that have comments.
    fn inside(&mut self, text: &str, parent: &str, node: &Node<'_>) {
        let parts: Vec<Part<'_, '_>> = match &node.kind {
            Kind::Tagged(_, content) => return self.inside(text, parent, content),
            Kind::List(items) | Kind::Tuple(items) => items.iter().map(Part::item).collect(),
            Kind::Struct(fields) => fields.iter().map(Part::field).collect(),
            Kind::Map(entries) => entries.iter().map(Part::entry).collect(),
            _ => return,
        };
        for (part, (from, stop)) in parts.iter().zip(own_pieces(text, head_end(text, node), &parts)) {
            if !remarks(text, from, stop).is_empty() {
                self.entry(text, parent, part, (from, stop));
            }
        }
    }
}

/// The comments of a part of a text that begins outside a string.
fn remarks(text: &str, from: usize, to: usize) -> Vec<Remark> {
    let mut out = Vec::new();
    let slice = text.get(from..to).unwrap_or_default();
    if !slice.contains("//") && !slice.contains("/*") {
        return out;
    }
    let mut at = from;
    while at < to {
        let rest = text.get(at..to).unwrap_or_default();
        let Some(next) = rest.find(['/', '"']) else { break };
        at += next;
        let rest = rest.get(next..).unwrap_or_default();
        if rest.starts_with('"') {
            // The mark of a raw string stands before its quote.
            let before = text.get(from..at).unwrap_or_default().trim_end_matches('#');
            let is_raw = before.ends_with('r');
            let mut scan = Scanner::new(text, if is_raw { from + before.len() - 1 } else { at });
            let read = if is_raw { scan.raw_string() } else { scan.string() };
            at = if read.is_ok() { scan.at } else { at + 1 };
        } else if let Some(length) = comment_len(rest) {
            out.push(Remark { at, text: rest.get(..length).unwrap_or_default().trim_end().to_owned() });
            at += length;
        } else {
            at += 1;
        }
    }
    out
}

/// A key's name: a string without its quotes.
pub(super) fn bare(key: &str) -> String {
    fragment(key, 0).map_or_else(|| key.to_owned(), |node| node.key_name().to_string())
}

/// What an entry that comes is given by those that go.
pub(super) struct Carried {
    /// Comments above it.
    pub(super) lead: Vec<String>,
    /// Its text; `None` where several have something to say inside it, so that it has to be put together.
    pub(super) body: Option<String>,
    /// Comments behind it.
    pub(super) trail: String,
    from: Vec<usize>,
}

/// The entries that go, for what comes.
#[derive(Default)]
pub(super) struct Carry<'d> {
    entries: &'d [Entry],
    placed: RefCell<Vec<(usize, String)>>,
}

impl<'d> Carry<'d> {
    pub(super) fn new(entries: &'d [Entry]) -> Self {
        Self { entries, placed: RefCell::default() }
    }

    /// Which entries were placed, each with the text it came to.
    pub(super) fn placed(self) -> Vec<(usize, String)> {
        self.placed.into_inner()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What goes along with an entry that comes. It is lost until it is [placed](Self::place).
    pub(super) fn find(
        &self,
        parent: &str,
        key: Option<&str>,
        form: &Form<'_>,
        (indent, eol): (&str, &str),
    ) -> Option<Carried> {
        let found = self.equal(parent, key, form);
        let (_, first) = found.first()?;
        let put = |text: &str, entry: &Entry| moved(text, &entry.indent, indent, eol);
        // One comment stands behind the entry; what others say of it, or on several lines, stands above.
        let mut lead: Vec<String> = Vec::new();
        let mut trail = String::new();
        for (_, entry) in &found {
            for text in entry.lead.iter().map(|text| put(text, entry)) {
                if !lead.contains(&text) {
                    lead.push(text);
                }
            }
            for text in entry.trail.iter().map(|text| put(text, entry)) {
                if trail.is_empty() && !text.contains('\n') {
                    trail = text;
                } else if text != trail && !lead.contains(&text) {
                    lead.push(text);
                }
            }
        }
        let from: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
        let mut inside = Vec::new();
        self.find_inside(key.unwrap_or(parent), form, &mut inside);
        let is_of_found =
            |at: &usize| found.iter().any(|(outer, entry)| (*outer..=*outer + entry.n_inside).contains(at));
        let body = put(&first.body, first);
        let is_one = inside.iter().all(is_of_found) && found.iter().all(|(_, entry)| put(&entry.body, entry) == body);
        Some(Carried { lead, body: is_one.then_some(body), trail, from })
    }

    /// What was found has been written; `with_body` when its text was taken, and not only the comments beside it.
    pub(super) fn place(&self, carried: &Carried, with_body: bool) {
        let body = carried.body.as_deref().filter(|_| with_body).unwrap_or_default();
        let text = format!("{}\n{body}\n{}", carried.lead.join("\n"), carried.trail);
        self.placed.borrow_mut().extend(carried.from.iter().map(|at| (*at, text.clone())));
    }

    /// Whether comments go along with something in a value below this key.
    pub(super) fn has_for(&self, parent: &str, form: &Form<'_>) -> bool {
        let mut found = Vec::new();
        self.find_inside(parent, form, &mut found);
        !found.is_empty()
    }

    /// The entries that are equal to this one.
    fn equal(&self, parent: &str, key: Option<&str>, form: &Form<'_>) -> Vec<(usize, &'d Entry)> {
        let is_it = |(_, entry): &(usize, &Entry)| {
            let value = || fragment(&entry.body, entry.value_at);
            entry.parent == parent
                && entry.key.as_deref() == key
                && value().is_some_and(|value| form.is_said_by(&value))
                && !is_open(form)
        };
        self.entries.iter().enumerate().filter(is_it).collect()
    }

    /// The entries that are equal to something in a value below this key.
    fn find_inside(&self, parent: &str, form: &Form<'_>, out: &mut Vec<usize>) {
        let mut each = |key: Option<&str>, form: &Form<'_>| {
            out.extend(self.equal(parent, key, form).into_iter().map(|(at, _)| at));
            self.find_inside(key.unwrap_or(parent), form, out);
        };
        match form {
            _ if self.is_empty() => {}
            Form::Value(value) => self.find_inside(parent, &Form::open(value), out),
            Form::Optional(Some(form)) => self.find_inside(parent, form, out),
            Form::Tagged(_, content) => self.find_inside(parent, content, out),
            Form::Custom(custom) => self.find_inside(parent, &custom.form(None), out),
            Form::Record(slots) | Form::Call(_, slots) => {
                slots.iter().filter(|slot| !slot.is_default).for_each(|slot| each(Some(slot.name), &slot.form));
            }
            Form::Tuple(items) => items.iter().for_each(|item| each(None, item)),
            Form::List(list) => list.items.iter().for_each(|item| each(None, item)),
            Form::Map(map) => {
                let key = |key| bare(&super::write::inline(key));
                map.entries.iter().for_each(|(name, value)| each(Some(&key(name)), value));
            }
            _ => {}
        }
    }
}

/// Whether a form leaves something to the file.
fn is_open(form: &Form<'_>) -> bool {
    match form {
        Form::Keep => true,
        Form::Optional(Some(form)) => is_open(form),
        Form::Tagged(_, content) => is_open(content),
        Form::Tuple(items) => items.iter().any(is_open),
        Form::List(list) => list.known.is_some() || list.items.iter().any(is_open),
        Form::Record(slots) | Form::Call(_, slots) => slots.iter().any(|slot| is_open(&slot.form)),
        Form::Map(map) => map.entries.iter().any(|(_, value)| is_open(value)),
        _ => false,
    }
}
