//! Comments of removed entries: kept by entry, so that they move along to where an equal entry is added, and listed
//! where they are lost.
//!
//! A comment belongs to an entry when it stands on the entry's line or directly above it, or inside it. An added entry
//! is equal to a removed one when both have the same key, below the same key, and the same value; which file they are
//! in does not matter. Invariant: nothing is kept of an entry without a comment, so a change that drops none costs
//! nothing here.

use std::{
    cell::{OnceCell, RefCell},
    collections::{HashMap, HashSet},
};

use indexmap::IndexSet;

use super::{
    Kind, Node, Tree,
    form::Form,
    index::fragment,
    inline,
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

impl Remark {
    /// Its first line.
    #[must_use]
    pub fn first_line(&self) -> &str {
        self.text.lines().next().unwrap_or_default().trim_end()
    }
}

/// A removed entry, with the comments in it and beside it.
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
    /// Those inside it are not offered, because it moves as a whole.
    is_alone: bool,
}

impl Entry {
    /// Of its text with the comments beside it: the first byte, and one past the last.
    #[must_use]
    pub fn range(&self) -> (usize, usize) {
        self.range
    }

    /// How many entries inside it follow it in [`Dropped::entries`].
    #[must_use]
    pub fn n_inside(&self) -> usize {
        self.n_inside
    }

    /// The same without those inside it.
    #[must_use]
    pub fn alone(&self) -> Self {
        Self { n_inside: 0, is_alone: true, ..self.clone() }
    }
}

/// What is removed from a text.
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

    /// Add a removed part of a container, with its comments, from `from` to `stop`.
    pub(super) fn part(&mut self, text: &str, parent: &str, part: &Part<'_, '_>, (from, stop): (usize, usize)) {
        let found = remarks(text, from, stop);
        if !found.is_empty() {
            self.remarks.extend(found);
            self.entry(text, parent, part, (from, stop));
        }
    }

    /// Add a value that is replaced by another.
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
            is_alone: false,
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

/// What an added entry takes over from removed ones.
pub(super) struct Carried {
    /// Comments above it.
    pub(super) lead: Vec<String>,
    /// Its text; `None` where several have comments inside it, so that it has to be put together.
    pub(super) body: Option<String>,
    /// Comments behind it.
    pub(super) trail: String,
    from: Vec<usize>,
}

/// Entries that were placed, and the text they became.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Which, as indices into what was to be carried.
    pub from: Vec<usize>,
    /// The text.
    pub text: String,
    /// It is that of the entries, and not only the comments beside them.
    pub is_whole: bool,
}

impl Placed {
    /// The first line of each comment in the text. The other lines may be indented otherwise than they were.
    #[must_use]
    pub fn comments(&self) -> HashSet<String> {
        let all = remarks(&self.text, 0, self.text.len());
        all.iter().map(|remark| remark.first_line().to_owned()).collect()
    }
}

/// A removed entry, with its value once that was needed.
struct Offered<'d> {
    entry: &'d Entry,
    value: OnceCell<Option<Node<'d>>>,
}

/// The removed entries, offered to added ones.
#[derive(Default)]
pub(super) struct Carry<'d> {
    entries: Vec<Offered<'d>>,
    /// By the key they stand below and their own.
    by_key: HashMap<&'d str, HashMap<Option<&'d str>, Vec<usize>>>,
    placed: RefCell<Vec<Placed>>,
}

impl<'d> Carry<'d> {
    pub(super) fn new(entries: &'d [Entry]) -> Self {
        let mut by_key: HashMap<&str, HashMap<Option<&str>, Vec<usize>>> = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            by_key.entry(&entry.parent).or_default().entry(entry.key.as_deref()).or_default().push(at);
        }
        let entries = entries.iter().map(|entry| Offered { entry, value: OnceCell::new() }).collect();
        Self { entries, by_key, placed: RefCell::default() }
    }

    /// Which entries were placed.
    pub(super) fn placed(&self) -> Vec<Placed> {
        self.placed.take()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The comments that move along to an added entry. They are lost unless they are [placed](Self::place).
    pub(super) fn find(
        &self,
        parent: &str,
        key: Option<&str>,
        form: &Form<'_>,
        (indent, eol): (&str, &str),
    ) -> Option<Carried> {
        let mut found: Vec<(usize, &Entry)> = Vec::new();
        self.all_equal(parent, key, form, &mut |at, entry| {
            found.push((at, entry));
            true
        });
        let (_, first) = found.first()?;
        let put = |text: &str, entry: &Entry| moved(text, &entry.indent, indent, eol);
        // One comment stands behind the entry; further ones, and those on several lines, stand above.
        let mut lead: IndexSet<String> = IndexSet::new();
        let mut trail = String::new();
        for (_, entry) in &found {
            lead.extend(entry.lead.iter().map(|text| put(text, entry)));
            for text in entry.trail.iter().map(|text| put(text, entry)) {
                if trail.is_empty() && !text.contains('\n') {
                    trail = text;
                } else if text != trail {
                    lead.insert(text);
                }
            }
        }
        let from: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
        // Entries are in the order of their text, so those inside one follow it.
        let mut end = 0;
        let ends: Vec<usize> = found
            .iter()
            .map(|(at, entry)| {
                end = end.max(at + entry.n_inside);
                end
            })
            .collect();
        let is_of_found = |at: usize| {
            let n_before = from.partition_point(|outer| *outer <= at);
            n_before.checked_sub(1).and_then(|last| ends.get(last)).is_some_and(|end| at <= *end)
        };
        let body = put(&first.body, first);
        let is_one = found.iter().all(|(_, entry)| entry.body == first.body || put(&entry.body, entry) == body)
            && (first.is_alone || self.all_inside(key.unwrap_or(parent), form, &is_of_found));
        Some(Carried { lead: lead.into_iter().collect(), body: is_one.then_some(body), trail, from })
    }

    /// Record that what was found has been written; `with_body` when its text was taken, and not only the comments
    /// beside it.
    pub(super) fn place(&self, carried: &Carried, with_body: bool) {
        let body = carried.body.as_deref().filter(|_| with_body);
        let is_whole = body.is_some();
        let body = body.unwrap_or_default();
        let text = format!("{}\n{body}\n{}", carried.lead.join("\n"), carried.trail);
        self.placed.borrow_mut().push(Placed { from: carried.from.clone(), text, is_whole });
    }

    /// Whether comments move along to something in a value below this key.
    pub(super) fn has_for(&self, parent: &str, form: &Form<'_>) -> bool {
        !self.all_inside(parent, form, &|_| false)
    }

    /// Whether all entries that are equal to this one are of some kind.
    fn all_equal(
        &self,
        parent: &str,
        key: Option<&str>,
        form: &Form<'_>,
        is_it: &mut dyn FnMut(usize, &'d Entry) -> bool,
    ) -> bool {
        let same_key = self.by_key.get(parent).and_then(|below| below.get(&key));
        let Some(same_key) = same_key.filter(|_| !is_open(form)) else { return true };
        same_key.iter().filter_map(|at| Some((*at, self.entries.get(*at)?))).all(|(at, Offered { entry, value })| {
            let value = value.get_or_init(|| fragment(&entry.body, entry.value_at));
            !value.as_ref().is_some_and(|value| form.is_written_by(value)) || is_it(at, entry)
        })
    }

    /// Whether all entries that are equal to something in a value below this key are of some kind.
    fn all_inside(&self, parent: &str, form: &Form<'_>, is_it: &dyn Fn(usize) -> bool) -> bool {
        let each = |key: Option<&str>, form: &Form<'_>| {
            self.all_equal(parent, key, form, &mut |at, _| is_it(at))
                && self.all_inside(key.unwrap_or(parent), form, is_it)
        };
        match form {
            _ if self.is_empty() => true,
            Form::Value(value) => self.all_inside(parent, &Form::open(value), is_it),
            Form::Optional(Some(form)) => self.all_inside(parent, form, is_it),
            Form::Tagged(_, content) => self.all_inside(parent, content, is_it),
            Form::Custom(custom) => self.all_inside(parent, &custom.form(None), is_it),
            Form::Record(slots) | Form::Call(_, slots) => {
                slots.iter().filter(|slot| !slot.is_default).all(|slot| each(Some(slot.name), &slot.form))
            }
            Form::Tuple(items) => items.iter().all(|item| each(None, item)),
            Form::List(list) => list.items.iter().all(|item| each(None, item)),
            Form::Map(map) => {
                let key = |key| bare(&inline::inline(key));
                map.entries.iter().all(|(name, value)| each(Some(&key(name)), value))
            }
            _ => true,
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
